"""Parameters every node shares: which robot, its feet, its IMU, its standing posture."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import parameter, table


@dataclass(frozen=True)
class FootParameters:
    """One foot: the link it belongs to and the shape of its sole."""

    link: str = parameter("", "link of the URDF that carries the sole")
    origin: tuple[float, ...] = parameter((0.0, 0.0, 0.0), "sole frame's origin in the link's frame", unit="m")
    rpy: tuple[float, ...] = parameter((0.0, 0.0, 0.0), "sole frame's roll, pitch, yaw in the link's frame", unit="rad")
    corners: tuple[float, ...] = parameter(
        (),
        "x, y, z of each corner of the sole in the sole frame, one after another; one corner is a point foot",
        unit="m",
    )
    radius: float = parameter(0.0, "radius of a spherical point foot around its corner", unit="m", lower=0.0, upper=0.5)


@dataclass(frozen=True)
class JointParameters:
    """Overrides for one joint, where the URDF does not say or says it wrong."""

    standing: float = parameter(0.0, "position in the standing posture", unit="rad")
    effort: float = parameter(0.0, "effort limit that replaces the URDF's; 0 keeps it", unit="N·m", lower=0.0)
    velocity: float = parameter(0.0, "velocity limit that replaces the URDF's; 0 keeps it", unit="rad/s", lower=0.0)
    armature: float = parameter(0.0, "rotor inertia reflected to the joint", unit="kg·m²", lower=0.0)


@dataclass(frozen=True)
class RobotParameters:
    """The robot: shared by all nodes through the ``/**`` section of its file."""

    name: str = parameter("", "robot's name in reports and logs")
    urdf: str = parameter(
        "",
        "URDF or xacro: a path, `package://NAME/...` (ROS share or data package) or a path below this package's urdf/",
    )
    floating_base: bool = parameter(True, "whether the base moves freely (false for an arm on a table)")
    base_link: str = parameter("", "link the base estimate speaks of; empty takes the URDF's root")
    torso_link: str = parameter("", "link whose orientation is controlled; empty takes the base")
    imu_link: str = parameter("", "link (or frame) the IMU is fixed to; empty takes the base")
    locked_joints: tuple[str, ...] = parameter(
        (), "joints frozen at their standing position and left out of the control"
    )
    unlimited_joints: tuple[str, ...] = parameter(
        (), "joints whose zero or missing effort/velocity limit is meant as unlimited; without it they are refused"
    )
    mass_min: float = parameter(0.1, "lightest believable total mass", unit="kg", lower=0.0)
    mass_max: float = parameter(1000.0, "heaviest believable total mass", unit="kg", lower=0.0)
    feet: dict[str, FootParameters] = table(FootParameters)
    joints: dict[str, JointParameters] = table(JointParameters)
