"""Calls the whole package with random arguments, sensible or not: functions, constructors, every attribute of scenes, nodes,
components, fields and buffers, also those that begin with _, and components in Python whose methods give anything. All that may
come out is an exception. A build with AddressSanitizer finds what is read or written outside of its place.

usage: PYTHONPATH=build/asan/python fuzz.py SEED CALLS     (in a folder where files may be written; see run.sh for the sanitizer)

SPDX-License-Identifier: Apache-2.0
"""

import faulthandler
import gc
import logging
import os
import random
import sys
import warnings

import numpy as np
import scipy.sparse as sp

import settee
from settee import _settee

EXAMPLES = os.environ.get("SETTEE_EXAMPLES") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
FILES = ["jelly.scn", "soft_on_floor.scn", "hinge.scn", "skins.scn", "friction.scn"]

# These are not called: what replaces the package's own functions, what starts other programs or ends this one, what gives a
# scene to another program.
NEVER = {"setup", "__class__", "__del__", "__reduce__", "__reduce_ex__", "__init_subclass__", "__subclasshook__", "__dict__",
         "__class_getitem__", "__getstate__", "__builtins__", "__globals__", "__loader__", "__spec__", "__getattribute__",
         "_lend"}
EXPECTED = (ValueError, TypeError, AttributeError, LookupError, RuntimeError, ArithmeticError, MemoryError, StopIteration,
            OSError, Warning, BufferError, ImportError, AssertionError)
CLASSES = ["MechanicalObject", "UniformMass", "EulerImplicitSolver", "CGLinearSolver", "RegularGridTopology", "BoxROI",
           "HexahedronFEMForceField", "MeshSpringForceField", "FixedProjectiveConstraint", "IdentityMapping", "OglModel",
           "PointCollisionModel", "MeshTopology", "ConstantForceField", "TetrahedronSetTopologyContainer"]


class Fuzz:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.scenes = []
        self.kept = []
        self.count = 0

    # ---- arguments ------------------------------------------------------------------------------------------

    def scene(self):
        """One of a few scenes; now and then a new one."""
        if len(self.scenes) < 3 or self.rng.random() < 0.01:
            self.scenes.append(self.attempt(self.make) or settee.Scene())
        if len(self.scenes) > 4:
            self.attempt(self.scenes.pop(0).close)
        return self.rng.choice(self.scenes)

    def make(self):
        rng = self.rng
        config = {"read_only": True}
        if rng.random() < 0.3:
            config["threads"] = rng.choice([1, 2, 3, 0, -1, "x", 1.5])
        if rng.random() < 0.1:
            config[rng.choice(["strict", "compat", "data_paths", "plugin_paths", "nothing"])] = self.value()
        if rng.random() < 0.8:
            return settee.load(os.path.join(EXAMPLES, rng.choice(FILES)), components=self.classes(), **config)
        if rng.random() < 0.5:
            return settee.loads(f"<Node><{rng.choice(CLASSES)} name='x'/><Node name='c'/></Node>", **config)
        return settee.Scene(**config)

    def things(self):
        scene = self.scene()
        return [scene, *list(scene)[:40], scene.root, *scene.root.children]

    def value(self, depth=0):
        rng = self.rng
        simple = [lambda: rng.randrange(-5, 5), lambda: rng.uniform(-1e3, 1e3), lambda: float("nan"), lambda: float("inf"),
                  lambda: rng.choice([-1, 1]) * 2**rng.randrange(70), lambda: "", lambda: rng.choice(CLASSES), lambda: None,
                  lambda: "@/Bar/dofs.position", lambda: "1 2 3", lambda: rng.choice(["A", "M", "K", "B", "J", "W", "H"]),
                  lambda: True, lambda: b"bytes", lambda: "a\0b", lambda: "\udc80", lambda: object(), lambda: "/" * 300,
                  lambda: rng.choice(["position", "name", "indices", "root", "x" * 5000, "../..", "AnimateBeginEvent"]),
                  lambda: len, lambda: settee.ForceField, lambda: rng.choice(self.classes()), lambda: 1j]
        rows = [lambda: np.zeros((rng.randrange(5), 3)), lambda: np.ones((2, 3), rng.choice([int, bool, ">f8", complex, object])),
                lambda: np.full((343, 3), rng.choice([0, 1e300, np.nan])), lambda: np.float32(1), lambda: np.zeros((2, 2, 2)),
                lambda: sp.identity(rng.randrange(1, 40)), lambda: memoryview(b"123"), lambda: np.arange(30.0)[::-3],
                lambda: [[1, 2, 3]] * rng.randrange(5), lambda: [1, [2]], lambda: range(rng.randrange(9))]
        owned = [lambda: rng.choice(self.things()), lambda: rng.choice(self.things()).field("name"),
                 lambda: rng.choice(self.kept) if self.kept else None]
        nested = [lambda: [self.value(1) for _ in range(rng.randrange(4))], lambda: tuple(self.value(1) for _ in range(3)),
                  lambda: {self.rng.choice(CLASSES): self.value(1)}]
        return rng.choice(rng.choice([simple, rows, owned] + ([nested] if depth == 0 else [])))()

    # ---- components in Python ---------------------------------------------------------------------------------

    def classes(self):
        """Classes of every kind, whose methods give something, or raise."""
        if hasattr(self, "_classes"):
            return self._classes

        def method(*arguments):
            if self.rng.random() < 0.2:
                raise self.rng.choice(EXPECTED)("of a method")
            if self.rng.random() < 0.2:
                for array in arguments[1:]:
                    if isinstance(array, np.ndarray) and array.flags.writeable:
                        array[...] = self.rng.choice([0, 1, np.nan])
            return self.rng.choice([lambda: None, self.value, lambda: sp.identity(3), lambda: ([0], [0], np.eye(3)[None])])()

        methods = {"ForceField": "init add_force stiffness damping potential product reset", "Mass": "init mass_matrix",
                   "Mapping": "apply jacobian geometric curvature apply_j apply_jt init", "Engine": "update init reinit",
                   "ConstraintLaw": "jacobian violation solved", "Controller": "onAnimateBeginEvent onEvent reset"}
        self._classes = [settee.ForceField, settee.Mass]
        made = []
        for kind, names in methods.items():
            body = {name: lambda self_, *arguments: method(self_, *arguments) for name in names.split()}
            body["number"] = settee.value("real", 1.0, "a number", input=True)
            body["numbers"] = settee.value("vec3s", None, "numbers", output=kind == "Engine")
            body["words"] = settee.value("words", ["a"], "words")
            made.append(type("Fuzz" + kind, (getattr(settee, kind),), body))
        self._classes = made
        return made

    # ---- calls ------------------------------------------------------------------------------------------------

    def attempt(self, function, *arguments, **keywords):
        self.count += 1
        try:
            return function(*arguments, **keywords)
        except EXPECTED:
            return None

    def few(self, most=4):
        return [self.value() for _ in range(self.rng.randrange(most))]

    def target(self):
        rng = self.rng
        thing = rng.choice(self.things())
        return rng.choice([lambda: thing, lambda: thing, lambda: thing.field(rng.choice(thing._names())),
                           lambda: thing._buffer(rng.choice(thing._names()), rng.random() < 0.5),
                           lambda: self.own() or thing, lambda: settee, lambda: _settee])()

    def own(self):
        """Something of the package that is held."""
        found = self.rng.choice(self.kept) if self.kept else None
        return found if type(found).__module__.startswith("settee") else None

    def call(self):
        rng = self.rng
        scene = self.scene()
        kind = rng.random()
        if kind < 0.15:
            scene.step(rng.randrange(3))
        elif kind < 0.2:
            scene.reset()
        elif kind < 0.35:  # a field is read or written
            thing = rng.choice(self.things()[1:])
            name = rng.choice(thing._names())
            if rng.random() < 0.5:
                self.keep(thing[name])
            else:
                thing[name] = self.value()
        elif kind < 0.4:  # an array is written in place
            array = rng.choice(self.kept) if self.kept else None
            if isinstance(array, np.ndarray) and array.size:
                array[...] = self.value()
        elif kind < 0.5:  # a component more
            node = rng.choice([scene.root, *scene.root.children])
            what = rng.choice([rng.choice(CLASSES), rng.choice(self.classes()), self.value()])
            fields = {rng.choice(["name", "position", "n", "indices", "template", "number"]): self.value()
                      for _ in range(rng.randrange(3))}
            self.keep(node.add(what, **fields))
        else:
            self.attribute()

    def attribute(self):
        """Any attribute of anything, called where it can be."""
        rng = self.rng
        target = self.target()
        names = [name for name in dir(target) if name not in NEVER]
        name = rng.choice(names) if names else "__doc__"
        found = getattr(target, name)
        if not callable(found) or isinstance(found, type) and issubclass(found, BaseException):
            self.keep(found)
        elif name in ("step", "record"):  # not for ever
            self.keep(found(rng.choice([0, 1, 2, -1, None, "x", 2.5]), *self.few(2)))
        elif name in ("close", "finish", "__exit__") and rng.random() < 0.9:
            pass
        else:
            keywords = {rng.choice(["name", "width", "color", "parent", "view"]): self.value()} if rng.random() < 0.1 else {}
            self.keep(found(*self.few(), **keywords))

    def keep(self, thing):
        self.kept.append(thing)
        if len(self.kept) > 100:
            self.kept.pop(self.rng.randrange(100))

    def run(self, calls):
        while self.count < calls:
            self.attempt(self.call)
            if self.count % 500 == 0:
                gc.collect()

        # everything that is held can still be looked at, in any order, also after the end of its scene
        for scene in self.scenes:
            self.attempt(scene.reset)
            self.attempt(scene.step)
            self.attempt(scene.close)
        self.rng.shuffle(self.kept)
        for thing in self.kept:
            if isinstance(thing, np.ndarray) and thing.dtype == float:
                thing.sum()
            self.attempt(repr, thing)


def main():
    seed, calls = int(sys.argv[1]), int(sys.argv[2])
    faulthandler.enable()
    faulthandler.dump_traceback_later(240, exit=True)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    Fuzz(seed).run(calls)
    print("done")


if __name__ == "__main__":
    main()
