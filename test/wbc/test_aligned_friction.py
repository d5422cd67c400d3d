"""The aligned pyramid: never more than Coulomb, within 1 % of the exact cone once it has turned, whatever
the direction."""

from __future__ import annotations

import numpy as np
import pytest
from wbc_scene import controller_parameters, estimate, moved, robot, standing_reference

from wbc_control.contact_mechanics.aligned_pyramid import trapezoid_facets
from wbc_control.contact_mechanics.friction_cone import project_cone
from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, create_workspace
from wbc_control.wbc import WholeBodyController
from wbc_control.wbc.contacts import AlignedPyramids

FRICTION = 0.6


def capacity(cone: np.ndarray, angle: float) -> float:
    """Largest tangential force along ``angle`` per newton of normal force."""
    along = cone[:, :2] @ [np.cos(angle), np.sin(angle)]
    return float((-cone[along > 1e-12, 2] / along[along > 1e-12]).min())


def test_cross_section_lies_in_the_circle_and_its_front_comes_close() -> None:
    angles = np.linspace(-np.pi, np.pi, 721)
    sizes = np.array([capacity(trapezoid_facets(FRICTION), angle) for angle in angles]) / FRICTION
    assert sizes.max() <= 1.0 + 1e-12
    assert sizes[np.abs(angles) <= np.radians(8.0)].min() >= 0.99
    assert sizes.min() > 0.5


def test_each_force_turns_its_own_pyramid() -> None:
    pyramids = AlignedPyramids(2, FRICTION)
    pyramids.observe(np.array([[0.0, 3.0, 10.0], [1e-4, -1e-4, 10.0]]))
    np.testing.assert_allclose(pyramids.direction, [[0.0, 1.0], [1.0, 0.0]])
    cone = pyramids.cone()
    assert capacity(cone[:4, :3], np.pi / 2) == pytest.approx(0.990 * FRICTION, rel=1e-3)
    assert capacity(cone[4:, 3:], 0.0) == pytest.approx(0.990 * FRICTION, rel=1e-3)


@pytest.mark.parametrize("angle", np.linspace(0.0, 2.0 * np.pi, 9)[1:])
def test_turns_to_the_exact_solution_from_any_direction(angle: float) -> None:
    """min ‖f − f*‖² over the pyramid, turned after each solve, ends within 1 % of the projection on the exact cone."""
    wanted = np.array([8.0 * np.cos(angle), 8.0 * np.sin(angle), 6.0])
    pyramids, workspace = (
        AlignedPyramids(1, FRICTION),
        create_workspace(SolverParameters(backend="proxqp", tolerance=1e-9)),
    )
    problem = QpProblem.zeros((), ("",) * 4, ("",) * 3)
    problem.H[:], problem.g[:], problem.u[:] = np.eye(3), -wanted, 0.0
    for _ in range(40):
        problem.C[:] = pyramids.cone()
        force = workspace.solve(problem).x
        pyramids.observe(force[None])
    exact = project_cone(wanted, FRICTION)
    assert np.linalg.norm(force - exact) <= 0.01 * np.linalg.norm(exact)


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
def test_the_controller_gets_more_out_of_the_ground(name: str) -> None:
    """Pushed forwards, at the middle of a fixed facet, the aligned cone gives nearly all of Coulomb, the
    fixed one 0.71."""
    model, still = robot(name), standing_reference(robot(name))
    push = np.array([9.0, 0.0, 0.0])
    reached = {}
    for cone in ("inscribed", "aligned"):
        values = {
            "contact__friction": 0.3,
            "contact__friction_margin": 0.0,
            "contact__cone": cone,
            "torso__weight": 0.01,
        }
        controller = WholeBodyController(model, controller_parameters(name, **values))
        for tick in range(40):
            now = estimate(model, model.standing_configuration(), np.zeros(model.nv), tick * 1_000_000)
            output = controller.update(now, moved(still, com_acceleration=push))
        assert output.status.value == "solved"
        reached[cone] = output.telemetry.friction_use
        assert output.telemetry.friction_use <= 1.0 + 1e-4
    assert reached["aligned"] > 0.97
    assert reached["inscribed"] < 0.75
