"""Force fields written in Python: addForce, addDForce, addKToMatrix.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

import settee
from ._arrays import ArrayData
from ._base import wrap
from ._matrices import Assembled, Mass
from ._scripted import Scripted, ScriptedObject

TEMPLATES = ("Vec1d", "Vec2d", "Vec3d", "Vec6d", "Rigid2d", "Rigid3d")


def parameters(component, k=0.0, b=0.0):
    """What methods of scripts get as `params`. Factors of masses have two spellings, as in SofaPython3."""
    return {"time": component.scene.time, "mFactor": 0.0, "nFactor": 0.0, "bFactor": b, "kFactor": k,
            "isImplicit": component._implicit, "energy": False}


def matrix_of(given, n, who):
    """What addKToMatrix has returned, as a sparse matrix: (n, n, 1), or rows (i, j, value)."""
    import scipy.sparse

    if isinstance(given, np.ndarray) and given.shape == (n, n, 1):
        return scipy.sparse.coo_matrix(given[:, :, 0].astype(float))
    if not isinstance(given, np.ndarray) or given.ndim != 2 or given.shape[1] != 3:
        form = f"an array of shape {given.shape}" if isinstance(given, np.ndarray) else f"{type(given).__name__}"
        raise TypeError(f"{who}: addKToMatrix has returned {form}; an array ({n}, {n}, 1) or (m, 3) with rows "
                        "i, j, value is expected")
    at = given[:, :2].astype(np.int64)
    if len(at) and (at.min() < 0 or at.max() >= n):
        raise IndexError(f"{who}: addKToMatrix has an entry outside of a matrix of {n} x {n}")
    return scipy.sparse.coo_matrix((given[:, 2].astype(float), (at[:, 0], at[:, 1])), (n, n))


class PythonForceField(Scripted, settee.ForceField):
    """The component of the engine behind a force field."""

    _implicit = False

    def add_force(self, f, x, v):
        target = wrap(self)
        target.addForce(parameters(self), ArrayData(target, "force", f), ArrayData(target, "position", x),
                        ArrayData(target, "velocity", v))

    def product(self, df, dx, k, b):
        target = wrap(self)
        target.addDForce(parameters(self, k, b), ArrayData(target, "dforce", df), ArrayData(target, "dx", dx))

    def stiffness(self, x, v):
        target = wrap(self)
        given = target.addKToMatrix(parameters(self, 1.0), len(x), x.shape[1])
        return matrix_of(given, v.size, target.getPathName())


class ForceField(Assembled, ScriptedObject):
    """A force on the state of its node. Define addForce(self, params, f, x, v), addDForce(self, params, df, dx) and, for
    assembled systems, addKToMatrix(self, params, points, numbers)."""

    _component = PythonForceField

    def __init__(self, *names, **values):
        if len(names) > 1 or (names and "name" in values):
            raise TypeError("one name is expected")
        if type(self)._template is None:
            raise TypeError("derive from ForceFieldVec3d or its like")
        super().__init__()
        for name, value in {**({"name": names[0]} if names else {}), **values}.items():
            setattr(self, name, value)

    def _first_node(self, root):
        self._state(root, self._template)
        return root

    def _make_in(self, node):
        try:
            return super()._make_in(node)
        except settee.InvalidError as error:
            raise TypeError(f"{self.getName()}: {error}") from error

    def addForce(self, params, f, x, v):
        raise self._undefined("addForce")

    def addDForce(self, params, df, dx):
        raise self._undefined("addDForce")

    def addKToMatrix(self, params, points, numbers):
        raise self._undefined("addKToMatrix")


CLASSES = {f"ForceField{t}": type(f"ForceField{t}", (ForceField,), {"_template": t, "__doc__": ForceField.__doc__})
           for t in TEMPLATES}
CLASSES.update({f"Mass{t}": type(f"Mass{t}", (Mass,), {"__doc__": f"A mass of {t}."}) for t in TEMPLATES})


def check_states(scene):
    """A force field in a node without a state of its template is a TypeError, as in SofaPython3."""
    for component in scene._objects():
        if isinstance(component, PythonForceField) and component.is_initialized and not component.is_valid:
            raise TypeError(f"{component.path}: there is no mechanical state of {component.template} in its node")
