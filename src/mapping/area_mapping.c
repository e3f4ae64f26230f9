// AreaMapping: the area of each triangle of a mesh.
//
//     N = (p1 − p0) × (p2 − p0),  out = ½ |N|
//     ∂/∂p0 = (p1 − p2) × N / (2 |N|),  ∂/∂p1 = (p2 − p0) × N / (2 |N|),  ∂/∂p2 = −(p1 − p0) × N / (2 |N|)
//
// Geometric stiffness of a triangle with the force f: f H_ij between its vertices, with e_i = p_{i+1} − p_{i+2}
// (cyclic), n = N · N, a_i = N × e_i:
//
//     H_ij = (−a_i a_jᵀ + n ((e_i · e_j) I − e_j e_iᵀ) + s_ij n [N]×) / (2 n^{3/2}),   s = (0 −1 1; 1 0 −1; −1 1 0)
//
// Stabilized takes triangles with f < 0 only. A triangle without area has neither gradient nor geometric term.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/gradient_rows.h"
#include "mapping/states.h"
#include "math/mat3.h"

typedef struct area_mapping {
    st_gradient_mapping base;
    int32_t geometric_stiffness;
    st_object *topology;
    st_reals corners; // 9 reals a triangle, of the last apply
} area_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static void normal_of(const st_real p[9], st_real normal[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, p + 3, p);
    st_vec3_sub(b, p + 6, p);
    st_vec3_cross(normal, a, b);
}

static st_real apply_row(const st_gradient_rows *rows, size_t i, const st_real p[9]) {
    st_real normal[3], edge[3];
    normal_of(p, normal);
    const st_real norm = st_vec3_norm(normal), k = norm > 0 ? 1 / (2 * norm) : 0;
    for (int v = 0; v < 3; v++) {
        st_vec3_sub(edge, p + 3 * ((v + 1) % 3), p + 3 * ((v + 2) % 3));
        st_vec3_cross(edge, edge, normal);
        st_vec3_scale(st_gradient(rows, i, v), edge, k);
    }
    return norm / 2;
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    area_mapping *self = (area_mapping *)mapping;
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(st_mapping_in(mapping), in.index);
    self->base.rows.filled = true;
    if (!to || !x || !st_gradient_rows_fit(&self->base.rows, mapping)) return;
    for (size_t i = 0; i < self->base.rows.count; i++) {
        st_real *p = self->corners.data + 9 * i;
        for (int v = 0; v < 3; v++) st_vec3_copy(p + 3 * v, x + 3 * (size_t)st_gradient_node(&self->base.rows, i, v));
        to[i] = apply_row(&self->base.rows, i, p);
    }
}

// H_ij f
static void hessian(const st_real p[9], int i, int j, st_real f, st_real h[9]) {
    static const int sign[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
    st_real normal[3], e[3][3], ai[3], aj[3], part[9];
    st_mat3_zero(h);
    normal_of(p, normal);
    const st_real n = st_vec3_norm2(normal), scale = 2 * n * sqrt(n);
    if (!(scale > 0) || f == 0) return;
    for (int k = 0; k < 3; k++) st_vec3_sub(e[k], p + 3 * ((k + 1) % 3), p + 3 * ((k + 2) % 3));
    st_vec3_cross(ai, normal, e[i]);
    st_vec3_cross(aj, normal, e[j]);
    const st_real diagonal = n * st_vec3_dot(e[i], e[j]);
    st_mat3_diagonal(h, diagonal, diagonal, diagonal);
    st_mat3_outer(part, ai, aj);
    st_mat3_add_scaled(h, h, part, -1);
    st_mat3_outer(part, e[j], e[i]);
    st_mat3_add_scaled(h, h, part, -n);
    st_mat3_cross(part, normal);
    st_mat3_add_scaled(h, h, part, (st_real)sign[i][j] * n);
    st_mat3_scale(h, h, f / scale);
}

static st_real curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    st_real sum = 0, h[9], hv[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            hessian(((const area_mapping *)mapping)->corners.data + 9 * row, i, j, 1, h);
            st_mat3_times_vec(hv, h, v[j]);
            sum += st_vec3_dot(v[i], hv);
        }
    return sum;
}

static void add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, curvature);
}

static void geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const area_mapping *self = (const area_mapping *)mapping;
    const st_real *f = st_whole_force(st_mapping_out(mapping), params->f.index);
    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !f || !st_gradient_rows_fit(&self->base.rows, mapping))
        return;
    st_sink *sink = st_stiffness_between(stiffness, st_mapping_in(mapping), st_mapping_in(mapping));
    for (size_t t = 0; t < self->base.rows.count; t++) {
        const st_real force = st_geometric_counts(self->geometric_stiffness, f[t]) ? f[t] : 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                st_real h[9];
                hessian(self->corners.data + 9 * t, i, j, force, h);
                st_add_3x3(sink, 3 * (size_t)st_gradient_node(&self->base.rows, t, i),
                           3 * (size_t)st_gradient_node(&self->base.rows, t, j), h);
            }
    }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status init(st_object *object) {
    area_mapping *self = (area_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    st_topology *topology =
        st_gradient_rows_from_mesh(&self->base.rows, &self->base.mapping, self->topology, ST_TRIANGLE);
    if (!topology) return ST_INVALID;
    const size_t quads = st_topology_elements(topology, ST_QUAD)->count;
    if (quads) {
        self->base.rows.count = 0;
        return st_invalid(object, "the topology has %zu quads: only areas of triangles are known", quads);
    }
    if (!st_list_set_count(&self->corners, self->base.rows.count, 9))
        return st_invalid(object, "there is no memory for its %zu triangles", self->base.rows.count);
    const st_status status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void destroy(st_object *object) {
    area_mapping *self = (area_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->corners);
}

static const st_field fields[] = {
    ST_FIELD(area_mapping, topology, "topology", st_type_link, NULL, "the mesh whose triangles are measured",
             .role = ST_ROLE(topology)),
    ST_GEOMETRIC_FIELD(area_mapping, "Stabilized"),
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

const st_class st_area_mapping_class = {
    .name = "AreaMapping",
    .help = "the area of each triangle of a mesh",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(area_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  1 1 0.5  0 1 1\" triangles=\"0 1 2  0 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"areas\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <AreaMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
