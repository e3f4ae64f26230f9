// Degrees of freedom: the vectors of one state, and the ids that name them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_STATE_H
#define SETTEE_PLUGIN_STATE_H

#include "settee/plugin/component.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// Vector ids. Position and derivative ids, read-only and writable ones, are different C types.
// ---------------------------------------------------------------------------------------------------

typedef struct st_coord_id {
    int index;
} st_coord_id;
typedef struct st_deriv_id {
    int index;
} st_deriv_id;
typedef struct st_const_coord_id {
    int index;
} st_const_coord_id;
typedef struct st_const_deriv_id {
    int index;
} st_const_deriv_id;

enum { ST_COORD_POSITION = 1, ST_COORD_REST, ST_COORD_FREE, ST_COORD_RESET, ST_COORD_DYNAMIC };
enum {
    ST_DERIV_VELOCITY = 1,
    ST_DERIV_RESET,
    ST_DERIV_FREE,
    ST_DERIV_NORMAL,
    ST_DERIV_FORCE,
    ST_DERIV_EXTERNAL,
    ST_DERIV_DX,
    ST_DERIV_DFORCE,
    ST_DERIV_DYNAMIC
};

#define ST_POSITION ((st_coord_id){ST_COORD_POSITION})
#define ST_REST_POSITION ((st_coord_id){ST_COORD_REST})
#define ST_FREE_POSITION ((st_coord_id){ST_COORD_FREE})
#define ST_RESET_POSITION ((st_coord_id){ST_COORD_RESET})
#define ST_VELOCITY ((st_deriv_id){ST_DERIV_VELOCITY})
#define ST_RESET_VELOCITY ((st_deriv_id){ST_DERIV_RESET})
#define ST_FREE_VELOCITY ((st_deriv_id){ST_DERIV_FREE})
#define ST_NORMAL ((st_deriv_id){ST_DERIV_NORMAL})
#define ST_FORCE ((st_deriv_id){ST_DERIV_FORCE})
#define ST_EXTERNAL_FORCE ((st_deriv_id){ST_DERIV_EXTERNAL})
#define ST_DX ((st_deriv_id){ST_DERIV_DX})
#define ST_DFORCE ((st_deriv_id){ST_DERIV_DFORCE})

static inline st_const_coord_id st_read_coord(st_coord_id id) { return (st_const_coord_id){id.index}; }
static inline st_const_deriv_id st_read_deriv(st_deriv_id id) { return (st_const_deriv_id){id.index}; }

// ---------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------

typedef struct st_state st_state;

// A sparse matrix that has, in row r, one derivative-sized block for each of some DOFs of a state: H of the
// constraints. Additions may come in any order; closing it sorts them by row and DOF and adds up those of the same
// place.
typedef struct st_jacobian {
    st_reals entries;       // each: row, DOF, then the scalars of a derivative
    st_uints rows;          // rows that have entries, increasing
    ST_LIST(size_t) starts; // first entry of each of them, and the end of the last
    bool failed;            // an addition found no memory
    st_uints order, swap;   // work of closing
    st_reals sorted;
} st_jacobian;

// A further vector of a state. Ids are numbered through the scene, of whose thousands a state has a handful.
typedef struct st_further {
    int index;
    st_reals values;
} st_further;
typedef ST_LIST(st_further) st_further_list;

// The base of every state. A mechanical state holds all vectors; a visual model only positions.
struct st_state {
    st_object object;
    size_t size; // number of DOFs
    st_reals coord[ST_COORD_DYNAMIC];
    st_reals deriv[ST_DERIV_DYNAMIC];
    st_further_list more_coord, more_deriv; // dynamic ids, in the order in which they were made
    bool mechanical;
    bool mapped;            // its node holds a mapping: its own vectors follow its parents'
    bool transient;         // contact points of a collision response, which come and go: no part of what a scene writes
    st_object *mapping;     // the mapping that computes it
    size_t index;           // number among the independent states of the scene, from 1; 0: none yet (src/plan/plan.c)
    st_jacobian constraint; // H of the last constraint problem
};

struct st_state_ops {
    // Sets the number of DOFs of every vector that exists; new entries get the type's default.
    st_status (*resize)(st_state *, size_t count);
};

extern ST_API const st_class st_state_class;

static inline const st_dof *st_state_dof(const st_state *state) { return state->object.dof; }
ST_API st_status st_state_resize(st_state *state, size_t count);

// The further vector with this id, which may be empty; NULL: there is none.
static inline st_reals *st_find_further(const st_further_list *more, int index) {
    for (size_t i = 0; i < more->count; i++)
        if (more->data[i].index == index) return &more->data[i].values;
    return NULL;
}

// The vector behind an id. A temporary (dynamic) id that a state has no vector for, as on mapped states, means the
// standard vector of that role: `standard` says which. The list may be empty when the vector was never made.
static inline st_reals *st_coord_list(const st_state *state, int index, int standard) {
    st_state *s = (st_state *)state;
    if (index < ST_COORD_DYNAMIC) return &s->coord[index];
    st_reals *further = st_find_further(&s->more_coord, index);
    return further && further->count ? further : &s->coord[standard];
}
static inline st_reals *st_deriv_list(const st_state *state, int index, int standard) {
    st_state *s = (st_state *)state;
    if (index < ST_DERIV_DYNAMIC) return &s->deriv[index];
    st_reals *further = st_find_further(&s->more_deriv, index);
    return further && further->count ? further : &s->deriv[standard];
}

// Makes the vector exist with the state's size (existing content is kept). No allocation when it has it already.
ST_API bool st_state_make_coord(st_state *state, st_coord_id id);
ST_API bool st_state_make_deriv(st_state *state, st_deriv_id id);
// Gives up the further vectors of `count` ids from `first` on, whose ids go back.
ST_API void st_state_free_further(st_further_list *more, int first, int count);

// to = from ⊕ k by. What positions are linked to is taken up before they are written, what is linked to them follows.
ST_API void st_state_move(st_state *state, st_coord_id to, st_const_coord_id from, st_const_deriv_id by, st_real k);

// The vector of one state behind an id, by the role that it has there.
static inline st_real *st_position_of(const st_state *s, st_coord_id id) {
    return st_coord_list(s, id.index, ST_COORD_POSITION)->data;
}
static inline st_real *st_velocity_of(const st_state *s, st_deriv_id id) {
    return st_deriv_list(s, id.index, ST_DERIV_VELOCITY)->data;
}
static inline st_real *st_force_of(const st_state *s, st_deriv_id id) {
    return st_deriv_list(s, id.index, ST_DERIV_FORCE)->data;
}
static inline st_real *st_dx_of(const st_state *s, st_deriv_id id) {
    return st_deriv_list(s, id.index, ST_DERIV_DX)->data;
}

// Adds a block to a row of the state's H. A DOF that the state has not is left out.
ST_API void st_constraint_add(st_state *state, size_t row, size_t dof, const st_real *deriv);

// ---------------------------------------------------------------------------------------------------
// What the caller of a mechanical operation says: which vectors, which factors
// ---------------------------------------------------------------------------------------------------

typedef struct st_params {
    st_real dt;
    bool implicit;
    st_const_coord_id x;
    st_const_deriv_id v;
    st_deriv_id f;
    st_const_deriv_id dx;
    st_deriv_id df;
    st_real m, b, k; // A = m M + b B + k K
} st_params;

// Position, velocity, ... with the standard ids and zero factors.
ST_API st_params st_default_params(void);

// The vectors of one state that the parameters name.
static inline const st_real *st_x(const st_state *s, const st_params *p) {
    return st_coord_list(s, p->x.index, ST_COORD_POSITION)->data;
}
static inline const st_real *st_v(const st_state *s, const st_params *p) {
    return st_deriv_list(s, p->v.index, ST_DERIV_VELOCITY)->data;
}
static inline st_real *st_f(const st_state *s, const st_params *p) {
    return st_deriv_list(s, p->f.index, ST_DERIV_FORCE)->data;
}
static inline const st_real *st_dx(const st_state *s, const st_params *p) {
    return st_deriv_list(s, p->dx.index, ST_DERIV_DX)->data;
}
static inline st_real *st_df(const st_state *s, const st_params *p) {
    return st_deriv_list(s, p->df.index, ST_DERIV_DFORCE)->data;
}

#ifdef __cplusplus
}
#endif
#endif
