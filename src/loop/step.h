// The pieces of a step that the animation loops share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LOOP_STEP_H
#define SETTEE_LOOP_STEP_H

#include "loop/step_plan.h"
#include "plan/plan.h"
#include "settee/plugin/solver.h"

// What every loop of settee is: the base, the lists that a step runs through, and the last good state, kept so that a
// failed step can be taken back.
typedef struct st_animation {
    st_loop loop;
    size_t steps; // made since the start or the last reset
    st_step_plan plan;
    st_reals good_position, good_velocity;
    ST_LIST(size_t) good_sizes; // of the states, in the order of the plan
    ST_LIST(const st_state *) good_states;
    st_real good_time;
    bool taken_back; // the last step was
} st_animation;

st_status st_animation_init(st_object *object);
void st_animation_store_reset(st_object *object);
void st_animation_reset(st_object *object);
void st_animation_destroy(st_object *object);

// The node that is stepped. The link can be emptied while the scene runs.
static inline st_node *st_step_node(const st_animation *a) {
    return a->loop.target ? a->loop.target : a->loop.object.node;
}
// dt = 0 means the node's own.
static inline st_real st_step_dt(const st_animation *a, st_real dt) { return dt == 0 ? st_step_node(a)->dt : dt; }

void st_step_event(st_animation *a, enum st_event_kind kind, st_real dt);
// AnimateBegin, then what follows changed fields; nothing when it was done ahead.
void st_step_begin(st_animation *a, st_real dt);
// The same ahead of the step (hook `begin` of loops).
void st_animation_begin(st_loop *loop, st_real dt);
// Collision detection and response, with their events. `tag` (or NULL) restricts the pipelines.
st_status st_step_collide(st_animation *a, st_real dt, const char *tag);
// Some of its passes (collision/collision.h) without events.
st_status st_step_run_pipelines(st_animation *a, const char *tag, unsigned passes);
// Keeps the time, and positions and velocities of the independent states. Once per step, before its first integration.
st_status st_step_save(st_animation *a);

// Runs the integrators top-down into position and velocity. A node with integrators owns what is below it. Interaction
// forces met above them go to externalForce, once. `tag` (or NULL) restricts both.
st_status st_step_solve(st_animation *a, st_real dt, const char *tag);
// The same into the free positions and velocities, without interactions outside of integrators.
st_status st_step_solve_free(st_animation *a, st_real dt);
// As st_step_solve, with the first integrator of each node only, followed at once by projection, propagation and the
// end of the integration of its own states (the older loops).
st_status st_step_integrate(st_animation *a, st_real dt, const char *tag);

// After the integrators: a state that is not finite, or a status other than ST_OK, takes the last good state and its
// time back, and fails.
st_status st_step_check(st_animation *a, st_status status, st_real dt);
// The same when something that came after that check made the step fail (hook `take_back` of loops).
st_status st_animation_take_back(st_loop *loop, st_real dt);
// Projects positions and velocities of the loop's node, and propagates them through the mappings.
st_status st_step_settle(st_animation *a);
void st_step_end_integration(st_animation *a);
void st_step_set_time(st_animation *a, st_real time);
// AnimateEnd, mapping end; counts the step.
void st_step_end(st_animation *a, st_real dt);

#endif
