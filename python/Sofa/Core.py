"""Nodes, objects, Data and Links.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import Base, DataDict, Node, NodeIterator, Object
from ._controller import Controller
from ._data import Data, DataContainer, DataString, DataVectorString, Link, LinkPath

__all__ = ["Base", "Controller", "Data", "DataContainer", "DataDict", "DataString", "DataVectorString", "Link",
           "LinkPath", "Node", "NodeIterator", "Object"]
