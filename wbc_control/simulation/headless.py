"""Chooses an off-screen OpenGL for MuJoCo, which decides on it once and for all when it is imported."""

from __future__ import annotations

import os
import sys

from wbc_control.errors import BackendError

RENDERING_HINT = "install software OpenGL (Debian/Ubuntu: apt-get install libegl1 libgl1-mesa-dri) or set MUJOCO_GL"


def prepare_headless() -> None:
    """Import MuJoCo with EGL, unless the user has chosen otherwise by ``MUJOCO_GL``.

    Raises:
        BackendError: MuJoCo is not installed, or there is no such OpenGL on this machine.
    """
    if sys.platform == "linux":
        os.environ.setdefault("MUJOCO_GL", "egl")
    try:
        import mujoco  # noqa: F401
    except ModuleNotFoundError as error:
        raise BackendError(f"needs '{error.name}': pip install 'wbc_control[sim]'", where="rendering") from error
    except Exception as error:  # every OpenGL binding fails in its own way
        raise BackendError(f"MuJoCo finds no OpenGL ({error}); {RENDERING_HINT}", where="rendering") from error
