// Components written in Python: what the kinds of them share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_COMPONENT_H
#define SETTEE_PYTHON_COMPONENT_H

#include "blocks.h"
#include "settee/plugin/constraint.h"

// What a component written in Python has besides the base of its kind. The scene keeps `self` alive.
typedef struct python_side {
    PyObject *self;
    blocks stiffness, damping; // of the last force evaluation; of a mapping J and its geometric stiffness
    blocks matrix;             // of a mass; of a law H
    int last;                  // vector of the last call of apply
    bool implicit;             // was the last evaluation of a force for an implicit step?
} python_side;

// The kinds. Each begins with the base of the engine; fields follow the struct.
typedef struct python_force {
    st_force base;
    python_side side;
} python_force;
typedef struct python_mass {
    st_mass base;
    python_side side;
} python_mass;
typedef struct python_mapping {
    st_mapping base;
    python_side side;
} python_mapping;
typedef struct python_law {
    st_law base;
    python_side side;
} python_law;
typedef struct python_plain {
    st_object base;
    python_side side;
} python_plain; // engines, controllers

python_side *side_of(st_object *object);

// Calls of Python code are between these, with the interpreter lock. False: there is nobody to call, or a call has failed
// before in this step.
typedef struct python_call {
    PyGILState_STATE lock;
    scene_object *scene;
    const scene_object *before; // the scene that the thread served
    PyObject *self;
} python_call;
bool python_enter(st_object *object, python_call *call);
// Of a mapping, also after a failure: the state before the step, which is put back, goes through the mappings.
bool python_enter_mapping(st_object *object, python_call *call);
// Takes the result of the last call; NULL: its exception ends the step.
void python_leave(python_call *call, PyObject *result);
// Has the class a method of this name?
bool python_has(PyObject *self, const char *method);

// The vectors of a state as arrays (n, width); an exception and NULL when that fails.
PyObject *python_coords(const st_state *state, const st_real *x, bool writable);
PyObject *python_derivs(const st_state *state, const st_real *v, bool writable);
// The same of a product's vectors, which may be a part of a solver's: copies, for a script may keep them.
typedef struct {
    PyObject *array;
    st_real *copy;
} python_lent;
python_lent python_lend(const st_state *state, const st_real *v);
void python_take_back(python_lent *lent, const st_state *state, st_real *v); // v: where it is written to; NULL: nowhere
static inline size_t python_scalars(const st_state *state) { return state->size * st_state_dof(state)->deriv; }

// What the classes of each kind begin with.
extern const st_class python_force_class, python_mass_class, python_mapping_class, python_law_class,
    python_engine_class, python_controller_class;
st_status python_init(st_object *object); // method init, after that of the base

#endif
