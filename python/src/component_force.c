// Forces and masses written in Python.
//
//     add_force(self, f, x, v)   adds the force to f
//     stiffness(self, x, v)      ∂f/∂x there; called once for each evaluation that needs it
//     damping(self, x, v)        ∂f/∂v
//     product(self, df, dx, k, b)  adds k K dx + b B dx, in place of blocks where no matrix is assembled
//     potential(self, x)         energy
//     mass_matrix(self)          of a mass: M
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "component.h"

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

static st_status force_init(st_object *object) {
    const st_status status = st_force_class.init(object); // finds the state
    return status == ST_OK ? python_init(object) : status;
}

static void force_add(st_force *force, const st_params *p) {
    python_call call;
    if (!python_enter(&force->object, &call)) return;
    python_side *side = side_of(&force->object);
    side->stiffness.known = side->damping.known = false;

    // Sofa's force fields are told whether derivatives will be asked for
    if (p->implicit != side->implicit && PyObject_HasAttrString(call.self, "_implicit")) {
        if (PyObject_SetAttrString(call.self, "_implicit", p->implicit ? Py_True : Py_False) != 0) PyErr_Clear();
        side->implicit = p->implicit;
    }

    PyObject *f = python_derivs(force->state, st_f(force->state, p), true);
    PyObject *x = f ? python_coords(force->state, st_x(force->state, p), false) : NULL;
    PyObject *v = x ? python_derivs(force->state, st_v(force->state, p), false) : NULL;
    PyObject *result = v ? PyObject_CallMethod(call.self, "add_force", "OOO", f, x, v) : NULL;

    Py_XDECREF(f);
    Py_XDECREF(x);
    Py_XDECREF(v);
    python_leave(&call, result);
}

// Asks for a derivative unless it is known since the last evaluation.
static bool derivative(st_force *force, const st_params *p, const char *method, blocks *b) {
    if (b->known) return true;
    python_call call;
    if (!python_enter(&force->object, &call)) return false;

    PyObject *x = python_coords(force->state, st_x(force->state, p), false);
    PyObject *v = x ? python_derivs(force->state, st_v(force->state, p), false) : NULL;
    PyObject *result = v ? PyObject_CallMethod(call.self, method, "OO", x, v) : NULL;
    const size_t n = python_scalars(force->state);
    if (result && !blocks_read(b, result, n, n)) Py_CLEAR(result);

    Py_XDECREF(x);
    Py_XDECREF(v);
    python_leave(&call, result);
    return b->known;
}

static void force_stiffness(st_force *force, const st_params *p, st_stiffness to) {
    blocks *b = &side_of(&force->object)->stiffness;
    if (derivative(force, p, "stiffness", b)) blocks_give(b, st_stiffness_between(to, force->state, force->state));
}

static void force_damping(st_force *force, const st_params *p, st_damping to) {
    blocks *b = &side_of(&force->object)->damping;
    if (derivative(force, p, "damping", b)) blocks_give(b, st_damping_between(to, force->state, force->state));
}

static void force_product(st_force *force, const st_params *p, st_real k, st_real b) {
    python_call call;
    if (!python_enter(&force->object, &call)) return;

    python_lent df = python_lend(force->state, st_df(force->state, p)), dx = {0};
    if (df.array) dx = python_lend(force->state, st_dx(force->state, p));
    PyObject *result = NULL;
    if (dx.array) result = PyObject_CallMethod(call.self, "product", "OOdd", df.array, dx.array, (double)k, (double)b);

    python_take_back(&df, force->state, st_df(force->state, p));
    python_take_back(&dx, force->state, NULL);
    python_leave(&call, result);
}

static st_real force_potential(st_force *force, const st_params *p) {
    python_call call;
    if (!python_enter(&force->object, &call)) return 0;

    PyObject *x = python_coords(force->state, st_x(force->state, p), false);
    PyObject *result = x ? PyObject_CallMethod(call.self, "potential", "O", x) : NULL;
    const double energy = result ? PyFloat_AsDouble(result) : 0;
    if (result && energy == -1 && PyErr_Occurred()) Py_CLEAR(result);

    Py_XDECREF(x);
    const bool ok = result != NULL;
    python_leave(&call, result);
    return ok ? (st_real)energy : 0;
}

static const st_force_ops force_ops = {
    .add_force = force_add,
    .stiffness = force_stiffness,
    .damping = force_damping,
    .product = force_product,
    .potential = force_potential,
};

const st_class python_force_class = {
    .parent = &st_force_class,
    .size = sizeof(python_force),
    .init = force_init,
    .force = &force_ops,
};

// ---------------------------------------------------------------------------------------------------
// Masses
// ---------------------------------------------------------------------------------------------------

// M, asked for at init and after reinit.
static const blocks *mass_blocks(st_mass *mass) {
    blocks *b = &side_of(&mass->force.object)->matrix;
    const size_t n = python_scalars(mass->force.state);
    python_call call;
    if ((b->known && b->rows == n) || !python_enter(&mass->force.object, &call)) return b;

    PyObject *result = PyObject_CallMethod(call.self, "mass_matrix", NULL);
    if (result && !blocks_read(b, result, n, n)) Py_CLEAR(result);
    python_leave(&call, result);
    return b;
}

static st_status mass_init(st_object *object) {
    blocks_free(&side_of(object)->matrix);
    const st_status status = force_init(object);
    if (status != ST_OK) return status;
    return mass_blocks((st_mass *)object)->known ? ST_OK
                                                 : st_invalid(object, "its method mass_matrix has given no matrix");
}

// Its weight: f += M g
static void mass_add_force(st_force *force, const st_params *p) {
    st_mass *mass = (st_mass *)force;
    const st_dof *dof = st_state_dof(force->state);
    const size_t n = python_scalars(force->state);
    st_real g[6], *all = mass->separate_gravity ? NULL : calloc(n + 1, sizeof *all);
    if (!all) return;

    st_gravity(&force->object, dof, g);
    for (size_t i = 0; i < n; i++) all[i] = g[i % dof->deriv];
    blocks_multiply(mass_blocks(mass), 1, all, st_f(force->state, p));
    free(all);
}

static void mass_matrix(st_mass *mass, st_inertia to) {
    blocks_give(mass_blocks(mass), st_inertia_of(to, mass->force.state));
}

static bool mass_is_diagonal(const st_mass *mass) { return blocks_are_diagonal(mass_blocks((st_mass *)mass)); }

// a = M⁻¹ f
static void mass_acceleration(st_mass *mass, st_deriv_id a, st_const_deriv_id f) {
    const st_state *state = mass->force.state;
    st_real *diagonal = blocks_diagonal(mass_blocks(mass));
    st_real *to = st_velocity_of(state, a);
    const st_real *from = st_deriv_list(state, f.index, ST_DERIV_FORCE)->data;

    for (size_t i = 0; diagonal && i < python_scalars(state); i++)
        if (diagonal[i] != 0) to[i] = from[i] / diagonal[i];
    free(diagonal);
}

// vᵀ M v / 2
static st_real mass_kinetic(st_mass *mass, const st_params *p) {
    const st_real *v = st_v(mass->force.state, p);
    const size_t n = python_scalars(mass->force.state);
    st_real *momentum = calloc(n + 1, sizeof *momentum), sum = 0;
    if (!momentum) return 0;

    blocks_multiply(mass_blocks(mass), 1, v, momentum);
    for (size_t i = 0; i < n; i++) sum += v[i] * momentum[i];
    free(momentum);
    return sum / 2;
}

// -xᵀ M g
static st_real mass_potential(st_force *force, const st_params *p) {
    const st_dof *dof = st_state_dof(force->state);
    const st_real *x = st_x(force->state, p);
    const size_t n = python_scalars(force->state);
    st_real g[6], *all = calloc(2 * n + 1, sizeof *all), sum = 0;
    if (!all) return 0;

    st_gravity(&force->object, dof, g);
    for (size_t i = 0; i < n; i++) all[i] = g[i % dof->deriv];
    blocks_multiply(mass_blocks((st_mass *)force), 1, all, all + n);
    for (size_t i = 0; i < force->state->size; i++)
        for (size_t k = 0; k < dof->spatial; k++) sum -= x[i * dof->coord + k] * all[n + i * dof->deriv + k];
    free(all);
    return sum;
}

static st_real mass_of_element(const st_mass *mass, size_t index) {
    st_real *diagonal = blocks_diagonal(mass_blocks((st_mass *)mass));
    const st_real m = diagonal ? diagonal[index * st_state_dof(mass->force.state)->deriv] : 0;
    free(diagonal);
    return m;
}

static const st_mass_ops mass_ops = {
    .is_diagonal = mass_is_diagonal,
    .matrix = mass_matrix,
    .acceleration = mass_acceleration,
    .kinetic = mass_kinetic,
    .element_mass = mass_of_element,
};
static const st_force_ops weight_ops = {.add_force = mass_add_force, .potential = mass_potential};

const st_class python_mass_class = {
    .parent = &st_mass_class,
    .size = sizeof(python_mass),
    .init = mass_init,
    .force = &weight_ops,
    .mass = &mass_ops,
};
