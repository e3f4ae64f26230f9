// LineSetSkinningMapping: points carried by the lines of a skeleton.
//
//     p = Σ_l w_l (c_l + R_l p_l),   (c_l, R_l) the frame of the first node of line l, p_l the point in it at init
//
// The weight of a line is its influence (length/1000) Σ_{i=0..1000} |x_i − x|^{−weightCoef}, x_i along the line. A
// point is carried by the line of largest influence and the next ones among its neighbors (lines that are reached over
// neighborhoodLevel shared nodes), numberInfluencedLines in all; weights are made to sum up to one.
//
// The child is not moved at init.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/carried_rows.h"
#include "mapping/states.h"
#include "math/rigid.h"
#include "topology/topology.h"

typedef struct line_set_skinning_mapping {
    st_carried_mapping base;
    uint32_t level, lines;
    int32_t coefficient;
    // work of init
    st_reals influence; // of each line on the present point
    st_bools near;      // lines around the best one
} line_set_skinning_mapping;

enum { SAMPLES = 1000 };

// ---------------------------------------------------------------------------------------------------
// Influence
// ---------------------------------------------------------------------------------------------------

// Closer than this a point is on the line.
static const st_real smallest = ST_R(1e-30);

static st_real influence_of(const st_real a[3], const st_real b[3], const st_real x[3], int32_t coefficient) {
    st_real direction[3], sum = 0;
    st_vec3_sub(direction, b, a);
    for (int i = 0; i <= SAMPLES; i++) {
        st_real p[3];
        st_vec3_add_scaled(p, a, direction, (st_real)i / SAMPLES);
        sum += pow(1 / st_max(st_vec3_distance(p, x), smallest), (st_real)coefficient);
    }
    return st_min(st_vec3_norm(direction) / SAMPLES * sum, ST_REAL_MAX / 1000);
}

static bool touch(const uint32_t *a, const uint32_t *b) {
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

// Lines that the best one reaches over at most `level` shared nodes.
static void find_neighbors(line_set_skinning_mapping *self, const st_uints *lines, size_t best) {
    for (size_t i = 0; i < lines->count; i++) self->near.data[i] = i == best;
    for (uint32_t level = 0; level < self->level; level++) {
        bool changed = false;
        for (size_t i = 0; i < lines->count; i++)
            for (size_t k = 0; !self->near.data[i] && k < lines->count; k++)
                // within a level only those of the level before count: what is new is marked below
                if (self->near.data[k] && touch(lines->data + 2 * i, lines->data + 2 * k)) {
                    self->influence.data[i] = -self->influence.data[i];
                    changed = true;
                    break;
                }
        for (size_t i = 0; i < lines->count; i++)
            if (self->influence.data[i] < 0)
                self->influence.data[i] = -self->influence.data[i], self->near.data[i] = true;
        if (!changed) break;
    }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static size_t heaviest(const line_set_skinning_mapping *self, const st_uints *lines, bool all) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < lines->count; i++)
        if ((all || self->near.data[i]) && (best == SIZE_MAX || self->influence.data[i] > self->influence.data[best]))
            best = i;
    return best;
}

static bool add_point(line_set_skinning_mapping *self, const st_uints *lines, const st_real *frames,
                      const st_real x[3]) {
    st_carried_rows *rows = &self->base.rows;
    for (size_t i = 0; i < lines->count; i++)
        self->influence.data[i] = influence_of(frames + 7 * (size_t)lines->data[2 * i],
                                               frames + 7 * (size_t)lines->data[2 * i + 1], x, self->coefficient);
    find_neighbors(self, lines, heaviest(self, lines, true));
    const size_t begin = rows->frame.count;
    st_real sum = 0;
    for (uint32_t k = 0; k < (self->lines ? self->lines : 1); k++) {
        const size_t line = heaviest(self, lines, false);
        st_real local[3];
        if (line == SIZE_MAX) break;
        self->near.data[line] = false; // taken
        st_rigid_inverse_apply(local, frames + 7 * (size_t)lines->data[2 * line], x);
        sum += self->influence.data[line];
        if (!st_carried_rows_add(rows, lines->data[2 * line], self->influence.data[line], local)) return false;
    }
    for (size_t k = begin; k < rows->frame.count; k++) {
        rows->weight.data[k] = sum > 0 ? rows->weight.data[k] / sum : 1 / (st_real)(rows->frame.count - begin);
        st_vec3_scale(rows->local.data + 3 * k, rows->local.data + 3 * k, rows->weight.data[k]);
    }
    return st_carried_rows_end(rows);
}

static st_status check_lines(line_set_skinning_mapping *self, const st_uints *lines) {
    const size_t frames = st_mapping_in(&self->base.mapping)->size;
    st_object *object = &self->base.mapping.object;
    if (lines->count == 0) return st_invalid(object, "the topology of the parent has no edges");
    for (size_t i = 0; i < 2 * lines->count; i++)
        if (lines->data[i] >= frames)
            return st_invalid(object, "the mesh uses point %u, but the parent state has only %zu", lines->data[i],
                              frames);
    return ST_OK;
}

static st_status make_rows(line_set_skinning_mapping *self, const st_uints *lines) {
    const st_state *child = st_mapping_out(&self->base.mapping);
    const st_real *frames = st_mapping_in(&self->base.mapping)->coord[ST_COORD_POSITION].data;
    bool ok = st_carried_rows_begin(&self->base.rows, false) && st_list_set_count(&self->influence, lines->count, 1) &&
              st_list_set_count(&self->near, lines->count, 1);
    for (size_t i = 0; ok && i < child->size; i++)
        ok = add_point(self, lines, frames, child->coord[ST_COORD_POSITION].data + 3 * i);
    ok = ok && st_carried_rows_finish(&self->base.rows);
    st_list_free(&self->influence);
    st_list_free(&self->near);
    if (ok) return ST_OK;
    self->base.rows.start.count = 0;
    return st_invalid(&self->base.mapping.object, "there is no memory for its points");
}

static st_status init(st_object *object) {
    line_set_skinning_mapping *self = (line_set_skinning_mapping *)object;
    self->base.rows.start.count = 0;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    st_topology *topology = st_context_topology(st_mapping_in(&self->base.mapping)->object.node, NULL);
    if (!topology) return st_invalid(object, "the parent state has no topology whose edges could carry points");
    const st_uints *lines = st_topology_elements(topology, ST_EDGE);
    st_status status = check_lines(self, lines);
    if (status == ST_OK) status = st_mapping_init(object); // no rows yet: only the flags are set
    return status == ST_OK ? make_rows(self, lines) : status;
}

static void destroy(st_object *object) {
    line_set_skinning_mapping *self = (line_set_skinning_mapping *)object;
    st_carried_destroy(object);
    st_list_free(&self->influence);
    st_list_free(&self->near);
}

static const st_field fields[] = {
    ST_FIELD(line_set_skinning_mapping, level, "neighborhoodLevel", st_type_uint, "3",
             "lines that are reached over so many nodes can carry a point, too"),
    ST_FIELD(line_set_skinning_mapping, lines, "numberInfluencedLines", st_type_uint, "4",
             "how many lines carry a point"),
    ST_FIELD(line_set_skinning_mapping, coefficient, "weightCoef", st_type_int, "4",
             "the power of the distance with which a line's influence falls"),
    ST_GEOMETRIC_FIELD(st_carried_mapping, "None"),
    ST_FIELDS_END,
};

const st_class st_line_set_skinning_mapping_class = {
    .name = "LineSetSkinningMapping",
    .help = "points carried by the lines of a skeleton",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(line_set_skinning_mapping),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject name=\"parent\" template=\"Rigid3\" "
               "position=\"0 0 0  0 0 0 1  1 0 0  0.6 0 0 0.8  2 1 0  0 0 0 1\"/>\n"
               "<Node name=\"skin\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec3\" position=\"0.2 0.3 0  1 1 1\"/>\n"
               "    <LineSetSkinningMapping input=\"@../parent\" output=\"@child\" geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &st_carried_ops,
};
