// BeamInterpolation: the edges of a mesh over frames as beams, with their sections, materials and rest shapes.
//
// Each edge is a cubic curve between the frames of its two DOFs (beam_curve.h). Its rest length is that of the curve at
// the first positions; its rest shape is straight, or with straight="0" that of the rest positions. Those who act on
// beams (AdaptiveBeamForceFieldAndMass) ask through beam_interpolation.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/beam_interpolation.h"

#include "base/array.h"
#include "beam/beam_curve.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

enum { CIRCULAR, ELLIPTIC, RECTANGULAR };
enum { CURRENT, FREE, REST };

typedef struct beam_interpolation {
    st_beams beams;
    int32_t shape, vec_id;
    st_reals radius, inner_radius, length_y, length_z, young, poisson;
    st_real side_length, small_radius, large_radius;
    bool straight;
    st_reals inputs, positions, velocities;
    bool all; // every edge is a beam
} beam_interpolation;

static const char *const shapes[] = {"circular", "elliptic (not available)", "rectangular", NULL};
static const char *const vectors[] = {"current", "free", "rest", NULL};

static const st_field fields[] = {
    ST_FIELD(beam_interpolation, shape, "crossSectionShape", st_type_option, "circular", "of every beam",
             .options = shapes),
    ST_FIELD(beam_interpolation, radius, "radius", st_type_reals, "1", "of a circular section, one for each beam",
             .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, inner_radius, "innerRadius", st_type_reals, "0",
             "of a circular section that is hollow, one for each beam", .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, side_length, "sideLength", st_type_real, "1", "no effect",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(beam_interpolation, small_radius, "smallRadius", st_type_real, "1", "no effect",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(beam_interpolation, large_radius, "largeRadius", st_type_real, "1", "no effect",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(beam_interpolation, length_y, "lengthY", st_type_reals, "1",
             "extent along y of a rectangular section, one for each beam", .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, length_z, "lengthZ", st_type_reals, "1",
             "extent along z of a rectangular section, one for each beam", .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, young, "defaultYoungModulus", st_type_reals, "100000",
             "Young's modulus, one for each beam", .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, poisson, "defaultPoissonRatio", st_type_reals, "0.4",
             "Poisson's ratio, one for each beam", .mesh = ST_ROWS),
    ST_FIELD(beam_interpolation, straight, "straight", st_type_bool, "1",
             "beams are straight at rest; 0: as the rest positions have them"),
    ST_FIELD(beam_interpolation, vec_id, "vecID", st_type_option, "current", "which positions InterpolatedPos follows",
             .options = vectors),
    ST_FIELD(beam_interpolation, inputs, "InterpolationInputs", st_type_vec2s, NULL,
             "pairs (beam, place from 0 to 1) for InterpolatedPos", .flags = ST_FIELD_FIXED),
    ST_FIELD(beam_interpolation, positions, "InterpolatedPos", st_type_coords, NULL,
             "the frames there, when the reset state is stored", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(beam_interpolation, velocities, "InterpolatedVel", st_type_derivs, NULL, "not filled, as in SOFA",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Lists of one entry for each beam
// ---------------------------------------------------------------------------------------------------

// A list of another size than n becomes n copies of its first value; after a change it goes on with it.
static st_status spread(beam_interpolation *self, st_reals *list, size_t n, const char *name, st_real fallback) {
    const bool changed = st_why_init(&self->beams.object) == ST_INIT_CHANGED;
    if (list->count == n || (changed && list->count > n)) return ST_OK;

    if (!list->count) st_message(&self->beams.object, ST_WARNING, "%s is empty: %g is used", name, (double)fallback);

    const st_real value = list->count ? list->data[0] : fallback;
    const size_t first = changed ? list->count : 0;
    if (!st_list_set_count(list, n, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = first; i < n; i++) list->data[i] = value;
    st_touch(&self->beams.object, list);
    return ST_OK;
}

static st_status in_range(beam_interpolation *self, const st_reals *list, const char *name, st_real low) {
    for (size_t i = 0; i < list->count; i++)
        if (!(list->data[i] > low && list->data[i] <= ST_REAL_MAX))
            return st_invalid(&self->beams.object, "%s[%zu] is %g: it must be a number above %g", name, i,
                              (double)list->data[i], (double)low);
    return ST_OK;
}

static st_status read_lists(beam_interpolation *self, size_t n) {
    // lowest values that make sense: no extent is negative, E > 0, the shear modulus E / 2(1 + nu) exists
    const struct {
        st_reals *list;
        const char *name;
        st_real fallback, low;
    } lists[] = {
        {&self->radius, "radius", 1, 0},
        {&self->inner_radius, "innerRadius", 0, -ST_REAL_EPSILON},
        {&self->length_y, "lengthY", 1, 0},
        {&self->length_z, "lengthZ", 1, 0},
        {&self->young, "defaultYoungModulus", 100000, -ST_REAL_EPSILON},
        {&self->poisson, "defaultPoissonRatio", ST_R(0.4), -1},
    };

    st_status status = ST_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == ST_OK; i++) {
        status = spread(self, lists[i].list, n, lists[i].name, lists[i].fallback);
        if (status == ST_OK) status = in_range(self, lists[i].list, lists[i].name, lists[i].low);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Beams
// ---------------------------------------------------------------------------------------------------

static st_real entry(const st_reals *list, size_t b) {
    return b < list->count ? list->data[b] : list->count ? list->data[0] : 0;
}

static void read_section(const beam_interpolation *self, size_t b, st_beam *beam) {
    beam->area = beam->iy = beam->iz = 0;

    // A = π (r² − i²), I = π (r⁴ − i⁴) / 4; of a rectangle A = y z, I_y = y z³ / 12
    if (self->shape == CIRCULAR) {
        const st_real r = entry(&self->radius, b), i = entry(&self->inner_radius, b);
        beam->iy = beam->iz = ST_PI * (r * r * r * r - i * i * i * i) / 4;
        beam->area = ST_PI * (r * r - i * i);
    } else if (self->shape == RECTANGULAR) {
        const st_real y = entry(&self->length_y, b), z = entry(&self->length_z, b);
        beam->iy = y * z * z * z / 12;
        beam->iz = z * y * y * y / 12;
        beam->area = y * z;
    }
    beam->j = beam->iy + beam->iz;
}

static void read_rest(const beam_interpolation *self, st_beam *beam) {
    const st_reals *rest = &self->beams.state->coord[ST_COORD_REST];
    const st_real identity[4] = {0, 0, 0, 1};

    // straight: half a length to both sides
    if (self->straight || rest->count < self->beams.state->size) {
        beam->rest[0] = st_beam_frame_make((const st_real[3]){-beam->length / 2, 0, 0}, identity);
        beam->rest[1] = st_beam_frame_make((const st_real[3]){beam->length / 2, 0, 0}, identity);
        return;
    }

    // the rest positions, as seen from the middle of their curve
    const st_beam_frame f0 = st_beam_end(beam, 0, rest->data), f1 = st_beam_end(beam, 1, rest->data);
    const st_beam_curve curve = st_beam_curve_make(&f0, &f1, beam->length);
    const st_beam_frame middle = st_beam_curve_frame(&curve, ST_R(0.5)), inverse = st_beam_frame_inverse(&middle);
    beam->rest[0] = st_beam_frame_multiply(&inverse, &f0);
    beam->rest[1] = st_beam_frame_multiply(&inverse, &f1);
}

static void beam_interpolation_complete(const st_beams *beams, size_t b, st_beam *beam) {
    const beam_interpolation *self = (const beam_interpolation *)beams;
    beam->young = entry(&self->young, b);
    beam->poisson = entry(&self->poisson, b);
    beam->density = -1;
    read_section(self, b, beam);
    read_rest(self, beam);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// The length of the curve at the present positions. A longer curve has its inner control points farther out: three
// rounds from the distance of the ends.
static st_real measure(const beam_interpolation *self, const st_beam *beam) {
    const st_real *x = self->beams.state->coord[ST_COORD_POSITION].data;
    const st_beam_frame f0 = st_beam_end(beam, 0, x), f1 = st_beam_end(beam, 1, x);
    st_real a[3], b[3];

    st_beam_frame_origin(a, &f0);
    st_beam_frame_origin(b, &f1);

    st_real length = st_vec3_distance(a, b);
    for (int round = 0; round < 3; round++) {
        const st_beam_curve curve = st_beam_curve_make(&f0, &f1, length);
        length = st_beam_curve_length(&curve);
    }
    return length;
}

// Every edge is a beam, of the length that it has now.
static st_status take_all_edges(beam_interpolation *self, size_t n) {
    if (!st_list_set_count(&self->beams.edge_list, n, 1) || !st_list_set_count(&self->beams.length_list, n, 1) ||
        !st_resize_member(&self->beams.object, &self->beams.transform[0], 0) ||
        !st_resize_member(&self->beams.object, &self->beams.transform[1], 0) ||
        !st_resize_member(&self->beams.object, &self->beams.transform[0], n) ||
        !st_resize_member(&self->beams.object, &self->beams.transform[1], n))
        return st_invalid(&self->beams.object, "out of memory for %zu beams", n);

    // ends must be DOFs; what lies between them has a length
    for (size_t b = 0; b < n; b++) {
        st_beam beam;
        self->beams.edge_list.data[b] = (uint32_t)b;
        if (!st_beams_ends(&self->beams, b, &beam)) {
            const uint32_t *edge = st_topology_elements(self->beams.topology, ST_EDGE)->data + 2 * b;
            return st_invalid(&self->beams.object, "edge %zu has the vertices %u and %u, but there are %zu frames", b,
                              edge[0], edge[1], self->beams.state->size);
        }
        self->beams.length_list.data[b] = measure(self, &beam);
    }

    st_touch(&self->beams.object, &self->beams.edge_list);
    st_touch(&self->beams.object, &self->beams.length_list);
    return ST_OK;
}

// After a change: edges that are not listed yet, with the lengths that they have now.
static st_status take_new_edges(beam_interpolation *self, size_t n) {
    bool *listed = st_alloc(n, sizeof *listed);
    bool ok = listed != NULL;
    for (size_t b = 0; ok && b < self->beams.edge_list.count; b++)
        if (self->beams.edge_list.data[b] < n) listed[self->beams.edge_list.data[b]] = true;

    for (size_t e = 0; ok && e < n; e++) {
        const size_t b = self->beams.edge_list.count;
        st_beam beam;
        if (listed[e]) continue;
        ok = st_list_push(&self->beams.edge_list, (uint32_t)e) && st_list_push(&self->beams.length_list, 0) &&
             st_resize_member(&self->beams.object, &self->beams.transform[0], b + 1) &&
             st_resize_member(&self->beams.object, &self->beams.transform[1], b + 1);
        if (ok && st_beams_ends(&self->beams, b, &beam)) self->beams.length_list.data[b] = measure(self, &beam);
    }

    st_free(listed);
    return ok ? ST_OK : st_invalid(&self->beams.object, "out of memory for %zu beams", n);
}

// Lists that the scene gives (or that a former init made) are kept where they fit.
static st_status check_given(beam_interpolation *self, size_t n) {
    for (size_t b = 0; b < self->beams.edge_list.count; b++) {
        st_beam beam;
        if (self->beams.edge_list.data[b] >= n)
            return st_invalid(&self->beams.object, "edgeList names edge %u, but there are %zu",
                              self->beams.edge_list.data[b], n);

        if (!st_beams_ends(&self->beams, b, &beam))
            return st_invalid(&self->beams.object, "edge %u has a vertex beyond the %zu frames",
                              self->beams.edge_list.data[b], self->beams.state->size);
        if (!(self->beams.length_list.data[b] >= 0 && self->beams.length_list.data[b] <= ST_REAL_MAX))
            return st_invalid(&self->beams.object, "lengthList[%zu] is %g: it must not be negative", b,
                              (double)self->beams.length_list.data[b]);
    }
    return ST_OK;
}

static st_status beam_interpolation_init(st_object *object) {
    beam_interpolation *self = (beam_interpolation *)object;

    // frames, and the mesh over them
    self->beams.complete = beam_interpolation_complete;
    self->beams.rest_length = -1;
    const st_status found = st_beams_find(&self->beams);
    if (found != ST_OK) return found;
    const size_t n = st_topology_elements(self->beams.topology, ST_EDGE)->count;
    if (!n)
        return st_invalid(object, "the mesh '%s' has no edges: there are no beams", self->beams.topology->object.name);

    if (self->shape == ELLIPTIC)
        st_message(object, ST_WARNING, "elliptic sections are not there: beams have no section, and no stiffness");

    st_status status = read_lists(self, n);
    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for %zu beams", n);
    if (status != ST_OK) return status;

    // lists of the scene, or of the init before a reset, are kept if there is one entry of each for every beam
    const size_t given = self->beams.edge_list.count;
    const bool kept = given && given == self->beams.length_list.count && given == self->beams.transform[0].count &&
                      given == self->beams.transform[1].count;
    const bool changed = st_why_init(object) == ST_INIT_CHANGED;
    if (!changed) self->all = !kept;
    if (kept && changed && self->all) status = take_new_edges(self, n);
    if (status != ST_OK) return status;
    return kept ? check_given(self, n) : take_all_edges(self, n);
}

// ---------------------------------------------------------------------------------------------------
// Interpolated frames
// ---------------------------------------------------------------------------------------------------

static void beam_interpolation_store_reset(st_object *object) {
    beam_interpolation *self = (beam_interpolation *)object;
    if (!st_beam_interpolation_state(object) || self->vec_id == REST || !self->inputs.count) return;

    // the positions that are asked for may not exist yet
    const int id = self->vec_id == FREE ? ST_COORD_FREE : ST_COORD_POSITION;
    const st_reals *x = &self->beams.state->coord[id];
    if (x->count < self->beams.state->size || !st_resize_member(object, &self->positions, self->inputs.count)) return;

    for (size_t i = 0; i < self->inputs.count; i++) {
        const st_real *input = self->inputs.data + 2 * i;
        st_beam beam;
        if (!(input[0] >= 0 && input[0] < (st_real)self->beams.edge_list.count) ||
            !st_beam_interpolation_get(object, (size_t)input[0], &beam)) {
            st_message_once(object, "input", ST_ERROR, "InterpolationInputs[%zu] names beam %g, but there are %zu", i,
                            (double)input[0], self->beams.edge_list.count);
            continue;
        }

        const st_beam_frame f0 = st_beam_end(&beam, 0, x->data), f1 = st_beam_end(&beam, 1, x->data);
        const st_beam_curve curve = st_beam_curve_make(&f0, &f1, beam.length);
        const st_beam_frame frame = st_beam_curve_frame(&curve, input[1]);

        st_beam_frame_origin(self->positions.data + 7 * i, &frame);
        st_quat_copy(self->positions.data + 7 * i + 3, frame.q);
    }
    st_touch(object, &self->positions);
}

const st_class st_beam_interpolation_class = {
    .name = "BeamInterpolation",
    .help = "the edges of a mesh over frames as beams: sections, materials, rest shapes",
    .parent = &st_beams_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(beam_interpolation),
    .example = "<MeshTopology edges=\"0 1\"/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<BeamInterpolation radius=\"0.1\" defaultYoungModulus=\"10000\"/>",
    .init = beam_interpolation_init,
    .reinit = beam_interpolation_init,
    .store_reset = beam_interpolation_store_reset,
};
