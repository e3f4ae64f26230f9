// Gmsh files of format 2, as text. Rank 0 reads a chunk of lines at a time and hands each entry to the rank in whose slice
// it is: no rank holds the file.
//
// Elements are numbered by kind in the order of the file. Points must be numbered 1, 2, 3, ... as Gmsh writes them.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_source.h"

enum { CHUNK = 1 << 16, MOST_WORDS = 64 };

typedef struct reader {
    const char *path;
    FILE *file;
    size_t line;
    char text[4096];
} reader;

// Only rank 0 reads: what it finds wrong ends all.
static _Noreturn void bad_gmsh(const reader *r, const char *what) {
    st_end_rank(ST_MPI_INVALID, "%s:%zu: %s", r->path, r->line, what);
}

static bool next_line(reader *r) {
    r->line++;
    if (!fgets(r->text, sizeof r->text, r->file)) return false;
    if (!strchr(r->text, '\n') && !feof(r->file)) bad_gmsh(r, "this line is too long, or no text");
    return true;
}

// Goes to the line after $name.
static void find_section(reader *r, const char *name) {
    while (next_line(r))
        if (r->text[0] == '$' && strncmp(r->text + 1, name, strlen(name)) == 0) {
            if (!next_line(r)) bad_gmsh(r, "the file ends here");
            return;
        }
    bad_gmsh(r, "there is no such section: $Nodes and $Elements are needed");
}

static size_t read_count(const reader *r, const char *what) {
    char *end;
    const unsigned long long count = strtoull(r->text, &end, 10);
    if (end == r->text || count > INT32_MAX / 3) bad_gmsh(r, what);
    return (size_t)count;
}

// Kind of an element by Gmsh's type; -1: it is left out (points), -2: it is not known here.
static int kind_of(long type) {
    switch (type) {
    case 1: return ST_EDGE;
    case 2: return ST_TRIANGLE;
    case 3: return ST_QUAD;
    case 4: return ST_TETRAHEDRON;
    case 5: return ST_HEXAHEDRON;
    case 15: return -1;
    default: return -2;
    }
}

// type and vertices of the line of an element; the kind
static int read_element(const reader *r, size_t points, uint32_t *vertices) {
    // number, type, number of tags, tags, vertices
    long words[MOST_WORDS];
    size_t count = 0;
    char *at = (char *)r->text, *end;
    for (; count < MOST_WORDS; count++, at = end) {
        words[count] = strtol(at, &end, 10);
        if (end == at) break;
    }
    if (count < 3 || words[2] < 0 || (size_t)words[2] + 3 > count) bad_gmsh(r, "this is no element");

    const int kind = kind_of(words[1]);
    if (kind == -2)
        bad_gmsh(r, "elements of this type cannot be spread: lines, triangles, quads, tetrahedra, hexahedra can");
    if (kind < 0) return kind;
    const size_t first = 3 + (size_t)words[2], size = st_element_size[kind];
    if (count != first + size) bad_gmsh(r, "this element has another number of vertices than its type");

    for (size_t v = 0; v < size; v++) {
        if (words[first + v] < 1 || (size_t)words[first + v] > points)
            bad_gmsh(r, "this element names a point that is not there");
        vertices[v] = (uint32_t)(words[first + v] - 1);
    }
    return kind;
}

// First pass: how many points and elements of each kind there are.
static void count_all(reader *r, st_slices *slices) {
    find_section(r, "MeshFormat");
    if (strncmp(r->text, "2", 1) != 0 || !strstr(r->text, " 0 "))
        bad_gmsh(r, "settee-mpi reads Gmsh's format 2 as text only: settee mesh FILE -o NAME.msh writes it");
    find_section(r, "Nodes");
    slices->points = read_count(r, "this is no number of points that can be held");
    find_section(r, "Elements");
    const size_t count = read_count(r, "this is no number of elements that can be held");

    uint32_t vertices[8];
    for (size_t i = 0; i < count; i++) {
        if (!next_line(r)) bad_gmsh(r, "the file ends here");
        const int kind = read_element(r, slices->points, vertices);
        if (kind >= 0) slices->elements[kind]++;
    }
}

typedef struct record {
    uint32_t place; // in the slice
    int32_t kind;   // -1: a point
    union {
        double position[3];
        uint32_t vertices[8];
    };
} record;

// Takes what came for this rank.
static void keep_records(st_slices *slices, const record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const record *one = &records[i];
        if (one->kind < 0) {
            for (size_t c = 0; c < 3; c++) slices->positions[3 * one->place + c] = (st_real)one->position[c];
        } else {
            const size_t size = st_element_size[one->kind];
            memcpy(slices->vertices[one->kind] + one->place * size, one->vertices, size * sizeof(uint32_t));
        }
    }
}

// A round of all ranks: rank 0 hands out what it has read.
static void hand_out(st_slices *slices, st_post *post) {
    size_t received;
    record *records = st_post_exchange(post, &received);
    keep_records(slices, records, received);
    free(records);
}

static void read_point(const reader *r, size_t index, record *one) {
    char *at = (char *)r->text, *end;
    const unsigned long long number = strtoull(at, &end, 10);
    if (end == at || number != index + 1)
        bad_gmsh(r, "points must be numbered 1, 2, 3, ...: settee mesh FILE -o NAME.msh does so");
    for (int c = 0; c < 3; c++) {
        one->position[c] = strtod(at = end, &end);
        if (end == at || !isfinite(one->position[c])) bad_gmsh(r, "this is no point");
    }
}

// Second pass, in rounds: `count` lines are points, or elements that follow them.
static void read_rounds(reader *r, st_slices *slices, size_t count, bool points) {
    size_t seen[ST_ELEMENT_KINDS] = {0};

    // a chunk a round; who does not read waits for what is its own
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        st_post post = {.size = sizeof(record)};
        for (size_t i = begin; st_rank == 0 && i < count && i < begin + CHUNK; i++) {
            record one = {.kind = -1};
            size_t index = i, n = slices->points;
            if (!next_line(r)) bad_gmsh(r, "the file ends here");

            if (points) read_point(r, i, &one);
            else {
                if ((one.kind = read_element(r, slices->points, one.vertices)) < 0) continue;
                index = seen[one.kind]++;
                n = slices->elements[one.kind];
                if (index >= n) bad_gmsh(r, "the file has changed while it was read");
            }

            const int rank = st_slice_rank(n, index);
            one.place = (uint32_t)(index - st_slice_first(n, rank));
            st_post_add(&post, rank, &one);
        }
        hand_out(slices, &post);
    }
}

void st_read_gmsh(st_slices *slices, const char *path) {
    reader r = {.path = path};
    size_t lines = 0;
    *slices = (st_slices){0};

    // sizes, by rank 0
    if (st_rank == 0) {
        r.file = fopen(path, "r");
        if (!r.file) st_end_rank(ST_MPI_INVALID, "%s: %s", path, strerror(errno));
        count_all(&r, slices);
        rewind(r.file);
        r.line = 0;
        find_section(&r, "Nodes");
    }

    // known to all
    size_t sizes[ST_ELEMENT_KINDS + 1];
    sizes[ST_ELEMENT_KINDS] = slices->points;
    memcpy(sizes, slices->elements, sizeof slices->elements);
    MPI_Bcast(sizes, sizeof sizes, MPI_BYTE, 0, MPI_COMM_WORLD);
    memcpy(slices->elements, sizes, sizeof slices->elements);
    slices->points = sizes[ST_ELEMENT_KINDS];
    slices->positions = st_take(3 * st_slice_count(slices->points, st_rank), sizeof(st_real));
    for (int k = 0; k < ST_ELEMENT_KINDS; k++)
        slices->vertices[k] =
            st_take(st_slice_count(slices->elements[k], st_rank) * st_element_size[k], sizeof(uint32_t));

    // points, then elements; there are also lines of elements of one point
    read_rounds(&r, slices, slices->points, true);
    if (st_rank == 0) {
        find_section(&r, "Elements");
        lines = read_count(&r, "this is no number of elements");
    }
    MPI_Bcast(&lines, sizeof lines, MPI_BYTE, 0, MPI_COMM_WORLD);
    read_rounds(&r, slices, lines, false);
    if (r.file) fclose(r.file);
}
