// The derivative of forces in tetrahedra, kept for each edge of the mesh: a force that does not depend on where the
// body is has the same derivative when it is written with differences along edges only,
//
//     df_1 += k B (dx_1 - dx_0),   df_0 -= k Bᵀ (dx_1 - dx_0),        B = - df_1/dx_0 = - (df_0/dx_1)ᵀ
//
// for the edge from 0 to 1, B the sum over the tetrahedra around it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_EDGE_BLOCKS_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_EDGE_BLOCKS_H

#include "force/fem/common/element_mesh.h"

typedef struct st_edge_blocks {
    st_element_mesh edges;       // edges of the mesh, as elements with two corners
    st_element_mesh tetra_edges; // tetrahedra with their six edges as corners
    st_pack (*along)[6];         // 1 where the tetrahedron's edge runs as the mesh's, else 0
    st_real *block;              // B of each edge, 9 reals
    bool stale;                  // the blocks belong to an earlier force
} st_edge_blocks;

// What the loop of the product works on (st_edge_kernels.product).
typedef struct st_edge_product {
    const st_edge_blocks *blocks;
    const st_real *dx;
    st_real factor;
} st_edge_product;

// `edge_list` has two vertices an edge, `in_tetrahedra` six numbers of edges a tetrahedron. ST_INVALID when an edge has
// a vertex beyond the points, or a tetrahedron an edge that is not in the list (`wrong`).
st_status st_edge_blocks_make(st_edge_blocks *blocks, st_pool *pool, const st_uints *tetrahedra,
                              const st_uints *edge_list, const uint32_t *in_tetrahedra, size_t points, size_t *wrong);
void st_edge_blocks_free(st_edge_blocks *blocks);

// Where they are stale: sums again what the kernel gives for the six edges of each tetrahedron, nine reals each.
void st_edge_blocks_update(st_edge_blocks *blocks, st_pool *pool, st_element_kernel *kernel, void *context);
void st_edge_blocks_product(st_edge_blocks *blocks, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
// The same derivative as blocks.
void st_edge_blocks_add(st_edge_blocks *blocks, st_pool *pool, st_sink *sink);

#endif
