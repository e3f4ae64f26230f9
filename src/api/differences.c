// Where a scene moves otherwise than in SOFA because a defect of SOFA is not reproduced: for `settee check`.
//
// Each line of the table names components, says when a scene is affected, and what SOFA does there. The same defects are
// described in docs/compatibility.md, under the names of the components; a test compares.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "scene/scene.h"
#include "settee/plugin/topology.h"
#include "solver/linear_solver.h"

// ---------------------------------------------------------------------------------------------------
// When a scene is affected
// ---------------------------------------------------------------------------------------------------

static st_real differences_number(st_object *object, const char *field) {
    char *text = st_object_get(object, field, ST_TEXT_EXACT_DIGITS);
    const st_real value = text ? (st_real)strtod(text, NULL) : 0;
    st_string_free(text);
    return value;
}

static bool differences_is(st_object *object, const char *field, const char *value) {
    char *text = st_object_get(object, field, ST_TEXT_EXACT_DIGITS);
    const bool same = text && strcmp(text, value) == 0;
    st_string_free(text);
    return same;
}

static size_t count_numbers(st_object *object, const char *field) {
    char *text = st_object_get(object, field, ST_TEXT_EXACT_DIGITS);
    const char *at = text ? text : "", *end = at + strlen(at);
    size_t count = 0;
    for (st_real value; st_text_read_real(&at, end, &value) == ST_TEXT_OK;) count++;
    st_string_free(text);
    return count;
}

// Is the system of the nearest linear solver at or above an assembled one?
static bool in_a_matrix(st_object *object) {
    const st_object *solver = st_find(object->node, ST_ROLE(linear_solver), ST_UP);
    return solver && !st_is_matrix_free(solver);
}

static bool in_products(st_object *object) {
    const st_object *solver = st_find(object->node, ST_ROLE(linear_solver), ST_UP);
    return solver && st_is_matrix_free(solver);
}

static bool is_damped_in_products(st_object *object) {
    return in_products(object) && differences_number(object, "rayleighStiffness") != 0;
}
static bool has_damping(st_object *object) { return differences_number(object, "damping") != 0; }
static bool has_factor(st_object *object) { return differences_number(object, "force") != 1; }
static bool is_small(st_object *object) { return differences_is(object, "method", "small"); }
static bool is_one_way_in_a_matrix(st_object *object) {
    return in_a_matrix(object) && differences_number(object, "twoWay") == 0;
}
static bool has_rest_rotations(st_object *object) { return differences_number(object, "restRotations") != 0; }
static bool has_several_indices(st_object *object) { return count_numbers(object, "indices") > 1; }
static bool has_one_key_and_goes_on(st_object *object) {
    return count_numbers(object, "keyTimes") == 1 && differences_number(object, "continueAfterEnd") != 0;
}
static bool is_relaxed_in_blocks(st_object *object) {
    return object->template_ && strstr(object->template_, "Mat3x3") && differences_number(object, "omega") != 1;
}
static bool has_several_steps(st_object *object) { return differences_number(object, "collisionSteps") > 1; }
static bool is_joined_by_nothing(st_object *object) {
    return differences_number(object, "finestConnectivity") != 0 && differences_is(object, "filename", "");
}
static bool skips_levels_in_one_step(st_object *object) {
    st_object *grid = st_find(object->node, ST_ROLE(topology), ST_UP);
    return grid && differences_number(object, "finestToCoarse") != 0 &&
           differences_number(object, "nbVirtualFinerLevels") < differences_number(grid, "nbVirtualFinerLevels");
}
static bool has_quads(st_object *object) {
    st_topology *mesh = (st_topology *)st_find(object->node, ST_ROLE(topology), ST_UP);
    return mesh && st_topology_elements(mesh, ST_QUAD)->count > 0;
}
static bool has_rotations_of_one_kind(st_object *object) {
    return differences_is(object, "rotationMethod", "triangle") ||
           differences_is(object, "rotationMethod", "hexahedron");
}

static bool has_field_set(st_object *object, const char *name) {
    const int index = st_field_index(object, name);
    return index >= 0 && object->data[index].set;
}
static bool has_old_threshold(st_object *object) {
    return has_field_set(object, "relative_residual_tolerance_threshold");
}
static bool has_binary_set(st_object *object) { return has_field_set(object, "binaryformat"); }

// In the text of the springs, since each spring may have one.
static bool has_rest_translation(st_object *object) {
    char *text = st_object_get(object, "spring", 0);
    const bool has = text && strstr(text, "REST_T");
    st_string_free(text);
    return has;
}

// Do loops at or above the law solve for velocities before positions?
static bool is_solved_for_velocity_first(st_object *object) {
    st_object *loop = st_find_slot(object->node, ST_ROLE(loop));
    return loop && differences_is(loop, "solveVelocityConstraintFirst", "1");
}

// Has the mapping above the mass a Jacobian that changes?
static bool has_moving_jacobian_in_a_matrix(st_object *object) {
    const st_state *state = ((const st_force *)object)->state;
    const st_object *mapping = state && state->mapped ? st_find_slot(state->object.node, ST_ROLE(mapping)) : NULL;
    return mapping && mapping->type->mapping->geometric && in_a_matrix(object);
}

// ---------------------------------------------------------------------------------------------------
// The table
// ---------------------------------------------------------------------------------------------------

typedef struct difference {
    const char *classes;              // blanks between
    bool (*is_affected)(st_object *); // NULL: always
    const char *what;
} difference;

// clang-format off
static const difference table[] = {
    {"AngularSpringForceField", NULL, "the stiffness is on the first index, on which no torque acts"},
    {"ConicalForceField", has_damping, "damping beyond the end of the cone pushes along the velocity"},
    {"CorotationalFEMForceField", has_rotations_of_one_kind, "the frame at rest is applied twice: forces at rest"},
    {"FastTriangularBendingSprings", in_a_matrix, "the matrix lacks the fourth vertex of each edge"},
    {"FrameSpringForceField", in_products, "products ignore the factor of the stiffness"},
    {"GearSpringForceField", NULL, "whole turns are counted in steps of 2/pi instead of 2 pi"},
    {"InteractionEllipsoidForceField FrameSpringForceField GearSpringForceField JointSpringForceField VectorSpringForceField "
     "TriangularBiquadraticSpringsForceField TriangularQuadraticSpringsForceField TriangularTensorMassForceField",
     in_a_matrix, "it is missing from the matrix"},
    {"JointSpringForceField", has_rest_translation, "rest translations are replaced by those at the start"},
    {"LinearForceField", has_factor, "the last force is not multiplied by force"},
    {"PolynomialSpringsForceField", NULL, "the derivative of a compressed spring is that of a stretched one"},
    {"RegularGridSpringForceField", in_a_matrix, "the matrix lacks the springs of the grid"},
    {"RestShapeSpringsForceField", in_a_matrix, "the matrix looks up the stiffness by the index of the point, and ignores activeDirections"},
    {"SurfacePressureForceField", has_quads, "the derivative leaves out the quads"},
    {"SurfacePressureForceField TorsionForceField QuadBendingFEMForceField TetrahedronDiffusionFEMForceField",
     is_damped_in_products, "rayleighStiffness is ignored in products"},
    {"TaitSurfacePressureForceField", in_a_matrix, "the matrix lacks the diagonal blocks of each triangle"},
    {"TetrahedronDiffusionFEMForceField", in_a_matrix, "the matrix holds the first scalar of each DOF only"},
    {"TorsionForceField", NULL, "the derivative lacks the cross product with the axis"},
    {"TriangleFEMForceField", is_small, "the first edge of each triangle is taken as parallel to the x axis"},
    {"TriangularAnisotropicFEMForceField", NULL, "the stiffness is not multiplied by the area of the triangle"},
    {"HexahedralFEMForceField HexahedralFEMForceFieldAndMass NonUniformHexahedralFEMForceFieldAndMass", in_a_matrix, "the matrix has the inverse rotations, and the mass on its diagonal only"},
    {"HexahedronCompositeFEMForceFieldAndMass", skips_levels_in_one_step, "finestToCoarse takes its cells from another level, unless it uses all levels of the grid"},
    {"SparseGridMultipleTopology", is_joined_by_nothing, "without filename no two boundary cells are joined"},
    {"AttachProjectiveConstraint", is_one_way_in_a_matrix, "rows of the first state are discarded instead of the second's"},
    {"AttachProjectiveConstraint", has_rest_rotations, "rest rotations turn the other way"},
    {"FixedTranslationProjectiveConstraint", NULL, "rotations are fixed, too"},
    {"LinearVelocityProjectiveConstraint", has_one_key_and_goes_on, "after a single key the velocity is 0"},
    {"ParabolicProjectiveConstraint", has_several_indices, "only the first point gets a velocity"},
    {"PartialLinearMovementProjectiveConstraint", NULL, "the velocity is imposed in directions that do not move"},
    {"AffineMovementProjectiveConstraint FixedTranslationProjectiveConstraint HermiteSplineProjectiveConstraint "
     "OscillatorProjectiveConstraint ParabolicProjectiveConstraint PatchTestMovementProjectiveConstraint "
     "SkeletalMotionProjectiveConstraint", in_a_matrix, "it is missing from the matrix"},
    {"TubularMapping LineSetSkinningMapping", NULL, "forces do not go back as velocities go forth"},
    {"DistanceMultiMapping CenterOfMassMapping CenterOfMassMultiMapping CenterOfMassMulti2Mapping", in_a_matrix, "what it maps is missing from the matrix"},
    {"SSORPreconditioner", is_relaxed_in_blocks, "the factor 2 - omega is missing with blocks of 3 x 3: other iterations"},
    {"UniformMass DiagonalMass MeshMatrixMass", has_moving_jacobian_in_a_matrix, "in the matrix it is projected with the Jacobian of the first assembly"},
    {"StaticSolver", has_old_threshold, "relative_residual_tolerance_threshold sets the threshold of the estimate"},
    {"FixedLagrangianConstraint SlidingLagrangianConstraint StopperLagrangianConstraint BilateralLagrangianConstraint",
     is_solved_for_velocity_first, "a length, or a wrong sign, is given where a velocity is asked for"},
    {"STLExporter", has_binary_set, "binaryformat is inverted"},
    {"MeshExporter", NULL, "files have wrong offsets (.vtu), inner faces among the boundary, exchanged nodes"},
    {"AsyncSparseLDLSolver", NULL, "when a factorization is used depends on the time that it takes; here on delay"},
    {"PrecomputedConstraintCorrection", NULL, "the compliance has the prestress at the start; here it is that of the first step, without"},
    {"MultiStepAnimationLoop", has_several_steps, "time advances by dt / collisionSteps"},
};
// clang-format on

void st_scene_differences(st_scene *scene, void (*report)(void *user, const st_difference *), void *user) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
            const difference *d = &table[k];
            if (!st_is_valid(object) || !st_has_word(d->classes, object->type->name)) continue;
            if (d->is_affected && !d->is_affected(object)) continue;

            const st_difference found = {.object = object, .what = d->what};
            report(user, &found);
        }
}
