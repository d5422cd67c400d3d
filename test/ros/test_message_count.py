"""What one node of the control path sends, the next one hears: nothing is lost on the way from sensors to motors."""

from __future__ import annotations

import pytest

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")

from wbc_control.nodes.message_count import HOPS, count_messages

pytestmark = [pytest.mark.ros, pytest.mark.slow]


def test_no_message_is_lost_between_processes():
    rows = count_messages("humanoid", 1.5, composition=False)
    assert tuple((row["sender"], row["hearer"]) for row in rows) == HOPS[False]
    assert all(row["lost"] == 0 for row in rows), rows
    assert rows[0]["sent"] >= 1400 and all(row["heard"] > 1000 for row in rows)
