// VTK as text: legacy files and the XML files of unstructured grids.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_write.h"

static const int types[ST_ELEMENT_KINDS] = {
    [ST_EDGE] = 3,        [ST_TRIANGLE] = 5, [ST_QUAD] = 9,    [ST_TETRAHEDRON] = 10,
    [ST_HEXAHEDRON] = 12, [ST_PRISM] = 13,   [ST_PYRAMID] = 14};

// VTK looks at the triangles of a prism from the other side.
static const int prism_order[6] = {0, 2, 1, 3, 5, 4};

static void put_element(FILE *out, const st_mesh_view *mesh, int kind, size_t i) {
    st_mesh_put_vertices(out, st_mesh_view_element(mesh, kind, i), st_element_size[kind],
                         kind == ST_PRISM ? prism_order : NULL, 0);
    fputc('\n', out);
}

static size_t count_cells(const st_mesh_view *mesh, size_t *words) {
    size_t count = 0;
    *words = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        count += mesh->elements[kind].count;
        *words += mesh->elements[kind].count * (size_t)st_element_size[kind];
    }
    return count;
}

static void put_points(FILE *out, const st_mesh_view *mesh) {
    for (size_t i = 0; i < mesh->point_count; i++) {
        st_mesh_put_point(out, mesh->points + 3 * i);
        fputc('\n', out);
    }
}

static void put_types(FILE *out, const st_mesh_view *mesh) {
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) fprintf(out, "%d\n", types[kind]);
}

void st_mesh_write_vtk(FILE *out, const st_mesh_view *mesh) {
    size_t words;
    const size_t count = count_cells(mesh, &words);
    fprintf(out, "# vtk DataFile Version 3.0\nsettee\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n",
            mesh->point_count);
    put_points(out, mesh);
    fprintf(out, "CELLS %zu %zu\n", count, words + count);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) {
            fprintf(out, "%d", st_element_size[kind]);
            put_element(out, mesh, kind, i);
        }
    fprintf(out, "CELL_TYPES %zu\n", count);
    put_types(out, mesh);
}

static void put_offsets(FILE *out, const st_mesh_view *mesh) {
    size_t end = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++)
            fprintf(out, "%zu\n", end += (size_t)st_element_size[kind]);
}

void st_mesh_write_vtu(FILE *out, const st_mesh_view *mesh) {
    static const char open[] = "<DataArray type=\"%s\" Name=\"%s\" format=\"ascii\">\n";
    size_t words;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<Points>\n"
            "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">\n",
            mesh->point_count, count_cells(mesh, &words));
    put_points(out, mesh);
    fputs("</DataArray>\n</Points>\n<Cells>\n", out);
    fprintf(out, open, "Int32", "connectivity");
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) put_element(out, mesh, kind, i);
    fputs("</DataArray>\n", out);
    fprintf(out, open, "Int64", "offsets");
    put_offsets(out, mesh);
    fputs("</DataArray>\n", out);
    fprintf(out, open, "UInt8", "types");
    put_types(out, mesh);
    fputs("</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}
