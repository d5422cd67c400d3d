"""Compares a living graph with its declaration, for the tests of everything that starts one."""

from __future__ import annotations

from wbc_control.ros.quality import profile
from wbc_control.ros.topics import PORTS, TOPICS


def declared_topics(node: str, composed: bool, parameters) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """(name, type) of what a node publishes and subscribes by the declaration."""
    ports, feet = PORTS[node], tuple(parameters.robot.feet)

    def concrete(keys):
        names = [
            (name, TOPICS[key].type) for key in keys for name in TOPICS[key].names(feet, parameters.bridge.controller)
        ]
        return {("/" + name.lstrip("/"), kind) for name, kind in names}

    in_stack = node in ("contact_estimator", "whole_body_qp", "joint_pd_bridge")
    return concrete(ports.writes + ports.commands[:1]), concrete(
        ports.reads + (() if composed and in_stack else ports.hop_reads)
    )


def ros_own(name: str) -> bool:
    return name in ("/rosout", "/parameter_events") or name.endswith("/transition_event")


def is_declared(node, name: str, written, read) -> bool:
    return graph_of(node, name) == (written, read)


def graph_of(node, name: str):
    published = node.get_publisher_names_and_types_by_node(name, "/")
    subscribed = node.get_subscriber_names_and_types_by_node(name, "/")
    return _topics(published), _topics(subscribed)


def _topics(found) -> set[tuple[str, str]]:
    return {(name, kind) for name, kinds in found for kind in kinds if not ros_own(name)}


def check_quality(node, parameters) -> None:
    for key, topic in TOPICS.items():
        for name in topic.names(tuple(parameters.robot.feet), parameters.bridge.controller):
            for info in node.get_publishers_info_by_topic("/" + name.lstrip("/")):
                if info.node_name in PORTS:
                    wanted, found = profile(topic.writer), info.qos_profile
                    assert (found.reliability, found.durability) == (wanted.reliability, wanted.durability), key
