// Linear elastic elements of any kind with a stored stiffness K_e, at rest or turned with the body: the element-generic
// forces without their attributes.
//
//     u_i = Rᵀ (x_i - t) - (X_i - t0),     f_i -= R (K_e u)_i,     df_i -= k R (K_e Rᵀ dx)_i
//
// t and t0 are the means of the nodes now and at rest, R the rotation of the last force. Without rotation
// u_i = x_i - X_i.
//
//     triangle      R = F(x)ᵀ F(X), F the frame of nodes 0, 1, 2 (rows are the axes)
//     hexahedron    the same with the frame of the mean edges
//     polar         orthogonal factor of H = Σ (x_i - t)(X_i - t0)ᵀ
//     stable polar  nearest rotation of the same by singular values
//     edges         orthogonal factor of the matrix whose rows are the three mean edges of a hexahedron
//     identity      R = 1
//
// The classical hexahedra keep their data in the frame of the element instead (`framed`): with F the frame of mean
// edges, or the factor of method edges, R = F(x)ᵀ, u_i = F(x) x_i - F(X) X_i, and K_e is that of the nodes F(X) X_i.
//
// K_e is symmetric and stored once: for nodes i <= j the d x d block (i, j), of the diagonal blocks the upper triangle.
// Rows of K_e u are still summed from the first column to the last. Elements of the same shape, up to the rounding of
// their coordinates, and of the same material share one K_e where all of them would not fit into a cache: in a regular
// grid a product need not read 2400 bytes for each hexahedron.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_GENERIC_ELEMENT_MODEL_H
#define SETTEE_FORCE_FEM_GENERIC_ELEMENT_MODEL_H

#include "force/fem/common/elastic.h"
#include "force/fem/common/element_mesh.h"

enum { ST_ELEMENT_MARKS = 3 };

typedef enum st_rotation_method {
    ST_ROTATION_STABLE_POLAR,
    ST_ROTATION_POLAR,
    ST_ROTATION_IDENTITY,
    ST_ROTATION_TRIANGLE,
    ST_ROTATION_HEXAHEDRON,
    ST_ROTATION_EDGES,
} st_rotation_method;

// Where the stiffness of the elements comes from.
typedef struct st_element_law {
    // K_e of an element with these nodes, row by row. Called by several threads.
    void (*stiffness)(const void *user, size_t element, const st_real *nodes, st_real *k);
    // Elements of the same shape with the same marks have the same K_e. NULL: each has its own.
    void (*marks)(const void *user, size_t element, st_real marks[ST_ELEMENT_MARKS]);
    const void *user;
} st_element_law;

typedef struct st_element_model {
    st_element kind;
    size_t d;     // dimensions of space
    bool rotated; // false: small strains, no rotation at all
    st_rotation_method method;
    bool framed; // rest shape and K_e are in the frame of the element
    st_element_mesh mesh;
    size_t entries;      // of a stored K_e
    uint32_t *place;     // [pack]: where its stiffness is: among its own ones, or with ST_SHARED set among the shared
    st_pack *own;        // [place][entries]: packs whose elements are not all alike
    size_t own_room;     // packs there is room for
    st_real *shared;     // [place][entries]: one K_e for all four elements of a pack
    st_pack *rest;       // [pack][n d]: X_i - t0, or X_i without rotation, or F(X) X_i
    st_pack *rest_frame; // [pack][9]: F(X); d d entries are used
    st_pack *rotation;   // [pack][9]: R of the last force
    bool evaluated;      // there was a force
    bool singular;       // a polar decomposition failed since this was last cleared
} st_element_model;

// What a loop works on: the model and the arguments of the call.
typedef struct st_element_call {
    st_element_model *model;
    const st_real *x; // positions, for a product dx
    st_real factor;   // of a product
} st_element_call;

#define ST_SHARED (UINT32_C(1) << 31)

// Takes the elements at rest. ST_INVALID when an element has a vertex beyond them (`wrong`).
st_status st_element_model_make(st_element_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                const st_real *rest, size_t points, size_t *wrong);
void st_element_model_free(st_element_model *model);
// K_e of all elements, from their shape at x. False when out of memory.
bool st_element_model_set_stiffness(st_element_model *model, st_pool *pool, const st_element_law *law,
                                    const st_real *x);
// The law of Hooke in d dimensions, integrated numerically (stiffness.h); the user is the argument.
typedef struct st_element_hooke {
    const st_elastic *material;
    st_element kind;
    size_t d;
} st_element_hooke;
st_element_law st_element_hooke_law(const st_element_hooke *hooke);
// K_e of one element, (n d)^2 reals.
void st_element_model_matrix(const st_element_model *model, size_t element, st_real *k);

void st_element_model_add_force(st_element_model *model, st_pool *pool, const st_real *x, st_real *f);
void st_element_model_product(st_element_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
void st_element_model_stiffness(st_element_model *model, st_pool *pool, st_sink *sink);

// Σ 1/2 uᵀ K_e u at positions x with the rotations of the last force.
st_real st_element_model_potential(const st_element_model *model, const st_real *x);

// Reals of a stored K_e of n nodes in d dimensions: n (n - 1) / 2 blocks and n triangles.
static inline size_t st_stiffness_entries(size_t n, size_t d) {
    return (n * (n - 1) / 2 * d * d + n * (d * (d + 1) / 2));
}

// The loops of element_kernel.c, whose context is a st_element_call; by the number of nodes and dimensions.
typedef struct st_element_kernels {
    st_element_kernel *tetra[3][2], *hexa[3][2], *any[3][3][2]; // [force, product, matrix][rotated]; any: [d - 1]
} st_element_kernels;
ST_KERNEL_TABLES(st_element_kernels);

#endif
