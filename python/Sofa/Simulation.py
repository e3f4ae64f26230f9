"""Initializing, stepping and loading.

SPDX-License-Identifier: Apache-2.0
"""

import os

import settee
from ._base import initialize, wrap
from ._force import check_states
from ._messages import deliver, send


def initRoot(node):
    initialize(node._s.scene, node._s.scene.init)
    check_states(node._s.scene)


init = initRoot


def animate(node, dt, /):
    node._s.scene.step(1, dt)


def animateNSteps(node, n_steps=1, dt=0.0):
    node._s.scene.step(n_steps, dt)


def reset(node):
    node._s.scene.reset()


def load(path):
    """The root of a scene file, not initialized; None after an error."""
    scene = settee._scene._empty({})
    scene.listen(lambda diagnostic: deliver(scene, diagnostic))
    try:
        scene._load(os.fspath(path))
    except settee.Error as error:
        send("Error", "Simulation", str(error))
        return None
    return wrap(scene.root)


def updateVisual(node):
    """There is nothing to do: pictures are made from the present state."""


def initVisual(node):
    """The same."""


initTextures = initVisual


def unload(node):
    """Takes everything out of a root."""
    for item in list(node._s._objects()) + list(node._s._children()):
        item.remove()


def print(node):  # noqa: A001, its name in SofaPython3
    import builtins

    builtins.print(node._s.tree())
