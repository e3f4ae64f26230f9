// VTK's XML files: UnstructuredGrid (.vtu) and PolyData (.vtp).
//
//     <VTKFile type byte_order header_type compressor> <UnstructuredGrid>
//       <Piece NumberOfPoints> <Points> <DataArray/> </Points>
//         <Cells> <DataArray Name="connectivity"/> <DataArray Name="offsets"/> <DataArray Name="types"/> </Cells>
//       </Piece> </UnstructuredGrid>
//       <AppendedData encoding> _...
//
// An array is text ("ascii"), packed in its place ("binary", in base 64), or packed after everything else
// ("appended": at `offset` bytes after the underscore, in base 64 or raw). Raw bytes are no XML, so no XML parser reads
// the file. The steps:
//
//     1. scan the tags up to AppendedData; note pieces and the arrays that are needed
//     2. for each piece, unpack its points and add them to the mesh
//     3. for each section of the piece, unpack connectivity, offsets and types, and add the cells
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "io/vtk_file.h"
#include "io/vtk_tag.h"
#include "topology/file/mesh_scan.h"

typedef enum section { NOWHERE, POINTS, CELLS, VERTS, LINES, STRIPS, POLYS } section;
typedef enum role { COORDINATES, CONNECTIVITY, OFFSETS, TYPES } role;

static const struct {
    const char *name;
    section section;
} sections[] = {{"Points", POINTS}, {"Cells", CELLS},   {"Verts", VERTS},
                {"Lines", LINES},   {"Strips", STRIPS}, {"Polys", POLYS}};

static const int32_t cell_types[] = {
    [VERTS] = ST_VTK_VERTEX, [LINES] = ST_VTK_POLYLINE, [STRIPS] = ST_VTK_STRIP, [POLYS] = ST_VTK_XML_FACE};

// An array as it was found.
typedef struct data_array {
    section section;
    role role;
    size_t piece;
    st_vtk_type type;
    enum { ASCII, BINARY, APPENDED } format;
    size_t offset;           // of an appended one
    const char *begin, *end; // of its text
    int line;
} data_array;

typedef struct piece {
    size_t points; // as it says
    int line;
} piece;

typedef struct reader {
    st_mesh *mesh;
    st_mesh_file *file;
    bool flip;
    st_vtk_packing packing;
    section section;
    ST_LIST(data_array) arrays;
    ST_LIST(piece) pieces;
    const char *appended; // after the underscore; NULL: there is none
    bool appended_base64;
    st_vtk_bytes bytes; // of the array that is unpacked
} reader;

// ---------------------------------------------------------------------------------------------------
// Finding arrays
// ---------------------------------------------------------------------------------------------------

static bool vtk_xml_fail(reader *r, int line, const char *problem) {
    st_mesh_file_problem(r->file, line, "%s", problem);
    return false;
}

static bool open_file(reader *r, const st_vtk_tag *tag) {
    if (!st_vtk_tag_has(tag, "type", "UnstructuredGrid") && !st_vtk_tag_has(tag, "type", "PolyData"))
        return vtk_xml_fail(r, tag->line, "the type of a VTKFile must be UnstructuredGrid or PolyData");

    st_vtk_text compressor = st_vtk_tag_attribute(tag, "compressor");
    if (compressor.length && !st_vtk_tag_has(tag, "compressor", "vtkZLibDataCompressor"))
        return vtk_xml_fail(r, tag->line, "the compressor is not known: only vtkZLibDataCompressor is");

    r->packing.compressed = compressor.length > 0;
    r->packing.wide = st_vtk_tag_has(tag, "header_type", "UInt64");
    r->packing.swap = st_vtk_tag_has(tag, "byte_order", "BigEndian") == st_vtk_machine_is_little();
    return true;
}

// Is this one of the arrays that are needed, and which?
static bool find_role(const reader *r, const st_vtk_tag *tag, role *found) {
    static const char *const names[] = {[CONNECTIVITY] = "connectivity", [OFFSETS] = "offsets", [TYPES] = "types"};
    *found = COORDINATES;
    if (r->section == POINTS || r->section == NOWHERE) return r->section == POINTS;

    for (*found = CONNECTIVITY; *found <= TYPES; ++*found)
        if (st_vtk_tag_has(tag, "Name", names[*found])) return true;
    return false;
}

static bool note_array(reader *r, const st_vtk_tag *tag) {
    data_array array = {.section = r->section, .line = tag->line};
    if (!find_role(r, tag, &array.role)) return true;
    if (r->pieces.count == 0) return vtk_xml_fail(r, tag->line, "the array is outside of a Piece");

    // its type and format
    array.piece = r->pieces.count - 1;
    const st_vtk_text type = st_vtk_tag_attribute(tag, "type");
    array.type = st_vtk_type_find(type.data, type.length);
    if (array.type == ST_VTK_UNKNOWN) return vtk_xml_fail(r, tag->line, "the type of the array is not known");
    array.format = st_vtk_tag_has(tag, "format", "appended") ? APPENDED
                   : st_vtk_tag_has(tag, "format", "binary") ? BINARY
                                                             : ASCII;

    if (array.format == APPENDED && !st_vtk_tag_number(tag, "offset", &array.offset))
        return vtk_xml_fail(r, tag->line, "an appended array needs an offset");

    // its text, up to the next tag
    array.begin = array.end = r->file->cursor;
    if (!tag->empty) {
        const char *next = memchr(array.begin, '<', st_mesh_scan_left(r->file));
        array.end = next ? next : r->file->end;
    }

    return st_list_push(&r->arrays, array) || st_mesh_scan_no_memory(r->file);
}

static bool note_piece(reader *r, const st_vtk_tag *tag) {
    piece p = {.line = tag->line};
    if (!st_vtk_tag_number(tag, "NumberOfPoints", &p.points))
        return vtk_xml_fail(r, tag->line, "a Piece needs NumberOfPoints");
    return st_list_push(&r->pieces, p) || st_mesh_scan_no_memory(r->file);
}

static bool note_appended(reader *r, const st_vtk_tag *tag) {
    const char *mark = st_text_skip_blanks(r->file->cursor, r->file->end);
    if (mark == r->file->end || *mark != '_')
        return vtk_xml_fail(r, tag->line, "appended data begin with an underscore");

    r->appended = mark + 1;
    r->appended_base64 = !st_vtk_tag_has(tag, "encoding", "raw");
    return true;
}

static void enter_section(reader *r, const st_vtk_tag *tag) {
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (st_vtk_tag_is(tag, sections[i].name))
            r->section = tag->closing || tag->empty ? NOWHERE : sections[i].section;
}

static bool scan(reader *r) {
    st_vtk_tag tag;
    bool opened = false;
    while (st_vtk_tag_next(r->file, &tag)) {
        enter_section(r, &tag);

        if (tag.closing) continue;

        // what follows AppendedData is not XML: the scan ends there
        if (st_vtk_tag_is(&tag, "VTKFile")) {
            if (!open_file(r, &tag)) return false;
            opened = true;
        } else if (!opened) return vtk_xml_fail(r, tag.line, "a VTKFile is expected");
        else if (st_vtk_tag_is(&tag, "AppendedData")) return note_appended(r, &tag);
        else if (st_vtk_tag_is(&tag, "Piece") && !note_piece(r, &tag)) return false;
        else if (st_vtk_tag_is(&tag, "DataArray") && !note_array(r, &tag)) return false;
    }

    if (r->file->cursor < r->file->end)
        return vtk_xml_fail(r, st_mesh_scan_line(r->file, r->file->cursor), "a tag does not end");
    return opened || vtk_xml_fail(r, 1, "a VTKFile is expected");
}

// ---------------------------------------------------------------------------------------------------
// Unpacking them
// ---------------------------------------------------------------------------------------------------

static bool unpack(reader *r, const data_array *array) {
    st_vtk_packing packing = r->packing;
    const char *begin = array->begin, *end = array->end;

    packing.base64 = array->format == BINARY || r->appended_base64;

    if (array->format == APPENDED) {
        if (!r->appended) return vtk_xml_fail(r, array->line, "the array is appended, but there is no AppendedData");
        end = r->file->end;
        if (array->offset > (size_t)(end - r->appended))
            return vtk_xml_fail(r, array->line, "the offset is beyond the end of the file");
        begin = r->appended + array->offset;
    }

    const char *problem = st_vtk_unpack(&r->bytes, begin, end, packing);
    if (!problem && r->bytes.count % st_vtk_type_size(array->type))
        problem = "the size of the array is no multiple of that of its numbers";
    return !problem || vtk_xml_fail(r, array->line, problem);
}

static bool take_packed(reader *r, const data_array *array, st_reals *reals, st_ints *ints) {
    if (!unpack(r, array)) return false;

    const size_t count = r->bytes.count / st_vtk_type_size(array->type);
    const st_vtk_result result = reals ? st_vtk_take_reals(reals, r->bytes.data, count, array->type, r->packing.swap)
                                       : st_vtk_take_ints(ints, r->bytes.data, count, array->type, r->packing.swap);

    if (result == ST_VTK_NO_MEMORY) return st_mesh_scan_no_memory(r->file);
    return result == ST_VTK_OK || vtk_xml_fail(r, array->line, "the array holds numbers that are not valid here");
}

static bool take_text(reader *r, const data_array *array, st_reals *reals, st_ints *ints) {
    st_mesh_file text = *r->file;
    bool ok = true, memory = true;
    text.cursor = array->begin;
    text.end = array->end;

    while (ok && memory && st_text_skip_blanks(text.cursor, text.end) < text.end) {
        st_real real;
        int32_t integer;
        if (reals) ok = st_mesh_scan_reals(&text, &real, 1), memory = !ok || st_list_push(reals, real);
        else ok = st_mesh_scan_int(&text, &integer), memory = !ok || st_list_push(ints, integer);
    }

    if (!ok) st_mesh_scan_expected(&text, reals ? "a finite number" : "an integer");
    r->file->problems = text.problems;
    return ok && (memory || st_mesh_scan_no_memory(r->file));
}

static bool vtk_xml_take(reader *r, const data_array *array, st_reals *reals, st_ints *ints) {
    return array->format == ASCII ? take_text(r, array, reals, ints) : take_packed(r, array, reals, ints);
}

// ---------------------------------------------------------------------------------------------------
// Pieces
// ---------------------------------------------------------------------------------------------------

static bool vtk_xml_add_points(reader *r, size_t index, const data_array *array) {
    st_reals list = {0};
    bool ok = vtk_xml_take(r, array, &list, NULL);
    const size_t count = r->pieces.data[index].points;

    if (ok && (list.count % 3 || list.count / 3 != count)) {
        st_mesh_file_problem(r->file, array->line, "there should be %zu points, but there are %zu coordinates", count,
                             list.count);
        ok = false;
    }

    for (size_t i = 0; ok && i < count; i++)
        ok = st_mesh_add_point(r->mesh, list.data + 3 * i) || st_mesh_scan_no_memory(r->file);

    st_list_free(&list);
    return ok;
}

// The cells of arrays [first, end), which are of one section.
static bool add_cells(reader *r, size_t first, size_t end, size_t point_offset) {
    const data_array *array = &r->arrays.data[first];
    st_vtk_cells cells = {.type = cell_types[array->section], .offset = (uint32_t)point_offset, .line = array->line};
    bool has[TYPES + 1] = {false}, ok = true;

    // connectivity, offsets and types, each once
    for (size_t i = first; ok && i < end; i++) {
        array = &r->arrays.data[i];
        st_ints *list = array->role == CONNECTIVITY ? &cells.points
                        : array->role == OFFSETS    ? &cells.ends
                                                    : &cells.types;
        if (has[array->role]) ok = vtk_xml_fail(r, array->line, "the array occurs twice");
        else ok = vtk_xml_take(r, array, NULL, list);
        has[array->role] = true;
    }

    // all that the section needs
    if (ok && (!has[CONNECTIVITY] || !has[OFFSETS] || (array->section == CELLS && !has[TYPES])))
        ok = vtk_xml_fail(r, array->line, "cells need the arrays connectivity, offsets and types");
    if (ok && array->section == CELLS && cells.types.count != cells.ends.count)
        ok = vtk_xml_fail(r, array->line, "there must be as many types as offsets");

    if (ok && array->section != CELLS) cells.types.count = 0;
    ok = ok && st_vtk_add_cells(r->mesh, r->file, &cells, r->flip);

    st_vtk_cells_free(&cells);
    return ok;
}

// Points first, wherever they are in the file, then the cells in its order.
static bool add_piece(reader *r, size_t index, size_t first, size_t end) {
    const size_t offset = r->mesh->position.count;
    bool has_points = r->pieces.data[index].points == 0;

    for (size_t i = first; i < end && r->mesh->position.count == offset; i++)
        if (r->arrays.data[i].section == POINTS) {
            if (!vtk_xml_add_points(r, index, &r->arrays.data[i])) return false;
            has_points = true;
        }

    if (!has_points) return vtk_xml_fail(r, r->pieces.data[index].line, "the piece has no Points");

    // arrays of one section follow each other
    for (size_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && r->arrays.data[next].section == r->arrays.data[i].section; next++) {}
        if (r->arrays.data[i].section != POINTS && !add_cells(r, i, next, offset)) return false;
    }
    return true;
}

static bool add_pieces(reader *r) {
    for (size_t index = 0, first = 0, end = 0; index < r->pieces.count; index++, first = end) {
        while (end < r->arrays.count && r->arrays.data[end].piece == index) end++;
        if (!add_piece(r, index, first, end)) return false;
    }
    return true;
}

bool st_vtk_read_xml(st_mesh *mesh, st_mesh_file *file, bool flip) {
    reader r = {.mesh = mesh, .file = file, .flip = flip};

    const bool ok = scan(&r) && add_pieces(&r);

    st_list_free(&r.arrays);
    st_list_free(&r.pieces);
    st_list_free(&r.bytes);
    return ok;
}
