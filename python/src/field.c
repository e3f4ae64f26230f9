// Fields as Python attributes: read and written by what their tables say of them.
//
//     a number          bool, int, float
//     a fixed vector    a read-only array, a copy; assign another value to change it
//     a list of numbers an array on the memory of the engine, (n,) or (n, width)
//     texts, links      str, a component or None; lists of them
//
// An array of reals that count in the next step can be written in place. Before the next call that computes, the scene
// compares what was handed out with what it was (scene_take_up): what has changed is announced to what follows it.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "lent.h"
#include "settee/plugin/component.h"

bool field_find(object_object *self, PyObject *name, st_field_description *d) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    const int index = text ? st_object_field_index(self->object, text) : -1;
    if (index >= 0) return st_object_describe_field(self->object, (size_t)index, d);

    if (text) PyErr_Format(PyExc_AttributeError, "%s has no field '%s'", st_object_class_name(self->object), text);
    return false;
}

bool field_has_rows(const st_field_description *d) {
    return !strcmp(d->type, st_type_coords.name) || !strcmp(d->type, st_type_derivs.name);
}

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

static PyObject *number_of(const st_array *a) {
    if (a->scalar == ST_SCALAR_BOOL) return PyBool_FromLong(*(const bool *)a->data);
    if (a->scalar == ST_SCALAR_INT) return PyLong_FromLong(*(const int32_t *)a->data);
    if (a->scalar == ST_SCALAR_UINT) return PyLong_FromUnsignedLong(*(const uint32_t *)a->data);
    return PyFloat_FromDouble((double)*(const st_real *)a->data);
}

static PyObject *text_of(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"); }

static PyObject *element_of(object_object *self, const st_field_description *d, size_t i) {
    if (d->scalar == ST_SCALAR_LINK) return object_wrap(self->owner, st_object_link(self->object, d->name, i));
    const char *text = st_object_string(self->object, d->name, i);
    return text_of(text ? text : "");
}

static PyObject *elements_of(object_object *self, const st_field_description *d) {
    if (!d->list) return element_of(self, d, 0);

    const size_t count = st_object_element_count(self->object, d->name);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *item = element_of(self, d, i);
        if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// A new array on the memory of a list, remembered by its name.
static PyObject *make_array(object_object *self, PyObject *name, const st_field_description *d) {
    st_view *view = st_view_create(self->object, d->name);
    if (!view) return PyErr_NoMemory();

    const bool writable = d->scalar == ST_SCALAR_REAL && d->live == ST_LIVE && !d->output;
    PyObject *buffer = buffer_of_view(view, field_has_rows(d), writable);
    PyObject *array = buffer ? PyObject_CallFunctionObjArgs(st_binding.as_array, buffer, NULL) : NULL;
    PyObject *pair = array ? PyTuple_Pack(2, buffer, array) : NULL;

    if (!self->arrays) self->arrays = PyDict_New();
    const bool kept = pair && self->arrays && PyDict_SetItem(self->arrays, name, pair) == 0 &&
                      (!writable || lent_add(self->owner, self->object, d->name, array));
    Py_XDECREF(pair);
    Py_XDECREF(buffer);
    if (!kept) Py_CLEAR(array);
    return array;
}

PyObject *field_get(object_object *self, PyObject *name) {
    if (!object_usable((PyObject *)self)) return NULL;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text) return NULL;

    st_array array;
    const st_status status = st_object_array(self->object, text, &array);
    if (!scene_concluded(self->owner, ST_OK, text, NULL)) return NULL; // an engine may have computed it
    if (status == ST_OK && !array.list && array.width == 1) return number_of(&array);
    if (status == ST_OK && !array.list) return array_of(buffer_of_copy(&array));

    // the array that was made before, while the memory is the same
    PyObject *pair = status == ST_OK && self->arrays ? PyDict_GetItemWithError(self->arrays, name) : NULL;
    if (pair && buffer_shows(PyTuple_GetItem(pair, 0), &array)) return Py_NewRef(PyTuple_GetItem(pair, 1));

    st_field_description d;
    if (!field_find(self, name, &d)) return NULL;
    return status == ST_OK ? make_array(self, name, &d) : elements_of(self, &d);
}

// ---------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------

// What does not fit is said with both shapes.
bool field_check_shape(object_object *self, const st_field_description *d, numbers *n) {
    const size_t width = d->width > 0 ? (size_t)d->width : 1;

    // one element may be given as a row
    if (n->dimensions == 1 && width > 1 && n->count == width) {
        n->count = 1;
        n->width = width;
    }
    if (n->count == 0) n->width = width;
    if (n->width == width && (d->list ? n->dimensions > 0 : n->count == 1)) return true;

    char expected[64];
    if (!d->list) snprintf(expected, sizeof expected, width > 1 ? "%zu numbers" : "one number", width);
    else snprintf(expected, sizeof expected, width > 1 ? "shape (n, %zu)" : "shape (n,)", width);
    PyErr_Format(PyExc_ValueError, "%s.%s: %s expected, shape (%zu, %zu) given", st_object_class_name(self->object),
                 d->name, expected, n->count, n->width);
    return false;
}

static st_status set_numbers(object_object *self, const st_field_description *d, PyObject *value, bool *ok) {
    numbers n;
    const bool real = d->scalar == ST_SCALAR_REAL;
    *ok = numbers_read(value, real, &n);
    if (!*ok) return ST_INVALID;

    // numbers of Python may have run any code, which may have ended the scene
    *ok = object_usable((PyObject *)self) && field_check_shape(self, d, &n);
    st_status status = ST_INVALID;
    if (*ok && real) status = st_object_set_reals(self->object, d->name, n.reals, n.count, n.width);
    else if (*ok) status = st_object_set_integers(self->object, d->name, n.integers, n.count, n.width);
    numbers_free(&n);
    return status;
}

static bool text_at(PyObject *list, Py_ssize_t i, const char **text) {
    PyObject *item = PyList_GetItem(list, i);
    *text = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
    if (!*text && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "element %zd: a text is expected, not %R", i, item);
    return *text != NULL;
}

static bool link_at(object_object *self, PyObject *list, Py_ssize_t i, st_object **target) {
    PyObject *item = PyList_GetItem(list, i);
    if (!PyObject_TypeCheck(item, st_binding.object)) {
        PyErr_Format(PyExc_TypeError, "element %zd: a component is expected, not %R", i, item);
        return false;
    }
    *target = object_usable(item);
    if (*target && ((object_object *)item)->owner != self->owner) {
        PyErr_SetString(PyExc_ValueError, "the component belongs to another scene");
        return false;
    }
    return *target != NULL;
}

// Texts and links: one, None for no link, or a list of them.
static st_status set_elements(object_object *self, const st_field_description *d, PyObject *value, bool *ok) {
    const bool link = d->scalar == ST_SCALAR_LINK;
    const bool many = d->list && !PyUnicode_Check(value) && PySequence_Check(value);
    PyObject *list = many ? PySequence_List(value) : PyList_New(0);
    *ok = list && (many || (link && value == Py_None) || PyList_Append(list, value) == 0);

    // pointers to the elements
    const Py_ssize_t count = *ok ? PyList_Size(list) : 0;
    const void **items = calloc((size_t)count + 1, sizeof *items);
    if (!items) PyErr_NoMemory();
    *ok = *ok && items;
    for (Py_ssize_t i = 0; *ok && i < count; i++)
        *ok = link ? link_at(self, list, i, (st_object **)&items[i]) : text_at(list, i, (const char **)&items[i]);

    // making a list may have run any code, which may have ended the scene
    *ok = *ok && object_usable((PyObject *)self);
    st_status status = ST_INVALID;
    if (*ok && link) status = st_object_set_links(self->object, d->name, (st_object *const *)items, (size_t)count);
    else if (*ok) status = st_object_set_strings(self->object, d->name, (const char *const *)items, (size_t)count);
    free(items);
    Py_XDECREF(list);
    return status;
}

int field_set(object_object *self, PyObject *name, PyObject *value) {
    st_field_description d;
    if (!object_usable((PyObject *)self) || !field_find(self, name, &d)) return -1;
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "field '%s' cannot be deleted", d.name);
        return -1;
    }

    // what a component written in Python computes is its own to write
    const int written = d.output ? python_write(self, &d, value) : 0;
    if (written != 0) return written > 0 ? 0 : -1;

    // a text is read as a scene file's; other values by what the field is made of
    bool ok = true;
    st_status status;
    const bool words = d.scalar == ST_SCALAR_STRING && !d.list;
    if (PyUnicode_Check(value) && !words) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        ok = text != NULL;
        status = ok ? st_object_set(self->object, d.name, text) : ST_INVALID;
    } else if (d.scalar == ST_SCALAR_STRING || d.scalar == ST_SCALAR_LINK) status = set_elements(self, &d, value, &ok);
    else status = set_numbers(self, &d, value, &ok);
    if (!ok) return -1;

    lent_notice(self->owner);
    return scene_concluded(self->owner, status, d.name, value) ? 0 : -1;
}

// ---------------------------------------------------------------------------------------------------
// Descriptors: one for each field of a class
// ---------------------------------------------------------------------------------------------------

typedef struct field_object {
    PyObject_HEAD PyObject *name, *doc;
} field_object;

static PyObject *field_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)keywords;
    PyObject *name, *doc;
    if (!PyArg_ParseTuple(args, "UU:Field", &name, &doc)) return NULL;

    field_object *self = (field_object *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->name = Py_NewRef(name);
    self->doc = Py_NewRef(doc);
    return (PyObject *)self;
}

static void field_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((field_object *)self)->name);
    Py_XDECREF(((field_object *)self)->doc);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *field_descr_get(PyObject *self, PyObject *object, PyObject *type) {
    (void)type;
    if (!object || object == Py_None) return Py_NewRef(self);
    if (PyObject_TypeCheck(object, st_binding.object))
        return field_get((object_object *)object, ((field_object *)self)->name);
    PyErr_SetString(PyExc_TypeError, "a field belongs to a component");
    return NULL;
}

static int field_descr_set(PyObject *self, PyObject *object, PyObject *value) {
    if (PyObject_TypeCheck(object, st_binding.object))
        return field_set((object_object *)object, ((field_object *)self)->name, value);
    PyErr_SetString(PyExc_TypeError, "a field belongs to a component");
    return -1;
}

static PyObject *field_name(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef(((field_object *)self)->name);
}

static PyObject *field_doc(PyObject *self, void *closure) {
    (void)closure;
    return Py_NewRef(((field_object *)self)->doc);
}

static PyGetSetDef properties[] = {
    {"__name__", field_name, NULL, NULL, NULL},
    {"__doc__", field_doc, NULL, NULL, NULL},
    {0},
};
static PyType_Slot slots[] = {
    {Py_tp_new, field_new},
    {Py_tp_dealloc, field_dealloc},
    {Py_tp_descr_get, field_descr_get},
    {Py_tp_descr_set, field_descr_set},
    {Py_tp_getset, properties},
    {0, NULL},
};
PyType_Spec st_field_spec = {
    .name = "settee._settee.Field",
    .basicsize = sizeof(field_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
