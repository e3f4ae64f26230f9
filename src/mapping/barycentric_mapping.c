// BarycentricMapping: child points are carried by the elements of the parent's mesh.
//
//     p = sum_k w_k q_k        with nodes and weights that are fixed at init (mapping/barycentric_rows.c)
//
// Points outside of the mesh are extrapolated from the nearest element. A child frame (Rigid3) is carried by its center
// alone.
//
// The child does not move at init: the propagation that ends the scene's initialization does that.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_rows.h"
#include "math/vec3.h"
#include "settee/physics.h"
#include "topology/topology.h"

typedef struct barycentric_mapping {
    st_mapping mapping;
    bool use_rest_position;
    st_object *mapper, *input_topology, *output_topology;
    st_barycentric_rows rows;
    size_t parent_size; // every node is below it
} barycentric_mapping;

// ---------------------------------------------------------------------------------------------------
// A step: p = J q, v_p = J v_q, f_q += J^T f_p
// ---------------------------------------------------------------------------------------------------

static size_t row_count(const barycentric_mapping *self) { return st_barycentric_count(&self->rows); }

// Vectors that do not exist, such as the velocities of a visual model, are left alone.
static void multiply(const barycentric_mapping *self, st_reals *to, int stride, const st_reals *from) {
    if (from->count < self->parent_size || to->count < row_count(self)) return;
    for (size_t i = 0; i < row_count(self); i++) {
        st_real sum[3] = {0, 0, 0};
        for (uint32_t k = self->rows.start.data[i]; k < self->rows.start.data[i + 1]; k++)
            st_vec3_add_scaled(sum, sum, from->data + 3 * (size_t)self->rows.nodes.data[k], self->rows.weights.data[k]);
        st_vec3_copy(to->data + i * (size_t)stride, sum);
    }
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    st_state *child = st_mapping_out(mapping);
    if (self->rows.start.count == 0) return; // before the search, or after one that failed
    if (child->size != row_count(self)) st_state_resize(child, row_count(self));
    multiply(self, st_coord_list(child, out.index, ST_COORD_POSITION), st_state_dof(child)->coord,
             st_coord_list(st_mapping_in(mapping), in.index, ST_COORD_POSITION));
}

static void apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    multiply((const barycentric_mapping *)mapping, st_deriv_list(child, out.index, ST_DERIV_VELOCITY),
             st_state_dof(child)->deriv, st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_VELOCITY));
}

static void apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    const st_state *child = st_mapping_out(mapping);
    const size_t stride = (size_t)st_state_dof(child)->deriv;
    const st_reals *from = st_deriv_list(child, out.index, ST_DERIV_FORCE);
    st_reals *to = st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_FORCE);
    if (to->count < self->parent_size || from->count < row_count(self)) return;
    for (size_t i = 0; i < row_count(self); i++)
        for (uint32_t k = self->rows.start.data[i]; k < self->rows.start.data[i + 1]; k++) {
            st_real *f = to->data + 3 * (size_t)self->rows.nodes.data[k];
            st_vec3_add_scaled(f, f, from->data + i * stride, self->rows.weights.data[k]);
        }
}

static void jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    const size_t stride = (size_t)st_state_dof(st_mapping_out(mapping))->deriv;
    for (size_t i = 0; i < row_count(self); i++)
        for (uint32_t k = self->rows.start.data[i]; k < self->rows.start.data[i + 1]; k++) {
            const st_real w = self->rows.weights.data[k];
            const st_real block[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
            st_add_3x3(sink, i * stride, 3 * (size_t)self->rows.nodes.data[k], block);
        }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static const st_reals *places_of(const barycentric_mapping *self, const st_state *state) {
    const st_reals *rest = &state->coord[ST_COORD_REST];
    return self->use_rest_position && rest->count == state->size ? rest : &state->coord[ST_COORD_POSITION];
}

static bool all_finite(const st_reals *list, size_t stride) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < 3; k++)
            if (!isfinite(list->data[i * stride + k])) return false;
    return true;
}

static st_status make_rows(barycentric_mapping *self, st_topology *topology) {
    const st_state *parent = st_mapping_in(&self->mapping), *child = st_mapping_out(&self->mapping);
    const st_reals *nodes = places_of(self, parent), *points = places_of(self, child);
    const st_barycentric_places at = {.points = points->data,
                                      .count = points->count,
                                      .stride = (size_t)st_state_dof(child)->coord,
                                      .nodes = nodes->data,
                                      .node_count = nodes->count};
    if (!all_finite(nodes, 3) || !all_finite(points, at.stride))
        return st_invalid(&self->mapping.object, "a position of its states is not finite");
    self->parent_size = nodes->count;
    return st_barycentric_rows_make(&self->rows, &self->mapping.object, topology, &at);
}

static st_status init(st_object *object) {
    barycentric_mapping *self = (barycentric_mapping *)object;
    self->rows.start.count = 0;
    const st_status status = st_mapping_init(object);
    if (status != ST_OK) return status;
    st_topology *topology = st_context_topology(st_mapping_in(&self->mapping)->object.node, self->input_topology);
    if (!topology) return st_invalid(object, "the parent state has no topology whose elements could carry points");
    return make_rows(self, topology);
}

static void destroy(st_object *object) { st_barycentric_rows_free(&((barycentric_mapping *)object)->rows); }

static const st_field fields[] = {
    ST_FIELD(barycentric_mapping, use_rest_position, "useRestPosition", st_type_bool, "0",
             "find the elements at the rest positions of both states"),
    ST_FIELD(barycentric_mapping, mapper, "mapper", st_type_link, NULL, "the search is always its own",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(barycentric_mapping, input_topology, "input_topology", st_type_link, NULL,
             "the mesh that carries the points; the parent state's when not given", .role = ST_ROLE(topology)),
    ST_FIELD(barycentric_mapping, output_topology, "output_topology", st_type_link, NULL, "the mesh of the child",
             .role = ST_ROLE(topology), .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = apply,
    .apply_j = apply_j,
    .apply_jt = apply_jt,
    .jacobian = jacobian,
};

const st_class st_barycentric_mapping_class = {
    .name = "BarycentricMapping",
    .help =
        "child points are carried by the elements of the parent's mesh: a RegularGridTopology with cells, a container "
        "of hexahedra, tetrahedra, quads or triangles, or any mesh (volumes, else surfaces, else edges)",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3 Vec3,Rigid3",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(barycentric_mapping),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"points\">\n"
               "    <MechanicalObject name=\"child\" position=\"0.2 0.3 0.1  1 1 1\"/>\n"
               "    <BarycentricMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN,
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
