"""Which forwarding controllers a mode of the bridge writes to; needs no ROS."""

from __future__ import annotations

from wbc_control.parameters.bridge import BridgeParameters


def forwarders_of(parameters: BridgeParameters) -> dict[str, str]:
    """Forwarding controller → its command interface, in the order in which the mode writes to them."""
    names = parameters.interfaces
    effort = {parameters.controller: names.effort}
    position = {f"{names.position}_controller": names.position}
    if parameters.mode == "mit":
        rest = {f"{name}_controller": name for name in (names.stiffness, names.damping)}
        return position | {f"{names.velocity}_controller": names.velocity} | effort | rest
    return {"effort": effort, "position": position, "joint_state": {}}[parameters.mode]
