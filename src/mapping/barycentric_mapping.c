// BarycentricMapping: child points are carried by the elements of the parent's mesh.
//
//     p = sum_k w_k q_k        with nodes and weights that are fixed at init (mapping/barycentric_rows.c)
//
// Points outside of the mesh are extrapolated from the nearest element. A child frame (Rigid3) is carried by its center
// alone, but in a container of tetrahedra it turns with its tetrahedron (mapping/barycentric_frames.c).
//
// The child does not move at init: the propagation that ends the scene's initialization does that.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/barycentric_frames.h"
#include "mapping/states.h"
#include "math/real.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"
#include "topology/container.h"
#include "topology/topology.h"

typedef struct barycentric_mapping {
    st_mapping mapping;
    bool use_rest_position;
    int32_t geometric_stiffness;
    st_object *mapper, *input_topology, *output_topology;
    st_barycentric_rows rows;
    st_barycentric_frames frames; // of frames that turn
    size_t parent_size;           // every node is below it
} barycentric_mapping;

// Are there frames that turn, and the nodes that turn them? The parent may have shrunk.
static bool has_turning_frames(const barycentric_mapping *self) {
    return self->frames.axes.count > 0 && st_mapping_in(&self->mapping)->size >= self->parent_size;
}

// ---------------------------------------------------------------------------------------------------
// A step: p = J q, v_p = J v_q, f_q += J^T f_p
// ---------------------------------------------------------------------------------------------------

static void barycentric_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    barycentric_mapping *self = (barycentric_mapping *)mapping;
    st_barycentric_apply(&self->rows, self->parent_size, mapping, out, in);
    if (has_turning_frames(self)) st_barycentric_frames_apply(&self->frames, &self->rows, mapping, out, in);
}

static void barycentric_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    st_barycentric_apply_j(&self->rows, self->parent_size, mapping, out, in);
    if (has_turning_frames(self)) st_barycentric_frames_apply_j(&self->frames, &self->rows, mapping, out, in);
}

static void barycentric_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    if (has_turning_frames(self)) st_barycentric_frames_apply_jt(&self->frames, &self->rows, mapping, in, out);
    else st_barycentric_apply_jt(&self->rows, self->parent_size, mapping, in, out);
}

static void barycentric_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    st_barycentric_jacobian(&self->rows, self->parent_size, mapping, sink);
    if (has_turning_frames(self)) st_barycentric_frames_jacobian(&self->frames, &self->rows, mapping, sink);
}

static void barycentric_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    if (has_turning_frames(self)) st_barycentric_frames_add_curvature(&self->frames, &self->rows, mapping, a, v);
}

static void barycentric_mapping_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    if (has_turning_frames(self))
        st_barycentric_frames_geometric(&self->frames, &self->rows, mapping, self->geometric_stiffness, params,
                                        stiffness);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static const st_reals *places_of(const barycentric_mapping *self, const st_state *state) {
    const st_reals *rest = &state->coord[ST_COORD_REST];
    return self->use_rest_position && rest->count == state->size ? rest : &state->coord[ST_COORD_POSITION];
}

static bool barycentric_mapping_all_finite(const st_reals *list, size_t stride) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < 3; k++)
            if (!isfinite(list->data[i * stride + k])) return false;
    return true;
}

static st_status barycentric_mapping_make_rows(barycentric_mapping *self, st_topology *topology) {
    const st_state *parent = st_mapping_in(&self->mapping), *child = st_mapping_out(&self->mapping);
    const st_reals *nodes = places_of(self, parent), *points = places_of(self, child);
    const st_barycentric_places at = {.points = points->data,
                                      .count = points->count,
                                      .stride = st_state_dof(child)->coord,
                                      .nodes = nodes->data,
                                      .node_count = nodes->count};

    // searches rely on finite positions
    if (!barycentric_mapping_all_finite(nodes, 3) || !barycentric_mapping_all_finite(points, at.stride))
        return st_invalid(&self->mapping.object, "a position of its states is not finite");

    // after a change most points have their elements still; for a reset all do
    self->parent_size = nodes->count;
    switch (st_why_init(&self->mapping.object)) {
    case ST_INIT_CHANGED: return st_barycentric_rows_repair(&self->rows, &self->mapping.object, topology, &at);
    case ST_INIT_RESET:
        st_barycentric_rows_restored(&self->rows, topology);
        if (st_barycentric_count(&self->rows) == at.count && at.count) return ST_OK;
        break;
    case ST_INIT_FIRST: break;
    }
    self->rows.start.count = 0;
    return st_barycentric_rows_make(&self->rows, &self->mapping.object, topology, &at);
}

// Frames in a container whose largest elements are tetrahedra turn.
static st_status make_frames(barycentric_mapping *self, st_topology *topology) {
    const st_state *parent = st_mapping_in(&self->mapping), *child = st_mapping_out(&self->mapping);

    const bool turning = st_state_dof(child)->rigid && st_barycentric_count(&self->rows) > 0 &&
                         st_is_a(&topology->object, &st_point_set_topology_container_class) &&
                         st_topology_elements(topology, ST_HEXAHEDRON)->count == 0 &&
                         st_topology_elements(topology, ST_TETRAHEDRON)->count > 0;

    if (!turning || st_barycentric_frames_make(&self->frames, &self->rows, places_of(self, parent)->data,
                                               places_of(self, child)->data))
        return ST_OK;

    // out of memory: rows without frames would turn nothing
    self->rows.start.count = 0;
    return st_invalid(&self->mapping.object, "out of memory for its frames");
}

// The mesh of the parent: the given one, or the nearest to its state.
static st_topology *mesh_of(const barycentric_mapping *self) {
    return st_context_topology(st_mapping_in(&self->mapping)->object.node, self->input_topology);
}

static st_status find_rows(barycentric_mapping *self) {
    st_object *object = &self->mapping.object;

    // rows of before are not applied: they may name points that have left the mesh
    const size_t before = self->rows.start.count;
    self->rows.start.count = 0;
    const st_status status = st_mapping_init(object);
    if (status != ST_OK) return status;
    self->rows.start.count = before;

    st_topology *topology = mesh_of(self);
    if (!topology) return st_invalid(object, "the parent state has no topology whose elements could carry points");

    const st_status made = barycentric_mapping_make_rows(self, topology);
    return made == ST_OK ? make_frames(self, topology) : made;
}

static st_status barycentric_mapping_init(st_object *object) {
    barycentric_mapping *self = (barycentric_mapping *)object;
    if (st_why_init(object) == ST_INIT_FIRST) self->rows.start.count = 0;
    self->frames.axes.count = 0;

    const st_status status = find_rows(self);
    if (status != ST_OK) self->rows.start.count = 0;
    return status;
}

static void barycentric_mapping_edited(st_object *object, const st_edits *edits) {
    barycentric_mapping *self = (barycentric_mapping *)object;
    if (st_mapping_has_states(&self->mapping) && mesh_of(self) == edits->topology)
        st_barycentric_rows_edited(&self->rows, edits);
}

static void barycentric_mapping_destroy(st_object *object) {
    st_barycentric_rows_free(&((barycentric_mapping *)object)->rows);
    st_barycentric_frames_free(&((barycentric_mapping *)object)->frames);
}

static const st_field fields[] = {
    ST_FIELD(barycentric_mapping, use_rest_position, "useRestPosition", st_type_bool, "0",
             "find the elements at the rest positions of both states"),
    ST_GEOMETRIC_FIELD(barycentric_mapping, "None"),
    ST_FIELD(barycentric_mapping, mapper, "mapper", st_type_link, NULL, "the search is always its own",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(barycentric_mapping, input_topology, "input_topology", st_type_link, NULL,
             "the mesh that carries the points; the parent state's when not given", .role = ST_ROLE(topology)),
    ST_FIELD(barycentric_mapping, output_topology, "output_topology", st_type_link, NULL, "the mesh of the child",
             .role = ST_ROLE(topology), .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = barycentric_mapping_apply,
    .apply_j = barycentric_mapping_apply_j,
    .apply_jt = barycentric_mapping_apply_jt,
    .jacobian = barycentric_mapping_jacobian,
    .geometric = barycentric_mapping_geometric,
    .add_curvature = barycentric_mapping_add_curvature,
};

// Rows are put back by a reset; otherwise they follow by themselves.
static const st_attached attached[] = {
    {.offset = offsetof(barycentric_mapping, rows.start), .bytes = sizeof(uint32_t), .mesh = ST_WITH_MESH},
    {.offset = offsetof(barycentric_mapping, rows.nodes), .bytes = sizeof(uint32_t), .mesh = ST_WITH_MESH},
    {.offset = offsetof(barycentric_mapping, rows.weights), .bytes = sizeof(st_real), .mesh = ST_WITH_MESH},
    {.offset = offsetof(barycentric_mapping, rows.cells), .bytes = sizeof(uint32_t), .mesh = ST_WITH_MESH},
    {.bytes = 0},
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
    .attached = attached,
    .init = barycentric_mapping_init,
    .edited = barycentric_mapping_edited,
    .destroy = barycentric_mapping_destroy,
    .mapping = &ops,
};
