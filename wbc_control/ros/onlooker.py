"""Hears what the nodes publish about state, plan and themselves, for the report of a run; control does not need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from wbc_control.planning import PlanSampler
from wbc_control.ros.conversions.contact import ContactDecoder
from wbc_control.ros.conversions.diagnostics import OK, decode_diagnostics, node_in
from wbc_control.ros.conversions.odometry import decode_odometry
from wbc_control.ros.conversions.scalars import decode_scalars
from wbc_control.ros.node import StackNode
from wbc_control.ros.plan_inputs import PlanInputs
from wbc_control.ros.planner_stage import torso_name
from wbc_control.state import ContactState, Estimate, PlanSample, RobotState, SensorSample

_REFERENCE_EVERY, _SLOW_EVERY = 5, 100
_CAUSE = "cause: "
_PERCENTILES = ("p50", "p90", "p99", "p999", "max")
TICKING = "whole_body_qp"
"""The node whose tick counts as the stack's: composed, its process runs the whole pass."""


class Onlooker:
    """Newest estimate, plan and health of the stack.

    Args:
        node: Node to listen with.

    Attributes:
        estimate: Newest estimate, joints from the sample at hand.
        reference: Newest plan, sampled at the time of looking.
    """

    def __init__(self, node: StackNode) -> None:
        self._model = node.model
        self._namespace = node.get_namespace()
        self._odometry, self._contact = node.inbox("odom"), node.inbox("contact_state")
        self._solver, self._diagnostics = node.inbox("solver"), node.inbox("diagnostics")
        self._decoder = ContactDecoder(node.model.foot_names)
        self._plans = PlanInputs(node, torso_name(node))
        self._sampler = PlanSampler(node.parameters.controller.plan_timeout)
        self._q, self._v = node.model.standing_configuration(), np.zeros(node.model.nv)
        self._state: tuple[ContactState, bool] | None = None
        self._heard_base = not node.model.floating_base
        self._scalars: dict[str, float] = {}
        self._statuses: dict[str, tuple[int, str, dict[str, str]]] = {}
        self._looks = 0
        self.estimate: Estimate | None = None
        self.reference: PlanSample | None = None

    def look(self, sample: SensorSample, stamp_ns: int) -> None:
        """Take in what has arrived by the end of a tick."""
        self._looks += 1
        self._look_at_estimate(sample)
        if self._looks % _REFERENCE_EVERY == 0:
            plan = self._plans.take()
            if plan is not None:
                self._sampler.set(plan)
            self.reference = self._sampler.sample(stamp_ns)
        if self._looks % _SLOW_EVERY == 0:
            self._look_at_health()

    def _look_at_estimate(self, sample: SensorSample) -> None:
        odometry, contact = self._odometry.take_newest(), self._contact.take_newest()
        if odometry is not None:
            self._q[:7], self._v[:6] = decode_odometry(odometry)
            self._heard_base = True
        if contact is not None:
            self._state = self._decoder.decode(contact) or self._state
        if self._state is None or not self._heard_base or (odometry is None and contact is None):
            return
        q, v = self._model.with_joint_positions(self._q, sample.joints.position), self._v.copy()
        v[self._model.v_index] = sample.joints.velocity
        state, healthy = self._state
        reason = "" if healthy else "contact_estimator does not trust its sensors"
        self.estimate = Estimate(RobotState(sample.time_ns, q, v), state, healthy, reason)

    def _look_at_health(self) -> None:
        solver = self._solver.take_newest()
        self._scalars = decode_scalars(solver) if solver is not None else self._scalars
        message = self._diagnostics.take()
        while message is not None:
            for name, level, sentence, values in decode_diagnostics(message):
                node = node_in(name, self._namespace)
                if node is not None:
                    self._statuses[node] = (level, sentence, values)
            message = self._diagnostics.take()

    def counters(self, node: str) -> dict[str, int]:
        """``heard`` and ``sent`` of a node, as it said last; takes in what it has said since."""
        self._look_at_health()
        values = self._statuses.get(node, (OK, "", {}))[2]
        return {name: int(values[name]) for name in ("heard", "sent") if name in values}

    def complaint(self) -> str:
        """What the nodes complain about, in one sentence."""
        self._look_at_health()
        words = [f"{name} says '{sentence}'" for name, (level, sentence, _) in self._statuses.items() if level != OK]
        return "; ".join(words) or ("no node has been heard" if not self._statuses else "the nodes say they are well")

    def report(self) -> dict[str, Any]:
        """``tick_us``, ``solver`` and ``dynamics_residual_max`` as the nodes counted them."""
        self._look_at_health()
        values = self._statuses.get(TICKING, (OK, "", {}))[2]
        ticks = {name: float(values[f"tick_{name}_us"]) for name in _PERCENTILES if f"tick_{name}_us" in values}
        count = self._scalars.get("ticks", 0.0)
        solver = {
            "not_solved": int(self._scalars.get("not_solved", 0)),
            "fallbacks": int(self._scalars.get("fallbacks", 0)),
            "iterations_mean": self._scalars.get("iterations_total", 0.0) / count if count else None,
            "causes": {key.removeprefix(_CAUSE): int(value) for key, value in values.items() if key.startswith(_CAUSE)},
        }
        return {"tick_us": ticks, "solver": solver, "dynamics_residual_max": self._scalars.get("dynamics_residual_max")}
