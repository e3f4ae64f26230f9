#!/usr/bin/env python3
"""Fails where a file of src/ includes a header, or an object file refers to a symbol, of a layer below its own.

usage: check.py SOURCE_FOLDER OBJECT_FOLDER...

The table is in layers.txt next to this script. Each OBJECT_FOLDER holds object files of the library as CMake lays them
out: OBJECT_FOLDER/src/scene/link.c.o belongs to the folder scene.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import subprocess
import sys


def read_table(path):
    """Rank of each folder and of each public header; 0 is the ground."""
    folders, headers = {}, {}
    rank = 0
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        names, _, public = line.partition("|")
        for name in names.split():
            folders[name] = rank
        for name in public.split():
            headers[name] = rank
        rank += 1
    return folders, headers


def check_includes(source, folders, headers):
    problems = []
    checked = 0
    for path in sorted((source / "src").rglob("*.[ch]")):
        own = path.relative_to(source / "src").parts[0]
        if own not in folders:
            problems.append(f"{path.relative_to(source)}: '{own}' is not in the table of layers")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                continue
            name = match.group(1)
            rank = headers[name] if name in headers else folders.get(name.split("/")[0])
            checked += 1
            if rank is None:
                problems.append(f"{path.relative_to(source)}:{number}: \"{name}\" is not in the table of layers")
            elif rank > folders[own]:
                problems.append(f"{path.relative_to(source)}:{number}: includes \"{name}\", which is below {own}")
    return checked, problems


def read_symbols(source, objects, folders):
    """Who defines a name, and which names each object file refers to. Objects of files that are gone do not count."""
    defined, used = {}, {}
    paths = [p for folder in objects for p in sorted((folder / "src").rglob("*.o"))
             if (source / p.relative_to(folder).with_suffix("")).exists()]
    out = subprocess.run(["nm", "-A", "-g", *map(str, paths)], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        path, _, rest = line.rpartition(":")
        kind, name = rest.split()[-2:]
        folder = next(f for f in objects if f in pathlib.Path(path).parents)
        part = pathlib.Path(path).relative_to(folder / "src")
        if part.parts[0] not in folders:
            continue
        if kind == "U":
            used.setdefault(part, []).append(name)
        else:
            defined[name] = part
    return defined, used


def check_symbols(source, objects, folders):
    defined, used = read_symbols(source, objects, folders)
    problems = []
    checked = 0
    for part in sorted(used):
        for name in used[part]:
            if name not in defined:
                continue  # of a library
            checked += 1
            owner = defined[name]
            if folders[owner.parts[0]] > folders[part.parts[0]]:
                problems.append(f"src/{part.with_suffix('')}: refers to {name} of src/{owner.with_suffix('')}, "
                                f"which is below {part.parts[0]}")
    return checked, problems


def main():
    source, *objects = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    folders, headers = read_table(pathlib.Path(__file__).with_name("layers.txt"))
    includes, problems = check_includes(source, folders, headers)
    symbols, more = check_symbols(source, objects, folders)
    problems += more
    for problem in problems:
        print(problem)
    print(f"{includes} includes, {symbols} references between object files, {len(problems)} against the layers")
    if includes == 0 or symbols == 0:
        print("nothing was checked: are the folders right?")
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
