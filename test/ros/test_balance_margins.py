"""ZMP margins of ``wbc/margins``: planned forces and planned accelerations give one point; units are in the names."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wbc_control.model import RobotModel, load_robot
from wbc_control.ros.balance import BalanceObserver
from wbc_control.simulation.backend import InitialState
from wbc_control.simulation.rigid_backend import RigidBackend
from wbc_control.stack import ControlStack


@pytest.mark.parametrize("robot", ["humanoid", "quadruped"])
def test_forces_and_accelerations_of_a_plan_give_one_margin(robot: str) -> None:
    """Within 1 % (in fact to the QP's residual) while the robot is shoved; without feet nothing is defined."""
    parameters = load_robot(robot)
    model = RobotModel.from_parameters(parameters.robot)
    stack, backend = ControlStack(model, parameters), RigidBackend(model, parameters.simulator)
    observer = BalanceObserver(model)
    backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))
    torso = model.pinocchio.frames[model.torso_frame_id].name
    seen = []
    for tick in range(150):
        sample = backend.read_sensors()
        shove = 0.25 * model.weight if 60 < tick < 100 else 0.0
        backend.apply_wrench(torso, np.array([0.3 * shove, shove, 0.0]), np.zeros(3))
        backend.step(stack.tick(sample, None))
        told = stack.output.telemetry
        if tick % 10 == 9 and told.solved:
            contact = stack.estimate.contact.in_contact
            balance = observer.observe(stack.controller.terms, contact, told.foot_wrench, told.acceleration)
            seen.append((balance.zmp_margin, balance.zmp_margin_from_motion, balance.zmp_distance))
    assert len(seen) > 10
    by_force, by_motion, distance = np.array(seen).T
    np.testing.assert_allclose(by_motion, by_force, rtol=0.01, atol=0.0)
    assert ((by_force > 0.2) & (by_force <= 1.0)).all() and (distance < 0.3).all()
    nothing = np.zeros(len(model.feet), dtype=bool)
    lost = observer.observe(stack.controller.terms, nothing, told.foot_wrench, told.acceleration)
    assert math.isnan(lost.zmp_margin) and math.isnan(lost.zmp_margin_from_motion) and math.isnan(lost.zmp_distance)
