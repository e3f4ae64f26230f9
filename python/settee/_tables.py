"""The classes of the engine as Python types, made from its tables when they are first asked for.

SPDX-License-Identifier: Apache-2.0
"""

from . import _settee
from ._objects import Component, Node

_types = {}
_index = None


def index():
    """Number of each built-in class, by name."""
    global _index
    if _index is None:
        _index = dict(_settee.class_names())
    return _index


def describe(name):
    """The table of a built-in class: a dict with its help, kind, templates, example and fields."""
    return _settee.describe_class(index()[name])


def _field_doc(field):
    parts = [field["help"] or field["name"], f"\n\ntype {field['type']}"]
    if field["default"]:
        parts.append(f", default {field['default']}")
    if field["options"]:
        parts.append(f"; one of {', '.join(field['options'])}")
    if field["live"] != "live":
        parts.append(f"; takes effect: {field['live']}")
    return "".join(parts)


def _class_doc(table):
    lines = [table["help"], ""]
    for key in ("kind", "templates", "aliases"):
        if table[key]:
            lines.append(f"{key}: {table[key]}")
    lines += ["", "Fields:"]
    for field in table["fields"]:
        default = f" = {field['default']}" if field["default"] else ""
        lines.append(f"    {field['name']} ({field['type']}{default}): {field['help']}")
    if table["example"]:
        lines += ["", "Example:", "    " + table["example"]]
    return "\n".join(lines)


def add_fields(namespace, fields, base):
    """A descriptor for each field, and for its other names; names of the base itself stay what they are."""
    for field in fields:
        for name in (field["name"], *field["aliases"].split()):
            if name.isidentifier() and not hasattr(base, name) and name not in namespace:
                namespace[name] = _settee.Field(name, _field_doc(field))


def type_of(name, is_node=False):
    """The Python type of a class of the engine. Called by the extension module, too."""
    if is_node:
        return Node
    made = _types.get(name)
    if made is None:
        known = name in index()
        table = describe(name) if known else {"help": "a component of a plug-in", "kind": "", "templates": "",
                                              "aliases": "", "example": "", "fields": []}
        namespace = {"__module__": "settee.components", "__doc__": _class_doc(table)}
        add_fields(namespace, table["fields"], Component)
        made = _types[name] = type(name, (Component,), namespace)
    return made
