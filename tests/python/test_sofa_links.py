"""Sofa: links and engines, group G of the acceptance list. A number names the statement that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest

import Sofa
from sofa_support import heard


@pytest.fixture
def root():
    root = Sofa.Core.Node("root")
    root.addObject("MechanicalObject", name="a", position=[[1, 2, 3], [4, 5, 6]])
    root.addChild("n").addObject("MechanicalObject", name="b", position="@/a.position")
    return root


def test_a_linked_data_follows_its_parent(root):
    a, b = root.a.position, root.n.b.position
    assert b.hasParent() and b.getParent() == a and b.value.tolist() == a.value.tolist()  # G1
    root.a.position = [[9, 9, 9]]
    assert b.isDirty()  # G4
    assert b.value.tolist() == [[9, 9, 9]] and not b.isDirty()  # G2
    with a.writeable() as x:
        x[0, 0] = 7
    assert b.isDirty() and b.hasChanged() and not b.hasChanged()
    assert b.value[0, 0] == 7  # G3


def test_writing_the_child_keeps_the_link(root):
    a, b = root.a.position, root.n.b.position
    b.value = [[0, 0, 0]]
    assert b.hasParent() and b.value.tolist() == [[0, 0, 0]] and a.value[0, 0] == 1  # G5
    root.a.position = [[8, 8, 8]]
    assert b.value.tolist() == [[8, 8, 8]]  # G6
    b.setParent(None)
    root.a.position = [[1, 1, 1]]
    assert not b.hasParent() and b.value.tolist() == [[8, 8, 8]]  # G7


def test_ways_to_link(root):
    c = root.addObject("MechanicalObject", name="c", position=[[0, 0, 0]])
    c.position.setParent(root.a.position)
    assert c.position.value[1, 0] == 4  # G8
    c.position.setParent(None)
    c.position.setParent("@/a.position")
    assert c.position.getParent() == root.a.position  # G9
    c.position.setParent(None)
    c.position.setParent("@/nothing.position")
    assert not c.position.hasParent()
    c.position = root.a.position.linkpath
    assert c.position.hasParent()  # G10
    c.position.setParent(None)
    c.position = "@/a.position"  # more than SOFA, which empties it
    assert c.position.hasParent()
    with pytest.raises(RuntimeError):
        c.position.setParent(root.a.linkpath)  # G11


def test_link_paths(root):
    path = root.a.position.linkpath
    assert str(path) == "@/a.position" and repr(path) == 'LinkPath("@/a.position")'  # G12
    assert path.target() == root.a.position and root.a.linkpath.target() is root.a
    root.a.name = "renamed"
    assert str(path) == "@/renamed.position"


def test_new_data_that_follow(root):
    one = root.n.addData("one", value=root.a.position)
    assert one.typeName() == "vector<Vec3d>" and one.value.tolist() == [[1, 2, 3], [4, 5, 6]]  # G13
    two = root.n.addData("two", value="@/a.position")
    assert two.getParent() == root.a.position  # G14
    with pytest.raises(ValueError):
        root.n.addData("three", value="@/nothing.position")  # G15
    root.a.position = [[3, 3, 3]]
    assert one.isDirty() and one.value.tolist() == two.value.tolist() == [[3, 3, 3]]
    one.value = [[5, 5, 5]]
    assert one.hasParent() and one.value.tolist() == [[5, 5, 5]]
    root.a.position = [[6, 6, 6]]
    assert one.value.tolist() == [[6, 6, 6]]


def test_a_vector_fills_the_center_of_a_frame(root):
    rigid = root.addChild("r").addObject("MechanicalObject", template="Rigid3d", position="@/a.position")
    assert rigid.position.value.tolist() == [[1, 2, 3, 0, 0, 0, 1], [4, 5, 6, 0, 0, 0, 1]]  # G16


def test_engines_of_the_library(root):
    box = root.addObject("BoxROI", name="box", box=[0, 0, 0, 2, 3, 4], position="@a.position")
    Sofa.Simulation.initRoot(root)
    assert box.indices.value.tolist() == [0]  # G17
    box.box = [[0, 0, 0, 9, 9, 9]]
    assert box.indices.value.tolist() == [0, 1]  # G18


def test_links_between_objects(root):
    spring = root.addObject("RestShapeSpringsForceField", name="s", stiffness=[1.0], points=[0], mstate="@a")
    link = spring.mstate
    assert (link.getName(), link.getLinkedBase(), link.getOwnerBase()) == ("mstate", root.a, spring)  # G19
    assert (link.getLinkedPath(), link.getSize(), link.isMultiLink()) == ("/a", 1, False)
    assert link.getValueString() == "@/a"  # G20
    spring.mstate = "@n/b"
    assert link.getLinkedBase() is root.n.b  # G21
    spring.mstate = root.a.linkpath
    assert link.getLinkedBase() is root.a  # G22
    spring.mstate = root.n.b
    assert link.getLinkedBase() is root.a  # G23
    with pytest.raises(RuntimeError):
        spring.mstate = root.a.position.linkpath  # G24
    link.showObject = True
    assert root.a.showObject.value == 1  # G25
    with pytest.raises(RuntimeError):
        root.odeSolver.anything


class Double(Sofa.Core.DataEngine):
    def __init__(self, *args, **kwargs):
        Sofa.Core.DataEngine.__init__(self, *args, **kwargs)
        self.addData("x", type="vector<double>", value=[1, 2])
        self.addData("y", type="vector<double>", value=[0])
        self.runs = 0
        self.addInput(self.x)
        self.addOutput(self.y)

    def update(self):
        self.runs += 1
        if len(self.x) == 0:
            raise ValueError("there is nothing to double")
        self.y = 2 * self.x.value


def test_engines_in_python(root):
    engine = root.addObject(Double(name="engine"))
    assert engine.runs == 0 and engine.listening.value == 0
    assert engine.y.value.tolist() == [2, 4] and engine.runs == 1  # G26
    assert engine.y.value.tolist() == [2, 4] and engine.runs == 1  # G27
    engine.x = [5]
    assert engine.runs == 1 and engine.y.isDirty()  # G28
    follower = root.n.addData("follower", value=engine.y)
    assert follower.value.tolist() == [10] and engine.runs == 2  # G29
    engine.x = []
    with heard() as messages:
        assert engine.y.value.tolist() == [10] and engine.y.value.tolist() == [10]  # G30
    assert [m["component"] for m in messages] == [engine] and "nothing to double" in messages[0]["message"]


def test_an_engine_that_does_not_compute(root):
    class Idle(Sofa.Core.DataEngine):
        def __init__(self):
            Sofa.Core.DataEngine.__init__(self, name="idle")
            self.addData("y", type="double", value=1)
            self.addOutput(self.y)

    idle = root.addObject(Idle())
    with pytest.raises(TypeError, match="update"):
        idle.y.value
    with pytest.raises(TypeError):
        idle.addInput(3)
    with pytest.raises(TypeError):
        idle.addOutput(root.a.position)


def test_components_follow_engines_and_parameters(root):
    class Shift(Sofa.Core.DataEngine):
        def __init__(self, *args, **kwargs):
            Sofa.Core.DataEngine.__init__(self, *args, **kwargs)
            self.addData("source", value=kwargs["source"])
            self.addData("by", type="double", value=1)
            self.addData("out", type="vector<Vec3d>", value=[])
            self.addInput(self.source)
            self.addInput(self.by)
            self.addOutput(self.out)

        def update(self):
            self.out.value = self.source.value + self.by.value

    shift = root.addObject(Shift(name="shift", source=root.a.position))
    c = root.addObject("MechanicalObject", name="c", position=shift.out.linkpath)
    d = root.addObject("MechanicalObject", name="d", position="@shift.out")
    assert c.position.getParent() == shift.out and d.position.value.tolist() == [[2, 3, 4], [5, 6, 7]]
    shift.by = 2
    assert root._s.scene["/c"].position[0].tolist() == [3, 4, 5]  # in the engine at once
    root.a.position = [[0, 0, 0]]
    assert c.position.isDirty() and c.position.value.tolist() == [[2, 2, 2]]

    # what a step has moved is followed at the beginning of the next one
    root.addObject("EulerExplicitSolver")
    root.addObject("UniformMass", totalMass=1)
    c.position.setParent(None)
    assert not c.position.hasParent()
    shift.by = 5
    assert c.position.value.tolist() == [[2, 2, 2]]


def test_a_parameter_is_followed_after_a_move():
    branch = Sofa.Core.Node("branch")
    branch.addData("k", type="vector<double>", value=[3])
    branch.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0]])
    branch.addObject("RestShapeSpringsForceField", name="s", points=[0], stiffness=branch.k.linkpath)
    root = Sofa.Core.Node("root")
    root.addChild(branch)
    branch.k = [np.pi]
    assert branch.s.stiffness.value.tolist() == [np.pi]
    Sofa.Simulation.initRoot(root)
    Sofa.Simulation.animate(root, 0.01)
    assert root._s.scene["/branch/s"].stiffness.tolist() == [np.pi]
