"""Off-screen rendering: the PNG writer against a decoder, a robot in the picture, one clear line without OpenGL."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

from wbc_control.simulation.png import encode_png

SCENARIO = "duration: 0.05\n"


def _decode(data: bytes) -> np.ndarray:
    """Pixels of an RGB PNG without filters, every checksum verified."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, body, shape = 8, b"", (0, 0)
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        chunk = data[place + 8 : place + 8 + length]
        assert struct.unpack(">I", data[place + 8 + length : place + 12 + length])[0] == zlib.crc32(kind + chunk)
        if kind == b"IHDR":
            width, height = struct.unpack(">II", chunk[:8])
            shape = (height, width)
        elif kind == b"IDAT":
            body += chunk
        place += 12 + length
    rows = np.frombuffer(zlib.decompress(body), dtype=np.uint8).reshape(shape[0], 1 + 3 * shape[1])
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(*shape, 3)


def test_png_round_trip() -> None:
    image = np.random.default_rng(0).integers(0, 256, (7, 13, 3), dtype=np.uint8)
    np.testing.assert_array_equal(_decode(encode_png(image)), image)


def _picture(folder: Path, gl: str) -> subprocess.CompletedProcess[str]:
    (folder / "short.yaml").write_text(SCENARIO, encoding="utf-8")
    command = [sys.executable, "-m", "wbc_control.cli.main", "simulate", "short.yaml", "--robot", "humanoid"]
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"MUJOCO_GL": gl, "PYTHONPATH": str(root)}
    return subprocess.run(
        [*command, "--picture", "p.png"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_picture_shows_a_robot_before_the_sky(tmp_path: Path) -> None:
    done = _picture(tmp_path, "egl")
    if "OpenGL" in done.stderr:
        pytest.skip(f"no OpenGL here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    image = _decode((tmp_path / "p.png").read_bytes()).astype(float)
    assert image.shape == (720, 1280, 3)
    column, sky = image[:, 640], image[40, 40]
    assert sky[2] > sky[0] > 80.0  # blue above
    assert np.abs(column - sky).sum(axis=1).max() > 200.0  # something dark or bright stands in the middle


def test_missing_opengl_is_one_clear_line(tmp_path: Path) -> None:
    done = _picture(tmp_path, "nonsense")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "apt-get install libegl1" in done.stderr
