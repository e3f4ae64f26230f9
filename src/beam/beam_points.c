// Points of beams. See beam_points.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "beam/beam_points.h"

#include "beam/beam_curve.h"
#include "mapping/states.h"
#include "scene/compat.h"

// ---------------------------------------------------------------------------------------------------
// Where a point is
// ---------------------------------------------------------------------------------------------------

st_real st_beams_total(const st_beams *beams) {
    st_real total = 0;
    for (size_t b = 0; b < beams->length_list.count; b++) total += beams->length_list.data[b];
    return total;
}

// Of a wire only the last part is out: the abscissa counts from its hidden end. Before it: the first beam; beyond: the
// last one.
static void place_by_abscissa(const st_beams *beams, st_real x, size_t *beam, st_real *s) {
    const size_t count = beams->edge_list.count;
    const st_real hidden = beams->rest_length < 0 ? 0 : beams->rest_length - st_beams_total(beams);
    st_real start = 0;
    *beam = 0, *s = 0;
    if (beams->rest_length < 0 && st_compat_on(beams->object.scene, ST_COMPAT_BEAM_ABSCISSAS)) return;

    // the first beam that ends beyond
    x -= hidden;
    if (x < 0) return;
    for (size_t b = 0; b < count && b < beams->length_list.count; b++) {
        const st_real end = start + beams->length_list.data[b];
        if (end > x) {
            *beam = b, *s = (x - start) / beams->length_list.data[b];
            return;
        }
        start = end;
    }
    *beam = count - 1, *s = 1;
}

// False: there is no such beam.
static bool locate(const st_beam_point *p, st_beam *beam, st_real *s) {
    const size_t count = st_beam_interpolation_count(p->beams);
    size_t b = 0;
    if (count == 0) return false;

    if (p->by_abscissa) place_by_abscissa((const st_beams *)p->beams, p->at[0], &b, s);
    else {
        if (!(p->at[0] >= 0)) return false;
        const st_real whole = floor(p->at[0]);
        if (!(whole < (st_real)count)) return false;
        b = (size_t)whole, *s = p->at[0] - whole;
    }
    return st_beam_interpolation_get(p->beams, b, beam);
}

static bool is_offset(const st_beam_point *p, const st_beam *beam) {
    return sqrt(p->at[1] * p->at[1] + p->at[2] * p->at[2]) > ST_R(1e-10) * beam->length;
}

static void place(const st_beam_point *p, const st_beam *beam, st_real s, const st_real *x, bool rigid, st_real *out) {
    const st_beam_frame f0 = st_beam_end(beam, 0, x), f1 = st_beam_end(beam, 1, x);
    const st_beam_curve curve = st_beam_curve_make(&f0, &f1, beam->length);

    // on the curve; one that is folded up has one place only
    if (!rigid && !is_offset(p, beam)) {
        if (st_vec3_distance(curve.p[0], curve.p[3]) < ST_R(0.01) * beam->length) st_vec3_copy(out, curve.p[0]);
        else st_beam_curve_point(&curve, s, out);
        return;
    }

    // beside it, in the frame there; a frame itself has no offset
    const st_beam_frame frame = st_beam_curve_frame(&curve, s);
    st_real side[3];
    st_beam_frame_origin(out, &frame);
    if (rigid) {
        st_quat_copy(out + 3, frame.q);
        return;
    }
    st_quat_rotate(side, frame.q, (const st_real[3]){0, p->at[1], p->at[2]});
    st_vec3_add(out, out, side);
}

void st_beam_points_apply(const st_beam_points *points, st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_state *child = st_mapping_out(mapping);
    st_real *to = st_whole_position(child, out.index);
    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);
    const size_t width = st_state_dof(child)->coord;

    for (size_t i = 0; to && x && i < points->count && i < child->size; i++, to += width) {
        st_beam beam;
        st_real s = 0;
        if (locate(&points->data[i], &beam, &s)) place(&points->data[i], &beam, s, x, width == 7, to);
        else
            for (size_t k = 0; k < width; k++) to[k] = k == 6 ? 1 : 0;
    }
}

// ---------------------------------------------------------------------------------------------------
// How a point moves with an end
// ---------------------------------------------------------------------------------------------------

// Velocity (linear, and angular of frames) when end k of the beam alone moves by (v, ω).
static void velocity_with(const st_beam_point *p, const st_beam *beam, st_real s, const st_beam_frame *d, int k,
                          const st_real move[6], st_real out[6]) {
    const st_real r = 1 - s, b[4] = {r * r * r, 3 * s * r * r, 3 * s * s * r, s * s * s};
    const st_real near = b[k == 0 ? 0 : 3], far = b[k == 0 ? 1 : 2], arm[3] = {beam->length / 3, 0, 0};
    const st_beam_frame inverse = st_beam_frame_inverse(d);
    st_real angular[3], linear[3], t[3];

    // (ω, v) of the DOF, seen from the end of the beam
    st_quat_rotate(angular, inverse.q, move + 3);
    st_vec3_cross(t, move + 3, inverse.o);
    st_vec3_add(t, t, move);
    st_quat_rotate(linear, inverse.q, t);

    // its two control points, the second at a third of the length
    st_vec3_cross(t, arm, angular);
    st_real local[3];
    for (int i = 0; i < 3; i++) local[i] = near * linear[i] + far * (linear[i] + (k == 0 ? -t[i] : t[i]));

    // the offset turns with the end
    if (is_offset(p, beam)) {
        st_vec3_cross(t, (const st_real[3]){0, p->at[1], p->at[2]}, angular);
        for (int i = 0; i < 3; i++) local[i] -= (near + far) * t[i];
    }

    st_quat_rotate(out, d->q, local);
    st_quat_rotate(out + 3, d->q, angular);
    for (int i = 3; i < 6; i++) out[i] *= near + far;
}

static void add_end(const st_beam_point *p, const st_beam *beam, st_real s, int k, const st_real *x, size_t rows,
                    size_t row, st_sink *sink) {
    const st_real zero[3] = {0, 0, 0};
    const st_beam_frame dof = st_beam_frame_make(zero, x + 7 * (size_t)beam->dof[k] + 3);
    const st_beam_frame d = st_beam_frame_multiply(&dof, &beam->node[k]);
    st_real block[36];

    // column by column
    for (size_t c = 0; c < 6; c++) {
        st_real move[6] = {0}, out[6];
        move[c] = 1;
        velocity_with(p, beam, s, &d, k, move, out);
        for (size_t r = 0; r < rows; r++) block[6 * r + c] = out[r];
    }
    sink->add(sink, row, 6 * (size_t)beam->dof[k], rows, 6, block);
}

// With the present frames, whatever was mapped last.
void st_beam_points_jacobian(const st_beam_points *points, st_mapping *mapping, st_sink *sink) {
    const st_state *child = st_mapping_out(mapping), *parent = st_mapping_in(mapping);
    const size_t rows = st_state_dof(child)->deriv;
    const st_reals *x = &parent->coord[ST_COORD_POSITION];
    if (x->count < parent->size) return;

    for (size_t i = 0; i < points->count && i < child->size; i++) {
        st_beam_point p = points->data[i];
        st_beam beam;
        st_real s = 0;
        if (!locate(&p, &beam, &s)) continue;
        if (rows == 6) p.at[1] = p.at[2] = 0;
        for (int k = 0; k < 2; k++) add_end(&p, &beam, s, k, x->data, rows, rows * i, sink);
    }
}
