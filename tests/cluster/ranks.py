#!/usr/bin/env python3
"""settee-mpi on 1, 2, 3, 4 and 8 ranks: agrees with settee, repeats its bits, goes on from checkpoints, and ends clearly
where it cannot go on. Every run has a time limit.

usage: ranks.py SETTEE SETTEE_MPI MPIRUN [PART...]

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import itertools
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

SETTEE, SETTEE_MPI, MPIRUN = sys.argv[1:4]
HERE = pathlib.Path(__file__).resolve().parent
LAUNCH = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
LIMIT = 120  # seconds
failures = []
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        failures.append(what)
        print("FAILED:", what, flush=True)


def run(command, limit=LIMIT):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as expired:
        return "hangs", "", str(expired.stderr)


def ranks(count, *arguments, limit=LIMIT):
    return run(LAUNCH + ["-n", str(count), SETTEE_MPI, *map(str, arguments)], limit)


def several_ranks(runs):
    """Short runs at a time: most of each is mpirun's waiting."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda run: ranks(*run), runs))


def numbers(path):
    lines = path.read_text().splitlines()
    return lines[0].split()[4], [float(word) for line in lines[1:] for word in line.split()]


def distance(a, b):
    (path_a, x), (path_b, y) = numbers(a), numbers(b)
    if path_a != path_b or len(x) != len(y):
        return float("inf")
    return max(abs(p - q) for p, q in zip(x, y))


def write_mesh(path):
    """A bar of 4 x 4 x 10 boxes, each of six tetrahedra."""
    n = (5, 5, 11)
    points = [(i / 4, j / 4, 3 * k / 10) for k in range(n[2]) for j in range(n[1]) for i in range(n[0])]
    tetrahedra = []
    for corner in itertools.product(*(range(m - 1) for m in n)):
        for order in itertools.permutations(range(3)):
            at = list(corner)
            vertices = [1 + at[0] + n[0] * (at[1] + n[1] * at[2])]
            for axis in order:
                at[axis] += 1
                vertices.append(1 + at[0] + n[0] * (at[1] + n[1] * at[2]))
            # odd orders are turned inside out
            if order in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
                vertices[2], vertices[3] = vertices[3], vertices[2]
            tetrahedra.append(vertices)
    with open(path, "w") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(points)}\n")
        for number, p in enumerate(points):
            file.write("%d %.17g %.17g %.17g\n" % (number + 1, *p))
        file.write(f"$EndNodes\n$Elements\n{len(tetrahedra)}\n")
        for number, t in enumerate(tetrahedra):
            file.write("%d 4 2 1 1 %d %d %d %d\n" % (number + 1, *t))
        file.write("$EndElements\n")


def agrees_with_settee(folder):
    for name, steps, tolerance in (("hexahedra", 5, 1e-9), ("tetrahedra", 5, 1e-9), ("hyperelastic", 2, 1e-9),
                                   ("explicit", 50, 1e-12)):
        scene, expected = folder / f"{name}.scn", folder / f"{name}.txt"
        code, _, errors = run([SETTEE, "run", scene, "-n", str(steps), "--quiet", "--dump-states", expected])
        check(code == 0, f"settee runs {name}: {errors}")
        for count in (1, 2, 3, 4, 8) if name == "hexahedra" else (3,):
            states = folder / f"{name}_{count}.txt"
            code, _, errors = ranks(count, "run", scene, "-n", steps, "--quiet", "--dump-states", states)
            check(code == 0, f"{name} on {count} ranks gives {code}: {errors}")
            if code == 0:
                off = distance(expected, states)
                check(off <= tolerance, f"{name} on {count} ranks is {off:g} off")


def repeats_its_bits(folder):
    for options in ((), ("--matrix-free",)):
        texts = []
        for turn in range(2):
            states = folder / f"repeat_{turn}.txt"
            code, _, errors = ranks(3, "run", folder / "tetrahedra.scn", "-n", 3, "--quiet", "--dump-states", states,
                                    *options)
            check(code == 0, f"repeat gives {code}: {errors}")
            texts.append(states.read_text())
        check(len(set(texts)) == 1, f"runs on 3 ranks differ {options}")


def solvers_of_petsc_work(folder):
    for options in (("--matrix-free",), ("-pc_type", "hypre"), ("-ksp_type", "minres", "-pc_type", "jacobi")):
        states = folder / "option.txt"
        code, _, errors = ranks(2, "run", folder / "tetrahedra.scn", "-n", 5, "--quiet", "--dump-states", states, *options)
        check(code == 0 and "no effect" not in errors, f"{options} gives {code}: {errors}")
        check(code == 0 and distance(folder / "tetrahedra.txt", states) < 1e-8, f"{options} is off")
    code, _, errors = ranks(2, "run", folder / "tetrahedra.scn", "-n", 1, "--quiet", "-ksp_tpye", "cg")
    check(code == 0 and "-ksp_tpye has no effect" in errors, f"a misspelled option: {errors}")


def goes_on_from_checkpoints(folder):
    kept, states = folder / "kept", folder / "restarted.txt"
    scene = folder / "hexahedra.scn"
    code, _, errors = ranks(2, "run", scene, "-n", 2, "--quiet", "--checkpoint", kept)
    check(code == 0, f"checkpoint gives {code}: {errors}")
    code, _, errors = ranks(3, "run", scene, "-n", 3, "--quiet", "--restart", kept, "--dump-states", states)
    check(code == 0, f"restart gives {code}: {errors}")
    check(code == 0 and distance(folder / "hexahedra.txt", states) <= 1e-9, "a restart on 3 ranks is off")
    check(code == 0 and states.read_text().split()[1] == "5", "a restart counts its steps anew")

    code, _, errors = ranks(2, "run", folder / "tetrahedra.scn", "-n", 1, "--restart", kept)
    check(code == 3 and "is of 208 points" in errors, f"a checkpoint of another scene: {code}: {errors}")
    whole, nan = kept.read_bytes(), struct.pack("d", float("nan"))
    for content, words in ((whole[:500], "ends too early"), (whole + nan, "has more than its points"),
                           (whole[:-8] + nan, "point 207 is not finite"),
                           (whole[:32] + nan + whole[40:], "time is not finite")):
        kept.write_bytes(content)
        code, _, errors = ranks(2, "run", scene, "-n", 1, "--restart", kept)
        check(code == 3 and words in errors, f"a checkpoint that {words}: {code}: {errors}")


def children_of(pid):
    return [int(p) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for p in task.read_text().split()]


def others_end_when_a_rank_dies(folder):
    kept = folder / "last"
    process = subprocess.Popen(LAUNCH + ["-n", "3", SETTEE_MPI, "run", str(folder / "hexahedra.scn"), "-n", "100000",
                                         "--quiet", "--every", "1", "--checkpoint", str(kept)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    for _ in range(300):
        if kept.exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    victims = children_of(process.pid)
    check(len(victims) >= 3, f"the ranks are there: {victims}")
    if victims:
        os.kill(victims[1], signal.SIGKILL)
    try:
        code = process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        code = "hangs"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    check(code not in (0, "hangs"), f"a rank that dies: {code}")
    code, _, errors = ranks(2, "run", folder / "hexahedra.scn", "-n", 1, "--quiet", "--restart", kept)
    check(code == 0, f"the last checkpoint is whole: {code}: {errors}")


def bad_input_ends_clearly(folder):
    bar, hyperelastic = (folder / "hexahedra.scn").read_text(), (folder / "hyperelastic.scn").read_text()

    def scene(name, text):
        (folder / name).write_text(text)
        return folder / name

    solver = '<SparseLDLSolver template="CompressedRowSparseMatrixMat3x3d"/>'
    grid = '<RegularGridTopology name="grid" n="4 4 13" min="0 0 0" max="1 1 4"/>'
    cases = [
        ("nowhere.scn", 2, 3, "nowhere.scn"),
        (scene("broken.scn", bar[:200]), 2, 3, "cannot be read"),
        (scene("contact.scn", bar.replace("<Default", "<CollisionPipeline/><Default")), 2, 3, "CollisionPipeline cannot be"),
        (scene("lcp.scn", bar.replace("DefaultAnimation", "FreeMotionAnimation")), 2, 3, "FreeMotionAnimationLoop cannot be"),
        (scene("change.scn", bar.replace("<UniformMass", "<TopologicalChangeProcessor/><UniformMass")), 2, 3,
         "TopologicalChangeProcessor cannot be"),
        (scene("spelling.scn", bar.replace("<UniformMass", "<UniformMas")), 2, 3, "UniformMas cannot be"),
        (scene("numbers.scn", bar.replace('name="state"', 'position="0 0 0"')), 2, 3, "numbers of its own"),
        (scene("outside.scn", bar.replace("192-207-5", "999")), 2, 3, "points that are not there"),
        (scene("listed.scn", bar.replace("<Hexa", '<MeshTopology hexahedra="0 1 2 3 4 5 6 7 8"/><Hexa')), 2, 3,
         "a list of the whole mesh in hexahedra"),
        (scene("range.scn", bar.replace("<Hexa", '<PlaneForceField localRange="0 9"/><Hexa')), 2, 3, "in localRange"),
        (scene("two.scn", bar.replace(grid, grid + grid)), 2, 3, "second mesh"),
        (scene("none.scn", bar.replace(grid, "")), 2, 3, "no mesh"),
        (scene("unsolved.scn", bar.replace(solver, "")), 2, 3, "needs a linear solver"),
        (scene("small.scn", bar.replace("4 4 13", "2 2 3")), 4, 3, "cannot be split among 4 ranks"),
        (scene("huge.scn", bar.replace("4 4 13", "2147483647 2147483647 4")), 2, 3, "RegularGridTopology cannot be read"),
        (scene("heavy.scn", bar.replace('totalMass="100"', 'totalMass="@x.y"')), 2, 3, 'totalMass="@x.y" cannot be'),
        (scene("nan.scn", bar.replace("3 0 9", "3 nan 9")), 2, 3, "3 finite numbers are needed"),
        (scene("empty.scn", bar.replace("1 1 4", "1 1 0").replace("UniformMass", "MeshMatrixMass").replace(
            "<HexahedronFEM", "<UniformVelocityDamping")), 2, 3, "has no volume"),
        (scene("files.scn", bar.replace(solver, '<PetscLinearSolver options="-ksp_view ascii:found.txt"/>')), 2, 3,
         "names a file"),
        (scene("flat.scn", bar.replace("4 4 13", "4 4 1")), 2, 3, "no cells"),
        (scene("lost.scn", hyperelastic.replace("bar.msh", "lost.msh")), 2, 3, "lost.msh: No such"),
        (scene("unstable.scn", (folder / "explicit.scn").read_text().replace(
            "<Hexa", '<ConstantForceField indices="200" forces="1e308 0 0"/><Hexa')), 4, 1, "failed"),
    ]
    runs = several_ranks((count, "run", path, "-n", 50 if expected == 1 else 1, "--quiet")
                         for path, count, expected, words in cases)
    for (path, count, expected, words), (code, _, errors) in zip(cases, runs):
        check(code == expected and words in errors, f"{path} gives {code}, not {expected} with '{words}': {errors}")
        said = [line for line in errors.splitlines() if words in line and line.startswith("settee-mpi:")]
        check(len(said) == 1, f"{path} says '{words}' {len(said)} times: {errors}")

    # meshes
    mesh = (folder / "bar.msh").read_text()
    changes = (("2.2 0 8", "4.1 0 8"), ("$Elements", "$Nothing"), (" 4 2 1 1 1 ", " 4 2 1 1 999999 "),
                   (" 4 2 1 1 1 ", " 6 2 1 1 1 "), ("\n7 ", "\n8 "), ("\n7 ", "\n7 nan "), ("\n7 ", "\n7 " + 5000 * " "))
    paths = []
    for number, change in enumerate(changes):
        (folder / f"bad{number}.msh").write_text(mesh.replace(*change, 1))
        paths.append(scene(f"bad{number}.scn", hyperelastic.replace("bar.msh", f"bad{number}.msh")))
    runs = several_ranks((2, "run", path, "-n", 1, "--quiet") for path in paths)
    for number, (change, (code, _, errors)) in enumerate(zip(changes, runs)):
        check(code == 3 and f"bad{number}.msh:" in errors, f"{change} gives {code}: {errors}")

    # the command line
    lines = (("run",), ("run", "a", "--vkt", "b"), ("walk", "a"), ("run", "a", "-n", "x"), ("run", "a", "--dt", "0"))
    for words, (code, _, errors) in zip(lines, several_ranks((2, *words) for words in lines)):
        check(code == 2 and errors.count("settee-mpi: ") == 1, f"{words} gives {code}: {errors}")
    code, _, errors = ranks(2, "run", folder / "hexahedra.scn", "-n", 1, "--quiet", "--dump-states", "/no/where")
    check(code == 1 and "cannot be written" in errors, f"a file that cannot be written: {code}: {errors}")

    # only one of the ranks sees no file
    code, _, errors = run(LAUNCH + ["-n", "1", SETTEE_MPI, "run", folder / "hexahedra.scn", ":", "-n", "1", SETTEE_MPI, "run",
                                    folder / "missing.scn"])
    check(code == 3 and "rank 1" in errors, f"a file that one rank misses: {code}: {errors}")


# PT-Scotch is the first that finds none: it says so and crashes.
def memory_that_one_rank_lacks(folder):
    large = folder / "large.scn"
    large.write_text((folder / "hexahedra.scn").read_text().replace("4 4 13", "80 80 80"))
    command = [SETTEE_MPI, "run", str(large), "-n", "1", "--quiet", "--matrix-free"]
    poor = ["sh", "-c", "ulimit -v 500000; exec \"$@\"", "sh", *command]
    code, _, errors = run(LAUNCH + ["-n", "1", *command, ":", "-n", "1", *poor])
    check(code not in (0, "hangs") and "out of memory" in errors, f"a rank without memory: {code}: {errors}")


def pieces_open_in_paraview(folder):
    # in two runs, of a state whose name is no name of a file
    out, kept = folder / "out", folder / "half"
    scene = folder / "pieces.scn"
    scene.write_text((folder / "hexahedra.scn").read_text().replace('name="state"', 'name="../../a&quot;&lt;b"'))
    command = ("run", scene, "-n", 2, "--quiet", "--vtk", out, "--every", 2)
    code, _, errors = ranks(3, *command, "--checkpoint", kept)
    check(code == 0, f"--vtk gives {code}: {errors}")
    code, _, errors = ranks(3, *command, "--restart", kept, "--dump-states", folder / "vtk.txt")
    check(code == 0, f"--vtk goes on with {code}: {errors}")
    frames = sorted(path.name for path in out.glob("*.pvtu"))
    check(frames == [f"part_00000{step}.pvtu" for step in (0, 2, 4)], f"frames of both runs: {frames}")
    python = next((p for p in ("python3", "/usr/bin/python3") if run([p, "-c", "import vtk"])[0] == 0), None)
    if not python:
        print("SKIPPED: the Python module vtk (python3-vtk9) is absent: pieces are not read")
        return
    code, text, errors = run([python, HERE / "read_pieces.py", out, folder / "vtk.txt"])
    check(code == 0, f"VTK reads the pieces: {text}{errors}")


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    for source in HERE.glob("*.scn"):
        (work / source.name).write_text(source.read_text())
    write_mesh(work / "bar.msh")
    for part in (agrees_with_settee, repeats_its_bits, solvers_of_petsc_work, goes_on_from_checkpoints,
                 others_end_when_a_rank_dies, bad_input_ends_clearly, memory_that_one_rank_lacks, pieces_open_in_paraview):
        if sys.argv[4:] and part.__name__ not in sys.argv[4:]:
            continue
        start = time.monotonic()
        part(work)
        print(f"{part.__name__}: {time.monotonic() - start:.1f} s", flush=True)

print(f"{checks} checks, {len(failures)} failures")
sys.exit(1 if failures else 0)
