"""Residual and time of the contact solvers for 1 to 1000 contacts, and of the calls made at 1 kHz; prints Markdown.

    OMP_NUM_THREADS=1 python benchmarks/contact_solvers.py [--seconds 5]

Boxes with four corners each are thrown on the ground: block-sparse, rank-deficient (12 impulses on 6 velocities).
"""
from __future__ import annotations

import argparse
import sys
import time
import timeit
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "test" / "contact_mechanics"))

from contact_references import pinocchio_impulse, proxqp_lcp

from wbc_control.contact_mechanics.contact_problem import ContactProblem
from wbc_control.contact_mechanics.contact_solver import solve
from wbc_control.contact_mechanics.cop import cop_of_wrench
from wbc_control.contact_mechanics.delassus import DenseDelassus, FactoredDelassus
from wbc_control.contact_mechanics.force_distribution import ForceDistributor
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix
from wbc_control.contact_mechanics.lcp import Lcp, LcpSolution
from wbc_control.contact_mechanics.lcp_gauss_seidel import solve_block_gauss_seidel, solve_gauss_seidel, solve_jacobi
from wbc_control.contact_mechanics.lemke import solve_lemke
from wbc_control.contact_mechanics.margins import capture_margin, zmp_margins
from wbc_control.contact_mechanics.real_time_solver import RealTimeContactSolver
from wbc_control.contact_mechanics.support_plane import horizontal_plane
from wbc_control.contact_mechanics.support_polygon import support_polygon
from wbc_control.contact_mechanics.wrench_cone import in_wrench_cone, rectangle_wrench_cone
from wbc_control.contact_mechanics.zmp import zmp_of_contacts
from wbc_control.spatial import skew

COUNTS = (1, 4, 16, 64, 256, 1000)
METHODS = (
    "auto", "newton", "admm", "interior_point", "split_gauss_seidel", "cone_gauss_seidel", "accelerated_gradient",
)
LEMKE_LIMIT = 256
"""Most contacts for pivoting."""
DENSE_METHODS = {"newton": 256, "admm": 256, "interior_point": 64}
"""Most contacts for which a method of cubic cost is run."""


def thrown_boxes(contacts: int, seed: int = 0, compliance: float = 0.0) -> ContactProblem:
    """Boxes of 1–5 kg with up to four corners on the ground, μ = 0.5; compliance in 1/kg makes the answer unique."""
    rng = np.random.default_rng(seed)
    corners = min(4, contacts)
    boxes = contacts // corners
    factor, columns, free = [], [], []
    for box in range(boxes):
        mass = rng.uniform(1.0, 5.0)
        root = np.sqrt(np.concatenate([[mass] * 3, mass / 60.0 * rng.uniform(0.5, 2.0, 3)]))
        velocity = rng.normal(size=6) * [0.5, 0.5, 0.5, 1, 1, 1] - [0, 0, 1.0, 0, 0, 0]
        for x, y in ((0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15))[:corners]:
            jacobian = np.hstack([np.eye(3), -skew(np.array([x, y, -0.15]))])
            factor.append((jacobian / root).T)
            columns.append(np.arange(6) + 6 * box)
            free.append(jacobian @ velocity)
    operator = FactoredDelassus(np.array(factor), np.array(columns), 6 * boxes, regularisation=compliance)
    return ContactProblem(operator, np.array(free), np.asarray(0.5))


def microseconds(call: Callable[[], object], seconds: float) -> float:
    """CPU time of a call: best mean of batches of 50, as many as fit in ``seconds``; other processes do not count."""
    batch = 50
    taken = max(timeit.timeit(call, number=batch, timer=time.process_time), 1e-5)
    repeats = max(5, int(seconds / taken))
    return min(timeit.repeat(call, number=batch, repeat=repeats, timer=time.process_time)) / batch * 1e6


def solver_table(tolerance: float = 1e-6) -> None:
    """One cold solve per cell: CPU time, residual, iterations."""
    print(f"NCP, cold, to a residual of {tolerance:g} m/s: CPU time (residual, iterations).\n")
    _head()
    for method in METHODS:
        cells = []
        for count in COUNTS:
            if count > DENSE_METHODS.get(method, count):
                cells.append("–")
                continue
            problem = thrown_boxes(count)
            start = time.process_time()
            found = solve(problem, method, tolerance=tolerance)
            taken = time.process_time() - start
            cells.append(f"{taken * 1e3:.1f} ms ({found.residual:.0e}, {found.iterations})")
        print(f"| {method} | " + " | ".join(cells) + " |")


def reference_table(compliance: float = 0.05, tolerance: float = 1e-8) -> None:
    """Contact velocities of every method next to Pinocchio's ADMM, where the answer is unique."""
    print(f"\nNCP with a compliance of {compliance:g} 1/kg, to {tolerance:g} m/s: velocities apart from Pinocchio's ADMM, m/s.\n")
    _head()
    problems = {count: thrown_boxes(count, compliance=compliance) for count in COUNTS}
    known = {count: pinocchio_velocity(problem) for count, problem in problems.items()}
    for method in METHODS:
        cells = []
        for count in COUNTS:
            if count > DENSE_METHODS.get(method, count):
                cells.append("–")
                continue
            found = solve(problems[count], method, tolerance=tolerance)
            cells.append(f"{np.abs(found.velocity - known[count][0]).max():.0e}")
        print(f"| {method} | " + " | ".join(cells) + " |")
    row = [f"{taken * 1e3:.1f} ms ({residual:.0e})" for _, residual, taken in known.values()]
    print("| Pinocchio's ADMM, box by box: CPU time (residual) | " + " | ".join(row) + " |")


def _head() -> None:
    print("| method | " + " | ".join(str(n) for n in COUNTS) + " |")
    print("|---|" + "---|" * len(COUNTS))


def pinocchio_velocity(problem: ContactProblem) -> tuple[np.ndarray, float, float]:
    """Contact velocities (n, 3) by Pinocchio's ADMM, one box after the other, their residual, m/s, and the CPU time, s."""
    operator = problem.delassus
    assert isinstance(operator, FactoredDelassus)
    corners = min(4, problem.contacts)
    start, impulses = time.process_time(), []
    for at in range(0, problem.contacts, corners):
        own = slice(at, at + corners)
        box = FactoredDelassus(operator.factor[own], regularisation=operator.epsilon)
        impulses.append(pinocchio_impulse(ContactProblem(box, problem.free_velocity[own], problem.friction[own]), "ADMM"))
    taken = time.process_time() - start
    impulse = np.vstack(impulses)
    return problem.velocity(impulse), problem.residual(impulse), taken


def lcp_table(tolerance: float = 1e-6) -> None:
    """Normal impulses of the same boxes without friction, next to ProxQP."""
    print("\nLCP (the same boxes without friction): CPU time (residual; velocities apart from ProxQP's).\n")
    _head()
    methods: dict[str, Callable[[Lcp], LcpSolution]] = {
        "Lemke": solve_lemke,
        "Gauss–Seidel": lambda lcp: solve_gauss_seidel(lcp, tolerance=tolerance, max_sweeps=2000),
        "Gauss–Seidel, blocks of four": lambda lcp: solve_block_gauss_seidel(lcp, _fours(lcp.size), tolerance=tolerance),
        "Jacobi": lambda lcp: solve_jacobi(lcp, tolerance=tolerance, max_sweeps=2000),
    }
    cells: dict[str, list[str]] = {name: [] for name in [*methods, "ProxQP"]}
    for count in COUNTS:
        lcp = frictionless(count)
        start = time.process_time()
        reference = lcp.matrix @ proxqp_lcp(lcp.matrix, lcp.vector) + lcp.vector
        cells["ProxQP"].append(f"{(time.process_time() - start) * 1e3:.1f} ms")
        for name, method in methods.items():
            if name == "Lemke" and count > LEMKE_LIMIT:
                cells[name].append("–")
                continue
            start = time.process_time()
            found = method(lcp)
            taken = time.process_time() - start
            apart = np.abs(found.w - reference).max()
            cells[name].append(f"{taken * 1e3:.1f} ms ({found.residual:.0e}; {apart:.0e})")
    for name, row in cells.items():
        print(f"| {name} | " + " | ".join(row) + " |")


def frictionless(contacts: int) -> Lcp:
    """The normal problem of the thrown boxes."""
    problem = thrown_boxes(contacts)
    return Lcp(problem.delassus.dense()[2::3, 2::3], problem.free_velocity[:, 2])


def _fours(size: int) -> list[list[int]]:
    return [list(range(at, min(at + 4, size))) for at in range(0, size, 4)]


def memory_table() -> None:
    """Bytes of the two operators."""
    print("\n| operator | " + " | ".join(str(n) for n in COUNTS) + " |")
    print("|---|" + "---|" * len(COUNTS))
    factored, dense = [], []
    for count in COUNTS:
        operator = thrown_boxes(count).delassus
        assert isinstance(operator, FactoredDelassus) and operator.columns is not None
        factored.append(f"{(operator.factor.nbytes + operator.columns.nbytes) / 1e3:.1f} kB")
        dense.append(f"{72 * count * count / 1e3:.1f} kB")
    print("| factored | " + " | ".join(factored) + " |")
    print("| dense | " + " | ".join(dense) + " |")


def real_time_rows(seconds: float) -> list[tuple[str, Callable[[], object], str]]:
    """The calls of the 1 kHz loop with their inputs bound."""
    problem = thrown_boxes(8)
    matrix = DenseDelassus(problem.delassus.dense()).matrix
    free = problem.free_velocity.ravel()
    friction = [0.5] * 8
    solver = RealTimeContactSolver(8)

    def cold() -> object:
        solver.reset()
        return solver.solve(matrix, free, friction)

    rng = np.random.default_rng(0)
    points = np.column_stack([rng.normal(size=(16, 2)), np.zeros(16)])
    forces = np.tile([1.0, 2.0, 30.0], (16, 1))
    plane = horizontal_plane()
    polygon = support_polygon(points, plane)
    zmp = zmp_of_contacts(forces, points, plane)
    cone = rectangle_wrench_cone(0.1, 0.05, 0.7)
    wrench = np.array([1.0, 2, 100, 1, -1, 0.5])
    com = np.array([0.0, 0, 0.8])
    corners = np.array([[x, y, 0.0] for y in (0.14, 0.06, -0.06, -0.14) for x in (0.12, -0.08)])
    distributor, grasp = ForceDistributor(0.6, 8), grasp_matrix(corners, com)
    weight = np.array([0, 0, 350.0, 0, 0, 0])
    return [
        ("real-time contact solver, 8 contacts, cold (1 Newton + 2 sweeps)", cold, "150"),
        ("support polygon, 16 points", lambda: support_polygon(points, plane), "50"),
        ("ZMP of 16 contact forces", lambda: zmp_of_contacts(forces, points, plane), "50"),
        ("ZMP margins", lambda: zmp_margins(zmp, polygon, (0.0, 0.0), 0.5), "50"),
        ("capture margin", lambda: capture_margin(com, com, polygon), "50"),
        ("CoP of a wrench", lambda: cop_of_wrench(wrench), "50"),
        ("wrench cone membership, 16 rows", lambda: in_wrench_cone(cone, wrench), "50"),
        ("force distribution, 8 corners", lambda: distributor.distribute(grasp, weight), "–"),
    ]


def tracking_table() -> None:
    """Residuals of the fixed-work solver, warm-started over changing loads, for several splits of the work."""
    print("\n| Newton steps, sweeps | median residual, m/s | 90 % | worst |\n|---|---|---|---|")
    for newton_steps, sweeps in ((0, 2), (0, 5), (1, 0), (1, 2), (2, 0)):
        residuals = np.array(track(newton_steps, sweeps))
        median, most = np.median(residuals), np.quantile(residuals, 0.9)
        print(f"| {newton_steps}, {sweeps} | {median:.1e} | {most:.1e} | {residuals.max():.1e} |")


def track(newton_steps: int, sweeps: int, mechanisms: int = 8, ticks: int = 60) -> list[float]:
    """Two feet of four corners on random 18-velocity mechanisms under a swaying, noisy load."""
    rng = np.random.default_rng(3)
    levers = [(foot, np.array([x, y, 0.0])) for foot in (0, 1) for x in (-0.05, 0.1) for y in (-0.04, 0.04)]
    residuals = []
    for _ in range(mechanisms):
        root = rng.normal(size=(18, 18))
        mass = root @ root.T + 18 * np.eye(18)
        feet = rng.normal(size=(2, 6, 18))
        jacobian = np.vstack([np.hstack([np.eye(3), -skew(lever)]) @ feet[foot] for foot, lever in levers])
        matrix = jacobian @ np.linalg.solve(mass, jacobian.T)
        matrix = 0.5 * (matrix + matrix.T)
        load = jacobian.T @ (np.tile([0, 0, -1.0], 8) + 0.3 * rng.normal(size=24))
        solver = RealTimeContactSolver(8, newton_steps=newton_steps, sweeps=sweeps)
        for tick in range(ticks):
            force = load * (1 + 0.3 * np.sin(0.1 * tick)) + 0.05 * rng.normal(size=18)
            free = 0.05 * jacobian @ np.linalg.solve(mass, force)
            residuals.append(solver.solve(matrix, free, [0.6] * 8).residual)
    return residuals


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for all 1 kHz rows together")
    seconds = parser.parse_args().seconds
    print("| call | µs of CPU | bar, µs |\n|---|---|---|")
    rows = real_time_rows(seconds)
    for name, call, bar in rows:
        print(f"| {name} | {microseconds(call, seconds / len(rows)):.1f} | {bar} |")
    print()
    solver_table()
    reference_table()
    lcp_table()
    memory_table()
    tracking_table()


if __name__ == "__main__":
    main()
