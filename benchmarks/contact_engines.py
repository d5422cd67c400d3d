"""Both physics engines against closed forms: sliding, tipping, bouncing, free flight; prints Markdown.

    OMP_NUM_THREADS=1 python benchmarks/contact_engines.py [--standing-s 10]

The bodies are robots without joints, so that the engines are measured through the same interface as with a robot.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pinocchio as pin

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters import RobotParameters, SimulatorParameters
from wbc_control.parameters.building import build
from wbc_control.parameters.simulator import GroundParameters
from wbc_control.simulation.backend import Backend, InitialState
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import find_scenario, make_world, prepare
from wbc_control.simulation.terrain import Ground, make_ground
from wbc_control.simulation.terrain_settings import SlopeTerrain
from wbc_control.spatial import GRAVITY_M_S2, matrix_to_quaternion, roll_pitch_yaw_to_matrix

ENGINES = ("rigid", "mujoco")
MASS_KG, HALF_M, BALL_M = 3.0, (0.10, 0.08, 0.15), 0.05
LINK = """<robot name="body"><link name="body"><inertial><origin xyz="0 0 0"/><mass value="{mass}"/>
<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def box() -> RobotModel:
    """A box that stands on four corners."""
    x, y, z = HALF_M
    inertia = [MASS_KG / 3.0 * (a * a + b * b) for a, b in ((y, z), (x, z), (x, y))]
    corners = [value for sx in (1, -1) for sy in (1, -1) for value in (sx * x, sy * y, -z)]
    return _body(inertia, {"feet.sole.corners": tuple(corners)})


def ball() -> RobotModel:
    """A homogeneous ball."""
    return _body([0.4 * MASS_KG * BALL_M**2] * 3, {"feet.sole.corners": (0.0, 0.0, 0.0), "feet.sole.radius": BALL_M})


def _body(inertia: list[float], feet: dict[str, object]) -> RobotModel:
    urdf = LINK.format(mass=MASS_KG, xx=inertia[0], yy=inertia[1], zz=inertia[2])
    values = {"name": "body", "floating_base": True, "feet.sole.link": "body", **feet}
    return RobotModel(build(RobotParameters, values), urdf, Path("body.urdf"), ())


def world(engine: str, model: RobotModel, ground: Ground, surface: GroundParameters | None = None) -> Backend:
    """A backend of 1 ms steps."""
    simulator = replace(SimulatorParameters(), backend=engine, ground=surface or GroundParameters())
    return make_world(model, simulator, ground)


def start(model: RobotModel, x: float = 0.0, pitch: float = 0.0) -> np.ndarray:
    """A configuration at ``x``, m, nose down by ``pitch``, rad; the height comes from the ground."""
    q = pin.neutral(model.pinocchio)
    q[0], q[3:7] = x, matrix_to_quaternion(roll_pitch_yaw_to_matrix(0.0, pitch, 0.0))
    return q


def run(backend: Backend, steps: int) -> None:
    """Let it move without motors."""
    idle = np.zeros(0)
    for _ in range(steps):
        backend.step(idle)


def sliding_distance(engine: str, speed: float = 1.2, friction: float = 0.4) -> tuple[float, float]:
    """How far a box slides, m, and v²/(2 μ g)."""
    model = box()
    backend = world(engine, model, Ground(friction=friction))
    backend.reset(InitialState(start(model), np.array([speed, 0, 0, 0, 0, 0.0])))
    run(backend, 600)
    return float(backend.ground_truth().q[0]), speed**2 / (2.0 * friction * GRAVITY_M_S2)


def tips(engine: str, angle: float, seconds: float = 0.8) -> bool:
    """Whether a box on a slope of that angle, rad, with friction enough, falls over."""
    model = box()
    ground = make_ground(SlopeTerrain(friction=2.0, pitch_deg=math.degrees(angle), start=0.0, length=6.0))
    backend = world(engine, model, ground)
    backend.reset(InitialState(start(model, 3.0, -angle), np.zeros(6)))
    run(backend, round(1e3 * seconds))
    rotation = pin.XYZQUATToSE3(backend.ground_truth().q).rotation
    upright = roll_pitch_yaw_to_matrix(0.0, -angle, 0.0)[:, 2]
    return float(rotation[:, 2] @ upright) < math.cos(0.05)


def tipping_angle(engine: str) -> tuple[float, float]:
    """The steepest slope on which a box stands, degrees, by bisection, and atan(half length / half height)."""
    exact = math.atan(HALF_M[0] / HALF_M[2])
    low, high = 0.9 * exact, 1.1 * exact
    while high - low > math.radians(0.1):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if tips(engine, middle) else (middle, high)
    return math.degrees(0.5 * (low + high)), math.degrees(exact)


def bounces(engine: str, restitution: float, height: float = 0.5) -> list[float]:
    """Apex heights, m, of a ball's first two bounces, dropped from ``height``.

    The rigid ground takes e; MuJoCo's spring-damper the damping ratio with e = exp(−π ζ/√(1 − ζ²)).
    """
    logarithm = math.log(restitution) / math.pi
    ratio = -logarithm / math.sqrt(1.0 + logarithm**2)
    surface = replace(GroundParameters(), restitution=restitution, damping_ratio=ratio, time_constant=0.02)
    model = ball()
    backend = world(engine, model, Ground(), surface)
    backend.reset(InitialState(start(model), np.zeros(6), drop=height))
    apexes: list[float] = []
    last = -1.0
    for _ in range(3000):
        backend.step(np.zeros(0))
        truth = backend.ground_truth()
        if last > 0.0 >= truth.v[2] and truth.q[2] > BALL_M + 0.01:
            apexes.append(float(truth.q[2]) - BALL_M)
        last = float(truth.v[2])
        if len(apexes) == 2:
            break
    return apexes


@dataclass(frozen=True)
class Drift:
    """Energy of a body in free flight: largest departure over the kinetic energy at the start."""

    energy: float
    momentum: float


def flight_drift(engine: str, seconds: float = 1.0) -> Drift:
    """A tumbling box thrown upwards: relative change of energy, and of the angular momentum about its centre."""
    model = box()
    backend = world(engine, model, Ground(base_height=-50.0))
    backend.reset(InitialState(start(model), np.array([1.0, 0, 2.0, 3.0, -4.0, 5.0]), drop=60.0))
    data = model.pinocchio.createData()

    def state() -> tuple[float, np.ndarray]:
        truth = backend.ground_truth()
        kinetic = pin.computeKineticEnergy(model.pinocchio, data, truth.q, truth.v)
        potential = pin.computePotentialEnergy(model.pinocchio, data, truth.q)
        return kinetic + potential, np.array(
            pin.computeCentroidalMomentum(model.pinocchio, data, truth.q, truth.v).angular
        )

    first, spin = state()
    kinetic = float(pin.computeKineticEnergy(model.pinocchio, data, backend.ground_truth().q, backend.ground_truth().v))
    worst, turned = 0.0, 0.0
    for _ in range(round(1e3 * seconds)):
        backend.step(np.zeros(0))
        energy, momentum = state()
        worst = max(worst, abs(energy - first))
        turned = max(turned, float(np.linalg.norm(momentum - spin)))
    return Drift(worst / kinetic, turned / float(np.linalg.norm(spin)))


def standing_centres(robot: str, engine: str, seconds: float) -> np.ndarray:
    """(k, 3) time, s, and centre of pressure (x, y), m, world, of a robot standing under the control stack, from 1 s on."""
    scenario = replace(find_scenario("stand"), duration=seconds)
    prepared = prepare(robot, scenario, {"simulation.backend": engine})
    rows: list[list[float]] = []

    class Watch:
        def observe(self, period: Period) -> None:
            load = period.truth.contact_forces[:, 2]
            if period.time_ns >= 1_000_000_000 and load.sum() > 0.0:
                rows.append([1e-9 * period.time_ns, *(load @ period.truth.contact_points[:, :2] / load.sum()).tolist()])

    outcome = prepared.loop.run([Watch()])
    prepared.backend.close()
    if outcome.fell:
        raise SystemExit(f"{robot} fell on {engine}: {outcome.reason}")
    return np.array(rows)


def step_time_us(robot: str, engine: str, steps: int = 400) -> float:
    """CPU time of one step of 1 ms with the robot standing, µs: the tenth percentile."""
    parameters = load_robot(robot, {"simulation.backend": engine})
    model = RobotModel.from_parameters(parameters.robot)
    backend = make_world(model, parameters.simulator)
    backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))
    wanted = backend.read_sensors().joints.position
    times = []
    for _ in range(steps):
        joints = backend.read_sensors().joints
        effort = 200.0 * (wanted - joints.position) - 6.0 * joints.velocity
        before = time.process_time_ns()
        backend.step(effort)
        times.append(time.process_time_ns() - before)
    return 1e-3 * float(np.quantile(times, 0.1))


def body_table() -> None:
    """Single bodies on both engines next to the closed form."""
    rows = [
        ("box slides from 1.2 m/s, μ = 0.4, m", [sliding_distance(e)[0] for e in ENGINES], sliding_distance("rigid")[1])
    ]
    rows.append(("box tips on a slope of, degrees", [tipping_angle(e)[0] for e in ENGINES], tipping_angle("rigid")[1]))
    for restitution in (0.5, 0.8):
        both = [bounces(engine, restitution) for engine in ENGINES]
        for number in (0, 1):
            exact = 0.5 * restitution ** (2 * (number + 1))
            rows.append((f"ball from 0.5 m, e = {restitution}, apex {number + 1}, m", [b[number] for b in both], exact))
    drifts = [flight_drift(engine) for engine in ENGINES]
    rows.append(("tumbling box, 1 s: energy drift / kinetic energy", [d.energy for d in drifts], 0.0))
    rows.append(("the same: angular momentum drift", [d.momentum for d in drifts], 0.0))
    print("| case | rigid | MuJoCo | closed form |\n|---|---|---|---|")
    for name, values, exact in rows:
        print(f"| {name} | " + " | ".join(f"{value:.4g}" for value in (*values, exact)) + " |")


def standing_table(seconds: float, robots: tuple[str, ...] = ("g1", "humanoid", "quadruped", "go2")) -> None:
    """Centres of pressure on both engines, and what a step costs."""
    print(
        f"\n| standing {seconds:g} s | mean CoP apart, mm | 99 % of instants, mm | rigid step, µs | MuJoCo step, µs |"
    )
    print("|---|---|---|---|---|")
    for robot in robots:
        rigid, mujoco = (standing_centres(robot, engine, seconds)[:, 1:] for engine in ENGINES)
        apart = 1e3 * np.linalg.norm(rigid.mean(axis=0) - mujoco.mean(axis=0))
        count = min(len(rigid), len(mujoco))
        instant = 1e3 * np.quantile(np.linalg.norm(rigid[:count] - mujoco[:count], axis=1), 0.99)
        steps = [step_time_us(robot, engine) for engine in ENGINES]
        print(f"| {robot} | {apart:.3f} | {instant:.2f} | {steps[0]:.0f} | {steps[1]:.0f} |")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Both physics engines against closed forms, as Markdown tables.")
    parser.add_argument("--standing-s", type=float, default=10.0, help="simulated time of the standing robots, s")
    seconds = parser.parse_args().standing_s
    body_table()
    standing_table(seconds)


if __name__ == "__main__":
    main()
