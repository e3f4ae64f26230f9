"""Arrays with names for their components: for data.writeableArray(RGBAColor).

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np


def _component(index):
    return property(lambda self: self[..., index], lambda self, value: self.__setitem__((..., index), value))


class _Named(np.ndarray):
    def __new__(cls, array):
        return np.asarray(array).view(cls)


class Vec3(_Named):
    """x, y, z of each row."""

    x, y, z = map(_component, range(3))


class RGBAColor(_Named):
    """r, g, b, a of each row."""

    r, g, b, a = map(_component, range(4))
