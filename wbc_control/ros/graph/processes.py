"""The node set, declared once: which processes run, which nodes live in them, and how they are started.

``wbc up`` and the files in ``launch/`` both start what :func:`processes` returns.  Imports nothing but the standard
library, so that a launch file can read it on any machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PACKAGE = "wbc_control"

HARDWARE = ("mujoco", "gazebo", "mock", "robot")
"""What may stand behind the topics; only ``mujoco`` is one of our own processes."""

TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off")

PARENT_VARIABLE = "WBC_PARENT_PID"
"""Environment variable that names the process whose end ends a node."""

LOCAL_ENVIRONMENT: Mapping[str, str] = {
    "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Set for every node where the user has not: traffic stays on this machine, BLAS on one thread."""


@dataclass(frozen=True)
class Process:
    """One process of the graph.

    Attributes:
        executable: Console script in ``lib/wbc_control``; the module below ``wbc_control.nodes`` has the same name.
        nodes: ROS nodes that live in it.
    """

    executable: str
    nodes: tuple[str, ...]

    @property
    def module(self) -> str:
        """Python module that runs it."""
        return f"{PACKAGE}.nodes.{self.executable}"


ESTIMATOR = Process("contact_estimator", ("contact_estimator",))
PLANNER = Process("centroidal_planner", ("centroidal_planner",))
CONTROLLER = Process("whole_body_qp", ("whole_body_qp",))
BRIDGE = Process("joint_pd_bridge", ("joint_pd_bridge",))
STACK = Process("wbc_stack", ("contact_estimator", "whole_body_qp", "joint_pd_bridge"))
SIMULATOR = Process("mujoco_sim", ("mujoco_sim",))

EXECUTABLES = (ESTIMATOR, PLANNER, CONTROLLER, BRIDGE, STACK, SIMULATOR)
"""Everything ``ros2 run wbc_control`` offers."""


def processes(hardware: str, composition: bool) -> tuple[Process, ...]:
    """The processes to start, simulator first.

    Args:
        hardware: One of :data:`HARDWARE`; everything but ``mujoco`` is brought up by others.
        composition: Whether estimator, QP and bridge share one process (no hop between them).
    """
    control = (STACK, PLANNER) if composition else (ESTIMATOR, PLANNER, CONTROLLER, BRIDGE)
    return ((SIMULATOR,) if hardware == "mujoco" else ()) + control


def ros_arguments(
    *,
    params_files: Sequence[str] = (),
    namespace: str = "",
    log_level: str = "",
    remaps: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> list[str]:
    """``--ros-args ...`` for one process; later files win over earlier ones, ``settings`` over files."""
    arguments = ["--ros-args"]
    for path in params_files:
        arguments += ["--params-file", path]
    for source, target in (remaps or {}).items():
        arguments += ["-r", f"{source}:={target}"]
    for name, value in (settings or {}).items():
        arguments += ["-p", f"{name}:={value}"]
    if namespace:
        arguments += ["-r", f"__ns:=/{namespace.strip('/')}"]
    if log_level:
        arguments += ["--log-level", log_level]
    return arguments


def command_line(process: Process, arguments: Sequence[str]) -> list[str]:
    """Command that runs a process of the graph with this interpreter."""
    return [sys.executable, "-m", process.module, *arguments]


def node_environment(base: Mapping[str, str], parent_pid: int | None = None) -> dict[str, str]:
    """Environment for a node: ``base`` wins over :data:`LOCAL_ENVIRONMENT`; names the parent to die with."""
    environment = dict(LOCAL_ENVIRONMENT) | dict(base)
    environment[PARENT_VARIABLE] = str(os.getpid() if parent_pid is None else parent_pid)
    return environment


def truth(word: str) -> bool:
    """A launch boolean in any spelling people use.

    Raises:
        ValueError: Not a boolean word.
    """
    if word.strip().lower() in TRUE_WORDS:
        return True
    if word.strip().lower() in FALSE_WORDS:
        return False
    raise ValueError(f"'{word}' is no boolean: write true or false")
