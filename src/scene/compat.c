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
    [ST_COMPAT_ANGULAR_SPRING_FIRST] =
        {
            .name = "angular-spring-first",
            .reason = "AngularSpringForceField gives the first of its indices a stiffness, although no torque "
                      "acts on it. Off: no stiffness there.",
            .scene = "any scene with AngularSpringForceField",
        },
    [ST_COMPAT_CONICAL_DAMPING] =
        {
            .name = "conical-damping",
            .reason = "The damping of ConicalForceField beyond the end of the cone pushes along the velocity. "
                      "Off: against it.",
            .scene = "any scene with ConicalForceField",
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
    [ST_COMPAT_FAST_BENDING_ASSEMBLED] =
        {
            .name = "fast-bending-assembled",
            .reason = "FastTriangularBendingSprings leaves the fourth vertex of each edge out of assembled "
                      "matrices. Off: all four.",
            .scene = "any scene with FastTriangularBendingSprings and an assembled solver",
        },
    [ST_COMPAT_FRAME_SPRING_FACTORS] =
        {
            .name = "frame-spring-factors",
            .reason = "The product of FrameSpringForceField takes no notice of the factor of the stiffness. "
                      "Off: it does.",
            .scene = "any scene with FrameSpringForceField",
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
    [ST_COMPAT_LINEAR_FORCE_END] =
        {
            .name = "linear-force-end",
            .reason = "LinearForceField does not multiply the last of its forces by `force`. Off: it does.",
            .scene = "any scene with LinearForceField that runs to its last time",
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
    [ST_COMPAT_NO_OWN_RAYLEIGH] =
        {
            .name = "no-own-rayleigh",
            .reason = "SurfacePressureForceField, TorsionForceField, QuadBendingFEMForceField and "
                      "TetrahedronDiffusionFEMForceField take "
                      "no notice of their rayleighStiffness in matrix-free products. Off: they do.",
            .scene = "any scene with one of them and rayleighStiffness",
        },
    [ST_COMPAT_POLYNOMIAL_COMPRESSION] =
        {
            .name = "polynomial-compression",
            .reason = "The derivative of PolynomialSpringsForceField is that of a stretched spring where the "
                      "spring is compressed, too. Off: the derivative.",
            .scene = "any scene with PolynomialSpringsForceField under compression",
        },
    [ST_COMPAT_REST_SHAPE_ASSEMBLED] =
        {
            .name = "rest-shape-assembled",
            .reason = "RestShapeSpringsForceField takes the stiffness of assembled matrices by the number of "
                      "the point, not by its place in the list, and takes no notice of activeDirections for "
                      "translations. Off: as in products.",
            .scene = "any scene with RestShapeSpringsForceField, several stiffnesses and an assembled solver",
        },
    [ST_COMPAT_SURFACE_PRESSURE_QUADS] =
        {
            .name = "surface-pressure-quads",
            .reason = "The derivative of SurfacePressureForceField leaves out the quads. Off: they are there.",
            .scene = "any scene with SurfacePressureForceField on quads",
        },
    [ST_COMPAT_TAIT_ASSEMBLED] =
        {
            .name = "tait-assembled",
            .reason = "TaitSurfacePressureForceField leaves the blocks of a triangle on the diagonal out of "
                      "assembled matrices. Off: they are there.",
            .scene = "any scene with TaitSurfacePressureForceField and an assembled solver",
        },
    [ST_COMPAT_TORSION_TANGENT] =
        {
            .name = "torsion-tangent",
            .reason = "The derivative of TorsionForceField lacks the cross product with the axis. Off: the "
                      "derivative.",
            .scene = "any scene with TorsionForceField",
        },
    [ST_COMPAT_COROTATIONAL_FRAME_TWICE] =
        {
            .name = "corotational-frame-twice",
            .reason = "CorotationalFEMForceField whose rotationMethod is written as triangle or hexahedron applies the "
                      "frame at rest twice, which makes it the identity: elements that are not aligned with the axes "
                      "feel a force at rest. Off: the frame at rest.",
            .scene = "any scene with CorotationalFEMForceField rotationMethod=\"triangle\" or \"hexahedron\"",
        },
    [ST_COMPAT_TRIANGLE_SMALL] =
        {
            .name = "triangle-small",
            .reason =
                "TriangleFEMForceField with the method small takes the first edge of each triangle as parallel to the "
                "x axis. Off: as it is.",
            .scene = "any scene with TriangleFEMForceField method=\"small\"",
        },
    [ST_COMPAT_ANISOTROPIC_AREA] =
        {
            .name = "anisotropic-area",
            .reason =
                "TriangularAnisotropicFEMForceField does not multiply its stiffness by the area of the triangle, so "
                "that it depends on the size of the triangles. Off: it does.",
            .scene = "any scene with TriangularAnisotropicFEMForceField",
        },
    [ST_COMPAT_DIFFUSION_ASSEMBLED] =
        {
            .name = "diffusion-assembled",
            .reason = "TetrahedronDiffusionFEMForceField puts only the first scalar of each DOF into assembled "
                      "matrices. Off: all of them.",
            .scene = "any scene with TetrahedronDiffusionFEMForceField on Vec2 or Vec3 and an assembled solver",
        },
    [ST_COMPAT_QUADRATIC_SPRINGS_TANGENT] =
        {
            .name = "quadratic-springs-tangent",
            .reason = "One term of the derivative of TriangularQuadraticSpringsForceField counts twice. Off: "
                      "the derivative.",
            .scene = "Component/SolidMechanics/Spring/TriangularQuadraticSpringsForceField",
        },
    [ST_COMPAT_PRINT_LOG_FORCES] =
        {
            .name = "print-log-forces",
            .reason = "EulerImplicitSolver with printLog computes the forces once more at the end of a step, which "
                      "components with a memory feel. Off: a message changes no result.",
            .scene = "any scene with EulerImplicitSolver printLog=\"1\"",
        },
    [ST_COMPAT_STATIC_RELATIVE_RESIDUAL] =
        {
            .name = "static-relative-residual",
            .reason = "The old attribute relative_residual_tolerance_threshold of StaticSolver goes to the test of the "
                      "estimate, relativeEstimateDifferenceThreshold. Off: to that of the residual, "
                      "relativeInitialStoppingThreshold.",
            .scene = "any scene with StaticSolver relative_residual_tolerance_threshold and no NewtonRaphsonSolver",
        },
    [ST_COMPAT_HEXAHEDRAL_CUBE] =
        {
            .name = "hexahedral-cube",
            .reason = "HexahedralFEMForceField and HexahedralFEMForceFieldAndMass take their stiffness from a formula for "
                      "cubes along the axes, in single precision, whatever the shape of the element. Off: the "
                      "stiffness of the element.",
            .scene = "Component/SolidMechanics/FEM/HexahedralFEMForceFieldAndMass",
        },
    [ST_COMPAT_HEXAHEDRAL_ASSEMBLED] =
        {
            .name = "hexahedral-assembled",
            .reason = "HexahedralFEMForceField and HexahedralFEMForceFieldAndMass turn the blocks of assembled matrices "
                      "by the inverse of the element's rotation. Off: by the rotation, as in products.",
            .scene = "any scene with one of them and an assembled solver",
        },
    [ST_COMPAT_HEXAHEDRON_MASS] =
        {
            .name = "hexahedron-mass",
            .reason = "The hexahedra with mass have 8/27 of their mass between any two of their corners, 19 times too "
                      "much in all; their weight is right. Off: the consistent mass.",
            .scene = "Component/SolidMechanics/FEM/HexahedronFEMForceFieldAndMass",
        },
    [ST_COMPAT_HEXAHEDRON_MASS_ASSEMBLED] =
        {
            .name = "hexahedron-mass-assembled",
            .reason = "The hexahedra with mass take no notice of lumpedMass in assembled matrices, and "
                      "HexahedralFEMForceFieldAndMass leaves out all but the diagonal there. Off: as in products.",
            .scene = "any scene with one of them and an assembled solver",
        },
    [ST_COMPAT_HEXAHEDRON_TURN] =
        {
            .name = "hexahedron-turn",
            .reason = "HexahedronFEMForceField gives preconditioners the inverse of the rotation of its nodes, and "
                      "counts one element that has not turned at each node. Off: the mean of the rotations.",
            .scene = "Component/LinearSolver/Preconditioner/FEMBAR_PCG_WarpPreconditioner",
        },
    [ST_COMPAT_COSTA_TANGENT] =
        {
            .name = "costa-tangent",
            .reason = "The derivative of the material Costa lacks the bulk modulus in one term, and that of "
                      "StandardTetrahedralFEMForceField has a square too much in another. Off: the derivative.",
            .scene = "any scene with materialName=\"Costa\"",
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
