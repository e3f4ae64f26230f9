// ProximityROI: the N points that are nearest to some centers, of those within the radius of a center. They are given
// from the nearest on.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "engine/engine.h"

typedef struct proximity_roi {
    st_object object;
    st_reals centers, radii, position;
    uint32_t wanted;
    st_uints indices, indices_out;
    st_reals points_in, distances;
    bool draw[2];
    st_real draw_size;
} proximity_roi;

static const st_field fields[] = {
    ST_INPUT(proximity_roi, centers, "centers", st_type_vec3s, NULL, "centers"),
    ST_INPUT(proximity_roi, radii, "radii", st_type_reals, NULL,
             "radius of each center; the last one is that of all further ones"),
    ST_INPUT(proximity_roi, position, "position", st_type_coords, NULL,
             "points; the rest positions of the state when not given", .aliases = "rest_position"),
    ST_INPUT(proximity_roi, wanted, "N", st_type_uint, "0", "number of points to select"),
    ST_OUTPUT(proximity_roi, indices, "indices", st_type_indices, "points selected, the nearest first"),
    ST_OUTPUT(proximity_roi, points_in, "pointsInROI", st_type_coords, "their positions"),
    ST_OUTPUT(proximity_roi, distances, "distance", st_type_reals, "their distances to the nearest center"),
    ST_OUTPUT(proximity_roi, indices_out, "indicesOut", st_type_indices, "points not selected"),
    ST_SHOWN(proximity_roi, draw[0], "drawSphere", st_type_bool, "0", "draw the spheres"),
    ST_SHOWN(proximity_roi, draw[1], "drawPoints", st_type_bool, "0", "draw the points selected"),
    ST_SHOWN(proximity_roi, draw_size, "drawSize", st_type_real, "1", "size of what is drawn"),
    ST_FIELDS_END,
};

typedef struct near_point {
    st_real distance;
    uint32_t index;
} near_point;

static int by_distance(const void *a, const void *b) {
    const near_point *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static st_status proximity_roi_init(st_object *object) {
    proximity_roi *roi = (proximity_roi *)object;

    if (!st_engine_link_rest(object, &roi->position))
        return st_invalid(object, "position is not given and there is no mechanical state: nothing is selected");

    // what is missing, or too much
    if (roi->radii.count == 0 || roi->wanted == 0)
        st_message(object, ST_ERROR, "%s: nothing is selected", roi->radii.count == 0 ? "radii is empty" : "N is 0");
    else if (roi->radii.count > roi->centers.count)
        st_message(object, ST_ERROR, "there are %zu radii for %zu centers: the last ones are ignored", roi->radii.count,
                   roi->centers.count);
    return ST_OK;
}

// Distance to the nearest of the centers that hold the point; negative: none does.
static st_real nearest_center(const proximity_roi *roi, const st_real *p) {
    const size_t radii = roi->radii.count;
    st_real best = -1;

    // centers without a radius of their own have the last one
    for (size_t c = 0; radii && c < roi->centers.count; c++) {
        const st_real d = st_vec3_distance(p, roi->centers.data + 3 * c);
        if (d <= roi->radii.data[c < radii ? c : radii - 1] && (best < 0 || d < best)) best = d;
    }
    return best;
}

static bool proximity_roi_write(proximity_roi *roi, const near_point *found, size_t count, bool *taken) {
    const size_t width = st_engine_width(&roi->object);

    // the nearest ones, as many as are asked for
    for (size_t i = 0; i < count && i < roi->wanted; i++) {
        taken[found[i].index] = true;
        if (!st_list_push(&roi->indices, found[i].index) || !st_list_push(&roi->distances, found[i].distance) ||
            !st_push_reals(&roi->points_in, roi->position.data + found[i].index * width, width))
            return false;
    }

    // all others
    for (size_t i = 0; i < roi->position.count; i++)
        if (!taken[i] && !st_list_push(&roi->indices_out, (uint32_t)i)) return false;
    return true;
}

static void proximity_roi_update(st_object *object) {
    proximity_roi *roi = (proximity_roi *)object;
    const size_t width = st_engine_width(object), points = roi->position.count;

    roi->indices.count = roi->indices_out.count = roi->points_in.count = roi->distances.count = 0;

    near_point *found = st_alloc(points, sizeof *found);
    bool *taken = st_alloc(points, sizeof *taken);
    bool ok = found && taken;
    size_t count = 0;

    // points within the radius of a center, with their distance to the nearest one
    for (size_t i = 0; i < points && ok; i++) {
        const st_real d = nearest_center(roi, roi->position.data + i * width);
        if (d >= 0) found[count++] = (near_point){d, (uint32_t)i};
    }

    // from the nearest on; of equal distances the smaller index first
    if (ok && count) qsort(found, count, sizeof *found, by_distance);
    ok = ok && proximity_roi_write(roi, found, count, taken);

    st_free(found);
    st_free(taken);
    st_engine_done(object, ok);
}

const st_class st_proximity_roi_class = {
    .name = "ProximityROI",
    .help = "selects the points that are nearest to some centers",
    .parent = &st_engine_class,
    .templates = "Vec3 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(proximity_roi),
    .init = proximity_roi_init,
    .update = proximity_roi_update,
};
