"""A controller closes two fingers on a soft cube and lifts it a little.

    python3 examples/python/gripper.py [picture.png]

SPDX-License-Identifier: Apache-2.0
"""

import sys

import numpy as np

import settee


class Gripper(settee.Controller):
    "moves the clamped sides of a cube towards each other, then up"

    speed = settee.value("real", 0.5, "of the fingers")

    def onAnimateBeginEvent(self, event):
        dofs, box = self.node.dofs, self.node
        move = self.speed * event["dt"]
        with dofs.field("position").write() as x:
            if self.scene.time < 0.3:
                x[box.left.indices, 0] += move
                x[box.right.indices, 0] -= move
            else:
                x[box.left.indices, 1] += move
                x[box.right.indices, 1] += move


def main():
    with settee.Scene() as scene:
        root = scene.root
        root.gravity = [0, -1, 0]
        root.dt = 0.01
        root.add("DefaultAnimationLoop")
        cube = root.add_child("cube")
        cube.add("EulerImplicitSolver", rayleighMass=1, rayleighStiffness=0.01)
        cube.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
        cube.add("RegularGridTopology", n=[5, 5, 5], min=[0, 0, 0], max=[1, 1, 1])
        cube.add("MechanicalObject", name="dofs")
        cube.add("UniformMass", totalMass=1)
        cube.add("HexahedronFEMForceField", youngModulus=300, poissonRatio=0.3, method="large")
        for name, x in (("left", 0), ("right", 1)):
            cube.add("BoxROI", name=name, box=[x - 0.1, 0.2, 0.2, x + 0.1, 0.8, 0.8])
            cube.add("FixedProjectiveConstraint", indices=cube.get(name).field("indices"))
        cube.add(Gripper, speed=0.4)

        scene.step(60)
        x = cube.dofs.position
        width = x[cube.right.indices, 0].mean() - x[cube.left.indices, 0].mean()
        print(f"between the fingers: {width:.3f}; lifted by {x[cube.left.indices, 1].mean() - 0.5:.3f}")
        assert np.isclose(width, 1 - 2 * 0.4 * 0.3, atol=0.02)
        if len(sys.argv) > 1:
            scene.save_picture(sys.argv[1], 640, 480)


if __name__ == "__main__":
    main()
