"""VTK's own readers open the pieces of three ranks: together they are the whole bar.

usage: read_pieces.py FOLDER STATES

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import sys
import xml.etree.ElementTree as tree

import vtk

folder = pathlib.Path(sys.argv[1])
states = [[float(x) for x in line.split()] for line in open(sys.argv[2]).read().splitlines()[1:]]
series = tree.parse(folder / "scene.pvd").getroot().find("Collection").findall("DataSet")
assert [float(s.get("timestep")) for s in series] == [0, 0.02, 0.04], [s.attrib for s in series]

reader = vtk.vtkXMLPUnstructuredGridReader()
reader.SetFileName(str(folder / series[-1].get("file")))
reader.Update()
grid = reader.GetOutput()
assert grid.GetNumberOfCells() == 3 * 3 * 12, grid.GetNumberOfCells()
assert all(grid.GetCellType(i) == vtk.VTK_HEXAHEDRON for i in range(grid.GetNumberOfCells()))

# every point is there, at its place, with its velocity
index = grid.GetPointData().GetArray("index")
velocity = grid.GetPointData().GetArray("velocity")
seen = set()
for i in range(grid.GetNumberOfPoints()):
    point = int(index.GetValue(i))
    seen.add(point)
    assert all(abs(a - b) < 1e-7 for a, b in zip(grid.GetPoint(i), states[point])), (point, grid.GetPoint(i))
assert seen == set(range(4 * 4 * 13))
assert any(abs(velocity.GetComponent(i, 1)) > 1e-3 for i in range(grid.GetNumberOfPoints()))
