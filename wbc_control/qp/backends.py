"""QP solvers by the name the parameters use, imported when first asked for."""

from __future__ import annotations

import importlib
import importlib.util

from wbc_control.errors import ParameterError
from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp.predicting_workspace import PredictingWorkspace
from wbc_control.qp.workspace import QpWorkspace

AUTOMATIC = "auto"
_BACKENDS = {
    "proxqp": ("proxsuite", "wbc_control.qp.proxqp_workspace", "ProxQpWorkspace"),
    "daqp": ("daqp", "wbc_control.qp.daqp_workspace", "DaqpWorkspace"),
    "piqp": ("piqp", "wbc_control.qp.piqp_workspace", "PiqpWorkspace"),
    "quadprog": ("quadprog", "wbc_control.qp.quadprog_workspace", "QuadprogWorkspace"),
}
_PREFERENCE = ("daqp", "proxqp")
"""By p99.9 on recorded whole-body problems of all robots (docs/whole_body_qp.md)."""


def available_backends() -> tuple[str, ...]:
    """Names of the solvers that are installed."""
    return tuple(name for name, (module, _, _) in _BACKENDS.items() if importlib.util.find_spec(module))


def resolve_backend(name: str) -> str:
    """The solver that ``auto`` means here, or ``name`` itself."""
    if name != AUTOMATIC:
        return name
    installed = available_backends()
    return next((candidate for candidate in _PREFERENCE if candidate in installed), "proxqp")


def create_workspace(parameters: SolverParameters) -> QpWorkspace:
    """A workspace of the solver that ``parameters.backend`` names.

    Raises:
        ParameterError: No such solver, or it is not installed.
    """
    name = resolve_backend(parameters.backend)
    if name not in _BACKENDS:
        bound = ", ".join((AUTOMATIC, *_BACKENDS))
        raise ParameterError(f"no QP solver '{name}': choose {bound}", where="solver.backend", value=name, bound=bound)
    module, home, cls = _BACKENDS[name]
    if importlib.util.find_spec(module) is None:
        message = f"the QP solver '{name}' is not installed: pip install {module}, or choose {', '.join(available_backends())}"
        raise ParameterError(message, where="solver.backend", value=name)
    workspace: type[QpWorkspace] = getattr(importlib.import_module(home), cls)
    return workspace(parameters.tolerance, parameters.max_iterations, parameters.time_budget)


def predicting_workspace(parameters: SolverParameters) -> QpWorkspace:
    """Likewise, the solver being asked only where its last active set does not answer.

    Raises:
        ParameterError: As :func:`create_workspace`.
    """
    return PredictingWorkspace(create_workspace(parameters))
