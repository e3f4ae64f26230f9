# Reads the files of grid.scn with VTK's readers and compares with what the scene must give.
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
print("VTK", vtk.VTK_VERSION, "reads every file")
