"""Colors, and the class of the Data `bbox`.

SPDX-License-Identifier: Apache-2.0
"""

from ._data import BoundingBox

__all__ = ["BoundingBox", "RGBAColor"]

_NAMED = {"white": (1, 1, 1), "black": (0, 0, 0), "red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1),
          "cyan": (0, 1, 1), "magenta": (1, 0, 1), "yellow": (1, 1, 0), "gray": (0.5, 0.5, 0.5)}


class RGBAColor:
    """A color: nothing for white, four numbers, a sequence of four, or a name."""

    def __init__(self, *values):
        if len(values) == 1 and isinstance(values[0], str):
            if values[0] not in _NAMED:
                raise ValueError(f"'{values[0]}' is no color; one of: {', '.join(sorted(_NAMED))}")
            values = (*_NAMED[values[0]], 1)
        elif len(values) == 1:
            values = tuple(values[0])
        if len(values) not in (0, 4):
            raise TypeError(f"a color has 4 numbers, {len(values)} are given")
        self._values = tuple(float(v) for v in values or (1, 1, 1, 1))

    def r(self):
        return self._values[0]

    def g(self):
        return self._values[1]

    def b(self):
        return self._values[2]

    def a(self):
        return self._values[3]

    def lighten(self, factor):
        """On the way to white by a factor from 0 to 1."""
        factor = min(max(factor, 0.0), 1.0)
        return RGBAColor(*(v + (1 - v) * factor for v in self._values[:3]), self.a())

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return 4

    def __eq__(self, other):
        return isinstance(other, RGBAColor) and self._values == other._values

    def __hash__(self):
        return hash(self._values)

    def __repr__(self):
        return f"RGBAColor({','.join(format(v, 'g') for v in self._values)})"
