"""Standing: a smooth start to the standing CoM, then sway, squat or circle over the support."""
from __future__ import annotations

import dataclasses
import math

import numpy as np

from wbc_control.parameters.planner import PlannerParameters, StandingMotionParameters
from wbc_control.planning.follower import SmoothFollower
from wbc_control.planning.horizon import ComMotion, FeetMotion, TorsoMotion, resting_feet
from wbc_control.planning.motion_limit import MotionLimit
from wbc_control.planning.quintic import Boundary, at_rest, quintic, smooth_step
from wbc_control.planning.stance import Stance
from wbc_control.planning.standing_motion import StandingMotion
from wbc_control.planning.support import inset_vertices, margin, nearest_point, share_load
from wbc_control.spatial import GRAVITY_M_S2, Array, exp_so3, log_so3, yaw_matrix


class Standing:
    """References of a robot that keeps its feet where they are.

    Args:
        stance: The feet.
        com: CoM position, velocity, acceleration to start from, each (3,), world.
        torso_rotation: (3, 3) torso orientation to start from.
        parameters: The planner's parameters.
        friction: Coulomb coefficient the motion may count on.
    """

    def __init__(
        self, stance: Stance, com: Boundary, torso_rotation: Array, parameters: PlannerParameters, friction: float
    ) -> None:
        self.stance = stance
        self._heading = yaw_matrix(stance.heading)
        self._goal = SmoothFollower(self._standing_com(parameters), parameters.blend_time)
        self._goal_at_start = self._goal.value.copy()
        self._start = quintic(com, at_rest(self._goal_at_start), parameters.start_duration)
        self._torso_start = torso_rotation
        self._torso_turn = log_so3(torso_rotation.T @ (self._heading @ stance.body.torso_rotation))
        self._motion = StandingMotion(parameters.blend_time)
        self._wrench_limit = MotionLimit(stance, 0.9 * friction)
        self._elapsed = 0.0
        self.clipped = False

    def _standing_com(self, parameters: PlannerParameters) -> Array:
        height = parameters.com_height if parameters.com_height > 0.0 else self.stance.body.com_height
        return np.array([*self.stance.centre, self.stance.ground_height + height])

    @property
    def started(self) -> bool:
        """Whether the smooth start is over."""
        return self._elapsed >= self._start.duration

    def advance(self, dt: float, parameters: PlannerParameters) -> None:
        """Move ``dt`` s ahead and take the parameters of now."""
        self._elapsed += dt
        self._goal.advance(dt)
        self._goal.target = self._standing_com(parameters)
        self._motion.advance(dt)
        self._motion.set_target(self._limited(parameters), self.started)

    def com(self, times: Array, parameters: PlannerParameters) -> ComMotion:
        """CoM over the horizon with the ZMP of the pendulum, kept ``zmp_inset`` inside the support polygon."""
        start = self._start.evaluate(self._elapsed + times)
        goal, offset = self._goal.preview(times), self._motion.preview(times)
        position = start[0] + goal[0] - self._goal_at_start + offset[0] @ self._heading.T
        velocity = start[1] + goal[1] + offset[1] @ self._heading.T
        acceleration = start[2] + goal[2] + offset[2] @ self._heading.T
        inside = inset_vertices(self.stance.vertices, parameters.zmp_inset)
        zmp = pendulum_zmp(position, acceleration, self.stance.ground_height)
        clipped = np.array([nearest_point(inside, float(x), float(y)) for x, y in zmp])
        return ComMotion(position, velocity, acceleration, clipped)

    def torso(self, times: Array) -> TorsoMotion:
        """Torso turning from where it was to upright over the feet's mean heading."""
        if self.started:
            upright = self._torso_start @ exp_so3(self._torso_turn)
            return TorsoMotion(np.broadcast_to(upright, (len(times), 3, 3)), np.zeros((len(times), 3)))
        value, rate, _ = smooth_step(self._elapsed + times, self._start.duration)
        rotation = np.array([self._torso_start @ exp_so3(s * self._torso_turn) for s in value.tolist()])
        axis_world = self._torso_start @ self._torso_turn
        return TorsoMotion(rotation, rate[:, None] * axis_world)

    def feet(self, com: ComMotion) -> FeetMotion:
        """All feet at rest, sharing the load so that their centre of pressure is the planned ZMP."""
        count = len(com.zmp)
        total = self.stance.body.mass * (GRAVITY_M_S2 + com.acceleration[:, 2])
        centres = np.broadcast_to(self.stance.foot_centres, (count, self.stance.body.n_feet, 2))
        force = share_load(total, com.zmp, centres, np.ones(centres.shape[:2]))
        return resting_feet(count, self.stance.position, self.stance.rotation, force)

    def _limited(self, parameters: PlannerParameters) -> StandingMotionParameters:
        """The wanted motion with its amplitude cut to what keeps the ZMP inside the support and to what the contacts
        can push; notes whether it was cut."""
        wanted = parameters.motion
        limit = math.inf
        if wanted.kind in ("sway", "circle"):
            vertices = inset_vertices(self.stance.vertices, parameters.zmp_inset)
            stretch = 1.0 + (2.0 * math.pi * wanted.frequency) ** 2 * self.stance.body.com_height / GRAVITY_M_S2
            around = wanted.kind == "circle"
            room = margin(vertices, *self.stance.centre) if around else self._room(vertices, wanted.heading)
            limit = max(room, 0.0) / stretch
        elif wanted.kind == "squat":
            limit = 0.15 * self.stance.body.com_height
        limit = min(limit, self._wrench_limit.amplitude(self._goal.target, wanted))
        self.clipped = self.started and wanted.amplitude > limit
        return dataclasses.replace(wanted, amplitude=min(wanted.amplitude, limit))

    def _room(self, vertices: list[tuple[float, float]], direction: float) -> float:
        """Distance from the support centre to the polygon's edge, the shorter of ahead and behind, m."""
        yaw = self.stance.heading + direction
        (x, y), far = self.stance.centre, 10.0
        reach = [_ray(vertices, x, y, sign * math.cos(yaw), sign * math.sin(yaw), far) for sign in (1.0, -1.0)]
        return min(reach)


def _ray(vertices: list[tuple[float, float]], x: float, y: float, dx: float, dy: float, far: float) -> float:
    """Length of the ray from (x, y) along the unit vector (dx, dy) inside a convex polygon, m."""
    for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1]):
        nx, ny = by - ay, ax - bx
        along = nx * dx + ny * dy
        if along > 1e-12:
            far = min(far, (nx * (ax - x) + ny * (ay - y)) / along)
    return far


def pendulum_zmp(com: Array, acceleration: Array, ground_height: float) -> Array:
    """ZMP (k, 2), m, of a point mass: p = c − (c_z − h) c̈ / (g + c̈_z); com and acceleration (k, 3), world."""
    lever = (com[:, 2] - ground_height) / np.maximum(GRAVITY_M_S2 + acceleration[:, 2], 1.0)
    return np.asarray(com[:, :2] - lever[:, None] * acceleration[:, :2])
