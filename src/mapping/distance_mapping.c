// DistanceMapping: the length of each edge of a mesh, less its rest length.
//
//     g = x_b − x_a,  out = |g| − rest        J: −u for a, +u for b, with u = g / |g|
//
// Points that coincide have the direction (1, 1, 1)/√3 and no geometric term. Geometric stiffness of an edge with the
// force f: M = (I − u uᵀ) f / |g|, on both points and, negative, between them; Stabilized takes edges with f < 0
// (stretched springs) only.
//
// With rigid parents the distance is that of the centers; only rest lengths that are found at init also see the
// orientations, as SOFA's do: their square is |c_a − c_b|² + |vector part of q_b⁻¹ q_a|².
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/distance.h"

typedef struct distance_mapping {
    st_gradient_mapping base;
    bool compute_distance;
    st_reals rest_lengths;
    int32_t geometric_stiffness;
    st_object *topology;
    st_real show_scale, show_color[4];
    st_reals inverse; // 1 / |g|, 0 for points that coincide
} distance_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    distance_mapping *self = (distance_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *x = st_whole_position(parent, in.index);
    self->base.rows.filled = true;
    if (!to || !x || !st_gradient_rows_fit(&self->base.rows, mapping)) return;
    if (self->rest_lengths.count < self->base.rows.count) return; // it can be written while the scene runs
    const size_t stride = (size_t)st_state_dof(parent)->coord;
    for (size_t i = 0; i < self->base.rows.count; i++) {
        const st_real *a = x + stride * st_gradient_node(&self->base.rows, i, 0);
        const st_real *b = x + stride * st_gradient_node(&self->base.rows, i, 1);
        to[i] = st_distance_row(&self->base.rows, i, a, b, &self->inverse.data[i]) - self->rest_lengths.data[i];
    }
}

static st_real curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const distance_mapping *self = (const distance_mapping *)mapping;
    return st_distance_curvature(&self->base.rows, row, self->inverse.data, v);
}

static void add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, curvature);
}

static void geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const distance_mapping *self = (const distance_mapping *)mapping;
    st_distance_geometric(&self->base.rows, mapping, self->geometric_stiffness, self->inverse.data, params, stiffness);
}

static void apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    const distance_mapping *self = (const distance_mapping *)mapping;
    st_distance_apply_geometric(&self->base.rows, mapping, self->geometric_stiffness, self->inverse.data, params, k);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// Those that are given are kept when there is one for each edge.
static st_status find_rest_lengths(distance_mapping *self) {
    const st_state *parent = st_mapping_in(&self->base.mapping);
    const size_t count = self->base.rows.count;
    if (self->rest_lengths.count == count) return ST_OK;
    if (!st_list_set_count(&self->rest_lengths, count, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
        self->rest_lengths.data[i] = self->compute_distance
                                         ? 0
                                         : st_initial_distance(parent, parent, st_gradient_node(&self->base.rows, i, 0),
                                                               st_gradient_node(&self->base.rows, i, 1));
    st_touch(&self->base.mapping.object, &self->rest_lengths);
    return ST_OK;
}

static st_status init(st_object *object) {
    distance_mapping *self = (distance_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    if (!st_gradient_rows_from_mesh(&self->base.rows, &self->base.mapping, self->topology, ST_EDGE)) return ST_INVALID;
    st_status status = find_rest_lengths(self);
    if (status == ST_OK && !st_list_set_count(&self->inverse, self->base.rows.count, 1)) status = ST_OUT_OF_MEMORY;
    if (status != ST_OK) return st_invalid(object, "there is no memory for its %zu edges", self->base.rows.count);
    status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void destroy(st_object *object) {
    distance_mapping *self = (distance_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->inverse);
}

static const st_field fields[] = {
    ST_FIELD(distance_mapping, topology, "topology", st_type_link, NULL, "the mesh whose edges are measured",
             .role = ST_ROLE(topology)),
    ST_FIELD(distance_mapping, compute_distance, "computeDistance", st_type_bool, "0",
             "rest lengths are 0 unless they are given: the output is the distance"),
    ST_FIELD(distance_mapping, rest_lengths, "restLengths", st_type_reals, NULL,
             "rest lengths; those at init unless there is one for each edge"),
    ST_GEOMETRIC_FIELD(distance_mapping, "Stabilized"),
    ST_FIELD(distance_mapping, show_scale, "showObjectScale", st_type_real, "0", "thickness of the drawn edges",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(distance_mapping, show_color, "showColor", st_type_color, "1 1 0 1", "color of the drawn edges",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = apply,
    .apply_j = st_gradient_apply_j,
    .apply_jt = st_gradient_apply_jt,
    .jacobian = st_gradient_jacobian,
    .geometric = geometric,
    .add_curvature = add_curvature,
    .apply_geometric = apply_geometric,
};

const st_class st_distance_mapping_class = {
    .name = "DistanceMapping",
    .help = "the length of each edge of a mesh, less its rest length",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1 Rigid3,Vec1",
    .default_template = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(distance_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0.2 0  1 1 0.5\" edges=\"0 1  1 2  2 0\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"lengths\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <DistanceMapping topology=\"@../mesh\" input=\"@../parent\" output=\"@child\" "
               "geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
