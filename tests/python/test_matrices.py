"""Matrices as SciPy's: against each other, against finite differences, and after the scene has gone on.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg

import settee

BAR = """<Node gravity="0 -10 0" dt="0.01">
  <DefaultAnimationLoop/>
  <EulerImplicitSolver rayleighMass="0" rayleighStiffness="0"/>
  <SparseLDLSolver name="solver" template="CompressedRowSparseMatrixMat3x3d"/>
  <RegularGridTopology name="grid" n="4 3 3" min="0 0 0" max="3 1 1"/>
  <MechanicalObject name="dofs"/>
  <UniformMass name="mass" totalMass="2"/>
  <HexahedronFEMForceField name="fem" youngModulus="2000" poissonRatio="0.3" method="large"/>
  <BoxROI name="box" box="-0.1 -0.1 -0.1 0.1 1.1 1.1"/>
  <FixedProjectiveConstraint indices="@box.indices"/>
</Node>"""


@pytest.fixture
def bar():
    with settee.loads(BAR) as scene:
        yield scene


def free_scalars(scene):
    clamped = scene.root.box.indices
    dofs = np.setdiff1d(np.arange(len(scene.root.dofs.position)), clamped)
    return (3 * dofs[:, None] + np.arange(3)).ravel()


def test_the_system_of_implicit_euler(bar):
    bar.step()
    A, b, x = bar.A, bar.b, bar.x
    assert sp.issparse(A) and A.shape == (108, 108)
    assert np.abs(A @ x - b).max() <= 1e-9 * np.abs(b).max()

    # A = M - h² K on the free scalars, the identity on the clamped ones
    bar.reset()
    h, free = bar.dt, free_scalars(bar)
    expected = (bar.M - h * h * bar.K).toarray()
    A = A.toarray()
    assert np.abs(A - expected)[np.ix_(free, free)].max() <= 1e-9 * np.abs(expected).max()
    clamped = np.setdiff1d(np.arange(108), free)
    assert np.array_equal(A[np.ix_(clamped, clamped)], np.eye(len(clamped)))
    assert not A[np.ix_(clamped, free)].any()


def test_the_same_by_solver_system_and_scene(bar):
    bar.step()
    assert np.array_equal(bar.root.solver.A.toarray(), bar.A.toarray())
    assert np.array_equal(bar.root.solver.b, bar.b)
    assert np.array_equal(bar.root.K.toarray(), bar.K.toarray())


def test_matrices_of_components(bar):
    bar.step()
    root = bar.root
    assert np.abs((root.fem.K - bar.K).toarray()).max() <= 1e-12 * np.abs(bar.K.toarray()).max()
    assert np.allclose(root.mass.M.diagonal(), 2 / 36)
    assert np.allclose(root.mass.M.diagonal(), bar.M.diagonal())
    with pytest.raises(settee.NotFoundError):
        root.box.K
    with pytest.raises(settee.NotFoundError):
        root.mass.J
    with pytest.raises(ValueError):
        bar.matrix("Q")


def test_stiffness_is_the_derivative_of_the_force(bar):
    K = bar.root.fem.K.toarray()
    assert np.abs(K - K.T).max() <= 1e-9 * np.abs(K).max()
    assert np.sum(np.abs(np.linalg.eigvalsh(-(K + K.T) / 2)) < 1e-6 * np.abs(K).max()) == 6
    assert all(check.error < 1e-5 for check in bar.check() if check.exact_by_design)


def test_a_matrix_that_is_held_stays_as_it_was(bar):
    bar.step()
    A = bar.A
    numbers = A.data
    before = A.toarray()
    assert not A.data.flags.writeable  # the engine's own
    bar.step(3)
    assert np.array_equal(A.toarray(), before)
    assert not np.array_equal(bar.A.toarray(), before)
    A = bar.A
    before = A.toarray()
    bar.close()
    assert np.array_equal(A.toarray(), before)
    assert numbers.sum() is not None  # its memory is there


def test_scipy_works_with_them(bar):
    bar.step()
    A, b = bar.A, bar.b
    assert np.allclose(scipy.sparse.linalg.spsolve(A.tocsc(), b), bar.x, rtol=1e-8)
    assert np.array_equal((A + A).toarray(), 2 * A.toarray()) and (A @ A).shape == A.shape
    assert np.allclose(A.T.toarray(), A.toarray().T)


def test_not_before_it_is_built(bar):
    with pytest.raises(settee.NotFoundError):
        bar.A
    with pytest.raises(settee.NotFoundError):
        bar.W
    with pytest.raises(settee.NotFoundError):
        bar.lam


def test_constraints():
    text = """<Node gravity="0 -10 0" dt="0.01">
      <FreeMotionAnimationLoop/>
      <BlockGaussSeidelConstraintSolver name="solver" maxIterations="1000" tolerance="1e-14"/>
      <Node name="body">
        <EulerImplicitSolver rayleighMass="0" rayleighStiffness="0"/>
        <SparseLDLSolver template="CompressedRowSparseMatrixMat3x3d"/>
        <MechanicalObject name="dofs" position="0 0 0 1 0 0"/>
        <UniformMass vertexMass="2"/>
        <LinearSolverConstraintCorrection/>
        <FixedLagrangianConstraint indices="0"/>
      </Node>
    </Node>"""
    with settee.loads(text) as scene:
        scene.step()
        h, W, H, lam, free = scene.dt, scene.W, scene.H.toarray(), scene.lam, scene.free
        assert W.shape == (3, 3) and H.shape == (3, 6)
        assert np.allclose(W, h * H @ np.diag(np.full(6, 1 / 2)) @ H.T)
        assert np.allclose(W @ lam + free, 0, atol=1e-14)
        assert np.array_equal(scene.root.solver.W, W) and np.array_equal(scene.root.solver.lam, lam)
        assert np.abs(scene.root.body.dofs.position[0]).max() < 1e-12


def test_jacobian_of_a_mapping():
    text = """<Node><DefaultAnimationLoop/><MechanicalObject name="dofs" position="0 0 0 1 2 3 4 5 6"/>
      <Node name="child"><MechanicalObject name="sub"/><SubsetMapping name="map" indices="2 0"/></Node></Node>"""
    with settee.loads(text) as scene:
        J = scene.root.child.map.J.toarray()
        assert J.shape == (6, 9)
        assert np.allclose(J @ scene.root.dofs.position.ravel(), scene.root.child.sub.position.ravel())
