"""Parameters of the joint_pd_bridge node."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter, table


@dataclass(frozen=True)
class JointGainParameters:
    """PD gains of one joint."""

    kp: float = parameter(0.0, "stiffness", unit="N·m/rad", lower=0.0, upper=1e5, live=True)
    kd: float = parameter(0.0, "damping", unit="N·m·s/rad", lower=0.0, upper=1e4, live=True)


MODES = ("effort", "mit", "position", "joint_state")
"""What the motors are told: efforts, or targets with gains for drives that close the loop themselves."""


@dataclass(frozen=True)
class InterfaceParameters:
    """Names of a drive's command interfaces; each has a forwarder ``<name>_controller``."""

    position: str = parameter("position", "command interface of the joint position")
    velocity: str = parameter("velocity", "command interface of the joint velocity")
    effort: str = parameter("effort", "command interface of the feed-forward effort")
    stiffness: str = parameter("kp", "command interface of the position gain; drives do not agree on a name")
    damping: str = parameter("kd", "command interface of the velocity gain; drives do not agree on a name")


@dataclass(frozen=True)
class BridgeParameters:
    """All of joint_pd_bridge."""

    mode: str = parameter(
        "effort",
        "what the motors are told: efforts; position, velocity, effort and gains (mit); positions only; or a JointState "
        "as JointStateTopicSystem sends it",
        choices=MODES,
    )
    interfaces: InterfaceParameters = group(InterfaceParameters)
    joint_commands_topic: str = parameter(
        "robot_joint_commands", "topic of the commands in mode joint_state; JointStateTopicSystem's default"
    )
    rate: float = parameter(1000.0, "ticks per second", unit="Hz", lower=50.0, upper=5000.0)
    controller: str = parameter(
        "effort_controller", "name of the controller that forwards efforts: its `commands` topic is written"
    )
    kp: float = parameter(
        20.0, "stiffness of joints without their own row under gains", unit="N·m/rad", lower=0.0, upper=1e5, live=True
    )
    kd: float = parameter(
        1.0, "damping of joints without their own row under gains", unit="N·m·s/rad", lower=0.0, upper=1e4, live=True
    )
    damping: float = parameter(
        3.0,
        "damping gain of the safe state, in which joints are only braked",
        unit="N·m·s/rad",
        lower=0.0,
        upper=1e4,
        live=True,
    )
    command_timeout: float = parameter(
        0.02, "age of the joint command after which the bridge brakes", unit="s", lower=0.002, upper=1.0, live=True
    )
    joint_state_timeout: float = parameter(
        0.02,
        "silence of joint_states, by the wall clock, after which the bridge brakes for the last velocity known; the "
        "bring-up raises it for a simulator that lets its time wait for commands",
        unit="s",
        lower=0.002,
        upper=10.0,
        live=True,
    )
    torque_rate: float = parameter(
        30000.0, "largest change of a commanded torque per second", unit="N·m/s", lower=1.0, upper=1e9, live=True
    )
    start_ramp: float = parameter(
        0.5, "time over which gains rise after the start", unit="s", lower=0.0, upper=10.0, live=True
    )
    gain_ramp: float = parameter(
        0.2, "time over which gains change while the robot is under control", unit="s", lower=0.0, upper=10.0, live=True
    )
    gains: dict[str, JointGainParameters] = table(JointGainParameters)
