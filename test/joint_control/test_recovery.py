"""A robot that sank while the bridge braked stands up again by itself."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")

from wbc_control.joint_control import JointPdBridge
from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.simulation.backend import InitialState
from wbc_control.simulation.mujoco_backend import MujocoBackend
from wbc_control.stack import ControlStack

STOP_MS, SILENCE_MS, END_MS = 700, 200, 2900


@pytest.mark.slow
def test_the_robot_stands_up_after_a_silence_of_commands() -> None:
    parameters = load_robot("humanoid")
    model = RobotModel.from_parameters(parameters.robot)
    backend, stack = MujocoBackend(model, parameters.simulator), ControlStack(model, parameters)
    brake = JointPdBridge(model, parameters.bridge)
    backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))
    heights = []
    for tick in range(END_MS):
        sample = backend.read_sensors()
        effort = stack.tick(sample, None)
        silent = STOP_MS <= tick < STOP_MS + SILENCE_MS
        backend.step(brake.update(sample.time_ns, None, sample.joints) if silent else effort)
        heights.append(backend.ground_truth().q[2])
    standing = model.standing_configuration()[2]
    assert min(heights) < 0.9 * standing, "the silence was long enough to sink"
    assert heights[-1] > 0.97 * standing
