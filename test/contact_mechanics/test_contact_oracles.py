"""Our contact solvers against Pinocchio's ADMM and PGS and MuJoCo's elliptic solver, on their own problems."""
import numpy as np
import pytest
from contact_references import pinocchio_impulse

from wbc_control.contact_mechanics.contact_problem import ContactProblem
from wbc_control.contact_mechanics.contact_solver import solve
from wbc_control.contact_mechanics.delassus import DenseDelassus


def pinocchio_solve(problem, name):
    """λ (n, 3) by Pinocchio's ``name`` solver; skips where this Pinocchio has none."""
    pin = pytest.importorskip("pinocchio")
    if not hasattr(pin, f"{name}ConstraintSolver"):
        pytest.skip(f"this Pinocchio has no {name} solver")
    return pinocchio_impulse(problem, name)


@pytest.mark.parametrize("name", ["ADMM", "PGS"])
@pytest.mark.parametrize("seed", range(5))
def test_definite_problems_against_pinocchio(name, seed, definite):
    problem = definite(6, seed)
    reference = pinocchio_solve(problem, name)
    if name == "PGS" and problem.residual(reference) > 1e-3:
        pytest.skip("Pinocchio's PGS diverges on this one: no oracle")
    assert problem.residual(reference) < 1e-6
    for method in ("auto", "admm", "split_gauss_seidel", "cone_gauss_seidel"):
        ours = solve(problem, method, tolerance=1e-10)
        np.testing.assert_allclose(ours.impulse, reference, atol=1e-6, err_msg=method)


@pytest.mark.parametrize("seed", range(5))
def test_indeterminate_box_has_pinocchio_solutions_residual(seed, boxes):
    """Impulses under a box are not unique: both must satisfy the same residual, not be equal."""
    problem = boxes(4, seed, dense=True)
    assert problem.residual(pinocchio_solve(problem, "ADMM")) < 1e-5
    assert problem.residual(solve(problem).impulse) < 1e-8


BOX = """
<mujoco>
  <option cone="elliptic" solver="Newton" iterations="200" tolerance="1e-14" impratio="1" gravity="{g}"/>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="3" friction="{mu} 0 0"/>
    <body pos="0 0 {z}"><freejoint/><geom type="box" size=".2 .15 .1" mass="3" condim="3" friction="{mu} 0 0"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("gravity", ["0 0 -9.81", "2 0 -9.81", "8 3 -9.81"])
def test_against_mujoco_elliptic(gravity):
    """MuJoCo solves the convex relaxation with A + R: sticking and sliding boxes, same forces as our solver's."""
    mujoco = pytest.importorskip("mujoco")
    friction = 0.6
    model = mujoco.MjModel.from_xml_string(BOX.format(g=gravity, mu=friction, z=0.0999))
    data = mujoco.MjData(model)
    data.qvel[:] = [0.1, -0.05, 0, 0, 0, 0.3]
    mujoco.mj_forward(model, data)
    assert data.ncon == 4
    jacobian = data.efc_J.reshape(data.nefc, model.nv)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(*([model, data, mass] if takes_data(mujoco) else [model, mass, data.qM]))
    matrix = jacobian @ np.linalg.solve(mass, jacobian.T) + np.diag(data.efc_R)
    free = jacobian @ data.qacc_smooth - data.efc_aref
    order = np.array([[3 * i + 1, 3 * i + 2, 3 * i] for i in range(4)])
    flat = order.ravel()
    ordered = matrix[np.ix_(flat, flat)]
    problem = ContactProblem(
        DenseDelassus(0.5 * (ordered + ordered.T)), free[order], friction, coulomb=False
    )
    reference = data.efc_force[order]
    assert reference[:, 2].sum() > 10
    for method in ("auto", "interior_point", "cone_gauss_seidel", "accelerated_gradient"):
        ours = solve(problem, method, tolerance=1e-9, max_iterations=100_000)
        assert ours.status.ok, method
        np.testing.assert_allclose(ours.impulse, reference, atol=2e-5 * np.abs(reference).max(), err_msg=method)


def takes_data(mujoco):
    """Whether ``mj_fullM`` takes the data (MuJoCo 4) instead of the packed matrix (MuJoCo 3)."""
    return not hasattr(mujoco.MjData, "qM")
