// VTK as text: legacy files and the XML files of unstructured grids.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_write.h"

#include "base/text.h"

static const int types[ST_ELEMENT_KINDS] = {
    [ST_EDGE] = 3,        [ST_TRIANGLE] = 5, [ST_QUAD] = 9,    [ST_TETRAHEDRON] = 10,
    [ST_HEXAHEDRON] = 12, [ST_PRISM] = 13,   [ST_PYRAMID] = 14};

// VTK numbers the corners of a prism's triangles the other way around.
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
        *words += mesh->elements[kind].count * st_element_size[kind];
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

// ---------------------------------------------------------------------------------------------------
// Data
// ---------------------------------------------------------------------------------------------------

static void put_values(FILE *out, const st_real *values, size_t count, size_t width) {
    for (size_t i = 0; i < count * width; i++) {
        char text[40];
        st_text_write_real(text, sizeof text, values[i], ST_TEXT_EXACT_DIGITS);
        fprintf(out, "%s%c", text, (i + 1) % width ? ' ' : '\n');
    }
}

// Names without what would end them: blanks of legacy files, quotes and brackets of XML.
static void put_name(FILE *out, const char *name) {
    for (const char *c = name; *c; c++)
        fputc((unsigned char)*c <= ' ' || *c == '"' || *c == '<' || *c == '>' || *c == '&' ? '_' : *c, out);
}

static void put_legacy_data(FILE *out, const st_mesh_view *mesh, bool of_cells, size_t count) {
    size_t fields = 0;
    for (size_t i = 0; i < mesh->data_count; i++) fields += mesh->data[i].of_cells == of_cells;
    if (fields == 0) return;

    // all arrays of the points, or of the cells, in one field
    fprintf(out, "%s %zu\nFIELD data %zu\n", of_cells ? "CELL_DATA" : "POINT_DATA", count, fields);
    for (size_t i = 0; i < mesh->data_count; i++) {
        const st_mesh_data *data = &mesh->data[i];
        if (data->of_cells != of_cells) continue;

        put_name(out, data->name);
        fprintf(out, " %zu %zu double\n", data->width, count);
        put_values(out, data->values, count, data->width);
    }
}

static void put_xml_data(FILE *out, const st_mesh_view *mesh, bool of_cells, size_t count) {
    fputs(of_cells ? "<CellData>\n" : "<PointData>\n", out);
    for (size_t i = 0; i < mesh->data_count; i++) {
        const st_mesh_data *data = &mesh->data[i];
        if (data->of_cells != of_cells) continue;

        fputs("<DataArray type=\"Float64\" Name=\"", out);
        put_name(out, data->name);
        fprintf(out, "\" NumberOfComponents=\"%zu\" format=\"ascii\">\n", data->width);
        put_values(out, data->values, count, data->width);
        fputs("</DataArray>\n", out);
    }

    fputs(of_cells ? "</CellData>\n" : "</PointData>\n", out);
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

void st_mesh_write_vtk(FILE *out, const st_mesh_view *mesh) {
    size_t words;
    const size_t count = count_cells(mesh, &words);

    // points
    fprintf(out, "# vtk DataFile Version 3.0\nsettee\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n",
            mesh->point_count);
    put_points(out, mesh);

    // cells: the number of words includes the count before each
    fprintf(out, "CELLS %zu %zu\n", count, words + count);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) {
            fprintf(out, "%zu", st_element_size[kind]);
            put_element(out, mesh, kind, i);
        }

    fprintf(out, "CELL_TYPES %zu\n", count);
    put_types(out, mesh);

    put_legacy_data(out, mesh, false, mesh->point_count);
    put_legacy_data(out, mesh, true, count);
}

static void put_offsets(FILE *out, const st_mesh_view *mesh) {
    size_t end = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count; i++) fprintf(out, "%zu\n", end += st_element_size[kind]);
}

void st_mesh_write_vtu(FILE *out, const st_mesh_view *mesh) {
    static const char open[] = "<DataArray type=\"%s\" Name=\"%s\" format=\"ascii\">\n";
    size_t words;
    const size_t count = count_cells(mesh, &words);

    // points
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<Points>\n"
            "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">\n",
            mesh->point_count, count);
    put_points(out, mesh);

    // cells: the vertices of all, where each ends in that list, and their types
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
    fputs("</DataArray>\n</Cells>\n", out);

    if (mesh->data_count) {
        put_xml_data(out, mesh, false, mesh->point_count);
        put_xml_data(out, mesh, true, count);
    }

    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}
