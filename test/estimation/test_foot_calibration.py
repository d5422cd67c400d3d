"""Calibration finds what was put in, and its file loads back into the declared parameters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from estimation_motion import motion, robot, samples

from wbc_control.errors import DomainError
from wbc_control.estimation.calibration import calibrate, write_parameters
from wbc_control.parameters import EstimatorParameters, build, read_parameter_file
from wbc_control.state import SensorSample

NAME = "humanoid"
BIAS = np.array([[3.0, -2.0, 12.0, 0.5, -0.3, 0.1], [-1.0, 4.0, -20.0, 0.2, 0.4, -0.2]])


def logs(sign: float, bias: np.ndarray) -> tuple[list[SensorSample], dict[str, list[SensorSample]]]:
    truth = motion(NAME, 0.6)
    standing: list[SensorSample] = []
    lifted: dict[str, list[SensorSample]] = {name: [] for name in robot(NAME).foot_names}
    for sample in samples(truth):
        i = sample.time_ns // 1_000_000
        load = truth.wrench[i] - truth.sensed[i]
        noise = sample.foot_wrenches - truth.sensed[i]
        standing.append(replace(sample, foot_wrenches=sign * (sample.foot_wrenches + bias)))
        for k, name in enumerate(robot(NAME).foot_names):
            wrenches = sample.foot_wrenches.copy()
            wrenches[k] = noise[k] - load[k]
            lifted[name].append(replace(sample, foot_wrenches=sign * (wrenches + bias)))
    return standing[:200], {name: log[:200] for name, log in lifted.items()}


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_sign_and_bias_are_found(sign: float) -> None:
    found = calibrate(robot(NAME), *logs(sign, BIAS))
    for k, foot in enumerate(found):
        assert foot.sign == sign
        assert np.abs(foot.bias - BIAS[k]).max() < 0.6
        assert foot.noise == pytest.approx(1.0, rel=0.3)
        assert 0.0 < foot.lift_share < foot.touch_share < 0.2


def test_the_file_loads_back_into_the_declared_parameters(tmp_path: Path) -> None:
    found = calibrate(robot(NAME), *logs(-1.0, BIAS))
    write_parameters(tmp_path / "feet.yaml", found)
    values = read_parameter_file(tmp_path / "feet.yaml")["contact_estimator"]
    parameters = build(EstimatorParameters, values)
    assert parameters.sensors.feet["l_sole"].sign == -1.0
    assert parameters.sensors.feet["r_sole"].bias == pytest.approx(tuple(found[1].bias.tolist()), abs=1e-4)


def test_a_log_too_short_or_a_sensor_of_wrong_scale_is_refused() -> None:
    standing, lifted = logs(1.0, BIAS)
    with pytest.raises(DomainError, match="at least 50"):
        calibrate(robot(NAME), standing[:10], lifted)
    half = [replace(sample, foot_wrenches=0.4 * sample.foot_wrenches) for sample in standing]
    with pytest.raises(DomainError, match="scale of a sensor"):
        calibrate(
            robot(NAME),
            half,
            {name: [replace(s, foot_wrenches=0.4 * s.foot_wrenches) for s in log] for name, log in lifted.items()},
        )
