"""Exporters that a script can tell to write now.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from Sofa._base import _CLASSES, Object


class _Exporter(Object):
    def write(self):
        """Writes the file now; True when it could."""
        try:
            self._s._export()
        except settee.Error:
            return False
        return True


class STLExporter(_Exporter):
    """A surface as an STL file."""


class VisualModelOBJExporter(_Exporter):
    """All visual models below its node as one OBJ file."""


_CLASSES.update({"STLExporter": STLExporter, "VisualModelOBJExporter": VisualModelOBJExporter})
