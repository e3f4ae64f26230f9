// What became of the names of SOFA's components, and the names of its modules.
//
// A renamed component is created under its new name. The other fates only explain why a component is not created: an
// alias that SOFA no longer takes, a component that is gone, or one that lives outside of SOFA's core. Each text
// completes the sentence "component X is not created: ...".
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/element.h"

typedef struct former_name {
    const char *name;
    st_name_fate fate;
    const char *now;
    const char *text;
} former_name;

#define RENAMED(old, present, since)                                                                                   \
    { old, ST_NAME_RENAMED, present, "it is called " present " since SOFA " since }
#define DEALIASED(old, present)                                                                                        \
    { old, ST_NAME_DEALIASED, present, "SOFA takes this short name no longer since 24.12, write " present }
#define REMOVED(old, since, advice)                                                                                    \
    { old, ST_NAME_REMOVED, NULL, "it was removed in SOFA " since "; " advice }
#define MOVED(old, plugin, advice)                                                                                     \
    { old, ST_NAME_MOVED, NULL, "it belongs to " plugin ", which is not part of SOFA's core" advice }

// clang-format off
static const former_name names[] = {
    RENAMED("AffineMovementConstraint", "AffineMovementProjectiveConstraint", "24.06"),
    RENAMED("AttachConstraint", "AttachProjectiveConstraint", "24.06"),
    RENAMED("FixedConstraint", "FixedProjectiveConstraint", "24.06"),
    RENAMED("FixedPlaneConstraint", "FixedPlaneProjectiveConstraint", "24.06"),
    RENAMED("FixedRotationConstraint", "FixedRotationProjectiveConstraint", "24.06"),
    RENAMED("FixedTranslationConstraint", "FixedTranslationProjectiveConstraint", "24.06"),
    RENAMED("HermiteSplineConstraint", "HermiteSplineProjectiveConstraint", "24.06"),
    RENAMED("LinearMovementConstraint", "LinearMovementProjectiveConstraint", "24.06"),
    RENAMED("LinearVelocityConstraint", "LinearVelocityProjectiveConstraint", "24.06"),
    RENAMED("OscillatorConstraint", "OscillatorProjectiveConstraint", "24.06"),
    RENAMED("ParabolicConstraint", "ParabolicProjectiveConstraint", "24.06"),
    RENAMED("PartialFixedConstraint", "PartialFixedProjectiveConstraint", "24.06"),
    RENAMED("PartialLinearMovementConstraint", "PartialLinearMovementProjectiveConstraint", "24.06"),
    RENAMED("PatchTestMovementConstraint", "PatchTestMovementProjectiveConstraint", "24.06"),
    RENAMED("PositionBasedDynamicsConstraint", "PositionBasedDynamicsProjectiveConstraint", "24.06"),
    RENAMED("SkeletalMotionConstraint", "SkeletalMotionProjectiveConstraint", "24.06"),
    RENAMED("ProjectToLineConstraint", "LineProjectiveConstraint", "24.06"),
    RENAMED("ProjectToPlaneConstraint", "PlaneProjectiveConstraint", "24.06"),
    RENAMED("ProjectToPointConstraint", "PointProjectiveConstraint", "24.06"),
    RENAMED("ProjectDirectionConstraint", "DirectionProjectiveConstraint", "24.06"),
    RENAMED("BilateralInteractionConstraint", "BilateralLagrangianConstraint", "24.06"),
    RENAMED("SlidingConstraint", "SlidingLagrangianConstraint", "24.06"),
    RENAMED("StopperConstraint", "StopperLagrangianConstraint", "24.06"),
    RENAMED("UniformConstraint", "UniformLagrangianConstraint", "24.06"),
    RENAMED("UnilateralInteractionConstraint", "UnilateralLagrangianConstraint", "24.06"),
    RENAMED("StiffSpringForceField", "SpringForceField", "24.06"),
    RENAMED("ParallelStiffSpringForceField", "ParallelSpringForceField", "24.06"),
    RENAMED("ShewchukPCGLinearSolver", "PCGLinearSolver", "24.12"),
    RENAMED("OglCylinderModel", "CylinderVisualModel", "24.12"),
    RENAMED("TriangleOctreeModel", "TriangleOctreeCollisionModel", "25.12"),
    RENAMED("VolumeFromTetrahedrons", "VolumeFromVolumetricElements", "26.12"),

    DEALIASED("MasterConstraintSolver", "ConstraintAnimationLoop"),
    DEALIASED("FreeMotionMasterSolver", "FreeMotionAnimationLoop"),
    DEALIASED("MultiStepMasterSolver", "MultiStepAnimationLoop"),
    DEALIASED("MultiTagMasterSolver", "MultiTagAnimationLoop"),
    DEALIASED("Background", "BackgroundSetting"),
    DEALIASED("SofaDefaultPath", "SofaDefaultPathSetting"),
    DEALIASED("Stats", "StatsSetting"),
    DEALIASED("Viewer", "ViewerSetting"),
    DEALIASED("MeshObjLoader", "MeshOBJLoader"),
    DEALIASED("ObjExporter", "VisualModelOBJExporter"),
    DEALIASED("OBJExporter", "VisualModelOBJExporter"),
    DEALIASED("CentralDifference", "CentralDifferenceSolver"),
    DEALIASED("DampVelocity", "DampVelocitySolver"),
    DEALIASED("RungeKutta2", "RungeKutta2Solver"),
    DEALIASED("RungeKutta4", "RungeKutta4Solver"),
    DEALIASED("EulerImplicit", "EulerImplicitSolver"),
    DEALIASED("ImplicitEulerSolver", "EulerImplicitSolver"),
    DEALIASED("ImplicitEuler", "EulerImplicitSolver"),
    DEALIASED("VariationalSolver", "VariationalSymplecticSolver"),
    DEALIASED("Mesh", "MeshTopology"),
    DEALIASED("SphereQuad", "SphereQuadTopology"),
    DEALIASED("CylinderGrid", "CylinderGridTopology"),
    DEALIASED("Grid", "GridTopology"),
    DEALIASED("RegularGrid", "RegularGridTopology"),
    DEALIASED("SparseGridMultiple", "SparseGridMultipleTopology"),
    DEALIASED("SparseGridRamification", "SparseGridRamificationTopology"),
    DEALIASED("SparseGrid", "SparseGridTopology"),
    DEALIASED("SphereGrid", "SphereGridTopology"),
    DEALIASED("SVDLinear", "SVDLinearSolver"),
    DEALIASED("SVD", "SVDLinearSolver"),
    DEALIASED("CGSolver", "CGLinearSolver"),
    DEALIASED("ConjugateGradient", "CGLinearSolver"),
    DEALIASED("MINRESSolver", "MinResLinearSolver"),
    DEALIASED("MinResSolver", "MinResLinearSolver"),
    DEALIASED("JacobiLinearSolver", "JacobiPreconditioner"),
    DEALIASED("JacobiSolver", "JacobiPreconditioner"),
    DEALIASED("SSORLinearSolver", "SSORPreconditioner"),
    DEALIASED("SSORSolver", "SSORPreconditioner"),
    DEALIASED("RigidEngine", "RigidToQuatEngine"),
    DEALIASED("DefaultPipeline", "CollisionPipeline"),
    DEALIASED("IncrementalSAP", "IncrSAP"),
    DEALIASED("IncrementalSweepAndPrune", "IncrSAP"),
    DEALIASED("TriangleOctree", "TriangleOctreeCollisionModel"),
    DEALIASED("DefaultContactManager", "CollisionResponse"),
    DEALIASED("RuleBasedCollisionResponse", "RuleBasedContactManager"),
    DEALIASED("SurfaceIdentityMapping", "SubsetMapping"),
    DEALIASED("RigidRigidMapping", "RigidMapping"),
    DEALIASED("OglColorMap", "ColorMap"),
    DEALIASED("PointSplatModel", "PointSplat"),

    REMOVED("GenericConstraintSolver", "25.12",
            "use BlockGaussSeidelConstraintSolver (its default method), UnbuiltGaussSeidelConstraintSolver, or NNCGConstraintSolver, whose maxIterations was newtonIterations"),
    REMOVED("MakeAliasComponent", "25.06", "write the component's own name"),
    REMOVED("MakeDataAliasComponent", "25.06", "write the attribute's own name"),
    REMOVED("OglGrid", "23.06", "use VisualGrid"),
    REMOVED("OglLineAxis", "23.06", "use LineAxis"),
    REMOVED("PointConstraint", "22.06", "use FixedProjectiveConstraint"),
    REMOVED("LMDNewProximityIntersection", "21.12", "use NewProximityIntersection or LocalMinDistance"),
    REMOVED("DynamicSparseGridTopologyAlgorithms", "20.12", "leave it out"),
    REMOVED("Euler", "20.06", "use EulerExplicitSolver"),
    REMOVED("EulerExplicit", "20.06", "use EulerExplicitSolver"),
    REMOVED("ExplicitEuler", "20.06", "use EulerExplicitSolver"),
    REMOVED("EulerSolver", "20.06", "use EulerExplicitSolver"),
    REMOVED("ExplicitEulerSolver", "20.06", "use EulerExplicitSolver"),
    REMOVED("Cube", "20.06", "use CubeCollisionModel"),
    REMOVED("CubeModel", "20.06", "use CubeCollisionModel"),
    REMOVED("Cylinder", "20.06", "use CylinderCollisionModel"),
    REMOVED("CylinderModel", "20.06", "use CylinderCollisionModel"),
    REMOVED("Line", "20.06", "use LineCollisionModel"),
    REMOVED("LineModel", "20.06", "use LineCollisionModel"),
    REMOVED("TLineModel", "20.06", "use LineCollisionModel"),
    REMOVED("LineMesh", "20.06", "use LineCollisionModel"),
    REMOVED("LineMeshModel", "20.06", "use LineCollisionModel"),
    REMOVED("LineSet", "20.06", "use LineCollisionModel"),
    REMOVED("LineSetModel", "20.06", "use LineCollisionModel"),
    REMOVED("Point", "20.06", "use PointCollisionModel"),
    REMOVED("PointModel", "20.06", "use PointCollisionModel"),
    REMOVED("TPointModel", "20.06", "use PointCollisionModel"),
    REMOVED("PointMesh", "20.06", "use PointCollisionModel"),
    REMOVED("PointSet", "20.06", "use PointCollisionModel"),
    REMOVED("Ray", "20.06", "use RayCollisionModel"),
    REMOVED("RayModel", "20.06", "use RayCollisionModel"),
    REMOVED("Sphere", "20.06", "use SphereCollisionModel"),
    REMOVED("SphereModel", "20.06", "use SphereCollisionModel"),
    REMOVED("TSphereModel", "20.06", "use SphereCollisionModel"),
    REMOVED("Tetrahedron", "20.06", "use TetrahedronCollisionModel"),
    REMOVED("TetrahedronModel", "20.06", "use TetrahedronCollisionModel"),
    REMOVED("Triangle", "20.06", "use TriangleCollisionModel"),
    REMOVED("TriangleModel", "20.06", "use TriangleCollisionModel"),
    REMOVED("TTriangleModel", "20.06", "use TriangleCollisionModel"),
    REMOVED("TriangleMesh", "20.06", "use TriangleCollisionModel"),
    REMOVED("TriangleMeshModel", "20.06", "use TriangleCollisionModel"),
    REMOVED("TriangleSet", "20.06", "use TriangleCollisionModel"),
    REMOVED("TriangleSetModel", "20.06", "use TriangleCollisionModel"),

    MOVED("SparseCholeskySolver", "CSparseSolvers", "; use SparseLDLSolver or EigenSimplicialLLT"),
    MOVED("SparseLUSolver", "CSparseSolvers", "; use EigenSparseLU"),
    MOVED("LULinearSolver", "SofaNewmat", "; use EigenSparseLU"),
    MOVED("SpatialGridPointModel", "SofaSphFluid", ""),
    MOVED("Monitor", "SofaValidation", ""),
    MOVED("DataMonitor", "SofaValidation", ""),
    MOVED("ExtraMonitor", "SofaValidation", ""),
    MOVED("CompareState", "SofaValidation", ""),
    MOVED("CompareTopology", "SofaValidation", ""),
    MOVED("EvalPointsDistance", "SofaValidation", ""),
    MOVED("EvalSurfaceDistance", "SofaValidation", ""),
};
// clang-format on

// Whole families, known by how the name begins or ends.
static const former_name families[] = {
    {"*SetTopologyAlgorithms", ST_NAME_REMOVED, NULL,
     "it was removed in SOFA 20.12; leave it out, the modifier does its work"},
    {"*LocalMinDistanceFilter", ST_NAME_REMOVED, NULL, "it was removed in SOFA 21.12; leave it out"},
    {"Articulated*", ST_NAME_MOVED, NULL, "it belongs to ArticulatedSystemPlugin, which is not part of SOFA's core"},
    {"*LMConstraint", ST_NAME_MOVED, NULL, "it belongs to LMConstraint, which is not part of SOFA's core"},
    {"Cuda*", ST_NAME_MOVED, NULL, "it belongs to SofaCUDA, and there is no such component for the processor"},
    {"LMConstraint*", ST_NAME_MOVED, NULL, "it belongs to LMConstraint, which is not part of SOFA's core"},
};

static bool belongs(const char *pattern, const char *name) {
    const size_t length = strlen(name), fixed = strlen(pattern) - 1;
    if (length < fixed) return false;
    return pattern[0] == '*' ? strcmp(name + length - fixed, pattern + 1) == 0 : strncmp(name, pattern, fixed) == 0;
}

static const former_name *names_find(const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0) return &names[i];
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (belongs(families[i].name, name)) return &families[i];
    return NULL;
}

st_name_fate st_name_lookup(const char *name, const char **now, const char **text) {
    const former_name *found = names_find(name);
    *now = found ? found->now : NULL;
    *text = found ? found->text : NULL;
    return found ? found->fate : ST_NAME_UNKNOWN;
}

// ---------------------------------------------------------------------------------------------------
// Modules
// ---------------------------------------------------------------------------------------------------

// Name spaces: the name itself and all that follows a dot.
static const char *const module_trees[] = {"Sofa.Component", "Sofa.GL.Component", "Sofa.GUI.Component", "SofaCUDA"};

static const char *const modules[] = {
    "MultiThreading",
    "SofaMatrix",
    "SofaDistanceGrid",
    "BeamAdapter",
    "CollisionOBBCapsule",
    // Before 22.06; their components are in Sofa.Component now.
    "SofaBase",
    "SofaBaseCollision",
    "SofaBaseLinearSolver",
    "SofaBaseMechanics",
    "SofaBaseTopology",
    "SofaBaseUtils",
    "SofaBaseVisual",
    "SofaBoundaryCondition",
    "SofaCommon",
    "SofaConstraint",
    "SofaCore",
    "SofaDeformable",
    "SofaDenseSolver",
    "SofaEigen2Solver",
    "SofaEngine",
    "SofaExplicitOdeSolver",
    "SofaExporter",
    "SofaGeneral",
    "SofaGeneralDeformable",
    "SofaGeneralEngine",
    "SofaGeneralExplicitOdeSolver",
    "SofaGeneralImplicitOdeSolver",
    "SofaGeneralLinearSolver",
    "SofaGeneralLoader",
    "SofaGeneralMeshCollision",
    "SofaGeneralObjectInteraction",
    "SofaGeneralRigid",
    "SofaGeneralSimpleFem",
    "SofaGeneralTopology",
    "SofaGeneralVisual",
    "SofaGraphComponent",
    "SofaGuiCommon",
    "SofaHaptics",
    "SofaImplicitOdeSolver",
    "SofaLoader",
    "SofaMeshCollision",
    "SofaMisc",
    "SofaMiscCollision",
    "SofaMiscEngine",
    "SofaMiscExtra",
    "SofaMiscFem",
    "SofaMiscForceField",
    "SofaMiscMapping",
    "SofaMiscSolver",
    "SofaMiscTopology",
    "SofaNonUniformFem",
    "SofaObjectInteraction",
    "SofaOpenglVisual",
    "SofaPreconditioner",
    "SofaRigid",
    "SofaSimpleFem",
    "SofaSimulation",
    "SofaSparseSolver",
    "SofaTopologyMapping",
    "SofaUserInteraction",
};

bool st_name_is_module(const char *name) {
    for (size_t i = 0; i < sizeof module_trees / sizeof *module_trees; i++) {
        const size_t length = strlen(module_trees[i]);
        if (strncmp(name, module_trees[i], length) == 0 &&
            (name[length] == 0 || (name[length] == '.' && name[length + 1])))
            return true;
    }

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strcmp(modules[i], name) == 0) return true;
    return false;
}
