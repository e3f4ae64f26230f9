// Mechanical operations of a plan: forces, products with m M + b B + k K, propagation, projection.
//
// Forces of all states are evaluated first; then each mapping, leaves first, adds Jᵀ f of its child to its parent.
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"
#include "plan/total_force.h"
#include "scene/scene.h"
#include "state/sink.h"

static size_t deriv_bytes(const st_state *s) { return s->size * st_state_dof(s)->deriv * sizeof(st_real); }

static void clear_list(const st_state *s, st_reals *list) {
    if (list->count == s->size && s->size) memset(list->data, 0, deriv_bytes(s));
}

static const st_mapping_ops *ops_of(const st_mapping *mapping) { return mapping->object.type->mapping; }
static const st_projection_ops *filter_of(const st_projection *projection) {
    return projection->object.type->projection;
}

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

// f = externalForce, entry by entry where it is not zero.
static void begin_force(st_state *s, st_deriv_id id) {
    st_reals *f = st_deriv_list(s, id.index, ST_DERIV_FORCE);
    if (f->count != s->size && !st_list_set_count(f, s->size, st_state_dof(s)->deriv)) return;
    clear_list(s, f);

    const st_reals *external = &s->deriv[ST_DERIV_EXTERNAL];
    if (external->count != s->size) return;
    const size_t n = s->size * st_state_dof(s)->deriv;
    for (size_t i = 0; i < n; i++)
        if (external->data[i] != 0) f->data[i] += external->data[i];
}

static void begin_forces(const st_plan *plan, st_state *const *states, size_t count, st_deriv_id id) {
    // states of other plans only need the room
    for (size_t i = 0; i < plan->outside.count; i++) {
        const st_state *s = plan->outside.data[i];
        st_reals *f = st_deriv_list(s, id.index, ST_DERIV_FORCE);
        if (f->count != s->size) st_list_set_count(f, s->size, st_state_dof(s)->deriv);
    }

    for (size_t i = 0; i < count; i++) begin_force(states[i], id);
}

// Vectors of the states of a force, as many of each.
static double vector_bytes(const st_force *force, unsigned vectors) {
    size_t bytes = force->state ? deriv_bytes(force->state) : 0;
    if (force->other && force->other != force->state) bytes += deriv_bytes(force->other);
    return (double)(bytes * vectors);
}

static void plan_mechanics_add_force(st_force *force, const st_params *params) {
    const st_force_ops *ops = force->object.type->force;
    if (!ops->add_force) return;
    st_profile_enter(&force->object);
    ops->add_force(force, params);
    st_profile_leave(&force->object, vector_bytes(force, 3)); // x, v and f
}

static void map_force_up(st_mapping *mapping, st_deriv_id f) {
    st_profile_enter(&mapping->object);
    st_mapping_apply_jt(mapping, f, st_read_deriv(f));
    st_profile_leave(&mapping->object, 0);
}

void st_plan_compute_force(st_plan *plan, const st_params *params) {
    st_profile_begin(plan->scene, "force");
    begin_forces(plan, plan->states.data, plan->states.count, params->f);

    // forces of all states, then up through the mappings
    for (size_t i = 0; i < plan->forces.count; i++) plan_mechanics_add_force(plan->forces.data[i], params);
    for (size_t i = plan->mappings.count; i-- > 0;) map_force_up(plan->mappings.data[i], params->f);

    st_profile_end(plan->scene, 0);
}

void st_plan_graph_compute_force(st_plan *plan, const st_params *params) {
    st_profile_begin(plan->scene, "force");
    begin_forces(plan, plan->graph_states.data, plan->graph_states.count, params->f);

    // the same in the order of the mapping graph
    for (size_t i = 0; i < plan->graph_forces.count; i++) plan_mechanics_add_force(plan->graph_forces.data[i], params);
    for (size_t i = 0; i < plan->graph_mappings.count; i++) map_force_up(plan->graph_mappings.data[i], params->f);

    st_profile_end(plan->scene, 0);
}

// ---------------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------------

// What left the component's own block was dropped: an error, as in an assembled matrix, once per component.
static void report_refusals(const st_object *object, const char *what, const st_product_accumulator *product) {
    // in a block of its own, but beyond its size
    for (size_t i = 0; i < product->pairs.count; i++) {
        const st_product_sink *sink = &product->sinks[i];
        if (sink->refusals.count > 0 && st_first_time(object, "refused product"))
            st_report_refusals(object, what, &sink->window, &sink->refusals);
    }

    // between states of others
    if (product->pairs.dropped > 0 && st_first_time(object, "refused product"))
        st_message(object, ST_ERROR, "asks for the %s between states that are not its own; that part is left out",
                   what);
}

void st_mass_multiply_blocks(st_mass *mass, const st_params *params, st_real factor) {
    const st_mass_ops *ops = mass->force.object.type->mass;
    if (!ops->matrix) return;

    st_product_accumulator product;
    st_product_accumulator_init(&product, params, factor, mass->force.state, NULL);
    ops->matrix(mass, (st_inertia){&product.pairs.accumulator});
    report_refusals(&mass->force.object, "mass", &product);
}

void st_force_multiply_blocks(st_force *force, const st_params *params, st_real k, st_real b) {
    const st_force_ops *ops = force->object.type->force;
    st_product_accumulator product;

    // df += k K dx
    if (ops->stiffness && k != 0) {
        st_product_accumulator_init(&product, params, k, force->state, force->other);
        ops->stiffness(force, params, (st_stiffness){&product.pairs.accumulator});
        report_refusals(&force->object, "stiffness", &product);
    }

    // df += b B dx
    if (ops->damping && b != 0) {
        st_product_accumulator_init(&product, params, b, force->state, force->other);
        ops->damping(force, params, (st_damping){&product.pairs.accumulator});
        report_refusals(&force->object, "damping", &product);
    }
}

static void multiply_mass(st_mass *mass, const st_params *params, st_real factor) {
    const st_mass_ops *ops = mass->force.object.type->mass;
    if (ops->product) ops->product(mass, params, factor);
    else st_mass_multiply_blocks(mass, params, factor);
}

static void add_mbk(st_force *force, const st_params *params) {
    const st_force_ops *ops = force->object.type->force;
    const st_real k = params->k + params->b * force->rayleigh_stiffness, b = params->b;

    // stiffness, with Rayleigh damping: k + b rayleighStiffness
    if (k != 0 || b != 0) {
        if (ops->product) ops->product(force, params, k, b);
        else st_force_multiply_blocks(force, params, k, b);
    }

    // a mass has inertia, too: m - b rayleighMass
    if (!force->object.type->mass) return;
    st_mass *mass = (st_mass *)force;
    const st_real m = params->m - params->b * mass->rayleigh_mass;
    if (m != 0) multiply_mass(mass, params, m);
}

void st_force_add_mbk(st_force *force, const st_params *params) {
    st_profile_enter(&force->object);
    add_mbk(force, params);
    st_profile_leave(&force->object, vector_bytes(force, 2)); // dx and df
}

static void map_product_up(st_mapping *mapping, const st_params *params) {
    st_profile_enter(&mapping->object);
    st_mapping_apply_jt(mapping, params->df, st_read_deriv(params->df));

    if (params->k != 0) {
        const st_params with_force = st_total_force(mapping, params);
        st_mapping_apply_geometric(mapping, &with_force, params->k);
    }
    st_profile_leave(&mapping->object, 0);
}

static void clear_mapped(st_state *const *states, size_t count, st_deriv_id df) {
    for (size_t i = 0; i < count; i++)
        if (states[i]->mapped) clear_list(states[i], st_deriv_list(states[i], df.index, ST_DERIV_DFORCE));
}

// Products of a solver belong to its solve, others are a phase of their own.
static bool begin_product(const st_plan *plan) {
    const bool alone = !st_profile_is_open(plan->scene);
    if (alone) st_profile_begin(plan->scene, "product");
    return alone;
}

void st_plan_add_mbk(st_plan *plan, const st_params *params, bool clear) {
    st_plan_add_mbk_except(plan, params, clear, NULL);
}

void st_plan_add_mbk_except(st_plan *plan, const st_params *params, bool clear, const bool *done) {
    const bool alone = begin_product(plan);

    // as in st_plan_compute_force, the own products first, then up through the mappings
    if (clear) clear_mapped(plan->states.data, plan->states.count, params->df);
    for (size_t i = 0; i < plan->forces.count; i++)
        if (!done || !done[i]) st_force_add_mbk(plan->forces.data[i], params);

    for (size_t i = plan->mappings.count; i-- > 0;) map_product_up(plan->mappings.data[i], params);
    if (alone) st_profile_end(plan->scene, 0);
}

void st_plan_graph_add_mbkv(st_plan *plan, const st_params *params) {
    st_params with_velocity = *params;
    with_velocity.dx = params->v;
    const bool alone = begin_product(plan);

    clear_mapped(plan->graph_states.data, plan->graph_states.count, params->df);
    for (size_t i = 0; i < plan->graph_forces.count; i++) st_force_add_mbk(plan->graph_forces.data[i], &with_velocity);

    for (size_t i = 0; i < plan->graph_mappings.count; i++)
        map_product_up(plan->graph_mappings.data[i], &with_velocity);
    if (alone) st_profile_end(plan->scene, 0);
}

// ---------------------------------------------------------------------------------------------------
// Propagation and projection
// ---------------------------------------------------------------------------------------------------

void st_plan_propagate_dx(st_plan *plan, st_deriv_id dx) {
    for (size_t i = 0; i < plan->mappings.count; i++) st_mapping_apply_j(plan->mappings.data[i], dx, st_read_deriv(dx));
}

void st_plan_propagate_x(st_plan *plan, st_coord_id x) {
    for (size_t i = 0; i < plan->all_mappings.count; i++)
        ops_of(plan->all_mappings.data[i])->apply(plan->all_mappings.data[i], x, st_read_coord(x));
}

void st_plan_propagate_v(st_plan *plan, st_deriv_id v) {
    for (size_t i = 0; i < plan->all_mappings.count; i++)
        st_mapping_apply_j(plan->all_mappings.data[i], v, st_read_deriv(v));
}

void st_plan_propagate_xv(st_plan *plan, st_coord_id x, st_deriv_id v) {
    if (plan->all_mappings.count == 0) return;
    st_profile_begin(plan->scene, "mapping");

    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        st_mapping *mapping = plan->all_mappings.data[i];
        st_profile_enter(&mapping->object);
        ops_of(mapping)->apply(mapping, x, st_read_coord(x));
        st_mapping_apply_j(mapping, v, st_read_deriv(v));
        st_profile_leave(&mapping->object, 0);
    }

    st_profile_end(plan->scene, 0);
}

static void plan_mechanics_respond(st_projection *projection, st_deriv_id d) {
    if (filter_of(projection)->response && st_projection_active(projection))
        filter_of(projection)->response(projection, d);
}

void st_plan_project_response(st_plan *plan, st_deriv_id d) {
    for (size_t i = 0; i < plan->responses.count; i++) plan_mechanics_respond(plan->responses.data[i], d);
}

void st_plan_graph_project_response(st_plan *plan, st_deriv_id d) {
    for (size_t i = 0; i < plan->graph_projections.count; i++)
        plan_mechanics_respond(plan->graph_projections.data[i], d);
}

static void project_one_x(st_projection *projection, st_coord_id x) {
    if (filter_of(projection)->position && st_projection_active(projection))
        filter_of(projection)->position(projection, x);
}

static void project_one_v(st_projection *projection, st_deriv_id v) {
    if (filter_of(projection)->velocity && st_projection_active(projection))
        filter_of(projection)->velocity(projection, v);
}

void st_plan_project_x(st_plan *plan, st_coord_id x) {
    for (size_t i = 0; i < plan->projections.count; i++) project_one_x(plan->projections.data[i], x);
}

void st_plan_project_xv(st_plan *plan, st_coord_id x, st_deriv_id v) {
    for (size_t i = 0; i < plan->projections.count; i++) {
        project_one_x(plan->projections.data[i], x);
        project_one_v(plan->projections.data[i], v);
    }
}

// ---------------------------------------------------------------------------------------------------
// Masses
// ---------------------------------------------------------------------------------------------------

bool st_plan_acceleration(st_plan *plan, st_deriv_id a, st_const_deriv_id f, const st_mass **which) {
    for (size_t i = 0; i < plan->masses.count; i++) {
        st_mass *mass = plan->masses.data[i];
        const st_mass_ops *ops = mass->force.object.type->mass;

        // only a diagonal mass can be inverted DOF by DOF
        if (!ops->acceleration || (ops->is_diagonal && !ops->is_diagonal(mass))) {
            *which = mass;
            return false;
        }

        ops->acceleration(mass, a, f);
    }

    return true;
}

void st_plan_add_mdx(st_plan *plan, st_deriv_id r, st_const_deriv_id d, st_real factor) {
    st_params params = st_default_params();
    params.dx = d;
    params.df = r;

    for (size_t i = 0; i < plan->mdx_masses.count; i++) multiply_mass(plan->mdx_masses.data[i], &params, factor);
}

void st_plan_separate_gravity(st_plan *plan, st_deriv_id v, st_real dt) {
    for (size_t i = 0; i < plan->masses.count; i++) {
        const st_mass *mass = plan->masses.data[i];
        if (!mass->separate_gravity) continue;

        // v += dt g
        const st_state *s = mass->force.state;
        const st_dof *dof = st_state_dof(s);
        st_real g[6], *velocity = st_velocity_of(s, v);
        st_gravity(&mass->force.object, dof, g);
        for (size_t k = 0; k < s->size * dof->deriv; k++) velocity[k] += g[k % dof->deriv] * dt;
    }
}

bool st_plan_compute_acceleration(st_plan *plan, st_real dt, st_coord_id x, st_deriv_id v, st_deriv_id a,
                                  const st_mass **which) {
    st_params params = st_default_params();
    params.dt = dt;
    params.x = st_read_coord(x);
    params.v = st_read_deriv(v);

    // x and v that fit together, f(x, v), a = M⁻¹ f
    st_plan_project_xv(plan, x, v);
    st_plan_propagate_xv(plan, x, v);
    st_plan_compute_force(plan, &params);
    if (!st_plan_acceleration(plan, a, st_read_deriv(params.f), which)) return false;
    st_plan_project_response(plan, a);
    return true;
}

void st_plan_end_integration(st_plan *plan) {
    for (size_t i = 0; i < plan->graph_states.count; i++)
        plan->graph_states.data[i]->deriv[ST_DERIV_EXTERNAL].count = 0;
}
