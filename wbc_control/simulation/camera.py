"""Pictures and films of a MuJoCo run, rendered off screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import BackendError
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.headless import RENDERING_HINT
from wbc_control.simulation.mujoco_backend import MujocoBackend
from wbc_control.simulation.mujoco_shapes import GROUND_GROUP, SOLE_GROUP, VISUAL_GROUP

Image = NDArray[np.uint8]

_FRAMES_PER_S = 30
_AZIMUTH_DEG, _ELEVATION_DEG = 140.0, -12.0
_DISTANCE_PER_HEIGHT, _LOOK_AT_SHARE, _LEAST_HEIGHT_M = 2.8, 0.85, 0.45


class Camera:
    """Looks at the robot's base from front left and follows it.

    Args:
        backend: The world, built with visuals.
        width: Pixels.
        height: Pixels.

    Raises:
        BackendError: There is no OpenGL to render with.
    """

    def __init__(self, backend: MujocoBackend, width: int = 1280, height: int = 720) -> None:
        self._backend = backend
        model = backend.mujoco_model
        model.vis.global_.offwidth, model.vis.global_.offheight = width, height
        try:
            self._renderer = mujoco.Renderer(model, height, width)
        except Exception as error:  # every GL binding fails in its own way
            raise BackendError(f"no OpenGL to render with ({error}); {RENDERING_HINT}", where="rendering") from error
        self._view, self._options = mujoco.MjvCamera(), mujoco.MjvOption()
        self._options.geomgroup[:] = 0
        self._options.geomgroup[[GROUND_GROUP, VISUAL_GROUP]] = 1
        if not (model.geom_group == VISUAL_GROUP).any():
            self._options.geomgroup[[SOLE_GROUP, SOLE_GROUP + 1]] = 1

    def _aim(self) -> None:
        """Turn to the base; far enough to see a robot about twice as tall as its base is high."""
        view, base = self._view, self._backend.mujoco_data.xpos[1]
        view.azimuth, view.elevation = _AZIMUTH_DEG, _ELEVATION_DEG
        ground = self._backend.ground.height(float(base[0]), float(base[1]))
        height = max(float(base[2]) - ground, _LEAST_HEIGHT_M)
        view.distance = _DISTANCE_PER_HEIGHT * height
        view.lookat[:] = base[0], base[1], ground + _LOOK_AT_SHARE * height

    def picture(self) -> Image:
        """(height, width, 3) RGB of the present state."""
        self._aim()
        self._renderer.update_scene(self._backend.mujoco_data, self._view, self._options)
        return np.array(self._renderer.render())

    def close(self) -> None:
        """Release the renderer."""
        self._renderer.close()


def save_picture(image: Image, path: Path) -> None:
    """Write an RGB image as PNG.

    Raises:
        BackendError: The file cannot be written.
    """
    from wbc_control.simulation.png import encode_png

    try:
        path.write_bytes(encode_png(image))
    except OSError as error:
        raise BackendError(f"cannot be written: {error.strerror}", where=str(path)) from error


class Film:
    """An observer that writes an MP4 at 30 frames a second of simulated time.

    Args:
        camera: Where the frames come from.
        path: File to write, ending in .mp4.
        period_ns: Control period of the run, ns.

    Raises:
        BackendError: The encoder is not installed.
    """

    def __init__(self, camera: Camera, path: Path, period_ns: int) -> None:
        try:
            import imageio_ffmpeg
        except ModuleNotFoundError as error:
            raise BackendError("--video needs an encoder: pip install imageio-ffmpeg", where=str(path)) from error
        self._camera, self._path = camera, path
        self._every = max(1, round(1e9 / (_FRAMES_PER_S * period_ns)))
        rate = 1e9 / (self._every * period_ns)
        frame = camera.picture()
        self._writer: Any = imageio_ffmpeg.write_frames(
            str(path), (frame.shape[1], frame.shape[0]), fps=rate, macro_block_size=1
        )
        self._writer.send(None)

    def observe(self, period: Period) -> None:
        """Add a frame when it is due."""
        if period.index % self._every == 0:
            self._write(np.ascontiguousarray(self._camera.picture()))

    def _write(self, frame: Image) -> None:
        try:
            self._writer.send(frame)
        except OSError as error:
            raise BackendError(f"the encoder stopped: {error}", where=str(self._path)) from error

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
