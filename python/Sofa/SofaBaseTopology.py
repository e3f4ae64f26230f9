"""Grids: the place of a point. They keep the methods of meshes.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import _CLASSES
from ._topology import BaseMeshTopology


class RegularGridTopology(BaseMeshTopology):
    """A grid of equal boxes."""

    def getPoint(self, index):
        return self._s._get("position")[self._vertex(index)].tolist()


class SparseGridTopology(BaseMeshTopology):
    """The cells of a grid that hold a part of a body."""

    def getNodeIndicesOfCube(self, index):
        return self._vertices("Hexahedron", index)


_CLASSES.update({"RegularGridTopology": RegularGridTopology, "SparseGridTopology": SparseGridTopology})
