// Matrices on request: A, M, B, K of a system, of a node, of one component. See settee/matrix.h.
//
// What a system does not hold itself is gathered by a MatrixLinearSystem of the probe's own, which no node knows, with
// the switches that the request means. The matrix of one component in its own space is gathered directly.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/matrix.h"

#include "assembly/jacobian_probe.h"
#include "base/array.h"
#include "constraint/constraint_matrices.h"
#include "io/matrix_file.h"
#include "mapping/states.h"
#include "scene/scene.h"
#include "settee/plugin/constraint.h"
#include "system/matrix_linear_system.h"
#include "system/matrix_view.h"

typedef struct st_probe {
    const st_object *object; // a system, a node or a component
    st_matrix_kind which;
    st_matrix_space space;
    st_matrix_linear_system *system; // gathers; NULL: in the component's own space
    st_assembly assembly;            // own space
    size_t size;                     // scalars of the own space when it was recorded
    st_assembly jacobian;            // of a mapping
} st_probe;

// ---------------------------------------------------------------------------------------------------
// Probes
// ---------------------------------------------------------------------------------------------------

static void probe_destroy(st_probe *probe) {
    if (!probe) return;
    if (probe->system) st_object_destroy(&probe->system->system.object);
    st_assembly_free(&probe->assembly);
    st_assembly_free(&probe->jacobian);
    st_free(probe);
}

void st_probes_destroy(st_scene *scene) {
    for (size_t i = 0; i < scene->probes.count; i++) probe_destroy(scene->probes.data[i]);
    st_list_free(&scene->probes);
}

static st_probe *probe_out_of_memory(const st_object *object) {
    st_message(object, ST_ERROR, "out of memory: a matrix was asked for");
    return NULL;
}

static st_probe *probe_of(const st_object *object, st_matrix_kind which, st_matrix_space space) {
    st_scene *scene = object->scene;

    // a probe is kept: its pattern is used again
    for (size_t i = 0; i < scene->probes.count; i++) {
        st_probe *p = scene->probes.data[i];
        if (p->object == object && p->which == which && p->space == space) return p;
    }

    st_probe *probe = st_alloc(1, sizeof *probe);
    if (!probe || !st_list_push(&scene->probes, probe)) {
        st_free(probe);
        return probe_out_of_memory(object);
    }

    *probe = (st_probe){.object = object, .which = which, .space = space};
    return probe;
}

static bool make_system(st_probe *probe, st_node *node) {
    st_scene *scene = node->object.scene;
    const st_class *type = st_registry_find(scene, "MatrixLinearSystem");
    if (probe->system) return true;

    st_object *object = type ? st_object_create(scene, node, type, NULL, NULL) : NULL;
    probe->system = (st_matrix_linear_system *)object;
    if (!object) probe_out_of_memory(probe->object);
    return object != NULL;
}

// ---------------------------------------------------------------------------------------------------
// What is asked for
// ---------------------------------------------------------------------------------------------------

// The factors under which a system gives M, B or K alone.
static st_params params_of(st_matrix_kind which, const st_system *system) {
    st_params params = system && system->version > 0 ? system->params : st_default_params();
    if (which == ST_MATRIX_A) return params;

    // A = m M + b B + k K with one of the factors 1
    params.m = which == ST_MATRIX_M ? 1 : 0;
    params.b = which == ST_MATRIX_B ? 1 : 0;
    params.k = which == ST_MATRIX_K ? 1 : 0;
    return params;
}

static void set_switches(st_matrix_linear_system *gather, st_matrix_kind which, bool constrained) {
    const bool all = which == ST_MATRIX_A;
    gather->assemble_mass = all || which == ST_MATRIX_M;
    gather->assemble_damping = all || which == ST_MATRIX_B;
    gather->assemble_stiffness = gather->assemble_geometric_stiffness = all || which == ST_MATRIX_K;
    gather->apply_projective_constraints = constrained;
}

// Before the first step no force has been evaluated: what the derivatives belong to is not there yet.
static void evaluate_once(const st_node *node, const st_system *system) {
    const st_scene *scene = node->object.scene;
    if ((system && system->version > 0) || scene->root->time != 0) return;

    st_plan *plan = st_plan_of((st_node *)node);
    const st_params params = st_default_params();
    if (plan) st_plan_compute_force(plan, &params);
}

static bool probe_is_ready(const st_scene *scene) { return scene->root && scene->initialized; }

static st_status probe_gather(st_probe *probe, st_node *node, const st_system *system, const st_object *only,
                              st_matrix_view *view) {
    if (!make_system(probe, node)) return ST_OUT_OF_MEMORY;
    evaluate_once(node, system);

    // a system of the probe's own, with the parts that are asked for
    set_switches(probe->system, probe->which, probe->which == ST_MATRIX_A && !only);
    probe->system->only = only;
    st_system *hidden = &probe->system->system;

    const st_params params = params_of(probe->which, system);
    const st_status status = hidden->object.type->system->build(hidden, &params);
    if (status == ST_OK) *view = st_view_of(hidden->object.type->system->matrix(hidden));
    return status;
}

size_t st_node_matrix_parts(st_node *node, st_matrix_part *parts, size_t most) {
    st_plan *plan = node && probe_is_ready(node->object.scene) ? st_plan_of(node) : NULL;
    if (!plan) return 0;
    st_plan_update_offsets(plan);
    for (size_t i = 0; i < plan->independent.count && i < most; i++)
        parts[i] = (st_matrix_part){&plan->independent.data[i]->object, plan->offsets[i],
                                    plan->offsets[i + 1] - plan->offsets[i]};
    return plan->independent.count;
}

st_status st_node_matrix(st_node *node, st_matrix_kind which, st_matrix_view *view) {
    *view = (st_matrix_view){0};
    if (which == ST_MATRIX_A || which == ST_MATRIX_J || !node || !probe_is_ready(node->object.scene))
        return ST_NOT_FOUND;
    st_probe *probe = probe_of(&node->object, which, ST_SPACE_PARENT);
    return probe ? probe_gather(probe, node, NULL, NULL, view) : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------------------------------

// The first integrator's; else the first that can be used.
static st_system *first_system(st_scene *scene) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (!st_has_role(object, ST_ROLE(integrator))) continue;
        const st_linear_solver *solver = ((st_integrator *)object)->solver;
        if (solver && solver->system) return solver->system;
    }

    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (st_has_role(object, ST_ROLE(system)) && st_is_valid(object)) return (st_system *)object;
    return NULL;
}

// A path may lead to the system, to its solver or to the integrator above.
st_system *st_scene_system(st_scene *scene, const char *path) {
    if (!scene || !probe_is_ready(scene)) return NULL;
    if (!path || !*path) return first_system(scene);

    st_object *object = st_scene_find(scene, path);
    if (!object || !st_is_valid(object)) return NULL;

    // an integrator leads to its solver, a solver to its system
    if (st_has_role(object, ST_ROLE(system))) return (st_system *)object;
    if (st_has_role(object, ST_ROLE(linear_solver))) return ((st_linear_solver *)object)->system;
    if (!st_has_role(object, ST_ROLE(integrator)) || !((st_integrator *)object)->solver) return NULL;
    return ((st_integrator *)object)->solver->system;
}

st_constraint_solver *st_scene_constraint_solver(st_scene *scene, const char *path) {
    if (!scene || !scene->root) return NULL;

    st_object *object = path ? st_scene_find(scene, path) : st_find(scene->root, ST_ROLE(constraint_solver), ST_DOWN);
    return object && st_has_role(object, ST_ROLE(constraint_solver)) ? (st_constraint_solver *)object : NULL;
}

st_status st_system_matrix(st_system *system, st_matrix_kind which, st_matrix_view *view) {
    *view = (st_matrix_view){0};
    if (which == ST_MATRIX_J || !system || !probe_is_ready(system->object.scene)) return ST_NOT_FOUND;
    if (which == ST_MATRIX_A && system->version == 0) return ST_NOT_FOUND;
    if (which == ST_MATRIX_A && st_system_held_matrix(system, view) == ST_OK) return ST_OK;

    // it holds no matrix that could be shown: one is gathered
    st_probe *probe = probe_of(&system->object, which, ST_SPACE_PARENT);
    return probe ? probe_gather(probe, system->object.node, system, NULL, view) : ST_OUT_OF_MEMORY;
}

static st_status vector_of(const st_system *system, const st_real *values, st_vector_view *view) {
    *view = (st_vector_view){0};
    if (!system || system->version == 0 || !values) return ST_NOT_FOUND;

    *view = (st_vector_view){.count = system->size, .values = values};
    return ST_OK;
}

st_status st_system_rhs(const st_system *system, st_vector_view *view) {
    return vector_of(system, system ? system->rhs : NULL, view);
}

// The solution of a system that a composite one stands for is the composite's: the solver wrote it there.
static const st_system *solved_as(const st_system *system) {
    const st_bsr *matrix = system->object.type->system->matrix((st_system *)system);
    st_object *object;

    // the composite has the very same matrix
    for (size_t i = 0; matrix && (object = st_scene_object(system->object.scene, i)); i++) {
        if (!st_has_role(object, ST_ROLE(system)) || !object->type->system->part || !st_is_valid(object)) continue;
        if (object->type->system->matrix((st_system *)object) == matrix) return (st_system *)object;
    }

    return system;
}

st_status st_system_solution(const st_system *system, st_vector_view *view) {
    const st_system *solved = system && system->version > 0 ? solved_as(system) : system;
    return vector_of(solved, solved ? solved->solution : NULL, view);
}

// ---------------------------------------------------------------------------------------------------
// One component, in its own space
// ---------------------------------------------------------------------------------------------------

typedef ST_LIST(const st_state *) states;

// The states of a component, each once, and where they begin.
static bool own_states(const st_object *component, states *list) {
    bool ok = true;
    if (st_has_role(component, ST_ROLE(force))) {
        const st_force *force = (const st_force *)component;
        if (force->state) ok = st_list_push(list, force->state);
        if (ok && force->other && force->other != force->state) ok = st_list_push(list, force->other);
        return ok;
    }

    // inputs of a mapping, which may name one twice
    const st_mapping *mapping = (const st_mapping *)component;
    for (size_t i = 0; ok && i < mapping->input.count; i++) {
        const st_state *state = (const st_state *)mapping->input.data[i];
        bool known = !state || !state->mechanical;
        for (size_t k = 0; k < list->count; k++) known = known || list->data[k] == state;
        if (!known) ok = st_list_push(list, state);
    }

    return ok;
}

typedef struct own_accumulator {
    st_accumulator accumulator;
    st_assembly *assembly;
    const states *states;
    st_real factor;
    st_matrix_sink sinks[ST_PAIRS]; // a force may hold several at once
    size_t used;
} own_accumulator;

static size_t offset_of(const states *list, const st_state *state) {
    size_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->data[i] == state) return at;
        at += st_state_scalars(list->data[i]);
    }
    return SIZE_MAX;
}

static st_sink *probe_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    own_accumulator *self = (own_accumulator *)accumulator;
    const size_t r = offset_of(self->states, row), c = offset_of(self->states, col);
    if (r == SIZE_MAX || c == SIZE_MAX) return st_null_sink();

    // the states of the component are one after the other in its own space
    st_matrix_sink *sink = &self->sinks[self->used++ % ST_PAIRS];
    const st_window window = {r, c, st_state_scalars(row), st_state_scalars(col)};
    st_matrix_sink_init(sink, self->assembly, window, self->factor);
    return &sink->sink;
}

// Lets the component describe the kinds of matrices that are asked for, each with its factor. Parts are numbered.
static void probe_describe(st_object *component, st_matrix_kind which, const st_params *params, own_accumulator *to) {
    for (int kind = 0; kind < ST_CONTRIBUTION_KINDS && st_has_role(component, ST_ROLE(force)); kind++) {
        const st_contribution part = {.kind = (st_contribution_kind)kind, .force = (st_force *)component};

        if (!st_contribution_exists(part.force, part.kind)) continue;
        to->factor = which == ST_MATRIX_A ? st_contribution_factor(&part, params) : 1;
        const bool wanted = which == ST_MATRIX_A || (which == ST_MATRIX_K && kind == ST_CONTRIBUTES_STIFFNESS) ||
                            (which == ST_MATRIX_M && kind == ST_CONTRIBUTES_MASS) ||
                            (which == ST_MATRIX_B && kind == ST_CONTRIBUTES_DAMPING);

        st_assembly_part(to->assembly, (size_t)kind);
        if (wanted && to->factor != 0) st_contribution_call(&part, params, &to->accumulator);
    }

    // the geometric stiffness of a mapping
    const st_mapping_ops *ops = component->type->mapping;
    if (!ops || !ops->geometric || (which != ST_MATRIX_A && which != ST_MATRIX_K)) return;
    to->factor = params->k;
    st_assembly_part(to->assembly, ST_CONTRIBUTION_KINDS);
    ops->geometric((st_mapping *)component, params, (st_stiffness){&to->accumulator});
}

// A matrix in the component's own space.
typedef struct own_gathering {
    st_probe *probe;
    const st_params *params;
    own_accumulator to;
} own_gathering;

static void describe_own(own_gathering *g) {
    probe_describe((st_object *)g->probe->object, g->probe->which, g->params, &g->to);
}

static st_status record_own(own_gathering *g) {
    st_assembly *assembly = &g->probe->assembly;
    const states *list = g->to.states;
    const int32_t block = st_block_of_states(list->count, list->data);
    const st_status status =
        st_assembly_begin_record(assembly, block, g->probe->size, ST_CONTRIBUTION_KINDS + 1, assembly->keep);
    if (status != ST_OK) return status;

    // one part for each kind, and one for the geometric stiffness of a mapping
    describe_own(g);
    return st_assembly_end_record(assembly);
}

// Until every addition has its place.
static st_status assemble_own(own_gathering *g) {
    st_assembly *assembly = &g->probe->assembly;

    // an addition outside of the recorded pattern makes it grow: then once more
    for (int attempt = 0; attempt < ST_ASSEMBLY_ATTEMPTS; attempt++) {
        const st_status status = assembly->recorded ? ST_OK : record_own(g);
        if (status != ST_OK) {
            st_assembly_forget(assembly);
            return status;
        }

        // values into their places; what has none yet is noted as grown
        st_assembly_begin_add(assembly, g->probe->object->scene->pool);
        describe_own(g);
        assembly->keep = true;
        assembly->recorded = !assembly->grown;
        if (assembly->recorded) return ST_OK;
    }

    return ST_FAILED;
}

static st_status gather_own(st_probe *probe, const states *list, const st_params *params, st_matrix_view *view) {
    size_t size = 0;
    for (size_t i = 0; i < list->count; i++) size += st_state_scalars(list->data[i]);

    own_gathering g = {
        .probe = probe,
        .params = params,
        .to = {.accumulator = {.between = probe_between}, .assembly = &probe->assembly, .states = list},
    };

    // a space of another size has another pattern
    if (probe->size != size) st_assembly_forget(&probe->assembly);
    probe->size = size;
    const st_status status = assemble_own(&g);
    if (status == ST_OK) *view = st_view_of(&probe->assembly.matrix);
    return status;
}

// J is that of the last apply.
static st_status gather_jacobian(st_probe *probe, st_matrix_view *view) {
    const st_status status = st_gather_jacobian(&probe->jacobian, (st_mapping *)probe->object);
    if (status == ST_OK) *view = st_view_of(&probe->jacobian.matrix);
    return status;
}

static st_system *system_above(const st_object *component) {
    const st_object *solver = st_find(component->node, ST_ROLE(linear_solver), ST_UP);
    return solver && st_is_valid(solver) ? ((const st_linear_solver *)solver)->system : NULL;
}

static bool has_matrix(const st_object *component, st_matrix_kind which) {
    const st_class *type = component->type;
    const bool force = st_has_role(component, ST_ROLE(force)) && ((const st_force *)component)->state;
    const bool mapping = type->mapping && type->mapping->jacobian;

    if (!st_is_valid(component)) return false;
    const bool geometric = mapping && type->mapping->geometric && !st_mapping_is_linear((const st_mapping *)component);

    switch (which) {
    case ST_MATRIX_A: return force || geometric;
    case ST_MATRIX_J: return mapping;
    case ST_MATRIX_M: return force && st_contribution_exists((const st_force *)component, ST_CONTRIBUTES_MASS);
    case ST_MATRIX_B: return force && st_contribution_exists((const st_force *)component, ST_CONTRIBUTES_DAMPING);
    case ST_MATRIX_K:
        return geometric || (force && st_contribution_exists((const st_force *)component, ST_CONTRIBUTES_STIFFNESS));
    }

    return false;
}

// The node whose states are the independent ones: the node of its integrator.
static st_node *integrated_node(const st_object *component, const st_system *system) {
    if (system) return system->object.node;

    const st_object *integrator = st_find(component->node, ST_ROLE(integrator), ST_UP);
    return integrator ? integrator->node : component->scene->root;
}

st_status st_component_matrix(st_object *component, st_matrix_kind which, st_matrix_space space, st_matrix_view *view) {
    *view = (st_matrix_view){0};
    if (!component || !probe_is_ready(component->scene) || !has_matrix(component, which)) return ST_NOT_FOUND;
    if (which == ST_MATRIX_J && space != ST_SPACE_OWN) return ST_NOT_FOUND;

    // factors of A are those of the last build
    const st_system *system = system_above(component);
    if (which == ST_MATRIX_A && (!system || system->version == 0)) return ST_NOT_FOUND;
    st_probe *probe = probe_of(component, which, space);
    if (!probe) return ST_OUT_OF_MEMORY;

    if (which == ST_MATRIX_J) return gather_jacobian(probe, view);
    st_node *node = integrated_node(component, system);
    if (space == ST_SPACE_PARENT) return probe_gather(probe, node, system, component, view);

    // in its own space
    evaluate_once(node, system);
    const st_params params = params_of(which, system);
    states list = {0};
    const st_status status = own_states(component, &list) ? gather_own(probe, &list, &params, view) : ST_OUT_OF_MEMORY;
    st_list_free(&list);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Constraints
// ---------------------------------------------------------------------------------------------------

st_status st_constraint_compliance(st_constraint_solver *solver, st_matrix_view *view) {
    return st_problem_view_compliance(solver, view);
}

st_status st_constraint_jacobian(st_constraint_solver *solver, st_matrix_view *view) {
    return st_problem_view_rows(solver, view);
}

st_status st_constraint_multipliers(const st_constraint_solver *solver, st_vector_view *view) {
    return st_problem_view_multipliers(solver, view);
}

st_status st_constraint_violations(const st_constraint_solver *solver, st_vector_view *view) {
    return st_problem_view_violations(solver, view);
}

// ---------------------------------------------------------------------------------------------------
// Files and figures
// ---------------------------------------------------------------------------------------------------

bool st_matrix_format_by_name(const char *name, st_matrix_format *format) {
    return st_find_matrix_format(name, format);
}

st_status st_matrix_write(const st_matrix_view *matrix, st_matrix_format format, int digits, FILE *stream) {
    return st_write_matrix(matrix, format, digits, stream);
}

st_status st_matrix_write_picture(const st_matrix_view *matrix, const st_matrix_part *parts, size_t count,
                                  FILE *stream) {
    return st_matrix_write_png(matrix, parts, count, stream);
}

st_status st_vector_write(const st_vector_view *vector, st_matrix_format format, int digits, FILE *stream) {
    return st_write_vector(vector, format, digits, stream);
}

st_status st_matrix_summarize(const st_matrix_view *matrix, st_matrix_summary *summary) {
    return st_summarize_matrix(matrix, summary);
}
