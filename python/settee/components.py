"""The built-in components, by name: settee.components.UniformMass. Their help is that of the tables of the engine.

SPDX-License-Identifier: Apache-2.0
"""

from . import _settee, _tables


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name in _tables.index():
        return _tables.type_of(name)
    found, suggestion, explanation = _settee.class_by_any_name(name)
    if found:
        return _tables.type_of(found)
    hint = f"; did you mean '{suggestion}'?" if suggestion else ""
    raise AttributeError(f"there is no component '{name}'{hint}{' ' + explanation if explanation else ''}")


def __dir__():
    return sorted(_tables.index())
