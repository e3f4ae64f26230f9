// VTK's legacy files.
//
//     # vtk DataFile Version 2.0 / title / ASCII or BINARY / DATASET POLYDATA or UNSTRUCTURED_GRID
//     POINTS n type, POLYGONS, TRIANGLE_STRIPS, LINES, VERTICES, CELLS n size, CELL_TYPES n
//
// Since version 5 a list of cells is "OFFSETS type, CONNECTIVITY type"; before, it was "count points..." of each cell.
// Binary numbers should have their largest byte first, but not all writers keep to that: the first count of a list of
// cells decides, since it must fit into the list. Points come before it: where they are is only noted until then. The
// data of points and cells at the end are not read.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "io/vtk_file.h"
#include "topology/file/mesh_scan.h"

typedef struct reader {
    st_mesh *mesh;
    st_mesh_file *file;
    bool flip, binary;
    bool order_known, swap;
    // binary points, until the order of bytes is known
    const char *points;
    size_t point_count;
    st_vtk_type point_type;
    st_vtk_cells grid; // CELLS, until CELL_TYPES comes
    bool has_grid;
} reader;

static int line(reader *r) { return st_mesh_scan_line(r->file, r->file->cursor); }

static bool vtk_legacy_is(const char *word, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

// ---------------------------------------------------------------------------------------------------
// Binary numbers
// ---------------------------------------------------------------------------------------------------

// The bytes of `count` numbers; NULL: an error was sent. The cursor moves past them.
static const char *take_bytes(reader *r, size_t count, size_t size) {
    const char *at = r->file->cursor;
    if (size && count > st_mesh_scan_left(r->file) / size) {
        st_mesh_file_problem_at(r->file, at, "%zu numbers of %zu bytes are expected, but only %zu bytes are left",
                                count, size, st_mesh_scan_left(r->file));
        return NULL;
    }

    r->file->cursor += count * size;
    return at;
}

// The number with which a list of `size` numbers begins is between 0 and size.
static bool vtk_legacy_find_order(reader *r, const char *bytes, size_t size) {
    const bool little = st_vtk_machine_is_little();
    for (int i = 0; i < 2 && !r->order_known; i++) {
        st_ints first = {0};
        r->swap = i == 0 ? little : !little; // largest byte first, then the other order

        const st_vtk_result result = st_vtk_take_ints(&first, bytes, 1, ST_VTK_INT32, r->swap);
        if (result == ST_VTK_NO_MEMORY) return st_mesh_scan_no_memory(r->file);
        r->order_known = first.data[0] >= 0 && (size_t)first.data[0] < size;
        st_list_free(&first);
    }

    if (!r->order_known) st_mesh_file_problem_at(r->file, bytes, "the first cell has a wrong number of points");
    return r->order_known;
}

static bool read_binary_ints(reader *r, st_ints *list, size_t count, st_vtk_type type, bool counts) {
    const char *bytes = take_bytes(r, count, st_vtk_type_size(type));
    if (!bytes) return false;

    if (counts && !r->order_known && count && !vtk_legacy_find_order(r, bytes, count)) return false;

    switch (st_vtk_take_ints(list, bytes, count, type, r->swap)) {
    case ST_VTK_OK: return true;
    case ST_VTK_NO_MEMORY: return st_mesh_scan_no_memory(r->file);
    default: st_mesh_file_problem_at(r->file, bytes, "these are not integers of 32 bits"); return false;
    }
}

static bool take_points(reader *r) {
    if (!r->points) return true;

    st_reals list = {0};
    const st_vtk_result result = st_vtk_take_reals(&list, r->points, 3 * r->point_count, r->point_type, r->swap);
    bool ok = result == ST_VTK_OK;
    for (size_t i = 0; ok && i < r->point_count; i++) ok = st_mesh_add_point(r->mesh, list.data + 3 * i);
    st_list_free(&list);

    if (result == ST_VTK_BAD) st_mesh_file_problem_at(r->file, r->points, "a point is not finite");
    else if (!ok) st_mesh_scan_no_memory(r->file);

    r->points = NULL;
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Sections
// ---------------------------------------------------------------------------------------------------

static bool read_type(reader *r, st_vtk_type *type) {
    const char *word;
    size_t length;
    const char *before = r->file->cursor;

    *type = st_mesh_scan_word(r->file, &word, &length) ? st_vtk_type_find(word, length) : ST_VTK_UNKNOWN;
    if (*type != ST_VTK_UNKNOWN) return true;

    r->file->cursor = before;
    return st_mesh_scan_expected(r->file, "a type of numbers");
}

// Binary numbers begin on a new line, text anywhere.
static void begin_numbers(reader *r) {
    if (r->binary) st_mesh_scan_skip_line(r->file);
}

static bool read_points(reader *r) {
    size_t count;
    st_vtk_type type;
    if (!st_mesh_scan_count(r->file, &count)) return st_mesh_scan_expected(r->file, "the number of points");
    if (!read_type(r, &type)) return false;

    if (r->mesh->position.count || r->points) {
        st_mesh_file_problem(r->file, line(r), "there are POINTS already");
        return false;
    }

    begin_numbers(r);

    // binary: only where they are, until the order of bytes is known
    if (r->binary) {
        r->point_type = type;
        r->point_count = count;
        const size_t size = 3 * st_vtk_type_size(type);
        return (r->points = take_bytes(r, count, size)) != NULL;
    }

    // text: floats are rounded to single precision, as a binary file would have them
    if (!st_mesh_promise_points(r->mesh, count, st_mesh_scan_left(r->file), 6)) return st_mesh_scan_no_memory(r->file);
    for (size_t i = 0; i < count; i++) {
        st_real x[3];
        const bool ok =
            type == ST_VTK_FLOAT32 ? st_mesh_scan_singles(r->file, x, 3) : st_mesh_scan_reals(r->file, x, 3);
        if (!ok) return st_mesh_scan_expected(r->file, "a coordinate of point %zu of %zu", i + 1, count);
        if (!st_mesh_add_point(r->mesh, x)) return st_mesh_scan_no_memory(r->file);
    }

    return true;
}

static bool read_ints(reader *r, st_ints *list, size_t count, st_vtk_type type, bool counts) {
    begin_numbers(r);

    if (r->binary) return read_binary_ints(r, list, count, type, counts);

    for (size_t i = 0; i < count; i++) {
        int32_t value;
        if (!st_mesh_scan_int(r->file, &value))
            return st_mesh_scan_expected(r->file, "number %zu of %zu", i + 1, count);
        if (!st_list_push(list, value)) return st_mesh_scan_no_memory(r->file);
    }

    return true;
}

// "count points..." of each cell: the counts are taken out of the list.
static bool split_counts(reader *r, st_vtk_cells *cells, size_t count) {
    st_ints *list = &cells->points;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t size = from < list->count ? list->data[from] : -1;
        if (size < 0 || (size_t)size > list->count - from - 1) {
            st_mesh_file_problem(r->file, cells->line, "cell %zu of %zu does not fit into the %zu numbers of the list",
                                 i, count, list->count);
            return false;
        }

        // the points of the cell move over the counts before them
        memmove(list->data + to, list->data + from + 1, (size_t)size * sizeof *list->data);
        from += (size_t)size + 1;
        to += (size_t)size;
        if (!st_list_push(&cells->ends, (int32_t)to)) return st_mesh_scan_no_memory(r->file);
    }

    list->count = to;
    return true;
}

// OFFSETS begin with 0 and are one more than there are cells.
static bool read_offsets(reader *r, st_vtk_cells *cells, size_t count, size_t size) {
    st_vtk_type type;
    if (!read_type(r, &type)) return false;

    if (!r->order_known) { // writers of this version keep to the order
        r->swap = st_vtk_machine_is_little();
        r->order_known = true;
    }

    if (!read_ints(r, &cells->ends, count, type, false)) return false;
    if (cells->ends.count) {
        cells->ends.count--;
        memmove(cells->ends.data, cells->ends.data + 1, cells->ends.count * sizeof *cells->ends.data);
    }

    if (!st_mesh_scan_is(r->file, "CONNECTIVITY")) return st_mesh_scan_expected(r->file, "CONNECTIVITY");
    return read_type(r, &type) && read_ints(r, &cells->points, size, type, false);
}

static bool read_cells(reader *r, st_vtk_cells *cells) {
    size_t count, size;
    cells->line = line(r);
    if (!st_mesh_scan_count(r->file, &count) || !st_mesh_scan_count(r->file, &size))
        return st_mesh_scan_expected(r->file, "\"count size\" of a list of cells");

    // since version 5: two lists
    st_mesh_file after = *r->file;
    if (st_mesh_scan_is(&after, "OFFSETS")) {
        *r->file = after;
        return read_offsets(r, cells, count, size);
    }

    return read_ints(r, &cells->points, size, ST_VTK_INT32, true) && split_counts(r, cells, count);
}

static bool read_faces(reader *r, int32_t type) {
    st_vtk_cells cells = {.type = type};
    const bool ok = read_cells(r, &cells) && take_points(r) && st_vtk_add_cells(r->mesh, r->file, &cells, r->flip);
    st_vtk_cells_free(&cells);
    return ok;
}

static bool read_grid(reader *r) {
    if (r->has_grid) {
        st_mesh_file_problem(r->file, line(r), "there are CELLS already");
        return false;
    }

    r->has_grid = true;
    return read_cells(r, &r->grid);
}

static bool read_grid_types(reader *r) {
    size_t count;
    if (!st_mesh_scan_count(r->file, &count)) return st_mesh_scan_expected(r->file, "the number of types of cells");

    if (count != r->grid.ends.count || r->grid.types.count) {
        st_mesh_file_problem(r->file, line(r), "there are %zu cells, but %zu types of cells", r->grid.ends.count,
                             count);
        return false;
    }

    return read_ints(r, &r->grid.types, count, ST_VTK_INT32, false) && take_points(r) &&
           st_vtk_add_cells(r->mesh, r->file, &r->grid, r->flip);
}

// ---------------------------------------------------------------------------------------------------
// What is skipped
// ---------------------------------------------------------------------------------------------------

static bool skip_array(reader *r) {
    const char *word;
    size_t length, width, count, total;
    st_vtk_type type;
    if (!st_mesh_scan_word(r->file, &word, &length) || !st_mesh_scan_count(r->file, &width) ||
        !st_mesh_scan_count(r->file, &count))
        return st_mesh_scan_expected(r->file, "\"name width count type\" of an array");

    if (!read_type(r, &type)) return false;
    begin_numbers(r);

    total = width && count > SIZE_MAX / width ? SIZE_MAX : width * count;
    if (r->binary) return take_bytes(r, total, st_vtk_type_size(type)) != NULL;

    for (size_t i = 0; i < total; i++)
        if (!st_mesh_scan_word(r->file, &word, &length))
            return st_mesh_scan_expected(r->file, "number %zu of %zu of an array", i + 1, total);
    return true;
}

static bool skip_field(reader *r) {
    const char *word;
    size_t length, count;
    if (!st_mesh_scan_word(r->file, &word, &length) || !st_mesh_scan_count(r->file, &count))
        return st_mesh_scan_expected(r->file, "\"name count\" of FIELD");

    for (size_t i = 0; i < count; i++)
        if (!skip_array(r)) return false;
    return true;
}

// Up to an empty line.
static void skip_metadata(reader *r) {
    const char *begin, *end;
    st_mesh_scan_skip_line(r->file);
    while (st_mesh_file_line(r->file, &begin, &end) && st_text_skip_blanks(begin, end) < end) {}
}

// ---------------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------------

static bool read_section(reader *r, const char *word, size_t length) {
    if (vtk_legacy_is(word, length, "POINTS")) return read_points(r);
    if (vtk_legacy_is(word, length, "POLYGONS")) return read_faces(r, ST_VTK_LEGACY_FACE);
    if (vtk_legacy_is(word, length, "TRIANGLE_STRIPS")) return read_faces(r, ST_VTK_STRIP);
    if (vtk_legacy_is(word, length, "LINES")) return read_faces(r, ST_VTK_POLYLINE);
    if (vtk_legacy_is(word, length, "VERTICES")) return read_faces(r, ST_VTK_VERTEX);
    if (vtk_legacy_is(word, length, "CELLS")) return read_grid(r);
    if (vtk_legacy_is(word, length, "CELL_TYPES")) return read_grid_types(r);
    if (vtk_legacy_is(word, length, "FIELD")) return skip_field(r);
    if (vtk_legacy_is(word, length, "METADATA")) return skip_metadata(r), true;

    r->file->cursor = word;
    return st_mesh_scan_expected(r->file, "POINTS, CELLS or another section");
}

static bool read_sections(reader *r) {
    const char *word;
    size_t length;
    while (st_mesh_scan_word(r->file, &word, &length)) {
        if (vtk_legacy_is(word, length, "POINT_DATA") || vtk_legacy_is(word, length, "CELL_DATA")) break;
        if (!read_section(r, word, length)) return false;
    }

    if (r->grid.ends.count && !r->grid.types.count)
        return st_mesh_scan_expected(r->file, "CELL_TYPES of the %zu cells", r->grid.ends.count);
    return take_points(r);
}

static bool read_header(reader *r) {
    static const char begin[] = "# vtk DataFile Version ";
    st_mesh_file *file = r->file;

    // the first line, with its version
    if (st_mesh_scan_left(file) < sizeof begin || memcmp(file->cursor, begin, sizeof begin - 1) != 0)
        return st_mesh_scan_expected(file, "\"%s\", with which a VTK file begins,", begin);
    file->cursor += sizeof begin - 1;
    if (*file->cursor > '5' && *file->cursor <= '9')
        st_mesh_file_warn(file, 1, "versions after 5 are not known: the file may be misread");

    st_mesh_scan_skip_line(file);
    st_mesh_scan_skip_line(file); // the title

    // text or binary, and what the file holds
    r->binary = st_mesh_scan_is(file, "BINARY");
    if (!r->binary && !st_mesh_scan_is(file, "ASCII")) return st_mesh_scan_expected(file, "ASCII or BINARY");
    if (!st_mesh_scan_is(file, "DATASET")) return st_mesh_scan_expected(file, "DATASET");
    return st_mesh_scan_is(file, "POLYDATA") || st_mesh_scan_is(file, "UNSTRUCTURED_GRID") ||
           st_mesh_scan_expected(file, "POLYDATA or UNSTRUCTURED_GRID");
}

bool st_vtk_read_legacy(st_mesh *mesh, st_mesh_file *file, bool flip, bool swap) {
    reader r = {.mesh = mesh, .file = file, .flip = flip, .order_known = swap, .swap = swap};
    if (!swap) r.swap = st_vtk_machine_is_little(); // until something else is known

    const bool ok = read_header(&r) && read_sections(&r);
    st_vtk_cells_free(&r.grid);
    return ok;
}
