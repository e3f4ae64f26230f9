// SimpleTesselatedTetraMechanicalMapping: the points of tetrahedra that were divided into eight.
//
// Each point is one of the parent, or lies in the middle of one of its edges, p = ½ (q_a + q_b).
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_rows.h"
#include "mapping/states.h"
#include "math/real.h"
#include "topology/mapping/tesselated.h"

typedef struct tesselated_mapping {
    st_mapping mapping;
    st_barycentric_rows rows;
    size_t parent_size;
} tesselated_mapping;

static void simple_tesselated_tetra_mechanical_mapping_apply(st_mapping *mapping, st_coord_id out,
                                                             st_const_coord_id in) {
    const tesselated_mapping *self = (const tesselated_mapping *)mapping;
    st_barycentric_apply(&self->rows, self->parent_size, mapping, out, in);
}

static void simple_tesselated_tetra_mechanical_mapping_apply_j(st_mapping *mapping, st_deriv_id out,
                                                               st_const_deriv_id in) {
    const tesselated_mapping *self = (const tesselated_mapping *)mapping;
    st_barycentric_apply_j(&self->rows, self->parent_size, mapping, out, in);
}

static void simple_tesselated_tetra_mechanical_mapping_apply_jt(st_mapping *mapping, st_deriv_id in,
                                                                st_const_deriv_id out) {
    const tesselated_mapping *self = (const tesselated_mapping *)mapping;
    st_barycentric_apply_jt(&self->rows, self->parent_size, mapping, in, out);
}

static void simple_tesselated_tetra_mechanical_mapping_jacobian(st_mapping *mapping, size_t out, size_t in,
                                                                st_sink *sink) {
    (void)out, (void)in;
    const tesselated_mapping *self = (const tesselated_mapping *)mapping;
    st_barycentric_jacobian(&self->rows, self->parent_size, mapping, sink);
}

static bool simple_tesselated_tetra_mechanical_mapping_make_rows(tesselated_mapping *self, const st_object *source,
                                                                 size_t points, const st_uints *edges) {
    static const st_real whole[1] = {1}, halves[2] = {ST_R(0.5), ST_R(0.5)};
    bool ok = st_barycentric_rows_begin(&self->rows);

    // a parent point, or the middle of an edge; points from elsewhere follow nothing
    for (size_t i = 0; ok && i < points; i++) {
        uint32_t element = 0;
        bool edge = false;
        const bool known = st_tesselated_source(source, i, &element, &edge);
        if (edge) ok = st_barycentric_rows_add(&self->rows, 2, edges->data + 2 * (size_t)element, halves);
        else ok = st_barycentric_rows_add(&self->rows, known ? 1 : 0, &element, whole);
    }
    return ok;
}

static st_status simple_tesselated_tetra_mechanical_mapping_init(st_object *object) {
    tesselated_mapping *self = (tesselated_mapping *)object;

    self->rows.start.count = 0;
    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);

    // which mesh was divided
    st_object *source = st_find_class(object->node, &st_simple_tesselated_tetra_topological_mapping_class, ST_LOCAL);
    if (!source || !st_is_valid(source))
        return st_invalid(object, "there is no SimpleTesselatedTetraTopologicalMapping in its node");

    st_topology *input = st_mapped_from((st_topological_mapping *)source);
    const st_topology *output = st_mapped_to((st_topological_mapping *)source);
    const size_t points = st_topology_points(input), size = st_mapping_in(&self->mapping)->size;

    if (points > size)
        return st_invalid(object, "the mesh has %zu points, but the parent state has only %zu", points, size);

    if (!simple_tesselated_tetra_mechanical_mapping_make_rows(self, source, st_topology_points(output),
                                                              st_topology_elements(input, ST_EDGE))) {
        self->rows.start.count = 0;
        return st_invalid(object, "out of memory for its points");
    }

    self->parent_size = points;
    return st_mapping_init(object);
}

static void simple_tesselated_tetra_mechanical_mapping_destroy(st_object *object) {
    st_barycentric_rows_free(&((tesselated_mapping *)object)->rows);
}

static const st_mapping_ops ops = {
    .apply = simple_tesselated_tetra_mechanical_mapping_apply,
    .apply_j = simple_tesselated_tetra_mechanical_mapping_apply_j,
    .apply_jt = simple_tesselated_tetra_mechanical_mapping_apply_jt,
    .jacobian = simple_tesselated_tetra_mechanical_mapping_jacobian,
};

const st_class st_simple_tesselated_tetra_mechanical_mapping_class = {
    .name = "SimpleTesselatedTetraMechanicalMapping",
    .help = "the points of tetrahedra that were divided into eight",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .size = sizeof(tesselated_mapping),
    .example = "<TetrahedronSetTopologyContainer name=\"coarse\" position=\"0 0 0  1 0 0  0 1 0  0 0 1\" "
               "tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"fine\">\n"
               "    <TetrahedronSetTopologyContainer name=\"mesh\"/>\n"
               "    <SimpleTesselatedTetraTopologicalMapping input=\"@../coarse\" output=\"@mesh\"/>\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <SimpleTesselatedTetraMechanicalMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN,
    .init = simple_tesselated_tetra_mechanical_mapping_init,
    .destroy = simple_tesselated_tetra_mechanical_mapping_destroy,
    .mapping = &ops,
};
