"""Runs the centroidal MPC on the footsteps of the DCM layer and gives its CoM in the form the planner hands on."""
from __future__ import annotations

import numpy as np

from wbc_control.planning.centroidal_mpc import KNOTS_S, CentroidalMpc, MpcReference, MpcResult
from wbc_control.planning.com_rollout import LevelMotion
from wbc_control.planning.preview import Preview
from wbc_control.spatial import Array

MIDDLES_S = np.cumsum(KNOTS_S) - 0.5 * KNOTS_S
"""Middle of each interval of the MPC, s from now."""


def mpc_reference(
    preview: Preview, com: Array, velocity: Array, heights: Array, ground: Array, yaw: Array, omega: float
) -> MpcReference:
    """Reference of every interval from the DCM preview.

    Args:
        preview: Grid of ZMP, DCM and weights, with the feet's places.
        com: (2,) CoM now, m.
        velocity: (2,) m/s.
        heights: (k,) wanted CoM height at the middle of each interval, m.
        ground: (n_feet,) ground height under each foot, m.
        yaw: (n_feet,) soles, rad.
        omega: √(g/h), 1/s.
    """
    end = np.cumsum(KNOTS_S)
    middle = end - 0.5 * KNOTS_S
    indices = [np.unique(np.clip(np.round(np.linspace(e - d, e, 6) / preview.dt).astype(int), 0, len(preview.dcm) - 1))
               for e, d in zip(end, KNOTS_S)]
    weight = np.array([preview.weight[i].mean(axis=0) for i in indices])
    place = np.array([preview.place[i[len(i) // 2]] for i in indices])
    centre = np.concatenate((place, np.broadcast_to(ground, place.shape[:2])[:, :, None]), axis=2)
    dcm = np.array([preview.at(t, preview.dcm) for t in end])
    along = _converge(com, velocity, preview, middle, omega)
    return MpcReference(np.column_stack((along, heights)), dcm, weight, centre, yaw)


def _converge(com: Array, velocity: Array, preview: Preview, times: Array, omega: float) -> Array:
    """CoM (k, 2) that converges to the preview's DCM from where it is: ċ = ω (ξ − c)."""
    path, value = [com], com
    decay = np.exp(-omega * preview.dt)
    for dcm in preview.dcm[:-1]:
        value = dcm + (value - dcm) * decay
        path.append(value)
    return np.array([preview.at(t, np.array(path)) for t in times])


def mpc_motion(com: Array, velocity: Array, result: MpcResult, times: Array) -> LevelMotion:
    """Horizontal CoM at ``times`` (k,) s from now: constant acceleration within each interval."""
    start = np.concatenate(([0.0], np.cumsum(KNOTS_S)[:-1]))
    index = np.clip(np.searchsorted(start, times + 1e-9, side="right") - 1, 0, len(KNOTS_S) - 1)
    acceleration = result.acceleration[:, :2]
    speeds = velocity + np.concatenate((np.zeros((1, 2)), np.cumsum(KNOTS_S[:, None] * acceleration, axis=0)))[:-1]
    steps = KNOTS_S[:, None] * speeds + 0.5 * KNOTS_S[:, None] ** 2 * acceleration
    places = com + np.concatenate((np.zeros((1, 2)), np.cumsum(steps, axis=0)))[:-1]
    tau = (times - start[index])[:, None]
    a = acceleration[index]
    return LevelMotion(
        places[index] + tau * speeds[index] + 0.5 * tau**2 * a, speeds[index] + tau * a, a, result.cop[index]
    )


__all__ = ["MIDDLES_S", "CentroidalMpc", "mpc_motion", "mpc_reference"]
