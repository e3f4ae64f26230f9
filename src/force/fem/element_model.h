// Linear elastic elements of any kind with a stored stiffness K_e, at rest or turned with the body: the element-generic
// forces without their attributes.
//
//     u_i = R^T (x_i - t) - (X_i - t0),     f_i -= R (K_e u)_i,     df_i -= k R (K_e R^T dx)_i
//
// t and t0 are the means of the nodes now and at rest, R the rotation of the last force. Without rotation u_i = x_i -
// X_i.
//
//     triangle      R = F(x)^T F(X), F the frame of nodes 0, 1, 2 (rows are the axes)
//     hexahedron    the same with the frame of the mean edges
//     polar         orthogonal factor of H = sum (x_i - t)(X_i - t0)^T
//     stable polar  nearest rotation of the same by singular values
//     identity      R = 1
//
// K_e is symmetric and stored once: for nodes i <= j the d x d block (i, j), of the diagonal blocks the upper triangle.
// Rows of K_e u are still summed from the first column to the last.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_ELEMENT_MODEL_H
#define SETTEE_FORCE_FEM_ELEMENT_MODEL_H

#include "force/fem/elastic.h"
#include "force/fem/element_mesh.h"

typedef enum st_rotation_method {
    ST_ROTATION_STABLE_POLAR,
    ST_ROTATION_POLAR,
    ST_ROTATION_IDENTITY,
    ST_ROTATION_TRIANGLE,
    ST_ROTATION_HEXAHEDRON,
} st_rotation_method;

typedef struct st_element_model {
    st_element kind;
    int d;        // dimensions of space
    bool rotated; // false: small strains, no rotation at all
    st_rotation_method method;
    st_element_mesh mesh;
    size_t entries;      // of a stored K_e
    st_pack *stiffness;  // [pack][entries]
    st_pack *rest;       // [pack][n d]: X_i - t0, or X_i without rotation
    st_pack *rest_frame; // [pack][9]: F(X); d d entries are used
    st_pack *rotation;   // [pack][9]: R of the last force
    bool evaluated;      // there was a force
    bool singular;       // a polar decomposition failed
    // of the loop that runs now
    const st_real *x;
    st_real factor;
    const st_elastic *material;
} st_element_model;

// Takes the elements at rest. ST_INVALID when an element has a vertex beyond them (`wrong`).
st_status st_element_model_make(st_element_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                const st_real *rest, size_t points, size_t *wrong);
void st_element_model_free(st_element_model *model);
// K_e of all elements, from the rest shape.
void st_element_model_set_material(st_element_model *model, st_pool *pool, const st_elastic *material,
                                   const st_real *rest);

void st_element_model_add_force(st_element_model *model, st_pool *pool, const st_real *x, st_real *f);
void st_element_model_product(st_element_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
void st_element_model_stiffness(st_element_model *model, st_sink *sink);

// Reals of a stored K_e of n nodes in d dimensions: n (n - 1) / 2 blocks and n triangles.
static inline size_t st_stiffness_entries(int n, int d) {
    return (size_t)(n * (n - 1) / 2 * d * d + n * (d * (d + 1) / 2));
}

// Loops in two variants (element_kernel.h); by the number of nodes and dimensions.
typedef struct st_element_kernels {
    st_element_kernel *tetra[3][2], *hexa[3][2], *any[3][3][2]; // [force, product, matrix][rotated]; any: [d - 1]
} st_element_kernels;
extern const st_element_kernels st_element_kernels_portable;
#ifdef __x86_64__
extern const st_element_kernels st_element_kernels_avx2;
#endif

#endif
