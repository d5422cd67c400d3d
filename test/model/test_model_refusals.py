"""Descriptions that would go wrong later without a word are refused with one sentence; odd but right ones work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from wbc_control.errors import ModelError
from wbc_control.model import RobotModel
from wbc_control.parameters import RobotParameters, build

INERTIAL = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="-2" upper="2" effort="10" velocity="5"/>'


def chain(middle: str = "revolute", limit: str = LIMIT, extra: str = "", inertial: str = INERTIAL) -> str:
    """base – first (revolute) – second (``middle``) – third (revolute)."""
    links = f"<link name='base'>{INERTIAL}</link>"
    links += "".join(f"<link name='{n}'>{inertial if n == 'b' else INERTIAL}</link>" for n in "abc")
    joints = ""
    for joint, kind, parent, child, bound, more in (
        ("first", "revolute", "base", "a", LIMIT, ""), ("second", middle, "a", "b", limit, extra), ("third", "revolute", "b", "c", LIMIT, ""),
    ):  # fmt: skip
        joints += (
            f"<joint name='{joint}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
            f"<origin xyz='0.1 0 0.2' rpy='0.1 0.2 0'/><axis xyz='0 1 0'/>{bound}{more}</joint>"
        )
    return f"<robot name='chain'>{links}{joints}</robot>"


def model_of(urdf: str, floating: bool = True, **values: object) -> RobotModel:
    names = {"name": "chain", "floating_base": floating, **{key.replace("__", "."): v for key, v in values.items()}}
    return RobotModel(build(RobotParameters, names), urdf, Path("chain.urdf"), ())


@pytest.mark.parametrize("angle", [3.5, -3.5, 0.3, 9.0])
@pytest.mark.parametrize("floating", [True, False])
def test_a_continuous_joint_moves_like_its_revolute_twin(angle: float, floating: bool) -> None:
    free = '<limit effort="10" velocity="5"/>'
    twin, continuous = model_of(chain(), floating), model_of(chain("continuous", free), floating)
    assert continuous.nq == twin.nq + 1 and continuous.joint_names == twin.joint_names
    places = []
    for model in (twin, continuous):
        q = model.with_joint_positions(pin.neutral(model.pinocchio), np.array([0.4, angle, -0.7]))
        data = model.pinocchio.createData()
        pin.framesForwardKinematics(model.pinocchio, data, q)
        places.append(data.oMf[model.pinocchio.getFrameId("c")].homogeneous)
        error = model.joint_error(np.array([0.4, angle, -0.7]), model.joint_positions(q))
        np.testing.assert_allclose(error, 0.0, atol=1e-9)
    np.testing.assert_allclose(*places, atol=1e-12)


def test_a_continuous_joint_errs_the_short_way_round() -> None:
    model = model_of(chain("continuous", '<limit effort="10" velocity="5"/>'))
    error = model.joint_error(np.array([0.0, 3.0, 0.0]), np.array([0.0, -3.0, 0.0]))
    assert error[1] == pytest.approx(6.0 - 2.0 * np.pi)


@pytest.mark.parametrize(
    ("urdf", "values", "said"),
    [
        (
            chain(extra="<mimic joint='first'/>"),
            {},
            "mimic joints are not controlled: list second in robot.locked_joints",
        ),
        (chain(inertial=""), {}, "movable links without a physical inertia: 'b'"),
        (
            chain(limit='<limit lower="-1" upper="1" effort="0" velocity="5"/>'),
            {},
            "without a effort limit above 0: second",
        ),
        (
            chain(limit='<limit lower="-1" upper="1" effort="9" velocity="0"/>'),
            {},
            "without a velocity limit above 0: second",
        ),
        (chain("continuous", ""), {}, "effort limit above 0: second"),
        (
            chain(limit='<limit lower="1" upper="-1" effort="9" velocity="5"/>'),
            {},
            "position limits of second leave no room",
        ),
        (chain(), {"mass_min": 50.0}, "total mass 4.000 kg is outside"),
        (chain(), {"joints__knee__standing": 0.1}, "no movable joint 'knee'"),
        (chain(), {"locked_joints": ("elbow",)}, "no movable joint 'elbow'"),
        (chain(), {"torso_link": "chest"}, "no link 'chest'"),
        (chain(), {"imu_link": "c"}, "'c' moves against the base"),
        (chain(), {"feet__l_sole__link": "shoe", "feet__l_sole__corners": (0.0, 0.0, 0.0)}, "no link 'shoe'"),
        (chain(), {"feet__l_sole__link": "c", "feet__l_sole__corners": (0.0, 0.0)}, "corners 3 for each corner"),
        ("<robot name='x'><link name='a'/>", {}, "Pinocchio cannot read|not well-formed|no element"),
    ],
)
def test_refused_with_one_sentence(urdf: str, values: dict[str, object], said: str) -> None:
    with pytest.raises(Exception, match=said) as caught:
        model_of(urdf, **values)
    assert "\n" not in str(caught.value).strip() or not isinstance(caught.value, ModelError)


def test_unlimited_only_where_it_is_said_and_joint_by_joint() -> None:
    urdf = chain(limit='<limit lower="-1" upper="1" effort="0" velocity="0"/>')
    model = model_of(urdf, unlimited_joints=("second",))
    assert np.isinf(model.limits.effort[1]) and model.limits.effort[0] == 10.0
    overridden = model_of(urdf, joints__second__effort=7.0, joints__second__velocity=3.0)
    assert overridden.limits.effort[1] == 7.0 and overridden.limits.velocity[1] == 3.0


def test_locked_joints_leave_the_model_at_their_standing_position() -> None:
    model = model_of(chain(extra="<mimic joint='first'/>"), locked_joints=("second",), joints__second__standing=0.5)
    assert model.joint_names == ("first", "third")
    whole = model_of(chain(), joints__second__standing=0.5)
    places = []
    for one in (model, whole):
        data = one.pinocchio.createData()
        pin.framesForwardKinematics(one.pinocchio, data, one.standing_configuration())
        places.append(data.oMf[one.pinocchio.getFrameId("c")].homogeneous)
    np.testing.assert_allclose(*places, atol=1e-12)
