"""Scenes.

SPDX-License-Identifier: Apache-2.0
"""

import os
from typing import NamedTuple

from . import _arrays, _settee
from ._errors import SEVERITIES, InvalidError, NotFoundError
from ._objects import Node, near

# in a wheel
_SHARE = os.path.join(os.path.dirname(__file__), "share", "settee")
_PLUGINS = os.path.join(os.path.dirname(__file__), "lib", "settee", "plugins")

# endings of formats that pictures do not have; cli/pictures.c knows the same
_OTHER_PICTURES = (".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".svg", ".ppm", ".pdf")


class Energy(NamedTuple):
    kinetic: float
    potential: float

    @property
    def total(self):
        return self.kinetic + self.potential


class Mass(NamedTuple):
    total: float
    center: tuple


class Phase(NamedTuple):
    """Time spent in a part of the steps so far."""

    seconds: float
    calls: int


class Check(NamedTuple):
    """A derivative of a component against finite differences."""

    component: object
    what: str  # "stiffness", "damping", "mass", "product", "jacobian", ...
    error: float  # largest difference, relative to the largest entry
    exact_by_design: bool
    note: str


class Scene(_settee.Scene):
    """A scene: nodes with components, a time, and what computes them.

    ``Scene()`` is empty but for its root; ``settee.load(path)`` reads a file. A scene is used by one thread at a time;
    different scenes are independent of each other. It ends with ``close()``, at the end of a ``with``, or when nobody
    refers to it.
    """

    def __new__(cls, *, threads=1, strict=False, read_only=False, compat=True, fast=False, data_paths=(),
                plugin_paths=()):
        return super().__new__(cls, threads=threads, strict=strict, read_only=read_only, compat=compat, fast=fast,
                               data_paths=[*map(os.fspath, data_paths), _SHARE],
                               plugin_paths=[*map(os.fspath, plugin_paths), _PLUGINS])

    def __init__(self, **config):
        del config  # taken by __new__
        self._listener = None
        self._create_root("root")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __iter__(self):
        """All components, depth first."""
        return iter(self._objects())

    def __getitem__(self, path):
        return self.find(path)

    def _ipython_key_completions_(self):
        return [component.path for component in self]

    def __contains__(self, path):
        return isinstance(path, str) and self._find(path) is not None

    def find(self, path):
        """The node or component at a path from the root, such as '/Liver/dofs'. It must exist."""
        if not isinstance(path, str):
            raise TypeError(f"a path is a text, not {path!r}")
        found = self._find(path if path.startswith("/") else "/" + path)
        if found is None:
            raise NotFoundError(f"nothing is found at '{path}'{near(self.root, path)}", value=path)
        return found

    def of_class(self, what):
        """All components of a class, given by its name or as settee.components.<Name>."""
        name = what if isinstance(what, str) else what.__name__
        return [c for c in self if c.class_name == name]

    def register(self, component):
        """Makes a class written in Python known to the scene, so that files can use it, too."""
        self._register(component)
        return component

    # ---- results ----------------------------------------------------------------------------------------

    @property
    def energy(self):
        return Energy(*self._energy())

    @property
    def mass(self):
        return Mass(*self._mass())

    @property
    def profile(self):
        """Time spent in the parts of the steps so far, by name."""
        return {name: Phase(seconds, calls) for name, seconds, calls in self._profile()}

    def record(self, count, dt=0, **functions):
        """Computes so many steps. Returns arrays with one number for each: time, kinetic and potential energy, the seconds of
        each phase (a dict of arrays, `phases`), and what the given functions return, by their names."""
        np = _arrays.numpy()
        reserved = {"time", "kinetic", "potential", "phases"} & set(functions)
        if reserved:
            raise ValueError(f"'{min(reserved)}' is recorded in any case; give the function another name")
        for name, function in functions.items():
            if not callable(function):
                raise TypeError(f"{name}: {function!r} cannot be called")
        times, energies, phases = [], [], {}
        values = {name: [] for name in functions}
        before = {name: phase.seconds for name, phase in self.profile.items()}
        for i in range(count):
            self.step(1, dt)
            times.append(self.time)
            energies.append(self._energy())
            for name, phase in self.profile.items():
                phases.setdefault(name, np.zeros(count))[i] = phase.seconds - before.get(name, 0)
                before[name] = phase.seconds
            for name, function in functions.items():
                values[name].append(function())

        energies = np.array(energies, float).reshape(-1, 2)
        return {"time": np.array(times, float), "kinetic": energies[:, 0], "potential": energies[:, 1], "phases": phases,
                **{name: np.array(value) for name, value in values.items()}}

    def messages(self, severity):
        """How many messages of a severity there were."""
        if severity not in SEVERITIES:
            raise ValueError(f"severity '{severity}' must be one of {', '.join(SEVERITIES)}")
        return self._message_count(SEVERITIES.index(severity))

    def listen(self, function):
        """Gives every message (settee.Diagnostic) to a function, in place of warnings and the log; None: back to them."""
        if function is not None and not callable(function):
            raise TypeError(f"{function!r} cannot be called")
        self._listener = function

    def check(self):
        """Derivatives of all forces, masses and mappings against finite differences, at the present state."""
        return [Check(*line) for line in self._check()]

    # ---- matrices ---------------------------------------------------------------------------------------

    def matrix(self, name):
        """A, M, B or K of the first system; W is dense, H the Jacobian of the constraints."""
        return _arrays.dense(self, name) if name == "W" else _arrays.matrix(self, name)

    A = property(lambda self: self.matrix("A"), doc="The system's matrix, as the last step built it, with constraints.")
    M = property(lambda self: self.matrix("M"), doc="The mass matrix.")
    B = property(lambda self: self.matrix("B"), doc="The damping matrix, ∂f/∂v.")
    K = property(lambda self: self.matrix("K"), doc="The stiffness matrix, ∂f/∂x.")
    b = property(lambda self: _arrays.vector(self, "b"), doc="The right-hand side of the last solve.")
    x = property(lambda self: _arrays.vector(self, "x"), doc="The solution of the last solve.")
    W = property(lambda self: self.matrix("W"), doc="The compliance of the constraints.")
    H = property(lambda self: self.matrix("H"), doc="The Jacobian of the constraints.")
    lam = property(lambda self: _arrays.vector(self, "lambda"), doc="The multipliers of the constraints.")
    free = property(lambda self: _arrays.vector(self, "free"), doc="The violations of the free motion.")

    # ---- events -----------------------------------------------------------------------------------------

    def on(self, event, function=None):
        """Calls function(event, node, dt, key, data) at each event of a name, such as 'AnimateBeginEvent'; None: at all of
        them. Returns a number for `off`; without a function it is a decorator."""
        if function is not None:
            return self._add_callback(event, function)

        def decorate(decorated):
            self._add_callback(event, decorated)
            return decorated

        return decorate

    def off(self, number):
        """Ends the calls of a function."""
        self._remove_callback(number)

    # ---- pictures ---------------------------------------------------------------------------------------

    def save_picture(self, path, width=1280, height=960, view=(0, 0, 0), caption=None, show=None, color=None):
        """Draws the scene into a PNG file. `view` is the direction to the eye; `show="contacts"` shows contacts; `color` is a
        field that colors the bodies, such as "vonMises"."""
        stem, ending = os.path.splitext(os.fsdecode(path))
        if ending.lower() in _OTHER_PICTURES:
            raise InvalidError(f"{os.fsdecode(path)}: pictures are written as PNG; name it {stem}.png", value=path)
        self._write_png(path, width, height, tuple(float(v) for v in view), caption, show, color)

    def png(self, width=640, height=480, view=(0, 0, 0), caption=None, show=None, color=None):
        """The scene as the bytes of a PNG file."""
        from ._png import encode

        pixels = self._draw_pixels(width, height, tuple(float(v) for v in view), caption, show, color)
        return encode(pixels, width, height)

    def picture(self, width=640, height=480, view=(0, 0, 0), caption=None, show=None, color=None):
        """The scene as an array (height, width, 3) of uint8, which a notebook shows as an image."""
        _arrays.numpy()
        pixels = self._draw_pixels(width, height, tuple(float(v) for v in view), caption, show, color)
        return _arrays.image(pixels, width, height)

    def plot_matrix(self, name="A", axes=None):
        """Shows where the entries of a matrix are, with Matplotlib. Returns the axes."""
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plots need Matplotlib: apt-get install python3-matplotlib "
                              "(or: pip install matplotlib)") from error
        made = _arrays.sparse().csr_matrix(self.matrix(name))
        axes = axes or pyplot.gca()
        axes.spy(made, markersize=max(0.2, min(5.0, 300 / max(made.shape[0], 1))))
        axes.set_title(f"{name}: {made.shape[0]} × {made.shape[1]}, {made.count_nonzero()} entries")
        return axes

    def _repr_png_(self):
        return None if self.closed or not self.is_initialized else self.png(480, 360)

    def _repr_html_(self):
        if self.closed:
            return "<pre>a closed scene</pre>"
        import base64
        import html

        png = self._repr_png_()
        image = f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}">' if png else ""
        return f"{image}<pre>t = {self.time:g}\n{html.escape(self.root.tree())}</pre>"

    def __repr__(self):
        if self.closed:
            return "<settee.Scene, closed>"
        return f"<settee.Scene of {len(self._objects())} components, t = {self.time:g}>"


def load(path, *, components=(), init=True, **config):
    """Reads a scene file and initializes it. `components`: classes written in Python that the file uses; `config`: as for
    Scene. Errors that SOFA goes on after are logged and counted (scene.messages('error')); with strict=True they raise."""
    scene = _empty(config)
    for component in components:
        scene.register(component)
    scene._load(path)
    if init:
        scene.init()
    return scene


def loads(text, *, directory=None, components=(), init=True, **config):
    """The same from the text of a scene; files in it are relative to `directory`."""
    scene = _empty(config)
    for component in components:
        scene.register(component)
    scene._load_text(text, directory)
    if init:
        scene.init()
    return scene


def _empty(config):
    """A scene without a root."""
    scene = Scene.__new__(Scene, **config)
    scene._listener = None
    return scene


__all__ = ["Check", "Energy", "Mass", "Node", "Phase", "Scene", "load", "loads"]
