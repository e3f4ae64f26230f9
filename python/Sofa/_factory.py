"""What components there are, from their tables.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os

import settee


class ClassEntry:
    """A class of components."""

    def __init__(self, table):
        self.className = table["name"]
        self.aliases = table["aliases"].split()
        self.description = table["help"]
        self.authors, self.license = "", ""
        self.templates = [",".join(part + "d" if part[-1:].isdigit() else part for part in t.split(","))
                          for t in table["templates"].split()]
        self.defaultTemplate = self.templates[0] if self.templates else ""
        self.dataAlias = {f["name"]: f["aliases"].split() for f in table["fields"] if f["aliases"]}
        self.targets, self.locations = ["settee"], [settee.__file__]

    def __repr__(self):
        return f"<ClassEntry {self.className}>"


class _Factory(type):
    @property
    def components(cls):
        return [_entry(index) for _, index in settee._settee.class_names()]

    targets = property(lambda cls: ["settee"])


def _entry(index):
    return ClassEntry(settee._settee.describe_class(index))


class ObjectFactory(metaclass=_Factory):
    """All classes of components."""

    @staticmethod
    def getComponent(name):
        found = settee._settee.class_by_any_name(name)[0]
        if found is None:
            raise ValueError(f"there is no component '{name}'")
        return _entry(dict(settee._settee.class_names())[found])

    @staticmethod
    def getComponentsFromTarget(target):
        return ObjectFactory.components if target in ObjectFactory.targets else []

    @staticmethod
    def shortName(name):
        """The name of an object of a class, as scripts use it: without capitals at the beginning."""
        return name[:1].lower() + name[1:]

    @staticmethod
    def dump_json():
        return json.dumps([vars(entry) for entry in ObjectFactory.components])


class TaskScheduler:
    """Threads belong to each scene (settee run --threads); a script finds how many there could be."""

    @staticmethod
    def GetHardwareThreadsCount():
        return os.cpu_count() or 1
