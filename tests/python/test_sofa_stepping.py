"""Sofa: stepping, reset, files (group I), removing and lifetime (group O). A number names the statement that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import Sofa
import SofaRuntime
from conftest import EXAMPLES
from sofa_support import heard


@pytest.fixture
def root():
    root = Sofa.Core.Node("root", dt=0.125, gravity=[0, -8, 0])
    root.addObject("DefaultAnimationLoop")
    body = root.addChild("body")
    body.addObject("EulerExplicitSolver")
    body.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0]])
    body.addObject("UniformMass", name="mass", totalMass=1)
    Sofa.Simulation.initRoot(root)
    return root


def test_steps(root):
    Sofa.Simulation.animateNSteps(root, 4)
    assert root.time.value == 0.5  # I1
    Sofa.Simulation.animateNSteps(root, n_steps=2, dt=0.25)
    assert root.time.value == 1.0
    Sofa.Simulation.animateNSteps(root)
    assert root.time.value == 1.125  # I2
    with pytest.raises(TypeError):
        Sofa.Simulation.animate(root)  # I3
    with pytest.raises(TypeError):
        Sofa.Simulation.animate(root, dt=0.1)  # I4


def test_reset(root):
    dofs = root.body.dofs
    Sofa.Simulation.animateNSteps(root, 3)
    first = dofs.position.value.copy()
    dofs.position = [[5, 5, 5]]
    Sofa.Simulation.reset(root)
    assert root.time.value == 0 and not dofs.position.value.any() and not dofs.velocity.value.any()  # I5 I7
    Sofa.Simulation.animateNSteps(root, 3)
    assert np.array_equal(dofs.position.value, first)  # I6


def test_time_is_a_running_sum(root):
    root.dt = 0.1
    Sofa.Simulation.animateNSteps(root, 10)
    assert root.time.value == sum([0.1] * 10) != 1.0  # I8


def test_a_branch_that_is_not_active(root):
    root.body.activated = False
    Sofa.Simulation.animateNSteps(root, 2)
    assert not root.body.dofs.position.value.any()  # I9
    root.body.setActive(True)
    Sofa.Simulation.animateNSteps(root, 1)
    assert root.body.isActive() and root.body.dofs.position.value.any()


def test_scene_files(tmp_path):
    path = tmp_path / "two.scn"
    path.write_text('<Node name="r"><DefaultAnimationLoop/><Node name="n"><MechanicalObject position="0 0 0"/>'
                    "<UniformMass/></Node></Node>")
    root = Sofa.Simulation.load(str(path))
    assert root.name.value == "r" and not root.isInitialized()  # I10
    assert [o.name.value for o in root.n.objects] == ["MechanicalObject1", "UniformMass1"]  # I11
    Sofa.Simulation.initRoot(root)
    Sofa.Simulation.animate(root, 0.1)
    assert root.time.value == 0.1  # I20
    (tmp_path / "bad.scn").write_text("<Node><")
    with heard() as messages:
        assert Sofa.Simulation.load(str(tmp_path / "none.scn")) is None  # I14
        assert Sofa.Simulation.load(str(tmp_path / "bad.scn")) is None  # I15
    assert {m["type"] for m in messages} == {"Error"}


def write(folder, text, name="scene.py"):
    (folder / name).write_text(text)
    return str(folder / name)


def test_scripts_as_scenes(tmp_path):
    write(tmp_path, "number = 7", "helper_of_the_scene.py")
    path = write(tmp_path, """
import os, sys
import helper_of_the_scene
def createScene(root):
    root.addData("place", type="string", value=os.getcwd())
    root.addData("words", type="vector<string>", value=[__name__, root.name.value, *sys.argv])
    root.addChild("n%d" % helper_of_the_scene.number)
    return 3
if __name__ == "__main__":
    raise RuntimeError
""")
    before, words = os.getcwd(), list(sys.argv)
    root = Sofa.Simulation.load(path)
    assert root.children[0].name.value == "n7" and not root.isInitialized()  # I12
    assert root.words.value == ["scene", "root", "scene"]
    assert os.path.samefile(root.place.value, tmp_path)  # I13
    assert os.getcwd() == before and sys.argv == words

    # helpers are read again
    write(tmp_path, "number = 12345", "helper_of_the_scene.py")
    assert Sofa.Simulation.load(path).children[0].name.value == "n12345"


def test_scripts_that_fail(tmp_path):
    with heard() as messages:
        root = Sofa.Simulation.load(write(tmp_path, "pass"))
    assert len(root.children) == 0 and "createScene" in messages[0]["message"]  # I16
    with heard() as messages:
        root = Sofa.Simulation.load(write(tmp_path, "def createScene(root):\n    root.addChild('kept')\n    1 / 0"))
    assert root.getChild("kept") is not None  # I17
    assert "line 3" in messages[0]["message"] and "ZeroDivisionError" in messages[0]["message"]
    with heard() as messages:
        assert len(Sofa.Simulation.load(write(tmp_path, "def createScene(:")).children) == 0
    assert "SyntaxError" in messages[0]["message"]


def test_modules_of_scripts(tmp_path):
    module = Sofa.import_sofa_python_scene(write(tmp_path, "def createScene(root):\n    root.addChild('c')"))
    node = Sofa.Core.Node("node")
    module.createScene(node)
    assert "c" in node.children  # I18
    with pytest.raises(Exception, match="createScene"):
        Sofa.import_sofa_python_scene(write(tmp_path, "", "other.py"))  # I19


def test_helpers_are_read_again_and_other_modules_stay(tmp_path):
    folders = {name: tmp_path / name for name in ("scene", "library")}
    for folder in folders.values():
        folder.mkdir()
    (folders["library"] / "far_library.py").write_text("STATE = []")
    (folders["scene"] / "near_helper.py").write_text("DT = 0.5")
    (folders["scene"] / "near_package").mkdir()
    (folders["scene"] / "near_package" / "__init__.py").write_text("")
    (folders["scene"] / "near_package" / "part.py").write_text("DT = 0.5")
    sys.path.insert(0, str(folders["library"]))
    path = write(folders["scene"], "import far_library, near_helper\nfrom near_package import part\n\n\n"
                                   "def createScene(root):\n    root.dt = near_helper.DT + part.DT")
    try:
        assert Sofa.Simulation.load(path).dt.value == 1
        library = sys.modules["far_library"]
        for name in ("near_helper.py", "near_package/part.py"):
            (folders["scene"] / name).write_text("DT = 0.125")
        assert Sofa.Simulation.load(path).dt.value == 0.25
        assert sys.modules["far_library"] is library
    finally:
        sys.path.remove(str(folders["library"]))


def test_unload(root):
    body, dofs = root.body, root.body.dofs
    Sofa.Simulation.unload(root)
    assert len(root.children) == len(root.objects) == 0  # O1
    assert body.name.value == "body" and dofs.position.value.shape == (1, 3)


def test_removed_objects(root):
    body, mass = root.body, root.body.mass
    body.removeObject(mass)
    assert "mass" not in body.objects and body.getMass() is None and mass.totalMass.value == 1  # O2
    assert body.addObject(mass) is mass and list(body.objects)[-1] is mass  # O3
    with heard() as messages:
        assert root.addObject(mass) is None and mass.getContext() is body  # O4
    assert messages[0]["type"] == "Error"
    body.removeObject(mass)
    body.removeObject(mass)  # it is no member: nothing
    with pytest.raises(TypeError):
        body.removeObject("mass")


def test_removed_nodes(root):
    body = root.body
    Sofa.Simulation.animate(root, 0)
    root.removeChild(body)
    place = body.dofs.position.value.copy()
    assert len(root.children) == 0 and len(body.parents) == 0 and body.dofs.getName() == "dofs"  # O5
    Sofa.Simulation.animate(root, 0)
    assert np.array_equal(body.dofs.position.value, place)  # O6
    root.addChild(body)
    Sofa.Simulation.animate(root, 0)
    assert not np.array_equal(body.dofs.position.value, place)  # O9
    assert root.removeChild("body") is body  # O7
    with pytest.raises(IndexError):
        root.removeChild("nothing")  # O8


def test_arrays_and_children_outlive_their_scene():
    def made():
        root = Sofa.Core.Node("root")
        root.addObject("MechanicalObject", name="dofs", position=[[1, 2, 3]])
        return root.dofs.position.value, root.addChild("child"), Sofa.Core.Node("temporary").name

    array, child, name = made()
    gc.collect()
    assert array.tolist() == [[1, 2, 3]]  # O10
    assert child.name.value == "child" and child.addChild("more") is not None  # O11
    assert name.value == "temporary"


def test_a_view_outlives_a_resize(root):
    view = root.body.addObject("MechanicalObject", name="other", position=[[1, 1, 1]]).position.value
    root.body.other.position = np.zeros((1000, 3))
    assert view.tolist() == [[1, 1, 1]]


def test_the_timer_has_the_phases_of_steps(root):
    timer = SofaRuntime.Timer
    timer.setEnabled("run", True)
    timer.begin("run")
    timer.stepBegin("mine")
    timer.stepEnd("mine")
    Sofa.Simulation.animateNSteps(root, 2)
    timer.end("run")
    records = timer.getRecords("run")
    assert records["total_time"] >= records["mine"]["total_time"] >= 0
    assert len(records["Simulation::animate"]) == 2 and timer.isEnabled("run")
    with pytest.raises(RuntimeError):
        timer.end("run")
    timer.clear()
    assert timer.getRecords("run") == {}
    timer.begin("off")
    timer.stepBegin("nothing")
    assert timer.getRecords("off") == {}


def test_an_example_runs_with_the_stand_alone_pattern():
    root = Sofa.Simulation.load(os.path.join(EXAMPLES, "jelly.scn"))
    Sofa.Simulation.init(root)
    for _ in range(3):
        Sofa.Simulation.animate(root, root.dt.value)
    Sofa.Simulation.updateVisual(root)
    assert root.time.value == pytest.approx(3 * root.dt.value)


ENDINGS = {
    "alive": "",
    "names gone": "del root, body, dofs, controller, engine, array, data, link, prefab",
    "scene closed": "root._s.scene.close()",
    "root first": "del root; import gc; gc.collect()",
    "leaf first": "del dofs; del body; del root",
    "unloaded": "Sofa.Simulation.unload(root)",
    "in an exception": "raise SystemExit(0)",
    "in a block": "block = dofs.position.writeable(); block.__enter__()",
    "in a handler": "def leave(event): raise SystemExit(0)\ncontroller.onAnimateBeginEvent = leave\n"
                    "Sofa.Simulation.animate(root, 0.1)",
    "held by sys": "import sys; sys.kept = [root, dofs, array, data, link, controller]",
    "a cycle": "controller.root, root.controller_again = root, controller",
    "from atexit": "import atexit; atexit.register(lambda: Sofa.Simulation.animate(root, 0.1))",
    "modules gone": "import sys; [sys.modules.pop(m) for m in list(sys.modules) if m.startswith(('Sofa', 'settee'))]",
}
EVERYTHING = """
import Sofa

class Twice(Sofa.Core.DataEngine):
    def __init__(self, **values):
        Sofa.Core.DataEngine.__init__(self, **values)
        self.addData("x", type="vector<double>", value=[1])
        self.addData("y", type="vector<double>", value=[])
        self.addInput(self.x)
        self.addOutput(self.y)

    def update(self):
        self.y = 2 * self.x.value

class Part(Sofa.Prefab):
    prefabParameters = [{"name": "n", "type": "int", "help": "", "default": 1}]

    def init(self):
        self.addChild("inside")

class Push(Sofa.Core.ForceFieldVec3d):
    def addForce(self, params, f, x, v):
        f += 1

    def addDForce(self, params, df, dx):
        pass

root = Sofa.Core.Node("root")
root.addObject("DefaultAnimationLoop")
body = root.addChild("body")
body.addObject("EulerExplicitSolver")
dofs = body.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0]])
body.addObject("UniformMass", name="mass", totalMass=1)
body.addObject(Push(name="push"))
engine = body.addObject(Twice(name="twice"))
body.addObject("RestShapeSpringsForceField", name="s", points=[0], stiffness=engine.y.linkpath)
controller = root.addObject(Sofa.Core.Controller(name="c"))
prefab = root.addChild(Part(name="part"))
other = Sofa.Core.Node("another scene")
Sofa.Simulation.initRoot(root)
Sofa.Simulation.animate(root, 0.1)
array, data, link = dofs.position.value, dofs.position, body.s.mstate
"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_interpreter_ends_in_any_order(ending, tmp_path):
    path = write(tmp_path, EVERYTHING + ENDINGS[ending] + "\n", "ending.py")
    done = subprocess.run([sys.executable, "-X", "dev", path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and "ERROR: AddressSanitizer" not in done.stderr
