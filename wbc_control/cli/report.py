"""``wbc report``: a recording as one HTML page."""

from __future__ import annotations

import argparse
from pathlib import Path

from wbc_control.cli.progress import Progress
from wbc_control.errors import BackendError
from wbc_control.recorded import read_recording
from wbc_control.recorded.page import write_page

SUMMARY = (
    "Turn a recording into one self-contained HTML page: base, balance, feet, joints against their limits, times of the "
    "tick, estimate against truth, events. Reads what `wbc simulate --record F.mcap` wrote, and what `ros2 bag record -s "
    "mcap` recorded of the same topics."
)
_SUFFIX, _PAGE = ".mcap", ".html"
_NOT_SHOWN = ("planner/trajectory", "wbc/markers", "tf", "clock")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("log", type=Path, metavar="LOG.mcap", help="recording")
    parser.add_argument("--out", type=Path, metavar="FILE.html", help="page to write (default: beside the recording)")
    parser.add_argument("--namespace", metavar="NS", help="robot of a recording that holds several")


def run(args: argparse.Namespace) -> int:
    """Read, draw, write; 0 when the page is written.

    Raises:
        BackendError: The recording cannot be read, or the page not be written.
    """
    target = args.out or args.log.with_suffix(_PAGE)
    if args.log.suffix != _SUFFIX:
        message = f"ends in '{args.log.suffix}', wanted a recording in {_SUFFIX}"
        raise BackendError(message, where=str(args.log), value=args.log.suffix, bound=_SUFFIX)
    if not target.absolute().parent.is_dir():
        raise BackendError(f"folder '{target.absolute().parent}' does not exist", where=str(target))
    progress = Progress(f"report {args.log.name}", 1.0)
    try:
        recording = read_recording(args.log, _wanted, args.namespace, progress.update)
    finally:
        progress.close()
    write_page(recording, target)
    print(f"written to {target}")
    return 0


def _wanted(topic: str) -> bool:
    return not topic.endswith(_NOT_SHOWN)
