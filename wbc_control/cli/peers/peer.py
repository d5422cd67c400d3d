"""What a peer offers to the benchmark, and the loop that runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import pinocchio as pin

from wbc_control.cli.peers.problem import PERIOD, Array, Kicks


class Peer(ABC):
    """Another whole-body controller, set up for the common problem.

    Attributes:
        model: Pinocchio model it computes with.
        q: (nq,) configuration it starts from.
        clock: Reads the time, ns.
    """

    model: pin.Model
    q: Array
    clock: Callable[[], int]

    @abstractmethod
    def tick(self, q: Array, v: Array) -> tuple[int, Array]:
        """Terms, assembly, solve and torques at (q, v).

        Returns:
            Duration, ns, and the accelerations (nv,) it decided on.

        Raises:
            RuntimeError: It found no solution.
        """


class PeerLoop:
    """The peer in the world that obeys it."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self._kicks, self._step = peer, Kicks(), 0
        self._q, self._v = peer.q.copy(), 0.0 * pin.difference(peer.model, peer.q, peer.q)

    def run(self, lead_in: int, steps: int) -> list[int]:
        """Durations, ns, of ``steps`` ticks, after ``lead_in`` uncounted ones that warm the caches after a pause."""
        for _ in range(lead_in):
            self._advance()
        durations = []
        for _ in range(steps):
            self._kicks.apply(self._step, self._v)
            self._step += 1
            durations.append(self._advance())
        return durations

    def _advance(self) -> int:
        duration, acceleration = self._peer.tick(self._q, self._v)
        self._v = self._v + PERIOD * acceleration
        self._q = pin.integrate(self._peer.model, self._q, PERIOD * self._v)
        return duration
