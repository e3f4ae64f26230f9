// The plan: what one integrator works on, as flat arrays, and the mechanical operations that walk them.
//
// A scene is a tree; a step runs on a plan. The plan of a node holds the states, mappings, forces, masses and
// projections at or below it in the orders in which SOFA visits them. It is made again when the scene's structure
// changes. There are two orders, because SOFA has two mechanisms:
//   - the traversal, node by node, depth first; bottom-up passes are its exact reverse. It stops at mappings with
//     mapForces="0" and respects the tags of the node. All integrators but the two Euler ones use it;
//   - the mapping graph: forces grouped by the states that they act on, mappings in reverse breadth-first order; it
//     looks neither at mapForces nor at tags. EulerImplicitSolver and EulerExplicitSolver use it for forces and K v.
//
// Vectors: operations on vectors run over the independent states only, in traversal order, unless they say otherwise.
// Ids of further vectors come from st_plan_new_*; on mapped states such an id means the standard vector of its role.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLAN_PLAN_H
#define SETTEE_PLAN_PLAN_H

#include "settee/plugin/physics.h"

typedef struct st_plan st_plan;

struct st_plan {
    st_scene *scene;
    st_node *node;
    uint32_t version; // another one each time that the plan is made
    uint32_t lasting; // the scene's structure without contacts then,
    uint32_t passed;  // and what of contacts had come and gone at and below the node

    ST_LIST(st_state *) states;      // every mechanical state, traversal order
    ST_LIST(st_state *) independent; // those that no mapping drives
    ST_LIST(st_state *) unmoved;     // those that no integrator moves: obstacles and their contact points
    size_t *offsets;                 // first scalar of independent state i in the flat vectors; offsets[count] = size
    size_t size;                     // scalars of all independent states
    uint32_t sizes;                  // the scene's count of changed sizes when the offsets were computed
    ST_LIST(size_t) places;          // in `independent`, by state->index - first_index; SIZE_MAX: not there
    size_t first_index;

    // Traversal
    ST_LIST(st_force *) forces;           // masses among them; interactions after the single-state ones of their node
    ST_LIST(st_mass *) masses;            // one per node: its slot
    ST_LIST(st_mapping *) mappings;       // top-down, those that map forces
    ST_LIST(st_mapping *) all_mappings;   // top-down, every one (positions are always propagated; visual ones too)
    ST_LIST(st_projection *) projections; // top-down
    ST_LIST(st_projection *) responses;   // bottom-up order of projectResponse

    // Mapping graph
    ST_LIST(st_state *) graph_states;     // every mechanical state, whatever the tags and flags
    ST_LIST(st_force *) graph_forces;     // grouped by the states that they act on
    ST_LIST(st_mapping *) graph_mappings; // in the order in which applyJT runs: leaves first
    bool mapped_mass;                     // some mass acts on a mapped state

    ST_LIST(st_mass *) mdx_masses; // those that st_plan_add_mdx reaches: none below a node that has one, none mapped
    ST_LIST(st_state *) outside;   // states elsewhere that forces of this plan act on
    ST_LIST(st_projection *) graph_projections; // collection order
};

// The plan of a node, made or brought up to date. Owned by the scene, kept by the node: asking again while nothing has
// changed costs two comparisons. NULL: out of memory (a diagnostic was sent).
st_plan *st_plan_of(st_node *node);
void st_plan_destroy(st_plan *plan);
void st_plans_destroy(st_scene *scene); // all of the scene
void st_settle(st_node *node);          // projects and propagates x and v at and below the node

// Sizes may have changed although the structure has not: brings offsets and size up to date.
void st_plan_update_offsets(st_plan *plan);

// Place of a state among the independent ones, and its first scalar in the flat vectors; SIZE_MAX: it is none of them.
// Both take constant time. The state may be NULL.
size_t st_plan_find(const st_plan *plan, const st_state *state);
size_t st_plan_offset(const st_plan *plan, const st_state *state);
// Scalars along one side of the blocks of a matrix between these states: 6, 3, 2, else 1, as every DOF has a multiple.
int32_t st_block_of_states(size_t count, const st_state *const *states);
int32_t st_plan_block(const st_plan *plan); // of all independent states

// --- vectors -------------------------------------------------------------------------------------

// The id of a further vector, which st_plan_make_* makes. Taken once by an integrator and kept.
st_coord_id st_plan_new_coord(st_plan *plan);
st_deriv_id st_plan_new_deriv(st_plan *plan);
// Gives the vector its states' sizes where it has not; `mapped` too where asked. Content survives.
bool st_plan_make_coord(st_plan *plan, st_coord_id id, bool mapped);
bool st_plan_make_deriv(st_plan *plan, st_deriv_id id, bool mapped);

void st_plan_clear(st_plan *plan, st_deriv_id r);                                                        // r = 0
void st_plan_copy(st_plan *plan, st_deriv_id r, st_const_deriv_id a);                                    // r = a
void st_plan_scale(st_plan *plan, st_deriv_id r, st_real k);                                             // r *= k
void st_plan_add(st_plan *plan, st_deriv_id r, st_const_deriv_id a, st_real k);                          // r += k a
void st_plan_combine(st_plan *plan, st_deriv_id r, st_const_deriv_id a, st_const_deriv_id b, st_real k); // r = a + k b
void st_plan_copy_coord(st_plan *plan, st_coord_id r, st_const_coord_id a);                              // r = a
void st_plan_move(st_plan *plan, st_coord_id r, st_const_coord_id a, st_const_deriv_id d,
                  st_real k); // r = a ⊕ k d; r may be a
void st_plan_difference(st_plan *plan, st_deriv_id r, st_const_coord_id a, st_const_coord_id b); // r = a ⊖ b
st_real st_plan_dot(st_plan *plan, st_const_deriv_id a, st_const_deriv_id b);
st_real st_plan_dot_coord(st_plan *plan, st_const_coord_id a, st_const_coord_id b); // all scalars of the coordinates
bool st_plan_is_finite(st_plan *plan, st_const_coord_id x, st_const_deriv_id v, const st_state **where);

// To and from one flat array in the plan's order.
void st_plan_gather(const st_plan *plan, st_real *flat, st_const_deriv_id from);
void st_plan_scatter(const st_plan *plan, st_deriv_id to, const st_real *flat);

// --- mechanical operations, traversal --------------------------------------------------------------

void st_plan_compute_force(st_plan *plan, const st_params *params); // f = externalForce + Σ addForce + Σ Jᵀ f_child
// df += (m M + b B + k K) dx, Jᵀ and geometric terms included. dx is on the mapped states already; df of the
// mapped states is cleared first when `clear`.
void st_plan_add_mbk(st_plan *plan, const st_params *params, bool clear);
// The same without the forces that are marked as done, by their places in plan->forces.
void st_plan_add_mbk_except(st_plan *plan, const st_params *params, bool clear, const bool *done);
void st_plan_propagate_dx(st_plan *plan, st_deriv_id dx); // J through mappings that map forces
void st_plan_propagate_x(st_plan *plan, st_coord_id x);
void st_plan_propagate_v(st_plan *plan, st_deriv_id v);
void st_plan_propagate_xv(st_plan *plan, st_coord_id x, st_deriv_id v); // each mapping: apply, then applyJ
void st_plan_project_response(st_plan *plan, st_deriv_id d);
void st_plan_project_x(st_plan *plan, st_coord_id x);
void st_plan_project_xv(st_plan *plan, st_coord_id x, st_deriv_id v); // each constraint: position, then velocity
// a = M⁻¹ f where masses can; false when one cannot (its object in `which`).
bool st_plan_acceleration(st_plan *plan, st_deriv_id a, st_const_deriv_id f, const st_mass **which);
void st_plan_add_mdx(st_plan *plan, st_deriv_id r, st_const_deriv_id d,
                     st_real factor);                                    // independent states' masses only
void st_plan_separate_gravity(st_plan *plan, st_deriv_id v, st_real dt); // v += dt g for masses that ask
// x and v projected in place and propagated, f computed, a = M⁻¹ f, a projected (Runge-Kutta, Newmark's first step).
bool st_plan_compute_acceleration(st_plan *plan, st_real dt, st_coord_id x, st_deriv_id v, st_deriv_id a,
                                  const st_mass **which);
void st_plan_end_integration(st_plan *plan); // empties externalForce

// --- mechanical operations, mapping graph (the two Euler solvers) -----------------------------------------

void st_plan_graph_compute_force(st_plan *plan, const st_params *params);
void st_plan_graph_add_mbkv(st_plan *plan, const st_params *params); // df += (m M + b B + k K) v
void st_plan_graph_project_response(st_plan *plan, st_deriv_id d);

// --- derivatives of single components, used by systems and checks ------------------------------------------

// df += k' K dx + b B dx of one force (by its own product, or by its blocks), k' and masses as SOFA's addMBKdx.
void st_force_add_mbk(st_force *force, const st_params *params);
// The same by the blocks alone, with the factors as they are.
void st_force_multiply_blocks(st_force *force, const st_params *params, st_real k, st_real b);
void st_mass_multiply_blocks(st_mass *mass, const st_params *params, st_real factor);

#endif
