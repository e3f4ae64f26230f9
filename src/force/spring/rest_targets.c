// Points and where they are pulled to: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/rest_targets.h"

#include "force/spring/index_list.h"

static void rest_targets_refuse(st_rest_targets *targets, const st_object *object, size_t size, size_t target_size) {
    st_message_once(object, "targets", ST_ERROR,
                    "%zu points of %zu DOFs and %zu targets of %zu DOFs do not fit: there is no force",
                    targets->from.count, size, targets->to.count, target_size);
    targets->from.count = targets->to.count = 0;
}

void st_rest_targets_update(st_rest_targets *targets, const st_force *force) {
    const st_object *object = &force->object;
    const st_state *external = (const st_state *)targets->external;
    targets->target = external ? external : force->state;
    targets->from.count = targets->to.count = 0;

    if (!force->state) return;
    if (external && (!external->mechanical || external->object.dof != object->dof)) {
        st_message_once(object, "external", ST_ERROR,
                        "external_rest_shape is not a mechanical state of type %s: there is no force",
                        object->dof->name);
        return;
    }

    // the rest positions of its own state, or the positions of the other one
    const size_t rest = force->state->coord[ST_COORD_REST].count;
    const size_t size = force->state->size, target_size = external ? external->size : rest;
    const st_uints *to = external ? &targets->external_points : &targets->points;

    if (!st_indices_or_all(&targets->from, object, &targets->points, size)) return;
    if (!st_indices_or_all(&targets->to, object, to, target_size)) return;

    if (targets->from.count == targets->to.count && st_indices_below(&targets->from, size) &&
        st_indices_below(&targets->to, target_size))
        return;
    rest_targets_refuse(targets, object, size, target_size);
}

const st_real *st_rest_target(const st_rest_targets *targets, const st_force *force, size_t i) {
    const int vector = targets->target == force->state ? ST_COORD_REST : ST_COORD_POSITION;
    return targets->target->coord[vector].data + targets->to.data[i] * st_state_dof(force->state)->coord;
}

void st_rest_targets_free(st_rest_targets *targets) {
    st_list_free(&targets->from);
    st_list_free(&targets->to);
}
