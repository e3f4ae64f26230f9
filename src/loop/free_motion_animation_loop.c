// FreeMotionAnimationLoop: a step in two halves.
//
//     1. begin          AnimateBegin; free vectors are made; the last good state is kept; multipliers of the last step
//                       become forces
//     2. free motion    every integrator from t to t + dt without constraints, into free_position and free_velocity;
//                       then x_free = x ⊕ dt v_free on all states (mapped ones, too: linear in the velocities)
//     3. collision      detection and response
//     4. constraints    the constraint solver finds the multipliers; the constraint corrections move their states from
//                       the free motion to the constrained one
//     5. end            a state that is not finite takes the step back; projection and propagation; the time;
//                       AnimateEnd
//
// What has no constraint correction does not move. Contacts of the last step, where they are forces, act in the free
// motion; with parallelCollisionDetectionAndFreeMotion they are gone by then, as in SOFA, although detection comes
// after the free motion here in any case. Integrators run one after the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/free_motion.h"

#include "base/pointer_table.h"
#include "collision/collision.h"

typedef struct free_motion {
    st_animation base;
    st_constraint_solver *solver;
    bool velocity_first;
    bool thread_safe, parallel_collision, parallel_solving;
    uint32_t checked; // structure of the scene that was looked at
} free_motion;

static const st_field fields[] = {
    ST_FIELD(free_motion, velocity_first, "solveVelocityConstraintFirst", st_type_bool, "0",
             "solve for violations of the velocities; positions follow"),
    ST_FIELD(free_motion, thread_safe, "threadSafeVisitor", st_type_bool, "0", "threading hint without effect here",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(free_motion, parallel_collision, "parallelCollisionDetectionAndFreeMotion", st_type_bool, "0",
             "contacts of the last step do not act in the free motion"),
    ST_FIELD(free_motion, parallel_solving, "parallelODESolving", st_type_bool, "0",
             "threading hint without effect on results", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(free_motion, solver, "constraintSolver", st_type_link, NULL,
             "constraint solver; the first one at or below the node when not given",
             .role = ST_ROLE(constraint_solver)),
    ST_FIELDS_END,
};

static st_status free_motion_loop_init(st_object *object) {
    free_motion *self = (free_motion *)object;
    const st_status status = st_animation_init(object);
    if (status != ST_OK) return status;

    self->solver = st_free_motion_find_solver(&self->base, self->solver);

    if (self->solver) return ST_OK;
    return st_invalid(object, "no constraint solver could be created");
}

static st_status move_freely(free_motion *self, st_real dt) {
    st_animation *a = &self->base;
    const st_status status = st_step_solve_free(a, dt);
    if (status != ST_OK) return status;
    st_plan *plan = st_plan_of(st_step_node(a));
    if (!plan) return ST_OUT_OF_MEMORY;

    // v_free projected and mapped; positions follow linearly
    st_plan_project_response(plan, ST_FREE_VELOCITY);
    st_plan_propagate_v(plan, ST_FREE_VELOCITY);
    if (!self->velocity_first) st_free_motion_extrapolate(a, ST_FREE_POSITION, st_read_deriv(ST_FREE_VELOCITY), dt);
    return ST_OK;
}

static bool find_corrected(const st_constraint_solver *solver, st_pointer_table *corrected) {
    for (size_t i = 0; i < solver->corrections.count; i++) {
        const st_correction *correction = (const st_correction *)solver->corrections.data[i];
        for (size_t k = 0; k < correction->states.count; k++)
            if (!st_pointer_table_put(corrected, correction->states.data[k], NULL, i)) return false;
    }
    return true;
}

// What is integrated but has no correction stays where it is: reported once for each structure of the scene.
static void report_unmoved(free_motion *self) {
    st_plan *plan = st_plan_of(st_step_node(&self->base));
    if (!plan || self->checked == plan->lasting) return;
    self->checked = plan->lasting;

    // only states that an integrator would move; out of memory: nothing is said
    st_pointer_table corrected = {0};
    const bool known = find_corrected(self->solver, &corrected);
    for (size_t i = 0; known && i < plan->independent.count; i++) {
        const st_state *state = plan->independent.data[i];
        if (state->size && st_find_slot(state->object.node, ST_ROLE(integrator)) &&
            st_pointer_table_get(&corrected, state, NULL) == SIZE_MAX)
            st_message(&state->object, ST_WARNING,
                       "has an integrator but no constraint correction: FreeMotionAnimationLoop does not move it");
    }
    st_pointer_table_free(&corrected);
}

static st_status constrain(free_motion *self, st_real dt) {
    st_animation *a = &self->base;
    const st_constraint_order order = self->velocity_first ? ST_ORDER_VELOCITY : ST_ORDER_POSITION_VELOCITY;
    const st_status status = st_free_motion_constrain(a, self->solver, order, dt);
    if (status == ST_OK) report_unmoved(self);
    if (status == ST_OK && self->velocity_first)
        st_free_motion_extrapolate(a, ST_POSITION, st_read_deriv(ST_VELOCITY), dt);
    return status;
}

static st_status free_motion_loop_step(st_loop *loop, st_real dt) {
    free_motion *self = (free_motion *)loop;
    st_animation *a = &self->base;
    dt = st_step_dt(a, dt);

    // 1
    st_step_begin(a, dt); // components may change the graph: vectors are made afterwards
    st_status status = st_free_motion_prepare(a);
    if (status != ST_OK) return status;
    if ((status = st_step_save(a)) != ST_OK) return status;
    if (self->solver && (status = st_begin_constraint_step(self->solver, st_step_node(a), dt)) != ST_OK) return status;

    // 2 to 5
    if (self->parallel_collision) st_step_run_pipelines(a, NULL, ST_COLLISION_RESET);
    status = move_freely(self, dt);
    if (status == ST_OK) status = st_free_motion_collide(a, dt);
    if (status == ST_OK) status = constrain(self, dt);
    return st_free_motion_finish(a, status, dt);
}

static const st_loop_ops ops = {
    .step = free_motion_loop_step, .begin = st_animation_begin, .take_back = st_animation_take_back};

const st_class st_free_motion_animation_loop_class = {
    .name = "FreeMotionAnimationLoop",
    .help = "animation loop with Lagrangian constraints: free motion, then correction",
    .parent = &st_loop_class,
    .fields = fields,
    .size = sizeof(free_motion),
    .init = free_motion_loop_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = st_animation_destroy,
    .loop = &ops,
};
