// The usual step:
//
//     1. begin          AnimateBegin; what follows changed fields; the last good state is kept
//     2. collision      detection and response
//     3. integration    every integrator from t to t + dt; a state that is not finite takes the step back
//     4. settle         positions and velocities projected, and propagated through the mappings
//     5. end            the time becomes t + dt; AnimateEnd
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step.h"

typedef struct default_loop {
    st_animation base;
    bool parallel;
} default_loop;

static const st_field fields[] = {
    ST_FIELD(default_loop, parallel, "parallelODESolving", st_type_bool, "false",
             "threading hint without effect here: integrators run one after the other", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static st_status default_loop_step(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    dt = st_step_dt(a, dt);

    // 1, 2
    st_step_begin(a, dt);
    st_status status = st_step_save(a);
    if (status == ST_OK) status = st_step_collide(a, dt, NULL);
    if (status != ST_OK) return status;

    // 3, 4
    st_step_event(a, ST_EVENT_INTEGRATE_BEGIN, dt);
    status = st_step_solve(a, dt, NULL);
    status = st_step_check(a, status, dt);
    if (status == ST_OK) status = st_step_settle(a);
    if (status != ST_OK) return status;

    // 5
    st_step_end_integration(a);
    st_step_event(a, ST_EVENT_INTEGRATE_END, dt);
    st_step_set_time(a, st_step_node(a)->time + dt);
    st_step_end(a, dt);
    return ST_OK;
}

static const st_loop_ops ops = {
    .step = default_loop_step, .begin = st_animation_begin, .take_back = st_animation_take_back};

const st_class st_default_animation_loop_class = {
    .name = "DefaultAnimationLoop",
    .help = "the usual animation loop: integrates the whole scene once per step",
    .parent = &st_loop_class,
    .fields = fields,
    .size = sizeof(default_loop),
    .init = st_animation_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = st_animation_destroy,
    .loop = &ops,
};
