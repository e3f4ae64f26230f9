"""Prefabs: nodes that build themselves from parameters, and again when a parameter changes.

SPDX-License-Identifier: Apache-2.0
"""

import inspect

from ._base import Node
from ._messages import send, told


class RawPrefab(Node):
    """The base: parameters by addPrefabParameter, the content by doReInit."""

    def __init__(self, *names, **values):
        super().__init__(names[0] if names else values.pop("name", type(self).__name__), **values)
        self.__dict__.update(_parameters=[], _building=False, _built=False)

    def addPrefabParameter(self, name, help="", type="", default=None):
        self.addData(name=name, help=help, type=type, default=default)
        self._parameters.append(name)

    def getClassName(self):
        return "Prefab"

    def doReInit(self):
        """Defined by prefabs that build their content here."""

    def _rebuild(self):
        """Empties the node and builds its content; what the content writes does not build again."""
        self.__dict__["_building"] = True
        try:
            for item in list(self._s._objects()) + list(self._s._children()):
                item.remove()
            for data in self._own.values():
                data._forget_removed()
            if type(self).doReInit is not RawPrefab.doReInit:
                self.doReInit()
            elif self._builds_in_init():
                self.init()
        finally:
            self.__dict__.update(_building=False, _built=True)
        if self._s.scene.is_initialized:
            self._s.init()

    def _builds_in_init(self):
        return type(self).init not in (RawPrefab.init, Prefab.init)

    def init(self):
        if not self._building:
            self._rebuild()

    reinit = _rebuild

    def _own_changed(self, name):
        if self.__dict__.get("_built") and not self._building and name in self._parameters:
            self._rebuild()


class Prefab(RawPrefab):
    """Derive from it, list prefabParameters and prefabData, build the content in init or doReInit."""

    prefabParameters = []
    prefabData = []

    def __init__(self, *names, **values):
        super().__init__(*names, **{k: v for k, v in values.items() if k in ("name", "dt", "gravity", "activated")})
        self.addData(name="prefabname", type="string", value=type(self).__name__, help="class of the prefab")

        # where it goes
        if "parent" in values and "parents" in values:
            send("Error", self.getName(), "parent and parents are given; parent is taken", self)
        for parent in [values["parent"]] if "parent" in values else values.get("parents", ()):
            parent.addChild(self)

        # its Data
        for given in [*self.prefabParameters, *getattr(self, "properties", ())]:
            self._declare(given, values)
            self._parameters.append(given["name"])
        for given in self.prefabData:
            self._declare(given, values)
        lines = [f"- {p['name']} ({p['type']}): {p.get('help', '')}" for p in self.prefabParameters]
        self.addData(name="docstring", type="string", value="\n".join([type(self).__doc__ or "", *lines]),
                     help="what the prefab is")

        # its content
        if self._builds_in_init():
            self.__dict__["_building"] = True
            try:
                self.init()
            finally:
                self.__dict__.update(_building=False, _built=True)
        else:
            self._rebuild()

    def _declare(self, given, values):
        if "name" not in given or "type" not in given:
            raise TypeError(f"{type(self).__name__}: a parameter needs a name and a type, {given!r} is given")
        name = given["name"]
        value = values.get(name)
        self.addData(name=name, type=given["type"], help=given.get("help", ""), value=value, default=given.get("default"))

    def init(self):
        super().init()


def pyType2sofaType(value):
    """The type of Data that a value of Python needs; None: there is none."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (list, tuple)):
        return "Vec3d" if len(value) == 3 else "vector<double>"
    return {str: "string", int: "int", float: "double"}.get(type(value))


def PrefabBuilder(function):
    """Makes a prefab of a function f(self, a=..., b=...): it builds the content, and again when a parameter changes."""
    defaults = {name: p.default for name, p in inspect.signature(function).parameters.items()
                if p.default is not inspect.Parameter.empty}

    class Built(RawPrefab):
        def doReInit(self):
            try:
                function(self, **{name: _plain(self._own[name].value, defaults[name]) for name in defaults})
            except Exception as error:
                send("Error", self.getName(), told(error), self)

    Built.__name__ = function.__name__

    def build(name=function.__name__, **values):
        made = Built(name=name)
        for key, default in defaults.items():
            made.addPrefabParameter(key, type=pyType2sofaType(default), default=default)
        for key, value in values.items():
            if key not in defaults:
                raise TypeError(f"{function.__name__} has no parameter {key}")
            setattr(made, key, value)
        made.init()
        return made

    build.__doc__, build.__name__ = function.__doc__, function.__name__
    return build


def _plain(value, default):
    """A parameter as the function declares it."""
    if isinstance(default, bool):
        return bool(value)
    return value.tolist() if isinstance(default, (list, tuple)) else value
