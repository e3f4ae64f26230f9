// Buffer: memory of the engine by the buffer protocol.
//
// It holds a view of a field (st_view), or an array that the library has lent (st_memory_retain). Either way the memory
// stays as long as the Buffer does: when the field is resized or the scene ends, the Buffer is detached, never dangling.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "binding.h"

typedef struct buffer_object {
    PyObject_HEAD st_view *view; // or
    const void *retained;        // lent memory, or
    void *owned;                 // a copy
    void *data;
    char format[2];
    Py_ssize_t item, shape[2], strides[2];
    int dimensions;
    bool writable;
} buffer_object;

static char empty[8]; // what an array without elements points at

static void buffer_shape(buffer_object *b, char format, size_t count, size_t width, bool two) {
    b->format[0] = format;
    b->item = format == 'd' ? 8 : format == '?' ? 1 : format == 'q' ? 8 : 4;
    b->dimensions = two ? 2 : 1;
    b->shape[0] = (Py_ssize_t)count;
    b->shape[1] = (Py_ssize_t)width;
    b->strides[0] = two ? b->item * (Py_ssize_t)width : b->item;
    b->strides[1] = b->item;
    if (!b->data || b->shape[0] == 0) b->data = empty;
}

static char format_of(st_scalar scalar) {
    const char real = sizeof(st_real) == 8 ? 'd' : 'f';
    return scalar == ST_SCALAR_BOOL ? '?' : scalar == ST_SCALAR_INT ? 'i' : scalar == ST_SCALAR_UINT ? 'I' : real;
}

static buffer_object *buffer_new(void) {
    allocfunc make = (allocfunc)PyType_GetSlot(st_binding.buffer, Py_tp_alloc);
    return (buffer_object *)make(st_binding.buffer, 0);
}

PyObject *buffer_of_view(st_view *view, bool two, bool writable) {
    buffer_object *b = buffer_new();
    if (!b) {
        st_view_destroy(view);
        return NULL;
    }

    const st_array array = st_view_array(view);
    b->view = view;
    b->data = array.data;
    b->writable = writable;
    buffer_shape(b, format_of(array.scalar), array.count, array.width, two || array.width > 1);
    return (PyObject *)b;
}

PyObject *buffer_of_memory(const void *data, char format, size_t count, size_t width, bool two, bool writable) {
    buffer_object *b = buffer_new();
    if (!b) return NULL;

    st_memory_retain(data);
    b->retained = data;
    b->data = (void *)data;
    b->writable = writable;
    buffer_shape(b, format == 'r' ? format_of(ST_SCALAR_REAL) : format, count, width, two);
    return (PyObject *)b;
}

PyObject *buffer_of_copy(const st_array *array) {
    buffer_object *b = buffer_new();
    const size_t size = array->scalar == ST_SCALAR_BOOL   ? sizeof(bool)
                        : array->scalar == ST_SCALAR_REAL ? sizeof(st_real)
                                                          : sizeof(int32_t);
    if (!b || !(b->owned = malloc(array->width * size + 1))) {
        Py_XDECREF((PyObject *)b);
        return PyErr_NoMemory();
    }

    if (array->data) memcpy(b->owned, array->data, array->width * size);
    b->data = b->owned;
    buffer_shape(b, format_of(array->scalar), array->width, 1, false);
    return (PyObject *)b;
}

PyObject *buffer_of_reals(const st_real *data, size_t count, size_t width, st_real **copy) {
    buffer_object *b = buffer_new();
    if (!b || !(b->owned = malloc(count * width * sizeof *data + 1))) {
        Py_XDECREF((PyObject *)b);
        return PyErr_NoMemory();
    }

    if (count * width > 0) memcpy(b->owned, data, count * width * sizeof *data);
    *copy = b->data = b->owned;
    b->writable = true;
    buffer_shape(b, format_of(ST_SCALAR_REAL), count, width, true);
    return (PyObject *)b;
}

PyObject *array_of(PyObject *buffer) {
    if (!buffer) return NULL;
    PyObject *array = PyObject_CallFunctionObjArgs(st_binding.as_array, buffer, NULL);
    Py_DECREF(buffer);
    return array;
}

bool buffer_is_current(PyObject *self) {
    const buffer_object *b = (const buffer_object *)self;
    return !b->view || st_view_is_current(b->view);
}

bool buffer_shows(PyObject *self, const st_array *array) {
    const buffer_object *b = (const buffer_object *)self;
    if (array->count == 0) return b->shape[0] == 0;
    return b->data == array->data && (size_t)b->shape[0] == array->count;
}

static void buffer_dealloc(PyObject *self) {
    buffer_object *b = (buffer_object *)self;
    PyTypeObject *type = Py_TYPE(self);

    st_view_destroy(b->view);
    st_memory_release(b->retained);
    free(b->owned);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int buffer_get(PyObject *self, Py_buffer *to, int flags) {
    buffer_object *b = (buffer_object *)self;
    to->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && !b->writable) {
        PyErr_SetString(PyExc_BufferError, "this array is read-only");
        return -1;
    }

    // what the caller does not ask for stays NULL
    *to = (Py_buffer){
        .buf = b->data,
        .obj = Py_NewRef(self),
        .len = b->shape[0] * b->item * (b->dimensions == 2 ? b->shape[1] : 1),
        .itemsize = b->item,
        .readonly = !b->writable,
        .ndim = b->dimensions,
        .format = flags & PyBUF_FORMAT ? b->format : NULL,
        .shape = flags & PyBUF_ND ? b->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? b->strides : NULL,
    };
    return 0;
}

static PyObject *buffer_current(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(buffer_is_current(self));
}

static PyGetSetDef properties[] = {
    {"is_current", buffer_current, NULL, "False: the field has other memory or another size now, or its scene is gone",
     NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Memory of the engine, by the buffer protocol: numpy.asarray(buffer) makes an array of it."},
    {Py_tp_dealloc, buffer_dealloc},
    {Py_bf_getbuffer, buffer_get},
    {Py_tp_getset, properties},
    {0, NULL},
};
PyType_Spec st_buffer_spec = {
    .name = "settee._settee.Buffer",
    .basicsize = sizeof(buffer_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};
