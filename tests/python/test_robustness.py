"""Threads, recursion, fork, the end of the interpreter, and random calls: exceptions, never a crash.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import os
import random
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import settee
from conftest import EXAMPLES

JELLY = os.path.join(EXAMPLES, "jelly.scn")


def run(code):
    """A Python of its own: its status and what it wrote."""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


# ---- threads ------------------------------------------------------------------------------------------------


def test_scenes_in_threads_give_the_same_bits():
    def work(results, k):
        with settee.load(JELLY) as scene:
            scene.step(20)
            results[k] = [c.position.copy() for c in scene.of_class("MechanicalObject")]

    results = [None] * 4
    threads = [threading.Thread(target=work, args=(results, k)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other))


def test_the_lock_is_released_while_a_scene_steps(jelly):
    count, stop = 0, threading.Event()

    def tick():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    before = count
    jelly.step(100)
    during = count - before
    stop.set()
    thread.join()
    assert during > 10


def test_one_scene_in_two_threads_is_refused(points):
    entered, leave, caught = threading.Event(), threading.Event(), []

    class Waiter(settee.Controller):
        def onAnimateBeginEvent(self, event):
            entered.set()
            leave.wait(30)

    points.root.add(Waiter)
    dofs = points.root.dofs
    points.init()
    thread = threading.Thread(target=points.step)
    thread.start()
    assert entered.wait(30)
    for use in (points.step, points.reset, lambda: dofs.position, lambda: dofs.set(position=[[0, 0, 0]] * 2),
                lambda: points.root, points.close, lambda: points.energy, lambda: points.K):
        with pytest.raises(settee.BusyError):
            use()
        caught.append(use)
    leave.set()
    thread.join()
    points.step()
    assert len(caught) == 8


class Wait(settee.ForceField):
    "is slow, so that other threads get their turn"

    k = settee.value("real", 2.0, "force per unit of distance")

    def add_force(self, f, x, v):
        f -= self.k * x + 0.5 * v

    def diagonal(self, x, factor):
        self.__dict__.setdefault("threads", set()).add(threading.get_ident())
        time.sleep(0.01)
        n = np.arange(len(x))
        return n, n, np.tile(-factor * np.eye(3), (len(x), 1, 1))

    def stiffness(self, x, v):
        return self.diagonal(x, self.k)

    def damping(self, x, v):
        return self.diagonal(x, 0.25 * self.k)


class Mirror(settee.Mapping):
    templates = "Vec3,Vec3"

    def apply(self, p, q):
        p[:] = q + 0.5 * q[::-1]

    def jacobian(self, q):
        n = np.arange(len(q))
        blocks = np.tile(np.eye(3), (2 * len(q), 1, 1))
        blocks[len(q):] *= 0.5
        return np.concatenate([n, n]), np.concatenate([n, n[::-1]]), blocks


def test_components_in_python_run_in_threads_of_the_engine(scene):
    """Contributions of independent and of mapped states are assembled at the same time: methods that run in another thread
    read fields, and matrices, checks and energies can be asked for."""
    def build(scene):
        root = scene.root
        root.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
        root.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
        root.add("MechanicalObject", name="dofs", position=np.random.default_rng(0).random((20, 3)))
        root.add("UniformMass", totalMass=1)
        root.add(Wait, name="wait")
        child = root.add_child("child")
        child.add("MechanicalObject", position=np.zeros((20, 3)))
        child.add(Wait, name="wait")
        child.add(Mirror)
        scene.step(5)
        return scene.root.dofs.position.copy(), scene.K.toarray(), scene.A.toarray(), scene.energy

    expected = build(scene)
    with settee.Scene(threads=4) as other:
        other.root.add("DefaultAnimationLoop")
        got = build(other)
        assert all(np.array_equal(a, b) for a, b in zip(expected, got))
        assert all(check.error < 1e-5 for check in other.check() if check.what == "stiffness")
        threads = other.root.wait.threads | other.root.child.wait.threads
        if len(threads) == 1:
            pytest.skip("the machine gave no thread a turn")


# ---- what the engine owns ---------------------------------------------------------------------------------------


def test_the_collector_may_take_a_class_before_its_scene():
    """A class and a scene with its components in one cycle: the table of the class is needed until the scene has ended."""
    def make():
        class Pull(settee.ForceField):
            names = settee.value("words", ["a", "b"], "some texts")
            k = settee.value("reals", [1, 2, 3], "some numbers")

            def add_force(self, f, x, v):
                f -= x

        scene = settee.Scene()
        scene.root.add("DefaultAnimationLoop")
        scene.root.add("MechanicalObject", position=[[0, 0, 0]])
        scene.root.add(Pull)
        scene.step()
        Pull.scene_of_mine = scene

    for _ in range(20):
        make()
        gc.collect()


def all_of(scene):
    """Nodes and components."""
    def below(node):
        yield node
        for child in node.children:
            yield from below(child)

    return [*scene, *below(scene.root)]


@pytest.mark.parametrize("what", ["another response", "removal", "a model less"])
def test_components_of_contacts_can_be_held(what):
    """They come and go with their contacts. Who holds one can use it as long as the scene exists."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = settee.load(os.path.join(EXAMPLES, "soft_on_floor.scn"))
    before = {thing.path for thing in all_of(scene)}

    def of_contacts():
        return [thing for thing in all_of(scene) if thing.path not in before]

    while not of_contacts():
        scene.step()
    held = of_contacts()
    if what == "another response":
        manager = scene.root.CollisionResponse1
        for i in range(30):
            manager.response = f"PenalityContactForceField?stiffness={100 + i}" if i % 3 else "nullptr"
            scene.step(5)
            held += of_contacts()
    elif what == "removal":
        for thing in held:
            with pytest.raises(settee.InvalidError, match="contact"):
                thing.remove()
        scene.step(100)
    else:
        skin = scene.root.Block.Skin.remove() or scene.root.Floor.triangles
        skin.remove()
        scene.step(20)
        scene.root.Ball.remove()
        scene.step(20)
    scene.reset()
    scene.step(60)
    for thing in held:
        assert thing.path and thing.fields and thing.is_attached in (True, False)
    scene.close()


# ---- recursion and changes in events ----------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["step", "reset", "init", "close"])
def test_a_step_inside_of_a_step_is_refused(points, call):
    class Recursive(settee.Controller):
        def onAnimateBeginEvent(self, event):
            getattr(self.scene, call)()

    controller = points.root.add(Recursive)
    points.init()
    if call == "init":
        try:
            points.step()
        except settee.Error:
            pass
    else:
        with pytest.raises(settee.Error):
            points.step()
    controller.listening = False
    points.step()
    assert points.time > 0


def test_a_controller_may_change_the_graph(points):
    class Changer(settee.Controller):
        def onAnimateBeginEvent(self, event):
            child = self.node.get("child")
            if child:
                child.remove()
            else:
                child = self.node.add_child("child")
                child.add("MechanicalObject", position=[[0, 0, 0]])
                child.add("UniformMass", vertexMass=1)
                child.init()

        def onAnimateEndEvent(self, event):
            if self.scene.time > 0.05:
                self.remove()

    changer = points.root.add(Changer)
    points.step(20)
    assert not changer.is_attached
    assert points.time == pytest.approx(0.2)


# ---- processes ----------------------------------------------------------------------------------------------------


def test_fork():
    code = f"""
import os, settee
one, two = settee.load({JELLY!r}), settee.load({JELLY!r}, threads=2)
one.step(); two.step()
child = os.fork()
if child == 0:
    one.step()
    try:
        two.step()
    except settee.Error as error:
        os._exit(0 if "fork" in str(error) else 2)
    os._exit(3)
_, status = os.waitpid(child, 0)
one.step(); two.step()
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    status, text = run(code)
    assert status == 0, text


@pytest.mark.parametrize("end", ["pass", "del scene", "del settee", "import sys; sys.modules.clear()", "x = None",
                                 "scene.close()", "del state; del scene; gc.collect()", "raise SystemExit(0)",
                                 "import sys; sys.keep = scene",
                                 "threading.Thread(target=scene.step, args=(10**9,), daemon=True).start(); time.sleep(0.2)"])
def test_the_interpreter_ends_in_any_order(end):
    code = f"""
import gc, threading, time, warnings
import settee
warnings.simplefilter("ignore")
class Pull(settee.ForceField):
    def add_force(self, f, x, v):
        f -= x
class Stop(settee.Controller):
    def onSimulationStopEvent(self, event):
        self.stopped = True
scene = settee.load({JELLY!r}, threads=2)
scene.root.Jelly.add(Pull)
scene.root.add(Stop)
scene.step(2)
state = scene.root.Jelly.dofs
x, A = state.position, scene.A
{end}
"""
    status, text = run(code)
    assert status == 0 and "Error" not in text, text


def test_without_numpy():
    code = f"""
import sys
sys.modules["numpy"] = None
import settee
scene = settee.load({JELLY!r})
scene.step()
print(scene.time, scene.root.dt)
try:
    scene.root.Jelly.dofs.position
except ImportError as error:
    assert "python3-numpy" in str(error)
    print("refused")
memory = memoryview(scene.root.Jelly.dofs._buffer("position"))
assert memory.shape == (343, 3) and memory.format == "d"
"""
    status, text = run(code)
    assert status == 0 and "refused" in text, text


def test_an_interrupt_ends_the_steps():
    code = f"""
import _thread, settee, threading
scene = settee.load({JELLY!r})
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    scene.step(10**9)
except KeyboardInterrupt:
    scene.step()
    print("interrupted")
"""
    status, text = run(code)
    assert status == 0 and "interrupted" in text, text


def test_subinterpreters_are_refused():
    code = """
import _xxsubinterpreters as sub
one = sub.create()
try:
    sub.run_string(one, "import settee")
except sub.RunFailedError as error:
    assert "subinterpreter" in str(error), error
    print("refused")
"""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the module of subinterpreters has another name")
    status, text = run(code)
    assert status == 0 and "refused" in text, text


# ---- random calls ---------------------------------------------------------------------------------------------------


def values(rng, scene, other):
    """Something, sensible or not."""
    return rng.choice([
        lambda: rng.randrange(-5, 5), lambda: rng.uniform(-1e3, 1e3), lambda: float("nan"), lambda: 2**rng.randrange(100),
        lambda: "", lambda: "text", lambda: "@/Bar/dofs.position", lambda: "1 2 3", lambda: None, lambda: [],
        lambda: [1, 2, 3], lambda: [[1, 2, 3]] * rng.randrange(5), lambda: np.zeros((343, 3)), lambda: np.ones((2, 3), int),
        lambda: np.zeros((0, 3)), lambda: np.float32(1), lambda: scene.root, lambda: rng.choice(list(scene)),
        lambda: rng.choice(list(other)), lambda: other.root, lambda: object(), lambda: b"bytes", lambda: (1, [2]),
        lambda: rng.choice(list(scene)).field("name"), lambda: True, lambda: {1: 2}, lambda: "a\0b", lambda: "\udc80",
    ])()


@pytest.mark.parametrize("seed", [7, 11, 23])
def test_the_whole_package_with_random_arguments(seed, tmp_path):
    """See fuzz.py, which can be run for longer."""
    command = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz.py"), str(seed), "800"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), (done.stdout + done.stderr)[-5000:]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_random_calls(seed, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    scene, other = (settee.load(JELLY, read_only=True) for _ in range(2))
    names = [n for n in dir(settee.Node) + dir(settee.Component) + dir(settee.Scene) + dir(settee.Field)
             if n not in ("save", "save_picture", "picture", "png", "load_plugin", "plot_matrix", "fail_step", "close",
                          "__class__", "__dict__", "__del__", "_repr_png_", "__reduce__", "__reduce_ex__", "__new__",
                          "__init__", "__exit__", "_write_png", "_lend", "__init_subclass__", "check", "_check")]
    allowed = (ValueError, TypeError, AttributeError, KeyError, IndexError, RuntimeError, OverflowError, LookupError,
               MemoryError, StopIteration)
    kept = []
    for _ in range(1500):
        target = rng.choice([scene, scene.root, rng.choice(list(scene)), rng.choice(list(scene)).field("name")])
        name = rng.choice(names)
        arguments = [values(rng, scene, other) for _ in range(rng.randrange(4))]
        try:
            if name == "step":
                scene.step(rng.randrange(3))
            elif rng.random() < 0.3 and isinstance(target, settee.Component):
                field = rng.choice(target._names())
                if rng.random() < 0.5:
                    target[field] = arguments[0] if arguments else None
                else:
                    kept.append(target[field])
            else:
                result = getattr(target, name, None)
                kept.append(result(*arguments) if callable(result) else result)
        except allowed:
            pass
        kept = kept[-200:]
    try:
        scene.reset()
        scene.step()
    except settee.Error:
        pass  # the scene is what random calls have made of it
    scene.close()
    for thing in kept:
        if isinstance(thing, np.ndarray) and thing.dtype == float:
            thing.sum()
