"""Order of the tests, and the ROS settings that keep their traffic on this machine."""
from __future__ import annotations

import os

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
os.environ.setdefault("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests first, then those over DDS, then the slow ones; the order within each is kept."""
    items.sort(key=lambda item: 2 * ("slow" in item.keywords) + ("ros" in item.keywords))
