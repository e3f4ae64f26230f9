"""Initializing, stepping and loading.

SPDX-License-Identifier: Apache-2.0
"""

import os

import settee
from . import _timer
from ._base import initialize, wrap
from ._force import check_states
from ._loops import add_default_loops
from ._messages import deliver, send
from ._scenes import EXTENSIONS, load_script


def initRoot(node):
    """All of a scene, with the loops that it lacks."""
    add_default_loops(node)
    init(node)


def init(node):
    """What is not initialized yet."""
    scene = node._s.scene
    initialize(scene, node._s.init if scene.is_initialized else scene.init)
    check_states(node._s.scene)


def animate(node, dt, /):
    with _timer.animate(node._s.scene):
        node._s.scene.step(1, dt)


def animateNSteps(root_node, n_steps=1, dt=0.0):
    for _ in range(n_steps):
        animate(root_node, dt)


def reset(node):
    node._s.scene.reset()


def load(path):
    """The root of a scene file or a script with createScene, not initialized; None after an error."""
    path = os.fspath(path)
    if not os.path.isfile(path):
        send("Error", "Simulation", f"{path}: there is no such file")
        return None
    if os.path.splitext(path)[1] in EXTENSIONS:
        return load_script(path)

    scene = settee._scene._empty({})
    scene.listen(lambda diagnostic: deliver(scene, diagnostic))
    try:
        scene._load(path)
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
