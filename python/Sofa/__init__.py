"""SofaPython3's interface on settee: nodes, objects, Data, links, stepping, matrices.

docs/from-sofapython3.md says what is here and what is not.

SPDX-License-Identifier: Apache-2.0
"""

import SofaTypes

from . import Core, Helper, Simulation, Types, constants
from ._prefab import Prefab, PrefabBuilder, pyType2sofaType
from ._scenes import import_sofa_python_scene, unloadModules
from .Helper import GetVersion, msg_deprecated, msg_error, msg_info, msg_warning

__all__ = ["Core", "GetVersion", "Helper", "Prefab", "PrefabBuilder", "Simulation", "SofaTypes", "Types", "constants",
           "import_sofa_python_scene", "msg_deprecated", "msg_error", "msg_info", "msg_warning", "pyType2sofaType",
           "unloadModules"]
