"""The planner: estimate and velocity command in, a horizon of whole-body references out, 100 times a second."""
from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.body import PlanningBody
from wbc_control.planning.horizon import make_plan, sample_times
from wbc_control.planning.observation import Observation, Observer
from wbc_control.planning.stance import Stance
from wbc_control.planning.standing import Standing
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
        self._standing: Standing | None = None
        self._time_ns = 0
        self._said_clipped = False

    def update(self, observation: Observation, command: VelocityCommand | None, parameters: PlannerParameters) -> Plan:
        """The plan from ``observation`` on."""
        dt = 1e-9 * (observation.time_ns - self._time_ns)
        self._time_ns = observation.time_ns
        if self._standing is None or not 0.0 <= dt <= MAXIMUM_GAP_S:
            self._standing = self._stand(observation, parameters)
        else:
            self._standing.advance(dt, parameters)
        return self._plan(self._standing, parameters)

    def _stand(self, observation: Observation, parameters: PlannerParameters) -> Standing:
        com = (observation.com, observation.com_velocity, np.zeros(3))
        return Standing(Stance.latch(self.body, observation), com, observation.torso_rotation, parameters)

    def _plan(self, standing: Standing, parameters: PlannerParameters) -> Plan:
        times = sample_times(parameters.rate, parameters.horizon)
        com = standing.com(times, parameters)
        self._say_clipped(standing.clipped)
        return make_plan(self._time_ns, times, com, standing.torso(times), standing.feet(com))

    def _say_clipped(self, clipped: bool) -> None:
        if clipped and not self._said_clipped:
            self.notices.append("motion.amplitude is more than the support allows; it is cut so that the ZMP stays inside")
        self._said_clipped = clipped
