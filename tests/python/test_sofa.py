"""SofaPython3's interface: the scripts that must pass where they are at hand, and what they rest on.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import Sofa
import Sofa.Core
import Sofa.Simulation
import SofaRuntime
from conftest import EXAMPLES

SCRIPTS = os.path.join(os.environ.get("SETTEE_SHARED", "/nowhere"), "conformance/python")


@pytest.mark.parametrize("name", sorted(f for f in os.listdir(SCRIPTS) if f.endswith(".py")) if os.path.isdir(SCRIPTS) else [
    pytest.param("none", marks=pytest.mark.skip(reason="the scripts are not at hand: SETTEE_SHARED names their folder"))])
def test_a_script_passes(name, tmp_path):
    done = subprocess.run([sys.executable, os.path.join(SCRIPTS, name)], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith("FAIL")) + done.stderr


@pytest.fixture
def root():
    root = Sofa.Core.Node("root", dt=0.01, gravity=[0, -10, 0])
    root.addObject("DefaultAnimationLoop")
    root.addObject("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
    root.addObject("SparseLDLSolver", name="solver", template="CompressedRowSparseMatrixMat3x3d")
    root.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0], [1, 0, 0]])
    root.addObject("UniformMass", name="mass", vertexMass=2.0)
    return root


def test_a_scene_falls(root):
    Sofa.Simulation.initRoot(root)
    x = root.dofs.position.value
    Sofa.Simulation.animateNSteps(root, 10)
    assert x[0, 1] == pytest.approx(-10 * 0.01**2 * 55)
    assert np.allclose(root.solver.A().toarray(), 2 * np.eye(6))
    assert root.computeEnergy()[0] == pytest.approx(2 * 2 * 1.0 / 2)
    Sofa.Simulation.reset(root)
    assert not root.dofs.velocity.value.any() and root.time.value == 0


def test_what_was_made_in_python_moves_with_its_attributes(root):
    branch = Sofa.Core.Node("branch", gravity=[1, 2, 3])
    state = branch.addObject("MechanicalObject", name="state", position=[[1 / 3, 2, 3]])
    state.position.value = [[1 / 7, 5, 6]]
    branch.note = 3
    assert root.addChild(branch) is branch
    assert root.branch is branch and branch.state is state and branch.note == 3
    assert state.position.value.tolist() == [[1 / 7, 5, 6]]
    assert branch.gravity.value.tolist() == [1, 2, 3] and state.getPathName() == "/branch/state"
    assert root.addChild(branch) is branch and list(root.children).count(branch) == 2  # SOFA lists it twice
    other = Sofa.Core.Node("other")
    with pytest.raises(ValueError):
        other.addChild(branch)


def test_removed_and_added_again(root):
    mass = root.mass
    root.removeObject(mass)
    assert not root.hasObject("mass") and mass.getPathName() == "mass" and mass.vertexMass.value == 2
    assert root.addObject(mass) is mass and root.mass is mass
    child = root.addChild("child")
    assert root.removeChild("child") is child
    with pytest.raises(IndexError):
        root.removeChild("child")


def test_exceptions_of_handlers_are_messages(root):
    class Broken(Sofa.Core.Controller):
        def onAnimateBeginEvent(self, event):
            raise KeyError("lost")

    class Listener(Sofa.Helper.MessageHandler):
        def process(self, message):
            heard.append(message)

    heard = []
    broken = root.addObject(Broken(name="broken"))
    Sofa.Simulation.initRoot(root)
    with Listener():
        Sofa.Simulation.animate(root, 0.01)
    errors = [m for m in heard if m["type"] == "Error"]
    assert "lost" in errors[0]["message"] and errors[0]["component"] is broken
    assert root.time.value == 0.01


def test_own_data(root):
    source = root.dofs.position
    follower = root.addData("follower", value=source)
    assert follower.value.tolist() == source.value.tolist() and follower.getParent() == source
    follower.setParent(None)
    assert follower.value.tolist() == source.value.tolist() and not follower.hasParent()
    with pytest.raises(ValueError):
        root.addData("lost", value="@/nowhere.position")
    with pytest.raises(TypeError):
        root.addData("odd", type="Vec7q", value=[1])
    number = root.addData("number", type="double", value=1)
    for bad in ("text", None, [1, 2]):
        with pytest.raises(RuntimeError):
            number.value = bad
    vector = root.addData("vector", type="Vec3d", value=[1, 2, 3])
    with pytest.raises(IndexError):
        vector.value = [1, 2]
    with vector.writeable() as array:
        array[0] = 9
    assert root.vector.value.tolist() == [9, 2, 3]


def test_loading(tmp_path):
    root = Sofa.Simulation.load(os.path.join(EXAMPLES, "jelly.scn"))
    assert not root.isInitialized() and root.Jelly.dofs.getClassName() == "MechanicalObject"
    Sofa.Simulation.initRoot(root)
    Sofa.Simulation.animate(root, 0.01)
    assert Sofa.Simulation.load(str(tmp_path / "none.scn")) is None
    assert SofaRuntime.importPlugin("Sofa.Component.Mass") and not SofaRuntime.importPlugin("Nonsense")
    Sofa.Simulation.unload(root)
    assert len(root.children) == 0


def test_the_code_of_the_documentation_runs(capsys):
    path = os.path.join(os.path.dirname(__file__), "../../docs/from-sofapython3.md")
    with open(path) as file:
        for block in re.findall(r"```python\n(.*?)```", file.read(), re.S):
            exec(block, {"__name__": "documentation"})
    assert "-0.00" in capsys.readouterr().out
