// Linear elastic elements of any kind: making their data, running their loops, their blocks. See element_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/element_model.h"

#include "base/array.h"
#include "force/fem/simd.h"
#include "force/fem/stiffness.h"
#include "math/decompose.h"

enum { FORCE, PRODUCT, MATRIX };

static st_element_kernel *kernel_of(const st_element_model *model, int what) {
    const st_element_kernels *kernels = ST_SIMD_CHOICE(st_element_kernels_portable, st_element_kernels_avx2);
    if (model->d == 3 && model->mesh.size == 4) return kernels->tetra[what][model->rotated];
    if (model->d == 3 && model->mesh.size == 8) return kernels->hexa[what][model->rotated];
    return kernels->any[model->d - 1][what][model->rotated];
}

// ---------------------------------------------------------------------------------------------------
// Rest shape
// ---------------------------------------------------------------------------------------------------

static void nodes_of(const st_element_model *model, size_t e, const st_real *rest, st_real *x) {
    uint32_t nodes[ST_ELEMENT_CORNERS];
    const size_t d = (size_t)model->d;
    st_element_nodes(&model->mesh, e, nodes);
    for (size_t i = 0; i < (size_t)model->mesh.size; i++)
        for (size_t k = 0; k < d; k++) x[i * d + k] = rest[nodes[i] * d + k];
}

static void frame_of(const st_element_model *model, const st_real *x, st_real frame[9]) {
    st_real ex[3], ey[3];
    if (model->method == ST_ROTATION_HEXAHEDRON) {
        for (int k = 0; k < 3; k++) {
            const st_real *n = x + k;
            ex[k] = (n[3] - n[0] + n[6] - n[9] + n[15] - n[12] + n[18] - n[21]) * ST_R(0.25);
            ey[k] = (n[9] - n[0] + n[6] - n[3] + n[21] - n[12] + n[18] - n[15]) * ST_R(0.25);
        }
    } else {
        st_vec3_sub(ex, x + 3, x);
        st_vec3_sub(ey, x + 6, x);
    }
    st_frame_rows(frame, ex, ey);
}

static void set_rest(st_element_model *model, size_t e, const st_real *rest) {
    const int n = model->mesh.size, d = model->d;
    st_real x[ST_ELEMENT_SCALARS], frame[9];
    nodes_of(model, e, rest, x);
    if (!model->rotated) {
        st_pack_put(model->rest, (size_t)(n * d), e, x);
        return;
    }
    st_mat3_identity(frame);
    if (d == 3 && model->method >= ST_ROTATION_TRIANGLE) frame_of(model, x, frame);
    st_pack_put(model->rest_frame, 9, e, frame);
    for (int k = 0; k < d; k++) {
        st_real t = x[k];
        for (int i = 1; i < n; i++) t += x[i * d + k];
        t /= (st_real)n;
        for (int i = 0; i < n; i++) x[i * d + k] -= t;
    }
    st_pack_put(model->rest, (size_t)(n * d), e, x);
}

static bool make_lists(st_element_model *model) {
    const st_element_mesh *mesh = &model->mesh;
    const int n = mesh->size, d = model->d;
    model->entries = st_stiffness_entries(n, d);
    model->stiffness = st_packs_create(mesh, model->entries);
    model->rest = st_packs_create(mesh, (size_t)(n * d));
    if (model->rotated) {
        model->rest_frame = st_packs_create(mesh, 9);
        model->rotation = st_packs_create(mesh, 9);
        if (!model->rest_frame || !model->rotation) return false;
    }
    return model->stiffness && model->rest;
}

static void free_lists(st_element_model *model) {
    st_free(model->stiffness);
    st_free(model->rest);
    st_free(model->rest_frame);
    st_free(model->rotation);
    model->stiffness = model->rest = model->rest_frame = model->rotation = NULL;
    model->evaluated = false;
}

st_status st_element_model_make(st_element_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                const st_real *rest, size_t points, size_t *wrong) {
    free_lists(model);
    const st_status status = st_element_mesh_make(&model->mesh, pool, elements, count, st_element_size[model->kind],
                                                  points, model->d, wrong);
    if (status != ST_OK || count == 0) return status;
    if (!make_lists(model)) {
        st_element_model_free(model);
        return ST_OUT_OF_MEMORY;
    }
    for (size_t e = 0; e < model->mesh.packs * ST_PACK_SIZE; e++) set_rest(model, e, rest);
    return ST_OK;
}

void st_element_model_free(st_element_model *model) {
    free_lists(model);
    st_element_mesh_free(&model->mesh);
}

// ---------------------------------------------------------------------------------------------------
// Stiffness
// ---------------------------------------------------------------------------------------------------

// The upper triangle of K_e in the order of element_model.h.
static void put_stiffness(st_element_model *model, size_t e, const st_real *k) {
    const int n = model->mesh.size, d = model->d, size = n * d;
    st_real stored[ST_ELEMENT_SCALARS * (ST_ELEMENT_SCALARS + 1) / 2];
    size_t at = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int r = 0; r < d; r++)
                for (int c = i == j ? r : 0; c < d; c++) stored[at++] = k[(i * d + r) * size + j * d + c];
    st_pack_put(model->stiffness, model->entries, e, stored);
}

static void stiffness_kernel(void *context, size_t begin, size_t end, st_real *results) {
    (void)results;
    st_element_model *model = context;
    st_real x[ST_ELEMENT_SCALARS], k[ST_ELEMENT_SCALARS * ST_ELEMENT_SCALARS];
    for (size_t lane = begin * ST_PACK_SIZE; lane < end * ST_PACK_SIZE; lane++) {
        const size_t e = lane < model->mesh.count ? lane : model->mesh.count - 1;
        const st_lame lame =
            st_lame_of(st_elastic_young(model->material, e), st_elastic_poisson(model->material, e), model->d);
        nodes_of(model, lane, model->x, x);
        st_element_stiffness(model->kind, x, model->d, lame, k);
        put_stiffness(model, lane, k);
    }
}

void st_element_model_set_material(st_element_model *model, st_pool *pool, const st_elastic *material,
                                   const st_real *rest) {
    model->material = material;
    model->x = rest;
    st_element_each(pool, &model->mesh, stiffness_kernel, model);
}

// ---------------------------------------------------------------------------------------------------
// Loops and blocks
// ---------------------------------------------------------------------------------------------------

void st_element_model_add_force(st_element_model *model, st_pool *pool, const st_real *x, st_real *f) {
    if (model->mesh.count == 0) return;
    model->x = x;
    model->evaluated = true;
    st_element_loop(pool, &model->mesh, kernel_of(model, FORCE), model, f);
}

void st_element_model_product(st_element_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df) {
    if (model->mesh.count == 0 || (model->rotated && !model->evaluated)) return;
    model->x = dx;
    model->factor = factor;
    st_element_loop(pool, &model->mesh, kernel_of(model, PRODUCT), model, df);
}

void st_element_model_stiffness(st_element_model *model, st_sink *sink) {
    if (model->mesh.count == 0 || (model->rotated && !model->evaluated)) return;
    st_element_assemble(&model->mesh, model->d, kernel_of(model, MATRIX), model, sink);
}
