"""The program `settee` inside of Python: the scene is what a script's createScene(root) makes (cli/script.c).

SPDX-License-Identifier: Apache-2.0
"""

import functools
import os
import sys

import settee
from . import _program

_scenes = {}  # address of a scene of the engine: its root, as scripts see it; whether the program steps it


def main(words):
    """Runs the program and returns its exit code. The first word is its path, others are those of its command line."""
    return _program.run([os.fsencode(word) for word in words], _load, _init, _end)


def _without_exit(function):
    """A call of the program in which sys.exit of a script is an error: the program's exit code is its own."""
    @functools.wraps(function)
    def call(*arguments):
        try:
            return function(*arguments)
        except SystemExit as end:
            raise RuntimeError(f"the script called sys.exit({'' if end.code is None else repr(end.code)})") from end
    return call


@_without_exit
def _load(path, words, config):
    import Sofa._hosted

    scene = settee._settee.Scene.__new__(settee.Scene, config=config)
    scene.__init__()
    root = Sofa._hosted.load(scene, path, words)
    _scenes[scene._address] = [root, False]
    sys.stdout.flush()
    return scene._address


@_without_exit
def _init(address):
    import Sofa.Simulation

    entry = _scenes[address]
    Sofa.Simulation.initRoot(entry[0])
    entry[0]._s.scene._lend()
    entry[1] = True
    sys.stdout.flush()


@_without_exit
def _end(address):
    root, lent = _scenes.pop(address)
    scene = root._s.scene
    try:
        if lent:
            scene._take_back()
    finally:
        scene.close()
        sys.stdout.flush()
