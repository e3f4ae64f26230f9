// The loops over packs of elements with a stored stiffness (element_model.h gives the formulas). Compiled for each
// instruction set (math/simd.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/element_model.h"
#include "math/decompose.h"
#include "math/pack_rotation.h"

enum { MOST = 24 }; // scalars of an element

// Entry (r, c) of a symmetric d x d block of which the upper triangle is stored row by row.
ST_PACK_INLINE int triangle(int r, int c, int d) {
    const int low = r < c ? r : c, high = r < c ? c : r;
    return low * d - low * (low - 1) / 2 + high - low;
}

// Entry of a K_e that is stored for each lane, or once for all.
ST_PACK_INLINE st_pack entry_of(const st_real *k, int entry, bool shared) {
    return shared ? st_pack_splat(k[entry]) : st_pack_load(k + entry * ST_PACK_SIZE);
}

// out = K u. What the rows above have added to row i comes first there, so each row is summed from the first column to
// the last.
ST_PACK_INLINE void multiply_with(st_pack *out, const st_real *k, const st_pack *u, int n, int d, bool shared) {
    const int step = shared ? 1 : ST_PACK_SIZE;
    for (int r = 0; r < n * d; r++) out[r] = st_pack_splat(0);

    for (int i = 0; i < n; i++) {
        st_pack row[3], ui[3];
        for (int r = 0; r < d; r++) {
            row[r] = out[i * d + r];
            ui[r] = u[i * d + r];
        }

        // the diagonal block
        for (int c = 0; c < d; c++)
            for (int r = 0; r < d; r++) row[r] += entry_of(k, triangle(r, c, d), shared) * ui[c];
        k += d * (d + 1) / 2 * step;

        // the blocks to its right, and their mirror images below it
        for (int j = i + 1; j < n; j++, k += d * d * step)
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) {
                    const st_pack entry = entry_of(k, r * d + c, shared);
                    row[r] += entry * u[j * d + c];
                    out[j * d + c] += entry * ui[r];
                }

        for (int r = 0; r < d; r++) out[i * d + r] = row[r];
    }
}

ST_PACK_INLINE void multiply(st_pack *out, const st_element_model *model, size_t p, const st_pack *u, int n, int d) {
    const uint32_t place = model->place[p];
    if (place & ST_SHARED) multiply_with(out, model->shared + (place & ~ST_SHARED) * model->entries, u, n, d, true);
    else multiply_with(out, (const st_real *)(model->own + place * model->entries), u, n, d, false);
}

ST_PACK_INLINE void gather_nodes(st_pack *x, const st_element_call *call, size_t p, int n, int d) {
    const uint32_t *nodes = call->model->mesh.nodes + p * ST_PACK_SIZE * (size_t)n;

    for (int i = 0; i < n; i++, nodes += ST_PACK_SIZE)
        for (int k = 0; k < d; k++) {
            const st_real *from = call->x + k;
            x[i * d + k] = st_pack_set(from[nodes[0] * (size_t)d], from[nodes[1] * (size_t)d],
                                       from[nodes[2] * (size_t)d], from[nodes[3] * (size_t)d]);
        }
}

// r = Rᵀ v, r = R v: row-major d x d.
ST_PACK_INLINE void back(st_pack *r, const st_pack *rotation, const st_pack *v, int d) {
    for (int i = 0; i < d; i++) {
        r[i] = rotation[i] * v[0];
        for (int k = 1; k < d; k++) r[i] += rotation[k * d + i] * v[k];
    }
}

ST_PACK_INLINE void turn(st_pack *r, const st_pack *rotation, const st_pack *v, int d) {
    for (int i = 0; i < d; i++) {
        r[i] = rotation[i * d] * v[0];
        for (int k = 1; k < d; k++) r[i] += rotation[i * d + k] * v[k];
    }
}

// ---------------------------------------------------------------------------------------------------
// Rotations
// ---------------------------------------------------------------------------------------------------

// Edges along x and y, and along z, each the mean of four.
ST_PACK_INLINE void mean_edges(st_pack ex[3], st_pack ey[3], const st_pack *x) {
    const st_pack quarter = st_pack_splat(ST_R(0.25));
    for (int k = 0; k < 3; k++) {
        const st_pack *n = x + k;
        ex[k] = (n[3] - n[0] + n[6] - n[9] + n[15] - n[12] + n[18] - n[21]) * quarter;
        ey[k] = (n[9] - n[0] + n[6] - n[3] + n[21] - n[12] + n[18] - n[15]) * quarter;
    }
}

ST_PACK_INLINE void mean_edge_z(st_pack ez[3], const st_pack *x) {
    const st_pack quarter = st_pack_splat(ST_R(0.25));
    for (int k = 0; k < 3; k++) {
        const st_pack *n = x + k;
        ez[k] = (n[12] - n[0] + n[15] - n[3] + n[21] - n[9] + n[18] - n[6]) * quarter;
    }
}

ST_PACK_INLINE void mark_singular(st_element_model *model, st_pack_mask singular) {
    if (st_pack_any(singular)) __atomic_store_n(&model->singular, true, __ATOMIC_RELAXED);
}

ST_PACK_INLINE void edge_rotation(st_pack rotation[9], st_element_model *model, const st_pack *x) {
    st_pack edges[9], frame[9];
    mean_edges(edges, edges + 3, x);
    mean_edge_z(edges + 6, x);
    mark_singular(model, st_pack_polar(frame, edges));
    st_pack9_transpose(rotation, frame);
}

ST_PACK_INLINE void frame_rotation(st_pack rotation[9], const st_element_model *model, size_t p, const st_pack *x,
                                   int n) {
    st_pack ex[3], ey[3], frame[9];

    // F(x), rows are the axes
    if (n == 8 && model->method == ST_ROTATION_HEXAHEDRON) {
        mean_edges(ex, ey, x);
    } else {
        st_pack3_sub(ex, x + 3, x);
        st_pack3_sub(ey, x + 6, x);
    }
    st_pack_frame_rows(frame, ex, ey);
    if (model->framed) {
        st_pack9_transpose(rotation, frame);
        return;
    }

    // F(x)ᵀ F(X)
    const st_pack *rest = model->rest_frame + 9 * p;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rotation[3 * i + j] = frame[i] * rest[j] + frame[3 + i] * rest[3 + j] + frame[6 + i] * rest[6 + j];
}

// H = Σ (x_i - t)(X_i - t0)ᵀ; y = x - t
ST_PACK_INLINE void moments(st_pack *h, const st_pack *y, const st_pack *rest, int n, int d) {
    for (int k = 0; k < d * d; k++) h[k] = st_pack_splat(0);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) h[r * d + c] += y[i * d + r] * rest[i * d + c];
}

static inline void lane_rotations(st_element_model *model, st_pack *rotation, const st_pack *h, int d) {
    for (int lane = 0; lane < ST_PACK_SIZE; lane++) {
        st_real m[9], q[9];
        for (int k = 0; k < d * d; k++) m[k] = h[k][lane];

        if (d == 2 && model->method == ST_ROTATION_POLAR) st_polar_2(q, m);
        else if (d == 2) st_polar_stable_2(q, m);
        else st_polar_stable(q, m);

        for (int k = 0; k < d * d; k++) rotation[k][lane] = q[k];
    }
}

ST_PACK_INLINE void find_rotation(st_pack rotation[9], st_element_model *model, size_t p, const st_pack *x,
                                  const st_pack *y, int n, int d) {
    const st_rotation_method method = model->method;

    // frames of edges
    if (d == 3 && n == 8 && method == ST_ROTATION_EDGES) {
        edge_rotation(rotation, model, x);
        return;
    }
    if (d == 3 && n >= 3 && method >= ST_ROTATION_TRIANGLE) {
        frame_rotation(rotation, model, p, x, n);
        return;
    }

    if (method == ST_ROTATION_IDENTITY) {
        for (int k = 0; k < d * d; k++) rotation[k] = st_pack_splat(k % (d + 1) == 0 ? 1 : 0);
        return;
    }

    // factors of H
    st_pack h[9];
    moments(h, y, model->rest + (size_t)(n * d) * p, n, d);
    if (d == 3 && method == ST_ROTATION_POLAR) {
        mark_singular(model, st_pack_polar(rotation, h));
    } else {
        lane_rotations(model, rotation, h, d);
    }
}

// ---------------------------------------------------------------------------------------------------
// Forces and products
// ---------------------------------------------------------------------------------------------------

// y_i = x_i - their mean
ST_PACK_INLINE void center(st_pack *y, const st_pack *x, int n, int d) {
    const st_pack count = st_pack_splat((st_real)n);
    for (int k = 0; k < d; k++) {
        st_pack t = x[k];
        for (int i = 1; i < n; i++) t += x[i * d + k];
        t = t / count;
        for (int i = 0; i < n; i++) y[i * d + k] = x[i * d + k] - t;
    }
}

ST_PACK_INLINE void force_body(void *context, size_t begin, size_t end, st_real *results, int n, int d, bool rotated) {
    const st_element_call *call = context;
    st_element_model *model = call->model;
    if (n < 2 || n > ST_ELEMENT_CORNERS) return;
    for (size_t p = begin; p < end; p++) {
        st_pack x[MOST], y[MOST], u[MOST], f[MOST], rotation[9];
        const st_pack *rest = model->rest + (size_t)(n * d) * p;
        gather_nodes(x, call, p, n, d);

        // u = Rᵀ (x - t) - rest, or x - rest; R is kept for the derivative
        if (rotated) {
            if (model->framed) {
                for (int k = 0; k < n * d; k++) y[k] = x[k];
            } else {
                center(y, x, n, d);
            }
            find_rotation(rotation, model, p, x, y, n, d);
            for (int k = 0; k < d * d; k++) model->rotation[9 * p + (size_t)k] = rotation[k];
            for (int i = 0; i < n; i++) back(u + i * d, rotation, y + i * d, d);
            for (int k = 0; k < n * d; k++) u[k] -= rest[k];
        } else {
            for (int k = 0; k < n * d; k++) u[k] = x[k] - rest[k];
        }

        // f = -R K u
        multiply(f, model, p, u, n, d);
        for (int i = 0; i < n; i++) {
            st_pack r[3];
            if (rotated) turn(r, rotation, f + i * d, d);
            for (int k = 0; k < d; k++, results += ST_PACK_SIZE)
                st_pack_store(results, -(rotated ? r[k] : f[i * d + k]));
        }
    }
}

ST_PACK_INLINE void product_body(void *context, size_t begin, size_t end, st_real *results, int n, int d,
                                 bool rotated) {
    const st_element_call *call = context;
    const st_element_model *model = call->model;
    const st_pack factor = st_pack_splat(call->factor);
    for (size_t p = begin; p < end; p++) {
        st_pack x[MOST], u[MOST], f[MOST];

        // K Rᵀ dx
        const st_pack *rotation = model->rotation + 9 * p;
        gather_nodes(x, call, p, n, d);
        if (rotated)
            for (int i = 0; i < n; i++) back(u + i * d, rotation, x + i * d, d);
        multiply(f, model, p, rotated ? u : x, n, d);

        // df = -k R K Rᵀ dx
        for (int i = 0; i < n; i++) {
            st_pack r[3];
            if (rotated) turn(r, rotation, f + i * d, d);
            for (int k = 0; k < d; k++, results += ST_PACK_SIZE)
                st_pack_store(results, -(factor * (rotated ? r[k] : f[i * d + k])));
        }
    }
}

// Block (i, j) of -K or -R K Rᵀ, and its mirror image.
ST_PACK_INLINE void put_block(st_pack *matrix, const st_pack *block, const st_pack *rotation, int i, int j, int n,
                              int d, bool rotated) {
    const int size = n * d;
    st_pack t[9], r[3];

    // t = R K
    for (int a = 0; a < d && rotated; a++)
        for (int b = 0; b < d; b++) {
            t[a * d + b] = rotation[a * d] * block[b];
            for (int m = 1; m < d; m++) t[a * d + b] += rotation[a * d + m] * block[m * d + b];
        }

    for (int a = 0; a < d; a++) {
        if (rotated) turn(r, rotation, t + a * d, d); // row a of t Rᵀ
        for (int b = 0; b < d; b++) {
            const st_pack entry = -(rotated ? r[b] : block[a * d + b]);
            matrix[(i * d + a) * size + j * d + b] = entry;
            if (i != j) matrix[(j * d + b) * size + i * d + a] = entry;
        }
    }
}

ST_PACK_INLINE void matrix_body(void *context, size_t begin, size_t end, st_real *results, int n, int d, bool rotated) {
    const st_element_call *call = context;
    const st_element_model *model = call->model;
    const int size = n * d;
    for (size_t p = begin; p < end; p++, results += size * size * ST_PACK_SIZE) {
        // where K_e is: four of a kind or one for each lane
        const uint32_t place = model->place[p];
        const bool shared = (place & ST_SHARED) != 0;
        const st_real *k = shared ? model->shared + (place & ~ST_SHARED) * model->entries
                                  : (const st_real *)(model->own + place * model->entries);
        const int step = shared ? 1 : ST_PACK_SIZE;

        // diagonal blocks and those to their right
        const st_pack *rotation = model->rotation + 9 * p;
        st_pack matrix[MOST * MOST], block[9];
        for (int i = 0; i < n; i++) {
            for (int b = 0; b < d * d; b++) block[b] = entry_of(k, triangle(b / d, b % d, d), shared);
            put_block(matrix, block, rotation, i, i, n, d, rotated);
            k += d * (d + 1) / 2 * step;
            for (int j = i + 1; j < n; j++, k += d * d * step) {
                for (int b = 0; b < d * d; b++) block[b] = entry_of(k, b, shared);
                put_block(matrix, block, rotation, i, j, n, d, rotated);
            }
        }

        st_pack_separate(results, matrix, (size_t)(size * size));
    }
}

#define LOOP(name, body, nodes, d, rotated)                                                                            \
    static void name(void *context, size_t begin, size_t end, st_real *results) {                                      \
        body(context, begin, end, results, nodes, d, rotated);                                                         \
    }
#define LOOPS(name, nodes, d)                                                                                          \
    LOOP(name##_force, force_body, nodes, d, false)                                                                    \
    LOOP(name##_rotated_force, force_body, nodes, d, true)                                                             \
    LOOP(name##_product, product_body, nodes, d, false)                                                                \
    LOOP(name##_rotated_product, product_body, nodes, d, true)                                                         \
    LOOP(name##_matrix, matrix_body, nodes, d, false)                                                                  \
    LOOP(name##_rotated_matrix, matrix_body, nodes, d, true)
#define TABLE(name)                                                                                                    \
    {                                                                                                                  \
        {name##_force, name##_rotated_force}, {name##_product, name##_rotated_product}, {                              \
            name##_matrix, name##_rotated_matrix                                                                       \
        }                                                                                                              \
    }

// The common elements with their sizes known to the compiler, the others by dimension.
LOOPS(tetra, 4, 3)
LOOPS(hexa, 8, 3)
LOOPS(any_1, (int)((const st_element_call *)context)->model->mesh.size, 1)
LOOPS(any_2, (int)((const st_element_call *)context)->model->mesh.size, 2)
LOOPS(any_3, (int)((const st_element_call *)context)->model->mesh.size, 3)

const st_element_kernels ST_KERNEL(st_element_kernels) = {
    .tetra = TABLE(tetra), .hexa = TABLE(hexa), .any = {TABLE(any_1), TABLE(any_2), TABLE(any_3)}};
