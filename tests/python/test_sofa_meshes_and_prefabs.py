"""Sofa: topology (group L) and prefabs (M). A number names the statement that a line shows.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest

import Sofa
from sofa_support import heard

CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)


# ---- L ------------------------------------------------------------------------------------------------------


@pytest.fixture
def root():
    root = Sofa.Core.Node("root")
    mesh = root.addChild("mesh")
    mesh.addObject("TetrahedronSetTopologyContainer", name="container", position=CUBE,
                   tetrahedra=[[0, 1, 2, 5], [0, 2, 3, 7], [0, 5, 7, 4], [2, 5, 6, 7], [0, 2, 5, 7]])
    mesh.addObject("MechanicalObject", name="dofs")
    Sofa.Simulation.initRoot(root)
    return root


def test_elements(root):
    t = root.mesh.getMeshTopology()
    assert (t.getNbPoints(), t.getNbTetrahedra(), t.getNbTetras()) == (8, 5, 5)  # L1
    assert (t.getNbEdges(), t.getNbLines(), t.getNbTriangles()) == (18, 18, 16)  # L2
    assert t.edges.value.shape == (18, 2) and t.triangles.value.shape == (16, 3)  # L3
    assert t.tetrahedra.value.dtype == t.edges.value.dtype == np.int32
    assert t.getTetrahedron(4) == [0, 2, 5, 7] and t.getEdge(0) == t.edges.value[0].tolist()  # L4
    assert t.getTriangle(3) == t.triangles.value[3].tolist()
    assert root.mesh.dofs.position.value.tolist() == CUBE.tolist()  # L9
    assert root.mesh.container.tetrahedra.value.tolist() == t.tetrahedra.value.tolist()  # L10


def test_neighbors(root):
    t = root.mesh.getMeshTopology()
    assert len(t.getEdgesAroundVertex(0)) == 6  # L5
    assert all(0 in t.edges.value[e] for e in t.getEdgesAroundVertex(0))
    for edge in range(18):  # L6
        assert all(set(t.edges.value[edge]) <= set(t.triangles.value[i]) for i in t.getTrianglesAroundEdge(edge))
    assert len(t.getEdgesInTetrahedron(0)) == 6 and len(t.getTrianglesInTetrahedron(0)) == 4  # L7
    assert all(set(t.triangles.value[i]) <= {0, 1, 2, 5} for i in t.getTrianglesInTetrahedron(0))
    edges = t.edges.value.tolist()
    assert set(t.getVerticesAroundVertex(1)) == {v for e in edges if 1 in e for v in e} - {1}  # L8
    assert sorted(t.getTetrahedraAroundVertex(1)) == [0] and len(t.getTetrahedraAroundTriangle(0)) in (1, 2)


def test_mistakes_with_numbers(root):
    t = root.mesh.getMeshTopology()
    for bad, error in ((99, IndexError), (-1, IndexError), (True, TypeError), ("1", TypeError), (1.5, TypeError)):
        for method in (t.getTetrahedron, t.getEdge, t.getEdgesAroundVertex, t.getTrianglesInTetrahedron):
            with pytest.raises(error):
                method(bad)


def test_a_grid():
    root = Sofa.Core.Node("root")
    grid = root.addObject("RegularGridTopology", n=[3, 2, 2], min=[0, 0, 0], max=[2, 1, 1])
    root.addObject("MechanicalObject", name="state")
    Sofa.Simulation.initRoot(root)
    assert grid.getNbPoints() == 12 and grid.getNbHexahedra() == 2  # L11
    assert root.state.position.value[:4].tolist() == [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]
    assert sorted(grid.getHexahedron(0)) == [0, 1, 3, 4, 6, 7, 9, 10]  # L12
    assert grid.getPoint(1) == [1, 0, 0]
    with pytest.raises(IndexError):
        grid.getPoint(12)


def test_points_come_and_go():
    root = Sofa.Core.Node("cloud")
    root.addObject("PointSetTopologyContainer", position=[[0, 0, 0], [1, 0, 0]])
    modifier = root.addObject("PointSetTopologyModifier")
    particles = root.addObject("MechanicalObject")
    Sofa.Simulation.initRoot(root)
    modifier.addPoints(3, True)
    assert len(particles.position) == 5 and not particles.position.value[2:].any()  # L13
    with particles.position.writeable() as x:
        x[:, 0] = np.arange(5.0)
    modifier.addPoints(2, True)
    assert len(particles.position) == 7 and particles.position.value[:5, 0].tolist() == [0, 1, 2, 3, 4]  # L14
    modifier.removePoints([1], True)
    assert particles.position.value[:, 0].tolist() == [0, 0, 2, 3, 4, 0]  # L15
    for bad, error in ((lambda: modifier.addPoints(-1, True), ValueError), (lambda: modifier.addPoints(1, False), ValueError),
                       (lambda: modifier.removePoints([-1], True), IndexError)):
        with pytest.raises(error):
            bad()


def test_regions_and_mapped_states(root):
    mesh = root.mesh
    box = mesh.addObject("BoxROI", box=[-0.1, -0.1, -0.1, 0.1, 1.1, 1.1], position="@dofs.position",
                         tetrahedra="@container.tetrahedra")
    box.init()
    assert box.indices.value.tolist() == [0, 3, 4, 7] and box.indices.value.dtype == np.int32  # L16
    assert box.pointsInROI.value.tolist() == CUBE[[0, 3, 4, 7]].tolist()  # L17
    surface = mesh.addChild("surface")
    surface.addObject("MeshTopology", name="mesh", position=CUBE[:4], triangles=[[0, 2, 1], [0, 3, 2]])
    surface.addObject("MechanicalObject", name="dofs")
    surface.addObject("BarycentricMapping")
    mesh.init()
    assert surface.mesh.triangles.value.tolist() == [[0, 2, 1], [0, 3, 2]] and surface.mesh.getNbTriangles() == 2  # L18
    with mesh.dofs.position.writeable() as x:
        x += [0, 0, 5.0]
    assert surface.dofs.position.value[0, 2] == 0  # L19
    Sofa.Simulation.animate(root, 0.01)
    assert np.allclose(surface.dofs.position.value, CUBE[:4] + [0, 0, 5.0])  # L20


# ---- M ------------------------------------------------------------------------------------------------------


class Row(Sofa.Prefab):
    """A row of nodes"""

    prefabParameters = [{"name": "count", "type": "int", "help": "how many", "default": 2},
                        {"name": "label", "type": "string", "help": "prefix", "default": "k"}]
    prefabData = [{"name": "weight", "type": "double", "help": "not rebuilt", "default": 1.5}]

    def init(self):
        for i in range(self.count.value):
            self.addChild(f"{self.label.value}{i}")


class Stack(Sofa.Prefab):
    prefabParameters = [{"name": "count", "type": "int", "help": "how many", "default": 1}]

    def doReInit(self):
        for i in range(self.count.value):
            self.addChild(f"s{i}")


def test_a_prefab():
    root, row = Sofa.Core.Node("root"), Row(name="row", count=3)
    assert isinstance(row, Sofa.Core.Node) and [c.name.value for c in row.children] == ["k0", "k1", "k2"]  # M1
    assert row.count.value == 3 and row.label.value == "k" and row.count.getHelp() == "how many"  # M2
    assert row.weight.value == 1.5 and row.prefabname.value == "Row"  # M3 M4
    assert row.docstring.value.startswith("A row of nodes") and "how many" in row.docstring.value
    assert Row().name.value == "Row"  # M5
    assert root.addChild(row) is row is root.row and row.getPathName() == "/row" and row.getClassName() == "Prefab"  # M6
    assert Row(name="inside", parent=root).getPathName() == "/inside"  # M7
    root.addData(name="wanted", type="int", value=4)
    follower = Row(name="follower", count=root.wanted)
    assert len(follower.children) == 4 and follower.count.hasParent()  # M8
    root.wanted = 1
    assert len(follower.children) == 1


def test_a_prefab_is_built_again():
    stack = Stack(name="stack", count=2)
    assert len(stack.children) == 2  # M9
    stack.count = 5
    assert len(stack.children) == 5  # M10
    stack.reinit()
    assert len(stack.children) == 5  # M11
    row = Row(name="row", count=1)
    row.count = 3
    row.weight = 7
    assert [c.name.value for c in row.children] == ["k0", "k1", "k2"]  # SOFA empties it


def test_a_prefab_of_a_function():
    @Sofa.PrefabBuilder
    def Fence(self, posts=2, names=True, at=[0.0, 1.0, 2.0]):
        if posts < 0:
            raise ValueError("deliberate")
        for i in range(posts):
            self.addChild(f"post{i}" if names else "post").addObject("MechanicalObject", position=[at])

    fence = Fence(posts=3)
    assert fence.getName() == "Fence" and [c.getName() for c in fence.children] == ["post0", "post1", "post2"]
    assert fence.post0.MechanicalObject.position.value.tolist() == [[0, 1, 2]]
    fence.posts = 1
    assert len(fence.children) == 1 and Fence(name="other").getName() == "other"
    with pytest.raises(TypeError):
        Fence(boards=3)
    with heard() as messages:
        Fence(posts=-1)
    assert messages[0]["type"] == "Error" and "deliberate" in messages[0]["message"]


def test_prefabs_in_a_running_scene():
    root = Sofa.Core.Node("root")
    Sofa.Simulation.initRoot(root)

    class Body(Sofa.Prefab):
        prefabParameters = [{"name": "points", "type": "vector<Vec3d>", "help": "where", "default": [[0, 0, 0]]}]

        def init(self):
            self.addObject("MechanicalObject", name="dofs", position=self.points.linkpath)

    body = root.addChild(Body(name="body"))
    Sofa.Simulation.animate(root, 0.1)
    body.points = [[1, 1, 1], [2, 2, 2]]
    Sofa.Simulation.animate(root, 0.1)
    assert body.dofs.position.value.tolist() == [[1, 1, 1], [2, 2, 2]]
