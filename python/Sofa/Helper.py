"""Messages and the version.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import Base
from ._messages import MessageHandler, send

__all__ = ["GetVersion", "MessageHandler", "msg_deprecated", "msg_error", "msg_fatal", "msg_info", "msg_warning"]


def GetVersion():
    """The version of SOFA whose interface this is."""
    return "v26.12"


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
