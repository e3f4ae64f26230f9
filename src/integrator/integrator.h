// What the integrators share: their work vectors, the search for a linear solver, linear systems.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_INTEGRATOR_INTEGRATOR_H
#define SETTEE_INTEGRATOR_INTEGRATOR_H

#include "plan/plan.h"
#include "settee/plugin/constraint.h"

enum { ST_WORK_MAX = 24 };

// The vectors that one integrator keeps on the states of its plan. Made once; what they hold survives from step to
// step.
typedef struct st_work {
    const st_plan *plan;
    bool fresh; // all of them hold zeros: made just now, or the scene was reset
    bool stale; // asked to be fresh at the next step
    st_coord_id coord[ST_WORK_MAX];
    st_deriv_id deriv[ST_WORK_MAX];
} st_work;

// Begins a step: finds the plan of the integrator's node, gives the work vectors, `force`, `dx`, `dforce` and the
// results their sizes. Allocates only when the plan or a size changed.
st_status st_integrator_prepare(st_integrator *integrator, st_work *work, int coords, int derivs, st_coord_id x,
                                st_deriv_id v);

// Makes the next step start from zeros.
static inline void st_work_reset(st_work *work) { work->stale = true; }

// Parameters of a force evaluation at the standard vectors.
st_params st_integrator_params(st_real dt, bool implicit);

// init of the implicit ones: the linear solver of the link, else the first one at or below the node that has its tags.
st_status st_integrator_init_implicit(st_object *object);
st_linear_solver *st_integrator_find_solver(const st_node *node, const st_strings *tags);

// Solves (m M + b B + k K) solution = rhs with the factors of the parameters; the content of `solution` is the first
// guess.
st_status st_integrator_solve_system(st_integrator *integrator, const st_params *params, st_deriv_id solution,
                                     st_deriv_id rhs);

// Lets the constraint solvers of the integrator's own node correct velocities, or positions.
st_status st_integrator_constrain(st_integrator *integrator, st_constraint_order order, st_real dt, st_coord_id x,
                                  st_deriv_id v);
// r += φ Hᵀ f, the force by which the last solution of positions moved the states that it corrects.
void st_integrator_add_reaction(const st_integrator *integrator, st_deriv_id r);
// Both orders at the end of a step. Of a free motion it does nothing: its loop solves the constraints.
st_status st_integrator_constrain_result(st_integrator *integrator, st_real dt, st_coord_id x, st_deriv_id v);

// The first mass whose inverse is not known because it is not diagonal; NULL when there is none.
const st_mass *st_integrator_full_mass(const st_plan *plan);
// An error after which the integrator does nothing any more. The scene goes on: the status is ST_OK.
st_status st_integrator_no_inverse(st_integrator *integrator, const st_mass *mass);

// v *= exp(-rate dt).
void st_integrator_damp(st_integrator *integrator, st_deriv_id v, st_real rate, st_real dt);

// Factors of st_integrator_ops that several integrators share: 0, 1, dt, dt/2, dt².
st_real st_factor_zero(const st_integrator *integrator, st_real dt);
st_real st_factor_one(const st_integrator *integrator, st_real dt);
st_real st_factor_dt(const st_integrator *integrator, st_real dt);
st_real st_factor_half_dt(const st_integrator *integrator, st_real dt);
st_real st_factor_dt_squared(const st_integrator *integrator, st_real dt);

// Field lines that several integrators have. The owner's first member is called `base`.
#define ST_LINEAR_SOLVER_FIELD(owner)                                                                                  \
    ST_FIELD(owner, base.solver, "linearSolver", st_type_link, NULL,                                                   \
             "linear solver; else the first one in the node or below it", .role = ST_ROLE(linear_solver))
#define ST_THREAD_SAFE_FIELD(owner)                                                                                    \
    ST_FIELD(owner, thread_safe, "threadSafeVisitor", st_type_bool, "false", "threading hint without effect here",     \
             .flags = ST_FIELD_NO_EFFECT)

#endif
