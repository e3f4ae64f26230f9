// Loads on the elements of a mesh: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/element_load.h"

#include "base/array.h"
#include "math/vec3.h"
#include "settee/plugin/draw.h"

static bool is_between(const st_points *points, st_element kind, const uint32_t *vertices, const st_real axis[3],
                       st_real low, st_real high) {
    if (!st_has_points(points, kind, vertices)) return false;

    for (size_t i = 0; i < st_element_size[kind]; i++) {
        const st_real d = st_vec3_dot(st_point(points, vertices[i]), axis);
        if (!(d > low && d < high)) return false;
    }
    return true;
}

bool st_select_between(st_topology *topology, st_element kind, const st_points *points, const st_real axis[3],
                       st_real low, st_real high, st_uints *elements) {
    const st_uints *all = st_topology_elements(topology, kind);
    elements->count = 0;

    for (size_t e = 0; e < all->count; e++)
        if (is_between(points, kind, all->data + e * st_element_size[kind], axis, low, high) &&
            !st_list_push(elements, (uint32_t)e))
            return false;
    return true;
}

bool st_element_loads_make(st_element_loads *loads, const st_object *object, st_topology *topology, st_element kind,
                           const st_uints *elements, const st_points *points) {
    const st_uints *all = st_topology_elements(topology, kind);
    const size_t n = st_element_size[kind];
    size_t missing = 0;
    loads->kind = kind;
    loads->list.count = 0;

    for (size_t i = 0; i < elements->count; i++) {
        st_element_load load = {.element = elements->data[i]};

        // only elements that exist, with vertices that exist
        const bool there =
            load.element < all->count && st_has_points(points, kind, all->data + (size_t)load.element * n);
        missing += !there;
        if (!there) continue;

        for (size_t j = 0; j < n; j++) load.vertices[j] = all->data[(size_t)load.element * n + j];
        if (!st_list_push(&loads->list, load)) return false;
    }

    // one message for all
    if (missing)
        st_message(object, ST_ERROR,
                   "%zu of %zu elements are not in the mesh, which has %zu, or have vertices without "
                   "a position: there is no load on them",
                   missing, elements->count, all->count);
    return true;
}

void st_element_loads_press(st_element_loads *loads, const st_real pressure[3], const st_points *rest) {
    for (size_t i = 0; i < loads->list.count; i++) {
        st_element_load *load = &loads->list.data[i];
        st_vec3_scale(load->force, pressure, st_measure(rest, loads->kind, load->vertices));
    }
}

void st_element_loads_add(const st_element_loads *loads, const st_state *state, const st_params *params) {
    const size_t n = st_element_size[loads->kind];
    st_real *f = st_f(state, params);

    for (size_t i = 0; i < loads->list.count; i++) {
        const st_element_load *load = &loads->list.data[i];
        st_real share[3];

        // F / n on each vertex
        st_vec3_divide(share, load->force, (st_real)n);
        for (size_t j = 0; j < n; j++) {
            st_real *at = f + 3 * (size_t)load->vertices[j];
            if (load->vertices[j] < state->size) st_vec3_add(at, at, share);
        }
    }
}

// An arrow's shaft from the middle of each element.
void st_element_loads_draw(const st_element_loads *loads, const st_state *state, st_real scale, st_canvas *canvas) {
    const st_points points = st_points_of(state, ST_COORD_POSITION);
    const size_t n = st_element_size[loads->kind];

    for (size_t i = 0; i < loads->list.count; i++) {
        static const uint32_t pair[2] = {0, 1};
        const st_element_load *load = &loads->list.data[i];
        st_real line[6] = {0};
        if (!st_has_points(&points, loads->kind, load->vertices)) continue;

        // from the middle of the element along the force
        for (size_t j = 0; j < n; j++) st_vec3_add(line, line, st_point(&points, load->vertices[j]));
        st_vec3_divide(line, line, (st_real)n);
        st_vec3_add_scaled(line + 3, line, load->force, scale);
        canvas->lines(canvas, 1, pair, line, 2, 3, (st_rgba){0, 0.8f, 0, 1});
    }
}

void st_element_loads_free(st_element_loads *loads) { st_list_free(&loads->list); }
