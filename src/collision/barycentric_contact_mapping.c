// BarycentricContactMapping: contact points p = Σ w q of DOFs of a Vec3 state, on the vertices of the elements that
// touch.
//
// A collision response gives the points again in each step. In a scene they can be written as lists, the same number of
// DOFs for every point.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/contact_mappings.h"
#include "mapping/barycentric_rows.h"
#include "mapping/states.h"
#include "settee/plugin/change.h"

typedef struct contact_mapping {
    st_mapping mapping;
    uint32_t width;
    st_uints nodes;
    st_reals weights;
    st_barycentric_rows rows;
    size_t parents; // every node is below it
} contact_mapping;

static const st_field fields[] = {
    ST_FIELD(contact_mapping, width, "nodesPerPoint", st_type_uint, "1", "DOFs that carry a point"),
    ST_FIELD(contact_mapping, nodes, "nodes", st_type_indices, NULL, "DOFs of the parent, nodesPerPoint for each point",
             .mesh = ST_OF_PARENT),
    ST_FIELD(contact_mapping, weights, "weights", st_type_reals, NULL, "a weight for each of them",
             .flags = ST_FIELD_REINIT),
    ST_FIELDS_END,
};

static bool barycentric_contact_mapping_begin(st_mapping *mapping) {
    contact_mapping *self = (contact_mapping *)mapping;
    self->parents = 0;
    return st_barycentric_rows_begin(&self->rows);
}

bool st_barycentric_carrier_add(st_mapping *mapping, int count, const uint32_t *nodes, const st_real *weights) {
    contact_mapping *self = (contact_mapping *)mapping;
    for (int k = 0; k < count; k++)
        if (nodes[k] >= self->parents) self->parents = (size_t)nodes[k] + 1;
    return st_barycentric_rows_add(&self->rows, count, nodes, weights);
}

static st_status barycentric_contact_mapping_init(st_object *object) {
    contact_mapping *self = (contact_mapping *)object;
    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object); // which says so
    const size_t parents = st_mapping_in(&self->mapping)->size;
    const size_t points = self->width ? self->nodes.count / self->width : 0;
    if (points * self->width != self->nodes.count || self->weights.count != self->nodes.count)
        return st_invalid(object, "%zu nodes and %zu weights do not make points of %u nodes", self->nodes.count,
                          self->weights.count, self->width);
    for (size_t i = 0; i < self->nodes.count; i++)
        if (self->nodes.data[i] >= parents)
            return st_invalid(object, "node %u is not among the %zu DOFs of the parent", self->nodes.data[i], parents);
    bool ok = barycentric_contact_mapping_begin(&self->mapping);
    for (size_t i = 0; ok && i < points; i++)
        ok = st_barycentric_carrier_add(&self->mapping, (int)self->width, self->nodes.data + i * self->width,
                                        self->weights.data + i * self->width);
    return ok ? st_mapping_init(object) : st_invalid(object, "out of memory: its points");
}

static void barycentric_contact_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const contact_mapping *self = (const contact_mapping *)mapping;
    st_barycentric_apply(&self->rows, self->parents, mapping, out, in);
}

static void barycentric_contact_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const contact_mapping *self = (const contact_mapping *)mapping;
    st_barycentric_apply_j(&self->rows, self->parents, mapping, out, in);
}

static void barycentric_contact_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const contact_mapping *self = (const contact_mapping *)mapping;
    st_barycentric_apply_jt(&self->rows, self->parents, mapping, in, out);
}

static void barycentric_contact_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const contact_mapping *self = (const contact_mapping *)mapping;
    st_barycentric_jacobian(&self->rows, self->parents, mapping, sink);
}

static void barycentric_contact_mapping_destroy(st_object *object) {
    st_barycentric_rows_free(&((contact_mapping *)object)->rows);
}

static const st_mapping_ops ops = {.apply = barycentric_contact_mapping_apply,
                                   .apply_j = barycentric_contact_mapping_apply_j,
                                   .apply_jt = barycentric_contact_mapping_apply_jt,
                                   .jacobian = barycentric_contact_mapping_jacobian};

const st_contact_carrier st_barycentric_carrier = {"BarycentricContactMapping", "Vec3,Vec3",
                                                   barycentric_contact_mapping_begin, NULL};

const st_class st_barycentric_contact_mapping_class = {
    .name = "BarycentricContactMapping",
    .help = "contact points on the elements of a mesh, as collision responses make them",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(contact_mapping),
    .example = "<MechanicalObject name=\"parent\" position=\"0 0 0  1 0 0  0 1 0\"/>\n"
               "<Node name=\"points\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <BarycentricContactMapping input=\"@../parent\" output=\"@child\" nodesPerPoint=\"3\" "
               "nodes=\"0 1 2 2 0 1\" weights=\"0.2 0.3 0.5 0.6 0.4 0\"/>\n"
               "</Node>",
    .init = barycentric_contact_mapping_init,
    .destroy = barycentric_contact_mapping_destroy,
    .mapping = &ops,
};
