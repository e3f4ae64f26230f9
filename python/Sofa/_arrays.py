"""Arrays and sparse rows that methods of scripts get in the form of Data.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from ._data import REAL, DataContainer


class ArrayData(DataContainer):
    """A vector of a state during a call: memory of the engine, read-only where only reading is meant."""

    def __init__(self, owner, name, array):
        super().__init__(owner, name)
        object.__setattr__(self, "_array", array)

    def _table(self):
        return {"help": "vector of a state", "list": True, "width": self._array.shape[1], "required": False, "options": [],
                "scalar": REAL, "type": "vector"}

    def typeName(self):
        return f"vector<Vec{self._array.shape[1]}d>"

    def getValue(self):
        return self._shown(self._array)

    def setValue(self, value):
        given = np.asarray(value.value if isinstance(value, DataContainer) else value, float)
        if given.shape != self._array.shape:
            raise IndexError(f"{self.getPathName()}: an array of shape {given.shape} is given, {self._array.shape} is expected")
        self._array[...] = given

    def _memory(self):
        return self._array.view()

    def _touched(self):
        """Nothing follows it."""

    def getCounter(self):
        return 0

    def isSet(self):
        return True


class Rows:
    """Rows of a sparse Jacobian: `value` is SciPy's, `add` puts a block at a row and a point."""

    def __init__(self, points, width, matrix=None):
        self._points, self._width, self._matrix = points, width, matrix
        self._entries = []

    def add(self, row, point, block):
        numbers = np.asarray(block, float).ravel()
        if numbers.shape != (self._width,):
            raise ValueError(f"a block of {len(numbers)} numbers is given, {self._width} are expected")
        if row < 0 or not 0 <= point < self._points:
            raise IndexError(f"row {row}, point {point}: there are {self._points} points")
        self._entries.append((row, point, numbers))

    def matrix(self, rows):
        """What was added, rows × scalars."""
        import scipy.sparse

        made = scipy.sparse.lil_matrix((rows, self._points * self._width))
        for row, point, numbers in self._entries:
            if row >= rows:
                raise IndexError(f"row {row} is given, there are {rows}")
            made[row, point * self._width:(point + 1) * self._width] += numbers
        return made.tocoo()

    @property
    def value(self):
        if self._matrix is not None:
            return self._matrix
        rows = max((row for row, _, _ in self._entries), default=-1) + 1
        return self.matrix(rows).tocsr()
