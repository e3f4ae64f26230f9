// Points of a mesh, added and removed.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "binding.h"
#include "settee/edit.h"

PyObject *object_add_points(PyObject *self, PyObject *count) {
    const Py_ssize_t n = PyNumber_AsSsize_t(count, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) return NULL;
    st_object *mesh = object_usable(self);
    if (!mesh) return NULL;
    if (n < 0 || n >= INT32_MAX) return PyErr_Format(PyExc_ValueError, "%zd points cannot be added", n);

    const st_status status = st_add_free_points(mesh, (size_t)n);
    return scene_conclude(((object_object *)self)->owner, status, "points", count);
}

PyObject *object_remove_points(PyObject *self, PyObject *indices) {
    numbers n = {0};
    if (!numbers_read(indices, false, &n)) return NULL;
    st_object *mesh = object_usable(self);
    if (!mesh) {
        numbers_free(&n);
        return NULL;
    }

    // numbers of points: the engine itself warns of those that do not exist
    const size_t count = n.count * n.width;
    uint32_t *ids = malloc((count + 1) * sizeof *ids);
    PyObject *result = ids ? Py_None : PyErr_NoMemory();
    for (size_t i = 0; result && i < count; i++) {
        if (n.integers[i] < 0 || n.integers[i] > UINT32_MAX)
            result = PyErr_Format(PyExc_IndexError, "there is no point %lld", (long long)n.integers[i]);
        else ids[i] = (uint32_t)n.integers[i];
    }
    if (result)
        result = scene_conclude(((object_object *)self)->owner, st_remove_points(mesh, ids, count), "points", indices);

    free(ids);
    numbers_free(&n);
    return result;
}
