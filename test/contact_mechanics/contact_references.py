"""Independent solutions of contact problems: Pinocchio's solvers (NCP) and ProxQP (LCP of a symmetric matrix)."""
import numpy as np


def pinocchio_impulse(problem, name):
    """λ (n, 3) by Pinocchio's ``name`` solver (NCP) on our Delassus matrix and free velocity."""
    import pinocchio as pin

    model = pin.Model()
    models, datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for i in range(problem.contacts):
        model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), f"body_{i}")
    for i, friction in enumerate(problem.friction):
        contact = pin.PointContactConstraintModel(model, i + 1)
        contact.setFriction(float(friction))
        models.append(pin.ConstraintModel(contact))
        datas.append(models[i].createData())
    settings = getattr(pin, f"{name}SolverSettings")()
    settings.max_iterations = 100_000
    settings.absolute_feasibility_tol = settings.absolute_complementarity_tol = 1e-11
    settings.relative_feasibility_tol = settings.relative_complementarity_tol = 1e-13
    result = getattr(pin, f"{name}SolverResult")()
    operator = pin.DelassusOperatorDense(problem.delassus.dense())
    solver = getattr(pin, f"{name}ConstraintSolver")(3 * problem.contacts)
    solver.solve(operator, problem.free_velocity.ravel(), models, datas, settings, result)
    return np.array(result.retrieveConstraintImpulses()).reshape(-1, 3)


def proxqp_lcp(matrix, vector):
    """z ≥ 0 of the LCP (A, b) with symmetric positive semidefinite A: the minimum of ½ zᵀA z + bᵀz."""
    import proxsuite

    size = len(vector)
    qp = proxsuite.proxqp.dense.QP(size, 0, 0, True)
    qp.settings.eps_abs, qp.settings.max_iter = 1e-10, 1000
    qp.init(H=matrix, g=vector, l_box=np.zeros(size), u_box=np.full(size, 1e20))
    qp.solve()
    return np.array(qp.results.x)
