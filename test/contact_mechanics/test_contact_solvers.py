"""Frictional contact solvers: laws at the solution, agreement with each other, Pinocchio's ADMM and MuJoCo."""
import math

import numpy as np
import pytest

from wbc_control.contact_mechanics import interior_point
from wbc_control.contact_mechanics.contact_problem import ContactProblem
from wbc_control.contact_mechanics.contact_solver import METHODS, candidates, solve
from wbc_control.contact_mechanics.delassus import DenseDelassus
from wbc_control.contact_mechanics.friction_cone import in_cone
from wbc_control.contact_mechanics.polyhedral_friction import polyhedral_lcp, solve_polyhedral
from wbc_control.contact_mechanics.real_time_solver import RealTimeContactSolver
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import DomainError, ShapeError

COULOMB_ONLY = {"split_gauss_seidel", "normal_tangential"}
TOLERANCE = 1e-8


def check_coulomb(problem, solution, atol=1e-6):
    """Signorini, the cone, and maximal dissipation, contact by contact, without the solver's own residual."""
    impulse, velocity = solution.impulse, problem.velocity(solution.impulse)
    np.testing.assert_allclose(velocity, solution.velocity, atol=1e-12)
    assert in_cone(impulse, problem.friction, 1e-9).all()
    assert velocity[:, 2].min() > -atol
    assert np.abs(impulse[:, 2] * velocity[:, 2]).max() < atol
    slip = np.hypot(velocity[:, 0], velocity[:, 1])
    work = (impulse[:, :2] * velocity[:, :2]).sum(axis=1)
    np.testing.assert_allclose(work, -problem.friction * impulse[:, 2] * slip, atol=atol)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("contacts", [1, 4, 16])
def test_every_method_obeys_coulomb(method, contacts, boxes, definite):
    for seed in range(4):
        for problem in (boxes(contacts, seed, dense=seed % 2 == 0), definite(contacts, seed)):
            solution = solve(problem, method, tolerance=TOLERANCE)
            assert solution.status.ok, (seed, solution.residual)
            check_coulomb(problem, solution)
            assert solution.dissipation > -1e-7


@pytest.mark.parametrize("method", sorted(set(METHODS) - COULOMB_ONLY))
def test_relaxed_methods_agree_and_obey_cone_complementarity(method, definite):
    for seed in range(4):
        problem = definite(6, seed, coulomb=False)
        solution = solve(problem, method, tolerance=TOLERANCE)
        assert solution.status.ok
        velocity = solution.velocity
        slip = np.hypot(velocity[:, 0], velocity[:, 1])
        assert (velocity[:, 2] - problem.friction * slip).min() > -1e-7
        assert abs((velocity * solution.impulse).sum()) < 1e-7
        reference = solve(problem, "interior_point", tolerance=1e-10)
        np.testing.assert_allclose(solution.impulse, reference.impulse, atol=1e-6)


def sliding_point(coulomb):
    """A 2 kg point pressed down at 0.3 m/s while it slides at 1 m/s, μ = 0.5."""
    return ContactProblem(DenseDelassus(np.eye(3) / 2.0), np.array([[1.0, 0, -0.3]]), 0.5, coulomb)


@pytest.mark.parametrize("method", sorted(set(METHODS) - COULOMB_ONLY))
def test_de_saxce_on_and_off_closed_form(method):
    """Exact: v_n = 0 and λ_t = −μ λ_n.  Relaxed: the contact lifts off with v_n = μ‖v_t‖."""
    exact = solve(sliding_point(True), method)
    np.testing.assert_allclose(exact.impulse, [[-0.3, 0, 0.6]], atol=1e-7)
    np.testing.assert_allclose(exact.velocity, [[0.85, 0, 0]], atol=1e-7)
    relaxed = solve(sliding_point(False), method)
    assert relaxed.velocity[0, 2] == pytest.approx(0.5 * relaxed.velocity[0, 0], abs=1e-7)
    assert relaxed.velocity[0, 2] > 0.3


def test_interior_point_converges_on_its_own(monkeypatch, definite):
    """Without the polishing Newton steps the outer De Saxcé fixed point must still find Coulomb's law."""
    monkeypatch.setattr(interior_point, "POLISHING_STEPS", 0)
    for seed in range(4):
        solution = solve(definite(4, seed, friction=0.3), "interior_point", tolerance=1e-5)
        assert solution.status.ok
        check_coulomb(definite(4, seed, friction=0.3), solution, atol=1e-4)


@pytest.mark.parametrize("method", sorted(COULOMB_ONLY))
def test_exact_only_methods_refuse_the_relaxation(method):
    with pytest.raises(DomainError):
        solve(sliding_point(False), method)


@pytest.mark.parametrize("seed", range(6))
def test_frictionless_contacts_equal_the_lcp(seed, definite):
    """μ = 0 leaves the normal LCP: enumeration of active sets is the oracle."""
    from test_lcp import enumerate_solutions

    from wbc_control.contact_mechanics.lcp import Lcp

    problem = definite(5, seed, friction=0.0)
    normal = np.arange(2, 15, 3)
    matrix = problem.delassus.dense()
    (expected, *_) = enumerate_solutions(Lcp(matrix[np.ix_(normal, normal)], problem.free_velocity[:, 2]))
    for method in METHODS[1:]:
        found = solve(problem, method, tolerance=1e-9).impulse
        np.testing.assert_allclose(found[:, 2], expected, atol=1e-7)
        np.testing.assert_allclose(found[:, :2], 0.0, atol=1e-12)


def test_polyhedral_lcp_is_inscribed_and_converges_to_the_round_cone(definite):
    problem = definite(4, 3)
    round_cone = solve(problem, tolerance=1e-10).impulse
    size = np.linalg.norm(round_cone)
    for facets in (4, 8, 16, 32):
        contact, lcp = solve_polyhedral(problem, facets=facets)
        assert lcp.status is SolverStatus.CONVERGED
        assert in_cone(contact.impulse, 0.5, 1e-9).all()  # C12
        # Friction points along one of the m directions: up to π/m off the slip.
        assert np.abs(contact.impulse - round_cone).max() < math.sin(math.pi / facets) * size
    assert polyhedral_lcp(problem, 8).size == 4 * 10


def test_residual_is_zero_only_at_a_solution(definite):
    problem = definite(5, 1)
    solution = solve(problem, tolerance=1e-12)
    assert problem.residual(solution.impulse) < 1e-12
    for scale in (1e-3, 1e-1):
        moved = solution.impulse + scale * np.random.default_rng(0).normal(size=(5, 3))
        assert problem.residual(moved) > 1e-2 * scale


def test_turning_contact_frames_about_their_normals_changes_nothing_physical(definite):
    problem = definite(4, 2)
    angles = [0.3, 1.0, -2.0, 0.7]
    turn = np.zeros((12, 12))
    for i, a in enumerate(angles):
        turn[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = [
            [math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1],
        ]
    matrix = turn @ problem.delassus.dense() @ turn.T
    turned = ContactProblem(
        DenseDelassus(0.5 * (matrix + matrix.T)), (turn @ problem.free_velocity.ravel()).reshape(-1, 3), 0.5
    )
    expected = turn @ solve(problem, tolerance=1e-11).impulse.ravel()
    np.testing.assert_allclose(solve(turned, tolerance=1e-11).impulse.ravel(), expected, atol=1e-9)


def test_iteration_limit_is_a_status_with_its_residual(boxes):
    problem = boxes(16)
    for method in METHODS[1:]:
        if method == "interior_point":
            continue
        limited = solve(problem, method, max_iterations=1, tolerance=1e-13)
        assert limited.status is SolverStatus.ITERATION_LIMIT
        assert limited.residual == pytest.approx(problem.residual(limited.impulse))
        assert np.isfinite(limited.impulse).all()


def test_warm_start_ends_at_once(boxes):
    problem = boxes(8)
    solution = solve(problem, tolerance=1e-9)
    for method in set(METHODS) - {"interior_point"}:
        assert solve(problem, method, guess=solution.impulse, tolerance=1e-7).iterations <= 10


def test_auto_follows_size_and_budget(boxes):
    assert candidates(boxes(4))[0] == "newton"
    assert candidates(boxes(256))[0] == "accelerated_gradient"
    limited = solve(boxes(8), budget_s=100e-6)
    assert limited.method == "split_gauss_seidel" and limited.iterations <= 2
    assert solve(boxes(8, coulomb=False), budget_s=1e-3).method == "cone_gauss_seidel"


def test_bad_problems_are_refused(definite):
    good = definite(2)
    for free, mu, error in (
        (np.zeros((3, 3)), 0.5, ShapeError),
        (np.full((2, 3), np.nan), 0.5, DomainError),
        (np.zeros((2, 3)), -0.1, DomainError),
        (np.zeros((2, 3)), [0.5, np.inf], DomainError),
        (np.zeros((2, 3)), [0.5] * 3, ShapeError),
    ):
        with pytest.raises(error):
            ContactProblem(good.delassus, free, mu)
    for options in ({"method": "magic"}, {"tolerance": 0.0}, {"budget_s": -1.0}, {"guess": np.full((2, 3), np.nan)}):
        with pytest.raises(DomainError):
            solve(good, **options)
    with pytest.raises(ShapeError):
        solve(good, guess=np.zeros((3, 3)))


def test_contact_that_no_impulse_can_move_is_reported(boxes):
    """A = 0 with an approaching contact has no solution: the residual says by how much, and nothing loops."""
    stuck = ContactProblem(DenseDelassus(np.zeros((3, 3))), np.array([[0, 0, -1.0]]), 0.5)
    for method in METHODS:
        solution = solve(stuck, method, max_iterations=50)
        assert not solution.status.ok and solution.residual > 0.5


@pytest.mark.parametrize("method", METHODS)
def test_no_contacts(method):
    empty = ContactProblem(DenseDelassus(np.zeros((0, 0))), np.zeros((0, 3)), 0.5)
    solution = solve(empty, method)
    assert solution.status.ok and solution.impulse.shape == (0, 3)


def test_real_time_solver_converges_over_ticks_and_stays_in_the_cone(boxes):
    problem = boxes(8, seed=5, dense=True)
    solver = RealTimeContactSolver(8)
    for _ in range(20):
        answer = solver.solve(problem.delassus.matrix, problem.free_velocity.ravel(), [0.5] * 8)
        assert in_cone(answer.impulse, 0.5, 1e-12).all()
    assert answer.ok
    assert problem.residual(answer.impulse) < 1e-3


def test_real_time_solver_refuses_nan_without_raising(boxes):
    problem = boxes(8, dense=True)
    solver = RealTimeContactSolver(8)
    free = problem.free_velocity.ravel()
    good = solver.solve(problem.delassus.matrix, free, [0.5] * 8)
    for index in (0, 23):
        bad = free.copy()
        bad[index] = np.nan
        answer = solver.solve(problem.delassus.matrix, bad, [0.5] * 8)
        assert not answer.ok and answer.residual == np.inf and (answer.impulse == 0).all()
    answer = solver.solve(np.full((24, 24), np.inf), free, [0.5] * 8)
    assert not answer.ok
    solver.reset()
    np.testing.assert_array_equal(solver.solve(problem.delassus.matrix, free, [0.5] * 8).impulse, good.impulse)


@pytest.mark.parametrize(("newton_steps", "sweeps"), [(1, 2), (3, 0), (0, 4)])
def test_real_time_solver_never_does_more_than_its_fixed_work(boxes, monkeypatch, newton_steps, sweeps):
    """At most so many linear systems of size 3n and sweeps a tick, whatever the load; far fewer when it is at rest."""
    done = {"newton": 0, "sweep": 0}
    for name, counted in (("_newton", "newton"), ("_sweep", "sweep")):
        original = getattr(RealTimeContactSolver, name)

        def count(self, *args, original=original, counted=counted):
            done[counted] += self.sweeps if counted == "sweep" else 1
            return original(self, *args)

        monkeypatch.setattr(RealTimeContactSolver, name, count)
    problem = boxes(8, dense=True)
    rng = np.random.default_rng(4)
    for monotone in (True, False):
        solver = RealTimeContactSolver(8, newton_steps=newton_steps, sweeps=sweeps, monotone=monotone)
        for _ in range(20):
            done.update(newton=0, sweep=0)
            solver.solve(problem.delassus.matrix, problem.free_velocity.ravel() + rng.normal(size=24), [0.5] * 8)
            assert done["newton"] <= newton_steps and done["sweep"] <= sweeps
