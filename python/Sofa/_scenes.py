"""Scripts as scenes: a Python file with a function createScene(root).

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import importlib.machinery
import importlib.util
import os
import sys

from ._base import Node
from ._messages import send, told

EXTENSIONS = (".py", ".py3", ".pyscn", ".py3scn")
arguments = []  # what follows --argv: sys.argv of a script, after its own name
_at_start = set(sys.modules)
_folders = set()  # of the scripts that were loaded


def unloadModules():
    """Forgets what was imported since Sofa from the folders of scripts: their helper modules are read again."""
    for name in sorted(set(sys.modules) - _at_start):
        if name.partition(".")[0] not in _LASTING and _folder_of(name) in _folders:
            del sys.modules[name]


# ours are not those of a script, even where one lies beside them
_LASTING = ("Sofa", "SofaRuntime", "SofaTypes", "SofaExporter", "settee")


def _folder_of(name):
    """Where a module was imported from: the folder of its file, for a part of a package the one around the package.
    None: extension modules, which cannot be read twice, and what has no file."""
    file = getattr(sys.modules[name], "__file__", None)
    if not file or file.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
        return None
    path = os.path.splitext(os.path.abspath(file))[0]
    levels = name.count(".") + (2 if os.path.basename(path) == "__init__" else 1)
    for _ in range(levels):
        path = os.path.dirname(path)
    return path


def import_sofa_python_scene(path):
    """The module of a script."""
    module = _execute(os.path.abspath(path))
    if not callable(getattr(module, "createScene", None)):
        raise Exception(f"{path}: there is no function createScene")
    return module


def _execute(path):
    """Its name is that of the file: a part for __main__ does not run."""
    name = os.path.splitext(os.path.basename(path))[0]
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    _folders.add(os.path.dirname(path))
    loader.exec_module(module)
    return module


@contextlib.contextmanager
def _in_folder_of(path):
    """In the script's folder, which is also where it imports from, with its arguments."""
    before, argv = os.getcwd(), sys.argv
    folder = os.path.dirname(path)
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = [os.path.splitext(os.path.basename(path))[0], *arguments]
    try:
        yield
    finally:
        sys.argv = argv
        sys.path.remove(folder)
        os.chdir(before)


def load_script(path, root=None):
    """The root that createScene(root) fills. What an exception leaves is kept; the exception is a message."""
    path = os.path.abspath(path)
    unloadModules()
    root = Node("root") if root is None else root
    try:
        with _in_folder_of(path):
            module = _execute(path)
            create = getattr(module, "createScene", None)
            if create is None:
                send("Error", "SceneLoaderPY3", f"{path}: there is no function createScene(root)")
            else:
                create(root)
    except Exception as error:
        send("Error", "SceneLoaderPY3", f"{path}: {told(error)}")
    return root
