"""Nodes, objects, Data and Links.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import Base, DataDict, Node, NodeIterator, Object
from ._controller import Component, Controller
from ._data import Data, DataContainer, DataString, DataVectorString, Link, LinkPath
from ._prefab import RawPrefab
from ._topology import BaseMeshTopology, PointSetTopologyModifier
from . import _force, _mapping

__all__ = ["Base", "BaseMeshTopology", "Component", "Controller", "Data", "DataContainer", "DataDict", "DataString", "DataVectorString", "Link",
           "LinkPath", "Node", "NodeIterator", "Object",
           "PointSetTopologyModifier", "RawPrefab"]

globals().update(_force.CLASSES)
globals().update(_mapping.CLASSES)
