// What the changeable containers share: number of points, lists that are made when they are missing, checks.
//
// With positions the number of points is theirs; without, it is 1 + the largest vertex of the elements that give the
// container its name. Where those elements are there, missing lists of smaller ones are derived from them: edges first,
// then faces. Lists that are given come first and stay as they are.
//
// Init: 1. the mesh file, 2. vertices of all lists are checked, 3. the number of points, 4. missing edges, 5. missing
// faces, 6. checks on request.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/container.h"

#include <string.h>

#include "base/array.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/check.h"
#include "topology/recipes.h"

enum {
    SHOWN = 8, // messages of one kind about single elements
    MAX_POINTS = 1 << 28,
};

st_element st_container_kind(const st_topology *topology) {
    static const struct {
        const st_class *type;
        st_element kind;
    } kinds[] = {
        {&st_tetrahedron_set_topology_container_class, ST_TETRAHEDRON},
        {&st_hexahedron_set_topology_container_class, ST_HEXAHEDRON},
        {&st_triangle_set_topology_container_class, ST_TRIANGLE},
        {&st_quad_set_topology_container_class, ST_QUAD},
        {&st_edge_set_topology_container_class, ST_EDGE},
    };

    // a container of tetrahedra is one of triangles as well: the larger kinds come first
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (st_is_a(&topology->object, kinds[i].type)) return kinds[i].kind;
    return ST_ELEMENT_KINDS;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

void st_container_set_points(st_topology *topology, size_t count) {
    st_container *container = (st_container *)topology;
    container->nb_points = (uint32_t)count;
    topology->point_count = count;
    st_touch(&topology->object, &container->nb_points);
}

// A number of points that no mesh has would only cost memory.
static void check_count(st_container *container) {
    if (container->nb_points <= MAX_POINTS) return;
    st_message(&container->topology.object, ST_ERROR, "nbPoints = %u is more than %d: it is not used",
               container->nb_points, MAX_POINTS);
    container->nb_points = 0;
}

static void count_points(st_container *container, st_element kind) {
    st_topology *topology = &container->topology;
    const size_t positions = topology->position.count;
    check_count(container);

    // 1 + the largest vertex of the elements
    const size_t used = kind == ST_ELEMENT_KINDS ? 0 : st_topology_used_points(topology, kind);

    // positions take precedence over nbPoints, except for hexahedra and for points alone, where the larger one counts
    size_t count = container->nb_points;
    if (kind == ST_ELEMENT_KINDS) count = positions > count ? positions : count;
    else if (positions) count = positions;
    if (used > count && (!positions || kind == ST_HEXAHEDRON)) count = used;

    st_container_set_points(topology, count);
}

// ---------------------------------------------------------------------------------------------------
// Edges and faces
// ---------------------------------------------------------------------------------------------------

static st_status container_derive(st_topology *topology, st_element kind, st_element lower) {
    st_unlink_field(&topology->object, &topology->elements[lower]);

    if (!st_derive_container_parts(topology, kind, lower))
        return st_invalid(&topology->object, "out of memory while the %ss were derived", st_element_names[lower]);
    st_touch(&topology->object, &topology->elements[lower]);
    return ST_OK;
}

// How many parts of the elements are missing in a list that was given; the first one is noted.
static size_t count_missing(st_topology *topology, st_element kind, st_element lower, size_t *where) {
    const size_t parts = (size_t)st_element_parts(kind, lower).parts;
    const uint32_t *in = st_topology_in(topology, kind, lower);
    size_t missing = 0;
    for (size_t i = 0; in && i < topology->elements[kind].count * parts; i++)
        if (in[i] == ST_INVALID_INDEX && missing++ == 0) *where = i;
    return missing;
}

// Surfaces must have all their edges; volumes get the missing ones behind the given ones.
static st_status complete_edges(st_topology *topology, st_element kind) {
    size_t where = 0;
    const size_t missing = count_missing(topology, kind, ST_EDGE, &where);
    if (missing == 0) return ST_OK;

    // the two ends of the first missing edge, for the message
    const st_part_table parts = st_element_parts(kind, ST_EDGE);
    const size_t element = where / (size_t)parts.parts, j = where % (size_t)parts.parts;
    const uint32_t *v = topology->elements[kind].data + element * st_element_size[kind];
    const uint32_t a = v[parts.local[2 * j]], b = v[parts.local[2 * j + 1]];

    if (kind == ST_TRIANGLE || kind == ST_QUAD)
        return st_invalid(
            &topology->object,
            "edge (%u %u) of %s %zu is not among the given edges (nor are %zu others): give all edges or none", a, b,
            st_element_names[kind], element, missing - 1);

    // volumes: derive the edges again, those given first
    st_message(&topology->object, ST_WARNING,
               "edge (%u %u) of %s %zu is not among the given edges (nor are %zu others): missing ones are added", a, b,
               st_element_names[kind], element, missing - 1);
    st_adjacency_drop(topology);
    return container_derive(topology, kind, ST_EDGE);
}

// Two elements on the same side of a face give it twice in the same direction: the mesh folds over itself.
static void report_same_side(st_topology *topology, st_element kind, st_element face) {
    const st_part_table parts = st_element_parts(kind, face);
    const uint32_t *in = st_topology_in(topology, kind, face);
    const size_t width = st_element_size[face], size = st_element_size[kind];
    bool *met = st_alloc(topology->elements[face].count, sizeof *met);
    size_t found = 0;

    // met[f]: some element has the face f in the direction in which it is listed
    for (size_t i = 0; in && met && i < topology->elements[kind].count * (size_t)parts.parts; i++) {
        const uint32_t *listed = topology->elements[face].data + in[i] * width;
        const uint32_t *element = topology->elements[kind].data + i / (size_t)parts.parts * size;
        const int *local = parts.local + i % (size_t)parts.parts * width;

        // where the face of the element meets the first listed vertex
        size_t at = 0;
        while (at < width && element[local[at]] != listed[0]) at++;
        const bool same_direction = element[local[(at + 1) % width]] == listed[1];

        if (same_direction && met[in[i]] && found++ < SHOWN)
            st_message(&topology->object, ST_ERROR, "%s %u is a face of %s %zu on the same side as of another one",
                       st_element_names[face], in[i], st_element_names[kind], i / (size_t)parts.parts);
        met[in[i]] = true;
    }

    if (found > SHOWN) st_message(&topology->object, ST_ERROR, "%zu faces are met twice on the same side", found);
    st_free(met);
}

static st_status complete_faces(st_topology *topology, st_element kind) {
    const st_element face = kind == ST_TETRAHEDRON ? ST_TRIANGLE : ST_QUAD;
    if (topology->elements[face].count == 0) {
        const st_status status = container_derive(topology, kind, face);
        if (status == ST_OK && kind == ST_TETRAHEDRON) report_same_side(topology, kind, face);
        return status;
    }

    // a given list stays as it is, even when it is incomplete
    size_t where = 0;
    const size_t missing = count_missing(topology, kind, face, &where);
    if (missing)
        st_message(&topology->object, ST_WARNING, "face %zu of %s %zu is not among the given %ss (nor are %zu others)",
                   where % (size_t)st_element_parts(kind, face).parts, st_element_names[kind],
                   where / (size_t)st_element_parts(kind, face).parts, st_element_names[face], missing - 1);
    return ST_OK;
}

static st_status complete_lists(st_topology *topology, st_element kind) {
    if (kind == ST_ELEMENT_KINDS || kind == ST_EDGE || topology->elements[kind].count == 0) return ST_OK;
    const bool volume = kind == ST_TETRAHEDRON || kind == ST_HEXAHEDRON;
    st_status status =
        topology->elements[ST_EDGE].count ? complete_edges(topology, kind) : container_derive(topology, kind, ST_EDGE);

    // faces are completed even when the edges are refused, so that both are reported
    if (volume) {
        const st_status faces = complete_faces(topology, kind);
        if (status == ST_OK) status = faces;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void check_connexity(st_topology *topology, st_element kind) {
    const size_t components = st_topology_components(topology, kind);
    if (components != SIZE_MAX && components > 1)
        st_message(&topology->object, ST_WARNING, "the mesh is made of %zu parts that no %s joins", components,
                   st_element_names[kind]);
}

st_status st_container_init(st_object *object) {
    st_container *container = (st_container *)object;
    st_topology *topology = &container->topology;
    const st_element kind = st_container_kind(topology);

    // lists of the file replace those given; what other components derived from former lists is forgotten
    st_status status = st_topology_read_file(topology);
    st_topology_invalidate(topology);
    topology->derived[ST_EDGE] = false; // it was when a component asked before

    // every list is checked, so that one run reports all that is wrong
    for (int k = ST_EDGE; k <= ST_HEXAHEDRON; k++) {
        const st_status checked = st_topology_check_vertices(topology, (st_element)k);
        if (checked != ST_OK) status = checked;
    }

    count_points(container, kind);
    const st_status completed = complete_lists(topology, kind);
    if (status == ST_OK) status = completed;

    // checks on request
    if (container->check_topology) st_topology_check(topology);
    if (container->check_connexity && kind != ST_ELEMENT_KINDS) check_connexity(topology, kind);
    return status;
}

static size_t container_points(const st_topology *topology) { return ((const st_container *)topology)->nb_points; }

const st_topology_ops st_container_ops = {.points = container_points};
