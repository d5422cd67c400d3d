"""How a world looks in pictures: sky, light, floor tiles; no influence on the physics."""

from __future__ import annotations

import mujoco

FLOOR_MATERIAL = "floor"
_SCENE_EXTENT_M = 3.0


def add_looks(spec: mujoco.MjSpec) -> None:
    """Sky, headlight, a lamp with shadows, and tiles on every ground geometry already in ``spec``."""
    kinds, builtin = mujoco.mjtTexture, mujoco.mjtBuiltin
    spec.add_texture(
        name="sky",
        type=kinds.mjTEXTURE_SKYBOX,
        builtin=builtin.mjBUILTIN_GRADIENT,
        width=256,
        height=256,
        rgb1=[0.85, 0.9, 0.95],
        rgb2=[0.6, 0.7, 0.8],
    )
    spec.add_texture(
        name="tiles",
        type=kinds.mjTEXTURE_2D,
        builtin=builtin.mjBUILTIN_CHECKER,
        width=256,
        height=256,
        rgb1=[0.62, 0.65, 0.68],
        rgb2=[0.55, 0.58, 0.61],
    )
    material = spec.add_material(name=FLOOR_MATERIAL, texrepeat=[2.0, 2.0], texuniform=True, reflectance=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    for geom in spec.worldbody.geoms:
        geom.material, geom.rgba = FLOOR_MATERIAL, [1.0, 1.0, 1.0, 1.0]
    spec.visual.headlight.ambient, spec.visual.headlight.diffuse = [0.45, 0.45, 0.45], [0.35, 0.35, 0.35]
    spec.stat.extent = _SCENE_EXTENT_M
    spec.visual.quality.shadowsize = 2048
    lamp = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    spec.worldbody.add_light(
        type=lamp, pos=[0.0, 0.0, 4.0], dir=[-0.4, 0.3, -1.0], diffuse=[0.5, 0.5, 0.5], castshadow=True
    )
