"""Where scenes look for files: SofaRuntime.DataRepository and PluginRepository.

SPDX-License-Identifier: Apache-2.0
"""

import builtins
import os
import re


class FileRepository:
    """Folders, in the order in which they are looked into."""

    def __init__(self, paths=(), variable=None):
        self._variable = variable
        self._paths = [os.fspath(path) for path in paths]
        if variable:
            self._paths += [p for p in os.environ.get(variable, "").split(os.pathsep) if p]

    def addFirstPath(self, path):
        self.removePath(path)
        self._paths.insert(0, os.fspath(path))

    def addLastPath(self, path):
        self.removePath(path)
        self._paths.append(os.fspath(path))

    def removePath(self, path):
        path = os.fspath(path)
        self._paths = [p for p in self._paths if p != path]

    def clear(self):
        self._paths.clear()

    def getPaths(self):
        return list(self._paths)

    def getPathsJoined(self):
        return self.entrySeparator().join(self._paths)

    def getFirstPath(self):
        return self._paths[0] if self._paths else ""

    @staticmethod
    def entrySeparator():
        return os.pathsep

    def _find(self, name, base=""):
        for folder in [base or os.getcwd(), *self._paths]:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                return os.path.abspath(path)
        return None

    def findFile(self, name, base=""):
        """Is there such a file?"""
        return self._find(name, base) is not None

    def getFile(self, name, base=""):
        """Its path, or the name as it is when there is none."""
        return self._find(name, base) or name

    def findFileFromFile(self, name, file):
        return self.findFile(name, os.path.dirname(file))

    def relativeToPath(self, path, folder):
        """The part of a path below a folder; the path itself when it is elsewhere."""
        path, folder = os.path.abspath(path), os.path.abspath(folder)
        return os.path.relpath(path, folder) if path.startswith(folder + os.sep) else path

    def print(self):
        builtins.print(self.getPathsJoined())


_WRITES = re.compile(r"(Exporter|Monitor)$|^Write")  # classes whose files are results


def found(what, key, text):
    """The value of an attribute of a component; of a file to read that is in a folder of DataRepository its path."""
    if not key.lower().startswith("file") or not text or text.startswith("@") or _WRITES.search(what):
        return text
    path = data._find(text) if data.getPaths() else None
    return path if path and os.path.isfile(path) else text


data = FileRepository(variable="SETTEE_DATA_PATH")
plugins = FileRepository(variable="SETTEE_PLUGIN_PATH")
