"""PlaCo's DynamicsSolver on the common problem (C++ behind Python)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
import placo

from wbc_control.cli.peers import problem
from wbc_control.cli.peers.peer import Peer
from wbc_control.cli.peers.problem import Array


class PlacoPeer(Peer):
    """Hard sole tasks, planar contacts with friction and centre of pressure, torque and velocity limits."""

    def __init__(self, urdf: str, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.model = pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer())
        self._robot = placo.RobotWrapper(urdf, placo.Flags.ignore_collisions)
        for joint, angle in problem.POSTURE.items():
            self._robot.set_joint(joint, angle)
        self._robot.update_kinematics()
        self.q = np.array(self._robot.state.q)
        self._solver = self._new_solver()
        self._kept: list[Any] = [*self._add_contacts(), *self._add_tasks()]

    def _new_solver(self) -> Any:
        solver = placo.DynamicsSolver(self._robot)
        solver.dt = problem.PERIOD
        for joint in self._robot.joint_names():
            self._robot.set_velocity_limit(joint, problem.SPEED_LIMIT)
        solver.enable_torque_limits(True)
        solver.enable_velocity_limits(True)
        return solver

    def _add_contacts(self) -> list[Any]:
        size, kept = np.ptp(problem.SOLE_CORNERS, axis=0), []
        for link in problem.FOOT_LINKS:
            sole = f"{link}_sole"
            task = self._solver.add_frame_task(sole, self._robot.get_T_world_frame(sole))
            task.configure(sole, "hard", 1.0, 1.0)
            for part in (task.position(), task.orientation()):
                part.kp, part.kd = 0.0, problem.CONTACT_DAMPING
            contact = self._solver.add_planar_contact(task)
            # The largest rectangle inside the four corners, which make a slight trapezoid.
            contact.length, contact.width, contact.mu = float(size[0]), 0.055, problem.FRICTION
            contact.weight_forces = contact.weight_moments = problem.FORCE_WEIGHT
            contact.weight_tangentials = 0.0
            kept += [task, contact]
        return kept

    def _add_tasks(self) -> list[Any]:
        robot, solver = self._robot, self._solver
        com = solver.add_com_task(robot.com_world().copy())
        torso = solver.add_orientation_task(problem.TORSO, robot.get_T_world_frame(problem.TORSO)[:3, :3])
        posture = solver.add_joints_task()
        posture.set_joints({name: robot.get_joint(name) for name in robot.joint_names()})
        gains = (problem.COM, problem.TORSO_GAINS, problem.POSTURE_GAINS)
        for task, name, (weight, kp, kd) in zip((com, torso, posture), ("com", "torso", "posture"), gains):
            task.configure(name, "soft", weight)
            task.kp, task.kd = kp, kd
        return [com, torso, posture]

    def tick(self, q: Array, v: Array) -> tuple[int, Array]:
        """See :class:`Peer`."""
        self._robot.state.q, self._robot.state.qd = q, v
        started = self.clock()
        self._robot.update_kinematics()
        result = self._solver.solve(False)
        duration = self.clock() - started
        if not result.success:
            raise RuntimeError("PlaCo found no solution")
        return duration, np.array(result.qdd)
