// What acts on states: forces, masses, mappings, projections, and the sinks that take their derivatives.
//
// A derivative is written once, as blocks handed to a sink. The engine chooses the sink: record the
// sparsity, add into known slots, multiply a vector, fill a dense matrix, check indices, drop.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_PHYSICS_H
#define SETTEE_PLUGIN_PHYSICS_H

#include "settee/plugin/state.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// Sinks
// ---------------------------------------------------------------------------------------------------

typedef struct st_sink st_sink;
struct st_pool;
struct st_element_source; // many elements and what computes their matrices; of the engine

// A multiple of the n x n identity on the diagonal of each of `count` DOFs of n scalars: masses of points, say.
typedef struct st_diagonals {
    size_t count;
    size_t n;
    const uint32_t *dofs;  // NULL: 0, 1, 2 ...
    const st_real *values; // one for each
    bool same;             // the first value holds for all
} st_diagonals;

struct st_sink {
    // Adds a dense rows × cols block, row-major, whose upper left scalar stands at (row, col) of the component's own
    // block: row 0 is the first scalar of the state that the force acts on.
    void (*add)(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block);
    // Optional: a whole element at once, with the arguments of st_add_element. NULL: block by block through `add`.
    void (*add_element)(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix);
    // Optional: with the arguments of st_add_diagonal. NULL: scalar by scalar through `add`.
    void (*add_diagonal)(st_sink *sink, size_t row, size_t col, size_t n, st_real value);
    // Optional: many elements with the engine's threads. False: nothing was added, they have to come one at a time.
    bool (*add_elements)(st_sink *sink, struct st_pool *pool, const struct st_element_source *source);
    bool (*add_diagonals)(st_sink *sink, struct st_pool *pool, const st_diagonals *diagonals);
};

static inline void st_add_scalar(st_sink *s, size_t row, size_t col, st_real value) {
    s->add(s, row, col, 1, 1, &value);
}
static inline void st_add_2x2(st_sink *s, size_t row, size_t col, const st_real block[4]) {
    s->add(s, row, col, 2, 2, block);
}
static inline void st_add_3x3(st_sink *s, size_t row, size_t col, const st_real block[9]) {
    s->add(s, row, col, 3, 3, block);
}
static inline void st_add_6x6(st_sink *s, size_t row, size_t col, const st_real block[36]) {
    s->add(s, row, col, 6, 6, block);
}
// value times the n x n identity, whose upper left scalar stands at (row, col): a mass.
ST_API void st_add_diagonal(st_sink *sink, size_t row, size_t col, size_t n, st_real value);
// The same for many DOFs, in their order; the pool may be NULL.
ST_API void st_add_diagonals(st_sink *sink, struct st_pool *pool, const st_diagonals *diagonals);
// A whole element: `count` nodes of `width` scalars each; `matrix` is the (count·width)² element matrix, row-major.
ST_API void st_add_element(st_sink *sink, size_t count, const uint32_t *nodes, size_t width, const st_real *matrix);

// Where a component puts its derivatives. Each role has its own type, so that one cannot be taken for another.
typedef struct st_accumulator {
    // The block that couples two of the component's states: ∂(force in `row`)/∂(position or velocity of `col`).
    st_sink *(*between)(struct st_accumulator *, const st_state *row, const st_state *col);
} st_accumulator;
typedef struct st_stiffness {
    st_accumulator *to;
} st_stiffness; // ∂f/∂x
typedef struct st_damping {
    st_accumulator *to;
} st_damping; // ∂f/∂v
typedef struct st_inertia {
    st_accumulator *to;
} st_inertia; // M

static inline st_sink *st_stiffness_between(st_stiffness k, const st_state *row, const st_state *col) {
    return k.to->between(k.to, row, col);
}
static inline st_sink *st_damping_between(st_damping b, const st_state *row, const st_state *col) {
    return b.to->between(b.to, row, col);
}
static inline st_sink *st_inertia_of(st_inertia m, const st_state *state) { return m.to->between(m.to, state, state); }

// SOFA's former interface, for components that are ported as they are. Rows and columns are those of a whole matrix, in
// which the component's state begins at the offset that it is given.
typedef struct st_base_matrix st_base_matrix;
struct st_base_matrix {
    void (*add)(st_base_matrix *matrix, size_t row, size_t col, st_real value);
};
static inline void st_base_matrix_add(st_base_matrix *m, size_t row, size_t col, st_real value) {
    m->add(m, row, col, value);
}

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

typedef struct st_force {
    st_object object;
    st_real rayleigh_stiffness;
    // The states it acts on: one, or two for an interaction (which may be the same one twice).
    st_state *state;
    st_state *other;
} st_force;

struct st_force_ops {
    // f += force(x, v), with the vectors that the parameters name; keeps what the derivative needs.
    void (*add_force)(st_force *, const st_params *);
    // Blocks of ∂f/∂x and of ∂f/∂v as fixed by the last add_force. NULL: none.
    void (*stiffness)(st_force *, const st_params *, st_stiffness);
    void (*damping)(st_force *, const st_params *, st_damping);
    // Optional, where it is measured to pay: df += k K dx + b B dx. Must equal the blocks; a test checks it.
    void (*product)(st_force *, const st_params *, st_real k, st_real b);
    st_real (*potential)(st_force *, const st_params *);
    // Optional: how far the material at each DOF has turned since its rest shape, 9 reals a DOF (row-major), for
    // preconditioners and constraint corrections that turn with the body. False: it cannot tell.
    bool (*rotations)(st_force *, st_real *rotations);
    // Former interface, used where stiffness or damping is NULL: adds factor K or factor B. Deprecated: the scene says
    // so.
    void (*add_k_to_matrix)(st_force *, const st_params *, st_base_matrix *, st_real factor, size_t offset);
    void (*add_b_to_matrix)(st_force *, const st_params *, st_base_matrix *, st_real factor, size_t offset);
};

extern ST_API const st_class st_force_class;      // acts on the state of its node, or on `mstate`
extern ST_API const st_class st_pair_force_class; // acts between `object1` and `object2`

// ---------------------------------------------------------------------------------------------------
// Masses
// ---------------------------------------------------------------------------------------------------

// A mass is a force, too: its weight.
typedef struct st_mass {
    st_force force;
    bool separate_gravity;
    st_real rayleigh_mass;
} st_mass;

struct st_mass_ops {
    bool (*is_diagonal)(const st_mass *);
    void (*matrix)(st_mass *, st_inertia); // blocks of M
    // Optional: df += factor M dx.
    void (*product)(st_mass *, const st_params *, st_real factor);
    // a = M⁻¹ f, only where M is diagonal; NULL otherwise. DOFs without mass keep what a holds.
    void (*acceleration)(st_mass *, st_deriv_id a, st_const_deriv_id f);
    st_real (*kinetic)(st_mass *, const st_params *);
    st_real (*element_mass)(const st_mass *, size_t index);
    // Former interface, used where matrix is NULL: adds factor M. Deprecated.
    void (*add_m_to_matrix)(st_mass *, st_base_matrix *, st_real factor, size_t offset);
};

extern ST_API const st_class st_mass_class;

// Gravity of the node as a derivative of the state's type.
ST_API void st_gravity(const st_object *object, const st_dof *dof, st_real g[6]);

// ---------------------------------------------------------------------------------------------------
// Mappings p = J(q)
// ---------------------------------------------------------------------------------------------------

typedef struct st_mapping {
    st_object object;
    bool map_forces, map_constraints, map_masses, map_matrices;
    bool apply_rest_position;
    ST_LIST(st_object *) input;  // parent states
    ST_LIST(st_object *) output; // child states
    bool told;                   // the engine sent an error about its blocks
} st_mapping;

struct st_mapping_ops {
    void (*apply)(st_mapping *, st_coord_id out, st_const_coord_id in); // p = J(q); keeps what the blocks need
    // Blocks of J at the last apply: row = scalar of output `out`, column = scalar of input `in`. Required.
    void (*jacobian)(st_mapping *, size_t out, size_t in, st_sink *);
    // Blocks of ∂(Jᵀf)/∂q between inputs, at the last apply, for the force f = params->f of the outputs held constant.
    // A pair's blocks are given before the next pair is asked for. NULL: none (J is constant).
    void (*geometric)(st_mapping *, const st_params *, st_stiffness);
    // a += (dJ/dt) v, the part of the outputs' acceleration that comes from the velocity v of the inputs. NULL: none.
    void (*add_curvature)(st_mapping *, st_deriv_id a, st_const_deriv_id v);
    // Optional products, where they are measured to pay or where the order of a sum shows. They must equal the blocks;
    // the generic test checks it. The engine calls them through st_mapping_apply_*, which fall back on the blocks.
    void (*apply_j)(st_mapping *, st_deriv_id out, st_const_deriv_id in);  // out = J in
    void (*apply_jt)(st_mapping *, st_deriv_id in, st_const_deriv_id out); // in += Jᵀ out
    void (*apply_geometric)(st_mapping *, const st_params *, st_real k);   // df_in += k (∂(Jᵀf)/∂q) dx_in
};

extern ST_API const st_class st_mapping_class; // one input, one output

static inline st_state *st_mapping_in(const st_mapping *m) { return (st_state *)m->input.data[0]; }
static inline st_state *st_mapping_out(const st_mapping *m) { return (st_state *)m->output.data[0]; }
ST_API void st_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
ST_API void st_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
// a_out = J a_in + (dJ/dt) v_in, at the last apply.
ST_API void st_mapping_apply_acceleration(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in,
                                          st_const_deriv_id v);
ST_API void st_mapping_apply_geometric(st_mapping *mapping, const st_params *params, st_real k);
// What every mapping does at the end of its init: apply to positions, velocities and, on request, rest positions.
ST_API st_status st_mapping_init(st_object *object);

// ---------------------------------------------------------------------------------------------------
// Projective constraints
// ---------------------------------------------------------------------------------------------------

typedef struct st_projection {
    st_object object;
    st_real end_time;
    int32_t group;
    st_state *state;
    st_object *topology; // the mesh whose changes its indices follow; NULL: that of the context
} st_projection;

struct st_projection_ops {
    void (*response)(st_projection *, st_deriv_id d); // filters a displacement-like vector of its states; NULL: nothing
    void (*velocity)(st_projection *, st_deriv_id v);
    void (*position)(st_projection *, st_coord_id x);
    // Scalars whose row and column an assembled matrix replaces by the identity's.
    void (*discard)(st_projection *, void (*clear)(void *context, size_t scalar), void *context);
    // What it does to the rows of a constraint Jacobian on its state: for each of its DOFs the block, deriv × deriv and
    // row-major, that multiplies the entries there; without a block the entries are removed. NULL: nothing.
    void (*columns)(st_projection *, void (*filter)(void *context, size_t dof, const st_real *block), void *context);
};

extern ST_API const st_class st_projection_class;
// Is it active at its node's time?
ST_API bool st_projection_active(const st_projection *projection);

#ifdef __cplusplus
}
#endif
#endif
