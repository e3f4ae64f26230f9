// VolumeMapping: the signed volume of each tetrahedron of a mesh.
//
//     v_k = p_k − p0,  out = v1 · (v2 × v3) / 6
//     ∂/∂p1 = v2 × v3 / 6,  ∂/∂p2 = v3 × v1 / 6,  ∂/∂p3 = v1 × v2 / 6,  ∂/∂p0 = minus their sum
//
// Geometric stiffness of a tetrahedron with the force f: f H_ij between its vertices,
//
//     H01 = [p2 − p3]×/6, H02 = [p3 − p1]×/6, H03 = [p1 − p2]×/6, H12 = [p0 − p3]×/6, H13 = [p2 − p0]×/6,
//     H23 = [p0 − p1]×/6, H_ji = H_ijᵀ, H_ii = 0
//
// Stabilized takes tetrahedra with f < 0 only.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"
#include "math/mat3.h"

typedef struct volume_mapping {
    st_gradient_mapping base;
    int32_t geometric_stiffness;
    st_object *topology;
    st_reals corners; // 12 reals a tetrahedron, of the last apply
} volume_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static st_real apply_row(const st_gradient_rows *rows, size_t i, const st_real p[12]) {
    st_real v[4][3], sum[3] = {0, 0, 0};
    for (int k = 1; k < 4; k++) st_vec3_sub(v[k], p + 3 * k, p);
    for (int k = 1; k < 4; k++) {
        st_real *gradient = st_gradient(rows, i, k);
        st_vec3_cross(gradient, v[k % 3 + 1], v[(k + 1) % 3 + 1]);
        st_vec3_divide(gradient, gradient, 6);
        st_vec3_add(sum, sum, gradient);
    }
    st_vec3_negate(st_gradient(rows, i, 0), sum);
    st_real cross[3];
    st_vec3_cross(cross, v[2], v[3]);
    return st_vec3_dot(v[1], cross) / 6;
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    volume_mapping *self = (volume_mapping *)mapping;
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);
    self->base.rows.filled = true;
    if (!to || !x || !st_gradient_rows_fit(&self->base.rows, mapping)) return;
    for (size_t i = 0; i < self->base.rows.count; i++) {
        st_real *p = self->corners.data + 12 * i;
        for (int v = 0; v < 4; v++) st_vec3_copy(p + 3 * v, x + 3 * (size_t)st_gradient_node(&self->base.rows, i, v));
        to[i] = apply_row(&self->base.rows, i, p);
    }
}

// Blocks (i, j) and (j, i) of one tetrahedron; the edge from b to a is opposite to the edge (i, j).
static void add_pair(const st_gradient_rows *rows, size_t t, const st_real p[12], const int pair[4], st_real f,
                     st_sink *sink) {
    const size_t row = 3 * (size_t)st_gradient_node(rows, t, pair[0]),
                 col = 3 * (size_t)st_gradient_node(rows, t, pair[1]);
    st_real edge[3], block[9];
    st_vec3_sub(edge, p + 3 * pair[2], p + 3 * pair[3]);
    st_vec3_scale(edge, edge, f / 6);
    st_mat3_cross(block, edge);
    st_add_3x3(sink, row, col, block);
    st_mat3_transpose(block, block);
    st_add_3x3(sink, col, row, block);
}

// Twice the products of two velocities with one edge, of the triple product: the edges change at constant rates w_k.
static st_real curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const st_real *p = ((const volume_mapping *)mapping)->corners.data + 12 * row;
    st_real edge[3][3], w[3][3], cross[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        st_vec3_sub(edge[k], p + 3 * (k + 1), p);
        st_vec3_sub(w[k], v[k + 1], v[0]);
    }
    for (int k = 0; k < 3; k++) {
        st_vec3_cross(cross, w[(k + 1) % 3], w[(k + 2) % 3]);
        sum += st_vec3_dot(edge[k], cross);
    }
    return sum / 3;
}

static void add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, curvature);
}

static void geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    static const int pairs[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
    const volume_mapping *self = (const volume_mapping *)mapping;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(&self->base.rows, mapping))
        return;
    st_sink *sink = st_stiffness_between(stiffness, st_mapping_in(mapping), st_mapping_in(mapping));
    for (size_t t = 0; t < self->base.rows.count; t++) {
        const st_real force = st_geometric_counts(self->geometric_stiffness, f[t]) ? f[t] : 0;
        for (int k = 0; k < 6; k++) add_pair(&self->base.rows, t, self->corners.data + 12 * t, pairs[k], force, sink);
    }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status init(st_object *object) {
    volume_mapping *self = (volume_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    st_topology *topology =
        st_gradient_rows_from_mesh(&self->base.rows, &self->base.mapping, self->topology, ST_TETRAHEDRON);
    if (!topology) return ST_INVALID;
    const size_t hexahedra = st_topology_elements(topology, ST_HEXAHEDRON)->count;
    if (hexahedra) {
        self->base.rows.count = 0;
        return st_invalid(object, "the topology has %zu hexahedra: only volumes of tetrahedra are known", hexahedra);
    }
    if (!st_list_set_count(&self->corners, self->base.rows.count, 12))
        return st_invalid(object, "there is no memory for its %zu tetrahedra", self->base.rows.count);
    const st_status status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void destroy(st_object *object) {
    volume_mapping *self = (volume_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->corners);
}

static const st_field fields[] = {
    ST_FIELD(volume_mapping, topology, "topology", st_type_link, NULL, "the mesh whose tetrahedra are measured",
             .role = ST_ROLE(topology)),
    ST_GEOMETRIC_FIELD(volume_mapping, "Stabilized"),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = geometric,
    .add_curvature = add_curvature,
};

const st_class st_volume_mapping_class = {
    .name = "VolumeMapping",
    .help = "the signed volume of each tetrahedron of a mesh",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(volume_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  0 1 0.5  0.3 0 1  1 1 1\" "
               "tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"volumes\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <VolumeMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
