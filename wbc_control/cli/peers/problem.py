"""The problem every stack solves: a Unitree G1 on two feet, knees bent, pushed now and then; numbers only.

29 joints; two flat feet of four corners; tasks: centre of mass, torso orientation, posture, small forces; torque and
velocity limits.  The robot accelerates exactly as the controller wishes, and every 500 steps its base gets a random
horizontal velocity on top.
"""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PERIOD = 1e-3
"""Control period, s."""
FRICTION = 0.6
"""Coulomb coefficient."""
SPEED_LIMIT = 20.0
"""Of every joint, rad/s."""
POSTURE = {
    f"{side}_{joint}_joint": angle
    for side in ("left", "right")
    for joint, angle in (("hip_pitch", -0.3), ("knee", 0.6), ("ankle_pitch", -0.3))
}
"""Joint → angle, rad; all others are zero."""
FOOT_LINKS = ("left_ankle_roll_link", "right_ankle_roll_link")
SOLE_CORNERS = np.array([[0.12, 0.03, -0.03], [0.12, -0.03, -0.03], [-0.05, 0.025, -0.03], [-0.05, -0.025, -0.03]])
"""(4, 3) in a foot link's frame, m."""
TORSO = "torso_link"
COM, TORSO_GAINS, POSTURE_GAINS = (1000.0, 100.0, 20.0), (100.0, 100.0, 20.0), (1.0, 50.0, 14.0)
"""(weight, kp, kd) of each task."""
CONTACT_DAMPING = 20.0
"""Rate at which a foot's velocity decays, 1/s."""
FORCE_WEIGHT = 1e-4
_KICK_EVERY, _FIRST_KICK, _KICK = 500, 100, 0.1


CLOCKS = {"wall": time.perf_counter_ns, "cpu": time.thread_time_ns}
"""Clock → its reading, ns; ``cpu`` counts the thread's own time and leaves out what other processes take."""


class Kicks:
    """The same disturbances for everybody: N(0, 0.1) m/s on the base's horizontal velocity, every 500 steps."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def apply(self, step: int, velocity: Array) -> None:
        """Change ``velocity`` (nv,) where a kick is due at ``step``."""
        if step % _KICK_EVERY == _FIRST_KICK:
            velocity[:2] += _KICK * self._random.normal(size=2)


def write_urdf(source: Path, folder: Path) -> Path:
    """A copy of the robot's description without meshes, with a frame ``<foot link>_sole`` in the middle of each sole."""
    tree = ElementTree.parse(source)
    root = tree.getroot()
    for link in root.findall("link"):
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    x, y, z = 0.5 * (SOLE_CORNERS.max(axis=0) + SOLE_CORNERS.min(axis=0))
    for link_name in FOOT_LINKS:
        ElementTree.SubElement(root, "link", name=f"{link_name}_sole")
        joint = ElementTree.SubElement(root, "joint", name=f"{link_name}_sole_joint", type="fixed")
        ElementTree.SubElement(joint, "origin", xyz=f"{x:g} {y:g} {z:g}", rpy="0 0 0")
        ElementTree.SubElement(joint, "parent", link=link_name)
        ElementTree.SubElement(joint, "child", link=f"{link_name}_sole")
    target = folder / "peers.urdf"
    tree.write(target)
    return target
