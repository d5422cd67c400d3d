"""Rows of every task against finite differences along a motion with known velocity and acceleration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from wbc_scene import (
    ROBOTS,
    random_configuration,
    random_velocity,
    robot,
    standing_reference,
    terms_at,
    trajectory,
)

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.spatial import exp_so3, log_so3, yaw_matrix
from wbc_control.wbc.contacts import AIR
from wbc_control.wbc.frame_reader import FrameReader
from wbc_control.wbc.task import Task
from wbc_control.wbc.tasks import (
    AngularMomentumTask,
    CentreOfMassTask,
    CentroidalMomentumTask,
    FrameTask,
    JointTask,
    RelativeFrameTask,
    SwingFootTask,
    TorsoOrientationTask,
)

STEP = 1e-4
FREE = TaskParameters(weight=1.0, bandwidth=0.0)
Pose = tuple[np.ndarray, np.ndarray]


def rows(task: Task, terms: Kinodynamics, reference: object = None) -> tuple[np.ndarray, np.ndarray]:
    A, b = np.full((task.rows, terms.v.size), np.nan), np.full(task.rows, np.nan)
    task.write(terms, reference or standing_reference(terms.model), A, b)
    return A, b


def pose_acceleration(pose: Callable[[float], Pose]) -> np.ndarray:
    """Classical acceleration (6,) of a moving frame at time 0."""
    (p0, R0), (pp, Rp), (pm, Rm) = pose(0.0), pose(STEP), pose(-STEP)
    linear = (pp - 2.0 * p0 + pm) / STEP**2
    angular = (log_so3(Rp @ R0.T) + log_so3(Rm @ R0.T)) / STEP**2
    return np.concatenate([linear, angular])


def pose_of(terms: Kinodynamics, frame: str) -> Pose:
    reader = FrameReader(terms.model, frame)
    reader.read(terms)
    return reader.position, reader.rotation


class Motion:
    """A random motion of a robot and its terms at any time."""

    def __init__(self, model: RobotModel, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.model, self.q = model, random_configuration(model, rng)
        self.v, self.a = random_velocity(model, rng), random_velocity(model, rng, 2.0)

    def terms(self, t: float = 0.0) -> Kinodynamics:
        return terms_at(self.model, *trajectory(self.model, self.q, self.v, self.a, t))

    def check(self, task: Task, expected: np.ndarray, tolerance: float = 2e-5) -> None:
        A, b = rows(task, self.terms())
        np.testing.assert_allclose(A @ self.a - b, expected, atol=tolerance * max(1.0, np.abs(expected).max()))


@pytest.fixture(params=ROBOTS)
def motion(request: pytest.FixtureRequest) -> Motion:
    return Motion(robot(request.param), 7)


def test_centre_of_mass(motion: Motion) -> None:
    com = [motion.terms(t).com.copy() for t in (-STEP, 0.0, STEP)]
    motion.check(CentreOfMassTask(FREE), (com[0] - 2.0 * com[1] + com[2]) / STEP**2)


def test_momentum(motion: Motion) -> None:
    rate = (motion.terms(STEP).momentum - motion.terms(-STEP).momentum) / (2.0 * STEP)
    motion.check(CentroidalMomentumTask(motion.model, FREE), rate)
    motion.check(AngularMomentumTask(1.0, 0.0), rate[3:])


def test_torso_orientation(motion: Motion) -> None:
    torso = motion.model.pinocchio.frames[motion.model.torso_frame_id].name
    motion.check(TorsoOrientationTask(FREE), pose_acceleration(lambda t: pose_of(motion.terms(t), torso))[3:])


def test_swing_feet(motion: Motion) -> None:
    for i, foot in enumerate(motion.model.feet):
        task = SwingFootTask(i, foot.name, foot.is_point, FREE)
        assert task.applies((AIR,) * len(motion.model.feet))
        motion.check(task, pose_acceleration(lambda t, n=foot.name: pose_of(motion.terms(t), n))[: task.rows])


def test_any_frame_in_the_world_and_along_chosen_axes(motion: Motion) -> None:
    frame = motion.model.feet[0].link
    acceleration = pose_acceleration(lambda t: pose_of(motion.terms(t), frame))
    motion.check(FrameTask(motion.model, frame, FREE), acceleration)
    turn = pose_of(motion.terms(), frame)[1].T
    along = np.concatenate([turn @ acceleration[:3], turn @ acceleration[3:]])
    mask = (True, False, True, False, True, True)
    motion.check(FrameTask(motion.model, frame, FREE, mask, axes=frame), along[list(mask)])


def test_relative_frame(motion: Motion) -> None:
    frame, base = motion.model.feet[0].link, motion.model.feet[1].link

    def relative(t: float) -> Pose:
        (p, R), (pb, Rb) = pose_of(motion.terms(t), frame), pose_of(motion.terms(t), base)
        return Rb.T @ (p - pb), Rb.T @ R

    motion.check(RelativeFrameTask(motion.model, frame, base, FREE), pose_acceleration(relative))


def test_joints(motion: Motion) -> None:
    names = motion.model.joint_names[2:5]
    indices = [motion.model.joint_names.index(name) for name in names]
    motion.check(JointTask(motion.model, names, FREE), motion.a[motion.model.v_index][indices])


def test_feed_forward_gains_and_signs() -> None:
    """b grows by the feed-forward, by kd per unit of velocity error and by kp per unit of position error."""
    motion = Motion(robot("humanoid"), 3)
    task = FrameTask(motion.model, "l_sole", TaskParameters(weight=2.0, bandwidth=5.0, damping_ratio=0.7))
    p, R = pose_of(motion.terms(), "l_sole")
    task.target.set(p, R)
    _, before = rows(task, motion.terms())
    turn = np.array([0.02, -0.01, 0.03])
    task.target.set(p + [0.1, 0.0, 0.0], exp_so3(turn) @ R, np.arange(6.0), np.ones(6))
    _, after = rows(task, motion.terms())
    expected = 1.0 + 7.0 * np.arange(6.0)
    expected[0] += 25.0 * 0.1
    expected[3:] += 25.0 * turn
    np.testing.assert_allclose(after - before, expected, atol=1e-9)
    assert (task.weights == 2.0).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda m: CentreOfMassTask(FREE),
        lambda m: TorsoOrientationTask(FREE),
        lambda m: CentroidalMomentumTask(m, FREE),
        lambda m: FrameTask(m, "l_sole", FREE),
    ],
)
def test_rows_turn_with_the_world(make: Callable[[RobotModel], Task]) -> None:
    """Moving and yawing the whole robot turns rows and drift by the yaw; joint columns and norms show nothing else."""
    model = robot("humanoid")
    motion, task = Motion(model, 5), make(model)
    A, b = rows(task, motion.terms())
    R = yaw_matrix(1.1)
    q = motion.q.copy()
    q[:3] = R @ q[:3] + [3.0, -2.0, 0.0]
    half = np.array([0.0, 0.0, np.sin(0.55), np.cos(0.55)])
    x, y, z, w = q[3:7]
    q[3:7] = [
        half[3] * x - half[2] * y,
        half[3] * y + half[2] * x,
        half[3] * z + half[2] * w,
        half[3] * w - half[2] * z,
    ]
    A2, b2 = rows(task, terms_at(model, q, motion.v))
    big = np.kron(np.eye(task.rows // 3), R)
    np.testing.assert_allclose(A2, big @ A, atol=1e-9)
    np.testing.assert_allclose(b2, big @ b, atol=1e-9)
