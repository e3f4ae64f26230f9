// What the two kinds of VTK files share: types of numbers, packed arrays, cells.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_VTK_FILE_H
#define SETTEE_IO_VTK_FILE_H

#include "io/mesh_reader.h"

// ---------------------------------------------------------------------------------------------------
// Numbers (vtk_numbers.c)
// ---------------------------------------------------------------------------------------------------

typedef enum st_vtk_type {
    ST_VTK_UNKNOWN,
    ST_VTK_INT8,
    ST_VTK_UINT8,
    ST_VTK_INT16,
    ST_VTK_UINT16,
    ST_VTK_INT32,
    ST_VTK_UINT32,
    ST_VTK_INT64,
    ST_VTK_UINT64,
    ST_VTK_FLOAT32,
    ST_VTK_FLOAT64,
} st_vtk_type;

// By the name in XML files (Float32) or in legacy files (float).
st_vtk_type st_vtk_type_find(const char *name, size_t length);
size_t st_vtk_type_size(st_vtk_type type);
bool st_vtk_machine_is_little(void);

typedef enum st_vtk_result { ST_VTK_OK, ST_VTK_BAD, ST_VTK_NO_MEMORY } st_vtk_result;

// Appends numbers from memory; `swap` when their bytes are in the other order. Bad: a real that is not finite,
// an integer beyond 32 bits, integers from reals.
st_vtk_result st_vtk_take_reals(st_reals *list, const void *bytes, size_t count, st_vtk_type type, bool swap);
st_vtk_result st_vtk_take_ints(st_ints *list, const void *bytes, size_t count, st_vtk_type type, bool swap);

// ---------------------------------------------------------------------------------------------------
// Packed arrays of XML files (vtk_packed.c)
// ---------------------------------------------------------------------------------------------------

typedef ST_LIST(unsigned char) st_vtk_bytes;

typedef struct st_vtk_packing {
    bool base64;     // otherwise as they are
    bool compressed; // by zlib, in blocks
    bool wide;       // headers are of 8 bytes, otherwise of 4
    bool swap;       // headers and numbers are in the other order
} st_vtk_packing;

// The bytes of an array that begins at `begin` and ends before `end`. NULL, or what is wrong.
const char *st_vtk_unpack(st_vtk_bytes *bytes, const char *begin, const char *end, st_vtk_packing packing);

// ---------------------------------------------------------------------------------------------------
// Cells (vtk_cells.c)
// ---------------------------------------------------------------------------------------------------

// Cell i has the points [ends[i - 1], ends[i]) of `points`; its type is types[i], or `type` when there are no types.
typedef struct st_vtk_cells {
    st_ints points, ends, types;
    int32_t type;
    uint32_t offset; // added to all points
    int line;        // where they are, for messages
} st_vtk_cells;

enum {
    ST_VTK_VERTEX = 1,
    ST_VTK_LINE = 3,
    ST_VTK_POLYLINE = 4,
    ST_VTK_STRIP = 6,
    // not of VTK: faces of POLYDATA, which become quads, too
    ST_VTK_LEGACY_FACE = 1000, // more than 4 corners: triangles
    ST_VTK_XML_FACE,           // more than 4 corners: a polyline
};

void st_vtk_cells_free(st_vtk_cells *cells);
bool st_vtk_add_cells(st_mesh *mesh, st_mesh_file *file, const st_vtk_cells *cells, bool flip);

// ---------------------------------------------------------------------------------------------------

bool st_vtk_read_legacy(st_mesh *mesh, st_mesh_file *file, bool flip, bool swap);
bool st_vtk_read_xml(st_mesh *mesh, st_mesh_file *file, bool flip);

#endif
