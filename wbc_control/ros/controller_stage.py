"""The whole-body QP as a stage of a process: its core, its plan, its live parameters and its topics."""

from __future__ import annotations

import time
from collections import Counter

from wbc_control.planning import PlanSampler
from wbc_control.ros.balance import Balance, BalanceObserver
from wbc_control.ros.conversions.centroidal import PointEncoder
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.conversions.markers import marker_array
from wbc_control.ros.conversions.polygon import encode_polygon
from wbc_control.ros.conversions.scalars import ScalarsEncoder
from wbc_control.ros.every import Every
from wbc_control.ros.node import StackNode
from wbc_control.ros.pictures import pictures
from wbc_control.ros.plan_inputs import PlanInputs
from wbc_control.ros.planner_stage import torso_name
from wbc_control.ros.topics import BALANCE_SCALARS, SOLVER_SCALARS
from wbc_control.state import Estimate, Plan
from wbc_control.state.checks import BoolArray
from wbc_control.wbc import ControllerOutput, ControllerStatus, WholeBodyController

_MOST_CAUSES = 100


class ControllerStage:
    """Whole-body controller behind ``whole_body_qp``'s topics.

    Nothing is handed on before the first solved tick, so that the bridge does not claim the joints for a controller
    that is still waiting for sensors or a plan.

    Args:
        node: The node ``whole_body_qp``.

    Attributes:
        planned_contact: (n_feet,) contact the last tick counted on; None before the first plan.
        sent: Joint commands published so far.
    """

    def __init__(self, node: StackNode) -> None:
        self.node = node
        self._applied = node.parameters
        self.core = WholeBodyController(node.model, node.parameters.controller)
        self._plans = PlanInputs(node, torso_name(node))
        self._sampler = PlanSampler(node.parameters.controller.plan_timeout)
        self._command = JointStateEncoder(node.model.joint_names)
        self._telemetry = _Telemetry(node)
        self._started = False
        self._tick_ns = 0
        self.planned_contact: BoolArray | None = None
        self._conflict: tuple[str, ...] = ()
        self.counts = dict.fromkeys(("ticks", "not_solved", "fallbacks", "iterations_total"), 0)
        self._causes: Counter[str] = Counter()
        self._residual_max = 0.0
        self.sent = 0

    def reset(self) -> None:
        """Forget state and plan: time jumped or the node was activated anew."""
        self.core.reset()
        self._sampler = PlanSampler(self._applied.controller.plan_timeout)
        self.planned_contact, self._started = None, False

    def take_plan(self) -> None:
        """Take a plan that has arrived; composed, after the command is out."""
        plan = self._plans.take()
        if plan is not None:
            self._sampler.set(plan)

    def step(self, estimate: Estimate) -> ControllerOutput | None:
        """One tick; None without a plan, and until the first solution."""
        self._take_parameters()
        reference = self._sampler.sample(estimate.robot.time_ns)
        if reference is None:
            return None
        self.planned_contact = reference.in_contact
        start = time.perf_counter_ns()
        output = self.core.update(estimate, reference)
        self._tick_ns = time.perf_counter_ns() - start
        self._count(output)
        return output if self._started else None

    def publish_command(self, output: ControllerOutput) -> None:
        """The joint command of a tick."""
        self.sent += 1
        self.node.publish("joint_command", self._command.encode(output.command))

    def publish_telemetry(self, estimate: Estimate, output: ControllerOutput) -> None:
        """Margins, solver health and pictures, at their own rates."""
        now = estimate.robot.time_ns
        if not self._telemetry.due(now):
            return
        age = self._sampler.age_s(now)
        numbers = {"solve_us": 1e-3 * output.telemetry.solve_ns, "tick_us": 1e-3 * self._tick_ns, "plan_age_s": age}
        numbers["dynamics_residual_max"] = self._residual_max
        self._telemetry.publish(now, self.core, estimate, output, numbers | self.counts, self._sampler.plan)

    def health(self) -> dict[str, object]:
        """Counters for diagnostics, one row a named cause, and the last set of constraints that could not be kept together."""
        causes = {f"cause: {cause}": count for cause, count in self._causes.items()}
        conflict = {"conflict": " + ".join(self._conflict)} if self._conflict else {}
        return {**self.counts, "sent": self.sent, **causes, **conflict}

    def _count(self, output: ControllerOutput) -> None:
        """Count from the first solution on; before it, waiting is no fault."""
        told, counts = output.telemetry, self.counts
        self._started |= told.solved
        if not self._started:
            return
        self._conflict = told.conflict
        counts["ticks"] += 1
        counts["not_solved"] += not told.solved
        counts["fallbacks"] += output.status is not ControllerStatus.SOLVED
        counts["iterations_total"] += told.iterations
        self._residual_max = max(self._residual_max, told.dynamics_residual)
        if not told.solved and len(self._causes) < _MOST_CAUSES:
            self._causes[told.cause] += 1

    def _take_parameters(self) -> None:
        if self.node.parameters is not self._applied:
            self._applied = self.node.parameters
            self.core.configure(self._applied.controller)


class _Telemetry:
    """What people and tools read: computed at its own rate, and only what somebody hears."""

    def __init__(self, node: StackNode) -> None:
        middleware = node.parameters.middleware
        self._node = node
        self._balance = BalanceObserver(node.model)
        self._every = Every(middleware.telemetry_rate)
        self._markers = Every(middleware.markers_rate)
        self._margins, self._solver = ScalarsEncoder(BALANCE_SCALARS), ScalarsEncoder(SOLVER_SCALARS)
        self._zmp, self._dcm = PointEncoder(), PointEncoder()

    def due(self, time_ns: int) -> bool:
        """Whether telemetry is due at ``time_ns``."""
        return self._every.due(time_ns)

    def publish(
        self,
        now: int,
        core: WholeBodyController,
        estimate: Estimate,
        output: ControllerOutput,
        numbers: dict[str, float],
        plan: Plan | None,
    ) -> None:
        """Send everything of one tick."""
        told = output.telemetry
        solver = {
            "solved": float(told.solved),
            "iterations": float(told.iterations),
            "dynamics_residual": told.dynamics_residual,
        }
        self._node.publish("solver", self._solver.encode(now, solver | numbers))
        if not told.solved:
            return
        balance = self._balance.observe(core.terms, estimate.contact.in_contact, told.foot_wrench, told.acceleration)
        shares = {
            "friction_use": told.friction_use,
            "torque_use": told.torque_use,
            "torque_rate_use": told.torque_rate_use,
        }
        distances = {
            "zmp_margin": balance.zmp_margin,
            "zmp_margin_from_motion": balance.zmp_margin_from_motion,
            "zmp_distance_m": balance.zmp_distance,
            "capture_distance_m": balance.capture_distance,
        }
        self._node.publish("margins", self._margins.encode(now, distances | shares))
        self._publish_geometry(now, balance)
        if self._markers.due(now) and self._node.has_listeners("markers"):
            friction = self._node.parameters.controller.contact.friction
            shown = pictures(now, self._node.model.feet, core.terms, balance, plan, friction)
            self._node.publish("markers", marker_array(shown))

    def _publish_geometry(self, now: int, balance: Balance) -> None:
        node = self._node
        if balance.zmp is not None and node.has_listeners("zmp"):
            node.publish("zmp", self._zmp.encode(now, balance.zmp))
        if balance.dcm is not None and node.has_listeners("dcm"):
            node.publish("dcm", self._dcm.encode(now, balance.dcm))
        if node.has_listeners("support_polygon"):
            node.publish("support_polygon", encode_polygon(now, balance.polygon))
