"""Every topic of the graph, declared once: name, type, quality of service, and which node reads or writes it.

Names are relative, so that a namespace moves a whole robot.  Types are words (``sensor_msgs/msg/JointState``), so that
this declaration can be read, compared and tested without ROS.  ``{foot}`` stands for each foot's name and
``{controller}`` for the forwarding controller's, or for the whole name where it is a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SENSOR_IN = "sensor_in"
"""Best effort, depth 5: reliable and best-effort publishers are both heard; the newest value counts, and a reader that is
late still sees how many it skipped, so that a message which is really lost shows."""
SENSOR_OUT = "sensor_out"
"""Reliable, depth 1, as the stock broadcasters publish; best-effort readers do not slow it down."""
COMMAND = "command"
"""Reliable, depth 1: the newest command counts and is not lost."""
COMMAND_IN = "command_in"
"""Reliable, depth 5: as above, with a reader that sees how many it skipped."""
PLAN = "plan"
"""Reliable, depth 2: a plan is two messages that belong together."""
TELEMETRY = "telemetry"
"""Reliable, depth 5: for people and tools."""
CLOCK = "clock"
"""Best effort, depth 1."""
LATCHED = "latched"
"""Reliable, transient local, depth 1: late readers get the last value."""

PUSH_S = 0.1
"""How long a simulator lets a message on ``simulation/push`` act, s."""

QUALITIES = (SENSOR_IN, SENSOR_OUT, COMMAND, COMMAND_IN, PLAN, TELEMETRY, CLOCK, LATCHED)


BALANCE_SCALARS = (
    "zmp_margin",
    "zmp_margin_from_motion",
    "zmp_distance_m",
    "capture_distance_m",
    "friction_use",
    "torque_use",
    "torque_rate_use",
)
"""Scalars of ``wbc/margins``: indices and shares in 1, distances to the border in m, positive inside; NaN where undefined."""

SOLVER_SCALARS = (
    "solved",
    "iterations",
    "solve_us",
    "tick_us",
    "dynamics_residual",
    "plan_age_s",
    "ticks",
    "not_solved",
    "fallbacks",
    "iterations_total",
    "dynamics_residual_max",
)
"""Scalars of ``wbc/solver``; those of the second line are counted since the first solution."""


@dataclass(frozen=True)
class Topic:
    """One topic.

    Attributes:
        name: Relative name, with ``{foot}`` or ``{controller}`` where it repeats or depends.
        type: Message type, ``package/msg/Type``.
        reader: Quality of service of subscriptions.
        writer: Quality of service of publishers.
    """

    name: str
    type: str
    reader: str = TELEMETRY
    writer: str = TELEMETRY

    def names(self, feet: Sequence[str], controller: str) -> tuple[str, ...]:
        """The concrete names for a robot, one a foot where the name holds ``{foot}``."""
        if "{foot}" in self.name:
            return tuple(self.name.format(foot=foot) for foot in feet)
        return (self.name.format(controller=controller),)


def _sensor(name: str, kind: str) -> Topic:
    return Topic(name, kind, SENSOR_IN, SENSOR_OUT)


TOPICS: Mapping[str, Topic] = {
    "joint_states": _sensor("joint_states", "sensor_msgs/msg/JointState"),
    "imu": _sensor("imu/data", "sensor_msgs/msg/Imu"),
    "wrench": _sensor("{foot}/wrench", "geometry_msgs/msg/WrenchStamped"),
    "odom": _sensor("odom", "nav_msgs/msg/Odometry"),
    "contact_state": _sensor("contact_state", "sensor_msgs/msg/JointState"),
    "centroidal_state": _sensor("centroidal/state", "sensor_msgs/msg/MultiDOFJointState"),
    "cmd_vel": Topic("cmd_vel", "geometry_msgs/msg/Twist", COMMAND, COMMAND),
    "cmd_vel_stamped": Topic("cmd_vel", "geometry_msgs/msg/TwistStamped", COMMAND, COMMAND),
    "reference": Topic("planner/reference", "sensor_msgs/msg/MultiDOFJointState", TELEMETRY, TELEMETRY),
    "trajectory": Topic("planner/trajectory", "trajectory_msgs/msg/MultiDOFJointTrajectory", PLAN, PLAN),
    "contact_schedule": Topic("planner/contact_schedule", "trajectory_msgs/msg/JointTrajectory", PLAN, PLAN),
    "joint_command": Topic("joint_command", "sensor_msgs/msg/JointState", COMMAND_IN, COMMAND),
    "effort": Topic("{controller}/commands", "std_msgs/msg/Float64MultiArray", COMMAND_IN, COMMAND),
    "joint_commands": Topic("{controller}", "sensor_msgs/msg/JointState", COMMAND, COMMAND),
    "com": Topic("centroidal/com", "geometry_msgs/msg/PointStamped"),
    "zmp": Topic("centroidal/zmp", "geometry_msgs/msg/PointStamped"),
    "dcm": Topic("centroidal/dcm", "geometry_msgs/msg/PointStamped"),
    "margins": Topic("wbc/margins", "sensor_msgs/msg/JointState"),
    "solver": Topic("wbc/solver", "sensor_msgs/msg/JointState"),
    "support_polygon": Topic("support_polygon", "geometry_msgs/msg/PolygonStamped"),
    "markers": Topic("wbc/markers", "visualization_msgs/msg/MarkerArray"),
    "diagnostics": Topic("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray"),
    "clock": Topic("/clock", "rosgraph_msgs/msg/Clock", CLOCK, CLOCK),
    "push": Topic("simulation/push", "geometry_msgs/msg/WrenchStamped", COMMAND, COMMAND),
    "true_odom": Topic("simulation/ground_truth/odom", "nav_msgs/msg/Odometry"),
    "true_joints": Topic("simulation/ground_truth/joint_states", "sensor_msgs/msg/JointState"),
    "true_contact": Topic("simulation/ground_truth/contact_state", "sensor_msgs/msg/JointState"),
}
"""Key (used in code) → topic."""


@dataclass(frozen=True)
class Ports:
    """What one node reads and writes, as keys of :data:`TOPICS`.

    Attributes:
        reads: Always subscribed.
        writes: Always published.
        hop_reads: Subscribed only when the neighbours run in other processes; composed, the value is handed over.
        commands: Motor commands; the bridge's mode says which of them, and on how many controllers.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    hop_reads: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


PORTS: Mapping[str, Ports] = {
    "contact_estimator": Ports(
        ("joint_states", "imu", "wrench"),
        ("contact_state", "odom", "centroidal_state", "com", "diagnostics"),
        ("contact_schedule",),
    ),
    "centroidal_planner": Ports(
        ("joint_states", "odom", "contact_state", "cmd_vel"),
        ("reference", "trajectory", "contact_schedule", "diagnostics"),
    ),
    "whole_body_qp": Ports(
        ("trajectory", "contact_schedule"),
        ("joint_command", "margins", "solver", "zmp", "dcm", "support_polygon", "markers", "diagnostics"),
        ("joint_states", "odom", "contact_state"),
    ),
    "joint_pd_bridge": Ports((), ("diagnostics",), ("joint_command", "joint_states"), ("effort", "joint_commands")),
    "mujoco_sim": Ports(
        ("effort", "push"), ("joint_states", "imu", "wrench", "true_odom", "true_joints", "true_contact", "diagnostics")
    ),
}
"""Node → its ports."""
