// HausdorffDistance: how far two sets of points are apart: the largest distance from a point of one set to the nearest
// point of the other, both ways, and the larger of the two.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct hausdorff_distance {
    st_object object;
    st_reals sets[2];
    st_real d12, d21, largest;
    bool update;
} hausdorff_distance;

static const st_field fields[] = {
    ST_INPUT(hausdorff_distance, sets[0], "point_set_1", st_type_coords, NULL, "first points"),
    ST_INPUT(hausdorff_distance, sets[1], "point_set_2", st_type_coords, NULL, "second points"),
    ST_FIELD(hausdorff_distance, update, "update", st_type_bool, "0", "compute again at the begin of each step"),
    ST_OUTPUT(hausdorff_distance, d12, "d12", st_type_real, "from the first points to the second ones"),
    ST_OUTPUT(hausdorff_distance, d21, "d21", st_type_real, "from the second points to the first ones"),
    ST_OUTPUT(hausdorff_distance, largest, "max", st_type_real, "the larger of both"),
    ST_FIELDS_END,
};

static st_real hausdorff_distance_distance2(const st_object *object, const st_real *a, const st_real *b) {
    // of rigid frames the positions alone
    const size_t width = object->dof->rigid ? object->dof->spatial : st_engine_width(object);
    st_real sum = 0;

    for (size_t i = 0; i < width; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static st_real directed(const st_object *object, const st_reals *from, const st_reals *to) {
    const size_t width = st_engine_width(object);
    st_real largest = 0;

    for (size_t i = 0; i < from->count && to->count; i++) {
        // the point of the other set that is nearest
        st_real nearest = ST_REAL_MAX;
        for (size_t k = 0; k < to->count; k++)
            nearest =
                st_min(nearest, hausdorff_distance_distance2(object, from->data + i * width, to->data + k * width));

        largest = st_max(largest, nearest);
    }

    return sqrt(largest);
}

static void hausdorff_distance_update(st_object *object) {
    hausdorff_distance *engine = (hausdorff_distance *)object;

    engine->d12 = directed(object, &engine->sets[0], &engine->sets[1]);
    engine->d21 = directed(object, &engine->sets[1], &engine->sets[0]);
    engine->largest = st_max(engine->d12, engine->d21);

    st_engine_done(object, true);
}

static void hausdorff_distance_event(st_object *object, st_event *event_) {
    if (event_->kind != ST_EVENT_ANIMATE_BEGIN || !((hausdorff_distance *)object)->update) return;
    st_engine_invalidate(object);
    st_pull(object);
}

const st_class st_hausdorff_distance_class = {
    .name = "HausdorffDistance",
    .help = "measures how far two sets of points are apart",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .default_template = "Vec3",
    .flags = ST_CLASS_LISTENING,
    .fields = fields,
    .size = sizeof(hausdorff_distance),
    .update = hausdorff_distance_update,
    .event = hausdorff_distance_event,
};
