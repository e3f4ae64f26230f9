"""Components written in Python.

A class that derives from one of these is a component like the built-in ones: it has fields with types, defaults and help,
can be linked, saved, and used in scene files. The methods that it defines say what it does. There is no __init__: the
engine makes the object; `init` is called when the scene is initialized, and may set any attribute that begins with `_`.

    class Attraction(settee.ForceField):
        "draws every point to a center"

        center = settee.value("vec3", (0, 0, 0), "point that attracts")
        k = settee.value("real", 1.0, "force per unit of distance")

        def add_force(self, f, x, v):
            f -= self.k * (x - self.center)

        def stiffness(self, x, v):
            return -self.k * scipy.sparse.identity(x.size)

    root.add(Attraction, k=3)

SPDX-License-Identifier: Apache-2.0
"""

from . import _settee
from ._objects import Component, text_of


class value:
    """A field of a component written in Python: its type, default and help. Of an engine: an input, or an output."""

    def __init__(self, type, default=None, help="", *, input=False, output=False):
        self.type = type
        self.default = default
        self.help = help
        self.input = input
        self.output = output


class _PythonComponent(Component):
    _kind = None
    templates = None

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        table = dict(getattr(cls, "_table", {}))
        for name, declared in list(vars(cls).items()):
            if isinstance(declared, value):
                if hasattr(Component, name):
                    raise TypeError(f"{cls.__name__}.{name}: every component has an attribute of that name")
                table[name] = declared
                setattr(cls, name, _settee.Field(name, f"{declared.help}\n\ntype {declared.type}"))
        cls._table = table

    def __setattr__(self, name, given):
        # own attributes are free: it is the author's class
        if hasattr(type(self), name) or name.startswith("_") or not self._has_field(name):
            object.__setattr__(self, name, given)
        else:
            self.set(**{name: given})

    def _has_field(self, name):
        try:
            self._field_state(name)
        except AttributeError:
            return False
        return True


class ForceField(_PythonComponent):
    """A force on the state of its node, f(x, v). Define

    add_force(self, f, x, v)    adds the force to f; x and v are read-only. Arrays (n, width)
    stiffness(self, x, v)       ∂f/∂x, optional: a SciPy matrix, an array, or (rows, columns, blocks) with blocks of
                                (m, h, w) at block row and column. Without it the force is integrated explicitly
    damping(self, x, v)         ∂f/∂v, optional, likewise
    potential(self, x)          the energy, optional
    """

    _kind = "force"
    templates = "Vec3 Vec1 Vec2 Vec6 Rigid2 Rigid3"


class Mass(_PythonComponent):
    """A mass on the state of its node. Define mass_matrix(self): M, in any form that a stiffness may have. It is asked
    for at init, and again after reinit()."""

    _kind = "mass"
    templates = "Vec3 Vec1 Vec2 Vec6 Rigid2 Rigid3"


class Mapping(_PythonComponent):
    """A mapping p = p(q) from the state of the node above to that of its own node. Define

    apply(self, p, q)           writes the positions p
    jacobian(self, q)           J = ∂p/∂q: scalars of p × scalars of q
    geometric(self, q, f)       ∂(Jᵀf)/∂q, optional: needed where J is not constant and the system is implicit
    curvature(self, q, v)       (dJ/dt) v, optional: of accelerations, where J is not constant
    """

    _kind = "mapping"
    templates = "Vec3,Vec3 Vec3,Vec1 Vec3,Vec2 Rigid3,Vec3 Rigid3,Rigid3 Vec1,Vec1 Vec1,Vec3 Vec2,Vec2 Vec6,Vec6"


class ConstraintLaw(_PythonComponent):
    """A constraint on the state of its node, solved with Lagrange multipliers. Define

    jacobian(self, x)           its rows H: rows × scalars of the state
    violation(self, x)          one number for each row
    resolution                  "equality", "unilateral" or "friction" (normal and two tangents for each contact)
    friction                    its coefficient
    solved(self, multipliers)   optional: what the rows got
    """

    _kind = "law"
    templates = "Vec3 Vec1 Vec2 Vec6 Rigid2 Rigid3"
    resolution = "equality"
    friction = 0.0


class Engine(_PythonComponent):
    """Computes its outputs from its inputs. Define update(self), which assigns the outputs; it runs when an output is read
    after an input has changed."""

    _kind = "engine"


class Controller(_PythonComponent):
    """Gets the events of the scene. Define methods on<Event>(self, event), such as onAnimateBeginEvent; `event` is a dict
    with type, dt, key and data. A method that returns True ends the way of the event: nobody after it gets it."""

    _kind = "controller"

    def event(self, name, dt, key, data):
        """Called for each event: the method of its name, or else onEvent."""
        method = getattr(type(self), "on" + name, None) or getattr(type(self), "onEvent", None)
        if method is None:
            return False
        return method(self, {"type": name, "dt": dt, "key": key, "data": data})


_KINDS = (ForceField, Mass, Mapping, ConstraintLaw, Engine, Controller)


def class_of(cls):
    """Called by the extension module: what the class of the engine is made of."""
    if cls in _KINDS or getattr(cls, "_kind", None) is None:
        raise TypeError(f"{cls.__name__} is no component written in Python: derive from settee.ForceField or its like")
    needed = {"force": ("add_force",), "mass": ("mass_matrix",), "mapping": ("apply", "jacobian"),
              "law": ("jacobian", "violation"), "engine": ("update",), "controller": ()}[cls._kind]
    for method in needed:
        if not callable(getattr(cls, method, None)):
            raise TypeError(f"{cls.__name__} must define {method}")
    fields = [(name, v.type, None if v.default is None else text_of(v.default), v.help, v.input, v.output)
              for name, v in cls._table.items()]
    return cls.__name__, (cls.__doc__ or "written in Python").strip(), cls._kind, cls.templates, fields
