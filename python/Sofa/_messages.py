"""Messages: those of the engine and of scripts, to handlers or to standard error.

SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import traceback

_HERE = os.path.dirname(__file__)

_TYPES = ("Info", "Info", "Deprecated", "Warning", "Error", "Fatal")  # in order of st_severity
_handlers = []
program = None  # prints messages in place of standard error: the program around Python
_saying = False  # does the program print now what a script says?
keeping = False  # do objects keep their messages? From SofaRuntime.init on


def log_of(base):
    """The messages that an object has kept."""
    return base.__dict__.setdefault("_log", [])


def send(kind, sender, text, component=None, place=""):
    """Gives a message to the handlers that listen; without any, all but information is printed."""
    global _saying
    _hand_out(kind, sender, text, component)
    if program is not None:
        _saying = True
        try:
            program(kind, sender, text, component)
        finally:
            _saying = False
    elif not _handlers:
        _print(kind, sender, place + text)


def _hand_out(kind, sender, text, component):
    if keeping and component is not None:
        log_of(component).append(f"[{kind.upper()}] {text}")
    message = {"type": kind, "isEmpty": not text, "sender": sender, "message": text, "component": component}
    for handler in list(_handlers):
        handler.process(message)


def _print(kind, sender, text):
    if kind != "Info":
        print(f"[{kind.upper()}] [{sender}] {text}", file=sys.stderr)


def told(error):
    """An exception of a script with its traceback, without the part that is here."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and os.path.dirname(trace.tb_frame.f_code.co_filename) == _HERE:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def deliver(scene, diagnostic):
    """A message of the engine."""
    from ._base import wrap

    if _saying:
        return
    component = None
    if diagnostic.path and not scene.closed and diagnostic.path in scene:
        component = wrap(scene._find(diagnostic.path))
    place = f"{diagnostic.file}:{diagnostic.line}: " if diagnostic.file else ""
    kind, sender = _TYPES[diagnostic.severity], diagnostic.component or "settee"
    _hand_out(kind, sender, diagnostic.text, component)
    if program is None and not _handlers:
        _print(kind, sender, place + diagnostic.text)


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
