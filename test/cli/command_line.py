"""Runs ``wbc`` in this process and keeps what it says."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from wbc_control.cli.main import main


@dataclass(frozen=True)
class Said:
    """Exit code and texts of one run."""

    code: int
    out: str
    err: str


def wbc(capsys: pytest.CaptureFixture[str], *words: str) -> Said:
    """Run ``wbc WORDS``; argparse's exits count as exit codes."""
    try:
        code = main(words)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    captured = capsys.readouterr()
    return Said(code, captured.out, captured.err)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which ``wbc WORDS`` refuses its input."""
    said = wbc(capsys, *words)
    assert said.code == 1 and said.out == ""
    assert said.err.count("\n") == 1 and said.err.startswith("wbc: ")
    return said.err
