"""Where this package's shared files lie: robot parameters, robot descriptions, scenarios, launch files.

In a source tree (checkout, ``pip install -e``, colcon with symlinks) they lie beside the Python package; installed by
pip or colcon they lie in ``<prefix>/share/wbc_control``.  Nothing here depends on the current directory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from wbc_control.errors import ModelError, ParameterError

PACKAGE = "wbc_control"
CONFIG_SUFFIX = ".yaml"


def share_root() -> Path:
    """Folder that holds ``config/``, ``urdf/`` and ``launch/``.

    Raises:
        ModelError: The package was installed without its shared files.
    """
    return _find_root(os.environ.get("AMENT_PREFIX_PATH", ""))


@lru_cache(maxsize=4)
def _find_root(ament_prefix_path: str) -> Path:
    package_folder = Path(__file__).resolve().parents[1]
    candidates = list(_candidates(package_folder, ament_prefix_path))
    for candidate in candidates:
        if (candidate / "package.xml").is_file() and (candidate / "config").is_dir():
            return candidate
    searched = ", ".join(str(c) for c in candidates)
    raise ModelError(f"{PACKAGE}'s config/ and urdf/ are not installed; reinstall the package (searched {searched})")


def _candidates(package_folder: Path, ament_prefix_path: str) -> Iterator[Path]:
    """The source tree first, then every prefix above the package (pip, --user, --target, colcon), then ROS prefixes."""
    yield package_folder.parent
    for folder in package_folder.parents:
        yield folder / "share" / PACKAGE
    for prefix in filter(None, ament_prefix_path.split(os.pathsep)):
        yield Path(prefix) / "share" / PACKAGE


def share_folder(kind: str) -> Path:
    """One of the shared folders: ``config``, ``config/scenarios``, ``urdf`` or ``launch``.

    Raises:
        ModelError: There is no such folder.
    """
    folder = share_root() / kind
    if not folder.is_dir():
        raise ModelError(f"has no folder '{kind}'", where=str(share_root()), value=kind)
    return folder


def known_robots() -> tuple[str, ...]:
    """Names that :func:`config_path` accepts, sorted: the parameter files in ``config/``."""
    return tuple(sorted(path.stem for path in share_folder("config").glob(f"*{CONFIG_SUFFIX}")))


def config_path(name: str) -> Path:
    """Parameter file of a robot by its name (``g1``).

    Raises:
        ParameterError: No such robot; names the known ones.
    """
    if name not in known_robots():
        known = ", ".join(known_robots())
        message = f"unknown robot '{name}'; known are {known}, or give a parameter file"
        raise ParameterError(message, value=name, bound=known)
    return share_folder("config") / f"{name}{CONFIG_SUFFIX}"
