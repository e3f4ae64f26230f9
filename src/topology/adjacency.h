// Neighborhoods in a mesh: which edges and faces an element has, which elements lie around a vertex, an edge or a face.
//
// Each table is made when it is first asked for, kept with the topology, and forgotten by st_topology_invalidate. Tables
// follow when elements or points are removed or added.
//   in      a fixed number of parts per element, one after another; edge j of a triangle joins its vertices j + 1 and
//           j + 2, triangle j of a tetrahedron is opposite to vertex j, the others follow topology/tables.h
//   around  for each part the elements that have it, one row after another (compressed rows), in increasing order.
//           Triangles around an edge have another order: those that run along the edge in its own direction come first,
//           the last of them foremost, then those that run against it.
// A part that is missing in its list has the number ST_INVALID_INDEX.
//
// Memory for a large mesh of tetrahedra, all tables: 16 + 24 + 24 bytes per tetrahedron for the parts, about 130 for
// what is around.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_ADJACENCY_H
#define SETTEE_TOPOLOGY_ADJACENCY_H

#include "settee/plugin/topology.h"

enum { ST_VERTEX = ST_POINT };

typedef struct st_around {
    const uint32_t *starts; // count + 1 of them; NULL when the table could not be made
    const uint32_t *ends; // of rows, where some have lost or gained elements; NULL: they end where the next ones start
    const uint32_t *ids;
    size_t count;
} st_around;

typedef struct st_shell {
    const uint32_t *ids;
    size_t count;
} st_shell;

// The parts of one kind that an element of another has; NULL when it has none of that kind.
typedef struct st_part_table {
    const int *local; // parts × st_element_size[lower] local vertices
    int parts;
} st_part_table;
st_part_table st_element_parts(st_element upper, st_element lower);

// Parts of kind `lower` of all elements of kind `upper`, st_element_parts(upper, lower).parts per element. NULL, with a
// message, when out of memory; NULL when such elements have no such parts.
const uint32_t *st_topology_in(st_topology *topology, st_element upper, st_element lower);
// Elements of kind `upper` around each element of kind `lower` (or ST_VERTEX).
st_around st_topology_around(st_topology *topology, st_element upper, int lower);

// One row. Empty for a number that is out of range.
static inline st_shell st_shell_of(st_around around, size_t index) {
    if (index >= around.count) return (st_shell){NULL, 0};
    const uint32_t end = around.ends ? around.ends[index] : around.starts[index + 1];
    return (st_shell){around.ids + around.starts[index], end - around.starts[index]};
}

// Parts that belong to exactly one element: triangles of tetrahedra, quads of hexahedra, edges of triangles or quads.
bool st_topology_single_parts(st_topology *topology, st_element upper, st_element lower, st_uints *parts);

// Elements connected to the seed through shared vertices, breadth first: those of each vertex in turn. Allocated.
bool st_topology_connected(st_topology *topology, st_element kind, uint32_t seed, st_uints *elements);
// The number of connected components of the elements of one kind; SIZE_MAX when out of memory.
size_t st_topology_components(st_topology *topology, st_element kind);

// --- for those who make lists (recipes.c) and for the base of all topologies

// Keeps a table of parts that was found while a list was made; takes the block over.
bool st_adjacency_keep(st_topology *topology, st_element upper, st_element lower, uint32_t *parts);
void st_adjacency_drop(st_topology *topology);

// --- for changes (edit.c); false: out of memory

// Takes an element out of its list: the last one takes its place. Tables follow.
bool st_adjacency_take_out(st_topology *topology, st_element kind, uint32_t id);
// The last point takes the place of one that no element has: vertices are renamed. Tables follow.
bool st_adjacency_take_point(st_topology *topology, uint32_t id, uint32_t last);
// The last element of its list is new. Tables follow.
bool st_adjacency_put_in(st_topology *topology, st_element kind);
// There are so many points, some of them new. Tables follow, or are forgotten when out of memory.
void st_adjacency_add_points(st_topology *topology, size_t count);
// The edge, triangle or quad with these vertices in any order: the first one, ST_INVALID_INDEX when there is none.
bool st_adjacency_find(st_topology *topology, st_element kind, const uint32_t *vertices, uint32_t *found);

size_t st_adjacency_bytes(const st_topology *topology); // memory that the tables take now

#endif
