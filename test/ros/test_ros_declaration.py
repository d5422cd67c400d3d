"""The graph is declared once and consistently; needs no ROS."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from wbc_control.parameters.loading import NODE_FIELDS
from wbc_control.ros import graph, topics

ROOT = Path(__file__).resolve().parents[2]
EXTERNAL = {"cmd_vel", "push"}
BEST_EFFORT = {topics.SENSOR_IN, topics.CLOCK}


def test_every_node_has_ports_and_parameters():
    nodes = {node for process in graph.EXECUTABLES for node in process.nodes}
    assert nodes == set(topics.PORTS) == set(NODE_FIELDS)


@pytest.mark.parametrize("composition", [True, False])
def test_both_compositions_run_the_same_nodes_once(composition):
    nodes = [node for process in graph.processes("mujoco", composition) for node in process.nodes]
    assert sorted(nodes) == sorted(topics.PORTS)


@pytest.mark.parametrize("hardware", [word for word in graph.HARDWARE if word != "mujoco"])
def test_other_hardware_brings_itself_up(hardware):
    assert graph.SIMULATOR not in graph.processes(hardware, True)


def test_every_port_is_a_declared_topic():
    for ports in topics.PORTS.values():
        assert set(ports.reads + ports.writes + ports.hop_reads + ports.commands) <= set(topics.TOPICS)


def test_everything_that_is_read_is_written_by_somebody():
    written = {key for ports in topics.PORTS.values() for key in ports.writes + ports.commands} | EXTERNAL
    for node, ports in topics.PORTS.items():
        assert set(ports.reads + ports.hop_reads) <= written, node


@pytest.mark.parametrize("key", sorted(topics.TOPICS))
def test_readers_hear_writers(key):
    topic = topics.TOPICS[key]
    assert {topic.reader, topic.writer} <= set(topics.QUALITIES)
    assert not (topic.writer in BEST_EFFORT and topic.reader not in BEST_EFFORT), (
        "a reliable reader hears no best-effort writer"
    )


def test_names_are_relative_but_for_those_shared_by_all_robots():
    absolute = {topic.name for topic in topics.TOPICS.values() if topic.name.startswith("/")}
    assert absolute == {"/diagnostics", "/clock"}


def test_repeated_topics_take_the_robots_names():
    assert topics.TOPICS["wrench"].names(("l", "r"), "c") == ("l/wrench", "r/wrench")
    assert topics.TOPICS["effort"].names(("l", "r"), "c") == ("c/commands",)


def test_executables_are_modules_with_a_main():
    for process in graph.EXECUTABLES:
        path = ROOT / "wbc_control" / "nodes" / f"{process.executable}.py"
        functions = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert "main" in functions, process.executable


def test_arguments_of_a_process():
    arguments = graph.ros_arguments(
        params_files=["a.yaml", "b.yaml"], namespace="/one", log_level="warn", remaps={"imu/data": "imu"}
    )
    assert arguments == [
        "--ros-args",
        "--params-file",
        "a.yaml",
        "--params-file",
        "b.yaml",
        "-r",
        "imu/data:=imu",
        "-r",
        "__ns:=/one",
        "--log-level",
        "warn",
    ]


def test_environment_keeps_what_the_user_chose():
    environment = graph.node_environment({"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"})
    assert environment["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SUBNET"
    assert environment[graph.PARENT_VARIABLE] == str(os.getpid())
    assert graph.node_environment({})["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"


@pytest.mark.parametrize("word", ["true", "True", "TRUE", "1", "yes", " on "])
def test_true_in_any_spelling(word):
    assert graph.truth(word) is True


@pytest.mark.parametrize("word", ["false", "False", "0", "no", "off"])
def test_false_in_any_spelling(word):
    assert graph.truth(word) is False


def test_other_words_are_no_boolean():
    with pytest.raises(ValueError, match="maybe"):
        graph.truth("maybe")
