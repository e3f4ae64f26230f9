"""Scenes that several tests use.

SPDX-License-Identifier: Apache-2.0
"""

import os

import pytest

import settee

EXAMPLES = os.environ.get("SETTEE_EXAMPLES") or os.path.join(os.path.dirname(__file__), "../../examples")


@pytest.fixture
def jelly():
    with settee.load(os.path.join(EXAMPLES, "jelly.scn")) as scene:
        yield scene


@pytest.fixture
def scene():
    """An empty scene that says nothing of the loop that is added."""
    with settee.Scene() as made:
        made.root.add("DefaultAnimationLoop")
        yield made


@pytest.fixture
def points(scene):
    """Two points under gravity, integrated implicitly."""
    root = scene.root
    root.gravity = [0, -10, 0]
    root.dt = 0.01
    root.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
    root.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    root.add("MechanicalObject", name="dofs", position=[[0, 0, 0], [1, 0, 0.5]])
    root.add("UniformMass", name="mass", vertexMass=2)
    return scene
