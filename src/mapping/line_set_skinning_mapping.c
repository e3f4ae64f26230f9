// LineSetSkinningMapping: points carried by the lines of a skeleton.
//
//     p = Σ_l w_l (c_l + R_l p_l),   (c_l, R_l) the frame of the first node of line l, p_l the point in it at init
//
// The weight of a line is its influence (length/1000) Σ_{i=0..1000} |x_i − x|^{−weightCoef}, x_i along the line. A
// point is carried by the line of largest influence and the next ones among its neighbors (lines that are reached over
// neighborhoodLevel shared nodes), numberInfluencedLines in all; weights are made to sum up to one.
//
// Init: 1. a tree of boxes around the lines, and the lines at each node; then for each point 2. the line of largest
// influence, by bounds of the influence in each box, 3. the lines near it, 4. the heaviest of them, 5. weights and local
// places. The child is not moved at init.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/carried_rows.h"
#include "mapping/states.h"
#include "math/box_tree.h"
#include "math/rigid.h"
#include "topology/topology.h"

typedef struct line_set_skinning_mapping {
    st_carried_mapping base;
    uint32_t level, lines;
    int32_t coefficient;
} line_set_skinning_mapping;

typedef struct candidate { // a line near the best one
    uint32_t line;
    st_real influence; // below 0: taken
} candidate;

// What init works with.
typedef struct skeleton {
    const st_uints *lines;
    const st_real *frames;
    int32_t coefficient;
    st_box_tree tree;      // boxes around lines, and their lengths
    st_uints starts, ends; // lines at each frame
    st_uints seen;         // of each line: the last point that met it, counted from 1
    ST_LIST(candidate) near;
} skeleton;

enum { SAMPLES = 1000 };

// ---------------------------------------------------------------------------------------------------
// Influence
// ---------------------------------------------------------------------------------------------------

// Closer than this a point is on the line.
static const st_real smallest = ST_R(1e-30);

static const st_real largest = ST_REAL_MAX / 1000;

static const st_real *end_of(const skeleton *s, size_t line, int end) {
    return s->frames + 7 * (size_t)s->lines->data[2 * line + (size_t)end];
}

static st_real influence_of(const skeleton *s, size_t line, const st_real x[3]) {
    const st_real *a = end_of(s, line, 0);
    st_real direction[3], sum = 0;

    // the mean over the samples of |x_i − x|^-c, times the length
    st_vec3_sub(direction, end_of(s, line, 1), a);
    for (int i = 0; i <= SAMPLES; i++) {
        st_real p[3];
        st_vec3_add_scaled(p, a, direction, (st_real)i / SAMPLES);
        sum += pow(1 / st_max(st_vec3_distance(p, x), smallest), (st_real)s->coefficient);
    }

    return st_min(st_vec3_norm(direction) / SAMPLES * sum, largest);
}

// No line below the node has more: all of its samples are as near as the box, or, where the influence grows with the
// distance, as far as its farthest corner. A little more than rounding is added.
static st_real most_influence(const skeleton *s, uint32_t node, const st_real x[3]) {
    const st_real *low = st_box_low(&s->tree, node), *high = st_box_high(&s->tree, node);
    st_real square = st_box_square(low, high, 3, x);

    if (s->coefficient < 0) {
        st_real corner[3];
        for (int k = 0; k < 3; k++) corner[k] = st_max(fabs(x[k] - low[k]), fabs(x[k] - high[k]));
        square = st_vec3_norm2(corner);
    }

    const st_real sharpened = pow(1 / st_max(sqrt(square), smallest), (st_real)s->coefficient);
    return st_min(high[3] * sharpened * ST_R(1.01), largest);
}

// The line of largest influence, the first among equals.
static size_t find_best(const skeleton *s, const st_real x[3]) {
    size_t best = SIZE_MAX;
    st_real most = 0;
    st_box_walk walk;

    st_box_walk_begin(&walk, &s->tree);

    for (uint32_t at; st_box_walk_next(&walk, &at);) {
        const st_box_node *node = &s->tree.nodes.data[at];
        const st_real bound = most_influence(s, at, x);

        // a bound that is not larger leaves nothing to find, equal ones only smaller numbers
        if (best != SIZE_MAX && (bound < most || (bound == most && node->least >= best))) continue;
        if (node->count == 0)
            st_box_walk_down(&walk, at, most_influence(s, at + 1, x) >= most_influence(s, node->right, x));

        for (uint32_t i = 0; i < node->count; i++) {
            const uint32_t line = s->tree.order.data[node->first + i];
            const st_real influence = influence_of(s, line, x);
            if (best == SIZE_MAX || influence > most || (influence == most && line < best))
                best = line, most = influence;
        }
    }

    return best;
}

// Lines that the best one reaches over at most `level` shared nodes, itself among them.
static bool find_near(skeleton *s, size_t best, uint32_t level, uint32_t turn, const st_real x[3]) {
    s->near.count = 0;

    s->seen.data[best] = turn;
    if (!st_list_push(&s->near, ((candidate){(uint32_t)best, influence_of(s, best, x)}))) return false;

    // breadth first, one level of shared nodes after another
    for (size_t begin = 0, end = 1; level > 0 && begin < end; level--, begin = end, end = s->near.count)
        for (size_t i = begin; i < end; i++)
            for (int side = 0; side < 2; side++) {
                const uint32_t frame = s->lines->data[2 * (size_t)s->near.data[i].line + (size_t)side];
                for (uint32_t k = s->starts.data[frame]; k < s->starts.data[frame + 1]; k++) {
                    const uint32_t line = s->ends.data[k];
                    if (s->seen.data[line] == turn) continue;
                    s->seen.data[line] = turn;
                    if (!st_list_push(&s->near, ((candidate){line, influence_of(s, line, x)}))) return false;
                }
            }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static candidate *heaviest(skeleton *s) {
    candidate *best = NULL;

    for (size_t i = 0; i < s->near.count; i++) {
        candidate *c = &s->near.data[i];
        if (c->influence < 0) continue;
        if (!best || c->influence > best->influence || (c->influence == best->influence && c->line < best->line))
            best = c;
    }
    return best;
}

static bool line_set_skinning_mapping_add_point(line_set_skinning_mapping *self, skeleton *s, uint32_t turn,
                                                const st_real x[3]) {
    st_carried_rows *rows = &self->base.rows;

    if (!find_near(s, find_best(s, x), self->level, turn, x)) return false;

    // the heaviest lines, each with the place of the point in its first frame
    const size_t begin = rows->frame.count;
    st_real sum = 0;
    for (uint32_t k = 0; k < (self->lines ? self->lines : 1); k++) {
        candidate *c = heaviest(s);
        st_real local[3];
        if (!c) break;

        const uint32_t frame = s->lines->data[2 * (size_t)c->line];
        st_rigid_inverse_apply(local, s->frames + 7 * (size_t)frame, x);
        sum += c->influence;
        if (!st_carried_rows_add(rows, frame, c->influence, local)) return false;

        c->influence = -1;
    }

    // weights that sum up to one, also in the local places
    for (size_t k = begin; k < rows->frame.count; k++) {
        rows->weight.data[k] = sum > 0 ? rows->weight.data[k] / sum : 1 / (st_real)(rows->frame.count - begin);
        st_vec3_scale(rows->local.data + 3 * k, rows->local.data + 3 * k, rows->weight.data[k]);
    }

    return st_carried_rows_end(rows);
}

static st_status check_lines(line_set_skinning_mapping *self, const st_uints *lines) {
    st_object *object = &self->base.mapping.object;
    if (lines->count == 0) return st_invalid(object, "the topology of the parent has no edges");
    return st_mapping_check_vertices(object, lines, 2, st_mapping_in(&self->base.mapping)->size);
}

// Lines at each frame, by counting.
static bool gather_ends(skeleton *s, size_t frames) {
    const size_t count = 2 * s->lines->count;

    if (!st_list_set_count(&s->starts, frames + 1, 1) || !st_list_set_count(&s->ends, count, 1)) return false;

    for (size_t i = 0; i < count; i++) s->starts.data[s->lines->data[i]]++;
    for (size_t i = 0; i < frames; i++) s->starts.data[i + 1] += s->starts.data[i];
    for (size_t i = count; i-- > 0;) s->ends.data[--s->starts.data[s->lines->data[i]]] = (uint32_t)(i / 2);

    return true;
}

static bool make_skeleton(skeleton *s, size_t frames) {
    enum { DIMS = 4 };
    st_real *boxes = st_alloc(s->lines->count, 2 * DIMS * sizeof *boxes);

    for (size_t i = 0; boxes && i < s->lines->count; i++) {
        // the box of the line, and its length as a fourth dimension
        const st_real *a = end_of(s, i, 0), *b = end_of(s, i, 1);
        st_real *box = boxes + 2 * DIMS * i;
        for (int k = 0; k < 3; k++) box[k] = st_min(a[k], b[k]), box[DIMS + k] = st_max(a[k], b[k]);
        box[3] = box[DIMS + 3] = st_vec3_distance(a, b);
    }

    const bool ok = boxes && st_box_tree_create(&s->tree, boxes, s->lines->count, DIMS, 3) && gather_ends(s, frames) &&
                    st_list_set_count(&s->seen, s->lines->count, 1);

    st_free(boxes);
    return ok;
}

static void free_skeleton(skeleton *s) {
    st_box_tree_free(&s->tree);
    st_list_free(&s->starts);
    st_list_free(&s->ends);
    st_list_free(&s->seen);
    st_list_free(&s->near);
}

static st_status line_set_skinning_mapping_make_rows(line_set_skinning_mapping *self, const st_uints *lines) {
    const st_state *child = st_mapping_out(&self->base.mapping), *parent = st_mapping_in(&self->base.mapping);
    skeleton s = {.lines = lines, .frames = parent->coord[ST_COORD_POSITION].data, .coefficient = self->coefficient};
    bool ok = st_carried_rows_begin(&self->base.rows, false) && make_skeleton(&s, parent->size);

    // from 1 on: 0 means that no point has met a line yet
    for (size_t i = 0; ok && i < child->size; i++)
        ok = line_set_skinning_mapping_add_point(self, &s, (uint32_t)i + 1,
                                                 child->coord[ST_COORD_POSITION].data + 3 * i);

    ok = ok && st_carried_rows_finish(&self->base.rows);
    free_skeleton(&s);

    if (ok) return ST_OK;
    self->base.rows.start.count = 0;
    return st_invalid(&self->base.mapping.object, "out of memory for its points");
}

static st_status line_set_skinning_mapping_init(st_object *object) {
    line_set_skinning_mapping *self = (line_set_skinning_mapping *)object;

    self->base.rows.start.count = 0;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);

    st_topology *topology = st_context_topology(st_mapping_in(&self->base.mapping)->object.node, NULL);
    if (!topology) return st_invalid(object, "the parent state has no topology whose edges could carry points");

    const st_uints *lines = st_topology_elements(topology, ST_EDGE);

    st_status status = check_lines(self, lines);
    if (status == ST_OK) status = st_mapping_init(object); // no rows yet: only the flags are set
    return status == ST_OK ? line_set_skinning_mapping_make_rows(self, lines) : status;
}

static const st_field fields[] = {
    ST_FIELD(line_set_skinning_mapping, level, "neighborhoodLevel", st_type_uint, "3",
             "lines that are reached over so many nodes can carry a point, too"),
    ST_FIELD(line_set_skinning_mapping, lines, "numberInfluencedLines", st_type_uint, "4",
             "how many lines carry a point"),
    ST_FIELD(line_set_skinning_mapping, coefficient, "weightCoef", st_type_int, "4",
             "the power of the distance with which a line's influence falls", .flags = ST_FIELD_FIXED),
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
    .init = line_set_skinning_mapping_init,
    .destroy = st_carried_destroy,
    .mapping = &st_carried_ops,
};
