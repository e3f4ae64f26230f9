// Derivatives kept for edges. See edge_blocks.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/edge_blocks.h"

#include "base/array.h"
#include "force/fem/tetrahedron/edge_model.h"
#include "topology/tables.h"

static void set_directions(st_edge_blocks *blocks, const st_uints *tetrahedra, const st_uints *edges,
                           const uint32_t *in_tetrahedra) {
    for (size_t lane = 0; lane < blocks->tetra_edges.packs * ST_PACK_SIZE; lane++) {
        const size_t e = lane < tetrahedra->count ? lane : tetrahedra->count - 1;

        for (size_t i = 0; i < 6; i++) {
            const uint32_t first = tetrahedra->data[4 * e + (size_t)st_tetrahedron_edges[i][0]];
            *st_pack_entry(blocks->along[0], 6, lane, i) = edges->data[2 * in_tetrahedra[6 * e + i]] == first ? 1 : 0;
        }
    }
}

st_status st_edge_blocks_make(st_edge_blocks *blocks, st_pool *pool, const st_uints *tetrahedra,
                              const st_uints *edge_list, const uint32_t *in_tetrahedra, size_t points, size_t *wrong) {
    st_edge_blocks_free(blocks);
    if (tetrahedra->count == 0) return ST_OK;

    // both meshes: edges with two points, tetrahedra with six edges
    st_status status =
        st_element_mesh_make(&blocks->edges, pool, edge_list->data, edge_list->count, 2, points, 3, wrong);
    if (status == ST_OK)
        status = st_element_mesh_make(&blocks->tetra_edges, pool, in_tetrahedra, tetrahedra->count, 6, edge_list->count,
                                      9, wrong);

    if (status == ST_OK) {
        blocks->along = (void *)st_packs_create(&blocks->tetra_edges, 6);
        blocks->block = st_alloc(blocks->edges.count, 9 * sizeof(st_real));
        if (!blocks->along || !blocks->block) status = ST_OUT_OF_MEMORY;
    }
    if (status != ST_OK) {
        st_edge_blocks_free(blocks);
        return status;
    }

    set_directions(blocks, tetrahedra, edge_list, in_tetrahedra);
    blocks->stale = true;
    return ST_OK;
}

void st_edge_blocks_free(st_edge_blocks *blocks) {
    st_element_mesh_free(&blocks->edges);
    st_element_mesh_free(&blocks->tetra_edges);
    st_free(blocks->along);
    st_free(blocks->block);
    *blocks = (st_edge_blocks){0};
}

void st_edge_blocks_update(st_edge_blocks *blocks, st_pool *pool, st_element_kernel *kernel, void *context) {
    if (!blocks->stale || blocks->edges.count == 0) return;

    blocks->stale = false;
    memset(blocks->block, 0, blocks->edges.count * 9 * sizeof(st_real));
    st_element_loop(pool, &blocks->tetra_edges, kernel, context, blocks->block);
}

void st_edge_blocks_product(st_edge_blocks *blocks, st_pool *pool, st_real factor, const st_real *dx, st_real *df) {
    st_edge_product call = {.blocks = blocks, .dx = dx, .factor = factor};
    st_element_loop(pool, &blocks->edges, ST_BEST_KERNELS(st_edge_kernels, pool)->product, &call, df);
}

// The 6 x 6 matrix of each edge: Bᵀ, -Bᵀ; -B, B.
static void matrix_loop(void *context, size_t begin, size_t end, st_real *matrices) {
    const st_edge_blocks *blocks = context;
    for (size_t edge = begin * ST_PACK_SIZE; edge < end * ST_PACK_SIZE && edge < blocks->edges.count; edge++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                const st_real b = blocks->block[9 * edge + (size_t)(3 * r + c)];
                st_real *m = matrices + 36 * (edge - begin * ST_PACK_SIZE);

                m[6 * c + r] = b;
                m[6 * c + 3 + r] = -b;
                m[6 * (3 + r) + c] = -b;
                m[6 * (3 + r) + 3 + c] = b;
            }
}

void st_edge_blocks_add(st_edge_blocks *blocks, st_pool *pool, st_sink *sink) {
    st_element_assemble(pool, &blocks->edges, 3, matrix_loop, blocks, sink);
}
