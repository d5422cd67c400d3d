"""A robot and a ground as a mechanism with contact points: what the rigid-contact engine steps.

Soles touch with their corners (round feet with a sphere), bodies with the corners of their hulls, joints run into
their stops.  Inertia, armature and friction are those of the robot model, joint by joint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.contact_mechanics.pinocchio_mechanism import ContactPoint, PinocchioMechanism
from wbc_control.model import RobotModel
from wbc_control.parameters import SimulatorParameters
from wbc_control.simulation.carried_bodies import (
    body_hulls,
    joint_of_link,
    loaded_model,
    split_at_sensor,
)
from wbc_control.simulation.rigid_mechanism import FloatingMechanism
from wbc_control.simulation.rigid_surface import GroundSurface
from wbc_control.simulation.terrain import Ground
from wbc_control.spatial import cross

Array = NDArray[np.float64]

REACH_M = 0.05
"""Points farther than this from the ground cannot reach it within a step and are left out."""
_NOT_A_FOOT = -1
_CREEP_RAD_S = 0.01
"""Speed at which dry joint friction has its full value; below it is viscous."""


@dataclass(frozen=True)
class Push:
    """A wrench from outside: world force, N, at ``lever`` in the joint's frame, m, and world torque, N·m."""

    joint: int
    lever: Array
    force: Array
    torque: Array

    def in_joint(self, placement: pin.SE3) -> pin.Force:
        """The wrench in the joint's frame, placed so in the world."""
        force = placement.rotation.T @ self.force
        return pin.Force(force, placement.rotation.T @ self.torque + np.cross(self.lever, force))


class RigidWorld:
    """The mechanism and what its contact points are.

    Args:
        model: The robot.
        simulator: Joint damping where the URDF has none.
        ground: What it stands on.
        payload: Link name → mass of a point at that body's centre of mass, kg.

    Attributes:
        pinocchio: The robot's dynamics with its payload.
        below: Per foot, the inertia its force sensor carries in the joint frame; None for the joint's whole subtree.
        mechanism: Dynamics and contacts.
        owner: (n_points,) the foot a contact point belongs to, or −1.
        body: Per contact point, the name of the joint that moves it.
        effort: (n,) motor torques, N·m, to be set before a step.
        pushes: By link, what pushes it.

    Raises:
        BackendError: An unknown payload link, or a ground with steps.
    """

    def __init__(
        self, model: RobotModel, simulator: SimulatorParameters, ground: Ground, payload: Mapping[str, float] | None
    ) -> None:
        self._robot = model
        splits = [split_at_sensor(model, foot) for foot in model.feet]
        self.below = [None if split is None else split.below for split in splits]
        self.pinocchio = loaded_model(model, dict(payload or {}))
        self._levers = {foot.link: split.below.lever for foot, split in zip(model.feet, splits) if split is not None}
        self._joint_levers = {
            int(model.pinocchio.frames[foot.frame_id].parentJoint): split.above.lever
            for foot, split in zip(model.feet, splits)
            if split is not None
        }
        points, owner, self.body = _points(model, ground.friction, simulator.ground.restitution)
        self.owner = np.array(owner, dtype=int)
        surface = GroundSurface(ground)
        kind = FloatingMechanism if model.floating_base else PinocchioMechanism
        self.mechanism = kind(self.pinocchio, points, self._force, surface=surface, reach=REACH_M, stops=True)
        self.effort = np.zeros(model.n)
        self.pushes: dict[str, Push] = {}
        self._viscous, self._dry = _joint_friction(model, simulator.joint_damping)

    def push(self, link: str, force: Array, torque: Array) -> None:
        """Hold a world force, N, at the centre of mass of the body ``link`` belongs to, and a torque, N·m.

        Raises:
            BackendError: The robot has no such link.
        """
        joint = joint_of_link(self._robot, link)
        lever = self._levers.get(link, self._joint_levers.get(joint, self.pinocchio.inertias[joint].lever))
        if not np.any(force) and not np.any(torque):
            self.pushes.pop(link, None)
            return
        self.pushes[link] = Push(joint, np.array(lever), np.array(force, dtype=float), np.array(torque, dtype=float))

    def pushed(self, data: pin.Data) -> list[tuple[int, pin.Force]]:
        """Joint and wrench in its frame of every push, at the joint placements of ``data``."""
        return [(push.joint, push.in_joint(data.oMi[push.joint])) for push in self.pushes.values() if push.joint]

    def _force(self, q: Array, v: Array) -> Array:
        """Motors and pushes (nv,); called right after the bias, which has placed the joints."""
        total = np.zeros(self.pinocchio.nv)
        total[self._robot.v_index] = self.effort
        data = self.mechanism.data
        for joint, wrench in self.pushed(data):
            total += pin.computeJointJacobian(self.pinocchio, data, q, joint).T @ wrench.vector
        return total

    def settled(self, start: Array, before: Array, end: Array, after: Array, duration: float) -> tuple[Array, Array]:
        """Velocity (nv,) at the end of a step and the acceleration (nv,) of the step, both as Pinocchio means them.

        Args:
            start: (nq,) configuration at the start.
            before: (nv,) velocity there.
            end: (nq,) configuration at the end.
            after: (nv,) velocity at the end as the mechanism has it.
            duration: s.
        """
        rate = (after - before) / duration
        if isinstance(self.mechanism, FloatingMechanism):
            after = after.copy()
            after[:3] = self.mechanism.turned(start, end, after[:3])
            rate[:3] = self.mechanism.turned(start, end, rate[:3]) - cross(after[3:6], after[:3])
        return after, rate

    def damping(self, v: Array) -> Array:
        """(nv,) viscous friction, and dry friction as the viscous one of the same torque at the velocity v (nv,).

        Best the velocity expected at the end of the step, which is what the coefficient will be multiplied with.
        """
        if not self._dry.any():
            return self._viscous
        return np.asarray(self._viscous + self._dry / np.maximum(np.abs(v), _CREEP_RAD_S))


def _joint_friction(model: RobotModel, default_damping: float) -> tuple[Array, Array]:
    """Viscous and dry coefficients (nv,); none on the free base."""
    damping = np.asarray(model.pinocchio.damping, dtype=float)
    viscous = np.where(damping > 0.0, damping, default_damping)
    dry = np.array(model.pinocchio.friction, dtype=float)
    if model.floating_base:
        viscous[:6] = dry[:6] = 0.0
    return viscous, dry


def _points(model: RobotModel, friction: float, restitution: float) -> tuple[list[ContactPoint], list[int], list[str]]:
    """Sole points, then hull corners, with their feet and joints."""
    points, owner, body = [], [], []
    for number, foot in enumerate(model.feet):
        frame = model.pinocchio.frames[foot.frame_id]
        for corner in np.asarray(foot.corners).tolist():
            points.append(ContactPoint(frame.name, tuple(corner), friction, restitution, foot.radius))
            owner.append(number)
            body.append(model.pinocchio.names[frame.parentJoint])
    for hull in body_hulls(model):
        name = model.pinocchio.names[hull.joint_id]
        for signs in product((-1.0, 1.0), repeat=3):
            x, y, z = hull.placement.act(np.array(signs) * hull.half).tolist()
            points.append(ContactPoint(name, (x, y, z), friction, restitution, is_joint=True))
            owner.append(_NOT_A_FOOT)
            body.append(name)
    return points, owner, body
