// DistanceMultiMapping: distances between points of several parents, less rest lengths.
//
// indexPairs lists points as (parent, index); an edge (i, j) of the topology joins the points i and j of that list.
// Formulas are those of DistanceMapping. Rest lengths that are given are used when there is one for each edge, also
// with computeDistance.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/distance.h"
#include "mapping/multi_mapping.h"
#include "topology/topology.h"

typedef struct distance_multi_mapping {
    st_gradient_mapping base;
    bool compute_distance;
    st_reals rest_lengths;
    st_uints index_pairs;
    int32_t geometric_stiffness;
    st_object *topology;
    st_real show_scale, show_color[4];
    st_reals inverse;
} distance_multi_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// The place of one end of a row; NULL: that parent has no such vector.
static const st_real *place_of(const distance_multi_mapping *self, size_t row, int vertex, int id) {
    const st_state *parent = st_mapping_input(&self->base.mapping, st_gradient_parent(&self->base.rows, row, vertex));
    const st_real *x = st_whole_position(parent, id);
    return x ? x + (size_t)st_state_dof(parent)->coord * st_gradient_node(&self->base.rows, row, vertex) : NULL;
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    distance_multi_mapping *self = (distance_multi_mapping *)mapping;
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);
    self->base.rows.filled = true;
    if (!to || !st_gradient_rows_fit(&self->base.rows, mapping)) return;
    if (self->rest_lengths.count < self->base.rows.count) return; // it can be written while the scene runs
    for (size_t i = 0; i < self->base.rows.count; i++) {
        const st_real *a = place_of(self, i, 0, in.index), *b = place_of(self, i, 1, in.index);
        if (a && b)
            to[i] = st_distance_row(&self->base.rows, i, a, b, &self->inverse.data[i]) - self->rest_lengths.data[i];
    }
}

static st_real curvature(const st_mapping *mapping, size_t row, const st_real *const *v) {
    const distance_multi_mapping *self = (const distance_multi_mapping *)mapping;
    return st_distance_curvature(&self->base.rows, row, self->inverse.data, v);
}

static void add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_gradient_add_curvature(mapping, a, v, curvature);
}

static void geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const distance_multi_mapping *self = (const distance_multi_mapping *)mapping;
    st_distance_geometric(&self->base.rows, mapping, self->geometric_stiffness, self->inverse.data, params, stiffness);
}

static void apply_geometric(st_mapping *mapping, const st_params *params, st_real k) {
    const distance_multi_mapping *self = (const distance_multi_mapping *)mapping;
    st_distance_apply_geometric(&self->base.rows, mapping, self->geometric_stiffness, self->inverse.data, params, k);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status check_pairs(distance_multi_mapping *self) {
    const st_uints *pairs = &self->index_pairs;
    if (pairs->count % 2)
        return st_invalid(&self->base.mapping.object, "indexPairs has %zu numbers: they come in pairs", pairs->count);
    for (size_t i = 0; i < pairs->count; i += 2) {
        const uint32_t parent = pairs->data[i], point = pairs->data[i + 1];
        if (parent >= self->base.mapping.input.count)
            return st_invalid(&self->base.mapping.object, "indexPairs: parent %u does not exist, there are %zu", parent,
                              self->base.mapping.input.count);
        if (point >= st_mapping_input(&self->base.mapping, parent)->size)
            return st_invalid(&self->base.mapping.object, "indexPairs: point %u does not exist, parent %u has %zu",
                              point, parent, st_mapping_input(&self->base.mapping, parent)->size);
    }
    return ST_OK;
}

static st_status make_rows(distance_multi_mapping *self, const st_uints *edges) {
    st_uints nodes = {0}, parents = {0};
    const size_t points = self->index_pairs.count / 2;
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < 2 * edges->count; i++) {
        const uint32_t point = edges->data[i];
        if (point >= points)
            status = st_invalid(&self->base.mapping.object, "edge %zu joins point %u, but indexPairs lists only %zu",
                                i / 2, point, points);
        else if (!st_list_push(&parents, self->index_pairs.data[2 * (size_t)point]) ||
                 !st_list_push(&nodes, self->index_pairs.data[2 * (size_t)point + 1]))
            status = ST_OUT_OF_MEMORY;
    }
    if (status == ST_OK && (!st_gradient_rows_make(&self->base.rows, 2, 3, edges->count, nodes.data, parents.data) ||
                            !st_list_set_count(&self->inverse, edges->count, 1)))
        status = ST_OUT_OF_MEMORY;
    st_list_free(&nodes);
    st_list_free(&parents);
    return status;
}

static st_status find_rest_lengths(distance_multi_mapping *self) {
    const st_gradient_rows *rows = &self->base.rows;
    if (self->rest_lengths.count == rows->count) return ST_OK;
    if (!st_list_set_count(&self->rest_lengths, rows->count, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < rows->count; i++)
        self->rest_lengths.data[i] =
            self->compute_distance
                ? 0
                : st_initial_distance(st_mapping_input(&self->base.mapping, st_gradient_parent(rows, i, 0)),
                                      st_mapping_input(&self->base.mapping, st_gradient_parent(rows, i, 1)),
                                      st_gradient_node(rows, i, 0), st_gradient_node(rows, i, 1));
    st_touch(&self->base.mapping.object, &self->rest_lengths);
    return ST_OK;
}

static st_status find_rows(distance_multi_mapping *self) {
    st_object *object = &self->base.mapping.object;
    self->base.rows.count = 0;
    st_topology *topology = st_context_topology(object->node, self->topology);
    if (!topology) return st_invalid(object, "there is no topology whose edges could be measured");
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    if (edges->count == 0) return st_invalid(object, "the topology has no edges");
    st_status status = check_pairs(self);
    if (status == ST_OK) status = make_rows(self, edges);
    if (status == ST_OK) status = find_rest_lengths(self);
    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "there is no memory for its %zu edges", edges->count);
    return status;
}

static st_status init(st_object *object) {
    distance_multi_mapping *self = (distance_multi_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);
    st_status status = find_rows(self);
    if (status == ST_OK) status = st_mapping_size_child(&self->base.mapping, 0, self->base.rows.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void destroy(st_object *object) {
    distance_multi_mapping *self = (distance_multi_mapping *)object;
    st_gradient_rows_free(&self->base.rows);
    st_list_free(&self->inverse);
}

static const st_field fields[] = {
    ST_FIELD(distance_multi_mapping, topology, "topology", st_type_link, NULL,
             "the mesh whose edges join entries of indexPairs", .role = ST_ROLE(topology)),
    ST_FIELD(distance_multi_mapping, compute_distance, "computeDistance", st_type_bool, "0",
             "rest lengths are 0 unless they are given: the output is the distance"),
    ST_FIELD(distance_multi_mapping, rest_lengths, "restLengths", st_type_reals, NULL,
             "rest lengths; those at init unless there is one for each edge"),
    ST_FIELD(distance_multi_mapping, index_pairs, "indexPairs", st_type_indices, NULL,
             "points: number of the parent, index of the point in it"),
    ST_GEOMETRIC_FIELD(distance_multi_mapping, "Stabilized"),
    ST_FIELD(distance_multi_mapping, show_scale, "showObjectScale", st_type_real, "0", "thickness of the drawn edges",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(distance_multi_mapping, show_color, "showColor", st_type_color, "1 1 0 1", "color of the drawn edges",
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

const st_class st_distance_multi_mapping_class = {
    .name = "DistanceMultiMapping",
    .help = "distances between points of several parents, less rest lengths",
    .parent = &st_multi_mapping_class,
    .templates = "Vec3,Vec1 Rigid3,Vec1",
    .default_template = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(distance_multi_mapping),
    .example = "<MechanicalObject name=\"first\" position=\"0 0 0  1 0 0\"/>\n"
               "<Node name=\"other\">\n"
               "    <MechanicalObject name=\"second\" position=\"0 1 0.5\"/>\n"
               "</Node>\n"
               "<Node name=\"lengths\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <MeshTopology name=\"edges\" edges=\"0 2  1 2  0 1\"/>\n"
               "    <DistanceMultiMapping topology=\"@edges\" input=\"@../first @../other/second\" output=\"@child\" "
               "indexPairs=\"0 0  0 1  1 0\" geometricStiffness=\"Exact\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
