// The base of AffineMovement- and PatchTestMovementProjectiveConstraint: from the first position to a final one.
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/movement.h"

#include "base/array.h"
#include "settee/plugin/change.h"

static const st_field fields[] = {
    ST_FIELD(st_movement, points.indices, "indices", st_type_indices, NULL, "the moved points",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(st_movement, mesh_indices, "meshIndices", st_type_indices, NULL, "all points of the mesh",
             .mesh = ST_NO_INDEX, .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_movement, begin, "beginConstraintTime", st_type_real, "0", "time at which the movement begins"),
    ST_FIELD(st_movement, end, "endConstraintTime", st_type_real, "20", "time at which the final place is reached"),
    ST_FIELD(st_movement, draw, "drawConstrainedPoints", st_type_bool, "0", "draw the moved points",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

st_status st_movement_init(st_object *object) {
    st_movement *movement = (st_movement *)object;
    movement->remembered = movement->remembered && st_why_init(object) != ST_INIT_FIRST;
    if (!isfinite(movement->begin) || !isfinite(movement->end) || movement->end < movement->begin)
        return st_invalid(object, "beginConstraintTime, %g, must not be after endConstraintTime, %g",
                          (double)movement->begin, (double)movement->end);
    return st_points_init(object, ST_ERROR);
}

static void movement_move(const st_movement *movement, st_real *x, const st_real *start, const st_real *final,
                          st_real t) {
    const st_real begin = movement->begin, end = movement->end;

    // there, or on the way
    if (t > end) {
        st_copy_reals(x, final, movement->points.base.object.dof->coord);
    } else if (t > begin) {
        for (int j = 0; j < 3; j++)
            x[j] = ((final[j] - start[j]) * t + (start[j] * end - final[j] * begin)) / (end - begin);
    }
}

void st_movement_position(st_movement *movement, st_coord_id id, st_find_final *find_final) {
    const st_projection *base = &movement->points.base;
    if (!base->state) return;
    st_real *x = st_position_of(base->state, id);

    // the first projection sees the first positions
    if (!movement->remembered) movement->remembered = st_projection_remember(base, &movement->start, x);
    const size_t width = base->object.dof->coord;

    for (ST_EACH_POINT(&movement->points, k, point)) {
        if (point >= movement->start.count || !x) continue;
        const st_real *start = movement->start.data + point * width;
        st_real final[7];

        find_final(movement, start, final);
        movement_move(movement, x + point * width, start, final, base->object.node->time);
    }
}

static void movement_destroy(st_object *object) { st_list_free(&((st_movement *)object)->start); }

static const st_attached attached[] = {
    {.offset = offsetof(st_movement, start),
     .bytes = ST_BYTES_COORD,
     .mesh = ST_PER(ST_POINT),
     .make = st_make_position},
    {0},
};

const st_class st_movement_class = {
    .name = "MovementProjectiveConstraint",
    .help = "what constraints that move points to a final place have",
    .parent = &st_projection_class,
    .attached = attached,
    .fields = fields,
    .size = sizeof(st_movement),
    .flags = ST_CLASS_ABSTRACT,
    .changed = st_points_changed,
    .destroy = movement_destroy,
};
