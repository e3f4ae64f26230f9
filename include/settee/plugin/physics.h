// What acts on states: forces, masses, mappings, projections. Their derivatives go to sinks (settee/plugin/sink.h).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_PHYSICS_H
#define SETTEE_PLUGIN_PHYSICS_H

#include "settee/plugin/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    // Optional: does the scene ask for pictures in the colors of its stress?
    bool (*shows_stress)(const st_force *);
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
