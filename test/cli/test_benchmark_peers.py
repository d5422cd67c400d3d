"""The benchmark next to other controllers: one problem, alternating blocks, ratios, and one sentence where a peer is missing."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from command_line import refused, wbc

from wbc_control.cli.benchmark import peer_pythons
from wbc_control.cli.peers import comparison, problem
from wbc_control.cli.peers.link import PeerLink
from wbc_control.cli.peers.own import OwnLoop, settings
from wbc_control.cli.peers.peer import Peer, PeerLoop
from wbc_control.errors import ParameterError
from wbc_control.model import load_robot
from wbc_control.model.urdf_source import search_roots

HAS_DATA = any((root / "example-robot-data" / "robots").is_dir() for root in search_roots())
needs_data = pytest.mark.skipif(not HAS_DATA, reason="example-robot-data is not installed (extra `robots`)")
FOREIGN = [name for name in ("placo", "tsid") if importlib.util.find_spec(name) is None]


class Sliding(Peer):
    """Accelerates as it likes; counts its ticks."""

    def __init__(self) -> None:
        self.model = pin.buildSampleModelManipulator()
        self.q, self.speeds = pin.neutral(self.model), []

    def tick(self, q: np.ndarray, v: np.ndarray) -> tuple[int, np.ndarray]:
        self.speeds.append(v.copy())
        return len(self.speeds), np.ones(self.model.nv)


def test_a_peer_is_kicked_like_everybody_and_obeyed_exactly() -> None:
    peer, kicks = Sliding(), problem.Kicks()
    loop = PeerLoop(peer)
    assert loop.run(5, 150) == list(range(6, 156)) and loop.run(3, 400) == list(range(159, 559))
    wanted = np.zeros(peer.model.nv)
    counted = [None] * 5 + list(range(150)) + [None] * 3 + list(range(150, 550))
    for step, speed in zip(counted, peer.speeds):
        if step is not None:
            kicks.apply(step, wanted)
        np.testing.assert_allclose(speed, wanted, atol=1e-12)
        wanted += problem.PERIOD
    assert np.ptp(np.diff([s[0] for s in peer.speeds])) > 0.01  # the kicks were there


def test_blocks_alternate_and_the_ratio_is_ours_over_theirs() -> None:
    calls: list[tuple[str, int, int]] = []

    class Loop:
        def __init__(self, name: str, ns: int) -> None:
            self.name, self.ns, self.version = name, ns, "1"
            self.stages_ns, self.not_solved = {"solve": [ns]}, 0

        def run(self, lead_in: int, steps: int) -> list[int]:
            calls.append((self.name, lead_in, steps))
            return [self.ns] * steps

    own: Any = Loop("own", 3000)
    peer: Any = Loop("placo", 2000)
    durations = comparison._alternate({"own": own, "placo": peer}, 400, lambda done: None)
    assert [name for name, _, _ in calls] == ["own", "placo"] * 3
    assert [len(values) for values in durations.values()] == [2 * comparison.BLOCK] * 2
    result = comparison._result(own, {"placo": peer}, durations)
    assert result["peers"]["placo"]["ratio"] == {"p50": 1.5, "p99": 1.5, "p999": 1.5}
    assert result["peers"]["placo"]["tick_us"]["p50"] == 2.0
    assert "ours / placo: 1.50 at p50, 1.50 at p99, 1.50 at p999" in comparison.table(result)


@needs_data
def test_our_controller_has_every_limit_on() -> None:
    limits = load_robot("g1", settings()).controller.limits
    assert limits.self_collision.source == "shapes" and limits.motor_no_load > limits.motor_corner
    loop = OwnLoop()
    assert (loop.model.limits.velocity == problem.SPEED_LIMIT).all()
    durations = loop.run(10, 130)
    assert len(durations) == 130 and min(durations) > 0
    assert loop.not_solved == 0
    assert {len(values) for values in loop.stages_ns.values()} == {130}


@needs_data
@pytest.mark.parametrize("name", ["placo", "tsid"])
def test_runs_next_to_a_peer(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if name in FOREIGN:
        pytest.skip(f"{name} is not installed beside this package")
    target = tmp_path / "peers.json"
    said = wbc(capsys, "benchmark", "--robot", "g1", "--steps", "50", "--peer", name, "--json", str(target))
    peer = json.loads(target.read_text(encoding="utf-8"))["peers"][name]
    assert said.code == 0 and f"ours / {name}" in said.out
    assert peer["ratio"].keys() == {"p50", "p99", "p999"} and min(peer["ratio"].values()) > 0.0


@needs_data
@pytest.mark.parametrize("name", FOREIGN)
def test_a_missing_peer_is_one_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "benchmark", "--robot", "g1", "--steps", "1", "--peer", name)
    assert f"--peer {name}: is not usable" in said and "--peer-python" in said and "install" in said


def test_wrong_words_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "benchmark", "--robot", "quadruped", "--steps", "1", "--peer", "placo")
    assert "the peers' problem is the g1's" in said
    with pytest.raises(ParameterError, match="cannot start the interpreter"):
        PeerLink("placo", str(tmp_path / "python"), tmp_path / "x.urdf")


def test_interpreters_are_named_for_all_or_for_one() -> None:
    assert peer_pythons([]) == dict.fromkeys(("placo", "tsid"), sys.executable)
    assert peer_pythons(["/a/python", "tsid=/b/python"]) == {"placo": "/a/python", "tsid": "/b/python"}


def test_soles_and_shapes_of_the_peers_description(tmp_path: Path) -> None:
    source = tmp_path / "robot.urdf"
    body = "<visual/><collision/>"
    feet = "".join(f'<link name="{link}">{body}</link>' for link in problem.FOOT_LINKS)
    source.write_text(f'<robot name="r">{feet}</robot>', encoding="utf-8")
    text: Any = problem.write_urdf(source, tmp_path).read_text(encoding="utf-8")
    assert "visual" not in text and "collision" not in text
    assert text.count('xyz="0.035 0 -0.03"') == 2 and f'link="{problem.FOOT_LINKS[0]}_sole"' in text
