#!/usr/bin/python3
"""Costs of the Python package, as ratios in one run: a step against the program's, arrays, matrices, a force in NumPy.

usage: PYTHONPATH=build/release/python bench/python.py [program]

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
import time

import numpy as np

import settee

FOLDER = os.path.dirname(os.path.abspath(__file__))
SCENE = os.path.join(FOLDER, "../examples/jelly.scn")


def best(function, repeat=5):
    """Shortest time of some calls."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def step_time():
    """Of one step, in Python, with the position array held."""
    with settee.load(SCENE) as scene:
        held = [c.position for c in scene.of_class("MechanicalObject")]
        scene.step(20)
        seconds = best(lambda: scene.step(100)) / 100
        del held
    return seconds


def program_time(program):
    """Of one step of the program: the difference of two runs."""
    def run(steps):
        subprocess.run([program, "run", SCENE, "-n", str(steps)], check=True, capture_output=True)

    return (best(lambda: run(620), 3) - best(lambda: run(120), 3)) / 500


class Pull(settee.ForceField):
    "draws points to the origin"

    def add_force(self, f, x, v):
        f -= 2.0 * x + np.sin(x) * np.exp(-x * x)


def force_times():
    """Of a step with a force in NumPy on 10^4 points beyond one without, and of the NumPy code itself."""
    def scene(*forces):
        made = settee.Scene()
        made.root.gravity = [0, 0, 0]
        made.root.add("DefaultAnimationLoop")
        made.root.add("EulerExplicitSolver")
        made.root.add("MechanicalObject", position=np.random.default_rng(1).normal(size=(10000, 3)))
        made.root.add("UniformMass", vertexMass=1)
        for force in forces:
            made.root.add(force)
        made.step(5)
        return made

    with scene() as without, scene(Pull) as having:
        engine = (best(lambda: having.step(50)) - best(lambda: without.step(50))) / 50
    x, f = np.random.default_rng(1).normal(size=(10000, 3)), np.zeros((10000, 3))
    return engine, best(lambda: [Pull.add_force(None, f, x, x) for _ in range(50)]) / 50


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(FOLDER, "../build/release/bin/settee")
    step, reference = step_time(), program_time(program)
    print(f"step: {step * 1e6:.0f} µs, {step / reference:.3f} × the program's")

    with settee.load(SCENE) as scene:
        scene.step()
        state, solver = scene.root.Bar.dofs, scene.root.Bar.SparseLDLSolver1
        print(f"state.position: {best(lambda: [state.position for _ in range(10000)]) / 10000 * 1e6:.2f} µs")
        print(f"A as SciPy's:   {best(lambda: [solver.A for _ in range(100)]) / 100 * 1e6:.0f} µs")

    engine, code = force_times()
    print(f"force in NumPy on 10^4 points: {engine * 1e6:.0f} µs, {engine / code:.2f} × the code itself")
    def start(code):
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True))

    print(f"import: {(start('import settee') - start('pass')) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
