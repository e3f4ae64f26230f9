// The entries of the compatibility table.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/compat.h"

#include "scene/scene.h"

static const st_compat_entry entries[ST_COMPAT_COUNT] = {
    [ST_COMPAT_BDF_HISTORY] =
        {
            .name = "bdf-history",
            .reason =
                "BDFOdeSolver of order 2 and more keeps the current state in every slot of its history, so that it is "
                "a backward Euler step of reduced length. Off: the real backward differentiation formula.",
            .scene = "any scene with BDFOdeSolver order >= 2",
        },
    [ST_COMPAT_EDGE_PRESSURE_LATE] =
        {
            .name = "edge-pressure-late",
            .reason = "EdgePressureForceField applies the forces of its previous evaluation, and takes the "
                      "lengths of the first edges of the mesh for those of its own. Off: forces and lengths of "
                      "the edges as they are.",
            .scene = "any scene with EdgePressureForceField and p_intensity",
        },
    [ST_COMPAT_ELLIPSOID_TANGENT] =
        {
            .name = "ellipsoid-tangent",
            .reason = "One term of the derivative of EllipsoidForceField and InteractionEllipsoidForceField has"
                      " the wrong sign and power. Off: the derivative.",
            .scene = "Component/MechanicalLoad/InteractionEllipsoidForceField",
        },
    [ST_COMPAT_QUADRATIC_SPRINGS_TANGENT] =
        {
            .name = "quadratic-springs-tangent",
            .reason = "One term of the derivative of TriangularQuadraticSpringsForceField counts twice. Off: "
                      "the derivative.",
            .scene = "Component/SolidMechanics/Spring/TriangularQuadraticSpringsForceField",
        },
    [ST_COMPAT_PRECOMPUTED_WARP_EMPTY] =
        {
            .name = "precomputed-warp-empty",
            .reason = "A PrecomputedMatrixSystem stays empty, so that a PrecomputedWarpPreconditioner on it writes no "
                      "solution and the PCGLinearSolver that uses it gives its first guess back: nothing moves. Off: "
                      "the system is assembled once and the preconditioner works.",
            .scene = "Component/LinearSolver/Preconditioner/FEMBAR_PCG_PrecomputedWarpPreconditioner",
        },
    [ST_COMPAT_HEXAHEDRON_MASS] =
        {
            .name = "hexahedron-mass",
            .reason = "The hexahedra with mass have 8/27 of their mass between any two of their corners, 19 times too "
                      "much in all; their weight is right. Off: the consistent mass.",
            .scene = "Component/SolidMechanics/FEM/HexahedronFEMForceFieldAndMass",
        },
    [ST_COMPAT_RAMIFIED_COEFFICIENTS] =
        {
            .name = "ramified-coefficients",
            .reason = "Where SparseGridRamificationTopology divides a cell with virtual finer levels, each part gets "
                      "the stiffness and mass of one of its children only, and cells above it take those of other "
                      "cells. Off: of all its children.",
            .scene = "Component/Topology/Container/Grid/SparseGridRamificationTopology",
        },
    [ST_COMPAT_UNBUILT_FACTOR] =
        {
            .name = "unbuilt-factor",
            .reason = "Unbuilt constraint solvers leave the integrator's factor out of UncoupledConstraintCorrection, "
                      "so that positions are corrected by dt times too little. Off: the same factor everywhere.",
            .scene = "Component/Constraint/Lagrangian/BilateralLagrangianConstraint_UGS",
        },
    [ST_COMPAT_BARYCENTRIC_FRAME_ARMS] =
        {
            .name = "barycentric-frame-arms",
            .reason = "The angular velocity of a frame that BarycentricMapping carries in a container of tetrahedra is "
                      "the sum of x × v over the four nodes, x being their places in the world; torques go back the "
                      "same way. Off: the derivative of the orientation.",
            .scene = "Component/Mapping/Linear/BarycentricMappingTrussBeam",
        },
    [ST_COMPAT_NEW_PROXIMITY_FLAGS] =
        {
            .name = "new-proximity-flags",
            .reason = "NewProximityIntersection: triangles of quads own no vertices and edges, the first vertex of a "
                      "triangle is tested against triangles whether it owns it or not, and spheres take the owners of "
                      "two edges for those of others. Off: every vertex and edge is tested once, with its owner.",
            .scene = "Component/Collision/Detection/CompositeCollisionPipeline",
        },
    [ST_COMPAT_LINE_SPHERE_MIRRORED] =
        {
            .name = "line-sphere-mirrored",
            .reason =
                "MinProximityIntersection mirrors the point of a line that is nearest to a sphere about the middle "
                "of the line. Off: the nearest point.",
            .scene = "Tutorials/Collision/AdvancedSolversMultipleGroupsSolver",
        },
    [ST_COMPAT_CROSS_TERMS] =
        {
            .name = "cross-terms",
            .reason =
                "In a matrix of template BTDMatrix6d, a force between a mapped state and one of another body also "
                "stands between places that it does not act on: the identity is taken for the Jacobian of a state with "
                "respect to a body that it does not depend on. Off, and in every other matrix: JᵀKJ.",
            .scene = "Component/SolidMechanics/FEM/BeamFEMForceField",
        },
    [ST_COMPAT_SWEPT_TIES] =
        {
            .name = "swept-ties",
            .reason =
                "Elements whose place along an axis is 0 by symmetry are sorted by the rounding of the solver when "
                "boxes are swept over a step; contacts follow this order. On: a fixed shuffled order, which is "
                "that of SOFA's result. Off: the order of the elements.",
            .scene = "Demos/fallingSOFA",
        },
    [ST_COMPAT_MESH_TRANSFORM] =
        {
            .name = "mesh-transform",
            .reason =
                "A loader moves its points to their place, back, and there again, which leaves rounding; it decides "
                "which element carries a point on a face. Off: points are moved once.",
            .scene = "Demos/SofaWasher",
        },
    [ST_COMPAT_DISTANCE_GRID_TANGENT] =
        {
            .name = "distance-grid-tangent",
            .reason = "The derivative of DistanceGridForceField has the force where the stiffness should be, and the "
                      "opposite sign in products. Off: the derivative, without the change of the gradient.",
            .scene = "SofaDistanceGrid/DistanceGridForceField_liver",
        },
    [ST_COMPAT_COMPOSITE_FILLING] =
        {
            .name = "composite-filling",
            .reason = "HexahedronCompositeFEMForceFieldAndMass takes missing finer cells as rigid ones, by a table of "
                      "numbers with six digits; its rows do not add up to 0, which ties the cells to their place by "
                      "springs of 3e5. Off: rigid cells without such springs.",
            .scene = "Component/SolidMechanics/FEM/HexahedronCompositeFEMMapping",
        },
    [ST_COMPAT_CONDENSED_MASS] =
        {
            .name = "condensed-mass",
            .reason = "Hexahedra that are made of finer cells take the stiffness coefficients of those cells for "
                      "their mass, too. Off: the mass coefficients.",
            .scene = "Component/SolidMechanics/FEM/HexahedronCompositeFEMForceFieldAndMass",
        },
    [ST_COMPAT_WARP_ROTATIONS] =
        {
            .name = "warp-rotations",
            .reason = "Nodes of hexahedra tell the inverse of their rotation, drawn towards none; RotationMatrixSystem "
                      "counts rotations from the rest shape on, not from the last assembly, in which it keeps parts "
                      "of the former ones. A WarpPreconditioner then needs more iterations. Off: the rotations.",
            .scene = "Component/LinearSolver/Preconditioner/FEMBAR_PCG_WarpedAsyncSparseLDLSolver",
        },
    [ST_COMPAT_CONSTRAINTS_PASS] =
        {
            .name = "constraints-pass",
            .reason = "Lagrangian constraints on the child of a mapping act on its parents, whatever isMechanical, "
                      "mapConstraints and mapForces say. Off: not with mapConstraints=\"0\".",
            .scene = "any scene with a constraint or contacts below a mapping with isMechanical=\"0\"",
        },
    [ST_COMPAT_BEAM_ABSCISSAS] =
        {
            .name = "beam-abscissas",
            .reason =
                "AdaptiveBeamMapping with useCurvAbs on a BeamInterpolation has all points at the beginning of the "
                "first beam. Off: at their abscissas.",
            .scene = "BeamAdapter's AdaptiveBeamMapping",
        },
    [ST_COMPAT_BTD_SLOTS] =
        {
            .name = "btd-slots",
            .reason = "A system of template BTDMatrix6d adds entries that lie left of its block tridiagonal band to "
                      "other blocks of the band. Off: they are left out, as those right of it.",
            .scene = "Component/SolidMechanics/FEM/BeamFEMForceField",
        },
    [ST_COMPAT_DIRECTION_PLACES] =
        {
            .name = "direction-places",
            .reason = "When points leave a mesh, DirectionProjectiveConstraint keeps its places in the order of the "
                      "first list of indices, so that points behind a removed one jump to the line of another one, and "
                      "goes on to filter the velocities of the first numbers. Off: both follow their points.",
            .scene = "examples/Benchmark/TopologicalChanges/ProjectDirectionConstraint_RemovingMeshTest",
        },
};

bool st_compat_on(const st_scene *scene, st_compat entry) {
    (void)entry; // entries are switched together; the argument names the place in the code
    return scene->compat;
}

const st_compat_entry *st_compat_entry_at(size_t index) { return index < ST_COMPAT_COUNT ? &entries[index] : NULL; }
