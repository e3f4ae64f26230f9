// Matrices and vectors of the engine as buffers. The package makes SciPy matrices of them (settee/_matrix.py).
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "binding.h"

static bool kind_of(const char *name, st_matrix_kind *kind) {
    static const char letters[] = "AMBKJ";
    static const st_matrix_kind kinds[] = {ST_MATRIX_A, ST_MATRIX_M, ST_MATRIX_B, ST_MATRIX_K, ST_MATRIX_J};
    const char *at = *name ? strchr(letters, *name) : NULL;
    if (at && !name[1]) {
        *kind = kinds[at - letters];
        return true;
    }
    PyErr_Format(PyExc_ValueError, "matrix '%s' must be A, M, B, K, J, W or H", name);
    return false;
}

// (rows, columns, block, starts, columns of blocks, values), the last three as buffers.
static PyObject *view_of(const st_matrix_view *m) {
    const size_t rows = m->block > 0 ? m->rows / (size_t)m->block : 0;
    const size_t count = m->starts ? m->starts[rows] : 0, area = (size_t)m->block * (size_t)m->block;

    // those of an empty matrix are no memory that can be retained
    return Py_BuildValue("(nniNNN)", (Py_ssize_t)m->rows, (Py_ssize_t)m->cols, m->block,
                         buffer_of_memory(rows > 0 ? m->starts : NULL, 'q', rows + 1, 1, false, false),
                         buffer_of_memory(count > 0 ? m->columns : NULL, 'i', count, 1, false, false),
                         buffer_of_memory(count > 0 ? m->values : NULL, 'r', count, area, true, false));
}

// Of the scene's system or constraint solver, of a node, or of a component; `kind` means nothing for W and H.
static st_status find(scene_object *self, st_object *object, const char *name, st_matrix_kind kind, bool parent,
                      st_matrix_view *m) {
    const char *path = object ? st_object_path(object) : NULL;
    if (*name == 'W') return st_constraint_compliance(st_scene_constraint_solver(self->scene, path), m);
    if (*name == 'H') return st_constraint_jacobian(st_scene_constraint_solver(self->scene, path), m);

    st_node *node = object ? st_object_as_node(object) : NULL;
    if (node) return st_node_matrix(node, kind, m);
    if (!object && kind != ST_MATRIX_A && !st_scene_system(self->scene, NULL))
        return st_node_matrix(st_scene_root(self->scene), kind, m);

    // a system, a solver or an integrator stands for the system; everything else for itself
    st_system *system = st_scene_system(self->scene, path);
    if (system && (!object || kind != ST_MATRIX_J)) return st_system_matrix(system, kind, m);
    return st_component_matrix(object, kind, parent ? ST_SPACE_PARENT : ST_SPACE_OWN, m);
}

PyObject *scene_matrix(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    const char *name;
    PyObject *of = Py_None;
    int parent = 0;
    if (!PyArg_ParseTuple(args, "s|Op:matrix", &name, &of, &parent) || !scene_is_usable(self)) return NULL;
    if (of != Py_None && !PyObject_TypeCheck(of, st_binding.object))
        return PyErr_Format(PyExc_TypeError, "a component or a node is expected, not %R", of);

    st_object *component = of == Py_None ? NULL : object_usable(of);
    if (of != Py_None && !component) return NULL;
    st_matrix_kind kind = ST_MATRIX_A;
    if (strcmp(name, "W") != 0 && strcmp(name, "H") != 0 && !kind_of(name, &kind)) return NULL;

    // components in Python may be asked for their blocks, by worker threads, too
    st_matrix_view m = {0};
    PyThreadState *state = scene_release_lock(self);
    const st_status status = find(self, component, name, kind, parent, &m);
    scene_take_lock(self, state);
    if (!scene_concluded(self, status, name, NULL)) return NULL;
    return view_of(&m);
}

PyObject *scene_vector(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    const char *name;
    PyObject *of = Py_None;
    if (!PyArg_ParseTuple(args, "s|O:vector", &name, &of) || !scene_is_usable(self)) return NULL;
    if (of != Py_None && !PyObject_TypeCheck(of, st_binding.object))
        return PyErr_Format(PyExc_TypeError, "a component is expected, not %R", of);
    st_object *component = of == Py_None ? NULL : object_usable(of);
    if (of != Py_None && !component) return NULL;

    // b, x: of a system; lambda, free: of a constraint solver
    const char *path = component ? st_object_path(component) : NULL;
    st_vector_view v = {0};
    st_status status = ST_NOT_FOUND;
    if (!strcmp(name, "b")) status = st_system_rhs(st_scene_system(self->scene, path), &v);
    else if (!strcmp(name, "x")) status = st_system_solution(st_scene_system(self->scene, path), &v);
    else if (!strcmp(name, "lambda"))
        status = st_constraint_multipliers(st_scene_constraint_solver(self->scene, path), &v);
    else if (!strcmp(name, "free"))
        status = st_constraint_violations(st_scene_constraint_solver(self->scene, path), &v);
    if (!scene_concluded(self, status, name, NULL)) return NULL;
    return buffer_of_memory(v.values, 'r', v.count, 1, false, false);
}
