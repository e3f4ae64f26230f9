// What a scene gives: energies, masses, times, pictures, texts, checks.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "binding.h"

PyObject *scene_energy(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    PyThreadState *state = scene_release_lock(self);
    const st_energy e = st_scene_energy(self->scene);
    scene_take_lock(self, state);
    if (!scene_concluded(self, ST_OK, "energy", NULL)) return NULL;
    return Py_BuildValue("(dd)", (double)e.kinetic, (double)e.potential);
}

PyObject *scene_mass(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    PyThreadState *state = scene_release_lock(self);
    const st_mass_sum m = st_scene_mass(self->scene);
    scene_take_lock(self, state);
    if (!scene_concluded(self, ST_OK, "mass", NULL)) return NULL;
    return Py_BuildValue("(d(ddd))", (double)m.total, (double)m.center[0], (double)m.center[1], (double)m.center[2]);
}

PyObject *scene_profile(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;

    const st_profile_entry *entries;
    const size_t count = st_scene_profile(self->scene, &entries);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *item = Py_BuildValue("(sdn)", entries[i].name, entries[i].seconds, (Py_ssize_t)entries[i].calls);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// What all pictures take: width, height, view, caption, show, color.
#define PICTURE_FORMAT "ii(ddd)zzz"
#define PICTURE_FIELDS(o, view)                                                                                        \
    &(o).width, &(o).height, &(view)[0], &(view)[1], &(view)[2], &(o).caption, &(o).show, &(o).color

PyObject *scene_write_png(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    st_picture_options o = st_default_picture_options();
    double view[3] = {0};
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&|" PICTURE_FORMAT ":write_png", PyUnicode_FSConverter, &path,
                          PICTURE_FIELDS(o, view)))
        return NULL;
    if (!scene_is_usable(self)) {
        Py_DECREF(path);
        return NULL;
    }
    for (int k = 0; k < 3; k++) o.view[k] = (st_real)view[k];

    // other threads run meanwhile
    PyThreadState *state = scene_release_lock(self);
    const st_status status = st_scene_write_png(self->scene, PyBytes_AsString(path), &o);
    scene_take_lock(self, state);
    Py_DECREF(path);
    return scene_conclude(self, status, "picture", NULL);
}

PyObject *scene_draw_pixels(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    st_picture_options o = st_default_picture_options();
    double view[3] = {0};
    if (!PyArg_ParseTuple(args, PICTURE_FORMAT ":draw_pixels", PICTURE_FIELDS(o, view)) || !scene_is_usable(self))
        return NULL;
    for (int k = 0; k < 3; k++) o.view[k] = (st_real)view[k];

    // a size that does not fit is refused by the engine, with a message; the pixels are not touched then
    const bool fits = o.width > 0 && o.height > 0 && o.width <= PY_SSIZE_T_MAX / 3 / o.height;
    PyObject *pixels = PyBytes_FromStringAndSize(NULL, fits ? (Py_ssize_t)3 * o.width * o.height : 0);
    if (!pixels) return PyErr_Format(PyExc_MemoryError, "a picture of %d x %d pixels", o.width, o.height);

    PyThreadState *state = scene_release_lock(self);
    const st_status status = st_scene_draw_pixels(self->scene, (uint8_t *)PyBytes_AsString(pixels), &o);
    scene_take_lock(self, state);
    if (!scene_concluded(self, status, "picture", NULL)) Py_CLEAR(pixels);
    return pixels;
}

// ---------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------

typedef struct text {
    char *data;
    size_t length, capacity;
} text;

static bool append(void *user, const char *more, size_t length) {
    text *t = user;
    if (t->length + length > t->capacity) {
        const size_t capacity = 2 * (t->length + length);
        char *data = realloc(t->data, capacity);
        if (!data) return false;
        t->data = data;
        t->capacity = capacity;
    }
    memcpy(t->data + t->length, more, length);
    t->length += length;
    return true;
}

static PyObject *text_result(scene_object *self, st_status status, const char *what, text *t) {
    PyObject *result = NULL;
    if (scene_concluded(self, status, what, NULL))
        result = PyUnicode_DecodeUTF8(t->data ? t->data : "", (Py_ssize_t)t->length, "replace");
    free(t->data);
    return result;
}

PyObject *scene_xml(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;
    text t = {0};
    const st_writer writer = {append, &t};
    return text_result(self, st_scene_write_xml(self->scene, &writer), "xml", &t);
}

PyObject *scene_dump(PyObject *object, PyObject *args) {
    scene_object *self = (scene_object *)object;
    Py_ssize_t step = 0;
    int topology = 0;
    if (!PyArg_ParseTuple(args, "|np:dump", &step, &topology) || !scene_is_usable(self)) return NULL;
    if (step < 0) return PyErr_Format(PyExc_ValueError, "step %zd must not be negative", step);

    text t = {0};
    const st_writer writer = {append, &t};
    const st_status status = topology ? st_scene_dump_topology(self->scene, (size_t)step, &writer)
                                      : st_scene_dump_states(self->scene, (size_t)step, &writer);
    return text_result(self, status, "dump", &t);
}

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

typedef struct report {
    scene_object *scene;
    PyObject *list;
} report;

static void add_check(void *user, const st_derivative_check *check) {
    report *r = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *object = object_wrap(r->scene, (st_object *)check->object);
    PyObject *item = object ? Py_BuildValue("(OsdOz)", object, check->what, (double)check->error,
                                            check->exact_by_design ? Py_True : Py_False, check->note)
                            : NULL;
    if (!item || PyList_Append(r->list, item) != 0) scene_fail(r->scene);
    Py_XDECREF(item);
    Py_XDECREF(object);
    PyGILState_Release(lock);
}

PyObject *scene_check(PyObject *object, PyObject *none) {
    (void)none;
    scene_object *self = (scene_object *)object;
    if (!scene_is_usable(self)) return NULL;

    report r = {self, PyList_New(0)};
    if (!r.list) return NULL;
    PyThreadState *state = scene_release_lock(self);
    const st_status status = st_scene_check_derivatives(self->scene, add_check, &r);
    scene_take_lock(self, state);
    if (!scene_concluded(self, status, "check", NULL)) Py_CLEAR(r.list);
    return r.list;
}
