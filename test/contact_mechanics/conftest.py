"""Contact problems shared by the solver tests."""
import numpy as np
import pytest

from wbc_control.contact_mechanics.contact_problem import ContactProblem
from wbc_control.contact_mechanics.delassus import DenseDelassus, FactoredDelassus
from wbc_control.spatial import skew


def boxes_problem(contacts, seed=0, friction=0.5, coulomb=True, dense=False):
    """Boxes with four corners each thrown on the ground: block-sparse, rank-deficient when a box has four corners."""
    rng = np.random.default_rng(seed)
    per_box = min(4, contacts)
    factor, columns, free = [], [], []
    for box in range(contacts // per_box):
        mass = rng.uniform(1.0, 5.0)
        inertia = mass / 60.0 * rng.uniform(0.5, 2.0, 3)
        root = np.sqrt(np.concatenate([[mass] * 3, inertia]))
        velocity = rng.normal(size=6) * [0.5, 0.5, 0.5, 1, 1, 1] - [0, 0, 0.1, 0, 0, 0]
        for x, y in [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)][:per_box]:
            jacobian = np.hstack([np.eye(3), -skew(np.array([x, y, -0.15]))])
            factor.append((jacobian / root).T)
            columns.append(np.arange(6) + 6 * box)
            free.append(jacobian @ velocity)
    operator = FactoredDelassus(np.array(factor), np.array(columns), 6 * (contacts // per_box))
    chosen = DenseDelassus(operator.dense()) if dense else operator
    return ContactProblem(chosen, np.array(free), friction, coulomb)


def definite_problem(contacts, seed=0, friction=0.5, coulomb=True):
    """A random positive definite operator: the velocities of the convex relaxation are unique."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3 * contacts, 3 * contacts + 2))
    matrix = root @ root.T / (3 * contacts) + 0.1 * np.eye(3 * contacts)
    free = rng.normal(size=(contacts, 3)) - [0, 0, 0.7]
    return ContactProblem(DenseDelassus(0.5 * (matrix + matrix.T)), free, friction, coulomb)


@pytest.fixture
def boxes():
    return boxes_problem


@pytest.fixture
def definite():
    return definite_problem
