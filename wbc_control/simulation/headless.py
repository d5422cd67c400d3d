"""Chooses an off-screen OpenGL for MuJoCo; must run before ``mujoco`` is imported, so it imports nothing of it."""

from __future__ import annotations

import os
import sys

from wbc_control.errors import BackendError

RENDERING_HINT = "install software OpenGL (Debian/Ubuntu: apt-get install libegl1 libgl1-mesa-dri) or set MUJOCO_GL"


def prepare_headless() -> None:
    """Ask MuJoCo for EGL where there is no display and the user has not chosen otherwise.

    Raises:
        BackendError: ``mujoco`` is already imported with another choice.
    """
    if sys.platform != "linux" or os.environ.get("MUJOCO_GL"):
        return
    if "mujoco" in sys.modules:
        raise BackendError("rendering must be prepared before mujoco is imported; set MUJOCO_GL=egl", where="rendering")
    os.environ["MUJOCO_GL"] = "egl"
