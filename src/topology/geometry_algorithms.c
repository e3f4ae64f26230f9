// The components that answer questions of geometry for a container. The formulas are in geometry.h; what remains here
// are their attributes, most of them about what is drawn, and the orientation of triangles:
//
//     from triangle 0 over all triangles connected to it, vertices 1 and 2 are exchanged where n · n0 < 0.15 |n| |n0|,
//     n0 being the normal of triangle 0 (or its opposite with flipNormals)
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "settee/plugin/state.h"
#include "topology/adjacency.h"
#include "topology/topology.h"
#include "topology/voxel_containers.h"

typedef struct algorithms {
    st_object object;
    st_object *topology;
    char *tag_mechanics;
    bool recompute_orientation, flip_normals;
    bool show_indices[6], draw[5], draw_normals;
    st_real indices_scale, scale[2], colors[5][4], normal_length;
} algorithms;

#define SHOW(member, name, type, value, help)                                                                          \
    ST_FIELD(algorithms, member, name, type, value, help, .flags = ST_FIELD_DISPLAY)
#define DRAW(index, kind, Kind, color)                                                                                 \
    SHOW(draw[index], "draw" Kind, st_type_bool, "0", "draw the " kind),                                               \
        SHOW(colors[index], "drawColor" Kind, st_type_color, color, "color of the drawn " kind)

static const st_field point_fields[] = {
    ST_FIELD(algorithms, tag_mechanics, "tagMechanics", st_type_string, NULL,
             "tag of the state whose positions are used", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(algorithms, topology, "topology", st_type_link, NULL, "topology to use instead of the node's",
             .role = ST_ROLE(topology)),
    SHOW(show_indices[5], "showPointIndices", st_type_bool, "0", "draw the numbers of the points"),
    SHOW(indices_scale, "showIndicesScale", st_type_real, "0.02", "size of the drawn numbers"),
    ST_FIELDS_END,
};

static const st_field edge_fields[] = {
    SHOW(show_indices[0], "showEdgeIndices", st_type_bool, "0", "draw the numbers of the edges"),
    DRAW(0, "edges", "Edges", "0.4 1 0.3 1"),
    ST_FIELDS_END,
};

static const st_field triangle_fields[] = {
    ST_FIELD(algorithms, recompute_orientation, "recomputeTrianglesOrientation", st_type_bool, "0",
             "turn all triangles to the side of the first one at init"),
    ST_FIELD(algorithms, flip_normals, "flipNormals", st_type_bool, "0", "turn them to the opposite side"),
    SHOW(show_indices[1], "showTriangleIndices", st_type_bool, "0", "draw the numbers of the triangles"),
    DRAW(1, "triangles", "Triangles", "0.3 0.5 0.8 1"),
    SHOW(draw_normals, "drawNormals", st_type_bool, "0", "draw the normals of the triangles"),
    SHOW(normal_length, "drawNormalLength", st_type_real, "10", "length of the drawn normals"),
    ST_FIELDS_END,
};

static const st_field quad_fields[] = {
    SHOW(show_indices[2], "showQuadIndices", st_type_bool, "0", "draw the numbers of the quads"),
    DRAW(2, "quads", "Quads", "0 0.4 0.4 1"),
    ST_FIELDS_END,
};

static const st_field tetrahedron_fields[] = {
    SHOW(show_indices[3], "showTetrahedraIndices", st_type_bool, "0", "draw the numbers of the tetrahedra"),
    DRAW(3, "tetrahedra", "Tetrahedra", "1 1 0 1"),
    SHOW(scale[0], "drawScaleTetrahedra", st_type_real, "1", "size of the drawn tetrahedra"),
    ST_FIELDS_END,
};

static const st_field hexahedron_fields[] = {
    SHOW(show_indices[4], "showHexaIndices", st_type_bool, "0", "draw the numbers of the hexahedra"),
    DRAW(4, "hexahedra", "Hexahedra", "1 1 0 1"),
    SHOW(scale[1], "drawScaleHexahedra", st_type_real, "1", "size of the drawn hexahedra"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Orientation
// ---------------------------------------------------------------------------------------------------

// Positions of the state where it has them all, else those that the topology brings. NULL: neither.
static const st_real *geometry_algorithms_positions(st_object *object, st_topology *topology) {
    const size_t points = st_topology_points(topology);
    const st_state *state = (const st_state *)st_find_slot(object->node, ST_ROLE(state));

    if (state && st_state_dof(state)->coord == 3 && state->coord[ST_COORD_POSITION].count >= points)
        return state->coord[ST_COORD_POSITION].data;
    return topology->position.count >= points ? topology->position.data : NULL;
}

// (p1 - p0) × (p2 - p0)
static void normal_of(const st_real *x, const uint32_t v[3], st_real normal[3]) {
    st_real a[3], b[3];
    st_vec3_sub(a, x + 3 * (size_t)v[1], x + 3 * (size_t)v[0]);
    st_vec3_sub(b, x + 3 * (size_t)v[2], x + 3 * (size_t)v[0]);
    st_vec3_cross(normal, a, b);
}

static void geometry_algorithms_turn(uint32_t *triangle, const st_real *x, const st_real reference[3]) {
    st_real normal[3];
    normal_of(x, triangle, normal);

    const st_real cosine = st_vec3_dot(normal, reference) / (st_vec3_norm(normal) * st_vec3_norm(reference));
    if (!(cosine < ST_R(0.15))) return;

    const uint32_t swap = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = swap;
}

static st_status geometry_algorithms_orient(algorithms *self, st_topology *topology) {
    st_uints *triangles = &topology->elements[ST_TRIANGLE];
    if (st_topology_elements(topology, ST_TRIANGLE)->count == 0) return ST_OK;

    const st_real *x = geometry_algorithms_positions(&self->object, topology);
    if (!x) return st_invalid(&self->object, "the triangles cannot be oriented: their points have no positions");

    // the triangles that hang together with the first one
    st_uints connected = {0};
    if (!st_topology_connected(topology, ST_TRIANGLE, 0, &connected)) return ST_OUT_OF_MEMORY;

    // n0 = normal of triangle 0; flipNormals asks for the opposite side
    st_real reference[3];
    normal_of(x, triangles->data, reference);
    if (self->flip_normals) st_vec3_negate(reference, reference);

    for (size_t i = 0; i < connected.count; i++)
        geometry_algorithms_turn(triangles->data + 3 * (size_t)connected.data[i], x, reference);

    st_list_free(&connected);
    st_adjacency_drop(topology);
    st_touch(&topology->object, triangles);
    return ST_OK;
}

static st_status geometry_algorithms_init(st_object *object) {
    algorithms *self = (algorithms *)object;
    st_topology *topology = st_context_topology(object->node, self->topology);
    if (!topology) return st_invalid(object, "there is no topology in this node or above");

    self->topology = &topology->object;
    return self->recompute_orientation ? geometry_algorithms_orient(self, topology) : ST_OK;
}

static st_status geometry_algorithms_init_dynamic_grid(st_object *object) {
    const st_topology *topology = st_context_topology(object->node, ((algorithms *)object)->topology);
    if (topology && st_is_a(&topology->object, &st_dynamic_sparse_grid_topology_container_class))
        return geometry_algorithms_init(object);
    return st_invalid(object, "there is no %s in this node or above",
                      st_dynamic_sparse_grid_topology_container_class.name);
}

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

#define EXAMPLE(kind) "<" kind "SetTopologyContainer/><" kind "SetGeometryAlgorithms/>"

const st_class st_point_set_geometry_algorithms_class = {
    .name = "PointSetGeometryAlgorithms",
    .help = "geometry of a PointSetTopologyContainer",
    .kind = "mesh geometry",
    .parent = &st_object_class,
    .templates = "Vec1 Vec2 Vec3",
    .default_template = "Vec3",
    .fields = point_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Point"),
    .init = geometry_algorithms_init,
};

const st_class st_edge_set_geometry_algorithms_class = {
    .name = "EdgeSetGeometryAlgorithms",
    .help = "geometry of an EdgeSetTopologyContainer",
    .parent = &st_point_set_geometry_algorithms_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = edge_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Edge"),
};

const st_class st_triangle_set_geometry_algorithms_class = {
    .name = "TriangleSetGeometryAlgorithms",
    .help = "geometry of a TriangleSetTopologyContainer; orients its triangles on demand",
    .parent = &st_edge_set_geometry_algorithms_class,
    .templates = "Vec2 Vec3",
    .default_template = "Vec3",
    .fields = triangle_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Triangle"),
};

const st_class st_quad_set_geometry_algorithms_class = {
    .name = "QuadSetGeometryAlgorithms",
    .help = "geometry of a QuadSetTopologyContainer",
    .parent = &st_edge_set_geometry_algorithms_class,
    .templates = "Vec2 Vec3",
    .default_template = "Vec3",
    .fields = quad_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Quad"),
};

const st_class st_tetrahedron_set_geometry_algorithms_class = {
    .name = "TetrahedronSetGeometryAlgorithms",
    .help = "geometry of a TetrahedronSetTopologyContainer",
    .parent = &st_triangle_set_geometry_algorithms_class,
    .templates = "Vec2 Vec3",
    .default_template = "Vec3",
    .fields = tetrahedron_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Tetrahedron"),
};

const st_class st_hexahedron_set_geometry_algorithms_class = {
    .name = "HexahedronSetGeometryAlgorithms",
    .help = "geometry of a HexahedronSetTopologyContainer",
    .parent = &st_quad_set_geometry_algorithms_class,
    .templates = "Vec2 Vec3",
    .default_template = "Vec3",
    .fields = hexahedron_fields,
    .size = sizeof(algorithms),
    .example = EXAMPLE("Hexahedron"),
};

const st_class st_dynamic_sparse_grid_geometry_algorithms_class = {
    .name = "DynamicSparseGridGeometryAlgorithms",
    .help = "geometry of a DynamicSparseGridTopologyContainer",
    .parent = &st_hexahedron_set_geometry_algorithms_class,
    .templates = "Vec2 Vec3",
    .default_template = "Vec3",
    .size = sizeof(algorithms),
    .example = "<VoxelGridLoader name=\"loader\" filename=\"image.raw\" resolution=\"64 64 32\" bgValue=\"0\"/>\n"
               "<DynamicSparseGridTopologyContainer src=\"@loader\"/>\n"
               "<DynamicSparseGridGeometryAlgorithms/>",
    .init = geometry_algorithms_init_dynamic_grid,
};
