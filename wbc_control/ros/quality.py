"""Quality-of-service words of :mod:`wbc_control.ros.topics` → rclpy profiles, and type words → message classes."""

from __future__ import annotations

import importlib
from typing import Any

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from wbc_control.ros import topics

_DEPTH = {
    topics.SENSOR_IN: 5,
    topics.SENSOR_OUT: 1,
    topics.COMMAND: 1,
    topics.COMMAND_IN: 5,
    topics.PLAN: 2,
    topics.TELEMETRY: 5,
    topics.CLOCK: 1,
    topics.LATCHED: 1,
}
_BEST_EFFORT = (topics.SENSOR_IN, topics.CLOCK)


def profile(word: str) -> QoSProfile:
    """The profile of one word of :data:`wbc_control.ros.topics.QUALITIES`."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=_DEPTH[word],
        reliability=ReliabilityPolicy.BEST_EFFORT if word in _BEST_EFFORT else ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if word == topics.LATCHED else DurabilityPolicy.VOLATILE,
    )


def message_class(type_word: str) -> Any:
    """Message class of ``package/msg/Type``."""
    package, kind, name = type_word.split("/")
    return getattr(importlib.import_module(f"{package}.{kind}"), name)
