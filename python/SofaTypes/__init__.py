"""Small vectors and matrices, and quaternions: Vec1d to Vec12d, Vec1f to Vec12f, Vec1i to Vec12i, Mat1x1 to Mat4x4, Quat.

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


def _swizzle(count):
    def write(self, values):
        self._numbers[:count] = values

    return property(lambda self: globals()[f"Vec{count}{type(self).__name__[-1]}"](*self._numbers[:count].tolist()), write)


for _size in range(1, 13):
    for _letter, _type in (("d", float), ("f", np.float32), ("i", np.int32)):
        _name = f"Vec{_size}{_letter}"
        globals()[_name] = type(_name, (Vec,), {"size": _size, "dtype": _type, "__doc__": f"{_size} numbers.",
                                                **{axis: _component(i) for i, axis in enumerate("xyzw"[:_size])},
                                                **{"xyzw"[:n]: _swizzle(n) for n in (2, 3, 4) if n <= _size}})


class Mat:
    """A matrix of fixed size. Classes of their own give it."""

    shape = (0, 0)

    def __init__(self, *values):
        """Nothing: zeros; a list of numbers or rows, or the rows."""
        given = values[0] if len(values) == 1 else values
        numbers = np.zeros(self.shape) if not values else np.array([np.asarray(row, float) for row in given]).ravel()
        if numbers.size != self.shape[0] * self.shape[1]:
            raise TypeError(f"{type(self).__name__} has {self.shape[0] * self.shape[1]} numbers, {numbers.size} are given")
        self._numbers = numbers.reshape(self.shape)

    @classmethod
    def Identity(cls):
        return cls(np.eye(*cls.shape))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        found = self._numbers[index]
        return globals()[f"Vec{self.shape[1]}d"](*found) if found.ndim == 1 else found.tolist()

    def __setitem__(self, index, value):
        self._numbers[index] = np.asarray(value, float)

    def __array__(self, dtype=None):
        return np.array(self._numbers, dtype)

    def row(self, index):
        return self[index]

    def col(self, index):
        return globals()[f"Vec{self.shape[0]}d"](*self._numbers[:, index])

    def __add__(self, other):
        return type(self)(self._numbers + np.asarray(other))

    def __sub__(self, other):
        return type(self)(self._numbers - np.asarray(other))

    def __mul__(self, other):
        """With a matrix or a vector: their product."""
        if isinstance(other, Mat):
            return _matrix(self._numbers @ other._numbers)
        if isinstance(other, Vec):
            return globals()[f"Vec{self.shape[0]}d"](*(self._numbers @ np.asarray(other)))
        return type(self)(self._numbers * other)

    def __neg__(self):
        return type(self)(-self._numbers)

    def __eq__(self, other):
        return isinstance(other, Mat) and np.array_equal(self._numbers, other._numbers)

    __hash__ = None

    def __repr__(self):
        return f"{type(self).__name__}({self._numbers.tolist()})"

    def transposed(self):
        return _matrix(self._numbers.T)

    def inverted(self):
        """ValueError for a singular matrix."""
        try:
            return type(self)(np.linalg.inv(self._numbers))
        except np.linalg.LinAlgError as error:
            raise ValueError(f"{self!r} has no inverse: {error}") from error

    def trace(self):
        return float(self._numbers.trace())


def _matrix(numbers):
    name = f"Mat{numbers.shape[0]}x{numbers.shape[1]}"
    if name not in globals():
        raise TypeError(f"there is no {name}")
    return globals()[name](numbers)


for _rows, _columns in ((1, 1), (2, 2), (3, 3), (3, 4), (4, 4)):
    _name = f"Mat{_rows}x{_columns}"
    globals()[_name] = type(_name, (Mat,), {"shape": (_rows, _columns), "__doc__": f"{_rows} × {_columns} numbers."})


class Quat(Vec):
    """A rotation as x, y, z, w; without numbers none at all."""

    size = 4
    x, y, z, w = map(_component, range(4))

    def __init__(self, *values):
        super().__init__(*(values or (0, 0, 0, 1)))

    @staticmethod
    def fromMatrix(matrix):
        """Of a rotation matrix."""
        m = np.asarray(matrix, float)
        # the largest of the four squares is divided by
        squares = [1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2],
                   1 + np.trace(m)]
        k = int(np.argmax(squares))
        half = math.sqrt(squares[k]) / 2
        if k == 3:
            xyz = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / (4 * half)
            return Quat(*xyz, half)
        i, j, n = k, (k + 1) % 3, (k + 2) % 3
        q = np.empty(4)
        q[i], q[j], q[n] = half, (m[j, i] + m[i, j]) / (4 * half), (m[n, i] + m[i, n]) / (4 * half)
        q[3] = (m[n, j] - m[j, n]) / (4 * half)
        return Quat(*q)

    @staticmethod
    def createFromAxisAngle(axis, angle):
        axis = np.asarray(axis, float)
        return Quat(*(axis / np.linalg.norm(axis) * math.sin(angle / 2)), math.cos(angle / 2))

    @staticmethod
    def createFromRotationVector(vector):
        """About the vector, by its length."""
        angle = float(np.linalg.norm(vector))
        return Quat.createFromAxisAngle(vector, angle) if angle > 0 else Quat()

    @staticmethod
    def createFromEuler(angles):
        """About x, then y, then z, all of them fixed axes."""
        x, y, z = (Quat.createFromAxisAngle(axis, angle) for axis, angle in zip(np.eye(3), angles))
        return z * y * x

    def __mul__(self, other):
        """With a rotation: that one first, then this."""
        if not isinstance(other, Quat):
            return Vec.__mul__(self, other)
        a, b, v, w = self._numbers[:3], other._numbers[:3], self.w, other.w
        return Quat(*(v * b + w * a + np.cross(a, b)), v * w - a @ b)

    def inverse(self):
        return Quat(-self.x, -self.y, -self.z, self.w)

    def rotate(self, vector):
        """A vector, turned."""
        v, q = np.asarray(vector, float), self._numbers[:3]
        turned = v + 2 * np.cross(q, np.cross(q, v) + self.w * v)
        return Vec3d(*turned)  # noqa: F821, made above

    def inverseRotate(self, vector):
        return self.inverse().rotate(vector)

    def toMatrix(self):
        return Mat3x3([list(self.rotate(axis)) for axis in np.eye(3)]).transposed()  # noqa: F821

    def toEulerVector(self):
        """Angles about the fixed axes x, y, z, as createFromEuler takes them."""
        x, y, z, w = self._numbers
        sine = min(max(2 * (w * y - z * x), -1.0), 1.0)
        return Vec3d(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(sine),  # noqa: F821
                     math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))

    def getAxis(self):
        length = np.linalg.norm(self._numbers[:3])
        return Vec3d(*(self._numbers[:3] / length)) if length > 0 else Vec3d(0, 0, 1)  # noqa: F821

    def getAngle(self):
        return 2 * math.atan2(float(np.linalg.norm(self._numbers[:3])), self.w)
