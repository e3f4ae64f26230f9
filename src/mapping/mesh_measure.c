// Mappings that measure the elements of a mesh. See mesh_measure.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/mesh_measure.h"

#include "math/mat3.h"
#include "topology/topology.h"

static const st_real *corners_of(const st_measure_mapping *self, size_t row) {
    return self->corners.data + 3 * row * self->base.rows.vertices;
}

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static void mesh_measure_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_measure_mapping *self = (st_measure_mapping *)mapping;
    const st_gradient_rows *rows = &self->base.rows;
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);

    self->base.rows.filled = true;

    if (!to || !x || !st_gradient_rows_fit(rows, mapping)) return;

    for (size_t i = 0; i < rows->count; i++) {
        // kept for the second derivatives until the next apply
        st_real *p = self->corners.data + 3 * i * rows->vertices;
        for (size_t v = 0; v < rows->vertices; v++)
            st_vec3_copy(p + 3 * v, x + 3 * (size_t)st_gradient_node(rows, i, v));

        to[i] = self->measure->measure(rows, i, p);
    }
}

static st_real mesh_measure_curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const st_measure_mapping *self = (const st_measure_mapping *)mapping;
    st_real sum = 0, h[9], hv[3];

    for (size_t i = 0; i < self->base.rows.vertices; i++)
        for (size_t j = 0; j < self->base.rows.vertices; j++) {
            // v_i · H_ij v_j
            self->measure->hessian(corners_of(self, row), i, j, h);
            st_mat3_times_vec(hv, h, v[j]);
            sum += st_vec3_dot(v[i], hv);
        }
    return sum;
}

static void mesh_measure_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, mesh_measure_curvature);
}

// Elements that do not count give zeros, so that the pattern of the matrix stays.
static void mesh_measure_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const st_measure_mapping *self = (const st_measure_mapping *)mapping;
    const st_gradient_rows *rows = &self->base.rows;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(rows, mapping)) return;

    st_sink *sink = st_stiffness_between(stiffness, st_mapping_in(mapping), st_mapping_in(mapping));

    for (size_t t = 0; t < rows->count; t++) {
        const st_real force = st_geometric_counts(self->geometric_stiffness, f[t]) ? f[t] : 0;

        // f H_ij
        for (size_t i = 0; i < rows->vertices; i++)
            for (size_t j = 0; j < rows->vertices; j++) {
                st_real h[9] = {0};
                if (force != 0) self->measure->hessian(corners_of(self, t), i, j, h);
                st_mat3_scale(h, h, force);
                st_add_3x3(sink, 3 * (size_t)st_gradient_node(rows, t, i), 3 * (size_t)st_gradient_node(rows, t, j), h);
            }
    }
}

const st_mapping_ops st_measure_ops = {
    .apply = mesh_measure_apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = mesh_measure_geometric,
    .add_curvature = mesh_measure_add_curvature,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

st_status st_measure_init(st_object *object, const st_mesh_measure *measure) {
    st_measure_mapping *self = (st_measure_mapping *)object;
    st_mapping *mapping = &self->base.mapping;

    self->measure = measure;
    if (!st_mapping_has_states(mapping)) return st_mapping_init(object);

    // the elements of the mesh; kinds that cannot be measured are refused, not left out
    st_topology *topology = st_gradient_rows_from_mesh(&self->base.rows, mapping, self->topology, measure->kind);
    if (!topology) return ST_INVALID;
    const size_t others = st_topology_elements(topology, measure->other)->count, count = self->base.rows.count;

    if (others || !st_list_set_count(&self->corners, count, 3 * self->base.rows.vertices)) {
        self->base.rows.count = 0;
        if (others) return st_invalid(object, "the topology has %zu %s", others, measure->refusal);
        return st_invalid(object, "out of memory for its %zu elements", count);
    }

    const st_status status = st_mapping_size_child(mapping, 0, count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

void st_measure_destroy(st_object *object) {
    st_measure_mapping *self = (st_measure_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->corners);
}
