"""Exceptions and messages: what a status of the engine and its diagnostics become in Python.

SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import warnings
from typing import NamedTuple, Optional


class Diagnostic(NamedTuple):
    """One message of the engine."""

    severity: int  # index into SEVERITIES
    file: Optional[str]
    line: int
    path: Optional[str]
    component: Optional[str]
    text: str

    def __str__(self):
        # a file without a line is named once: messages about writing have its name in their text
        place = f"{self.file}:{self.line}: " if self.file and self.line > 0 else ""
        if self.file and not place and f"{self.file}: " not in self.text:
            place = f"{self.file}: "
        where = self.component or ""
        if self.path and self.path != where:
            where = f"{where} at {self.path}" if where else self.path
        return f"{place}{where}: {self.text}" if where else f"{place}{self.text}"


SEVERITIES = ("info", "notice", "deprecated", "warning", "error", "fatal")
INFO, NOTICE, DEPRECATED, WARNING, ERROR, FATAL = range(6)


class SetteeWarning(UserWarning):
    """A warning of the engine."""


class SetteeDeprecationWarning(SetteeWarning, DeprecationWarning):
    """Something in a scene works and should be written in another way."""


class Error(RuntimeError):
    """Something failed. It carries the place and the value that it is about, as far as they are known."""

    def __init__(self, message, *, file=None, line=0, path=None, component=None, value=None, diagnostics=()):
        super().__init__(message)
        self.file = file
        self.line = line
        self.path = path
        self.component = component
        self.value = value
        self.diagnostics = tuple(diagnostics)


class InvalidError(Error, ValueError):
    """The input is wrong: a scene, a mesh, a value."""


class NotFoundError(Error, LookupError):
    """A file, a component, a field or a matrix does not exist."""


class StepError(Error):
    """The simulation cannot go on. The last good state is there to be read."""


class BusyError(Error):
    """The scene is in use: by another thread, or by the step that called the caller."""


class ClosedError(Error):
    """The scene has ended."""


# What an st_status of settee/types.h means; below 0: states that only Python knows.
OK, FAILED, INVALID, NOT_FOUND, OUT_OF_MEMORY, WITH_ERRORS, BUSY, CLOSED, FORKED = 0, 1, 2, 3, 4, 5, 6, -1, -2
_MEANINGS = {
    FAILED: (StepError, "the simulation cannot go on"),
    INVALID: (InvalidError, "the value does not fit"),
    NOT_FOUND: (NotFoundError, "there is none"),
    BUSY: (BusyError, "the scene is in use, by another thread or by the step that runs"),
    CLOSED: (ClosedError, "the scene is closed"),
    FORKED: (Error, "the scene was made by another process and has threads; make it after the fork, or with threads=1"),
}
_WRITE = ("picture", "save")  # calls that fail for a file, not for the simulation


def _stack_level():
    """How far up the first caller is that is not part of this package."""
    here = os.path.dirname(__file__)
    level, frame = 1, sys._getframe(1)
    while frame and os.path.dirname(frame.f_code.co_filename) == here:
        level, frame = level + 1, frame.f_back
    return level


def _report(diagnostic):
    import logging  # takes a quarter of the time of "import settee"

    logger = logging.getLogger("settee")
    if diagnostic.severity == WARNING:
        warnings.warn(str(diagnostic), SetteeWarning, stacklevel=_stack_level())
    elif diagnostic.severity == DEPRECATED:
        warnings.warn(str(diagnostic), SetteeDeprecationWarning, stacklevel=_stack_level())
    elif diagnostic.severity >= ERROR:
        logger.error("%s", diagnostic)
    else:
        logger.info("%s", diagnostic)


def conclude(scene, status, what, messages, value, failure):
    """Called by the extension module at the end of a call that had something to say."""
    diagnostics = [Diagnostic(*m) for m in messages or ()]
    failed = status in _MEANINGS or status == OUT_OF_MEMORY
    # what a failed call has said is the text of its exception
    reasons = [d for d in diagnostics if d.severity >= ERROR] or [d for d in diagnostics if d.severity == WARNING]
    if not failed:
        reasons = []
    if scene is not None and messages is not None:
        listener = getattr(scene, "_listener", None)
        for diagnostic in diagnostics:
            if listener is not None:
                listener(diagnostic)
            elif diagnostic not in reasons:
                _report(diagnostic)

    # an exception of Python code is the reason of what failed
    if failure is not None:
        raise failure
    if status == OUT_OF_MEMORY:
        raise MemoryError(what)
    if failed:
        kind, text = _MEANINGS[status]
        if status == FAILED and what in _WRITE:
            kind = Error
        last = reasons[-1] if reasons else None
        message = "\n".join(str(d) for d in reasons) if reasons else f"{what}: {text}"
        raise kind(message, file=last.file if last else None, line=last.line if last else 0,
                   path=last.path if last else None, component=last.component if last else None, value=value,
                   diagnostics=diagnostics)
