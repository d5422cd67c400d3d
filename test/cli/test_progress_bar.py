"""The progress bar: on a terminal after a while, nowhere else."""

from __future__ import annotations

import io

import pytest

from wbc_control.cli import progress
from wbc_control.cli.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_files_and_pipes_see_nothing() -> None:
    stream = io.StringIO()
    bar = Progress("run", 10.0, stream)
    bar.update(5.0)
    bar.close()
    assert stream.getvalue() == ""


def test_short_work_shows_no_bar_and_long_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    terminal = _Terminal()
    bar = Progress("run", 10.0, terminal)
    now[0] += 1.0
    bar.update(1.0)
    assert terminal.getvalue() == ""
    now[0] += 4.0
    bar.update(5.0)
    assert "run [###############...............]  50 %  5 s left" in terminal.getvalue()
    bar.close()
    assert terminal.getvalue().endswith("\r\x1b[K")
