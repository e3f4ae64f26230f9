// The corotational linear tetrahedron organized by edges: FastTetrahedralCorotationalForceField without its attributes.
//
// With s_j = grad N_j, V the volume at rest and Lamé's parameters times V, the stiffness between nodes l and k is
//
//     K_lk = λ s_l s_kᵀ + μ s_k s_lᵀ + μ (s_l · s_k) 1,
//
// and since its rows add up to zero the force needs the six edges only: with d = x_l - x_k, E the same at rest,
//
//     u = Rᵀ d - E,   F_l += K_lk u,   F_k -= K_lkᵀ u,   f += R F.
//
// The derivative is kept for each edge of the mesh: B = sum of R K_lk Rᵀ over the tetrahedra around it,
//
//     df_l += k B (dx_l - dx_k),   df_k -= k Bᵀ (dx_l - dx_k).
//
// R relative to the rest shape:
//     qr      F(x)ᵀ F(X), F the frame of the edges 01 and 02
//     polar   orthogonal factor of the deformation gradient
//     polar2  P(x)ᵀ P(X), P the orthogonal factor of the matrix whose rows are the edges 01, 02, 03
//     none    1
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_EDGE_MODEL_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_EDGE_MODEL_H

#include "force/fem/common/elastic.h"
#include "force/fem/tetrahedron/edge_blocks.h"

typedef enum st_edge_method { ST_EDGE_QR, ST_EDGE_POLAR, ST_EDGE_POLAR2, ST_EDGE_NONE } st_edge_method;

typedef struct st_edge_model {
    st_edge_method method;
    st_element_mesh mesh;    // tetrahedra
    st_edge_blocks blocks;   // B of each edge
    st_pack (*gradient)[12]; // s_0 to s_3
    st_pack (*material)[2];  // λ V, μ V
    st_pack (*rest_edge)[18];
    st_pack (*rest_frame)[9]; // F(X) or P(X)
    st_pack (*rotation)[9];   // R of the last force
    bool singular;            // a polar decomposition failed since this was last cleared
} st_edge_model;

// What a loop works on: the model and, for a force, the positions.
typedef struct st_edge_call {
    st_edge_model *model;
    const st_real *x;
} st_edge_call;

// `edge_list` has two vertices an edge, `in_tetrahedra` six numbers of edges a tetrahedron. ST_INVALID when a
// tetrahedron has a vertex beyond the points or an edge that is not in the list (`wrong`).
st_status st_edge_model_make(st_edge_model *model, st_pool *pool, const st_uints *tetrahedra, const st_uints *edge_list,
                             const uint32_t *in_tetrahedra, const st_real *rest, size_t points, size_t *wrong);
void st_edge_model_free(st_edge_model *model);
void st_edge_model_set_material(st_edge_model *model, size_t element, const st_real *rest, st_lame lame);

void st_edge_model_add_force(st_edge_model *model, st_pool *pool, const st_real *x, st_real *f);
void st_edge_model_product(st_edge_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
void st_edge_model_stiffness(st_edge_model *model, st_pool *pool, st_sink *sink);

// The loops of edge_kernel.c; their context is a st_edge_call.
typedef struct st_edge_kernels {
    st_element_kernel *force[4]; // by method
    st_element_kernel *blocks;
    st_element_kernel *product; // its context is a st_edge_product
} st_edge_kernels;
ST_KERNEL_TABLES(st_edge_kernels);

#endif
