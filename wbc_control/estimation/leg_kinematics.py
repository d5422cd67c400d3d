"""Feet as the base sees them, and what the legs' joints say about external forces: one pass of kinematics and dynamics.

Everything is computed in the base frame with the base at the identity, so that no error of the base estimate enters.
Gravity comes in through the accelerometer: a body at rest is dynamically the same as one accelerated upwards at g, and
the measured specific force is exactly that acceleration.

What a leg's joints need depends on the leg alone, so the recursion runs over the legs alone, with arms and head frozen.
Pinocchio's results are read through views of its memory, gathered by one copy, and treated for all feet at once.
"""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.estimation.vectors import skews
from wbc_control.model import Foot, RobotModel
from wbc_control.spatial import Array


class LegKinematics:
    """Kinematics of all feet against the base, and inverse dynamics of the legs from measured motion.

    Args:
        model: Robot with a floating base.

    Attributes:
        joints: The legs' joints among the robot's, a slice where they lie in order.
        frames: (4N, 3) sole origins in the base frame, m, then the axes of each sole frame, one a row; base axes.
        foot_position: (N, 3) the former; a view.
        foot_axes: (N, 3, 3) the latter; a view.
        foot_rotation: (N, 3, 3) the same transposed: sole frame → base frame.
        sole_vectors: (N, 4, 3) of each sole, in its own axes: velocity, m/s, and angular velocity, rad/s, for a base
            that turns but does not move; force, N, and torque about the sole origin, N·m, that the foot's own motion and
            weight need, until somebody adds the sensor's to them.
        required: (L,) effort of each leg joint that the measured motion needs without ground.
        leg_index: (N, K) rows of the joints of each foot's chain in ``required``.
    """

    def __init__(self, model: RobotModel) -> None:
        self._model, names = legs_alone(model)
        self._data = self._model.createData()
        self.joints = as_slice(np.array([model.joint_names.index(name) for name in names], dtype=np.intp))
        self._with_turns = self._model.nq != self._model.nv + 1
        self._q = pin.neutral(self._model)
        self._v, self._a = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self._angles, self._speeds, self._rates = self._q[7:], self._v[6:], self._a[6:]
        self._spin, self._base_rates = self._v[3:6], self._a[:6]
        self._frames = [int(self._model.getFrameId(foot.name)) for foot in model.feet]
        self.leg_index, self._padding = leg_columns(self._model, self._frames)
        self._allocate(model.feet)
        self.required = np.zeros(self._model.nv - 6)

    def _allocate(self, feet: tuple[Foot, ...]) -> None:
        n_feet = len(feet)
        self._sources = pinocchio_views(self._model, self._data, feet)
        self._gathered = np.zeros(24 * n_feet)
        self._moving, self._to_soles = self._gathered[12 * n_feet :], sole_map(self._model, feet)
        self.frames = self._gathered[: 12 * n_feet].reshape(-1, 3)
        self.foot_position = self.frames[:n_feet]
        self.foot_axes = self.frames[n_feet:].reshape(n_feet, 3, 3)
        self.foot_axes[:] = np.eye(3)
        self.foot_rotation = self.foot_axes.transpose(0, 2, 1)
        self.sole_vectors = np.zeros((n_feet, 4, 3))
        self._local = self.sole_vectors.reshape(-1)

    def place(self, positions: Array) -> None:
        """Positions only: soles against the base for the robot's (n,) joint positions; enough to initialise."""
        self._set(positions)
        pin.forwardKinematics(self._model, self._data, self._q)
        self._gather()

    def _set(self, positions: Array) -> None:
        if self._with_turns:
            set_angles(self._model, self._q, positions[self.joints])
        else:
            self._angles[:] = positions[self.joints]

    def _gather(self) -> None:
        for frame in self._frames:
            pin.updateFramePlacement(self._model, self._data, frame)
        if self._sources:
            np.concatenate(self._sources, 0, self._gathered)

    def update(
        self,
        positions: Array,
        velocities: Array,
        velocity_changes: Array,
        dt: float,
        base_spin: tuple[float, float, float],
        base_acceleration: list[float],
    ) -> None:
        """Kinematics and inverse dynamics of one tick; the robot's (n,) joints, of which the legs' are taken.

        Args:
            positions: (n,) rad or m.
            velocities: (n,) rad/s or m/s.
            velocity_changes: (n,) likewise, over ``dt``.
            dt: Time of the change, s.
            base_spin: Angular velocity of the base, base axes, rad/s.
            base_acceleration: Six numbers, base axes: specific force at the base origin, m/s², then angular
                acceleration, rad/s².
        """
        self._set(positions)
        self._spin[:], self._speeds[:] = base_spin, velocities[self.joints]
        np.divide(velocity_changes[self.joints], dt, self._rates)
        self._base_rates[:] = base_acceleration
        self.required = pin.rnea(self._model, self._data, self._q, self._v, self._a)[6:]
        # The recursion knows every joint against its parent; this only chains them.
        pin.updateGlobalPlacements(self._model, self._data)
        self._gather()
        np.dot(self._to_soles, self._moving, self._local)

    def foot_load(self) -> Array:
        """(N, 6) force, N, and torque, N·m, sole frame, that each foot's own motion and weight needed in the last pass."""
        return self._to_soles.dot(self._moving).reshape(-1, 12)[:, 6:]

    def leg_jacobians(self) -> Array:
        """(N, K, 6) transposed Jacobians of the soles, linear then angular, base axes, each for its leg's K joints."""
        pin.computeJointJacobians(self._model, self._data, self._q)
        jacobian = self._data.J.T.take(self.leg_index + 6, axis=0)
        jacobian *= self._padding
        jacobian[:, :, :3] += jacobian[:, :, 3:] @ skews(self.foot_position)
        return jacobian


def pinocchio_views(model: pin.Model, data: pin.Data, feet: tuple[Foot, ...]) -> list[Array]:
    """Views of Pinocchio's memory: sole positions, then sole axes, then each foot's joint twist and force source.

    The force source is the recursion's joint force; where the foot is fixed to its joint's link but has an inertia of
    its own, the joint's acceleration, which that inertia turns into the foot's share.
    """
    soles = [model.frames[model.getFrameId(foot.name)] for foot in feet]
    placements = [data.oMf[model.getFrameId(foot.name)] for foot in feet]
    views = [placement.translation for placement in placements]
    views += [placement.rotation.T.reshape(9) for placement in placements]  # columns lie one after another
    for foot, sole in zip(feet, soles, strict=True):
        joint = sole.parentJoint
        views.append(data.v[joint].vector)
        views.append(data.f[joint].vector if own_inertia(model, foot) is None else data.a_gf[joint].vector)
    return views


def own_inertia(model: pin.Model, foot: Foot) -> pin.Inertia | None:
    """Inertia in its joint's frame of a foot that is fixed to its joint's link; None where it is that link."""
    link = model.frames[model.getFrameId(foot.link)]
    # Pinocchio keeps the inertia of a link on a fixed joint with that joint's frame.
    for frame in (link, model.frames[link.parentFrame]):
        if frame.type in (pin.FrameType.BODY, pin.FrameType.FIXED_JOINT) and frame.inertia.mass > 0.0:
            return frame.placement.act(frame.inertia)
    return None


def sole_map(model: pin.Model, feet: tuple[Foot, ...]) -> Array:
    """(12N, 12N) constant map from each foot's joint twist and force source to its sole's twist and load."""
    n_feet = len(feet)
    to_soles = np.zeros((12 * n_feet, 12 * n_feet))
    for k, foot in enumerate(feet):
        sole_from_joint = model.frames[model.getFrameId(foot.name)].placement.inverse()
        inertia = own_inertia(model, foot)
        load = sole_from_joint.toDualActionMatrix() @ (np.eye(6) if inertia is None else inertia.matrix())
        twist, force = slice(12 * k, 12 * k + 6), slice(12 * k + 6, 12 * k + 12)
        to_soles[twist, twist], to_soles[force, force] = sole_from_joint.toActionMatrix(), load
    return to_soles


def legs_alone(model: RobotModel) -> tuple[pin.Model, list[str]]:
    """Weightless-world model whose joints between base and feet alone move, and their names in its order."""
    whole = model.pinocchio
    supports = {j for foot in model.feet for j in list(whole.supports[whole.frames[foot.frame_id].parentJoint])[1:]}
    frozen = [j for j in range(2, whole.njoints) if j not in supports]
    legs = pin.buildReducedModel(whole, frozen, model.standing_configuration())
    legs.gravity = pin.Motion.Zero()
    return legs, list(legs.names)[2:]


def set_angles(model: pin.Model, q: Array, angles: Array) -> None:
    """Write the angles of all joints but the base into a configuration where some turn without end (cosine, sine)."""
    for joint, angle in zip(list(model.joints)[2:], angles.tolist(), strict=True):
        at = joint.idx_q
        q[at : at + joint.nq] = angle if joint.nq == 1 else (math.cos(angle), math.sin(angle))


def as_slice(index: NDArray[np.intp]) -> slice | NDArray[np.intp]:
    """The same elements as a slice where they lie in order, which copies faster."""
    first = int(index[0]) if len(index) else 0
    in_order = bool(np.array_equal(index, np.arange(first, first + len(index))))
    return slice(first, first + len(index)) if in_order else index


def leg_columns(model: pin.Model, frames: list[int]) -> tuple[NDArray[np.intp], Array]:
    """Indices (N, K) of the joints between base and each frame behind the base, and (N, K, 1) zeros where one pads."""
    chains = []
    for frame in frames:
        support = list(model.supports[model.frames[frame].parentJoint])[2:]
        chains.append([model.joints[j].idx_v - 6 + i for j in support for i in range(model.joints[j].nv)])
    longest = max((len(chain) for chain in chains), default=0)
    index = np.zeros((len(frames), longest), dtype=np.intp)
    real = np.zeros((len(frames), longest, 1))
    for k, chain in enumerate(chains):
        index[k, : len(chain)], real[k, : len(chain)] = chain, 1.0
    return index, real
