"""What pip installs is complete: built once from the source tree, installed into an empty folder, run from there."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from wbc_control.ros.graph import EXECUTABLES

ROOT = Path(__file__).resolve().parents[2]
DATA = "wbc_control-{version}.data/data/"

pytestmark = pytest.mark.slow


def can_build_wheels() -> bool:
    """Setuptools builds wheels by itself since 70.1, before that with the package `wheel`."""
    if importlib.util.find_spec("wheel") is not None:
        return True
    if importlib.util.find_spec("setuptools") is None:
        return False
    import setuptools

    return tuple(int(part) for part in setuptools.__version__.split(".")[:2]) >= (70, 1)


needs_builder = pytest.mark.skipif(not can_build_wheels(), reason="neither setuptools ≥ 70.1 nor wheel is installed")


def run(*command: str | Path, **keywords: object) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, **keywords)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def build_wheel(source: Path, folder: Path) -> None:
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    run(sys.executable, "-m", "pip", "wheel", *options, "-w", folder, source)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files under version control, so that no stale build folder leaks in."""
    folder = tmp_path_factory.mktemp("source") / "wbc_control"
    skipped = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "install", "log")
    shutil.copytree(ROOT, folder, ignore=skipped)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build_wheel(source, folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prefix into which the wheel alone was installed."""
    prefix = tmp_path_factory.mktemp("prefix")
    # Without --ignore-installed pip would first uninstall the package from the environment that runs the tests.
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--ignore-installed",
        "--no-deps",
        "--no-index",
        "--prefix",
        prefix,
        wheel,
    )
    return prefix


def site_packages(prefix: Path) -> Path:
    return next(path.parent for path in prefix.rglob("wbc_control") if (path / "errors.py").is_file())


@needs_builder
def test_wheel_holds_every_module_and_shared_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    version = wheel.name.split("-")[1]
    modules = {str(f.relative_to(ROOT)) for f in (ROOT / "wbc_control").rglob("*.py")}
    assert modules - names == set()
    share = DATA.format(version=version) + "share/"
    for kind in ("config", "urdf", "launch"):
        files = [f for f in (ROOT / kind).rglob("*") if f.is_file() and "__pycache__" not in f.parts]
        assert {f"{share}wbc_control/{f.relative_to(ROOT)}" for f in files} - names == set()
    assert f"{share}ament_index/resource_index/packages/wbc_control" in names
    assert f"{share}wbc_control/package.xml" in names


@needs_builder
def test_executables_are_installed_and_executable(installed: Path) -> None:
    folder = installed / "lib" / "wbc_control"
    assert sorted(path.name for path in folder.iterdir()) == sorted(process.executable for process in EXECUTABLES)
    assert all(os.access(path, os.X_OK) for path in folder.iterdir())
    assert os.access(installed / "bin" / "wbc", os.X_OK)


@needs_builder
def test_installed_package_finds_its_robots_from_anywhere(installed: Path, tmp_path: Path) -> None:
    code = (
        "import wbc_control\n"
        "from wbc_control.model.share import known_robots, share_root\n"
        "from wbc_control.model.catalogue import load_robot\n"
        "from wbc_control.model import RobotModel\n"
        "model = RobotModel.from_parameters(load_robot('humanoid').robot)\n"
        "print(wbc_control.__file__, share_root(), len(known_robots()), model.n)"
    )
    environment = {**os.environ, "PYTHONPATH": str(site_packages(installed))}
    module, root, robots, joints = run(sys.executable, "-c", code, cwd=tmp_path, env=environment).split()
    assert Path(module).is_relative_to(installed) and Path(root) == installed / "share" / "wbc_control"
    assert (int(robots), int(joints)) == (5, 29)


@needs_builder
def test_an_executable_runs_the_node_it_is_named_after(installed: Path, tmp_path: Path) -> None:
    """The launcher script alone, with stand-ins for the nodes: right module, arguments and exit code passed on."""
    fake = tmp_path / "wbc_control" / "nodes"
    fake.mkdir(parents=True)
    (fake.parent / "__init__.py").touch()
    (fake / "__init__.py").touch()
    for process in EXECUTABLES:
        text = f"import sys\ndef main():\n    print('{process.executable}', *sys.argv[1:])\n    return 3\n"
        (fake / f"{process.executable}.py").write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for process in EXECUTABLES:
        command = [str(installed / "lib" / "wbc_control" / process.executable), "--ros-args", "a b"]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PATH": path}
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (done.stdout, done.returncode) == (f"{process.executable} --ros-args a b\n", 3), done.stderr


@needs_builder
def test_source_distribution_builds_the_same_package(source: Path, wheel: Path, tmp_path: Path) -> None:
    """An sdist that lost a file would only be noticed by the person who installs from it."""
    run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", tmp_path, cwd=source)
    archive = next(tmp_path.glob("*.tar.gz"))
    build_wheel(archive, tmp_path)
    again = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert sorted(again) == sorted(zipfile.ZipFile(wheel).namelist())
