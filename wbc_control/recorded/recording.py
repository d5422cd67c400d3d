"""What a recording holds, as arrays by topic."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.recorded.names import TRUTH

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Series:
    """The messages of one topic.

    Attributes:
        time_s: (T,) stamps, s; the time of the record where messages have no stamp.
        names: What rows of the fields are called: joints, feet, bodies, scalars; empty for a single thing.
        fields: Name → (T, k), or (T, len(names), k) where names go with vectors; NaN where a number is missing.
    """

    time_s: Array
    names: tuple[str, ...]
    fields: dict[str, Array]

    def column(self, name: str, field_name: str = "position") -> Array | None:
        """(T,) numbers, or (T, k) vectors, of one name; None where it is not among the names."""
        return self.fields[field_name][:, self.names.index(name)] if name in self.names else None


@dataclass
class Recording:
    """A file, read.

    Attributes:
        path: Where it came from.
        series: Topic without leading slash → its numbers.
        texts: Topic → (time in s, text) of events, diagnostics and descriptions.
        about: Facts of the run that a file of ours carries; empty for others.
        truncated: Whether the file ends in the middle of a record.
        namespace: Prefix of the robot's topics, ``""`` or ending in a slash.
    """

    path: Path
    series: dict[str, Series] = field(default_factory=dict)
    texts: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    truncated: bool = False
    namespace: str = ""

    def find(self, topic: str) -> Series | None:
        """A topic's numbers; None where it was not recorded."""
        return self.series.get(self.namespace + topic)

    def truth(self, topic: str) -> Series | None:
        """What only a simulator knows of a topic; None where it was not recorded."""
        return self.find(f"{TRUTH}/{topic}")

    def text(self, topic: str) -> list[tuple[float, str]]:
        """Texts of a topic, of the robot or of everybody."""
        return self.texts.get(self.namespace + topic, self.texts.get(topic, []))

    @property
    def start_s(self) -> float:
        """Stamp of the first message that has numbers, s."""
        return min((float(series.time_s[0]) for series in self.series.values()), default=0.0)


def namespaces(topics: list[str]) -> list[str]:
    """Prefixes under which joint states were recorded, ``""`` or ending in a slash."""
    tail = "joint_states"
    prefixes = [topic[: -len(tail)] for topic in topics if topic == tail or topic.endswith(f"/{tail}")]
    return sorted(prefix for prefix in prefixes if not prefix.endswith(f"{TRUTH}/"))
