// The linear tetrahedron: its rest shape, forces, blocks, energy and rotations. See tetra_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/tetra_model.h"

#include "base/array.h"
#include "math/decompose.h"

static const st_tetra_kernels *tetra_model_kernels(const st_pool *pool) {
    return ST_BEST_KERNELS(st_tetra_kernels, pool);
}

// ---------------------------------------------------------------------------------------------------
// Rest shape
// ---------------------------------------------------------------------------------------------------

st_real st_tetrahedron_volume(const st_real *rest, const uint32_t nodes[4]) {
    st_real e[3][3], c[3];
    for (int i = 0; i < 3; i++) st_vec3_sub(e[i], rest + 3 * (size_t)nodes[i + 1], rest + 3 * (size_t)nodes[0]);
    st_vec3_cross(c, e[0], e[1]);
    return fabs(st_vec3_dot(c, e[2])) / 6;
}

static st_real minors(const st_real *p[3], int u, int v) {
    return p[1][u] * p[2][v] - p[1][v] * p[2][u] - p[0][u] * p[2][v] + p[0][v] * p[2][u] + p[0][u] * p[1][v] -
           p[0][v] * p[1][u];
}

// 6 V_s grad N_i: minors of the three other vertices, with alternating signs.
static void tetra_model_gradients(st_real g[12], const st_real nodes[12]) {
    for (int i = 0; i < 4; i++) {
        const st_real *others[3] = {nodes + 3 * ((i + 1) % 4), nodes + 3 * ((i + 2) % 4), nodes + 3 * ((i + 3) % 4)};
        const st_real sign = i % 2 ? 1 : -1;

        g[3 * i] = sign * minors(others, 1, 2);
        g[3 * i + 1] = -sign * minors(others, 0, 2);
        g[3 * i + 2] = sign * minors(others, 0, 1);
    }
}

// Sets the frame, the nodes in it and the gradients of one element.
static void tetra_model_set_rest(st_tetra_model *model, size_t e, const st_real *rest) {
    uint32_t nodes[4];
    st_real x[12], y[12], a[9], frame[9], inverse[9] = {0}, g[12];

    // F from the edges
    st_element_nodes(&model->mesh, e, nodes);
    for (int i = 0; i < 4; i++) st_vec3_copy(x + 3 * i, rest + 3 * (size_t)nodes[i]);
    for (int i = 0; i < 3; i++) st_vec3_sub(a + 3 * i, x + 3 * (i + 1), x);
    if (model->method == ST_TETRA_SMALL) st_mat3_identity(frame);
    else if (model->method == ST_TETRA_LARGE) st_frame_rows(frame, a, a + 3);
    else if (!st_polar(frame, a)) model->singular = true;

    // the nodes in it
    for (int i = 0; i < 4; i++) {
        if (model->method == ST_TETRA_SMALL) st_vec3_copy(y + 3 * i, x + 3 * i);
        else st_mat3_times_vec(y + 3 * i, frame, x + 3 * i);
    }
    if (model->method == ST_TETRA_LARGE)
        for (int i = 3; i >= 0; i--) st_vec3_sub(y + 3 * i, y + 3 * i, y);

    tetra_model_gradients(g, y);
    st_pack_put(model->rest[0], 12, e, y);
    st_pack_put(model->direct[0], 12, e, g);
    if (model->shear != model->direct) st_pack_put(model->shear[0], 12, e, g);
    st_pack_put(model->rest_frame[0], 9, e, frame);
    st_pack_put(model->frame[0], 9, e, frame);
    if (!model->inverse) return;

    st_mat3_inverse(inverse, a);
    st_pack_put(model->inverse[0], 9, e, inverse);
}

static bool tetra_model_make_lists(st_tetra_model *model) {
    const st_element_mesh *mesh = &model->mesh;
    model->direct = (void *)st_packs_create(mesh, 12);

    // shear has gradients of its own where only the direct ones change
    const bool split = model->update == ST_TETRA_DIRECT || model->clear_zeros;
    model->shear = split ? (void *)st_packs_create(mesh, 12) : model->direct;

    model->material = (void *)st_packs_create(mesh, 3);
    model->rest = (void *)st_packs_create(mesh, 12);
    model->frame = (void *)st_packs_create(mesh, 9);
    model->rest_frame = (void *)st_packs_create(mesh, 9);
    if (model->method == ST_TETRA_SVD) {
        model->inverse = (void *)st_packs_create(mesh, 9);
        if (!model->inverse) return false;
    }
    return model->direct && model->shear && model->material && model->rest && model->frame && model->rest_frame;
}

static void tetra_model_free_lists(st_tetra_model *model) {
    if (model->shear != model->direct) st_free(model->shear);
    st_free(model->direct);
    st_free(model->material);
    st_free(model->rest);
    st_free(model->frame);
    st_free(model->rest_frame);
    st_free(model->inverse);

    model->direct = model->shear = model->rest = NULL;
    model->material = NULL;
    model->frame = model->rest_frame = model->inverse = NULL;
}

st_status st_tetra_model_make(st_tetra_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                              const st_real *rest, size_t points, size_t *wrong) {
    tetra_model_free_lists(model);
    const st_status status = st_element_mesh_make(&model->mesh, pool, elements, count, 4, points, 3, wrong);
    if (status != ST_OK || count == 0) return status;

    if (!tetra_model_make_lists(model)) {
        st_tetra_model_free(model);
        return ST_OUT_OF_MEMORY;
    }

    // Lanes beyond the end hold copies of the last element, so that they compute harmless numbers.
    for (size_t e = 0; e < model->mesh.packs * ST_PACK_SIZE; e++) tetra_model_set_rest(model, e, rest);
    return ST_OK;
}

void st_tetra_model_free(st_tetra_model *model) {
    tetra_model_free_lists(model);
    st_free(model->plastic);
    model->plastic = NULL;
    st_element_mesh_free(&model->mesh);
}

void st_tetra_model_set_material(st_tetra_model *model, size_t e, const st_real *rest, st_hooke hooke) {
    uint32_t nodes[4];
    st_element_nodes(&model->mesh, e, nodes);
    const st_real divisor = st_tetrahedron_volume(rest, nodes) * 36;

    // An element without volume has no stiffness: C / 0 would spread infinities.
    const bool flat = !(divisor > 0);
    const st_real m[3] = {flat ? 0 : hooke.diagonal / divisor, flat ? 0 : hooke.off_diagonal / divisor,
                          flat ? 0 : hooke.shear / divisor};
    st_pack_put(model->material[0], 3, e, m);
}

bool st_tetra_model_use_plasticity(st_tetra_model *model, bool use, bool keep) {
    st_pack(*before)[6] = model->plastic;
    const size_t known = keep && before ? model->plastic_count : 0;
    model->plastic = use && model->mesh.count ? (void *)st_packs_create(&model->mesh, 6) : NULL;
    model->plastic_count = model->plastic ? model->mesh.count : 0;

    for (size_t e = 0; e < known && e < model->plastic_count; e++) {
        st_real p[6];
        st_pack_take(before[0], 6, e, p);
        st_pack_put(model->plastic[0], 6, e, p);
    }
    st_free(before);
    return model->plastic || !use || model->mesh.count == 0;
}

void st_tetra_model_take_out(st_tetra_model *model, size_t e) {
    const size_t count = model->mesh.count;
    st_packs_take_out(model->direct[0], 12, e, count);
    if (model->shear != model->direct) st_packs_take_out(model->shear[0], 12, e, count);
    st_packs_take_out(model->material[0], 3, e, count);
    st_packs_take_out(model->rest[0], 12, e, count);
    st_packs_take_out(model->frame[0], 9, e, count);
    st_packs_take_out(model->rest_frame[0], 9, e, count);
    if (model->inverse) st_packs_take_out(model->inverse[0], 9, e, count);
    if (model->plastic) st_packs_take_out(model->plastic[0], 6, e, count), model->plastic_count--;
    st_element_mesh_take_out(&model->mesh, e);
}

// ---------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------

void st_tetra_model_add_force(st_tetra_model *model, st_pool *pool, const st_real *x, st_real *f) {
    st_tetra_call call = {.model = model, .x = x};
    st_element_loop(pool, &model->mesh, tetra_model_kernels(pool)->force[model->method], &call, f);
}

void st_tetra_model_update_frames(st_tetra_model *model, st_pool *pool, const st_real *x) {
    st_tetra_call call = {.model = model, .x = x};
    if (model->method != ST_TETRA_SMALL)
        st_element_each(pool, &model->mesh, tetra_model_kernels(pool)->frame[model->method], &call);
}

void st_tetra_model_product(st_tetra_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df) {
    st_tetra_call call = {.model = model, .x = dx, .factor = factor};
    st_element_loop(pool, &model->mesh, tetra_model_kernels(pool)->product[model->method != ST_TETRA_SMALL], &call, df);
}

// ---------------------------------------------------------------------------------------------------
// Blocks
// ---------------------------------------------------------------------------------------------------

void st_tetra_model_stiffness(st_tetra_model *model, st_pool *pool, st_sink *sink) {
    st_tetra_call call = {.model = model};
    st_element_assemble(pool, &model->mesh, 3, tetra_model_kernels(pool)->matrix, &call, sink);
}

// e = Jᵀ d
static void strain(st_real e[6], const st_real g[12], const st_real d[12]) {
    memset(e, 0, 6 * sizeof *e);
    for (int i = 0; i < 12; i += 3) {
        for (int c = 0; c < 3; c++) e[c] += g[i + c] * d[i + c];

        // engineering shears xy, yz, zx
        e[3] += g[i + 1] * d[i] + g[i] * d[i + 1];
        e[4] += g[i + 2] * d[i + 1] + g[i + 1] * d[i + 2];
        e[5] += g[i + 2] * d[i] + g[i] * d[i + 2];
    }
}

// D of one element, node 0 as the origin.
static void tetra_model_displacement(const st_tetra_model *model, size_t n, const st_real *x, st_real d[12]) {
    uint32_t nodes[4];
    st_real rest[12], frame[9], now[3], away[3];
    st_element_nodes(&model->mesh, n, nodes);
    st_pack_take(model->rest[0], 12, n, rest);
    st_pack_take(model->frame[0], 9, n, frame);

    // d = X - X₀ - F (x - x₀)
    for (int i = 0; i < 4; i++) {
        st_vec3_sub(away, x + 3 * (size_t)nodes[i], x + 3 * (size_t)nodes[0]);
        st_mat3_times_vec(now, frame, away);
        for (int k = 0; k < 3; k++) d[3 * i + k] = rest[3 * i + k] - rest[k] - now[k];
    }
}

// Summed over the elements.
st_real st_tetra_model_potential(const st_tetra_model *model, const st_real *x) {
    st_real energy = 0;
    for (size_t n = 0; n < model->mesh.count; n++) {
        st_real d[12], g[12], m[3], e[6], p[6] = {0};
        tetra_model_displacement(model, n, x, d);
        st_pack_take(model->direct[0], 12, n, g);
        st_pack_take(model->material[0], 3, n, m);
        if (model->plastic) st_pack_take(model->plastic[0], 6, n, p);

        // the elastic strain e - p, then 1/2 (e - p)ᵀ C/(36 V) (e - p)
        strain(e, g, d);
        for (int c = 0; c < 6; c++) e[c] -= p[c];
        const st_real trace = e[0] + e[1] + e[2];
        energy += (m[1] * trace * trace + (m[0] - m[1]) * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) +
                   m[2] * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5])) /
                  2;
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// Rotations of points
// ---------------------------------------------------------------------------------------------------

static void element_rotation(const st_tetra_model *model, size_t e, st_real r[9]) {
    st_real now[9], rest[9];
    st_pack_take(model->frame[0], 9, e, now);
    st_pack_take(model->rest_frame[0], 9, e, rest);
    st_mat3_transpose_multiply(r, now, rest);
}

void st_tetra_model_rotations(st_tetra_model *model, bool mean, st_real *rotations) {
    const st_element_mesh *mesh = &model->mesh;
    st_element_mesh_update(&model->mesh);
    for (size_t n = 0; n < mesh->points; n++, rotations += 9) {
        const uint32_t begin = mesh->starts[n], end = mesh->starts[n + 1];

        // a point without elements does not turn; without the mean the last element decides
        if (begin == end) {
            st_mat3_identity(rotations);
            continue;
        }
        if (!mean) {
            element_rotation(model, st_element_of_corner(mesh, end - 1), rotations);
            continue;
        }

        // the rotation nearest to the mean
        st_real sum[9] = {0}, r[9];
        for (uint32_t c = begin; c < end; c++) {
            element_rotation(model, st_element_of_corner(mesh, c), r);
            st_mat3_add(sum, sum, r);
        }
        for (int k = 0; k < 9; k++) sum[k] /= (st_real)(end - begin);
        st_polar(rotations, sum);
    }
}
