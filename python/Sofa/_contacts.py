"""ContactListener: the contacts of one or two collision models.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import _CLASSES, Object


class ContactListener(Object):
    """Contacts of the last step: between which elements, at which points."""

    def getNumberOfContacts(self):
        return int(self._s._get("numberOfContacts"))

    def getDistances(self):
        return self._s._get("distances").ravel().tolist()

    def getContactPoints(self):
        """Tuples (model, point, model, point); models count from 0."""
        points = self._s._get("points").reshape(-1, 2, 3).tolist()
        return [(0, tuple(a), 1, tuple(b)) for a, b in points]

    def getContactElements(self):
        """Tuples (model, index, model, index)."""
        pairs = self._s._get("elements").reshape(-1, 2).tolist()
        return [(0, a, 1, b) for a, b in pairs]

    def getContactData(self):
        points, elements = self.getContactPoints(), self.getContactElements()
        return {"numberOfContacts": self.getNumberOfContacts(),
                "collisionPointsModel1": [p[1] for p in points], "collisionPointsModel2": [p[3] for p in points],
                "collisionElementsModel1": [e[1] for e in elements], "collisionElementsModel2": [e[3] for e in elements]}


_CLASSES["ContactListener"] = ContactListener
