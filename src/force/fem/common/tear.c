// Tearing: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/common/tear.h"

#include "base/array.h"
#include "math/decompose.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "topology/cut/cut.h"
#include "topology/recipes.h"

enum { WIDTH = 4, MOST_TRIES = 16 };

void st_tear_free(st_tear *tear) {
    st_list_free(&tear->values);
    st_list_free(&tear->star);
    st_list_free(&tear->facets);
}

void st_tear_init(st_tear *tear, st_elastic *elastic, st_element kind) {
    st_object *object = &elastic->force.object;
    tear->topology = NULL;
    tear->kind = kind;
    if (tear->stress == 0) return;
    if (!(tear->stress > 0) || !isfinite(tear->stress)) {
        st_message(object, ST_ERROR, "tearStress is %g: it must be a positive number, or 0", (double)tear->stress);
        return;
    }

    // only a container of this kind can change
    st_topology *topology = st_elastic_mesh(elastic);
    if (!topology || !st_is_changeable(topology) || st_container_kind(topology) != kind || !st_modifier_of(topology)) {
        st_message(object, ST_ERROR, "it cannot tear: %s is no container of %s elements with its modifier",
                   topology ? topology->object.name : "nothing", st_element_names[kind]);
        return;
    }
    tear->topology = topology;
    object->listening = true;
}

// ---------------------------------------------------------------------------------------------------
// Stress
// ---------------------------------------------------------------------------------------------------

// Columns of edges from the first vertex; for triangles the third one is their unit normal.
static st_real edge_matrix(st_real m[9], const st_real *x, size_t width, const uint32_t *v, size_t size) {
    st_real e[3][3];
    for (size_t i = 0; i + 1 < size; i++) st_vec3_sub(e[i], x + v[i + 1] * width, x + v[0] * width);
    if (size == 3) {
        st_vec3_cross(e[2], e[0], e[1]);
        const st_real norm = st_vec3_norm(e[2]);
        if (norm > 0) st_vec3_scale(e[2], e[2], 1 / norm);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) m[3 * r + c] = e[c][r];
    return st_mat3_determinant(m);
}

// The largest principal stress and its direction; 0 for a flat element.
static st_real element_stress(st_real direction[3], const st_state *state, const uint32_t *v, size_t size,
                              st_lame lame) {
    const size_t width = st_state_dof(state)->coord;
    st_real rest[9], now[9], inverse[9], f[9], c[9], values[3], n[9];
    if (edge_matrix(rest, state->coord[ST_COORD_REST].data, width, v, size) == 0) return 0;
    if (!st_mat3_inverse(inverse, rest)) return 0;
    edge_matrix(now, state->coord[ST_COORD_POSITION].data, width, v, size);

    // stretches and their directions
    st_mat3_multiply(f, now, inverse);
    st_mat3_transpose_multiply(c, f, f);
    if (!st_mat3_eigen(values, n, c)) return 0;
    st_real stretch[3], sum = 0;
    for (int i = 0; i < 3; i++) stretch[i] = sqrt(st_max(values[i], 0)) - 1, sum += stretch[i];

    // the normal of a triangle neither stretches nor holds
    const st_real normal[3] = {now[2], now[5], now[8]};
    st_real largest = 0;
    for (int i = 0; i < 3; i++) {
        const st_real axis[3] = {n[i], n[3 + i], n[6 + i]}, stress = 2 * lame.mu * stretch[i] + lame.lambda * sum;
        st_real d[3];
        st_mat3_times_vec(d, f, axis);
        if (!(stress > largest) || !st_vec3_normalize(d, d)) continue;
        if (size == 3 && fabs(st_vec3_dot(normal, d)) > ST_R(0.5)) continue;
        largest = stress;
        st_vec3_copy(direction, d);
    }
    return largest;
}

static bool find_stresses(st_tear *tear, const st_elastic *elastic, const st_reals *factor) {
    const st_state *state = elastic->force.state;
    const st_uints *elements = &tear->topology->elements[tear->kind];
    const size_t size = st_element_size[tear->kind];
    if (!st_list_set_count(&tear->values, WIDTH * elements->count, 1)) return false;

    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *v = elements->data + e * size;
        st_real young = st_elastic_young(elastic, e), *value = tear->values.data + WIDTH * e;
        bool known = true;
        for (size_t i = 0; i < size; i++) known = known && v[i] < state->size;
        if (factor && factor->count) young *= factor->data[st_spread_index(e, factor->count, elements->count)];
        const st_lame lame = st_lame_of(young, st_elastic_poisson(elastic, e), size - 1);
        value[0] = known ? element_stress(value + 1, state, v, size, lame) : 0;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Parting
// ---------------------------------------------------------------------------------------------------

static bool side_of(const st_state *state, const uint32_t *v, size_t size, uint32_t point, const st_real direction[3]) {
    const size_t width = st_state_dof(state)->coord;
    const st_real *x = state->coord[ST_COORD_POSITION].data;
    st_real sum = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < 3; k++) sum += direction[k] * (x[v[i] * width + k] - x[point * width + k]);
    return sum >= 0;
}

// The common vertices of two elements; the number of them.
static size_t common_vertices(const uint32_t *v, const uint32_t *w, size_t size, uint32_t common[4]) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < size; k++)
            if (v[i] == w[k]) common[count++] = v[i];
    return count;
}

// Elements around the point, and the facets at it between those on both sides. `border`: a facet at it has one element.
static bool find_tear(st_tear *tear, const st_state *state, uint32_t point, const st_real direction[3], bool *border) {
    const st_uints *elements = &tear->topology->elements[tear->kind];
    const size_t size = st_element_size[tear->kind];
    size_t shared = 0;
    tear->star.count = tear->facets.count = 0;
    for (size_t e = 0; e < elements->count; e++)
        for (size_t i = 0; i < size; i++)
            if (elements->data[e * size + i] == point && !st_list_push(&tear->star, (uint32_t)e)) return false;

    // pairs of them with a common facet
    for (size_t a = 0; a < tear->star.count; a++)
        for (size_t b = 0; b < a; b++) {
            const uint32_t *v = elements->data + tear->star.data[a] * size,
                           *w = elements->data + tear->star.data[b] * size;
            uint32_t common[4];
            const size_t count = common_vertices(v, w, size, common);
            if (count + 1 != size) continue;
            shared++;
            if (side_of(state, v, size, point, direction) == side_of(state, w, size, point, direction)) continue;
            for (size_t i = 0; i < count; i++)
                if (!st_list_push(&tear->facets, common[i])) return false;
        }
    *border = 2 * shared < (size - 1) * tear->star.count;
    return true;
}

static st_status open_tear(const st_tear *tear, size_t *doubled) {
    st_topology *topology = tear->topology;
    st_cut cut = {0};
    st_status status = ST_OUT_OF_MEMORY;
    if (st_edit_begin(topology) == ST_OK &&
        st_cut_open_facets(&cut, tear->kind, &topology->elements[tear->kind], st_topology_points(topology),
                           &tear->facets, &tear->star))
        status = cut.doubled ? st_cut_apply(&cut, topology) : ST_OK;
    *doubled = cut.doubled;
    st_cut_free(&cut);
    return status;
}

// One point of an element, on the border or not.
static st_status tear_element(st_tear *tear, const st_state *state, size_t element, bool on_border, size_t *doubled) {
    const size_t size = st_element_size[tear->kind];
    st_real direction[3];
    st_vec3_copy(direction, tear->values.data + WIDTH * element + 1);
    for (size_t i = 0; i < size; i++) {
        const uint32_t point = tear->topology->elements[tear->kind].data[element * size + i];
        bool border;
        if (!find_tear(tear, state, point, direction, &border)) return ST_OUT_OF_MEMORY;
        if (border != on_border || tear->facets.count == 0) continue;
        const st_status status = open_tear(tear, doubled);
        if (status != ST_OK || *doubled) return status;
    }
    return ST_OK;
}

// Elements above the stress, the largest first, until a point tears: one whose elements are all on one side cannot.
static st_status tear_point(st_tear *tear, const st_state *state) {
    for (size_t tries = 0; tries < MOST_TRIES; tries++) {
        size_t best = SIZE_MAX, doubled = 0;
        for (size_t e = 0; e < tear->values.count / WIDTH; e++)
            if (tear->values.data[WIDTH * e] > (best == SIZE_MAX ? tear->stress : tear->values.data[WIDTH * best]))
                best = e;
        if (best == SIZE_MAX) return ST_OK;

        st_status status = tear_element(tear, state, best, true, &doubled);
        if (status == ST_OK && !doubled) status = tear_element(tear, state, best, false, &doubled);
        if (status != ST_OK || doubled) return status;
        tear->values.data[WIDTH * best] = 0; // not this one
    }
    return ST_OK;
}

void st_tear_step(st_tear *tear, const st_elastic *elastic, const st_reals *factor, const st_event *event) {
    if (event->kind != ST_EVENT_ANIMATE_BEGIN || !tear->topology || !elastic->force.state) return;
    st_status status = find_stresses(tear, elastic, factor) ? ST_OK : ST_OUT_OF_MEMORY;
    if (status == ST_OK) status = tear_point(tear, elastic->force.state);
    if (status != ST_OK) st_message(&elastic->force.object, ST_ERROR, "out of memory: tearing");
}
