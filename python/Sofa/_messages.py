"""Messages: those of the engine and of scripts, to handlers or to standard error.

SPDX-License-Identifier: Apache-2.0
"""

import sys

_TYPES = ("Info", "Info", "Deprecated", "Warning", "Error", "Fatal")  # in order of st_severity
_handlers = []


def send(kind, sender, text, component=None, place=""):
    """Gives a message to the handlers that listen; without any, all but information is printed."""
    message = {"type": kind, "isEmpty": not text, "sender": sender, "message": text, "component": component}
    for handler in list(_handlers):
        handler.process(message)
    if not _handlers and kind != "Info":
        print(f"[{kind.upper()}] [{sender}] {place}{text}", file=sys.stderr)


def deliver(scene, diagnostic):
    """A message of the engine."""
    from ._base import wrap

    component = None
    if diagnostic.path and not scene.closed and diagnostic.path in scene:
        component = wrap(scene._find(diagnostic.path))
    place = f"{diagnostic.file}:{diagnostic.line}: " if diagnostic.file else ""
    send(_TYPES[diagnostic.severity], diagnostic.component or "settee", diagnostic.text, component, place)


class MessageHandler:
    """Derive from it, define process(self, message), use it with `with`."""

    def __init__(self):
        pass

    def process(self, message):
        raise NotImplementedError("a MessageHandler defines process(self, message)")

    def __enter__(self):
        _handlers.append(self)
        return self

    def __exit__(self, *exception):
        _handlers.remove(self)
        return False
