// AdaptiveBeamForceFieldAndMass: elastic beams with consistent mass, on the beams of a BeamInterpolation.
//
// Each beam has a frame M in the middle of its curve, which follows its motion. From there, displacements are small:
//
//     u_k = spatial(M⁻¹ F_k) − spatial(rest_k)                k = 0, 1: ends, (linear, angular)
//     f_k = −A_kᵀ (K_k0 u_0 + K_k1 u_1)                        A_k: from the world to the middle frame
//     M   = A_iᵀ M_ij A_j                                      weight: M times gravity
//
// K and M are those of Euler and Bernoulli, with rotary inertia. The tangent holds A fixed: −A_iᵀ K_ij A_j.
// What an evaluation does for each beam:
//     1. ends, middle frame, A_0 and A_1
//     2. mass (unless computeMass="0"), stiffness (unless both ends are one DOF: a rigid part)
//     3. displacements: by the frames; elongation by the curve with reinforceLength; elongation and twist by a walk
//        along the curve with shearStressComputation="0"
//     4. forces; then the weight of all beams
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "beam/beam_curve.h"
#include "beam/beam_interpolation.h"
#include "settee/plugin/physics.h"

typedef struct element {
    uint32_t dof[2];
    bool elastic;              // not a rigid part
    st_real mass_of_beam;      // ρ A L
    st_real to_middle[2][36];  // A_0, A_1
    st_real stiffness[12][12]; // in the middle frame
    st_real mass[12][12];
    st_real u[12];
} element;

typedef struct adaptive_beam {
    st_mass base;
    st_object *interpolation;
    bool compute_mass, shear, reinforce_length;
    st_reals density;

    ST_LIST(element) elements; // of the last evaluation
} adaptive_beam;

static const st_field fields[] = {
    ST_FIELD(adaptive_beam, interpolation, "interpolation", st_type_link, NULL,
             "the BeamInterpolation; the first of its node when not given"),
    ST_FIELD(adaptive_beam, compute_mass, "computeMass", st_type_bool, "1", "0: beams have neither mass nor weight"),
    ST_FIELD(adaptive_beam, density, "massDensity", st_type_reals, "1",
             "mass per volume, one for each beam; of another number the first holds for all"),
    ST_FIELD(adaptive_beam, shear, "shearStressComputation", st_type_bool, "1",
             "0: elongation and twist are measured along the curve"),
    ST_FIELD(adaptive_beam, reinforce_length, "reinforceLength", st_type_bool, "0",
             "elongation is measured by the length of the curve"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status adaptive_beam_init(st_object *object) {
    adaptive_beam *self = (adaptive_beam *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    // the beams: those of the link, else of the first interpolation in its node
    if (!self->interpolation) self->interpolation = st_find_class(object->node, &st_beams_class, ST_LOCAL);
    if (!self->interpolation || !st_is_a(self->interpolation, &st_beams_class))
        return st_invalid(object, "%s: it has no beams",
                          self->interpolation ? "interpolation names something that is no BeamInterpolation"
                                              : "there is no BeamInterpolation in its node");

    if (self->base.separate_gravity) {
        st_message(object, ST_ERROR, "separateGravity is not supported here: gravity stays a force");
        self->base.separate_gravity = false;
    }

    for (size_t i = 0; i < self->density.count; i++)
        if (!(self->density.data[i] >= 0 && self->density.data[i] <= ST_REAL_MAX))
            return st_invalid(object, "massDensity[%zu] is %g: it must not be negative", i,
                              (double)self->density.data[i]);
    return ST_OK;
}

// Interpolations of the node are initialized by now.
static st_status adaptive_beam_bwd_init(st_object *object) {
    adaptive_beam *self = (adaptive_beam *)object;
    // both must mean the same frames
    const st_state *state = st_beam_interpolation_state(self->interpolation);
    if (!state) return st_invalid(object, "'%s' has no beams", self->interpolation->name);
    if (state != self->base.force.state)
        return st_invalid(object, "'%s' has its beams on the state '%s', not on its own", self->interpolation->name,
                          state->object.name);

    const size_t count = st_beam_interpolation_count(self->interpolation);
    if (!st_list_reserve(&self->elements, count, 1)) return st_invalid(object, "out of memory for %zu beams", count);
    return ST_OK;
}

static void adaptive_beam_destroy(st_object *object) {
    adaptive_beam *self = (adaptive_beam *)object;
    st_list_free(&self->elements);
}

// ---------------------------------------------------------------------------------------------------
// Matrices in the middle frame
// ---------------------------------------------------------------------------------------------------

enum { X, Y, Z, RX, RY, RZ };

static st_real over(st_real a, st_real b) { return b != 0 ? a / b : 0; }

static void set_pair(st_real m[12][12], int i, int j, st_real value) { m[i][j] = m[j][i] = value; }

// The entries that stiffness and mass have in common places: diagonals of the two ends, diagonal between them, and how
// bending couples deflection and slope.
typedef struct beam_entries {
    st_real own[6], between[6];     // diagonals of (0,0), (1,1) and of (1,0)
    st_real own_ry_z, own_rz_y;     // of (0,0); with the opposite sign of (1,1)
    st_real y_rz, z_ry, ry_z, rz_y; // of (1,0)
} beam_entries;

static void fill_matrix(st_real m[12][12], const beam_entries *e, st_real factor) {
    memset(m, 0, 144 * sizeof(st_real));

    // diagonals of the four blocks
    for (int i = 0; i < 6; i++) {
        m[i][i] = m[6 + i][6 + i] = e->own[i] * factor;
        set_pair(m, 6 + i, i, e->between[i] * factor);
    }

    // deflection and slope of one end; at the other end the slope has the opposite sign
    set_pair(m, RY, Z, e->own_ry_z * factor);
    set_pair(m, RZ, Y, e->own_rz_y * factor);
    set_pair(m, 6 + RY, 6 + Z, -e->own_ry_z * factor);
    set_pair(m, 6 + RZ, 6 + Y, -e->own_rz_y * factor);

    // deflection of one end, slope of the other
    set_pair(m, 6 + Y, RZ, e->y_rz * factor);
    set_pair(m, 6 + Z, RY, e->z_ry * factor);
    set_pair(m, 6 + RY, Z, e->ry_z * factor);
    set_pair(m, 6 + RZ, Y, e->rz_y * factor);
}

static void stiffness_matrix(const st_beam *b, st_real k[12][12]) {
    const st_real l = b->length, g = over(b->young, 2 * (1 + b->poisson));
    const st_real ey = b->young * b->iy, ez = b->young * b->iz;

    // EA/L, 12 EI/L³, GJ/L, 4 EI/L; 6 EI/L² between deflection and slope
    const st_real own[6] = {over(b->young * b->area, l), over(12 * ez, l * l * l), over(12 * ey, l * l * l),
                            over(g * b->j, l),           over(4 * ey, l),          over(4 * ez, l)};
    const st_real ry_z = over(-6 * ey, l * l), rz_y = over(6 * ez, l * l);

    const beam_entries e = {
        .own = {own[0], own[1], own[2], own[3], own[4], own[5]},
        .between = {-own[0], -own[1], -own[2], -own[3], over(2 * ey, l), over(2 * ez, l)},
        .own_ry_z = ry_z,
        .own_rz_y = rz_y,
        .y_rz = -rz_y,
        .z_ry = -ry_z,
        .ry_z = ry_z,
        .rz_y = rz_y,
    };
    fill_matrix(k, &e, 1);
}

static void mass_matrix(const st_beam *b, st_real mass, st_real m[12][12]) {
    const st_real l = b->length, l2 = l * l, a = b->area;

    // integrals of products of cubic shape functions; terms with I are the rotary inertia of the section
    const st_real y_rz = 13 * l / 420 - over(b->iz, 10 * a * l), z_ry = -13 * l / 420 + over(b->iy, 10 * a * l);

    const beam_entries e = {
        .own = {ST_R(1) / 3, ST_R(13) / 35 + over(6 * b->iz, 5 * a * l2), ST_R(13) / 35 + over(6 * b->iy, 5 * a * l2),
                over(b->j, 3 * a), l2 / 105 + over(2 * b->iy, 15 * a), l2 / 105 + over(2 * b->iz, 15 * a)},
        .between = {ST_R(1) / 6, ST_R(9) / 70 - over(6 * b->iz, 5 * a * l2), ST_R(9) / 70 - over(6 * b->iy, 5 * a * l2),
                    over(b->j, 6 * a), -l2 / 140 - over(b->iy, 30 * a), -l2 / 140 - over(b->iz, 30 * a)},
        .own_ry_z = -11 * l / 210 - over(b->iy, 10 * a * l),
        .own_rz_y = 11 * l / 210 + over(b->iz, 10 * a * l),
        .y_rz = y_rz,
        .z_ry = z_ry,
        .ry_z = -z_ry,
        .rz_y = -y_rz,
    };
    fill_matrix(m, &e, mass);
}

// ---------------------------------------------------------------------------------------------------
// Displacements
// ---------------------------------------------------------------------------------------------------

static void axis_of(const st_real q[4], int axis, st_real r[3]) {
    const st_real unit[3] = {axis == 0, axis == 1, axis == 2};
    st_real n[4];

    st_quat_normalize(n, q);
    st_quat_rotate(r, n, unit);
}

// The angle between the second end and a frame that is carried along the curve from the first without twist.
static st_real twist_between(const st_real n[3][3], const st_real q1[4]) {
    const st_real columns[9] = {n[0][0], n[1][0], n[2][0], n[0][1], n[1][1], n[2][1], n[0][2], n[1][2], n[2][2]};
    st_real q[4], y1[3], y[3], z[3];

    st_quat_from_matrix(q, columns);
    axis_of(q1, 1, y1);
    axis_of(q, 1, y);
    axis_of(q, 2, z);

    // the angle from y to y1, its sign by the side on which y1 lies
    const st_real cosine = st_vec3_dot(y1, y);
    if (!(cosine <= 1)) return 0;
    const st_real angle = acos(st_max(cosine, -1));
    return st_vec3_dot(y1, z) < 0 ? -angle : angle;
}

// Elongation of both halves and twist, by a walk along the curve in steps of 0.02.
static void walk_along(const st_beam_curve *curve, const st_real q0[4], const st_real q1[4], st_real u[12]) {
    const st_real step = ST_R(0.02);
    st_real last[3], point[3], half[2] = {0, 0}, n[3][3];

    st_vec3_copy(last, curve->p[0]);
    axis_of(q0, 0, n[0]);
    axis_of(q0, 1, n[1]);
    axis_of(q0, 2, n[2]);

    for (st_real s = step; s < ST_R(1.00001); s += step) {
        st_beam_curve_point(curve, s, point);
        half[s < ST_R(0.50001) ? 0 : 1] += st_vec3_distance(point, last);
        st_vec3_copy(last, point);

        // x follows the tangent; z and y stay as near to what they were as they can
        st_beam_curve_derivative(curve, s, n[0]);
        st_vec3_normalize(n[0], n[0]);
        st_vec3_cross(n[2], n[0], n[1]);
        st_vec3_normalize(n[2], n[2]);
        st_vec3_cross(n[1], n[2], n[0]);
        st_vec3_normalize(n[1], n[1]);
    }

    // half of each for each end
    const st_real twist = twist_between((const st_real(*)[3])n, q1);
    u[X] = -half[0] + curve->length / 2;
    u[6 + X] = half[1] - curve->length / 2;
    u[RX] = -twist / 2;
    u[6 + RX] = twist / 2;
}

static void displacements(const adaptive_beam *self, const st_beam *beam, const st_beam_curve *curve,
                          const st_beam_frame end[2], const st_beam_frame *middle, const st_real *x, st_real u[12]) {
    // how the ends have moved against the middle since rest
    const st_beam_frame inverse = st_beam_frame_inverse(middle);
    for (int k = 0; k < 2; k++) {
        const st_beam_frame local = st_beam_frame_multiply(&inverse, &end[k]);
        st_real now[6], rest[6];

        st_beam_frame_spatial(now, &local);
        st_beam_frame_spatial(rest, &beam->rest[k]);
        for (int i = 0; i < 6; i++) u[6 * k + i] = now[i] - rest[i];
    }

    // other measures of elongation and twist take their place
    if (self->reinforce_length) {
        const st_real length = st_beam_curve_length(curve);
        u[X] = (beam->length - length) / 2;
        u[6 + X] = (length - beam->length) / 2;
    }
    if (!self->shear) walk_along(curve, x + 7 * (size_t)beam->dof[0] + 3, x + 7 * (size_t)beam->dof[1] + 3, u);
}

// ---------------------------------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------------------------------

static st_real density_of(const adaptive_beam *self, size_t b, const st_beam *beam) {
    if (beam->density >= 0) return beam->density; // of the section of a wire
    if (!self->density.count) return 1;

    const bool each = self->density.count == st_beam_interpolation_count(self->interpolation);
    return self->density.data[each ? b : 0];
}

// From the world, at the DOF, to the middle frame.
static void bring_to_middle(const st_beam *beam, int k, const st_beam_frame *middle, const st_real *x, st_real a[36]) {
    const st_real zero[3] = {0, 0, 0};
    // the end of the beam as seen from its DOF, along the axes of the world
    const st_beam_frame dof = st_beam_frame_make(zero, x + 7 * (size_t)beam->dof[k] + 3);
    const st_beam_frame node = st_beam_frame_multiply(&dof, &beam->node[k]);
    st_real origin[3];
    st_beam_frame_origin(origin, &node);

    // the same place with the axes of the middle frame
    const st_beam_frame turned = st_beam_frame_make(origin, middle->q), inverse = st_beam_frame_inverse(&turned);
    st_beam_frame_adjoint(a, &inverse);
}

static void evaluate_beam(const adaptive_beam *self, size_t b, const st_beam *beam, const st_real *x, element *e) {
    // the middle frame, and how vectors of the two DOFs get there
    const st_beam_frame end[2] = {st_beam_end(beam, 0, x), st_beam_end(beam, 1, x)};
    const st_beam_curve curve = st_beam_curve_make(&end[0], &end[1], beam->length);
    const st_beam_frame middle = st_beam_curve_frame(&curve, ST_R(0.5));
    for (int k = 0; k < 2; k++) {
        e->dof[k] = beam->dof[k];
        bring_to_middle(beam, k, &middle, x, e->to_middle[k]);
    }

    e->mass_of_beam = self->compute_mass ? density_of(self, b, beam) * beam->area * beam->length : 0;
    mass_matrix(beam, e->mass_of_beam, e->mass);

    e->elastic = beam->dof[0] != beam->dof[1];
    if (!e->elastic) return;

    stiffness_matrix(beam, e->stiffness);
    displacements(self, beam, &curve, end, &middle, x, e->u);
}

// Beams may have been added or taken away since the last time, and DOFs, too.
static void evaluate(adaptive_beam *self, const st_real *x) {
    const size_t count = st_beam_interpolation_count(self->interpolation);
    self->elements.count = 0;

    if (!st_list_reserve(&self->elements, count, 1)) {
        st_message_once(&self->base.force.object, "memory", ST_ERROR, "out of memory for %zu beams: it has no effect",
                        count);
        return;
    }

    for (size_t b = 0; b < count; b++) {
        st_beam beam;
        if (!st_beam_interpolation_get(self->interpolation, b, &beam)) continue;

        evaluate_beam(self, b, &beam, x, &self->elements.data[self->elements.count++]);
    }
}

// ---------------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------------

// r = A_0 v_0, A_1 v_1: vectors of the two DOFs, seen from the middle.
static void to_middle(const element *e, const st_real *v0, const st_real *v1, st_real r[12]) {
    const st_real *v[2] = {v0, v1};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) {
            st_real sum = 0;
            for (int j = 0; j < 6; j++) sum += e->to_middle[k][6 * i + j] * v[k][j];
            r[6 * k + i] = sum;
        }
}

// f_k += factor A_kᵀ (m_k0 v_0 + m_k1 v_1)
static void add_product(const element *e, const st_real m[12][12], const st_real v[12], st_real factor, st_real *f) {
    for (int k = 0; k < 2; k++) {
        st_real local[6];

        // in the middle frame
        for (int i = 0; i < 6; i++) {
            local[i] = 0;
            for (int j = 0; j < 12; j++) local[i] += m[6 * k + i][j] * v[j];
        }

        // back to the world
        st_real *at = f + 6 * (size_t)e->dof[k];
        for (int j = 0; j < 6; j++) {
            st_real sum = 0;
            for (int i = 0; i < 6; i++) sum += e->to_middle[k][6 * i + j] * local[i];
            at[j] += factor * sum;
        }
    }
}

// The blocks factor A_iᵀ m_ij A_j.
static void add_blocks(const element *e, const st_real m[12][12], st_real factor, st_sink *sink) {
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) {
            st_real half[6][6], block[36];

            // m_kl A_l
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) {
                    half[i][j] = 0;
                    for (int n = 0; n < 6; n++) half[i][j] += m[6 * k + i][6 * l + n] * e->to_middle[l][6 * n + j];
                }

            // A_kᵀ (m_kl A_l)
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) {
                    st_real sum = 0;
                    for (int n = 0; n < 6; n++) sum += e->to_middle[k][6 * n + i] * half[n][j];
                    block[6 * i + j] = factor * sum;
                }

            st_add_6x6(sink, 6 * (size_t)e->dof[k], 6 * (size_t)e->dof[l], block);
        }
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void adaptive_beam_add_force(st_force *force, const st_params *params) {
    adaptive_beam *self = (adaptive_beam *)force;
    st_real *f = st_f(force->state, params), g[6], weight[12];
    evaluate(self, st_x(force->state, params));

    // f = −Aᵀ K u
    for (size_t b = 0; b < self->elements.count; b++) {
        const element *e = &self->elements.data[b];
        if (e->elastic) add_product(e, e->stiffness, e->u, -1, f);
    }

    // weight: Aᵀ M A g
    if (!self->compute_mass) return;
    st_gravity(&force->object, st_state_dof(force->state), g);
    for (size_t b = 0; b < self->elements.count; b++) {
        const element *e = &self->elements.data[b];
        to_middle(e, g, g, weight);
        add_product(e, e->mass, weight, 1, f);
    }
}

// Has the state still all DOFs of the last evaluation?
static bool fits(const adaptive_beam *self) {
    const size_t size = self->base.force.state->size;
    for (size_t b = 0; b < self->elements.count; b++)
        if (self->elements.data[b].dof[0] >= size || self->elements.data[b].dof[1] >= size) return false;
    return true;
}

static void adaptive_beam_stiffness(st_force *force, const st_params *params, st_stiffness stiffness) {
    const adaptive_beam *self = (const adaptive_beam *)force;
    (void)params;
    if (!fits(self)) return;

    st_sink *sink = st_stiffness_between(stiffness, force->state, force->state);
    for (size_t b = 0; b < self->elements.count; b++) {
        const element *e = &self->elements.data[b];
        if (e->elastic) add_blocks(e, e->stiffness, -1, sink);
    }
}

static void adaptive_beam_product(st_force *force, const st_params *params, st_real k, st_real b) {
    const adaptive_beam *self = (const adaptive_beam *)force;
    (void)b;
    if (!fits(self)) return;

    const st_real *dx = st_dx(force->state, params);
    st_real *df = st_df(force->state, params), local[12];
    for (size_t n = 0; n < self->elements.count; n++) {
        const element *e = &self->elements.data[n];
        if (!e->elastic) continue;

        to_middle(e, dx + 6 * (size_t)e->dof[0], dx + 6 * (size_t)e->dof[1], local);
        add_product(e, e->stiffness, local, -k, df);
    }
}

// ½ uᵀ K u, less m g times the center of the beam. That of a cubic with the slopes x_0 and x_1 of its ends is
// (c_0 + c_1) / 2 + L (x_0 − x_1) / 12, which is what the consistent mass weighs.
static st_real beam_energy(const adaptive_beam *self, const element *e, const st_beam *beam, const st_real *x) {
    st_real energy = 0, axis[2][3], center[2][3];

    // elastic energy
    for (int i = 0; i < 12 && e->elastic; i++)
        for (int j = 0; j < 12; j++) energy += e->u[i] * e->stiffness[i][j] * e->u[j] / 2;

    // weight
    for (int k = 0; k < 2; k++) {
        const st_beam_frame end = st_beam_end(beam, k, x);
        st_beam_frame_origin(center[k], &end);
        st_quat_rotate(axis[k], end.q, (const st_real[3]){1, 0, 0});
    }
    for (int i = 0; i < 3; i++)
        energy -= e->mass_of_beam * self->base.force.object.node->gravity[i] *
                  ((center[0][i] + center[1][i]) / 2 + beam->length * (axis[0][i] - axis[1][i]) / 12);
    return energy;
}

static st_real adaptive_beam_potential(st_force *force, const st_params *params) {
    const adaptive_beam *self = (const adaptive_beam *)force;
    const size_t count = st_beam_interpolation_count(self->interpolation);
    const st_real *x = st_x(force->state, params);
    st_real energy = 0;

    for (size_t b = 0; b < count; b++) {
        st_beam beam;
        element e;
        if (!st_beam_interpolation_get(self->interpolation, b, &beam)) continue;

        evaluate_beam(self, b, &beam, x, &e);
        energy += beam_energy(self, &e, &beam, x);
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------

static bool adaptive_beam_is_diagonal(const st_mass *mass) {
    (void)mass;
    return false;
}

// Without a force evaluation before it, the present positions serve.
static const adaptive_beam *with_mass(st_mass *mass) {
    adaptive_beam *self = (adaptive_beam *)mass;
    if (!self->compute_mass || !mass->force.state->size) return NULL;

    if (!self->elements.count) evaluate(self, mass->force.state->coord[ST_COORD_POSITION].data);
    return fits(self) ? self : NULL;
}

static void adaptive_beam_matrix(st_mass *mass, st_inertia inertia) {
    const adaptive_beam *self = with_mass(mass);
    if (!self) return;

    st_sink *sink = st_inertia_of(inertia, mass->force.state);
    for (size_t b = 0; b < self->elements.count; b++)
        add_blocks(&self->elements.data[b], self->elements.data[b].mass, 1, sink);
}

static void adaptive_beam_mass_product(st_mass *mass, const st_params *params, st_real factor) {
    const adaptive_beam *self = with_mass(mass);
    if (!self) return;
    const st_real *dx = st_dx(mass->force.state, params);
    st_real *df = st_df(mass->force.state, params), local[12];

    for (size_t b = 0; b < self->elements.count; b++) {
        const element *e = &self->elements.data[b];
        to_middle(e, dx + 6 * (size_t)e->dof[0], dx + 6 * (size_t)e->dof[1], local);
        add_product(e, e->mass, local, factor, df);
    }
}

// ½ vᵀ M v
static st_real adaptive_beam_kinetic(st_mass *mass, const st_params *params) {
    const adaptive_beam *self = with_mass(mass);
    if (!self || mass->force.state->deriv[ST_DERIV_VELOCITY].count < mass->force.state->size) return 0;
    const st_real *v = st_v(mass->force.state, params);
    st_real energy = 0, local[12];

    for (size_t b = 0; b < self->elements.count; b++) {
        const element *e = &self->elements.data[b];
        to_middle(e, v + 6 * (size_t)e->dof[0], v + 6 * (size_t)e->dof[1], local);
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) energy += local[i] * e->mass[i][j] * local[j] / 2;
    }
    return energy;
}

// Half of each beam that ends there.
static st_real adaptive_beam_element_mass(const st_mass *mass, size_t index) {
    const adaptive_beam *self = (const adaptive_beam *)mass;
    const size_t count = self->compute_mass ? st_beam_interpolation_count(self->interpolation) : 0;
    st_real sum = 0;

    for (size_t b = 0; b < count; b++) {
        st_beam beam;
        if (!st_beam_interpolation_get(self->interpolation, b, &beam)) continue;
        for (int k = 0; k < 2; k++)
            if (beam.dof[k] == index) sum += density_of(self, b, &beam) * beam.area * beam.length / 2;
    }
    return sum;
}

static const st_force_ops force_ops = {
    .add_force = adaptive_beam_add_force,
    .stiffness = adaptive_beam_stiffness,
    .product = adaptive_beam_product,
    .potential = adaptive_beam_potential,
};
static const st_mass_ops mass_ops = {
    .is_diagonal = adaptive_beam_is_diagonal,
    .matrix = adaptive_beam_matrix,
    .product = adaptive_beam_mass_product,
    .kinetic = adaptive_beam_kinetic,
    .element_mass = adaptive_beam_element_mass,
};

const st_class st_adaptive_beam_force_field_and_mass_class = {
    .name = "AdaptiveBeamForceFieldAndMass",
    .help = "elastic beams with consistent mass, on the beams of a BeamInterpolation",
    .parent = &st_mass_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(adaptive_beam),
    .example = "<MeshTopology edges=\"0 1  1 2\"/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1\"/>\n"
               "<BeamInterpolation radius=\"0.1\" defaultYoungModulus=\"10000\"/>\n"
               "<AdaptiveBeamForceFieldAndMass massDensity=\"10\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = adaptive_beam_init,
    .bwd_init = adaptive_beam_bwd_init,
    .destroy = adaptive_beam_destroy,
    .force = &force_ops,
    .mass = &mass_ops,
};
