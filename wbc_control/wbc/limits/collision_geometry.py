"""Shapes for self-collision: the description's own, or capsules from the parameters, and the pairs that
must not touch."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pinocchio as pin

from wbc_control.errors import ParameterError
from wbc_control.model import RobotModel
from wbc_control.parameters.controller import CollisionShapeParameters, SelfCollisionParameters

_coal = getattr(pin, "coal", None) or pin.hppfcl  # Pinocchio 3 knows the library by its old name
_NEIGHBOURS = 2
"""Shapes whose links are this few joints apart are neighbours: their motors sit inside each other."""


def collision_geometry(model: RobotModel, parameters: SelfCollisionParameters) -> pin.GeometryModel:
    """Shapes with the pairs to watch.

    Raises:
        ParameterError: A capsule on a link that is not there, an unknown pair, or nothing to keep apart.
    """
    geometry = _from_urdf(model) if parameters.source == "urdf" else _from_shapes(model, parameters)
    _add_pairs(model.pinocchio, geometry, parameters)
    if not len(geometry.collisionPairs):
        message = "no pair of shapes to keep apart: give capsules on at least two links that are not neighbours"
        raise ParameterError(message, where="limits.self_collision", value=parameters.source)
    return geometry


def are_quick(geometry: pin.GeometryModel) -> bool:
    """Whether all shapes are capsules and balls, whose distances have closed forms."""
    return all(isinstance(shape.geometry, (_coal.Capsule, _coal.Sphere)) for shape in geometry.geometryObjects)


def _from_urdf(model: RobotModel) -> pin.GeometryModel:
    folders = [str(folder) for folder in model.package_dirs]
    geometry = pin.buildGeomFromUrdfString(
        model.pinocchio, model.urdf_text, pin.GeometryType.COLLISION, package_dirs=folders
    )
    for shape in geometry.geometryObjects:
        if isinstance(shape.geometry, _coal.BVHModelBase):
            shape.geometry.buildConvexRepresentation(False)
            shape.geometry = shape.geometry.convex
    return geometry


def _from_shapes(model: RobotModel, parameters: SelfCollisionParameters) -> pin.GeometryModel:
    geometry = pin.GeometryModel()
    for name, shape in parameters.shapes.items():
        if not model.pinocchio.existBodyName(shape.link):
            where = f"limits.self_collision.shapes.{name}.link"
            raise ParameterError(f"the URDF has no link '{shape.link}'", where=where, value=shape.link)
        geometry.addGeometryObject(_capsule(model.pinocchio, name, shape))
    return geometry


def _capsule(model: pin.Model, name: str, shape: CollisionShapeParameters) -> pin.GeometryObject:
    frame_id = model.getBodyId(shape.link)
    frame, start, end = model.frames[frame_id], np.array(shape.start), np.array(shape.end)
    length = float(np.linalg.norm(end - start))
    axis = (end - start) / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    turn = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), axis).matrix()
    placement = frame.placement * pin.SE3(turn, 0.5 * (start + end))
    body = _coal.Capsule(shape.radius, length) if length > 1e-9 else _coal.Sphere(shape.radius)
    return pin.GeometryObject(name, frame.parentJoint, frame_id, placement, body)


def _add_pairs(model: pin.Model, geometry: pin.GeometryModel, parameters: SelfCollisionParameters) -> None:
    shapes = list(geometry.geometryObjects)
    names = {shape.name for shape in shapes}
    excluded = set()
    for pair in parameters.excluded:
        ends = pair.split()
        if len(ends) != 2 or not set(ends) <= names:
            where = "limits.self_collision.excluded"
            raise ParameterError("is not a pair of shapes 'NAME NAME'", where=where, value=pair, bound=sorted(names))
        excluded.add(frozenset(ends))
    for (i, a), (j, b) in combinations(enumerate(shapes), 2):
        close = _joints_between(model, a.parentJoint, b.parentJoint) <= _NEIGHBOURS
        if not close and frozenset((a.name, b.name)) not in excluded:
            geometry.addCollisionPair(pin.CollisionPair(i, j))


def _joints_between(model: pin.Model, first: int, second: int) -> int:
    """Number of joints on the way from one link to the other."""
    a, b = list(model.supports[first]), list(model.supports[second])
    common = sum(x == y for x, y in zip(a, b))
    return len(a) + len(b) - 2 * common
