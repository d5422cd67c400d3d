"""Sets parameters of other nodes without waiting for the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rcl_interfaces.srv import SetParametersAtomically
from rclpy.client import Client
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future


class RemoteParameters:
    """Clients of the stack's parameter services.

    Args:
        node: Owner of the clients; its relative names decide the namespace.

    Attributes:
        refusals: Reasons of sets that were refused, in order of arrival.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._clients: dict[str, Client[Any, Any]] = {}
        self._pending: list[tuple[str, Future[Any]]] = []
        self._executor: Executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)
        self.refusals: list[str] = []

    def set(self, values: Mapping[str, Any]) -> None:
        """Send ``node.parameter`` → value; all values of one node go in one atomic call."""
        by_node: dict[str, list[Any]] = {}
        for name, value in values.items():
            node, _, parameter = name.partition(".")
            plain = list(value) if isinstance(value, tuple) else value
            by_node.setdefault(node, []).append(Parameter(parameter, value=plain).to_parameter_msg())
        for node, messages in by_node.items():
            self._pending.append(
                (node, self._client(node).call_async(SetParametersAtomically.Request(parameters=messages)))
            )

    @property
    def pending(self) -> bool:
        """Whether an answer is still awaited."""
        return bool(self._pending)

    def poll(self) -> None:
        """Take in answers that have arrived."""
        if self._pending:
            self._executor.spin_once(timeout_sec=0.0)
        for node, future in [item for item in self._pending if item[1].done()]:
            self._pending.remove((node, future))
            answer = future.result()
            if answer is not None and not answer.result.successful:
                self.refusals.append(f"{node}: {answer.result.reason}")

    def _client(self, node: str) -> Client[Any, Any]:
        if node not in self._clients:
            service = f"{node}/set_parameters_atomically"
            self._clients[node] = self._node.create_client(SetParametersAtomically, service)
        return self._clients[node]

    def close(self) -> None:
        """Stop serving the node."""
        self._executor.shutdown(timeout_sec=1.0)
