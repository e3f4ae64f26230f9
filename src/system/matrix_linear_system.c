// A linear system with an assembled sparse matrix:
//
//     A = Σ (k + b·rayleighStiffness) ∂f/∂x + Σ (m - b·rayleighMass) M + Σ b ∂f/∂v + Σ k ∂(Jᵀf)/∂q,
//
// where what acts on mapped states is projected to the independent ones (mapped.h), and in which the rows and columns
// of the scalars that projective constraints discard are those of the identity.
//
// matrix_sum.h tells how the sum is taken.
//
// The template says how SOFA stores the matrix. Here it changes nothing (but see move_into_band): blocks of 6 × 6 where
// every state has a multiple of 6 scalars per DOF and nothing is mapped, of 3 × 3 or 2 × 2 where all have a multiple of
// that, else scalars.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/matrix_linear_system.h"

#include <string.h>

#include "scene/compat.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Projective constraints
// ---------------------------------------------------------------------------------------------------

typedef struct fixing {
    bool *flags; // of the scalars of one state
    size_t count;
    size_t marked;
    size_t outside;
} fixing;

static void fix_scalar(void *context, size_t scalar) {
    fixing *fix = context;

    // the state may have lost points since
    if (scalar < fix->count) {
        fix->flags[scalar] = true;
        fix->marked++;
    } else {
        fix->outside = scalar + 1;
    }
}

// Number of scalars that the constraint fixes.
static size_t fix(st_matrix_linear_system *self, st_projection *projection) {
    const st_projection_ops *ops = projection->object.type->projection;
    if (!ops->discard || !projection->state || !st_is_valid(&projection->object) || !st_projection_active(projection))
        return 0;
    const size_t offset = st_plan_offset(self->system.plan, projection->state);

    if (offset == SIZE_MAX) {
        st_message_once(&projection->object, "mapped state", ST_WARNING,
                        "constrains a mapped state: it has no effect on the motion");
        return 0;
    }

    // it names its scalars one by one
    fixing context = {.flags = self->fixed.data + offset, .count = st_state_scalars(projection->state)};
    ops->discard(projection, fix_scalar, &context);

    if (context.outside)
        st_message_once(&projection->object, "outside", ST_ERROR,
                        "constrains scalar %zu of a state that has %zu: it is left out", context.outside - 1,
                        context.count);

    return context.marked;
}

static void apply_constraints(st_matrix_linear_system *self) {
    const st_plan *plan = self->system.plan;
    size_t marked = 0;
    memset(self->fixed.data, 0, self->fixed.count * sizeof *self->fixed.data);

    // all constraints first: the matrix is changed once
    for (size_t i = 0; i < plan->projections.count; i++) marked += fix(self, plan->projections.data[i]);
    if (marked > 0) st_bsr_clear_rows_cols(&self->sum.assembly.matrix, self->fixed.data);
}

// ---------------------------------------------------------------------------------------------------
// Storage
// ---------------------------------------------------------------------------------------------------

// SOFA's BTDMatrix has three blocks of 6 × 6 in a row, and block (i, j) in slot 3 i + (j - i + 1) of all of them, for
// j < i - 1, too: it is then added to a block further up. Where the matrix has no such block it is dropped.
static void move_into_band(st_bsr *a) {
    enum { B = 6 };
    const size_t b = st_bsr_block(a);
    for (size_t row = 0; row < (size_t)a->rows; row++)
        for (size_t s = a->starts[row]; s < a->starts[row + 1]; s++)
            for (size_t k = 0; k < b * b; k++) {
                const size_t r = row * b + k / b, c = (size_t)a->columns[s] * b + k % b;
                if (c / B + 1 >= r / B || a->values[s * b * b + k] == 0) continue;

                // slot 3 i + (j - i + 1) is a block of row slot / 3
                const size_t slot = 2 * (r / B) + c / B + 1, place = slot / 3 + slot % 3;
                st_real *to = place > 0 ? st_bsr_at(a, slot / 3 * B + r % B, (place - 1) * B + c % B) : NULL;
                if (to) *to += a->values[s * b * b + k];
                a->values[s * b * b + k] = 0;
            }
}

static bool is_stored_as_band(const st_system *system) {
    return system->object.template_ && strcmp(system->object.template_, "BTDMatrix6d") == 0;
}

// ---------------------------------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------------------------------

static st_sum_request request_of(const st_matrix_linear_system *self) {
    // every attribute that leaves something out
    return (st_sum_request){
        .params = self->system.params,
        .kinds = {[ST_CONTRIBUTES_STIFFNESS] = self->assemble_stiffness,
                  [ST_CONTRIBUTES_MASS] = self->assemble_mass,
                  [ST_CONTRIBUTES_DAMPING] = self->assemble_damping},
        .geometric = self->assemble_geometric_stiffness,
        .only = self->only,
        .check = self->check_indices,
        .finite = self->system.object.scene->config.strict,
    };
}

static st_sum_scope scope_of(const st_matrix_linear_system *self) {
    if (!self->apply_mapped_components) return ST_SUM_GEOMETRIC;

    // what SOFA's band holds besides
    const bool crossed =
        is_stored_as_band(&self->system) && st_compat_on(self->system.object.scene, ST_COMPAT_CROSS_TERMS);
    return crossed ? ST_SUM_CROSSED : ST_SUM_ALL;
}

static st_status matrix_system_assemble(st_matrix_linear_system *self) {
    st_system *system = &self->system;
    memset(system->rhs, 0, system->size * sizeof *system->rhs);
    memset(system->solution, 0, system->size * sizeof *system->solution);

    // the structure, where the scene has changed
    if (!st_matrix_sum_refresh(&self->sum, system->plan, scope_of(self), NULL) ||
        !st_list_set_count(&self->fixed, system->size, 1)) {
        st_message(&system->object, ST_ERROR, "out of memory for the assembly of %zu unknowns", system->size);
        return ST_OUT_OF_MEMORY;
    }

    // the sum of all contributions
    const st_sum_request request = request_of(self);
    const st_status status = st_matrix_sum_assemble(&self->sum, &request);
    if (status == ST_FAILED)
        st_message(&system->object, ST_ERROR,
                   "a component adds other blocks to the matrix each time that it is asked at the same state");
    else if (status != ST_OK)
        st_message(&system->object, ST_ERROR, "the pattern of the %zu x %zu matrix cannot be recorded: %s",
                   system->size, system->size, st_status_text(status));

    // what SOFA's storage does to it, then the constraints
    if (status == ST_OK && is_stored_as_band(system) && st_compat_on(system->object.scene, ST_COMPAT_BTD_SLOTS))
        move_into_band(&self->sum.assembly.matrix);
    if (status == ST_OK && self->apply_projective_constraints) apply_constraints(self);
    return status;
}

// Without assembly the matrix stays what it is, as long as there is one of the right size.
static st_status matrix_system_build(st_system *system, const st_params *params) {
    st_matrix_linear_system *self = (st_matrix_linear_system *)system;
    st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;
    if (!system->enable_assembly && self->built && st_bsr_scalar_rows(&self->sum.assembly.matrix) == system->size)
        return ST_OK;

    // a new matrix: factors of the former one are worth nothing
    system->params = *params;
    system->version++;
    system->factorization_invalid = true;

    if (system->size == 0) {
        st_message_once(&system->object, "empty", ST_ERROR,
                        "the global matrix is empty: no independent state holds a DOF");
        return ST_OK;
    }

    st_profile_begin(system->object.scene, "assembly");
    status = matrix_system_assemble(self);
    self->built = status == ST_OK;
    st_profile_end(system->object.scene, st_system_bytes(system));

    return status;
}

// A run after a reset must not depend on the one before it: the pattern is recorded again.
static void matrix_system_reset(st_object *object) {
    st_matrix_linear_system *self = (st_matrix_linear_system *)object;
    self->built = false;
    st_assembly_forget(&self->sum.assembly);
}

static const st_bsr *matrix_system_matrix(st_system *system) {
    return &((st_matrix_linear_system *)system)->sum.assembly.matrix;
}

static st_status matrix_system_multiply(st_system *system, const st_real *p, st_real *q) {
    const st_bsr *a = matrix_system_matrix(system);
    if (st_bsr_scalar_rows(a) != system->size) {
        st_message(&system->object, ST_ERROR, "the states changed since the system was built");
        return ST_FAILED;
    }

    st_bsr_multiply(a, system->object.scene->pool, p, q);
    return ST_OK;
}

static void matrix_system_destroy(st_object *object) {
    st_matrix_linear_system *self = (st_matrix_linear_system *)object;
    st_matrix_sum_free(&self->sum);
    st_list_free(&self->fixed);
    st_system_destroy(object);
}

#define SYSTEM_FIELD(member, name, value, help, ...)                                                                   \
    ST_FIELD(st_matrix_linear_system, member, name, st_type_bool, value, help, ##__VA_ARGS__)

static const st_field fields[] = {
    SYSTEM_FIELD(assemble_stiffness, "assembleStiffness", "1", "add the stiffness of the forces"),
    SYSTEM_FIELD(assemble_mass, "assembleMass", "1", "add the masses"),
    SYSTEM_FIELD(assemble_damping, "assembleDamping", "1", "add the damping of the forces"),
    SYSTEM_FIELD(assemble_geometric_stiffness, "assembleGeometricStiffness", "1",
                 "add the geometric stiffness of the mappings"),
    SYSTEM_FIELD(apply_projective_constraints, "applyProjectiveConstraints", "1",
                 "rows and columns of constrained scalars become those of the identity"),
    SYSTEM_FIELD(apply_mapped_components, "applyMappedComponents", "1",
                 "add what components on mapped states contribute"),
    SYSTEM_FIELD(check_indices, "checkIndices", "0",
                 "look at the indices of every addition, and with --strict at its numbers, before it is made"),
    SYSTEM_FIELD(parallel_assembly, "parallelAssemblyIndependentMatrices", "0",
                 "threading hint; what acts on independent and on mapped states is added up at the same time wherever "
                 "there are threads",
                 .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_system_ops ops = {
    .build = matrix_system_build, .multiply = matrix_system_multiply, .matrix = matrix_system_matrix};

const st_class st_matrix_linear_system_class = {
    .name = "MatrixLinearSystem",
    .help = "linear system with an assembled sparse matrix",
    .parent = &st_system_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat2x2d CompressedRowSparseMatrixMat3x3d "
                 "CompressedRowSparseMatrixMat4x4d CompressedRowSparseMatrixMat6x6d CompressedRowSparseMatrixMat8x8d "
                 "FullMatrix SparseMatrix DiagonalMatrix BlockDiagonalMatrixMat3x3d RotationMatrixd BTDMatrix6d "
                 "ParallelCompressedRowSparseMatrixd ParallelCompressedRowSparseMatrixMat3x3d",
    .default_template = "CompressedRowSparseMatrixd",
    .fields = fields,
    .size = sizeof(st_matrix_linear_system),
    .reset = matrix_system_reset,
    .destroy = matrix_system_destroy,
    .system = &ops,
};

// In SOFA the faster variant for patterns that never change. Here both find that out by themselves.
const st_class st_constant_sparsity_pattern_system_class = {
    .name = "ConstantSparsityPatternSystem",
    .help =
        "linear system with an assembled sparse matrix whose pattern is expected to stay; same as MatrixLinearSystem",
    .parent = &st_matrix_linear_system_class,
    .templates = "CompressedRowSparseMatrixd",
    .default_template = "CompressedRowSparseMatrixd",
    .size = sizeof(st_matrix_linear_system),
};
