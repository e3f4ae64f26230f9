"""Sofa: Data (group E) and their arrays (F). A number names the statement that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest

import Sofa
from settee import Error


@pytest.fixture
def root():
    root = Sofa.Core.Node("root")
    root.addObject("MechanicalObject", name="dofs", position=[[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    return root


# ---- E ------------------------------------------------------------------------------------------------------


def test_values_of_scalars(root):
    assert type(root.dt.value) is float and type(root.name.value) is str and type(root.dofs.drawMode.value) is int  # E1
    assert root.dofs.showObject.value == 0 and type(root.activated.value) is int  # E2
    root.dt = 0.25
    assert root.dt.value == 0.25 and isinstance(root.dt, Sofa.Core.Data)  # E3
    root.dt.value = 0.5
    assert root.dt.value == 0.5  # E4
    root.dt.setValue(0.125)
    assert root.dt.getValue() == 0.125  # E5
    for given in (1, np.float32(0.5), np.array(0.5), True):  # E6 E7
        root.dt = given
        assert root.dt.value == float(given) and type(root.dt.value) is float
    root.dofs.showObject = True
    root.dofs.drawMode = np.int64(2)
    assert root.dofs.showObject.value == 1 and root.dofs.drawMode.value == 2  # E8 E9


def test_what_a_scalar_refuses(root):
    for owner, name, bad in ((root, "dt", "0.1"), (root.dofs, "drawMode", 1.5), (root.dofs, "name", 3), (root, "dt", None),
                             (root, "dt", Sofa.Core.Node("n").dt)):  # E10 E11 E12 E13 E14
        with pytest.raises(RuntimeError):
            setattr(owner, name, bad)
    assert root.dt.value == 0.01 and root.dofs.drawMode.value == 0 and root.dofs.name.value == "dofs"  # E15


def test_small_vectors(root):
    for given in ([1, 2, 3], (1.0, 2.0, 3.0), np.array([1.0, 2.0, 3.0]), "1 2 3"):  # E16 E17 E18 E19
        root.gravity = [0, 0, 0]
        root.gravity = given
        assert root.gravity.value.tolist() == [1, 2, 3]
    root.gravity[1] = 5.0
    assert root.gravity.value.tolist() == [1, 5, 3]  # E20
    root.gravity += [0.0, 1.0, 0.0]
    assert root.gravity.value.tolist() == [1, 6, 3]  # E21
    assert (root.gravity + 1).tolist() == [2, 7, 4] and (root.gravity * 2).tolist() == [2, 12, 6]  # E22
    assert (root.gravity - root.gravity).tolist() == [0, 0, 0] and (10 - root.gravity).tolist() == [9, 4, 7]
    assert (root.gravity / 2).tolist() == [0.5, 3, 1.5] and (-root.gravity).tolist() == [-1, -6, -3]
    with pytest.raises(IndexError):
        root.gravity = np.array([1.0, 2.0])  # E23


def test_questions(root):
    p = root.dofs.position
    assert (p.getName(), p.getOwner(), p.typeName(), p.getValueTypeString()) == ("position", root.dofs, "vector<Vec3d>",
                                                                                "vector<Vec3d>")  # E24
    assert p.getPathName() == "/dofs.position" and p.getLinkPath() == str(p.linkpath) == "@/dofs.position" and p.getHelp()
    root.dt = 1 / 3
    assert p.getValueString() == "0 0 0 1 0 0 2 0 0" and root.dt.getValueString() == "0.333333"  # E25
    assert root.dt.read("0.75") is True and root.dt.value == 0.75 and root.dt.read("xyz") is False  # E26 E27
    other = root.addObject("MechanicalObject", name="other")
    assert p.isSet() and not other.showObjectScale.isSet()  # E28
    other.showObjectScale = 2.0
    assert other.showObjectScale.isSet()
    other.showObjectScale.unset()
    assert not other.showObjectScale.isSet() and other.showObjectScale.value == 2.0  # E29
    before = p.getCounter()
    p.value
    assert p.getCounter() == before  # E30
    p[0] = 0.0
    assert p.getCounter() > before
    assert not p.isRequired() and not p.isReadOnly()
    p.setReadOnly(True)
    p.setPersistent(False)
    assert p.isReadOnly() and not p.isPersistent()


def test_names_of_data(root):
    assert not hasattr(root.dt, "foo")  # E31
    root.dt.foo = 0.0625
    assert root.dt.value == 0.0625  # E32
    root.gravity = [1, 6, 1]
    assert repr(root.name) == "'root'" and repr(root.gravity) == repr(np.array([1.0, 6.0, 1.0]))  # E33
    assert repr(root.dt) == "0.0625"
    kinds = ((root.dt, "Data"), (root.dofs.position, "DataContainer"), (root.name, "DataString"))
    assert all(str(d).startswith("Sofa.Core." + kind) for d, kind in kinds)  # E34
    assert len(root.name) == 4 and root.name[0] == "r" and root.name == "root"  # E35
    root.dofs.setDataValues(drawMode=1, showObjectScale=2.5)
    assert root.dofs.drawMode.value == 1 and root.dofs.showObjectScale.value == 2.5  # E36
    with pytest.raises(AttributeError):
        root.dofs.setDataValues(nothing=1)  # E37


CASES = [("int", 3, 3), ("double", 0.1, 0.1), ("float", 0.5, 0.5), ("bool", True, 1), ("string", "hello", "hello"),
         ("Vec3d", [1, 2, 3], [1, 2, 3]), ("vector<double>", [1, 2.5], [1, 2.5]), ("vector<int>", [4, 5], [4, 5]),
         ("vector<Vec3d>", [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]), ("vector<string>", ["a b", "c"], ["a b", "c"]),
         ("vector<Triangle>", [[0, 1, 2]], [[0, 1, 2]]), ("Rigid3d::VecCoord", [[0] * 6 + [1]], [[0] * 6 + [1]]),
         ("Quatd", [0, 0, 0, 1], [0, 0, 0, 1]), ("Link", "@/dofs", "@/dofs")]


@pytest.mark.parametrize("kind, value, expected", CASES)
def test_new_data(root, kind, value, expected):
    made = root.addData(name="d", type=kind, value=value, help="some help", group="some group")
    found = root.d.value
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected  # E38
    assert made.getHelp() == "some help" and made.isSet() and made.isPersistent()  # E39
    made.setName("renamed")
    assert root.renamed is made and root.findData("d") is None


def test_new_data_with_defaults(root):
    root.addData(name="byDefault", type="int", default=7)
    assert root.byDefault.value == 7 and not root.byDefault.isSet()  # E40
    with pytest.raises(TypeError):
        root.addData(name="x", type="NoType", value=1)  # E41
    with pytest.raises(TypeError):
        root.addData(name="x", value=1)  # E42


# ---- F ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template, coordinates, speeds", [("Vec1d", 1, 1), ("Vec2d", 2, 2), ("Vec3d", 3, 3), ("Vec6d", 6, 6),
                                                           ("Rigid2d", 3, 3), ("Rigid3d", 7, 6)])
def test_shapes_of_states(template, coordinates, speeds):
    s = Sofa.Core.Node("r").addObject("MechanicalObject", template=template, position=[[0] * (coordinates - 1) + [1]] * 4)
    assert s.position.value.shape == (4, coordinates) and s.position.value.dtype == np.float64  # F1
    assert s.velocity.value.shape[1] == speeds


def test_shapes(root):
    p = root.dofs.position
    assert (len(p), p.shape, p.size, p.ndim) == (3, (3, 3), 9, 2)  # F2
    assert root.gravity.value.shape == (3,) and root.gravity.value.dtype == np.float64  # F3
    assert root.dofs.showColor.value.shape == (4,) and root.dofs.showColor.value.dtype == np.float32  # F4
    t = root.addObject("TetrahedronSetTopologyContainer", tetrahedra=[[0, 1, 2, 3]], position=np.eye(4, 3))
    assert t.tetrahedra.value.shape == (1, 4) and t.tetrahedra.value.dtype == np.int32  # F5
    f = root.addObject("FixedProjectiveConstraint", indices=[0, 1])
    assert f.indices.value.shape == (2,) and f.indices.value.dtype == np.int32  # F6
    r = root.addObject("RestShapeSpringsForceField", points=[0, 1], stiffness=[1.0, 2.0])
    assert r.stiffness.value.shape == (2,) and r.stiffness.value.dtype == np.float64  # F7
    p.value = []
    assert p.value.shape == (0, 3)  # F8
    t.tetrahedra = np.array([[3, 2, 1, 0]], np.int32)
    assert t.tetrahedra.value.tolist() == [[3, 2, 1, 0]]  # F37
    t.tetrahedra = np.array([[0, 1, 2, 3]])
    assert t.tetrahedra.value.tolist() == [[0, 1, 2, 3]]  # F38
    t.tetrahedra = [[3, 2, 1, 0]]
    assert t.tetrahedra.value.tolist() == [[3, 2, 1, 0]]  # F39


def test_views(root):
    p = root.dofs.position
    v = p.value
    assert not v.flags.writeable and not p.array().flags.writeable  # F9
    with pytest.raises(ValueError):
        v[0, 0] = 5.0  # F10
    assert np.shares_memory(v, p.value) and not v.flags.owndata  # F11
    with p.writeable() as w:
        w[0] = [7, 8, 9]
        assert p.value[0].tolist() == v[0].tolist() == [7, 8, 9]  # F12
    assert not w.flags.writeable  # F13
    with pytest.raises(ValueError):
        w[0] = 1.0  # F14
    count = p.getCounter()
    with p.writeable():
        pass
    assert p.getCounter() > count  # F15
    with pytest.raises(KeyError):
        with p.writeable() as w:
            w[1] = 1
            raise KeyError
    assert p.value[1].tolist() == [1, 1, 1] and not w.flags.writeable  # F16
    with p.writeableArray() as w:
        w *= 2.0
    assert p.value[0].tolist() == [14, 16, 18]  # F17
    with p.writeable(lambda a: a.reshape(-1)) as w:
        w[0] = -1.0
    assert w.shape == (9,) and p.value[0, 0] == -1  # F18


def test_items(root):
    p = root.dofs.position
    assert p[1].tolist() == [1, 0, 0] and p[1, 0] == 1 and p[1:].shape == (2, 3) and p[[0, 2]].shape == (2, 3)  # F19
    with pytest.raises(IndexError):
        p[5]  # F20
    row = p[2]
    row[1] = 33.0
    assert p.value[2, 1] == 33  # F21
    p[0] = 4.0
    p[0, 1] = 5.0
    assert p.value[0].tolist() == [4, 5, 4]  # F22 F23
    p[0:2] = 1.5
    p[0:2, 1:3] = 0.5
    assert p.value[:2].tolist() == [[1.5, 0.5, 0.5]] * 2  # F24 F25
    p[0] = [1.0, 2.0, 3.0]
    assert p.value[0].tolist() == [1, 2, 3]  # F26
    assert [r.tolist() for r in p.value] == p.value.tolist() == [r.tolist() for r in p] == p.toList()  # F27
    assert np.asarray(p).shape == (3, 3)
    p.apply(lambda i, j, x: 10 * i + j)
    assert p.value[2].tolist() == [20, 21, 22]


def test_whole_values(root):
    p = root.dofs.position
    root.dofs.position = [[1, 2, 3]]
    assert p.value.tolist() == [[1, 2, 3]]  # F28
    for given in (np.arange(12.0).reshape(4, 3), np.ones((2, 3), np.float32), [np.arange(3.0), np.ones(3)],
                  np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))):  # F29 F30 F31 F35
        root.dofs.position = given
        assert p.value.tolist() == np.array(given).tolist()
    root.dofs.position = root.addObject("MechanicalObject", position=[[9, 9, 9]]).position
    assert p.value.tolist() == [[9, 9, 9]] and not p.hasParent()  # F32
    for bad, error in ((np.zeros((2, 4)), IndexError), (np.zeros(6), TypeError), ([[1, 2]], IndexError), (3, TypeError),
                       (None, TypeError), ([1, 2, 3], TypeError)):  # F33 F34 F36
        with pytest.raises(error):
            root.dofs.position = bad
    assert p.value.tolist() == [[9, 9, 9]]
    with pytest.raises((RuntimeError, ValueError, TypeError, Error)):
        root.dofs.position = [["a", "b", "c"]]


def test_views_and_time():
    scene = Sofa.Core.Node("scene", gravity=[0, -10, 0])
    scene.addObject("DefaultAnimationLoop")
    scene.addObject("EulerExplicitSolver")
    m = scene.addObject("MechanicalObject", name="m", position=[[0, 0, 0]])
    scene.addObject("UniformMass", totalMass=1.0)
    Sofa.Simulation.initRoot(scene)
    view, copy = m.position.value, m.position.value.copy()
    Sofa.Simulation.animate(scene, 0.1)
    assert view[0, 1] == m.position.value[0, 1] != 0 == copy[0, 1]  # F40
    m.position = [[0, 100, 0]]
    m.velocity.value = [[0, 0, 0]]
    Sofa.Simulation.animate(scene, 0.1)
    assert m.position.value[0, 1] == pytest.approx(99.9, abs=1e-12)  # F41
