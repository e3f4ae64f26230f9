"""Nodes, components and their fields.

SPDX-License-Identifier: Apache-2.0
"""

from contextlib import contextmanager

from . import _arrays, _settee
from ._errors import SEVERITIES, NotFoundError


def text_of(value):
    """A value as the text of an attribute in a scene file: numbers exactly, sequences with blanks between."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, Field):
        return f"@{value.owner.path}.{value.name}"
    if isinstance(value, _settee.Object):
        return f"@{value.path}"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        if value != value:
            raise ValueError("nan is no value of an attribute")
        return repr(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, (list, tuple, range, set, frozenset)):
        return " ".join(text_of(item) for item in value)
    raise TypeError(f"{value!r} cannot be an attribute: a number, a text, a sequence, a field or a component is expected")


class Field:
    """One field of one component: its value, what the table says of it, and what it follows."""

    __slots__ = ("owner", "name")

    def __init__(self, owner, name):
        owner._field_state(name)  # raises if there is none
        self.owner = owner
        self.name = name

    @property
    def value(self):
        return self.owner._get(self.name)

    @value.setter
    def value(self, value):
        self.owner.set(**{self.name: value})

    @property
    def table(self):
        """What the table says: type, default, help, options, list, width, live, ..."""
        for field in self.owner._describe():
            if self.name == field["name"] or self.name in field["aliases"].split():
                return field
        return None

    @property
    def help(self):
        return self.table["help"]

    @property
    def is_set(self):
        return self.owner._field_state(self.name)[0]

    @property
    def version(self):
        """Goes up when the field is written by a call, a link or its component; steps do not count."""
        return self.owner._field_state(self.name)[2]

    @property
    def source(self):
        """The field that this one follows, or None."""
        found = self.owner._source(self.name)
        return Field(*found) if found else None

    def link(self, source):
        """Follows another field from now on."""
        if not isinstance(source, Field):
            raise TypeError(f"a field is expected, such as component.field('position'), not {source!r}")
        self.owner._link(self.name, source.owner, source.name)

    def unlink(self):
        """Follows no field any more, and keeps its value."""
        self.owner._unlink(self.name)

    @contextmanager
    def write(self):
        """A writable array of any list of numbers; what follows the field is brought up to date at the end."""
        array = _arrays.as_array(self.owner._buffer(self.name, True))
        try:
            yield array
        finally:
            array.flags.writeable = False
            self.owner.touch(self.name)

    def __eq__(self, other):
        return isinstance(other, Field) and self.owner is other.owner and self.name == other.name

    def __hash__(self):
        return hash((id(self.owner), self.name))

    def __repr__(self):
        return f"<field {self.owner.path}.{self.name} = {self.owner.text(self.name, 6)[:60]}>"


class Object(_settee.Object):
    """What nodes and components have in common. Fields are attributes: ``state.position``, ``node.gravity``; a name that a
    method has, too, is reached as an item: ``component["path"]``."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._get(name)
        except AttributeError as error:
            raise AttributeError(str(error) + self._suggestion(name), name=name, obj=self) from None

    def __setattr__(self, name, value):
        if name.startswith("_") or hasattr(type(self), name):
            if isinstance(value, Field) and isinstance(getattr(type(self), name, None), _settee.Field):
                self._link(name, value.owner, value.name)
            else:
                super().__setattr__(name, value)
        else:
            self.set(**{name: value})

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in self._names() if n.isidentifier())})

    def __getitem__(self, name):
        return self._get(name)

    def __setitem__(self, name, value):
        self.set(**{name: value})

    def _ipython_key_completions_(self):
        return self._names()

    def _names(self):
        return [field["name"] for field in self._describe()]

    def _suggestion(self, name):
        import difflib  # these are needed rarely, and take time to import

        close = difflib.get_close_matches(name, self._known(), 1)
        return f"; did you mean '{close[0]}'?" if close else ""

    def _known(self):
        return self._names()

    def set(self, **values):
        """Sets fields by name. A text is read as in a scene file; a field (component.field(name)) is followed."""
        for name, value in values.items():
            try:
                if isinstance(value, Field):
                    self._link(name, value.owner, value.name)
                else:
                    self._set(name, value)
            except AttributeError as error:
                raise AttributeError(str(error) + self._suggestion(name), name=name, obj=self) from None

    def field(self, name):
        """A field with its table and its link."""
        return Field(self, name)

    def add_field(self, name, type, value=None, help=""):
        """Gives this one component a field that its class does not have: type is one of the tables' names ("real",
        "list of Vec3", "text", ...). It is an attribute then, can be linked, and is not saved with the scene."""
        self._add_field(name, type, help)
        if value is not None:
            self.set(**{name: value})
        return self.field(name)

    @property
    def fields(self):
        """All fields with their values, as a dict."""
        return {name: self._get(name) for name in self._names()}

    def message(self, severity, text):
        """Sends a message in its name: 'info', 'warning', 'error', ..."""
        if severity not in SEVERITIES:
            raise ValueError(f"severity '{severity}' must be one of {', '.join(SEVERITIES)}")
        self._message(SEVERITIES.index(severity), text)

    def keep(self):
        """Keeps this Python object, with the attributes that it has, as long as the scene."""
        self._keep()
        return self

    def __repr__(self):
        if self.scene is None or self.scene.closed:
            return f"<{type(self).__name__} of a closed scene>"
        return f"<{self.class_name} {self.path}>"

    def _rows(self):
        for field in self._describe():
            if not field["display"]:
                yield field["name"], self.text(field["name"], 6), field["help"]

    def _repr_html_(self):
        import html

        def cell(text):
            return html.escape(text if len(text) <= 80 else text[:77] + "...")

        rows = "".join(f'<tr title="{html.escape(help, quote=True)}"><td>{html.escape(name)}</td><td>{cell(value)}</td></tr>'
                       for name, value, help in self._rows())
        return f"<b>{html.escape(self.class_name)}</b> {html.escape(self.path)}<table>{rows}</table>"


class Component(Object):
    """A component of a scene."""

    @property
    def node(self):
        """The node that it is in; None: it was removed."""
        return self._parent()

    def matrix(self, name, parent=False):
        """A matrix of this component alone, as SciPy's: M of a mass, K and B of a force, J of a mapping; A, M, B, K of a
        linear solver, a system or an integrator. `parent`: projected through mappings to the independent states."""
        return _arrays.matrix(self.scene, name, self, parent)

    A = property(lambda self: self.matrix("A"), doc="The system's matrix, of a solver, a system or an integrator.")
    M = property(lambda self: self.matrix("M"), doc="The mass matrix.")
    B = property(lambda self: self.matrix("B"), doc="The damping matrix, ∂f/∂v.")
    K = property(lambda self: self.matrix("K"), doc="The stiffness matrix, ∂f/∂x.")
    J = property(lambda self: self.matrix("J"), doc="The Jacobian of a mapping.")
    b = property(lambda self: _arrays.vector(self.scene, "b", self), doc="The right-hand side of the last solve.")
    x = property(lambda self: _arrays.vector(self.scene, "x", self), doc="The solution of the last solve.")
    W = property(lambda self: _arrays.dense(self.scene, "W", self), doc="The compliance of a constraint solver.")
    H = property(lambda self: _arrays.matrix(self.scene, "H", self), doc="The Jacobian of the constraints.")
    lam = property(lambda self: _arrays.vector(self.scene, "lambda", self), doc="The multipliers of the constraints.")
    free = property(lambda self: _arrays.vector(self.scene, "free", self), doc="The violations of the free motion.")


def near(root, path):
    """The path that may have been meant by one at which nothing is found: its first wrong name is nearly that of a node or a
    component."""
    import difflib  # these are needed rarely, and take time to import

    at, way = root, ""
    for name in path.strip("/").split("/"):
        if not isinstance(at, Node):
            return ""
        found = at.get(name)
        if found is None:
            close = difflib.get_close_matches(name, [o._get("name") for o in at], 1)
            return f"; did you mean '{way}/{close[0]}'?" if close else ""
        at, way = found, f"{way}/{name}"
    return ""


class Node(Object):
    """A node of a scene. Its components and children are attributes by their names; fields such as gravity come after
    them."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        found = self.get(name)
        if found is not None:
            return found
        return super().__getattr__(name)

    def __dir__(self):
        return sorted({*super().__dir__(), *(o._get("name") for o in self if o._get("name").isidentifier())})

    def _known(self):
        return [o._get("name") for o in self] + self._names()

    def __iter__(self):
        """Its components, then its children."""
        return iter(self._objects() + self._children())

    @property
    def children(self):
        """The nodes in it, in order."""
        return self._children()

    @property
    def components(self):
        """The components in it, in order."""
        return self._objects()

    @property
    def parent(self):
        """The node above; None: the root, or a removed node."""
        return self._parent()

    def get(self, name):
        """The first component or child of a name, or None."""
        for item in self:
            if item._get("name") == name:
                return item
        return None

    def find(self, path):
        """What a path from here leads to, such as 'Visual/model', '../dofs' or '/Liver'. It must exist."""
        text = path if path.startswith("/") else f"{self.path.rstrip('/')}/{path}"
        found = self._find(path) or self.scene._find(text)
        if found is None:
            raise NotFoundError(f"{self.path}: nothing is found at '{path}'{near(self.scene.root, text)}", path=self.path,
                                value=path)
        return found

    def add_child(self, name, **fields):
        """A new node at the end."""
        _check_name(name)
        return self._add_child(name, [(key, text_of(value)) for key, value in fields.items()])

    def add(self, what, /, **fields):
        """A new component at the end: the name of a class, a class of settee.components, or one written in Python. Fields
        are given as in a scene file; a component or a field in their place is linked to."""
        if isinstance(what, type) and issubclass(what, _settee.Object):
            if getattr(what, "_kind", None):
                self.scene.register(what)
            what = what.__name__
        if not isinstance(what, str):
            raise TypeError(f"a class of components or its name is expected, not {what!r}")
        return self._add_object(what, [(key, text_of(value)) for key, value in fields.items() if value is not None])

    def attach(self, what):
        """Puts a removed component or node back, at the end."""
        if not isinstance(what, Object):
            raise TypeError(f"a component or a node is expected, not {what!r}")
        what._attach(self)
        return what

    def init(self):
        """Initializes what is at or below it and is not initialized yet; the next step does it, too."""
        self._init()

    def send(self, event, data=None, key=0):
        """Sends an event to the components at and below it that listen, then to the callbacks of the scene."""
        self._send_event(event, key, data)

    def matrix(self, name):
        """M, B or K of what is integrated at this node, as SciPy's."""
        return _arrays.matrix(self.scene, name, self)

    M = property(lambda self: self.matrix("M"), doc="The mass matrix of what is integrated here.")
    B = property(lambda self: self.matrix("B"), doc="Its damping matrix.")
    K = property(lambda self: self.matrix("K"), doc="Its stiffness matrix.")

    def tree(self, indent=""):
        """What is in it and below, as text."""
        lines = [f"{indent}{self._get('name')}/"]
        lines += [f"{indent}    {c.class_name} {c._get('name')}" for c in self.components]
        return "\n".join(lines + [child.tree(indent + "    ") for child in self.children])

    def _repr_html_(self):
        import html

        return f"<pre>{html.escape(self.tree())}</pre>"


def _check_name(name):
    if not isinstance(name, str):
        raise TypeError(f"the name of a node is a text, not {name!r}")
    if not name or "/" in name:
        raise ValueError(f"'{name}' cannot be the name of a node: it must not be empty or have a slash")
