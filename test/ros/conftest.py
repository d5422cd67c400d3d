"""Helpers of the ROS tests: an own domain, contexts, processes that are ended by their id."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DISCOVERY_S = 10.0
"""Longest wait for another participant, s."""
DOMAINS = itertools.cycle(range(1, 102))
"""Domains to hand out, one a test; a run begins where its process id says, so that two runs seldom meet."""
for _ in range(os.getpid() % 101):
    next(DOMAINS)


@pytest.fixture(autouse=True)
def own_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Traffic of a test stays on this machine and in a domain of its own.

    A node that an earlier test killed or left open would else haunt the graph under the name of a living one.
    """
    monkeypatch.setenv("ROS_DOMAIN_ID", str(next(DOMAINS)))
    for name, value in ros_environment().items():
        monkeypatch.setenv(name, value)


def ros_environment() -> dict[str, str]:
    """What every participant of the tests sets."""
    return {
        "ROS_DOMAIN_ID": os.environ["ROS_DOMAIN_ID"],
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "RMW_IMPLEMENTATION": os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp"),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
    }


def wait_until(condition: Callable[[], bool], seconds: float = DISCOVERY_S) -> bool:
    """Whether the condition became true within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


class Child:
    """A process of a test with its output.

    Args:
        command: Arguments.
        output: File for all it says.
        prefix: What runs the arguments; this Python without it.
        environment: Its environment; that of the tests without it.
    """

    def __init__(
        self,
        command: Sequence[str],
        output: Path,
        prefix: Sequence[str] = (sys.executable,),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._file = output.open("wb")
        self._path = output
        self.process = subprocess.Popen(
            [*prefix, *command],
            env=dict(os.environ) | ros_environment() if environment is None else environment,
            cwd=ROOT,
            stdout=self._file,
            stderr=subprocess.STDOUT,
        )

    @property
    def text(self) -> str:
        """All it has said."""
        return self._path.read_text(encoding="utf-8", errors="replace")

    def end(self, number: signal.Signals = signal.SIGINT, seconds: float = 20.0) -> int:
        """Ask it to end; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.wait(seconds)

    def wait(self, seconds: float = 20.0) -> int:
        """Its exit code; killed if it does not end."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self._file.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    """Start Python with arguments; whatever still runs at the end of the test is ended by its id."""
    children: list[Child] = []

    def begin(*command: str) -> Child:
        children.append(Child(command, tmp_path / f"output_{len(children)}.txt"))
        return children[-1]

    yield begin
    for child in children:  # asked first: a killed node haunts the graph until its lease of 20 s runs out
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.end()


@pytest.fixture
def context() -> Iterator[object]:
    """A fresh ROS context in the test's domain."""
    rclpy = pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
    from rclpy.signals import SignalHandlerOptions

    fresh = rclpy.Context()
    rclpy.init(context=fresh, args=[], signal_handler_options=SignalHandlerOptions.NO)
    yield fresh
    fresh.try_shutdown()
