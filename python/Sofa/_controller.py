"""Controllers: objects written in Python that get the events of a scene.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from ._scripted import Scripted, ScriptedObject


class PythonController(Scripted, settee.Controller):
    """The component of the engine behind a controller."""


class Controller(ScriptedObject):
    """Derive from it, call its __init__, define onAnimateBeginEvent(self, event) and its like."""

    _component = PythonController

    def __init__(self, *arguments, **values):
        del arguments
        super().__init__(**values)


class Component(Controller):
    """The same under another name."""
