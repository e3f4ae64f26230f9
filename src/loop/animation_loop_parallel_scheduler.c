// AnimationLoopParallelScheduler: each child node has an animation loop of its own.
//
//     1. the loops of the child nodes, one after the other, each from t to t + dt
//     2. the time becomes t + dt
//
// SOFA runs them at the same time. Here a loop uses all threads for itself, so that results do not depend on their number.
//
// SPDX-License-Identifier: Apache-2.0
#include "loop/step.h"
#include "scene/scene.h"

static st_loop *loop_of(const st_node *child) {
    st_object *loop = st_find(child, ST_ROLE(loop), ST_LOCAL);
    return loop && st_is_valid(loop) && child->activated ? (st_loop *)loop : NULL;
}

static st_status parallel_scheduler_init(st_object *object) {
    const st_status status = st_animation_init(object);
    const st_node *node = st_step_node((st_animation *)object);
    size_t loops = 0;
    for (size_t i = 0; i < node->children.count; i++)
        loops += st_find(node->children.data[i], ST_ROLE(loop), ST_LOCAL) != NULL;

    if (status == ST_OK && loops == 0)
        st_message(object, ST_WARNING, "none of the %zu child nodes has an animation loop: nothing moves",
                   node->children.count);
    return status;
}

static st_status parallel_scheduler_step(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    const st_node *node = st_step_node(a);
    const st_real start = node->time;
    st_status status = ST_OK;
    dt = st_step_dt(a, dt);

    // 1: each begins at the same time
    for (size_t i = 0; status == ST_OK && i < node->children.count; i++) {
        st_loop *child = loop_of(node->children.data[i]);
        if (!child) continue;
        st_step_set_time(a, start);
        status = child->object.type->loop->step(child, dt);
    }

    // 2
    st_step_set_time(a, status == ST_OK ? start + dt : start);
    if (status == ST_OK) a->steps++;
    return status;
}

static const st_loop_ops ops = {.step = parallel_scheduler_step};

const st_class st_animation_loop_parallel_scheduler_class = {
    .name = "AnimationLoopParallelScheduler",
    .help = "animation loop that runs those of the child nodes",
    .parent = &st_loop_class,
    .size = sizeof(st_animation),
    .example = "<AnimationLoopParallelScheduler/>\n"
               "<Node name=\"one\">\n"
               "    <DefaultAnimationLoop/>\n"
               "    <EulerExplicitSolver/>\n"
               "    <MechanicalObject position=\"0 0 0\"/>\n"
               "    <UniformMass totalMass=\"1\"/>\n"
               "</Node>",
    .init = parallel_scheduler_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = st_animation_destroy,
    .loop = &ops,
};
