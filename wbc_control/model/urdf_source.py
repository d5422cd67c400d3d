"""Finds a robot description and turns it into URDF text: plain files, ``package://`` addresses, xacro.

A ``package://NAME/rest`` address is looked up in this package, in ROS shares (``AMENT_PREFIX_PATH``,
``ROS_PACKAGE_PATH``) and in the share folder that cmeel wheels such as *example-robot-data* bring along
(``<site-packages>/cmeel.prefix/share``; those have no Python module to ask).
"""

from __future__ import annotations

import os
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from wbc_control.errors import ModelError
from wbc_control.model.share import PACKAGE, share_folder, share_root

PACKAGE_SCHEME = "package://"
FILE_SCHEME = "file://"
_HINTS = {
    "example-robot-data": "install this package's extra `robots` (pip install 'wbc_control[robots]')",
}


class UrdfSource(NamedTuple):
    """A robot description, ready to parse.

    Attributes:
        path: File it came from.
        urdf_text: URDF after xacro.
        package_dirs: Folders in which ``package://`` mesh addresses are looked up, each once.
    """

    path: Path
    urdf_text: str
    package_dirs: tuple[Path, ...]


def resolve_urdf(uri: str, arguments: Mapping[str, str] | None = None) -> UrdfSource:
    """Locate, read and expand a robot description.

    Args:
        uri: Path, ``file://`` path, ``package://NAME/rest``, or a name below this package's ``urdf/`` folder.
        arguments: Xacro arguments; must be empty for a plain URDF.

    Raises:
        ModelError: Not found (with the places searched), not readable, not XML, or xacro refused it.
    """
    path = locate(uri)
    text = _expand(path, arguments or {}) if path.suffix == ".xacro" else _read(path, arguments or {})
    _check_is_robot(text, path)
    return UrdfSource(path, text, package_dirs(path))


def locate(uri: str) -> Path:
    """Absolute path of the file that ``uri`` names; errors as :func:`resolve_urdf`."""
    if not uri:
        raise ModelError("names no URDF", where="parameter 'robot.urdf'", value=uri)
    if uri.startswith(PACKAGE_SCHEME):
        return _locate_in_package(uri)
    tried = list(_plain_candidates(uri.removeprefix(FILE_SCHEME)))
    for candidate in tried:
        if candidate.is_file():
            return candidate.resolve()
    searched = " or ".join(str(c) for c in tried)
    raise ModelError(f"robot description '{uri}' not found: there is no file {searched}", value=uri, bound=searched)


def _plain_candidates(name: str) -> Iterator[Path]:
    """This package's own description first, so that a stray file in the working directory cannot replace it."""
    path = Path(name).expanduser()
    if not path.is_absolute() and not name.startswith("."):
        yield share_folder("urdf") / path
    yield path.absolute()


def _locate_in_package(uri: str) -> Path:
    name, _, rest = uri.removeprefix(PACKAGE_SCHEME).partition("/")
    folders = [folder for folder in _package_folders(name) if folder.is_dir()]
    for folder in folders:
        if (folder / rest).is_file():
            return (folder / rest).resolve()
    if folders:
        raise ModelError(f"package '{name}' has no file '{rest}' (looked in {_join(folders)})", where=uri, value=uri)
    hint = _HINTS.get(name, f"install it, or source the ROS workspace that holds '{name}'")
    raise ModelError(f"package '{name}' not found in {_join(_searched(name))}; {hint}", where=uri, value=name)


def _package_folders(name: str) -> Iterator[Path]:
    """Every folder that may be the share folder of package ``name``, most specific first."""
    if name == PACKAGE:
        yield share_root()
    for root in search_roots():
        yield root / name
    for root in _ros_package_path():
        if root.name == name:
            yield root


def _searched(name: str) -> list[Path | str]:
    """What to tell the person: the roots that exist, and the variables that add some."""
    existing: list[Path | str] = [root for root in search_roots() if root.is_dir()]
    return [*existing, "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH"]


def search_roots() -> tuple[Path, ...]:
    """Folders whose children are packages, in search order: ament shares, ROS_PACKAGE_PATH, cmeel shares."""
    roots = [Path(prefix) / "share" for prefix in _path_list("AMENT_PREFIX_PATH")]
    roots += _ros_package_path()
    roots += [Path(entry) / "cmeel.prefix" / "share" for entry in sys.path if entry]
    return tuple(dict.fromkeys(roots))


def package_dirs(path: Path) -> tuple[Path, ...]:
    """Existing folders in which ``package://`` addresses of the file at ``path`` can be looked up.

    The folders above the file come first: a description that was copied together with its meshes finds them.
    """
    above = [folder.parent for folder in path.parents if (folder / "package.xml").is_file()]
    roots = [*above, *search_roots()]
    return tuple(dict.fromkeys(root for root in roots if root.is_dir()))


def _ros_package_path() -> list[Path]:
    return [Path(entry) for entry in _path_list("ROS_PACKAGE_PATH")]


def _path_list(variable: str) -> list[str]:
    return [entry for entry in os.environ.get(variable, "").split(os.pathsep) if entry]


def _read(path: Path, arguments: Mapping[str, str]) -> str:
    if arguments:
        names = ", ".join(arguments)
        raise ModelError(f"is a plain URDF and takes no arguments, got {names}", where=str(path), value=names)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot be read: {error}", where=str(path)) from error


def _expand(path: Path, arguments: Mapping[str, str]) -> str:
    try:
        import xacro
    except ImportError as error:
        raise ModelError("needs the module `xacro` (pip install xacro, or the ROS package)", where=str(path)) from error
    _check_arguments(path, arguments)
    try:
        document = xacro.process_file(str(path), mappings=dict(arguments))
    except Exception as error:  # xacro raises whatever the evaluated expressions raise
        sentence = " ".join(str(error).split()) or type(error).__name__
        raise ModelError(f"xacro refused it: {sentence}", where=str(path)) from error
    return str(document.toprettyxml(indent="  "))


def _check_arguments(path: Path, arguments: Mapping[str, str]) -> None:
    """Xacro ignores an argument that the file does not declare; a misspelt one must not pass."""
    declared = xacro_arguments(path)
    unknown = [name for name in arguments if name not in declared]
    if unknown:
        known = ", ".join(declared) or "none"
        raise ModelError(f"has no xacro argument '{unknown[0]}' (declared: {known})", where=str(path), value=unknown[0])


def xacro_arguments(path: Path) -> dict[str, str]:
    """Name → default of every ``<xacro:arg>`` at the top of the file at ``path``, in its order."""
    root = _parse(_read(path, {}), path)
    return {e.attrib["name"]: e.attrib.get("default", "") for e in root if e.tag.rpartition("}")[2] == "arg"}


def _check_is_robot(text: str, path: Path) -> None:
    tag = _parse(text, path).tag
    if tag != "robot":
        raise ModelError(f"is no URDF: its root is <{tag}>, wanted <robot>", where=str(path), value=tag, bound="robot")


def _parse(text: str, path: Path) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(text.encode("utf-8"))
    except ElementTree.ParseError as error:
        raise ModelError(f"is not valid XML: {error}", where=str(path)) from error


def _join(items: list[Path] | list[Path | str]) -> str:
    return ", ".join(str(item) for item in items)
