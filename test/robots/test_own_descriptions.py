"""The own robots' xacro: every argument, the ros2_control block, inertias shape by shape."""
from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from shipped_robots import OWN, model, parameters

from wbc_control.errors import ModelError
from wbc_control.model.share import share_folder
from wbc_control.model.urdf_source import resolve_urdf, xacro_arguments

pytest.importorskip("xacro", reason="the own robots are xacro files")

STATE_INTERFACES = ["position", "velocity", "effort"]
VARIANTS: list[dict[str, str]] = [
    {},
    {"hardware": "mujoco"},
    {"hardware": "robot", "robot_plugin": "my_driver/MySystem"},
    {"hardware": "gazebo", "controllers_file": "/tmp/with: colon.yaml"},
    {"hardware": "gazebo", "gazebo": "ign"},
    {"command_interfaces": "position velocity effort kp kd"},
]


def expand(name: str, **arguments: str) -> ElementTree.Element:
    """Root element of the URDF."""
    return ElementTree.fromstring(resolve_urdf(f"{name}.urdf.xacro", arguments).urdf_text)


def texts(root: ElementTree.Element, path: str) -> list[str]:
    return [(element.text or "").strip() for element in root.iterfind(path)]


@pytest.mark.parametrize("arguments", VARIANTS, ids=str)
@pytest.mark.parametrize("name", OWN)
def test_every_variant_is_the_same_robot(name: str, arguments: dict[str, str]) -> None:
    """Arguments choose interfaces and sensors, never links, joints or inertias."""
    assert mechanics(expand(name, **arguments)) == mechanics(expand(name))


def mechanics(root: ElementTree.Element) -> list[str]:
    """Links and joints as canonical text."""
    return [ElementTree.tostring(e, encoding="unicode").strip() for e in root if e.tag in ("link", "joint")]


@pytest.mark.parametrize("name", OWN)
def test_ros2_control_has_exactly_the_actuated_joints(name: str) -> None:
    control = expand(name).find("ros2_control")
    assert control is not None
    assert sorted(j.attrib["name"] for j in control.iterfind("joint")) == sorted(model(name).joint_names)
    for joint in control.iterfind("joint"):
        assert [e.attrib["name"] for e in joint.iterfind("command_interface")] == ["effort"]
        assert [e.attrib["name"] for e in joint.iterfind("state_interface")] == STATE_INTERFACES


@pytest.mark.parametrize("name", OWN)
def test_start_values_are_the_standing_posture(name: str) -> None:
    """Gazebo and mock hardware start where the controller expects the robot to stand."""
    control = expand(name).find("ros2_control")
    assert control is not None
    rows = parameters(name).robot.joints
    for joint in control.iterfind("joint"):
        value = joint.findtext("state_interface[@name='position']/param[@name='initial_value']")
        assert value is not None
        assert float(value) == pytest.approx(rows[joint.attrib["name"]].standing), joint.attrib["name"]


@pytest.mark.parametrize("name", OWN)
def test_sensors_are_one_imu_and_one_force_sensor_a_foot(name: str) -> None:
    control = expand(name).find("ros2_control")
    assert control is not None
    frames = {s.attrib["name"]: s.findtext("param[@name='frame_id']") for s in control.iterfind("sensor")}
    assert frames == {"imu_sensor": "imu_link"} | {f"{foot}_fts": foot for foot in model(name).foot_names}


@pytest.mark.parametrize(
    ("arguments", "plugins"),
    [
        ({"hardware": "mock"}, ["mock_components/GenericSystem"]),
        ({"hardware": "robot", "robot_plugin": "my/System"}, ["my/System"]),
        ({"hardware": "gazebo"}, ["gz_ros2_control/GazeboSimSystem"]),
        ({"hardware": "gazebo", "gazebo": "ign"}, ["ign_ros2_control/IgnitionSystem"]),
        ({"hardware": "mujoco"}, []),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", OWN)
def test_hardware_chooses_the_plugin(name: str, arguments: dict[str, str], plugins: list[str]) -> None:
    assert texts(expand(name, **arguments), "ros2_control/hardware/plugin") == plugins


@pytest.mark.parametrize("name", OWN)
def test_command_interfaces_are_an_argument(name: str) -> None:
    wanted = ["position", "velocity", "effort", "kp", "kd"]
    for joint in expand(name, command_interfaces=" ".join(wanted)).iterfind("ros2_control/joint"):
        assert [e.attrib["name"] for e in joint.iterfind("command_interface")] == wanted


@pytest.mark.parametrize("name", OWN)
def test_gazebo_sensors_are_named_like_those_of_ros2_control(name: str) -> None:
    """gz_ros2_control pairs them by name, and a sensor on a fixed joint needs the joint kept."""
    root = expand(name, hardware="gazebo", controllers_file="c.yaml")
    control = [sensor.attrib["name"] for sensor in root.iterfind("ros2_control/sensor")]
    assert sorted(sensor.attrib["name"] for sensor in root.iterfind("gazebo/sensor")) == sorted(control)
    assert texts(root, "gazebo/plugin/parameters") == ["c.yaml"]
    for element in root.iterfind("gazebo"):
        if element.find("sensor[@type='force_torque']") is not None:
            assert root.find(f"joint[@name='{element.attrib['reference']}']") is not None
            assert element.findtext("disableFixedJointLumping") == "true"


@pytest.mark.parametrize("name", OWN)
def test_only_gazebo_gets_gazebo_elements(name: str) -> None:
    assert expand(name).find("gazebo") is None
    assert expand(name, hardware="mujoco").find("gazebo") is None


@pytest.mark.parametrize(
    ("arguments", "word"),
    [({"hardware": "gazbo"}, "gazbo"), ({"gazebo": "classic"}, "classic"), ({"hardwar": "mock"}, "hardwar")],
    ids=str,
)
@pytest.mark.parametrize("name", OWN)
def test_a_wrong_argument_is_refused_by_name(name: str, arguments: dict[str, str], word: str) -> None:
    with pytest.raises(ModelError, match=word):
        expand(name, **arguments)


@pytest.mark.parametrize("name", OWN)
def test_both_robots_take_the_same_arguments(name: str) -> None:
    first = xacro_arguments(share_folder("urdf") / f"{OWN[0]}.urdf.xacro")
    assert xacro_arguments(share_folder("urdf") / f"{name}.urdf.xacro") == first


@pytest.mark.parametrize("name", OWN)
def test_shapes_are_primitive(name: str) -> None:
    geometries = {shape.tag for geometry in expand(name).iter("geometry") for shape in geometry}
    assert geometries <= {"box", "cylinder", "sphere"}


@pytest.mark.parametrize("name", OWN)
def test_inertia_of_every_link_follows_from_its_shape(name: str) -> None:
    """Uniform density: trace of the inertia = 2·m·E[r²], with E[r²] known for each shape; same centre as the shape."""
    for link in expand(name).iterfind("link"):
        inertial, shape = link.find("inertial"), link.find("collision/geometry/*")
        if inertial is None or shape is None:
            continue
        mass, inertia = inertial.find("mass"), inertial.find("inertia")
        assert mass is not None and inertia is not None
        trace = sum(float(inertia.attrib[axis]) for axis in ("ixx", "iyy", "izz"))
        wanted = 2.0 * float(mass.attrib["value"]) * mean_square_radius(shape)
        assert trace == pytest.approx(wanted), link.attrib["name"]
        assert origin(inertial) == origin(link.find("collision")), link.attrib["name"]


def mean_square_radius(shape: ElementTree.Element) -> float:
    """Mean squared distance of a solid's points from its centre, m²."""
    if shape.tag == "box":
        return float(np.sum(np.square([float(edge) for edge in shape.attrib["size"].split()]))) / 12.0
    radius = float(shape.attrib["radius"])
    if shape.tag == "sphere":
        return 0.6 * radius**2
    return 0.5 * radius**2 + float(shape.attrib["length"]) ** 2 / 12.0


def origin(element: ElementTree.Element | None) -> dict[str, str]:
    found = None if element is None else element.find("origin")
    return {} if found is None else dict(found.attrib)


@pytest.mark.parametrize("name", OWN)
def test_a_colon_in_a_comment_does_not_break_it(name: str, tmp_path: Path) -> None:
    """ROS reads a parameter's text as YAML; ``: `` in a comment then makes a mapping of it."""
    folder = share_folder("urdf")
    text = (folder / f"{name}.urdf.xacro").read_text(encoding="utf-8")
    included = re.sub(r'filename="common/', f'filename="{folder}/common/', text)
    copy = tmp_path / f"{name}.urdf.xacro"
    copy.write_text(included.replace("<xacro:include", "<!-- note: a colon -->\n  <xacro:include", 1), encoding="utf-8")
    copied = ElementTree.fromstring(resolve_urdf(str(copy)).urdf_text)
    assert mechanics(copied) == mechanics(expand(name))
