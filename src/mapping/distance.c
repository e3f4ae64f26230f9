// What the mappings of distances between two points share; the formulas are in mapping/distance_mapping.c.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/distance.h"

#include "math/rigid.h"

// Shorter than this, places coincide: the epsilon of double, in any precision.
static const st_real shortest = ST_R(2.220446049250313e-16);

st_real st_distance_row(const st_gradient_rows *rows, size_t row, const st_real a[3], const st_real b[3],
                        st_real *inverse) {
    st_real gap[3], *u = st_gradient(rows, row, 1);
    st_vec3_sub(gap, b, a);
    const st_real length = st_vec3_norm(gap);
    if (length > shortest) {
        *inverse = 1 / length;
        st_vec3_divide(u, gap, length);
    } else {
        *inverse = 0;
        st_vec3_set(u, 1 / sqrt(ST_R(3)), 1 / sqrt(ST_R(3)), 1 / sqrt(ST_R(3)));
    }
    st_vec3_negate(st_gradient(rows, row, 0), u);
    return length;
}

st_real st_initial_distance(const st_state *state_a, const st_state *state_b, size_t a, size_t b) {
    const size_t stride = (size_t)st_state_dof(state_a)->coord;
    const st_real *xa = state_a->coord[ST_COORD_POSITION].data + a * stride;
    const st_real *xb = state_b->coord[ST_COORD_POSITION].data + b * stride;
    if (stride != 7) return st_vec3_distance(xa, xb);
    st_real difference[7];
    st_rigid_subtract(difference, xa, xb);
    return sqrt(st_rigid_coord_norm2(difference));
}

// M = (I − u uᵀ) f / |g|; zero where the edge does not count, so that the pattern of the matrix stays.
static void edge_block(const st_gradient_rows *rows, size_t i, st_real f, int32_t option, const st_real *inverse,
                       st_real m[9]) {
    const st_real *u = st_gradient(rows, i, 1);
    st_mat3_zero(m);
    if (!st_geometric_counts(option, f)) return;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) m[3 * r + c] = ((r == c ? 1 : 0) - u[r] * u[c]) * f * inverse[i];
}

static void add_edges(const st_gradient_rows *rows, const st_mapping *mapping, const st_real *f, int32_t option,
                      const st_real *inverse, size_t p, size_t q, st_sink *sink) {
    const size_t row_width = (size_t)st_state_dof(st_mapping_input(mapping, p))->deriv;
    const size_t col_width = (size_t)st_state_dof(st_mapping_input(mapping, q))->deriv;
    for (size_t i = 0; i < rows->count; i++) {
        st_real m[9], minus[9];
        edge_block(rows, i, f[i], option, inverse, m);
        st_mat3_scale(minus, m, -1);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                if (st_gradient_parent(rows, i, a) == p && st_gradient_parent(rows, i, b) == q)
                    st_add_3x3(sink, row_width * st_gradient_node(rows, i, a), col_width * st_gradient_node(rows, i, b),
                               a == b ? m : minus);
    }
}

st_real st_distance_curvature(const st_gradient_rows *rows, size_t row, const st_real *inverse,
                              const st_real *const *v) {
    st_real w[3];
    st_vec3_sub(w, v[1], v[0]);
    const st_real along = st_vec3_dot(st_gradient(rows, row, 1), w);
    return (st_vec3_norm2(w) - along * along) * inverse[row];
}

void st_distance_geometric(const st_gradient_rows *rows, const st_mapping *mapping, int32_t option,
                           const st_real *inverse, const st_params *params, st_stiffness stiffness) {
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (option == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(rows, mapping)) return;
    for (size_t p = 0; p < mapping->input.count; p++)
        for (size_t q = 0; q < mapping->input.count; q++)
            add_edges(rows, mapping, f, option, inverse, p, q,
                      st_stiffness_between(stiffness, st_mapping_input(mapping, p), st_mapping_input(mapping, q)));
}

// A place in a derivative vector; NULL: the state has no such vector.
static st_real *at(st_real *vector, const st_gradient_rows *rows, const st_mapping *mapping, size_t row, int vertex) {
    const st_state *state = st_mapping_input(mapping, st_gradient_parent(rows, row, vertex));
    return vector ? vector + (size_t)st_state_dof(state)->deriv * st_gradient_node(rows, row, vertex) : NULL;
}

// df = k M (dx_b − dx_a), taken from a and given to b.
void st_distance_apply_geometric(const st_gradient_rows *rows, const st_mapping *mapping, int32_t option,
                                 const st_real *inverse, const st_params *params, st_real k) {
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (option == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(rows, mapping)) return;
    for (size_t i = 0; i < rows->count; i++) {
        if (!st_geometric_counts(option, f[i])) continue;
        st_real *d[2], *to[2], m[9], gap[3], df[3];
        for (int v = 0; v < 2; v++) {
            const st_state *state = st_mapping_input(mapping, st_gradient_parent(rows, i, v));
            d[v] = at(st_whole_dx(state, params->dx.index), rows, mapping, i, v);
            to[v] = at(st_whole_dforce(state, params->df.index), rows, mapping, i, v);
        }
        if (!d[0] || !d[1] || !to[0] || !to[1]) continue;
        edge_block(rows, i, f[i], option, inverse, m);
        st_vec3_sub(gap, d[1], d[0]);
        st_mat3_times_vec(df, m, gap);
        st_vec3_scale(df, df, k);
        st_vec3_sub(to[0], to[0], df);
        st_vec3_add(to[1], to[1], df);
    }
}
