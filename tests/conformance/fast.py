#!/usr/bin/env python3
"""fast.py SETTEE_BINARY [REGEX]: do faithful and fast results agree on SOFA's scenes?

Every scene of the suite and of the further examples runs ten steps without and with --fast. Positions must agree to 1e-6 of
the extent of their state. Where they do not, rounding must be why: a third run, faithful, with a time step and a gravity that
are changed by 1e-14 (gravity in all directions, so that nothing stays flat or symmetric), must then move the result by more
than 1e-10 of the extent, ten thousand times what was put in: solves that stop far from convergence, buckling, contacts that
come or go. Such scenes are named. Without the scenes the test is skipped (77).

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 120  # for one run
AGREES, SENSITIVE, CHANGE = 1e-6, 1e-10, 1e-14
shared = os.environ.get("SETTEE_SHARED")
if not shared or not os.path.isdir(shared + "/conformance/sofa"):
    print("skipped: the scenes of SOFA (../shared/conformance/sofa) are not there")
    sys.exit(77)

binary = os.path.abspath(sys.argv[1])
only = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
sofa = shared + "/conformance/sofa"


def scenes():
    names = {}
    for table in ("suite.tsv", "extra.tsv"):
        with open(f"{shared}/conformance/{table}") as lines:
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    names[line.split("\t")[0].strip()] = None
    return [name for name in names if only.search(name)]


def run(scene, *options):
    """{(step, state): rows of numbers}"""
    with tempfile.TemporaryDirectory() as folder:
        dump = folder + "/dump"
        subprocess.run([binary, "run", f"{sofa}/{scene}", "-n", "10", "--quiet", "--read-only", "--dump-states", dump,
                        "--dump-at", "1,2,5,10", "--data-path", sofa + "/share", "--data-path", sofa + "/examples",
                        *options], capture_output=True, timeout=SECONDS, cwd=folder)
        states = {}
        with open(dump) as lines:
            for line in lines:
                words = line.split()
                if words and words[0] == "STEP":
                    rows = states[words[1], words[5]] = []
                elif words:
                    rows.append([float(word) for word in words])
        return states


def extent(rows):
    """The longest side of the box around the points; of a single one its largest coordinate, at least 1."""
    if len(rows) < 2:
        return max([1.0, *(abs(v) for row in rows for v in row)])
    return max(max(column) - min(column) for column in zip(*(row[:3] for row in rows))) or 1.0


def distance(a, b):
    if {k: len(rows) for k, rows in a.items()} != {k: len(rows) for k, rows in b.items()}:
        return float("inf")
    worst = 0.0
    for key, rows in a.items():
        size = extent(rows)
        for row, other in zip(rows, b[key]):
            worst = max([worst, *(abs(u - v) / size for u, v in zip(row, other))])
    return worst


def root_values(scene):
    with open(f"{sofa}/{scene}", errors="replace") as text:
        root = re.search(r"<Node([^>]*)>", text.read()).group(1)

    def value(name, missing):
        given = re.search(rf"\s{name}\s*=\s*[\"']([^\"']+)[\"']", root)
        return [float(word) for word in (given.group(1) if given else missing).split()]

    return value("dt", "0.01")[0], value("gravity", "0 -9.81 0")


def one(scene):
    try:
        faithful = run(scene)
        away = distance(faithful, run(scene, "--fast"))
        if away <= AGREES:
            return scene, away, None
        dt, gravity = root_values(scene)
        same = run(scene, "--dt", repr(dt))
        size = max(map(abs, gravity)) or 1.0
        other = " ".join(repr(g + size * CHANGE * part) for g, part in zip(gravity, (1, 1.3, 0.7)))
        return scene, away, distance(same, run(scene, "--dt", repr(dt * (1 + CHANGE)), "--set", f"/.gravity={other}"))
    except (OSError, subprocess.TimeoutExpired):
        return scene, float("inf"), 0.0


failed, apart, count = [], [], 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for scene, away, moved in pool.map(one, scenes()):
        count += 1
        if moved is not None:
            (apart if moved > SENSITIVE else failed).append(f"{scene}: {away:.1e} apart, rounding moves it by {moved:.1e}")

print(f"{count} scenes, {count - len(apart) - len(failed)} agree to {AGREES:g}, {len(apart)} are moved by rounding:")
for line in apart:
    print("   ", line)
for line in failed:
    print("FAILED", line)
sys.exit(1 if failed or not count else 0)
