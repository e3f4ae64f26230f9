#!/usr/bin/env python3
"""Mapping scenes move the same with an assembled matrix and without one.

usage: trajectories.py SETTEE_BINARY [SCENE...]

Every scene of SOFA's folders on mappings and every example of our own that has a mapping is written twice: with a
SparseLDLSolver in the place of each linear solver, which factors the assembled and projected matrix, and with a
CGLinearSolver that goes on until rounding stops it, which only multiplies. Both make ten steps; positions must agree at
each of them to 1e-6 of the largest displacement. Contacts are not the matter here: collision pipelines are taken out.

SOFA's scenes are not part of the project; without them (../shared, or SETTEE_SHARED) that part is left out, visibly.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

STEPS = 10
TOLERANCE = 1e-6
FOLDERS = ["Component/Mapping", "Tutorials/Mappings"]
LINEAR_SOLVERS = {
    "CGLinearSolver", "PCGLinearSolver", "MinResLinearSolver", "SparseLDLSolver", "AsyncSparseLDLSolver",
    "EigenSimplicialLDLT", "EigenSimplicialLLT", "EigenSparseLU", "EigenSparseQR", "CholeskySolver", "BTDLinearSolver",
    "SVDLinearSolver",
}
IMPLICIT = {"EulerImplicitSolver", "StaticSolver", "NewtonRaphsonSolver", "NewmarkImplicitSolver", "BDFOdeSolver"}
ASSEMBLED = ("SparseLDLSolver", {})
PSEUDO_INVERSE = ("SVDLinearSolver", {"minSingularValue": "1e-10"})
MATRIX_FREE = ("CGLinearSolver", {"iterations": "20000", "tolerance": "1e-14", "threshold": "1e-300"})
here = pathlib.Path(__file__).resolve().parent

# Points that nothing drives have neither mass nor stiffness: what has no equation stays, with both.
SINGULAR = {"SubsetMultiMapping.scn"}
# Scenes in which nothing can be compared.
EXCLUDED = {
    "RigidMapping-basic.scn": "static, with a constant force alone: the matrix is zero",
    "RigidMapping2d-basic.scn": "static, with a constant force alone: the matrix is zero",
}


def has_forces_below_a_switched_off_mapping(root):
    """With isMechanical="false", SOFA's rules leave the child out of products, but not out of assembled matrices."""
    for node in root.iter("Node"):
        off = any(child.tag.endswith("Mapping") and
                  {child.get("isMechanical", "1"), child.get("mapForces", "1")} & {"0", "false"} for child in node)
        if off and any(e.tag.endswith(("ForceField", "Mass", "Spring")) for e in node.iter()):
            return True
    return False


def why_not(root):
    """The reason for which a scene is left out; None when it is compared."""
    tags = {element.tag for element in root.iter()}
    if not any(tag.endswith("Mapping") and not tag.endswith("TopologicalMapping") for tag in tags):
        return "no mapping"
    if not tags & IMPLICIT:
        return "explicit: there is no system to solve"
    if not tags & LINEAR_SOLVERS:
        return "no linear solver that could be replaced"
    if "LinearSolverConstraintCorrection" in tags:
        return "its constraint correction needs a matrix"
    if has_forces_below_a_switched_off_mapping(root):
        return "forces below isMechanical=\"false\": matrices have them, products do not, as in SOFA"
    return None


def write_variant(path, folder, solver):
    root = xml.parse(path).getroot()
    for element in root.iter():
        for pipeline in element.findall("CollisionPipeline"):
            element.remove(pipeline)
        if element.tag in LINEAR_SOLVERS:
            element.tag, attributes = solver
            name = element.get("name")
            element.attrib = dict(attributes, **({"name": name} if name else {}))
    variant = folder / (solver[0] + "-" + path.name)
    xml.ElementTree(root).write(variant)
    return variant


def run(binary, scene, places):
    """Positions at each step: lists of numbers, one for each state."""
    command = [binary, "run", str(scene), "-n", str(STEPS), "--quiet", "--dump-states", "-", "--dump-at", "all"]
    for place in places:
        command += ["--data-path", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 4):
        raise RuntimeError((done.stderr.strip().splitlines() or ["failed"])[-1])
    states, steps = [], []
    for line in done.stdout.splitlines():
        if line.startswith("STEP"):
            steps.append(int(line.split()[1]))
            states.append([])
        else:
            states[-1] += [float(word) for word in line.split()]
    return steps, states


def distance(a, b):
    return max((abs(x - y) for x, y in zip(a, b)), default=0.0)


def compare(binary, path, places):
    """Largest difference at any step, relative to the largest displacement."""
    direct = PSEUDO_INVERSE if path.name in SINGULAR else ASSEMBLED
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        steps, ours = run(binary, write_variant(path, folder, direct), places)
        other_steps, theirs = run(binary, write_variant(path, folder, MATRIX_FREE), places)
    if steps != other_steps or [len(s) for s in ours] != [len(s) for s in theirs]:
        raise RuntimeError("the two runs have different states")
    if max(steps, default=0) != STEPS:
        raise RuntimeError("there are no states to compare")
    count = steps.count(0)
    moved = max(distance(ours[i], ours[i % count]) for i in range(len(ours)))
    if moved == 0:
        raise RuntimeError("nothing moves")
    return max(distance(a, b) for a, b in zip(ours, theirs)) / moved


def scenes(shared):
    if len(sys.argv) > 2:
        return [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    found = sorted((here.parent.parent / "examples").glob("*.scn"))
    examples = shared / "conformance" / "sofa" / "examples"
    if not examples.is_dir():
        print("SKIPPED: SOFA's scenes, ../shared is absent")
        return found
    for folder in FOLDERS:
        found += sorted((examples / folder).rglob("*.scn"))
    return found


def main():
    binary = os.path.realpath(sys.argv[1])
    shared = pathlib.Path(os.environ.get("SETTEE_SHARED", here / "../../../shared")).resolve()
    sofa = shared / "conformance" / "sofa"
    compared = wrong = 0
    for path in scenes(shared):
        reason = EXCLUDED.get(path.name) or why_not(xml.parse(path).getroot())
        if reason:
            print("----", path.name + ":", reason)
            continue
        try:
            error = compare(binary, path, [path.parent, sofa / "share", sofa / "examples", sofa])
            good, text = error <= TOLERANCE, f"{error:.1e}"
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as problem:
            good, text = False, str(problem)
        print("ok  " if good else "FAIL", path.name, text, flush=True)
        compared += 1
        wrong += not good
    print(f"{compared - wrong} move the same with and without a matrix, {wrong} do not")
    return 1 if wrong or not compared else 0


sys.exit(main())
