"""The camera: how it is turned, and where it is, from each other.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from SofaTypes import Quat
from ._base import _CLASSES, Object


class Camera(Object):
    """A point of view. It looks along -z of its orientation, with y up."""

    @staticmethod
    def getLookAtFromOrientation(position, distance, orientation):
        return (np.asarray(position, float) - distance * _back(orientation)).tolist()

    @staticmethod
    def getPositionFromOrientation(look_at, distance, orientation):
        return (np.asarray(look_at, float) + distance * _back(orientation)).tolist()

    @staticmethod
    def getOrientationFromLookAt(position, look_at):
        """With y up, or x where it looks along y."""
        back = np.asarray(position, float) - np.asarray(look_at, float)
        length = np.linalg.norm(back)
        if length == 0:
            raise ValueError("the camera cannot look at the place where it is")
        back /= length
        up = np.array([1.0, 0, 0]) if abs(back[1]) > 0.999999 else np.array([0, 1.0, 0])
        right = np.cross(up, back)
        right /= np.linalg.norm(right)
        return list(Quat.fromMatrix(np.column_stack([right, np.cross(back, right), back])))


def _back(orientation):
    return np.array(list(Quat(*orientation).rotate([0, 0, 1])))


_CLASSES["BaseCamera"] = Camera
