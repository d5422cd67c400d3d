"""What a URDF says about single links that the joint-wise model has merged: fixed children, inertia, visuals."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin

from wbc_control.spatial import roll_pitch_yaw_to_matrix


@dataclass(frozen=True)
class Visual:
    """One visual or collision shape of a link.

    Attributes:
        link: Name of the link.
        placement: Pose in the link frame.
        shape: ``box``, ``sphere``, ``cylinder`` or ``mesh``.
        size: Box: full sides; sphere: radius; cylinder: radius, length; mesh: scale.  m.
        mesh: Mesh address as written, empty for primitives.
        rgba: Colour, 0..1.
    """

    link: str
    placement: pin.SE3
    shape: str
    size: tuple[float, ...]
    mesh: str
    rgba: tuple[float, ...]


class UrdfLinks:
    """Links of one URDF text."""

    def __init__(self, urdf_text: str) -> None:
        self._root = ElementTree.fromstring(urdf_text)
        self._links = {link.get("name", ""): link for link in self._root.iter("link")}
        self._joints = [joint for joint in self._root.findall("joint") if joint.find("child") is not None]
        self._colors = {m.get("name", ""): _color(m) for m in self._root.findall("material")}

    def descendants(self, link: str, welded_joints: frozenset[str]) -> tuple[tuple[str, ...], bool]:
        """``link`` and all links rigidly below it, and whether a joint that moves hangs below them.

        Args:
            link: Name of the upper link.
            welded_joints: Joints that do not move although their type says so.
        """
        rigid, moving = [link], False
        for joint in self._joints:
            if joint.find("parent").get("link") != link:  # type: ignore[union-attr]
                continue
            if joint.get("type") != "fixed" and joint.get("name") not in welded_joints:
                moving = True
                continue
            below, below_moves = self.descendants(joint.find("child").get("link"), welded_joints)  # type: ignore
            rigid.extend(below)
            moving = moving or below_moves
        return tuple(rigid), moving

    def inertia(self, link: str) -> pin.Inertia:
        """Spatial inertia of one link in its own frame; zero where the URDF gives none."""
        inertial = self._links[link].find("inertial")
        if inertial is None:
            return pin.Inertia.Zero()
        mass = float(inertial.find("mass").get("value"))  # type: ignore[union-attr, arg-type]
        tensor = inertial.find("inertia")
        xx, xy, xz, yy, yz, zz = (float(tensor.get(k, "0")) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))  # type: ignore
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return _origin(inertial).act(pin.Inertia(mass, np.zeros(3), matrix))

    @property
    def names(self) -> tuple[str, ...]:
        """All links."""
        return tuple(self._links)

    def shapes(self, link: str, kind: str) -> Iterator[Visual]:
        """Every ``visual`` or ``collision`` element of a link that has a shape."""
        for element in self._links[link].findall(kind):
            geometry = element.find("geometry")
            if geometry is not None and len(geometry):
                yield self._visual(link, element, geometry[0])

    def _visual(self, link: str, visual: ElementTree.Element, shape: ElementTree.Element) -> Visual:
        sizes = {"box": "size", "sphere": "radius", "cylinder": "radius length", "mesh": "scale"}
        words = " ".join(shape.get(key, "1 1 1") for key in sizes[shape.tag].split())
        material = visual.find("material")
        rgba: tuple[float, ...] = (0.7, 0.7, 0.7, 1.0)
        if material is not None:
            own = _color(material) if material.find("color") is not None else None
            rgba = own or self._colors.get(material.get("name", ""), rgba)
        size = tuple(float(word) for word in words.split())
        return Visual(link, _origin(visual), shape.tag, size, shape.get("filename", ""), rgba)


def _origin(element: ElementTree.Element) -> pin.SE3:
    origin = element.find("origin")
    if origin is None:
        return pin.SE3.Identity()
    xyz = np.array([float(word) for word in origin.get("xyz", "0 0 0").split()])
    roll, pitch, yaw = (float(word) for word in origin.get("rpy", "0 0 0").split())
    return pin.SE3(roll_pitch_yaw_to_matrix(roll, pitch, yaw), xyz)


def _color(material: ElementTree.Element) -> tuple[float, ...]:
    color = material.find("color")
    text = color.get("rgba", "") if color is not None else ""
    return tuple(float(word) for word in text.split()) or (0.7, 0.7, 0.7, 1.0)


def find_mesh(address: str, package_dirs: tuple[Path, ...], urdf_folder: Path) -> Path | None:
    """The file a mesh address names, or None where there is none."""
    relative = address.removeprefix("package://").removeprefix("file://")
    folders = package_dirs if address.startswith("package://") else (urdf_folder,)
    candidates = [Path(folder) / relative for folder in folders]
    return next((path for path in candidates if path.is_file()), None)
