"""Parameters of the mujoco_sim node and of every simulation backend."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class GroundParameters:
    """How soft MuJoCo's ground is (its solref/solimp in words), and how the rigid engine's ground rebounds."""

    time_constant: float = parameter(
        0.004, "time constant of the contact spring-damper", unit="s", lower=0.0005, upper=0.5
    )
    damping_ratio: float = parameter(1.0, "damping ratio of the contact spring-damper", unit="1", lower=0.05, upper=5.0)
    restitution: float = parameter(
        0.0,
        "share of the approach speed with which a point leaves the rigid engine's ground; MuJoCo's follows from damping_ratio",
        unit="1",
        lower=0.0,
        upper=1.0,
    )


@dataclass(frozen=True)
class SimulatorParameters:
    """All of mujoco_sim."""

    backend: str = parameter("mujoco", "physics engine", choices=("mujoco", "rigid"))
    timestep: float = parameter(
        0.001, "physics step; the control period must be a whole multiple of it", unit="s", lower=0.00005, upper=0.01
    )
    control_rate: float = parameter(
        1000.0, "sensor readings and commands per second", unit="Hz", lower=50.0, upper=5000.0
    )
    real_time_factor: float = parameter(
        1.0, "pace of the node against the wall clock", unit="1", lower=0.01, upper=100.0
    )
    command_patience: float = parameter(
        2.0,
        "how long, by the wall clock, the node lets simulated time wait for a late command before it takes the stack for "
        "dead and goes on with the last one; 0 never waits",
        unit="s",
        lower=0.0,
        upper=3.0,
    )
    joint_damping: float = parameter(
        0.05, "viscous friction of every joint where the URDF has none", unit="N·m·s/rad", lower=0.0, upper=100.0
    )
    ground: GroundParameters = group(GroundParameters)
