// Numbers from Python values: one number, a sequence of numbers or of rows, or anything with a buffer, such as an array.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

void numbers_free(numbers *n) {
    free(n->reals);
    free(n->integers);
    *n = (numbers){0};
}

static bool make_room(numbers *n, bool real, size_t count) {
    if (real) n->reals = calloc(count + 1, sizeof *n->reals);
    else n->integers = calloc(count + 1, sizeof *n->integers);
    if (n->reals || n->integers) return true;
    PyErr_NoMemory();
    return false;
}

static bool put_real(numbers *n, size_t at, double value) {
    if (isnan(value)) {
        PyErr_Format(PyExc_ValueError, "number %zu is nan", at);
        return false;
    }
    n->reals[at] = (st_real)value;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Buffers
// ---------------------------------------------------------------------------------------------------

#define CASE(letter, type)                                                                                             \
    case letter: {                                                                                                     \
        type number;                                                                                                   \
        memcpy(&number, at, sizeof number);                                                                            \
        *real = (double)number;                                                                                        \
        *integer = (int64_t)number;                                                                                    \
        return;                                                                                                        \
    }

// What is too large for 64 bits with a sign fits no field.
#define BIG_CASE(letter, type)                                                                                         \
    case letter: {                                                                                                     \
        type number;                                                                                                   \
        memcpy(&number, at, sizeof number);                                                                            \
        *real = (double)number;                                                                                        \
        *integer = number > INT64_MAX ? INT64_MAX : (int64_t)number;                                                   \
        return;                                                                                                        \
    }

// Bytes of an item whose format this file reads; 0: of another type.
static size_t size_of(char format) {
    if (!format) return 0;
    if (strchr("?bB", format)) return 1;
    if (strchr("hH", format)) return sizeof(short);
    if (strchr("iI", format)) return sizeof(int);
    if (strchr("lL", format)) return sizeof(long);
    if (strchr("qQ", format)) return sizeof(long long);
    return format == 'f' ? sizeof(float) : format == 'd' ? sizeof(double) : 0;
}

// One item of a buffer as both.
static void item_of(char format, const char *at, double *real, int64_t *integer) {
    switch (format) {
    case '?':
        *real = (double)(*integer = *at != 0);
        return;

        // integers
        CASE('b', signed char)
        CASE('B', unsigned char)
        CASE('h', short)
        CASE('H', unsigned short)
        CASE('i', int)
        CASE('I', unsigned int)
        CASE('l', long)
        BIG_CASE('L', unsigned long)
        CASE('q', long long)
        BIG_CASE('Q', unsigned long long)

    // reals
    case 'd': memcpy(real, at, sizeof *real); return;
    default: {
        float number;
        memcpy(&number, at, sizeof number);
        *real = number;
    }
    }
}

static bool read_items(const Py_buffer *b, const char *data, char format, bool real, numbers *n) {
    const size_t total = n->count * n->width;
    const bool floating = format == 'd' || format == 'f';
    if (!real && floating) {
        PyErr_SetString(PyExc_TypeError, "an array of reals is given where integers are expected");
        return false;
    }

    // item by item, as the type of the field is
    double r = 0;
    int64_t k = 0;
    for (size_t i = 0; i < total; i++) {
        item_of(format, data + i * (size_t)b->itemsize, &r, &k);
        if (real && !put_real(n, i, r)) return false;
        if (!real) n->integers[i] = k;
    }
    return true;
}

// The letter of the items; 0: they are of another kind, such as half or foreign numbers, or structures.
static char letter_of(const Py_buffer *b) {
    const char *format = b->format ? b->format : "B";
    if (*format == '@' || *format == '=' || *format == '<') format++;
    return *format && !format[1] && size_of(*format) == (size_t)b->itemsize ? *format : 0;
}

static bool read_buffer(Py_buffer *b, char letter, bool real, numbers *n) {
    if (b->ndim > 2) {
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions is given; at most 2 are expected", b->ndim);
        return false;
    }

    n->dimensions = b->ndim;
    n->count = b->ndim > 0 ? (size_t)b->shape[0] : 1;
    n->width = b->ndim > 1 ? (size_t)b->shape[1] : 1;
    if (!make_room(n, real, n->count * n->width)) return false;

    // rows may be apart from each other
    if (PyBuffer_IsContiguous(b, 'C')) return read_items(b, b->buf, letter, real, n);
    char *copy = malloc((size_t)b->len + 1);
    if (!copy) {
        PyErr_NoMemory();
        return false;
    }
    const bool ok = PyBuffer_ToContiguous(copy, b, b->len, 'C') == 0 && read_items(b, copy, letter, real, n);
    free(copy);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Numbers and sequences
// ---------------------------------------------------------------------------------------------------

static bool read_number(PyObject *value, bool real, numbers *n, size_t at) {
    if (real) {
        const double number = PyFloat_AsDouble(value);
        return !(number == -1 && PyErr_Occurred()) && put_real(n, at, number);
    }

    PyObject *index = PyNumber_Index(value);
    n->integers[at] = index ? PyLong_AsLongLong(index) : -1;
    Py_XDECREF(index);
    return !(n->integers[at] == -1 && PyErr_Occurred());
}

static bool is_text(PyObject *value) {
    return PyUnicode_Check(value) || PyBytes_Check(value) || PyByteArray_Check(value);
}

static bool is_row(PyObject *value) { return PySequence_Check(value) && !is_text(value); }

static bool read_row(PyObject *row, bool real, numbers *n, size_t number) {
    PyObject *list = PySequence_List(row);
    if (!list) return false;

    bool ok = (size_t)PyList_Size(list) == n->width;
    if (!ok)
        PyErr_Format(PyExc_ValueError, "row %zu has %zd numbers, the first one has %zu", number, PyList_Size(list),
                     n->width);
    for (size_t k = 0; ok && k < n->width; k++)
        ok = read_number(PyList_GetItem(list, (Py_ssize_t)k), real, n, number * n->width + k);

    Py_DECREF(list);
    return ok;
}

static bool read_list(PyObject *list, bool real, numbers *n) {
    // the first element says whether there are rows
    n->count = (size_t)PyList_Size(list);
    PyObject *first = n->count ? PyList_GetItem(list, 0) : NULL;
    const bool rows = first && is_row(first);
    const Py_ssize_t width = rows ? PySequence_Size(first) : 1;
    if (width < 0) return false;
    n->width = (size_t)width;
    n->dimensions = rows ? 2 : 1;

    bool ok = make_room(n, real, n->count * n->width);
    for (size_t i = 0; ok && i < n->count; i++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
        if (rows && !is_row(item)) {
            PyErr_Format(PyExc_TypeError, "row %zu is no sequence", i);
            return false;
        }
        ok = rows ? read_row(item, real, n, i) : read_number(item, real, n, i);
    }
    return ok;
}

// 1 or 0 for success, -1: there is no buffer, or not one that is read here.
static int try_buffer(PyObject *value, bool real, numbers *n) {
    Py_buffer buffer;
    if (is_text(value) || !PyObject_CheckBuffer(value)) return -1;
    if (PyObject_GetBuffer(value, &buffer, PyBUF_FULL_RO) != 0) return 0;

    const char letter = letter_of(&buffer);
    int result = letter ? read_buffer(&buffer, letter, real, n) : -1;
    if (!letter && buffer.format && strchr(buffer.format, 'Z')) {
        PyErr_SetString(PyExc_TypeError, "an array of complex numbers is given where real ones are expected");
        result = 0;
    }
    PyBuffer_Release(&buffer);
    return result;
}

bool numbers_read(PyObject *value, bool real, numbers *n) {
    *n = (numbers){0};

    // an array, a sequence, or one number
    const int done = try_buffer(value, real, n);
    bool ok = done == 1;
    if (done < 0 && is_row(value)) {
        PyObject *list = PySequence_List(value);
        ok = list && read_list(list, real, n);
        Py_XDECREF(list);
    } else if (done < 0) {
        n->count = n->width = 1;
        ok = make_room(n, real, 1) && read_number(value, real, n, 0);
    }

    if (!ok) numbers_free(n);
    return ok;
}
