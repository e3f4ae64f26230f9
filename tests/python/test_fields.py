"""Fields and arrays.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest

import settee


def test_values_of_every_kind(points):
    root = points.root
    assert root.dt == 0.01 and isinstance(root.dt, float)
    assert root.activated is True
    assert root.get("EulerImplicitSolver1").rayleighMass == 0.0
    assert np.array_equal(root.gravity, [0, -10, 0])
    assert root.dofs.name == "dofs"
    root.dofs.tags = ["a", "b"]
    assert root.dofs.tags == ["a", "b"]
    points.init()
    assert root.mass.mstate is root.dofs


def test_an_array_is_a_view(points):
    dofs = points.root.dofs
    points.init()
    x = dofs.position
    assert x.shape == (2, 3) and x.dtype == np.float64 and x.flags.writeable
    assert dofs.position is x
    x[0] = [5, 6, 7]
    assert dofs.text("position").startswith("5 6 7")
    points.step()
    assert x[0, 1] < 6 and x[0, 0] == 5
    assert dofs.position is x


def test_fixed_vectors_are_copies(points):
    with pytest.raises(ValueError):
        points.root.gravity[0] = 1


def test_what_follows_a_field_sees_what_was_written_in_place(scene):
    root = scene.root
    first = root.add("MechanicalObject", name="first", position=[[0, 0, 0]])
    second = root.add_child("below").add("MechanicalObject", name="second", position=first.field("position"))
    scene.init()
    assert second.field("position").source == first.field("position")
    first.position[0, 0] = 3
    scene.step()
    assert second.position[0, 0] == 3
    second.field("position").unlink()
    assert second.field("position").source is None
    assert second.position[0, 0] == 3


def test_a_resized_list_detaches_its_views(scene):
    dofs = scene.root.add("MechanicalObject", position=[[0, 0, 0], [1, 1, 1]])
    x = dofs.position
    dofs.position = np.arange(30.0).reshape(10, 3)
    assert x.shape == (2, 3) and np.array_equal(x[1], [1, 1, 1])
    assert dofs.position.shape == (10, 3)
    x[:] = 7
    assert dofs.position[0, 0] == 0


def test_a_detached_array_says_so(scene):
    dofs = scene.root.add("MechanicalObject", position=[[0, 0, 0], [1, 1, 1]])
    x = dofs.position
    part = x[1:, 0]
    assert settee.is_current(x) and settee.is_current(part)
    x[0, 0] = 5  # counts
    dofs.position = np.zeros((10, 3))
    assert not settee.is_current(x) and not settee.is_current(part) and settee.is_current(dofs.position)
    scene.step()

    # written to no effect
    part[0] = 3
    with pytest.warns(RuntimeWarning, match="MechanicalObject.position"):
        scene.step()
    scene.step()
    dofs.position[3] = 4
    scene.step()
    for other in (3, np.zeros(3), None, [1]):
        with pytest.raises(TypeError):
            settee.is_current(other)


def test_a_view_outlives_its_scene():
    scene = settee.Scene()
    x = scene.root.add("MechanicalObject", position=[[1, 2, 3]]).position
    buffer = scene.root.get("MechanicalObject1")._buffer("position")
    assert buffer.is_current
    scene.close()
    assert not buffer.is_current and not settee.is_current(x)
    assert np.array_equal(x, [[1, 2, 3]])
    x[0, 0] = 4


def test_assignment_converts(points):
    dofs = points.root.dofs
    for value in ([[1, 2, 3], [4, 5, 6]], np.array([[1, 2, 3], [4, 5, 6]]), np.array([[1, 2, 3], [4, 5, 6]], np.float32),
                  ((1, 2, 3), (4, 5, 6)), "1 2 3 4 5 6", np.array([[1.0, 0, 2, 0, 3, 0], [4, 0, 5, 0, 6, 0]])[:, ::2],
                  np.asfortranarray([[1.0, 2, 3], [4, 5, 6]])):
        dofs.position = [[0, 0, 0], [0, 0, 0]]
        dofs.position = value
        assert np.array_equal(dofs.position, [[1, 2, 3], [4, 5, 6]])
    points.root.dt = 1
    assert points.root.dt == 1.0


@pytest.mark.parametrize("type", [">f8", ">f4", "<f4", np.float16, np.longdouble, ">i4", "<i8", "u1", ">u8", bool, object])
def test_arrays_of_every_type_are_numbers(points, type):
    points.root.dofs.position = np.array([[1, 0, 1], [0, 1, 1]], type)
    assert np.array_equal(points.root.dofs.position, [[1, 0, 1], [0, 1, 1]])


@pytest.mark.parametrize("value", [b"abcdef", bytearray(6), [b"abc", b"def"], np.ones((2, 3), complex) * 1j,
                                   np.zeros((2, 3), "M8[s]"), np.zeros(2, [("a", "f8", 3)]), [[1, 2, 3], [1, 2, 1j]]])
def test_what_is_no_number_is_refused(points, value):
    with pytest.raises((TypeError, ValueError)):
        points.root.dofs.position = value


@pytest.mark.parametrize("value", [[[1, 2]], [[1, 2], [1, 2, 3]], 3.0, [1, 2, 3, 4], [["a", "b", "c"]], {"a": 1}, None,
                                   [[1, 2, float("nan")]], np.zeros((2, 3, 1)), np.zeros((2, 3), complex), object(),
                                   np.array([["a", "b", "c"]])])
def test_values_that_do_not_fit(points, value):
    dofs = points.root.dofs
    before = dofs.position.copy()
    with pytest.raises((ValueError, TypeError)):
        dofs.position = value
    assert np.array_equal(dofs.position, before)


def test_sizes_of_states_are_fixed_after_init(points):
    points.init()
    with pytest.raises(settee.InvalidError) as caught:
        points.root.dofs.position = [[1, 2, 3]]
    assert caught.value.value == [[1, 2, 3]]
    assert caught.value.path == "/dofs"


def test_indices(scene):
    root = scene.root
    root.add("MechanicalObject", position=np.zeros((4, 3)))
    fixed = root.add("FixedProjectiveConstraint", indices=[0, 2])
    assert fixed.indices.dtype.kind in "iu" and list(fixed.indices) == [0, 2]
    assert not fixed.indices.flags.writeable
    fixed.indices = range(3)
    assert list(fixed.indices) == [0, 1, 2]
    for bad in ([-1], [2**40], [0.5], [2**70]):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            fixed.indices = bad
    assert list(fixed.indices) == [0, 1, 2]


def test_unknown_names_are_refused(points):
    dofs = points.root.dofs
    with pytest.raises(AttributeError, match="position"):
        dofs.positon = [[0, 0, 0]]
    with pytest.raises(AttributeError, match="position"):
        dofs.positon
    with pytest.raises(AttributeError):
        dofs["nothing"]
    with pytest.raises(TypeError):
        dofs[3]
    assert not hasattr(dofs, "__array__")


def test_links_to_components(points):
    root = points.root
    other = settee.Scene()
    stranger = other.root.add("MechanicalObject", position=[[0, 0, 0]])
    with pytest.raises((ValueError, TypeError)):
        root.mass.mstate = stranger
    with pytest.raises((ValueError, TypeError)):
        root.mass.mstate = 3
    with pytest.raises(ValueError):
        root.mass._link("vertexMass", stranger, "position")
    root.mass.mstate = root.dofs
    assert root.mass.mstate is root.dofs


def test_tables(points):
    field = points.root.dofs.field("position")
    assert field.table["list"] and field.help
    assert field.is_set
    version = field.version
    field.value = [[1, 1, 1], [2, 2, 2]]
    assert field.version > version
    with field.write() as x:
        x += 1
    assert np.array_equal(points.root.dofs.position, [[2, 2, 2], [3, 3, 3]])
    assert not x.flags.writeable
    assert "position" in dir(points.root.dofs)
    assert "dofs" in dir(points.root)
    assert "UniformMass" in dir(settee.components)
    assert "DOFs" in settee.components.UniformMass.totalMass.__doc__
    assert "Fields:" in settee.components.UniformMass.__doc__
    assert isinstance(points.root.mass, settee.components.UniformMass)


def test_fields_are_added(points):
    mass = points.root.mass
    speed = mass.add_field("speed", "real", 2.5, help="how fast it was")
    assert mass.speed == 2.5 and speed.table["help"] == "how fast it was" and speed.table["live"] == "live"
    mass.speed = 3
    mass.add_field("marks", "list of Vec3", [[1, 2, 3], [4, 5, 6]])
    assert mass.marks.shape == (2, 3)
    points.root.add_field("copy", "real", speed)
    mass.speed = 4
    assert points.root.field("copy").value == 4
    for bad in (("speed", "real"), ("a b", "real"), ("c", "vector<double>")):
        with pytest.raises(settee.InvalidError):
            mass.add_field(*bad)
    points.step(2)


def test_graph(points):
    root = points.root
    child = root.add_child("child", gravity=[1, 2, 3])
    assert child.parent is root and root.children == [child] and root.child is child
    assert np.array_equal(child.gravity, [1, 2, 3])
    state = child.add("MechanicalObject", name="state")
    assert state.path == "/child/state" and state.node is child
    assert points["/child/state"] is state and root.find("child/state") is state
    assert "/child/state" in points and "/nowhere" not in points
    with pytest.raises(settee.NotFoundError):
        points["/nowhere"]
    state.remove()
    assert not state.is_attached and child.components == []
    child.attach(state)
    assert child.components == [state]
    for bad in ("", "a/b", 3):
        with pytest.raises((ValueError, TypeError)):
            root.add_child(bad)
    with pytest.raises(TypeError):
        root.add(3)
    with pytest.raises(TypeError):
        root.add("MechanicalObject", position=object())
    with pytest.raises(TypeError):
        settee.Node().children
    with pytest.raises(ValueError):
        settee.Scene().root.attach(state)
