"""A motion with perfect sensors: a robot that stands or steps, by inverse kinematics and inverse dynamics.

Independent of the estimator: base and feet follow formulas, joints come from Newton's method on Pinocchio's frames,
forces and torques from inverse dynamics with the feet sharing the load by a smooth schedule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pinocchio as pin

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.model.feet import Foot
from wbc_control.spatial import yaw_matrix
from wbc_control.state import ImuSample, JointState, SensorSample

DT = 0.001
STEP_S, LOAD_S, LIFT_M = 0.5, 0.04, 0.05


@cache
def robot(name: str) -> RobotModel:
    return RobotModel.from_parameters(load_robot(name).robot)


@dataclass(frozen=True)
class Noise:
    """Standard deviation per sample, units of scenario files."""

    gyro: float = 0.005
    accelerometer: float = 0.05
    joint_position: float = 0.0001
    joint_velocity: float = 0.01
    wrench: float = 1.0


QUIET = Noise(0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Motion:
    """Truth, one row a tick: q, v, a; ground wrench of each foot in its sole frame; sensor wrench likewise; efforts."""

    model: RobotModel
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    wrench: np.ndarray
    sensed: np.ndarray
    effort: np.ndarray
    loaded: np.ndarray
    planned: np.ndarray

    def __len__(self) -> int:
        return len(self.q)


@cache
def motion(name: str, duration: float, speed: float = 0.0, yaw: float = 0.0, x: float = 0.0) -> Motion:
    """Stand (``speed`` 0) or step forward at ``speed`` m/s from a start pose (x, yaw)."""
    model = robot(name)
    count = round(duration / DT)
    q, share, planned = configurations(model, count, speed)
    v, a = rates(model, q)
    q, v, a = q[1:-1], v[1:-1], a[1:-1]
    wrench, sensed, effort = forces(model, q, v, a, share[1:-1])
    moved = np.array([move(row, x, yaw) for row in q])
    return Motion(model, moved, v, a, wrench, sensed, effort, share[1:-1] > 1e-6, planned[1:-1])


def move(q: np.ndarray, x: float, yaw: float) -> np.ndarray:
    """The same posture with the whole world turned by ``yaw`` and shifted."""
    turned = q.copy()
    rotation = yaw_matrix(yaw)
    turned[:3] = rotation @ q[:3] + [x, 0.0, 0.0]
    turned[3:7] = pin.Quaternion(rotation @ pin.Quaternion(q[3:7]).matrix()).coeffs()
    return turned


def quintic(s: float) -> float:
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s**2)


def configurations(model: RobotModel, count: int, speed: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    start = model.standing_configuration()
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, start)
    home = [pin.SE3(data.oMf[foot.frame_id]) for foot in model.feet]
    q, shares, plans = [start], [], []
    rolled, before = np.zeros((len(home), 3)), None
    for i in range(count + 2):
        t = i * DT
        targets, share, plan = feet_at(t, home, speed)
        now = [np.array(data.oMf[foot.frame_id].rotation) for foot in model.feet]
        if before is not None:
            rolled += rolling(model, before, now, share)
        before = now
        targets = [
            pin.SE3(pose.rotation, pose.translation + shift) for pose, shift in zip(targets, rolled, strict=True)
        ]
        base = start[:7].copy()
        base[0] += speed * max(t - STEP_S, 0.0) * quintic((t - STEP_S) / 0.3) if speed else 0.0
        base[:3] += 0.01 * quintic(t / 0.5) * np.array([np.sin(4 * t), np.sin(5 * t), np.cos(3 * t) - 1])
        tilt = 0.03 * quintic(t / 0.5) * np.array([np.sin(3 * t), np.sin(4.5 * t), np.sin(2 * t)])
        base[3:7] = pin.Quaternion(pin.Quaternion(start[3:7]).matrix() @ pin.exp3(tilt)).coeffs()
        q.append(solve(model, data, np.r_[base, q[-1][7:]], targets))
        shares.append(share)
        plans.append(plan)
    return np.array(q[1:]), np.array(shares), np.array(plans)


def rolling(model: RobotModel, before: list[np.ndarray], now: list[np.ndarray], share: np.ndarray) -> np.ndarray:
    """(N, 3) how far the centres of spherical feet roll on the ground while their links turn."""
    turned = [pin.log3(b @ a.T) for a, b in zip(before, now, strict=True)]
    return np.array(
        [
            np.cross(turn, [0.0, 0.0, foot.radius]) * (carried > 1e-6)
            for turn, foot, carried in zip(turned, model.feet, share, strict=True)
        ]
    )


def feet_at(t: float, home: list[pin.SE3], speed: float) -> tuple[list[pin.SE3], np.ndarray, np.ndarray]:
    """Sole poses, load share and plan: after one step time of standing, groups of feet step in turn."""
    count = len(home)
    group = [k % 2 if count == 2 else int(k in (1, 2)) for k in range(count)]
    poses, share, plan = [], np.ones(count), np.ones(count, dtype=bool)
    stride = speed * 2 * STEP_S
    for k in range(count):
        phase = (t - STEP_S * (1 + group[k])) / (2 * STEP_S) if speed else -1.0
        cycle, s = int(np.floor(phase)), (phase - np.floor(phase)) * 2 * STEP_S
        done, swing = (max(cycle, 0), s) if phase >= 0 else (0, 1.0)
        air = STEP_S - 2 * LOAD_S
        first = 0.5 if group[k] == 0 else 1.0
        forward = stride * (max(done - 1 + first, 0.0) if done else 0.0)
        u = (swing - LOAD_S) / air
        forward += stride * (first if done == 0 else 1.0) * quintic(u) if phase >= 0 else 0.0
        height = LIFT_M * 64 * (u * (1 - u)) ** 3 if 0 < u < 1 and phase >= 0 else 0.0
        if phase >= 0 and swing < STEP_S:
            share[k] = (
                1 - quintic(swing / LOAD_S) if swing < STEP_S / 2 else quintic((swing - STEP_S + LOAD_S) / LOAD_S)
            )
            plan[k] = not LOAD_S <= swing < STEP_S - LOAD_S
        poses.append(pin.SE3(home[k].rotation, home[k].translation + [forward, 0.0, height]))
    return poses, share, plan


def solve(model: RobotModel, data: pin.Data, q: np.ndarray, targets: list[pin.SE3]) -> np.ndarray:
    """Joints that put every sole on its target, base fixed (Newton with a damped least-squares step)."""
    point = all(foot.is_point for foot in model.feet)
    for _ in range(30):
        pin.computeJointJacobians(model.pinocchio, data, q)
        pin.updateFramePlacements(model.pinocchio, data)
        errors, rows = [], []
        for foot, target in zip(model.feet, targets, strict=True):
            placement = data.oMf[foot.frame_id]
            jacobian = pin.getFrameJacobian(model.pinocchio, data, foot.frame_id, pin.LOCAL_WORLD_ALIGNED)[:, 6:]
            twist = np.r_[target.translation - placement.translation, pin.log3(target.rotation @ placement.rotation.T)]
            errors.append(twist[:3] if point else twist)
            rows.append(jacobian[:3] if point else jacobian)
        error, jacobian = np.concatenate(errors), np.vstack(rows)
        if np.abs(error).max() < 1e-11:
            break
        step = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-12 * np.eye(len(error)), error)
        q = pin.integrate(model.pinocchio, q, np.r_[np.zeros(6), step])
    assert np.abs(error).max() < 1e-8, "the test motion is out of reach"
    return q


def rates(model: RobotModel, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities (base in the base frame) and their derivatives by central differences."""
    pm = model.pinocchio
    v = np.zeros((len(q), model.nv))
    for i in range(1, len(q) - 1):
        forward, backward = pin.difference(pm, q[i], q[i + 1]), pin.difference(pm, q[i], q[i - 1])
        v[i] = (forward - backward) / (2 * DT)
    v[0], v[-1] = v[1], v[-2]
    a = np.zeros_like(v)
    a[1:-1] = (v[2:] - v[:-2]) / (2 * DT)
    a[0], a[-1] = a[1], a[-2]
    return v, a


def forces(model: RobotModel, q: np.ndarray, v: np.ndarray, a: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, ...]:
    """Ground wrenches, what a sensor above the foot link reads, and efforts, by inverse dynamics."""
    pm, data = model.pinocchio, model.pinocchio.createData()
    count, feet = len(q), len(model.feet)
    rows = 3 if all(foot.is_point for foot in model.feet) else 6
    wrench, sensed, effort = np.zeros((count, feet, 6)), np.zeros((count, feet, 6)), np.zeros((count, model.n))
    for i in range(count):
        need = np.array(pin.rnea(pm, data, q[i], v[i], a[i]))
        loads = [foot_need(model, data, foot) for foot in model.feet]
        pin.computeJointJacobians(pm, data, q[i])
        pin.updateFramePlacements(pm, data)
        jacobians = [
            pin.getFrameJacobian(pm, data, foot.frame_id, pin.LOCAL_WORLD_ALIGNED)[:rows] for foot in model.feet
        ]
        grasp = np.hstack([j[:, :6].T for j in jacobians])
        weight = np.repeat(np.maximum(share[i], 1e-9), rows) ** 2
        force = weight * (grasp.T @ np.linalg.solve(grasp * weight @ grasp.T + 1e-14 * np.eye(6), need[:6]))
        for k, foot in enumerate(model.feet):
            part, rotation = force[k * rows : (k + 1) * rows], data.oMf[foot.frame_id].rotation
            wrench[i, k, :3] = rotation.T @ part[:3]
            wrench[i, k, 3:] = rotation.T @ part[3:] if rows == 6 else 0.0
            sensed[i, k] = wrench[i, k] - loads[k]
        effort[i] = (need - np.vstack(jacobians).T @ force)[model.v_index]
    return wrench, sensed, effort


def foot_need(model: RobotModel, data: pin.Data, foot: Foot) -> np.ndarray:
    """Force the foot's own weight and motion need, sole frame, straight from the Newton–Euler recursion."""
    frame = model.pinocchio.frames[foot.frame_id]
    link = model.pinocchio.frames[model.pinocchio.getFrameId(foot.link)]
    body = model.pinocchio.frames[link.parentFrame]
    force = (
        body.placement.act(body.inertia) * data.a_gf[frame.parentJoint]
        if body.type == pin.FrameType.FIXED_JOINT and body.inertia.mass > 0.0
        else data.f[frame.parentJoint]
    )
    return frame.placement.actInv(force).vector


def samples(truth: Motion, noise: Noise = Noise(), seed: int = 0, imu_filter: bool = True, imu_every: int = 1):
    """Sensor samples of a motion; with ``imu_every`` the IMU speaks only every so many ticks."""
    rng, model = np.random.default_rng(seed), truth.model
    placement, feet = model.imu_placement, len(model.feet)
    imu = imu_sample(truth, 0, placement, imu_filter)
    for i in range(len(truth)):
        t = i * 1_000_000
        if i % imu_every == 0:
            imu = imu_sample(truth, i, placement, imu_filter)
            imu = replace(
                imu,
                angular_velocity=imu.angular_velocity + rng.normal(0, noise.gyro, 3),
                linear_acceleration=imu.linear_acceleration + rng.normal(0, noise.accelerometer, 3),
            )
        joints = JointState(
            t,
            model.joint_positions(truth.q[i]) + rng.normal(0, noise.joint_position, model.n),
            truth.v[i][model.v_index] + rng.normal(0, noise.joint_velocity, model.n),
            truth.effort[i].copy(),
        )
        wrench = truth.sensed[i] + rng.normal(0, noise.wrench, (feet, 6))
        yield SensorSample(t, joints, imu, wrench, np.full(feet, t, dtype=np.int64), np.ones(feet, dtype=bool))


def imu_sample(truth: Motion, i: int, placement: pin.SE3, imu_filter: bool) -> ImuSample:
    """Perfect IMU: body rates and specific force at its place."""
    rotation = pin.Quaternion(truth.q[i, 3:7]).matrix()
    spin, spin_rate = truth.v[i, 3:6], truth.a[i, 3:6]
    lever = placement.translation
    classical = (
        truth.a[i, :3]
        + np.cross(spin, truth.v[i, :3])
        + np.cross(spin_rate, lever)
        + np.cross(spin, np.cross(spin, lever))
    )
    force = classical + rotation.T @ [0.0, 0.0, 9.81]
    mounted = placement.rotation
    xyzw = pin.Quaternion(rotation @ mounted).coeffs() if imu_filter else np.full(4, np.nan)
    return ImuSample(i * 1_000_000, np.array(xyzw), mounted.T @ spin, mounted.T @ force)
