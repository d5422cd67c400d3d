"""No message lost: `python benchmarks/ros_message_loss.py --seconds 600 --composition false` counts every hop's messages."""

from __future__ import annotations

import argparse
import sys

from wbc_control.cli.progress import Progress
from wbc_control.cli.settings import composition_of, parse_settings
from wbc_control.nodes.message_count import count_messages


def main() -> int:
    """Exit code 0 only if no hop lost a message."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robot", default="g1")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--composition", default="true", metavar="true|false")
    parser.add_argument("--set", action="append", default=[], metavar="NODE.PARAM=VALUE", dest="settings")
    args = parser.parse_args()
    bar = Progress("messages", args.seconds)
    rows = count_messages(
        args.robot, args.seconds, parse_settings(args.settings), composition_of(args.composition), bar.update
    )
    bar.close()
    for row in rows:
        print("{sender:>18} → {hearer:<18} sent {sent:8d}  heard {heard:8d}  lost {lost:d}".format(**row))
    return 0 if all(row["lost"] == 0 and row["sent"] > 0 for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
