// AverageCoord: the mean of the coordinates of some points of a state. Quaternions are summed as they are and
// normalized.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "math/quat.h"

typedef struct average_coord {
    st_object object;
    st_uints indices;
    st_reals position; // follows the state
    st_real average[7];
} average_coord;

static const st_field fields[] = {
    ST_INPUT(average_coord, indices, "indices", st_type_indices, NULL, "points; all when empty"),
    ST_INPUT(average_coord, position, "position", st_type_coords, NULL,
             "coordinates; the positions of the state when not given"),
    ST_OUTPUT(average_coord, average, "average", st_type_coord, "their mean"),
    ST_FIELDS_END,
};

static bool average_coord_accepts(st_object *object) {
    st_object *state = st_find_slot(object->node, ST_ROLE(state));

    if (!state || !state->dof || state->dof == object->dof || st_attribute(object, "position")) return true;
    return st_refuse(object, "the state of the node has coordinates of the type %s", state->dof->name);
}

static st_status average_coord_init(st_object *object) {
    if (st_engine_link_state(object, &((average_coord *)object)->position, "position")) return ST_OK;
    return st_invalid(object, "position is not given and there is no mechanical state");
}

static void average_coord_update(st_object *object) {
    average_coord *engine = (average_coord *)object;
    const size_t width = st_engine_width(object), points = engine->position.count;
    const size_t wanted = engine->indices.count ? engine->indices.count : points;
    size_t used = 0;
    for (size_t k = 0; k < width; k++) engine->average[k] = 0;

    // the sum over the points that exist
    for (size_t i = 0; i < wanted; i++) {
        const size_t index = engine->indices.count ? engine->indices.data[i] : i;
        if (index >= points) continue;
        for (size_t k = 0; k < width; k++) engine->average[k] += engine->position.data[index * width + k];
        used++;
    }

    // the mean; a sum of quaternions is a direction only
    for (size_t k = 0; k < width && used; k++) engine->average[k] /= (st_real)used;
    if (width == 7) st_quat_normalize(engine->average + 3, engine->average + 3);

    st_engine_done(object, true);
}

// Read or not, the mean is up to date at the begin of each step of a listening engine.
static void average_coord_event(st_object *object, st_event *event_) {
    if (event_->kind == ST_EVENT_ANIMATE_BEGIN) st_pull(object);
}

const st_class st_average_coord_class = {
    .name = "AverageCoord",
    .help = "averages the coordinates of points",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(average_coord),
    .accepts = average_coord_accepts,
    .init = average_coord_init,
    .update = average_coord_update,
    .event = average_coord_event,
};
