// SkinningMapping: points carried by several rigid frames at once (linear blend skinning).
//
//     p = Σ_j w_j (c_j + R_j l_j),   Σ w_j = 1,   l_j the place of the point in frame j at init
//
// Without weights and indices each point is carried by the nbRef frames of largest w = 1 / d², d the distance of point
// and frame. The frames count where they are at rest, or at init (computeWeightsFromPosition).
//
// Init: 1. places of the points, 2. the given lists, if any, 3. a tree of the frames, 4. the influences of each point,
// summing up to one, 5. its row, with the place of the point in each frame.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/bracket_rows.h"
#include "mapping/carried_rows.h"
#include "mapping/states.h"
#include "math/box_tree.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

typedef struct skinning_mapping {
    st_carried_mapping base;
    st_reals init_pos;
    st_uints nb_ref;
    char *indices, *weight;
    bool from_position;
    int32_t show_from;
    bool show_weights;
} skinning_mapping;

// One point: its frames with their weights, the heaviest first.
typedef struct influence {
    uint32_t frame;
    st_real weight;
} influence;
typedef ST_LIST(influence) influences;
typedef ST_LIST(st_neighbor) neighbors;

// ---------------------------------------------------------------------------------------------------
// Weights
// ---------------------------------------------------------------------------------------------------

static void skinning_mapping_normalize(influences *list) {
    st_real sum = 0, largest = 0;

    for (size_t k = 0; k < list->count; k++) {
        sum += list->data[k].weight;
        largest = st_max(largest, list->data[k].weight);
    }

    if (!isfinite(sum)) { // several frames are at the point itself
        sum = 0;
        for (size_t k = 0; k < list->count; k++) sum += list->data[k].weight /= largest;
    }

    for (size_t k = 0; sum > 0 && k < list->count; k++) list->data[k].weight /= sum;
}

static st_real weight_of(st_real square) { return square > 0 && isfinite(1 / square) ? 1 / square : ST_REAL_MAX; }

static st_real minus_weight_of(st_real square) { return -weight_of(square); }

// The frames of largest weights; equal ones stay in the order in which they come.
static bool find_weights(influences *list, size_t most, const st_point_tree *frames, neighbors *work,
                         const st_real p[3]) {
    const size_t count = frames->numbers.count < most ? frames->numbers.count : most;

    if (!st_list_set_count(work, count, 1) || !st_list_set_count(list, count, 1)) return false;

    list->count = st_point_tree_nearest(frames, p, minus_weight_of, count, work->data);
    for (size_t k = 0; k < list->count; k++) list->data[k] = (influence){work->data[k].point, -work->data[k].key};

    skinning_mapping_normalize(list);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// The point is in frame j at l; its weighted arm is w l. What follows a weight that is not positive is ignored.
static bool skinning_mapping_add_row(st_carried_rows *rows, const influences *list, const st_real *frames,
                                     const st_real p[3]) {
    for (size_t k = 0; k < list->count && list->data[k].weight > 0; k++) {
        st_real local[3];
        st_rigid_inverse_apply(local, frames + 7 * (size_t)list->data[k].frame, p);

        // w l: rows hold weighted arms
        st_vec3_scale(local, local, list->data[k].weight);
        if (!st_carried_rows_add(rows, list->data[k].frame, list->data[k].weight, local)) return false;
    }

    return st_carried_rows_end(rows);
}

static st_status read_lists(skinning_mapping *self, st_bracket_rows *indices, st_bracket_rows *weights) {
    const struct {
        st_bracket_rows *rows;
        const char *text, *name;
    } lists[2] = {{indices, self->indices, "indices"}, {weights, self->weight, "weight"}};

    for (int i = 0; i < 2; i++) {
        // the text is checked whether it is used or not
        const st_status status = st_bracket_rows_read(lists[i].rows, lists[i].text);
        if (status == ST_INVALID)
            return st_invalid(&self->base.mapping.object, "%s must be of the form [0, 1] [2]", lists[i].name);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

// The influences of one point as the scene gives them.
static st_status given_influences(skinning_mapping *self, const st_bracket_rows *indices,
                                  const st_bracket_rows *weights, size_t point, influences *list) {
    const uint32_t begin = indices->start.data[point], end = indices->start.data[point + 1];
    const size_t frames = st_mapping_in(&self->base.mapping)->size;

    list->count = 0;

    // a frame that exists
    for (uint32_t k = begin; k < end; k++) {
        const st_real index = indices->values.data[k];
        if (!(index >= 0) || !(index < (st_real)frames) || index != floor(index))
            return st_invalid(&self->base.mapping.object, "indices: point %zu names frame %g, the parent has %zu",
                              point, (double)index, frames);

        // and its weight
        const uint32_t at = weights->start.data[point] + (k - begin);
        if (at >= weights->start.data[point + 1])
            return st_invalid(&self->base.mapping.object, "point %zu has fewer weights than indices", point);

        const influence next = {(uint32_t)index, weights->values.data[at]};
        if (!st_list_push(list, next)) return ST_OUT_OF_MEMORY;
    }

    skinning_mapping_normalize(list);
    return ST_OK;
}

static const st_reals *frames_of(const skinning_mapping *self) {
    const st_state *parent = st_mapping_in(&self->base.mapping);
    const st_reals *rest = &parent->coord[ST_COORD_REST];
    return !self->from_position && rest->count == parent->size ? rest : &parent->coord[ST_COORD_POSITION];
}

static st_status skinning_mapping_make_rows(skinning_mapping *self, const st_bracket_rows *indices,
                                            const st_bracket_rows *weights) {
    const size_t points = self->init_pos.count, most = self->nb_ref.count ? self->nb_ref.data[0] : 4;

    // lists that do not have a row for each point have no effect
    const bool given = points > 0 && indices->start.count == points + 1 && weights->start.count == points + 1;

    const st_reals *frames = frames_of(self);

    influences list = {0};
    neighbors work = {0};
    st_point_tree tree = {0};

    // frames by their places, for the search of the nearest
    const bool ok = st_carried_rows_begin(&self->base.rows, false) &&
                    (given || st_point_tree_create(&tree, frames->data, frames->count, 7, 3));
    st_status status = ok ? ST_OK : ST_OUT_OF_MEMORY;

    if (ok && !given && points > 0 && tree.numbers.count == 0)
        status = st_invalid(&self->base.mapping.object, "no frame of the parent has a place that is finite");

    // each point: the given influences, or those of the nearest frames
    for (size_t i = 0; status == ST_OK && i < points; i++) {
        const st_real *p = self->init_pos.data + 3 * i;
        const size_t own = self->nb_ref.count == points ? self->nb_ref.data[i] : most;
        if (given) status = given_influences(self, indices, weights, i, &list);
        else if (!find_weights(&list, own, &tree, &work, p)) status = ST_OUT_OF_MEMORY;

        if (status == ST_OK && !skinning_mapping_add_row(&self->base.rows, &list, frames->data, p))
            status = ST_OUT_OF_MEMORY;
    }

    if (status == ST_OK && !st_carried_rows_finish(&self->base.rows)) status = ST_OUT_OF_MEMORY;
    st_list_free(&list);
    st_list_free(&work);
    st_point_tree_free(&tree);
    return status;
}

static st_status take_positions(skinning_mapping *self) {
    const st_state *child = st_mapping_out(&self->base.mapping);

    if (self->init_pos.count == child->size && child->size) return ST_OK;

    if (!st_list_set_count(&self->init_pos, child->size, 3)) return ST_OUT_OF_MEMORY;
    st_copy_reals(self->init_pos.data, child->coord[ST_COORD_POSITION].data, 3 * child->size);

    st_touch(&self->base.mapping.object, &self->init_pos);
    return ST_OK;
}

static st_status skinning_mapping_init(st_object *object) {
    skinning_mapping *self = (skinning_mapping *)object;
    st_bracket_rows indices = {0}, weights = {0};

    self->base.rows.start.count = 0;

    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    if (st_mapping_in(&self->base.mapping)->size == 0) return st_invalid(object, "the parent has no frames");

    // places of the points, all finite
    st_status status = take_positions(self);
    for (size_t i = 0; status == ST_OK && i < 3 * self->init_pos.count; i++)
        if (!isfinite(self->init_pos.data[i])) status = st_invalid(object, "point %zu is not finite", i / 3);

    if (status == ST_OK) status = read_lists(self, &indices, &weights);
    if (status == ST_OK) status = skinning_mapping_make_rows(self, &indices, &weights);

    st_bracket_rows_free(&indices);
    st_bracket_rows_free(&weights);

    if (status == ST_OK) return st_mapping_init(object);
    self->base.rows.start.count = 0;
    return status == ST_OUT_OF_MEMORY ? st_invalid(object, "out of memory for its points") : status;
}

static const st_field fields[] = {
    ST_FIELD(skinning_mapping, init_pos, "initPos", st_type_vec3s, NULL,
             "places of the points at init; the child's positions unless there is one for each point",
             .flags = ST_FIELD_FIXED),
    ST_FIELD(skinning_mapping, nb_ref, "nbRef", st_type_indices, "4",
             "number of frames that carry a point, for all points or for each", .mesh = ST_NO_INDEX,
             .flags = ST_FIELD_REINIT),
    ST_FIELD(skinning_mapping, indices, "indices", st_type_string, NULL, "frames of each point, such as [0, 1] [2]"),
    ST_FIELD(skinning_mapping, weight, "weight", st_type_string, NULL, "weights of these frames"),
    ST_FIELD(skinning_mapping, from_position, "computeWeightsFromPosition", st_type_bool, "0",
             "weights come from the positions of the frames at init, not from their rest positions",
             .flags = ST_FIELD_REINIT),
    ST_GEOMETRIC_FIELD(st_carried_mapping, "None"),
    ST_FIELD(skinning_mapping, show_from, "showFromIndex", st_type_int, "0", "first point whose influences are drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(skinning_mapping, show_weights, "showWeights", st_type_bool, "0", "draw the influences",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

const st_class st_skinning_mapping_class = {
    .name = "SkinningMapping",
    .help = "points carried by several rigid frames at once (linear blend skinning)",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(skinning_mapping),
    .example = "<MechanicalObject name=\"parent\" template=\"Rigid3\" "
               "position=\"0 0 0  0 0 0 1  1 0 0  0.6 0 0 0.8  0 1 0  0 0 0 1\"/>\n"
               "<Node name=\"skin\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec3\" position=\"0.2 0.1 0  1 1 1\"/>\n"
               "    <SkinningMapping input=\"@../parent\" output=\"@child\" nbRef=\"2\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = skinning_mapping_init,
    .destroy = st_carried_destroy,
    .mapping = &st_carried_ops,
};
