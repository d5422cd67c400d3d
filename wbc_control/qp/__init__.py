"""Quadratic programs: problem, solution, and one workspace contract for all solvers."""

from wbc_control.qp.backends import create_workspace, predicting_workspace
from wbc_control.qp.factored_cost import FactoredCost
from wbc_control.qp.problem import QpProblem
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace

__all__ = [
    "FactoredCost",
    "QpProblem",
    "QpSolution",
    "QpStatus",
    "QpWorkspace",
    "create_workspace",
    "predicting_workspace",
]
