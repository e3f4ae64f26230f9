// Elements of one kind in packs of four, and the loop over them.
//
//     elements  0 1 2 3 | 4 5 6 7 | 8 9 . .        a pack handles four elements side by side (math/pack.h)
//                  ▼         ▼         ▼            each writes its own result for each of its corners
//     results   [pack][corner][component][lane]
//                  ▼
//     nodes     f[n] += the results of its corners, in increasing order of elements
//
// The sum at a node is made in the order of a sequential loop that scatters element after element, so the bits do not
// depend on the number of threads. Each thread takes a stretch of packs. It scatters the results of a few packs at a
// time while they are in its nearest cache; only points on the border of two stretches wait until all results around
// them are there.
//
// Results are added; a force that must be subtracted is stored with the other sign, which gives the same bits.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_ELEMENT_MESH_H
#define SETTEE_FORCE_FEM_COMMON_ELEMENT_MESH_H

#include "base/pool.h"
#include "math/pack.h"
#include "math/simd.h"
#include "state/sink.h"

// Most corners of an element, most reals of its results. (ST_ELEMENT_SCALARS: most scalars of its matrix.)
enum { ST_ELEMENT_CORNERS = 8, ST_ELEMENT_RESULTS = 54 };

typedef struct st_element_mesh {
    size_t size;       // corners of an element
    size_t width;      // reals of a result
    size_t count;      // elements
    size_t packs;      // of four elements; lanes beyond the last element repeat it
    size_t points;     // where results go
    uint32_t *nodes;   // [pack][corner][lane]
    uint32_t *starts;  // points + 1: the corners of each point ...
    uint32_t *corners; // ... as places in the results, in increasing order of elements
    size_t stretches;  // of packs, one a thread
    // With several stretches:
    bool *on_border;  // [point]: it has elements of several stretches
    uint32_t *border; // these points
    size_t border_count;
    uint32_t *kept; // [pack]: its place among the results that are kept for them, or none
    st_real *results;
    bool stale; // elements were taken out: starts, corners and the border are those of before
} st_element_mesh;

// Takes `count` elements with `size` corners each. A loop never allocates. ST_INVALID when a vertex is not below
// `points`: `wrong` is then its element; and when size is above ST_ELEMENT_CORNERS or size times width above
// ST_ELEMENT_RESULTS.
st_status st_element_mesh_make(st_element_mesh *mesh, st_pool *pool, const uint32_t *elements, size_t count,
                               size_t size, size_t points, size_t width, size_t *wrong);
void st_element_mesh_free(st_element_mesh *mesh); // leaves an empty one

// The mesh loses an element, but not its last one: the last one takes its place, here and in lists of packs, which get
// `count`, the number of elements before.
void st_element_mesh_take_out(st_element_mesh *mesh, size_t e);
void st_packs_take_out(st_pack *list, size_t width, size_t e, size_t count);
// Points have other numbers: the same elements again. ST_INVALID when a vertex is not below `points`.
st_status st_element_mesh_renumber(st_element_mesh *mesh, const uint32_t *elements, size_t points);
// For who reads starts and corners: brings them up to date.
void st_element_mesh_update(st_element_mesh *mesh);

// Computes packs [begin, end); `results` belongs to pack `begin`.
typedef void st_element_kernel(void *context, size_t begin, size_t end, st_real *results);

// target[node] += results of all elements.
void st_element_loop(st_pool *pool, st_element_mesh *mesh, st_element_kernel *kernel, void *context, st_real *target);
// Only calls the kernel; it has no results.
void st_element_each(st_pool *pool, const st_element_mesh *mesh, st_element_kernel *kernel, void *context);

// Adds the matrix of each element to the sink. The kernel computes it: [pack][lane][row][column], `width` rows and
// columns a node, at most ST_ELEMENT_SCALARS in all. With threads it is called by several at once, maybe twice for a
// pack.
void st_element_assemble(st_pool *pool, st_element_mesh *mesh, size_t width, st_element_kernel *kernel, void *context,
                         st_sink *sink);

// Nodes of element e, one after another.
static inline void st_element_nodes(const st_element_mesh *mesh, size_t e, uint32_t *nodes) {
    const uint32_t *pack = mesh->nodes + e / ST_PACK_SIZE * ST_PACK_SIZE * mesh->size;
    for (size_t i = 0; i < mesh->size; i++) nodes[i] = pack[i * ST_PACK_SIZE + e % ST_PACK_SIZE];
}

// The element of an entry of `corners`.
static inline size_t st_element_of_corner(const st_element_mesh *mesh, uint32_t corner) {
    const size_t place = mesh->corners[corner];
    return place / (ST_PACK_SIZE * mesh->size) * ST_PACK_SIZE + place % ST_PACK_SIZE;
}

// A list of packs, one block of `width` packs for each pack of elements. NULL when out of memory.
st_pack *st_packs_create(const st_element_mesh *mesh, size_t width);

// Entry k of element e in a list of packs.
static inline st_real *st_pack_entry(st_pack *list, size_t width, size_t e, size_t k) {
    return (st_real *)(list + e / ST_PACK_SIZE * width + k) + e % ST_PACK_SIZE;
}
static inline void st_pack_put(st_pack *list, size_t width, size_t e, const st_real *values) {
    for (size_t k = 0; k < width; k++) *st_pack_entry(list, width, e, k) = values[k];
}
static inline void st_pack_take(const st_pack *list, size_t width, size_t e, st_real *values) {
    for (size_t k = 0; k < width; k++) values[k] = *st_pack_entry((st_pack *)list, width, e, k);
}

#endif
