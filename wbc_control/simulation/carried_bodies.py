"""Which inertia hangs below a foot's force sensor, where a payload goes, and the hulls of a fallen robot.

Engine-neutral: every backend builds its world from these, so that they weigh and feel the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.errors import BackendError
from wbc_control.model import Foot, RobotModel
from wbc_control.simulation.scenario import PayloadSettings
from wbc_control.simulation.urdf_links import UrdfLinks

Array = NDArray[np.float64]

_NEGLIGIBLE_MASS_KG = 1e-9
_HULL_MIN_MASS_SHARE, _HULL_SHARE = 0.01, 0.8


def joint_of_link(model: RobotModel, link: str) -> int:
    """Index of the Pinocchio joint that moves ``link``; BackendError where there is no such link."""
    if not model.pinocchio.existFrame(link):
        raise BackendError(f"robot '{model.parameters.name}' has no link '{link}'", value=link)
    return int(model.pinocchio.frames[model.pinocchio.getFrameId(link)].parentJoint)


def payload_by_joint(model: RobotModel, payload: Mapping[str, float]) -> dict[int, float]:
    """Added mass, kg, by joint index."""
    masses: dict[int, float] = {}
    for link, mass in payload.items():
        joint_id = joint_of_link(model, link)
        masses[joint_id] = masses.get(joint_id, 0.0) + mass
    return masses


def scenario_payload(model: RobotModel, settings: PayloadSettings) -> dict[str, float]:
    """Link name → added mass, kg; the torso where the scenario names no link, empty without a mass."""
    torso = model.pinocchio.frames[model.torso_frame_id].name
    return {settings.link or torso: settings.mass} if settings.mass else {}


def with_point_mass(inertia: pin.Inertia, mass: float) -> pin.Inertia:
    """The same body with a point mass at its centre of mass."""
    if inertia.mass + mass <= 0.0:
        raise BackendError(f"payload of {mass:g} kg leaves a body of {inertia.mass:g} kg without mass", value=mass)
    return pin.Inertia(inertia.mass + mass, inertia.lever, inertia.inertia)


@dataclass(frozen=True)
class SplitBody:
    """The body of a foot's joint, cut at the force sensor.

    Attributes:
        below: Inertia of the foot's own links, which the sensor carries, in the joint frame.
        above: The rest of the joint's body.
    """

    below: pin.Inertia
    above: pin.Inertia


def split_at_sensor(model: RobotModel, foot: Foot) -> SplitBody | None:
    """The body cut at the foot's link; None where the sensor carries the joint's whole body and what hangs below it.

    That is so where more joints hang below the link, or the joint moves nothing but the foot.
    """
    links, locked = UrdfLinks(model.urdf_text), frozenset(model.parameters.locked_joints)
    rigid, moving = links.descendants(foot.link, locked)
    if moving:
        return None
    below = pin.Inertia.Zero()
    for name in rigid:
        frame = model.pinocchio.frames[model.pinocchio.getFrameId(name)]
        below = below + frame.placement.act(links.inertia(name))
    above = model.pinocchio.inertias[model.pinocchio.frames[foot.frame_id].parentJoint] - below
    return SplitBody(below, above) if above.mass > _NEGLIGIBLE_MASS_KG else None


def loaded_model(model: RobotModel, payload: Mapping[str, float]) -> pin.Model:
    """The robot's dynamics with point masses, kg, at the centres of mass of the bodies of links.

    Where a foot's sensor cuts a joint's body, the mass sits above the cut.
    """
    loaded = pin.Model(model.pinocchio)
    splits = {int(model.pinocchio.frames[f.frame_id].parentJoint): split_at_sensor(model, f) for f in model.feet}
    for joint_id, mass in payload_by_joint(model, payload).items():
        split = splits.get(joint_id)
        whole = model.pinocchio.inertias[joint_id]
        if split is None:
            loaded.inertias[joint_id] = with_point_mass(whole, mass)
        else:
            loaded.inertias[joint_id] = with_point_mass(split.above, mass) + split.below
    return loaded


@dataclass(frozen=True)
class Hull:
    """A box that stands for a body when it hits the ground.

    Attributes:
        joint_id: The joint that moves it.
        half: (3,) half sides, m.
        placement: Of its centre in the joint frame.
    """

    joint_id: int
    half: Array
    placement: pin.SE3


def body_hulls(model: RobotModel) -> list[Hull]:
    """A coarse box a body, so that a fallen robot lies on the ground and is seen to.

    Bodies that carry a foot have none (their soles collide), nor have the light ones of compound ankles and wrists.
    """
    carriers = {model.pinocchio.frames[foot.frame_id].parentJoint for foot in model.feet}
    return [
        _hull(joint_id, model.pinocchio.inertias[joint_id])
        for joint_id in range(1, model.pinocchio.njoints)
        if joint_id not in carriers and model.pinocchio.inertias[joint_id].mass >= _HULL_MIN_MASS_SHARE * model.mass
    ]


def _hull(joint_id: int, inertia: pin.Inertia) -> Hull:
    """Four fifths of the homogeneous box of the same inertia: its half sides obey b² + c² = 3 I_a / m, and so on."""
    moments, axes = np.linalg.eigh(inertia.inertia)
    half = _HULL_SHARE * np.sqrt(np.maximum(1.5 * (moments.sum() - 2.0 * moments) / inertia.mass, 1e-6))
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    return Hull(joint_id, half, pin.SE3(axes, inertia.lever))
