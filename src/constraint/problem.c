// Making a constraint problem:
//
//     1. the laws and corrections at and below a node, in the order of the traversal: looked for when the scene changes
//     2. H: the rows of each law, carried through mappings to the independent states, and projected
//     3. d_free: violations of the free motion
//     4. blocks: how the rows of each law are solved together
//     5. W, for the solvers that want it: the sum of the corrections' compliances
//
// Row numbers follow the laws: nodes depth first, laws in the order of their node. Jacobians are taken at the present
// positions, violations at the free ones.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/correction.h"

#include <math.h>

#include "scene/compat.h"
#include "state/sink.h"

st_constraint_problem *st_problem_create(void) { return st_alloc(1, sizeof(st_constraint_problem)); }

void st_problem_free(st_constraint_problem *p) {
    if (!p) return;
    st_list_free(&p->laws);
    st_list_free(&p->corrections);
    st_list_free(&p->leaders);
    st_list_free(&p->law_nodes);
    st_list_free(&p->row_laws);
    st_list_free(&p->w);
    st_list_free(&p->free);
    st_list_free(&p->force);
    st_list_free(&p->rate);

    // unbuilt solvers
    st_list_free(&p->unbuilt.w);
    st_list_free(&p->unbuilt.starts);
    st_list_free(&p->unbuilt.order);
    st_list_free(&p->unbuilt.acting_starts);
    st_list_free(&p->unbuilt.acting);
    st_list_free(&p->unbuilt.block_of_row);
    st_list_free(&p->unbuilt.last);
    st_list_free(&p->unbuilt.part);
    st_list_free(&p->unbuilt.force);

    // blocks
    st_list_free(&p->blocks.list);
    st_list_free(&p->work);
    st_list_free(&p->visit);

    // rows through mappings and projections
    st_list_free(&p->mapped.blocks);
    st_list_free(&p->mapped.values);
    st_list_free(&p->mapped.wanted);
    st_list_free(&p->mapped.starts);
    st_list_free(&p->mapped.places);
    st_list_free(&p->column_blocks);
    st_list_free(&p->column_places);

    // views of W and H
    st_list_free(&p->w_starts);
    st_list_free(&p->h_starts);
    st_list_free(&p->w_columns);
    st_list_free(&p->h_columns);
    st_list_free(&p->h_values);

    st_free(p);
}

// ---------------------------------------------------------------------------------------------------
// Laws and corrections
// ---------------------------------------------------------------------------------------------------

typedef struct gathering {
    st_constraint_problem *problem;
    const st_node *top; // of the solver
    bool ok;
} gathering;

// Does a mapping hand constraints of its child on? In SOFA every one does, whatever its flags.
static bool maps_constraints(const st_mapping *mapping) {
    return mapping->map_constraints || st_compat_on(mapping->object.scene, ST_COMPAT_CONSTRAINTS_PASS);
}

// Nodes with laws, and those where contacts put theirs. Laws below a mapping that maps nothing back concern nobody.
static bool gather_law_nodes(st_node *node, void *context) {
    gathering *g = context;
    if (st_is_passing(&node->object)) return true;
    const st_mapping *mapping = (const st_mapping *)st_node_members(node, ST_ROLE(mapping)).last;
    if (mapping && !mapping->map_forces && !maps_constraints(mapping) && !mapping->map_masses) return false;

    bool wanted = node->object.record->hosts;
    for (size_t i = 0; !wanted && i < node->objects.count; i++) wanted = node->objects.data[i]->type->law != NULL;
    if (wanted) g->ok = g->ok && st_list_push(&g->problem->law_nodes, node);
    return g->ok;
}

static bool is_within(const st_node *node, const st_node *top) {
    while (node && node != top) node = node->parent;
    return node != NULL;
}

// Of the stepped node, at and below the solver's: other states have no free motion to start from.
static bool gather_corrections(st_node *node, void *context) {
    gathering *g = context;
    for (size_t i = 0; g->ok && i < node->objects.count; i++)
        if (node->objects.data[i]->type->correction && is_within(node, g->top))
            g->ok = st_list_push(&g->problem->corrections, node->objects.data[i]);
    return g->ok;
}

bool st_problem_find_members(const st_constraint_solver *solver, st_node *node) {
    st_constraint_problem *p = solver->problem;
    const uint32_t structure = node->object.scene->structure, lasting = st_lasting_structure(node->object.scene);
    if (p->node == node && p->structure == structure) return true;
    gathering g = {.problem = p, .top = solver->object.node, .ok = true};

    // the tree is walked over when more than contacts has changed
    if (p->node != node || p->lasting != lasting) {
        p->law_nodes.count = p->corrections.count = 0;
        p->node = NULL; // until it is complete
        st_visit(node, gather_law_nodes, &g);
        st_visit(node, gather_corrections, &g);
        if (!g.ok) return false;
    }

    p->laws.count = 0;
    for (size_t n = 0; n < p->law_nodes.count; n++)
        for (size_t i = 0; g.ok && i < p->law_nodes.data[n]->objects.count; i++) {
            st_object *object = p->law_nodes.data[n]->objects.data[i];
            if (object->type->law) g.ok = st_list_push(&p->laws, (st_law *)object);
        }

    p->node = g.ok ? node : NULL;
    p->lasting = lasting;
    p->structure = structure;
    return g.ok;
}

static bool problem_is_usable(st_law *law) {
    if (!st_is_valid(&law->object)) return false;
    if (law->state && (law->other || !st_is_a(&law->object, &st_pair_law_class))) return true;
    st_message_once(&law->object, "gone", ST_WARNING, "the object that it acts on is gone: it has no effect any more");
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static size_t problem_width_of(const st_state *state) { return st_state_dof(state)->deriv; }

static void clear_rows(st_constraint_problem *p, const st_plan *plan) {
    for (size_t i = 0; i < plan->graph_states.count; i++) st_jacobian_clear(&plan->graph_states.data[i]->constraint);

    // laws also act on states outside of the plan
    for (size_t i = 0; i < p->laws.count; i++) {
        if (p->laws.data[i]->state) st_jacobian_clear(&p->laws.data[i]->state->constraint);
        if (p->laws.data[i]->other) st_jacobian_clear(&p->laws.data[i]->other->constraint);
    }

    for (size_t i = 0; i < plan->outside.count; i++) st_jacobian_clear(&plan->outside.data[i]->constraint);
}

// Free vectors of a state that no plan of the loop has reached.
static bool has_free_motion(st_state *s, const st_constraint_params *params) {
    const st_dof *dof = st_state_dof(s);
    st_reals *x = st_coord_list(s, params->x.index, ST_COORD_POSITION);
    st_reals *v = st_deriv_list(s, params->v.index, ST_DERIV_VELOCITY);

    // nothing moves it: x_free = x
    if (x->count != s->size) {
        if (!st_list_set_count(x, s->size, dof->coord)) return false;
        st_copy_reals(x->data, s->coord[ST_COORD_POSITION].data, s->size * dof->coord);
    }

    return v->count == s->size || st_list_set_count(v, s->size, dof->deriv);
}

// rate += H v of the entries from `first` on, which are those of one law on one of its states.
static void add_rates(st_constraint_problem *p, const st_state *s, size_t first, const st_constraint_params *params) {
    const size_t width = problem_width_of(s);

    for (size_t e = first; e < s->constraint.entries.count; e++) {
        const st_real *entry = st_jacobian_entry(&s->constraint, width, e);
        const st_real *v = st_deriv_list(s, params->v.index, ST_DERIV_VELOCITY)->data + st_entry_dof(entry) * width;
        for (size_t k = 0; k < width; k++) p->rate.data[st_entry_row(entry)] += entry[ST_ENTRY_HEAD + k] * v[k];
    }
}

// Everything after trusts the numbers of rows. They are reals: compared before they become an index.
static bool has_own_rows(const st_constraint_problem *p, const st_law *law, const st_state *s, size_t first) {
    for (size_t e = first; e < s->constraint.entries.count; e++) {
        const st_real row = st_jacobian_entry(&s->constraint, problem_width_of(s), e)[0];
        if (row >= (st_real)law->first_row && row < (st_real)p->size) continue;
        st_message(&law->object, ST_ERROR, "it numbers a row %.0f, but has %zu rows from %zu on", (double)row,
                   p->size - law->first_row, (size_t)law->first_row);
        return false;
    }
    return true;
}

static st_status build_law(st_constraint_problem *p, st_law *law, const st_constraint_params *params) {
    st_state *other = law->other != law->state ? law->other : NULL;
    const size_t first = law->state->constraint.entries.count,
                 first_other = other ? other->constraint.entries.count : 0;

    // rows of H; the entries of this law begin at `first`
    law->first_row = (uint32_t)p->size;
    const size_t rows = law->object.type->law->build(law, p->size);
    if (rows > UINT32_MAX / 2 - p->size) return ST_OUT_OF_MEMORY;
    p->size += rows;

    if (!has_own_rows(p, law, law->state, first) || (other && !has_own_rows(p, law, other, first_other)))
        return ST_FAILED;

    // whose row it is
    const size_t before = p->row_laws.count;
    if (!st_list_set_count(&p->row_laws, p->size, 1)) return ST_OUT_OF_MEMORY;
    for (size_t k = before; k < p->size; k++) p->row_laws.data[k] = law;

    // rates H v, for violations of velocities
    if (params->order != ST_ORDER_VELOCITY) return ST_OK;
    if (!st_list_set_count(&p->rate, p->size, 1)) return ST_OUT_OF_MEMORY;
    for (size_t k = before; k < p->size; k++) p->rate.data[k] = 0;
    add_rates(p, law->state, first, params);
    if (other) add_rates(p, other, first_other, params);
    return ST_OK;
}

static st_status build_rows(st_constraint_problem *p, const st_constraint_params *params) {
    p->size = 0;
    p->row_laws.count = p->rate.count = 0;

    for (size_t i = 0; i < p->laws.count; i++) {
        st_law *law = p->laws.data[i];
        if (!problem_is_usable(law)) continue;
        if (!has_free_motion(law->state, params) || (law->other && !has_free_motion(law->other, params)))
            return ST_OUT_OF_MEMORY;

        const st_status status = build_law(p, law, params);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static bool map_rows(st_constraint_problem *p, const st_plan *plan) {
    for (size_t i = 0; i < plan->graph_mappings.count; i++) {
        st_mapping *mapping = plan->graph_mappings.data[i];
        if (maps_constraints(mapping) && mapping->object.type->mapping->jacobian && !st_map_rows(&p->mapped, mapping))
            return false;
    }
    return true;
}

static bool close_rows(const st_plan *plan) {
    for (size_t i = 0; i < plan->graph_states.count; i++) {
        st_state *s = plan->graph_states.data[i];
        if (!st_jacobian_close(&s->constraint, problem_width_of(s))) return false;
    }
    return true;
}

void st_problem_take_ids(st_constraint_problem *p, st_plan *plan) {
    if (p->has_ids) return;
    p->lambda = st_plan_new_deriv(plan);
    p->dx = st_plan_new_deriv(plan);
    p->has_ids = true;
}

bool st_problem_make_vectors(st_constraint_problem *p, st_plan *plan) {
    st_problem_take_ids(p, plan);

    bool ok = true;
    for (size_t i = 0; ok && i < plan->graph_states.count + plan->outside.count; i++) {
        st_state *s = i < plan->graph_states.count ? plan->graph_states.data[i]
                                                   : plan->outside.data[i - plan->graph_states.count];
        ok = st_state_make_deriv(s, p->lambda) && st_state_make_deriv(s, p->dx);
    }
    return ok;
}

bool st_problem_has_vectors(const st_state *s, const st_constraint_params *params) {
    if (s->size == 0) return true;

    // st_deriv_list gives the standard vector when the state has no such one
    const st_reals *lambda = st_deriv_list(s, params->lambda.index, ST_DERIV_FORCE);
    const st_reals *dx = st_deriv_list(s, params->dx.index, ST_DERIV_DX);
    return lambda != &s->deriv[ST_DERIV_FORCE] && lambda->count == s->size && dx != &s->deriv[ST_DERIV_DX] &&
           dx->count == s->size && st_coord_list(s, params->x.index, ST_COORD_POSITION)->count == s->size &&
           st_deriv_list(s, params->v.index, ST_DERIV_VELOCITY)->count == s->size;
}

// ---------------------------------------------------------------------------------------------------
// Violations and blocks
// ---------------------------------------------------------------------------------------------------

// Violations of velocities: d(x)/h + H v with the present positions.
static void violate_velocities(st_constraint_problem *p, const st_law *law, st_real dt) {
    for (size_t row = law->first_row; row < p->size && p->row_laws.data[row] == law; row++)
        p->free.data[row] = p->free.data[row] / dt + p->rate.data[row];
}

static st_status violate(st_constraint_problem *p, const st_constraint_params *params) {
    const bool velocity = params->order == ST_ORDER_VELOCITY;
    st_constraint_params at = *params;
    if (velocity) at.x = st_read_coord(ST_POSITION);

    if (!st_list_set_count(&p->free, p->size, 1) || !st_list_set_count(&p->force, p->size, 1)) return ST_OUT_OF_MEMORY;
    if (p->size == 0) return ST_OK;
    memset(p->free.data, 0, p->size * sizeof *p->free.data);
    memset(p->force.data, 0, p->size * sizeof *p->force.data);

    // d at the free positions; of velocities d(x)/h + H v
    for (size_t row = 0; row < p->size;) {
        st_law *law = p->row_laws.data[row];
        law->object.type->law->violation(law, &at, p->free.data + row);
        if (velocity) violate_velocities(p, law, params->dt);

        for (; row < p->size && p->row_laws.data[row] == law; row++) {
            if (isfinite(p->free.data[row])) continue;
            st_message(&law->object, ST_ERROR, "the violation of its row %zu is not a finite number",
                       row - law->first_row);
            return ST_FAILED;
        }
    }
    return ST_OK;
}

static void scale_bounds(st_constraint_problem *p, st_real factor) {
    for (size_t b = 0; b < p->blocks.list.count; b++) {
        p->blocks.list.data[b].low *= factor;
        p->blocks.list.data[b].high *= factor;
    }
}

static st_status add_blocks(st_constraint_problem *p, const st_constraint_params *params) {
    p->blocks.list.count = p->blocks.rows = 0;
    p->blocks.failed = false;

    for (size_t row = 0; row < p->size;) {
        st_law *law = p->row_laws.data[row];
        law->object.type->law->resolutions(law, &p->blocks);
        while (row < p->size && p->row_laws.data[row] == law) row++;

        if (p->blocks.failed) return ST_OUT_OF_MEMORY;
        if (p->blocks.rows == row) continue;
        st_message(&law->object, ST_ERROR, "it has rows up to %zu, but blocks up to %zu", row, p->blocks.rows);
        return ST_FAILED;
    }

    // laws give bounds of positions
    if (params->order == ST_ORDER_VELOCITY) scale_bounds(p, 1 / params->dt);
    return st_blocks_prepare(p);
}

// ---------------------------------------------------------------------------------------------------
// The problem
// ---------------------------------------------------------------------------------------------------

static st_status problem_out_of_memory(const st_constraint_solver *solver) {
    st_message(&solver->object, ST_ERROR, "out of memory for a problem of %zu constraints", solver->problem->size);
    return ST_OUT_OF_MEMORY;
}

st_status st_problem_build(st_constraint_solver *solver, st_node *node, const st_constraint_params *params) {
    st_constraint_problem *p = solver->problem;
    st_plan *plan = st_plan_of(node);
    p->assembled = false;
    if (!plan || !st_problem_find_members(solver, node)) return problem_out_of_memory(solver);

    // H of the laws at the present positions, mapped to the independent states and projected
    clear_rows(p, plan);
    st_status status = build_rows(p, params);
    if (status == ST_OK &&
        !(map_rows(p, plan) && close_rows(plan) && st_project_rows(plan, &p->column_blocks, &p->column_places)))
        status = ST_OUT_OF_MEMORY;

    // d_free, and how each block is solved
    if (status == ST_OK) status = violate(p, params);
    if (status == ST_OK) status = add_blocks(p, params);
    return status == ST_OUT_OF_MEMORY ? problem_out_of_memory(solver) : status;
}

st_status st_problem_gather_compliance(st_constraint_solver *solver, const st_constraint_params *params) {
    st_constraint_problem *p = solver->problem;
    const size_t n = p->size;
    p->assembled = false;

    if (n && n > SIZE_MAX / sizeof(st_real) / n) return problem_out_of_memory(solver);
    if (!st_list_set_count(&p->w, n * n, 1)) return problem_out_of_memory(solver);
    if (n) memset(p->w.data, 0, n * n * sizeof *p->w.data);

    // W = Σ H C Hᵀ
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < solver->corrections.count; i++)
        if (st_correction_is_active(solver->corrections.data[i]))
            status = st_correction_add_compliance((st_correction *)solver->corrections.data[i], params, n, p->w.data);

    p->assembled = status == ST_OK;
    return status;
}

static void problem_scatter(const st_state *s, st_deriv_id lambda, const st_real *f) {
    const size_t width = problem_width_of(s);
    st_real *to = st_force_of(s, lambda);
    if (s->size) memset(to, 0, st_state_scalars(s) * sizeof *to);

    for (size_t i = 0; i < s->constraint.entries.count; i++) {
        st_real *entry = st_jacobian_entry(&s->constraint, width, i);
        st_real *at = to + st_entry_dof(entry) * width;
        const st_real force = f[st_entry_row(entry)];
        for (size_t k = 0; k < width; k++) at[k] += st_entry_values(entry)[k] * force;
    }
}

void st_problem_scatter(const st_constraint_problem *problem, const st_plan *plan, st_deriv_id lambda) {
    for (size_t i = 0; i < plan->graph_states.count; i++)
        problem_scatter(plan->graph_states.data[i], lambda, problem->force.data);
}
