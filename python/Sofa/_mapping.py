"""Mappings written in Python: apply, applyJ, applyJT, applyConstraintsJT.

Assembled systems and constraints need the matrix J. It is what applyConstraintsJT makes of the rows of an identity.

SPDX-License-Identifier: Apache-2.0
"""

import settee
from ._arrays import ArrayData, Rows
from ._base import wrap
from ._force import parameters
from ._scripted import Scripted, ScriptedObject

PAIRS = {"Vec1d": "Vec1d Vec2d Vec3d", "Vec2d": "Vec2d Vec1d", "Vec3d": "Vec3d Vec2d Vec1d Rigid3d",
         "Vec6d": "Vec6d Vec3d Vec1d", "Rigid2d": "Vec2d Rigid2d", "Rigid3d": "Vec6d Vec3d Vec1d Rigid3d"}


class PythonMapping(Scripted, settee.Mapping):
    """The component of the engine behind a mapping."""

    _implicit = False
    templates = " ".join(f"{i[:-1]},{o[:-1]}" for i, outputs in PAIRS.items() for o in outputs.split())

    def init(self):
        """That of a script is not called, as in SofaPython3."""

    def _call(self, method, out, given):
        target = wrap(self)
        getattr(target, method)(parameters(self), ArrayData(target, "out", out), ArrayData(target, "in", given))

    def apply(self, p, q):
        self._call("apply", p, q)

    def apply_j(self, w, v):
        self._call("applyJ", w, v)

    def apply_jt(self, f, g):
        self._call("applyJT", f, g)

    def jacobian(self, q):
        import scipy.sparse

        outputs, width = self._sizes[0], self._sizes[1]
        rows = outputs * width
        identity = Rows(outputs, width, scipy.sparse.identity(rows, format="csr"))
        made = Rows(len(q), self._sizes[2])
        wrap(self).applyConstraintsJT({"time": self.scene.time}, made, identity)
        return made.matrix(rows)

    @property
    def _sizes(self):
        """Points of the output, scalars of each of its derivatives, and of the input's."""
        before, after = (self._get(name)[0]._get("velocity") for name in ("input", "output"))
        return len(after), after.shape[1], before.shape[1]


class Mapping(ScriptedObject):
    """A mapping to the state of its node. Define apply, applyJ, applyJT (which adds) and applyConstraintsJT, all with
    arguments (self, params, out, in)."""

    _component = PythonMapping

    def __init__(self, *names, **values):
        if len(names) > 1 or (names and "name" in values):
            raise TypeError("one name is expected")
        if type(self)._template is None:
            raise TypeError("derive from Mapping_Vec3d_Vec1d or its like")
        super().__init__()
        for name, value in {**({"name": names[0]} if names else {}), **values}.items():
            setattr(self, name, value)

    def _first_node(self, root):
        below, (before, after) = root._add_child("below", []), self._template.split(",")
        self._state(root, before)
        self._state(below, after)
        return below

    def apply(self, params, out, given):
        raise self._undefined("apply")

    def applyJ(self, params, out, given):
        raise self._undefined("applyJ")

    def applyJT(self, params, out, given):
        raise self._undefined("applyJT")

    def applyConstraintsJT(self, params, out, given):
        raise self._undefined("applyConstraintsJT")


CLASSES = {f"Mapping_{i}_{o}": type(f"Mapping_{i}_{o}", (Mapping,), {"_template": f"{i},{o}", "__doc__": Mapping.__doc__})
           for i, outputs in PAIRS.items() for o in outputs.split()}
