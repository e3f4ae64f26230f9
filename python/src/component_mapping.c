// Mappings and constraint laws written in Python.
//
//     apply(self, p, q)          of a mapping: writes the positions p of its output
//     jacobian(self, q)          J there: scalars of the output × scalars of the input
//     apply_j(self, w, v)        w = J v, in place of the blocks of J
//     apply_jt(self, f, g)       f += Jᵀ g, likewise
//     geometric(self, q, f)      ∂(Jᵀf)/∂q for the force f of the output
//     curvature(self, q, v)      (dJ/dt) v, for accelerations
//
//     jacobian(self, x)          of a law: its rows H, rows × scalars of the state
//     violation(self, x)         one number a row
//     resolution                 "equality", "unilateral" or "friction" (triples of rows, with `friction`)
//     solved(self, multipliers)  optional
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "component.h"

// ---------------------------------------------------------------------------------------------------
// Mappings
// ---------------------------------------------------------------------------------------------------

static void mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    python_call call;
    if (!python_enter_mapping(&mapping->object, &call)) return;
    python_side *side = side_of(&mapping->object);
    const st_state *from = st_mapping_in(mapping), *to = st_mapping_out(mapping);
    side->stiffness.known = side->damping.known = false;
    side->last = in.index;

    // a method that raises has written nothing: its output stays that of the last step
    st_real *positions = st_position_of(to, out), *copy = NULL;
    const size_t width = st_state_dof(to)->coord;
    PyObject *p = array_of(buffer_of_reals(positions, to->size, width, &copy));
    PyObject *q = p ? python_coords(from, st_position_of(from, (st_coord_id){in.index}), false) : NULL;
    PyObject *result = q ? PyObject_CallMethod(call.self, "apply", "OO", p, q) : NULL;
    if (result && to->size > 0) memcpy(positions, copy, to->size * width * sizeof *copy);

    Py_XDECREF(p);
    Py_XDECREF(q);
    python_leave(&call, result);
}

static void mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in; // one of each
    python_side *side = side_of(&mapping->object);
    blocks *b = &side->stiffness;
    const st_state *from = st_mapping_in(mapping), *to = st_mapping_out(mapping);

    python_call call;
    if (!b->known && python_enter_mapping(&mapping->object, &call)) {
        PyObject *q = python_coords(from, st_position_of(from, (st_coord_id){side->last}), false);
        PyObject *result = q ? PyObject_CallMethod(call.self, "jacobian", "O", q) : NULL;
        if (result && !blocks_read(b, result, python_scalars(to), python_scalars(from))) Py_CLEAR(result);
        Py_XDECREF(q);
        python_leave(&call, result);
    }
    if (b->known) blocks_give(b, sink);
}

// A product with J or its transpose: method(self, written, read).
static void mapping_product(st_mapping *mapping, const char *method, const st_state *to, st_deriv_id w,
                            const st_state *from, st_const_deriv_id r) {
    python_call call;
    if (!python_enter_mapping(&mapping->object, &call)) return;

    python_lent written = python_lend(to, st_velocity_of(to, w)), read = {0};
    if (written.array) read = python_lend(from, st_deriv_list(from, r.index, ST_DERIV_VELOCITY)->data);
    PyObject *result = read.array ? PyObject_CallMethod(call.self, method, "OO", written.array, read.array) : NULL;

    python_take_back(&written, to, result ? st_velocity_of(to, w) : NULL);
    python_take_back(&read, from, NULL);
    python_leave(&call, result);
}

static void mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    mapping_product(mapping, "apply_j", st_mapping_out(mapping), out, st_mapping_in(mapping), in);
}

static void mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    mapping_product(mapping, "apply_jt", st_mapping_in(mapping), in, st_mapping_out(mapping), out);
}

// It depends on the force, which changes without a new apply: asked for each time.
static void mapping_geometric(st_mapping *mapping, const st_params *p, st_stiffness to) {
    python_side *side = side_of(&mapping->object);
    const st_state *from = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    python_call call;
    if (!python_enter_mapping(&mapping->object, &call)) return;

    PyObject *q = python_coords(from, st_position_of(from, (st_coord_id){side->last}), false);
    PyObject *f = q ? python_derivs(child, st_f(child, p), false) : NULL;
    PyObject *result = f ? PyObject_CallMethod(call.self, "geometric", "OO", q, f) : NULL;
    const size_t n = python_scalars(from);
    if (result && !blocks_read(&side->damping, result, n, n)) Py_CLEAR(result);
    Py_XDECREF(q);
    Py_XDECREF(f);

    const bool ok = result != NULL;
    python_leave(&call, result);
    if (ok) blocks_give(&side->damping, st_stiffness_between(to, from, from));
}

// a += (dJ/dt) v
static void mapping_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    const st_state *from = st_mapping_in(mapping), *to = st_mapping_out(mapping);
    python_call call;
    if (!python_enter_mapping(&mapping->object, &call)) return;

    const int last = side_of(&mapping->object)->last;
    PyObject *q = python_coords(from, st_position_of(from, (st_coord_id){last}), false);
    PyObject *rate = q ? python_derivs(from, st_velocity_of(from, (st_deriv_id){v.index}), false) : NULL;
    PyObject *result = rate ? PyObject_CallMethod(call.self, "curvature", "OO", q, rate) : NULL;
    numbers n = {0};
    if (result && !numbers_read(result, true, &n)) Py_CLEAR(result);
    if (result && n.count * n.width != python_scalars(to)) {
        PyErr_Format(PyExc_ValueError, "curvature has %zu numbers, %zu are expected", n.count * n.width,
                     python_scalars(to));
        Py_CLEAR(result);
    }

    // added to what is there
    st_real *sum = st_velocity_of(to, a);
    for (size_t i = 0; result && i < python_scalars(to); i++) sum[i] += n.reals[i];
    numbers_free(&n);
    Py_XDECREF(q);
    Py_XDECREF(rate);
    python_leave(&call, result);
}

static st_status mapping_init(st_object *object) {
    const st_status status = python_init(object);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static const st_mapping_ops mapping_ops = {
    .apply = mapping_apply,
    .jacobian = mapping_jacobian,
    .geometric = mapping_geometric,
    .add_curvature = mapping_curvature,
    .apply_j = mapping_apply_j,
    .apply_jt = mapping_apply_jt,
};

const st_class python_mapping_class = {
    .parent = &st_mapping_class,
    .size = sizeof(python_mapping),
    .init = mapping_init,
    .mapping = &mapping_ops,
};

// ---------------------------------------------------------------------------------------------------
// Laws
// ---------------------------------------------------------------------------------------------------

static st_status law_init(st_object *object) {
    const st_status status = st_law_class.init(object); // finds the state
    return status == ST_OK ? python_init(object) : status;
}

enum { MOST_ROWS = 100000 }; // their compliance would have 10^10 numbers

static size_t law_build(st_law *law, size_t first) {
    blocks *b = &side_of(&law->object)->matrix;
    st_state *state = law->state;
    python_call call;
    blocks_free(b);
    if (!python_enter(&law->object, &call)) return 0;

    PyObject *x = python_coords(state, st_position_of(state, ST_POSITION), false);
    PyObject *result = x ? PyObject_CallMethod(call.self, "jacobian", "O", x) : NULL;
    if (result && !blocks_read(b, result, SIZE_MAX, python_scalars(state))) Py_CLEAR(result);
    if (result && b->rows > MOST_ROWS) {
        PyErr_Format(PyExc_ValueError, "jacobian has %zu rows; a law has at most %d", b->rows, (int)MOST_ROWS);
        blocks_free(b);
        Py_CLEAR(result);
    }
    Py_XDECREF(x);
    python_leave(&call, result);

    // scalar by scalar: the engine adds up those of one DOF
    const size_t width = st_state_dof(state)->deriv;
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < b->height * b->width; k++) {
            const size_t row = (size_t)b->at_row[i] * b->height + k / b->width;
            const size_t col = (size_t)b->at_col[i] * b->width + k % b->width;
            st_real h[6] = {0};
            h[col % width] = b->values[i * b->height * b->width + k];
            st_constraint_add(state, first + row, col / width, h);
        }
    return b->rows;
}

static void law_violation(st_law *law, const st_constraint_params *p, st_real *d) {
    const size_t rows = side_of(&law->object)->matrix.rows;
    python_call call;
    memset(d, 0, rows * sizeof *d);
    if (!python_enter(&law->object, &call)) return;

    PyObject *x = python_coords(law->state, st_position_of(law->state, (st_coord_id){p->x.index}), false);
    PyObject *result = x ? PyObject_CallMethod(call.self, "violation", "O", x) : NULL;
    numbers n = {0};
    if (result && !numbers_read(result, true, &n)) Py_CLEAR(result);
    if (result && n.count * n.width != rows) {
        PyErr_Format(PyExc_ValueError, "violation has %zu numbers, jacobian %zu rows", n.count * n.width, rows);
        Py_CLEAR(result);
    }

    // one number for each row of jacobian
    if (result) memcpy(d, n.reals, rows * sizeof *d);
    numbers_free(&n);
    Py_XDECREF(x);
    python_leave(&call, result);
}

// The friction coefficient, and how the rows are solved.
static bool law_resolution(st_law *law, char *kind, double *friction) {
    python_call call;
    if (!python_enter(&law->object, &call)) return false;

    PyObject *name = PyObject_GetAttrString(call.self, "resolution");
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    *kind = text ? *text : 0;
    const bool known = text && (!strcmp(text, "equality") || !strcmp(text, "unilateral") || !strcmp(text, "friction"));
    if (name && !known)
        PyErr_Format(PyExc_ValueError, "resolution is %R: 'equality', 'unilateral' or 'friction' is expected", name);
    Py_XDECREF(name);

    // a contact with friction has three rows
    PyObject *result = known ? PyObject_GetAttrString(call.self, "friction") : NULL;
    *friction = result ? PyFloat_AsDouble(result) : 0;
    if (result && *friction == -1 && PyErr_Occurred()) Py_CLEAR(result);
    const size_t rows = side_of(&law->object)->matrix.rows;
    if (result && *kind == 'f' && rows % 3 != 0) {
        PyErr_Format(PyExc_ValueError, "%zu rows: friction needs three for each contact", rows);
        Py_CLEAR(result);
    }
    const bool ok = result != NULL;
    python_leave(&call, result);
    return ok;
}

static void law_resolutions(st_law *law, st_resolutions *to) {
    const size_t rows = side_of(&law->object)->matrix.rows;
    char kind = 0;
    double friction = 0;

    // rows of a law that has failed get something to be solved, too: the step is taken back
    const bool ok = law_resolution(law, &kind, &friction);
    for (size_t i = 0; i < rows; i += ok && kind == 'f' ? 3 : 1) {
        if (ok && kind == 'f') st_add_friction(to, (st_real)friction);
        else if (ok && kind == 'u') st_add_unilateral(to);
        else st_add_equality(to, 1);
    }
}

static void law_store(st_law *law, const st_real *f) {
    const size_t rows = side_of(&law->object)->matrix.rows;
    python_call call;
    if (!python_enter(&law->object, &call)) return;
    if (!python_has(call.self, "solved")) {
        python_leave(&call, Py_NewRef(Py_None));
        return;
    }

    const st_array array = {.scalar = ST_SCALAR_REAL, .data = (void *)f, .count = 1, .width = rows};
    PyObject *multipliers = array_of(buffer_of_copy(&array));
    PyObject *result = multipliers ? PyObject_CallMethod(call.self, "solved", "O", multipliers) : NULL;
    Py_XDECREF(multipliers);
    python_leave(&call, result);
}

static const st_law_ops law_ops = {
    .build = law_build,
    .violation = law_violation,
    .resolutions = law_resolutions,
    .store = law_store,
};

const st_class python_law_class = {
    .parent = &st_law_class,
    .size = sizeof(python_law),
    .init = law_init,
    .law = &law_ops,
};
