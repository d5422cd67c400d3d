"""Every error this package raises on purpose, in one tree.

::

    WbcError
    ├── ParameterError        a parameter value, file or name is unusable
    ├── ModelError            the robot description is unusable
    ├── ScenarioError         a scenario file is unusable
    ├── ShapeError            an array of the wrong shape crossed a border
    ├── DomainError           a mathematical argument is outside its domain
    ├── ProblemError          an optimisation problem is malformed
    └── BackendError          a simulator or a piece of middleware is missing or broke

Each carries what a person needs to mend the input: ``where`` it was found, the offending ``value`` and the
``bound`` it broke.  Inside the 1 kHz loop nothing raises: components return a status and a documented fallback.
"""

from __future__ import annotations


class WbcError(Exception):
    """Root of the tree: one sentence, plus the value and the bound it broke.

    Args:
        message: One sentence that says what is wrong and what to do about it.
        where: File, parameter, link or argument the value came from.
        value: The offending value.
        bound: The bound it broke, in words or as a number.
    """

    def __init__(self, message: str, *, where: str = "", value: object = None, bound: object = None) -> None:
        super().__init__(message)
        self.where = where
        self.value = value
        self.bound = bound

    def __str__(self) -> str:
        """The sentence, led by the place where there is one."""
        message = super().__str__()
        return f"{self.where}: {message}" if self.where else message


class ParameterError(WbcError):
    """A parameter value, name or file is unusable."""


class ModelError(WbcError):
    """The robot description is unusable (missing link, no inertia, zero limit, unknown joint)."""


class ScenarioError(WbcError):
    """A scenario file is unusable."""


class ShapeError(WbcError):
    """An array of the wrong shape, type or finiteness crossed a border between components."""


class DomainError(WbcError):
    """A mathematical argument is outside its domain (negative friction, non-finite matrix, empty polygon)."""


class ProblemError(WbcError):
    """An optimisation problem is malformed (sizes that disagree, crossed bounds)."""


class BackendError(WbcError):
    """A simulator, renderer or middleware is missing or failed."""
