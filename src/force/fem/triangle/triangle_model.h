// Membrane triangles A B C with constant strain, in the plane of a frame that turns with the triangle.
//
//         C                With β, γ the gradients of the linear shape function of a corner in the frame, and rows
//        / \.              ordered xx, yy, xy (engineering shear):
//       /   \.
//      A-----B --> x           strain = Σ corners (β dx, γ dy, γ dx + β dy),       d = rest - current
//                              stress = area C strain
//                              f      = Fᵀ (β s_xx + γ s_xy, γ s_yy + β s_xy),     F = rows x and y of the frame
//
// For B = (bx, by), C = (cx, cy) seen from A, and det = bx cy - by cx:
//     β = (by - cy, cy, -by) / det,   γ = (cx - bx, -cx, bx) / det
//
// A is the origin, so that d_A = 0. The methods differ in the frame:
//     large   x along AB, y in the plane of the triangle: by = 0
//     small   no rotation: the x and y components of the world; det = |AB × AC|
//     rest    the frame of large
//
// β and γ are those of the deformed triangle, for rest those of the rest shape. The derivative -Fᵀ J (area C) Jᵀ F
// holds frame and gradients fixed. For rest, det is taken out of the gradients, with μ = E/(1+ν), γ = Eν/(1-ν²),
// s = 1/(2 det):
//
//     e  = (cy dbx, bx dcy - cx dby, bx dcx - cx dbx + cy dby)
//     σ  = s (μ e0 + γ (e0 + e1), μ e1 + γ (e0 + e1), μ e2/2)
//     fB = x (cy σ0 - cx σ2) + y (cy σ2 - cx σ1),   fC = x bx σ2 + y bx σ1,   fA = -fB - fC
//
// Thin cloth is so unstable under compression that it takes this order of operations to follow a reference.
//
// Everything is stored in packs of four elements; each lane does the operations of the scalar formula in its order.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_TRIANGLE_TRIANGLE_MODEL_H
#define SETTEE_FORCE_FEM_TRIANGLE_TRIANGLE_MODEL_H

#include "force/fem/common/element_mesh.h"
#include "settee/plugin/physics.h"

typedef enum st_triangle_method {
    ST_TRIANGLE_SMALL,
    ST_TRIANGLE_LARGE,
    ST_TRIANGLE_REST,
    ST_TRIANGLE_METHODS
} st_triangle_method;

// Of the method rest.
enum {
    ST_TRIANGLE_BX,
    ST_TRIANGLE_CX,
    ST_TRIANGLE_CY,
    ST_TRIANGLE_SCALE, // s
    ST_TRIANGLE_MU,
    ST_TRIANGLE_GAMMA,
    ST_TRIANGLE_CONSTANTS
};

typedef struct st_triangle_model {
    st_triangle_method method;
    st_element_mesh mesh;
    st_pack (*rest)[4];                          // bx, by, cx, cy at rest
    st_pack (*gradient)[6];                      // β and γ of A, B, C
    st_pack (*material)[6];                      // area C: xx-xx, xx-yy, xx-xy, yy-yy, yy-xy, xy-xy
    st_pack (*frame)[6];                         // axes x and y
    st_pack (*constants)[ST_TRIANGLE_CONSTANTS]; // of the method rest
    bool flat; // a triangle without area was met since this was last cleared: it has no force
} st_triangle_model;

// What a loop works on: the model and the arguments of the call.
typedef struct st_triangle_call {
    st_triangle_model *model;
    const st_real *x; // positions, for a product dx
    st_real factor;   // of a product
} st_triangle_call;

// Room for the triangles; the method is set before, rest shape and material of each after. ST_INVALID when a vertex is
// not below `points`: `wrong` is then its element.
st_status st_triangle_model_make(st_triangle_model *model, st_pool *pool, const uint32_t *elements, size_t count,
                                 size_t points, size_t *wrong);
void st_triangle_model_free(st_triangle_model *model);

// Lanes to be set: the elements, and copies of the last one that fill the last pack.
static inline size_t st_triangle_lanes(const st_triangle_model *model) { return model->mesh.packs * ST_PACK_SIZE; }
static inline size_t st_triangle_of_lane(const st_triangle_model *model, size_t lane) {
    return lane < model->mesh.count ? lane : model->mesh.count - 1;
}
// Corners B and C at rest as seen from A in the frame (world axes for small), and the rows of that frame. A flat
// triangle sets `flat`.
void st_triangle_model_set_rest(st_triangle_model *model, size_t lane, const st_real b[3], const st_real c[3],
                                const st_real frame[9]);
void st_triangle_model_set_material(st_triangle_model *model, size_t lane, const st_real k[6]);
// For rest, whose material is isotropic: both the stiffness and the constants.
void st_triangle_model_set_elasticity(st_triangle_model *model, size_t lane, st_real young, st_real poisson);

// Plane stress: size E / (1 - ν²) [1 ν 0; ν 1 0; 0 0 (1-ν)/2]
// Plane strain: size E / ((1+ν)(1-2ν)) [1-ν ν 0; ν 1-ν 0; 0 0 1/2-ν]
void st_plane_stress(st_real k[6], st_real young, st_real poisson, st_real size);
void st_plane_strain(st_real k[6], st_real young, st_real poisson, st_real size);

// f += force(x)
void st_triangle_model_add_force(st_triangle_model *model, st_pool *pool, const st_real *x, st_real *f);
// df -= factor K dx with what the last force left
void st_triangle_model_product(st_triangle_model *model, st_pool *pool, st_real factor, const st_real *dx, st_real *df);
void st_triangle_model_stiffness(st_triangle_model *model, st_pool *pool, st_sink *sink);
// Σ 1/2 strain · area C strain
st_real st_triangle_model_potential(st_triangle_model *model, const st_real *x);
// For positions x: area times the stress (xx, yy, xy; positive under compression, as d is) of each triangle.
typedef void st_triangle_stress_function(void *user, size_t element, const st_real stress[3]);
void st_triangle_model_stresses(st_triangle_model *model, const st_real *x, st_triangle_stress_function *take,
                                void *user);

// The loops of triangle_kernel.c; their context is a st_triangle_call.
typedef struct st_triangle_kernels {
    st_element_kernel *force[ST_TRIANGLE_METHODS];
    st_element_kernel *strain[ST_TRIANGLE_METHODS]; // results: three packs for each pack of elements; keeps nothing
    st_element_kernel *product[ST_TRIANGLE_METHODS];
    st_element_kernel *matrix;
} st_triangle_kernels;
ST_KERNEL_TABLES(st_triangle_kernels);

#endif
