"""Plug-ins, file repositories, the timer. Everything of SOFA that settee has is built in.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from Sofa import _messages
from Sofa._base import _CATEGORIES
from Sofa._files import data as DataRepository
from Sofa._files import plugins as PluginRepository
from Sofa._scenes import unloadModules
from Sofa._timer import Timer

__all__ = ["DataRepository", "PluginRepository", "Timer", "auto_load_plugins", "getCategories", "importPlugin", "init",
           "load_plugins_from_ini_file", "unloadModules", "unload_plugin"]

_BUILT_IN = ("SofaPython3", "Sofa", "SoftRobots", "BeamAdapter", "CImgPlugin", "SofaMatrix", "SofaImGui", "SofaQt",
             "SofaSparseSolver", "SofaOpenglVisual", "SofaExporter", "CollisionOBBCapsule", "CSparseSolvers", "SofaValidation",
             "SofaGeneralEngine", "SofaMiscCollision")
_BEGINNINGS = ("Sofa.Component", "Sofa.GL", "Sofa.GUI")


def importPlugin(name):
    """True for modules of SOFA, which are built in; False, with an error message, for others."""
    known = name in _BUILT_IN or name.startswith(_BEGINNINGS)
    if not known:
        _messages.send("Error", "PluginManager", f"the plug-in '{name}' is not known")
    return known


def unload_plugin(name):
    """False: what is built in stays."""
    del name
    return False


def load_plugins_from_ini_file(path):
    """Every plug-in that is named in a file, one to a line."""
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                importPlugin(line.split()[0])


def auto_load_plugins():
    """All of them are there."""


def init():
    """From now on objects keep their messages, and addObject raises when the new one has logged an error."""
    _messages.keeping = True


def getCategories(class_name):
    """What SOFA calls the kind of a class; [] when it is not known."""
    found = settee._settee.class_by_any_name(class_name)[0]
    if found is None:
        return []
    kind = settee._settee.describe_class(dict(settee._settee.class_names())[found])["kind"]
    return [_CATEGORIES[kind]] if kind in _CATEGORIES else []
