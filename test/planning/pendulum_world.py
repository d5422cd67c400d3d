"""A pendulum robot for tests: point mass on feet that follow their references, with noise, delay, pushes and ground.

The CoM obeys c̈ = ω² (c − p) with the plan's ZMP realised through its acceleration plus a PD on its position, p clipped
into the polygon of the feet that really stand: what a perfect whole-body controller would do.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from planning_bodies import standing_observation

from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.body import PlanningBody
from wbc_control.planning.observation import Observation
from wbc_control.planning.planner import PlannerCore
from wbc_control.planning.sampler import PlanSampler
from wbc_control.planning.support import margin, nearest_point, support_vertices
from wbc_control.spatial import GRAVITY_M_S2, yaw_matrix
from wbc_control.state import PlanSample, VelocityCommand

TICK_NS = 2_000_000


@dataclass
class World:
    """State and record of one run."""

    body: PlanningBody
    parameters: PlannerParameters
    core: PlannerCore = field(init=False)
    noise: float = 0.0
    delay_ticks: int = 1
    seed: int = 0
    yaw: float = 0.0
    command: VelocityCommand | None = None
    ground: Callable[[float, float], float] = lambda x, y: 0.0
    time_ns: int = 0
    fallen: bool = False
    log: list[PlanSample] = field(default_factory=list)
    com_log: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.core = PlannerCore(self.body, 0.7)
        start = standing_observation(self.body, yaw=self.yaw)
        self.com, self.velocity = start.com.copy(), np.zeros(3)
        self.foot_position, self.foot_rotation = start.foot_position.copy(), start.foot_rotation.copy()
        self.contact = np.ones(self.body.n_feet, dtype=bool)
        self.sampler, self.random = PlanSampler(0.2), np.random.default_rng(self.seed)
        self.pending: deque[PlanSample] = deque()
        self.force = np.zeros(3)

    def observe(self) -> Observation:
        """What an estimator would say: the truth plus noise of ``noise`` m and 3·``noise`` m/s on the CoM."""
        jitter = self.random.normal(size=(2, 3)) * self.noise
        torso = self.log[-1].base_rotation if self.log else yaw_matrix(self.yaw) @ self.body.torso_rotation
        return Observation(
            time_ns=self.time_ns,
            com=self.com + jitter[0],
            com_velocity=self.velocity + 3.0 * jitter[1],
            angular_momentum=np.zeros(3),
            foot_position=self.foot_position.copy(),
            foot_rotation=self.foot_rotation.copy(),
            torso_rotation=torso,
            torso_angular_velocity=np.zeros(3),
            in_contact=self.contact.copy(),
            normal_force=np.where(self.contact, 100.0, 0.0),
        )

    def run(self, seconds: float, command: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        """Advance; the command is kept fresh unless ``self.command`` is set."""
        for _ in range(round(seconds * 1e9 / TICK_NS)):
            if self.fallen:
                return
            if self.time_ns % 10_000_000 == 0:
                wish = self.command or VelocityCommand(self.time_ns, np.array(command[:2]), command[2])
                self.sampler.set(self.core.update(self.observe(), wish, self.parameters))
            self._step()

    def push(self, impulse: tuple[float, float], duration: float = 0.1) -> None:
        """A force for ``duration`` s of the given impulse, N·s, under the present command 0."""
        self.force[:2] = np.array(impulse) / duration
        self.run(duration)
        self.force[:] = 0.0

    def _step(self) -> None:
        sample = self.sampler.sample(self.time_ns)
        self.pending.append(sample)
        sample = self.pending.popleft() if len(self.pending) > self.delay_ticks else self.pending[0]
        self._move_feet(sample)
        self._move_com(sample)
        self.log.append(sample)
        self.com_log.append(self.com.copy())
        self.time_ns += TICK_NS
        heights = [self.ground(*p[:2].tolist()) for p in self.foot_position]
        far = np.linalg.norm(self.com[:2] - self.foot_position[:, :2].mean(axis=0))
        if far > self.body.com_height or self.com[2] - np.mean(heights) < 0.5 * self.body.com_height:
            self.fallen = True

    def _move_feet(self, sample: PlanSample) -> None:
        for foot in range(self.body.n_feet):
            if sample.in_contact[foot] and self.contact[foot]:
                continue
            self.foot_position[foot], self.foot_rotation[foot] = sample.foot_position[foot], sample.foot_rotation[foot]
            floor = self.ground(*self.foot_position[foot, :2].tolist()) + self.body.sole_height[foot]
            falling = sample.foot_velocity[foot, 2] <= 0.0
            self.contact[foot] = bool(self.foot_position[foot, 2] <= floor + 3e-4 and falling)
            if self.contact[foot]:
                self.foot_position[foot, 2] = floor

    def _move_com(self, sample: PlanSample) -> None:
        dt = 1e-9 * TICK_NS
        wanted = sample.com_acceleration + 16.0 * (sample.com_velocity - self.velocity)
        wanted = wanted + 64.0 * (sample.com_position - self.com)
        standing = [f for f in range(self.body.n_feet) if self.contact[f] and sample.in_contact[f]]
        acceleration = np.array([0.0, 0.0, wanted[2]])
        if standing:
            floor = float(np.mean([self.foot_position[f, 2] - self.body.sole_height[f] for f in standing]))
            lever = (self.com[2] - floor) / max(GRAVITY_M_S2 + wanted[2], 1.0)
            zmp = self.com[:2] - lever * wanted[:2]
            vertices = support_vertices(self.body, standing, self.foot_position, self.foot_rotation)
            zmp = np.array(nearest_point(vertices, *zmp.tolist()))
            acceleration[:2] = (self.com[:2] - zmp) / lever
        acceleration = acceleration + self.force / self.body.mass
        self.com = self.com + dt * self.velocity + 0.5 * dt * dt * acceleration
        self.velocity = self.velocity + dt * acceleration

    def planned_margin(self, sample: PlanSample) -> float:
        """Distance of the planned ZMP inside the polygon of the planned contacts, m."""
        feet = [f for f in range(self.body.n_feet) if sample.in_contact[f]]
        vertices = support_vertices(self.body, feet, sample.foot_position, sample.foot_rotation)
        return margin(vertices, *sample.zmp.tolist())
