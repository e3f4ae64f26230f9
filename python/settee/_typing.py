"""Types of settee.components, from the tables of the engine: python3 -m settee._typing > components.pyi

SPDX-License-Identifier: Apache-2.0
"""

import keyword

from . import _tables
from ._objects import Component

_HEAD = '''# Made from the tables of the engine by settee._typing.
from typing import Any, List, Optional, Sequence, Union

import numpy

from ._objects import Component, Field

class _Bool:
    def __get__(self, owner: Any, kind: Any = ...) -> bool: ...
    def __set__(self, owner: Any, value: Union[bool, int, str, Field]) -> None: ...

class _Int:
    def __get__(self, owner: Any, kind: Any = ...) -> int: ...
    def __set__(self, owner: Any, value: Union[int, str, Field]) -> None: ...

class _Real:
    def __get__(self, owner: Any, kind: Any = ...) -> float: ...
    def __set__(self, owner: Any, value: Union[float, str, Field]) -> None: ...

class _Array:
    def __get__(self, owner: Any, kind: Any = ...) -> "numpy.ndarray[Any, Any]": ...
    def __set__(self, owner: Any, value: Union["numpy.ndarray[Any, Any]", Sequence[Any], str, Field]) -> None: ...

class _Text:
    def __get__(self, owner: Any, kind: Any = ...) -> str: ...
    def __set__(self, owner: Any, value: Union[str, Field]) -> None: ...

class _Texts:
    def __get__(self, owner: Any, kind: Any = ...) -> List[str]: ...
    def __set__(self, owner: Any, value: Union[Sequence[str], Field]) -> None: ...

class _Link:
    def __get__(self, owner: Any, kind: Any = ...) -> Optional[Component]: ...
    def __set__(self, owner: Any, value: Union[Component, str, None]) -> None: ...

class _Links:
    def __get__(self, owner: Any, kind: Any = ...) -> List[Component]: ...
    def __set__(self, owner: Any, value: Union[Sequence[Component], str]) -> None: ...
'''

_SCALARS = ("_Bool", "_Int", "_Int", "_Real", "_Text", "_Link")  # in order of st_scalar


def kind_of(field):
    """The descriptor that a field has in components.pyi."""
    if field["scalar"] >= 4:
        return _SCALARS[field["scalar"]] + ("s" if field["list"] else "")
    return "_Array" if field["list"] or field["width"] != 1 else _SCALARS[field["scalar"]]


def write():
    """The text of components.pyi."""
    parts = [_HEAD]
    for name in sorted(_tables.index()):
        table = _tables.describe(name)
        lines = [f"\nclass {name}(Component):", f"    {table['help']!r}"]
        for field in table["fields"]:
            usable = field["name"].isidentifier() and not keyword.iskeyword(field["name"])
            if usable and not hasattr(Component, field["name"]):
                lines.append(f"    {field['name']}: {kind_of(field)}")
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    print(write(), end="")
