#!/usr/bin/env python3
"""every_scene.py SETTEE_BINARY: runs and checks every scene of SOFA in ../shared.

`settee run -n 2` and `settee check` must not crash, must not answer 0 when an error was reported, and must not answer 3
(invalid) for a scene that SOFA reads. Scenes that are slow are given up after a while and counted, not failed. Where the
scenes are absent the test is skipped (77).

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile

SECONDS = 60  # for one scene
shared = os.environ.get("SETTEE_SHARED")
if not shared or not os.path.isdir(shared + "/conformance/sofa"):
    print("skipped: the scenes of SOFA (../shared/conformance/sofa) are not there")
    sys.exit(77)

binary = os.path.abspath(sys.argv[1])
sofa = shared + "/conformance/sofa"
scenes = sorted(glob.glob(sofa + "/**/*.scn", recursive=True))
commands = {"run": ["-n", "2"], "check": []}


def reported_errors(text):
    try:
        return json.loads(text)["errors"]
    except (ValueError, KeyError):
        return None


def one(job):
    command, scene = job
    paths = ["--data-path", sofa + "/share", "--data-path", sofa + "/examples"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([binary, command, scene, "--json", *commands[command], *paths],
                                  capture_output=True, timeout=SECONDS, cwd=folder)
        except subprocess.TimeoutExpired:
            return job, "slow", ""
    errors = reported_errors(done.stdout.decode(errors="replace"))
    if done.returncode not in (0, 1, 3, 4):
        return job, "crash", f"code {done.returncode}"
    if done.returncode == 3:
        return job, "refused", "code 3"
    if errors is None:
        return job, "no summary", f"code {done.returncode}"
    if done.returncode == 0 and errors > 0:
        return job, "hidden", f"code 0 with {errors} errors"
    return job, f"code {done.returncode}", ""


count = {}
failed = []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for job, outcome, why in pool.map(one, [(c, s) for c in commands for s in scenes]):
        count[(job[0], outcome)] = count.get((job[0], outcome), 0) + 1
        if why:
            failed.append(f"{job[0]} {os.path.relpath(job[1], sofa)}: {outcome}, {why}")

print(f"{len(scenes)} scenes:", ", ".join(f"{c} {o}: {n}" for (c, o), n in sorted(count.items())))
for line in failed:
    print(line)
sys.exit(1 if failed or not scenes else 0)
