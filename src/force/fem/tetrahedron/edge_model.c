// Tetrahedra by edges: their rest shape, forces and blocks. See edge_model.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/edge_model.h"

#include "base/array.h"
#include "force/fem/tetrahedron/tetra_model.h"
#include "force/fem/tetrahedron/tetra_shape_vectors.h"
#include "math/decompose.h"
#include "topology/tables.h"

static const st_edge_kernels *edge_model_kernels(const st_pool *pool) { return ST_BEST_KERNELS(st_edge_kernels, pool); }

// ---------------------------------------------------------------------------------------------------
// Rest shape
// ---------------------------------------------------------------------------------------------------

static void edge_model_set_rest(st_edge_model *model, size_t e, const st_real *rest) {
    uint32_t nodes[4];
    const st_real *x[4];
    st_real s[4][3] = {{0}}, edge[18], frame[9], rotation[9];

    // gradients and edges
    st_element_nodes(&model->mesh, e, nodes);
    for (int i = 0; i < 4; i++) x[i] = rest + 3 * (size_t)nodes[i];
    st_tetra_shape_vectors(x, s); // a flat element has none, and no stiffness
    for (int i = 0; i < 6; i++) st_vec3_sub(edge + 3 * i, x[st_tetrahedron_edges[i][1]], x[st_tetrahedron_edges[i][0]]);

    // F(X) or P(X)
    if (model->method == ST_EDGE_POLAR2) {
        if (!st_polar(frame, edge)) model->singular = true;
    } else {
        st_frame_rows(frame, edge, edge + 3);
    }

    st_mat3_identity(rotation);
    st_pack_put(model->gradient[0], 12, e, s[0]);
    st_pack_put(model->rest_edge[0], 18, e, edge);
    st_pack_put(model->rest_frame[0], 9, e, frame);
    st_pack_put(model->rotation[0], 9, e, rotation);
}

void st_edge_model_set_material(st_edge_model *model, size_t e, const st_real *rest, st_lame lame) {
    uint32_t nodes[4];
    st_element_nodes(&model->mesh, e, nodes);
    const st_real volume = st_tetrahedron_volume(rest, nodes), m[2] = {lame.lambda * volume, lame.mu * volume};
    st_pack_put(model->material[0], 2, e, m);
    model->blocks.stale = true;
}

static bool edge_model_make_lists(st_edge_model *model) {
    const st_element_mesh *mesh = &model->mesh;
    model->gradient = (void *)st_packs_create(mesh, 12);
    model->material = (void *)st_packs_create(mesh, 2);
    model->rest_edge = (void *)st_packs_create(mesh, 18);
    model->rest_frame = (void *)st_packs_create(mesh, 9);
    model->rotation = (void *)st_packs_create(mesh, 9);

    return model->gradient && model->material && model->rest_edge && model->rest_frame && model->rotation;
}

void st_edge_model_free(st_edge_model *model) {
    st_free(model->gradient);
    st_free(model->material);
    st_free(model->rest_edge);
    st_free(model->rest_frame);
    st_free(model->rotation);
    st_element_mesh_free(&model->mesh);
    st_edge_blocks_free(&model->blocks);
    *model = (st_edge_model){.method = model->method};
}

st_status st_edge_model_make(st_edge_model *model, st_pool *pool, const st_uints *tetrahedra, const st_uints *edge_list,
                             const uint32_t *in_tetrahedra, const st_real *rest, size_t points, size_t *wrong) {
    const size_t count = tetrahedra->count;
    st_edge_model_free(model);
    if (count == 0) return ST_OK;

    // elements, then the matrix by points and edges, which they add to
    st_status status = st_element_mesh_make(&model->mesh, pool, tetrahedra->data, count, 4, points, 3, wrong);
    if (status == ST_OK)
        status = st_edge_blocks_make(&model->blocks, pool, tetrahedra, edge_list, in_tetrahedra, points, wrong);
    if (status == ST_OK && !edge_model_make_lists(model)) status = ST_OUT_OF_MEMORY;
    if (status != ST_OK) {
        st_edge_model_free(model);
        return status;
    }

    // rest shapes, in lanes that fill up the last pack, too
    for (size_t e = 0; e < model->mesh.packs * ST_PACK_SIZE; e++) edge_model_set_rest(model, e, rest);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Loops and blocks
// ---------------------------------------------------------------------------------------------------

void st_edge_model_add_force(st_edge_model *model, st_pool *pool, const st_real *x, st_real *f) {
    st_edge_call call = {.model = model, .x = x};
    model->blocks.stale = true;
    st_element_loop(pool, &model->mesh, edge_model_kernels(pool)->force[model->method], &call, f);
}

static void update_blocks(st_edge_model *model, st_pool *pool) {
    st_edge_call call = {.model = model};
    st_edge_blocks_update(&model->blocks, pool, edge_model_kernels(pool)->blocks, &call);
}

void st_edge_model_product(st_edge_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df) {
    update_blocks(model, pool);
    st_edge_blocks_product(&model->blocks, pool, factor, dx, df);
}

void st_edge_model_stiffness(st_edge_model *model, st_pool *pool, st_sink *sink) {
    update_blocks(model, pool);
    st_edge_blocks_add(&model->blocks, pool, sink);
}
