"""Data that a script adds to a node or object. They live in Python.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from ._data import Data, DataContainer, DataString, DataVectorString, LinkPath

# name of a type: what its values are made of, their width (0: one number), is it a list
_SCALARS = {"bool": (int, 0), "int": (int, 0), "float": (float, 0), "double": (float, 0)}
_VECTORS = {f"Vec{n}{t}": (float, n) for n in (2, 3, 4, 6) for t in "df"}
_MATRICES = {f"Mat{n}{t}": (float, w) for n, w in (("2x2", 4), ("3x3", 9), ("3x4", 12), ("4x4", 16)) for t in "df"}
_QUATERNIONS = {name: (float, 4) for name in ("Quat", "Quatd", "Quatf")}
_RIGIDS = {f"Rigid3{t}::Coord": (float, 7) for t in ("", "d", "f")}
_ELEMENTS = {"Edge": (int, 2), "Triangle": (int, 3), "Quad": (int, 4), "Tetra": (int, 4), "Hexa": (int, 8), "Penta": (int, 6)}
TYPES = {"string": (str, 0, False), "vector<string>": (str, 0, True),
         "Link": (str, 0, False), "PrefabLink": (str, 0, False)}  # of an object: the text of its path
for _table in (_SCALARS, _VECTORS, _MATRICES, _QUATERNIONS, _RIGIDS, _ELEMENTS):
    TYPES.update({name: (*kind, False) for name, kind in _table.items()})
for _table in (_SCALARS, _VECTORS, _MATRICES, _ELEMENTS):
    TYPES.update({f"vector<{name}>": (*kind, True) for name, kind in _table.items()})
TYPES.update({f"Rigid3{t}::VecCoord": (float, 7, True) for t in ("", "d", "f")})


class Own:
    """What is different from a Data of the engine: type, value and links are kept here.

    A link is pulled, as in SOFA: a Data takes the value of its parent when it is read after the parent has changed. What
    the engine has cannot pull from here; it gets each change at once (`_tell`), and at the beginning of each step.
    """

    def __init__(self, owner, name, type_name, kind, help):
        super().__init__(owner, name)
        for key, value in (("_type", type_name), ("_kind", kind), ("_help", help), ("_value", None), ("_set", False),
                           ("_counter", 0), ("_parent", None), ("_seen", None), ("_engine", None), ("_readers", []),
                           ("_followers", [])):
            object.__setattr__(self, key, value)

    def _keep(self, **values):
        for key, value in values.items():
            object.__setattr__(self, "_" + key, value)

    def _table(self):
        made, width, many = self._kind
        return {"help": self._help, "list": many, "width": max(width, 1), "required": False, "options": [],
                "scalar": {float: 3, int: 1, str: 4}[made], "type": self._type}

    def typeName(self):
        return self._type

    getValueTypeString = typeName

    def setName(self, name):
        self._owner._rename_own(self, name)
        self._keep(name=name)

    def isSet(self):
        return self._set

    def unset(self):
        self._keep(set=False)

    def isPersistent(self):
        return self._flag("persistent", True)

    def getCounter(self):
        return self._counter

    # ---- following ------------------------------------------------------------------------------------------

    def _version(self):
        self.updateIfDirty()
        return self._counter

    def isDirty(self):
        if self._engine is not None:
            return self._engine._is_stale()
        return self._parent is not None and (self._parent.isDirty() or self._parent._version() != self._seen)

    def updateIfDirty(self):
        if self._engine is not None:
            self._engine._run()
        elif self._parent is not None:
            now = self._parent._version()
            if now != self._seen:
                self._keep(seen=now, value=self._converted(self._parent.value), counter=self._counter + 1)

    def _source_changed(self):
        """Its parent was written."""
        self._owner._own_changed(self._name)
        self._tell()

    def _tell(self):
        """What follows it in the engine gets its value, also through other Data and engines written in Python."""
        for follower in list(self._followers):
            follower._source_changed()
        for engine in self._readers:
            engine._input_changed()

    def _forget_removed(self):
        """Objects that were taken out follow it no longer."""
        self._keep(followers=[f for f in self._followers if f._owner._s.is_attached])

    def _reaches_engine(self):
        return any(not isinstance(f, Own) or f._reaches_engine() for f in self._followers)

    # ---- values -----------------------------------------------------------------------------------------

    def getValue(self):
        self.updateIfDirty()
        return self._shown(self._value) if isinstance(self._value, np.ndarray) else self._value

    def setValue(self, value):
        if isinstance(value, LinkPath) and self._type in ("Link", "PrefabLink"):
            value = str(value)
        if isinstance(value, LinkPath):
            self._link(value.target())
            return
        self.updateIfDirty()  # what is written stays until the parent changes again
        self._keep(value=self._converted(value))
        self._touched()

    def _touched(self):
        self._keep(set=True, counter=self._counter + 1)
        self._owner._own_changed(self._name)
        self._tell()

    def _converted(self, value):
        made, width, many = self._kind
        if isinstance(value, Data):
            value = value.value
        if made is str:
            if isinstance(value, str) != (not many) or (many and not all(isinstance(v, str) for v in value)):
                raise RuntimeError(f"{self.getPathName()}: {value!r} does not fit type {self._type}")
            return list(value) if many else value
        if not many and not width:
            fits = isinstance(value, (int, np.integer, np.bool_)) or (made is float and isinstance(value, (float, np.floating)))
            if not fits:
                raise RuntimeError(f"{self.getPathName()}: {value!r} does not fit type {self._type}")
            return made(value)
        if isinstance(value, str):
            value = [made(word) for word in value.split()]
        array = np.array(value, float if made is float else np.int32)
        rows = array.reshape(-1, width) if many and width else array.reshape(-1)
        if width and not many and len(rows) != width:
            raise IndexError(f"{self.getPathName()}: {len(rows)} numbers are given, {width} are expected")
        return rows

    def _memory(self):
        self.updateIfDirty()
        if not isinstance(self._value, np.ndarray):
            raise TypeError(f"{self.getPathName()} is no container")
        return self._value.view()

    def getValueString(self):
        found = self.value
        return " ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in np.ravel(found).tolist())

    def read(self, text):
        try:
            self.setValue(text if self._kind[0] is str or self._kind[1] or self._kind[2] else self._kind[0](text))
        except (ValueError, RuntimeError):
            return False
        return True

    def _link(self, target):
        if not isinstance(target, Data):
            raise RuntimeError(f"{self.getPathName()}: a Data can only follow a Data")
        self._leave()
        self._keep(parent=target, set=True)
        if isinstance(target, Own):
            target._followers.append(self)
        self._source_changed()

    def _leave(self):
        if isinstance(self._parent, Own):
            self._parent._followers.remove(self)
        self._keep(parent=None, seen=None)

    def getParent(self):
        return self._parent

    def setParent(self, target):
        if target is None:
            self.updateIfDirty()
            self._leave()
        elif isinstance(target, str):
            found = self._owner._data_at(target)
            if found is not None:
                self._link(found)
        else:
            self._link(target.target() if isinstance(target, LinkPath) else target)


class OwnData(Own, Data):
    """One number."""


class OwnContainer(Own, DataContainer):
    """Numbers."""

    def __setitem__(self, index, value):
        self._memory()[index] = value
        self._touched()


class OwnString(Own, DataString):
    """A text."""


class OwnVectorString(Own, DataVectorString):
    """Texts."""


def make(owner, name, type_name, help):
    """A new Data of a type; TypeError when there is none of that name."""
    kind = TYPES.get(type_name)
    if kind is None:
        raise TypeError(f"the type '{type_name}' of Data '{name}' is not known; one of: {', '.join(sorted(TYPES))}")
    made, width, many = kind
    if made is str:
        chosen = OwnVectorString if many else OwnString
    else:
        chosen = OwnContainer if width or many else OwnData
    data = chosen(owner, name, type_name, kind, help)
    empty = [] if many else ("" if made is str else [0] * width if width else 0)
    object.__setattr__(data, "_value", data._converted(empty))
    return data


def like(owner, name, source, help):
    """A new Data that follows another one, of its type."""
    table = source._table()
    kind = ({4: str, 3: float}.get(table["scalar"], int), table["width"] if table["width"] > 1 else 0, table["list"])
    chosen = (OwnVectorString if kind[2] else OwnString) if kind[0] is str else (
        OwnContainer if kind[1] or kind[2] else OwnData)
    data = chosen(owner, name, source.typeName(), kind, help)
    data._link(source)
    return data
