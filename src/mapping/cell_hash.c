// The rule of hashed cells, by a search that knows the cubes of its elements: no list of them is made, so that one
// large element among tiny ones costs no more than others.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_hash.h"

#include "math/vec3.h"

st_real st_cell_hash_side(const st_cell_search *search, const st_uints *edges, const st_real *positions) {
    st_real sum = 0;

    // the mean length of the edges
    for (size_t i = 0; i < edges->count; i++)
        sum += st_vec3_distance(positions + 3 * (size_t)edges->data[2 * i + 1],
                                positions + 3 * (size_t)edges->data[2 * i]);
    if (edges->count) return sum / (st_real)edges->count;

    // without edges, of the first two nodes of each element
    for (size_t i = 0; i < search->cells.count; i++) {
        const uint32_t *nodes = search->cells.data[i].nodes;
        sum += st_vec3_distance(positions + 3 * (size_t)nodes[1], positions + 3 * (size_t)nodes[0]);
    }

    return search->cells.count ? sum / (st_real)search->cells.count : 0;
}

size_t st_cell_hash_find(const st_cell_search *search, st_real side, const st_real p[3], st_real local[3]) {
    const st_real inverse = 1 / side;
    st_cell_cubes cubes;
    st_cell_best b = {ST_REAL_MAX, SIZE_MAX};

    // its own cube first; an empty one says nothing, and all elements are tried
    for (int k = 0; k < 3; k++) cubes.low[k] = cubes.high[k] = floor(p[k] * inverse);
    st_cell_search_in_cubes(search, &cubes, p, &b);
    if (b.cell == SIZE_MAX) return st_cell_search_find(search, p, local);

    // the 27 cubes around
    for (int k = 0; k < 3; k++) cubes.low[k] -= 1, cubes.high[k] += 1;

    // Those of the own cube are tried again, which changes nothing: none of them is better than the best.
    if (fabs(b.d) > side / 2) st_cell_search_in_cubes(search, &cubes, p, &b);

    st_cell_coordinates(&search->cells.data[b.cell], p, local);
    return b.cell;
}
