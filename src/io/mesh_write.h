// Writing meshes: one table of formats, used by the program, by st_mesh_save and by exporters.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MESH_WRITE_H
#define SETTEE_IO_MESH_WRITE_H

#include <stdio.h>

#include "settee/plugin/topology.h"

// Numbers of each point or cell: `width` reals for each. Cells are in the order of the elements below.
typedef struct st_mesh_data {
    const char *name;
    bool of_cells;
    size_t width;
    const st_real *values;
} st_mesh_data;

// What is to be written, borrowed: points of three reals, and lists of elements that may be empty. Data go into formats
// that hold them.
typedef struct st_mesh_view {
    const st_real *points;
    size_t point_count;
    struct {
        const uint32_t *vertices;
        size_t count;
    } elements[ST_ELEMENT_KINDS];
    const st_mesh_data *data;
    size_t data_count;
} st_mesh_view;

// Numbers are written with all their digits. Closing the file says whether everything reached the disk.
typedef struct st_mesh_writer {
    const char *suffix; // of file names
    const char *name;
    unsigned holds; // bit 1 << kind: it can hold such elements
    void (*write)(FILE *out, const st_mesh_view *mesh);
} st_mesh_writer;

// The writer for a file name; NULL when its suffix is that of no format which is written.
const st_mesh_writer *st_mesh_writer_of(const char *path);
const st_mesh_writer *st_mesh_writer_at(size_t index); // NULL past the end

void st_mesh_write_gmsh(FILE *out, const st_mesh_view *mesh); // format 2.2
void st_mesh_write_vtk(FILE *out, const st_mesh_view *mesh);  // legacy
void st_mesh_write_vtu(FILE *out, const st_mesh_view *mesh);
void st_mesh_write_obj(FILE *out, const st_mesh_view *mesh);
void st_mesh_write_stl(FILE *out, const st_mesh_view *mesh); // text; quads as two triangles
void st_mesh_write_off(FILE *out, const st_mesh_view *mesh);

// --- for the writers

// "x y z", each number with enough digits to read it back.
void st_mesh_put_point(FILE *out, const st_real point[3]);
// " a b c": vertices in the given order (NULL: as they are), counted from `base`.
void st_mesh_put_vertices(FILE *out, const uint32_t *vertices, size_t count, const int *order, uint32_t base);
static inline const uint32_t *st_mesh_view_element(const st_mesh_view *mesh, int kind, size_t i) {
    return mesh->elements[kind].vertices + i * st_element_size[kind];
}

#endif
