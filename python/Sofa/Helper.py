"""Messages and the version.

SPDX-License-Identifier: Apache-2.0
"""

import os

import settee
from ._base import Base
from ._files import FileRepository
from ._messages import MessageHandler, send

__all__ = ["GetVersion", "MessageHandler", "System", "Utils", "msg_deprecated", "msg_error", "msg_fatal", "msg_info",
           "msg_warning"]


def GetVersion():
    """The version of SOFA whose interface this is."""
    return "v26.12"


class System:
    """Files."""

    FileRepository = FileRepository


class Utils:
    """Folders."""

    @staticmethod
    def GetSofaUserLocalDirectory():
        return os.path.expanduser("~/.config/settee")

    @staticmethod
    def GetSofaDataDirectory():
        """Where scenes and meshes of this package are."""
        return os.path.join(os.path.dirname(settee.__file__), "share", "settee")


def _message(kind):
    def message(*arguments):
        if not 1 <= len(arguments) <= 4:
            raise TypeError(f"1 to 4 arguments are expected, {len(arguments)} are given")
        emitter, text = ("PythonScript", arguments[0]) if len(arguments) in (1, 3) else arguments[:2]
        if not isinstance(emitter, (str, Base)):
            raise TypeError(f"{emitter!r} is no text and no object")
        component = emitter if isinstance(emitter, Base) else None
        send(kind, component.getName() if component is not None else emitter, str(text), component)

    return message


msg_info, msg_warning, msg_error = _message("Info"), _message("Warning"), _message("Error")
msg_deprecated, msg_fatal = _message("Deprecated"), _message("Fatal")
