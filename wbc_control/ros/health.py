"""Once a second: what a node says about itself on ``/diagnostics``, and which sensors it misses in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wbc_control.ros.conversions.diagnostics import ERROR, OK, WARN
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.node import StackNode
from wbc_control.state import Estimate


def report(
    node: StackNode,
    pace: Pace,
    missed: int,
    silent: Sequence[str] = (),
    estimate: Estimate | None = None,
    values: Mapping[str, object] | None = None,
) -> None:
    """Publish the node's state.

    Args:
        node: Who speaks.
        pace: Rate and work time of its loop.
        missed: Deadlines lost since the start (periodic loops).
        silent: Topics that should speak and do not.
        estimate: Newest estimate, where the node has one.
        values: More numbers.
    """
    level, sentence = _judge(silent, estimate)
    if silent:
        node.log_rarely("silence", sentence)
    numbers: dict[str, object] = {
        "active": node.active,
        "rate_hz": pace.rate,
        "tick_mean_us": pace.work_mean_us,
        "tick_longest_us": pace.work_max_us,
        "overruns": pace.overruns,
        "missed_deadlines": missed,
    }
    numbers |= {f"tick_{name}_us": value for name, value in pace.percentiles_us().items()}
    node.diagnose(node.get_clock().now().nanoseconds, numbers | dict(values or {}), level, sentence)


def _judge(silent: Sequence[str], estimate: Estimate | None) -> tuple[int, str]:
    if silent:
        return WARN, f"nothing heard on {', '.join(silent)}"
    if estimate is not None and not estimate.healthy:
        return ERROR, estimate.reason
    return OK, "ok"
