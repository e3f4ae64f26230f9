// Outputs that are one number each, computed from the places of a few parent points: distances, areas, volumes.
//
// Row i has a gradient g_k for each of its vertices k, so that
//
//     v_i = Σ_k g_k · v_k        f_k += g_k f_i
//
// Sums of a row run in increasing order of the points, those of several parents parent by parent; forces are added row
// by row. A mapping fills the gradients at each apply.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_GRADIENT_ROWS_H
#define SETTEE_MAPPING_GRADIENT_ROWS_H

#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"

// Zero bytes are no rows.
typedef struct st_gradient_rows {
    size_t vertices;   // of each row
    size_t width;      // reals of a gradient: the leading ones of a parent's velocity
    size_t count;      // rows
    st_uints node;     // of each vertex
    st_uints parent;   // its input; empty: all are of input 0
    st_uints order;    // vertices of a row in the order of sums
    st_reals gradient; // width reals a vertex
    st_uints needed;   // of each input: how many points it must have
    st_bools gone;     // of each row: a point of it has left the mesh; its value and its gradients are 0
    bool filled;       // apply was here
} st_gradient_rows;

// Copies nodes and parents (may be NULL) of count × vertices vertices; ST_INVALID_INDEX: the point has left the mesh. False:
// out of memory.
bool st_gradient_rows_make(st_gradient_rows *rows, size_t vertices, size_t width, size_t count, const uint32_t *nodes,
                           const uint32_t *parents);
void st_gradient_rows_free(st_gradient_rows *rows);

static inline uint32_t st_gradient_node(const st_gradient_rows *rows, size_t row, size_t vertex) {
    return rows->node.data[row * rows->vertices + vertex];
}
static inline uint32_t st_gradient_parent(const st_gradient_rows *rows, size_t row, size_t vertex) {
    return rows->parent.count ? rows->parent.data[row * rows->vertices + vertex] : 0;
}
static inline bool st_gradient_is_gone(const st_gradient_rows *rows, size_t row) { return rows->gone.data[row]; }
static inline st_real *st_gradient(const st_gradient_rows *rows, size_t row, size_t vertex) {
    return rows->gradient.data + (row * rows->vertices + vertex) * rows->width;
}

// Does every vertex exist, has the child a DOF for each row, and was the mapping applied?
bool st_gradient_rows_fit(const st_gradient_rows *rows, const st_mapping *mapping);

// A mapping whose one output, of type Vec1, has such rows; first member of its struct. The three operations are entries
// of its ops table.
typedef struct st_gradient_mapping {
    st_mapping mapping;
    st_gradient_rows rows;
} st_gradient_mapping;

void st_gradient_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
void st_gradient_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
// a_i += the row's curvature for the velocities v of its vertices: Σ_kl v_k · H_kl v_l.
typedef st_real st_gradient_curvature(const st_mapping *mapping, size_t row, const st_real *const *v);
void st_gradient_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v,
                               st_gradient_curvature *curvature);
void st_gradient_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink);

// For inits: the mesh that the link names, else (with a warning) that of the context, whose elements become the rows
// of input 0; each vertex must exist in the parent. NULL after an error: no mesh, no elements.
st_topology *st_gradient_rows_from_mesh(st_gradient_rows *rows, st_mapping *mapping, st_object *link, st_element kind);

#endif
