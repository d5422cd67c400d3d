"""The whole-body controller: state and reference in, joint command out, once per millisecond."""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters import ControllerParameters
from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace
from wbc_control.state import Estimate, JointCommand, PlanSample, unchecked
from wbc_control.wbc.assembly import build_formulation, workspace_for
from wbc_control.wbc.contacts import Modes, contact_modes
from wbc_control.wbc.diagnosis import DIAGNOSED, InfeasibilityDiagnosis
from wbc_control.wbc.explicit import relaxed_problem, relaxed_workspace
from wbc_control.wbc.fallback import FallbackLadder
from wbc_control.wbc.joint_reference import JointReference
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import EffortRateLimit
from wbc_control.wbc.output import ControllerOutput, ControllerStatus
from wbc_control.wbc.telemetry import TelemetryMaker, Tick

Array = NDArray[np.float64]

NOT_FINITE = "state or plan not finite"
_CAUSES = {status: f"QP {status.value}" for status in QpStatus} | {QpStatus.NOT_FINITE: NOT_FINITE}


class WholeBodyController:
    """QP over x = [q̈; f] with a fallback ladder; allocated once, never raises in :meth:`update`.

    Attributes:
        terms: Dynamics of the last tick.
        stage_ns: Duration of the last tick's model terms, assembly of the QP and solve, ns.
    """

    def __init__(self, model: RobotModel, parameters: ControllerParameters) -> None:
        self.model = model
        self.terms = Kinodynamics(model)
        self.stage_ns = dict.fromkeys(("model", "assembly", "solve"), 0)
        self.configure(parameters)

    def configure(self, parameters: ControllerParameters) -> None:
        """Take other parameters; keeps the last torque, so that the torque rate limit spans the change."""
        last = getattr(self, "_last_torque", None)
        self.parameters = parameters
        period = 1.0 / parameters.rate
        self._rate_limit = EffortRateLimit(parameters.limits.torque_rate, period)
        self._formulation = build_formulation(self.model, parameters, self._rate_limit)
        self._workspaces: dict[Modes, QpWorkspace] = {}
        self._relaxed_workspace = relaxed_workspace(parameters.solver)
        self._diagnosis = InfeasibilityDiagnosis(parameters.solver)
        self._ladder = FallbackLadder(parameters.solver.hold_time)
        self._joint_reference = JointReference(parameters.reference_leak, period)
        self._telemetry = TelemetryMaker(self.model, parameters)
        self._least_force = parameters.contact.normal_force_min * self.model.weight
        self._largest_force = parameters.contact.normal_force_max * self.model.weight
        self._last_torque: Array | None = None
        self._remember(last)

    def reset(self) -> None:
        """Forget the past: cold solver, open torque rate."""
        self._workspaces.clear()
        self._ladder.forget()
        self._joint_reference.reset()
        self._remember(None)

    def _remember(self, torque: Array | None) -> None:
        self._last_torque = torque
        self._rate_limit.remember(torque)

    def update(self, estimate: Estimate, reference: PlanSample) -> ControllerOutput:
        """One tick.

        Args:
            estimate: State of the robot; an unhealthy one is answered with damping.
            reference: Plan sample valid now.
        """
        if not estimate.healthy or not _is_usable(estimate, reference):
            cause = estimate.reason or NOT_FINITE
            return self._without_solution(estimate, Tick(None, cause, self._diagnosis.conflict, 0))
        clock, stages = time.perf_counter_ns, self.stage_ns
        begun = clock()
        self.terms.update(estimate.robot.q, estimate.robot.v)
        modelled = clock()
        modes = contact_modes(reference.contact_weight)
        layout = self._formulation.write(self.terms, reference, modes, *self._force_bounds(reference))
        started = clock()
        stages["model"], stages["assembly"] = modelled - begun, started - modelled
        solution = self._workspace(modes).solve(layout.problem)
        status, cause = ControllerStatus.SOLVED, ""
        if not solution.solved:
            status, cause = ControllerStatus.RELAXED, _CAUSES[solution.status]
            solution = self._relax(estimate.robot.time_ns, layout, solution)
        solve_ns = stages["solve"] = clock() - started
        self._diagnosis.step()
        tick = Tick(solution, cause, self._diagnosis.conflict, solve_ns)
        if not solution.solved:
            return self._without_solution(estimate, tick)
        return self._with_solution(estimate, layout, tick, status)

    def problem(self, reference: PlanSample) -> QpProblem:
        """The QP as :meth:`update` last wrote it for this reference's contact set; its arrays are buffers: copy to keep."""
        problem = self._formulation.layout(contact_modes(reference.contact_weight)).problem
        problem.complete()
        return problem

    def _relax(self, time_ns: int, layout: Layout, failed: QpSolution) -> QpSolution:
        """Second rung: what may give way does; the search for the culprits starts beside."""
        if failed.status is QpStatus.NOT_FINITE:
            return failed
        if failed.status in DIAGNOSED and self._diagnosis.wants(time_ns):
            named = self._formulation.explicit(layout, self.terms, named=True)
            self._diagnosis.start(time_ns, named, named.equality_names[: layout.base])
        explicit = self._formulation.explicit(layout, self.terms)
        return self._relaxed_workspace.solve_elastic(*relaxed_problem(layout, explicit, self.parameters.limits))

    def _force_bounds(self, reference: PlanSample) -> tuple[Array, Array]:
        share = reference.contact_weight
        return self._least_force * share, self._largest_force * share

    def _workspace(self, modes: Modes) -> QpWorkspace:
        found = self._workspaces.get(modes)
        if found is None:
            found = self._workspaces[modes] = workspace_for(self._formulation.layout(modes), self.parameters)
        return found

    def _with_solution(
        self, estimate: Estimate, layout: Layout, tick: Tick, status: ControllerStatus
    ) -> ControllerOutput:
        assert tick.solution is not None
        model, robot, x = self.model, estimate.robot, tick.solution.x
        torque = self._formulation.torque(layout, self.terms, x)
        measured = model.joint_positions(robot.q), robot.v[model.v_joints]
        position, velocity = self._joint_reference.step(*measured, x[model.v_joints])
        command = unchecked(JointCommand, robot.time_ns, position, velocity, torque)
        telemetry = self._telemetry.solved(layout, self.terms, tick, torque, self._last_torque)
        self._formulation.observe(layout, x)
        self._ladder.remember(command)
        self._remember(torque)
        return ControllerOutput(command, status, telemetry)

    def _without_solution(self, estimate: Estimate, tick: Tick) -> ControllerOutput:
        positions = self.model.joint_positions(np.nan_to_num(estimate.robot.q))
        if not estimate.healthy:
            self._ladder.forget()
        command, status = self._ladder.command(estimate.robot.time_ns, positions)
        self._joint_reference.reset()
        self._remember(command.effort)
        return ControllerOutput(command, status, self._telemetry.unsolved(tick))


def _is_usable(estimate: Estimate, reference: PlanSample) -> bool:
    """Whether every number is finite: a product of an array with itself shows any NaN or infinity, in one BLAS call."""
    q, v = estimate.robot.q, estimate.robot.v
    return math.isfinite(q.dot(q) + v.dot(v)) and (reference.known_finite or _is_finite(reference))


def _is_finite(r: PlanSample) -> bool:
    product = np.vdot
    total = r.com_position.dot(r.com_position) + r.com_velocity.dot(r.com_velocity)
    total += r.com_acceleration.dot(r.com_acceleration) + r.contact_weight.dot(r.contact_weight)
    total += r.base_angular_velocity.dot(r.base_angular_velocity) + r.normal_force.dot(r.normal_force)
    total += product(r.base_rotation, r.base_rotation) + product(r.foot_rotation, r.foot_rotation)
    total += product(r.foot_position, r.foot_position) + product(r.foot_velocity, r.foot_velocity)
    return math.isfinite(total + product(r.foot_acceleration, r.foot_acceleration))
