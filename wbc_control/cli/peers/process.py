"""The peer's side: an interpreter that runs a block of ticks whenever a line on its standard input asks for one.

A line is ``LEAD_IN STEPS``; the answer is one line of JSON: ``{"ns": [...]}`` or ``{"error": "one sentence"}``.
"""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import json
import os
import sys
from typing import Any, TextIO

from wbc_control.cli.peers.peer import Peer, PeerLoop
from wbc_control.cli.peers.problem import CLOCKS

PEERS = {"placo": ("placo_peer", "PlacoPeer"), "tsid": ("tsid_peer", "TsidPeer")}
"""Peer → module and class of its driver."""


def main(peer: str, urdf: str, clock: str) -> None:
    """Serve blocks of ticks until the input ends."""
    # What the libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        loop = PeerLoop(_create(peer, urdf, clock))
    except ImportError as error:
        _answer(answers, {"missing": str(error)})
        return
    _answer(answers, {"version": _version(peer)})
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        lead_in, steps = map(int, line.split())
        try:
            _answer(answers, {"ns": loop.run(lead_in, steps)})
        except RuntimeError as error:
            _answer(answers, {"error": str(error)})
            return


def _create(peer: str, urdf: str, clock: str) -> Peer:
    module, name = PEERS[peer]
    driver: type[Any] = getattr(importlib.import_module(f"wbc_control.cli.peers.{module}"), name)
    created: Peer = driver(urdf, CLOCKS[clock])
    return created


def _version(peer: str) -> str:
    try:
        return importlib.metadata.version(peer)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _answer(stream: TextIO, message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()
