// How a step is computed: integrators, animation loops, linear systems and linear solvers.
//
// A linear system gathers and stores A, b and x; a linear solver only solves. Both work on flat arrays: the independent
// states of the plan, one after the other, DOF by DOF.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_SOLVER_H
#define SETTEE_PLUGIN_SOLVER_H

#include "settee/plugin/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_plan st_plan; // what one integrator works on, flat (src/plan/plan.h)
typedef struct st_bsr st_bsr;   // a sparse matrix in square blocks (src/linalg/bsr.h)

// ---------------------------------------------------------------------------------------------------
// Linear systems
// ---------------------------------------------------------------------------------------------------

typedef struct st_system {
    st_object object;
    st_plan *plan;     // the states, forces and masses that it gathers
    st_node *at;       // whose plan that is,
    uint32_t lasting;  // found for this structure of the scene
    uint32_t version;  // counts builds: a solver factors again when it changed
    st_params params;  // of the last build
    st_real *rhs;      // b
    st_real *solution; // x
    size_t size;       // scalars of b and x
    uint32_t matrix_size[2];
    bool enable_assembly;       // false: build keeps what is there (a solver that freezes its matrix says so)
    bool factorization_invalid; // as the scene shows it: a build happened since the last factorization
} st_system;

struct st_system_ops {
    // Gathers A = m M + b B + k K from the plan with the parameters' factors and vectors.
    st_status (*build)(st_system *, const st_params *);
    // q = A p.
    st_status (*multiply)(st_system *, const st_real *p, st_real *q);
    // The assembled matrix, or NULL when there is none.
    const st_bsr *(*matrix)(st_system *);
    // Optional: further systems that b and x are handed on to, by index; NULL at the end.
    st_system *(*part)(st_system *, size_t index);

    // What some systems offer to some solvers. NULL: not offered.

    // A solver that stops far from convergence shows the order of the sums in a product: keep that of the elements.
    void (*keep_sum_order)(st_system *, bool keep);
    // Has another system built along with this one, as a preconditioner needs it; the first one that is given stays.
    void (*set_preconditioner)(st_system *, st_system *preconditioner);
    // y = R x or y = Rᵀ x, where R says how far every point has turned since the matrix was assembled; y may be x.
    st_status (*rotate)(st_system *, bool transposed, const st_real *x, st_real *y);
    // Is it left without a matrix on purpose? A solve then has no effect.
    bool (*is_left_empty)(const st_system *);
};

extern ST_API const st_class st_system_class;

// b and x to and from the states' vectors.
ST_API st_status st_system_set_rhs(st_system *system, st_const_deriv_id b);
ST_API st_status st_system_set_solution(st_system *system, st_const_deriv_id x);
ST_API void st_system_get_solution(const st_system *system, st_deriv_id x);

// ---------------------------------------------------------------------------------------------------
// Linear solvers
// ---------------------------------------------------------------------------------------------------

typedef struct st_linear_solver {
    st_object object;
    st_system *system;
    uint32_t solved_version; // system->version of the last factorization
    uint32_t symmetry_turns; // times at which the symmetry of the matrix could have been checked
    bool unsymmetric;        // the matrix was found to be so, and it was reported: not checked again
    size_t leader;           // place of the correction that works for it in a constraint problem
    // Attributes of threads, which change nothing here.
    bool parallel_inverse_product;
    int32_t threads;
    char *task_scheduler;
} st_linear_solver;

struct st_linear_solver_ops {
    st_status (*invert)(st_linear_solver *); // factors the system's matrix; NULL: nothing to prepare
    st_status (*solve)(st_linear_solver *);  // system->solution from system->rhs
    // W += factor · H A⁻¹ Hᵀ with the last factorization; W is dense, row-major, h->count × h->count, and stays
    // untouched on failure. NULL: one solve for each row of H, which overwrites rhs and solution of the system.
    st_status (*compliance)(st_linear_solver *, const st_sparse_rows *h, st_real factor, st_real *w);
    // x = A⁻¹ b for `count` right-hand sides, one after the other in b and x, which may be the same array. NULL: one
    // solve for each.
    st_status (*solve_many)(st_linear_solver *, size_t count, const st_real *b, st_real *x);
};

extern ST_API const st_class st_linear_solver_class;
// Factors if the matrix changed, then solves.
ST_API st_status st_linear_solve(st_linear_solver *solver);
// W += factor · H A⁻¹ Hᵀ and x = A⁻¹ b as the ops of the same names; both factor if the matrix changed. ST_INVALID,
// with an error, for a column of H outside of the system.
ST_API st_status st_linear_solver_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor,
                                             st_real *w);
ST_API st_status st_linear_solve_many(st_linear_solver *solver, size_t count, const st_real *b, st_real *x);

// ---------------------------------------------------------------------------------------------------
// Integrators
// ---------------------------------------------------------------------------------------------------

typedef struct st_integrator {
    st_object object;
    st_plan *plan;
    st_linear_solver *solver; // of the implicit ones
} st_integrator;

struct st_integrator_ops {
    // From position and velocity at t to the given vectors at t + dt.
    st_status (*solve)(st_integrator *, st_real dt, st_coord_id x, st_deriv_id v);
    // Effect of the linear system's solution on velocities and positions, for constraint corrections.
    st_real (*velocity_factor)(const st_integrator *, st_real dt);
    st_real (*position_factor)(const st_integrator *, st_real dt);
};

extern ST_API const st_class st_integrator_class;

// How integrators multiply two vectors of a state, `width` scalars for each DOF. A program whose states are spread over
// processes leaves out the DOFs of other processes, and adds up the sums of all.
typedef st_real st_dot_function(void *user, const st_state *state, size_t width, const st_real *a, const st_real *b);
ST_API void st_scene_set_dot(st_scene *scene, st_dot_function *function, void *user); // NULL: as before

// ---------------------------------------------------------------------------------------------------
// Animation loops
// ---------------------------------------------------------------------------------------------------

typedef struct st_loop {
    st_object object;
    st_node *target;
    bool compute_bounding_box;
    st_real reset_time;
} st_loop;

struct st_loop_ops {
    st_status (*step)(st_loop *, st_real dt);
    void (*begin)(st_loop *, st_real dt); // optional: the beginning of a step ahead of it, which `step` does not repeat
    // Optional: a step was made to fail after `step` had checked it (st_scene_fail_step): the state before it is put back.
    // Returns ST_FAILED.
    st_status (*take_back)(st_loop *, st_real dt);
};

extern ST_API const st_class st_loop_class;

#ifdef __cplusplus
}
#endif
#endif
