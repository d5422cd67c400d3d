"""ROS itself reads the robots' parameter files: the same names and types as our own reader."""
from __future__ import annotations

from collections.abc import Iterable

import pytest
from shipped_robots import OVERLAYS, OWN

from wbc_control.model.share import config_path
from wbc_control.parameters import read_parameter_file

rclpy = pytest.importorskip("rclpy", reason="ROS's own parameter-file parser comes with rclpy")


@pytest.mark.ros
@pytest.mark.parametrize("node_name", ["joint_pd_bridge", "contact_estimator"])
@pytest.mark.parametrize("robot", [*OWN, *OVERLAYS])
def test_rcl_reads_what_we_read(robot: str, node_name: str) -> None:
    sections = read_parameter_file(config_path(robot))
    wanted = sections["/**"] | sections.get(node_name, {})
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=61)
    try:
        arguments = ["--ros-args", "--params-file", str(config_path(robot))]
        node = rclpy.create_node(
            node_name, context=context, cli_args=arguments, automatically_declare_parameters_from_overrides=True
        )
        found = {name: node.get_parameter(name).value for name in wanted}
        node.destroy_node()
    finally:
        rclpy.shutdown(context=context)
    assert {name: plain(value) for name, value in found.items()} == wanted


def plain(value: object) -> object:
    """rclpy's array.array as a list."""
    return value if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
