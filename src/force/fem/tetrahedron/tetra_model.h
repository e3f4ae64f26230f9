// The linear tetrahedron of the two classical corotational forces (TetrahedronFEMForceField and
// TetrahedralCorotationalFEMForceField), without its attributes.
//
// With g_i = 6 V_s grad N_i the gradients of the shape functions (V_s the signed volume), J_i the 3 x 6 matrix
//
//     [ gx  0   0   gy  0   gz ]
//     [ 0   gy  0   gx  gz  0  ]       columns xx, yy, zz, xy, yz, zx
//     [ 0   0   gz  0   gy  gx ]
//
// and C Hooke's law, the element's stiffness is K_e = J C / (36 V) Jᵀ. F (rows are the axes of the element) takes
// world to element coordinates; D = rest - F x is the displacement there, and
//
//     f_i = Fᵀ J_i C/(36 V) Jᵀ D,        df_i = -k Fᵀ J_i C/(36 V) Jᵀ (F dx)      with F as the last force left it.
//
// How F is found:
//
//     small   F = 1
//     large   frame of the edges 01 and 02: node 0 becomes the origin, node 1 lies on the x axis, node 2 in the x-y plane
//     polar   orthogonal factor of A, whose rows are the edges 01, 02, 03 (of an inverted element: a reflection)
//     svd     the same, and the stable decomposition where det(A A0⁻¹) < 1e-6, A0 being A at rest
//
// Everything is stored in packs of four elements; each lane does the operations of the scalar formula in its order.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_MODEL_H
#define SETTEE_FORCE_FEM_TETRAHEDRON_TETRA_MODEL_H

#include "force/fem/common/elastic.h"
#include "force/fem/common/element_mesh.h"

typedef enum st_tetra_method { ST_TETRA_SMALL, ST_TETRA_LARGE, ST_TETRA_POLAR, ST_TETRA_SVD } st_tetra_method;

// How the gradients follow the deformed shape (updateStiffnessMatrix).
typedef enum st_tetra_update {
    ST_TETRA_KEEP,   // those of the rest shape
    ST_TETRA_FULL,   // all of them
    ST_TETRA_DIRECT, // those of xx, yy and zz; the shear columns keep the rest shape (TetrahedronFEM with large)
} st_tetra_update;

typedef struct st_tetra_model {
    st_tetra_method method;
    st_tetra_update update;
    st_element_mesh mesh;
    st_pack (*direct)[12];    // gradients in the columns xx, yy, zz
    st_pack (*shear)[12];     // gradients in the columns xy, yz, zx: the same list unless only the direct ones follow
    st_pack (*material)[3];   // C / (36 V): diagonal, off-diagonal, shear
    st_pack (*rest)[12];      // rest nodes in the element's frame
    st_pack (*frame)[9];      // F of the last force
    st_pack (*rest_frame)[9]; // F of the rest shape
    st_pack (*inverse)[9];    // svd: inverse of the edges at rest
    st_pack (*plastic)[6];    // plastic strain times 6 V, or NULL
    size_t plastic_count;     // elements that it has room for
    bool explicit_matrix;     // forces through the 12 x 12 matrix (computeGlobalMatrix)
    bool clear_zeros;         // with it and large: direct entries that vanish in exact numbers are set to zero
    st_real plastic_max, plastic_yield, plastic_creep;
    bool singular; // a polar decomposition failed since this was last cleared
} st_tetra_model;

// What a loop works on: the model and the arguments of the call.
typedef struct st_tetra_call {
    st_tetra_model *model;
    const st_real *x; // positions, for a product dx
    st_real factor;   // of a product
} st_tetra_call;

// Takes the elements; `points` positions at rest. The material is set apart. ST_INVALID when an element has a vertex
// beyond them (`wrong`).
st_status st_tetra_model_make(st_tetra_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                              const st_real *rest, size_t points, size_t *wrong);
void st_tetra_model_free(st_tetra_model *model);
// C / (36 V) of one element with the volume at rest.
void st_tetra_model_set_material(st_tetra_model *model, size_t element, const st_real *rest, st_hooke hooke);
// Room for plastic strains; with `keep` those of former elements stay.
bool st_tetra_model_use_plasticity(st_tetra_model *model, bool use, bool keep);
// An element leaves the mesh, but not the only one: the last one takes its place, with its frame and its plastic strain.
void st_tetra_model_take_out(st_tetra_model *model, size_t e);

// f += force(x)
void st_tetra_model_add_force(st_tetra_model *model, st_pool *pool, const st_real *x, st_real *f);
// F for the given positions, without a force.
void st_tetra_model_update_frames(st_tetra_model *model, st_pool *pool, const st_real *x);
// df -= factor K dx
void st_tetra_model_product(st_tetra_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
void st_tetra_model_stiffness(st_tetra_model *model, st_pool *pool, st_sink *sink);
// 1/2 (e - p)ᵀ C/(36 V) (e - p) with e = Jᵀ D, the frames and plastic strains p of the last force.
st_real st_tetra_model_potential(const st_tetra_model *model, const st_real *x);

// How far each point has turned, 9 reals a point: the rotation nearest to the mean of Fᵀ F0 over the elements around it
// (`mean`), or Fᵀ F0 of the last of them. A point without elements has not turned.
void st_tetra_model_rotations(st_tetra_model *model, bool mean, st_real *rotations);

st_real st_tetrahedron_volume(const st_real *rest, const uint32_t nodes[4]); // positive

// The loops of tetra_kernel.c; their context is a st_tetra_call.
typedef struct st_tetra_kernels {
    st_element_kernel *force[4]; // by method
    st_element_kernel *frame[4];
    st_element_kernel *product[2]; // without and with a rotation
    st_element_kernel *matrix;
    st_element_kernel *von_mises; // its context is a st_von_mises
} st_tetra_kernels;
ST_KERNEL_TABLES(st_tetra_kernels);

#endif
