// The loops over packs of triangles: forces, strains, products (triangle_model.h gives the formulas). Compiled for each
// instruction set (math/simd.h): with all code in one file, the compiler can use the same registers throughout.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/triangle/triangle_model.h"
#include "math/pack_rotation.h"

// β and γ for corners (bx, by) and (cx, cy); zero where the triangle has no area.
ST_PACK_INLINE st_pack_mask gradients(st_pack g[6], const st_pack b[2], const st_pack c[2], st_pack det) {
    const st_pack zero = st_pack_splat(0);
    const st_pack_mask flat = (st_pack_mask)(st_pack_abs(det) < st_pack_splat(ST_REAL_EPSILON));

    // (y_j - y_k, x_k - x_j) / det of the opposite edge, corner after corner
    g[0] = (b[1] - c[1]) / det;
    g[1] = (c[0] - b[0]) / det;
    g[2] = c[1] / det;
    g[3] = -c[0] / det;
    g[4] = -b[1] / det;
    g[5] = b[0] / det;

    for (int k = 0; k < 6; k++) g[k] = st_pack_select(flat, zero, g[k]);
    return flat;
}

ST_PACK_INLINE void strain_of(st_pack e[3], const st_pack g[6], const st_pack d[6]) {
    e[0] = g[0] * d[0] + g[2] * d[2] + g[4] * d[4];
    e[1] = g[1] * d[1] + g[3] * d[3] + g[5] * d[5];
    e[2] = g[1] * d[0] + g[0] * d[1] + g[3] * d[2] + g[2] * d[3] + g[5] * d[4] + g[4] * d[5];
}

ST_PACK_INLINE void stress_of(st_pack s[3], const st_pack k[6], const st_pack e[3]) {
    s[0] = k[0] * e[0] + k[1] * e[1] + k[2] * e[2];
    s[1] = k[1] * e[0] + k[3] * e[1] + k[4] * e[2];
    s[2] = k[2] * e[0] + k[4] * e[1] + k[5] * e[2];
}

// The forces of a stress on the three corners, in the world.
ST_PACK_INLINE void corner_forces(st_pack f[9], const st_pack g[6], const st_pack s[3], const st_pack frame[6]) {
    for (int i = 0; i < 3; i++) {
        const st_pack x = g[2 * i] * s[0] + g[2 * i + 1] * s[2], y = g[2 * i + 1] * s[1] + g[2 * i] * s[2];
        for (int k = 0; k < 3; k++) f[3 * i + k] = frame[k] * x + frame[3 + k] * y;
    }
}

ST_PACK_INLINE void gather_corners(st_pack x[9], const st_triangle_call *call, size_t p) {
    const uint32_t *nodes = call->model->mesh.nodes + p * ST_PACK_SIZE * 3;
    for (int i = 0; i < 3; i++) st_pack3_gather(x + 3 * i, call->x, nodes + ST_PACK_SIZE * i);
}

// The frame, corners B and C in it as seen from A, and twice the area of the triangle in it.
ST_PACK_INLINE st_pack find_corners(st_pack frame[6], st_pack b[2], st_pack c[2], const st_pack x[9],
                                    st_triangle_method method) {
    const st_pack zero = st_pack_splat(0), one = st_pack_splat(1);
    st_pack ab[3], ac[3], axes[9];
    st_pack3_sub(ab, x + 3, x);
    st_pack3_sub(ac, x + 6, x);

    // x along AB: by = 0
    if (method == ST_TRIANGLE_LARGE) {
        st_pack_frame_rows(axes, ab, ac);
        for (int k = 0; k < 6; k++) frame[k] = axes[k];
        b[0] = st_pack3_dot(frame, ab);
        b[1] = zero;
        c[0] = st_pack3_dot(frame, ac);
        c[1] = st_pack3_dot(frame + 3, ac);
        return b[0] * c[1];
    }

    // the world's x and y
    for (int k = 0; k < 6; k++) frame[k] = k % 4 == 0 ? one : zero;
    for (int k = 0; k < 2; k++) {
        b[k] = ab[k];
        c[k] = ac[k];
    }

    st_pack3_cross(axes, ab, ac);
    return st_pack_sqrt(st_pack3_dot(axes, axes));
}

// Frame, gradients and strain of the triangles of a pack as they are now.
ST_PACK_INLINE void evaluate(const st_triangle_call *call, size_t p, st_pack frame[6], st_pack g[6], st_pack e[3],
                             st_triangle_method method) {
    st_triangle_model *model = call->model;
    const st_pack zero = st_pack_splat(0), *rest = model->rest[p];
    st_pack x[9], b[2], c[2];
    gather_corners(x, call, p);

    // d = rest - current, A being the origin
    const st_pack det = find_corners(frame, b, c, x, method);
    const st_pack d[6] = {zero, zero, rest[0] - b[0], rest[1] - b[1], rest[2] - c[0], rest[3] - c[1]};

    // Several threads may find a flat triangle: all write the same.
    if (st_pack_any(gradients(g, b, c, det))) __atomic_store_n(&model->flat, true, __ATOMIC_RELAXED);
    strain_of(e, g, d);
}

ST_PACK_INLINE void force_body(void *context, size_t begin, size_t end, st_real *results, st_triangle_method method) {
    const st_triangle_call *call = context;
    st_triangle_model *model = call->model;
    for (size_t p = begin; p < end; p++) {
        st_pack frame[6], g[6], e[3], s[3], f[9];
        evaluate(call, p, frame, g, e, method);
        stress_of(s, model->material[p], e);
        corner_forces(f, g, s, frame);

        // for the derivative
        for (int k = 0; k < 6; k++) {
            model->frame[p][k] = frame[k];
            model->gradient[p][k] = g[k];
        }

        for (int k = 0; k < 9; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k]);
    }
}

ST_PACK_INLINE void strain_body(void *context, size_t begin, size_t end, st_real *results, st_triangle_method method) {
    for (size_t p = begin; p < end; p++) {
        st_pack frame[6], g[6], e[3];
        evaluate(context, p, frame, g, e, method);
        for (int k = 0; k < 3; k++, results += ST_PACK_SIZE) st_pack_store(results, e[k]);
    }
}

static void product_any(void *context, size_t begin, size_t end, st_real *results) {
    const st_triangle_call *call = context;
    const st_triangle_model *model = call->model;
    const st_pack factor = st_pack_splat(-call->factor);
    for (size_t p = begin; p < end; p++) {
        const st_pack *frame = model->frame[p], *g = model->gradient[p];
        st_pack dx[9], d[6], e[3], s[3], f[9];

        // d = F dx
        gather_corners(dx, call, p);
        for (int i = 0; i < 3; i++) {
            d[2 * i] = st_pack3_dot(frame, dx + 3 * i);
            d[2 * i + 1] = st_pack3_dot(frame + 3, dx + 3 * i);
        }

        // df = -k Fᵀ Bᵀ C B d
        strain_of(e, g, d);
        stress_of(s, model->material[p], e);
        corner_forces(f, g, s, frame);
        for (int k = 0; k < 9; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k] * factor);
    }
}

// ---------------------------------------------------------------------------------------------------
// With the gradients of the rest shape
// ---------------------------------------------------------------------------------------------------

// x along AB, y = (AB × AC) × AB normalized.
ST_PACK_INLINE void find_axes(st_pack frame[6], const st_pack ab[3], const st_pack ac[3]) {
    st_pack normal[3], y[3];
    st_pack3_normalize(frame, ab);
    st_pack3_cross(normal, ab, ac);
    st_pack3_cross(y, normal, ab);
    st_pack3_normalize(frame + 3, y);
}

// s times the stress of 2 area times a strain.
ST_PACK_INLINE void rest_stress(st_pack s[3], const st_pack c[ST_TRIANGLE_CONSTANTS], const st_pack e[3],
                                st_pack scale) {
    const st_pack mu = c[ST_TRIANGLE_MU], both = c[ST_TRIANGLE_GAMMA] * (e[0] + e[1]), half = st_pack_splat(ST_R(0.5));
    s[0] = scale * (mu * e[0] + both);
    s[1] = scale * (mu * e[1] + both);
    s[2] = scale * (half * mu * e[2]);
}

ST_PACK_INLINE void rest_forces(st_pack f[9], const st_pack c[ST_TRIANGLE_CONSTANTS], const st_pack s[3],
                                const st_pack frame[6]) {
    const st_pack bx = c[ST_TRIANGLE_BX], cx = c[ST_TRIANGLE_CX], cy = c[ST_TRIANGLE_CY];
    const st_pack x = cy * s[0] - cx * s[2], y = cy * s[2] - cx * s[1];

    // fB = x (cy σ0 - cx σ2) + y (cy σ2 - cx σ1), fC = x bx σ2 + y bx σ1
    for (int k = 0; k < 3; k++) {
        f[3 + k] = frame[k] * x + frame[3 + k] * y;
        f[6 + k] = frame[k] * (bx * s[2]) + frame[3 + k] * (bx * s[1]);
        f[k] = -f[3 + k] - f[6 + k];
    }
}

// Frame, and 2 area times the strain, of the triangles of a pack as they are now.
ST_PACK_INLINE void rest_strain(const st_triangle_call *call, size_t p, st_pack frame[6], st_pack e[3]) {
    const st_pack *c = call->model->constants[p];
    st_pack x[9], ab[3], ac[3];
    gather_corners(x, call, p);
    st_pack3_sub(ab, x + 3, x);
    st_pack3_sub(ac, x + 6, x);
    find_axes(frame, ab, ac);

    // dby = 0: AB is along x now and at rest
    const st_pack bx = c[ST_TRIANGLE_BX], cx = c[ST_TRIANGLE_CX], cy = c[ST_TRIANGLE_CY];
    const st_pack dbx = bx - st_pack3_dot(frame, ab), dcx = cx - st_pack3_dot(frame, ac);
    const st_pack dcy = cy - st_pack3_dot(frame + 3, ac);
    e[0] = cy * dbx;
    e[1] = bx * dcy;
    e[2] = bx * dcx - cx * dbx;
}

static void force_rest(void *context, size_t begin, size_t end, st_real *results) {
    const st_triangle_call *call = context;
    st_triangle_model *model = call->model;
    for (size_t p = begin; p < end; p++) {
        st_pack frame[6], e[3], s[3], f[9];

        // f = Fᵀ Bᵀ C e, with B of the rest shape
        rest_strain(call, p, frame, e);
        rest_stress(s, model->constants[p], e, model->constants[p][ST_TRIANGLE_SCALE]);
        rest_forces(f, model->constants[p], s, frame);

        // products use the frame of this evaluation
        for (int k = 0; k < 6; k++) model->frame[p][k] = frame[k];
        for (int k = 0; k < 9; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k]);
    }
}

static void strain_rest(void *context, size_t begin, size_t end, st_real *results) {
    const st_triangle_call *call = context;
    const st_pack two = st_pack_splat(2);
    for (size_t p = begin; p < end; p++) {
        st_pack frame[6], e[3];
        rest_strain(call, p, frame, e);

        // e comes without the factor 1 / det; SCALE is 1 / (2 det)
        const st_pack inverse = two * call->model->constants[p][ST_TRIANGLE_SCALE];
        for (int k = 0; k < 3; k++, results += ST_PACK_SIZE) st_pack_store(results, e[k] * inverse);
    }
}

static void product_rest(void *context, size_t begin, size_t end, st_real *results) {
    const st_triangle_call *call = context;
    const st_triangle_model *model = call->model;
    const st_pack factor = st_pack_splat(-call->factor);
    for (size_t p = begin; p < end; p++) {
        const st_pack *frame = model->frame[p], *c = model->constants[p];
        const st_pack bx = c[ST_TRIANGLE_BX], cx = c[ST_TRIANGLE_CX], cy = c[ST_TRIANGLE_CY];
        st_pack dx[9], ab[3], ac[3], s[3], f[9];

        // changes of AB and AC
        gather_corners(dx, call, p);
        st_pack3_sub(ab, dx + 3, dx);
        st_pack3_sub(ac, dx + 6, dx);

        // e of the changes of both edges, in the frame of the last force
        const st_pack dbx = st_pack3_dot(frame, ab), dby = st_pack3_dot(frame + 3, ab);
        const st_pack dcx = st_pack3_dot(frame, ac), dcy = st_pack3_dot(frame + 3, ac);
        const st_pack e[3] = {cy * dbx, bx * dcy - cx * dby, bx * dcx - cx * dbx + cy * dby};

        // df = -k Fᵀ Bᵀ C e
        rest_stress(s, c, e, c[ST_TRIANGLE_SCALE] * factor);
        rest_forces(f, c, s, frame);
        for (int k = 0; k < 9; k++, results += ST_PACK_SIZE) st_pack_store(results, f[k]);
    }
}

// Column by column, -Fᵀ J (area C) Jᵀ F; blocks below the diagonal are those above it, mirrored.
static void matrix_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_triangle_call *call = context;
    const st_triangle_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 81 * ST_PACK_SIZE) {
        const st_pack *frame = model->frame[p], *g = model->gradient[p];
        st_pack matrix[81], s[3], f[9];

        for (int column = 0; column < 9; column++) {
            const st_pack *own = g + column / 3 * 2, x = frame[column % 3], y = frame[3 + column % 3];

            // the strain of a unit displacement, its stress and its forces
            const st_pack e[3] = {own[0] * x, own[1] * y, own[1] * x + own[0] * y};
            stress_of(s, model->material[p], e);
            corner_forces(f, g, s, frame);
            for (int row = 0; row < 3 * (column / 3 + 1); row++)
                matrix[9 * row + column] = matrix[9 * column + row] = -f[row];
        }

        st_pack_separate(results, matrix, 81);
    }
}

// ---------------------------------------------------------------------------------------------------

#define LOOPS(name, method)                                                                                            \
    static void force_##name(void *context, size_t begin, size_t end, st_real *results) {                              \
        force_body(context, begin, end, results, method);                                                              \
    }                                                                                                                  \
    static void strain_##name(void *context, size_t begin, size_t end, st_real *results) {                             \
        strain_body(context, begin, end, results, method);                                                             \
    }
LOOPS(small, ST_TRIANGLE_SMALL)
LOOPS(large, ST_TRIANGLE_LARGE)

const st_triangle_kernels ST_KERNEL(st_triangle_kernels) = {
    .force = {force_small, force_large, force_rest},
    .strain = {strain_small, strain_large, strain_rest},
    .product = {product_any, product_any, product_rest},
    .matrix = matrix_loop,
};
