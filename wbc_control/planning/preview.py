"""ZMP and DCM references over the coming steps, and how they move when the next footstep moves."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wbc_control.planning.divergent import backward_dcm
from wbc_control.planning.footsteps import Landing
from wbc_control.spatial import Array


@dataclass(frozen=True, eq=False)
class Preview:
    """References on a uniform grid of times from now.

    Attributes:
        dt: Grid step, s.
        weight: (k, n_feet) contact weights.
        zmp: (k, 2) reference ZMP: mean of the feet's support centres by weight, m.
        dcm: (k, 2) the DCM that this ZMP and these footsteps need, m.
        share: (k,) ∂dcm/∂s for a common shift s of every footstep from the next touch-down on.
        moved: (k,) ∂zmp/∂s, likewise: the share of load on the shifted feet.
        place: (k, n_feet, 2) support centre of each foot, m.
        later: (k, n_feet) whether a foot stands on a footstep of the shifted kind, 1 or 0.
    """

    dt: float
    weight: Array
    zmp: Array
    dcm: Array
    share: Array
    moved: Array
    place: Array
    later: Array

    def shifted(self, shift: Array) -> Preview:
        """The references with every footstep from the next touch-down on moved by ``shift`` (2,), world, m."""
        zmp, dcm = self.zmp + self.moved[:, None] * shift, self.dcm + self.share[:, None] * shift
        return replace(self, zmp=zmp, dcm=dcm, place=self.place + self.later[:, :, None] * shift)

    def at(self, time: float, values: Array) -> Array:
        """Any of the arrays at ``time`` s, linearly between grid points."""
        index = min(max(time / self.dt, 0.0), len(values) - 1.000001)
        low = int(index)
        return np.asarray(values[low] + (index - low) * (values[low + 1] - values[low]))


def make_preview(
    weight: Array,
    phase: Array,
    centres: Array,
    landings: list[Landing],
    velocity_world: Array,
    omega: float,
    dt: float,
) -> Preview:
    """References on a grid of k times.

    Args:
        weight: (k, n_feet) contact weights.
        phase: (k,) phase of the schedule.
        centres: (n_feet, 2) where feet stand now (or last stood), m.
        landings: Touch-downs in time order.
        velocity_world: (2,) steady velocity at the end of the preview, m/s.
        omega: √(g/h), 1/s.
        dt: Grid step, s.
    """
    place = np.broadcast_to(centres, (len(phase), *centres.shape)).copy()
    moved = np.zeros(weight.shape)
    for landing in landings:
        after = phase > landing.phase - 1e-9
        place[after, landing.foot] = landing.centre
        moved[after, landing.foot] = 1.0
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-9)
    zmp = np.einsum("kf,kfa->ka", share, place)
    columns = np.column_stack((zmp, np.sum(share * moved, axis=1)))
    middle = place[-1].mean(axis=0)
    terminal = np.array([*(middle + velocity_world / omega), float(moved[-1].any())])
    dcm = backward_dcm(columns, terminal, omega, dt)
    return Preview(dt, weight, zmp, dcm[:, :2], dcm[:, 2], columns[:, 2], place, moved)
