// The base of every animation loop: the node that it steps, and the time to which a reset goes back.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "loop/step.h"
#include "scene/scene.h"

static const st_field fields[] = {
    ST_FIELD(st_loop, target, "targetNode", st_type_link, NULL, "node that is stepped; else the loop's own",
             .role = ST_ROLE_NODE),
    ST_FIELD(st_loop, compute_bounding_box, "computeBoundingBox", st_type_bool, "true", "for programs with a window",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// Does the link name something that is no node?
static bool leads_elsewhere(const st_loop *loop) {
    const int index = st_field_of_member(&loop->object, &loop->target);
    const char *path = index < 0 ? NULL : loop->object.data[index].pending;
    return path && st_find_path(loop->object.node, path, 0);
}

st_status st_animation_init(st_object *object) {
    st_loop *loop = (st_loop *)object;

    // a link to a node that comes later is still pending; one that leads to a component is a mistake
    if (leads_elsewhere(loop)) return st_invalid(object, "targetNode must be the path of a node");

    if (!loop->target) loop->target = object->node;
    return ST_OK;
}

void st_animation_store_reset(st_object *object) {
    st_loop *loop = (st_loop *)object;
    loop->reset_time = object->scene->root->time;
}

void st_animation_reset(st_object *object) { ((st_animation *)object)->steps = 0; }

void st_animation_destroy(st_object *object) {
    st_animation *a = (st_animation *)object;
    st_list_free(&a->good_position);
    st_list_free(&a->good_velocity);
    st_list_free(&a->good_sizes);
    st_list_free(&a->good_states);
    st_step_plan_free(&a->plan);
}

const st_class st_loop_class = {
    .name = "AnimationLoop",
    .help = "base of the components that make the steps of a scene",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_loop),
    .flags = ST_CLASS_ABSTRACT,
};
