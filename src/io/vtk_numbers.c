// Numbers of VTK files in memory, in any type and order of bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/vtk_file.h"
#include "math/real.h"

static const struct {
    const char *name;
    st_vtk_type type;
} names[] = {
    {"Int8", ST_VTK_INT8},
    {"UInt8", ST_VTK_UINT8},
    {"Int16", ST_VTK_INT16},
    {"UInt16", ST_VTK_UINT16},
    {"Int32", ST_VTK_INT32},
    {"UInt32", ST_VTK_UINT32},
    {"Int64", ST_VTK_INT64},
    {"UInt64", ST_VTK_UINT64},
    {"Float32", ST_VTK_FLOAT32},
    {"Float64", ST_VTK_FLOAT64},
    {"char", ST_VTK_INT8},
    {"signed_char", ST_VTK_INT8},
    {"short", ST_VTK_INT16},
    {"unsigned_char", ST_VTK_UINT8},
    {"unsigned_short", ST_VTK_UINT16},
    {"int", ST_VTK_INT32},
    {"unsigned_int", ST_VTK_UINT32},
    {"long", ST_VTK_INT64},
    {"float", ST_VTK_FLOAT32},
    {"unsigned_long", ST_VTK_UINT64},
    {"double", ST_VTK_FLOAT64},
    {"vtkIdType", ST_VTK_INT32},
    {"vtktypeint64", ST_VTK_INT64},
    {"vtktypeuint64", ST_VTK_UINT64},
};

st_vtk_type st_vtk_type_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i].name) && memcmp(name, names[i].name, length) == 0) return names[i].type;
    return ST_VTK_UNKNOWN;
}

size_t st_vtk_type_size(st_vtk_type type) {
    static const unsigned char sizes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

bool st_vtk_machine_is_little(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// The bytes of one number, in the order of the machine.
static uint64_t vtk_numbers_load(const unsigned char *from, size_t size, bool swap) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = from[swap ? size - 1 - i : i];

    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (size) {
    case 1: return bytes[0];
    case 2: return memcpy(&two, bytes, 2), two;
    case 4: return memcpy(&four, bytes, 4), four;
    default: return memcpy(&eight, bytes, 8), eight;
    }
}

static double to_real(uint64_t bits, st_vtk_type type) {
    const uint32_t low = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case ST_VTK_INT8: return (int8_t)bits;
    case ST_VTK_INT16: return (int16_t)bits;
    case ST_VTK_INT32: return (int32_t)bits;
    case ST_VTK_INT64: return (double)(int64_t)bits;
    case ST_VTK_FLOAT32: return memcpy(&single, &low, 4), single;
    case ST_VTK_FLOAT64: return memcpy(&value, &bits, 8), value;
    default: return (double)bits;
    }
}

static int64_t to_int(uint64_t bits, st_vtk_type type) {
    switch (type) {
    case ST_VTK_INT8: return (int8_t)bits;
    case ST_VTK_INT16: return (int16_t)bits;
    case ST_VTK_INT32: return (int32_t)bits;
    case ST_VTK_INT64: return (int64_t)bits;
    default: return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    }
}

st_vtk_result st_vtk_take_reals(st_reals *list, const void *bytes, size_t count, st_vtk_type type, bool swap) {
    const size_t size = st_vtk_type_size(type), at = list->count;
    if (!st_list_reserve(list, at + count, 1)) return ST_VTK_NO_MEMORY;

    // a number that no real can hold is an error, not infinity
    list->count = at + count;

    for (size_t i = 0; i < count; i++) {
        const double value = to_real(vtk_numbers_load((const unsigned char *)bytes + i * size, size, swap), type);
        if (!(fabs(value) <= (double)ST_REAL_MAX)) return ST_VTK_BAD;
        list->data[at + i] = (st_real)value;
    }
    return ST_VTK_OK;
}

st_vtk_result st_vtk_take_ints(st_ints *list, const void *bytes, size_t count, st_vtk_type type, bool swap) {
    const size_t size = st_vtk_type_size(type), at = list->count;
    if (type == ST_VTK_FLOAT32 || type == ST_VTK_FLOAT64) return ST_VTK_BAD;
    if (!st_list_reserve(list, at + count, 1)) return ST_VTK_NO_MEMORY;

    list->count = at + count;

    for (size_t i = 0; i < count; i++) {
        const int64_t value = to_int(vtk_numbers_load((const unsigned char *)bytes + i * size, size, swap), type);
        if (value < INT32_MIN || value > INT32_MAX) return ST_VTK_BAD;
        list->data[at + i] = (int32_t)value;
    }
    return ST_VTK_OK;
}
