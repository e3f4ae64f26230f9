// The loops over packs of tetrahedra: forces, frames, products (tetra_model.h gives the formulas). Compiled for each
// instruction set (math/simd.h): with all code in one file, the compiler can use the same registers throughout.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/tetra_model.h"
#include "force/fem/tetrahedron/von_mises.h"
#include "math/decompose.h"
#include "math/pack_rotation.h"

// D(u, v) = u1 v2 - v1 u2 - u0 v2 + v0 u2 + u0 v1 - v0 u1 of three vertices.
ST_PACK_INLINE st_pack minors(const st_pack *p[3], int u, int v) {
    return p[1][u] * p[2][v] - p[1][v] * p[2][u] - p[0][u] * p[2][v] + p[0][v] * p[2][u] + p[0][u] * p[1][v] -
           p[0][v] * p[1][u];
}

// Gradients times 6 V of the four nodes.
ST_PACK_INLINE void gradients(st_pack g[12], const st_pack nodes[12]) {
    for (int i = 0; i < 4; i++) {
        const st_pack *others[3] = {nodes + 3 * ((i + 1) % 4), nodes + 3 * ((i + 2) % 4), nodes + 3 * ((i + 3) % 4)};
        const st_pack yz = minors(others, 1, 2), xz = minors(others, 0, 2), xy = minors(others, 0, 1);

        g[3 * i] = i % 2 ? yz : -yz;
        g[3 * i + 1] = i % 2 ? -xz : xz;
        g[3 * i + 2] = i % 2 ? xy : -xy;
    }
}

// e = Jᵀ d, in the order of the rows of J.
ST_PACK_INLINE void strain(st_pack e[6], const st_pack a[12], const st_pack b[12], const st_pack d[12]) {
    for (int c = 0; c < 6; c++) e[c] = st_pack_splat(0);

    for (int i = 0; i < 12; i += 3) {
        // along x: ε_xx, and its share of the shears xy and xz; then the same along y and z
        e[0] += a[i] * d[i];
        e[3] += b[i + 1] * d[i];
        e[5] += b[i + 2] * d[i];

        e[1] += a[i + 1] * d[i + 1];
        e[3] += b[i] * d[i + 1];
        e[4] += b[i + 2] * d[i + 1];

        e[2] += a[i + 2] * d[i + 2];
        e[4] += b[i + 1] * d[i + 2];
        e[5] += b[i] * d[i + 2];
    }
}

// k = C / (36 V) e
ST_PACK_INLINE void stress(st_pack k[6], const st_pack m[3], const st_pack e[6]) {
    k[0] = m[0] * e[0] + m[1] * e[1] + m[1] * e[2];
    k[1] = m[1] * e[0] + m[0] * e[1] + m[1] * e[2];
    k[2] = m[1] * e[0] + m[1] * e[1] + m[0] * e[2];
    for (int c = 3; c < 6; c++) k[c] = m[2] * e[c];
}

// The force on node i in the element's frame: J_i k, in the order of the columns of J.
ST_PACK_INLINE void node_force(st_pack f[3], const st_pack a[3], const st_pack b[3], const st_pack k[6]) {
    f[0] = a[0] * k[0] + b[1] * k[3] + b[2] * k[5];
    f[1] = a[1] * k[1] + b[0] * k[3] + b[2] * k[4];
    f[2] = a[2] * k[2] + b[1] * k[4] + b[0] * k[5];
}

ST_PACK_INLINE void gather_nodes(st_pack x[12], const st_tetra_call *call, size_t p) {
    const uint32_t *nodes = call->model->mesh.nodes + p * ST_PACK_SIZE * 4;
    for (int i = 0; i < 4; i++) st_pack3_gather(x + 3 * i, call->x, nodes + ST_PACK_SIZE * i);
}

// ---------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------

// Rows: the edges 01, 02, 03.
ST_PACK_INLINE void edges(st_pack a[9], const st_pack x[12]) {
    for (int i = 0; i < 3; i++) st_pack3_sub(a + 3 * i, x + 3 * (i + 1), x);
}

// Where an element is flat or inverted, det(A A0⁻¹) < 1e-6, the stable decomposition replaces the polar one.
static inline void stable_frames(const st_tetra_model *model, size_t p, st_pack frame[9], const st_pack a[9]) {
    st_pack gradient[9], cross[3];

    // A A0⁻¹ and its determinant
    for (int i = 0; i < 9; i += 3) st_pack9_transpose_times_vec(gradient + i, model->inverse[p], a + i);
    st_pack3_cross(cross, gradient + 3, gradient + 6);
    const st_pack_mask flat = (st_pack_mask)(st_pack3_dot(gradient, cross) < st_pack_splat(ST_R(1e-6)));

    for (int lane = 0; lane < ST_PACK_SIZE && st_pack_any(flat); lane++) {
        st_real g[9], q[9], f0[9];
        if (!flat[lane]) continue;
        for (int k = 0; k < 9; k++) {
            g[k] = gradient[k][lane];
            f0[k] = model->rest_frame[p][k][lane];
        }
        st_polar_stable(q, g);
        st_mat3_multiply(q, q, f0);
        for (int k = 0; k < 9; k++) frame[k][lane] = q[k];
    }
}

ST_PACK_INLINE void find_frame(st_tetra_model *model, size_t p, st_pack frame[9], const st_pack x[12],
                               st_tetra_method method) {
    st_pack a[9];
    edges(a, x);
    if (method == ST_TETRA_LARGE) {
        st_pack_frame_rows(frame, a, a + 3);
        return;
    }

    // Several threads may find a flat element: all write the same.
    if (st_pack_any(st_pack_polar(frame, a)) && method == ST_TETRA_POLAR)
        __atomic_store_n(&model->singular, true, __ATOMIC_RELAXED);
    if (method == ST_TETRA_SVD) stable_frames(model, p, frame, a);
}

ST_PACK_INLINE void frame_body(void *context, size_t begin, size_t end, st_tetra_method method) {
    const st_tetra_call *call = context;
    st_tetra_model *model = call->model;
    for (size_t p = begin; p < end; p++) {
        st_pack x[12], frame[9];
        gather_nodes(x, call, p);
        find_frame(model, p, frame, x, method);

        // frozen until the next evaluation
        for (int k = 0; k < 9; k++) model->frame[p][k] = frame[k];
    }
}

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

// D = rest - current in the element's frame; y = current nodes there. What vanishes by the choice of the frame is set
// to zero, so that rounding makes no strain.
ST_PACK_INLINE void displacement(st_pack d[12], st_pack y[12], const st_pack rest[12], const st_pack x[12],
                                 const st_pack frame[9], st_tetra_method method) {
    const st_pack zero = st_pack_splat(0);

    // small: no frame; relative to node 0
    if (method == ST_TETRA_SMALL) {
        for (int k = 0; k < 12; k++) y[k] = x[k];
        for (int k = 0; k < 12; k++) d[k] = k < 3 ? zero : ((rest[k] - rest[k % 3]) - x[k]) + x[k % 3];
        return;
    }

    // y = F x; large: from node 0, which is the origin of the frame
    for (int i = 0; i < 4; i++) st_pack9_times_vec(y + 3 * i, frame, x + 3 * i);
    if (method == ST_TETRA_LARGE)
        for (int i = 3; i >= 0; i--) st_pack3_sub(y + 3 * i, y + 3 * i, y);

    for (int k = 0; k < 12; k++) d[k] = rest[k] - y[k];
    if (method != ST_TETRA_LARGE) return;

    // node 0 is the origin, node 1 on the x axis, node 2 in the plane of x and y
    d[0] = d[1] = d[2] = d[4] = d[5] = d[8] = zero;
}

// e minus the plastic strain, which creeps when what is left of e exceeds the yield and is bounded by the maximum.
static inline void yield(const st_tetra_model *model, size_t p, st_pack e[6]) {
    for (int lane = 0; lane < ST_PACK_SIZE; lane++) {
        st_real elastic[6], norm = 0;
        st_pack *plastic = model->plastic[p];

        // l = e - p; where |l| is above the yield p += creep l
        for (int c = 0; c < 6; c++) {
            elastic[c] = e[c][lane] - plastic[c][lane];
            norm += elastic[c] * elastic[c];
        }
        if (norm > model->plastic_yield * model->plastic_yield)
            for (int c = 0; c < 6; c++) plastic[c][lane] += model->plastic_creep * elastic[c];

        // |p| is at most the maximum
        norm = 0;
        for (int c = 0; c < 6; c++) norm += plastic[c][lane] * plastic[c][lane];
        if (norm > model->plastic_max * model->plastic_max)
            for (int c = 0; c < 6; c++) plastic[c][lane] *= model->plastic_max / sqrt(norm);

        for (int c = 0; c < 6; c++) e[c][lane] -= plastic[c][lane];
    }
}

// Large: nodes (0,0,0), (x1,0,0), (x2,y2,0), (x3,y3,z3); their gradients have structural zeros.
ST_PACK_INLINE void large_gradients(st_pack g[12], const st_pack y[12]) {
    const st_pack zero = st_pack_splat(0), x1 = y[3], x2 = y[6], y2 = y[7], x3 = y[9], y3 = y[10], z3 = y[11];

    g[0] = -y2 * z3;
    g[1] = x2 * z3 - x1 * z3;
    g[2] = -x2 * y3 + x1 * y3 + x3 * y2 - x1 * y2;

    g[3] = y2 * z3;
    g[4] = -x2 * z3;
    g[5] = x2 * y3 - x3 * y2;

    g[6] = zero;
    g[7] = x1 * z3;
    g[8] = -x1 * y3;

    g[9] = zero;
    g[10] = zero;
    g[11] = x1 * y2;
}

ST_PACK_INLINE void update_gradients(st_tetra_model *model, size_t p, const st_pack y[12], st_tetra_method method) {
    st_pack g[12];
    if (method == ST_TETRA_SMALL) return;
    if (method == ST_TETRA_LARGE) large_gradients(g, y);
    else gradients(g, y);

    if (model->update == ST_TETRA_FULL) {
        for (int k = 0; k < 12; k++) model->direct[p][k] = g[k];
        return;
    }

    // The entries J(6,0), J(9,0) and J(10,1) are not among those that SOFA renews.
    static const int direct[] = {0, 1, 2, 3, 4, 5, 7, 8, 11};
    for (int n = 0; n < 9; n++) model->direct[p][direct[n]] = g[direct[n]];
}

// Entry (row, c) of J.
ST_PACK_INLINE st_pack j_entry(const st_pack a[12], const st_pack b[12], int row, int c) {
    const int i = row / 3 * 3, axis = row % 3;
    if (c < 3) return c == axis ? a[row] : st_pack_splat(0);
    const int u = c - 3, v = (c - 2) % 3; // the two axes of a shear: xy, yz, zx
    if (axis == u) return b[i + v];
    return axis == v ? b[i + u] : st_pack_splat(0);
}

// The same force by the rows of the 12 x 12 matrix ((J C/(36 V)) Jᵀ), turned to the world for large.
static void explicit_force(st_pack f[12], const st_pack a[12], const st_pack b[12], const st_pack m[3],
                           const st_pack d[12], const st_pack frame[9], bool rotated) {
    st_pack k[12][12];

    // row by row: J C, then (J C) Jᵀ
    for (int r = 0; r < 12; r++) {
        st_pack jc[6];
        for (int c = 0; c < 6; c++) {
            if (c >= 3) jc[c] = j_entry(a, b, r, c) * m[2];
            else
                jc[c] =
                    j_entry(a, b, r, 0) * m[c != 0] + j_entry(a, b, r, 1) * m[c != 1] + j_entry(a, b, r, 2) * m[c != 2];
        }

        for (int s = 0; s < 12; s++) {
            st_pack sum = jc[0] * j_entry(a, b, s, 0);
            for (int c = 1; c < 6; c++) sum += jc[c] * j_entry(a, b, s, c);
            k[r][s] = sum;
        }
    }

    // f = Fᵀ K d, with Fᵀ applied to the matrix first
    for (int r = 0; r < 12; r++) {
        st_pack sum = st_pack_splat(0);
        const int i = r / 3 * 3, axis = r % 3;
        for (int s = 0; s < 12; s++) {
            const st_pack entry =
                rotated ? frame[axis] * k[i][s] + frame[3 + axis] * k[i + 1][s] + frame[6 + axis] * k[i + 2][s]
                        : k[r][s];
            sum += entry * d[s];
        }
        f[r] = sum;
    }
}

ST_PACK_INLINE void force_body(void *context, size_t begin, size_t end, st_real *results, st_tetra_method method) {
    const st_tetra_call *call = context;
    st_tetra_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 48) {
        st_pack x[12], y[12], d[12], frame[9], e[6], k[6], f[12];

        // F, kept for the derivative, and D in it
        gather_nodes(x, call, p);
        if (method != ST_TETRA_SMALL) {
            find_frame(model, p, frame, x, method);
            for (int i = 0; i < 9; i++) model->frame[p][i] = frame[i];
        }
        displacement(d, y, model->rest[p], x, frame, method);

        // gradients of the deformed shape
        if (model->update != ST_TETRA_KEEP) update_gradients(model, p, y, method);
        if (model->clear_zeros) model->direct[p][6] = model->direct[p][9] = model->direct[p][10] = st_pack_splat(0);

        // J C/(36 V) Jᵀ D in the frame of the element
        const st_pack *a = model->direct[p], *b = model->shear[p];
        if (model->explicit_matrix) {
            explicit_force(f, a, b, model->material[p], d, frame, method == ST_TETRA_LARGE);
        } else {
            strain(e, a, b, d);
            if (model->plastic) yield(model, p, e);
            stress(k, model->material[p], e);
            for (int i = 0; i < 12; i += 3) node_force(f + i, a + i, b + i, k);
        }

        // back to the world by Fᵀ; the explicit matrix is there already
        for (int i = 0; i < 12; i += 3) {
            st_pack r[3] = {f[i], f[i + 1], f[i + 2]};
            if (method != ST_TETRA_SMALL && !model->explicit_matrix) st_pack9_transpose_times_vec(r, frame, f + i);
            for (int c = 0; c < 3; c++) st_pack_store(results + (i + c) * ST_PACK_SIZE, r[c]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------------

ST_PACK_INLINE void product_body(void *context, size_t begin, size_t end, st_real *results, bool rotated) {
    const st_tetra_call *call = context;
    const st_tetra_model *model = call->model;
    const st_pack factor = st_pack_splat(call->factor);
    for (size_t p = begin; p < end; p++, results += 48) {
        st_pack dx[12], d[12], e[6], k[6];

        // d = F dx
        gather_nodes(dx, call, p);
        const st_pack *frame = model->frame[p], *a = model->direct[p], *b = model->shear[p];
        for (int i = 0; i < 12; i += 3) {
            if (rotated) st_pack9_times_vec(d + i, frame, dx + i);
            else
                for (int c = 0; c < 3; c++) d[i + c] = dx[i + c];
        }

        // k = factor C/(36 V) Jᵀ d
        strain(e, a, b, d);
        stress(k, model->material[p], e);
        for (int c = 0; c < 6; c++) k[c] *= factor;

        // df_i = -Fᵀ J_i k
        for (int i = 0; i < 12; i += 3) {
            st_pack f[3], r[3];
            node_force(f, a + i, b + i, k);
            if (rotated) st_pack9_transpose_times_vec(r, frame, f);
            else
                for (int c = 0; c < 3; c++) r[c] = f[c];
            for (int c = 0; c < 3; c++) st_pack_store(results + (i + c) * ST_PACK_SIZE, -r[c]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------------------------------

// Block (i, j) and its mirror image. With h = Fᵀ g and λ, μ of C/(36 V), Fᵀ J_i C/(36 V) J_jᵀ F is
//     λ h_i h_jᵀ + μ h_j h_iᵀ + μ (g_i · g_j) Fᵀ F,
// whether F is a rotation or not.
ST_PACK_INLINE void add_block(st_pack *matrix, int i, int j, const st_pack *h, const st_pack *square, st_pack lambda,
                              st_pack mu, st_pack dot) {
    const st_pack *hi = h + 3 * i, *hj = h + 3 * j;

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const st_pack k = -(lambda * hi[r] * hj[c] + mu * hj[r] * hi[c] + dot * square[3 * r + c]);
            matrix[(3 * i + r) * 12 + 3 * j + c] = k;
            matrix[(3 * j + c) * 12 + 3 * i + r] = k;
        }
}

ST_PACK_INLINE void usual_matrix(const st_tetra_model *model, size_t p, st_pack *matrix) {
    const st_pack *g = model->direct[p], *frame = model->frame[p], *m = model->material[p];
    st_pack h[12], square[9];

    // h = Fᵀ g and Fᵀ F
    for (int i = 0; i < 12; i += 3) st_pack9_transpose_times_vec(h + i, frame, g + i);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            square[3 * r + c] = frame[r] * frame[c] + frame[3 + r] * frame[3 + c] + frame[6 + r] * frame[6 + c];

    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            add_block(matrix, i, j, h, square, m[1], m[2], m[2] * st_pack3_dot(g + 3 * i, g + 3 * j));
}

// Where the columns of J have different gradients the closed form does not hold: columns of Fᵀ J C/(36 V) Jᵀ F.
static void split_matrix(const st_tetra_model *model, size_t p, st_pack *matrix) {
    const st_pack *a = model->direct[p], *b = model->shear[p], *frame = model->frame[p];
    for (int column = 0; column < 12; column++) {
        // one unit displacement for each column, turned into the frame
        st_pack d[12], e[6], k[6], f[3], r[3];
        for (int row = 0; row < 12; row++)
            d[row] = row / 3 == column / 3 ? frame[row % 3 * 3 + column % 3] : st_pack_splat(0);

        // k = C e / (36 V), then the forces of the four nodes back in the world
        strain(e, a, b, d);
        stress(k, model->material[p], e);
        for (int i = 0; i < 4; i++) {
            node_force(f, a + 3 * i, b + 3 * i, k);
            st_pack9_transpose_times_vec(r, frame, f);
            for (int c = 0; c < 3; c++) matrix[(3 * i + c) * 12 + column] = -r[c];
        }
    }
}

static void matrix_loop(void *context, size_t begin, size_t end, st_real *results) {
    const st_tetra_call *call = context;
    const st_tetra_model *model = call->model;
    for (size_t p = begin; p < end; p++, results += 144 * ST_PACK_SIZE) {
        st_pack matrix[144];

        if (model->shear == model->direct) usual_matrix(model, p, matrix);
        else split_matrix(model, p, matrix);

        st_pack_separate(results, matrix, 144);
    }
}

// ---------------------------------------------------------------------------------------------------
// Von Mises stress (von_mises.h gives the formulas)
// ---------------------------------------------------------------------------------------------------

// Gradients of the shape functions and the signed volume, from the edges at rest: grad N_i = (face of the other three
// vertices, pointing to i) / (3 V). A flat element has none.
ST_PACK_INLINE st_pack world_gradients(st_pack g[12], const st_pack e[9]) {
    const st_pack zero = st_pack_splat(0);

    // e_2 × e_3 and so on: twice the areas of the faces opposite to nodes 1, 2, 3
    st_pack3_cross(g + 3, e + 3, e + 6);
    st_pack3_cross(g + 6, e + 6, e);
    st_pack3_cross(g + 9, e, e + 3);

    // over 6 V; the gradients of all four add up to zero
    const st_pack six = st_pack3_dot(g + 9, e + 6);
    const st_pack scale = st_pack_select((st_pack_mask)(six == zero), zero, st_pack_splat(1) / six);
    for (int k = 3; k < 12; k++) g[k] *= scale;
    for (int k = 0; k < 3; k++) g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
    return six / st_pack_splat(6);
}

// Displacements of nodes 1 to 3 relative to node 0: of the world, or rest minus current in the element's frame.
ST_PACK_INLINE void relative_displacement(st_pack u[9], const st_tetra_model *model, size_t p, const st_pack now[9],
                                          const st_pack rest[9], bool green) {
    st_pack frame[9], a[3], b[3];
    if (green || model->method == ST_TETRA_SMALL) {
        for (int k = 0; k < 9; k++) u[k] = green ? now[k] - rest[k] : rest[k] - now[k];
        return;
    }

    // u = R₀ e_rest - R e
    if (model->method == ST_TETRA_LARGE) st_pack_frame_rows(frame, now, now + 3);
    else st_pack_polar(frame, now);
    for (int i = 0; i < 9; i += 3) {
        st_pack9_times_vec(a, model->rest_frame[p], rest + i);
        st_pack9_times_vec(b, frame, now + i);
        st_pack3_sub(u + i, a, b);
    }
}

ST_PACK_INLINE st_pack von_mises(const st_pack e[9], st_pack lambda, st_pack mu) {
    const st_pack two = mu + mu, trace = lambda * (e[0] + e[4] + e[8]), zero = st_pack_splat(0);

    // stress = 2 μ strain + λ tr(strain) 1
    const st_pack xx = two * e[0] + trace, yy = two * e[4] + trace, zz = two * e[8] + trace;
    const st_pack yz = two * e[5], xz = two * e[2], xy = two * e[1];

    const st_pack value =
        xx * xx + yy * yy + zz * zz - xx * yy - yy * zz - zz * xx + st_pack_splat(3) * (yz * yz + xz * xz + xy * xy);

    // rounding may leave a value below zero
    const st_pack root = st_pack_sqrt(st_pack_select((st_pack_mask)(value > zero), value, zero));
    return st_pack_select((st_pack_mask)(root < st_pack_splat(ST_R(1e-10))), zero, root);
}

static void von_mises_loop(void *context, size_t begin, size_t end, st_real *results) {
    (void)results;
    const st_von_mises *job = context;
    const st_tetra_model *model = job->model;
    for (size_t p = begin; p < end; p++) {
        const uint32_t *nodes = model->mesh.nodes + p * ST_PACK_SIZE * 4;
        st_pack x[12], rest_x[12], now[9], rest[9], g[12], u[9], gradient[9], strain[9];

        // edges now and at rest
        for (int i = 0; i < 4; i++) {
            st_pack3_gather(x + 3 * i, job->x, nodes + ST_PACK_SIZE * i);
            st_pack3_gather(rest_x + 3 * i, job->rest, nodes + ST_PACK_SIZE * i);
        }
        edges(now, x);
        edges(rest, rest_x);

        // grad u = Σ u_m ⊗ grad N_m
        const st_pack volume = world_gradients(g, rest);
        relative_displacement(u, model, p, now, rest, job->green);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                gradient[3 * r + c] = u[r] * g[3 + c] + u[3 + r] * g[6 + c] + u[6 + r] * g[9 + c];

        // 1/2 (grad u + grad uᵀ), Green's with grad uᵀ grad u
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                strain[3 * r + c] = gradient[3 * r + c] + gradient[3 * c + r];
                for (int k = 0; k < 3 && job->green; k++)
                    strain[3 * r + c] += gradient[3 * k + r] * gradient[3 * k + c];
                strain[3 * r + c] *= st_pack_splat(ST_R(0.5));
            }

        const st_pack unit = job->scaled ? st_pack_splat(1) : st_pack_splat(36) * st_pack_abs(volume);
        const st_pack stress = von_mises(strain, model->material[p][1] * unit, model->material[p][2] * unit);
        for (size_t lane = 0; lane < ST_PACK_SIZE && p * ST_PACK_SIZE + lane < model->mesh.count; lane++)
            job->values[p * ST_PACK_SIZE + lane] = stress[lane];
    }
}

// ---------------------------------------------------------------------------------------------------

#define FORCE(name, method)                                                                                            \
    static void force_##name(void *context, size_t begin, size_t end, st_real *results) {                              \
        force_body(context, begin, end, results, method);                                                              \
    }                                                                                                                  \
    static void frame_##name(void *context, size_t begin, size_t end, st_real *results) {                              \
        (void)results;                                                                                                 \
        frame_body(context, begin, end, method);                                                                       \
    }
static void force_small(void *context, size_t begin, size_t end, st_real *results) {
    force_body(context, begin, end, results, ST_TETRA_SMALL);
}
FORCE(large, ST_TETRA_LARGE)
FORCE(polar, ST_TETRA_POLAR)
FORCE(svd, ST_TETRA_SVD)

static void product_small(void *context, size_t begin, size_t end, st_real *results) {
    product_body(context, begin, end, results, false);
}
static void product_rotated(void *context, size_t begin, size_t end, st_real *results) {
    product_body(context, begin, end, results, true);
}

const st_tetra_kernels ST_KERNEL(st_tetra_kernels) = {
    .force = {force_small, force_large, force_polar, force_svd},
    .frame = {NULL, frame_large, frame_polar, frame_svd},
    .product = {product_small, product_rotated},
    .matrix = matrix_loop,
    .von_mises = von_mises_loop,
};
