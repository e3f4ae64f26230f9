"""settee: simulation of soft and rigid bodies from SOFA's scenes.

    import settee

    with settee.load("examples/jelly.scn") as scene:
        scene.step(100)
        print(scene.root.Jelly.dofs.position)
        scene.save_picture("jelly.png")

How it is made: `_settee` is an extension module in C on Python's stable ABI, with a Scene, an Object (node or component)
and a Buffer (memory of the engine). The modules here derive from these: _scene (Scene, load), _objects (Node, Component,
Field), _tables (a Python type for each class of the engine, from its table), _arrays (NumPy and SciPy), _errors
(exceptions, warnings, log), _python_components (components written in Python), _view (the viewer in the browser). `settee.components` has the built-in ones.

SPDX-License-Identifier: Apache-2.0
"""

from . import _arrays, _errors, _settee
from . import _python_components, _scene, _tables, components
from ._arrays import is_current
from ._errors import (BusyError, ClosedError, Diagnostic, Error, InvalidError, NotFoundError, SetteeDeprecationWarning,
                      SetteeWarning, StepError)
from ._objects import Component, Field, Node
from ._python_components import ConstraintLaw, Controller, Engine, ForceField, Mapping, Mass, value
from ._scene import Check, Energy, Phase, Scene, load, loads
from ._view import Viewer, view

_settee.setup(_errors.conclude, _tables.type_of, _arrays.as_array, _arrays.detach, _arrays.normalize,
              _python_components.class_of)

__version__ = _settee.version
build_info = _settee.build_info


def check(scene):
    """Derivatives of all forces, masses and mappings of a scene against finite differences: a list of settee.Check."""
    return scene.check()


__all__ = ["BusyError", "Check", "ClosedError", "Component", "ConstraintLaw", "Controller", "Diagnostic", "Energy",
           "Engine", "Error", "Field", "ForceField", "InvalidError", "Mapping", "Mass", "Node", "NotFoundError", "Phase",
           "Scene", "SetteeDeprecationWarning", "SetteeWarning", "StepError", "Viewer", "build_info", "check", "components",
           "is_current", "load", "loads", "value", "view"]
