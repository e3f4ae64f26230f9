// NearestPointROI: pairs each point of a second state with the nearest point of a first one, when it is nearer than a
// radius. For every i2, in order, i1 is the first minimizer of |x1 - x2|^2.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "math/rigid.h"
#include "scene/scene.h"

typedef struct nearest_point_roi {
    st_object object;
    st_state *state[2];
    st_uints input[2];
    st_reals position[2]; // follow the states
    st_real radius;
    bool use_rest, draw;
    st_uints indices[2], edges, pairs;
    st_reals distances;
    uint32_t seen; // changes of the inputs other than the positions, at the last search
} nearest_point_roi;

static const st_field fields[] = {
    ST_FIELD(nearest_point_roi, state[0], "object1", st_type_link, NULL, "first state", .role = ST_ROLE(state)),
    ST_FIELD(nearest_point_roi, state[1], "object2", st_type_link, NULL, "second state", .role = ST_ROLE(state)),
    ST_INPUT(nearest_point_roi, input[0], "inputIndices1", st_type_indices, NULL,
             "points of the first state to look at; all when not given"),
    ST_INPUT(nearest_point_roi, input[1], "inputIndices2", st_type_indices, NULL,
             "points of the second state to look at; all when not given"),
    ST_INPUT(nearest_point_roi, radius, "radius", st_type_real, "1", "pairs are nearer than this"),
    ST_INPUT(nearest_point_roi, use_rest, "useRestPosition", st_type_bool, "1",
             "compare rest positions; else the positions at init"),
    ST_INPUT(nearest_point_roi, position[0], "position1", st_type_coords, NULL, "points of the first state; follow it"),
    ST_INPUT(nearest_point_roi, position[1], "position2", st_type_coords, NULL,
             "points of the second state; follow it"),
    ST_OUTPUT(nearest_point_roi, indices[0], "indices1", st_type_indices, "points of the first state, by pair"),
    ST_OUTPUT(nearest_point_roi, indices[1], "indices2", st_type_indices, "points of the second state, by pair"),
    ST_OUTPUT(nearest_point_roi, edges, "edges", st_type_edges, "edges between the points of indexPairs"),
    ST_OUTPUT(nearest_point_roi, pairs, "indexPairs", st_type_indices,
              "state and point, twice for each pair: for SubsetMultiMapping"),
    ST_OUTPUT(nearest_point_roi, distances, "distances", st_type_reals, "distance of each pair"),
    ST_SHOWN(nearest_point_roi, draw, "drawPairs", st_type_bool, "0", "draw a line for each pair"),
    ST_FIELDS_END,
};

static st_status check_radius(st_object *object) {
    const nearest_point_roi *roi = (const nearest_point_roi *)object;

    if (roi->radius > 0) return ST_OK;
    return st_invalid(object, "radius is %g: it must be positive", (double)roi->radius);
}

static st_status nearest_point_roi_init(st_object *object) {
    nearest_point_roi *roi = (nearest_point_roi *)object;

    for (int k = 0; k < 2; k++) {
        if (!roi->state[k]) return st_invalid(object, "object%d is not given", k + 1);
        if (roi->state[k]->object.dof != object->dof)
            return st_invalid(object, "object%d has other coordinates than the template %s", k + 1, object->template_);

        st_link_field(object, &roi->position[k], &roi->state[k]->object, roi->use_rest ? "rest_position" : "position");
    }
    return check_radius(object);
}

static st_status nearest_point_roi_reinit(st_object *object) {
    const st_status status = check_radius(object);

    if (status != ST_OK) return status;
    ((nearest_point_roi *)object)->seen = UINT32_MAX;
    return st_engine_class.reinit(object);
}

static st_real nearest_point_roi_distance2(const st_object *object, const st_real *a, const st_real *b) {
    // of rigid frames, translation and rotation
    if (object->dof->coord == 7) {
        st_real difference[7];
        st_rigid_subtract(difference, a, b);
        return st_rigid_coord_norm2(difference);
    }

    st_real sum = 0;
    for (size_t i = 0; i < object->dof->coord; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static size_t candidates(const nearest_point_roi *roi, int k) {
    return st_is_set(&roi->object, &roi->input[k]) ? roi->input[k].count : roi->position[k].count;
}

static uint32_t candidate(const nearest_point_roi *roi, int k, size_t i) {
    return st_is_set(&roi->object, &roi->input[k]) ? roi->input[k].data[i] : (uint32_t)i;
}

static bool add_pair(nearest_point_roi *roi, uint32_t i1, uint32_t i2, st_real distance) {
    const uint32_t first = 2 * (uint32_t)roi->indices[0].count;

    // both states follow each other in pairs: edges join 2k and 2k + 1
    const uint32_t edge[2] = {first, first + 1}, pair[4] = {0, i1, 1, i2};
    if (!st_list_push(&roi->indices[0], i1) || !st_list_push(&roi->indices[1], i2)) return false;

    for (int i = 0; i < 4; i++)
        if (!st_list_push(&roi->pairs, pair[i])) return false;
    return st_push_uints(&roi->edges, edge, 2) && st_list_push(&roi->distances, distance);
}

static bool pair_point(nearest_point_roi *roi, uint32_t i2) {
    const size_t width = st_engine_width(&roi->object);
    st_real best = ST_REAL_MAX;
    uint32_t nearest = ST_INVALID_INDEX;

    // the first of the nearest, among those that exist
    for (size_t i = 0; i < candidates(roi, 0); i++) {
        const uint32_t i1 = candidate(roi, 0, i);
        if (i1 >= roi->position[0].count) continue;
        const st_real d = nearest_point_roi_distance2(&roi->object, roi->position[0].data + i1 * width,
                                                      roi->position[1].data + i2 * width);

        if (!(d < best)) continue;
        best = d;
        nearest = i1;
    }

    if (nearest == ST_INVALID_INDEX || !(best < roi->radius * roi->radius)) return true;
    return add_pair(roi, nearest, i2, sqrt(best));
}

// Pairs made from positions stay while the states move: only the other inputs make them again.
static bool only_moved(nearest_point_roi *roi) {
    const uint32_t now = st_change_count(&roi->object, &roi->input[0]) + st_change_count(&roi->object, &roi->input[1]) +
                         st_change_count(&roi->object, &roi->radius) + st_change_count(&roi->object, &roi->use_rest);
    const bool same = now == roi->seen;
    roi->seen = now;

    return same && !roi->use_rest && roi->object.scene->initialized;
}

static void nearest_point_roi_update(st_object *object) {
    nearest_point_roi *roi = (nearest_point_roi *)object;
    if (only_moved(roi)) return;

    roi->indices[0].count = roi->indices[1].count = roi->edges.count = roi->pairs.count = roi->distances.count = 0;

    bool ok = true;
    for (size_t i = 0; i < candidates(roi, 1) && ok; i++) {
        const uint32_t i2 = candidate(roi, 1, i);
        if (i2 < roi->position[1].count) ok = pair_point(roi, i2);
    }

    st_engine_done(object, ok);
}

const st_class st_nearest_point_roi_class = {
    .name = "NearestPointROI",
    .help = "pairs the points of two states that are near to each other",
    .parent = &st_engine_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(nearest_point_roi),
    .init = nearest_point_roi_init,
    .reinit = nearest_point_roi_reinit,
    .update = nearest_point_roi_update,
};
