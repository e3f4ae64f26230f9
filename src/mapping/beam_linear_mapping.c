// BeamLinearMapping: points carried by a chain of rigid frames, the nodes of beams.
//
// A point has the coordinates (s, y, z) along the beam from frame i to frame i + 1, in units of its length L_i. With
// t = 3 s² − 2 s³,
//
//     p = (1 − t) (c_i + R_i (s, y, z) L_i) + t (c_{i+1} + R_{i+1} (s − 1, y, z) L_i)
//
// As in SOFA, L_i is the norm of the difference of two rigid coordinates, √(|c_i − c_{i+1}|² + |vector part of
// q_{i+1}⁻¹ q_i|²): the plain length where neighboring frames are parallel.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/carried_rows.h"
#include "mapping/distance.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

typedef struct beam_linear_mapping {
    st_carried_mapping base;
    bool local_coord;
} beam_linear_mapping;

// The cubic of a point so many lengths away has no digits left.
static const st_real farthest = ST_R(1e6);

static st_real length_of(const st_state *parent, size_t i) {
    const size_t last = parent->size - 2; // the last one is repeated

    const st_real *frame = parent->coord[ST_COORD_POSITION].data + 7 * (i < last ? i : last);
    return st_distance_between(st_state_dof(parent), frame, frame + 7);
}

// The lengths of all beams, the last one repeated.
static bool measure_lengths(const st_state *parent, st_reals *lengths) {
    if (!st_list_set_count(lengths, parent->size, 1)) return false;
    for (size_t i = 0; i < parent->size; i++) lengths->data[i] = length_of(parent, i);
    return true;
}

// From a place in the world to a fractional number of frame and multiples of the length. Lengths are taken off one
// after the other: sums of them would round otherwise.
static void to_beam(const st_state *parent, const st_reals *lengths, const st_real x[3], st_real p[3]) {
    size_t j = 0;

    // coordinates in the first frame
    st_rigid_inverse_apply(p, parent->coord[ST_COORD_POSITION].data, x);

    while (j + 1 < lengths->count && p[0] >= lengths->data[j]) p[0] -= lengths->data[j++];

    st_vec3_divide(p, p, lengths->data[j]);
    p[0] += (st_real)j;
}

static bool beam_linear_mapping_add_row(st_carried_rows *rows, const st_state *parent, const st_real p[3]) {
    // which beam; a point before the first or behind the last one belongs to it
    const st_real last = (st_real)(parent->size - 2);
    const st_real cell = st_clamp(floor(p[0]), 0, last);
    const uint32_t i = (uint32_t)cell;
    const st_real s = p[0] - cell, t = 3 * s * s - 2 * s * s * s, length = length_of(parent, i);

    // (s, y, z) L (1 − t) in frame i, (s − 1, y, z) L t in frame i + 1
    st_real a[3] = {s, p[1], p[2]}, b[3] = {s - 1, p[1], p[2]};
    st_vec3_scale(a, a, length * (1 - t));
    st_vec3_scale(b, b, length * t);

    return st_carried_rows_add(rows, i, 1 - t, a) && st_carried_rows_add(rows, i + 1, t, b) &&
           st_carried_rows_end(rows);
}

static st_status beam_linear_mapping_check(beam_linear_mapping *self) {
    const st_state *parent = st_mapping_in(&self->base.mapping), *child = st_mapping_out(&self->base.mapping);

    // every beam needs a length, every point a place
    if (parent->size < 2)
        return st_invalid(&self->base.mapping.object, "the parent has %zu frames, a beam needs two", parent->size);

    for (size_t i = 0; i + 1 < parent->size; i++)
        if (!(length_of(parent, i) > 0))
            return st_invalid(&self->base.mapping.object, "frames %zu and %zu of the parent coincide", i, i + 1);

    for (size_t i = 0; i < 3 * child->size; i++)
        if (!isfinite(child->coord[ST_COORD_POSITION].data[i]))
            return st_invalid(&self->base.mapping.object, "point %zu is not finite", i / 3);
    return ST_OK;
}

static st_status beam_linear_mapping_make_rows(beam_linear_mapping *self, const st_reals *lengths) {
    const st_state *parent = st_mapping_in(&self->base.mapping), *child = st_mapping_out(&self->base.mapping);
    st_carried_rows *rows = &self->base.rows;
    bool ok = st_carried_rows_begin(rows, false);

    for (size_t i = 0; ok && i < child->size; i++) {
        st_real p[3];

        // (s, y, z) in lengths of the beam
        st_vec3_copy(p, child->coord[ST_COORD_POSITION].data + 3 * i);
        if (!self->local_coord) to_beam(parent, lengths, p, p);

        for (int k = 0; k < 3; k++)
            if (!(fabs(p[k]) <= farthest))
                return st_invalid(&self->base.mapping.object,
                                  "point %zu is %g lengths away from the beam: it is too far", i, (double)p[k]);

        ok = beam_linear_mapping_add_row(rows, parent, p);
    }
    return ok && st_carried_rows_finish(rows) ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status beam_linear_mapping_init(st_object *object) {
    beam_linear_mapping *self = (beam_linear_mapping *)object;
    st_carried_rows *rows = &self->base.rows;
    st_reals lengths = {0};

    // a mesh has changed: the child's positions are not the local ones any more, but rows follow their frames
    const bool has_states = st_mapping_has_states(&self->base.mapping);
    if (has_states && st_why_init(object) != ST_INIT_FIRST && st_carried_rows_follow(rows, &self->base.mapping))
        return st_mapping_init(object);

    rows->start.count = 0;
    if (!has_states) return st_mapping_init(object);

    st_status status = beam_linear_mapping_check(self);
    if (status != ST_OK) return status;

    // rows for the child's points, in lengths of the beams
    status = measure_lengths(st_mapping_in(&self->base.mapping), &lengths)
                 ? beam_linear_mapping_make_rows(self, &lengths)
                 : ST_OUT_OF_MEMORY;
    st_list_free(&lengths);

    if (status == ST_OK) return st_mapping_init(object);

    // without rows it is never applied
    rows->start.count = 0;
    if (status != ST_OUT_OF_MEMORY) return status;
    return st_invalid(object, "out of memory for its %zu points", st_mapping_out(&self->base.mapping)->size);
}

static const st_field fields[] = {
    ST_FIELD(beam_linear_mapping, local_coord, "localCoord", st_type_bool, "1",
             "the child's positions at init are a fractional number of frame, and multiples of the beam's length",
             .flags = ST_FIELD_FIXED),
    ST_GEOMETRIC_FIELD(st_carried_mapping, "None"),
    ST_FIELDS_END,
};

static const st_attached attached[] = {
    ST_CARRIED_ATTACHED(beam_linear_mapping, base.rows),
    {.bytes = 0},
};

const st_class st_beam_linear_mapping_class = {
    .name = "BeamLinearMapping",
    .aliases = "BeamLinearMapping_mt",
    .help = "points carried by a chain of rigid frames, the nodes of beams",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(beam_linear_mapping),
    .example = "<MechanicalObject name=\"parent\" template=\"Rigid3\" "
               "position=\"0 0 0  0 0 0 1  1 0 0  0 0 0 1  2 0.2 0  0 0 0.6 0.8\"/>\n"
               "<Node name=\"points\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec3\" position=\"0.5 0.1 0  1.2 0 0.3  2 0 0\"/>\n"
               "    <BeamLinearMapping input=\"@../parent\" output=\"@child\" geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .attached = attached,
    .init = beam_linear_mapping_init,
    .destroy = st_carried_destroy,
    .mapping = &st_carried_ops,
};
