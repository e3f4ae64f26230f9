// Reading Gmsh files: text, and version 4.1 also binary.
//
//     1    $NOD  count  {index x y z}  $ENDNOD  $ELM  count  {index type physical elementary count nodes}  $ENDELM
//     2    $MeshFormat 2.2 0 8  ...  $Nodes  count  {index x y z}  $EndNodes  ...
//          $Elements  count  {index type count tags nodes}  $EndElements
//     4.1  $MeshFormat 4.1 0 8  ...  $Nodes  blocks count min max  {dimension tag parametric count {index} {x y z}}
//          $EndNodes  ...  $Elements  blocks count min max  {dimension tag type count {index nodes}}  $EndElements
//
// In a binary file the numbers of blocks are as in text: kinds and tags of 4 bytes, counts and numbers of nodes and elements
// of 8, coordinates in double precision. An int that is 1 says in which order their bytes are.
//
// Sections in between are skipped. Nodes have any numbers, in any order. Elements of kinds that are not known here
// are left out after an error; everything else that is wrong ends the reading.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "topology/file/gmsh_nodes.h"
#include "topology/file/mesh_formats.h"
#include "topology/file/mesh_scan.h"

enum { POINT_TYPE = 15, MOST_NODES = 10, SHORTEST_LINE = 8 /* "1 0 0 0\n" */ };

typedef struct gmsh_type {
    st_element kind;
    int nodes; // 0: not known
    int sides; // with a node in the middle
    st_mesh_side side[6];
} gmsh_type;

static const gmsh_type types[] = {
    [1] = {ST_EDGE, 2, 0, {{0}}},
    [2] = {ST_TRIANGLE, 3, 0, {{0}}},
    [3] = {ST_QUAD, 4, 0, {{0}}},
    [4] = {ST_TETRAHEDRON, 4, 0, {{0}}},
    [5] = {ST_HEXAHEDRON, 8, 0, {{0}}},
    [6] = {ST_PRISM, 6, 0, {{0}}},
    [7] = {ST_PYRAMID, 5, 0, {{0}}},
    [8] = {ST_EDGE, 3, 1, {{0, 1, 2}}},
    [9] = {ST_TRIANGLE, 6, 3, {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}},
    [11] = {ST_TETRAHEDRON, 10, 6, {{0, 1, 4}, {1, 2, 5}, {2, 0, 6}, {0, 3, 7}, {2, 3, 8}, {1, 3, 9}}},
    [POINT_TYPE] = {ST_EDGE, 1, 0, {{0}}},
};

typedef struct reader {
    st_mesh *mesh;
    st_mesh_file *file;
    st_gmsh_nodes nodes;
    bool binary, swap; // bytes are in the other order
    // the run of elements with the same tag, for each kind
    int32_t tag[ST_ELEMENT_KINDS];
    size_t first[ST_ELEMENT_KINDS];
} reader;

// ---------------------------------------------------------------------------------------------------
// Numbers of blocks, in text or binary
// ---------------------------------------------------------------------------------------------------

static bool next_bytes(reader *r, void *to, size_t size) {
    if (st_mesh_scan_left(r->file) < size) return false;
    unsigned char *bytes = to;
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)r->file->cursor[r->swap ? size - 1 - i : i];
    r->file->cursor += size;
    return true;
}

static bool next_int(reader *r, int32_t *value) {
    return r->binary ? next_bytes(r, value, sizeof *value) : st_mesh_scan_int(r->file, value);
}

static bool next_count(reader *r, size_t *value) {
    if (!r->binary) return st_mesh_scan_count(r->file, value);
    uint64_t wide;
    if (!next_bytes(r, &wide, sizeof wide)) return false;
    *value = (size_t)wide;
    return true;
}

// Of a node or element.
static bool next_number(reader *r, int32_t *value) {
    if (!r->binary) return st_mesh_scan_int(r->file, value);
    uint64_t wide;
    if (!next_bytes(r, &wide, sizeof wide) || wide > INT32_MAX) return false;
    *value = (int32_t)wide;
    return true;
}

static bool next_reals(reader *r, st_real *values, int count) {
    if (!r->binary) return st_mesh_scan_reals(r->file, values, count);
    for (int i = 0; i < count; i++) {
        double wide;
        if (!next_bytes(r, &wide, sizeof wide) || !isfinite(wide)) return false;
        values[i] = (st_real)wide;
    }
    return true;
}

// What was expected and is not there. Always false.
static bool missing(reader *r, const char *format, ...) ST_PRINTF(2, 3);
static bool missing(reader *r, const char *format, ...) {
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    if (!r->binary) return st_mesh_scan_expected(r->file, "%s", what);
    st_mesh_file_problem_at(r->file, r->file->cursor, "%s is expected, but the file ends or no such number is there",
                            what);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

static bool add_node(reader *r, int32_t number, const st_real x[3]) {
    return (st_gmsh_nodes_add(&r->nodes, number) && st_mesh_add_point(r->mesh, x)) || st_mesh_scan_no_memory(r->file);
}

static bool expect(reader *r, const char *word) {
    return st_mesh_scan_is(r->file, word) || st_mesh_scan_expected(r->file, "%s", word);
}

static bool read_nodes(reader *r, const char *closing) {
    size_t count;
    if (!st_mesh_scan_count(r->file, &count)) return st_mesh_scan_expected(r->file, "the number of nodes");
    if (!st_mesh_promise_points(r->mesh, count, st_mesh_scan_left(r->file), SHORTEST_LINE))
        return st_mesh_scan_no_memory(r->file);

    for (size_t i = 0; i < count; i++) {
        int32_t number;
        st_real x[3];

        // index x y z
        if (!st_mesh_scan_int(r->file, &number) || !st_mesh_scan_reals(r->file, x, 3))
            return st_mesh_scan_expected(r->file, "\"index x y z\" of node %zu of %zu", i + 1, count);
        if (!add_node(r, number, x)) return false;
    }
    return expect(r, closing);
}

// The numbers of all nodes of the block, then their coordinates.
static bool read_node_block(reader *r) {
    int32_t dimension, tag, parametric;
    size_t count;
    if (!next_int(r, &dimension) || !next_int(r, &tag) || !next_int(r, &parametric) || !next_count(r, &count))
        return missing(r, "\"dimension tag parametric count\" of a block of nodes");

    const size_t first = r->nodes.numbers.count;

    // all numbers come first
    for (size_t i = 0; i < count; i++) {
        int32_t number;
        if (!next_number(r, &number)) return missing(r, "the number of node %zu of %zu of the block", i + 1, count);
        if (!st_gmsh_nodes_add(&r->nodes, number)) return st_mesh_scan_no_memory(r->file);
    }

    // then their coordinates; parameters on the curve or surface follow them in the line
    for (size_t i = first; i < r->nodes.numbers.count; i++) {
        st_real x[3], parameters[3];
        if (!next_reals(r, x, 3)) return missing(r, "\"x y z\" of node %d", r->nodes.numbers.data[i]);
        if (!st_mesh_add_point(r->mesh, x)) return st_mesh_scan_no_memory(r->file);
        if (!parametric) continue;
        if (!r->binary) st_mesh_scan_skip_line(r->file);
        else if (dimension < 0 || dimension > 3 || !next_reals(r, parameters, dimension))
            return missing(r, "the parameters of node %d", r->nodes.numbers.data[i]);
    }
    return true;
}

// "blocks count min max"; an older form of version 4 has only two numbers there.
static bool read_block_header(reader *r, const char *section, size_t *blocks) {
    size_t header[4];
    const int line = r->binary ? 0 : st_mesh_scan_line(r->file, r->file->cursor) + 1;
    for (int i = 0; i < 4; i++)
        if (!next_count(r, &header[i])) return missing(r, "\"blocks count min max\" of %s", section);

    // the older form has two numbers in its line: the others came from the next one
    if (!r->binary && st_mesh_scan_line(r->file, r->file->cursor) != line) {
        st_mesh_file_problem(r->file, line,
                             "four numbers are expected here: Gmsh 4.0 is not read, save the mesh as 4.1 or 2.2");
        return false;
    }

    *blocks = header[0];
    return true;
}

static bool read_node_blocks(reader *r) {
    size_t blocks;
    if (!read_block_header(r, "$Nodes", &blocks)) return false;

    for (size_t i = 0; i < blocks; i++)
        if (!read_node_block(r)) return false;
    return expect(r, "$EndNodes");
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static const gmsh_type *find_type(int32_t number) {
    const bool known = number >= 0 && number < (int32_t)(sizeof types / sizeof *types) && types[number].nodes;
    return known ? &types[number] : NULL;
}

static bool end_group(reader *r, st_element kind) {
    char name[16];
    snprintf(name, sizeof name, "%d", r->tag[kind]);
    return st_mesh_add_group(r->mesh, kind, name, r->first[kind]) || st_mesh_scan_no_memory(r->file);
}

static bool add_element(reader *r, const gmsh_type *type, const uint32_t *vertices, int32_t tag) {
    const st_element kind = type->kind;

    if (type->nodes == 1) return true;

    // a new tag ends the run of elements that is a group
    if (tag != r->tag[kind]) {
        if (!end_group(r, kind)) return false;
        r->first[kind] = r->mesh->elements[kind].count;
        r->tag[kind] = tag;
    }

    // a quadratic edge is its own side
    const bool ok = (kind == ST_EDGE && type->sides) || st_mesh_add(r->mesh, kind, vertices, false);
    return (ok && st_mesh_add_middles(r->mesh, vertices, type->side, type->sides)) || st_mesh_scan_no_memory(r->file);
}

static bool read_element_nodes(reader *r, const gmsh_type *type, int32_t tag) {
    uint32_t vertices[MOST_NODES];

    for (int i = 0; i < type->nodes; i++) {
        int32_t number;
        if (!next_number(r, &number)) return missing(r, "node %d of %d of an element", i + 1, type->nodes);

        // numbers are any: the table knows their places
        vertices[i] = st_gmsh_nodes_find(&r->nodes, number);
        if (vertices[i] == ST_INVALID_INDEX) {
            st_mesh_file_problem(r->file, st_mesh_scan_line(r->file, r->file->cursor),
                                 "the element uses node %d, which does not exist", number);
            return false;
        }
    }

    return add_element(r, type, vertices, tag);
}

static void report_type(reader *r, int32_t number) {
    st_mesh_file_problem(r->file, st_mesh_scan_line(r->file, r->file->cursor),
                         "elements of type %d are not known here: left out", number);
}

// The tags of an element: in format 1 two and the number of nodes, in format 2 any number.
static bool read_tags(reader *r, int format, const gmsh_type *type, int32_t *tag) {
    int32_t count = 2, nodes;

    *tag = 0;

    // format 2: as many tags as it says; the last one counts as the element's
    if (format == 2 && (!st_mesh_scan_int(r->file, &count) || count < 0))
        return st_mesh_scan_expected(r->file, "the number of tags of an element");
    for (int32_t i = 0; i < count; i++)
        if (!st_mesh_scan_int(r->file, tag))
            return st_mesh_scan_expected(r->file, "tag %d of %d of an element", i + 1, count);

    // format 1: the number of nodes, which the type knows already
    if (format == 2) return true;
    if (!st_mesh_scan_int(r->file, &nodes)) return st_mesh_scan_expected(r->file, "the number of nodes of an element");

    if (nodes == type->nodes) return true;
    st_mesh_file_problem(r->file, st_mesh_scan_line(r->file, r->file->cursor),
                         "an element of this type has %d nodes, not %d", type->nodes, nodes);
    return false;
}

static bool gmsh_file_read_element(reader *r, int format) {
    int32_t index, number, tag;
    if (!st_mesh_scan_int(r->file, &index) || !st_mesh_scan_int(r->file, &number))
        return st_mesh_scan_expected(r->file, "\"index type\" of an element");

    const gmsh_type *type = find_type(number);
    if (type) return read_tags(r, format, type, &tag) && read_element_nodes(r, type, tag);

    report_type(r, number);
    st_mesh_scan_skip_line(r->file);
    return true;
}

// Most elements of a file are of the kind of the first.
static bool promise(reader *r, size_t count) {
    st_mesh_file ahead = *r->file; // read without moving on

    int32_t index, number;
    if (!st_mesh_scan_int(&ahead, &index) || !st_mesh_scan_int(&ahead, &number) || !find_type(number)) return true;
    return st_mesh_promise(r->mesh, find_type(number)->kind, count, st_mesh_scan_left(r->file), 4 * SHORTEST_LINE);
}

static bool read_elements(reader *r, int format, const char *closing) {
    size_t count;
    if (!st_mesh_scan_count(r->file, &count)) return st_mesh_scan_expected(r->file, "the number of elements");
    if (!promise(r, count)) return st_mesh_scan_no_memory(r->file);

    for (size_t i = 0; i < count; i++)
        if (!gmsh_file_read_element(r, format)) return false;
    return expect(r, closing);
}

static bool read_element_block(reader *r) {
    int32_t dimension, tag, number, index;
    size_t count;
    if (!next_int(r, &dimension) || !next_int(r, &tag) || !next_int(r, &number) || !next_count(r, &count))
        return missing(r, "\"dimension tag type count\" of a block of elements");

    // how long elements of an unknown type are is not known, either
    const gmsh_type *type = find_type(number);
    if (!type && count) report_type(r, number);
    if (!type && count && r->binary) return false;

    // elements of an unknown type are left out line by line
    for (size_t i = 0; i < count; i++) {
        if (!next_number(r, &index)) return missing(r, "the number of element %zu of %zu of the block", i + 1, count);
        if (!type) st_mesh_scan_skip_line(r->file);
        else if (!read_element_nodes(r, type, tag)) return false;
    }
    return true;
}

static bool read_element_blocks(reader *r) {
    size_t blocks;
    if (!read_block_header(r, "$Elements", &blocks)) return false;

    for (size_t i = 0; i < blocks; i++)
        if (!read_element_block(r)) return false;
    return expect(r, "$EndElements");
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

// After "4.1 1 8" and the end of its line: an int that is 1.
static bool read_byte_order(reader *r) {
    int32_t size = 0, one = 0;
    const bool known = st_mesh_scan_int(r->file, &size) && size == 8;
    st_mesh_scan_skip_line(r->file);
    if (!known || !next_int(r, &one)) return missing(r, "data size 8, and the number 1");
    r->swap = one != 1;
    if (one == 1 || one == 1 << 24) return true;
    return missing(r, "the number 1 of 4 bytes");
}

// 0: an error was sent.
static int read_format(reader *r) {
    st_real version;
    int32_t binary;

    // format 1 begins at once
    if (st_mesh_scan_is(r->file, "$NOD")) return 1;
    if (!st_mesh_scan_is(r->file, "$MeshFormat"))
        return st_mesh_scan_expected(r->file, "$NOD or $MeshFormat, with which a Gmsh file begins,");

    if (!st_mesh_scan_reals(r->file, &version, 1) || !st_mesh_scan_int(r->file, &binary))
        return st_mesh_scan_expected(r->file, "\"version type size\" of $MeshFormat");

    // text of version 2 or 4, or binary of version 4.1
    const int line = st_mesh_scan_line(r->file, r->file->cursor);
    r->binary = binary != 0;
    if (r->binary && version >= 4 && version < 5) return read_byte_order(r) ? 4 : 0;
    if (r->binary)
        st_mesh_file_problem(r->file, line,
                             "the file is binary, of version %g: save the mesh as 4.1 or as text (in Gmsh: -format "
                             "msh41, or without -bin)",
                             (double)version);
    else if (!(version >= 2 && version < 5))
        st_mesh_file_problem(r->file, line, "version %g is not known here: 1, 2 and 4.1 are", (double)version);
    else return version < 3 ? 2 : 4;
    return 0;
}

static bool find_section(reader *r, const char *word) {
    if (st_mesh_scan_find(r->file, word)) {
        if (r->binary) st_mesh_scan_skip_line(r->file); // numbers begin after the end of the line
        return true;
    }
    st_mesh_file_problem(r->file, st_mesh_scan_line(r->file, r->file->end), "there is no %s", word);
    return false;
}

static bool read(reader *r) {
    const int format = read_format(r);

    if (format == 0 || (format > 1 && !find_section(r, "$Nodes"))) return false;

    // nodes, then the table that finds their numbers
    if (format == 4 ? !read_node_blocks(r) : !read_nodes(r, format == 1 ? "$ENDNOD" : "$EndNodes")) return false;
    if (!st_gmsh_nodes_sort(&r->nodes)) return st_mesh_scan_no_memory(r->file);

    if (!find_section(r, format == 1 ? "$ELM" : "$Elements")) return false;
    if (format == 4) return read_element_blocks(r);
    return read_elements(r, format, format == 1 ? "$ENDELM" : "$EndElements");
}

bool st_gmsh_read(st_mesh *mesh, st_mesh_file *file) {
    reader r = {.mesh = mesh, .file = file};
    bool ok = read(&r);

    for (int kind = 0; ok && kind < ST_ELEMENT_KINDS; kind++) ok = end_group(&r, (st_element)kind);
    st_gmsh_nodes_free(&r.nodes);
    return ok;
}
