"""Sofa: modules (group A), building (B), look-up and attributes (C), arguments of addObject (D). A number names the statement
that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import gc

import numpy as np
import pytest

import Sofa
import SofaRuntime
from sofa_support import heard

TEMPLATES = ("Vec1d", "Vec2d", "Vec3d", "Vec6d", "Rigid2d", "Rigid3d")


# ---- A ------------------------------------------------------------------------------------------------------


def test_modules():
    for name in ("Core", "Simulation", "Types", "Helper", "constants", "SofaTypes", "Prefab"):
        assert hasattr(Sofa, name)  # A1
    for name in ("Node", "Object", "Base", "Data", "DataContainer", "DataString", "DataVectorString", "DataDict", "Link",
                 "LinkPath", "NodeIterator", "Controller", "DataEngine", "RawPrefab", "ObjectFactory", "Camera"):
        assert hasattr(Sofa.Core, name)  # A2
    for template in TEMPLATES:
        assert hasattr(Sofa.Core, "ForceField" + template) and hasattr(Sofa.Core, "Mass" + template)  # A3
    assert hasattr(Sofa.Core, "Mapping_Rigid3d_Vec3d") and hasattr(Sofa.Core, "Mapping_Vec3d_Vec1d")
    for name in ("init", "initRoot", "animate", "animateNSteps", "reset", "load", "unload", "print", "updateVisual",
                 "initVisual", "initTextures"):
        assert callable(getattr(Sofa.Simulation, name))  # A4
    for name in ("createRootNode", "initNode", "exportGraph"):
        assert not hasattr(Sofa.Simulation, name)  # A5
    from Sofa import SofaConstraintSolver, SofaDeformable, SofaLinearSolver, SofaLinearSystem  # noqa: F401


def test_version_plugins_and_keys():
    assert Sofa.GetVersion() == Sofa.Helper.GetVersion() == "v26.12"  # A6
    for _ in range(2):
        assert SofaRuntime.importPlugin("Sofa.Component") is True and SofaRuntime.importPlugin("SofaPython3") is True  # A7
    with heard() as messages:
        assert SofaRuntime.importPlugin("NoSuchPluginAnywhere") is False  # A8
    assert messages[0]["type"] == "Error"
    from Sofa.constants import Key, KeyCode
    assert (Key.A, Key.KP_7, Key.space) == ("A", "7", " ")  # A9
    assert (Key.leftarrow, Key.uparrow, Key.rightarrow, Key.downarrow) == tuple(map(chr, (18, 19, 20, 21)))
    assert KeyCode.A == ord("A")


def test_messages():
    node = Sofa.Core.Node("speaker")
    with heard() as messages:
        Sofa.msg_warning("somebody", "careful")
        Sofa.Helper.msg_error(node, "wrong")
        Sofa.Helper.msg_info("text alone")
    assert [(m["type"], m["sender"], m["message"]) for m in messages] == [
        ("Warning", "somebody", "careful"), ("Error", "speaker", "wrong"), ("Info", "PythonScript", "text alone")]  # A10
    assert messages[0]["component"] is None and messages[1]["component"] is node and not messages[0]["isEmpty"]
    for bad in ((), (1, 2), ("a", "b", "c", "d", "e")):
        with pytest.raises(TypeError):
            Sofa.Helper.msg_info(*bad)


# ---- B ------------------------------------------------------------------------------------------------------


def test_nodes():
    root = Sofa.Core.Node("root")
    assert root.name.value == "root" and not root.isInitialized()  # B1
    assert len(root.parents) == len(root.children) == len(root.objects) == 0
    assert Sofa.Core.Node().name.value == "unnamed"  # B2
    assert (root.dt.value, root.gravity.value.tolist(), root.time.value) == (0.01, [0, -9.81, 0], 0)  # B3
    keyed = Sofa.Core.Node("n", dt=0.5, gravity=[1, 2, 3], nonsense=4)  # B5
    assert keyed.dt.value == 0.5 and keyed.gravity.value.tolist() == [1, 2, 3]  # B4


def test_children():
    root, given = Sofa.Core.Node("root"), Sofa.Core.Node("given")
    left, right = root.addChild("left"), root.addChild("right", activated=True)
    assert [c.name.value for c in root.children] == ["left", "right"]  # B6
    assert root.addChild(given) is given and root.given is given  # B7
    assert root.addChild("left") is not left and root.getChild("left") is left and len(root.children) == 4  # B8
    assert (root.getPathName(), left.getPathName()) == ("/", "/left")  # B9
    assert left.getLinkPath() == "@/left" and left.getRoot() is root and left.getRootPath() == "../"  # B10
    shared = left.addChild("shared")
    right.addChild(shared)
    assert [p.name.value for p in shared.parents] == ["left", "right"] and shared.getPathName() == "/left/shared"  # B19
    assert right.getChild("shared") is shared
    moved = left.addChild("moved")
    right.moveChild(moved, left)
    assert [p.name.value for p in moved.parents] == ["right"] and left.getChild("moved") is None  # B20
    shared.detachFromGraph()
    assert len(shared.parents) == 0 and right.getChild("shared") is None  # B21
    with pytest.raises(ValueError):
        right.moveChild(None, left)


def test_objects():
    node = Sofa.Core.Node("root").addChild("n")
    dofs = node.addObject("MechanicalObject", position=[[0, 0, 0], [1, 0, 0]])
    assert dofs.name.value == dofs.getName() == "MechanicalObject"  # B11
    node.addObject("UniformMass", name="mass", totalMass=3.0)
    for index in (0, 1):
        node.addObject("ConstantForceField", indices=[index], forces=[[1, 0, 0]])
    assert [o.name.value for o in node.objects][2:] == ["ConstantForceField"] * 2  # B12
    assert [o.getClassName() for o in node.objects] == ["MechanicalObject", "UniformMass", "ConstantForceField",
                                                        "ConstantForceField"]  # B13
    assert (dofs.getClassName(), dofs.getTemplateName(), dofs.getContext()) == ("MechanicalObject", "Vec3d", node)  # B14
    assert dofs.getPathName() == "/n/MechanicalObject" and dofs.getCategories() == ["MechanicalState"]
    assert node.addObject("FixedConstraint", indices=[0]).getClassName() == "FixedProjectiveConstraint"  # B15
    assert node.getMechanicalState() is dofs and node.getMass().name.value == "mass" and not node.hasODESolver()  # B16
    assert node.getForceField(1).getClassName() == "ConstantForceField" and node.getForceField(0) is node.mass  # B17
    empty = node.addChild("empty")
    assert not any((empty.getMechanicalState(), empty.getMass(), empty.getForceField(0), empty.getMechanicalMapping()))  # B18


def test_other_ways_to_build():
    with Sofa.Core.Node("root") as root:
        root.addChild("inner")
    assert root.inner.getName() == "inner"  # B22
    assert root.add("MechanicalObject", name="m").getClassName() == "MechanicalObject"  # B23
    assert root.add(lambda node, name: node.addChild(name), name="by function").getPathName() == "/by function"
    with heard() as messages:
        assert root.createChild("old").createObject("MechanicalObject", name="d").name.value == "d"  # B24
    assert [m["type"] for m in messages] == ["Deprecated"] * 2
    with heard() as messages:
        Sofa.Simulation.initRoot(root)
    assert root.isInitialized() and [m["type"] for m in messages] == ["Warning"]
    assert [o.name.value for o in root.objects][:2] == ["DefaultVisualManagerLoop", "DefaultAnimationLoop"]  # B25
    assert root.computeEnergy() == (0, 0)  # B26
    Sofa.Simulation.initRoot(root)
    assert len(root.objects) == 3


def test_what_addobject_remembers(tmp_path):
    dofs = Sofa.Core.Node("root").addObject("MechanicalObject")
    assert dofs.getInstanciationFileName() == __file__ and dofs.getInstanciationSourceFilePos() > 100


# ---- C ------------------------------------------------------------------------------------------------------


@pytest.fixture
def root():
    root = Sofa.Core.Node("root")
    hand = root.addChild("arm").addChild("hand")
    hand.addObject("MechanicalObject", name="dofs", position=[[0, 1, 2], [3, 4, 5]])
    hand.addObject("RestShapeSpringsForceField", name="spring", stiffness=[7.0], points=[0], mstate="@dofs")
    hand.addObject("ConstantForceField", name="shared", indices=[0], forces=[[1, 0, 0]])
    return root


def test_attributes(root):
    hand, dofs = root.arm.hand, root.arm.hand.dofs
    assert root.arm.hand.dofs.position.value[1, 2] == 5  # C1
    assert root.arm is root.arm and root.arm.hand.dofs is dofs  # C2
    hand.addChild("shared")
    assert hand.shared.getClassName() == "ConstantForceField" and hand.getChild("shared") is not None  # C3
    root.arm.addObject("MechanicalObject", name="gravity")
    assert root.arm.gravity.getClassName() == "MechanicalObject"  # C4
    with pytest.raises(AttributeError, match="positon.*position"):
        dofs.positon  # C7
    with pytest.raises(AttributeError):
        root.noSuchThing  # C5
    assert hasattr(root, "arm") and hasattr(dofs, "position") and not hasattr(root, "noSuchThing")  # C6
    assert root.getChild("x") is None and hand.getObject("x") is None and hand.hasObject("dofs")  # C8
    assert not hand.hasObject("x")


def test_brackets(root):
    dofs = root.arm.hand.dofs
    assert root["arm.hand.dofs"] is dofs and root["arm.hand.dofs.position"].getPathName() == "/arm/hand/dofs.position"  # C9
    assert root["dt"].value == 0.01  # C10
    assert dofs["position"] == dofs[".position"] == dofs.position and dofs[""] is dofs  # C11
    for bad in (lambda: root[""], lambda: dofs["unknown"], lambda: root["unknown"], lambda: root["a.b.c"]):  # C12 C13 C14
        with pytest.raises(ValueError):
            bad()


def test_lists_of_a_node(root):
    hand = root.arm.hand
    objects = hand.objects
    assert len(objects) == 3 and [o.name.value for o in objects] == ["dofs", "spring", "shared"]  # C15
    assert objects[1] is objects["spring"] is hand.spring and "dofs" in objects and "x" not in objects
    assert root.children.at(0) is root.arm
    for bad, error in ((3, IndexError), ("x", IndexError), (-1, TypeError)):  # C16 C17 C18
        with pytest.raises(error):
            objects[bad]
    hand.addObject("ConstantForceField", name="extra", indices=[0], forces=[[0, 0, 0]])
    assert len(list(objects)) == len(list(objects)) == 4  # C19
    objects.remove_at(3)
    assert "extra" not in objects  # C20


def test_data_of_an_object(root):
    dofs, spring, hand = root.arm.hand.dofs, root.arm.hand.spring, root.arm.hand
    assert dofs.getData("position").getName() == "position" and dofs.getData("x") is None is dofs.findData("x")  # C21
    names = [d.getName() for d in dofs.getDataFields()]
    assert set(dir(dofs)) == set(names)  # C22
    table = dofs.__data__
    assert len(table) == len(names) and list(table.keys()) == names and "position" in table and "x" not in table  # C23
    assert dict(table.items())["name"].value == table["name"].value == "dofs" and table[0].getName() == "name"
    with pytest.raises(ValueError):
        table["unknown"]  # C24
    for base in (dofs, root):
        assert [d.getName() for d in base.getDataFields()][:5] == ["name", "printLog", "tags", "bbox",
                                                                   "componentState"]  # C25
    assert "mstate" in [link.getName() for link in spring.getLinks()]  # C26
    assert spring.findLink("mstate").getLinkedBase() is dofs and spring.findLink("x") is None
    assert len(spring.mstate.position) == 2 and spring.mstate.getName() == "mstate"  # C27
    assert hand.mechanicalState.getLinkedBase() is dofs and hand.forceField.getLinkedBase(0) is spring  # C28
    assert hand.odeSolver.getLinkedBase() is None
    with pytest.raises(RuntimeError):
        hand.odeSolver.whatever  # C29


class Keeper(Sofa.Core.Controller):
    def __init__(self, *args, **kwargs):
        Sofa.Core.Controller.__init__(self, *args, **kwargs)
        self.kept = kwargs.get("kept")


def test_free_attributes(root):
    hand, dofs = root.arm.hand, root.arm.hand.dofs
    dofs.note, root.helper, dofs.table = [1, 2], lambda: "called", np.arange(4)
    assert root.arm.hand.dofs.note == [1, 2]  # C30
    assert root.helper() == "called" and dofs.table.tolist() == [0, 1, 2, 3]  # C31 C32
    root.addChild("passing").remark = 5
    made = Sofa.Core.Node("made")
    made.remark = 6
    root.addChild(made)
    del made
    root.addObject(Keeper(name="keeper", kept=42))
    gc.collect()
    assert root.passing.remark == 5 and root.made.remark == 6  # C33 C34
    assert root.keeper.kept == 42 and type(root.keeper) is Keeper and root.keeper.getClassName() == "Keeper"  # C35 C36
    root.keeper.points = dofs.position
    assert isinstance(root.keeper.points, np.ndarray) and np.shares_memory(root.keeper.points, dofs.position.value)  # C37
    root.keeper.pace = root.dt
    assert isinstance(root.keeper.pace, Sofa.Core.Data)  # C38
    hand.topology = 3
    assert isinstance(hand.topology, Sofa.Core.Link)  # C39
    arm = root.arm
    root.arm = 5
    assert root.arm == 5 and root.getChild("arm") is arm  # C40


def test_protected_names(root):
    for name in ("children", "objects", "parents", "data", "links", "linkpath"):
        with pytest.raises(ValueError):
            root.addChild(name)  # C41
        with pytest.raises(ValueError):
            root.addObject("MechanicalObject", name=name)  # C42
        with pytest.raises(ValueError):
            root.addData(name=name, type="int", value=1)  # C43


# ---- D ------------------------------------------------------------------------------------------------------


def state(**values):
    return Sofa.Core.Node("root").addObject("MechanicalObject", **values)


def solver(**values):
    return Sofa.Core.Node("root").addObject("CGLinearSolver", **values)


NUMBERS = [0.1, 1 / 3, 1e-300]


@pytest.mark.parametrize("given", [[[0, 1, 2], [3, 4, 5]], [0, 1, 2, 3, 4, 5], ((0, 1, 2), (3, 4, 5)), "0 1 2 3 4 5",
                                   " 0 1 2  3 4 5 ", np.arange(6).reshape(2, 3), range(6)])
def test_forms_of_a_vector(given):
    assert state(position=given).position.value.tolist() == [[0, 1, 2], [3, 4, 5]]  # D1


def test_numbers_arrive_exactly():
    assert state(position=[NUMBERS]).position.value[0].tolist() == NUMBERS  # D2
    assert state(position=np.array([NUMBERS])).position.value[0].tolist() == NUMBERS  # D3
    narrow = np.array([[0.1, 0.2, 0.3]], np.float32)
    assert state(position=narrow).position.value[0, 0] == float(np.float32(0.1))
    assert state(position=[np.float64(0.25), np.float32(0.5), np.int64(3)]).position.value.tolist() == [[0.25, 0.5, 3]]  # D4
    assert state(position=[0, 1, 2, 3]).position.shape == (1, 3)  # D9


def test_scalars():
    for given, value in ((25, 25), ("25", 25), (12.7, 12)):  # D5 D6
        assert solver(iterations=given).iterations.value == value
    assert solver(tolerance=1e-12).tolerance.value == solver(tolerance="1e-12").tolerance.value == 1e-12
    for given, value in ((True, 1), (False, 0), (1, 1), (0, 0), ("true", 1), ("false", 0), ("0", 0), ("1", 1)):  # D7
        assert state(showObject=given).showObject.value == value
    plugins = ["Sofa.Component.Mass", "Sofa.Component.StateContainer"]
    assert Sofa.Core.Node("r").addObject("RequiredPlugin", name="p", pluginName=plugins).pluginName.value == plugins  # D8
    assert solver(tolerance="abc").tolerance.value == 0  # D30


@pytest.mark.parametrize("kind", ["linkpath", "getLinkPath", "text"])
def test_links_as_arguments(kind):
    def path(of, text):
        return {"linkpath": of.linkpath, "getLinkPath": of.getLinkPath(), "text": text}[kind]

    root = Sofa.Core.Node("root")
    source = root.addObject("MechanicalObject", name="source", position=[[1 / 3, 0.25, 2.0]])
    child = root.addChild("child")
    dofs = child.addObject("MechanicalObject", name="dofs", position=path(source.position, "@/source.position"))
    assert dofs.position.getParent() == source.position and dofs.position.value[0, 0] == 1 / 3  # D13
    spring = child.addObject("RestShapeSpringsForceField", stiffness=[1.0], points=[0], mstate=path(dofs, "@dofs"),
                             external_rest_shape=path(source, "@../source"))
    assert spring.mstate.getLinkedBase() is dofs and spring.external_rest_shape.getLinkedBase() is source  # D14 D15
    surface = child.addObject("MeshTopology", name="surface", position=np.eye(3), triangles=[[0, 1, 2]])
    taken = child.addChild("by").addObject("TriangleSetTopologyContainer", src=path(surface, "@../surface"))
    assert taken.triangles.value.tolist() == [[0, 1, 2]] and taken.triangles.hasParent() and taken.position.hasParent()  # D16


def test_data_as_arguments():
    source = state(position=[[1 / 3, 1, 1]])
    copy = state(position=source.position)
    assert copy.position.value[0, 0] == 0.333333 and not copy.position.hasParent()  # D10 D11
    assert state(position=source.position.value).position.value[0, 0] == 1 / 3  # D12


@pytest.mark.parametrize("form", [lambda o: o.getLinkPath(), lambda o: o.linkpath])
def test_links_with_several_targets(form):
    root = Sofa.Core.Node("root")
    one, two = (root.addChild(n).addObject("MechanicalObject", name="d", position=[[0, 0, 0]]) for n in ("one", "two"))
    both = root.addChild("both")
    both.addObject("MechanicalObject", name="d", position=[[0, 0, 0], [1, 0, 0]])
    mapping = both.addObject("SubsetMultiMapping", template="Vec3d,Vec3d", input=[form(one), form(two)], output="@d",
                             indexPairs=[0, 0, 1, 0])
    assert mapping.input.getSize() == 2 and mapping.input.getLinkedBase(1) is two  # D17


def test_arguments_come_in_order_of_names():
    root = state(position=[[0, 0, 0]]).getContext()
    springs = root.addObject("MeshSpringForceField", stiffness=5.0, linesStiffness=7.0)
    assert springs.linesStiffness.value == 5.0  # D18


def test_what_is_refused():
    root = Sofa.Core.Node("root")
    for bad, error in ((lambda: root.addObject("NoSuchComponent"), ValueError),  # D19
                       (lambda: root.addObject("MechanicalObject", positions=[[0, 0, 0]]), TypeError),  # D20
                       (lambda: root.addChild("odd", nonsense=3), TypeError),  # D22
                       (lambda: Sofa.Core.Node("empty").addObject("UniformMass", totalMass=1.0), ValueError),  # D24
                       (lambda: root.addObject("GenericConstraintSolver"), ValueError),  # D25
                       (lambda: root.addObject("Mesh"), ValueError),  # D26
                       (lambda: root.addObject([1.0]), TypeError), (lambda: root.addObject(), TypeError),  # D27 D28
                       (lambda: root.addChild(3), TypeError)):  # D29
        with pytest.raises(error):
            bad()
    assert len(root.objects) == 1 and root.getChild("odd") is not None  # D21 D23
    with pytest.raises(TypeError, match="position"):
        root.addObject("MechanicalObject", positon=[[0, 0, 0]])
