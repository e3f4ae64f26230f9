// What the mappings of distances between two points share; the formulas are in mapping/distance_mapping.c.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/distance.h"

#include "math/rigid.h"
#include "settee/plugin/change.h"

// Shorter than this, places coincide: the epsilon of double, in any precision.
static const st_real shortest = ST_R(2.220446049250313e-16);

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// The distance of two places; sets the gradients −u and u of the row, and 1 / distance.
static st_real distance_measure(st_distance_mapping *self, size_t row, const st_real a[3], const st_real b[3]) {
    const st_gradient_rows *rows = &self->base.rows;
    st_real gap[3], *u = st_gradient(rows, row, 1), *inverse = &self->inverse.data[row];

    st_vec3_sub(gap, b, a);

    const st_real length = st_vec3_norm(gap);

    // points that coincide have a direction all the same
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

// The place of one end of a row; NULL: that parent has no such vector.
static const st_real *distance_place_of(const st_distance_mapping *self, size_t row, int vertex, int id) {
    const st_state *parent = st_mapping_input(&self->base.mapping, st_gradient_parent(&self->base.rows, row, vertex));
    const st_real *x = st_whole_position(parent, id);
    return x ? x + st_state_dof(parent)->coord * st_gradient_node(&self->base.rows, row, vertex) : NULL;
}

static void distance_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_distance_mapping *self = (st_distance_mapping *)mapping;
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);

    self->base.rows.filled = true;
    if (!to || !st_gradient_rows_fit(&self->base.rows, mapping)) return;
    if (self->rest_lengths.count < self->base.rows.count) return; // it can be written while the scene runs

    for (size_t i = 0; i < self->base.rows.count; i++) {
        const st_real *a = distance_place_of(self, i, 0, in.index), *b = distance_place_of(self, i, 1, in.index);
        if (st_gradient_is_gone(&self->base.rows, i)) to[i] = self->inverse.data[i] = 0;
        else if (a && b) to[i] = distance_measure(self, i, a, b) - self->rest_lengths.data[i];
    }
}

// |w|² − (u · w)² over the distance, with w the difference of the two velocities.
static st_real distance_curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const st_distance_mapping *self = (const st_distance_mapping *)mapping;
    st_real w[3];

    st_vec3_sub(w, v[1], v[0]);
    const st_real along = st_vec3_dot(st_gradient(&self->base.rows, row, 1), w);
    return (st_vec3_norm2(w) - along * along) * self->inverse.data[row];
}

static void distance_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, distance_curvature);
}

// ---------------------------------------------------------------------------------------------------
// Geometric stiffness
// ---------------------------------------------------------------------------------------------------

// M = (I − u uᵀ) f / |g|; zero where the edge does not count, so that the pattern of the matrix stays.
static void edge_block(const st_distance_mapping *self, size_t i, st_real f, st_real m[9]) {
    const st_real *u = st_gradient(&self->base.rows, i, 1);

    if (!st_geometric_counts(self->geometric_stiffness, f)) {
        st_mat3_zero(m);
        return;
    }

    // symmetric to the last bit
    const st_real inverse = self->inverse.data[i];
    m[0] = (1 - u[0] * u[0]) * f * inverse;
    m[4] = (1 - u[1] * u[1]) * f * inverse;
    m[8] = (1 - u[2] * u[2]) * f * inverse;
    m[1] = m[3] = (0 - u[0] * u[1]) * f * inverse;
    m[2] = m[6] = (0 - u[0] * u[2]) * f * inverse;
    m[5] = m[7] = (0 - u[1] * u[2]) * f * inverse;
}

// M on both points, −M between them.
static void add_edges(const st_distance_mapping *self, const st_real *f, size_t p, size_t q, st_sink *sink) {
    const st_gradient_rows *rows = &self->base.rows;
    const size_t row_width = st_state_dof(st_mapping_input(&self->base.mapping, p))->deriv;
    const size_t col_width = st_state_dof(st_mapping_input(&self->base.mapping, q))->deriv;

    for (size_t i = 0; i < rows->count; i++) {
        st_real m[9], minus[9];
        edge_block(self, i, f[i], m);
        st_mat3_scale(minus, m, -1);

        // blocks between the two parents that are asked for
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                if (st_gradient_parent(rows, i, a) == p && st_gradient_parent(rows, i, b) == q)
                    st_add_3x3(sink, row_width * st_gradient_node(rows, i, a), col_width * st_gradient_node(rows, i, b),
                               a == b ? m : minus);
    }
}

static void distance_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const st_distance_mapping *self = (const st_distance_mapping *)mapping;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(&self->base.rows, mapping))
        return;

    for (size_t p = 0; p < mapping->input.count; p++)
        for (size_t q = 0; q < mapping->input.count; q++)
            add_edges(self, f, p, q,
                      st_stiffness_between(stiffness, st_mapping_input(mapping, p), st_mapping_input(mapping, q)));
}

// The vectors of the parent that one end of an edge belongs to; NULL: it has no such vector.
typedef struct edge_end {
    const st_state *parent;
    const st_real *dx;
    st_real *df;
    size_t width; // reals from one DOF to the next
} edge_end;

static void find_end(edge_end *end, const st_state *parent, const st_params *params) {
    *end = (edge_end){.parent = parent,
                      .dx = st_whole_dx(parent, params->dx.index),
                      .df = st_whole_dforce(parent, params->df.index),
                      .width = st_state_dof(parent)->deriv};
}

// df = k M (dx_b − dx_a), taken from a and given to b.
static void distance_apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    const st_distance_mapping *self = (const st_distance_mapping *)mapping;
    const st_gradient_rows *rows = &self->base.rows;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);

    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(rows, mapping)) return;

    edge_end ends[2] = {{0}};
    for (size_t i = 0; i < rows->count; i++) {
        if (!st_geometric_counts(self->geometric_stiffness, f[i])) continue;

        // most often all edges are of one parent
        for (int v = 0; v < 2; v++) {
            const st_state *parent = st_mapping_input(mapping, st_gradient_parent(rows, i, v));
            if (ends[v].parent != parent) find_end(&ends[v], parent, params);
        }

        if (!ends[0].dx || !ends[1].dx || !ends[0].df || !ends[1].df) continue;
        const size_t a = ends[0].width * st_gradient_node(rows, i, 0), b = ends[1].width * st_gradient_node(rows, i, 1);
        st_real m[9], gap[3], df[3];

        edge_block(self, i, f[i], m);
        st_vec3_sub(gap, ends[1].dx + b, ends[0].dx + a);
        st_mat3_times_vec(df, m, gap);
        st_vec3_scale(df, df, k);

        st_vec3_sub(ends[0].df + a, ends[0].df + a, df);
        st_vec3_add(ends[1].df + b, ends[1].df + b, df);
    }
}

const st_mapping_ops st_distance_ops = {
    .apply = distance_apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = distance_geometric,
    .add_curvature = distance_add_curvature,
    .apply_geometric = distance_apply_geometric,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

st_real st_distance_between(const st_dof *dof, const st_real *a, const st_real *b) {
    if (!dof->rigid) return st_vec3_distance(a, b);

    st_real difference[7];
    st_rigid_subtract(difference, a, b);
    return sqrt(st_rigid_coord_norm2(difference));
}

static st_real initial_distance(const st_distance_mapping *self, size_t row) {
    const st_real *a = distance_place_of(self, row, 0, ST_COORD_POSITION),
                  *b = distance_place_of(self, row, 1, ST_COORD_POSITION);
    return a && b ? st_distance_between(st_state_dof(st_mapping_in(&self->base.mapping)), a, b) : 0;
}

void st_distance_make_rest_length(st_object *object, void *entry, const st_edit *edit, size_t k) {
    (void)object, (void)edit, (void)k;
    *(st_real *)entry = (st_real)NAN;
}

// Those that are given are kept when there is one for each edge; those of new edges are measured now.
static bool find_rest_lengths(st_distance_mapping *self) {
    const size_t count = self->base.rows.count;
    const bool given = self->rest_lengths.count == count;
    const bool changed = st_why_init(&self->base.mapping.object) != ST_INIT_FIRST;
    if (given && !changed) return true;

    if (!st_list_set_count(&self->rest_lengths, count, 1)) return false;
    for (size_t i = 0; i < count; i++)
        if (!given || isnan(self->rest_lengths.data[i]))
            self->rest_lengths.data[i] = self->compute_distance ? 0 : initial_distance(self, i);

    st_touch(&self->base.mapping.object, &self->rest_lengths);
    return true;
}

st_status st_distance_init(st_object *object) {
    st_distance_mapping *self = (st_distance_mapping *)object;
    const size_t count = self->base.rows.count;

    if (!find_rest_lengths(self) || !st_list_set_count(&self->inverse, count, 1))
        return st_invalid(object, "out of memory for its %zu edges", count);

    const st_status status = st_mapping_size_child(&self->base.mapping, 0, count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

void st_distance_destroy(st_object *object) {
    st_distance_mapping *self = (st_distance_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->inverse);
}
