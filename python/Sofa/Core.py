"""Nodes, objects, Data and Links.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import Base, DataDict, Node, NodeIterator, Object
from ._controller import Component, Controller
from ._engine import DataEngine
from ._data import Data, DataContainer, DataString, DataVectorString, Link, LinkPath
from ._prefab import RawPrefab
from ._topology import BaseMeshTopology, PointSetTopologyModifier
from ._camera import Camera
from ._contacts import ContactListener
from ._factory import ClassEntry, ObjectFactory, TaskScheduler
from . import _force, _mapping, SofaBaseTopology, SofaDeformable

__all__ = ["Base", "BaseMeshTopology", "Camera", "ClassEntry", "Component", "ContactListener", "Controller", "Data",
           "DataContainer", "DataDict", "DataEngine", "DataString", "DataVectorString", "Link", "LinkPath", "Node",
           "NodeIterator", "Object", "ObjectFactory", "PointSetTopologyModifier", "RawPrefab", "SofaBaseTopology",
           "SofaDeformable", "TaskScheduler"]

globals().update(_force.CLASSES)
globals().update(_mapping.CLASSES)
