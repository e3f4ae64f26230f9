"""Controllers: objects written in Python that get the events of a scene.

SPDX-License-Identifier: Apache-2.0
"""

import traceback

import settee
from ._base import Object, wrap
from ._messages import deliver, send

_WITH_DT = ("AnimateBeginEvent", "AnimateEndEvent")
_WITH_KEY = ("KeypressedEvent", "KeyreleasedEvent")


class PythonController(settee.Controller):
    """The component of the engine behind a controller."""

    def init(self):
        target = wrap(self)
        method = getattr(type(target), "init", None)
        if getattr(self.scene, "_asked", False) and method is not None and method is not Object.init:
            self._guarded(target, lambda: target.init())

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
        """An exception is a message of the controller; the step goes on."""
        try:
            return call()
        except Exception as error:
            text = "".join(traceback.format_exception(error))
            send("Error", f"{target.getClassName()}({target.getName()})", text, target)
            return None


class _Constructed(type(Object)):
    """A class that forgets to call the __init__ of its base gets an error that says so."""

    def __call__(cls, *arguments, **values):
        made = super().__call__(*arguments, **values)
        if "_s" not in made.__dict__:
            raise TypeError(f"{cls.__name__}.__init__ must call the __init__ of its base class")
        return made


class Controller(Object, metaclass=_Constructed):
    """Derive from it, call its __init__, define onAnimateBeginEvent(self, event) and its like. It begins in a scene of its
    own, and moves when it is added to a node."""

    def __init__(self, *arguments, **values):
        del arguments
        scene = settee.Scene()
        scene.listen(lambda diagnostic: deliver(scene, diagnostic))
        scene.register(PythonController)
        self._bind(scene.root._add_object("PythonController", [("name", "unnamed")]))
        object.__setattr__(self, "_free", True)  # in no node
        for name, value in values.items():
            if name in self._tables():
                setattr(self, name, value)

    def _handler(self, name):
        found = self.__dict__.get(name) or getattr(type(self), name, None)
        if found is None:
            return None
        return found if name in self.__dict__ else found.__get__(self)

    def getClassName(self):
        return type(self).__name__

    def getContext(self):
        return None if self.__dict__.get("_free") else super().getContext()

    def _make_in(self, node):
        """The component of the engine in another node."""
        node.scene.register(PythonController)
        return node._add_object("PythonController", [])
