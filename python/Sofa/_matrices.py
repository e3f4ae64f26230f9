"""Matrices and vectors as SciPy and NumPy have them. All of them are copies.

Only classes that have them get the methods: an object written in Python may have a Data called x.

SPDX-License-Identifier: Apache-2.0
"""

from ._base import _KINDS, Object


def csr(component, name):
    return component._s.matrix(name).tocsr(copy=True).copy()


class LinearSolver(Object):
    """A linear solver or system: A x = b of the last solve."""

    def A(self):
        return csr(self, "A")

    def b(self):
        return self._s.b

    def x(self):
        return self._s.x

    get_system_matrix, get_rhs_vector, get_solution_vector = A, b, x


class ConstraintSolver(Object):
    """A constraint solver: W λ + dfree of the last step."""

    def W(self):
        return self._s.W

    def lambda_force(self):
        return self._s.lam

    def dfree(self):
        return self._s.free


class Assembled:
    """Forces and masses: the matrix of the component alone."""

    def assembleMMatrix(self):
        return csr(self, "M")

    def assembleKMatrix(self):
        return csr(self, "K")


class EngineForce(Assembled, Object):
    """A force of the engine."""


class Mass(EngineForce):
    """A mass; those of the engine only."""

    def __init__(self, *arguments, **values):
        raise TypeError("masses are made by addObject")


_KINDS.update({"linear solver": LinearSolver, "linear system": LinearSolver, "constraint solver": ConstraintSolver,
               "force": EngineForce, "mass": Mass})
