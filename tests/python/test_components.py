"""Components written in Python.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest
import scipy.sparse as sp

import settee


class Attraction(settee.ForceField):
    "draws every point to a center"

    center = settee.value("vec3", (0, 0, 0), "point that attracts")
    k = settee.value("real", 1.0, "force per unit of distance")
    form = settee.value("int", 0, "of the derivative: blocks, sparse, dense")

    def init(self):
        self.calls = 0

    def add_force(self, f, x, v):
        self.calls += 1
        f -= self.k * (x - self.center)

    def stiffness(self, x, v):
        n = len(x)
        if self.form == 0:
            return np.arange(n), np.arange(n), np.tile(-self.k * np.eye(3), (n, 1, 1))
        matrix = -self.k * sp.identity(3 * n)
        return matrix if self.form == 1 else matrix.toarray()

    def potential(self, x):
        return self.k / 2 * ((x - self.center) ** 2).sum()


class PointMass(settee.Mass):
    "the same mass at every point"

    m = settee.value("real", 2.0, "of each point")

    def mass_matrix(self):
        return self.m * sp.identity(self.mstate.position.size)


class Squares(settee.Mapping):
    "squared distance from the origin"

    templates = "Vec3,Vec1"

    def apply(self, p, q):
        p[:, 0] = (q**2).sum(axis=1)

    def jacobian(self, q):
        n = np.arange(len(q))
        return n, n, (2 * q).reshape(-1, 1, 3)

    def geometric(self, q, f):
        n = np.arange(len(q))
        return n, n, 2 * f[:, :, None] * np.eye(3)

    def curvature(self, q, v):
        return 2 * (v**2).sum(axis=1)


def build(scene, solver, *components):
    root = scene.root
    root.dt = 0.02
    root.gravity = [0, -10, 0]
    if solver == "explicit":
        root.add("EulerExplicitSolver")
    else:
        root.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
    if solver == "cg":
        root.add("CGLinearSolver", iterations=200, tolerance=1e-16, threshold=1e-30)
    elif solver == "ldl":
        root.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    root.add("MechanicalObject", name="dofs", position=[[1, 0, 0], [0, 2, 0.5]])
    for component, fields in components:
        root.add(component, **fields)
    return root


@pytest.mark.parametrize("solver, form", [("ldl", 0), ("ldl", 1), ("ldl", 2), ("cg", 0)])
def test_a_force_and_a_mass_follow_the_closed_form(scene, solver, form):
    root = build(scene, solver, (PointMass, {"m": 3}), (Attraction, {"name": "pull", "k": 5, "form": form}))
    x, v, h = root.dofs.position.copy(), np.zeros((2, 3)), 0.02
    for _ in range(50):
        scene.step()
        v = v + h * (3 * np.array([0, -10, 0]) - 5 * (x + h * v)) / (3 + h * h * 5)
        x = x + h * v
        assert np.allclose(root.dofs.position, x, rtol=0, atol=1e-12)
    assert scene.energy.kinetic == pytest.approx(3 * (v**2).sum() / 2)
    assert scene.energy.potential == pytest.approx(5 / 2 * (x**2).sum() + 3 * 10 * x[:, 1].sum())
    assert root.pull.calls >= 50


def test_a_force_without_derivative_is_explicit(scene):
    class Pull(settee.ForceField):
        def add_force(self, f, x, v):
            f -= 5 * x

    root = build(scene, "explicit", ("UniformMass", {"vertexMass": 3}), (Pull, {}))
    x, v, h = root.dofs.position.copy(), np.zeros((2, 3)), 0.02
    for _ in range(20):
        scene.step()
        v = v + h * (np.array([0, -10, 0]) - 5 / 3 * x)
        x = x + h * v
    assert np.allclose(root.dofs.position, x, atol=1e-12)
    with pytest.raises(settee.NotFoundError):
        root.get("Pull1").K


def test_derivatives_are_checked_like_those_of_the_engine(scene):
    root = build(scene, "ldl", (PointMass, {}), (Attraction, {"k": 2}))
    child = root.add_child("child")
    child.add("MechanicalObject", template="Vec1", position=[0, 0], name="squares")
    child.add(Squares, name="map")
    child.add("RestShapeSpringsForceField", template="Vec1", stiffness=0.7, points=[0, 1])
    scene.step(3)
    checks = settee.check(scene)
    kinds = {(c.component.class_name, c.what) for c in checks}
    assert {("Attraction", "stiffness"), ("PointMass", "mass"), ("Squares", "jacobian"), ("Squares", "geometric"),
            ("Squares", "acceleration")} <= kinds
    assert all(c.error < 1e-5 for c in checks if c.exact_by_design)
    assert np.allclose(child.squares.position[:, 0], (root.dofs.position**2).sum(axis=1))
    assert np.allclose(child.map.J.toarray()[0, :3], 2 * root.dofs.position[0])

    # the same scene without a matrix moves the same
    other = settee.Scene()
    other.root.add("DefaultAnimationLoop")
    root2 = build(other, "cg", (PointMass, {}), (Attraction, {"k": 2}))
    child2 = root2.add_child("child")
    child2.add("MechanicalObject", template="Vec1", position=[0, 0])
    child2.add(Squares)
    child2.add("RestShapeSpringsForceField", template="Vec1", stiffness=0.7, points=[0, 1])
    other.step(3)
    assert np.allclose(root.dofs.position, root2.dofs.position, atol=1e-10)


def test_a_wrong_derivative_is_found(scene):
    class Wrong(Attraction):
        def stiffness(self, x, v):
            return -2 * self.k * sp.identity(x.size)

    build(scene, "ldl", (PointMass, {}), (Wrong, {"name": "wrong"}))
    scene.init()
    assert max(c.error for c in scene.check() if c.component.class_name == "Wrong") > 0.5


@pytest.mark.parametrize("solver", ["BlockGaussSeidelConstraintSolver", "NNCGConstraintSolver"])
def test_a_law_holds_points(solver):
    class Rod(settee.ConstraintLaw):
        "keeps the distance of the first two points"

        length = settee.value("real", 1.0, "distance")

        def violation(self, x):
            return [np.linalg.norm(x[1] - x[0]) - self.length]

        def jacobian(self, x):
            d = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
            return np.concatenate([-d, d])[None, :]

        def solved(self, multipliers):
            self.got = multipliers

    class Floor(settee.ConstraintLaw):
        "keeps all points above y = -1"

        resolution = "unilateral"

        def violation(self, x):
            return x[:, 1] + 1

        def jacobian(self, x):
            n = len(x)
            return sp.coo_matrix((np.ones(n), (np.arange(n), 3 * np.arange(n) + 1)), (n, 3 * n))

    with settee.Scene() as scene:
        root = scene.root
        root.gravity = [0, -10, 0]
        root.dt = 0.01
        root.add("FreeMotionAnimationLoop")
        root.add(solver, maxIterations=1000, tolerance=1e-12)
        body = root.add_child("body")
        body.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
        body.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
        dofs = body.add("MechanicalObject", position=[[0, 0, 0], [1, 0, 0]], velocity=[[0, 0, 0], [0, 2, 0]])
        body.add("UniformMass", vertexMass=1)
        body.add("LinearSolverConstraintCorrection")
        rod = body.add(Rod)
        body.add(Floor)
        scene.step(200)
        assert np.linalg.norm(dofs.position[1] - dofs.position[0]) == pytest.approx(1, abs=2e-3)
        assert dofs.position[:, 1].min() > -1 - 1e-6
        assert rod.got.shape == (1,)


def test_an_engine_runs_when_it_is_needed(scene):
    class Sum(settee.Engine):
        "the sum of some numbers, and their squares"

        values = settee.value("reals", (1, 2), "numbers", input=True)
        total = settee.value("real", 0, "their sum", output=True)
        squares = settee.value("reals", None, "their squares", output=True)

        def update(self):
            self.runs = getattr(self, "runs", 0) + 1
            self.total = self.values.sum()
            self.squares = self.values**2

    engine = scene.root.add(Sum, name="sum")
    assert engine.total == 3 and engine.runs == 1
    assert list(engine.squares) == [1, 4] and engine.runs == 1
    engine.values = [3, 4, 5]
    assert engine.runs == 1
    assert engine.total == 12 and list(engine.squares) == [9, 16, 25] and engine.runs == 2

    # another component follows it
    state = scene.root.add("MechanicalObject", template="Vec1", position=[0])
    state.field("position").link(engine.field("squares"))
    assert np.array_equal(state.position, [[9], [16], [25]])
    engine.values = [1, 2]
    assert np.array_equal(state.position, [[1], [4]])

    class Broken(Sum):
        def update(self):
            raise ZeroDivisionError("no")

    broken = scene.root.add(Broken)
    with pytest.raises(ZeroDivisionError):
        broken.total


def test_a_controller_gets_events_in_order(points):
    class Recorder(settee.Controller):
        def onEvent(self, event):
            self.__dict__.setdefault("seen", []).append((event["type"], self.scene.time))

        def onAnimateBeginEvent(self, event):
            assert event["dt"] == 0.01
            self.onEvent(event)

    recorder = points.root.add(Recorder)
    points.init()
    recorder.seen.clear()
    points.step()
    names = [name for name, _ in recorder.seen]
    assert names == ["AnimateBeginEvent", "CollisionBeginEvent", "CollisionEndEvent", "IntegrateBeginEvent",
                     "IntegrateEndEvent", "AnimateEndEvent", "UpdateMappingEndEvent"]
    assert recorder.seen[0][1] == 0 and recorder.seen[-1][1] == 0.01
    data = {"any": "thing"}
    got = []

    class Receiver(settee.Controller):
        def onHello(self, event):
            got.append(event["data"])
            return True

    points.root.add(Receiver)
    later = points.root.add(Recorder, name="later")
    points.root.init()  # what comes late takes part from its init on
    points.root.send("Hello", data)
    assert got[0] is data
    assert recorder.seen[-1][0] == "Hello"
    assert not hasattr(later, "seen")
    recorder.listening = False
    count = len(recorder.seen)
    points.step()
    assert len(recorder.seen) == count


def test_a_controller_moves_points(points):
    class Mover(settee.Controller):
        def onAnimateBeginEvent(self, event):
            self.node.dofs.position[0] = [9, 9, 9]

    points.root.add(Mover)
    points.step()
    assert points.root.dofs.position[0, 0] == 9


def test_callbacks(points):
    seen = []
    number = points.on("AnimateEndEvent", lambda event, node, dt, key, data: seen.append((event, node.path, dt)))
    points.step()
    assert seen == [("AnimateEndEvent", "/", 0.01)]
    points.off(number)
    points.step()
    assert len(seen) == 1
    with pytest.raises(settee.NotFoundError):
        points.off(number)
    with pytest.raises(TypeError):
        points.on("AnimateEndEvent", 3)

    @points.on("AnimateBeginEvent")
    def fail(*event):
        raise LookupError("stop")

    time = points.time
    with pytest.raises(LookupError, match="stop"):
        points.step()
    assert points.time == time


@pytest.mark.parametrize("method", ["init", "add_force", "stiffness", "potential"])
def test_exceptions_leave_with_their_traceback(scene, method):
    class Broken(Attraction):
        pass

    def broken(self, *args):
        raise KeyError(f"in {method}")

    setattr(Broken, method, broken)
    Broken.__name__ = "Broken" + method
    root = build(scene, "ldl", (PointMass, {}), (Broken, {}))
    with pytest.raises(KeyError, match=method) as caught:
        scene.step()
        scene.energy
    assert any(entry.name == "broken" for entry in caught.traceback)
    assert np.array_equal(root.dofs.position, [[1, 0, 0], [0, 2, 0.5]]) or method == "potential"


@pytest.mark.parametrize("given", [np.eye(3), "text", None, sp.identity(9), (np.arange(2), np.arange(2), np.eye(3)),
                                   ([7], [0], np.eye(3)[None]), ([0], [-1], np.eye(3)[None]), ([0, 1], [0], np.eye(3)[None]),
                                   ([0], [0], np.full((1, 3, 3), np.nan)), ([0], [0], np.zeros((1, 0, 3)))])
def test_derivatives_that_do_not_fit(scene, given):
    class Ill(Attraction):
        def stiffness(self, x, v):
            return given

    build(scene, "ldl", (PointMass, {}), (Ill, {}))
    with pytest.raises((ValueError, TypeError, IndexError)):
        scene.step()


def test_classes_that_do_not_fit(scene):
    class NoForce(settee.ForceField):
        pass

    with pytest.raises(TypeError, match="add_force"):
        scene.root.add(NoForce)
    with pytest.raises(TypeError):
        scene.root.add(settee.ForceField)
    with pytest.raises(TypeError):
        class Taken(settee.Controller):
            path = settee.value("string")

    class BadType(settee.Controller):
        number = settee.value("complex")

    with pytest.raises(ValueError, match="complex"):
        scene.root.add(BadType)

    class UniformMass(settee.Controller):
        pass

    with pytest.raises(settee.Error, match="UniformMass"):
        scene.root.add(UniformMass)
    with pytest.raises(settee.InvalidError, match="state"):
        scene.root.add(Attraction)
    with pytest.raises(TypeError):
        settee.Scene().register(int)


def test_scene_files_use_them():
    text = """<Node><DefaultAnimationLoop/><MechanicalObject position="1 0 0"/><Attraction name="pull" k="4"/></Node>"""
    with settee.loads(text, components=[Attraction]) as scene:
        assert isinstance(scene.root.pull, Attraction) and scene.root.pull.k == 4
        assert 'k="4"' in scene.xml()


def test_arrays_that_are_kept_stay_readable(scene):
    class Keeper(Attraction):
        def add_force(self, f, x, v):
            self.kept = f, x, v

    root = build(scene, "ldl", (PointMass, {}), (Keeper, {"name": "keeper"}))
    scene.step()
    kept = root.keeper.kept
    with pytest.raises(ValueError):
        kept[1][0] = 1
    scene.close()
    assert all(np.isfinite(a).all() for a in kept)
