"""The loops that a root gets when it is initialized without them. They are shown in front of its objects, as SOFA has them.

SPDX-License-Identifier: Apache-2.0
"""

from ._messages import send

_VISUAL = ("DefaultVisualManagerLoop", "VisualManagerLoop", "CompositingVisualLoop")


def add_default_loops(node):
    """Warns of the loop that steps, since it is a choice."""
    present = node._s._objects()
    if not any(member.kind == "animation loop" for member in present):
        send("Warning", node.getName(), "there is no animation loop in the root node: a DefaultAnimationLoop is added", node)
        _add(node, "DefaultAnimationLoop")
    if not any(member.class_name in _VISUAL for member in present):
        _add(node, "DefaultVisualManagerLoop")


def _add(node, class_name):
    node.__dict__.setdefault("_front", []).insert(0, node._s._add_object(class_name, [("name", class_name)]))
