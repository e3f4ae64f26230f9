// settee._settee: the extension module under the package `settee`, on Python's stable ABI (3.11 and later).
//
// Three types, which the package derives its own from:
//
//     Scene    owns an st_scene; every call of the C interface that changes it goes through here
//     Object   a component or a node of a scene; it keeps its scene alive
//     Buffer   memory of the engine by the buffer protocol; it keeps that memory alive, not the scene
//
// Fields are known by their tables alone: no attribute of a component is named here. Messages are collected while a call
// runs and handed to the package when it ends, together with its status (conclude).
//
// The global interpreter lock is released while a scene is loaded, initialized, stepped or drawn. All other calls hold it
// and refuse a scene that another thread is using, so that there is an error and no race.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_BINDING_H
#define SETTEE_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <sys/types.h>

#include "settee/matrix.h"
#include "settee/settee.h"

// The types, and the functions of the package that this module calls (settee/_glue.py).
typedef struct binding {
    PyTypeObject *scene, *object, *buffer, *field;
    PyObject *conclude;  // (scene, status, what, messages, value): reports messages, raises what a status means
    PyObject *type_of;   // (class name, kind, is it a node) -> the Python type of a component
    PyObject *as_array;  // (buffer) -> ndarray
    PyObject *detach;    // (scene): matrices that borrow memory of the engine get their own
    PyObject *normalize; // (matrix, rows, columns) -> blocks of a derivative, see blocks.c
    PyObject *class_of;  // (Python class) -> what its st_class is made of, see component.c
} binding;
extern binding st_binding;

typedef struct scene_object {
    PyObject_HEAD st_scene *scene; // NULL: closed
    PyObject *wrappers;            // address of an st_object: weak reference to its Object
    PyObject *kept;                // Objects with a Python side of their own: components written in Python
    PyObject *classes;             // name of a class written in Python: its type
    PyObject **tables;             // capsules of their st_class; the garbage collector must not see these, for it would
    size_t table_count;            // free them with the Python class, before the scene whose objects need them
    PyObject *callbacks;           // number: (the function, this scene)
    PyObject *messages;            // of the running call
    st_log_function *heard;        // gets every message, too: of the program around the scene; or NULL
    void *heard_user;
    bool is_lent;                      // to that program, which steps it
    PyObject *lent;                    // weak references to matrices that borrow memory of the engine
    PyObject *failure;                 // an exception of a Python component or callback: raised at the end of the call
    struct lent_array *arrays;         // writable arrays that Python code may hold
    unsigned long user;                // thread of a call that has released the lock; 0: none
    int depth;                         // calls within each other that have
    const struct scene_server *server; // the viewer that is using it; see server.h
    int waiting;                       // threads that wait for it
    pid_t process;                     // that made it: worker threads do not follow a fork
    int threads;
    bool closing;              // components written in Python are not called any more
    PyObject *sent;            // data of the event that Python code is sending
    struct scene_object *next; // all open scenes
} scene_object;

typedef struct object_object {
    PyObject_HEAD scene_object *owner;
    st_object *object;
    PyObject *arrays; // name of a field: (Buffer, ndarray)
} object_object;

// --- scene.c --------------------------------------------------------------------------------------------

extern PyType_Spec st_scene_spec;
// Can the scene be used now, by this thread? Otherwise an exception is set.
bool scene_is_usable(scene_object *self);
// Ends a call: messages are reported, an exception of a callback is raised, else what the status means. NULL with an
// exception, else None. `value` may be NULL.
PyObject *scene_conclude(scene_object *self, st_status status, const char *what, PyObject *value);
bool scene_concluded(scene_object *self, st_status status, const char *what, PyObject *value); // false: an exception
// The Python scene of a C scene; NULL: it was not made by Python.
scene_object *scene_of(const st_scene *scene);
// An exception is set: keeps it for the end of the running call, and ends the running step.
void scene_fail(scene_object *self);
// Between these the lock is released; a scene that is used there by another thread is refused.
PyThreadState *scene_release_lock(scene_object *self);
void scene_take_lock(scene_object *self, PyThreadState *state);
// This thread runs a component of the scene from now on and may use it; returns what it did before, to be put back.
const scene_object *scene_serve(const scene_object *self);
PyObject *event_data(scene_object *self, void *data); // None unless Python code has sent it

// --- object.c -------------------------------------------------------------------------------------------

extern PyType_Spec st_object_spec;
PyObject *object_wrap(scene_object *owner, st_object *object); // None for NULL
PyObject *object_keep(scene_object *owner, st_object *object); // the same, kept until the scene ends; borrowed
// The C object if it can be used now, else NULL with an exception.
st_object *object_usable(PyObject *self);

// --- topology.c -----------------------------------------------------------------------------------------

PyObject *object_add_points(PyObject *self, PyObject *count);
PyObject *object_remove_points(PyObject *self, PyObject *indices);

// --- field.c --------------------------------------------------------------------------------------------

extern PyType_Spec st_field_spec;
PyObject *field_get(object_object *self, PyObject *name);
int field_set(object_object *self, PyObject *name, PyObject *value);
PyObject *field_describe(const st_field_description *d);
// Is an element as wide as a position or velocity of the template? Then there are rows, of one number, too.
bool field_has_rows(const st_field_description *d);
bool field_find(object_object *self, PyObject *name, st_field_description *description);

// --- numbers.c ------------------------------------------------------------------------------------------

// Numbers from a Python value: a number, a sequence of numbers or of rows, anything with a buffer.
typedef struct numbers {
    st_real *reals; // one of the two
    int64_t *integers;
    size_t count, width; // rows and numbers of a row
    int dimensions;      // 0, 1 or 2 of what was given
} numbers;
// `real`: integers are converted; otherwise reals are refused. False with an exception.
bool numbers_read(PyObject *value, bool real, numbers *numbers);
void numbers_free(numbers *numbers);

bool field_check_shape(object_object *self, const st_field_description *d, numbers *n); // false with an exception
// Writes an output of a component written in Python: 1. 0: it is none; -1: an exception is set.
int python_write(object_object *self, const st_field_description *d, PyObject *value);

// --- buffer.c -------------------------------------------------------------------------------------------

extern PyType_Spec st_buffer_spec;
// Takes the view. `two`: (n, 1) where an element is one number, which is (n,) otherwise.
PyObject *buffer_of_view(st_view *view, bool two, bool writable);
// Lent memory, retained. Not `two`: a vector of `count`.
PyObject *buffer_of_memory(const void *data, char format, size_t count, size_t width, bool two, bool writable);
PyObject *buffer_of_copy(const st_array *array); // one element, read-only
// A copy of count × width numbers that may be written; `copy` is where it is, as long as the buffer lives.
PyObject *buffer_of_reals(const st_real *data, size_t count, size_t width, st_real **copy);
bool buffer_is_current(PyObject *buffer);
bool buffer_shows(PyObject *buffer, const st_array *array);
// An ndarray on the buffer, which is released; NULL stays NULL.
PyObject *array_of(PyObject *buffer);

// --- matrix.c, results.c, component.c ---------------------------------------------------------------------

PyObject *scene_matrix(PyObject *self, PyObject *args);
PyObject *scene_vector(PyObject *self, PyObject *args);
PyObject *scene_energy(PyObject *self, PyObject *args);
PyObject *scene_mass(PyObject *self, PyObject *args);
PyObject *scene_profile(PyObject *self, PyObject *args);
PyObject *scene_write_png(PyObject *self, PyObject *args);
PyObject *scene_draw_pixels(PyObject *self, PyObject *args);
PyObject *scene_xml(PyObject *self, PyObject *args);
PyObject *scene_check(PyObject *self, PyObject *args);
PyObject *scene_dump(PyObject *self, PyObject *args);
PyObject *scene_register(PyObject *self, PyObject *type);

#endif
