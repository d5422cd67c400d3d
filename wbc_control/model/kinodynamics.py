"""All kinematic and dynamic terms of one tick, computed once and shared by whoever needs them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model.robot_model import RobotModel

Array = NDArray[np.float64]
_WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class _Kept:
    """Memory of Pinocchio's data together with its owner: the bindings' own views would outlive it."""

    def __init__(self, view: Array, owner: pin.Data) -> None:
        self.__array_interface__ = view.__array_interface__
        self._owner = owner


class Kinodynamics:
    """Terms at one configuration and velocity; every array is a buffer that the next update overwrites.

    With ``a`` the acceleration, frame accelerations are ``J a + drift``, all with world axes at the frame's origin;
    the drift is the classical (not spatial) acceleration at ``a = 0`` (Featherstone 2008, §2.11).

    Attributes:
        q: (nq,) configuration.
        v: (nv,) velocity.
        M: (nv, nv) joint-space inertia, armature included.
        h: (nv,) Coriolis, centrifugal and gravity terms.
        com: (3,) centre of mass, m, world.
        com_velocity: (3,) m/s.
        J_com: (3, nv) Jacobian of the centre of mass.
        com_drift: (3,) m/s².
        momentum_map: (6, nv) centroidal momentum matrix, linear rows first, about the centre of mass (Orin et al. 2013).
        momentum: (6,) linear kg·m/s, angular kg·m²/s.
        momentum_drift: (6,) rate of momentum at ``a = 0``.
        foot_position: (n_feet, 3) sole origins, m, world.
        foot_rotation: (n_feet, 3, 3) sole frames.
        J_foot: (n_feet, 6, nv) linear rows first.
        foot_velocity: (n_feet, 6) m/s, rad/s.
        foot_drift: (n_feet, 6) m/s², rad/s².
        torso_rotation: (3, 3) controlled frame.
        J_torso: (6, nv); torso_velocity, torso_drift: (6,).
    """

    def __init__(self, model: RobotModel) -> None:
        self.model = model
        self._pin, self._data = model.pinocchio, model.pinocchio.createData()
        self._zero = np.zeros(model.nv)
        self._frames = [foot.frame_id for foot in model.feet] + [model.torso_frame_id]
        self._copied: list[tuple[Array, Callable[[], Array]]] = []
        self._allocate(len(model.feet), model.nv)

    def _allocate(self, feet: int, nv: int) -> None:
        self.q, self.v = pin.neutral(self._pin), np.zeros(nv)
        data = self._data
        # M is symmetric: its transpose is the same matrix with contiguous rows.
        self.M, self.h = self._shared(lambda: data.M.T), self._shared(lambda: data.nle)
        self.com, self.com_velocity = self._shared(lambda: data.com[0]), self._shared(lambda: data.vcom[0])
        self.J_com, self.momentum_map = self._shared(lambda: data.Jcom), self._shared(lambda: data.Ag)
        self.momentum, self.momentum_drift = self._shared(lambda: data.hg.vector), self._shared(lambda: data.dhg.vector)
        self.com_drift, self._per_mass = np.zeros(3), 1.0 / self.model.mass
        self.foot_position, self.foot_rotation = np.zeros((feet, 3)), np.zeros((feet, 3, 3))
        self.torso_rotation = np.zeros((3, 3))
        # One stack for all frames: one matrix-vector product gives every frame velocity.
        self._J = np.zeros((feet + 1, 6, nv))
        self._velocity, self._drift = np.zeros((feet + 1, 6)), np.zeros((feet + 1, 6))
        self.J_foot, self.J_torso = self._J[:feet], self._J[feet]
        self.foot_velocity, self.torso_velocity = self._velocity[:feet], self._velocity[feet]
        self.foot_drift, self.torso_drift = self._drift[:feet], self._drift[feet]
        self._J_flat, self._velocity_flat = self._J.reshape(-1, nv), self._velocity.reshape(-1)
        places = [*zip(self.foot_position, self.foot_rotation), (np.zeros(3), self.torso_rotation)]
        self._slots = [(f, J, *place, drift) for f, J, place, drift in zip(self._frames, self._J, places, self._drift)]

    def _shared(self, read: Callable[[], Array]) -> Array:
        """Pinocchio's own memory where its bindings share it, else a buffer that every update copies into."""
        view = read()
        if np.shares_memory(view, read()):
            return np.asarray(_Kept(view, self._data))
        self._copied.append((view, read))
        return view

    @property
    def data(self) -> pin.Data:
        """Pinocchio's data after the last update: placements, joint Jacobians, and accelerations at ``a = 0`` (drifts)."""
        return self._data

    def update(self, q: Array, v: Array) -> None:
        """Compute every term at configuration ``q`` (nq,) and velocity ``v`` (nv,)."""
        self.q[:], self.v[:] = q, v
        model, data = self._pin, self._data
        pin.computeAllTerms(model, data, q, v)
        self._update_frames()
        # Second forward pass with a = 0: the accelerations it leaves behind are the drifts.
        pin.forwardKinematics(model, data, q, v, self._zero)
        self._update_drifts()
        pin.computeCentroidalMomentumTimeVariation(model, data)
        for buffer, read in self._copied:
            buffer[:] = read()
        np.multiply(self.momentum_drift[:3], self._per_mass, out=self.com_drift)

    def _update_frames(self) -> None:
        model, data, place, jacobian_of = self._pin, self._data, pin.updateFramePlacement, pin.getFrameJacobian
        for frame, jacobian, position, rotation, _ in self._slots:
            placement = place(model, data, frame)
            jacobian[:] = jacobian_of(model, data, frame, _WORLD_ALIGNED)
            position[:], rotation[:] = placement.translation, placement.rotation
        np.dot(self._J_flat, self.v, out=self._velocity_flat)

    def _update_drifts(self) -> None:
        model, data, acceleration_of = self._pin, self._data, pin.getFrameClassicalAcceleration
        for frame, _, _, _, drift in self._slots:
            drift[:] = acceleration_of(model, data, frame, _WORLD_ALIGNED).vector
