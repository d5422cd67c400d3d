"""Counts the messages of a run through real DDS: what each node of the control path sent, the next one must have heard."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from wbc_control.nodes.scenario_sim import RemoteStack, control_processes, stack_factory
from wbc_control.ros.graph import LOCAL_ENVIRONMENT
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario

START_PERIODS = 500
"""Periods before the count begins: publishers and readers find each other in their own time."""
SETTLE_S = 1.7
"""Silence before counters are read, s: diagnostics come once a second."""
Counts = Mapping[str, Mapping[str, int]]

HOPS = {
    True: (("mujoco_sim", "contact_estimator"), ("joint_pd_bridge", "mujoco_sim")),
    False: (
        ("mujoco_sim", "contact_estimator"),
        ("contact_estimator", "whole_body_qp"),
        ("whole_body_qp", "joint_pd_bridge"),
        ("joint_pd_bridge", "mujoco_sim"),
    ),
}
"""Composition → (sender, hearer) along the way from sensors to motors."""


def count_messages(
    robot: str,
    seconds: float,
    overrides: Mapping[str, Any] | None = None,
    composition: bool = True,
    progress: Callable[[float], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """Let a robot stand and count.

    Args:
        robot: Shipped robot's name or parameter file.
        seconds: Simulated time; on a machine with a free core also real time.
        overrides: ``node.parameter`` → value.
        composition: Whether estimator, QP and bridge share a process.
        progress: Told the seconds that are done.

    Returns:
        One row a hop: ``sender``, ``hearer``, ``sent``, ``heard``, ``lost``.
    """
    for name, value in LOCAL_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    stacks: list[RemoteStack] = []
    scenario = read_scenario({"duration": seconds + 1e-3 * START_PERIODS}, "message count")
    prepared = prepare(robot, scenario, overrides, controller=stack_factory(stacks, control_processes(composition)))
    with stacks[0] as stack:
        begin = _Beginning(stack, progress)
        prepared.loop.run([begin])
        end = stack.settle(SETTLE_S)
        prepared.backend.close()
    return [_row(sender, hearer, begin.counts, end) for sender, hearer in HOPS[composition]]


def _row(sender: str, hearer: str, begin: Counts, end: Counts) -> dict[str, Any]:
    sent = end[sender]["sent"] - begin[sender]["sent"]
    heard = end[hearer]["heard"] - begin[hearer]["heard"]
    return {"sender": sender, "hearer": hearer, "sent": sent, "heard": heard, "lost": sent - heard}


class _Beginning:
    """Takes the counters once everybody has found everybody."""

    def __init__(self, stack: RemoteStack, progress: Callable[[float], None]) -> None:
        self._stack, self._progress = stack, progress
        self.counts: Counts = {}

    def observe(self, period: Period) -> None:
        """Once the start is over; then say how far the run is."""
        if period.index == START_PERIODS:
            self.counts = self._stack.settle(SETTLE_S)
        elif period.index % 500 == 0:
            self._progress(1e-3 * (period.index - START_PERIODS))
