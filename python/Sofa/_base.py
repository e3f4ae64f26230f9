"""Nodes and objects, as SofaPython3 shows them, on those of settee.

A wrapper holds the node or component of settee behind it in `_s`, which keeps the wrapper in turn: the same one comes back,
with the attributes that it was given, as long as the scene lives. Every root node has a scene of its own.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
import sys

import numpy as np

import settee
import SofaTypes
from ._data import (LINK, REAL, STRING, BoundingBox, Computed, Data, DataContainer, DataString, DataVectorString, Link, LinkPath,
                    NodeLink)
from ._messages import deliver, log_of, send
from . import _files, _following, _messages, _own_data as own_data

# Names that SOFA has no longer; settee takes them in scene files.
_REMOVED = ("GenericConstraintSolver",)
_NODE_LINKS = {
    "mechanicalState": ("state",), "state": ("state",), "mass": ("mass",), "forceField": ("force", "mass"),
    "odeSolver": ("integrator",), "linearSolver": ("linear solver",), "mechanicalMapping": ("mapping",),
    "mapping": ("mapping",), "topology": ("topology",), "meshTopology": ("topology",), "animationLoop": ("animation loop",),
    "constraintSolver": ("constraint solver",), "projectiveConstraintSet": ("projection",),
    "collisionPipeline": ("collision pipeline",), "collisionModel": ("collision model",),
}
_CATEGORIES = {  # kind of a component: what SOFA calls it
    "state": "MechanicalState", "mass": "Mass", "force": "ForceField", "mapping": "Mapping", "integrator": "OdeSolver",
    "linear solver": "LinearSolver", "linear system": "LinearSystem", "constraint solver": "ConstraintSolver",
    "constraint law": "ConstraintSet", "projection": "ProjectiveConstraintSet", "constraint correction": "ConstraintSolver",
    "topology": "Topology", "mesh geometry": "TopologyObject", "topological mapping": "TopologicalMapping",
    "loader": "Loader", "engine": "Engine", "collision model": "CollisionModel", "animation loop": "AnimationLoop",
    "collision pipeline": "CollisionAlgorithm", "narrow phase": "CollisionAlgorithm", "broad phase": "CollisionAlgorithm",
    "intersection method": "CollisionAlgorithm", "contact manager": "CollisionAlgorithm", "exporter": "Exporter",
    "visual": "VisualModel", "inert": "Miscellaneous", "other": "Miscellaneous",
}
_PROTECTED = ("children", "objects", "parents", "data", "links", "linkpath")


def text_of(value):
    """An argument of addObject as the text of an attribute."""
    if isinstance(value, (str, LinkPath)):
        return str(value)
    if isinstance(value, Data):
        return value.getValueString()
    if isinstance(value, Base):
        return value.getLinkPath()
    if isinstance(value, np.generic):
        return repr(value.item()) if value.dtype.kind != "b" else str(int(value))
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple, range)):
        return " ".join(text_of(item) for item in value)
    return repr(value)


_KINDS = {}  # kind of a component: the class of its wrapper, where that is not Object
_CLASSES = {}  # name of its class: the same


def wrap(found):
    """The wrapper of a node or component of settee."""
    if found is None:
        return None
    known = found.__dict__.get("_sofa")
    if known is None:
        kind = Node if isinstance(found, settee.Node) else _CLASSES.get(found.class_name) or _KINDS.get(found.kind, Object)
        known = kind.__new__(kind)
        known._bind(found)
    return known


def initialize(scene, call):
    """Initializes on request: only then does a late object written in Python get its init, as in SofaPython3."""
    _following.pull_all(scene)
    scene._asked = True
    try:
        call()
    finally:
        scene._asked = False


def _caller():
    """File and line of the script that calls."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class DataDict:
    """The Data of an object, by name."""

    def __init__(self, owner):
        self._owner = owner

    def __len__(self):
        return len(self.keys())

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, name):
        return name in self.keys()

    def keys(self):
        return [d.getName() for d in self._owner.getDataFields()]

    def values(self):
        return self._owner.getDataFields()

    def items(self):
        return [(d.getName(), d) for d in self._owner.getDataFields()]

    def __getitem__(self, name):
        if isinstance(name, int):
            return self.values()[name]
        found = self._owner.findData(name)
        if found is None:
            raise ValueError(f"there is no Data '{name}'")
        return found


class Base:
    """What nodes and objects have in common."""

    def _bind(self, found):
        object.__setattr__(self, "_s", found)
        found.keep()
        found._sofa = self

    _wrap = staticmethod(wrap)

    def _tables(self):
        made = self.__dict__.get("_fields")
        if made is None:
            made = {}
            for field in self._s._describe():
                made[field["name"]] = field
                for alias in field["aliases"].split():
                    made.setdefault(alias, field)
            object.__setattr__(self, "_fields", made)
        return made

    def _data(self, name):
        table = self._tables()[name]
        if table["scalar"] == STRING and not table["options"]:
            kind = DataVectorString if table["list"] else DataString
        elif (table["list"] or table["width"] > 1) and table["scalar"] <= REAL:
            kind = DataContainer
        else:
            kind = Data
        return kind(self, table["name"])

    def _field(self, name):
        """A Data or a Link; AttributeError."""
        own = self.__dict__.get("_own", {}).get(name)
        if own is not None:
            return own
        for computed in self._computed() if name in ("bbox", "componentState") and name not in self._tables() else ():
            if computed.getName() == name:
                return computed
        table = self._tables().get(name)
        if table is None:
            close = difflib.get_close_matches(name, self._tables(), 3)
            raise AttributeError(f"Unable to find attribute: {name}" + (f"; close are {', '.join(close)}" if close else ""))
        return Link(self, table["name"]) if table["scalar"] == LINK else self._data(name)

    def _data_at(self, path):
        """The Data that a text such as '@/a.position' leads to; None."""
        place, _, name = path.lstrip("@").rpartition(".")
        node = self._s if isinstance(self._s, settee.Node) else self._s.node
        try:
            found = wrap(node.find(place)) if place else self
        except settee.Error:
            return None
        return found.findData(name) if found is not None else None

    # ---- names ------------------------------------------------------------------------------------------

    def getName(self):
        return self._s._get("name")

    def setName(self, name):
        self._s.set(name=name)

    def getClassName(self):
        return self._s.class_name

    def getTemplateName(self):
        return ",".join(part + "d" if part[-1:].isdigit() else part for part in self._s.template.split(",") if part)

    def getPathName(self):
        return self._s.path if self._s.is_attached else self.getName()

    def getLinkPath(self):
        return "@" + self.getPathName()

    @property
    def linkpath(self):
        return LinkPath(self)

    # ---- messages -----------------------------------------------------------------------------------------

    def getLoggedMessagesAsString(self):
        return "".join(f"{text}\n" for text in log_of(self))

    def countLoggedMessages(self):
        return len(log_of(self))

    def clearLoggedMessages(self):
        log_of(self).clear()

    # ---- where it comes from: the call of addObject, or the scene file ----------------------------------------

    def getInstanciationFileName(self):
        return self.__dict__.get("_made_at", (self._s.file or "", 0))[0]

    def getInstanciationSourceFilePos(self):
        return self.__dict__.get("_made_at", ("", self._s.line))[1]

    getDefinitionSourceFileName = getInstanciationFileName
    getDefinitionSourceFilePos = getInstanciationSourceFilePos

    # ---- Data and Links ---------------------------------------------------------------------------------

    def getDataFields(self):
        own = list(self.__dict__.get("_own", {}).values())
        engine = [self._data(f["name"]) for f in self._s._describe() if f["scalar"] != LINK]
        made = {d.getName(): d for d in engine + self._computed()}
        first = [made.pop(name) for name in ("name", "printLog", "tags", "bbox", "componentState") if name in made]
        return first + list(made.values()) + own

    def _computed(self):
        """What SOFA has as Data and the engine does not keep."""
        made = [] if "bbox" in self._tables() else [BoundingBox(self, "bbox", self._box, "box around its positions")]
        return made + [Computed(self, "componentState", self._state, "Valid, Invalid or Undefined")]

    def _box(self):
        x = self._s._get("position")[:, :3] if "position" in self._tables() else np.zeros((0, 3))
        huge = np.finfo(float).max
        return np.array([x.min(axis=0), x.max(axis=0)] if len(x) else [[huge] * 3, [-huge] * 3])

    def _state(self):
        return "Undefined" if not self._s.is_initialized else "Valid" if self._s.is_valid else "Invalid"

    def getLinks(self):
        return [Link(self, f["name"]) for f in self._s._describe() if f["scalar"] == LINK]

    def addData(self, name, value=None, default=None, help="", group="", type=""):
        """A new Data that lives in Python. A Data or a path in place of the value is followed."""
        del group
        if name in _PROTECTED:
            raise ValueError(f"'{name}' is a protected name")
        given = value if value is not None else default
        if isinstance(given, str) and given.startswith("@") and type not in ("Link", "PrefabLink"):
            source = self._data_at(given)
            if source is None:
                raise ValueError(f"nothing is found at '{given}'")
            given = source
        if isinstance(given, LinkPath):
            given = given.target()
        made = own_data.like(self, name, given, help) if isinstance(given, Data) else own_data.make(self, name, type, help)
        self.__dict__.setdefault("_own", {}).setdefault(name, made)
        if given is not None and not isinstance(given, Data):
            made.setValue(given)
        if value is None:
            made.unset()
        return made

    def _rename_own(self, data, name):
        self._own[name] = self._own.pop(data.getName())

    def _own_changed(self, name):
        """A Data of its own was written: prefabs are built again."""

    def findData(self, name):
        own = self.__dict__.get("_own", {}).get(name)
        if own is not None:
            return own
        table = self._tables().get(name)
        return self._data(name) if table is not None and table["scalar"] != LINK else None

    getData = findData

    def findLink(self, name):
        table = self._tables().get(name)
        return Link(self, table["name"]) if table is not None and table["scalar"] == LINK else None

    def setDataValues(self, **values):
        for name, value in values.items():
            self._field(name).setValue(value)

    __data__ = property(DataDict)

    # ---- attributes -------------------------------------------------------------------------------------

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._field(name)

    def __setattr__(self, name, value):
        own = self.__dict__.get("_own", {}).get(name)
        if own is not None:
            own.setValue(value)
            return
        free = name.startswith("_") or "_s" not in self.__dict__
        table = None if free else self._tables().get(name)
        if table is None:
            if isinstance(value, DataContainer):
                value = value._memory() if value._table()["list"] else value.value
            object.__setattr__(self, name, value)
        elif table["scalar"] != LINK:
            self._data(name).setValue(value)
        elif isinstance(value, str):
            self._s.set_text(name, value)
        elif isinstance(value, LinkPath):
            if isinstance(value.target(), Data):
                raise RuntimeError(f"the link '{name}' leads to objects, not to Data")
            self._s.set(**{name: value.target()._s})

    def __dir__(self):
        return [d.getName() for d in self.getDataFields()]


def _copy_fields(old, new):
    """What was given to a node or component, to one that was made in its place."""
    for field in old._describe():
        name = field["name"]
        given, linked = old._field_state(name)[:2]
        if given and not linked and not field["output"] and field["scalar"] != LINK:
            new.set_text(name, old.text(name))


def _move(base, node):
    """Makes a node or object again in a node of another scene; the wrapper stays the same."""
    old = base._s
    if isinstance(base, Node):
        new = node._add_child(base.getName(), [])
        _copy_fields(old, new)
        members, children = list(base.objects), list(base.children)
        base._bind(new)
        for member in members + children:
            _move(member, new)
    else:
        new = base._make_in(node)
        _copy_fields(old, new)
        base._bind(new)
    base.__dict__.pop("_fields", None)
    base.__dict__.pop("_free", None)
    if "_follows" in base.__dict__:
        _following.watch(base)
    old.__dict__.pop("_sofa", None)


class Object(Base):
    """A component."""

    def _make_in(self, node):
        return node._add_object(self._s.class_name, self.__dict__.get("_given", []))

    def getContext(self):
        return wrap(self._s.node)

    def init(self):
        initialize(self._s.scene, self._s._init)

    def reinit(self):
        self._s.reinit()

    def getCategories(self):
        return [_CATEGORIES[self._s.kind]] if self._s.kind in _CATEGORIES else []

    def getAsACreateObjectParameter(self):
        return self.getLinkPath()

    def setSrc(self, text, loader):
        """Every Data follows that of the same name of a loader."""
        del text
        for name in loader._tables():
            if name in self._tables() and name not in ("name", "printLog", "tags", "listening", "src"):
                source = loader.findData(name)
                if source is not None:
                    self._data(name).setParent(source)

    def __getitem__(self, path):
        name = path.lstrip(".")
        if not name:
            return self
        try:
            return self._field(name)
        except AttributeError:
            raise ValueError(f"{self.getPathName()} has no '{name}'") from None


class NodeIterator:
    """Children, objects or parents of a node, as they are now."""

    def __init__(self, owner, items):
        self._owner, self._items = owner, items

    def __len__(self):
        return len(self._items())

    def __iter__(self):
        return iter([wrap(item) for item in self._items()])

    def __contains__(self, name):
        if not isinstance(name, str):
            raise TypeError("a name is expected")
        return any(item._get("name") == name for item in self._items())

    def __getitem__(self, index):
        items = self._items()
        if isinstance(index, str):
            for item in items:
                if item._get("name") == index:
                    return wrap(item)
            raise IndexError(f"there is no '{index}'")
        if not isinstance(index, int) or index < 0:
            raise TypeError("an index from 0 on, or a name, is expected")
        return wrap(items[index])

    at = __getitem__

    def remove_at(self, index):
        self._items()[index].remove()


class Node(Base):
    """A node. A new one is the root of a scene of its own."""

    def __init__(self, name="unnamed", /, **values):
        scene = settee.Scene()
        scene.listen(lambda diagnostic: deliver(scene, diagnostic))
        scene.root.set(name=name)
        self._bind(scene.root)
        for key, value in values.items():
            if key in self._tables():
                setattr(self, key, value)

    children = property(lambda self: NodeIterator(self, lambda: self._s._children() + self._also("_guests")))
    objects = property(lambda self: NodeIterator(self, self._members))
    parents = property(lambda self: NodeIterator(
        self, lambda: [p for p in [self._s._parent()] if p is not None] + self._also("_hosts")))

    def _members(self):
        """Its objects; default loops are shown in front, where SOFA puts them."""
        members = self._s._objects()
        front = self.__dict__.get("_front", ())
        return [m for m in front if m in members] + [m for m in members if m not in front] if front else members

    def _also(self, kind):
        """Children that another node computes, or further parents."""
        return [other._s for other in self.__dict__.get(kind, ())]

    # ---- building ---------------------------------------------------------------------------------------

    def _check(self, name, fields):
        if name in _PROTECTED:
            raise ValueError(f"'{name}' is a protected name")
        del fields

    def addChild(self, name, /, **values):
        if isinstance(name, Node):
            return self._take(name)
        if not isinstance(name, str):
            raise TypeError("the name of a new node is expected")
        self._check(name, values)
        child = wrap(self._s._add_child(name, []))
        for key in sorted(values):
            if key not in child._tables():
                raise TypeError(f"Unknown Attribute(s): {key}")
            child._s.set_text(key, text_of(values[key]))
        return child

    def _take(self, base):
        """A node or object that was made in Python, or was removed."""
        if base._s.scene is not self._s.scene:
            if base._s.parent is not None if isinstance(base, Node) else not base.__dict__.get("_free"):
                raise ValueError(f"{base.getPathName()} is part of another scene")
            _move(base, self._s)
        elif base._s.is_attached and isinstance(base, Node):
            self._host(base)
        elif base._s.is_attached:
            send("Error", self.getName(), f"{base.getName()} is in the graph already", self)
            return None
        else:
            self._s.attach(base._s)
        return base

    def _host(self, child):
        """A further parent: it lists the node, which is computed below its first one."""
        above = self
        while above is not None:
            if above is child:
                raise ValueError(f"{child.getPathName()} cannot be below itself")
            above = wrap(above._s._parent())
        self.__dict__.setdefault("_guests", []).append(child)
        child.__dict__.setdefault("_hosts", []).append(self)
        if self._solvers_above() != wrap(child._s._parent())._solvers_above():
            send("Warning", self.getName(), f"{child.getName()} has two parents and is computed by the solvers above the first, "
                 f"{child._s._parent().path}", self)

    def _solvers_above(self):
        """The integrators at and above this node."""
        node, found = self._s, []
        while node is not None:
            found += [member for member in node._objects() if member.kind == "integrator"]
            node = node._parent()
        return found

    def _leave(self, child):
        """Takes a child out of this node; another parent keeps it."""
        if self in child.__dict__.get("_hosts", ()):
            child._hosts.remove(self)
            self._guests.remove(child)
        elif child._s in self._s._children():
            child._s.remove()
            for host in child.__dict__.get("_hosts", [])[:1]:
                child._hosts.remove(host)
                host._guests.remove(child)
                host._s.attach(child._s)

    def moveChild(self, child, former):
        if not isinstance(child, Node) or not isinstance(former, Node):
            raise ValueError("a node and its former parent are expected")
        former._leave(child)
        self._take(child)

    def detachFromGraph(self):
        for parent in list(self.parents):
            parent._leave(self)

    def add(self, what, /, *arguments, **values):
        """A component by the name of its class; a function of a node; a node or an object."""
        if isinstance(what, Node):
            return self.addChild(what)
        if isinstance(what, (str, Object)):
            return self.addObject(what, **values)
        if callable(what):
            return what(self, *arguments, **values)
        raise TypeError(f"{what!r} cannot be added to a node")

    def createChild(self, name, /, **values):
        send("Deprecated", self.getName(), "createChild is addChild now", self)
        return self.addChild(name, **values)

    def createObject(self, name, /, **values):
        send("Deprecated", self.getName(), "createObject is addObject now", self)
        return self.addObject(name, **values)

    def sendEvent(self, data, name):
        """A PythonScriptEvent to the controllers at and below this node."""
        self._s.send("PythonScriptEvent", (self, name, data))

    def addObject(self, name, /, **values):
        if isinstance(name, Object):
            return self._take(name)
        if not isinstance(name, str):
            raise TypeError("the name of a class is expected")
        self._check(values.get("name", ""), values)
        followed = {key: source for key, source in ((k, self._own_source(v)) for k, v in values.items()) if source is not None}
        attributes = [(key, _files.found(name, key, text_of(followed[key].value if key in followed else values[key])))
                      for key in sorted(values) if values[key] is not None]
        found, suggestion, explanation = settee._settee.class_by_any_name(name)
        if found is None or found in _REMOVED:
            raise ValueError(f"{name} cannot be created: {explanation or 'there is no such component'}"
                             + (f"; did you mean {suggestion}?" if suggestion else ""))
        try:
            made = wrap(self._s._add_object(name, attributes))
        except settee.Error as error:
            raise ValueError(str(error)) from error
        object.__setattr__(made, "_given", attributes)
        object.__setattr__(made, "_made_at", _caller())
        if _messages.keeping and any(text.startswith("[ERROR]") for text in log_of(made)):
            raise ValueError("\n".join(log_of(made)))
        if "name" not in values:
            made._s.set(name=made._s.class_name)
        unknown = [key for key in values if key not in made._tables() and key not in ("template", "src")]
        if unknown:
            close = difflib.get_close_matches(unknown[0], made._tables(), 1)
            raise TypeError(f"Unknown Attribute(s): {', '.join(unknown)}" + (f"; did you mean {close[0]}?" if close else ""))
        for key, source in followed.items():
            _following.follow(made._data(key), source)
        return made

    def _own_source(self, value):
        """The Data of Python that an argument leads to; None: it is the engine's to find."""
        if isinstance(value, LinkPath):
            value = value.target()
        elif isinstance(value, str) and value.startswith("@") and "." in value:
            value = self._data_at(value)
        else:
            return None
        return value if isinstance(value, own_data.Own) else None

    def removeChild(self, child):
        if isinstance(child, str):
            found = self.getChild(child)
            if found is None:
                raise IndexError(f"there is no child '{child}'")
            child = found
        if not isinstance(child, Node):
            raise TypeError("a node or its name is expected")
        self._leave(child)
        return child

    def removeObject(self, member):
        if not isinstance(member, Object):
            raise TypeError("an object is expected")
        if member._s in self._s._objects():
            member._s.remove()

    # ---- looking up -------------------------------------------------------------------------------------

    def getChild(self, name):
        return next((child for child in self.children if child.getName() == name), None)

    def getObject(self, name, *ignored, **also_ignored):
        del ignored, also_ignored
        return next((member for member in self.objects if member.getName() == name), None)

    def hasObject(self, name):
        return self.getObject(name) is not None

    def getRoot(self):
        return wrap(self._s.scene.root)

    getRootContext = getRoot

    def getRootPath(self):
        return "../" * (self._s.path.rstrip("/").count("/"))

    def _of_kind(self, *kinds):
        return [member for member in self.objects if member._s.kind in kinds]

    def getMechanicalState(self):
        states = [m for m in self._of_kind("state") if "velocity" in m._tables()]
        return states[-1] if states else None

    def getMass(self):
        found = self._of_kind("mass")
        return found[-1] if found else None

    def getMechanicalMapping(self):
        found = self._of_kind("mapping")
        return found[-1] if found else None

    def getMeshTopology(self):
        """The nearest, here or above; None."""
        node = self
        while node is not None:
            found = node._of_kind("topology")
            if found:
                return found[-1]
            node = wrap(node._s._parent())
        return None

    getTopology = getMeshTopologyLink = getMeshTopology

    def getForceField(self, index):
        found = self._of_kind("mass", "force")
        return found[index] if 0 <= index < len(found) else None

    def hasODESolver(self):
        return bool(self._of_kind("integrator"))

    def getTime(self):
        return self._s.time

    def getDt(self):
        return self._s.dt

    def setDt(self, dt):
        self.dt = dt

    def getAnimate(self):
        return bool(self.animate.value) if "animate" in self._tables() else False

    def getGravity(self):
        return SofaTypes.Vec3d(*self.gravity.value)

    def setGravity(self, gravity):
        self.gravity = list(gravity)

    def isActive(self):
        return bool(self.activated.value)

    def setActive(self, active):
        self.activated = bool(active)

    def isInitialized(self):
        return self._s.scene.is_initialized

    def init(self):
        initialize(self._s.scene, self._s.init)

    def computeEnergy(self):
        return tuple(self._s.scene.energy)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        found = self.getObject(name) or self.getChild(name)
        if found is None and name in _NODE_LINKS:
            return NodeLink(self, name, _NODE_LINKS[name])
        return found if found is not None else self._field(name)

    def __setattr__(self, name, value):
        if name not in _NODE_LINKS:  # these names belong to the lists of the node, as in SOFA
            super().__setattr__(name, value)

    def __getitem__(self, path):
        names = [name for name in path.split(".") if name]
        if not names:
            raise ValueError("the path is empty")
        found = self
        for name in names:
            if isinstance(found, Object):
                found = found[name]
            else:
                try:
                    found = found.getChild(name) or found.getObject(name) or found._field(name)
                except AttributeError:
                    raise ValueError(f"nothing is found at '{path}'") from None
        return found

    def __enter__(self):
        enter = self.__dict__.get("onCtxEnter")
        if enter is not None:
            enter(self)
        return self

    def __exit__(self, *exception):
        leave = self.__dict__.get("onCtxExit")
        if leave is not None:
            leave(self, *exception)
        return False
