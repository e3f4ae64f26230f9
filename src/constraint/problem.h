// The constraint problem: what the files of this layer share.
//
//     laws ──▶ H of their states ──mappings──▶ H of the independent states ──projections──▶
//          ──▶ d_free, blocks (resolutions)                        ──corrections──▶ W
//
// All lists keep their memory from step to step.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONSTRAINT_PROBLEM_H
#define SETTEE_CONSTRAINT_PROBLEM_H

#include "base/array.h"
#include "law/resolution.h"
#include "plan/plan.h"
#include "scene/scene.h"
#include "settee/plugin/constraint.h"
#include "state/jacobian.h"

// Blocks of a mapping's J that constraint rows meet.
typedef struct st_j_block {
    size_t row, col; // scalars
    size_t rows, cols;
    size_t value; // first of its values
} st_j_block;

typedef struct st_mapped_rows {
    ST_LIST(st_j_block) blocks;
    st_reals values;
    st_bools wanted;        // DOFs of the child that rows touch
    ST_LIST(size_t) starts; // of each child DOF's blocks in `places`
    ST_LIST(size_t) places; // blocks by child DOF
    bool failed;
} st_mapped_rows;

// Where a block comes among the visits of an unbuilt solver.
typedef struct st_unbuilt_place {
    size_t block;
    size_t wire; // 1 + the correction that orders it; 0: none
    size_t key;
} st_unbuilt_place;

// What unbuilt solvers have instead of W (unbuilt.h).
typedef struct st_unbuilt {
    st_reals w;             // diagonal blocks, one after the other
    ST_LIST(size_t) starts; // of each block
    ST_LIST(st_unbuilt_place) order;
    // the corrections that act on each block, by their places among those of the solver
    ST_LIST(size_t) acting_starts;
    st_uints acting, block_of_row, last;
    st_reals part;  // W of the corrections that cannot work block by block, together
    st_reals force; // and the forces that they know of
    bool has_part;
} st_unbuilt;

struct st_constraint_problem {
    st_node *node;      // whose laws and corrections were gathered; NULL: none are
    uint32_t structure; // of the scene then,
    uint32_t lasting;   // and without contacts
    ST_LIST(st_node *) law_nodes;
    ST_LIST(st_law *) laws;
    ST_LIST(st_object *) corrections;
    ST_LIST(st_correction *) leaders; // corrections that work for all of their linear solver, which knows the place
    ST_LIST(st_law *) row_laws;       // the law of each row
    size_t size;
    st_reals w, free, force;
    st_unbuilt unbuilt;
    st_reals rate;  // H v of each row, where velocities are solved for
    bool assembled; // W is that of this problem
    bool solved;    // λ on the states is that of the last step
    st_resolutions blocks;
    st_reals work;  // of all resolutions
    st_reals visit; // d and former f of one block
    st_mapped_rows mapped;
    bool has_ids;
    st_deriv_id lambda, dx;
    st_constraint_params params; // of the last problem
    st_reals column_blocks;      // of projections
    st_uints column_places;
    // views of W and H (constraint_matrices.c)
    ST_LIST(size_t) w_starts, h_starts;
    st_ints w_columns, h_columns;
    st_reals h_values;
};

st_constraint_problem *st_problem_create(void);
void st_problem_free(st_constraint_problem *problem);

// The laws and corrections at and below the node, looked for again when the scene has changed.
bool st_problem_find_members(const st_constraint_solver *solver, st_node *node);
// λ and dx on the states of the plan; first call of every solution.
bool st_problem_make_vectors(st_constraint_problem *problem, st_plan *plan);
// Ids of its vectors, which every state has, contact points included.
void st_problem_take_ids(st_constraint_problem *problem, st_plan *plan);
// Has the state λ, dx and a free motion? Those that are not stepped have not.
bool st_problem_has_vectors(const st_state *state, const st_constraint_params *params);
// H, d_free and the blocks of all laws at and below the node. W is not touched, f is zero.
st_status st_problem_build(st_constraint_solver *solver, st_node *node, const st_constraint_params *params);
// W = Σ of the corrections' compliances.
st_status st_problem_gather_compliance(st_constraint_solver *solver, const st_constraint_params *params);
// λ = Hᵀ f on every state of the problem.
void st_problem_scatter(const st_constraint_problem *problem, const st_plan *plan, st_deriv_id lambda);
// Positions and velocities of a correction's states from their free motion and dx.
void st_correction_apply(const st_correction *correction, const st_constraint_params *params);

// Rows of the child's H to the parents', through the blocks of J. Both stay open afterwards on the parents' side.
bool st_map_rows(st_mapped_rows *work, st_mapping *mapping);
// Columns of H that projective constraints take away, for the independent states of the plan.
// The lists are used again.
bool st_project_rows(const st_plan *plan, st_reals *blocks, st_uints *places);

// --- resolutions --------------------------------------------------------------------------------------
st_status st_blocks_prepare(st_constraint_problem *problem); // gives every block its work
void st_blocks_init(st_constraint_problem *problem);         // with W and f
void st_blocks_store(const st_constraint_problem *problem);  // forces to the laws' memories

static inline bool st_correction_is_active(const st_object *object) {
    return object->validity == ST_VALID && object->node->activated && !object->node->sleeping;
}

#endif
