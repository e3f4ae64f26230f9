// BeamFEMForceField: Euler-Bernoulli beams with a round section, solid or hollow, between the two frames of each edge.
//
//      z                      r, ri outer and inner radius, L length at rest, G = E/(2 (1+ν)):
//      |  y                       A = π (r² - ri²),   I = π (r⁴ - ri⁴)/4 about y and z,   J = 2 I
//      | /
//      a======b --> x         k (12 × 12) in the frame of a, with the usual entries
//                                 EA/L,  12 EI/L³,  6 EI/L²,  4 EI/L,  2 EI/L,  GJ/L
//
// The beam turns with the orientation q_a of its first frame:
//     u = q_a⁻¹ (x_b - x_a) - the same at rest,   θ = rotation vector of (q_a⁻¹ q_b at rest)⁻¹ (q_a⁻¹ q_b)
//     f = -q_a k (0, 0, u, θ),     energy 1/2 (0, 0, u, θ)ᵀ k (0, 0, u, θ)
//     K = -R k Rᵀ with R the rotation of q_a, held fixed
// Its axis is the x axis of a. K is exact at rest where that axis points to b.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/elastic.h"
#include "math/quat.h"
#include "settee/draw.h"

typedef struct beam {
    uint32_t ends[2];
    bool used;                                          // listed, and not degenerate
    st_real axial, shear, lever, bend, far_bend, twist; // EA/L, 12EI/L³, 6EI/L², 4EI/L, 2EI/L, GJ/L
    st_real q[4];                                       // orientation of the last force
} beam;

typedef struct beam_force {
    st_elastic elastic;
    st_real radius, radius_inner;
    st_uints segments;
    bool symmetric_assembly;
    bool partial; // only some of the edges
    ST_LIST(beam) beams;
    size_t points; // DOFs that the edges need
} beam_force;

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// False when the edge has no length: there is no beam.
static bool set_beam(beam_force *self, size_t e) {
    beam *b = &self->beams.data[e];
    const st_real *rest = self->elastic.force.state->coord[ST_COORD_REST].data;
    const st_real *xa = rest + 7 * (size_t)b->ends[0], *xb = rest + 7 * (size_t)b->ends[1];
    const st_real young = st_elastic_young(&self->elastic, e), poisson = st_elastic_poisson(&self->elastic, e);
    const st_real r2 = self->radius * self->radius, ri2 = self->radius_inner * self->radius_inner;
    const st_real inertia = ST_PI * (r2 * r2 - ri2 * ri2) / 4, area = ST_PI * (r2 - ri2);
    const st_real length = st_vec3_distance(xa, xb), l2 = length * length, l3 = l2 * length;
    b->axial = young * area / length;
    b->shear = 12 * young * inertia / l3;
    b->lever = 6 * young * inertia / l2;
    b->bend = 4 * young * inertia / length;
    b->far_bend = 2 * young * inertia / length;
    b->twist = young / (2 * (1 + poisson)) * (inertia + inertia) / length;
    st_quat_normalize(b->q, xa + 3);
    return isfinite(b->axial) && isfinite(b->shear) && isfinite(b->twist);
}

static bool segments_exist(const beam_force *self, size_t count) {
    for (size_t i = 0; i < self->segments.count; i++)
        if (self->segments.data[i] >= count) return false;
    return true;
}

static void select_segments(beam_force *self) {
    const size_t count = self->beams.count;
    self->partial = self->segments.count > 0;
    if (self->partial && !segments_exist(self, count)) {
        st_message(&self->elastic.force.object, ST_WARNING,
                   "listSegment has numbers beyond the %zu edges of the mesh: all edges are used", count);
        self->partial = false;
    }
    for (size_t e = 0; e < count; e++) self->beams.data[e].used = !self->partial;
    for (size_t i = 0; self->partial && i < self->segments.count; i++)
        self->beams.data[self->segments.data[i]].used = true;
}

static void set_beams(beam_force *self) {
    size_t wrong = 0, first = 0;
    for (size_t e = self->beams.count; e-- > 0;) {
        if (set_beam(self, e) || !self->beams.data[e].used) continue;
        self->beams.data[e].used = false;
        first = e;
        wrong++;
    }
    if (wrong)
        st_message(&self->elastic.force.object, ST_ERROR,
                   "edge %zu has no length at rest: there is no beam (%zu of %zu edges)", first, wrong,
                   self->beams.count);
}

static st_status copy_edges(beam_force *self, const st_uints *edges) {
    st_object *object = &self->elastic.force.object;
    const size_t points = self->elastic.force.state->coord[ST_COORD_REST].count;
    if (!st_list_set_count(&self->beams, edges->count, 1))
        return st_invalid(object, "out of memory for %zu edges", edges->count);
    self->points = points;
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *ends = edges->data + 2 * e;
        self->beams.data[e] = (beam){.ends = {ends[0], ends[1]}};
        if (ends[0] < points && ends[1] < points) continue;
        self->beams.count = 0;
        return st_invalid(object, "edge %zu of %zu has a vertex beyond the %zu DOFs of the state", e, edges->count,
                          points);
    }
    return ST_OK;
}

static st_status reinit(st_object *object) {
    beam_force *self = (beam_force *)object;
    self->beams.count = 0;
    st_topology *topology = st_elastic_mesh(&self->elastic);
    if (!topology) return ST_INVALID;
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    if (edges->count == 0) return st_invalid(object, "the mesh has no edges: there are no beams");
    if (!(self->radius_inner <= self->radius))
        st_message(object, ST_WARNING, "radiusInner is %g, more than the radius %g: the stiffness is negative",
                   (double)self->radius_inner, (double)self->radius);
    const st_status status = copy_edges(self, edges);
    if (status != ST_OK) return status;
    select_segments(self);
    set_beams(self);
    return ST_OK;
}

static st_status init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? reinit(object) : status;
}

static void destroy(st_object *object) { st_list_free(&((beam_force *)object)->beams); }

// ---------------------------------------------------------------------------------------------------
// One beam
// ---------------------------------------------------------------------------------------------------

// f = k d in the frame of the beam: translation and rotation of a, then of b.
static void local_force(st_real f[12], const beam *b, const st_real d[12]) {
    f[0] = b->axial * d[0] - b->axial * d[6];
    f[1] = b->shear * d[1] + b->lever * d[5] - b->shear * d[7] + b->lever * d[11];
    f[2] = b->shear * d[2] - b->lever * d[4] - b->shear * d[8] - b->lever * d[10];
    f[3] = b->twist * d[3] - b->twist * d[9];
    f[4] = -b->lever * d[2] + b->bend * d[4] + b->lever * d[8] + b->far_bend * d[10];
    f[5] = b->lever * d[1] + b->bend * d[5] - b->lever * d[7] + b->far_bend * d[11];
    f[6] = -b->axial * d[0] + b->axial * d[6];
    f[7] = -b->shear * d[1] - b->lever * d[5] + b->shear * d[7] - b->lever * d[11];
    f[8] = -b->shear * d[2] + b->lever * d[4] + b->shear * d[8] + b->lever * d[10];
    f[9] = -b->twist * d[3] + b->twist * d[9];
    f[10] = -b->lever * d[2] + b->far_bend * d[4] + b->lever * d[8] + b->bend * d[10];
    f[11] = b->lever * d[1] + b->far_bend * d[5] - b->lever * d[7] + b->bend * d[11];
}

// What b moved and turned by, seen from a, since rest.
static void deformation(st_real d[12], const st_real *xa, const st_real *xb, const st_real *ra, const st_real *rb) {
    st_real now[3], rest[3], turn_now[4], turn_rest[4], turn[4];
    memset(d, 0, 6 * sizeof *d);
    st_vec3_sub(now, xb, xa);
    st_quat_inverse_rotate(now, xa + 3, now);
    st_vec3_sub(rest, rb, ra);
    st_quat_inverse_rotate(rest, ra + 3, rest);
    st_vec3_sub(d + 6, now, rest);
    st_quat_difference(turn_rest, rb + 3, ra + 3);
    st_quat_normalize(turn_rest, turn_rest);
    st_quat_difference(turn_now, xb + 3, xa + 3);
    st_quat_normalize(turn_now, turn_now);
    st_quat_difference(turn, turn_now, turn_rest);
    st_quat_normalize(turn, turn);
    st_quat_to_rotation_vector(d + 9, turn);
}

// target -= factor q f on both ends
static void subtract(st_real *target, const beam *b, const st_real q[4], const st_real f[12], st_real factor) {
    for (int i = 0; i < 4; i++) {
        st_real world[3], *at = target + 6 * (size_t)b->ends[i / 2] + 3 * (i % 2);
        st_quat_rotate(world, q, f + 3 * i);
        st_vec3_add_scaled(at, at, world, -factor);
    }
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

// The number of beams; none when the state does not fit them.
static size_t beam_count(const beam_force *self) {
    const st_state *state = self->elastic.force.state;
    const bool fits = state && state->size >= self->points && state->coord[ST_COORD_REST].count >= self->points;
    return fits ? self->beams.count : 0;
}

static void beam_deformation(const beam_force *self, const beam *b, const st_real *x, st_real d[12]) {
    const st_real *rest = self->elastic.force.state->coord[ST_COORD_REST].data;
    const size_t i = 7 * (size_t)b->ends[0], j = 7 * (size_t)b->ends[1];
    deformation(d, x + i, x + j, rest + i, rest + j);
}

static void add_force(st_force *force, const st_params *params) {
    beam_force *self = (beam_force *)force;
    for (size_t e = 0, n = beam_count(self); e < n; e++) {
        beam *b = &self->beams.data[e];
        if (!b->used) continue;
        const st_real *x = st_x(force->state, params), *q = x + 7 * (size_t)b->ends[0] + 3;
        st_real d[12], f[12];
        st_quat_normalize(b->q, q);
        beam_deformation(self, b, x, d);
        local_force(f, b, d);
        subtract(st_f(force->state, params), b, q, f, 1);
    }
}

static void product(st_force *force, const st_params *params, st_real k, st_real damping) {
    (void)damping; // none
    const beam_force *self = (const beam_force *)force;
    const st_real *dx = st_dx(force->state, params);
    for (size_t e = 0, n = beam_count(self); e < n; e++) {
        const beam *b = &self->beams.data[e];
        st_real d[12], f[12];
        if (!b->used) continue;
        for (int i = 0; i < 4; i++)
            st_quat_inverse_rotate(d + 3 * i, b->q, dx + 6 * (size_t)b->ends[i / 2] + 3 * (i % 2));
        local_force(f, b, d);
        subtract(st_df(force->state, params), b, b->q, f, k);
    }
}

// -R k Rᵀ, block by block. The columns of k are the forces of unit displacements.
static void world_matrix(st_real matrix[144], const beam *b) {
    st_real k[144], rotation[9];
    for (int j = 0; j < 12; j++) {
        st_real unit[12] = {0}, column[12];
        unit[j] = 1;
        local_force(column, b, unit);
        for (int i = 0; i < 12; i++) k[12 * i + j] = column[i];
    }
    st_quat_to_matrix(rotation, b->q);
    for (int i = 0; i < 12; i += 3)
        for (int j = 0; j < 12; j += 3) {
            st_real block[9];
            for (int r = 0; r < 9; r++) block[r] = -k[12 * (i + r / 3) + j + r % 3];
            st_mat3_multiply(block, rotation, block);
            st_mat3_multiply_transpose(block, block, rotation);
            for (int r = 0; r < 9; r++) matrix[12 * (i + r / 3) + j + r % 3] = block[r];
        }
}

// Without a trace of rounding: the upper blocks are mirrored, those on the diagonal averaged.
static void make_symmetric(st_real matrix[144]) {
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++) {
            const bool diagonal = i / 3 == j / 3;
            const st_real upper = matrix[12 * j + i], lower = matrix[12 * i + j];
            matrix[12 * j + i] = matrix[12 * i + j] = diagonal ? (upper + lower) / 2 : upper;
        }
}

static void stiffness(st_force *force, const st_params *params, st_stiffness to) {
    (void)params;
    const beam_force *self = (const beam_force *)force;
    const size_t n = beam_count(self);
    st_sink *sink = n ? st_stiffness_between(to, force->state, force->state) : NULL;
    for (size_t e = 0; e < n; e++) {
        const beam *b = &self->beams.data[e];
        st_real matrix[144];
        if (!b->used) continue;
        world_matrix(matrix, b);
        if (self->symmetric_assembly && !self->partial) make_symmetric(matrix);
        st_add_element(sink, 2, b->ends, 6, matrix);
    }
}

static st_real potential(st_force *force, const st_params *params) {
    const beam_force *self = (const beam_force *)force;
    st_real energy = 0;
    for (size_t e = 0, n = beam_count(self); e < n; e++) {
        const beam *b = &self->beams.data[e];
        st_real d[12], f[12];
        if (!b->used) continue;
        beam_deformation(self, b, st_x(force->state, params), d);
        local_force(f, b, d);
        for (int i = 6; i < 12; i++) energy += d[i] * f[i] / 2;
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

static void draw(st_object *object, st_canvas *canvas) {
    const beam_force *self = (const beam_force *)object;
    for (size_t e = 0, n = beam_count(self); e < n; e++) {
        const beam *b = &self->beams.data[e];
        const st_state *state = self->elastic.force.state;
        if (b->used)
            canvas->lines(canvas, 1, b->ends, state->coord[ST_COORD_POSITION].data, state->size, 7,
                          (st_rgba){1, 1, 0, 1});
    }
}

static const st_field fields[] = {
    ST_FIELD(beam_force, radius, "radius", st_type_real, "0.1", "radius of the section", .flags = ST_FIELD_REQUIRED),
    ST_FIELD(beam_force, radius_inner, "radiusInner", st_type_real, "0", "inner radius of a hollow section"),
    ST_FIELD(beam_force, segments, "listSegment", st_type_indices, NULL, "edges that are beams; all when empty"),
    ST_FIELD(beam_force, symmetric_assembly, "useSymmetricAssembly", st_type_bool, "0",
             "make assembled matrices exactly symmetric; without effect together with listSegment"),
    ST_FIELDS_END,
};

static const st_force_ops force_ops = {
    .add_force = add_force,
    .stiffness = stiffness,
    .product = product,
    .potential = potential,
};

const st_class st_beam_fem_force_field_class = {
    .name = "BeamFEMForceField",
    .help = "elastic beams between rigid frames",
    .parent = &st_elastic_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(beam_force),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1\"/>\n"
               "<BeamFEMForceField radius=\"0.1\" youngModulus=\"10000\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = init,
    .reinit = reinit,
    .destroy = destroy,
    .draw = draw,
    .force = &force_ops,
};
