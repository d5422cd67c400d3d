"""Any robot model and ground → a compiled MuJoCo model with the same inertia, joint by joint.

The tree is built from Pinocchio's model, not from the URDF text: one MuJoCo body a joint, named like the joint, with
that joint's placement, merged inertia, armature, limits.  So the physics cannot disagree with the controller's model
by a parser's taste, locked joints are welded, and meshes that MuJoCo cannot read do not matter.  Only feet and,
coarsely, bodies collide, and only with the ground.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.errors import BackendError
from wbc_control.model import RobotModel
from wbc_control.parameters import SimulatorParameters
from wbc_control.simulation.carried_bodies import payload_by_joint, split_at_sensor, with_point_mass
from wbc_control.simulation.mujoco_looks import add_looks
from wbc_control.simulation.mujoco_shapes import add_body_hulls, add_ground, add_soles, add_visuals, placed
from wbc_control.simulation.terrain import Ground
from wbc_control.spatial import GRAVITY_M_S2

Array = NDArray[np.float64]

BASE_JOINT = "base"
"""Name of the free joint."""
IMU_SITE = "imu"
"""Name of the IMU's site, and prefix of its sensors (``imu/gyro`` ...)."""
_NEGLIGIBLE_MASS_KG = 1e-9


def sole_site(foot: str) -> str:
    """Name of a foot's sole site, and prefix of its sensors (``sole:l_sole/force``, ``/torque``)."""
    return f"sole:{foot}"


def foot_body(foot: str) -> str:
    """Name of the body that a foot's force sensor carries, where it is split from its joint's body."""
    return f"foot:{foot}"


def compile_world(
    model: RobotModel,
    simulator: SimulatorParameters,
    ground: Ground,
    payload: Mapping[str, float] | None = None,
    with_visuals: bool = False,
) -> mujoco.MjModel:
    """The compiled world.

    Args:
        model: The robot.
        simulator: Time step, joint damping, ground softness.
        ground: What it stands on.
        payload: Link name → mass of a point at that body's centre of mass, kg.
        with_visuals: Whether to load visual meshes (STL, OBJ) for pictures.

    Raises:
        BackendError: A joint type MuJoCo cannot carry, an unknown payload link, or inertia MuJoCo refuses.
    """
    spec = _empty_world(simulator)
    bodies = _add_robot(spec, model, simulator, dict(payload or {}))
    add_ground(spec, ground, simulator.ground)
    add_soles(bodies, model, exact_edges=ground.sharp)
    add_body_hulls(bodies, model)
    if with_visuals:
        add_visuals(spec, bodies, model)
        add_looks(spec)
    try:
        return spec.compile()
    except ValueError as error:
        raise BackendError(
            f"MuJoCo refuses the model: {' '.join(str(error).split())}", where=model.parameters.name
        ) from error


def _empty_world(simulator: SimulatorParameters) -> mujoco.MjSpec:
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.autolimits = False
    spec.compiler.fusestatic = False
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
    option = spec.option
    option.timestep = simulator.timestep
    option.gravity = [0.0, 0.0, -GRAVITY_M_S2]
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10.0
    option.noslip_iterations = 2  # standing feet creep 0.01 mm in 10 s instead of 2 mm, for 3 µs a step
    return spec


def _add_robot(
    spec: mujoco.MjSpec, model: RobotModel, simulator: SimulatorParameters, payload: dict[str, float]
) -> dict[str, mujoco.MjsBody]:
    """Bodies by joint name (and by :func:`foot_body`), with joints, inertia, sites and sensors."""
    masses = payload_by_joint(model, payload)
    bodies: dict[str, mujoco.MjsBody] = {}
    for joint_id in range(1, model.pinocchio.njoints):
        name = model.pinocchio.names[joint_id]
        parent = bodies.get(model.pinocchio.names[model.pinocchio.parents[joint_id]], spec.worldbody)
        bodies[name] = _add_joint_body(parent, model, joint_id, simulator)
        _set_inertia(bodies[name], with_point_mass(model.pinocchio.inertias[joint_id], masses.get(joint_id, 0.0)))
    _add_feet(spec, bodies, model, masses)
    _add_imu(spec, bodies, model)
    return bodies


def _add_joint_body(
    parent: mujoco.MjsBody, model: RobotModel, joint_id: int, simulator: SimulatorParameters
) -> mujoco.MjsBody:
    body: mujoco.MjsBody = parent.add_body(
        name=model.pinocchio.names[joint_id], **placed(model.pinocchio.jointPlacements[joint_id])
    )
    if model.floating_base and joint_id == 1:
        body.add_freejoint(name=BASE_JOINT)
    else:
        _add_axis(body, model, joint_id, simulator)
    return body


def _add_axis(body: mujoco.MjsBody, model: RobotModel, joint_id: int, simulator: SimulatorParameters) -> None:
    pinocchio_model, joint = model.pinocchio, model.pinocchio.joints[joint_id]
    kind, axis = _axis(pinocchio_model, joint_id)
    dof = joint.idx_v
    added = body.add_joint(name=pinocchio_model.names[joint_id], type=kind, axis=axis)
    added.armature = float(pinocchio_model.armature[dof])
    _set_damping(added, float(pinocchio_model.damping[dof]) or simulator.joint_damping)
    added.frictionloss = float(pinocchio_model.friction[dof])
    if joint.nq == 1:
        lower, upper = (
            float(limit[joint.idx_q])
            for limit in (pinocchio_model.lowerPositionLimit, pinocchio_model.upperPositionLimit)
        )
        added.limited = int(np.isfinite(lower) and np.isfinite(upper) and abs(upper - lower) < 1e6)
        added.range = [lower, upper] if added.limited else [0.0, 0.0]


def _set_damping(joint: mujoco.MjsJoint, linear: float) -> None:
    """MuJoCo 3 holds one coefficient, MuJoCo 4 those of a polynomial in the speed."""
    joint.damping = linear if np.ndim(joint.damping) == 0 else [linear, 0.0, 0.0]


def _axis(model: pin.Model, joint_id: int) -> tuple[mujoco.mjtJoint, Array]:
    """MuJoCo's joint type and the axis in the joint frame."""
    name = model.names[joint_id]
    joint = model.joints[joint_id]
    if joint.nv != 1:
        message = f"joint '{name}' of type {joint.shortname()} has {joint.nv} degrees of freedom, the simulator takes 1"
        raise BackendError(message, value=joint.shortname())
    data = joint.createData()
    joint.calc(data, pin.neutral(model))
    motion = np.asarray(data.S).reshape(6)
    if np.any(motion[3:]):
        return mujoco.mjtJoint.mjJNT_HINGE, motion[3:]
    return mujoco.mjtJoint.mjJNT_SLIDE, motion[:3]


def _set_inertia(body: mujoco.MjsBody, inertia: pin.Inertia) -> None:
    """Mass, centre of mass and rotational inertia, as given, principal axes left to MuJoCo's compiler."""
    body.explicitinertial = True
    body.mass = inertia.mass
    body.ipos = inertia.lever
    tensor = inertia.inertia
    if inertia.mass > _NEGLIGIBLE_MASS_KG:
        body.fullinertia = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]


def _add_feet(
    spec: mujoco.MjSpec, bodies: dict[str, mujoco.MjsBody], model: RobotModel, masses: dict[int, float]
) -> None:
    """A sole site and a six-axis sensor a foot; the foot's own links become a welded body where they can."""
    for foot in model.feet:
        frame = model.pinocchio.frames[foot.frame_id]
        joint_body = bodies[model.pinocchio.names[frame.parentJoint]]
        carrier = joint_body
        split = split_at_sensor(model, foot)
        if split is not None:
            _set_inertia(joint_body, with_point_mass(split.above, masses.get(frame.parentJoint, 0.0)))
            carrier = joint_body.add_body(name=foot_body(foot.name))
            _set_inertia(carrier, split.below)
        bodies[foot_body(foot.name)] = carrier
        carrier.add_site(name=sole_site(foot.name), **placed(frame.placement))
        _add_sensors(
            spec,
            sole_site(foot.name),
            {"force": mujoco.mjtSensor.mjSENS_FORCE, "torque": mujoco.mjtSensor.mjSENS_TORQUE},
        )


def _add_imu(spec: mujoco.MjSpec, bodies: dict[str, mujoco.MjsBody], model: RobotModel) -> None:
    frame = model.pinocchio.frames[model.imu_frame_id]
    body = bodies.get(model.pinocchio.names[frame.parentJoint], spec.worldbody)
    body.add_site(name=IMU_SITE, **placed(frame.placement))
    kinds = mujoco.mjtSensor
    types = {
        "gyro": kinds.mjSENS_GYRO,
        "accelerometer": kinds.mjSENS_ACCELEROMETER,
        "quaternion": kinds.mjSENS_FRAMEQUAT,
    }
    _add_sensors(spec, IMU_SITE, types)


def _add_sensors(spec: mujoco.MjSpec, site: str, types: dict[str, mujoco.mjtSensor]) -> None:
    for name, kind in types.items():
        spec.add_sensor(name=f"{site}/{name}", type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=site)
