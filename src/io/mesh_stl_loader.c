// MeshSTLLoader: a surface from an STL file.
//
//     text      solid name {facet normal x y z outer loop vertex x y z (three times) endloop endfacet} endsolid name
//     binary    80 bytes, the number of triangles, {normal, three points, 2 bytes}; numbers of 4 bytes, smallest first
//
// Corners with equal coordinates are one point, numbered as they first appear. Normals of facets are not used: vertices
// get theirs from the triangles. A file that begins with "solid" is text, unless its size is that of a binary one.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"
#include "math/vec3.h"
#include "topology/file/mesh_scan.h"

enum { FACET_BYTES = 50, COUNT_BYTES = 4 };

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

// Open addressing, at most half full.
typedef struct merger {
    st_mesh *mesh;
    uint32_t *slots; // place of a point + 1, or 0
    size_t count;    // of slots, a power of two, or 0
} merger;

static size_t mesh_stl_loader_hash(const st_real p[3]) {
    uint64_t h = 0;
    for (int i = 0; i < 3; i++) {
        const st_real x = p[i] + 0; // -0 is 0
        uint64_t bits = 0;
        memcpy(&bits, &x, sizeof x);

        // multiply and fold: coordinates on a grid differ in few bits
        h = (h ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

static void mesh_stl_loader_put(merger *m, uint32_t point) {
    size_t slot = mesh_stl_loader_hash(m->mesh->position.data + 3 * (size_t)point) & (m->count - 1);
    while (m->slots[slot]) slot = (slot + 1) & (m->count - 1);
    m->slots[slot] = point + 1;
}

static bool mesh_stl_loader_grow(merger *m) {
    const size_t count = m->count ? 2 * m->count : 1024;
    uint32_t *slots = st_alloc(count, sizeof *slots);

    if (!slots) return false;
    st_free(m->slots);
    m->slots = slots;
    m->count = count;

    for (size_t i = 0; i < m->mesh->position.count; i++) mesh_stl_loader_put(m, (uint32_t)i);
    return true;
}

// The number of a point, which is new or known; false: out of memory.
static bool mesh_stl_loader_merge(merger *m, const st_real p[3], uint32_t *number) {
    const size_t count = m->mesh->position.count;
    if (2 * (count + 1) > m->count && !mesh_stl_loader_grow(m)) return false;

    // a point with the same coordinates
    size_t slot = mesh_stl_loader_hash(p) & (m->count - 1);
    for (; m->slots[slot]; slot = (slot + 1) & (m->count - 1)) {
        const st_real *q = m->mesh->position.data + 3 * (size_t)(m->slots[slot] - 1);
        *number = m->slots[slot] - 1;
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) return true;
    }

    // else the slot is its own
    *number = (uint32_t)count;
    if (!st_mesh_add_point(m->mesh, p)) return false;
    m->slots[slot] = (uint32_t)count + 1;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Binary
// ---------------------------------------------------------------------------------------------------

static uint32_t word_at(const char *bytes) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; i--) value = value << 8 | (unsigned char)bytes[i];
    return value;
}

static bool point_at(const char *bytes, st_real p[3]) {
    for (int i = 0; i < 3; i++) {
        const uint32_t bits = word_at(bytes + 4 * i);
        float x;
        memcpy(&x, &bits, sizeof x);
        p[i] = x;
    }

    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

// Does the number of triangles fit the size of the file?
static bool binary_count(const st_mesh_file *file, uint32_t header, uint32_t *count) {
    const size_t size = st_mesh_scan_left(file);

    *count = 0;
    if (size < COUNT_BYTES || header > size - COUNT_BYTES) return false;
    *count = word_at(file->cursor + header);
    return size - header - COUNT_BYTES == (uint64_t)*count * FACET_BYTES;
}

static bool read_facet(merger *m, st_mesh_file *file, const char *facet, bool flip, size_t *dropped) {
    uint32_t v[3];
    for (int i = 0; i < 3; i++) {
        st_real p[3];
        const char *at = facet + 12 * (i + 1);
        if (!point_at(at, p)) {
            st_mesh_file_problem_at(file, at, "the point is not finite");
            return false;
        }
        if (!mesh_stl_loader_merge(m, p, &v[i])) return st_mesh_scan_no_memory(file);
    }

    // two corners at one place: no triangle
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
        ++*dropped;
        return true;
    }

    return st_mesh_add(m->mesh, ST_TRIANGLE, v, flip) || st_mesh_scan_no_memory(file);
}

static bool read_binary(merger *m, st_mesh_file *file, const st_stl_options *options) {
    uint32_t count;
    size_t dropped = 0;

    if (!binary_count(file, options->header, &count)) {
        st_mesh_file_problem_at(file, file->begin + (options->header < st_mesh_scan_left(file) ? options->header : 0),
                                "a binary STL file of %u triangles has %llu bytes, but this one has %zu", count,
                                options->header + 4ULL + 50ULL * count, st_mesh_scan_left(file));
        return false;
    }

    file->cursor += options->header + COUNT_BYTES;
    for (uint32_t i = 0; i < count; i++, file->cursor += FACET_BYTES)
        if (!read_facet(m, file, file->cursor, options->flip, &dropped)) return false;

    if (dropped) st_mesh_file_warn(file, 1, "%zu triangles with two equal corners are left out", dropped);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------

typedef struct facet {
    uint32_t corners[3];
    int count;
} facet;

static bool read_vertex(merger *m, st_mesh_file *file, facet *f) {
    st_real p[3];
    if (f->count == 3) {
        st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor), "the facet has more than 3 vertices");
        return false;
    }

    // the vertex, merged with an equal one
    if (!st_mesh_scan_reals(file, p, 3)) return st_mesh_scan_expected(file, "a coordinate of a vertex");
    return mesh_stl_loader_merge(m, p, &f->corners[f->count++]) || st_mesh_scan_no_memory(file);
}

static bool end_facet(merger *m, st_mesh_file *file, facet *f, bool flip) {
    if (f->count != 3) {
        st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor), "the facet has %d vertices, not 3", f->count);
        return false;
    }

    f->count = 0;
    return st_mesh_add(m->mesh, ST_TRIANGLE, f->corners, flip) || st_mesh_scan_no_memory(file);
}

// Numbers or not: many writers put nan there.
static bool skip_normal(st_mesh_file *file) {
    const char *word;
    size_t length;
    for (int i = 0; i < 3; i++)
        if (!st_mesh_scan_word(file, &word, &length)) return st_mesh_scan_expected(file, "the normal of a facet");
    return true;
}

static bool is_filler(st_mesh_file *file) {
    return st_mesh_scan_is(file, "facet") || st_mesh_scan_is(file, "outer") || st_mesh_scan_is(file, "loop") ||
           st_mesh_scan_is(file, "endfacet");
}

// "endsolid", which some programs write as two words.
static bool ends_solid(st_mesh_file *file) {
    st_mesh_file ahead = *file;
    const bool two = st_mesh_scan_is(&ahead, "end") && st_mesh_scan_is(&ahead, "solid");
    if (two) file->cursor = ahead.cursor;
    return two || st_mesh_scan_is(file, "endsolid");
}

static bool read_text(merger *m, st_mesh_file *file, bool flip) {
    const char *word, *look;
    size_t length;
    facet f = {{0}, 0};
    bool open = false; // a solid

    // the order of words is not checked: the vertices of a loop make a facet
    while (look = file->cursor, st_mesh_file_word(&look, file->end, &word, &length)) {
        bool ok = true;
        if (st_mesh_scan_is(file, "vertex")) ok = read_vertex(m, file, &f);
        else if (st_mesh_scan_is(file, "endloop")) ok = end_facet(m, file, &f, flip);
        else if (st_mesh_scan_is(file, "normal")) ok = skip_normal(file);
        else if (st_mesh_scan_is(file, "solid")) open = true, st_mesh_scan_skip_line(file);
        else if (ends_solid(file)) open = false, st_mesh_scan_skip_line(file);
        else if (!is_filler(file)) ok = st_mesh_scan_expected(file, "facet, vertex or another word of an STL file");

        if (!ok) return false;
    }

    if (f.count) return st_mesh_scan_expected(file, "the rest of a facet");
    if (open) st_mesh_file_warn(file, st_mesh_scan_line(file, file->cursor), "the file ends without endsolid");
    return true;
}

// ---------------------------------------------------------------------------------------------------

bool st_stl_read(st_mesh *mesh, st_mesh_file *file, const st_stl_options *options) {
    merger m = {.mesh = mesh};
    st_mesh_file look = *file;
    uint32_t count;

    // "solid" is how some binary files begin, too: their size decides
    const bool text =
        !options->binary && st_mesh_scan_is(&look, "solid") && !binary_count(file, options->header, &count);
    const bool ok = text ? read_text(&m, file, options->flip) : read_binary(&m, file, options);

    st_free(m.slots);
    return ok;
}

typedef struct mesh_stl_loader {
    st_mesh_loader mesh;
    uint32_t header_size;
    bool force_binary, merge_position_using_map;
} mesh_stl_loader;

static const st_field fields[] = {
    ST_FIELD(mesh_stl_loader, header_size, "headerSize", st_type_uint, "80",
             "bytes before the number of triangles in a binary file", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mesh_stl_loader, force_binary, "forceBinary", st_type_bool, "0",
             "read the file as a binary one even when it begins with \"solid\"", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mesh_stl_loader, merge_position_using_map, "mergePositionUsingMap", st_type_bool, "1",
             "corners with equal coordinates are always one point", .flags = ST_FIELD_NO_EFFECT | ST_FIELD_NO_SRC),
    ST_FIELDS_END,
};

static st_status mesh_stl_loader_parse(st_object *object) {
    mesh_stl_loader *self = (mesh_stl_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};
    if (!st_mesh_loader_begin(&self->mesh, &file)) return ST_INVALID;

    const st_stl_options options = {self->header_size, self->force_binary, self->mesh.flip_normals};
    const bool ok = st_stl_read(&mesh, &file, &options);
    return st_mesh_loader_take(&mesh, &self->mesh, &file, ok);
}

const st_class st_mesh_stl_loader_class = {
    .name = "MeshSTLLoader",
    .help = "reads triangles from an STL file, text or binary; equal corners become one point",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(mesh_stl_loader),
    .example = "<MeshSTLLoader name=\"loader\" filename=\"mesh/part.stl\"/>",
    .parse = mesh_stl_loader_parse,
};
