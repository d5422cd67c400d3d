"""Launch arguments, each declared once: name, default, sentence."""

from __future__ import annotations

_DECLARED = {
    "robot": ("g1", "shipped robot, or the path of a parameter file"),
    "namespace": ("", "namespace of all nodes"),
    "use_sim_time": ("false", "take time from /clock"),
    "params_file": ("", "parameter file laid over the robot's"),
    "autostart": ("true", "nodes configure and activate themselves"),
    "use_composition": ("true", "estimator, QP and bridge in one process"),
    "log_level": ("info", "log level of the nodes"),
}
Argument = tuple[str, str, str]


def launch_arguments(*names: str, **defaults: str) -> tuple[Argument, ...]:
    """(name, default, sentence) of each shared argument in ``names``, with another default where given."""
    return tuple((name, defaults.get(name, _DECLARED[name][0]), _DECLARED[name][1]) for name in names)
