"""Sofa: force fields and mappings in Python (group J), matrices (K), a finite-element bar (P). A number names the statement that
a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import Sofa
import SofaTypes

STIFFNESS, MASS, H, G = 10.0, 2.0, 0.01, -10.0
REST = np.array([[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]])
START = REST + [[0.1, 0.0, -0.2], [0.0, 0.3, 0.0]]
PULL = np.array([0.0, G, 0.0])


# ---- J ------------------------------------------------------------------------------------------------------


class Anchors(Sofa.Core.ForceFieldVec3d):
    """f = -k (x - rest) on every point."""

    def __init__(self, *args, **kwargs):
        Sofa.Core.ForceFieldVec3d.__init__(self, *args, **kwargs)
        self.form, self.calls = "rows", []

    def init(self):
        self.rest = self.getContext().getMechanicalState().rest_position.value.copy()
        self.calls.append(("init",))

    def addForce(self, params, force, position, velocity):
        self.calls.append(("addForce", dict(params), force.shape, position.shape, velocity.shape))
        with force.writeable() as f:
            f -= STIFFNESS * (position.value - self.rest)

    def addDForce(self, params, df, dx):
        self.calls.append(("addDForce", dict(params), df.shape, dx.shape))
        with df.writeable() as d:
            d -= STIFFNESS * params["kFactor"] * dx.value

    def addKToMatrix(self, params, points, numbers):
        self.calls.append(("addKToMatrix", dict(params), points, numbers))
        n, k = points * numbers, -STIFFNESS * params["kFactor"]
        return {"rows": np.array([[i, i, k] for i in range(n)], float), "dense": (np.eye(n) * k)[:, :, None],
                "flat": np.eye(n) * k, "list": [[0, 0, k]], "none": None}[self.form]

    def first(self, name):
        return next(call for call in self.calls if call[0] == name)


def particles(integrator, solver=None, force=None, form="rows"):
    root = Sofa.Core.Node("root", gravity=PULL, dt=H)
    root.addObject("DefaultAnimationLoop")
    root.addObject(integrator)
    if solver == "CGLinearSolver":
        root.addObject(solver, iterations=50, tolerance=1e-16, threshold=1e-30)
    elif solver:
        root.addObject(solver, template="CompressedRowSparseMatrixd")
    root.addObject("MechanicalObject", name="dofs", position=START, rest_position=REST)
    root.addObject("UniformMass", name="mass", vertexMass=MASS)
    root.addObject(Anchors(name="anchors") if force is None else force).form = form
    Sofa.Simulation.initRoot(root)
    return root


def closed_form(steps, implicit):
    x, v = START.copy(), np.zeros_like(START)
    for _ in range(steps):
        pull = MASS * PULL - STIFFNESS * (x - REST)
        v += H * (pull - H * STIFFNESS * v) / (MASS + H * H * STIFFNESS) if implicit else H * pull / MASS
        x += H * v
    return x, v


@pytest.mark.parametrize("integrator, solver, form, tolerance", [
    ("EulerImplicitSolver", "SparseLDLSolver", "rows", 1e-12),  # J2
    ("EulerImplicitSolver", "SparseLDLSolver", "dense", 1e-12),  # J7
    ("EulerImplicitSolver", "CGLinearSolver", "rows", 1e-9),  # J8
    ("EulerExplicitSolver", None, "rows", 1e-12)])  # J10
def test_a_force_field_follows_its_closed_form(integrator, solver, form, tolerance):
    root = particles(integrator, solver, form=form)
    assert root.anchors.calls == [("init",)]  # J1
    Sofa.Simulation.animateNSteps(root, 50)
    x, v = closed_form(50, integrator == "EulerImplicitSolver")
    assert np.abs(root.dofs.position.value - x).max() < tolerance
    assert np.abs(root.dofs.velocity.value - v).max() < tolerance
    force = root.anchors.first("addForce")
    assert {"time", "mFactor", "bFactor", "kFactor", "isImplicit", "energy"} <= set(force[1]) and force[2:] == ((2, 3),) * 3  # J3
    assert force[1]["time"] == 0  # J4
    names = {call[0] for call in root.anchors.calls}
    if solver == "SparseLDLSolver":
        call = root.anchors.first("addKToMatrix")
        assert call[2:] == (2, 3) and "kFactor" in call[1]  # J5
    elif solver:
        call = root.anchors.first("addDForce")
        assert {"time", "bFactor", "kFactor", "isImplicit"} <= set(call[1]) and call[2:] == ((2, 3),) * 2  # J9
        assert "addKToMatrix" not in names
    assert root.anchors.getClassName() == "Anchors"  # J6
    assert np.allclose(root.anchors.assembleKMatrix().toarray(), -STIFFNESS * np.eye(6), atol=0, rtol=1e-15)  # J11


class Plain(Sofa.Core.ForceFieldVec3d):
    def addForce(self, params, force, position, velocity):
        force += np.ones((2, 3))

    def addDForce(self, params, df, dx):
        pass


class Failing(Plain):
    def addForce(self, params, force, position, velocity):
        raise KeyError("deliberate")


def test_what_goes_wrong_in_a_force_field():
    root = particles("EulerExplicitSolver", force=Failing(name="failing"))
    with pytest.raises(KeyError):
        Sofa.Simulation.animate(root, H)  # J12
    assert root.time.value == 0  # J13
    for form in ("flat", "list", "none"):
        root = particles("EulerImplicitSolver", "SparseLDLSolver", form=form)
        with pytest.raises(TypeError):
            Sofa.Simulation.animate(root, H)  # J14
    lost = Sofa.Core.Node("root")
    with pytest.raises(TypeError):
        lost.addObject(Plain(name="lost"))
        Sofa.Simulation.initRoot(lost)  # J16
    assert Plain("given").name.value == "given"  # J17
    with pytest.raises(TypeError):
        Plain("given", name="again")  # J18
    with pytest.raises(TypeError):
        Sofa.Core.MassVec3d()


def test_adding_to_the_force_itself():
    root = particles("EulerExplicitSolver", force=Plain(name="plain"))
    Sofa.Simulation.animate(root, H)
    assert np.abs(root.dofs.velocity.value - H * (PULL + 1 / MASS)).max() < 1e-14  # J15


class Heights(Sofa.Core.Mapping_Vec3d_Vec1d):
    """The y coordinates."""

    def apply(self, params, out, position):
        with out.writeable() as y:
            y[:, 0] = position.value[:, 1]

    applyJ = apply

    def applyJT(self, params, out, force):
        with out.writeable() as f:
            f[:, 1] += force.value[:, 0]

    def applyConstraintsJT(self, params, out, lines):
        lines = lines.value.tocoo()
        for row, point, value in zip(lines.row, lines.col, lines.data):
            out.add(int(row), int(point), SofaTypes.Vec3d(0.0, float(value), 0.0))


@pytest.mark.parametrize("solver", ["CGLinearSolver", "SparseLDLSolver"])
def test_a_mapping_in_python(solver):
    root = Sofa.Core.Node("root", gravity=PULL)
    root.addObject("DefaultAnimationLoop")
    root.addObject("EulerImplicitSolver")
    root.addObject(solver, **({"iterations": 50, "tolerance": 1e-16, "threshold": 1e-30} if solver == "CGLinearSolver" else
                              {"template": "CompressedRowSparseMatrixd"}))
    root.addObject("MechanicalObject", name="dofs", position=[[0, 1, 0], [0, 2, 0]])
    root.addObject("UniformMass", vertexMass=MASS)
    mapped = root.addChild("mapped")
    mapped.addObject("MechanicalObject", name="heights", template="Vec1d", position=[[0.0], [0.0]])
    mapped.addObject(Heights(name="mapping", input=root.dofs.linkpath, output=mapped.heights.linkpath))
    mapped.addObject("RestShapeSpringsForceField", template="Vec1d", stiffness=[STIFFNESS], points=[1])
    Sofa.Simulation.initRoot(root)
    assert mapped.heights.position.value.tolist() == [[1], [2]]  # J19
    y, v, k = np.array([1.0, 2.0]), np.zeros(2), np.array([0.0, STIFFNESS])
    for _ in range(20):
        v += H * (MASS * G - k * y - H * k * v) / (MASS + H * H * k)
        y += H * v
        Sofa.Simulation.animate(root, H)
    assert np.abs(root.dofs.position.value[:, 1] - y).max() < 1e-10  # J20
    assert np.abs(mapped.heights.position.value[:, 0] - y).max() < 1e-10  # J21


# ---- K ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", ["CompressedRowSparseMatrixd", "CompressedRowSparseMatrixMat3x3d"])
def test_matrices(template):
    root = Sofa.Core.Node("root", dt=0.02)
    root.addObject("DefaultAnimationLoop")
    root.addObject("EulerImplicitSolver", rayleighStiffness=0.0, rayleighMass=0.0)
    system = root.addObject("MatrixLinearSystem", name="system", template=template)
    solver = root.addObject("SparseLDLSolver", template=template, linearSystem="@system")
    root.addObject("RegularGridTopology", n=[3, 2, 2], min=[0, 0, 0], max=[2, 1, 1])
    dofs = root.addObject("MechanicalObject")
    mass = root.addObject("UniformMass", totalMass=12.0)
    fem = root.addObject("HexahedronFEMForceField", youngModulus=1000.0, poissonRatio=0.3, method="large")
    root.addObject("FixedProjectiveConstraint", indices=[0, 3, 6, 9])
    Sofa.Simulation.initRoot(root)
    fixed = [3 * p + c for p in (0, 3, 6, 9) for c in range(3)]
    free = [i for i in range(36) if i not in fixed]
    M, K = mass.assembleMMatrix(), fem.assembleKMatrix()
    assert all(scipy.sparse.isspmatrix_csr(m) and m.shape == (36, 36) and m.dtype == np.float64 for m in (M, K))  # K1
    assert np.allclose(M.toarray(), np.eye(36), rtol=1e-15)  # K2
    assert abs(K - K.T).max() < 1e-9 * abs(K).max()  # K3
    values = np.linalg.eigvalsh(K.toarray())
    assert values.max() < 1e-7 and (np.abs(values) < 1e-7 * np.abs(values).max()).sum() == 6  # K4
    assert abs(K[0]).sum() > 1  # K5
    Sofa.Simulation.animate(root, 0.02)
    A, b, x = solver.A(), solver.b(), solver.x()
    assert scipy.sparse.isspmatrix_csr(A) and A.shape == (36, 36) and b.shape == x.shape == (36,)  # K6
    assert b.dtype == x.dtype == np.float64 and np.abs(A @ x - b).max() < 1e-10  # K7
    E = (M - 0.02**2 * K).toarray()
    assert np.abs(A.toarray()[np.ix_(free, free)] - E[np.ix_(free, free)]).max() < 1e-10  # K8
    assert np.array_equal(A.toarray()[fixed], np.eye(36)[fixed]) and not b[fixed].any()  # K9
    assert np.array_equal(A.toarray()[:, fixed], np.eye(36)[:, fixed])
    assert np.abs(dofs.velocity.value.ravel() - x).max() < 1e-14  # K10
    assert abs(system.A() - A).max() == abs(system.get_system_matrix() - A).max() == 0  # K11
    assert np.array_equal(system.b(), b) and np.array_equal(system.get_rhs_vector(), b)
    assert np.array_equal(system.x(), x) and np.array_equal(system.get_solution_vector(), x)
    A.data[:], b[:], x[:] = 0, 0, 0
    assert abs(solver.A()).max() > 0 and np.abs(solver.b()).max() > 0 and np.abs(solver.x()).max() > 0  # K12


def test_matrices_of_constraints():
    h, mass, g = 0.01, 2.0, -10.0
    root = Sofa.Core.Node("root", dt=h, gravity=[0, g, 0])
    root.addObject("FreeMotionAnimationLoop")
    root.addObject("BlockGaussSeidelConstraintSolver", name="constraints", tolerance=1e-14, maxIterations=1000)
    body = root.addChild("body")
    body.addObject("EulerImplicitSolver")
    body.addObject("SparseLDLSolver", name="solver", template="CompressedRowSparseMatrixd")
    body.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0], [1, 0, 0]])
    body.addObject("UniformMass", vertexMass=mass)
    body.addObject("LinearSolverConstraintCorrection")
    body.addObject("FixedLagrangianConstraint", indices=[0])
    Sofa.Simulation.initRoot(root)
    Sofa.Simulation.animate(root, h)
    W, force, free = root.constraints.W(), root.constraints.lambda_force(), root.constraints.dfree()
    assert W.shape == (3, 3) and W.dtype == np.float64  # K13
    assert np.allclose(W, h / mass * np.eye(3), rtol=1e-12, atol=1e-18)  # K14
    assert np.allclose(free, [0, h * h * g, 0], rtol=1e-12, atol=1e-18)  # K15
    assert np.allclose(W @ force + free, 0, atol=1e-15) and np.allclose(force, [0, -mass * g * h, 0], atol=1e-12)  # K16
    assert np.allclose(body.dofs.position.value, [[0, 0, 0], [1, h * h * g, 0]], atol=1e-14)  # K17
    J = body.dofs.constraint.value
    assert J.shape[0] == 3 and np.allclose(J.toarray()[:, :3], np.eye(3)) and abs(J).sum() == 3  # K18


# ---- P ------------------------------------------------------------------------------------------------------

STEPS, DENSITY, SIDE, LENGTH, WEIGHT = 100, 1000.0, 0.4, 2.0, -9.81


def mesh(nx=11, ns=3):
    """Cubes, each cut into six tetrahedra around its diagonal."""
    axes = np.linspace(0, LENGTH, nx), np.linspace(0, SIDE, ns), np.linspace(0, SIDE, ns)
    points = np.array([[x, y, z] for z in axes[2] for y in axes[1] for x in axes[0]])
    tetrahedra = []
    for k, j, i in np.ndindex(ns - 1, ns - 1, nx - 1):
        c = [i + a + nx * (j + b + ns * (k + d)) for d in (0, 1) for b in (0, 1) for a in (0, 1)]
        for a, b in ((1, 3), (3, 2), (2, 6), (6, 4), (4, 5), (5, 1)):
            t = [c[0], c[a], c[b], c[7]]
            p = points[t]
            tetrahedra.append(t if np.linalg.det(p[1:] - p[0]) > 0 else [t[0], t[2], t[1], t[3]])
    return points, np.array(tetrahedra)


POINTS, TETRAHEDRA = mesh()
CLAMPED = np.flatnonzero(POINTS[:, 0] < 1e-9)
FREE = np.setdiff1d(np.arange(3 * len(POINTS)), [3 * p + c for p in CLAMPED for c in range(3)])
TOTAL = DENSITY * LENGTH * SIDE * SIDE


def bar(method, damping):
    root = Sofa.Core.Node("root", dt=0.02, gravity=[0, WEIGHT, 0])
    root.addObject("DefaultAnimationLoop")
    node = root.addChild("bar")
    node.addObject("EulerImplicitSolver", rayleighStiffness=damping, rayleighMass=0.0)
    node.addObject("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    node.addObject("TetrahedronSetTopologyContainer", position=POINTS, tetrahedra=TETRAHEDRA)
    node.addObject("MechanicalObject", name="dofs")
    node.addObject("UniformMass", name="mass", totalMass=TOTAL)
    node.addObject("TetrahedronFEMForceField", name="fem", youngModulus=2.5e7, poissonRatio=0.3, method=method)
    node.addObject("FixedProjectiveConstraint", indices=CLAMPED)
    Sofa.Simulation.initRoot(root)
    return root


def statics(K):
    load = np.tile([0.0, WEIGHT * TOTAL / len(POINTS), 0.0], len(POINTS))
    sag = np.zeros(len(load))
    sag[FREE] = scipy.sparse.linalg.spsolve(-K[FREE][:, FREE], load[FREE])
    return load, sag


def test_a_bar_against_matrices():
    edges = POINTS[TETRAHEDRA[:, 1:]] - POINTS[TETRAHEDRA[:, :1]]
    volumes = np.linalg.det(edges) / 6
    assert volumes.min() > 0 and abs(volumes.sum() - LENGTH * SIDE * SIDE) < 1e-12  # P1
    root, h = bar("small", 0.0), 0.02
    node = root.bar
    K, M = node.fem.assembleKMatrix().tocsc(), node.mass.assembleMMatrix().tocsc()
    assert abs(K - K.T).max() < 1e-8 * abs(K).max()  # P2
    assert (np.abs(np.linalg.eigvalsh(K.toarray())) < 1e-6 * abs(K).max()).sum() == 6
    load = statics(K)[0]
    Kff, Mff = K[FREE][:, FREE], M[FREE][:, FREE]
    A = scipy.sparse.linalg.splu((Mff - h * h * Kff).tocsc())
    u, v, energies = np.zeros(len(FREE)), np.zeros(len(FREE)), [0.0]
    for _ in range(STEPS):
        v = v + A.solve(h * (load[FREE] + Kff @ u + h * (Kff @ v)))
        u = u + h * v
        Sofa.Simulation.animate(root, h)
        x, velocity = (node.dofs.position.value - POINTS).ravel(), node.dofs.velocity.value.ravel()
        assert np.abs(x[FREE] - u).max() < 1e-9  # P4
        kinetic = velocity @ (M @ velocity) / 2
        assert node.computeEnergy()[0] == pytest.approx(kinetic, rel=1e-9, abs=1e-9)  # P3
        energies.append(kinetic - x @ (K @ x) / 2 - load @ x)
    assert np.array_equal(node.dofs.position.value[CLAMPED], POINTS[CLAMPED])  # P5
    assert max(np.diff(energies)) < 1e-9 * abs(min(energies)) and energies[-1] < 0  # P6
    assert root.time.value == sum([h] * STEPS)  # P7


def test_a_damped_bar_hangs():
    root, tip = bar("large", 0.1), int(np.argmax(POINTS[:, 0]))
    dofs, sag = root.bar.dofs, statics(root.bar.fem.assembleKMatrix().tocsc())[1]
    Sofa.Simulation.animateNSteps(root, STEPS)
    end = dofs.position.value[tip, 1] - POINTS[tip, 1]
    assert np.abs(dofs.velocity.value).max() < 1e-3  # P8
    assert abs(end - sag[3 * tip + 1]) < 0.05 * abs(sag[3 * tip + 1])  # P9
    beam = DENSITY * SIDE**2 * WEIGHT * LENGTH**4 / (8 * 2.5e7 * SIDE**4 / 12)
    assert 0.3 < end / beam < 1.05  # P10
    again = bar("large", 0.1)
    Sofa.Simulation.animateNSteps(again, STEPS)
    assert np.array_equal(again.bar.dofs.position.value, dofs.position.value)  # P11
    Sofa.Simulation.reset(again)
    assert np.array_equal(again.bar.dofs.position.value, POINTS)  # P12
