#!/usr/bin/env python3
"""The check of layers fails on a violation: in a small tree with the same table, first kept, then broken by an include of a
lower layer, then by a call without an include.

usage: violations.py CHECK COMPILER

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess
import sys
import tempfile

check, compiler = sys.argv[1:]

# scene calls base, as it may
KEPT = {
    "base/ground.c": "int st_ground(void) { return 1; }\n",
    "base/ground.h": "int st_ground(void);\n",
    "scene/tree.c": '#include "base/ground.h"\nint st_tree(void) { return st_ground(); }\n',
    "scene/tree.h": "int st_tree(void);\n",
}

CASES = {
    "kept": ({}, None),
    "include": ({"base/ground.h": '#include "scene/tree.h"\nint st_ground(void);\n'},
                'src/base/ground.h:2: includes "scene/tree.h", which is below base'),
    "call": ({"base/ground.c": "int st_tree(void);\nint st_ground(void) { return st_tree(); }\n"},
             "src/base/ground.c: refers to st_tree of src/scene/tree.c, which is below base"),
    "unknown folder": ({"cellar/wine.h": '#include "base/ground.h"\n'}, "'cellar' is not in the table of layers"),
}


def run(folder, files):
    """Writes the files, compiles them as CMake does, and checks."""
    source, objects = folder / "source", folder / "objects"
    for name, text in files.items():
        path = source / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#pragma once\n" * name.endswith(".h") + text)

    for path in (source / "src").rglob("*.c"):
        out = objects / path.relative_to(source).with_suffix(".c.o")
        out.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, "-c", "-I", source / "src", path, "-o", out], check=True)
    return subprocess.run([sys.executable, check, source, objects], capture_output=True, text=True)


failures = 0
for case, (changes, expected) in CASES.items():
    with tempfile.TemporaryDirectory() as folder:
        result = run(pathlib.Path(folder), {**KEPT, **changes})

    # it says what is wrong, or that nothing is
    good = result.returncode == 0 if expected is None else result.returncode == 1 and expected in result.stdout
    print(f"{case}: {'as expected' if good else 'NOT as expected'}\n{result.stdout}{result.stderr}", end="")
    failures += not good
sys.exit(1 if failures else 0)
