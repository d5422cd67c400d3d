"""A node's process: stops on SIGINT and SIGTERM, ends with its parent, asks the kernel for real time."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from wbc_control.parameters.middleware import RealTimeParameters
from wbc_control.ros.graph import PARENT_VARIABLE

_PR_SET_PDEATHSIG = 1
_PR_SET_TIMERSLACK = 29
_MCL_CURRENT_AND_FUTURE = 3
SERVICE_PRIORITY = 1
"""Priority under SCHED_FIFO of the thread that serves parameters and lifecycle: above ordinary processes only, because it
holds the interpreter at times and the loop then waits for it."""
SWITCH_INTERVAL_S = 0.0002
"""How long another Python thread may keep the interpreter while the loop wants it (Python's default is 5 ms)."""


class Stop:
    """Remembers that the process was asked to end; true in a boolean context from then on.

    Attributes:
        reason: What asked.
    """

    def __init__(self) -> None:
        self._asked = False
        self.reason = ""

    def __bool__(self) -> bool:
        return self._asked

    def ask(self, reason: str) -> None:
        """Ask the loop to end after the tick it is in."""
        self._asked = True
        self.reason = self.reason or reason

    def listen(self) -> None:
        """Let SIGINT and SIGTERM ask; a second one changes nothing, so that the last command is always sent."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._signalled)

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self.ask(signal.Signals(number).name)


def end_with_parent() -> Callable[[], bool]:
    """Have the kernel send SIGTERM when the process named by the environment ends (Linux, prctl(2)).

    Returns:
        Says whether that process is gone: covers the moment before the request and systems without prctl.
    """
    expected = os.environ.get(PARENT_VARIABLE, "")
    if not expected.isdigit() or os.getppid() != int(expected):
        return _named_process_gone(expected)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    return lambda: os.getppid() != int(expected)


def _named_process_gone(expected: str) -> Callable[[], bool]:
    """For a process started through others (ros2 launch, a shell): ask for the named one itself."""
    if not expected.isdigit():
        return lambda: False
    return lambda: not os.path.exists(f"/proc/{expected}") if os.path.exists("/proc/self") else False


def settle_memory() -> None:
    """After warm-up: everything alive now is left out of later garbage collections, and those become rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def request_real_time(parameters: RealTimeParameters) -> list[str]:
    """Apply scheduling, affinity and memory locking; the list says which requests were refused and why.

    Both reach every thread that lives: those of the middleware carry the messages, and a control loop that outranks them
    waits for them.  Threads born later inherit from the one that bears them.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    _sharpen_timers()
    attempts = (_affinity, _policy, _lock_memory)
    return [refusal for refusal in (attempt(parameters) for attempt in attempts) if refusal]


def step_back() -> None:
    """Rank the calling thread behind the control loop where that runs under SCHED_FIFO: it serves, it does not control."""
    if os.sched_getscheduler(0) == os.SCHED_FIFO:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(SERVICE_PRIORITY))


def threads() -> list[int]:
    """Ids of this process's threads; the calling one's where the system does not list them."""
    try:
        return [int(name) for name in os.listdir("/proc/self/task")]
    except OSError:
        return [0]


def _for_every_thread(action: Callable[[int], None]) -> None:
    for thread in threads():
        with contextlib.suppress(ProcessLookupError):  # it ended in between
            action(thread)


def _sharpen_timers() -> None:
    """Sleeps of an ordinary thread end up to 50 µs late, so that wake-ups can be merged; ours are to be exact."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)


def _affinity(parameters: RealTimeParameters) -> str:
    if not parameters.affinity:
        return ""
    try:
        cores = {int(core) for core in parameters.affinity.split(",")}
        _for_every_thread(lambda thread: os.sched_setaffinity(thread, cores))
    except (OSError, ValueError) as error:
        return f"affinity '{parameters.affinity}' refused: {error}"
    return ""


def _policy(parameters: RealTimeParameters) -> str:
    if parameters.policy != "fifo":
        return ""
    rank = os.sched_param(parameters.priority)
    try:
        _for_every_thread(lambda thread: os.sched_setscheduler(thread, os.SCHED_FIFO, rank))
    except OSError as error:
        return f"SCHED_FIFO {parameters.priority} refused: {error.strerror} (see limits.conf, rtprio)"
    return ""


def _lock_memory(parameters: RealTimeParameters) -> str:
    if not parameters.lock_memory:
        return ""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlockall(_MCL_CURRENT_AND_FUTURE) != 0:
        return f"mlockall refused: {os.strerror(ctypes.get_errno())} (see limits.conf, memlock)"
    return ""
