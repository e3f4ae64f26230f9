"""A parameter study over threads: each scene is stepped by its own thread, and they run at the same time.

    python3 examples/python/threads.py

SPDX-License-Identifier: Apache-2.0
"""

import os
from concurrent.futures import ThreadPoolExecutor

import settee

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "jelly.scn")


def height(gravity):
    """Of the jelly's center after half a second, under a gravity."""
    with settee.load(SCENE) as scene:
        scene.root.gravity = [0, -gravity, 0]
        scene.step(50)
        return scene.root.Jelly.dofs.position[:, 1].mean()


def main():
    values = [1.0, 2.0, 5.0, 10.0]
    with ThreadPoolExecutor(4) as pool:
        heights = list(pool.map(height, values))
    for value, y in zip(values, heights):
        print(f"gravity {value:4.1f}: height {y:.4f}")
    assert heights == sorted(heights, reverse=True) and heights[0] > heights[-1]
    assert heights == [height(value) for value in values], "the same bits, one after the other"


if __name__ == "__main__":
    main()
