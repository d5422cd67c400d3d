"""Parameters every node shares that concern ROS itself: start, telemetry rates, real-time scheduling."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class RealTimeParameters:
    """What a control process asks of the kernel; each request that is refused costs one warning, nothing else."""

    policy: str = parameter(
        "other",
        "scheduling policy of the control loop and of the middleware's threads in its process",
        choices=("other", "fifo"),
    )
    priority: int = parameter(70, "priority under SCHED_FIFO", lower=1, upper=98)
    affinity: str = parameter("", "cores the process may run on, like `0,2`; empty leaves the kernel's choice")
    lock_memory: bool = parameter(False, "whether to lock all pages in memory (mlockall)")


@dataclass(frozen=True)
class MiddlewareParameters:
    """How the nodes behave as ROS nodes."""

    autostart: bool = parameter(True, "whether nodes configure and activate themselves")
    stamped_velocity: bool = parameter(False, "whether cmd_vel is a TwistStamped instead of a Twist")
    telemetry_rate: float = parameter(
        100.0, "topics nobody in the control path waits for, per second", unit="Hz", lower=1.0, upper=1000.0
    )
    markers_rate: float = parameter(
        20.0, "pictures for RViz per second; 0 draws none", unit="Hz", lower=0.0, upper=30.0
    )
    ground_truth_rate: float = parameter(
        100.0, "true states of the simulator per second", unit="Hz", lower=1.0, upper=1000.0
    )
    sensor_silence: float = parameter(
        2.0, "silence after which a sensor is named in the log", unit="s", lower=0.1, upper=60.0
    )
    rt: RealTimeParameters = group(RealTimeParameters)
