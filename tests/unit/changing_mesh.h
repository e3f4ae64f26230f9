// Meshes of every kind for tests of changes: as text, with random edits; components with the attributes of their examples.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_CHANGING_MESH_H
#define SETTEE_TESTS_CHANGING_MESH_H

#include "physics_scene.h"

#include "base/array.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "topology/edit.h"

// ---------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------

typedef struct mesh {
    const char *container;
    st_element kind;
} mesh;

static const mesh meshes[] = {
    {"EdgeSet", ST_EDGE},
    {"TriangleSet", ST_TRIANGLE},
    {"QuadSet", ST_QUAD},
    {"TetrahedronSet", ST_TETRAHEDRON},
    {"HexahedronSet", ST_HEXAHEDRON},
};
static const char *const attributes[] = {"edges", "triangles", "quads", "tetrahedra", "hexahedra"};

typedef struct text {
    char data[1 << 16];
    size_t length;
} text;

static inline void put(text *t, const char *format, ...) ST_PRINTF(2, 3);
static inline void put(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, list);
    va_end(list);
    assert_true(t->length < sizeof t->data);
}

static inline size_t corner(size_t x, size_t y, size_t z, size_t nx, size_t ny) { return x + nx * (y + ny * z); }

static double disorder = 0.1; // how far points are out of place

// A grid of 3 × 3 × 3 points, 4 × 4 for surfaces, 6 for a line; a little out of shape.
static inline void put_positions(text *t, st_element kind) {
    const bool volume = kind == ST_TETRAHEDRON || kind == ST_HEXAHEDRON;
    const size_t nx = kind == ST_EDGE ? 6 : volume ? 3 : 4, ny = kind == ST_EDGE ? 1 : nx, nz = volume ? 3 : 1;
    uint64_t seed = 7;
    for (size_t i = 0; i < nx * ny * nz; i++) {
        const size_t at[3] = {i % nx, i / nx % ny, i / (nx * ny)};
        for (size_t k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            put(t, "%.6f ", (double)at[k] + disorder * ((double)(seed >> 40) / 16777216.0 - 0.5));
        }
    }
}

static inline void put_elements(text *t, st_element kind) {
    static const int tetrahedra[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                         {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
    static const size_t steps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const bool volume = kind == ST_TETRAHEDRON || kind == ST_HEXAHEDRON;
    if (kind == ST_EDGE) {
        for (int i = 0; i < 5; i++) put(t, "%d %d ", i, i + 1);
        return;
    }

    const size_t n = volume ? 3 : 4;
    for (size_t z = 0; z < (volume ? 2u : 1u); z++)
        for (size_t y = 0; y + 1 < n; y++)
            for (size_t x = 0; x + 1 < n; x++) {
                size_t v[8];
                for (int i = 0; i < 8; i++) v[i] = corner(x + steps[i][0], y + steps[i][1], z + steps[i][2], n, n);
                if (kind == ST_QUAD) put(t, "%zu %zu %zu %zu ", v[0], v[1], v[2], v[3]);
                if (kind == ST_TRIANGLE) put(t, "%zu %zu %zu %zu %zu %zu ", v[0], v[1], v[2], v[0], v[2], v[3]);
                for (int i = 0; kind == ST_HEXAHEDRON && i < 8; i++) put(t, "%zu ", v[i]);
                for (int i = 0; kind == ST_TETRAHEDRON && i < 24; i++) put(t, "%zu ", v[tetrahedra[i / 4][i % 4]]);
            }
}

// The attributes that a class has in its example, without links.
static inline void put_component(text *t, const st_class *type) {
    char tag[128];
    snprintf(tag, sizeof tag, "<%s", type->name);
    const char *at = type->example ? strstr(type->example, tag) : NULL;
    put(t, "<%s name='it'", type->name);
    for (at = at ? at + strlen(tag) : ""; *at && *at != '>' && *at != '/';) {
        while (*at == ' ' || *at == '\n') at++;
        const size_t length = strcspn(at, "=/> ");
        if (at[length] != '=') break;
        const char quote = at[length + 1];
        const char *value = at + length + 2, *end = strchr(value, quote);
        assert_non_null(end);
        const bool skipped = *value == '@' || strncmp(at, "name=", 5) == 0 || strncmp(at, "template=", 9) == 0;
        if (!skipped) put(t, " %.*s", (int)(end + 1 - at), at);
        at = end + 1;
    }
}

// A container with its first elements and positions, and its modifier.
static inline void put_first_mesh(text *t, const mesh *m) {
    put(t, "<%sTopologyContainer name='mesh' %s='", m->container, attributes[m->kind]);
    put_elements(t, m->kind);
    put(t, "' position='");
    put_positions(t, m->kind);
    put(t, "'/><%sTopologyModifier/>", m->container);
}

// The container as it is now, but for the end of its tag.
static inline void put_final_mesh(text *t, const mesh *m, const st_topology *topology) {
    put(t, "<%sTopologyContainer name='mesh' nbPoints='%zu'", m->container, st_topology_points(topology));
    for (int kind = 0; kind <= ST_HEXAHEDRON; kind++) {
        const st_uints *list = &topology->elements[kind];
        if (list->count) put(t, " %s='", attributes[kind]);
        for (size_t i = 0; i < list->count * st_element_size[kind]; i++) put(t, "%u ", list->data[i]);
        if (list->count) put(t, "'");
    }
}

// Gives an attribute of the last component another name. False: it has none.
static inline bool hide_attribute(text *t, const char *name) {
    const size_t length = strlen(name);
    for (char *at = strrchr(t->data, '<'); at && (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && at[length] == '=') {
            *at = '_';
            return true;
        }
    return false;
}

// What the component declares, as it is now, in place of its first values.
static inline void put_declared(text *t, st_object *it) {
    for (uint32_t i = 0; i < st_field_count(it); i++) {
        const st_field *field = st_fields(it)[i];
        if (!field->mesh) continue;
        char *value = st_object_get(it, field->name, 17);
        const bool given = hide_attribute(t, field->name);
        if (it->data[i].set || given) put(t, " %s='%s'", field->name, value);
        st_string_free(value);
    }
}

// ---------------------------------------------------------------------------------------------------
// Edits
// ---------------------------------------------------------------------------------------------------

static inline uint32_t below(uint64_t *seed, size_t limit) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % (limit ? limit : 1));
}

// A new point in the middle of an element, which is replaced by those around it.
static inline void divide(st_topology *topology, st_element kind, uint32_t element) {
    const size_t size = st_element_size[kind];
    const uint32_t starts[2] = {0, (uint32_t)size}, added = (uint32_t)st_topology_points(topology);
    uint32_t v[8], parts[16];
    st_real weights[8];
    for (size_t i = 0; i < size; i++) {
        v[i] = topology->elements[kind].data[element * size + i];
        weights[i] = 1 / (st_real)size;
    }

    const st_origin origin = {starts, v, weights};
    assert_int_equal(st_edit_add_points(topology, 1, &origin, true), ST_OK);
    for (size_t part = 0; part < size; part++)
        for (size_t i = 0; i < size; i++) parts[part * size + i] = i == part ? added : v[i];
    assert_int_equal(st_edit_add(topology, kind, parts, size, NULL), ST_OK);
    assert_int_equal(st_edit_remove(topology, kind, &element, 1, true, true), ST_OK);
}

// The positions at the end are those at the last change, which some components measure.
static inline void edit_once(physics_scene *test, st_topology *topology, st_element kind, uint64_t *seed) {
    const size_t count = topology->elements[kind].count;
    const bool simplex = kind == ST_EDGE || kind == ST_TRIANGLE || kind == ST_TETRAHEDRON;
    const uint32_t choice = below(seed, 4);

    if (choice == 0 && simplex) divide(topology, kind, below(seed, count));
    else if (choice == 1 && count > 40) {
        const uint32_t point = below(seed, st_topology_points(topology));
        assert_int_equal(st_edit_remove_points(topology, &point, 1, true), ST_OK);
    } else if (count > 3) {
        uint32_t ids[2] = {below(seed, count), below(seed, count)};
        assert_int_equal(st_edit_remove(topology, kind, ids, ids[0] != ids[1] && count > 4 ? 2 : 1, true, true), ST_OK);
    }
    if (test->scene->edited.count == 0) assert_true(st_list_push(&test->scene->edited, &topology->object));
    st_finish_edits(test->scene);
}

// ---------------------------------------------------------------------------------------------------
// Texts and classes
// ---------------------------------------------------------------------------------------------------

// Texts whose numbers differ by rounding are the same.
static inline bool is_same_text(const char *a, const char *b) {
    while (*a && *b) {
        char *x = NULL, *y = NULL;
        const bool number = strchr("-.0123456789", *a) && strchr("-.0123456789", *b);
        const double p = number ? strtod(a, &x) : 0, q = number ? strtod(b, &y) : 0;
        if (number && x != a && y != b) {
            if (!(fabs(p - q) <= 1e4 * (double)ST_REAL_EPSILON * (1 + fabs(p)))) return false;
            a = x, b = y;
        } else if (*a++ != *b++) return false;
    }
    return *a == *b;
}

static inline const void *slot_of(const st_class *type, size_t role) {
    for (; type; type = type->parent)
        if (*(const void *const *)((const char *)type + role)) return type;
    return NULL;
}

#endif
