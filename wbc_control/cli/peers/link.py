"""Our side: starts a peer's interpreter and asks it for blocks of ticks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from wbc_control.cli.peers.process import PEERS
from wbc_control.errors import BackendError, ParameterError

_INSTALL = {
    "placo": "pip install placo",
    "tsid": "pip install 'pin[build]==4.0.0' 'cmeel[build]' 'eiquadprog[build]', then pip install --no-deps "
    "--no-build-isolation libtsid==1.10.0, which compiles for minutes, then pip install --no-deps tsid==1.10.0",
}
_START = (
    "import sys, types; package = types.ModuleType('wbc_control'); package.__path__ = [sys.argv[1]]; "
    "sys.modules['wbc_control'] = package; "
    "from wbc_control.cli.peers.process import main; main(*sys.argv[2:])"
)
"""Makes this package importable by its path alone, so that nothing else of our environment gets into the peer's."""
_PACKAGE = Path(__file__).resolve().parents[2]


class PeerLink:
    """A running peer.

    Args:
        name: ``placo`` or ``tsid``.
        python: Interpreter that has the peer installed.
        urdf: Description of the robot.
        clock: ``wall`` or ``cpu``.

    Attributes:
        version: The peer's version.

    Raises:
        ParameterError: No such peer, or no such interpreter.
        BackendError: The interpreter lacks the peer; says how to install it.
    """

    def __init__(self, name: str, python: str, urdf: Path, clock: str = "wall") -> None:
        if name not in PEERS:
            message = f"no peer '{name}': choose {', '.join(PEERS)}"
            raise ParameterError(message, where="--peer", value=name, bound=tuple(PEERS))
        self.name, self._python = name, python
        words = [python, "-c", _START, str(_PACKAGE), name, str(urdf), clock]
        environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=quiet, text=True, env=environment)
        except OSError as error:
            message = f"cannot start the interpreter '{python}': {error.strerror}"
            raise ParameterError(message, where="--peer-python", value=python) from error
        self.version = self._greeting()

    def _greeting(self) -> str:
        answer = self._read()
        if "version" in answer:
            return str(answer["version"])
        self.close()
        reason = answer.get("missing", answer.get("error", ""))
        message = (
            f"is not usable in '{self._python}' ({reason}): {_INSTALL[self.name]}, into an environment of its own if it "
            f"needs other versions than ours, and name that with --peer-python {self.name}=ENVIRONMENT/bin/python"
        )
        raise BackendError(message, where=f"--peer {self.name}", value=self._python)

    def run(self, lead_in: int, steps: int) -> list[int]:
        """Durations, ns, of a block of ticks.

        Raises:
            BackendError: The peer found no solution, or its process ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{lead_in} {steps}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise BackendError("the peer's process ended", where=f"--peer {self.name}") from None
        answer = self._read()
        if "ns" not in answer:
            raise BackendError(answer["error"], where=f"--peer {self.name}")
        durations: list[int] = answer["ns"]
        return durations

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "its process ended at once or was killed"}
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
