"""Small vectors: Vec1d to Vec12d, Vec1f to Vec12f, Vec1i to Vec12i.

SPDX-License-Identifier: Apache-2.0
"""

import math

import numpy as np


class Vec:
    """A vector of fixed length. Classes of their own give length and type."""

    size = 0
    dtype = float

    def __init__(self, *values):
        if len(values) == 1 and hasattr(values[0], "__len__"):
            values = tuple(values[0])
        if len(values) not in (0, self.size):
            raise TypeError(f"{type(self).__name__} has {self.size} numbers, {len(values)} are given")
        self._numbers = np.array(values, self.dtype) if values else np.zeros(self.size, self.dtype)

    def __len__(self):
        return self.size

    def __iter__(self):
        return iter(self._numbers.tolist())

    def __getitem__(self, index):
        return self._numbers[index].tolist()

    def __setitem__(self, index, value):
        self._numbers[index] = value

    def __array__(self, dtype=None):
        return np.array(self._numbers, dtype)

    def _made(self, numbers):
        return type(self)(*numbers)

    def __add__(self, other):
        return self._made(self._numbers + np.asarray(other))

    def __sub__(self, other):
        return self._made(self._numbers - np.asarray(other))

    def __mul__(self, other):
        """With a vector: the scalar product."""
        if isinstance(other, Vec):
            return self.dot(other)
        return self._made(self._numbers * other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._made(self._numbers / other)

    def __neg__(self):
        return self._made(-self._numbers)

    def __eq__(self, other):
        return isinstance(other, Vec) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self))})"

    def dot(self, other):
        return float(np.dot(self._numbers, np.asarray(other)))

    def cross(self, other):
        if self.size != 3:
            raise TypeError("a cross product is that of two vectors of 3 numbers")
        return self._made(np.cross(self._numbers, np.asarray(other)))

    def norm2(self):
        return self.dot(self)

    def norm(self):
        return math.sqrt(self.norm2())

    def normalized(self):
        length = self.norm()
        return self._made(self._numbers / length) if length > 0 else self._made(self._numbers)

    def normalize(self):
        self._numbers = self.normalized()._numbers

    def sum(self):
        return self._numbers.sum().tolist()

    def fill(self, value):
        self._numbers[:] = value

    def clear(self):
        self.fill(0)

    def set(self, *values):
        self._numbers[:] = type(self)(*values)._numbers


def _component(index):
    return property(lambda self: self[index], lambda self, value: self.__setitem__(index, value))


for _size in range(1, 13):
    for _letter, _type in (("d", float), ("f", np.float32), ("i", np.int32)):
        _name = f"Vec{_size}{_letter}"
        globals()[_name] = type(_name, (Vec,), {"size": _size, "dtype": _type, "__doc__": f"{_size} numbers.",
                                                **{axis: _component(i) for i, axis in enumerate("xyzw"[:_size])}})
