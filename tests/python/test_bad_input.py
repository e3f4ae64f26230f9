"""Bad input: each kind gets an exception that says what is wrong, and leaves the scene as it was.

What is elsewhere: values of fields (test_fields), threads, fork, the end of the interpreter, subinterpreters and random calls
(test_robustness), classes and derivatives that do not fit (test_components), files (test_scenes).

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest
import scipy.sparse as sp

import settee

X = np.array([[1, 0, 0], [0, 2, 0.5], [2, 1, 0]])


class Force(settee.ForceField):
    def add_force(self, f, x, v):
        f -= 3 * x + v

    def stiffness(self, x, v):
        return -3 * sp.identity(x.size)

    def damping(self, x, v):
        return -sp.identity(x.size)

    def potential(self, x):
        return 1.5 * (x**2).sum()


class Product(Force):
    def product(self, df, dx, k, b):
        df -= (3 * k + b) * dx


class Masses(settee.Mass):
    def mass_matrix(self):
        return 2 * sp.identity(9)


class Squares(settee.Mapping):
    templates = "Vec3,Vec1"

    def apply(self, p, q):
        p[:, 0] = (q**2).sum(axis=1)

    def jacobian(self, q):
        n = np.arange(len(q))
        return n, n, (2 * q).reshape(-1, 1, 3)

    def geometric(self, q, f):
        n = np.arange(len(q))
        return n, n, 2 * f[:, :, None] * np.eye(3)


class Products(Squares):
    def apply_j(self, w, v):
        w[:, 0] = 2 * (self.parent_q * v).sum(axis=1)

    def apply_jt(self, f, g):
        f += 2 * self.parent_q * g

    def apply(self, p, q):
        self.parent_q = q.copy()
        super().apply(p, q)


class Law(settee.ConstraintLaw):
    def jacobian(self, x):
        return np.eye(3, x.size)

    def violation(self, x):
        return x[0] - X[0]

    def solved(self, multipliers):
        pass


class Events(settee.Controller):
    def onAnimateBeginEvent(self, event):
        pass

    def onAnimateEndEvent(self, event):
        pass


class Sum(settee.Engine):
    values = settee.value("reals", (1, 2), "numbers", input=True)
    total = settee.value("real", 0, "their sum", output=True)

    def update(self):
        self.total = self.values.sum()


def build(solver="ldl", constrained=False, mapping=Squares, force=Force):
    """Three points with everything that can be written in Python."""
    scene = settee.Scene()
    root = scene.root
    root.dt = 0.01
    root.gravity = [0, -10, 0]
    if constrained:
        root.add("FreeMotionAnimationLoop")
        root.add("BlockGaussSeidelConstraintSolver", maxIterations=100, tolerance=1e-10)
    else:
        root.add("DefaultAnimationLoop")
    body = root.add_child("body")
    body.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
    if solver == "cg":
        body.add("CGLinearSolver", iterations=100, tolerance=1e-12, threshold=1e-30)
    else:
        body.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    body.add("MechanicalObject", name="dofs", position=X)
    body.add(Masses, name="mass")
    body.add(force, name="force")
    if constrained:
        body.add("LinearSolverConstraintCorrection")
        body.add(Law, name="law")
    child = body.add_child("child")
    child.add("MechanicalObject", name="dofs", template="Vec1", position=[0, 0, 0])
    child.add(mapping, name="map")
    child.add("RestShapeSpringsForceField", template="Vec1", stiffness=0.7, points=[0, 1, 2])
    root.add(Events, name="events")
    return scene


# ---- exceptions in every callback -------------------------------------------------------------------------------

METHODS = [(Force, "add_force"), (Force, "stiffness"), (Force, "damping"), (Product, "product"), (Squares, "apply"),
           (Squares, "jacobian"), (Squares, "geometric"), (Products, "apply_j"), (Products, "apply_jt"),
           (Law, "jacobian"), (Law, "violation"), (Law, "solved"), (Events, "onAnimateBeginEvent"),
           (Events, "onAnimateEndEvent")]


@pytest.mark.parametrize("cls, method", METHODS, ids=[f"{c.__name__}.{m}" for c, m in METHODS])
def test_an_exception_ends_the_step_and_leaves_the_last_good_state(monkeypatch, cls, method):
    """It leaves step() with its traceback; time, positions and velocities are those before the step; when the method works
    again, the scene goes on as if nothing had been."""
    matrix_free = method in ("product", "apply_j", "apply_jt")
    options = {"solver": "cg" if matrix_free else "ldl", "constrained": cls is Law,
               "mapping": Products if matrix_free else Squares, "force": Product if matrix_free else Force}

    with build(**options) as undisturbed, build(**options) as scene:
        undisturbed.step(4)
        scene.step(2)
        dofs = scene.root.body.dofs
        time, x, v = scene.time, dofs.position.copy(), dofs.velocity.copy()
        good = getattr(cls, method)

        def broken(self, *arguments):
            for array in arguments:
                if isinstance(array, np.ndarray) and array.flags.writeable:
                    array[:] = 1e9  # what it has written does not count either
            raise KeyError(f"in {method}")

        monkeypatch.setattr(cls, method, broken)
        for _ in range(2):
            with pytest.raises(KeyError, match=method) as caught:
                scene.step()
            assert any(entry.name == "broken" for entry in caught.traceback)
            assert scene.time == time
            assert np.array_equal(dofs.position, x) and np.array_equal(dofs.velocity, v)

        monkeypatch.setattr(cls, method, good)
        scene.step(2)
        assert scene.time == undisturbed.time
        assert np.allclose(dofs.position, undisturbed.root.body.dofs.position, rtol=0, atol=1e-12)


@pytest.mark.parametrize("cls, method", [(Force, "init"), (Masses, "init"), (Masses, "mass_matrix"), (Squares, "init"),
                                         (Events, "init")], ids=lambda p: getattr(p, "__name__", p))
def test_an_exception_in_init_leaves_init(monkeypatch, cls, method):
    def broken(self):
        raise KeyError(f"in {method}")

    monkeypatch.setattr(cls, method, broken, raising=False)
    with build() as scene:
        with pytest.raises(KeyError, match=method) as caught:
            scene.init()
        assert any(entry.name == "broken" for entry in caught.traceback)


@pytest.mark.parametrize("method", ["reset", "reinit"])
def test_exceptions_of_other_calls(method):
    class Broken(Force):
        def reset(self):
            if method == "reset":
                raise KeyError("in reset")

        def reinit(self):
            if method == "reinit":
                raise KeyError("in reinit")

    with build(force=Broken) as scene:
        scene.step()
        with pytest.raises(KeyError, match=method):
            (scene.reset if method == "reset" else scene.root.body.force.reinit)()
        method = "none"
        scene.reset()
        scene.step()


def test_an_exception_of_an_engine_or_an_energy(monkeypatch):
    def broken(self, *arguments):
        raise KeyError("broken")

    with build() as scene:
        engine = scene.root.add(Sum)
        scene.step()
        with monkeypatch.context() as patch:
            patch.setattr(Force, "potential", broken)
            with pytest.raises(KeyError):
                scene.energy
            patch.setattr(Sum, "update", broken)
            engine.values = [1, 2, 3]
            with pytest.raises(KeyError):
                engine.total
        scene.step()
        assert scene.energy.potential != 0


def test_an_exception_of_a_callback_or_a_listener():
    with build() as scene:
        scene.step()

        def broken(*arguments):
            raise KeyError("broken")

        number = scene.on("AnimateBeginEvent", broken)
        time = scene.time
        with pytest.raises(KeyError):
            scene.step()
        assert scene.time == time
        scene.off(number)

        scene.listen(broken)
        with pytest.raises(KeyError):
            scene.root.message("warning", "x")
        scene.listen(None)
        scene.step()
        assert scene.time > time


# ---- numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1e308])
def test_numbers_written_in_place_that_no_step_can_use(number):
    """NaN cannot be assigned. Written into an array, it ends the next step, which says where it is."""
    with build() as scene:
        scene.step()
        dofs = scene.root.body.dofs
        dofs.velocity[1, 1] = number
        with pytest.raises(settee.StepError, match="dofs.*finite"):
            scene.step(3)
        scene.reset()
        scene.step()
        assert np.isfinite(dofs.position).all()


@pytest.mark.parametrize("indices", [[-1], [2**31], [2**63], [-2**63], [2**200], [99], [0.0], ["0"], [[0, 1]], [None]])
def test_indices_that_mean_nothing(indices):
    """Those that fit no index are refused; those of points that do not exist are reported, and the scene goes on."""
    with build() as scene:
        fixed = scene.root.body.add("FixedProjectiveConstraint", indices=[0])
        try:
            fixed.indices = indices
        except (ValueError, TypeError, OverflowError):
            assert list(fixed.indices) == [0]
        scene.listen(lambda message: None)
        try:
            scene.step()
        except settee.Error as error:
            assert "99" in str(error) or "2147483648" in str(error)


def test_points_that_do_not_exist():
    with settee.Scene() as scene:
        scene.root.add("DefaultAnimationLoop")
        mesh = scene.root.add("TetrahedronSetTopologyContainer", position=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                              tetrahedra=[[0, 1, 2, 3]])
        scene.root.add("MechanicalObject")
        scene.listen(lambda message: None)
        scene.init()
        for bad in ([-1], [2**40], ["a"], [0.5]):
            with pytest.raises((IndexError, TypeError, ValueError, OverflowError)):
                mesh._remove_points(bad)
        for bad in (-1, 2**40, "a", 0.5):
            with pytest.raises((TypeError, ValueError, OverflowError)):
                mesh._add_points(bad)
        assert len(mesh.position) == 4


@pytest.mark.parametrize("sizes", [[-1, 2, 2], [2**31, 2, 2], [0, 0, 0], [1.5, 2, 2]])
def test_sizes_that_no_grid_has(sizes):
    with settee.Scene() as scene:
        scene.root.add("DefaultAnimationLoop")
        scene.listen(lambda message: None)
        try:
            scene.root.add("RegularGridTopology", n=sizes, min=[0, 0, 0], max=[1, 1, 1])
            scene.root.add("MechanicalObject", name="dofs")
            scene.init()
        except (settee.Error, TypeError, MemoryError):
            pass
        scene.root.message("info", "still there")


# ---- objects ----------------------------------------------------------------------------------------------------


def test_objects_of_another_scene():
    with build() as one, build() as two:
        stranger = two.root.body.dofs
        for use in (lambda: one.root.body.mass.set(mstate=stranger), lambda: one.root.attach(two.root.body),
                    lambda: one.root.body.force.field("tags").link(two.root.body.force.field("tags")),
                    lambda: one._matrix("K", two.root.body.force, False), lambda: one._vector("b", stranger)):
            with pytest.raises((ValueError, TypeError, settee.Error)):
                use()
        one.step()
        two.step()


def test_removed_objects():
    with build() as scene:
        scene.step()
        force, child = scene.root.body.force, scene.root.body.child
        force.remove()
        child.remove()
        for thing in (force, child, child.dofs, child.map):
            assert not thing.is_attached and thing.fields and thing.name
        with pytest.raises(settee.Error):
            force.remove()
        with pytest.raises(settee.Error):
            child.attach(child)
        with pytest.raises(settee.Error):
            scene.root.remove()
        for use in (lambda: force.K, lambda: child.K, lambda: child.map.J):
            try:
                use()
            except settee.Error:
                pass
        scene.step()
        scene.root.body.attach(child)
        scene.step()
    for thing in (force, child):
        with pytest.raises(settee.ClosedError):
            thing.name
        assert "closed" in repr(thing)


@pytest.mark.parametrize("event", ["onAnimateBeginEvent", "onAnimateEndEvent"])
@pytest.mark.parametrize("what", ["force", "mass", "dofs", "child", "events", "body"])
def test_removal_inside_of_an_event(event, what):
    """Whatever goes: the step ends, or raises, and the scene can be used and closed."""
    with build() as scene:
        scene.step()

        class Remover(settee.Controller):
            pass

        def remove(self, given):
            if what == "body":
                self.node.body.remove()
            elif what == "events":
                self.node.events.remove()
            else:
                self.node.body.get(what).remove()
            self.remove()

        setattr(Remover, event, remove)
        scene.listen(lambda message: None)
        scene.root.add(Remover)
        try:
            scene.step(3)
        except settee.Error:
            pass
        scene.root.tree()
        try:
            scene.reset()
            scene.step()
        except settee.Error:
            pass


def test_a_number_that_ends_the_scene():
    """Converting an argument may run any code."""
    scene = build()
    scene.step()
    dofs, force = scene.root.body.dofs, scene.root.body.force

    class Closing(float):
        def __float__(self):
            scene.close()
            return 1.0

        __index__ = __float__

    class Number:
        def __float__(self):
            scene.close()
            return 1.0

        def __index__(self):
            scene.close()
            return 1

    with pytest.raises(settee.ClosedError):
        dofs.position = [[Number(), 0, 0]] * 3
    with pytest.raises(settee.ClosedError):
        force.name
    assert scene.closed

    class Names(list):
        def __iter__(self):
            other.close()
            return super().__iter__()

    other = build()
    with pytest.raises((settee.ClosedError, TypeError)):
        other.root.body.dofs.tags = tuple(Names(["a"])) if False else Names(["a"])
        raise settee.ClosedError("a list is not iterated: nothing was closed") if not other.closed else TypeError
    other.close()


def test_rows_without_end():
    """A law with a thousand million rows is refused before memory is asked for."""
    class Endless(Law):
        def jacobian(self, x):
            return sp.coo_matrix(([1.0], ([0], [0])), (10**9, x.size))

        def violation(self, x):
            return [0.0]

    with build(constrained=True) as scene:
        scene.root.body.law.remove()
        scene.root.body.add(Endless)
        with pytest.raises((ValueError, MemoryError, settee.Error)):
            scene.step()
