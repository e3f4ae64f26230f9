"""Sofa: the modules around it. Types, files, the factory, GUIs, exporters, springs, contacts, cameras.

SPDX-License-Identifier: Apache-2.0
"""

import json
import math
import os

import numpy as np
import pytest

import settee
import Sofa
import Sofa.Gui
import SofaExporter
import SofaRuntime
import SofaTypes
from conftest import EXAMPLES
from SofaTypes import Mat2x2, Mat3x3, Mat3x4, Quat, Vec2d, Vec3d, Vec3f, Vec4i
from sofa_support import heard


def test_vectors():
    v = Vec3d(1, 2, 3)
    assert list(v + v) == [2, 4, 6] and list(v - v) == [0, 0, 0] and list(v * 2) == [2, 4, 6] and list(v / 2) == [0.5, 1, 1.5]
    assert v * v == v.dot(v) == v.norm2() == 14 and v.norm() == math.sqrt(14) and v.sum() == 6
    assert (v.x, v.y, v.z, v[2]) == (1, 2, 3, 3) and v.xy == Vec2d(1, 2) and v.xyz == v and not hasattr(Vec2d(), "z")
    assert list(Vec3d(1, 0, 0).cross(Vec3d(0, 1, 0))) == [0, 0, 1] and Vec3d(0, 3, 4).normalized() == Vec3d(0, 0.6, 0.8)
    v.xy = [8, 9]
    v.z = 7
    assert v == Vec3d([8, 9, 7]) == Vec3d(v) and list(Vec3d()) == [0, 0, 0] and list(-v) == [-8, -9, -7]
    v.fill(2)
    v.set(1, 1, 1)
    v.normalize()
    assert v.norm() == pytest.approx(1)
    assert Vec3f(0.1, 0, 0)[0] == float(np.float32(0.1)) and list(Vec4i(1, 2, 3, 4)) == [1, 2, 3, 4]
    assert SofaTypes.Vec12d().sum() == 0 and np.asarray(Vec3d(1, 2, 3)).tolist() == [1, 2, 3]
    for bad in (lambda: Vec3d(1, 2), lambda: Vec2d().cross(Vec2d()), lambda: Vec3d([1, 2, 3, 4])):
        with pytest.raises(TypeError):
            bad()


def test_matrices():
    m = Mat2x2([[1, 2], [3, 4]])
    assert m == Mat2x2([1, 2, 3, 4]) == Mat2x2([1, 2], [3, 4]) and m[1] == Vec2d(3, 4) and m.col(0) == Vec2d(1, 3)
    assert m * Mat2x2.Identity() == m and m * Vec2d(1, 1) == Vec2d(3, 7) and (m * 2)[0, 1] == 4 and m.trace() == 5
    assert m.transposed() == Mat2x2([1, 3, 2, 4]) and np.allclose(m * m.inverted(), np.eye(2))
    assert (m + m - m) == m == -(-m) and Mat3x4().row(2) == SofaTypes.Vec4d() and len(Mat3x4()) == 3
    with pytest.raises(ValueError):
        Mat2x2().inverted()
    with pytest.raises(TypeError):
        Mat3x3([1, 2])


def test_quaternions():
    quarter = Quat.createFromAxisAngle([0, 0, 1], math.pi / 2)
    assert list(Quat()) == [0, 0, 0, 1] and np.allclose(quarter.rotate([1, 0, 0]), [0, 1, 0])
    assert np.allclose(quarter.inverseRotate([0, 1, 0]), [1, 0, 0]) and np.allclose(quarter * quarter.inverse(), Quat())
    assert np.allclose(quarter.toMatrix() * Vec3d(1, 0, 0), [0, 1, 0])
    assert quarter.getAngle() == pytest.approx(math.pi / 2) and np.allclose(quarter.getAxis(), [0, 0, 1])
    rng = np.random.default_rng(1)
    for angles in rng.uniform(-1.4, 1.4, (50, 3)):
        q = Quat.createFromEuler(angles)
        assert np.allclose(q.toEulerVector(), angles)
        again = Quat.fromMatrix(np.asarray(q.toMatrix()))
        assert np.allclose(again, q) or np.allclose(again, [-v for v in q])
    assert np.allclose(Quat.createFromRotationVector([0, 0, math.pi / 2]), quarter)
    assert list(Quat.createFromRotationVector([0, 0, 0])) == [0, 0, 0, 1]


def test_colors_and_boxes():
    color = Sofa.Types.RGBAColor
    assert color("red") == color(1, 0, 0, 1) == color([1, 0, 0, 1]) and repr(color("red")) == "RGBAColor(1,0,0,1)"
    assert (color("blue").b(), color("blue").a()) == (1, 1) and color(0, 0, 0, 1).lighten(0.5).g() == 0.5
    for bad, error in (("crimson-ish", ValueError), ((1, 2), TypeError)):
        with pytest.raises(error):
            color(bad)
    dofs = Sofa.Core.Node("root").addObject("MechanicalObject", position=[[0, 0, 0], [2, 4, 6]])
    box = dofs.bbox
    assert isinstance(box, Sofa.Types.BoundingBox) and box.getMin() == [0, 0, 0] and box.getMax() == [2, 4, 6]
    assert box.getCenter() == [1, 2, 3]
    with pytest.raises(RuntimeError):
        box.setMin([0, 0, 0])
    from Sofa.PyTypes import Vec3
    with dofs.position.writeableArray(Vec3) as x:
        x.y = 5
    assert dofs.position.value[:, 1].tolist() == [5, 5]


def test_file_repositories(tmp_path):
    files = SofaRuntime.DataRepository
    before = files.getPaths()
    (tmp_path / "mesh.obj").write_text("v 0 0 0")
    files.addFirstPath(str(tmp_path))
    assert files.getFirstPath() == str(tmp_path) and files.findFile("mesh.obj") and str(tmp_path) in files.getPathsJoined()
    assert files.getFile("mesh.obj") == str(tmp_path / "mesh.obj") and files.getFile("no.obj") == "no.obj"
    assert files.findFileFromFile("mesh.obj", str(tmp_path / "other.scn")) and not files.findFile("no.obj")
    assert files.relativeToPath(str(tmp_path / "a/b"), str(tmp_path)) == "a/b"

    # scenes find what is there
    root = Sofa.Core.Node("root")
    loader = root.addObject("MeshOBJLoader", filename="mesh.obj")
    Sofa.Simulation.initRoot(root)
    assert loader.position.value.tolist() == [[0, 0, 0]]
    exporter = root.addObject("STLExporter", filename="mesh.obj")  # writes: not over what is read
    assert exporter.filename.value == "mesh.obj"
    files.removePath(str(tmp_path))
    files.addLastPath("/nowhere")
    files.removePath("/nowhere")
    assert files.getPaths() == before and isinstance(files, Sofa.Helper.System.FileRepository)
    assert os.path.isabs(Sofa.Helper.Utils.GetSofaUserLocalDirectory())


def test_the_factory():
    factory = Sofa.Core.ObjectFactory
    entry = factory.getComponent("UniformMass")
    assert entry.className == "UniformMass" and "Vec3d" in entry.templates and entry.description
    assert len(factory.components) == len(settee._settee.class_names()) and "settee" in factory.targets
    assert len(json.loads(factory.dump_json())) == len(factory.components)
    assert len(factory.getComponentsFromTarget("settee")) > 100 and factory.getComponentsFromTarget("other") == []
    with pytest.raises(ValueError):
        factory.getComponent("Nonsense")
    assert SofaRuntime.getCategories("MechanicalObject") == ["MechanicalState"] and SofaRuntime.getCategories("Nonsense") == []
    assert Sofa.Core.TaskScheduler.GetHardwareThreadsCount() >= 1


def test_messages_that_objects_keep(monkeypatch):
    monkeypatch.setattr(Sofa._messages, "keeping", False)
    root = Sofa.Core.Node("root")
    with heard():
        Sofa.msg_error(root, "lost")
    assert root.countLoggedMessages() == 0
    SofaRuntime.init()
    with heard():
        Sofa.msg_error(root, "kept")
    assert root.countLoggedMessages() == 1 and "kept" in root.getLoggedMessagesAsString()
    root.clearLoggedMessages()
    assert root.getLoggedMessagesAsString() == ""


def falling():
    root = Sofa.Core.Node("root")
    root.addObject("DefaultAnimationLoop")
    Sofa.Simulation.initRoot(root)
    return root


def test_a_script_that_opens_a_window(monkeypatch, tmp_path):
    monkeypatch.delattr(settee, "view", raising=False)
    gui, root = Sofa.Gui.GUIManager, falling()
    with heard() as messages:
        assert gui.Init("script", "qglviewer") == 1 and messages[0]["type"] == "Error"
        assert gui.ListSupportedGUI() == ["batch"] and gui.createGUI(root, __file__) == 0
        gui.SetDimension(1080, 1080)
        assert gui.MainLoop(root) == 0
    assert root.time.value == pytest.approx(10) and "without a picture" in messages[1]["message"]
    gui.SetScene(root)
    gui.SaveScreenshot(str(tmp_path / "shot.png"))
    assert (tmp_path / "shot.png").stat().st_size > 100
    gui.closeGUI()
    with heard() as messages:
        gui.SaveScreenshot("never.png")
    assert messages and not os.path.exists("never.png")


def test_the_viewer_is_the_window_where_it_exists(monkeypatch):
    shown = []
    monkeypatch.setattr(settee, "view", shown.append, raising=False)
    root = falling()
    assert Sofa.Gui.GUIManager.Init("script", "imgui") == 0
    assert Sofa.Gui.GUIManager.MainLoop(root) == 0 and shown == [root._s.scene] and root.time.value == 0
    assert Sofa.Gui.GUIManager.ListSupportedGUI(",") == "batch,browser"
    assert Sofa.Gui.GUIManager.Init("script", "batch") == 0
    Sofa.Gui.GUIManager.MainLoop(root)
    assert root.time.value > 0 and len(shown) == 1


def test_exporters_write_on_request(tmp_path):
    root = Sofa.Core.Node("root")
    root.addObject("MeshTopology", position=np.eye(3), triangles=[[0, 1, 2]])
    stl = root.addObject("STLExporter", name="e", filename=str(tmp_path / "one"), position=np.eye(3), triangle=[[0, 1, 2]])
    assert isinstance(stl, SofaExporter.STLExporter)
    with heard() as messages:
        assert stl.write() is False and messages[0]["type"] == "Error"
        Sofa.Simulation.initRoot(root)
    assert stl.write() is True and (tmp_path / "one.stl").stat().st_size == 80 + 4 + 50


def test_splib_says_where_it_is():
    with pytest.raises(ImportError, match="STLIB"):
        import splib  # noqa: F401


def test_springs_one_by_one():
    from Sofa.SofaDeformable import LinearSpring

    root = Sofa.Core.Node("root")
    root.addObject("MechanicalObject", position=np.eye(3))
    force = root.addObject("SpringForceField", spring="0 1 10 1 1")
    force.addSpring(1, 2, 20, 2, 3)
    force.addSprings([LinearSpring(0, 2, elongationOnly=True)])
    assert [(s.index1, s.index2, s.springStiffness) for s in force.getSprings()] == [(0, 1, 10), (1, 2, 20), (0, 2, 100)]
    assert [s.elongationOnly for s in force.getSprings()] == [False, False, True]
    force.removeSpring(0)
    assert len(force.getSprings()) == 2
    with pytest.raises(IndexError):
        force.removeSprings([2])
    force.clear()
    assert force.getSprings() == []


def test_cameras():
    camera = Sofa.Core.Node("root").addObject("InteractiveCamera", position=[0, 0, 10])
    assert isinstance(camera, Sofa.Core.Camera)
    for position in ([0, 0, 10], [3, 4, 5], [-2, 8, 1], [0, 7, 0]):
        q = camera.getOrientationFromLookAt(position, [0, 0, 0])
        distance = float(np.linalg.norm(position))
        assert np.allclose(camera.getLookAtFromOrientation(position, distance, q), 0)
        assert np.allclose(camera.getPositionFromOrientation([0, 0, 0], distance, q), position)
    assert camera.getOrientationFromLookAt([0, 0, 10], [0, 0, 0]) == [0, 0, 0, 1]
    with pytest.raises(ValueError):
        camera.getOrientationFromLookAt([1, 1, 1], [1, 1, 1])


def test_contacts():
    root = Sofa.Core.Node("root", gravity=[0, 0, 0])
    root.addObject("DefaultAnimationLoop")
    root.addObject("CollisionPipeline")
    root.addObject("BruteForceBroadPhase")
    root.addObject("BVHNarrowPhase")
    root.addObject("MinProximityIntersection", alarmDistance=1.0, contactDistance=0.1)
    root.addObject("CollisionResponse", response="PenalityContactForceField")
    for name, x in (("one", 0.0), ("two", 0.5)):
        node = root.addChild(name)
        node.addObject("MechanicalObject", position=[[x, 0, 0]])
        node.addObject("SphereCollisionModel", name="model", radius=0.1)
    listener = root.addObject("ContactListener", collisionModel1="@one/model", collisionModel2="@two/model")
    Sofa.Simulation.initRoot(root)
    Sofa.Simulation.animate(root, 0.01)
    assert listener.getNumberOfContacts() == len(listener.getDistances()) == 1
    assert listener.getContactElements() == [(0, 0, 1, 0)]
    (_, a, _, b), = listener.getContactPoints()
    assert abs(b[0] - a[0]) == pytest.approx(0.5, abs=0.21) and listener.getContactData()["numberOfContacts"] == 1


def test_small_methods():
    root = Sofa.Core.Node("root")
    root.setGravity([0, 0, -5])
    root.setDt(0.5)
    assert list(root.getGravity()) == [0, 0, -5] and root.getDt() == 0.5 and root.isActive()
    assert Sofa.pyType2sofaType([1, 2, 3]) == "Vec3d" and Sofa.pyType2sofaType(True) == "bool"
    assert Sofa.pyType2sofaType({}) is None
    loader = root.addObject("MeshOBJLoader", name="l", filename=os.path.join(EXAMPLES, "../share/settee/mesh/none.obj"))
    mesh = root.addObject("MeshTopology", name="m")
    mesh.setSrc("@l", loader)
    assert mesh.position.getParent() == loader.position and mesh.getAsACreateObjectParameter() == "@/m"
    entered = []
    root.onCtxEnter = entered.append
    with root:
        pass
    assert entered == [root]
