// ConstraintAnimationLoop: the older loop with Lagrangian constraints. Free motion, then a Gauss-Seidel of its own: the
// five parts of a step are those of FreeMotionAnimationLoop.
//
// It differs from FreeMotionAnimationLoop in this: free positions are those that the integrators found, mapped ones
// follow by their mapping (not linearly), and at least two sweeps are made.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "loop/free_motion.h"
#include "scene/scene.h"

typedef struct constraint_loop {
    st_animation base;
    st_real tolerance, sor;
    int32_t max_iterations;
    bool collisions_first, double_buffer, scale_tolerance, all_verified, scheme_correction, compensation, display_time;
    char *graph_errors, *graph_constraints;
    st_constraint_solver *solver;
} constraint_loop;

#define FLAG(member, name, value, help, ...)                                                                           \
    ST_FIELD(constraint_loop, member, name, st_type_bool, value, help, ##__VA_ARGS__)

static const st_field fields[] = {
    FLAG(display_time, "displayTime", "0", "print times", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(constraint_loop, tolerance, "tolerance", st_type_real, "1e-5", "sweeps end when their change is below it"),
    ST_FIELD(constraint_loop, max_iterations, "maxIterations", st_type_int, "1000", "most sweeps"),
    FLAG(collisions_first, "doCollisionsFirst", "0", "look for contacts before the free motion"),
    FLAG(double_buffer, "doubleBuffer", "0", "for haptic devices", .flags = ST_FIELD_NO_EFFECT),
    FLAG(scale_tolerance, "scaleTolerance", "1", "the tolerance is that of one row"),
    FLAG(all_verified, "allVerified", "0", "every row must meet the tolerance, not their sum"),
    ST_FIELD(constraint_loop, sor, "sor", st_type_real, "1", "relaxation of each sweep"),
    FLAG(scheme_correction, "schemeCorrection", "0", "", .flags = ST_FIELD_NO_EFFECT),
    FLAG(compensation, "realTimeCompensation", "0", "wait for the clock", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(constraint_loop, graph_errors, "graphErrors", st_type_string, NULL, "curve for SOFA's window",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT),
    ST_FIELD(constraint_loop, graph_constraints, "graphConstraints", st_type_string, NULL, "curve for SOFA's window",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// Its Gauss-Seidel is a solver like the others, which it brings along.
static st_status constraint_loop_init(st_object *object) {
    constraint_loop *self = (constraint_loop *)object;
    const st_status status = st_animation_init(object);
    if (status != ST_OK || self->solver) return status;

    // its own solver takes the settings of the loop
    st_object *solver = st_add_object(object->node, "BlockGaussSeidelConstraintSolver", NULL, NULL, false);
    if (!solver) return st_invalid(object, "its constraint solver could not be created");
    char text[64];

    snprintf(text, sizeof text, "%.17g", (double)self->tolerance);
    st_object_apply(solver, "tolerance", text);
    snprintf(text, sizeof text, "%d", (int)self->max_iterations);
    st_object_apply(solver, "maxIterations", text);
    snprintf(text, sizeof text, "%.17g", (double)self->sor);
    st_object_apply(solver, "sor", text);
    st_object_apply(solver, "scaleTolerance", self->scale_tolerance ? "1" : "0");
    st_object_apply(solver, "allVerified", self->all_verified ? "1" : "0");
    st_object_apply(solver, "minIterations", "2");

    self->solver = (st_constraint_solver *)solver;
    return ST_OK;
}

static st_status move_freely(constraint_loop *self, st_real dt) {
    st_animation *a = &self->base;
    const st_status status = st_step_solve_free(a, dt);
    st_plan *plan = status == ST_OK ? st_plan_of(st_step_node(a)) : NULL;
    if (!plan) return status == ST_OK ? ST_OUT_OF_MEMORY : status;

    // free positions are those of the integrators; mapped ones follow by their mapping
    st_plan_project_x(plan, ST_FREE_POSITION);
    st_plan_propagate_x(plan, ST_FREE_POSITION);
    st_plan_propagate_x(plan, ST_POSITION); // what mappings keep for J belongs to the present positions again
    return ST_OK;
}

static st_status constraint_loop_step(st_loop *loop, st_real dt) {
    constraint_loop *self = (constraint_loop *)loop;
    st_animation *a = &self->base;
    dt = st_step_dt(a, dt);

    st_step_begin(a, dt);
    st_status status = st_free_motion_prepare(a);
    if (status == ST_OK) status = st_step_save(a);
    if (status != ST_OK) return status;

    // collision comes before or after the free motion
    if (self->collisions_first) status = st_free_motion_collide(a, dt);
    if (status == ST_OK) status = move_freely(self, dt);
    if (status == ST_OK && !self->collisions_first) status = st_free_motion_collide(a, dt);
    if (status == ST_OK) status = st_free_motion_constrain(a, self->solver, ST_ORDER_POSITION_VELOCITY, dt);
    return st_free_motion_finish(a, status, dt);
}

static const st_loop_ops ops = {
    .step = constraint_loop_step, .begin = st_animation_begin, .take_back = st_animation_take_back};

const st_class st_constraint_animation_loop_class = {
    .name = "ConstraintAnimationLoop",
    .help = "use FreeMotionAnimationLoop; older loop with Lagrangian constraints and a Gauss-Seidel of its own",
    .parent = &st_loop_class,
    .fields = fields,
    .size = sizeof(constraint_loop),
    .flags = ST_CLASS_DEPRECATED,
    .init = constraint_loop_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = st_animation_destroy,
    .loop = &ops,
};
