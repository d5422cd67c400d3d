"""What every published solution must satisfy: equation of motion, cones, load limits; and absent contacts."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from wbc_scene import (
    HUMANOIDS,
    ROBOTS,
    controller_parameters,
    estimate,
    moved,
    random_velocity,
    robot,
    standing_reference,
    terms_at,
)

from wbc_control.model import RobotModel
from wbc_control.state import PlanSample
from wbc_control.wbc import ControllerOutput, ControllerStatus, WholeBodyController


def disturbed(name: str, seed: int) -> tuple[RobotModel, np.ndarray, np.ndarray, PlanSample]:
    """A standing robot, a little off and moving, asked to push its centre of mass about."""
    model, rng = robot(name), np.random.default_rng(seed)
    q = pin.integrate(model.pinocchio, model.standing_configuration(), 0.01 * rng.standard_normal(model.nv))
    reference = moved(standing_reference(model), com_acceleration=2.0 * rng.standard_normal(3))
    return model, q, random_velocity(model, rng, 0.05), reference


def residual(model: RobotModel, q: np.ndarray, v: np.ndarray, output: ControllerOutput) -> float:
    """‖rnea(q, v, q̈) − Sᵀτ − Jᵀf‖∞ over ‖h‖∞, from the published numbers and a model of its own."""
    data = model.pinocchio.createData()
    needed = pin.rnea(model.pinocchio, data, q, v, output.telemetry.acceleration)
    bias = pin.nonLinearEffects(model.pinocchio, data, q, v)
    given = np.zeros(model.nv)
    given[model.v_index] = output.command.effort
    pin.computeJointJacobians(model.pinocchio, data, q)
    pin.framesForwardKinematics(model.pinocchio, data, q)
    for foot, wrench in zip(model.feet, output.telemetry.foot_wrench):
        J = pin.getFrameJacobian(model.pinocchio, data, foot.frame_id, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        R = data.oMf[foot.frame_id].rotation
        force, moment = (wrench[:3], np.zeros(3)) if foot.is_point else (R @ wrench[:3], R @ wrench[3:])
        if foot.is_point:
            moment = np.cross(R @ foot.corners[0] - [0.0, 0.0, foot.radius], force)
        given += J.T @ np.concatenate([force, moment])
    return float(np.abs(needed - given).max() / np.abs(bias).max())


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"contact__facets": 8},
        {"contact__cone": "aligned"},
        {"priorities": "strict"},
        {"torque_weight": 1.0},
        {"solver__backend": "proxqp"},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ROBOTS)
def test_the_equation_of_motion_holds(name: str, values: dict) -> None:
    """C13, with the armature that rnea takes from the model."""
    for seed in range(3):
        model, q, v, reference = disturbed(name, seed)
        output = WholeBodyController(model, controller_parameters(name, **values)).update(
            estimate(model, q, v), reference
        )
        assert output.status is ControllerStatus.SOLVED, output.telemetry.cause
        assert residual(model, q, v, output) < 1e-6


@pytest.mark.parametrize(
    "values", [{}, {"contact__facets": 8}, {"contact__facets": 16}, {"contact__cone": "aligned"}], ids=str
)
@pytest.mark.parametrize("name", ROBOTS)
def test_friction_use_never_exceeds_one(name: str, values: dict) -> None:
    """C12: hard pushed sideways, an inscribed cone without margin stays within Coulomb's circle."""
    # In the middle between two facets a fixed cone of m facets gives Coulomb in full, at a facet's middle cos(π/m) of it.
    least = np.cos(np.pi / values.get("contact__facets", 4)) - 1e-3
    common = {"contact__friction": 0.3, "contact__friction_margin": 0.0} | values
    controller = WholeBodyController(robot(name), controller_parameters(name, **common))
    for seed in range(12):
        model, q, v, reference = disturbed(name, seed)
        angle = 2.0 * np.pi * seed / 12
        pushed = moved(reference, com_acceleration=np.array([5.0 * np.cos(angle), 5.0 * np.sin(angle), 0.0]))
        controller.reset()
        output = controller.update(estimate(model, q, 0.0 * v), pushed)
        assert output.status is ControllerStatus.SOLVED
        assert least <= output.telemetry.friction_use <= 1.0 + 1e-6


@pytest.mark.parametrize("values", [{}, {"contact__model": "corners"}], ids=str)
@pytest.mark.parametrize("name", ROBOTS)
def test_a_loaded_foot_never_drops_below_its_least_force(name: str, values: dict) -> None:
    """C17: planned force 0, least force kept."""
    model, q, v, reference = disturbed(name, 1)
    planned = reference.normal_force.copy()
    planned[0] = 0.0
    parameters = controller_parameters(name, force_weight=1.0, **values)
    output = WholeBodyController(model, parameters).update(
        estimate(model, q, 0.0 * v), moved(reference, normal_force=planned)
    )
    assert output.status is ControllerStatus.SOLVED
    least = parameters.contact.normal_force_min * model.weight
    assert output.telemetry.foot_wrench[:, 2].min() >= least - 1e-4


@pytest.mark.parametrize("name", HUMANOIDS)
def test_an_inactive_contact_is_an_absent_one(name: str) -> None:
    """C19: weight 0 gives the same solution, bit for bit, whatever is planned for that foot's force."""
    model, q, v, reference = disturbed(name, 2)
    weight, force = np.array([1.0, 0.0]), reference.normal_force.copy()
    results = []
    for planned in (0.0, 500.0):
        force[1] = planned
        parameters = controller_parameters(name)
        output = WholeBodyController(model, parameters).update(
            estimate(model, q, v), moved(reference, contact_weight=weight, normal_force=force.copy())
        )
        assert (output.telemetry.foot_wrench[1] == 0.0).all()
        results.append(output.command.effort)
    np.testing.assert_array_equal(results[0], results[1])


def test_a_hundred_contact_changes_leave_no_trace() -> None:
    """Sizes and solution after 100 lifts and landings are those of a fresh controller."""
    model, q, v, reference = disturbed("humanoid", 4)
    parameters, now = controller_parameters("humanoid"), estimate(model, q, v)
    worn = WholeBodyController(model, parameters)
    for k in range(100):
        worn.update(now, moved(reference, contact_weight=np.array([1.0, 0.5 * (k % 2)])))
    worn.reset()
    fresh = WholeBodyController(model, parameters).update(now, reference)
    np.testing.assert_allclose(worn.update(now, reference).command.effort, fresh.command.effort, atol=1e-6)


def test_a_hundred_changes_of_tasks_and_limits_leave_no_trace() -> None:
    """Tasks, limits and the kind of contact come and go; afterwards sizes and solution are those of a fresh controller."""
    model, q, v, reference = disturbed("humanoid", 6)
    now = estimate(model, q, v)
    plain = controller_parameters("humanoid")
    others = [
        controller_parameters("humanoid", torque_weight=1.0, centre_of_pressure_weight=0.1),
        controller_parameters("humanoid", limits__motor_corner=0.3, limits__motor_no_load=0.8),
        controller_parameters("humanoid", contact__facets=8, contact__yaw_torque=0.1),
        controller_parameters("humanoid", priorities="strict"),
    ]
    worn, fresh = WholeBodyController(model, plain), WholeBodyController(model, plain)
    sizes = set()
    for k in range(100):
        worn.configure(others[k % 4])
        assert worn.update(now, reference).status is not ControllerStatus.DAMPING
        sizes.add((worn.problem(reference).variables, worn.problem(reference).inequalities))
    assert len(sizes) >= 2
    worn.configure(plain)
    worn.reset()
    efforts = [controller.update(now, reference).command.effort for controller in (worn, fresh)]
    one, other = worn.problem(reference), fresh.problem(reference)
    assert (one.variables, one.equality_names, one.inequality_names, one.bound_names) == (
        other.variables,
        other.equality_names,
        other.inequality_names,
        other.bound_names,
    )
    np.testing.assert_array_equal(*efforts)


def test_moving_support_is_followed() -> None:
    """Standing feet accelerate as the plan of constraint says: zero without a moving surface."""
    model, q, v, reference = disturbed("humanoid", 5)
    output = WholeBodyController(model, controller_parameters("humanoid")).update(estimate(model, q, v), reference)
    terms = terms_at(model, q, v)
    decay = controller_parameters("humanoid").contact.stabilisation
    actual = terms.J_foot @ output.telemetry.acceleration + terms.foot_drift
    np.testing.assert_allclose(actual, -decay * terms.foot_velocity, atol=1e-4)
