"""TSID's inverse dynamics on the common problem (C++ behind Python)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
import tsid

from wbc_control.cli.peers import problem
from wbc_control.cli.peers.peer import Peer
from wbc_control.cli.peers.problem import Array


class TsidPeer(Peer):
    """Six-dimensional contacts of four corner forces, actuation and joint bounds, eiquadprog-fast."""

    def __init__(self, urdf: str, clock: Callable[[], int]) -> None:
        self.clock = clock
        self._robot = tsid.RobotWrapper(urdf, [], pin.JointModelFreeFlyer(), False)
        self.model = self._robot.model()
        self.q = pin.neutral(self.model)
        for joint, angle in problem.POSTURE.items():
            self.q[self.model.joints[self.model.getJointId(joint)].idx_q] = angle
        self._dynamics = tsid.InverseDynamicsFormulationAccForce("tsid", self._robot, False)
        self._dynamics.computeProblemData(0.0, self.q, np.zeros(self._robot.nv))
        self._time = 0.0
        self._kept: list[Any] = [*self._add_contacts(), *self._add_tasks(), *self._add_limits()]
        self._solver = tsid.SolverHQuadProgFast("solver")
        self._solver.resize(self._dynamics.nVar, self._dynamics.nEq, self._dynamics.nIn)

    def _add_contacts(self) -> list[Any]:
        kept, data = [], self._dynamics.data()
        up, corners = np.array([0.0, 0.0, 1.0]), problem.SOLE_CORNERS.T.copy()
        for link in problem.FOOT_LINKS:
            contact = tsid.Contact6d(f"contact {link}", self._robot, link, corners, up, problem.FRICTION, 1.0, 400.0)
            contact.setKp(np.zeros(6))
            contact.setKd(np.full(6, problem.CONTACT_DAMPING))
            contact.setReference(self._robot.framePosition(data, self.model.getFrameId(link)))
            self._dynamics.addRigidContact(contact, problem.FORCE_WEIGHT)
            kept.append(contact)
        return kept

    def _add_tasks(self) -> list[Any]:
        robot, data = self._robot, self._dynamics.data()
        com = tsid.TaskComEquality("com", robot)
        com.setReference(tsid.TrajectoryEuclidianConstant("com", robot.com(data).copy()).computeNext())
        posture = tsid.TaskJointPosture("posture", robot)
        posture.setReference(tsid.TrajectoryEuclidianConstant("posture", self.q[7:]).computeNext())
        torso = tsid.TaskSE3Equality("torso", robot, problem.TORSO)
        torso.setMask(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
        torso.useLocalFrame(False)
        place = robot.framePosition(data, self.model.getFrameId(problem.TORSO))
        torso.setReference(tsid.TrajectorySE3Constant("torso", place).computeNext())
        gains = (problem.COM, problem.POSTURE_GAINS, problem.TORSO_GAINS)
        for task, size, (weight, kp, kd) in zip((com, posture, torso), (3, robot.nv - 6, 6), gains):
            task.setKp(np.full(size, kp))
            task.setKd(np.full(size, kd))
            self._dynamics.addMotionTask(task, weight, 1, 0.0)
        return [com, posture, torso]

    def _add_limits(self) -> list[Any]:
        robot, model = self._robot, self.model
        efforts = (model.upperEffortLimit if hasattr(model, "upperEffortLimit") else model.effortLimit)[6:]
        torque = tsid.TaskActuationBounds("torque", robot)
        torque.setBounds(-efforts, efforts)
        self._dynamics.addActuationTask(torque, 1.0, 0, 0.0)
        speed = tsid.TaskJointBounds("speed", robot, problem.PERIOD)
        bound = np.full(robot.nv - 6, problem.SPEED_LIMIT)
        speed.setVelocityBounds(-bound, bound)
        self._dynamics.addMotionTask(speed, 1.0, 0, 0.0)
        return [torque, speed]

    def tick(self, q: Array, v: Array) -> tuple[int, Array]:
        """See :class:`Peer`."""
        started = self.clock()
        data = self._dynamics.computeProblemData(self._time, q, v)
        solution = self._solver.solve(data)
        if solution.status != 0:
            raise RuntimeError(f"TSID found no solution, status {solution.status}")
        self._dynamics.getActuatorForces(solution)
        duration = self.clock() - started
        self._time += problem.PERIOD
        return duration, np.array(self._dynamics.getAccelerations(solution))
