"""Starts the processes of the graph as children and ends them: in order, by their id, none left behind."""

from __future__ import annotations

import contextlib
import dataclasses
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from wbc_control.errors import BackendError, ParameterError
from wbc_control.parameters import StackParameters
from wbc_control.parameters.bridge import BridgeParameters
from wbc_control.ros.graph import Process, command_line, node_environment, ros_arguments
from wbc_control.ros.parameter_file import dump

PATIENCE_MARGIN_S = 1.0
"""By how much the bridge waits longer for joint states than a simulator waits for a command, s."""
_PATIENCE_S = (5.0, 2.0, 2.0)
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def on_simulated_time(parameters: StackParameters) -> StackParameters:
    """Parameters for nodes whose hardware is our simulator: the bridge's watchdog counts simulated time only.

    While the simulator waits for a late command its joint states are silent by the wall clock, which says nothing about
    the robot; braking would be the command it waits for, and a slow machine would bring the robot to its knees.

    Raises:
        ParameterError: The simulator does not hear what the bridge would say.
    """
    heard = BridgeParameters()
    for name in ("mode", "controller"):
        found, wanted = getattr(parameters.bridge, name), getattr(heard, name)
        if found != wanted:
            message = f"the MuJoCo node hears efforts on '{heard.controller}/commands' only; leave it at '{wanted}'"
            raise ParameterError(message, where=f"parameter 'joint_pd_bridge.{name}'", value=found, bound=wanted)
    bridge, patience = parameters.bridge, parameters.simulator.command_patience
    timeout = max(bridge.joint_state_timeout, patience + PATIENCE_MARGIN_S if patience > 0.0 else 0.0)
    return dataclasses.replace(parameters, bridge=dataclasses.replace(bridge, joint_state_timeout=timeout))


class NodeSet:
    """The running processes; a context manager that ends them all.

    Args:
        processes: What to start, in order; ended in the opposite order, so that the simulator hears the last command.
        parameters: Written to a parameter file that every process reads.
        environment: Environment to build on; see :func:`wbc_control.ros.graph.node_environment`.
        namespace: Namespace of all nodes.
        use_sim_time: Whether nodes take their time from ``/clock``.
        log_level: Of all nodes; empty leaves ROS's.
        remaps: Topic remaps of all nodes.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        parameters: StackParameters,
        environment: Mapping[str, str],
        *,
        namespace: str = "",
        use_sim_time: bool = False,
        log_level: str = "",
        remaps: Mapping[str, str] | None = None,
    ) -> None:
        self._processes = tuple(processes)
        self._environment = node_environment(environment)
        self._directory = tempfile.TemporaryDirectory(prefix="wbc_control_")
        self.parameter_file = Path(self._directory.name) / "parameters.yaml"
        self.parameter_file.write_text(dump(parameters, namespace), encoding="utf-8")
        self._arguments = ros_arguments(
            params_files=[str(self.parameter_file)],
            namespace=namespace,
            log_level=log_level,
            remaps=remaps,
            settings={"use_sim_time": "true"} if use_sim_time else None,
        )
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> NodeSet:
        try:
            for process in self._processes:
                self._start(process)
        except OSError:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def exit_codes(self) -> dict[str, int | None]:
        """Executable → exit code, None while it runs."""
        return {name: child.poll() for name, child in self._children.items()}

    def memory_mb(self) -> dict[str, float]:
        """Executable → memory it has in RAM (VmRSS, shared libraries counted in full), MB; empty where the system does not say."""
        found: dict[str, float] = {}
        for name, child in self._children.items():
            with contextlib.suppress(OSError, IndexError):  # ended, or not Linux
                status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
                found[name] = float(status.partition("VmRSS:")[2].split()[0]) / 1024.0
        return found

    def check(self) -> None:
        """Make sure everything still runs.

        Raises:
            BackendError: A process ended by itself.
        """
        for name, code in self.exit_codes.items():
            if code is not None:
                raise BackendError(
                    f"{name} ended by itself with exit code {code}; its last lines above say why", value=code
                )

    def signal(self, executable: str, number: signal.Signals) -> None:
        """Send a signal to one process, for instance SIGSTOP in a test of watchdogs."""
        self._children[executable].send_signal(number)

    def close(self) -> None:
        """End all processes, politely first."""
        for name in reversed(list(self._children)):
            _end(self._children[name])
        self._directory.cleanup()

    def _start(self, process: Process) -> None:
        """In its own session, so that a Ctrl-C reaches it through us and in order."""
        self._children[process.executable] = subprocess.Popen(
            command_line(process, self._arguments), env=self._environment, start_new_session=True
        )


def _end(child: subprocess.Popen[bytes]) -> None:
    for number, patience_s in zip(_SIGNALS, _PATIENCE_S, strict=True):
        if child.poll() is not None:
            return
        child.send_signal(number)
        _wait(child, patience_s)


def _wait(child: subprocess.Popen[bytes], patience_s: float) -> None:
    end = time.monotonic() + patience_s
    while child.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
