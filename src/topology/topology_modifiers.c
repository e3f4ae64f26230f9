// The modifiers: through them a changeable container is changed. Each works on the container of its kind, in its own
// node or above.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/plugin/change.h"
#include "topology/edit.h"
#include "topology/voxel_containers.h"

static const st_field point_fields[] = {
    ST_FIELD(st_modifier, propagate_to_dof, "propagateToDOF", st_type_bool, "1",
             "points that lose their last element leave the state, too"),
    ST_FIELDS_END,
};

static const st_field triangle_fields[] = {
    ST_FIELD(st_modifier, list_out, "list_Out", st_type_indices, NULL,
             "points; a new initialization removes every triangle that has one of them", .mesh = ST_INDICES(ST_POINT)),
    ST_FIELDS_END,
};

static const st_field volume_fields[] = {
    ST_FIELD(st_modifier, remove_isolated, "removeIsolated", st_type_bool, "1",
             "points that lose their last element are removed"),
    ST_FIELDS_END,
};

static st_status find_container(st_object *object, const st_class *kind) {
    st_modifier *modifier = (st_modifier *)object;
    modifier->container = (st_container *)st_find_class(object->node, kind, ST_UP);

    if (modifier->container) return ST_OK;
    return st_invalid(object, "there is no %s in this node or above that it could change", kind->name);
}

// Removes the triangles that have one of the listed points.
static st_status triangle_modifier_reinit(st_object *object) {
    st_modifier *modifier = (st_modifier *)object;
    if (!modifier->container || modifier->list_out.count == 0) return ST_OK;
    st_topology *topology = &modifier->container->topology;
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    st_uints out = {0};
    bool ok = true;

    // triangles with a listed vertex
    for (size_t i = 0; ok && i < triangles->count; i++) {
        bool listed = false;
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < modifier->list_out.count; j++)
                listed = listed || triangles->data[3 * i + k] == modifier->list_out.data[j];
        if (listed) ok = st_list_push(&out, (uint32_t)i);
    }

    const st_status status = ok ? st_edit_remove_items(modifier, out.data, out.count) : ST_OUT_OF_MEMORY;
    st_list_free(&out);
    return status;
}

static st_status topology_modifiers_init_point(st_object *o) {
    return find_container(o, &st_point_set_topology_container_class);
}
static st_status topology_modifiers_init_edge(st_object *o) {
    return find_container(o, &st_edge_set_topology_container_class);
}
static st_status topology_modifiers_init_triangle(st_object *o) {
    return find_container(o, &st_triangle_set_topology_container_class);
}
static st_status topology_modifiers_init_quad(st_object *o) {
    return find_container(o, &st_quad_set_topology_container_class);
}
static st_status topology_modifiers_init_tetrahedron(st_object *o) {
    return find_container(o, &st_tetrahedron_set_topology_container_class);
}
static st_status topology_modifiers_init_hexahedron(st_object *o) {
    return find_container(o, &st_hexahedron_set_topology_container_class);
}

static st_status topology_modifiers_init_dynamic_grid(st_object *o) {
    return find_container(o, &st_dynamic_sparse_grid_topology_container_class);
}

#define EXAMPLE(kind) "<" kind "SetTopologyContainer/><" kind "SetTopologyModifier/>"

const st_class st_point_set_topology_modifier_class = {
    .name = "PointSetTopologyModifier",
    .help = "changes a PointSetTopologyContainer",
    .kind = "mesh geometry",
    .parent = &st_object_class,
    .fields = point_fields,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Point"),
    .init = topology_modifiers_init_point,
};

const st_class st_edge_set_topology_modifier_class = {
    .name = "EdgeSetTopologyModifier",
    .help = "changes an EdgeSetTopologyContainer",
    .parent = &st_point_set_topology_modifier_class,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Edge"),
    .init = topology_modifiers_init_edge,
};

const st_class st_triangle_set_topology_modifier_class = {
    .name = "TriangleSetTopologyModifier",
    .help = "changes a TriangleSetTopologyContainer",
    .parent = &st_edge_set_topology_modifier_class,
    .fields = triangle_fields,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Triangle"),
    .init = topology_modifiers_init_triangle,
    .reinit = triangle_modifier_reinit,
};

const st_class st_quad_set_topology_modifier_class = {
    .name = "QuadSetTopologyModifier",
    .help = "changes a QuadSetTopologyContainer",
    .parent = &st_edge_set_topology_modifier_class,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Quad"),
    .init = topology_modifiers_init_quad,
};

const st_class st_tetrahedron_set_topology_modifier_class = {
    .name = "TetrahedronSetTopologyModifier",
    .help = "changes a TetrahedronSetTopologyContainer",
    .parent = &st_triangle_set_topology_modifier_class,
    .fields = volume_fields,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Tetrahedron"),
    .init = topology_modifiers_init_tetrahedron,
};

const st_class st_hexahedron_set_topology_modifier_class = {
    .name = "HexahedronSetTopologyModifier",
    .help = "changes a HexahedronSetTopologyContainer",
    .parent = &st_quad_set_topology_modifier_class,
    .fields = volume_fields,
    .size = sizeof(st_modifier),
    .example = EXAMPLE("Hexahedron"),
    .init = topology_modifiers_init_hexahedron,
};

const st_class st_dynamic_sparse_grid_topology_modifier_class = {
    .name = "DynamicSparseGridTopologyModifier",
    .help = "changes a DynamicSparseGridTopologyContainer",
    .parent = &st_hexahedron_set_topology_modifier_class,
    .size = sizeof(st_modifier),
    .example = "<VoxelGridLoader name=\"loader\" filename=\"image.raw\" resolution=\"64 64 32\" bgValue=\"0\"/>\n"
               "<DynamicSparseGridTopologyContainer src=\"@loader\"/>\n"
               "<DynamicSparseGridTopologyModifier/>",
    .init = topology_modifiers_init_dynamic_grid,
};
