"""Data that a script adds to a node or object. They live in Python: a Data of the engine cannot follow them.

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
TYPES = {"string": (str, 0, False), "vector<string>": (str, 0, True)}
for _table in (_SCALARS, _VECTORS, _MATRICES, _QUATERNIONS, _RIGIDS, _ELEMENTS):
    TYPES.update({name: (*kind, False) for name, kind in _table.items()})
for _table in (_SCALARS, _VECTORS, _MATRICES, _ELEMENTS):
    TYPES.update({f"vector<{name}>": (*kind, True) for name, kind in _table.items()})
TYPES.update({f"Rigid3{t}::VecCoord": (float, 7, True) for t in ("", "d", "f")})


class _Own:
    """What is different from a Data of the engine: type, value and links are kept here."""

    def __init__(self, owner, name, type_name, kind, help):
        super().__init__(owner, name)
        for key, value in (("_type", type_name), ("_kind", kind), ("_help", help), ("_value", None), ("_set", False),
                           ("_counter", 0), ("_parent", None)):
            object.__setattr__(self, key, value)

    def _table(self):
        made, width, many = self._kind
        return {"help": self._help, "list": many, "width": max(width, 1), "required": False, "options": [],
                "scalar": {float: 3, int: 1, str: 4}[made], "type": self._type}

    def typeName(self):
        return self._type

    getValueTypeString = typeName

    def isSet(self):
        return self._set

    def unset(self):
        object.__setattr__(self, "_set", False)

    def isPersistent(self):
        return True

    def getCounter(self):
        return self._counter

    def getValue(self):
        found = self._parent.value if self._parent is not None else self._value
        return self._shown(found) if isinstance(found, np.ndarray) else found

    def setValue(self, value):
        if isinstance(value, LinkPath):
            self._link(value.target())
            return
        object.__setattr__(self, "_value", self._converted(value))
        self._touched()

    def _touched(self):
        object.__setattr__(self, "_set", True)
        object.__setattr__(self, "_counter", self._counter + 1)
        self._owner._own_changed(self._name)

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
        object.__setattr__(self, "_parent", target)

    def getParent(self):
        return self._parent

    def setParent(self, target):
        if target is None:
            if self._parent is not None:
                value = self._parent.value
                object.__setattr__(self, "_value", value.copy() if isinstance(value, np.ndarray) else value)
            object.__setattr__(self, "_parent", None)
        elif isinstance(target, str):
            found = self._owner._data_at(target)
            if found is not None:
                self._link(found)
        else:
            self._link(target.target() if isinstance(target, LinkPath) else target)


class OwnData(_Own, Data):
    """One number."""


class OwnContainer(_Own, DataContainer):
    """Numbers."""

    def __setitem__(self, index, value):
        self._memory()[index] = value
        self._touched()


class OwnString(_Own, DataString):
    """A text."""


class OwnVectorString(_Own, DataVectorString):
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
