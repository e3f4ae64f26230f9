"""Objects written in Python: what controllers, force fields, mappings and engines share.

Such an object begins in a scene of its own. When it is added to a node, its component is made again there, and links that
it was given are set.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from ._base import Base, Object, wrap
from ._data import LINK, LinkPath
from ._messages import deliver, send, told

_WITH_DT = ("AnimateBeginEvent", "AnimateEndEvent")
_WITH_KEY = ("KeypressedEvent", "KeyreleasedEvent")


class Scripted:
    """What the component of the engine behind such an object does in any case: initialization and events."""



    def init(self):
        target = wrap(self)
        method = getattr(type(target), "init", None)
        if getattr(self.scene, "_asked", False) and method is not None and method is not Object.init:
            self._guarded(target, target.init)

    def event(self, name, dt, key, data):
        """The handler is looked up each time: it may be replaced."""
        target = wrap(self)
        handler = target._handler("on" + name) or target._handler("onEvent")
        if handler is None:
            return False
        event = {"type": name, "isHandled": False}
        if name in _WITH_DT:
            event["dt"] = dt
        elif name in _WITH_KEY:
            event["key"] = chr(key)
        elif name == "PythonScriptEvent":
            event["sender"], event["event_name"], event["userData"] = data
        result = self._guarded(target, lambda: handler(event))
        if result is not None and not isinstance(result, (bool, int, float)):
            raise RuntimeError(f"{target.getPathName()}: on{name} has returned {result!r}, which is no number")
        return bool(result)

    @staticmethod
    def _guarded(target, call):
        """An exception is a message of the object; the step goes on."""
        try:
            return call()
        except Exception as error:
            send("Error", f"{target.getClassName()}({target.getName()})", told(error), target)
            return None


class _Constructed(type(Object)):
    """A class that forgets to call the __init__ of its base gets an error that says so."""

    def __call__(cls, *arguments, **values):
        made = super().__call__(*arguments, **values)
        if "_s" not in made.__dict__:
            raise TypeError(f"{cls.__name__}.__init__ must call the __init__ of its base class")
        return made


class ScriptedObject(Object, metaclass=_Constructed):
    """Base of all classes that scripts derive from."""

    _component = None  # class of the component behind it
    _template = None

    def __init__(self, **values):
        scene = settee.Scene()
        scene.listen(lambda diagnostic: deliver(scene, diagnostic))
        self._bind(self._component_in(self._first_node(scene.root), [("name", "unnamed")]))
        self.__dict__["_free"] = True  # in no node
        self.__dict__["_wanted"] = {}  # links, set when it is added to a node
        self._give(values)

    def _give(self, values):
        """Arguments that are Data or links; others are for the class of the script."""
        for name, value in values.items():
            if name in self._tables():
                setattr(self, name, value)

    @staticmethod
    def _state(node, template):
        """A state, so that the engine makes a component that needs one."""
        return node._add_object("MechanicalObject", [("template", template)])

    def _first_node(self, root):
        """The node in which it begins."""
        return root

    def _component_in(self, node, attributes):
        node.scene.register(self._component)
        template = [("template", self._template)] if self._template else []
        return node._add_object(self._component.__name__, template + attributes)

    def _make_in(self, node):
        return self._component_in(node, [(name, str(path)) for name, path in self._wanted.items()])

    def __setattr__(self, name, value):
        table = self._tables().get(name) if self.__dict__.get("_free") and isinstance(value, (LinkPath, str)) else None
        if table is None or table["scalar"] != LINK:
            super().__setattr__(name, value)
        elif isinstance(value, LinkPath) and not isinstance(value.target(), Base):
            raise RuntimeError(f"the link '{name}' leads to objects, not to Data")
        else:
            self._wanted[table["name"]] = value

    def _handler(self, name):
        found = self.__dict__.get(name) or getattr(type(self), name, None)
        if found is None:
            return None
        return found if name in self.__dict__ else found.__get__(self)

    def getClassName(self):
        return type(self).__name__

    def getContext(self):
        return None if self.__dict__.get("_free") else super().getContext()

    def _undefined(self, method):
        return RuntimeError(f"{self.getClassName()} ({self.getPathName()}) does not define {method}")
