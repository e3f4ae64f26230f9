"""Plug-ins: everything of SOFA that settee has is built in.

SPDX-License-Identifier: Apache-2.0
"""

from Sofa._messages import send


def importPlugin(name):
    """True for modules of SOFA, which are built in; False, with an error message, for others."""
    known = name == "SofaPython3" or name == "Sofa" or name.startswith(("Sofa.Component", "Sofa.GL", "Sofa.GUI"))
    if not known:
        send("Error", "PluginManager", f"the plug-in '{name}' is not known")
    return known
