"""Estimator, planner, whole-body controller and PD bridge at their rates, without middleware."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.estimation import Estimator
from wbc_control.joint_control import JointPdBridge
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.planning import Planner, PlanSampler
from wbc_control.stack.live_parameters import apply_live
from wbc_control.state import Estimate, Plan, PlanSample, SensorSample, VelocityCommand
from wbc_control.wbc import ControllerOutput, WholeBodyController

Array = NDArray[np.float64]


class ControlStack:
    """The whole stack in one object: sensors in, efforts out, once per control period.

    Attributes:
        estimate: Last estimate, None before the first tick.
        plan: Last plan, None before the planner has seen a healthy estimate.
        reference: Plan sample the last tick followed, None without a plan.
        output: Last output of the whole-body controller, None without a reference.
    """

    def __init__(self, model: RobotModel, parameters: StackParameters) -> None:
        self.model, self.parameters = model, parameters
        self.estimator = Estimator(model, parameters.estimator)
        self.planner = Planner(model, parameters.planner, parameters.controller.contact.friction)
        self.sampler = PlanSampler(parameters.controller.plan_timeout)
        self.controller = WholeBodyController(model, parameters.controller)
        self.bridge = JointPdBridge(model, parameters.bridge)
        self._ticks_per_plan = max(1, round(parameters.controller.rate / parameters.planner.rate))
        self._marks = (0, 0, 0, 0, 0)
        self._forget()

    def _forget(self) -> None:
        self.estimate: Estimate | None = None
        self.plan: Plan | None = None
        self.reference: PlanSample | None = None
        self.output: ControllerOutput | None = None
        self._tick = 0

    def reset(self) -> None:
        """As new: estimator restarts, planner latches the feet again, gains ramp up."""
        for part in (self.estimator, self.planner, self.controller, self.bridge):
            part.reset()
        self.sampler = PlanSampler(self.parameters.controller.plan_timeout)
        self._forget()

    def tick(self, sample: SensorSample, velocity: VelocityCommand | None = None) -> Array:
        """(n,) joint efforts, N·m, for one control period; damping until the first plan and whenever in doubt."""
        clock = time.perf_counter_ns
        started = clock()
        planned = None if self.reference is None else self.reference.in_contact
        self.estimate = estimate = self.estimator.update(sample, planned)
        estimated = clock()
        if self._tick % self._ticks_per_plan == 0:
            self._replan(estimate, velocity)
        planned_at = clock()
        self.reference = self.sampler.sample(sample.time_ns)
        self.output = None if self.reference is None else self.controller.update(estimate, self.reference)
        controlled = clock()
        effort = self.bridge.update(sample.time_ns, self._command(), sample.joints)
        self._tick += 1
        self._marks = (started, estimated, planned_at, controlled, clock())
        return effort

    def _replan(self, estimate: Estimate, velocity: VelocityCommand | None) -> None:
        plan = self.planner.update(estimate, velocity)
        if plan is not None:
            self.plan = plan
            self.sampler.set(plan)

    def _command(self) -> Any:
        return None if self.output is None else self.output.command

    @property
    def stage_ns(self) -> dict[str, int]:
        """Duration of each stage of the last tick, ns: estimator, planner (zero between plans), model, assembly and solve
        of the QP, rest of the controller, pd."""
        started, estimated, planned, controlled, done = self._marks
        inner = self.controller.stage_ns
        inner = dict.fromkeys(inner, 0) if self.output is None else dict(inner)
        rest = controlled - planned - sum(inner.values())
        return {
            "estimator": estimated - started,
            "planner": planned - estimated,
            **inner,
            "controller": rest,
            "pd": done - controlled,
        }

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Change live parameters, all or none.

        Args:
            values: ``node.parameter`` → value.

        Raises:
            ParameterError: Unknown, read-only, out of bounds, or in conflict with another; nothing is changed then.
        """
        new = apply_live(self.parameters, values)
        old, self.parameters = self.parameters, new
        if new.estimator != old.estimator:
            self.estimator.parameters = new.estimator
        if new.planner != old.planner:
            self.planner.parameters = new.planner
        if new.controller != old.controller:
            self.controller.configure(new.controller)
        if new.bridge != old.bridge:
            self.bridge.configure(new.bridge)
