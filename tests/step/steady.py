#!/usr/bin/env python3
"""A steady step walks over no tree and looks nothing up: under callgrind, steps of example scenes without contacts call none of
the functions that visit nodes, find components, parse, or ask a hash map.

usage: steady.py SETTEE_BINARY EXAMPLES

Without valgrind the test is skipped, visibly.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SCENES = ["jelly.scn", "skins.scn", "soft_on_rigid.scn", "four_bar_linkage.scn", "chain.scn"]
STEPS = 8

# Functions of these files, and these functions of others, have nothing to do in a steady step.
FILES = ["base/map.c", "base/pointer_table.c", "scene/lookup.c", "scene/load.c", "scene/factory.c", "scene/xml.c",
         "scene/field_text.c", "scene/registry.c", "plan/plan_graph.c"]
FUNCTIONS = ["st_visit", "st_find_slot", "st_find_object", "st_resolve_path", "collect_node", "collect_object",
             "context_collect", "plan_visit", "plan_make"]


def calls(binary, scene, steps, folder):
    """How often each function was called within st_scene_step: {(file, function): calls}."""
    out = folder / f"calls.{steps}"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=st_scene_step",
                    "--compress-strings=no", "--compress-pos=no", binary, "run", scene, "-n", str(steps), "--threads", "1",
                    "-q", "--read-only"], check=True, capture_output=True)

    # lines cfi/cfl= (the callee's file), cfn= (its name), calls=COUNT ...
    counts, file, callee_file, callee = {}, "", "", ""
    for line in out.read_text().splitlines():
        key, _, value = line.partition("=")
        if key in ("fl", "fi", "fe"):
            file = callee_file = value
        elif key in ("cfi", "cfl"):
            callee_file = value
        elif key == "cfn":
            callee = value
        elif key == "calls":
            name = (callee_file, re.sub(r"'\d+$", "", callee))
            counts[name] = counts.get(name, 0) + int(value.split()[0])
            callee_file = file
    return counts


def forbidden(file, function):
    return any(file.endswith("src/" + name) for name in FILES) or function.split(".")[0] in FUNCTIONS


def main():
    binary, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIPPED

    failures = 0
    for scene in SCENES:
        path = examples / scene
        with tempfile.TemporaryDirectory() as folder:
            few = calls(binary, path, STEPS, pathlib.Path(folder))
            many = calls(binary, path, 2 * STEPS, pathlib.Path(folder))

        # what the later steps called
        grown = {name: many[name] - few.get(name, 0) for name in many if many[name] > few.get(name, 0)}
        found = {name: count for name, count in grown.items() if forbidden(*name)}
        for (file, function), count in sorted(found.items()):
            print(f"{scene}: {function} ({file}) is called {count / STEPS:.1f} times a step")
        stepped = any(function.startswith("st_step_plan_send") for _, function in grown)
        if not stepped:
            print(f"{scene}: no step was seen")
        failures += bool(found) or not stepped
        print(f"{scene}: {len(grown)} functions in a steady step, {len(found)} of them walk or look up")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
