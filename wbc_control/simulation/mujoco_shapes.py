"""Geometry for MuJoCo: the ground, soles that touch it, coarse hulls for a fallen robot, visuals for pictures.

Ground geometries carry contact type 1, robot geometries accept it; robot parts never collide with each other.  All
contact properties (friction, softness) come from the ground, which has priority.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import Foot, RobotModel
from wbc_control.parameters.simulator import GroundParameters
from wbc_control.simulation.carried_bodies import body_hulls
from wbc_control.simulation.terrain import Box, Ground, HeightField
from wbc_control.simulation.urdf_links import UrdfLinks, Visual, find_mesh
from wbc_control.spatial import matrix_to_quaternion

Array = NDArray[np.float64]

GROUND_GROUP, SOLE_GROUP, HULL_GROUP, VISUAL_GROUP = 0, 3, 4, 2
"""MuJoCo's geometry groups, which a renderer shows or hides."""
_CORNER_RADIUS_M = 0.001
_SOLE_THICKNESS_M = 0.01
_READABLE_MESHES = (".stl", ".obj")


def placed(placement: pin.SE3) -> dict[str, Any]:
    """``pos`` and ``quat`` (w, x, y, z) arguments of a placement."""
    return {"pos": placement.translation.copy(), "quat": _wxyz(placement.rotation)}


def _wxyz(rotation: Array) -> Array:
    return matrix_to_quaternion(rotation)[[3, 0, 1, 2]]


def add_ground(spec: mujoco.MjSpec, ground: Ground, softness: GroundParameters) -> None:
    """The plane, boxes and height field of ``ground``."""
    surface = _surface(ground, softness)
    kinds = mujoco.mjtGeom
    spec.worldbody.add_geom(
        name="ground", type=kinds.mjGEOM_PLANE, size=[0.0, 0.0, 0.05], pos=[0.0, 0.0, ground.base_height], **surface
    )
    for number, box in enumerate(ground.boxes):
        _add_box(spec, f"ground:{number}", box, surface)
    if ground.field is not None:
        _add_field(spec, ground.field, surface)


def _surface(ground: Ground, softness: GroundParameters) -> dict[str, Any]:
    return {
        "contype": 1,
        "conaffinity": 0,
        "condim": 3,
        "priority": 1,
        "friction": [ground.friction, 0.005, 0.0001],
        "solref": [softness.time_constant, softness.damping_ratio],
        "solimp": [0.95, 0.99, 0.001, 0.5, 2.0],
        "group": GROUND_GROUP,
        "rgba": [0.55, 0.6, 0.65, 1.0],
    }


def _add_box(spec: mujoco.MjSpec, name: str, box: Box, surface: dict[str, Any]) -> None:
    own = {} if box.friction is None else {"friction": [box.friction, *surface["friction"][1:]]}
    spec.worldbody.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=box.center,
        quat=_wxyz(box.rotation),
        size=box.half_size,
        **(surface | own),
    )


def _add_field(spec: mujoco.MjSpec, field: HeightField, surface: dict[str, Any]) -> None:
    rows, columns = field.heights.shape
    low, high = float(field.heights.min()), float(field.heights.max())
    span = max(high - low, 1e-6)
    extent_x, extent_y = field.cell * (columns - 1), field.cell * (rows - 1)
    spec.add_hfield(
        name="rough",
        nrow=rows,
        ncol=columns,
        size=[0.5 * extent_x, 0.5 * extent_y, span, 0.5],
        userdata=((field.heights - low) / span).ravel(),
    )
    center = [field.x_min + 0.5 * extent_x, field.y_min + 0.5 * extent_y, low]
    spec.worldbody.add_geom(name="rough", type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="rough", pos=center, **surface)


def add_soles(bodies: dict[str, mujoco.MjsBody], model: RobotModel, exact_edges: bool) -> None:
    """Contact geometry of every foot, named ``sole:<foot>:<number>``.

    Small spheres whose lowest points are the corners give contact points at the corners themselves; where the ground
    has edges, a rectangular sole is a box so that it can rest on an edge between its corners.
    """
    for foot in model.feet:
        body = bodies[f"foot:{foot.name}"]
        placement = model.pinocchio.frames[foot.frame_id].placement
        if exact_edges and _is_rectangle(foot):
            _add_sole_box(body, foot, placement)
        else:
            _add_sole_spheres(body, foot, placement)


def _robot_side(group: int) -> dict[str, Any]:
    return {"contype": 0, "conaffinity": 1, "group": group, "mass": 0.0}


def _add_sole_spheres(body: mujoco.MjsBody, foot: Foot, placement: pin.SE3) -> None:
    radius = foot.radius or _CORNER_RADIUS_M
    lift = 0.0 if foot.radius else radius
    for number, corner in enumerate(foot.corners):
        center = placement.act(corner + np.array([0.0, 0.0, lift]))
        name = f"sole:{foot.name}:{number}"
        body.add_geom(
            name=name, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], pos=center, **_robot_side(SOLE_GROUP)
        )


def _is_rectangle(foot: Foot) -> bool:
    """Whether the corners are those of a rectangle along the sole frame's axes."""
    corners = np.asarray(foot.corners)
    if len(corners) != 4:
        return False
    return bool(np.allclose(np.abs(corners - corners.mean(axis=0)), np.ptp(corners, axis=0) / 2.0, atol=1e-6))


def _add_sole_box(body: mujoco.MjsBody, foot: Foot, placement: pin.SE3) -> None:
    corners = np.asarray(foot.corners)
    half = 0.5 * np.ptp(corners, axis=0) + np.array([0.0, 0.0, 0.5 * _SOLE_THICKNESS_M])
    center = corners.mean(axis=0) + np.array([0.0, 0.0, half[2]])
    pose = placement * pin.SE3(np.eye(3), center)
    kind = mujoco.mjtGeom.mjGEOM_BOX
    body.add_geom(name=f"sole:{foot.name}:0", type=kind, size=half, **placed(pose), **_robot_side(SOLE_GROUP))


def add_body_hulls(bodies: dict[str, mujoco.MjsBody], model: RobotModel) -> None:
    """The boxes of a fallen robot, named ``hull:<joint>``."""
    kind = mujoco.mjtGeom.mjGEOM_BOX
    for hull in body_hulls(model):
        name = model.pinocchio.names[hull.joint_id]
        shape = {"type": kind, "size": hull.half, **placed(hull.placement), **_robot_side(HULL_GROUP)}
        bodies[name].add_geom(name=f"hull:{name}", **shape)


def add_visuals(spec: mujoco.MjSpec, bodies: dict[str, mujoco.MjsBody], model: RobotModel) -> None:
    """What MuJoCo can draw of every link: its visuals, or, where those are Collada, its collision primitives."""
    links = UrdfLinks(model.urdf_text)
    for link in links.names:
        if model.pinocchio.existFrame(link):
            drawn = [
                _add_visual(spec, bodies, model, visual, n) for n, visual in enumerate(links.shapes(link, "visual"))
            ]
            if not any(drawn):
                for number, shape in enumerate(links.shapes(link, "collision")):
                    _add_visual(spec, bodies, model, shape, len(drawn) + number)


def _add_visual(
    spec: mujoco.MjSpec, bodies: dict[str, mujoco.MjsBody], model: RobotModel, visual: Visual, number: int
) -> bool:
    """Add one shape to its body; False where it cannot be drawn."""
    frame = model.pinocchio.frames[model.pinocchio.getFrameId(visual.link)]
    body = bodies.get(model.pinocchio.names[frame.parentJoint], spec.worldbody)
    shape = _visual_shape(spec, model, visual, f"visual:{visual.link}:{number}")
    if shape:
        pose = placed(frame.placement * visual.placement)
        body.add_geom(contype=0, conaffinity=0, group=VISUAL_GROUP, rgba=visual.rgba, mass=0.0, **pose, **shape)
    return bool(shape)


def _visual_shape(spec: mujoco.MjSpec, model: RobotModel, visual: Visual, name: str) -> dict[str, Any]:
    """Type and size arguments; empty where MuJoCo cannot draw it."""
    kinds, size = mujoco.mjtGeom, visual.size
    if visual.shape == "box":
        return {"type": kinds.mjGEOM_BOX, "size": [0.5 * side for side in size]}
    if visual.shape == "sphere":
        return {"type": kinds.mjGEOM_SPHERE, "size": [size[0], 0.0, 0.0]}
    if visual.shape == "cylinder":
        return {"type": kinds.mjGEOM_CYLINDER, "size": [size[0], 0.5 * size[1], 0.0]}
    path = find_mesh(visual.mesh, model.package_dirs, Path(model.urdf_path).parent)
    if path is None or path.suffix.lower() not in _READABLE_MESHES:
        return {}
    spec.add_mesh(name=name, file=str(path), scale=list(size), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    return {"type": kinds.mjGEOM_MESH, "meshname": name}
