// A linear system with an assembled sparse matrix:
//
//     A = Σ (k + b·rayleighStiffness) ∂f/∂x + Σ (m - b·rayleighMass) M + Σ b ∂f/∂v + Σ k ∂(Jᵀf)/∂q,
//
// where what acts on mapped states is projected to the independent ones (mapped.h), and in which the rows and columns
// of the scalars that projective constraints discard are those of the identity.
//
// The sum is taken contribution by contribution, in the order of contribution.h, into slots that are known from the
// first build on (linalg/sink_assembly.h). A build in which an addition finds no slot records the pattern anew and
// adds once more: components may add what they like when they like. The pattern only grows while the scene's
// structure and the sizes of its states stand, so that a steady step allocates nothing.
//
// The template says how SOFA stores the matrix. Here it changes nothing: blocks of 6 × 6 where every state has a
// multiple of 6 scalars per DOF and nothing is mapped, of 3 × 3 or 2 × 2 where all have a multiple of that, else scalars.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/matrix_linear_system.h"

#include <string.h>

#include "scene/scene.h"

enum { ASSEMBLY_TRIES = 3 };

// ---------------------------------------------------------------------------------------------------
// What the matrix is made of
// ---------------------------------------------------------------------------------------------------

// True once per component.
static bool first_time(st_matrix_linear_system *self, const st_object *object) {
    for (size_t i = 0; i < self->told.count; i++)
        if (self->told.data[i] == object) return false;
    return st_list_push(&self->told, object);
}

// The mapped matrices that the contributions need.
static bool plan_mapped(st_matrix_linear_system *self, const st_plan *plan) {
    bool ok = st_mapped_begin(&self->mapped, plan);
    self->planned_mapped = self->apply_mapped_components;
    for (size_t i = 0; i < self->contributions.count; i++) {
        st_contribution *c = &self->contributions.data[i];
        for (size_t p = 0; p < c->pair_count; p++) {
            struct st_contribution_pair *pair = &c->pairs[p];
            pair->mapped = SIZE_MAX;
            if (ok && self->apply_mapped_components)
                pair->mapped = st_mapped_pair_of(&self->mapped, pair->row, pair->col, &ok);
        }
    }
    return ok && st_mapped_end(&self->mapped);
}

static bool same_offsets(const st_matrix_linear_system *self, const st_plan *plan) {
    const size_t count = plan->independent.count + 1;
    return self->offsets.count == count &&
           memcmp(self->offsets.data, plan->offsets, count * sizeof *plan->offsets) == 0;
}

// Looks at the plan again where the scene's structure or the sizes of states have changed.
static bool refresh(st_matrix_linear_system *self) {
    const st_plan *plan = self->system.plan;
    const bool same_plan = self->planned == plan && self->planned_version == plan->version &&
                           self->planned_mapped == self->apply_mapped_components;
    if (same_plan && same_offsets(self, plan) && !st_mapped_sizes_changed(&self->mapped)) return true;
    const size_t count = plan->independent.count + 1;
    self->planned = NULL;
    if (!st_list_set_count(&self->offsets, count, 1) || !st_list_set_count(&self->fixed, plan->size, 1)) return false;
    memcpy(self->offsets.data, plan->offsets, count * sizeof *plan->offsets);
    if (!same_plan && (!st_contributions_make(&self->contributions, plan) || !plan_mapped(self, plan))) return false;
    self->planned = plan;
    self->planned_version = plan->version;
    self->must_record = true;
    self->keep = false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Adding up
// ---------------------------------------------------------------------------------------------------

static bool is_wanted(const st_matrix_linear_system *self, st_contribution_kind kind) {
    switch (kind) {
    case ST_CONTRIBUTES_STIFFNESS: return self->assemble_stiffness;
    case ST_CONTRIBUTES_MASS: return self->assemble_mass;
    case ST_CONTRIBUTES_DAMPING: return self->assemble_damping;
    }
    return false;
}

// The sinks of one contribution, one for each pair of its states.
typedef struct part_sinks {
    st_pair_accumulator pairs;
    st_matrix_sink matrix[ST_PAIRS];
    st_mapped_sink mapped[ST_PAIRS];
    st_check_sink check[ST_PAIRS];
} part_sinks;

// Where the blocks of one pair go; the window says how many rows and columns there are.
static st_sink *sink_of_pair(st_matrix_linear_system *self, size_t part, const struct st_contribution_pair *pair,
                             st_real factor, st_matrix_sink *matrix, st_mapped_sink *mapped) {
    const size_t *offsets = self->system.plan->offsets;
    *matrix = (st_matrix_sink){0};
    *mapped = (st_mapped_sink){0};
    if (st_pair_is_independent(pair)) {
        const st_window window = {offsets[pair->row_index], offsets[pair->col_index], st_state_scalars(pair->row),
                                  st_state_scalars(pair->col)};
        st_matrix_sink_init(matrix, &self->assembly, window, factor);
        return &matrix->sink;
    }
    if (pair->mapped == SIZE_MAX) return NULL;
    return st_mapped_open(&self->mapped, pair->mapped, part, &self->assembly, factor, mapped);
}

static void make_sinks(st_matrix_linear_system *self, size_t part, st_real factor, part_sinks *sinks) {
    st_contribution *c = &self->contributions.data[part];
    st_pair_accumulator_init(&sinks->pairs);
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct st_contribution_pair *pair = &c->pairs[i];
        st_sink *sink = sink_of_pair(self, part, pair, factor, &sinks->matrix[i], &sinks->mapped[i]);
        if (self->check_indices && sink) {
            st_check_sink_init(&sinks->check[i], sink, &c->force->object, st_contribution_name(c->kind),
                               st_state_scalars(pair->row), st_state_scalars(pair->col),
                               self->system.object.scene->config.strict, &c->reported);
            sink = &sinks->check[i].sink;
        }
        st_pair_accumulator_put(&sinks->pairs, pair->row, pair->col, sink ? sink : st_null_sink());
    }
}

static void report(st_contribution *c, const part_sinks *sinks) {
    const char *name = st_contribution_name(c->kind);
    for (size_t i = 0; i < c->pair_count && !c->reported; i++) {
        st_window window;
        const st_refusals *refusals = st_mapped_refusals(&sinks->mapped[i], &window);
        if (sinks->matrix[i].refusals.count > 0) {
            refusals = &sinks->matrix[i].refusals;
            window = sinks->matrix[i].window;
        }
        if (!refusals) continue;
        st_report_refusals(&c->force->object, name, &window, refusals);
        c->reported = true;
    }
    if (sinks->pairs.dropped == 0 || c->reported) return;
    st_message(&c->force->object, ST_ERROR,
               "asks for the %s between states that are not its own; that part is left out", name);
    c->reported = true;
}

// Goes through all contributions once, recording or adding.
static void pass(st_matrix_linear_system *self) {
    for (size_t i = 0; i < self->contributions.count; i++) {
        st_contribution *c = &self->contributions.data[i];
        const st_real factor = st_contribution_factor(c, &self->system.params);
        if (!is_wanted(self, c->kind) || factor == 0 || !st_contribution_takes_part(c)) continue;
        if (self->only && self->only != &c->force->object) continue;
        part_sinks sinks;
        make_sinks(self, i, factor, &sinks);
        st_assembly_part(&self->assembly, i);
        st_contribution_call(c, &self->system.params, &sinks.pairs.accumulator);
        report(c, &sinks);
    }
    if (self->assemble_geometric_stiffness)
        st_mapped_add_geometric(&self->mapped, &self->assembly, &self->system.params, self->contributions.count,
                                self->apply_mapped_components, self->only);
}

// Parts of the stream: the contributions, the mappings with a geometric stiffness, the mapped matrices.
static size_t first_mapped_part(const st_matrix_linear_system *self) {
    return self->contributions.count + self->mapped.geometric.count;
}

static st_status record(st_matrix_linear_system *self) {
    const size_t mapped = first_mapped_part(self);
    int32_t block = st_plan_block(self->system.plan);
    if (block == 6 && self->mapped.pairs.count > 0) block = 3; // what is mapped comes in blocks of 3
    st_status status = st_assembly_begin_record(&self->assembly, block, self->system.size,
                                                mapped + self->mapped.pairs.count, self->keep);
    if (status == ST_OK) status = st_mapped_begin_record(&self->mapped, mapped, self->keep);
    if (status != ST_OK) return status;
    pass(self);
    status = st_mapped_end_record(&self->mapped, &self->assembly, mapped);
    if (status != ST_OK) return status;
    self->must_record = false;
    return st_assembly_end_record(&self->assembly);
}

// False: an addition has no place, and the pattern must be recorded once more.
static bool add_once(st_matrix_linear_system *self) {
    st_assembly_begin_add(&self->assembly);
    st_mapped_begin_add(&self->mapped);
    pass(self);
    st_mapped_end_add(&self->mapped, &self->assembly, first_mapped_part(self));
    const bool grown = self->assembly.grown || st_mapped_has_grown(&self->mapped);
    self->keep = true;
    self->must_record = grown || st_assembly_is_stale(&self->assembly) || st_mapped_is_stale(&self->mapped);
    return !grown;
}

static st_status add_up(st_matrix_linear_system *self) {
    for (int i = 0; i < ASSEMBLY_TRIES; i++) {
        if (self->must_record) {
            const st_status status = record(self);
            if (status != ST_OK) {
                self->must_record = true;
                self->keep = false;
                st_message(&self->system.object, ST_ERROR, "the pattern of the %zu x %zu matrix cannot be recorded: %s",
                           self->system.size, self->system.size, st_status_text(status));
                return status;
            }
        }
        if (add_once(self)) return ST_OK;
    }
    st_message(&self->system.object, ST_ERROR,
               "a component adds other blocks to the matrix each time that it is asked at the same state");
    return ST_FAILED;
}

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
        if (first_time(self, &projection->object))
            st_message(&projection->object, ST_WARNING, "constrains a mapped state: it has no effect on the motion");
        return 0;
    }
    fixing context = {.flags = self->fixed.data + offset, .count = st_state_scalars(projection->state)};
    ops->discard(projection, fix_scalar, &context);
    if (context.outside && first_time(self, &projection->object))
        st_message(&projection->object, ST_ERROR, "constrains scalar %zu of a state that has %zu: it is left out",
                   context.outside - 1, context.count);
    return context.marked;
}

static void apply_constraints(st_matrix_linear_system *self) {
    const st_plan *plan = self->system.plan;
    size_t marked = 0;
    memset(self->fixed.data, 0, self->fixed.count * sizeof *self->fixed.data);
    for (size_t i = 0; i < plan->projections.count; i++) marked += fix(self, plan->projections.data[i]);
    if (marked > 0) st_bsr_clear_rows_cols(&self->assembly.matrix, self->fixed.data);
}

// ---------------------------------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------------------------------

static st_status assemble(st_matrix_linear_system *self) {
    st_system *system = &self->system;
    memset(system->rhs, 0, system->size * sizeof *system->rhs);
    memset(system->solution, 0, system->size * sizeof *system->solution);
    if (!refresh(self)) {
        st_message(&system->object, ST_ERROR, "out of memory for the assembly of %zu unknowns", system->size);
        return ST_OUT_OF_MEMORY;
    }
    const st_status status = add_up(self);
    if (status == ST_OK && self->apply_projective_constraints) apply_constraints(self);
    return status;
}

// Without assembly the matrix stays what it is, as long as there is one of the right size.
static st_status build(st_system *system, const st_params *params) {
    st_matrix_linear_system *self = (st_matrix_linear_system *)system;
    st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;
    if (!system->enable_assembly && self->built && st_bsr_scalar_rows(&self->assembly.matrix) == system->size)
        return ST_OK;
    system->params = *params;
    system->version++;
    system->factorization_invalid = true;
    if (system->size == 0) {
        if (!self->told_empty)
            st_message(&system->object, ST_ERROR, "the global matrix is empty: no independent state holds a DOF");
        self->told_empty = true;
        return ST_OK;
    }
    const double begin = st_profile_begin();
    status = assemble(self);
    self->built = status == ST_OK;
    st_profile_end(system->object.scene, "assembly", begin);
    return status;
}

static void reset(st_object *object) { ((st_matrix_linear_system *)object)->built = false; }

static const st_bsr *matrix(st_system *system) { return &((st_matrix_linear_system *)system)->assembly.matrix; }

static st_status multiply(st_system *system, const st_real *p, st_real *q) {
    const st_bsr *a = matrix(system);
    if (st_bsr_scalar_rows(a) != system->size) {
        st_message(&system->object, ST_ERROR, "the states changed since the system was built");
        return ST_FAILED;
    }
    st_bsr_multiply(a, system->object.scene->pool, p, q);
    return ST_OK;
}

static void destroy(st_object *object) {
    st_matrix_linear_system *self = (st_matrix_linear_system *)object;
    st_list_free(&self->contributions);
    st_mapped_free(&self->mapped);
    st_list_free(&self->offsets);
    st_assembly_free(&self->assembly);
    st_list_free(&self->fixed);
    st_list_free(&self->told);
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
    SYSTEM_FIELD(parallel_assembly, "parallelAssemblyIndependentMatrices", "0", "a hint to threads",
                 .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_system_ops ops = {.build = build, .multiply = multiply, .matrix = matrix};

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
    .reset = reset,
    .destroy = destroy,
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
