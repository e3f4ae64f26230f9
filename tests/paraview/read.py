# Reads the files of grid.scn and of `--vtk` with VTK's readers and compares with what the scenes must give.
#
# SPDX-License-Identifier: Apache-2.0
import xml.etree.ElementTree as tree

import vtk


def read(name):
    reader = vtk.vtkXMLUnstructuredGridReader() if name.endswith(".vtu") else vtk.vtkUnstructuredGridReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *arguments: errors.append(name))
    reader.SetFileName(name)
    if name.endswith(".vtk"):
        reader.ReadAllFieldsOn()
        reader.ReadAllVectorsOn()
    reader.Update()
    assert not errors, errors
    return reader.GetOutput()


def check_grid(grid, fall):
    assert grid.GetNumberOfPoints() == 18, grid.GetNumberOfPoints()
    assert grid.GetNumberOfCells() == 4, grid.GetNumberOfCells()
    assert all(grid.GetCellType(i) == vtk.VTK_HEXAHEDRON for i in range(4))
    assert abs(grid.GetPoint(17)[1] - (1 - fall)) < 1e-6, grid.GetPoint(17)


# A symplectic step adds n g dt² to the way in step n.
series = tree.parse("grid.pvd").getroot().find("Collection").findall("DataSet")
assert [float(s.get("timestep")) for s in series][0] == 0
assert len(series) == 3, len(series)
for number, entry in enumerate(series):
    steps = 2 * number
    assert abs(float(entry.get("timestep")) - 0.01 * steps) < 1e-9
    grid = read(entry.get("file"))
    check_grid(grid, 10 * 0.01**2 * steps * (steps + 1) / 2)
    speed = grid.GetPointData().GetArray("speed")
    assert speed.GetNumberOfComponents() == 3 and abs(speed.GetTuple3(5)[1] + 0.1 * steps) < 1e-6
    assert grid.GetPointData().GetArray("rest_position").GetTuple3(17) == (1, 1, 1)

faces = read("faces0.vtu")
types = [faces.GetCellType(i) for i in range(faces.GetNumberOfCells())]
assert types.count(vtk.VTK_QUAD) == 20, types
assert vtk.VTK_LINE in types

legacy = read("legacy_0.vtk")
check_grid(legacy, 10 * 0.01**2 * 10)
assert legacy.GetPointData().GetArray("velocity").GetNumberOfTuples() == 18
# --vtk: a series of both parts, the cells with stresses and the skin that is carried along
series = tree.parse("body/scene.pvd").getroot().find("Collection").findall("DataSet")
assert sorted({round(float(s.get("timestep")), 6) for s in series}) == [0, 0.03, 0.06]
parts = {}
for entry in series:
    parts.setdefault(entry.get("file").rsplit("_", 1)[0], []).append(read("body/" + entry.get("file")))
cells, skin = parts["Body_dofs"], parts["Body_Surface_model"]
assert len(cells) == len(skin) == 3
for grid in cells:
    assert all(grid.GetCellType(i) == vtk.VTK_HEXAHEDRON for i in range(grid.GetNumberOfCells()))
    assert grid.GetPointData().GetArray("velocity").GetNumberOfComponents() == 3
    assert grid.GetCellData().GetArray("vonMises").GetNumberOfTuples() == grid.GetNumberOfCells() > 100
assert cells[0].GetCellData().GetArray("vonMises").GetRange()[1] < 1e-6 < cells[2].GetCellData().GetArray("vonMises").GetRange()[1]
assert skin[0].GetNumberOfPoints() == 346 and skin[0].GetCellType(0) == vtk.VTK_TRIANGLE
assert skin[2].GetBounds()[2] < skin[0].GetBounds()[2] - 1e-3  # it hangs down

print("VTK", vtk.VTK_VERSION, "reads every file")
