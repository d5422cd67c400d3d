"""URDF text → Pinocchio model, refusing what would go wrong later without a word."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable

import numpy as np
import pinocchio as pin

from wbc_control.errors import ModelError
from wbc_control.parameters.robot import RobotParameters

ROOT_JOINT = "root_joint"


def build_pinocchio(urdf_text: str, parameters: RobotParameters) -> pin.Model:
    """The model with a free-flyer root where the base floats, locked joints removed, armature set.

    Raises:
        ModelError: Not a URDF, unknown or mimic joints, a movable link without inertia, an unbelievable mass.
    """
    _refuse_mimic(urdf_text, parameters)
    try:
        roots = (pin.JointModelFreeFlyer(),) if parameters.floating_base else ()
        model = pin.buildModelFromXML(urdf_text, *roots)
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"Pinocchio cannot read the robot description: {error}", where=parameters.name) from error
    _refuse_unknown(model, parameters)
    _refuse_massless(model, parameters)
    model = _lock(model, parameters)
    _set_armature(model, parameters)
    _check_mass(model, parameters)
    return model


def actuated_joints(model: pin.Model) -> tuple[str, ...]:
    """Names of all joints but the universe and the free-flyer root, in model order."""
    return tuple(name for name in model.names if name not in ("universe", ROOT_JOINT))


def _refuse_mimic(urdf_text: str, parameters: RobotParameters) -> None:
    root = ElementTree.fromstring(urdf_text)
    movable = [j for j in root.iter("joint") if j.get("type") != "fixed"]  # <mimic> on a fixed joint means nothing
    mimic = [j.get("name", "") for j in movable if j.find("mimic") is not None]
    free = [name for name in mimic if name not in parameters.locked_joints]
    if free:
        message = f"mimic joints are not controlled: list {', '.join(free)} in robot.locked_joints, or remove <mimic>"
        raise ModelError(message, where=parameters.name, value=free)


def _refuse_unknown(model: pin.Model, parameters: RobotParameters) -> None:
    known = actuated_joints(model)
    for key, names in (
        ("joints", parameters.joints),
        ("locked_joints", parameters.locked_joints),
        ("unlimited_joints", parameters.unlimited_joints),
    ):
        unknown = [name for name in names if name not in known]
        if unknown:
            where = f"{parameters.name}, parameter 'robot.{key}'"
            raise ModelError(
                f"the URDF has no movable joint {_quoted(unknown)}", where=where, value=unknown, bound=known
            )
    links = {"base_link": parameters.base_link, "torso_link": parameters.torso_link, "imu_link": parameters.imu_link}
    for key, link in links.items():
        if link and not model.existFrame(link):
            raise ModelError(
                f"the URDF has no link '{link}'", where=f"{parameters.name}, parameter 'robot.{key}'", value=link
            )


def _refuse_massless(model: pin.Model, parameters: RobotParameters) -> None:
    """A movable link without inertia makes the mass matrix singular; Pinocchio lumps fixed children before we look."""
    massless = [_link_of(model, i) for i in range(1, model.njoints) if not _is_physical(model.inertias[i])]
    if massless:
        message = (
            f"movable links without a physical inertia: {', '.join(massless)}; give them <inertial>, or fix their joint"
        )
        raise ModelError(message, where=parameters.name, value=massless, bound="mass > 0, inertia positive definite")


def _is_physical(inertia: pin.Inertia) -> bool:
    finite = np.isfinite(inertia.mass) and np.all(np.isfinite(inertia.inertia)) and np.all(np.isfinite(inertia.lever))
    return bool(finite and inertia.mass > 0.0 and np.linalg.eigvalsh(inertia.inertia)[0] > 0.0)


def _link_of(model: pin.Model, joint_id: int) -> str:
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY and frame.parentJoint == joint_id:
            return f"'{frame.name}'"
    return f"below joint '{model.names[joint_id]}'"


def _lock(model: pin.Model, parameters: RobotParameters) -> pin.Model:
    if not parameters.locked_joints:
        return model
    reference = pin.neutral(model)
    for name in parameters.locked_joints:
        row = parameters.joints.get(name)
        set_joint(model, reference, name, row.standing if row else 0.0)
    return pin.buildReducedModel(model, [model.getJointId(name) for name in parameters.locked_joints], reference)


def _set_armature(model: pin.Model, parameters: RobotParameters) -> None:
    armature = np.array(model.armature)
    for name, row in parameters.joints.items():
        if model.existJointName(name) and row.armature > 0.0:
            armature[model.joints[model.getJointId(name)].idx_v] = row.armature
    model.armature = armature


def _check_mass(model: pin.Model, parameters: RobotParameters) -> None:
    mass = pin.computeTotalMass(model)
    if not parameters.mass_min <= mass <= parameters.mass_max:
        bound = f"[{parameters.mass_min:g}, {parameters.mass_max:g}] kg"
        message = f"total mass {mass:.3f} kg is outside robot.mass_min..mass_max {bound}"
        raise ModelError(message, where=parameters.name, value=mass, bound=bound)


def set_joint(model: pin.Model, q: np.ndarray, name: str, position: float) -> None:
    """Write one joint's position into ``q``; a continuous joint takes two numbers, cosine and sine."""
    joint = model.joints[model.getJointId(name)]
    if joint.nq == 2:
        q[joint.idx_q] = np.cos(position)
        q[joint.idx_q + 1] = np.sin(position)
    else:
        q[joint.idx_q] = position


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
