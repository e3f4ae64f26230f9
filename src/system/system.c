// The base of linear systems: A x = b over the independent states of a plan.
//
// b and x are flat arrays: state after state in traversal order, DOF by DOF. They are allocated when the number of
// scalars changes, not before.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/system.h"

#include "system/matrix_free_system.h"

#include "scene/scene.h"

static st_plan *find_plan(st_system *system) {
    const uint32_t lasting = st_lasting_structure(system->object.scene);

    // SOFA's rule: the solver's node decides, not that of the system
    if (!system->at || system->lasting != lasting) {
        const st_object *solver = st_find(system->object.node, ST_ROLE(linear_solver), ST_UP);
        system->at = solver ? solver->node : system->object.node;
        system->lasting = lasting;
    }

    st_plan *plan = st_plan_of(system->at);
    if (plan) st_plan_update_offsets(plan);
    return plan;
}

static bool set_size(st_system *system, size_t size) {
    if (system->rhs && system->solution && system->size == size) return true;
    st_free(system->rhs);
    st_free(system->solution);

    system->rhs = st_alloc(size, sizeof *system->rhs);
    system->solution = st_alloc(size, sizeof *system->solution);
    system->size = size;

    // as the attribute shows it
    const uint32_t shown = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    system->matrix_size[0] = system->matrix_size[1] = shown;
    st_touch(&system->object, system->matrix_size);

    return system->rhs && system->solution;
}

st_status st_system_prepare(st_system *system) {
    system->plan = find_plan(system);
    if (system->plan && set_size(system, system->plan->size)) return ST_OK;

    st_message(&system->object, ST_ERROR, "out of memory for a linear system of %zu unknowns", system->size);
    system->size = 0;
    return ST_OUT_OF_MEMORY;
}

// A part has none itself, so this ends.
static st_system *part_of(st_system *system, size_t index) {
    const st_system_ops *ops = system->object.type->system;
    return ops->part ? ops->part(system, index) : NULL;
}

// Vectors may be handed over before the first build, or after the states have changed their sizes.
st_status st_system_set_rhs(st_system *system, st_const_deriv_id b) {
    st_status status = st_system_prepare(system);
    if (status == ST_OK) st_plan_gather(system->plan, system->rhs, b);

    // systems that are built together share the right-hand side
    st_system *part;
    for (size_t i = 0; status == ST_OK && (part = part_of(system, i)); i++) status = st_system_set_rhs(part, b);
    return status;
}

st_status st_system_set_solution(st_system *system, st_const_deriv_id x) {
    st_status status = st_system_prepare(system);
    if (status == ST_OK && x.index != 0) st_plan_gather(system->plan, system->solution, x);

    st_system *part;
    for (size_t i = 0; status == ST_OK && (part = part_of(system, i)); i++) status = st_system_set_solution(part, x);
    return status;
}

void st_system_get_solution(const st_system *system, st_deriv_id x) {
    // states that changed since the build keep their vectors
    if (system->plan && system->solution && system->size == system->plan->size)
        st_plan_scatter(system->plan, x, system->solution);
}

const st_state *st_system_state_at(const st_system *system, size_t row, size_t *scalar) {
    const st_plan *plan = system->plan;
    for (size_t i = 0; plan && i < plan->independent.count; i++) {
        // the slice of the state
        if (row < plan->offsets[i] || row >= plan->offsets[i + 1]) continue;
        *scalar = row - plan->offsets[i];
        return plan->independent.data[i];
    }

    return NULL;
}

double st_system_bytes(st_system *system) {
    const st_system_ops *ops = system->object.type->system;
    const bool stored = ops->matrix && ops->matrix != st_matrix_free_matrix && !ops->part;
    const st_bsr *a = stored ? ops->matrix(system) : NULL;
    const size_t block = a && a->starts ? st_bsr_block(a) : 0;
    const size_t numbers = 2 * system->size + (block ? st_bsr_count(a) * block * block : 0);
    return (double)numbers * sizeof(st_real);
}

void st_system_destroy(st_object *object) {
    st_system *system = (st_system *)object;
    st_free(system->rhs);
    st_free(system->solution);
}

static const st_field fields[] = {
    ST_FIELD(st_system, matrix_size, "matrixSize", st_type_uint2, "0 0", "rows and columns of the global matrix",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(st_system, enable_assembly, "enableAssembly", st_type_bool, "1",
             "false: the matrix is not assembled again; set by solvers that freeze it"),
    ST_FIELD(st_system, factorization_invalid, "factorizationInvalidation", st_type_bool, "0",
             "the matrix changed since it was last factored", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_system_class = {
    .name = "BaseMatrixLinearSystem",
    .help = "gathers and stores the matrix A, the right-hand side b and the solution x of A x = b",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_system),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = st_system_destroy,
};
