"""LCP solvers against enumeration of active sets; exercise 4.5; infeasible, degenerate and bad problems."""
import itertools

import numpy as np
import pytest

from wbc_control.contact_mechanics.lcp import Lcp
from wbc_control.contact_mechanics.lcp_gauss_seidel import (
    jacobi_omega_bound,
    solve_block_gauss_seidel,
    solve_gauss_seidel,
    solve_jacobi,
)
from wbc_control.contact_mechanics.lemke import solve_lemke
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import DomainError, ProblemError, ShapeError


def enumerate_solutions(problem, tolerance=1e-9):
    """Every basic solution: for each set of active indices solve A_aa z_a = −b_a and keep it if feasible."""
    found = []
    for active in itertools.chain.from_iterable(
        itertools.combinations(range(problem.size), k) for k in range(problem.size + 1)
    ):
        index = list(active)
        z = np.zeros(problem.size)
        block = problem.matrix[np.ix_(index, index)]
        if index:
            if np.linalg.matrix_rank(block) < len(index):
                continue
            z[index] = np.linalg.solve(block, -problem.vector[index])
        if problem.residual(z) < tolerance:
            found.append(z)
    return found


def random_lcp(rng, size, rank=None):
    root = rng.normal(size=(size, size if rank is None else rank))
    return Lcp(root @ root.T + (0.1 * np.eye(size) if rank is None else 0.0), rng.normal(size=size))


@pytest.mark.parametrize("seed", range(30))
def test_definite_lcp_against_enumeration(seed):
    rng = np.random.default_rng(seed)
    problem = random_lcp(rng, rng.integers(1, 8))
    (expected,) = {tuple(np.round(z, 9)) for z in enumerate_solutions(problem)}
    blocks = [range(0, problem.size, 2), range(1, problem.size, 2)]
    for solution in (
        solve_lemke(problem),
        solve_gauss_seidel(problem, tolerance=1e-11, max_sweeps=20000),
        solve_jacobi(problem, tolerance=1e-11, max_sweeps=50000),
        solve_block_gauss_seidel(problem, blocks, tolerance=1e-11, max_sweeps=5000),
    ):
        assert solution.status is SolverStatus.CONVERGED
        np.testing.assert_allclose(solution.z, expected, atol=1e-7)
        assert solution.residual == problem.residual(solution.z)


@pytest.mark.parametrize("seed", range(30))
def test_semidefinite_lcp_is_solved_iff_feasible(seed):
    """Erratum: a semidefinite matrix gives a solvable LCP when it is feasible, and only then."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(100 + seed)
    problem = random_lcp(rng, 5, rank=2)
    feasible = linprog(np.zeros(5), A_ub=-problem.matrix, b_ub=problem.vector, method="highs").status == 0
    solution = solve_lemke(problem)
    assert solution.status is (SolverStatus.CONVERGED if feasible else SolverStatus.INFEASIBLE)
    assert feasible == bool(enumerate_solutions(problem, 1e-7))


def test_infeasible_lcp_is_said_to_be_so_by_every_solver():
    problem = Lcp(np.zeros((1, 1)), np.array([-1.0]))
    assert solve_lemke(problem).status is SolverStatus.INFEASIBLE
    for solution in (solve_gauss_seidel(problem), solve_jacobi(problem), solve_block_gauss_seidel(problem, [[0]])):
        assert solution.status is SolverStatus.ITERATION_LIMIT and solution.residual == 1.0


def test_lemke_on_nonsymmetric_and_non_monotone_matrices():
    """A P-matrix that is not symmetric, and a matrix without the property on which a ray means nothing."""
    p_matrix = Lcp(np.array([[1.0, 2, 0], [0, 1, 2], [2, 0, 1]]), -np.ones(3))
    solution = solve_lemke(p_matrix)
    np.testing.assert_allclose(solution.z, 1 / 3)
    hopeless = solve_lemke(Lcp(np.array([[-1.0, 0], [0, -1.0]]), np.array([-1.0, -1.0])))
    assert hopeless.status is SolverStatus.FAILED and hopeless.residual > 0


def test_lemke_on_degenerate_ties_terminates():
    """Many equal entries: the lexicographic rule has to break every tie."""
    for size in (4, 8, 16):
        matrix = np.ones((size, size)) + np.eye(size)
        solution = solve_lemke(Lcp(matrix, -np.ones(size)))
        assert solution.status.ok
        np.testing.assert_allclose(solution.z, 1 / (size + 1))
        flat = solve_lemke(Lcp(np.ones((size, size)), -np.ones(size)))
        assert flat.status.ok and flat.z.sum() == pytest.approx(1.0)


def test_lemke_pivot_limit_is_a_status():
    problem = random_lcp(np.random.default_rng(0), 8)
    problem = Lcp(problem.matrix, -np.abs(problem.vector))
    limited = solve_lemke(problem, max_pivots=2)
    assert limited.status is SolverStatus.ITERATION_LIMIT and limited.residual > 0


def test_warm_start_saves_sweeps():
    problem = random_lcp(np.random.default_rng(1), 20)
    cold = solve_gauss_seidel(problem)
    assert solve_gauss_seidel(problem, guess=cold.z).iterations < cold.iterations / 4
    assert solve_gauss_seidel(problem, guess=-np.ones(20)).status.ok


@pytest.mark.parametrize("omega", [0.3, 1.0, 1.5, 1.95])
def test_exercise_4_5_gauss_seidel_converges_for_omega_below_two(omega):
    for seed in range(5):
        problem = random_lcp(np.random.default_rng(seed), 12)
        assert solve_gauss_seidel(problem, omega=omega, max_sweeps=20000).status.ok


def test_exercise_4_5_jacobi_diverges_where_gauss_seidel_converges():
    """Corrected answer: the printed iteration is projected Jacobi and needs ω < 2/λ_max(D⁻¹A), not ω < 2."""
    matrix = np.full((6, 6), 0.95) + 0.05 * np.eye(6)
    problem = Lcp(matrix, -np.ones(6))
    bound = jacobi_omega_bound(matrix)
    assert bound == pytest.approx(2 / np.linalg.eigvalsh(matrix)[-1]) and bound < 1.0
    assert solve_gauss_seidel(problem, omega=1.0).status.ok
    assert solve_jacobi(problem, omega=0.9 * bound).status.ok
    assert not solve_jacobi(problem, omega=1.0, max_sweeps=500).status.ok


def test_bad_problems_are_refused():
    with pytest.raises(ShapeError):
        Lcp(np.eye(3), np.zeros(2))
    with pytest.raises(ShapeError):
        Lcp(np.zeros((2, 3)), np.zeros(2))
    for bad in (np.nan, np.inf):
        with pytest.raises(DomainError) as caught:
            Lcp(np.array([[1.0, bad], [0, 1]]), np.zeros(2))
        assert caught.value.value == (0, 1)
        with pytest.raises(DomainError):
            Lcp(np.eye(2), np.array([0, bad]))
    skewed = Lcp(np.array([[1.0, 0.5], [0, 1]]), np.zeros(2))
    with pytest.raises(DomainError) as caught:
        solve_gauss_seidel(skewed)
    assert caught.value.value == pytest.approx(0.5) and caught.value.bound is not None
    good = Lcp(np.eye(2), -np.ones(2))
    for omega in (0.0, 2.0, -1.0, np.nan):
        with pytest.raises(DomainError):
            solve_gauss_seidel(good, omega=omega)
    with pytest.raises(ShapeError):
        solve_gauss_seidel(good, guess=np.zeros(3))
    with pytest.raises(ProblemError):
        solve_block_gauss_seidel(good, [[0], [0]])


def test_empty_lcp():
    empty = Lcp(np.zeros((0, 0)), np.zeros(0))
    for solution in (solve_lemke(empty), solve_gauss_seidel(empty), solve_jacobi(empty)):
        assert solution.status.ok and solution.residual == 0.0
