"""Eigenmodes of a free cube from the engine's K and M, with SciPy: six rigid motions, then the lowest vibrations.

    python3 examples/python/eigenmodes.py

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
from scipy.sparse.linalg import eigsh

import settee


def main():
    with settee.Scene() as scene:
        root = scene.root
        root.add("DefaultAnimationLoop")
        root.add("EulerImplicitSolver", rayleighMass=0, rayleighStiffness=0)
        root.add("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
        root.add("RegularGridTopology", n=[6, 6, 6], min=[0, 0, 0], max=[1, 1, 1])
        root.add("MechanicalObject", name="dofs")
        root.add("UniformMass", totalMass=1)
        root.add("HexahedronFEMForceField", youngModulus=1000, poissonRatio=0.3, method="small")
        scene.init()
        K, M = -scene.K.tocsc(), scene.M.tocsc()

    values, modes = eigsh(K, 10, M, sigma=-1.0)
    frequencies = np.sqrt(np.abs(values)) / (2 * np.pi)
    print("frequencies:", np.round(frequencies, 3))
    assert frequencies[:6].max() < 1e-4 < 1 < frequencies[6], "six rigid motions"
    assert np.allclose(modes.T @ M @ modes, np.eye(10), atol=1e-8)


if __name__ == "__main__":
    main()
