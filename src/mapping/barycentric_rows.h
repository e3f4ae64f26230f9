// The rows of a barycentric J: which nodes carry each point, and with which weights.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_BARYCENTRIC_ROWS_H
#define SETTEE_MAPPING_BARYCENTRIC_ROWS_H

#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"

// Row i: nodes and weights from start[i] to start[i + 1]. Zero bytes are no rows, which is not the same as rows of no
// points (start = 0).
typedef struct st_barycentric_rows {
    st_uints start, nodes;
    st_reals weights;
    // In a container: the element that carries each point, and their kind. ST_INVALID_INDEX: it has left the mesh.
    st_uints cells;
    st_element kind;
} st_barycentric_rows;

static inline size_t st_barycentric_count(const st_barycentric_rows *rows) {
    return rows->start.count ? rows->start.count - 1 : 0;
}

// What a search works on: points of the child, nodes of the parent. All finite.
typedef struct st_barycentric_places {
    const st_real *points;
    size_t count, stride;
    const st_real *nodes; // Vec3
    size_t node_count;
} st_barycentric_places;

// Finds the element of each point in the mesh and makes its row. A failure is reported in the name of `object` and
// leaves no rows.
st_status st_barycentric_rows_make(st_barycentric_rows *rows, st_object *object, st_topology *topology,
                                   const st_barycentric_places *at);
// The container changes: rows follow their elements. After it, points whose elements are gone find new ones.
void st_barycentric_rows_edited(st_barycentric_rows *rows, const st_edits *edits);
// A reset has put the first lists back, and the mesh.
void st_barycentric_rows_restored(st_barycentric_rows *rows, st_topology *topology);
st_status st_barycentric_rows_repair(st_barycentric_rows *rows, st_object *object, st_topology *topology,
                                     const st_barycentric_places *at);
void st_barycentric_rows_free(st_barycentric_rows *rows);

// Appends a row with `count` nodes; the first one of all needs st_barycentric_rows_begin. False: out of memory.
bool st_barycentric_rows_begin(st_barycentric_rows *rows);
bool st_barycentric_rows_add(st_barycentric_rows *rows, size_t count, const uint32_t *nodes, const st_real *weights);

// p = Σ w q and its transpose, of a mapping from one Vec3 state to one whose places are Vec3. `parent_size`: every node
// is below it. Vectors that are too short are left alone. apply sizes the child.
void st_barycentric_apply(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_coord_id out,
                          st_const_coord_id in);
void st_barycentric_apply_j(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_deriv_id out,
                            st_const_deriv_id in);
void st_barycentric_apply_jt(const st_barycentric_rows *rows, size_t parent_size, st_mapping *mapping, st_deriv_id in,
                             st_const_deriv_id out);
void st_barycentric_jacobian(const st_barycentric_rows *rows, size_t parent_size, const st_mapping *mapping,
                             st_sink *sink);

#endif
