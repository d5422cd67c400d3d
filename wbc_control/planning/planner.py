"""The planner: estimate and velocity command in, a horizon of whole-body references out, 100 times a second."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.body import PlanningBody
from wbc_control.planning.gaits import GAITS, foot_places
from wbc_control.planning.horizon import make_plan, sample_times
from wbc_control.planning.observation import Observation, Observer
from wbc_control.planning.schedule import make_schedule
from wbc_control.planning.stance import Stance
from wbc_control.planning.standing import Standing
from wbc_control.planning.stepping import Stepping
from wbc_control.planning.stepping_references import stepping_references
from wbc_control.planning.velocity import VelocityReference
from wbc_control.spatial import GRAVITY_M_S2, Array, yaw_matrix
from wbc_control.state import Estimate, Plan, VelocityCommand

MAXIMUM_GAP_S = 0.25
"""Longer silence between two plans makes the planner start anew from the measured state, s."""


class Planner:
    """Plans for any robot with feet.

    Args:
        model: The robot.
        parameters: Read anew at every update; the owner may replace the whole object while the robot moves.
        friction: Coulomb coefficient the plan may count on.
    """

    def __init__(self, model: RobotModel, parameters: PlannerParameters, friction: float) -> None:
        self.parameters = parameters
        self.friction = friction
        self._core = PlannerCore(PlanningBody.from_model(model), friction)
        self._observer = Observer(Kinodynamics(model))

    def reset(self) -> None:
        """Forget the robot: the next healthy estimate starts afresh."""
        self._core.reset()

    def update(self, estimate: Estimate, command: VelocityCommand | None) -> Plan | None:
        """The plan from ``estimate`` on; None while the estimate is not healthy (the consumer then holds still)."""
        observation = self._observer.observe(estimate)
        if observation is None:
            return None
        return self._core.update(observation, command, self.parameters)

    def take_notices(self) -> list[str]:
        """Sentences for the user (a command clipped, a step refused), each said once when it begins."""
        notices, self._core.notices = self._core.notices, []
        return notices


class PlannerCore:
    """The planner without joints: runs on observations, so that a pendulum can stand in for the robot in tests.

    Args:
        body: The robot as planning sees it.
        friction: Coulomb coefficient the plan may count on.
    """

    def __init__(self, body: PlanningBody, friction: float) -> None:
        self.body = body
        self.friction = friction
        self.notices: list[str] = []
        self.reset()

    def reset(self) -> None:
        """Forget the robot."""
        self.standing: Standing | None = None
        self.stepping: Stepping | None = None
        self.velocity = VelocityReference()
        self._time_ns = 0
        self._said: set[str] = set()

    def update(self, observation: Observation, command: VelocityCommand | None, parameters: PlannerParameters) -> Plan:
        """The plan from ``observation`` on."""
        dt = 1e-9 * (observation.time_ns - self._time_ns)
        self._time_ns = observation.time_ns
        if (self.standing is None and self.stepping is None) or not 0.0 <= dt <= MAXIMUM_GAP_S:
            self._start_anew(observation, parameters)
        else:
            self._advance(dt, observation, command, parameters)
        return self._stand_plan(parameters) if self.stepping is None else self._step_plan(self.stepping, parameters)

    def _start_anew(self, observation: Observation, parameters: PlannerParameters) -> None:
        com = (observation.com, observation.com_velocity, np.zeros(3))
        stance = Stance.latch(self.body, observation)
        self.standing = Standing(stance, com, observation.torso_rotation, parameters, self.friction)
        self.stepping, self.velocity = None, VelocityReference()

    def _advance(
        self, dt: float, observation: Observation, command: VelocityCommand | None, parameters: PlannerParameters
    ) -> None:
        self.velocity.take(command, self._time_ns, self._speed_limits(parameters), parameters)
        self._say(self.velocity.clipped, "the commanded velocity is beyond the limits of robot or gait; it is clipped")
        if self.stepping is None:
            assert self.standing is not None
            self.standing.advance(dt, parameters)
            if self._must_step(self.standing, observation, parameters):
                self._leave_standing(self.standing, observation, parameters)
            return
        self.velocity.advance(dt, parameters)
        self.stepping.advance(dt, observation, self.velocity, parameters)
        self._say(bool(self.stepping.timing.notice), self.stepping.timing.notice)
        self.stepping.timing.notice = ""
        if self.stepping.finished:
            self._return_to_standing(self.stepping, observation, parameters)

    def _must_step(self, standing: Standing, observation: Observation, parameters: PlannerParameters) -> bool:
        """A commanded motion once the start is over, or a DCM far from its plan."""
        gait = parameters.gait
        marches = gait.march or (gait.name in GAITS and GAITS[gait.name].marches)
        if standing.started and gait.name != "stand" and (self.velocity.wants_motion or marches):
            return True
        return standing.started and self._pushed(standing, observation, parameters)

    def _pushed(self, standing: Standing, observation: Observation, parameters: PlannerParameters) -> bool:
        # Where no step may follow, the standing reference pulls harder than one that yields to the measured state.
        if not parameters.balance.stepping:
            return False
        omega = math.sqrt(GRAVITY_M_S2 / self.body.com_height)
        planned = standing.com(np.zeros(1), parameters)
        gap = observation.com[:2] - planned.position[0, :2]
        gap = gap + (observation.com_velocity[:2] - planned.velocity[0, :2]) / omega
        return float(np.hypot(*gap)) > parameters.balance.leave_margin

    def _leave_standing(self, standing: Standing, observation: Observation, parameters: PlannerParameters) -> None:
        com = standing.com(np.zeros(1), parameters)
        state = (com.position[0], com.velocity[0], com.acceleration[0])
        pushed = self._pushed(standing, observation, parameters)
        if pushed:
            state = (observation.com, observation.com_velocity, com.acceleration[0])
        heading = standing.stance.heading
        self.stepping = Stepping(standing.stance, state, heading, parameters, self.friction)
        self.stepping.advance(0.0, observation, self.velocity, parameters)
        self.standing = None

    def _return_to_standing(self, stepping: Stepping, observation: Observation, parameters: PlannerParameters) -> None:
        stance = Stance(self.body, stepping.feet.positions, stepping.feet.rotations)
        com = stepping.com_boundary()
        torso = yaw_matrix(stepping.heading) @ self.body.torso_rotation
        self.standing = Standing(stance, com, torso, parameters, self.friction)
        self.stepping, self.velocity = None, VelocityReference()

    def _speed_limits(self, parameters: PlannerParameters) -> Array:
        """(4,) forward, backward, lateral, yaw: speeds at which footsteps still lie within nine tenths of the reach."""
        if self.body.n_feet not in (2, 4):
            return np.zeros(4)  # no gait, no way to go
        gait = GAITS.get(parameters.gait.name, GAITS["walk"])
        omega = math.sqrt(GRAVITY_M_S2 / self.body.com_height)
        stance = make_schedule(gait, foot_places(self.body), omega, parameters.gait).stance_time
        reach = (
            1.8
            * self.body.com_height
            / stance
            * np.array([parameters.step.reach_forward, parameters.step.reach_lateral])
        )
        turn = 1.2 / stance
        return np.array([reach[0], reach[0], reach[1], turn])

    def _stand_plan(self, parameters: PlannerParameters) -> Plan:
        assert self.standing is not None
        times = sample_times(parameters.rate, parameters.horizon)
        com = self.standing.com(times, parameters)
        cut = "motion.amplitude is more than support or friction allow; it is cut so that the feet can make the forces"
        self._say(self.standing.clipped, cut)
        return make_plan(self._time_ns, times, com, self.standing.torso(times), self.standing.feet(com))

    def _step_plan(self, stepping: Stepping, parameters: PlannerParameters) -> Plan:
        times = sample_times(parameters.rate, parameters.horizon)
        com, torso, feet = stepping_references(stepping, self.velocity, parameters, times)
        return make_plan(self._time_ns, times, com, torso, feet)

    def _say(self, when: bool, sentence: str) -> None:
        """Add a notice when ``when`` becomes true; say it again only after it was false."""
        if when and sentence and sentence not in self._said:
            self.notices.append(sentence)
        if when:
            self._said.add(sentence)
        else:
            self._said.discard(sentence)
