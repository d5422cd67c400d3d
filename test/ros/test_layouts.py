"""Layouts for RViz, Foxglove and PlotJuggler name topics and scalars that exist; they are installed with the rest of config/."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from wbc_control.ros.topics import BALANCE_SCALARS, SOLVER_SCALARS, TOPICS

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"/" + topic.name.lstrip("/") for topic in TOPICS.values() if "{" not in topic.name}
OTHERS = {"/robot_description"}  # robot_state_publisher's
SCALARS = {"/wbc/margins": BALANCE_SCALARS, "/wbc/solver": SOLVER_SCALARS}


def topic_of(path: str) -> str:
    """The declared topic that a path of a plot begins with; the path itself where there is none."""
    found = [name for name in NAMES | OTHERS if re.match(re.escape(name) + r"([./]|$)", path)]
    return max(found, key=len, default=path)


def rviz_topics() -> Iterator[str]:
    content = yaml.safe_load((ROOT / "config" / "rviz" / "wbc.rviz").read_text(encoding="utf-8"))
    for display in content["Visualization Manager"]["Displays"]:
        for key in ("Topic", "Description Topic"):
            if key in display:
                yield "/" + display[key]["Value"].lstrip("/")


def foxglove() -> dict:
    return json.loads((ROOT / "config" / "foxglove" / "wbc.json").read_text(encoding="utf-8"))


def foxglove_paths() -> Iterator[tuple[str, str]]:
    """Path and label of every curve."""
    for panel in foxglove()["configById"].values():
        for path in panel.get("paths", ()):
            yield path["value"], path["label"]


def plotjuggler() -> ElementTree.Element:
    return ElementTree.parse(ROOT / "config" / "plotjuggler" / "wbc.xml").getroot()


def test_rviz_shows_declared_topics():
    assert set(rviz_topics()) <= NAMES | OTHERS


def test_foxglove_shows_declared_topics():
    panels = foxglove()["configById"]
    scene = panels["3D!robot"]
    shown = set(scene["topics"]) | {layer["topic"] for layer in scene["layers"].values() if "topic" in layer}
    shown |= {panels["DiagnosticSummary!health"]["topicToRender"]} | {topic_of(path) for path, _ in foxglove_paths()}
    assert shown <= NAMES | OTHERS


def test_every_panel_of_foxglove_has_its_place():
    found: list[str] = []

    def walk(node) -> None:
        if isinstance(node, str):
            found.append(node)
        else:
            walk(node["first"])
            walk(node["second"])

    content = foxglove()
    walk(content["layout"])
    assert sorted(found) == sorted(content["configById"])


def test_curves_of_foxglove_are_the_scalars_they_say():
    checked = 0
    for path, label in foxglove_paths():
        match = re.fullmatch(r"(/wbc/\w+)\.position\[(\d+)\]", path)
        if match:
            checked += 1
            assert SCALARS[match[1]][int(match[2])] == label
    assert checked >= 5


def test_plotjuggler_shows_declared_topics_and_scalars():
    root = plotjuggler()
    curves = [curve.attrib["name"] for curve in root.iter("curve")]
    (selected,) = root.iter("selected_topics")
    subscribed = set(selected.attrib["value"].split(";"))
    assert subscribed <= NAMES
    for curve in curves:
        topic = topic_of(curve)
        assert topic in subscribed, curve
        if topic in SCALARS:
            assert curve.removeprefix(topic + "/").removesuffix("/position") in SCALARS[topic]


@pytest.mark.parametrize("folder", ["rviz", "foxglove", "plotjuggler", "hardware", "gazebo", "ros2_control"])
def test_folders_of_config_are_installed(folder):
    files = [path for path in (ROOT / "config" / folder).iterdir() if not path.name.startswith(".")]
    assert files and '"config"' in (ROOT / "setup.py").read_text(encoding="utf-8")
