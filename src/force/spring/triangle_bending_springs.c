// TriangleBendingSprings: springs (spring.h) between vertices that face each other across an edge, found from the lists
// of triangles, then of quads (split into 0 1 2 and 0 2 3), without need of a list of edges.
//
// The first triangle at an edge leaves its opposite vertex there; each further one is joined to it. The lengths at rest
// are those at the start.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/facing_springs.h"
#include "topology/element_set.h"
#include "topology/topology.h"

typedef struct triangle_bending {
    st_spring_force springs;
    st_object *topology;
} triangle_bending;

static const st_field fields[] = {
    ST_FIELD(triangle_bending, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

typedef struct spring_builder {
    st_spring_force *force;
    st_element_set edges; // value: the vertex that faces the edge
} spring_builder;

static bool meet_edge(spring_builder *builder, uint32_t a, uint32_t b, uint32_t facing) {
    const uint32_t pair[2] = {a, b};
    switch (st_element_set_add(&builder->edges, pair, 2, facing)) {
    case ST_SET_NO_MEMORY: return false;
    case ST_SET_ADDED: return true;
    case ST_SET_KNOWN: break;
    }
    return st_facing_springs_add(builder->force, facing, st_element_set_find(&builder->edges, pair, 2));
}

static bool meet_triangle(spring_builder *builder, uint32_t a, uint32_t b, uint32_t c) {
    return meet_edge(builder, a, b, c) && meet_edge(builder, b, c, a) && meet_edge(builder, c, a, b);
}

static bool triangle_bending_springs_make_springs(st_spring_force *force, st_topology *topology) {
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    spring_builder builder = {.force = force};
    bool ok = true;

    for (size_t i = 0; ok && i < triangles->count; i++) {
        const uint32_t *v = triangles->data + 3 * i;
        ok = meet_triangle(&builder, v[0], v[1], v[2]);
    }

    // quads are the triangles 0 1 2 and 0 2 3
    for (size_t i = 0; ok && i < quads->count; i++) {
        const uint32_t *v = quads->data + 4 * i;
        ok = meet_triangle(&builder, v[0], v[1], v[2]) && meet_triangle(&builder, v[0], v[2], v[3]);
    }

    st_element_set_free(&builder.edges);
    return ok;
}

static st_status triangle_bending_springs_init(st_object *object) {
    triangle_bending *force = (triangle_bending *)object;
    force->springs.base.state = force->springs.base.other = NULL; // always the state of the node

    st_topology *topology = NULL;
    const st_status status = st_facing_springs_init(&force->springs, force->topology, &topology);
    if (status != ST_OK) return status;
    return triangle_bending_springs_make_springs(&force->springs, topology) ? ST_OK : ST_OUT_OF_MEMORY;
}

const st_class st_triangle_bending_springs_class = {
    .name = "TriangleBendingSprings",
    .help = "springs across the edges of triangles",
    .parent = &st_spring_force_field_class,
    .templates = "Vec2 Vec3",
    .fields = fields,
    .size = sizeof(triangle_bending),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2  2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.5\"/>\n"
               "<TriangleBendingSprings stiffness=\"100\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = triangle_bending_springs_init,
    .changed = st_facing_springs_changed,
};
