"""Builds the ament_python package; name, version, texts and licence come from package.xml."""
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).resolve().parent  # the source, also where colcon runs a link to this file
MANIFEST = ElementTree.parse(HERE / "package.xml").getroot()
NAME = MANIFEST.findtext("name")

NODE_EXECUTABLES = (
    "contact_estimator",
    "centroidal_planner",
    "whole_body_qp",
    "joint_pd_bridge",
    "wbc_stack",
    "mujoco_sim",
)
SHARED_FOLDERS = ("config", "launch", "urdf")

RUNTIME = ["numpy>=1.24", "PyYAML", "pin>=3.0", "proxsuite>=0.6.5", "xacro"]
EXTRAS = {
    "ros": [
        "ros-rclpy[fastrtps]",
        "ros-diagnostic-msgs",
        "ros-geometry-msgs",
        "ros-lifecycle-msgs",
        "ros-nav-msgs",
        "ros-rosgraph-msgs",
        "ros-sensor-msgs",
        "ros-std-msgs",
        "ros-std-srvs",
        "ros-trajectory-msgs",
        "ros-visualization-msgs",
    ],
    "sim": ["mujoco>=3.2", "imageio-ffmpeg", "matplotlib", "mcap"],
    "robots": ["example-robot-data"],
    "solvers": ["daqp", "piqp", "quadprog"],
    "test": ["mypy", "pytest", "ruff", "types-PyYAML"],
}


def node_executables():
    """One copy of the launcher script for each node, made under build/; pip and colcon install them as data."""
    template = HERE / "resource" / "node_executable"
    folder = HERE / "build" / "executables"
    folder.mkdir(parents=True, exist_ok=True)
    for name in NODE_EXECUTABLES:
        target = folder / name
        if not target.exists() or target.read_bytes() != template.read_bytes():
            shutil.copyfile(template, target)
            target.chmod(0o755)
    return [str((folder / name).relative_to(HERE)) for name in NODE_EXECUTABLES]


def data_files():
    """(folder below the prefix, files): ament marker, manifest, node executables, shared files."""
    share = Path("share") / NAME
    entries = [
        (Path("share/ament_index/resource_index/packages"), [f"resource/{NAME}"]),
        (share, ["package.xml"]),
        (Path("lib") / NAME, node_executables()),
    ]
    for kind in SHARED_FOLDERS:
        for folder in sorted({path.parent for path in (HERE / kind).rglob("*") if shared(path)}):
            files = sorted(str(path.relative_to(HERE)) for path in folder.iterdir() if shared(path))
            entries.append((share / folder.relative_to(HERE), files))
    return [(str(folder), files) for folder, files in entries]


def shared(path):
    """Whether a file below a shared folder is installed."""
    return path.is_file() and not path.name.startswith(".") and path.suffix != ".pyc"


setup(
    name=NAME,
    version=MANIFEST.findtext("version"),
    description=" ".join(MANIFEST.findtext("description").split()),
    license=MANIFEST.findtext("license"),
    maintainer=MANIFEST.findtext("maintainer"),
    maintainer_email=MANIFEST.find("maintainer").get("email"),
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={NAME: ["py.typed"]},
    data_files=data_files(),
    python_requires=">=3.10",
    install_requires=RUNTIME,
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["wbc = wbc_control.cli.main:main"]},
    zip_safe=False,
)
