// Pieces of a step: events, the run of the integrators, the last good state.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step.h"

#include <string.h>

#include "base/array.h"
#include "collision/collision.h"
#include "mass/mass.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "settee/plugin/solver.h"

// ---------------------------------------------------------------------------------------------------
// Events and time
// ---------------------------------------------------------------------------------------------------

void st_step_event(st_animation *a, enum st_event_kind kind, st_real dt) {
    st_step_plan_send(&a->plan, st_step_node(a), &(st_event){.kind = kind, .dt = dt});
}

void st_step_begin(st_animation *a, st_real dt) {
    st_scene *scene = a->loop.object.scene;
    if (!scene->begun) {
        // unless the program has begun the step already (st_scene_begin_step)
        st_step_event(a, ST_EVENT_ANIMATE_BEGIN, dt);
        st_finish_edits(scene);
        st_update_internal(scene);
    }
    scene->begun = false;
}

void st_animation_begin(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    st_step_begin(a, st_step_dt(a, dt));
    loop->object.scene->begun = true;
}

static st_strings one_tag(char *place[1], const char *tag) {
    place[0] = (char *)tag;
    return (st_strings){.data = place, .count = tag ? 1 : 0};
}

st_status st_step_run_pipelines(st_animation *a, const char *tag, unsigned passes) {
    char *place[1];
    const st_strings tags = one_tag(place, tag);

    // of all nodes, or of those with the tag
    if (!st_step_plan_update(&a->plan, st_step_node(a))) return ST_OUT_OF_MEMORY;
    return st_collide(a->plan.pipelines.data, a->plan.pipelines.count, &tags, passes);
}

st_status st_step_collide(st_animation *a, st_real dt, const char *tag) {
    st_step_event(a, ST_EVENT_COLLISION_BEGIN, dt);
    const st_status status =
        st_step_run_pipelines(a, tag, ST_COLLISION_RESET | ST_COLLISION_DETECT | ST_COLLISION_RESPOND);
    st_step_event(a, ST_EVENT_COLLISION_END, dt);
    return status;
}

void st_step_set_time(st_animation *a, st_real time) {
    st_scene *scene = a->loop.object.scene;
    scene->root->time = time;
    st_propagate_context(scene);
}

void st_step_end(st_animation *a, st_real dt) {
    st_step_event(a, ST_EVENT_ANIMATE_END, dt);
    st_step_event(a, ST_EVENT_MAPPING_END, dt);
    a->steps++;
}

// ---------------------------------------------------------------------------------------------------
// Integrators
// ---------------------------------------------------------------------------------------------------

typedef struct run {
    st_animation *a;
    st_real dt;
    st_strings tags; // none, or one
    bool first_only; // and settle at once what it moved
    bool alone;      // interactions outside of integrators are left out
    st_coord_id x;   // where results go
    st_deriv_id v;
    size_t at; // the station
    st_status status;
} run;

static bool is_wanted(const st_object *object, const run *r) {
    return !r->tags.count || st_tags_include(&object->tags, &r->tags);
}

static void step_settle(st_plan *plan) {
    st_plan_project_xv(plan, ST_POSITION, ST_VELOCITY);
    st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);
}

static void finish_integration(const st_node *node, run *r) {
    st_plan *plan = st_plan_of((st_node *)node);
    if (!plan) {
        r->status = ST_OUT_OF_MEMORY;
        return;
    }

    // a state that is not finite is not mapped: it would spread
    const st_state *where = NULL;
    if (!st_plan_is_finite(plan, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), &where)) {
        r->status = ST_FAILED; // the check after the step says where
        return;
    }

    step_settle(plan);
    st_plan_end_integration(plan);
}

// After a component has run, which may have changed the scene: the lists are made again, and the run goes on from the
// same node. Without that node it ends.
static void keep_place(run *r, const st_node *node) {
    st_step_plan *plan = &r->a->plan;
    if (plan->version == st_lasting_structure(r->a->loop.object.scene)) return;

    if (!st_step_plan_update(plan, st_step_node(r->a))) r->status = ST_OUT_OF_MEMORY;
    r->at = st_step_plan_find(plan, node);
}

// Runs the station's integrators; true when it has one.
static bool run_integrators(run *r) {
    const st_step_plan *plan = &r->a->plan;
    const st_node *node = plan->stations.data[r->at].node;
    bool found = false;

    for (size_t i = 0; r->status == ST_OK && !(found && r->first_only); i++) {
        // an integrator can remove itself, or its node
        if (r->at >= plan->stations.count || i >= plan->stations.data[r->at].integrators) break;
        st_object *object = plan->movers.data[plan->stations.data[r->at].first + i];
        if (!is_wanted(object, r)) continue;
        found = true;
        if (!st_is_valid(object)) continue;

        r->status = object->type->integrator->solve((st_integrator *)object, r->dt, r->x, r->v);
        keep_place(r, node);
    }

    if (found && r->first_only && r->status == ST_OK) finish_integration(node, r);
    return found;
}

// An interaction outside of any integrator's node acts explicitly: its force is part of what the integrators below it
// find in externalForce, and is emptied at the end of the integration.
static void run_interactions(run *r) {
    const st_node *node = r->a->plan.stations.data[r->at].node;
    st_params params = st_default_params();
    params.dt = r->dt;
    params.f = ST_EXTERNAL_FORCE;

    // f_external += f(x, v)
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!st_is_a(object, &st_pair_force_class)) continue;
        st_force *force = (st_force *)object;
        if (!st_is_valid(object) || !is_wanted(object, r) || !force->state || !force->other) continue;

        if (!st_state_make_deriv(force->state, ST_EXTERNAL_FORCE) ||
            !st_state_make_deriv(force->other, ST_EXTERNAL_FORCE)) {
            r->status = ST_OUT_OF_MEMORY;
            return;
        }

        object->type->force->add_force(force, &params);
    }
}

// An integrator empties the forces of its own states. What no integrator moves, an obstacle and its contact points, would
// keep those of all former steps.
static bool clear_unmoved(st_node *node) {
    st_plan *plan = st_plan_of(node);

    // f = 0
    for (size_t i = 0; plan && i < plan->unmoved.count; i++) {
        st_state *state = plan->unmoved.data[i];
        st_reals *f = &state->deriv[ST_DERIV_FORCE];
        if (f->count == 0) continue;
        memset(f->data, 0, f->count * st_state_dof(state)->deriv * sizeof *f->data);
    }
    return plan != NULL;
}

static st_status run_stations(run *r) {
    const st_step_plan *plan = &r->a->plan;

    // lists, and forces on obstacles, before the first integrator
    if (!st_step_plan_update(&r->a->plan, st_step_node(r->a))) return ST_OUT_OF_MEMORY;
    if (!clear_unmoved(st_step_node(r->a))) return ST_OUT_OF_MEMORY;

    // integrators take care of all that is below their node: the run goes on after it
    while (r->status == ST_OK && r->at < plan->stations.count) {
        if (run_integrators(r)) {
            if (r->at < plan->stations.count) r->at = plan->stations.data[r->at].after;
        } else {
            if (!r->alone) run_interactions(r);
            r->at++;
        }
    }

    return r->status;
}

static st_status step_run(st_animation *a, st_real dt, const char *tag, bool first_only) {
    char *place[1];

    // into x and v themselves
    run r = {.a = a, .dt = dt, .tags = one_tag(place, tag), .first_only = first_only};
    r.x = ST_POSITION;
    r.v = ST_VELOCITY;
    return run_stations(&r);
}

st_status st_step_solve(st_animation *a, st_real dt, const char *tag) { return step_run(a, dt, tag, false); }

st_status st_step_solve_free(st_animation *a, st_real dt) {
    run r = {.a = a, .dt = dt, .alone = true, .x = ST_FREE_POSITION, .v = ST_FREE_VELOCITY};
    return run_stations(&r);
}

st_status st_step_integrate(st_animation *a, st_real dt, const char *tag) { return step_run(a, dt, tag, true); }

st_status st_step_settle(st_animation *a) {
    st_plan *plan = st_plan_of(st_step_node(a));
    if (!plan) return ST_OUT_OF_MEMORY;
    step_settle(plan);
    return ST_OK;
}

void st_step_end_integration(st_animation *a) {
    st_plan *plan = st_plan_of(st_step_node(a));
    if (plan) st_plan_end_integration(plan);
}

// ---------------------------------------------------------------------------------------------------
// The last good state
// ---------------------------------------------------------------------------------------------------

static size_t coord_scalars(const st_state *state) { return state->size * st_state_dof(state)->coord; }
static size_t deriv_scalars(const st_state *state) { return state->size * st_state_dof(state)->deriv; }

st_status st_step_save(st_animation *a) {
    st_plan *plan = st_plan_of(st_step_node(a));
    if (!plan) return ST_OUT_OF_MEMORY;

    // a mapping may have failed, too, when the last step was taken back
    if (a->taken_back) st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);
    a->taken_back = false;

    // room for all independent states
    size_t coords = 0, derivs = 0;
    for (size_t i = 0; i < plan->independent.count; i++) {
        coords += coord_scalars(plan->independent.data[i]);
        derivs += deriv_scalars(plan->independent.data[i]);
    }

    if (!st_list_set_count(&a->good_position, coords, 1) || !st_list_set_count(&a->good_velocity, derivs, 1) ||
        !st_list_set_count(&a->good_sizes, plan->independent.count, 1) ||
        !st_list_set_count(&a->good_states, plan->independent.count, 1)) {
        st_message(&a->loop.object, ST_ERROR, "out of memory: a copy of %zu positions and velocities", coords + derivs);
        return ST_OUT_OF_MEMORY;
    }

    // copies, one state after the other
    st_real *x = a->good_position.data, *v = a->good_velocity.data;
    for (size_t i = 0; i < plan->independent.count; i++) {
        const st_state *state = plan->independent.data[i];
        a->good_sizes.data[i] = state->size;
        a->good_states.data[i] = state;
        if (!state->size) continue;
        memcpy(x, state->coord[ST_COORD_POSITION].data, coord_scalars(state) * sizeof *x);
        memcpy(v, state->deriv[ST_DERIV_VELOCITY].data, deriv_scalars(state) * sizeof *v);
        x += coord_scalars(state);
        v += deriv_scalars(state);
    }

    a->good_time = a->loop.object.scene->root->time;
    return ST_OK;
}

// Integrators forget what they keep from step to step, which may be spoiled, too.
static void restart_integrators(st_animation *a) {
    if (!st_step_plan_update(&a->plan, st_step_node(a))) return;
    for (size_t i = 0; i < a->plan.movers.count; i++) {
        st_object *object = a->plan.movers.data[i];
        if (object->type->integrator && object->type->reset) object->type->reset(object);
    }
}

// Is the copy still one of the plan's states? The graph, or the size of a state, may have changed within the step.
static bool copy_fits(const st_animation *a, const st_plan *plan) {
    if (a->good_sizes.count != plan->independent.count) return false;
    for (size_t i = 0; i < plan->independent.count; i++) {
        const st_state *state = plan->independent.data[i];

        // the same state, of the same size
        const size_t size = a->good_sizes.data[i];
        if (a->good_states.data[i] != state || state->size != size || state->coord[ST_COORD_POSITION].count != size ||
            state->deriv[ST_DERIV_VELOCITY].count != size)
            return false;
    }

    return true;
}

static void restore(st_animation *a, st_plan *plan) {
    // positions and velocities of the independent states
    const st_real *x = a->good_position.data, *v = a->good_velocity.data;
    for (size_t i = 0; i < plan->independent.count; i++) {
        const st_state *state = plan->independent.data[i];
        if (!state->size) continue;
        memcpy(state->coord[ST_COORD_POSITION].data, x, coord_scalars(state) * sizeof *x);
        memcpy(state->deriv[ST_DERIV_VELOCITY].data, v, deriv_scalars(state) * sizeof *v);
        x += coord_scalars(state);
        v += deriv_scalars(state);
    }

    // time, mapped states and integrators follow
    if (a->loop.object.scene->root->time != a->good_time) st_step_set_time(a, a->good_time);
    st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);
    st_plan_end_integration(plan);
    restart_integrators(a);
    a->taken_back = true;
}

// Mapped states have the mass of what they are mapped from.
static bool has_mass(const st_plan *plan, const st_state *state) {
    bool has = state->mapped;
    for (size_t i = 0; !has && i < plan->graph_forces.count; i++) {
        const st_force *force = plan->graph_forces.data[i];
        has = force->object.type->mass && force->state == state &&
              (!force->object.type->mass->element_mass || st_mass_total((const st_mass *)force) != 0);
    }
    return has;
}

st_status st_step_check(st_animation *a, st_status status, st_real dt) {
    st_plan *plan = st_plan_of(st_step_node(a));
    if (!plan) return ST_OUT_OF_MEMORY;

    st_scene *scene = a->loop.object.scene;
    const st_real time = st_step_node(a)->time;
    const st_state *where = NULL;

    // a step fails by itself, by a component, or by numbers that are not finite
    if (scene->failure && status == ST_OK) status = ST_FAILED;
    const bool finite = st_plan_is_finite(plan, st_read_coord(ST_POSITION), st_read_deriv(ST_VELOCITY), &where);
    if (status == ST_OK && finite) return ST_OK;

    // what happened, and whether it can be undone
    const bool fits = copy_fits(a, plan);
    const char *outcome = fits ? "the state before the step was put back"
                               : "the state before the step could not be put back, because the scene changed within it";

    if (!finite && where)
        st_message(&where->object, ST_ERROR,
                   "a position or velocity is not a finite number after step %zu (time %g, dt %g): the simulation has "
                   "diverged; %s; %s",
                   a->steps + 1, (double)time, (double)dt, outcome,
                   has_mass(plan, where) ? "try a smaller dt, more damping or an implicit integrator"
                                         : "it has no mass: give it one, or let a mapping move it");
    else if (scene->failure)
        st_message(&a->loop.object, ST_ERROR, "step %zu (time %g, dt %g) was made to fail: %s; %s", a->steps + 1,
                   (double)time, (double)dt, scene->failure, outcome);
    else
        st_message(&a->loop.object, ST_ERROR, "step %zu (time %g, dt %g) failed: %s; %s", a->steps + 1, (double)time,
                   (double)dt, st_status_text(status), outcome);

    if (fits) restore(a, plan);
    return status == ST_OK ? ST_FAILED : status;
}

st_status st_animation_take_back(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    return st_step_check(a, ST_FAILED, st_step_dt(a, dt));
}
