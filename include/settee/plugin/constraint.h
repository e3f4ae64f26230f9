// Lagrangian constraints: laws, the problem that they make together, corrections and constraint solvers.
//
// A law has scalar rows. Row i says how its violation changes with its states, H_i = ∂d_i/∂x, and gets a multiplier f_i
// that acts on them by +Hᵀ f. The free motion leaves the violation d_free; corrections know the compliance C of their
// states, and the solver looks for f such that
//
//     d = d_free + W f,   W = H C Hᵀ,     d = 0 (equality),  0 ≤ d ⊥ f ≥ 0 (contact),  |f_t| ≤ µ f_n (friction).
//
// With implicit Euler f is an impulse: force × time. H lives in the states (st_state.constraint), W, d_free and f in
// the problem of the solver; all of them once, in memory that is used again.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_CONSTRAINT_H
#define SETTEE_PLUGIN_CONSTRAINT_H

#include "settee/plugin/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// What the caller of a constraint operation says
// ---------------------------------------------------------------------------------------------------

typedef enum st_constraint_order {
    ST_ORDER_POSITION_VELOCITY, // violations of positions; both are corrected
    ST_ORDER_POSITION,          //
    ST_ORDER_VELOCITY,          // violations of velocities; positions follow
} st_constraint_order;

typedef struct st_constraint_params {
    st_constraint_order order;
    st_real dt;
    st_const_coord_id x; // free motion: what violations look at, and what corrections start from
    st_const_deriv_id v;
    st_coord_id x_result;
    st_deriv_id v_result;
    st_deriv_id lambda; // Hᵀ f on the states
    st_deriv_id dx;     // C Hᵀ f
    // Of the loop: the problem is built, or solved (ST_EVENT_BUILD_CONSTRAINTS_END, ..._SOLVE_...). NULL: nobody asks.
    void (*notify)(void *user, enum st_event_kind event);
    void *user;
} st_constraint_params;

// ---------------------------------------------------------------------------------------------------
// How a block of rows is solved
// ---------------------------------------------------------------------------------------------------

typedef enum st_resolution_kind {
    ST_RESOLVE_EQUALITY,   // d = 0
    ST_RESOLVE_UNILATERAL, // 0 ≤ d ⊥ f ≥ 0; one row
    ST_RESOLVE_FRICTION,   // rows n, t, s: unilateral along n, |(f_t, f_s)| ≤ µ f_n
    ST_RESOLVE_INTERVAL,   // low ≤ d ≤ high; one row
} st_resolution_kind;

typedef struct st_resolution st_resolution;

// One visit of the block by an iterative solver. `w` is the block's own part of W, row-major with the given stride.
typedef struct st_resolution_ops {
    size_t (*work_size)(size_t count); // reals of `work` that the block wants; NULL: none
    void (*init)(st_resolution *, const st_real *w, size_t stride,
                 st_real *f); // once, before the first visit; NULL: nothing
    // d is the violation with the present f of all rows; it may be overwritten.
    void (*resolve)(const st_resolution *, const st_real *w, size_t stride, st_real *d, st_real *f);
} st_resolution_ops;

struct st_resolution {
    const st_resolution_ops *ops;
    st_resolution_kind kind;
    size_t row, count;
    st_real tolerance; // of this block alone; 0: that of the solver
    st_real load;      // of equalities of three rows: factor on every change of the force
    st_real friction, epsilon;
    st_real low, high;
    st_real *memory; // `count` reals of the law: the first guess, and where the result is kept; NULL: none
    st_real *work;   // given by the problem
};

// A block of `count` rows with the standard way to solve it. What differs is set by the caller afterwards.
typedef struct st_resolutions st_resolutions;
ST_API st_resolution *st_add_equality(st_resolutions *to, size_t count);     // NULL when out of memory
ST_API st_resolution *st_add_unilateral(st_resolutions *to);                 //
ST_API st_resolution *st_add_friction(st_resolutions *to, st_real friction); //
// Augmented Lagrangian: the normal step is epsilon d instead of d / W.
ST_API st_resolution *st_add_augmented_friction(st_resolutions *to, st_real friction, st_real epsilon);
ST_API st_resolution *st_add_interval(st_resolutions *to, st_real low, st_real high);

// ---------------------------------------------------------------------------------------------------
// Laws
// ---------------------------------------------------------------------------------------------------

typedef struct st_law {
    st_object object;
    int32_t group;
    uint32_t first_row; // of its rows in the last problem
    st_real end_time;
    st_state *state;
    st_state *other; // of laws between two objects; it may be the same state
} st_law;

struct st_law_ops {
    // Adds its rows, numbered from `first` on, to H of its states at their present positions. Returns their number.
    size_t (*build)(st_law *, size_t first);
    // Violation of its rows at the positions that the parameters name. Where velocities are solved for, the engine
    // makes it one of velocities: d(x)/h + H v at the present positions.
    void (*violation)(st_law *, const st_constraint_params *, st_real *d);
    // Adds its blocks, in the order of its rows.
    void (*resolutions)(st_law *, st_resolutions *to);
    // Optional: the multipliers of its rows, at the end.
    void (*store)(st_law *, const st_real *f);
    // Optional: the multipliers that its rows had in the last step, for solvers that start from them (contacts).
    void (*guess)(st_law *, st_real *f);
};

extern ST_API const st_class st_law_class;      // acts on the state of its node
extern ST_API const st_class st_pair_law_class; // acts between `object1` and `object2`

// Contacts of a UnilateralLagrangianConstraint or of one of its kind, as a collision response finds them: they hold
// until they are cleared. The normal points from object1 to object2; the id tells a contact again in the next step.
typedef struct st_contact {
    uint32_t first, second; // DOFs of object1 and object2
    st_real normal[3];
    st_real distance;  // at which the objects touch
    st_real friction;  // 0: one row, else three
    st_real tolerance; // of its block; 0: that of the solver
    int64_t id;
} st_contact;
ST_API bool st_add_contact(st_law *law, const st_contact *contact); // false when out of memory or it is no such law
ST_API void st_clear_contacts(st_law *law);

// ---------------------------------------------------------------------------------------------------
// Corrections
// ---------------------------------------------------------------------------------------------------

typedef struct st_constraint_solver st_constraint_solver;

// One or several states whose compliance is known. The states of a correction are the only ones that a loop with
// constraints moves.
typedef struct st_correction {
    st_object object;
    st_integrator *integrator; // whose factors scale the compliance; NULL: none
    st_real regularization;    // compliance that the engine adds to the rows that act on its states
    ST_LIST(st_state *) states;
    ST_LIST(st_object *) solvers; // constraint solvers that use it
    st_constraint_solver *solver; // the one that does now
} st_correction;

struct st_correction_ops {
    // Brings what it needs up to date before a problem is built, `states` among it. NULL: nothing.
    st_status (*prepare)(st_correction *, const st_constraint_params *);
    // W += factor H C Hᵀ; w is size × size, row-major.
    st_status (*add_compliance)(st_correction *, const st_constraint_params *, size_t size, st_real *w);
    // params->dx = C params->lambda on its states.
    st_status (*motion)(st_correction *, const st_constraint_params *);
    // Factors of dx in positions and velocities.
    void (*factors)(const st_correction *, const st_constraint_params *, st_real *position, st_real *velocity);
    // The same compliance without an assembled W, for solvers that visit block by block. NULL: it cannot.
    st_status (*begin_unbuilt)(st_correction *, const st_constraint_params *, size_t size, const st_real *f);
    void (*add_displacement)(st_correction *, size_t row, size_t count, st_real *d); // d += H C Hᵀ f
    void (*add_force)(st_correction *, size_t row, size_t count, const st_real *df);
    void (*add_block)(st_correction *, size_t row, size_t count, st_real *w, size_t stride);
    // Optional: blocks that begin with a row for which it is true are visited last, in the order of their keys.
    bool (*visit_key)(const st_correction *, size_t row, size_t *key);
    // The blocks of A = C⁻¹ between its states, for solvers that hold the constraints inside the matrix. NULL or false:
    // it has none.
    bool (*add_matrix)(st_correction *, st_accumulator *to);
};

extern ST_API const st_class st_correction_class;

// ---------------------------------------------------------------------------------------------------
// Constraint solvers
// ---------------------------------------------------------------------------------------------------

typedef struct st_constraint_problem st_constraint_problem;

struct st_constraint_solver {
    st_object object;
    st_constraint_problem *problem;
    ST_LIST(st_object *) corrections; // those at and below its node, in order
};

struct st_constraint_solver_ops {
    // After H, d_free and the resolutions are there: W, or what else the solver works with.
    st_status (*build)(st_constraint_solver *, const st_constraint_params *);
    st_status (*solve)(st_constraint_solver *, const st_constraint_params *); // f
    // Optional: what f does to the states, when the solver knows C Hᵀ f already.
    st_status (*motion)(st_constraint_solver *, const st_constraint_params *);
};

extern ST_API const st_class st_constraint_solver_class;

// From the free motion to the constrained one, for the laws and states at and below `node`.
ST_API st_status st_solve_constraints(st_constraint_solver *solver, st_node *node, const st_constraint_params *params);

// Begins a step: the multipliers of the last one, Hᵀ f / dt on every state, are forces that the geometric stiffness of
// mappings knows of.
ST_API st_status st_begin_constraint_step(st_constraint_solver *solver, st_node *node, st_real dt);

// --- what the last problem was made of; all borrowed until the next step --------------------------------

typedef struct st_constraint_view {
    size_t size;          // rows
    const st_real *w;     // size × size, row-major; NULL when the solver does not assemble it
    const st_real *free;  // violations of the free motion
    const st_real *force; // multipliers
} st_constraint_view;
ST_API st_constraint_view st_constraint_solver_view(const st_constraint_solver *solver);
// The law of a row; NULL past the end.
ST_API const st_law *st_constraint_solver_law(const st_constraint_solver *solver, size_t row);

#ifdef __cplusplus
}
#endif
#endif
