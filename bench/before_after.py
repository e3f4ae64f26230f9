#!/usr/bin/env python3
"""What a step costs before and after a change: instructions, which other users of the machine do not disturb.

usage: before_after.py BEFORE AFTER [--small] [NAME]...

BEFORE and AFTER are two builds of the program settee, run scene by scene in turns under valgrind's callgrind. Counted is
what st_scene_step executes in steps 21 to 40, as the difference of two runs, on one thread. The scenes are those of bench/scenes
(../shared/bench/sofa.tsv), with --small small ones, mainly of springs, all below 600 degrees of freedom; NAMEs choose those whose name
contains one of them. Printed are both counts for each scene, their ratio, and the geometric mean of the ratios. A number
above 1 means that the program became faster.

SPDX-License-Identifier: Apache-2.0
"""
import math
import pathlib
import re
import subprocess
import sys

SHARED = pathlib.Path("../shared")
SOFA = SHARED / "conformance/sofa"
SMALL = """
    Tutorials/Basic/TutorialBasicPendulum Tutorials/StepByStep/Pendulum/4_Pendulum Tutorials/StepByStep/Pendulum/6_Pendulum
    Demos/2d Demos/2d_explicit Component/ODESolver/Backward/BDFOdeSolver_spring3d
    Component/SolidMechanics/Spring/StiffSpringForceField_simple Tutorials/Basic/TutorialBasicCube
    Component/Constraint/Projective/BilinearConstraint Component/ODESolver/Forward/EulerExplicitSolver_diagonal
    Component/Mapping/NonLinear/DistanceMapping Component/SolidMechanics/FEM/BeamFEMForceField""".split()


def instructions(program, scene, steps):
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=st_scene_step",
                          program, "run", scene, "-n", str(steps), "--threads", "1", "-q",
                          "--data-path", SOFA / "share", "--data-path", SOFA / "examples"],
                         capture_output=True, text=True, timeout=600).stderr
    match = re.search(r"Collected : (\d+)", out)
    return int(match.group(1)) if match else 0


def steady_step(program, scene):
    return (instructions(program, scene, 40) - instructions(program, scene, 20)) / 20


def main():
    arguments = [a for a in sys.argv[1:] if a != "--small"]
    before, after, *names = arguments

    # the scenes
    if "--small" in sys.argv:
        scenes = {path.rsplit("/", 1)[-1]: f"examples/{path}.scn" for path in SMALL}
    else:
        lines = (SHARED / "bench/sofa.tsv").read_text().splitlines()
        scenes = dict(line.split("\t")[:2] for line in lines if not line.startswith("#"))

    # both programs in turn
    ratios = []
    for name, path in scenes.items():
        if names and not any(part in name for part in names):
            continue
        a, b = steady_step(before, SOFA / path), steady_step(after, SOFA / path)
        if a <= 0 or b <= 0:
            print(f"{name:36} failed", flush=True)
            continue
        ratios.append(a / b)
        print(f"{name:36} {a:12.0f} {b:12.0f} {a / b:7.3f}", flush=True)

    if ratios:
        print(f"{len(ratios)} scenes, geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}")
    return 0 if ratios else 1


if __name__ == "__main__":
    sys.exit(main())
