// A step in turns: for each tag of the loop, collision and then the integrators that carry the tag, all by the full dt.
// An integrator without any of the tags is never run.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "loop/step.h"

typedef struct multi_tag {
    st_animation base;
    st_strings turns; // the loop's own tags, which it gives away so that they do not restrict the loop itself
} multi_tag;

static st_status multi_tag_loop_init(st_object *object) {
    multi_tag *self = (multi_tag *)object;
    if (object->tags.count) {
        st_strings_free(&self->turns);
        self->turns = object->tags;
        object->tags = (st_strings){0};
    }

    if (!self->turns.count) st_message(object, ST_WARNING, "there are no tags: nothing will be integrated");
    return st_animation_init(object);
}

static void multi_tag_loop_destroy(st_object *object) {
    st_strings_free(&((multi_tag *)object)->turns);
    st_animation_destroy(object);
}

static st_status multi_tag_loop_turn(st_animation *a, st_real dt, const char *tag) {
    st_status status = st_step_collide(a, dt, tag);
    if (status != ST_OK) return st_step_check(a, status, dt);

    st_step_event(a, ST_EVENT_INTEGRATE_BEGIN, dt);
    status = st_step_check(a, st_step_integrate(a, dt, tag), dt);
    if (status == ST_OK) st_step_event(a, ST_EVENT_INTEGRATE_END, dt);
    return status;
}

static st_status multi_tag_loop_step(st_loop *loop, st_real dt) {
    st_animation *a = (st_animation *)loop;
    const multi_tag *self = (const multi_tag *)loop;
    dt = st_step_dt(a, dt);

    st_step_begin(a, dt);
    st_status status = st_step_save(a);

    for (size_t i = 0; status == ST_OK && i < self->turns.count; i++)
        status = multi_tag_loop_turn(a, dt, self->turns.data[i]);
    if (status != ST_OK) return status;

    st_step_set_time(a, st_step_node(a)->time + dt);
    st_step_end(a, dt);
    return ST_OK;
}

static const st_loop_ops ops = {
    .step = multi_tag_loop_step, .begin = st_animation_begin, .take_back = st_animation_take_back};

const st_class st_multi_tag_animation_loop_class = {
    .name = "MultiTagAnimationLoop",
    .help = "animation loop that integrates the objects of one tag after the other",
    .parent = &st_loop_class,
    .size = sizeof(multi_tag),
    .init = multi_tag_loop_init,
    .store_reset = st_animation_store_reset,
    .reset = st_animation_reset,
    .destroy = multi_tag_loop_destroy,
    .loop = &ops,
};
