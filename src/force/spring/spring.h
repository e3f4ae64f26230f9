// Linear springs with dampers between pairs of degrees of freedom, the kernel of SpringForceField and its kin.
//
//     a o-----/\/\/\-----o b      u = p_b - p_a, d = |u|, û = u / d
//          [====]                 I = ks (d - l0) + kd û.(v_b - v_a)
//
//     f_a += û I,  f_b -= û I
//     A = (ks - I/d) û ûᵀ + (I/d) 1,   K = [-A A; A -A]
//
// Divisions by d are products with 1/d, and A is (ks - I/d) û times û from left to right: so the bits are SOFA's.
// A is kept per spring by the force evaluation and frozen until the next one. The damper enters A through I only: it is
// integrated explicitly. A spring acts when it is enabled, d > 1e-9, and, for elongationOnly, d > l0.
//
// Positions are those of all scalars of a vector, of the center of a rigid.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_SPRING_H
#define SETTEE_FORCE_SPRING_SPRING_H

#include "settee/plugin/draw.h"
#include "settee/plugin/physics.h"

typedef struct st_spring {
    uint32_t a, b; // DOF of the first state, of the second
    st_real stiffness, damping, length;
    bool elongation_only, enabled;
} st_spring;

// Springs with what their last evaluation left for the derivative. Zero bytes are an empty set.
typedef struct st_spring_kernel {
    ST_LIST(st_spring) springs;
    st_reals matrices; // dim × dim for each spring; in space in packs of four, the last one filled up
    size_t evaluated;  // springs that have a matrix
    size_t dim;        // scalars of a position
    // how springs act
    st_real shortest; // only where d is larger; 0: 1e-9
    bool repulsive;   // only where d < l0
    bool scale_first; // the product is A (k δ) instead of k (A δ): the same but for rounding
} st_spring_kernel;

// The two states may be one. Messages are in the name of `object`.
bool st_springs_add(st_spring_kernel *kernel, st_spring spring);
void st_springs_evaluate(st_spring_kernel *kernel, const st_object *object, const st_state *one, const st_state *two,
                         const st_params *params);
// For forces that evaluate by themselves: room for the matrices, then each of them, row by row.
bool st_springs_make_matrices(st_spring_kernel *kernel, size_t dim);
void st_springs_set_matrix(st_spring_kernel *kernel, size_t spring, const st_real *matrix);
void st_springs_blocks(const st_spring_kernel *kernel, const st_state *one, const st_state *two, st_stiffness k);
void st_springs_multiply(const st_spring_kernel *kernel, const st_state *one, const st_state *two,
                         const st_params *params, st_real k);
// Σ ½ ks (d - l0)², of springs that do not act, too
st_real st_springs_energy(const st_spring_kernel *kernel, const st_state *one, const st_state *two,
                          const st_params *params);
void st_springs_show(const st_spring_kernel *kernel, const st_state *one, const st_state *two, st_canvas *canvas);
void st_springs_free(st_spring_kernel *kernel);

// |p_j - p_i| of two positions of the spring's dimension.
st_real st_springs_distance(const st_real *p, const st_real *q, size_t dim);

// SpringForceField, first member of those that make their springs themselves.
typedef struct st_spring_force {
    st_force base;
    // fields
    st_reals spring; // 5 reals each: index, index, stiffness, damping, length
    st_uints indices1, indices2;
    st_reals stiffness, damping, lengths;
    st_bools elongation_only, enabled;
    char *file;
    st_real arrow_size;
    int32_t draw_mode;
    int32_t threads; // of the parallel variants, where they change nothing
    char *task_scheduler;

    st_spring_kernel kernel;
    uint32_t spring_seen; // change count of `spring` when the lists were made from it
    bool file_read;       // the springs of the file are among `spring`
} st_spring_force;

extern const st_class st_spring_force_field_class;

// The attributes of the variants that have threads of their own in SOFA.
extern const st_field st_parallel_spring_fields[];

// The springs of SpringForceField's own fields, in place of those that were there.
st_status st_springs_from_fields(st_spring_force *force);

#endif
