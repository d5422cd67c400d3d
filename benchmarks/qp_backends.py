"""Time of every QP back end on problems recorded in closed loop, all robots; prints Markdown.

    OMP_NUM_THREADS=1 python benchmarks/qp_backends.py [--number 1000] [--robots g1 go2 …] [--repeats 3]

The back ends take turns problem by problem, so that whatever else the machine does hits all of them alike; of
``repeats`` passes the best time of each problem counts.  The default of ``solver.backend: auto`` is the one with the best
p99.9 over all robots.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, create_workspace
from wbc_control.qp.backends import available_backends
from wbc_control.simulation.benchmark import quiet_collector
from wbc_control.simulation.problem_recording import record_problems

ROBOTS = ("g1", "go2", "humanoid", "quadruped", "talos")
PERCENTILES = (50.0, 99.0, 99.9)


def measure(problems: list[QpProblem], repeats: int) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Back end → best time of each problem, µs; back end → problems it did not solve."""
    names = available_backends()
    solvers = {name: create_workspace(SolverParameters(backend=name, time_budget=0.0)) for name in names}
    best = {name: np.full(len(problems), np.inf) for name in names}
    failed = dict.fromkeys(names, 0)
    with quiet_collector():
        for repeat in range(repeats):
            for index, problem in enumerate(problems):
                for name, solver in solvers.items():
                    started = time.perf_counter_ns()
                    solution = solver.solve(problem)
                    best[name][index] = min(best[name][index], 1e-3 * (time.perf_counter_ns() - started))
                    failed[name] += repeat == 0 and not solution.solved
    return best, failed


def row(robot: str, best: dict[str, np.ndarray], failed: dict[str, int]) -> str:
    """One line of the table."""
    cells = [" / ".join(f"{value:.0f}" for value in np.percentile(times, PERCENTILES)) for times in best.values()]
    lost = ", ".join(f"{name} {count}" for name, count in failed.items() if count) or "none"
    return f"| {robot} | {' | '.join(cells)} | {lost} |"


def main() -> None:
    """Record, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=1000, help="problems a robot")
    parser.add_argument("--repeats", type=int, default=3, help="passes over the problems")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    arguments = parser.parse_args()
    print(f"| robot | {' | '.join(available_backends())} | not solved |")
    print("|---" * (2 + len(available_backends())) + "|")
    everything: list[dict[str, np.ndarray]] = []
    lost = dict.fromkeys(available_backends(), 0)
    for robot in arguments.robots:
        best, failed = measure(record_problems(robot, arguments.number), arguments.repeats)
        everything.append(best)
        lost = {name: lost[name] + failed[name] for name in lost}
        print(row(robot, best, failed), flush=True)
    print(row("all", {name: np.concatenate([best[name] for best in everything]) for name in lost}, lost))


if __name__ == "__main__":
    main()
