// Frames that turn with the tetrahedra that carry them.
//
// With the edges of a tetrahedron from its first node as the columns of D (D0 at init) and the frame's axes at init as
// those of R0, the columns of D0⁻¹ R0 are the axes in the coordinates of the tetrahedron. Each is made a unit vector
// there, which gives N; the orientation is the rotation R of the polar decomposition
//
//     D N = V R,   V symmetric.
//
// Its derivative: with s_k = R N_kᵀ for the nodes k = 1, 2, 3 (N_k a row of N) and s_0 = −(s_1 + s_2 + s_3),
//
//     ω = (tr V I − V)⁻¹ Σ_k s_k × v_k.
//
// and its own, with V' = D' N Rᵀ − V [ω]×:
//
//     (dJ/dt) v = (tr V I − V)⁻¹ (Σ_k (ω × s_k) × v_k − (tr V' I − V') ω).
//
// A torque τ on the frame gives the forces g_k = y × s_k with y = (tr V I − V)⁻¹ τ. Written as ω = Σ_l J_l v_l, with
// J_l = (tr V I − V)⁻¹ [s_l]×, their change is the geometric stiffness, of blocks
//
//     ∂g_k/∂x_l = [s_k]× (tr V I − V)⁻¹ (y s_lᵀ − (s_l · y) I − V [y]× J_l) − [y]× [s_k]× J_l.
//
// SOFA takes ω = Σ_k x_k × v_k instead, with the places of the nodes in the world, which the compatibility table
// reproduces; the blocks are then ∂g_k/∂x_k = [τ]×. A tetrahedron without volume, or turned inside out, has no
// rotation: its frames stay as they are, and their J is zero.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/barycentric_frames.h"

#include "base/array.h"
#include "mapping/states.h"
#include "math/decompose.h"
#include "math/dense.h"
#include "math/quat.h"
#include "scene/compat.h"

enum { NODES = 4 };

static const uint32_t *nodes_of(const st_barycentric_rows *rows, size_t i) {
    return rows->nodes.data + rows->start.data[i];
}

static void edges_of(const uint32_t *nodes, const st_real *x, st_real d[9]) {
    const st_real *first = x + 3 * (size_t)nodes[0];

    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) d[3 * c + k] = x[3 * (size_t)nodes[k + 1] + (size_t)c] - first[c];
}

static bool barycentric_frames_fits(const st_barycentric_frames *frames, const st_mapping *mapping) {
    return frames->axes.count > 0 && st_mapping_out(mapping)->size == frames->axes.count;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void make_axes(const uint32_t *nodes, const st_real *x, const st_real r[9], st_real n[9]) {
    st_real d[9], inverse[9];
    st_mat3_zero(n);

    edges_of(nodes, x, d);
    if (!st_mat3_inverse_above(inverse, d, 0)) return;

    // the axes in the coordinates of the tetrahedron, each made a unit vector there
    st_mat3_multiply(n, inverse, r);

    for (int c = 0; c < 3; c++) {
        const st_real norm = sqrt(n[c] * n[c] + n[3 + c] * n[3 + c] + n[6 + c] * n[6 + c]);
        for (int k = 0; k < 3 && norm > 0; k++) n[3 * k + c] /= norm;
    }
}

bool st_barycentric_frames_make(st_barycentric_frames *frames, const st_barycentric_rows *rows, const st_real *nodes,
                                const st_real *coordinates) {
    const size_t count = st_barycentric_count(rows);

    frames->axes.count = 0;

    // axes are counted last: without them there are no frames
    if (!st_list_set_count(&frames->turn, count, 9) || !st_list_set_count(&frames->edges, count, 9) ||
        !st_list_set_count(&frames->arms, count, 9 * NODES) || !st_list_set_count(&frames->axes, count, 9)) {
        frames->axes.count = 0;
        return false;
    }

    // D0⁻¹ R0, with the orientation at init
    for (size_t i = 0; i < count; i++) {
        st_quat_to_matrix(frames->turn.data + 9 * i, coordinates + 7 * i + 3);
        make_axes(nodes_of(rows, i), nodes, frames->turn.data + 9 * i, frames->axes.data + 9 * i);
    }
    return true;
}

void st_barycentric_frames_free(st_barycentric_frames *frames) {
    st_list_free(&frames->axes);
    st_list_free(&frames->turn);
    st_list_free(&frames->edges);
    st_list_free(&frames->arms);
}

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// tr A I − A
static void subtract_from_trace(st_real a[9]) {
    const st_real trace = st_mat3_trace(a);
    for (int k = 0; k < 9; k++) a[k] = (k % 4 == 0 ? trace : 0) - a[k];
}

// V = M Rᵀ and (tr V I − V)⁻¹, with M = D N.
static void find_gain(const st_real m[9], const st_real r[9], st_real v[9], st_real gain[9]) {
    st_real difference[9];
    st_mat3_multiply_transpose(v, m, r);

    st_mat3_copy(difference, v);
    subtract_from_trace(difference);
    if (!st_mat3_inverse_above(gain, difference, 0)) st_mat3_zero(gain);
}

// s_k of the four nodes.
static void find_levers(const st_real r[9], const st_real n[9], st_real s[NODES][3]) {
    st_vec3_zero(s[0]);

    for (int k = 1; k < NODES; k++) {
        st_mat3_times_vec(s[k], r, n + 3 * (k - 1));
        st_vec3_sub(s[0], s[0], s[k]);
    }
}

// (tr V I − V)⁻¹ [s_k]× for the four nodes.
static void find_arms(const st_real m[9], const st_real r[9], const st_real n[9], st_real arms[9 * NODES]) {
    st_real v[9], gain[9], s[NODES][3];

    find_gain(m, r, v, gain);
    find_levers(r, n, s);

    for (int k = 0; k < NODES; k++) {
        st_mat3_cross(arms + 9 * k, s[k]);
        st_mat3_multiply(arms + 9 * k, gain, arms + 9 * k);
    }
}

void st_barycentric_frames_apply(st_barycentric_frames *frames, const st_barycentric_rows *rows, st_mapping *mapping,
                                 st_coord_id out, st_const_coord_id in) {
    const bool compat = st_compat_on(mapping->object.scene, ST_COMPAT_BARYCENTRIC_FRAME_ARMS);
    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    if (!x || !to || !barycentric_frames_fits(frames, mapping)) return;

    for (size_t i = 0; i < frames->axes.count; i++) {
        // M = D N; inside out or flat: the last rotation stays, and M is zero
        const uint32_t *nodes = nodes_of(rows, i);
        st_real d[9], *m = frames->edges.data + 9 * i, r[9], *arms = frames->arms.data + 9 * NODES * i;
        edges_of(nodes, x, d);
        st_mat3_multiply(m, d, frames->axes.data + 9 * i);
        if (st_mat3_determinant(m) > 0 && st_polar(r, m)) st_mat3_copy(frames->turn.data + 9 * i, r);
        else st_mat3_zero(m);

        st_quat_from_matrix(to + 7 * i + 3, frames->turn.data + 9 * i);

        if (!compat) find_arms(m, frames->turn.data + 9 * i, frames->axes.data + 9 * i, arms);
        for (int k = 0; compat && k < NODES; k++) st_mat3_cross(arms + 9 * k, x + 3 * (size_t)nodes[k]);
    }
}

// ω = Σ_k J_k v_k
static void find_turning(const st_real arms[9 * NODES], const uint32_t *nodes, const st_real *v, st_real omega[3]) {
    st_vec3_zero(omega);

    for (int k = 0; k < NODES; k++) {
        st_real part[3];
        st_mat3_times_vec(part, arms + 9 * k, v + 3 * (size_t)nodes[k]);
        st_vec3_add(omega, omega, part);
    }
}

void st_barycentric_frames_apply_j(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                   st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_real *v = st_whole_velocity(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_velocity(st_mapping_out(mapping), out.index);
    if (!v || !to || !barycentric_frames_fits(frames, mapping)) return;

    for (size_t i = 0; i < frames->axes.count; i++)
        find_turning(frames->arms.data + 9 * NODES * i, nodes_of(rows, i), v, to + 6 * i + 3);
}

// (dJ/dt) v of one frame.
static void find_curvature(const st_barycentric_frames *frames, size_t i, const uint32_t *nodes, const st_real *v,
                           st_real curvature[3]) {
    const st_real *turn = frames->turn.data + 9 * i, *axes = frames->axes.data + 9 * i;
    st_real stretch[9], gain[9], rate[9], cross[9], omega[3], sum[3] = {0, 0, 0}, part[3], s[NODES][3];

    find_gain(frames->edges.data + 9 * i, turn, stretch, gain);
    find_levers(turn, axes, s);
    find_turning(frames->arms.data + 9 * NODES * i, nodes, v, omega);

    for (int k = 1; k < NODES; k++) { // s_0 is minus the sum of the others
        st_real relative[3];

        // (ω × s_k) × (v_k − v_0)
        st_vec3_sub(relative, v + 3 * (size_t)nodes[k], v + 3 * (size_t)nodes[0]);
        st_vec3_cross(part, omega, s[k]);
        st_vec3_cross(part, part, relative);
        st_vec3_add(sum, sum, part);
    }

    // V' = D' N Rᵀ − V [ω]×
    edges_of(nodes, v, rate);
    st_mat3_multiply(rate, rate, axes);
    st_mat3_multiply_transpose(rate, rate, turn);
    st_mat3_cross(cross, omega);
    st_mat3_multiply(cross, stretch, cross);
    st_mat3_add_scaled(rate, rate, cross, -1); // V'

    // (tr V' I − V') ω
    subtract_from_trace(rate);
    st_mat3_times_vec(part, rate, omega);
    st_vec3_sub(sum, sum, part);

    st_mat3_times_vec(curvature, gain, sum);
}

void st_barycentric_frames_add_curvature(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                         st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    const st_real *velocity = st_whole_velocity(st_mapping_in(mapping), v.index);
    st_real *to = st_whole_velocity(st_mapping_out(mapping), a.index), curvature[3];

    if (!velocity || !to || !barycentric_frames_fits(frames, mapping)) return;
    if (st_compat_on(mapping->object.scene, ST_COMPAT_BARYCENTRIC_FRAME_ARMS)) return; // v_k × v_k = 0

    for (size_t i = 0; i < frames->axes.count; i++) {
        find_curvature(frames, i, nodes_of(rows, i), velocity, curvature);
        st_vec3_add(to + 6 * i + 3, to + 6 * i + 3, curvature);
    }
}

void st_barycentric_frames_apply_jt(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                    st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_real *from = st_whole_force(st_mapping_out(mapping), out.index);
    st_real *to = st_whole_force(st_mapping_in(mapping), in.index);
    if (!from || !to || !barycentric_frames_fits(frames, mapping)) return;

    for (size_t i = 0; i < frames->axes.count; i++) {
        const uint32_t *nodes = nodes_of(rows, i);
        const st_real *weights = rows->weights.data + rows->start.data[i];

        // w f on each node, and J_kᵀ τ
        for (int k = 0; k < NODES; k++) {
            st_real *f = to + 3 * (size_t)nodes[k], part[3];
            st_vec3_add_scaled(f, f, from + 6 * i, weights[k]);
            st_mat3_transpose_times_vec(part, frames->arms.data + 9 * (NODES * i + (size_t)k), from + 6 * i + 3);
            st_vec3_add(f, f, part);
        }
    }
}

void st_barycentric_frames_jacobian(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                    const st_mapping *mapping, st_sink *sink) {
    if (!barycentric_frames_fits(frames, mapping)) return;

    for (size_t i = 0; i < frames->axes.count; i++)
        for (int k = 0; k < NODES; k++)
            st_add_3x3(sink, 6 * i + 3, 3 * (size_t)nodes_of(rows, i)[k],
                       frames->arms.data + 9 * (NODES * i + (size_t)k));
}

// ---------------------------------------------------------------------------------------------------
// Geometric stiffness
// ---------------------------------------------------------------------------------------------------

enum { WIDTH = 3 * NODES };

static void put_block(st_real element[WIDTH * WIDTH], int row, int col, const st_real block[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) element[(3 * row + r) * WIDTH + 3 * col + c] = block[3 * r + c];
}

static void find_element(const st_barycentric_frames *frames, size_t i, const st_real torque[3],
                         st_real element[WIDTH * WIDTH]) {
    const st_real *turn = frames->turn.data + 9 * i, *axes = frames->axes.data + 9 * i;
    const st_real *arms = frames->arms.data + 9 * NODES * i;
    st_real v[9], gain[9], y[3], cross_y[9], s[NODES][3];

    // y = (tr V I − V)⁻¹ τ
    find_gain(frames->edges.data + 9 * i, turn, v, gain);
    find_levers(turn, axes, s);
    st_mat3_times_vec(y, gain, torque);
    st_mat3_cross(cross_y, y);

    for (int l = 0; l < NODES; l++) {
        st_real change[9], part[9];

        // (tr V I − V)⁻¹ (y s_lᵀ − (s_l · y) I − V [y]× J_l) = −∂y/∂x_l
        st_mat3_multiply(part, cross_y, arms + 9 * l);
        st_mat3_multiply(change, v, part);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                change[3 * r + c] = y[r] * s[l][c] - (r == c ? st_vec3_dot(s[l], y) : 0) - change[3 * r + c];
        st_mat3_multiply(change, gain, change);

        // [s_k]× change − [y]× [s_k]× J_l
        for (int k = 0; k < NODES; k++) {
            st_real cross_s[9], block[9];
            st_mat3_cross(cross_s, s[k]);
            st_mat3_multiply(block, cross_s, change);
            st_mat3_multiply(part, cross_s, arms + 9 * l);
            st_mat3_multiply(part, cross_y, part);
            st_mat3_add_scaled(block, block, part, -1);
            put_block(element, k, l, block);
        }
    }
}

void st_barycentric_frames_geometric(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                     const st_mapping *mapping, int32_t option, const st_params *params,
                                     st_stiffness stiffness) {
    const bool compat = st_compat_on(mapping->object.scene, ST_COMPAT_BARYCENTRIC_FRAME_ARMS);
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (option == ST_GEOMETRIC_NONE || !f || !barycentric_frames_fits(frames, mapping)) return;

    st_sink *sink = st_stiffness_between(stiffness, st_mapping_in(mapping), st_mapping_in(mapping));
    for (size_t i = 0; i < frames->axes.count; i++) {
        const st_real *torque = f + 6 * i + 3;
        st_real element[WIDTH * WIDTH] = {0}, block[9];

        // as in SOFA: [τ]× on each node
        st_mat3_cross(block, torque);
        for (int k = 0; compat && k < NODES; k++) put_block(element, k, k, block);

        if (!compat) find_element(frames, i, torque, element);
        if (option == ST_GEOMETRIC_STABILIZED) st_dense_project_negative(element, WIDTH);

        st_add_element(sink, NODES, nodes_of(rows, i), 3, element);
    }
}
