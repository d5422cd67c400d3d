"""Parameters of soft soles, part of the contact_estimator node."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import parameter


@dataclass(frozen=True)
class SoleParameters:
    """How the soles, or the ground under them, give way."""

    stiffness: float = parameter(
        0.0,
        "normal stiffness of a foot on the ground, 0 for rigid; N/m for the linear law, N/m^1.5 for the Hertz law",
        unit="N/m",
        lower=0.0,
        upper=1e9,
        live=True,
    )
    law: str = parameter("linear", "force over penetration", choices=("linear", "hertz"), live=True)
