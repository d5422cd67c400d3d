"""An edge on the ground: forces at its two ends, five motions forbidden, free to turn about the edge."""

from __future__ import annotations

import numpy as np

from wbc_control.errors import ParameterError
from wbc_control.parameters.controller import FootContactParameters
from wbc_control.wbc.contacts.contact import Array
from wbc_control.wbc.contacts.corner_contact import CornerContact


class LineContact(CornerContact):
    """As :class:`CornerContact` with corners on one line: the moment about the line is neither given nor
    constrained."""

    def _motion_rows(self, own: FootContactParameters) -> Array:
        if own.released:
            raise ParameterError(
                "an edge has no axes to release", where=f"contact.feet.{self.name}.released", value=own.released
            )
        left, sizes, _ = np.linalg.svd(self._grasp)
        rank = int((sizes > 1e-9 * sizes[0]).sum())
        return np.asarray(left[:, :rank].T @ np.linalg.pinv(self._spread), dtype=np.float64)
