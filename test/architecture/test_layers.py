"""A module imports only from rows above it; the table is that of the design."""
from __future__ import annotations

from pathlib import Path

import pytest
from layering import PACKAGE, launch_violations, violations

ROOT = Path(__file__).resolve().parents[2]


def test_modules_import_only_from_rows_above() -> None:
    assert violations(ROOT / PACKAGE) == []


def test_launch_files_know_the_node_set_alone() -> None:
    assert launch_violations(ROOT / "launch") == []


def test_every_folder_with_code_is_a_package() -> None:
    """A folder without __init__.py is left out of the wheel without a word."""
    folders = {file.parent for file in (ROOT / PACKAGE).rglob("*.py")}
    assert sorted(str(f) for f in folders if not (f / "__init__.py").is_file()) == []


@pytest.mark.parametrize(
    ("module", "statement", "reason"),
    [
        ("state/robot", "import wbc_control.model", "a higher row"),
        ("state/robot", "from wbc_control import stack", "a higher row"),
        ("planning/gait", "from wbc_control.wbc.task import Task", "a sibling"),
        ("contact_mechanics/cone", "from wbc_control.planning import x", "a sibling"),
        ("simulation/run", "from wbc_control.ros.topics import x", "a sibling"),
        ("spatial", "import pinocchio as pin", "may not use 'pinocchio'"),
        ("wbc/task", "import scipy.linalg", "may not use 'scipy'"),
        ("estimation/contact", "from sensor_msgs.msg import Imu", "may not use 'sensor_msgs'"),
        ("stack/run", "def f():\n    import mujoco", "may not use 'mujoco'"),
        ("wbc/task", "from .other import x", "relative import"),
        ("helpers/misc", "import math", "no row in the table"),
        ("wbc/task", "from wbc_control.helpers import x", "unknown module 'helpers'"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, module: str, statement: str, reason: str) -> None:
    file = tmp_path / PACKAGE / f"{module}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(statement, encoding="utf-8")
    found = violations(tmp_path / PACKAGE)
    assert len(found) == 1 and reason in found[0]


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("planning/gait", "from wbc_control.contact_mechanics.zmp import zmp"),
        ("wbc/task", "import numpy\nfrom wbc_control.qp import Problem\nfrom wbc_control.wbc import other"),
        ("nodes/stack", "import rclpy\nfrom nav_msgs.msg import Odometry\nfrom wbc_control.simulation import Backend"),
        ("errors", "import math"),
    ],
)
def test_an_allowed_import_passes(tmp_path: Path, module: str, statement: str) -> None:
    file = tmp_path / PACKAGE / f"{module}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(statement, encoding="utf-8")
    assert violations(tmp_path / PACKAGE) == []


def test_a_launch_file_that_reaches_into_the_package_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.launch.py").write_text("from wbc_control.ros.graph import processes\n", encoding="utf-8")
    (tmp_path / "b.launch.py").write_text("from wbc_control.model import RobotModel\n", encoding="utf-8")
    (tmp_path / "c.launch.py").write_text("from wbc_control.ros import graph_of_others\n", encoding="utf-8")
    assert [line.split(":")[0] for line in launch_violations(tmp_path)] == ["b.launch.py", "c.launch.py"]
