// DistanceMultiMapping: distances between points of several parents, less rest lengths.
//
// indexPairs lists points as (parent, index); an edge (i, j) of the topology joins the points i and j of that list.
// Formulas are those of DistanceMapping. Rest lengths that are given are used when there is one for each edge, also
// with computeDistance.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/distance.h"
#include "mapping/multi_mapping.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct distance_multi_mapping {
    st_distance_mapping distance;
    st_uints index_pairs;
} distance_multi_mapping;

static st_status distance_multi_mapping_make_rows(distance_multi_mapping *self, const st_uints *edges) {
    st_uints nodes = {0}, parents = {0};
    const size_t points = self->index_pairs.count / 2;
    st_status status = ST_OK;

    // edges join points of the list; rows name parents and their points
    for (size_t i = 0; status == ST_OK && i < 2 * edges->count; i++) {
        const uint32_t point = edges->data[i];
        if (point >= points)
            status = st_invalid(&self->distance.base.mapping.object,
                                "edge %zu joins point %u, but indexPairs lists only %zu", i / 2, point, points);
        else if (!st_list_push(&parents, self->index_pairs.data[2 * (size_t)point]) ||
                 !st_list_push(&nodes, self->index_pairs.data[2 * (size_t)point + 1]))
            status = ST_OUT_OF_MEMORY;
    }

    if (status == ST_OK &&
        !st_gradient_rows_make(&self->distance.base.rows, 2, 3, edges->count, nodes.data, parents.data))
        status = ST_OUT_OF_MEMORY;

    st_list_free(&nodes);
    st_list_free(&parents);
    return status;
}

static st_status find_rows(distance_multi_mapping *self) {
    st_object *object = &self->distance.base.mapping.object;

    self->distance.base.rows.count = 0;
    st_topology *topology = st_context_topology(object->node, self->distance.topology);
    if (!topology) return st_invalid(object, "there is no topology whose edges could be measured");

    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    if (edges->count == 0) return st_invalid(object, "the topology has no edges");

    // rows from pairs and edges
    st_status status = st_multi_mapping_check_pairs(&self->distance.base.mapping, &self->index_pairs);
    if (status == ST_OK) status = distance_multi_mapping_make_rows(self, edges);
    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for its %zu edges", edges->count);
    return status;
}

static st_status distance_multi_mapping_init(st_object *object) {
    distance_multi_mapping *self = (distance_multi_mapping *)object;

    if (!st_mapping_has_states(&self->distance.base.mapping)) return st_mapping_init(object);
    const st_status status = find_rows(self);
    return status == ST_OK ? st_distance_init(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(distance_multi_mapping, distance.topology, "topology", st_type_link, NULL,
             "the mesh whose edges join entries of indexPairs", .role = ST_ROLE(topology)),
    ST_FIELD(distance_multi_mapping, index_pairs, "indexPairs", st_type_indices, NULL,
             "points: number of the parent, index of the point in it", .mesh = ST_OF_PARENTS),
    ST_DISTANCE_FIELDS(distance_multi_mapping),
    ST_FIELDS_END,
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
    .init = distance_multi_mapping_init,
    .destroy = st_distance_destroy,
    .mapping = &st_distance_ops,
};
