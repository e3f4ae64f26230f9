"""GUIManager: the browser viewer where the package settee has it, otherwise steps without a picture, as SOFA's batch.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from ._messages import send
from .Simulation import animateNSteps

BATCH_STEPS = 1000


def _has_viewer():
    return callable(getattr(settee, "view", None))


class GUIManager:
    """What the end of a script calls: Init, createGUI, SetDimension, MainLoop, closeGUI."""

    @staticmethod
    def ListSupportedGUI(separator=None):
        names = ["batch"] + (["browser"] if _has_viewer() else [])
        return names if separator is None else separator.join(names)

    @staticmethod
    def Init(program_name, gui_name=""):
        """0. Names of SOFA's windows mean the browser viewer; without it they are not available: 1."""
        del program_name
        GUIManager._batch = gui_name == "batch" or not _has_viewer()
        if gui_name in ("", "batch") or _has_viewer():
            return 0
        names = ", ".join(GUIManager.ListSupportedGUI())
        send("Error", "GUIManager", f"the GUI '{gui_name}' is not available; there is: {names}")
        return 1

    @staticmethod
    def createGUI(node, filename=""):
        del node, filename
        return 0

    @staticmethod
    def MainLoop(node, filename=""):
        """Shows the scene until the user ends it. Without the viewer: a thousand steps."""
        del filename
        if not GUIManager._batch:
            settee.view(node._s.scene)
            return 0
        if not _has_viewer():
            send("Warning", "GUIManager", f"there is no viewer in this package: {BATCH_STEPS} steps are made without a picture")
        animateNSteps(node, BATCH_STEPS)
        return 0

    @staticmethod
    def SaveScreenshot(path):
        """A picture of the scene that was set last."""
        if GUIManager._node is None:
            send("Error", "GUIManager", "no scene is set: SetScene(root) comes first")
        else:
            GUIManager._node._s.scene.save_picture(path)

    @staticmethod
    def SetScene(node, filename=""):
        del filename
        GUIManager._node = node

    @staticmethod
    def closeGUI():
        GUIManager._node = None

    @staticmethod
    def GetGUI():
        """There is no window to get."""

    SetDimension = SetFullScreen = CenterWindow = staticmethod(lambda *size: None)  # the browser's window is its user's

    _batch = True
    _node = None
