"""``wbc report``: a page that needs nothing else, with what the recording says; foreign files get one sentence."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
pytest.importorskip("mcap", reason="needs mcap (extra `sim`)")
sys.path.append(str(Path(__file__).parents[1] / "cli"))
from command_line import refused, wbc

from wbc_control.errors import BackendError
from wbc_control.recorded import Recording, Series, read_recording
from wbc_control.recorded.page import write_page

SECTIONS = ("base", "balance", "feet", "joints", "controller", "estimate", "events")
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Checks that elements nest; notes sections, references and how many curves each section has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sections: dict[str, int] = {}
        self.references: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "section":
            self.sections[str(found["id"])] = 0
        if found.get("class") == "line":
            self.sections[list(self.sections)[-1]] += 1
        self.references += [str(found[name]) for name in ("src", "href") if name in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if dict(attrs).get("class") == "line":
            self.sections[list(self.sections)[-1]] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from wbc_control.cli.main import main

    folder = tmp_path_factory.mktemp("log")
    scenario, target = folder / "nudge.yaml", folder / "nudge.mcap"
    scenario.write_text("duration: 0.6\npush: [{t: 0.2, impulse: [2.0, 0.0, 0.0]}]\n", encoding="utf-8")
    said = folder / "nudge.json"
    assert main(["simulate", str(scenario), "--robot", "quadruped", "--record", str(target), "--json", str(said)]) == 0
    return target


def test_the_page_holds_every_section_and_nothing_foreign(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "report", str(log))
    assert said.code == 0 and str(log.with_suffix(".html")) in said.out
    text = log.with_suffix(".html").read_text(encoding="utf-8")
    page = Page(text)
    assert tuple(page.sections) == SECTIONS
    assert all(curves > 0 for name, curves in page.sections.items() if name != "events")
    assert all(reference.startswith("#") for reference in page.references)
    assert not re.search(r"https?://(?!www\.w3\.org)|url\(|@import", text)
    assert "quadruped" in text and "did not fall" in text


def test_the_summary_says_what_the_run_says(log: Path, tmp_path: Path) -> None:
    page = write_and_read(read_recording(log), tmp_path)
    report = json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))
    least = re.search(r"zmp_margin ([0-9.]+) least", page)
    assert least is not None and float(least[1]) == pytest.approx(report["zmp_margin"]["min"], abs=2e-3)
    friction = re.search(r"([0-9]+) % of the cone at most", page)
    assert friction is not None and float(friction[1]) == pytest.approx(100.0 * report["friction_use_max"], abs=1.0)


def write_and_read(recording: Recording, folder: Path) -> str:
    write_page(recording, folder / "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    Page(text)
    return text


def test_numbers_come_back_by_topic_and_name(log: Path) -> None:
    joints = read_recording(log).find("joint_states")
    assert joints is not None and len(joints.time_s) == 600 and len(joints.names) == 12
    assert (np.diff(joints.time_s) > 0.0).all()
    assert np.isfinite(joints.fields["position"]).all()
    knee = joints.column("fl_knee_joint")
    assert knee is not None and np.ptp(knee) < 0.5 and abs(knee.mean()) > 0.3


def test_a_file_cut_off_is_read_as_far_as_it_goes(log: Path, tmp_path: Path) -> None:
    whole, cut = log.read_bytes(), tmp_path / "cut.mcap"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    recording = read_recording(cut)
    joints = recording.find("joint_states")
    assert recording.truncated and joints is not None and 0 < len(joints.time_s) < 600
    assert "cut" in write_and_read(recording, tmp_path)


def test_foreign_files_are_refused_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign, wrong = tmp_path / "foreign.mcap", tmp_path / "run.csv"
    foreign.write_text("not an MCAP file at all", encoding="utf-8")
    wrong.write_text("time\n", encoding="utf-8")
    assert "foreign.mcap" in refused(capsys, "report", str(foreign))
    assert ".csv" in refused(capsys, "report", str(wrong))
    assert "No such file" in refused(capsys, "report", str(tmp_path / "missing.mcap"))
    empty = tmp_path / "nowhere" / "page.html"
    assert "nowhere" in refused(capsys, "report", str(foreign), "--out", str(empty))


def test_a_namespace_that_is_not_there_is_named(log: Path) -> None:
    with pytest.raises(BackendError, match="no joint states below namespace 'other'"):
        read_recording(log, namespace="other")


def test_what_was_not_recorded_is_said_not_invented(tmp_path: Path) -> None:
    time_s = np.linspace(0.0, 1.0, 50)
    unknown = np.full((50, 1), np.nan)
    fields = {"position": np.sin(time_s)[:, None], "velocity": unknown, "effort": unknown}
    joints = Series(time_s, ("knee",), fields)
    recording = Recording(tmp_path / "bag.mcap", {"joint_states": joints})
    page = Page(write_and_read(recording, tmp_path))
    assert tuple(page.sections) == SECTIONS and page.sections["feet"] == page.sections["estimate"] == 0
