"""What the bridge says to the motors, one class a mode: which topics it writes and how a tick's result is put on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from wbc_control.joint_control import JointPdBridge, PositionTargets, drive_targets
from wbc_control.parameters.bridge import BridgeParameters
from wbc_control.ros.conversions.efforts import EffortEncoder
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.forwarders import forwarders_of
from wbc_control.ros.node import StackNode
from wbc_control.state.checks import Array

FORWARDED, JOINT_COMMANDS = "effort", "joint_commands"
"""Keys of the topics: arrays for forwarding controllers, joint states for a driver that hears them."""


class BridgeOutput(ABC):
    """Writer of motor commands.

    Args:
        node: The node ``joint_pd_bridge``.
        key: Declared topic.
        targets: Controllers, or the topic itself, one publisher each.

    Attributes:
        key: Declared topic.
        topics: Full names of what it writes.
    """

    def __init__(self, node: StackNode, key: str, targets: tuple[str, ...]) -> None:
        self.key = key
        self._publishers = [node.open_publisher(key, target) for target in targets]
        self.topics = tuple(str(publisher.topic_name) for publisher in self._publishers)

    @abstractmethod
    def send(self, core: JointPdBridge, effort: Array, time_ns: int) -> None:
        """Send one tick.

        Args:
            core: After its update.
            effort: (n,) what the update returned, N·m.
            time_ns: Time of the tick, ns.
        """

    def restart(self) -> None:
        """The joints are claimed anew."""


class EffortOutput(BridgeOutput):
    """Efforts for one forwarder."""

    def __init__(self, node: StackNode, parameters: BridgeParameters) -> None:
        super().__init__(node, FORWARDED, tuple(forwarders_of(parameters)))
        self._encoder = EffortEncoder(node.model.n)

    def send(self, core: JointPdBridge, effort: Array, time_ns: int) -> None:
        """The efforts."""
        self._publishers[0].publish(self._encoder.encode(effort))


class DriveOutput(BridgeOutput):
    """Position, velocity, effort and both gains, one forwarder each."""

    def __init__(self, node: StackNode, parameters: BridgeParameters) -> None:
        super().__init__(node, FORWARDED, tuple(forwarders_of(parameters)))
        self._encoders = [EffortEncoder(node.model.n) for _ in self._publishers]

    def send(self, core: JointPdBridge, effort: Array, time_ns: int) -> None:
        """Five arrays of one law."""
        targets = drive_targets(core.law(), effort, core.model.limits.effort)
        for publisher, encoder, values in zip(self._publishers, self._encoders, targets, strict=True):
            publisher.publish(encoder.encode(values))


class PositionOutput(BridgeOutput):
    """Positions for one forwarder."""

    def __init__(self, node: StackNode, parameters: BridgeParameters) -> None:
        super().__init__(node, FORWARDED, tuple(forwarders_of(parameters)))
        self._encoder = EffortEncoder(node.model.n)
        self._targets = PositionTargets(node.model, parameters.rate)

    def send(self, core: JointPdBridge, effort: Array, time_ns: int) -> None:
        """The positions."""
        self._publishers[0].publish(self._encoder.encode(self._targets.update(core.law())))

    def restart(self) -> None:
        """The first target is where the joints are."""
        self._targets.reset()


class JointStateOutput(BridgeOutput):
    """Position, velocity and total effort by joint name, as JointStateTopicSystem sends them."""

    def __init__(self, node: StackNode, parameters: BridgeParameters) -> None:
        super().__init__(node, JOINT_COMMANDS, (parameters.joint_commands_topic,))
        self._encoder = JointStateEncoder(node.model.joint_names)
        self._targets = PositionTargets(node.model, parameters.rate)

    def send(self, core: JointPdBridge, effort: Array, time_ns: int) -> None:
        """One joint state; the receiver takes the fields it can use."""
        law = core.law()
        message = self._encoder.write(time_ns, self._targets.update(law), law.velocity, effort)
        self._publishers[0].publish(message)

    def restart(self) -> None:
        """The first target is where the joints are."""
        self._targets.reset()


_OUTPUTS: dict[str, Any] = {
    "effort": EffortOutput,
    "mit": DriveOutput,
    "position": PositionOutput,
    "joint_state": JointStateOutput,
}


def output_of(node: StackNode) -> BridgeOutput:
    """The output of the mode in the node's parameters."""
    parameters = node.parameters.bridge
    output: BridgeOutput = _OUTPUTS[parameters.mode](node, parameters)
    return output
