"""Data and Links: the fields of nodes and components, as SofaPython3 shows them.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from . import _following

BOOL, INT, UINT, REAL, STRING, LINK = range(6)  # st_scalar of settee/types.h

_ELEMENTS = {"edges": "Edge", "triangles": "Triangle", "quads": "Quad", "tetrahedra": "Tetrahedron",
             "hexahedra": "Hexahedron"}


class LinkPath:
    """What a link leads to: a Data or an object itself, not the text of its path."""

    def __init__(self, target):
        self._target = target

    def target(self):
        return self._target

    def __str__(self):
        return self._target.getLinkPath()

    def __repr__(self):
        return f'LinkPath("{self}")'


class _Block:
    """What `with data.writeable() as array` is: a writable array, and a change at both ends."""

    def __init__(self, data, function):
        self.data, self.function = data, function

    def __enter__(self):
        self.array = self.data._memory()
        return self.function(self.array) if self.function else self.array

    def __exit__(self, *exception):
        self.array.flags.writeable = False
        self.data._touched()
        return False


def _jacobian(owner, entries):
    """A sparse Jacobian: each entry is a row, a DOF and the numbers of a derivative."""
    import scipy.sparse

    width = entries.shape[1] - 2
    rows = np.repeat(entries[:, 0].astype(int), width)
    cols = (entries[:, 1].astype(int)[:, None] * width + np.arange(width)).ravel()
    shape = (int(entries[:, 0].max()) + 1 if len(entries) else 0, width * len(owner._s._get("velocity")))
    made = scipy.sparse.csr_matrix((entries[:, 2:].ravel(), (rows, cols)), shape)
    made.eliminate_zeros()
    return made


class Data:
    """One field of a node or component."""

    def __init__(self, owner, name):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_name", name)

    # ---- what it is -------------------------------------------------------------------------------------

    def _table(self):
        return self._owner._tables()[self._name]

    def getName(self):
        return self._name

    def getOwner(self):
        return self._owner

    def getHelp(self):
        return self._table()["help"]

    def getPathName(self):
        path = self._owner.getPathName()
        return f"{path}.{self._name}"

    def getLinkPath(self):
        return "@" + self.getPathName()

    @property
    def linkpath(self):
        return LinkPath(self)

    def typeName(self):
        table = self._table()
        scalar, width = table["scalar"], table["width"]
        if scalar == STRING:
            return "vector<string>" if table["list"] else "string"
        one = {BOOL: "bool", INT: "i", UINT: "I", REAL: "d"}[scalar]
        if width > 1:
            rigid = self._owner._s.template.startswith("Rigid")
            kinds = {"list of positions": "RigidCoord3d", "list of velocities or forces": "RigidDeriv3d"}
            one = kinds.get(table["type"]) if rigid and table["type"] in kinds else (
                _ELEMENTS.get(self._name, f"Vec{width}{one}"))
        return f"vector<{one}>" if table["list"] else one

    getValueTypeString = typeName

    def setName(self, name):
        raise RuntimeError(f"{self.getPathName()} cannot be called {name}: its component knows it by its name")

    def _flag(self, flag, default):
        return self._owner.__dict__.get("_flags", {}).get((self._name, flag), default)

    def _set_flag(self, flag, value):
        self._owner.__dict__.setdefault("_flags", {})[self._name, flag] = bool(value)

    def isRequired(self):
        return self._table()["required"]

    def isSet(self):
        given, _, version, _ = self._owner._s._field_state(self._name)
        return given and self._owner.__dict__.get("_unset", {}).get(self._name) != version

    def unset(self):
        """It counts as not given until it is written again; it keeps its value."""
        self._owner.__dict__.setdefault("_unset", {})[self._name] = self.getCounter()

    def isPersistent(self):
        return self._flag("persistent", self.isSet())

    def setPersistent(self, value):
        self._set_flag("persistent", value)

    def isReadOnly(self):
        """For those who show it; scripts may write."""
        return self._flag("read-only", self._table().get("output", False))

    def setReadOnly(self, value):
        self._set_flag("read-only", value)

    # ---- changes ------------------------------------------------------------------------------------------

    def isDirty(self):
        """Has what it follows changed since it was last read?"""
        source = _following.source_of(self)
        if source is not None:
            return source.isDirty() or source.getCounter() != self._owner._follows[self._name][1]
        return self._owner._s._field_state(self._name)[3]

    def updateIfDirty(self):
        self.getValue()

    def hasChanged(self):
        changed = self.isDirty()
        self.updateIfDirty()
        return changed

    def _version(self):
        """Another one means another value; each step changes a state."""
        self.updateIfDirty()
        found = self._owner._s
        return self.getCounter(), found.scene.time if found.kind == "state" else None

    def _source_changed(self):
        """A Data of Python that it follows was written."""
        _following.pull(self)

    def getCounter(self):
        return self._owner._s._field_state(self._name)[2]

    # ---- values -----------------------------------------------------------------------------------------

    @property
    def value(self):
        return self.getValue()

    @value.setter
    def value(self, value):
        self.setValue(value)

    def getValue(self):
        owner = self._owner
        if "_follows" in owner.__dict__ and self._name in owner._follows:
            _following.pull(self)
        found = owner._s._get(self._name)
        if isinstance(found, bool):
            return int(found)
        if not isinstance(found, np.ndarray):
            return found

        # the view of an array is made once, and again when the field has other memory
        views = owner.__dict__.setdefault("_views", {})
        known = views.get(self._name)
        if known is not None and known[0] is found:
            return known[1]
        kind = self._table()["type"]
        if "entries" in kind:
            return _jacobian(owner, found)
        if kind == "color":
            return self._shown(found.astype(np.float32))  # as SOFA keeps it
        views[self._name] = found, self._shown(found)
        return views[self._name][1]

    @staticmethod
    def _shown(array):
        """Read-only, indices as int32."""
        shown = array.view(np.int32) if array.dtype == np.uint32 else array.view()
        shown.flags.writeable = False
        return shown

    def setValue(self, value):
        if isinstance(value, LinkPath):
            self._link(value.target())
        elif isinstance(value, str) and value.startswith("@") and self._table()["scalar"] != STRING:
            self.setParent(value)
        else:
            self._assign(value)

    def _assign(self, value):
        table = self._table()
        if table["list"] or table["width"] > 1:
            self._set_container(table, value)
        else:
            self._set_scalar(table, value)

    def _set_scalar(self, table, value):
        scalar = table["scalar"]
        if scalar == STRING:
            fits = isinstance(value, str)
        elif table["options"]:
            fits, value = isinstance(value, (str, int)), str(value)
        elif scalar == REAL:
            fits = isinstance(value, (int, float, np.number, np.bool_)) or getattr(value, "size", 0) == 1
            value = float(value) if fits and not isinstance(value, Data) else value
            fits = fits and not isinstance(value, Data)
        else:
            fits = isinstance(value, (int, np.integer, np.bool_))
        if not fits:
            raise RuntimeError(f"{self.getPathName()}: {value!r} does not fit type {self.typeName()}")
        self._owner._s.set(**{self._name: value})

    def _set_container(self, table, value):
        import settee

        if isinstance(value, Data):
            value = value.value
        if isinstance(value, str):
            self._owner._s.set_text(self._name, value)
            return
        width, rows = max(table["width"], 1), table["list"]
        try:
            if isinstance(value, np.ndarray):
                value = self._checked(value, width, rows, table)
            elif table["scalar"] != STRING:
                value = self._listed(value, width, rows)
            self._owner._s.set(**{self._name: value})
        except settee.Error:
            raise
        except OverflowError as error:
            raise RuntimeError(str(error)) from error

    def _checked(self, array, width, rows, table):
        two = rows and (width > 1 or "positions" in table["type"] or "velocities" in table["type"])
        if array.ndim != (2 if two else 1):
            raise TypeError(f"{self.getPathName()}: an array of {array.ndim} dimensions is given")
        if (two and array.shape[1] != width) or (not rows and len(array) != width):
            raise IndexError(f"{self.getPathName()}: an array of shape {array.shape} is given, rows have {width} numbers")
        if table["scalar"] != REAL and array.dtype.kind == "f":
            raise RuntimeError(f"{self.getPathName()}: reals are given for integers")
        return array

    def _listed(self, value, width, rows):
        if not isinstance(value, (list, tuple, range)):
            raise TypeError(f"{self.getPathName()}: {value!r} is no list")
        if rows and width > 1:
            for row in value:
                if not hasattr(row, "__len__"):
                    raise TypeError(f"{self.getPathName()}: a list of rows is expected")
                if len(row) < width:
                    raise IndexError(f"{self.getPathName()}: a row has {len(row)} numbers, {width} are expected")
            return [list(row)[:width] for row in value]
        if not rows and len(value) < width:
            return list(value) + self.value.tolist()[len(value):]
        return list(value) if rows else list(value)[:width]

    def getValueString(self):
        return self._owner._s.text(self._name, 6)

    def read(self, text):
        """Reads a text as an attribute of a scene file; answers whether it could."""
        import settee

        try:
            self._owner._s.set_text(self._name, text)
        except settee.Error:
            return False
        return True

    # ---- arrays -----------------------------------------------------------------------------------------

    def array(self):
        found = self.value
        if isinstance(found, np.ndarray):
            return found
        if isinstance(found, (str, list)):
            raise TypeError(f"{self.getPathName()} is made of texts")
        made = np.array([found])
        made.flags.writeable = False
        return made

    def toList(self):
        found = self.value
        if not isinstance(found, np.ndarray):
            raise TypeError(f"{self.getPathName()} is no container")
        return found.reshape(len(found) if self._table()["list"] else 1, -1).tolist()

    def _memory(self):
        if not self._table()["list"]:
            raise TypeError(f"{self.getPathName()} has a fixed size: assign another value")
        array = np.asarray(self._owner._s._buffer(self._name, True))
        return array.view(np.int32) if array.dtype == np.uint32 else array

    def _touched(self):
        self._owner._s.touch(self._name)

    def writeable(self, function=None):
        return _Block(self, function)

    writeableArray = writeable

    # ---- links ------------------------------------------------------------------------------------------

    def _link(self, target):
        if not isinstance(target, Data):
            raise RuntimeError(f"{self.getPathName()}: a Data can only follow a Data")
        if hasattr(target, "_followers"):
            _following.follow(self, target)
            return
        _following.leave(self)
        self._owner._s._link(self._name, target._owner._s, target._name)

    def getParent(self):
        source = _following.source_of(self)
        if source is not None:
            return source
        found = self._owner._s._source(self._name)
        return self._owner._wrap(found[0])._data(found[1]) if found else None

    def hasParent(self):
        return self.getParent() is not None

    def setParent(self, target):
        if target is None:
            _following.leave(self)
            self._owner._s._unlink(self._name)
        elif isinstance(target, str):
            found = self._owner._data_at(target)
            if found is not None:
                self._link(found)
        else:
            self._link(target.target() if isinstance(target, LinkPath) else target)

    # ---- Python -----------------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        self.setValue(value)  # any name, as in SofaPython3

    def __eq__(self, other):
        return isinstance(other, Data) and self._owner is other._owner and self._name == other._name

    def __hash__(self):
        return hash((id(self._owner), self._name))

    def __str__(self):
        return f"Sofa.Core.Data <'{self._name}', {id(self):#x}>"

    def __repr__(self):
        return repr(self.value)


class DataContainer(Data):
    """A Data of numbers: a vector or a list."""

    def __len__(self):
        return len(self.value)

    shape = property(lambda self: self.value.shape)
    size = property(lambda self: self.value.size)
    ndim = property(lambda self: self.value.ndim)

    def __getitem__(self, index):
        table = self._table()
        if not table["list"] or table["scalar"] != REAL:
            return self.value[index]
        return self._memory()[index]

    def __setitem__(self, index, value):
        if self._table()["list"]:
            self._memory()[index] = value
            self._touched()
        else:
            array = self.value.copy()
            array[index] = value
            self.setValue(array)

    def __iter__(self):
        return iter(self.value)

    def __array__(self, dtype=None):
        return np.asarray(self.value, dtype)

    def __add__(self, other):
        return self.value + np.asarray(other)

    def __sub__(self, other):
        return self.value - np.asarray(other)

    def __mul__(self, other):
        return self.value * np.asarray(other)

    def __iadd__(self, other):
        self.setValue(self.value + np.asarray(other))
        return self

    def __isub__(self, other):
        self.setValue(self.value - np.asarray(other))
        return self

    def __imul__(self, other):
        self.setValue(self.value * np.asarray(other))
        return self

    def __truediv__(self, other):
        return self.value / np.asarray(other)

    def __radd__(self, other):
        return np.asarray(other) + self.value

    def __rsub__(self, other):
        return np.asarray(other) - self.value

    def __rmul__(self, other):
        return np.asarray(other) * self.value

    def __neg__(self):
        return -self.value

    def __itruediv__(self, other):
        self.setValue(self.value / np.asarray(other))
        return self

    def apply(self, function):
        """Each number of the rows becomes function(row, column, number)."""
        rows = self.value
        if rows.ndim != 2 or rows.dtype != float:
            raise TypeError(f"{self.getPathName()}: rows of reals are expected")
        self.setValue([[function(i, j, v) for j, v in enumerate(row)] for i, row in enumerate(rows.tolist())])

    def __str__(self):
        return f"Sofa.Core.DataContainer <name='{self._name}', {id(self):#x}>"


class DataString(Data):
    """A text."""

    def __len__(self):
        return len(self.value)

    def __getitem__(self, index):
        return self.value[index]

    def __eq__(self, other):
        return self.value == other if isinstance(other, str) else super().__eq__(other)

    __hash__ = Data.__hash__

    def __str__(self):
        return f"Sofa.Core.DataString<name='{self._name}', value='{self.value}', {id(self):#x}>"


class DataVectorString(Data):
    """A list of texts."""

    def __len__(self):
        return len(self.value)

    def __getitem__(self, index):
        return self.value[index] if index < len(self) else ""


class Computed(Data):
    """A Data that is computed when it is read, and cannot be written."""

    def __init__(self, owner, name, function, help):
        super().__init__(owner, name)
        object.__setattr__(self, "_function", function)
        object.__setattr__(self, "_help", help)

    def _table(self):
        return {"help": self._help, "list": False, "width": 1, "required": False, "options": [], "scalar": STRING,
                "type": "computed"}

    def getValue(self):
        return self._function()

    def setValue(self, value):
        raise RuntimeError(f"{self.getPathName()} is computed and cannot be written")

    def isSet(self):
        return False

    def isDirty(self):
        return False

    def getCounter(self):
        return 0

    def getValueString(self):
        return " ".join(map(str, np.ravel(self.value).tolist()))


class BoundingBox(Computed):
    """The box around an object."""

    def getMin(self):
        return self.value[0].tolist()

    def getMax(self):
        return self.value[1].tolist()

    def getCenter(self):
        return self.value.mean(axis=0).tolist()

    def setMin(self, corner):
        self.setValue(corner)

    setMax = setMin


class Link:
    """Where an object leads to others. Other attributes are those of the first of them."""

    def __init__(self, owner, name):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_name", name)

    def _targets(self):
        found = self._owner._s._get(self._name)
        return found if isinstance(found, list) else [found] if found is not None else []

    def getName(self):
        return self._name

    def getHelp(self):
        return self._owner._tables()[self._name]["help"]

    def isMultiLink(self):
        return self._owner._tables()[self._name]["list"]

    def getSize(self):
        return len(self._targets())

    def getOwnerBase(self):
        return self._owner

    def getLinkedBase(self, index=0):
        targets = self._targets()
        return self._owner._wrap(targets[index]) if 0 <= index < len(targets) else None

    def getLinkedPath(self, index=0):
        base = self.getLinkedBase(index)
        return base.getPathName() if base is not None else ""

    def getPathName(self):
        return f"{self._owner.getPathName()}.{self._name}"

    def getValueString(self):
        return " ".join("@" + self._owner._wrap(t).getPathName() for t in self._targets())

    def read(self, text):
        self._owner._s.set_text(self._name, text)
        return True

    def setLinkedBase(self, base):
        self._owner._s.set(**{self._name: base._s})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        base = self.getLinkedBase()
        if base is None:
            raise RuntimeError(f"the link {self.getPathName()} leads nowhere")
        return base._field(name)

    def __setattr__(self, name, value):
        base = self.getLinkedBase()
        if base is None:
            raise RuntimeError(f"the link {self.getPathName()} leads nowhere")
        setattr(base, name, value)


class NodeLink(Link):
    """A typed list of a node: its states, forces, solvers."""

    def __init__(self, owner, name, kinds):
        super().__init__(owner, name)
        object.__setattr__(self, "_kinds", kinds)

    def _targets(self):
        return [member._s for member in self._owner._of_kind(*self._kinds)]

    def getHelp(self):
        return f"{self._name} of the node"

    def isMultiLink(self):
        return True
