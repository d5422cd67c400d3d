"""QP solvers by the name the parameters use."""
from __future__ import annotations

from collections.abc import Callable

from wbc_control.errors import ParameterError
from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp.proxqp_workspace import ProxQpWorkspace
from wbc_control.qp.workspace import QpWorkspace

_BACKENDS: dict[str, Callable[[float, int], QpWorkspace]] = {"proxqp": ProxQpWorkspace}


def create_workspace(parameters: SolverParameters) -> QpWorkspace:
    """A workspace of the solver that ``parameters.backend`` names.

    Raises:
        ParameterError: No such solver.
    """
    backend = _BACKENDS.get(parameters.backend)
    if backend is None:
        bound = ", ".join(_BACKENDS)
        raise ParameterError(f"no QP solver '{parameters.backend}': choose {bound}", where="solver.backend", value=parameters.backend, bound=bound)
    return backend(parameters.tolerance, parameters.max_iterations)
