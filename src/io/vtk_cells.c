// Cells of VTK files and what becomes of them.
//
//     3 line, 4 polyline, 5 triangle, 6 strip of triangles, 7 polygon (triangles), 8 pixel and 9 quad, 10 tetrahedron,
//     11 voxel and 12 hexahedron, 13 prism, 14 pyramid, 21, 22, 24 quadratic line, triangle and tetrahedron
//
// 0, 1 and 2 (nothing, points) are skipped; other types are left out after an error. Pixels and voxels number their
// points along the axes: the last two of each square change places. VTK numbers the corners of a
// prism's triangles the other way around.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/vtk_file.h"
#include "topology/file/mesh_scan.h"

enum { POLYGON = 7, LAST_TYPE = 24 };

// Types with a fixed number of points.
typedef struct vtk_type {
    unsigned char size; // 0: not one of them
    st_element kind;
    unsigned char order[8];
    unsigned char sides;
    st_mesh_side side[6];
} vtk_type;

#define PLAIN                                                                                                          \
    {0, 1, 2, 3, 4, 5, 6, 7}, 0, {                                                                                     \
        { 0 }                                                                                                          \
    }
static const vtk_type types[LAST_TYPE + 1] = {
    [3] = {2, ST_EDGE, PLAIN},
    [5] = {3, ST_TRIANGLE, PLAIN},
    [8] = {4, ST_QUAD, {0, 1, 3, 2}, 0, {{0}}},
    [9] = {4, ST_QUAD, PLAIN},
    [10] = {4, ST_TETRAHEDRON, PLAIN},
    [11] = {8, ST_HEXAHEDRON, {0, 1, 3, 2, 4, 5, 7, 6}, 0, {{0}}},
    [12] = {8, ST_HEXAHEDRON, PLAIN},
    [13] = {6, ST_PRISM, {0, 2, 1, 3, 5, 4}, 0, {{0}}},
    [14] = {5, ST_PYRAMID, PLAIN},
    [21] = {3, ST_EDGE, {0, 1}, 1, {{0, 1, 2}}},
    [22] = {6, ST_TRIANGLE, {0, 1, 2}, 3, {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}},
    [24] = {10, ST_TETRAHEDRON, {0, 1, 2, 3}, 6, {{0, 1, 4}, {1, 2, 5}, {0, 2, 6}, {0, 3, 7}, {1, 3, 8}, {2, 3, 9}}},
};

typedef struct adder {
    st_mesh *mesh;
    st_mesh_file *file;
    const st_vtk_cells *cells;
    bool flip;
    st_uints vertices; // of the current cell
} adder;

static bool add_fixed(adder *a, const vtk_type *type, const uint32_t *v) {
    uint32_t ordered[8];
    for (size_t i = 0; i < st_element_size[type->kind]; i++) ordered[i] = v[type->order[i]];

    // a quadratic line is its own side
    const bool ok = (type->kind == ST_EDGE && type->sides) || st_mesh_add(a->mesh, type->kind, ordered, a->flip);

    return ok && st_mesh_add_middles(a->mesh, v, type->side, type->sides);
}

static bool add_strip(adder *a, const uint32_t *v, size_t count) {
    bool ok = true;
    for (size_t j = 0; ok && j + 2 < count; j++) {
        // every other triangle of a strip is turned over
        const uint32_t triangle[3] = {v[j], v[j + (j % 2 ? 1 : 2)], v[j + (j % 2 ? 2 : 1)]};
        ok = st_mesh_add(a->mesh, ST_TRIANGLE, triangle, a->flip);
    }
    return ok;
}

static bool vtk_cells_add_face(adder *a, bool xml, const uint32_t *v, size_t count) {
    if (count == 4) return st_mesh_add(a->mesh, ST_QUAD, v, a->flip);
    if (count == 3 || !xml) return st_mesh_add_fan(a->mesh, v, count, a->flip);
    return count == 2 ? st_mesh_add(a->mesh, ST_EDGE, v, false) : st_mesh_add_polyline(a->mesh, v, count);
}

static bool report_size(adder *a, size_t index, int32_t type, size_t count, size_t size) {
    st_mesh_file_problem(a->file, a->cells->line, "cell %zu of these has %zu points, but its type %d has %zu", index,
                         count, type, size);
    return false;
}

static bool add_cell(adder *a, size_t index, int32_t type, size_t count) {
    const uint32_t *v = a->vertices.data;
    bool ok = true;

    // a fixed number of points
    if (type >= 0 && type <= LAST_TYPE && types[type].size) {
        if (count != types[type].size) return report_size(a, index, type, count, types[type].size);
        ok = add_fixed(a, &types[type], v);
    } else if (type == ST_VTK_POLYLINE) ok = st_mesh_add_polyline(a->mesh, v, count);
    else if (type == ST_VTK_STRIP) ok = add_strip(a, v, count);
    else if (type == POLYGON) ok = st_mesh_add_fan(a->mesh, v, count, a->flip);
    else if (type == ST_VTK_LEGACY_FACE || type == ST_VTK_XML_FACE)
        ok = vtk_cells_add_face(a, type == ST_VTK_XML_FACE, v, count);
    else if (type < 0 || type > 2)
        st_mesh_file_problem(a->file, a->cells->line,
                             "cell %zu of these has type %d, which is not known here: left out", index, type);

    return ok || st_mesh_scan_no_memory(a->file);
}

// Takes the points [first, end) of the list, which must exist.
static bool vtk_cells_gather(adder *a, size_t index, size_t first, size_t end) {
    const st_vtk_cells *cells = a->cells;
    if (!st_list_set_count(&a->vertices, end - first, 1)) return st_mesh_scan_no_memory(a->file);

    // the cells of a piece count its own points
    const size_t points = a->mesh->position.count - cells->offset;
    for (size_t i = first; i < end; i++) {
        const int32_t point = cells->points.data[i];

        if (point < 0 || (size_t)point >= points) {
            st_mesh_file_problem(a->file, cells->line, "cell %zu of these uses point %d, but there are only %zu", index,
                                 point, points);
            return false;
        }

        // numbered in the whole mesh
        a->vertices.data[i - first] = (uint32_t)point + cells->offset;
    }
    return true;
}

static bool add_all(adder *a) {
    const st_vtk_cells *cells = a->cells;
    size_t first = 0;
    for (size_t i = 0; i < cells->ends.count; i++) {
        const int32_t end = cells->ends.data[i];

        if (end < 0 || (size_t)end < first || (size_t)end > cells->points.count) {
            st_mesh_file_problem(a->file, cells->line, "cell %zu of these ends at point %d of a list of %zu", i, end,
                                 cells->points.count);
            return false;
        }

        // a type of its own, or one for all
        const int32_t type = cells->types.count ? cells->types.data[i] : cells->type;
        if (!vtk_cells_gather(a, i, first, (size_t)end) || !add_cell(a, i, type, (size_t)end - first)) return false;

        first = (size_t)end;
    }
    return true;
}

bool st_vtk_add_cells(st_mesh *mesh, st_mesh_file *file, const st_vtk_cells *cells, bool flip) {
    if (cells->types.count && cells->types.count != cells->ends.count) {
        st_mesh_file_problem(file, cells->line, "there are %zu cells, but %zu types of cells", cells->ends.count,
                             cells->types.count);
        return false;
    }

    adder a = {.mesh = mesh, .file = file, .cells = cells, .flip = flip};
    const bool ok = add_all(&a);
    st_list_free(&a.vertices);
    return ok;
}

void st_vtk_cells_free(st_vtk_cells *cells) {
    st_list_free(&cells->points);
    st_list_free(&cells->ends);
    st_list_free(&cells->types);
}
