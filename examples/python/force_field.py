"""A force field written with NumPy: points in a Gaussian well, with its derivative, checked by finite differences.

    python3 examples/python/force_field.py

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

import settee


class GaussianWell(settee.ForceField):
    "draws points into a well of energy -depth exp(-r² / (2 width²)) around the origin"

    depth = settee.value("real", 1.0, "energy at the center")
    width = settee.value("real", 1.0, "distance at which the force is largest")

    def energies(self, x):
        return self.depth * np.exp(-(x**2).sum(axis=1) / (2 * self.width**2))

    def potential(self, x):
        return -self.energies(x).sum()

    def add_force(self, f, x, v):
        f -= self.energies(x)[:, None] / self.width**2 * x

    def stiffness(self, x, v):
        """e/w² (x xᵀ/w² - I) for each point."""
        outer = x[:, :, None] * x[:, None, :] / self.width**2
        n = np.arange(len(x))
        return n, n, (self.energies(x) / self.width**2)[:, None, None] * (outer - np.eye(3))


def main():
    with settee.Scene() as scene:
        root = scene.root
        root.gravity = [0, 0, 0]
        root.dt = 0.01
        root.add("DefaultAnimationLoop")
        root.add("EulerImplicitSolver", rayleighMass=0.5, rayleighStiffness=0)
        root.add("CGLinearSolver", iterations=50, tolerance=1e-12, threshold=1e-12)
        x = np.random.default_rng(1).normal(scale=0.7, size=(500, 3))
        dofs = root.add("MechanicalObject", position=x)
        root.add("UniformMass", vertexMass=0.1)
        root.add(GaussianWell, depth=2)

        scene.init()
        for check in scene.check():
            print(f"{check.component.class_name}.{check.what}: error {check.error:.1e}")
            assert check.error < 1e-6 or not check.exact_by_design
        before = scene.energy.total
        scene.step(300)
        print(f"energy {before:.2f} -> {scene.energy.total:.2f}, "
              f"mean distance {np.linalg.norm(dofs.position, axis=1).mean():.3f}")
        assert scene.energy.total < before


if __name__ == "__main__":
    main()
