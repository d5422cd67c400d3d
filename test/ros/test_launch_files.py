"""Launch files start the declared node set, in the declared way (C31, C36); ``launch`` itself is not on PyPI and stood in for."""

from __future__ import annotations

import ast
from pathlib import Path

import launch_doubles
import pytest
import yaml

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import read_parameter_file
from wbc_control.ros import graph
from wbc_control.ros.bringup import on_simulated_time
from wbc_control.ros.controller_manager_file import controller_manager_file

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "launch").glob("*.launch.py"))
OWN_ROBOTS = ("humanoid", "quadruped")


@pytest.fixture(autouse=True)
def doubles(monkeypatch):
    launch_doubles.install(monkeypatch)


def started(name: str, **arguments: str):
    return launch_doubles.actions(ROOT / "launch" / name, **arguments)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_launch_files_compile_and_describe_something(path):
    functions = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    assert "generate_launch_description" in functions
    assert len(FILES) == 5


@pytest.mark.parametrize("hardware", graph.HARDWARE)
@pytest.mark.parametrize("composition", ["true", "False", "1"])
def test_bringup_starts_what_wbc_up_starts(hardware, composition):
    nodes = started("bringup.launch.py", hardware=hardware, use_composition=composition)
    wanted = graph.processes(hardware, graph.truth(composition))
    assert [(node.kwargs["package"], node.kwargs["executable"]) for node in nodes] == [
        (graph.PACKAGE, process.executable) for process in wanted
    ]


def test_bringup_hands_its_arguments_to_every_node(tmp_path):
    extra = tmp_path / "mine.yaml"
    nodes = started(
        "bringup.launch.py",
        robot="humanoid",
        namespace="one",
        use_sim_time="True",
        autostart="0",
        params_file=str(extra),
    )
    for node in nodes:
        *files, settings = node.kwargs["parameters"]
        assert files == [str(ROOT / "config" / "humanoid.yaml"), str(extra)]
        assert settings == {"use_sim_time": True, "middleware.autostart": False}
        assert node.kwargs["namespace"] == "one" and "name" not in node.kwargs


def test_a_simulated_robot_gets_the_bridge_that_waits_for_it():
    nodes = started("bringup.launch.py", robot="humanoid", hardware="mujoco")
    path = ROOT / "config" / "hardware" / "mujoco.yaml"
    assert all(str(path) in node.kwargs["parameters"] for node in nodes)
    given = read_parameter_file(path)["joint_pd_bridge"]["joint_state_timeout"]
    assert given == on_simulated_time(load_robot("humanoid")).bridge.joint_state_timeout
    assert given > load_robot("humanoid").simulator.command_patience


def test_nodes_of_a_launch_stay_on_this_machine_and_die_with_it():
    environment = started("bringup.launch.py")[0].kwargs["additional_env"]
    assert set(environment) == {*graph.LOCAL_ENVIRONMENT, graph.PARENT_VARIABLE}


def test_sensors_come_from_the_stock_broadcasters_but_in_our_simulator():
    remaps = dict(started("bringup.launch.py", robot="humanoid", hardware="robot")[0].kwargs["remappings"])
    assert remaps == graph.broadcaster_remaps(("l_sole", "r_sole"))
    assert remaps["l_sole/wrench"] == "l_sole_fts_broadcaster/wrench"
    assert started("bringup.launch.py", robot="humanoid", hardware="mujoco")[0].kwargs["remappings"] == []


def test_a_robot_without_file_is_named():
    with pytest.raises(RuntimeError, match="atlas"):
        started("bringup.launch.py", robot="atlas")


def test_simulation_is_bringup_with_mujoco():
    (include,) = started("simulation.launch.py", robot="go2")
    assert include.args[0].args == (str(ROOT / "launch" / "bringup.launch.py"),)
    assert dict(include.kwargs["launch_arguments"])["hardware"] == "mujoco"
    assert len(started("simulation.launch.py", rviz="True")) == 2


@pytest.mark.parametrize("robot", OWN_ROBOTS)
def test_description_is_a_string_whatever_its_comments_hold(robot):
    (publisher,) = started("visualize.launch.py", robot=robot, rviz="false")
    value = publisher.kwargs["parameters"][0]["robot_description"]
    assert type(value).__name__ == "ParameterValue" and value.kwargs == {"value_type": str}
    assert Path(value.args[0].args[0][1]) == ROOT / "urdf" / f"{robot}.urdf.xacro"


@pytest.mark.parametrize("robot", OWN_ROBOTS)
def test_effort_controller_comes_last(robot):
    found = started("ros2_control.launch.py", robot=robot)
    first = next(node for node in launch_doubles.of_kind(found, "Node") if node.kwargs["executable"] == "spawner")
    (handler,) = launch_doubles.of_kind(found, "RegisterEventHandler")
    exit_of = handler.args[0].kwargs
    assert exit_of["target_action"] is first
    include, timer = exit_of["on_exit"]
    assert dict(include.kwargs["launch_arguments"])["hardware"] == "mock"
    (last,) = timer.kwargs["actions"]
    assert last.kwargs["arguments"][0] == load_robot(robot).bridge.controller
    assert (
        "effort_controller" not in first.kwargs["arguments"] and "imu_sensor_broadcaster" in first.kwargs["arguments"]
    )


def test_gazebo_runs_on_simulated_time_with_the_controllers_in_the_description():
    found = started("gazebo.launch.py", robot="humanoid")
    names = [node.kwargs["package"] for node in launch_doubles.of_kind(found, "Node")]
    assert names == ["ros_gz_bridge", "robot_state_publisher", "ros_gz_sim"]
    value = launch_doubles.of_kind(found, "Node")[1].kwargs["parameters"][0]["robot_description"]
    words = value.args[0].args[0]
    assert " hardware:=gazebo" in words and words[-1].endswith("config/ros2_control/humanoid.yaml")
    assert (ROOT / "config" / "gazebo" / "ground.sdf").is_file()


@pytest.mark.parametrize("robot", OWN_ROBOTS)
def test_shipped_controller_files_have_our_joint_order(robot):
    parameters = load_robot(robot)
    made = controller_manager_file(parameters, RobotModel.from_parameters(parameters.robot))
    assert (ROOT / "config" / "ros2_control" / f"{robot}.yaml").read_text() == made


def test_drives_with_their_own_loop_get_one_forwarder_an_interface(tmp_path):
    settings = {"joint_pd_bridge.mode": "mit", "joint_pd_bridge.interfaces.stiffness": "proportional"}
    parameters = load_robot("humanoid", settings)
    model = RobotModel.from_parameters(parameters.robot)
    path = tmp_path / "controllers.yaml"
    path.write_text(controller_manager_file(parameters, model), encoding="utf-8")
    names = [
        "position_controller",
        "velocity_controller",
        "effort_controller",
        "proportional_controller",
        "kd_controller",
    ]
    assert graph.forwarders(str(path)) == names
    content = yaml.safe_load(path.read_text())
    interfaces = [content[name]["ros__parameters"]["interface_name"] for name in names]
    assert interfaces == ["position", "velocity", "effort", "proportional", "kd"]
    assert all(content[name]["ros__parameters"]["joints"] == list(model.joint_names) for name in names)
    found = started("ros2_control.launch.py", robot="humanoid", controllers_file=str(path))
    (handler,) = launch_doubles.of_kind(found, "RegisterEventHandler")
    (last,) = handler.args[0].kwargs["on_exit"][1].kwargs["actions"]
    assert last.kwargs["arguments"][: len(names)] == names


def test_files_are_found_for_data_packages_too():
    pytest.importorskip("pinocchio")
    try:
        path = graph.description_file("g1", ROOT)
    except RuntimeError:
        pytest.skip("needs example-robot-data (extra `robots`)")
    assert path.endswith(".urdf")
