"""1000 QPs a robot, recorded in closed loop through squat, steps and pushes: every back end's solutions judge themselves optimal."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from wbc_control.model.urdf_source import search_roots
from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, QpSolution, create_workspace
from wbc_control.qp.backends import available_backends

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
from wbc_control.simulation.problem_recording import record_problems

NUMBER = 1000
HAS_DATA = any((root / "example-robot-data" / "robots").is_dir() for root in search_roots())
needs_data = pytest.mark.skipif(not HAS_DATA, reason="example-robot-data is not installed (extra `robots`)")
ROBOTS = ["humanoid", "quadruped", *(pytest.param(name, marks=needs_data) for name in ("g1", "go2", "talos"))]
EVERY = {"daqp": 1, "proxqp": 4, "piqp": 20, "quadprog": 10}
"""The slower a back end the fewer of the problems it gets; the default gets all."""


@cache
def recorded(robot: str) -> list[QpProblem]:
    return record_problems(robot, NUMBER)


def residuals(solution: QpSolution, problem: QpProblem) -> tuple[float, float, float]:
    """Primal, absolute; dual and gap relative to the cost's own size."""
    scale = max(1.0, float(np.abs(problem.g).max()))
    size = max(1.0, abs(float(problem.g @ solution.x)))
    return (
        solution.primal_residual(problem),
        solution.dual_residual(problem) / scale,
        solution.duality_gap(problem) / size,
    )


@pytest.mark.slow
@pytest.mark.parametrize("robot", ROBOTS)
def test_solutions_of_recorded_problems_are_optimal(robot: str) -> None:
    problems = recorded(robot)
    assert len(problems) == NUMBER
    for backend in available_backends():
        workspace = create_workspace(SolverParameters(backend=backend, time_budget=0.0, max_iterations=1000))
        worst = np.zeros(3)
        for problem in problems[:: EVERY[backend]]:
            solution = workspace.solve(problem)
            assert solution.solved, backend
            worst = np.maximum(worst, residuals(solution, problem))
        assert worst[0] < 1e-5 and worst[1] < 1e-5 and worst[2] < 1e-4, (backend, worst)


@pytest.mark.slow
@pytest.mark.parametrize("robot", ROBOTS)
def test_recordings_hold_what_they_promise(robot: str) -> None:
    """Both feet, ramps and a foot in the air; constraints that are active."""
    problems = recorded(robot)
    sizes = {(p.variables, p.equalities) for p in problems}
    assert len(sizes) >= 3
    name = "daqp" if "daqp" in available_backends() else "proxqp"
    workspace = create_workspace(SolverParameters(backend=name, time_budget=0.0))
    active = [np.count_nonzero(np.abs(workspace.solve(p).z) > 1e-6) for p in problems[::25]]
    assert max(active) >= 1 and len(set(active)) > 1
