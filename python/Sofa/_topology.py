"""Meshes: numbers of elements, their vertices, what is in and around them; points added and removed.

What is around an element is found by searching the arrays of the mesh.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from ._base import _KINDS, Object

_FIELDS = {"Edge": "edges", "Triangle": "triangles", "Quad": "quads", "Tetrahedron": "tetrahedra", "Hexahedron": "hexahedra",
           "Prism": "prisms", "Pyramid": "pyramids"}
_WIDTHS = {"edges": 2, "triangles": 3, "quads": 4, "tetrahedra": 4, "hexahedra": 8, "prisms": 6, "pyramids": 5}
_PLURALS = {"Edge": "Edges", "Triangle": "Triangles", "Quad": "Quads", "Tetrahedron": "Tetrahedra", "Hexahedron": "Hexahedra",
            "Prism": "Prisms", "Pyramid": "Pyramids"}
_INSIDE = {"Edge": ("Triangle", "Quad", "Tetrahedron", "Hexahedron"), "Triangle": ("Tetrahedron",), "Quad": ("Hexahedron",)}
_AROUND = {"Edge": (), "Triangle": ("Edge",), "Quad": ("Edge",), "Tetrahedron": ("Edge", "Triangle"),
           "Hexahedron": ("Edge", "Quad")}


class BaseMeshTopology(Object):
    """A mesh."""

    def _elements(self, kind):
        name = _FIELDS[kind]
        return self._s._get(name) if name in self._tables() else np.zeros((0, _WIDTHS[name]), np.uint32)

    def _vertices(self, kind, index):
        elements = self._elements(kind)
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
            raise TypeError(f"the number of an element is expected, not {index!r}")
        if not 0 <= index < len(elements):
            raise IndexError(f"{self.getPathName()}: there is no {kind.lower()} {index}; there are {len(elements)}")
        return elements[index].tolist()

    def getNbPoints(self):
        given = len(self._s._get("position"))
        return max(given, self._s._get("nbPoints")) if "nbPoints" in self._tables() else given

    def _vertex(self, index):
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
            raise TypeError(f"the number of a point is expected, not {index!r}")
        if not 0 <= index < self.getNbPoints():
            raise IndexError(f"{self.getPathName()}: there is no point {index}; there are {self.getNbPoints()}")
        return int(index)

    def getVerticesAroundVertex(self, index):
        edges = self._elements("Edge")
        edges = edges[(edges == self._vertex(index)).any(axis=1)]
        return edges[edges != index].tolist()


def _number(kind):
    return lambda self: len(self._elements(kind))


def _one(kind):
    return lambda self, index: self._vertices(kind, index)


def _inside(part, whole):
    """Numbers of the parts whose vertices all belong to an element."""
    def find(self, index):
        return np.flatnonzero(np.isin(self._elements(part), self._vertices(whole, index)).all(axis=1)).tolist()

    return find


def _around_vertex(kind):
    return lambda self, index: np.flatnonzero((self._elements(kind) == self._vertex(index)).any(axis=1)).tolist()


def _around(kind, part):
    """Numbers of the elements that have all vertices of a part."""
    def find(self, index):
        elements = self._elements(kind)
        has = [(elements == vertex).any(axis=1) for vertex in self._vertices(part, index)]
        return np.flatnonzero(np.all(has, axis=0)).tolist()

    return find


def _methods():
    for kind, many in _PLURALS.items():
        yield f"getNb{many}", _number(kind)
        yield f"get{kind}", _one(kind)
    yield "getNbTetras", _number("Tetrahedron")
    yield "getNbLines", _number("Edge")
    for part, wholes in _INSIDE.items():
        for whole in wholes:
            yield f"get{_PLURALS[part]}In{whole}", _inside(part, whole)
    for kind, parts in _AROUND.items():
        yield f"get{_PLURALS[kind]}AroundVertex", _around_vertex(kind)
        for part in parts:
            yield f"get{_PLURALS[kind]}Around{part}", _around(kind, part)


for _name, _method in _methods():
    _method.__name__ = _name
    setattr(BaseMeshTopology, _name, _method)


class PointSetTopologyModifier(Object):
    """Changes the mesh of its node. States follow: they cannot be left behind."""

    def _mesh(self, follow):
        if not follow:
            raise ValueError("states follow their mesh: the last argument must be True")
        mesh = self.getContext().getMeshTopology() if self.getContext() is not None else None
        if mesh is None:
            raise RuntimeError(f"{self.getPathName()}: there is no mesh in its node")
        return mesh._s

    def addPoints(self, count, follow):
        """New points at the origin."""
        self._mesh(follow)._add_points(count)

    def removePoints(self, indices, follow):
        """The last point takes the place of a removed one."""
        self._mesh(follow)._remove_points([int(index) for index in indices])


_KINDS.update({"topology": BaseMeshTopology, "mesh geometry": PointSetTopologyModifier})
