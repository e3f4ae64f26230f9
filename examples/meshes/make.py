#!/usr/bin/env python3
"""Writes the meshes of the examples: the same files each time, in meters, from nothing but this script.

usage: make.py [FOLDER]          (the folder of the script when none is given)

    organ.vtk, organ.stl         a body like a liver, 20 cm wide: tetrahedra, and the surface around them
    finger.vtk, finger.stl       a finger of a gripper, 10 cm long, with three chambers: hexahedra and surface
    chambers.stl                 the walls of the finger's chambers, as one surface each, to press on
    vessel.vtk, vessel.stl       a bent tube that grows thinner, 12 cm long: triangles
    beam-coarse.vtk, beam-medium.vtk, beam-fine.vtk
                                 a beam of 1 m x 0.2 m x 0.2 m in three resolutions: tetrahedra

Bodies are grids of cells that are bent into shape. A cell becomes six tetrahedra around its diagonal from corner 0 to
corner 6, in the same way in every cell, so that neighbors fit together.

SPDX-License-Identifier: Apache-2.0
"""
import math
import os
import sys

# Corners of a cell as VTK numbers them, and its six tetrahedra.
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
TETRAHEDRA = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]
QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
TETRAHEDRON, HEXAHEDRON, TRIANGLE = 10, 12, 5


class Mesh:
    """Points and cells of one kind."""

    def __init__(self, kind):
        self.kind, self.points, self.cells = kind, [], []


def grid(n, keep=lambda i, j, k: True):
    """The cells (i, j, k) of a grid that are kept, as hexahedra, with the points they use at whole numbers."""
    mesh, numbers = Mesh(HEXAHEDRON), {}
    for k in range(n[2]):
        for j in range(n[1]):
            for i in range(n[0]):
                if not keep(i, j, k):
                    continue
                cell = []
                for a, b, c in CORNERS:
                    corner = (i + a, j + b, k + c)
                    if corner not in numbers:
                        numbers[corner] = len(mesh.points)
                        mesh.points.append(corner)
                    cell.append(numbers[corner])
                mesh.cells.append(cell)
    return mesh


def moved(mesh, place):
    mesh.points = [place(*p) for p in mesh.points]
    return mesh


def split(mesh):
    """Six tetrahedra for each hexahedron."""
    out = Mesh(TETRAHEDRON)
    out.points = mesh.points
    out.cells = [[cell[v] for v in t] for cell in mesh.cells for t in TETRAHEDRA]
    return out


def faces_of(mesh):
    if mesh.kind == HEXAHEDRON:
        return QUADS
    return [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


def skin(mesh):
    """The faces that belong to one cell only, as triangles that look outward."""
    seen = {}
    for cell in mesh.cells:
        for face in faces_of(mesh):
            corners = [cell[v] for v in face]
            key = tuple(sorted(corners))
            seen[key] = None if key in seen else corners
    surface, numbers = Mesh(TRIANGLE), {}
    for corners in (c for c in seen.values() if c):
        for v in corners:
            if v not in numbers:
                numbers[v] = len(surface.points)
                surface.points.append(mesh.points[v])
        c = [numbers[v] for v in corners]
        surface.cells.append(c[:3])
        if len(c) == 4:
            surface.cells.append([c[0], c[2], c[3]])
    return surface


def pieces(surface):
    """The parts of a surface that hang together, largest first."""
    parent = list(range(len(surface.points)))

    def root(v):
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for t in surface.cells:
        for v in t[1:]:
            parent[root(v)] = root(t[0])
    parts = {}
    for t in surface.cells:
        part = parts.setdefault(root(t[0]), Mesh(TRIANGLE))
        part.points = surface.points
        part.cells.append(t)
    return sorted(parts.values(), key=lambda part: -len(part.cells))


def ball(u, v, w):
    """A cube [-1, 1]³ as nearly a ball of radius 1: its edges stay a little, so that no cell there is flat."""
    round_ = (u * math.sqrt(1 - v * v / 2 - w * w / 2 + v * v * w * w / 3),
              v * math.sqrt(1 - w * w / 2 - u * u / 2 + w * w * u * u / 3),
              w * math.sqrt(1 - u * u / 2 - v * v / 2 + u * u * v * v / 3))
    return tuple(0.75 * r + 0.25 * 0.85 * c for r, c in zip(round_, (u, v, w)))


def organ():
    """A ball that is flattened, made thin to the left, bent, and notched on its lower edge."""
    n = (10, 7, 6)

    def place(i, j, k):
        x, y, z = ball(*(2 * c / m - 1 for c, m in zip((i, j, k), n)))
        thick = 0.72 + 0.34 * x
        notch = 1 - 0.35 * math.exp(-((x + 0.15) / 0.22) ** 2) * max(0.0, -y)
        return (0.10 * x, 0.065 * y * (0.8 + 0.25 * x) * notch - 0.02 * x * x, 0.045 * z * thick + 0.018 * y * x)

    return split(moved(grid(n), place))


def finger():
    """A bar with a thick floor and three closed chambers above it, 1 cm long each way in their section."""
    n = (20, 4, 4)

    def solid(i, j, k):
        return not (i % 6 in (2, 3, 4, 5) and 1 < i < 18 and 1 <= j <= 2 and k in (2, 1))

    return moved(grid(n, solid), lambda i, j, k: (0.005 * i, 0.005 * j - 0.01, 0.005 * k))


def vessel():
    """A tube around an arc, radius 8 mm shrinking to 5 mm, open at both ends."""
    surface, around, along = Mesh(TRIANGLE), 16, 40
    for s in range(along + 1):
        t = s / along
        angle, radius = 1.9 * t, 0.008 - 0.003 * t
        center = (0.06 * math.sin(angle), 0.06 * (1 - math.cos(angle)), 0.01 * math.sin(6 * t))
        outward, upward = (math.sin(angle), -math.cos(angle), 0.0), (0.0, 0.0, 1.0)
        for a in range(around):
            c, d = math.cos(2 * math.pi * a / around), math.sin(2 * math.pi * a / around)
            surface.points.append(tuple(p + radius * (c * o + d * u) for p, o, u in zip(center, outward, upward)))
    for s in range(along):
        for a in range(around):
            p, q = s * around + a, s * around + (a + 1) % around
            surface.cells += [[p, p + around, q], [q, p + around, q + around]]
    return surface


def beam(cells):
    return split(moved(grid((5 * cells, cells, cells)),
                       lambda i, j, k: (0.2 * i / cells, 0.2 * j / cells - 0.1, 0.2 * k / cells - 0.1)))


def number(value):
    return "%.6g" % (value + 0.0 if abs(value) > 1e-12 else 0.0)


def write_vtk(path, mesh, title):
    size = len(mesh.cells[0])
    with open(path, "w") as out:
        out.write("# vtk DataFile Version 3.0\n%s\nASCII\nDATASET UNSTRUCTURED_GRID\n" % title)
        out.write("POINTS %d double\n" % len(mesh.points))
        out.writelines(" ".join(map(number, p)) + "\n" for p in mesh.points)
        out.write("CELLS %d %d\n" % (len(mesh.cells), (size + 1) * len(mesh.cells)))
        out.writelines("%d %s\n" % (size, " ".join(map(str, c))) for c in mesh.cells)
        out.write("CELL_TYPES %d\n" % len(mesh.cells))
        out.writelines("%d\n" % mesh.kind for _ in mesh.cells)


def write_stl(path, surfaces, title):
    with open(path, "w") as out:
        for surface in surfaces:
            out.write("solid %s\n" % title)
            for t in surface.cells:
                a, b, c = (surface.points[v] for v in t)
                u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
                n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
                length = math.sqrt(sum(x * x for x in n)) or 1
                out.write("facet normal %s\nouter loop\n" % " ".join(number(x / length) for x in n))
                out.writelines("vertex %s\n" % " ".join(map(number, p)) for p in (a, b, c))
                out.write("endloop\nendfacet\n")
            out.write("endsolid %s\n" % title)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    at = lambda name: os.path.join(folder, name)

    body = organ()
    write_vtk(at("organ.vtk"), body, "organ")
    write_stl(at("organ.stl"), [skin(body)], "organ")

    body = finger()
    walls = pieces(skin(body))
    write_vtk(at("finger.vtk"), body, "finger")
    write_stl(at("finger.stl"), walls[:1], "finger")
    write_stl(at("chambers.stl"), walls[1:], "chamber")

    tube = vessel()
    write_vtk(at("vessel.vtk"), tube, "vessel")
    write_stl(at("vessel.stl"), [tube], "vessel")

    for name, cells in (("coarse", 2), ("medium", 4), ("fine", 6)):
        write_vtk(at("beam-%s.vtk" % name), beam(cells), "beam, %s" % name)


main()
