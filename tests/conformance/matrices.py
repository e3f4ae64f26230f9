#!/usr/bin/env python3
"""The ratchet of matrices: every system listed in matrices.txt must agree with SOFA's own to 1e-12 of its largest entry.

usage: matrices.py SETTEE_BINARY [--all]

The references are not part of the project; without them (../shared, or SETTEE_SHARED) the test is skipped, visibly.
--all compares every reference and tells which ones agree, to extend the list.

SPDX-License-Identifier: Apache-2.0
"""
import gzip
import os
import pathlib
import subprocess
import sys

TOLERANCE = 1e-12
SKIPPED = 77
here = pathlib.Path(__file__).resolve().parent


def read_reference(path):
    """The system's class and path, and the entries of A, b and x."""
    values = {"A": {}, "b": {}, "x": {}}
    with gzip.open(path, "rt") as lines:
        system = next(lines).split()[1:3]
        for line in lines:
            words = line.split()
            if words[0] in values:
                key = tuple(int(w) for w in words[1:-1])
                values[words[0]][key] = float(words[-1])
    return system, values


def run(binary, shared, scene, system, which):
    """The entries of one matrix or vector as settee computes them."""
    sofa = shared / "conformance" / "sofa"
    command = [binary, "matrix", str(sofa / scene), "--which", which, "--system", system, "--format", "mtx", "--quiet"]
    for folder in (sofa / "share", sofa / "examples", sofa):
        command += ["--data-path", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 4):
        raise RuntimeError((done.stderr.strip().splitlines() or ["failed"])[-1])
    lines = done.stdout.splitlines()
    if "array" in lines[0]:
        return {(i,): float(v) for i, v in enumerate(lines[2:])}
    entries = {}
    for line in lines[2:]:
        row, col, value = line.split()
        entries[int(row) - 1, int(col) - 1] = float(value)
    return entries


def difference(ours, theirs):
    """Largest difference relative to the largest entry."""
    largest = max((abs(v) for v in theirs.values()), default=0.0)
    if largest < TOLERANCE:  # nothing but rounding, such as the residual after a preconditioned solve
        return max((abs(v) for v in ours.values()), default=0.0)
    worst = max((abs(ours.get(k, 0.0) - theirs.get(k, 0.0)) for k in ours.keys() | theirs.keys()), default=0.0)
    return worst / largest if largest else worst


def compare(binary, shared, name):
    """The three differences, as text, and whether all are small."""
    (_, system), reference = read_reference(shared / "conformance" / "truth" / "matrices" / (name + ".txt.gz"))
    scene = name.rsplit(".", 1)[0]
    told, good = [], True
    for which, theirs in reference.items():
        if not theirs:
            continue
        error = difference(run(binary, shared, scene, system, which), theirs)
        told.append(f"{which} {error:.1e}")
        # the solution of an ill-conditioned system is only good to its condition number
        good = good and error <= (TOLERANCE if which != "x" else 1e4 * TOLERANCE)
    return f"{system}: " + " ".join(told), good


def listed():
    text = (here / "matrices.txt").read_text()
    return [line.split("#")[0].strip() for line in text.splitlines() if line.split("#")[0].strip()]


def main():
    binary = os.path.realpath(sys.argv[1])
    shared = pathlib.Path(os.environ.get("SETTEE_SHARED", here / "../../../shared")).resolve()
    truth = shared / "conformance" / "truth" / "matrices"
    if not truth.is_dir():
        print("SKIPPED: ../shared is absent")
        return SKIPPED
    names = listed()
    if "--all" in sys.argv:
        names = sorted(str(p.relative_to(truth))[: -len(".txt.gz")] for p in truth.rglob("*.txt.gz"))
    wrong = 0
    for name in names:
        try:
            text, good = compare(binary, shared, name)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            text, good = str(error), False
        print("ok  " if good else "FAIL", name, text)
        wrong += not good
    print(f"{len(names) - wrong} agree, {wrong} do not")
    return 1 if wrong or not names else 0


sys.exit(main())
