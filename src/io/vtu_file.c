// Pieces of a .vtu file: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/vtu_file.h"

#include "base/text.h"
#include "visual/drawing.h"

void st_vtu_head(FILE *out, size_t points, size_t cells) {
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid>\n", out);
    fprintf(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", points, cells);
}

void st_vtu_tail(FILE *out) { fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out); }

void st_vtu_begin(FILE *out, const char *type, const char *name, size_t width) {
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" format=\"ascii\">\n", type, name,
            width);
}

void st_vtu_end(FILE *out) { fputs("</DataArray>\n", out); }

void st_vtu_next(FILE *out, const char *type, const char *name, size_t width) {
    st_vtu_end(out);
    st_vtu_begin(out, type, name, width);
}

void st_vtu_real(FILE *out, st_real value) {
    char text[40];
    st_text_write_real(text, sizeof text, value, 9);
    fprintf(out, "%s\n", text);
}

void st_vtu_vectors(FILE *out, const char *name, const st_real *values, size_t count, size_t width, size_t used) {
    st_vtu_begin(out, "Float64", name, 3);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) st_vtu_real(out, k < used ? values[i * width + k] : 0);
    st_vtu_end(out);
}

void st_vtu_points(FILE *out, const st_real *positions, size_t count, size_t width, size_t used) {
    fputs("<Points>\n", out);
    st_vtu_vectors(out, "Points", positions, count, width, used);
    fputs("</Points>\n", out);
}

// ---------------------------------------------------------------------------------------------------
// Drawings
// ---------------------------------------------------------------------------------------------------

static size_t corners_of(const st_draw_item *item) {
    return item->kind == ST_DRAW_TRIANGLES ? 3 : item->kind == ST_DRAW_LINES ? 2 : 0;
}

// Calls for each item that is written, with the number of points and cells before it.
typedef void put_item(FILE *out, const st_draw_item *item, size_t points, size_t *end);

static void put_points(FILE *out, const st_draw_item *item, size_t points, size_t *end) {
    (void)points, (void)end;
    for (size_t i = 0; i < 3 * item->point_count; i++) st_vtu_real(out, item->positions[i]);
}

static void put_connectivity(FILE *out, const st_draw_item *item, size_t points, size_t *end) {
    (void)end;
    for (size_t i = 0; i < item->element_count * corners_of(item); i++)
        fprintf(out, "%zu\n", points + item->indices[i]);
}

static void put_offsets(FILE *out, const st_draw_item *item, size_t points, size_t *end) {
    (void)points;
    for (size_t i = 0; i < item->element_count; i++) fprintf(out, "%zu\n", *end += corners_of(item));
}

static void put_types(FILE *out, const st_draw_item *item, size_t points, size_t *end) {
    (void)points, (void)end;
    for (size_t i = 0; i < item->element_count; i++) fputs(corners_of(item) == 3 ? "5\n" : "3\n", out);
}

static void put_colors(FILE *out, const st_draw_item *item, size_t points, size_t *end) {
    (void)points, (void)end;
    for (size_t i = 0; i < item->element_count; i++)
        for (int k = 0; k < 3; k++) st_vtu_real(out, (st_real)item->color[k]);
}

static void for_items(FILE *out, const st_drawing *drawing, put_item *put) {
    size_t points = 0, end = 0;
    for (size_t i = 0; i < drawing->items.count; i++) {
        const st_draw_item *item = &drawing->items.data[i];
        if (!corners_of(item)) continue;
        put(out, item, points, &end);
        points += item->point_count;
    }
}

bool st_vtu_drawing(FILE *out, const st_drawing *drawing) {
    size_t points = 0, cells = 0;
    for (size_t i = 0; i < drawing->items.count; i++) {
        const st_draw_item *item = &drawing->items.data[i];
        if (corners_of(item)) points += item->point_count, cells += item->element_count;
    }

    st_vtu_head(out, points, cells);
    fputs("<Points>\n", out);
    st_vtu_begin(out, "Float64", "Points", 3);
    for_items(out, drawing, put_points);
    st_vtu_end(out);
    fputs("</Points>\n<Cells>\n", out);
    st_vtu_begin(out, "Int32", "connectivity", 1);
    for_items(out, drawing, put_connectivity);
    st_vtu_next(out, "Int32", "offsets", 1);
    for_items(out, drawing, put_offsets);
    st_vtu_next(out, "UInt8", "types", 1);
    for_items(out, drawing, put_types);
    st_vtu_end(out);

    // the colors of the visual model
    fputs("</Cells>\n<CellData>\n", out);
    st_vtu_begin(out, "Float32", "color", 3);
    for_items(out, drawing, put_colors);
    st_vtu_end(out);
    fputs("</CellData>\n", out);
    st_vtu_tail(out);
    return !drawing->failed;
}
