"""Never two masters: before the joints are claimed, make sure that nobody else commands them; afterwards, watch."""

from __future__ import annotations

import time
from collections.abc import Sequence

from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.topics import TOPICS

LISTEN_S = 0.3
"""How long a rival publisher may be silent before it counts as dead: a killed node stays in the graph for a while."""
RETRY_S = 1.0
"""Time between two looks at the graph while refused, s."""


class CommandAuthority:
    """Says whether the bridge may command.

    Args:
        node: The bridge's node.
        key: Declared topic of its commands.
        topics: Full names of those it writes.
    """

    def __init__(self, node: StackNode, key: str, topics: Sequence[str]) -> None:
        self._node = node
        self._key, self._topics = key, tuple(topics)
        self._rivals: list[Inbox] = []
        self._listening_since = 0.0
        self._refused_until = 0.0

    def rivals(self) -> int:
        """Most other publishers on one of the command topics, dead ones included until the graph forgets them."""
        return max(int(self._node.count_publishers(topic)) - 1 for topic in self._topics)

    def may_claim(self) -> bool:
        """Whether nobody else sends commands; False also while that is being found out."""
        now = time.monotonic()
        if now < self._refused_until:
            return False
        if self.rivals() < 1:
            return True
        return self._rival_is_silent(now)

    def _rival_is_silent(self, now: float) -> bool:
        if not self._rivals:
            self._rivals = [Inbox(self._node, TOPICS[self._key], topic) for topic in self._topics]
        heard = [rival.name for rival in self._rivals if rival.take_newest() is not None]
        if not self._listening_since:
            self._listening_since = now
        elif heard:
            self._node.log_rarely(
                "master", f"another node already commands {heard[0]}: not claiming the joints", "error"
            )
            self._refused_until, self._listening_since = now + RETRY_S, 0.0
        return bool(self._listening_since) and now - self._listening_since > LISTEN_S
