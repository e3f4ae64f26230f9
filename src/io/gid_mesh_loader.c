// GIDMeshLoader: a mesh of one kind of element from a GID file.
//
//     MESH ... dimension D ElemType T Nnode N
//     coordinates   {id x y [z]}       end coordinates
//     elements      {id n1 n2 ...}     end elements
//
// One statement a line, words in any case. Nodes count from 1 in the order of the file, whatever their ids. Of
// quadratic elements only the corners are kept.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"
#include "topology/file/mesh_scan.h"

enum { MOST_CORNERS = 8 };

static const struct {
    const char *name;
    st_element kind;
} kinds[] = {{"Linear", ST_EDGE},
             {"Triangle", ST_TRIANGLE},
             {"Quadrilateral", ST_QUAD},
             {"Tetrahedra", ST_TETRAHEDRON},
             {"Hexahedra", ST_HEXAHEDRON}};

typedef struct header {
    int32_t dimension;
    int32_t nodes;
    st_element kind; // ST_ELEMENT_KINDS: not known
} header;

static bool gid_mesh_loader_same(const char *word, size_t length, const char *expected) {
    if (length != strlen(expected)) return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)word[i]) != tolower((unsigned char)expected[i])) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Header
// ---------------------------------------------------------------------------------------------------

static bool read_kind(st_mesh_file *file, header *h) {
    const char *word, *before = file->cursor;

    size_t length;

    if (st_mesh_scan_word(file, &word, &length))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (gid_mesh_loader_same(word, length, kinds[i].name)) return h->kind = kinds[i].kind, true;

    // the word is quoted by the error
    file->cursor = before;
    return st_mesh_scan_expected(file, "Linear, Triangle, Quadrilateral, Tetrahedra or Hexahedra");
}

static bool check_header(st_mesh_file *file, const header *h, int line) {
    const bool known = h->kind < ST_ELEMENT_KINDS && (h->dimension == 2 || h->dimension == 3);
    if (!known || h->nodes < 0 || (size_t)h->nodes < st_element_size[h->kind]) {
        st_mesh_file_problem(
            file, line, "\"MESH dimension D ElemType T Nnode N\" with 2 or 3 dimensions and enough nodes is expected");
        return false;
    }

    // quadratic elements have nodes inside of their edges
    if ((size_t)h->nodes > st_element_size[h->kind])
        st_mesh_file_warn(file, line, "of the %d nodes of an element only %zu are used", h->nodes,
                          st_element_size[h->kind]);
    return true;
}

static bool read_header(st_mesh_file *file, header *h) {
    const char *word, *line = st_text_skip_blanks(file->cursor, file->end);
    size_t length;
    const char *newline = memchr(line, '\n', (size_t)(file->end - line)), *end = newline ? newline : file->end;

    // the file begins with the word MESH
    bool ok = st_mesh_scan_word(file, &word, &length) && gid_mesh_loader_same(word, length, "MESH");
    if (!ok) {
        file->cursor = line;
        return st_mesh_scan_expected(file, "MESH, with which a GID file begins,");
    }

    // keys with their values up to the end of the line; words that are not known are skipped
    *h = (header){.dimension = 3, .kind = ST_ELEMENT_KINDS};
    while (ok && st_text_skip_blanks(file->cursor, end) < end && st_mesh_scan_word(file, &word, &length)) {
        if (gid_mesh_loader_same(word, length, "dimension"))
            ok = st_mesh_scan_int(file, &h->dimension) || st_mesh_scan_expected(file, "a dimension");
        else if (gid_mesh_loader_same(word, length, "ElemType")) ok = read_kind(file, h);
        else if (gid_mesh_loader_same(word, length, "Nnode"))
            ok = st_mesh_scan_int(file, &h->nodes) || st_mesh_scan_expected(file, "a number of nodes");
    }

    return ok && check_header(file, h, st_mesh_scan_line(file, line));
}

// ---------------------------------------------------------------------------------------------------
// Lines
// ---------------------------------------------------------------------------------------------------

// The next line that is not empty, as a file of its own; false at the end.
static bool next_line(st_mesh_file *file, st_mesh_file *line) {
    const char *begin, *end;
    while (st_mesh_file_line(file, &begin, &end)) {
        // an end of file, where errors point to its last line
        *line = *file;
        line->cursor = st_text_skip_blanks(begin, end);
        line->end = end;
        if (line->cursor < end) return true;
    }

    *line = *file;
    return false;
}

static bool line_is(const st_mesh_file *line, const char *first, const char *second) {
    const char *at = line->cursor, *word;
    size_t length;

    if (!st_mesh_file_word(&at, line->end, &word, &length) || !gid_mesh_loader_same(word, length, first)) return false;
    return !second || (st_mesh_file_word(&at, line->end, &word, &length) && gid_mesh_loader_same(word, length, second));
}

// Skips lines up to one with this word alone.
static bool gid_mesh_loader_find(st_mesh_file *file, const char *word) {
    st_mesh_file line;
    while (next_line(file, &line))
        if (line_is(&line, word, NULL)) return true;
    return st_mesh_scan_expected(file, "%s", word);
}

static bool read_point(st_mesh *mesh, st_mesh_file *line, const header *h) {
    int32_t id;
    st_real x[3] = {0};

    if (!st_mesh_scan_int(line, &id) || !st_mesh_scan_reals(line, x, h->dimension))
        return st_mesh_scan_expected(line, "\"id x y z\" of a point");

    return st_mesh_add_point(mesh, x) || st_mesh_scan_no_memory(line);
}

static bool gid_mesh_loader_read_element(st_mesh *mesh, st_mesh_file *line, const header *h, bool flip) {
    int32_t id, node;
    uint32_t v[MOST_CORNERS];
    const size_t count = st_element_size[h->kind];

    if (!st_mesh_scan_int(line, &id)) return st_mesh_scan_expected(line, "\"id n1 n2 ...\" of an element");

    // points count from 1 in the file
    for (size_t i = 0; i < count; i++) {
        if (!st_mesh_scan_int(line, &node)) return st_mesh_scan_expected(line, "node %zu of %zu", i + 1, count);
        if (node < 1 || (size_t)node > mesh->position.count) {
            st_mesh_file_problem(line, st_mesh_scan_line(line, line->cursor),
                                 "the element uses point %d, but there are only %zu", node, mesh->position.count);
            return false;
        }
        v[i] = (uint32_t)node - 1;
    }

    return st_mesh_add(mesh, h->kind, v, flip) || st_mesh_scan_no_memory(line);
}

static bool read_list(st_mesh *mesh, st_mesh_file *file, const header *h, const char *name, bool flip) {
    st_mesh_file line;
    if (!gid_mesh_loader_find(file, name)) return false;

    const bool points = strcmp(name, "coordinates") == 0;
    while (next_line(file, &line)) {
        if (line_is(&line, "end", name)) return true;
        const bool ok = points ? read_point(mesh, &line, h) : gid_mesh_loader_read_element(mesh, &line, h, flip);

        // the line was scanned as a file of its own: what was reported of it belongs to the file
        file->problems = line.problems;
        file->marked = line.marked;
        file->marked_lines = line.marked_lines;
        if (!ok) return false;
    }

    return st_mesh_scan_expected(file, "\"end %s\"", name);
}

bool st_gid_read(st_mesh *mesh, st_mesh_file *file, bool flip) {
    header h;
    return read_header(file, &h) && read_list(mesh, file, &h, "coordinates", flip) &&
           read_list(mesh, file, &h, "elements", flip);
}

static st_status gid_mesh_loader_parse(st_object *object) {
    st_mesh_loader *loader = (st_mesh_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;
    const bool ok = st_gid_read(&mesh, &file, loader->flip_normals);
    return st_mesh_loader_take(&mesh, loader, &file, ok);
}

const st_class st_gid_mesh_loader_class = {
    .name = "GIDMeshLoader",
    .help = "reads a mesh of edges, triangles, quads, tetrahedra or hexahedra from a GID file",
    .parent = &st_mesh_loader_class,
    .size = sizeof(st_mesh_loader),
    .example = "<GIDMeshLoader name=\"loader\" filename=\"mesh/part.gid\"/>",
    .parse = gid_mesh_loader_parse,
};
