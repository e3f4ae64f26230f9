"""Sofa: controllers and events, group H of the acceptance list. A number names the statement that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

import Sofa
from sofa_support import heard


class Recorder(Sofa.Core.Controller):
    """Notes what it is called with, and the time then."""

    def __init__(self, *args, **kwargs):
        Sofa.Core.Controller.__init__(self, *args, **kwargs)
        self.label, self.journal = kwargs["label"], kwargs["journal"]

    def note(self, what, event=None):
        self.journal.append((self.label, what, dict(event or {}), self.getContext().getRoot().time.value))

    def init(self):
        self.note("init")

    def onAnimateBeginEvent(self, event):
        self.note("begin", event)

    def onEvent(self, event):
        self.note(event["type"], event)


@pytest.fixture
def journal():
    return []


@pytest.fixture
def root(journal):
    root = Sofa.Core.Node("root", dt=0.25)
    left, right = root.addChild("left"), root.addChild("right")
    right.addObject(Recorder(name="r", label="right", journal=journal))
    left.addObject(Recorder(name="l", label="left", journal=journal))
    root.addObject(Recorder(name="t", label="top", journal=journal))
    Sofa.Simulation.initRoot(root)
    return root


def test_a_controller_and_its_arguments(root):
    assert root.t.label == "top" and root.t.name.value == "t" and not hasattr(root.t, "anything")  # H1
    assert root.t.listening.value == 1  # H2


def test_order_of_initialization(root, journal):
    stages = ("SimulationInitStartEvent", "init", "SimulationInitDoneEvent")
    assert [e[:2] for e in journal] == [(who, what) for what in stages for who in ("top", "left", "right")]  # H3


def test_order_of_a_step(root, journal):
    journal.clear()
    Sofa.Simulation.animate(root, 0)
    events = ["begin", "CollisionBeginEvent", "CollisionEndEvent", "IntegrateBeginEvent", "IntegrateEndEvent",
              "AnimateEndEvent", "UpdateMappingEndEvent"]
    assert [e[1] for e in journal if e[0] == "top"] == events  # H4
    assert [e[0] for e in journal] == ["top", "left", "right"] * 7  # H5
    assert journal[0][2] == {"type": "AnimateBeginEvent", "isHandled": False, "dt": 0.25}  # H6
    assert journal[15][2] == {"type": "AnimateEndEvent", "isHandled": False, "dt": 0.25}
    assert journal[9][2] == {"type": "IntegrateBeginEvent", "isHandled": False}  # H7
    assert [e[3] for e in journal if e[0] == "top"] == [0] * 5 + [0.25] * 2  # H8
    assert root.time.value == root.left.time.value == root.left.getTime() == 0.25  # H9
    Sofa.Simulation.animate(root, 0.5)
    assert root.time.value == journal[-1][3] == 0.75 and root.dt.value == 0.25  # H10


def test_a_silenced_controller(root, journal):
    journal.clear()
    root.t.listening = False
    Sofa.Simulation.animate(root, 0)
    assert len([e for e in journal if e[0] == "top"]) == 0 and len([e for e in journal if e[0] == "left"]) == 7  # H11


def test_events_of_scripts(root, journal):
    journal.clear()
    payload = {"some": "payload"}
    root.left.sendEvent(payload, "hello")
    assert [e[0] for e in journal] == ["left"]  # H12
    event = journal[0][2]
    assert event["type"] == "PythonScriptEvent" and event["event_name"] == "hello"  # H13
    assert event["userData"] is payload and event["sender"] is root.left


class Counter(Sofa.Core.Controller):
    def __init__(self, *args, **kwargs):
        Sofa.Core.Controller.__init__(self, *args, **kwargs)
        self.count, self.answer, self.error = 0, None, None

    def onAnimateBeginEvent(self, event):
        self.count += 1
        if self.error:
            raise self.error
        return self.answer


@pytest.mark.parametrize("settings, expected", [({}, (1, 1, 1)), ({"answer": False}, (1, 1, 1)), ({"answer": 0}, (1, 1, 1)),
                                                ({"answer": True}, (1, 0, 0)), ({"error": KeyError("lost")}, (1, 1, 1))])
def test_what_a_handler_returns(settings, expected):
    scene = Sofa.Core.Node("scene")
    counters = [node.addObject(Counter(name="c")) for node in (scene, scene, scene.addChild("below"))]
    Sofa.Simulation.initRoot(scene)
    vars(counters[0]).update(settings)
    with heard() as messages:
        Sofa.Simulation.animate(scene, 0.1)
    assert tuple(c.count for c in counters) == expected and scene.time.value == 0.1  # H14 H15 H16 H17
    errors = [m for m in messages if m["type"] == "Error"]
    assert len(errors) == ("error" in settings) and all("lost" in m["message"] for m in errors)
    counters[0].error, counters[0].answer = None, "text"
    with pytest.raises(RuntimeError):
        Sofa.Simulation.animate(scene, 0.1)


def test_a_failing_init():
    class Failing(Sofa.Core.Controller):
        def init(self):
            raise ValueError("deliberate")

    root = Sofa.Core.Node("root")
    root.addObject(Failing(name="f"))
    after = root.addObject(Counter(name="after"))
    with heard() as messages:
        Sofa.Simulation.initRoot(root)
    assert "deliberate" in "".join(m["message"] for m in messages if m["type"] == "Error")
    Sofa.Simulation.animate(root, 0.1)
    assert root.isInitialized() and after.count == 1  # H18


class Late(Sofa.Core.Controller):
    ready = count = 0

    def init(self):
        self.ready += 1

    def onAnimateBeginEvent(self, event):
        self.count += 1


@pytest.fixture
def plain():
    plain = Sofa.Core.Node("plain")
    Sofa.Simulation.initRoot(plain)
    return plain


def test_handlers_of_an_instance(plain):
    handler, seen = plain.addObject(Sofa.Core.Controller(name="c")), []
    for name in "ab":
        handler.onAnimateEndEvent = lambda event, name=name: seen.append(name)
        Sofa.Simulation.animate(plain, 0.1)
    assert seen == ["a", "b"]  # H19


def test_a_forgotten_base():
    class Careless(Sofa.Core.Controller):
        def __init__(self):
            pass

    with pytest.raises(TypeError):
        Careless()  # H20


def test_late_objects(plain):
    late = plain.addObject(Late(name="late"))
    Sofa.Simulation.animate(plain, 0.1)
    assert (late.ready, late.count) == (0, 1)  # H21
    node = plain.addChild("more")
    other = node.addObject(Late(name="other"))
    node.init()
    assert other.ready == 1 and node.isInitialized()  # H22


def test_a_controller_that_changes_the_scene(plain):
    class Owner(Sofa.Core.Controller):
        def __init__(self, *args, **kwargs):
            Sofa.Core.Controller.__init__(self, *args, **kwargs)
            self.addData(name="gain", type="double", value=kwargs.get("gain", 1.0))
            self.branches = []

        def onAnimateBeginEvent(self, event):
            child = self.getContext().addChild("temporary")
            child.addObject("MechanicalObject", position=[[0, 0, 0]])
            child.init()
            self.branches.append(child)

        def onAnimateEndEvent(self, event):
            self.getContext().removeChild(self.branches[-1])

    owner = plain.addObject(Owner(name="owner", gain=2.5))
    assert owner.gain.value == plain["owner.gain"].value == 2.5  # H23
    Sofa.Simulation.animateNSteps(plain, 2)
    assert len(owner.branches) == 2 and plain.getChild("temporary") is None  # H24


def test_an_object_that_an_event_adds(plain):
    class Spawner(Sofa.Core.Controller):
        def onAnimateBeginEvent(self, event):
            if "spawned" not in self.getContext().objects:
                self.getContext().addObject(Late(name="spawned"))

    plain.addObject(Spawner(name="spawner"))
    Sofa.Simulation.animate(plain, 0.1)
    assert plain.spawned.count in (0, 1)  # H25: docs/from-sofapython3.md
    Sofa.Simulation.animate(plain, 0.1)
    assert plain.spawned.count >= 1


def test_the_constrained_loop(journal):
    root = Sofa.Core.Node("root")
    root.addObject("FreeMotionAnimationLoop")
    root.addObject("BlockGaussSeidelConstraintSolver", maxIterations=10, tolerance=1e-6)
    root.addObject(Recorder(name="f", label="f", journal=journal))
    Sofa.Simulation.initRoot(root)
    journal.clear()
    Sofa.Simulation.animate(root, 0.1)
    names = [e[1] for e in journal]
    assert names[0] == "begin" and names[-2:] == ["AnimateEndEvent", "UpdateMappingEndEvent"]  # H26
    assert names.index("BuildConstraintSystemEndEvent") < names.index("SolveConstraintSystemEndEvent")


def test_a_controller_cannot_step_its_own_scene(plain):
    class Greedy(Sofa.Core.Controller):
        def onAnimateBeginEvent(self, event):
            Sofa.Simulation.animate(self.getContext(), 0.1)

    plain.addObject(Greedy(name="g"))
    with heard() as messages:
        Sofa.Simulation.animate(plain, 0.1)
    assert any("in use" in m["message"] or "Busy" in m["message"] for m in messages)
    assert plain.time.value == 0.1
