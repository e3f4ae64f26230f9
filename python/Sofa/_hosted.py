"""A script as the scene of the program `settee`: its messages are those of the program.

SPDX-License-Identifier: Apache-2.0
"""

from . import _messages, _scenes
from ._base import wrap
from ._messages import deliver

_SEVERITIES = {"Deprecated": "deprecated", "Warning": "warning", "Error": "error", "Fatal": "error"}


def load(scene, path, words):
    """The root that the script has filled, in a scene that the program made."""
    scene.listen(lambda diagnostic: deliver(scene, diagnostic))
    root = wrap(scene.root)
    _messages.program = lambda *message: _say(root, *message)
    _scenes.arguments[:] = words
    return _scenes.load_script(path, root)


def _say(root, kind, sender, text, component):
    """A message of a script, in the name of an object of the scene."""
    found = component if component is not None and component._s.is_attached else root
    if component is None:
        text = f"{sender}: {text}"
    if not found._s.scene.closed:
        found._s.message(_SEVERITIES.get(kind, "info"), text)
