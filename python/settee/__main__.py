"""python3 -m settee run|check|info|… is the program itself.

SPDX-License-Identifier: Apache-2.0
"""

import os
import sys


def program():
    """The path of the program: beside the package in a wheel, above it where it is installed or built; None: not found."""
    folder = os.path.dirname(os.path.abspath(__file__))
    candidates = [os.path.join(folder, "bin", "settee")]
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        candidates.append(os.path.join(folder, "bin", "settee"))
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and os.path.isfile(candidate) and not _is_script(candidate):
            return candidate
    return None


def _is_script(path):
    """A script of a virtual environment that leads here again?"""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main():
    path = program()
    if path is None:
        sys.exit("settee: the program is not found beside the package")
    os.environ.setdefault("SETTEE_PYTHON", sys.executable)  # of scenes that are scripts
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
