// Steps cut into parts:
//
//     1. begin                     AnimateBegin; what follows changed fields; the last good state is kept
//     2. collisionSteps times      collision detection and response, and after each
//     3.    integrationSteps times the integration by dt / (collisionSteps integrationSteps), and the time
//     4. end                       AnimateEnd
//
// The first integrator of a node is used. A part that fails takes the whole step back.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step.h"

typedef struct multi_step {
    st_animation base;
    int32_t collision_steps;
    int32_t integration_steps;
} multi_step;

static const st_field fields[] = {
    ST_FIELD(multi_step, collision_steps, "collisionSteps", st_type_int, "1", "collisions in a step"),
    ST_FIELD(multi_step, integration_steps, "integrationSteps", st_type_int, "1", "integrations after each collision"),
    ST_FIELDS_END,
};

static st_status multi_step_loop_init(st_object *object) {
    multi_step *self = (multi_step *)object;
    if (self->collision_steps < 1 || self->integration_steps < 1)
        return st_invalid(object, "collisionSteps (%d) and integrationSteps (%d) must be at least 1",
                          self->collision_steps, self->integration_steps);
    return st_animation_init(object);
}

static st_status integrate(st_animation *a, st_real part) {
    st_step_event(a, ST_EVENT_INTEGRATE_BEGIN, part);
    const st_status status = st_step_check(a, st_step_integrate(a, part, NULL), part);
    if (status != ST_OK) return status;

    st_step_event(a, ST_EVENT_INTEGRATE_END, part);
    return ST_OK;
}

static st_status multi_step_loop_step(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    const multi_step *self = (const multi_step *)loop;
    dt = st_step_dt(a, dt);
    const st_real start = st_step_node(a)->time;
    const st_real part = dt / ((st_real)self->collision_steps * (st_real)self->integration_steps);

    st_step_begin(a, dt);
    st_status status = st_step_save(a);
    if (status != ST_OK) return status;

    // 2, 3
    for (int32_t c = 0; c < self->collision_steps; c++) {
        if ((status = st_step_collide(a, dt, NULL)) != ST_OK) return st_step_check(a, status, part);
        for (int32_t i = 0; i < self->integration_steps; i++) {
            if ((status = integrate(a, part)) != ST_OK) return status;
            st_step_set_time(a, start + ((st_real)c * (st_real)self->integration_steps + (st_real)(i + 1)) * part);
        }
    }

    st_step_end(a, dt);
    return ST_OK;
}

static const st_loop_ops ops = {
    .step = multi_step_loop_step, .begin = st_animation_begin, .take_back = st_animation_take_back};

const st_class st_multi_step_animation_loop_class = {
    .name = "MultiStepAnimationLoop",
    .help = "animation loop that cuts a step into several collisions and integrations",
    .parent = &st_loop_class,
    .fields = fields,
    .size = sizeof(multi_step),
    .init = multi_step_loop_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = st_animation_destroy,
    .loop = &ops,
};
