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
    [ST_COMPAT_GRID_SPRINGS_NOT_ASSEMBLED] =
        {
            .name = "grid-springs-not-assembled",
            .reason =
                "RegularGridSpringForceField puts only its custom springs into assembled matrices, not those of the "
                "grid (matrix-free products have both). Off: all springs.",
            .scene = "any scene with RegularGridSpringForceField and an assembled solver",
        },
    [ST_COMPAT_MULTISTEP_TIME] =
        {
            .name = "multistep-time",
            .reason =
                "MultiStepAnimationLoop with several collision steps advances the time by dt / collisionSteps only. "
                "Off: by dt.",
            .scene = "any scene with MultiStepAnimationLoop collisionSteps >= 2",
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
    [ST_COMPAT_GEAR_UNWRAP] =
        {
            .name = "gear-unwrap",
            .reason = "GearSpringForceField counts whole turns in steps of 2/pi. Off: of 2 pi.",
            .scene = "any scene with GearSpringForceField that turns by more than half a turn",
        },
    [ST_COMPAT_JOINT_REST] =
        {
            .name = "joint-rest",
            .reason = "JointSpringForceField replaces a rest translation that the scene gives, and the rest "
                      "rotation with it, by those at the start. Off: what is given counts.",
            .scene = "any scene with JointSpringForceField and REST_T",
        },
    [ST_COMPAT_NOT_ASSEMBLED] =
        {
            .name = "not-assembled",
            .reason = "InteractionEllipsoidForceField, FrameSpringForceField, GearSpringForceField, "
                      "JointSpringForceField, VectorSpringForceField, TriangularBiquadraticSpringsForceField, "
                      "TriangularQuadraticSpringsForceField and TriangularTensorMassForceField add nothing to "
                      "assembled matrices. Off: they do.",
            .scene = "any scene with one of them and an assembled solver",
        },
    [ST_COMPAT_REST_SHAPE_ASSEMBLED] =
        {
            .name = "rest-shape-assembled",
            .reason = "RestShapeSpringsForceField takes the stiffness of assembled matrices by the number of "
                      "the point, not by its place in the list, and takes no notice of activeDirections for "
                      "translations. Off: as in products.",
            .scene = "any scene with RestShapeSpringsForceField, several stiffnesses and an assembled solver",
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
    [ST_COMPAT_LINEAR_VELOCITY_ROWS] =
        {
            .name = "linear-velocity-rows",
            .reason = "LinearVelocityProjectiveConstraint leaves the rows of Lagrangian constraints alone, so that "
                      "contacts push driven points that cannot follow. Off: the rows are filtered.",
            .scene = "Demos/SofaWasher",
        },
    [ST_COMPAT_BILATERAL_DETERMINANT] =
        {
            .name = "bilateral-determinant",
            .reason = "A block of three equality rows whose compliance has a determinant of at most 2.2e-16 gets no "
                      "force: heavy or stiff objects are not held. Off: they are.",
            .scene = "any scene with BilateralLagrangianConstraint on an object whose compliance is below 6e-6",
        },
    [ST_COMPAT_UNBUILT_FACTOR] =
        {
            .name = "unbuilt-factor",
            .reason = "Unbuilt constraint solvers leave the integrator's factor out of UncoupledConstraintCorrection, "
                      "so that positions are corrected by dt times too little. Off: the same factor everywhere.",
            .scene = "Component/Constraint/Lagrangian/BilateralLagrangianConstraint_UGS",
        },
    [ST_COMPAT_TARGET_DISTANCE_SINGLE] =
        {
            .name = "target-distance-single",
            .reason = "DistanceFromTargetMapping computes distances and directions in single precision. Off: in the "
                      "precision of the rest.",
            .scene = "Component/Mapping/NonLinear/DistanceFromTargetMapping",
        },
    [ST_COMPAT_BARYCENTRIC_FRAME_ARMS] =
        {
            .name = "barycentric-frame-arms",
            .reason = "The angular velocity of a frame that BarycentricMapping carries in a container of tetrahedra is "
                      "the sum of x × v over the four nodes, x being their places in the world; torques go back the "
                      "same way. Off: the derivative of the orientation.",
            .scene = "Component/Mapping/Linear/BarycentricMappingTrussBeam",
        },
    [ST_COMPAT_MULTIPLIER_STIFFNESS] =
        {
            .name = "multiplier-stiffness",
            .reason = "Once the multipliers of the last step give a mapping a geometric stiffness, its products (right-"
                      "hand side, matrix-free solvers) leave out the part of the child's own force, which matrices "
                      "have. Off: both have both.",
            .scene = "any scene with FreeMotionAnimationLoop and a constraint below a mapping with geometricStiffness",
        },
};

bool st_compat_on(const st_scene *scene, st_compat entry) {
    (void)entry; // entries are switched together; the argument names the place in the code
    return scene->compat;
}

bool st_describe_compat(size_t index, st_compat_entry *entry) {
    if (index >= ST_COMPAT_COUNT) return false;
    *entry = entries[index];
    return true;
}
