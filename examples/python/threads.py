"""A parameter study over threads: each scene is stepped by its own thread, and they run at the same time.

    python3 examples/python/threads.py

SPDX-License-Identifier: Apache-2.0
"""

import os
from concurrent.futures import ThreadPoolExecutor

import settee

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "jelly.scn")


def height(stiffness):
    """Of the jelly's center after a second, for a stiffness of its springs."""
    with settee.load(SCENE) as scene:
        springs = scene.root.Jelly.springs
        springs.linesStiffness = stiffness
        springs.reinit()
        scene.step(100)
        return scene.root.Jelly.dofs.position[:, 1].mean()


def main():
    values = [200.0, 400.0, 800.0, 1600.0]
    with ThreadPoolExecutor(4) as pool:
        heights = list(pool.map(height, values))
    for value, y in zip(values, heights):
        print(f"stiffness {value:6.0f}: height {y:.4f}")
    assert heights == [height(value) for value in values], "the same bits, one after the other"


if __name__ == "__main__":
    main()
