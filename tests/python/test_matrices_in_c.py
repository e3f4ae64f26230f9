"""Every matrix and vector of the package against the C interface, called through ctypes, and against finite differences.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import re

import numpy as np
import pytest
import scipy.sparse as sp

import settee

# A soft bar with a skin, held by a law: everything that has a matrix.
BODY = """<Node gravity="0 -10 0" dt="0.01">
  <FreeMotionAnimationLoop/>
  <BlockGaussSeidelConstraintSolver name="solver" maxIterations="2000" tolerance="1e-14"/>
  <Node name="bar">
    <EulerImplicitSolver name="euler" rayleighMass="0.2" rayleighStiffness="0.01"/>
    <SparseLDLSolver name="linear" template="CompressedRowSparseMatrixMat3x3d"/>
    <RegularGridTopology name="grid" n="3 2 2" min="0 0 0" max="2 1 1"/>
    <MechanicalObject name="dofs"/>
    <UniformMass name="mass" totalMass="2"/>
    <HexahedronFEMForceField name="fem" youngModulus="2000" poissonRatio="0.3" method="large"/>
    <DiagonalVelocityDampingForceField name="drag" dampingCoefficient="0.7 0.8 0.9"/>
    <LinearSolverConstraintCorrection/>
    <FixedLagrangianConstraint name="held" indices="0 3"/>
    <Node name="skin">
      <MechanicalObject name="dofs" position="0.3 0.2 0.1 1.7 0.5 0.9"/>
      <BarycentricMapping name="map"/>
      <ConstantForceField name="push" indices="1" forces="0 3 0"/>
    </Node>
  </Node>
</Node>"""
STEPS = 3


# ---- the C interface --------------------------------------------------------------------------------------------


class View(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_size_t), ("cols", ctypes.c_size_t), ("block", ctypes.c_int),
                ("starts", ctypes.POINTER(ctypes.c_size_t)), ("columns", ctypes.POINTER(ctypes.c_int32)),
                ("values", ctypes.POINTER(ctypes.c_double))]

    def matrix(self):
        rows = self.rows // self.block
        starts = np.array(self.starts[:rows + 1])
        data = np.array(self.values[:int(starts[-1]) * self.block**2]).reshape(-1, self.block, self.block)
        columns = np.array(self.columns[:int(starts[-1])], int)
        return sp.bsr_matrix((data, columns, starts), (self.rows, self.cols)).toarray()


class Vector(ctypes.Structure):
    _fields_ = [("count", ctypes.c_size_t), ("values", ctypes.POINTER(ctypes.c_double))]


KINDS = "AMBKJ"


class CScene:
    """The same scene by the C interface alone."""

    def __init__(self, text):
        with open("/proc/self/maps") as maps:
            c = self.c = ctypes.CDLL(re.search(r"\S*libsettee\.so\S*", maps.read()).group())
        for name in ("st_scene_create", "st_scene_system", "st_scene_find", "st_scene_find_node",
                     "st_scene_constraint_solver"):
            getattr(c, name).restype = ctypes.c_void_p
        self.scene = ctypes.c_void_p(c.st_scene_create(None))
        data = text.encode()
        assert c.st_scene_load_text(self.scene, data, ctypes.c_size_t(len(data)), None) == 0
        assert c.st_scene_init(self.scene) == 0
        c.st_scene_step.argtypes = [ctypes.c_void_p, ctypes.c_double]
        for _ in range(STEPS):
            assert c.st_scene_step(self.scene, 0) == 0

    def close(self):
        self.c.st_scene_destroy(self.scene)

    def _ask(self, function, *arguments):
        view = Vector() if function in ("st_system_rhs", "st_system_solution", "st_constraint_multipliers",
                                        "st_constraint_violations") else View()
        assert getattr(self.c, function)(*arguments, ctypes.byref(view)) == 0
        return np.array(view.values[:view.count]) if isinstance(view, Vector) else view.matrix()

    def of_system(self, kind):
        system = ctypes.c_void_p(self.c.st_scene_system(self.scene, None))
        if kind in "bx":
            return self._ask("st_system_rhs" if kind == "b" else "st_system_solution", system)
        return self._ask("st_system_matrix", system, KINDS.index(kind))

    def of_constraints(self, name):
        solver = ctypes.c_void_p(self.c.st_scene_constraint_solver(self.scene, None))
        return self._ask(f"st_constraint_{name}", solver)

    def of_node(self, path, kind):
        node = ctypes.c_void_p(self.c.st_scene_find_node(self.scene, path.encode()))
        return self._ask("st_node_matrix", node, KINDS.index(kind))

    def of_component(self, path, kind, parent=False):
        component = ctypes.c_void_p(self.c.st_scene_find(self.scene, path.encode()))
        return self._ask("st_component_matrix", component, KINDS.index(kind), int(parent))


@pytest.fixture(scope="module")
def in_c():
    scene = CScene(BODY)
    yield scene
    scene.close()


@pytest.fixture
def body():
    with settee.loads(BODY) as scene:
        scene.step(STEPS)
        yield scene


def full(matrix):
    return matrix.toarray() if sp.issparse(matrix) else matrix


ROWS = {
    **{f"scene.{k}": (lambda s, k=k: getattr(s, k), lambda c, k=k: c.of_system(k)) for k in "AMBKbx"},
    **{f"solver.{k}": (lambda s, k=k: getattr(s.root.bar.linear, k), lambda c, k=k: c.of_system(k)) for k in "AMBKbx"},
    **{f"node.{k}": (lambda s, k=k: getattr(s.root.bar, k), lambda c, k=k: c.of_node("/bar", k)) for k in "MBK"},
    "mass.M": (lambda s: s.root.bar.mass.M, lambda c: c.of_component("/bar/mass", "M")),
    "fem.K": (lambda s: s.root.bar.fem.K, lambda c: c.of_component("/bar/fem", "K")),
    "drag.B": (lambda s: s.root.bar.drag.B, lambda c: c.of_component("/bar/drag", "B")),
    "map.J": (lambda s: s.root.bar.skin.map.J, lambda c: c.of_component("/bar/skin/map", "J")),
    "W": (lambda s: s.root.solver.W, lambda c: c.of_constraints("compliance")),
    "H": (lambda s: s.root.solver.H, lambda c: c.of_constraints("jacobian")),
    "lam": (lambda s: s.root.solver.lam, lambda c: c.of_constraints("multipliers")),
    "free": (lambda s: s.root.solver.free, lambda c: c.of_constraints("violations")),
    "scene.W": (lambda s: s.W, lambda c: c.of_constraints("compliance")),
    "scene.H": (lambda s: s.H, lambda c: c.of_constraints("jacobian")),
    "scene.lam": (lambda s: s.lam, lambda c: c.of_constraints("multipliers")),
    "scene.free": (lambda s: s.free, lambda c: c.of_constraints("violations")),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_same_bits_as_in_c(body, in_c, name):
    python, c = ROWS[name]
    got, expected = full(python(body)), c(in_c)
    assert got.shape == expected.shape and got.any() and np.array_equal(got, expected)


@pytest.mark.parametrize("name", [name for name in ROWS if name.rpartition(".")[2] in "AMBKJH"])
def test_numbers_of_sparse_matrices_are_not_copied(body, name):
    """The array of numbers is on the engine's memory: it owns none, and a second request gives the same address."""
    matrix, again = ROWS[name][0](body), ROWS[name][0](body)
    for part in ("data", "indices"):
        one, two = getattr(matrix, part), getattr(again, part)
        assert not one.flags.owndata and not one.flags.writeable
        if name.rpartition(".")[2] == "A":
            assert one.ctypes.data == two.ctypes.data


# ---- finite differences -----------------------------------------------------------------------------------------


def one_explicit_step(text):
    """f(x, v) of a scene of mass 1 at each point: the change of velocity in a step of symplectic Euler."""
    scene = settee.loads(text)
    scene.step()

    def force(x, v):
        scene.reset()
        dofs = scene.root.dofs
        dofs.position, dofs.velocity = x.reshape(-1, 3), v.reshape(-1, 3)
        scene.step()
        return (dofs.velocity.ravel() - v) / scene.dt

    return scene, force


def differences(function, at, step=1e-5):
    """The derivative by central differences."""
    columns = []
    for i in range(at.size):
        d = np.zeros(at.size)
        d[i] = step
        columns.append((function(at + d) - function(at - d)) / (2 * step))
    return np.array(columns).T


FORCES = """<Node gravity="0 0 0" dt="1e-3">
  <DefaultAnimationLoop/>
  <EulerExplicitSolver symplectic="1"/>
  <RegularGridTopology n="3 2 2" min="0 0 0" max="2 1 1"/>
  <MechanicalObject name="dofs"/>
  <UniformMass name="mass" vertexMass="1"/>
  %s
</Node>"""


@pytest.mark.parametrize("name, force", [
    ("K", '<MeshSpringForceField name="f" stiffness="30" damping="0"/>'),
    ("K", '<HexahedronFEMForceField name="f" youngModulus="50" poissonRatio="0.3" method="small"/>'),
    ("K", '<RestShapeSpringsForceField name="f" stiffness="12"/>'),
    ("B", '<DiagonalVelocityDampingForceField name="f" dampingCoefficient="0.7 0.8 0.9"/>')])
def test_K_and_B_are_derivatives_of_the_force(name, force):
    scene, f = one_explicit_step(FORCES % force)
    rng = np.random.default_rng(4)
    x = scene.root.dofs.position.ravel() + 0.05 * rng.normal(size=36)
    v = 0.1 * rng.normal(size=36)
    expected = differences(lambda at: f(at, v), x) if name == "K" else differences(lambda at: f(x, at), v)
    assert np.abs(expected).max() > 0.1

    # the component's own, the node's and the scene's, where the force was last evaluated
    f(x, v)
    for owner in (scene.root.f, scene.root, scene):
        assert np.abs(full(getattr(owner, name)) - expected).max() < 1e-6 * np.abs(expected).max()


def test_M_is_the_derivative_of_the_momentum():
    """A force on one scalar gives the accelerations of a column of M⁻¹."""
    text = FORCES.replace("UniformMass", "DiagonalMass").replace('vertexMass="1"', 'massDensity="3"')
    text = text % '<ConstantForceField name="push" forces="0 0 0" indices="0"/>'
    with settee.loads(text) as scene:
        M = full(scene.root.mass.M)
        for scalar in (0, 4, 11, 35):
            force = np.zeros((12, 3))
            force.flat[scalar] = 2.5
            scene.root.push.set(indices=range(12), forces=force)
            scene.reset()
            scene.step()
            acceleration = scene.root.dofs.velocity.ravel() / scene.dt
            assert np.allclose(M @ acceleration, force.ravel(), rtol=1e-12)


def test_J_is_the_derivative_of_the_positions():
    text = """<Node><DefaultAnimationLoop/><MechanicalObject name="dofs" position="0 0 0 1 2 3 4 5 6"/>
      <Node name="child"><MechanicalObject name="sub" template="Vec1"/>
      <MeshTopology name="mesh" lines="0 1 1 2"/><DistanceMapping name="map" topology="@mesh"/></Node></Node>"""
    with settee.loads(text) as scene:
        root = scene.root

        def lengths(x):
            root.dofs.position = x.reshape(-1, 3)
            scene.step()  # nothing is integrated: the mapping alone
            return root.child.sub.position.ravel().copy()

        x = root.dofs.position.ravel().copy()
        expected = differences(lengths, x)
        lengths(x)
        assert np.abs(full(root.child.map.J) - expected).max() < 1e-8


def test_A_b_and_x_are_those_of_implicit_euler(body):
    """A = (1 + h rM) M - h B - h (h + rK) K on independent and mapped states, b = A x."""
    A, M, B, K = (full(m) for m in (body.A, body.M, body.B, body.K))
    assert np.abs(A @ body.x - body.b).max() <= 1e-10 * np.abs(body.b).max()
    h, mass, stiffness = body.dt, 0.2, 0.01

    # M, B and K are those of the last evaluation, at the end of the free motion: A is that of its beginning
    expected = (1 + h * mass) * M - h * B - h * (h + stiffness) * K
    assert np.abs(A - expected).max() < 0.05 * np.abs(A).max()


def test_H_and_W(body):
    """H is the derivative of the violations; W = h H A⁻¹ Hᵀ, which makes W λ + free = 0."""
    A, H, W = full(body.A), full(body.H), body.W
    expected = body.dt * H @ np.linalg.solve(A, H.T)
    assert np.abs(W - expected).max() < 1e-9 * np.abs(W).max()
    assert np.abs(W @ body.lam + body.free).max() < 1e-10

    # two fixed points: a row for each coordinate
    assert H.shape == (6, 36) and np.array_equal(H[:3, :3], np.eye(3)) and np.array_equal(H[3:, 9:12], np.eye(3))
    assert np.count_nonzero(H) == 6


def test_H_of_a_law_that_is_not_linear():
    """The violation of a rod between two points, by differences of the free motion's violation."""
    def scene_at(x):
        text = f"""<Node gravity="0 0 0" dt="0.01"><FreeMotionAnimationLoop/>
          <BlockGaussSeidelConstraintSolver maxIterations="1000" tolerance="1e-14"/>
          <Node name="body"><EulerImplicitSolver/><SparseLDLSolver template="CompressedRowSparseMatrixMat3x3d"/>
          <MechanicalObject name="dofs" position="{' '.join(repr(float(v)) for v in x)}"/><UniformMass vertexMass="1"/>
          <LinearSolverConstraintCorrection/></Node></Node>"""

        class Rod(settee.ConstraintLaw):
            def violation(self, x):
                return [np.linalg.norm(x[1] - x[0]) - 1]

            def jacobian(self, x):
                d = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
                return np.concatenate([-d, d])[None, :]

        scene = settee.loads(text)
        scene.root.body.add(Rod)
        scene.step()
        return scene

    x = np.array([0, 0, 0, 1, 0.3, -0.2])

    def violation(at):
        with scene_at(at) as scene:
            return scene.free

    with scene_at(x) as scene:
        assert np.abs(full(scene.H) - differences(violation, x)).max() < 1e-7
