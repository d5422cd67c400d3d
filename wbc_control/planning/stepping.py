"""Stepping: one algorithm for any number of feet.  Balance by ZMP, by step place, by step time; start, stop, recover.

Every plan: move the references on, judge contacts, predict the DCM at the next touch-down, adapt that step, compute the
DCM reference over two seconds of footsteps, and drive the pendulum ahead under DCM feedback.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from wbc_control.parameters.controller import SolverParameters
from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.body import PlanningBody
from wbc_control.planning.centroidal_mpc import CentroidalMpc
from wbc_control.planning.com_rollout import Feedback, LevelMotion, roll_out
from wbc_control.planning.feet import FeetState
from wbc_control.planning.follower import SmoothFollower
from wbc_control.planning.footsteps import Landing, VirtualBase, planned_landings, virtual_base
from wbc_control.planning.gaits import GAITS, foot_places
from wbc_control.planning.heading import sole_yaw
from wbc_control.planning.lean import TorsoLean, hip_share, yielding_share
from wbc_control.planning.mpc_motion import MIDDLES_S, mpc_motion, mpc_reference
from wbc_control.planning.observation import Observation
from wbc_control.planning.preview import Preview, make_preview
from wbc_control.planning.quintic import Boundary
from wbc_control.planning.schedule import Schedule, TimeWarp, make_schedule
from wbc_control.planning.speed_feedback import SpeedFeedback
from wbc_control.planning.stance import Stance
from wbc_control.planning.step_choice import NextStep, best_first_group, choose_step
from wbc_control.planning.step_timing import StepTiming
from wbc_control.planning.support import Point, inset_vertices, margin, support_vertices
from wbc_control.planning.swing import swing_shape
from wbc_control.planning.velocity import VelocityReference
from wbc_control.qp import create_workspace
from wbc_control.spatial import GRAVITY_M_S2, Array, wrap_angle, yaw_of

PREVIEW_S = 1.8
"""Length of the DCM preview, s: e^(−ω·1.8) of its far end's error is left now."""

CALM_TIME_S = 0.3
"""Time without motion after which stepping is over, s."""

_CALM_SHIFT = 0.12
"""Correction of a footstep below which stepping may end, share of the CoM height: both feet down stand it easily."""

_CATCHING_START_S = 0.02
"""Time to the first lift when the robot steps to catch itself, on top of the load ramp, s."""


class Stepping:
    """A robot that steps, or stands on its feet under DCM feedback.

    Args:
        stance: The feet as they stand.
        com: CoM position, velocity, acceleration to go on from, each (3,).
        heading: Reference heading, rad.
        parameters: The planner's parameters.
        friction: Usable Coulomb coefficient.
    """

    def __init__(
        self, stance: Stance, com: Boundary, heading: float, parameters: PlannerParameters, friction: float
    ) -> None:
        self.body: PlanningBody = stance.body
        self._places = foot_places(stance.body)
        self._friction = friction
        self.time = 0.0
        self.feet = FeetState.standing(stance, 0.0, parameters.ground)
        self.com, self.com_velocity = com[0][:2].copy(), com[1][:2].copy()
        self._pivot = self.com.copy()
        self.height = SmoothFollower(com[0][2:3], parameters.blend_time)
        self.height.velocity, self.height.acceleration = com[1][2:3].copy(), com[2][2:3].copy()
        self.heading = heading
        self.timing = StepTiming(self.feet)
        self._gait_name = ""
        self.calm_for = 0.0
        self.step: NextStep | None = None
        self.landings: list[Landing] = []
        self.preview: Preview | None = None
        self.omega = math.sqrt(GRAVITY_M_S2 / self.body.com_height)
        self._eased = 0.0
        self._speed, self._speed_gain = SpeedFeedback(), parameters.balance.speed_gain
        self._mpc: CentroidalMpc | None = None
        self._momentum, self._hurry, self.lean = np.zeros(3), 1.0, TorsoLean()

    @property
    def dcm(self) -> Array:
        """(2,) DCM of the reference state, m."""
        return self.com + self.com_velocity / self.omega

    @property
    def stepping(self) -> bool:
        """Whether a foot is in the air or will lift."""
        return self.timing.stepping

    @property
    def finished(self) -> bool:
        """Whether the robot has stood calmly long enough to be handed over to standing."""
        return not self.stepping and not self.feet.hanging and self.calm_for > CALM_TIME_S

    def com_boundary(self) -> Boundary:
        """CoM position, velocity, acceleration of the references now, each (3,)."""
        level = self.omega**2 * (self.com - self._pivot)
        return (
            np.array([*self.com, *self.height.value]),
            np.array([*self.com_velocity, *self.height.velocity]),
            np.array([*level, *self.height.acceleration]),
        )

    def start(self, parameters: PlannerParameters, group: list[int], lead: float) -> None:
        """Begin the gait of the parameters with the lift of ``group`` in ``lead`` s."""
        self._gait_name = parameters.gait.name
        self.timing.begin(self.gait_schedule(parameters), group[0], lead)
        self.feet.mid_stance[:] = self.time + lead

    def gait_schedule(self, parameters: PlannerParameters) -> Schedule:
        """The unmasked schedule of the parameters' gait for this robot."""
        gait = GAITS.get(parameters.gait.name, GAITS["walk"])
        return make_schedule(gait, self._places, self.omega, parameters.gait, self._hurry)

    def advance(
        self, dt: float, observation: Observation, velocity: VelocityReference, parameters: PlannerParameters
    ) -> None:
        """Move ``dt`` s ahead and take the measurement of now."""
        self.time += dt
        self._move_references(dt, observation, velocity, parameters)
        if not self.timing.advance(dt, self.time, observation, swing_shape(parameters.step), parameters.step):
            velocity.stop()
        self._decide(velocity, parameters)
        error = 0.0 if self.preview is None else float(np.hypot(*(self.dcm - self.preview.dcm[0])))
        share = hip_share(self.dcm_margin()) * yielding_share(error)
        torso = observation.torso_rotation @ self.body.torso_rotation.T
        rate = observation.torso_angular_velocity
        self.lean.advance(dt, torso, rate, self.heading, share, parameters.balance.hip_lean)

    def _move_references(
        self, dt: float, observation: Observation, velocity: VelocityReference, parameters: PlannerParameters
    ) -> None:
        w, offset = self.omega, self.com - self._pivot
        ch, sh = math.cosh(w * dt), math.sinh(w * dt)
        self.com, moved = self._pivot + ch * offset + sh / w * self.com_velocity, self.com_velocity
        self.com_velocity = w * sh * offset + ch * moved
        share = parameters.balance.measurement_share
        self.com = self.com + share * (observation.com[:2] - self.com)
        self.com_velocity = self.com_velocity + share * (observation.com_velocity[:2] - self.com_velocity)
        self._momentum = observation.angular_momentum
        self.height.advance(dt)
        ground = self.feet.body_ground(self.com, self.heading)
        self.height.target = np.array([ground + (parameters.com_height or self.body.com_height)])
        self._turn(dt, observation, velocity)
        self.feet.follow_slip(observation, 0.05)
        if self.stepping:
            self._speed_gain, period = parameters.balance.speed_gain, self.timing.schedule.period
            self._speed.advance(dt, period, velocity.value[:2], observation.com_velocity[:2], self.heading)
        self._eased = min(self._eased + dt / 0.2, 1.0)

    def _turn(self, dt: float, observation: Observation, velocity: VelocityReference) -> None:
        """Carry the heading on; it never runs away from the torso by more than half a radian."""
        torso = yaw_of(observation.torso_rotation @ self.body.torso_rotation.T)
        ahead = wrap_angle(self.heading + float(velocity.value[2]) * dt - torso)
        self.heading = torso + min(max(ahead, -0.5), 0.5)

    def _decide(self, velocity: VelocityReference, parameters: PlannerParameters) -> None:
        """Start, stop or change the gait."""
        if self.stepping:
            self._decide_stop(velocity, parameters)
            return
        if self.feet.hanging:
            return
        allowed = parameters.gait.name != "stand"
        marches = parameters.gait.march or (allowed and GAITS[parameters.gait.name].marches)
        if allowed and (velocity.wants_motion or marches):
            self._start_towards(velocity, parameters)
        elif parameters.balance.stepping and self.dcm_margin() < parameters.balance.step_margin:
            self._start_catching(parameters)

    def _decide_stop(self, velocity: VelocityReference, parameters: PlannerParameters) -> None:
        marches = parameters.gait.march or GAITS.get(parameters.gait.name, GAITS["walk"]).marches
        wanted = parameters.gait.name if parameters.gait.name in GAITS else self._gait_name
        if wanted != self._gait_name:
            self.timing.stop(self.timing.phase)
            return
        still = velocity.still and not velocity.wants_motion and (not marches or parameters.gait.name == "stand")
        self.calm_for = self.calm_for + 1.0 / parameters.rate if still and self._undisturbed() else 0.0
        if self.calm_for >= self.timing.schedule.period:
            self.timing.stop(self.timing.phase)
            self.calm_for = 0.0

    def _undisturbed(self) -> bool:
        """Whether the step under way needs so little correction that the robot could as well stand."""
        calm = _CALM_SHIFT * self.body.com_height
        return self.step is None or not self.feet.swings or float(np.abs(self.step.shift).max()) < calm

    def _start_towards(self, velocity: VelocityReference, parameters: PlannerParameters) -> None:
        """Begin with the foot on the side the robot is to move or turn to."""
        groups = self.gait_schedule(parameters).groups()
        aim = float(velocity.wanted[1] + 0.2 * velocity.wanted[2])
        side = [aim * float(np.mean(self.body.foot_offset[g, 1])) for g in groups]
        best = int(np.argmax(side))
        self._hurry = 1.0
        lead = parameters.gait.start_time if not self._gait_name else 0.5 * parameters.gait.start_time
        self.start(parameters, groups[best], lead)

    def _start_catching(self, parameters: PlannerParameters) -> None:
        """Step at once, with the group of feet that catches the DCM best."""
        self._hurry = parameters.balance.catch_period
        schedule = self.gait_schedule(parameters)
        lead = schedule.ramp * schedule.period + _CATCHING_START_S
        self.start(parameters, best_first_group(self, schedule, lead, parameters), lead)
        self._eased = 1.0

    def dcm_margin(self) -> float:
        """Distance of the DCM inside the support polygon of the standing feet, m; negative outside."""
        vertices = support_vertices(self.body, self.feet.standing_feet, self.feet.positions, self.feet.rotations)
        return margin(vertices, *self.dcm.tolist())

    def plan_step(self, velocity: VelocityReference, parameters: PlannerParameters, count: int) -> LevelMotion:
        """Adapt the next step, then the CoM over ``count`` samples; leaves clock, landings and preview for the feet."""
        base = self.base(velocity)
        self.step = choose_step(self, base, parameters)
        self.timing.clock, self.landings, self.preview = self.step.clock, self.step.landings, self.step.preview
        for landing in self.landings:
            if landing.foot in self.feet.swings and landing.phase <= self.step.event + 1e-6:
                self.feet.retarget(landing.foot, landing, self.timing.time_to(landing.phase))
        return self._roll_out(parameters, count)

    def _roll_out(self, parameters: PlannerParameters, count: int) -> LevelMotion:
        assert self.preview is not None
        balance = parameters.balance
        gain = 1.05 + (balance.dcm_gain - 1.05) * self._eased
        reach = balance.hip_reach * hip_share(self.dcm_margin())
        feedback = Feedback(gain, reach, 0.9 * self._friction)
        level = self._optimise(parameters, count) if parameters.method == "mpc" else None
        if level is None:
            polygons = self._polygons(parameters)
            level = roll_out(self.com, self.com_velocity, self.preview, polygons, feedback, self.omega, count)
        self._pivot = level.position[0] - level.acceleration[0] / self.omega**2
        if not self.stepping:
            calm = float(np.abs(self.com_velocity).max()) < 0.03 and self.dcm_margin() > 0.0
            self.calm_for = self.calm_for + 1.0 / parameters.rate if calm else 0.0
        return level

    def _optimise(self, parameters: PlannerParameters, count: int) -> LevelMotion | None:
        """The CoM of the centroidal MPC on the footsteps chosen; None when it has no solution (the DCM law then goes
        on)."""
        assert self.preview is not None
        if self._mpc is None:
            self._mpc = CentroidalMpc(
                self.body, 0.9 * self._friction, lambda: create_workspace(SolverParameters(tolerance=1e-5))
            )
        ground = np.array([self.feet.ground_point(f)[2] for f in range(self.body.n_feet)])
        yaw = np.array([sole_yaw(self.body, f, h.rotation) for f, h in enumerate(self.feet.foothold)])
        heights = self.height.preview(MIDDLES_S)[0][:, 0]
        reference = mpc_reference(self.preview, self.com, self.com_velocity, heights, ground, yaw, self.omega)
        com, velocity, _ = self.com_boundary()
        result = self._mpc.solve(com, velocity, self._momentum, self.omega, reference)
        return mpc_motion(self.com, self.com_velocity, result, np.arange(count) / parameters.rate) if result else None

    def _polygons(self, parameters: PlannerParameters) -> Callable[[int], list[Point]]:
        """Support polygon at a grid index, computed once for each set of feet."""
        assert self.preview is not None
        cache: dict[tuple[bool, ...], list[Point]] = {}
        inset = min(parameters.zmp_inset, max(0.3 * self.dcm_margin(), 0.0))  # the ZMP must reach past the DCM
        loaded = self.preview.weight > 1e-3
        positions, rotations = self.feet.positions, self.feet.rotations
        for foot, swing in self.feet.swings.items():
            positions[foot], rotations[foot] = swing.target.position, swing.target.rotation

        def polygon_at(index: int) -> list[Point]:
            key = tuple(loaded[index].tolist())
            if key not in cache:
                feet = [f for f, on in enumerate(key) if on] or self.feet.standing_feet
                cache[key] = inset_vertices(support_vertices(self.body, feet, positions, rotations), inset)
            return cache[key]

        return polygon_at

    def base(self, velocity: VelocityReference) -> VirtualBase:
        """The virtual base of the standing feet, carried on by the velocity reference."""
        standing = self.feet.standing_feet or list(range(self.body.n_feet))
        mid = self.feet.mid_stance - self.time
        stepped = self._speed.corrected(velocity.value, self._speed_gain)
        return virtual_base(self.body, self.feet.centres, mid, standing, self.heading, stepped)

    def landings_for(self, base: VirtualBase, clock: TimeWarp, shift: Array, event: float) -> list[Landing]:
        """Touch-downs within the preview."""
        until = clock.event + (PREVIEW_S - clock.event_time) / clock.period
        return self.feet.off_edges(planned_landings(self.body, base, self.timing.schedule, clock, until, shift, event))

    def preview_for(self, base: VirtualBase, clock: TimeWarp, landings: list[Landing], dt: float) -> Preview:
        """References over the preview."""
        speed = base.velocity if landings else np.zeros(3)
        c, s = math.cos(base.heading), math.sin(base.heading)
        world = np.array([c * speed[0] - s * speed[1], s * speed[0] + c * speed[1]])
        times: Array = dt * np.arange(round(PREVIEW_S / dt) + 1, dtype=np.float64)
        weight = self.timing.weight(clock, times)
        return make_preview(weight, clock.phase_at(times), self.feet.centres, landings, world, self.omega, dt)
