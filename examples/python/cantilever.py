"""A clamped bar under its weight, for several stiffnesses: the tip sinks as 1/E.

    python3 examples/python/cantilever.py [picture.png]

SPDX-License-Identifier: Apache-2.0
"""

import sys

import numpy as np

import settee


def bar(young):
    """A bar of 4 x 1 x 1 of linear hexahedra, clamped at x = 0, in static equilibrium."""
    scene = settee.Scene()
    root = scene.root
    root.gravity = [0, -1, 0]
    root.add("DefaultAnimationLoop")
    root.add("StaticSolver")
    root.add("NewtonRaphsonSolver", maxNbIterationsNewton=1)
    root.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    root.add("RegularGridTopology", n=[17, 5, 5], min=[0, 0, 0], max=[4, 1, 1])
    root.add("MechanicalObject", name="dofs")
    root.add("UniformMass", totalMass=4)
    root.add("HexahedronFEMForceField", youngModulus=young, poissonRatio=0.3, method="small")
    root.add("BoxROI", name="clamp", box=[-0.1, -0.1, -0.1, 0.1, 1.1, 1.1])
    root.add("FixedProjectiveConstraint", indices=root.clamp.field("indices"))
    scene.step()
    return scene


def main():
    sags = []
    youngs = np.array([2e3, 4e3, 8e3, 16e3])
    for young in youngs:
        with bar(young) as scene:
            sags.append(-scene.root.dofs.position[:, 1].min())
            if young == youngs[0] and len(sys.argv) > 1:
                scene.save_picture(sys.argv[1], 640, 480)
    for young, sag in zip(youngs, sags):
        print(f"E = {young:7.0f}   sag = {sag:.5f}   E sag = {young * sag:.3f}")
    product = youngs * sags
    assert np.ptp(product) < 1e-6 * product.mean(), "the model is linear"


if __name__ == "__main__":
    main()
