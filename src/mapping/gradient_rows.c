// Rows of gradients; the formulas are in the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/gradient_rows.h"

#include "base/array.h"
#include "mapping/states.h"
#include "math/vec3.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Making rows
// ---------------------------------------------------------------------------------------------------

static bool comes_before(const st_gradient_rows *rows, size_t row, size_t a, int b) {
    const uint32_t pa = st_gradient_parent(rows, row, a), pb = st_gradient_parent(rows, row, b);
    return pa != pb ? pa < pb : st_gradient_node(rows, row, a) < st_gradient_node(rows, row, b);
}

static void gradient_rows_find_order(st_gradient_rows *rows, size_t row) {
    uint32_t *order = rows->order.data + row * rows->vertices;

    for (size_t i = 0; i < rows->vertices; i++) {
        // insertion sort: rows are short
        size_t at = i;
        for (; at > 0 && comes_before(rows, row, i, (int)order[at - 1]); at--) order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
}

// How many points each parent must have.
static bool find_needed(st_gradient_rows *rows) {
    rows->needed.count = 0;

    for (size_t i = 0; i < rows->node.count; i++) {
        const size_t parent = rows->parent.count ? rows->parent.data[i] : 0;

        if (parent >= rows->needed.count && !st_list_set_count(&rows->needed, parent + 1, 1)) return false;
        if (rows->node.data[i] >= rows->needed.data[parent]) rows->needed.data[parent] = rows->node.data[i] + 1;
    }
    return true;
}

bool st_gradient_rows_make(st_gradient_rows *rows, size_t vertices, size_t width, size_t count, const uint32_t *nodes,
                           const uint32_t *parents) {
    const size_t n = count * vertices;

    rows->vertices = vertices;
    rows->width = width;
    rows->count = 0;
    rows->filled = false;

    if (!st_list_set_count(&rows->node, n, 1) || !st_list_set_count(&rows->parent, parents ? n : 0, 1) ||
        !st_list_set_count(&rows->order, n, 1) || !st_list_set_count(&rows->gradient, n, width) ||
        !st_list_set_count(&rows->gone, count, 1))
        return false;

    // a point that has left the mesh is written as point 0; the gradients of its row stay zero
    for (size_t i = 0; i < count; i++) rows->gone.data[i] = false;
    for (size_t i = 0; i < n; i++) {
        const bool gone = nodes[i] == ST_INVALID_INDEX;
        rows->node.data[i] = gone ? 0 : nodes[i];
        if (gone) rows->gone.data[i / vertices] = true;
    }
    for (size_t i = 0; i < n * width; i++) rows->gradient.data[i] = 0;
    if (parents) st_copy_bytes(rows->parent.data, parents, n * sizeof *parents);

    // sums of a row run in the order of the points
    for (size_t i = 0; i < count; i++) gradient_rows_find_order(rows, i);
    if (!find_needed(rows)) return false;

    rows->count = count;
    return true;
}

void st_gradient_rows_free(st_gradient_rows *rows) {
    st_list_free(&rows->node);
    st_list_free(&rows->parent);
    st_list_free(&rows->order);
    st_list_free(&rows->gradient);
    st_list_free(&rows->needed);
    st_list_free(&rows->gone);
}

static st_topology *find_mesh(st_mapping *mapping, st_object *link) {
    st_topology *topology = st_context_topology(mapping->object.node, link);

    if (topology && !link)
        st_message(&mapping->object, ST_WARNING, "topology is not given: '%s' is taken",
                   topology->object.name ? topology->object.name : "");
    if (!topology) st_invalid(&mapping->object, "there is no topology");
    return topology;
}

st_topology *st_gradient_rows_from_mesh(st_gradient_rows *rows, st_mapping *mapping, st_object *link, st_element kind) {
    static const char *const names[ST_ELEMENT_KINDS] = {
        [ST_EDGE] = "edges", [ST_TRIANGLE] = "triangles", [ST_TETRAHEDRON] = "tetrahedra"};

    rows->count = 0;
    st_topology *topology = find_mesh(mapping, link);
    if (!topology) return NULL;

    const st_uints *elements = st_topology_elements(topology, kind);

    if (elements->count == 0) {
        st_invalid(&mapping->object, "the topology '%s' has no %s", topology->object.name ? topology->object.name : "",
                   names[kind]);
        return NULL;
    }

    // a vertex that the parent does not have would be read out of bounds
    const size_t points = st_mapping_in(mapping)->size;
    if (st_mapping_check_vertices(&mapping->object, elements, st_element_size[kind], points) != ST_OK) return NULL;

    if (st_gradient_rows_make(rows, st_element_size[kind], 3, elements->count, elements->data, NULL)) return topology;
    st_invalid(&mapping->object, "out of memory for its %zu rows", elements->count);
    return NULL;
}

bool st_gradient_rows_fit(const st_gradient_rows *rows, const st_mapping *mapping) {
    if (rows->count == 0 || !rows->filled || st_mapping_out(mapping)->size != rows->count) return false;

    for (size_t i = 0; i < rows->needed.count; i++)
        if (i >= mapping->input.count || st_mapping_input(mapping, i)->size < rows->needed.data[i]) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------------

static size_t deriv_width(const st_mapping *mapping, size_t input) {
    return st_state_dof(st_mapping_input(mapping, input))->deriv;
}

// sum + g · d, from left to right; nearly all gradients have three components.
static inline st_real add_dot(st_real sum, const st_real *g, const st_real *d, size_t width) {
    if (width == 3) return sum + g[0] * d[0] + g[1] * d[1] + g[2] * d[2];
    for (size_t c = 0; c < width; c++) sum += g[c] * d[c];
    return sum;
}

// f += g k
static inline void add_scaled(st_real *f, const st_real *g, st_real k, size_t width) {
    if (width == 3) {
        const st_real x = f[0] + g[0] * k, y = f[1] + g[1] * k, z = f[2] + g[2] * k;
        st_vec3_set(f, x, y, z);
    } else {
        for (size_t c = 0; c < width; c++) f[c] += g[c] * k;
    }
}

// The part of row i that input `in` gives.
static st_real row_times(const st_gradient_rows *rows, size_t i, size_t in, const st_real *v, size_t stride) {
    st_real sum = 0;

    for (size_t k = 0; k < rows->vertices; k++) {
        const int vertex = (int)rows->order.data[i * rows->vertices + k];

        if (st_gradient_parent(rows, i, vertex) != in) continue;

        sum = add_dot(sum, st_gradient(rows, i, vertex), v + stride * st_gradient_node(rows, i, vertex), rows->width);
    }
    return sum;
}

void st_gradient_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;
    st_real *to = st_whole_velocity(st_mapping_out(mapping), out.index);

    if (!to || !st_gradient_rows_fit(rows, mapping)) return;

    // parent by parent: the first one writes, the others add
    for (size_t k = 0; k < mapping->input.count; k++) {
        const st_real *v = st_whole_velocity(st_mapping_input(mapping, k), in.index);
        const size_t stride = deriv_width(mapping, k);

        for (size_t i = 0; i < rows->count; i++) {
            const st_real part = v ? row_times(rows, i, k, v, stride) : 0;
            to[i] = k == 0 ? part : to[i] + part;
        }
    }
}

void st_gradient_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;
    const st_real *from = st_whole_force(st_mapping_out(mapping), out.index);

    if (!from || !st_gradient_rows_fit(rows, mapping)) return;

    for (size_t p = 0; p < mapping->input.count; p++) {
        st_real *to = st_whole_force(st_mapping_input(mapping, p), in.index);
        const size_t stride = deriv_width(mapping, p);

        for (size_t i = 0; to && i < rows->count; i++)
            for (size_t k = 0; k < rows->vertices; k++) {
                // f_k += g_k f_i
                if (st_gradient_parent(rows, i, k) != p) continue;

                add_scaled(to + stride * st_gradient_node(rows, i, k), st_gradient(rows, i, k), from[i], rows->width);
            }
    }
}

enum { VERTICES_MAX = 4 };

void st_gradient_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v,
                               st_gradient_curvature *curvature) {
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;
    st_real *to = st_whole_velocity(st_mapping_out(mapping), a.index);

    if (!to || rows->vertices > VERTICES_MAX || !st_gradient_rows_fit(rows, mapping)) return;

    for (size_t i = 0; i < rows->count; i++) {
        const st_real *velocities[VERTICES_MAX];
        bool all = true;

        // the velocities of all vertices, each from its own parent
        for (size_t k = 0; k < rows->vertices; k++) {
            const size_t input = st_gradient_parent(rows, i, k);
            const st_real *whole = st_whole_velocity(st_mapping_input(mapping, input), v.index);
            velocities[k] = whole ? whole + deriv_width(mapping, input) * st_gradient_node(rows, i, k) : NULL;
            all = all && whole;
        }

        if (all) to[i] += curvature(mapping, i, velocities);
    }
}

void st_gradient_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    if (out > 0) return; // there is one output
    const st_gradient_rows *rows = &((const st_gradient_mapping *)mapping)->rows;
    if (!st_gradient_rows_fit(rows, mapping)) return;

    const size_t stride = deriv_width(mapping, in);

    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < rows->vertices; k++) {
            const int vertex = (int)rows->order.data[i * rows->vertices + k];
            if (st_gradient_parent(rows, i, vertex) == in)
                sink->add(sink, i, stride * st_gradient_node(rows, i, vertex), 1, rows->width,
                          st_gradient(rows, i, vertex));
        }
}
