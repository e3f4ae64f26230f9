// The table of class_table.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "class_table.h"

#include <string.h>

static const struct {
    st_treatment treatment;
    const char *classes; // blanks between
} table[] = {
    {ST_KEPT, "RequiredPlugin DefaultAnimationLoop EulerImplicitSolver StaticSolver NewtonRaphsonSolver"},
    {ST_KEPT, "MeshTopology PointSetTopologyContainer EdgeSetTopologyContainer TriangleSetTopologyContainer "
              "QuadSetTopologyContainer TetrahedronSetTopologyContainer HexahedronSetTopologyContainer "
              "EdgeSetGeometryAlgorithms TriangleSetGeometryAlgorithms QuadSetGeometryAlgorithms "
              "TetrahedronSetGeometryAlgorithms HexahedronSetGeometryAlgorithms"},
    {ST_KEPT, "BoxROI SphereROI PlaneROI"},
    {ST_KEPT, "TetrahedronFEMForceField TetrahedralCorotationalFEMForceField FastTetrahedralCorotationalForceField "
              "HexahedronFEMForceField HexahedralFEMForceField TetrahedronHyperelasticityFEMForceField "
              "StandardTetrahedralFEMForceField LinearSmallStrainFEMForceField CorotationalFEMForceField "
              "TetrahedralTensorMassForceField"},
    {ST_KEPT, "TrianglePressureForceField UniformVelocityDampingForceField PlaneForceField Gravity"},
    {ST_KEPT_POINTS, "FixedProjectiveConstraint PartialFixedProjectiveConstraint FixedTranslationProjectiveConstraint "
                     "LinearMovementProjectiveConstraint LinearVelocityProjectiveConstraint "
                     "PlaneProjectiveConstraint LineProjectiveConstraint"},
    {ST_LEFT_OUT, "VisualStyle DefaultVisualManagerLoop InteractiveCamera Camera LightManager "
                  "DirectionalLight PositionalLight SpotLight BackgroundSetting ViewerSetting OglSceneFrame "
                  "TetrahedronSetTopologyModifier HexahedronSetTopologyModifier TriangleSetTopologyModifier "
                  "QuadSetTopologyModifier EdgeSetTopologyModifier PointSetTopologyModifier "
                  "MatrixLinearSystem MatrixFreeSystem ConstantSparsityPatternSystem PreconditionedMatrixFreeSystem "
                  "JacobiPreconditioner SSORPreconditioner BlockJacobiPreconditioner WarpPreconditioner "
                  "RotationMatrixSystem"},
    {ST_GRID, "RegularGridTopology"},
    {ST_GMSH, "MeshGmshLoader"},
    {ST_TETRAHEDRA, "Hexa2TetraTopologicalMapping"},
    {ST_STATE, "MechanicalObject"},
    {ST_UNIFORM_MASS, "UniformMass"},
    {ST_MESH_MASS, "MeshMatrixMass DiagonalMass"},
    {ST_LOAD, "ConstantForceField"},
    {ST_DIRECT, "SparseLDLSolver SparseCholeskySolver SparseLUSolver CholeskySolver EigenSimplicialLDLT "
                "EigenSimplicialLLT EigenSparseLU EigenSparseQR AsyncSparseLDLSolver BTDLinearSolver SVDLinearSolver"},
    {ST_ITERATIVE, "CGLinearSolver ParallelCGLinearSolver PCGLinearSolver ShewchukPCGLinearSolver MinResLinearSolver"},
    {ST_PETSC, "PetscLinearSolver"},
    {ST_EXPLICIT, "EulerExplicitSolver"},
    {ST_VISUAL, "OglModel VisualModel"},
};

static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

st_treatment st_treatment_of(const char *class_name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (has_word(table[i].classes, class_name)) return table[i].treatment;
    return ST_REFUSED;
}
