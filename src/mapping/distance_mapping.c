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
#include "settee/plugin/change.h"

typedef struct distance_mapping {
    st_distance_mapping distance;
} distance_mapping;

static st_status distance_mapping_init(st_object *object) {
    st_distance_mapping *self = (st_distance_mapping *)object;
    st_mapping *mapping = &self->base.mapping;

    if (!st_mapping_has_states(mapping)) return st_mapping_init(object);
    if (!st_gradient_rows_from_mesh(&self->base.rows, mapping, self->topology, ST_EDGE)) return ST_INVALID;
    return st_distance_init(object);
}

static const st_field fields[] = {
    ST_FIELD(distance_mapping, distance.topology, "topology", st_type_link, NULL, "the mesh whose edges are measured",
             .role = ST_ROLE(topology)),
    ST_DISTANCE_FIELDS(distance_mapping),
    ST_FIELDS_END,
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
    .init = distance_mapping_init,
    .destroy = st_distance_destroy,
    .mapping = &st_distance_ops,
};
