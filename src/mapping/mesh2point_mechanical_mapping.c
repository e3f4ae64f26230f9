// Mesh2PointMechanicalMapping: the points that a Mesh2PointTopologicalMapping makes, carried by the parent's elements.
//
//     p = Σ_k w_k q_k + offset
//
// with the corners and weights of the topological mapping; only points made from points have an offset.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_rows.h"
#include "mapping/states.h"
#include "math/vec3.h"
#include "topology/mapping/mesh2point.h"

typedef struct mesh2point_mechanical_mapping {
    st_mapping mapping;
    st_object *topological, *input_topology, *output_topology;
    st_barycentric_rows rows;
    st_reals offsets; // Vec3
    size_t parent_size;
} mesh2point_mechanical_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static void mesh2point_mechanical_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const mesh2point_mechanical_mapping *self = (const mesh2point_mechanical_mapping *)mapping;

    st_barycentric_apply(&self->rows, self->parent_size, mapping, out, in);

    const st_state *child = st_mapping_out(mapping);
    st_real *x = st_whole_position(child, out.index);

    if (!x || !st_whole_position(st_mapping_in(mapping), in.index)) return;
    for (size_t i = 0; i < 3 * self->offsets.count && i < 3 * child->size; i++) x[i] += self->offsets.data[i];
}

static void mesh2point_mechanical_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const mesh2point_mechanical_mapping *self = (const mesh2point_mechanical_mapping *)mapping;
    st_barycentric_apply_j(&self->rows, self->parent_size, mapping, out, in);
}

static void mesh2point_mechanical_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const mesh2point_mechanical_mapping *self = (const mesh2point_mechanical_mapping *)mapping;
    st_barycentric_apply_jt(&self->rows, self->parent_size, mapping, in, out);
}

static void mesh2point_mechanical_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const mesh2point_mechanical_mapping *self = (const mesh2point_mechanical_mapping *)mapping;
    st_barycentric_jacobian(&self->rows, self->parent_size, mapping, sink);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool mesh2point_mechanical_mapping_add_point(void *context, const st_mesh2point *point) {
    mesh2point_mechanical_mapping *self = context;
    const size_t at = self->offsets.count;

    if (!st_list_set_count(&self->offsets, at + 1, 3)) return false;
    st_vec3_copy(self->offsets.data + 3 * at, point->offset);

    for (int k = 0; k < point->count; k++)
        if (point->nodes[k] >= self->parent_size) self->parent_size = (size_t)point->nodes[k] + 1;

    return st_barycentric_rows_add(&self->rows, point->count, point->nodes, point->weights);
}

static st_status mesh2point_mechanical_mapping_init(st_object *object) {
    mesh2point_mechanical_mapping *self = (mesh2point_mechanical_mapping *)object;

    self->rows.start.count = self->offsets.count = self->parent_size = 0;
    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);

    // the topological mapping: the given one, or the one of the node
    st_object *source = self->topological;
    if (!source) source = st_find_class(object->node, &st_mesh2point_topological_mapping_class, ST_LOCAL);
    if (!source || !st_is_a(source, &st_mesh2point_topological_mapping_class) || !st_is_valid(source))
        return st_invalid(object, "there is no Mesh2PointTopologicalMapping in its node");

    if (!st_barycentric_rows_begin(&self->rows) ||
        !st_mesh2point_visit(source, mesh2point_mechanical_mapping_add_point, self)) {
        self->rows.start.count = 0;
        return st_invalid(object, "out of memory for its points");
    }

    // points that the parent does not have
    if (self->parent_size > st_mapping_in(&self->mapping)->size) {
        const size_t needed = self->parent_size;
        self->rows.start.count = self->parent_size = 0;
        return st_invalid(object, "the mesh uses point %zu, but the parent state has only %zu", needed - 1,
                          st_mapping_in(&self->mapping)->size);
    }

    return st_mapping_init(object);
}

static void mesh2point_mechanical_mapping_destroy(st_object *object) {
    mesh2point_mechanical_mapping *self = (mesh2point_mechanical_mapping *)object;
    st_barycentric_rows_free(&self->rows);
    st_list_free(&self->offsets);
}

static const st_field fields[] = {
    ST_FIELD(mesh2point_mechanical_mapping, topological, "topologicalMapping", st_type_link, NULL,
             "the Mesh2PointTopologicalMapping that makes the points; that of the node when not given"),
    ST_FIELD(mesh2point_mechanical_mapping, input_topology, "inputTopology", st_type_link, NULL,
             "the mesh is that of the topological mapping", .role = ST_ROLE(topology), .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(mesh2point_mechanical_mapping, output_topology, "outputTopology", st_type_link, NULL,
             "the points are those of the topological mapping", .role = ST_ROLE(topology), .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = mesh2point_mechanical_mapping_apply,
    .apply_j = mesh2point_mechanical_mapping_apply_j,
    .apply_jt = mesh2point_mechanical_mapping_apply_jt,
    .jacobian = mesh2point_mechanical_mapping_jacobian,
};

const st_class st_mesh2point_mechanical_mapping_class = {
    .name = "Mesh2PointMechanicalMapping",
    .help = "the points that a Mesh2PointTopologicalMapping makes, carried by the parent's elements",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(mesh2point_mechanical_mapping),
    .example = "<MeshTopology name=\"mesh\" position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"points\">\n"
               "    <PointSetTopologyContainer name=\"set\"/>\n"
               "    <Mesh2PointTopologicalMapping input=\"@../mesh\" output=\"@set\" pointBaryCoords=\"0 0 0.1\" "
               "tetraBaryCoords=\"0.25 0.25 0.25\"/>\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <Mesh2PointMechanicalMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN,
    .init = mesh2point_mechanical_mapping_init,
    .destroy = mesh2point_mechanical_mapping_destroy,
    .mapping = &ops,
};
