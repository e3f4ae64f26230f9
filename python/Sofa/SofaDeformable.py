"""Springs of a SpringForceField, one by one.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from ._base import _CLASSES
from ._matrices import EngineForce


class LinearSpring:
    """A spring with a damper between two points."""

    def __init__(self, index1=0, index2=0, springStiffness=100.0, dampingFactor=5.0, restLength=0.0, elongationOnly=False,
                 enabled=True):
        self.index1, self.index2 = int(index1), int(index2)
        self.springStiffness, self.dampingFactor, self.restLength = springStiffness, dampingFactor, restLength
        self.elongationOnly, self.enabled = bool(elongationOnly), bool(enabled)

    def _row(self):
        return [self.index1, self.index2, self.springStiffness, self.dampingFactor, self.restLength]

    def __repr__(self):
        return f"LinearSpring({', '.join(f'{v:g}' for v in self._row())})"


class SpringForceField(EngineForce):
    """Springs between pairs of points."""

    def getSprings(self):
        """Copies."""
        rows = self._s._get("spring")
        flags = (np.resize(self._s._get(name), len(rows)) for name in ("elongationOnly", "enabled"))
        return [LinearSpring(*row, only, on) for row, only, on in zip(rows.tolist(), *flags)]

    def _set(self, springs):
        self._s.set(spring=np.array([s._row() for s in springs]).reshape(-1, 5),
                    elongationOnly=[s.elongationOnly for s in springs], enabled=[s.enabled for s in springs])

    def clear(self, reserve=0):
        del reserve
        self._set([])

    def addSpring(self, *spring):
        """A LinearSpring, or two points, stiffness, damping and rest length."""
        given = spring[0] if len(spring) == 1 and isinstance(spring[0], LinearSpring) else LinearSpring(*spring)
        self._set([*self.getSprings(), given])

    def addSprings(self, springs):
        self._set([*self.getSprings(), *springs])

    def removeSpring(self, index):
        self.removeSprings([index])

    def removeSprings(self, indices):
        springs, gone = self.getSprings(), set(indices)
        for index in gone:
            if not 0 <= index < len(springs):
                raise IndexError(f"{self.getPathName()}: there is no spring {index}; there are {len(springs)}")
        self._set([s for i, s in enumerate(springs) if i not in gone])


_CLASSES["SpringForceField"] = SpringForceField
