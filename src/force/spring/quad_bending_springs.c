// QuadBendingSprings: springs (spring.h) between vertices that face each other across an edge of a quad, found from the
// list of quads without need of a list of edges.
//
//     d----b----f      the first quad at the edge a b leaves the pair (c, d) there, c beside a and d beside b; each
//     |    |    |      further one, with (e, f), is joined by the springs e-c and f-d
//     c----a----e
//
// The lengths at rest are those at the start.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/facing_springs.h"
#include "state/local_range.h"
#include "topology/element_set.h"
#include "topology/topology.h"

typedef struct quad_bending {
    st_spring_force springs;
    int32_t local_range[2];
    st_object *topology;
} quad_bending;

static const st_field fields[] = {
    ST_FIELD(quad_bending, local_range, "localRange", st_type_int2, "-1 -1",
             "leave out springs with both ends below the first number or both above the second",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(quad_bending, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

typedef struct spring_builder {
    quad_bending *force;
    st_element_set edges;   // value: place in `facing`
    st_uints facing;        // two vertices for each edge: beside its smaller, beside its larger vertex
    st_element_set springs; // pairs that have a spring
} spring_builder;

static bool out_of_range(const quad_bending *force, uint32_t a, uint32_t b) {
    const int64_t low = force->local_range[0], high = force->local_range[1];
    if (low >= 0 && (int64_t)a < low && (int64_t)b < low) return true;
    return high >= 0 && (int64_t)a > high && (int64_t)b > high;
}

static bool quad_bending_springs_join(spring_builder *builder, uint32_t a, uint32_t b) {
    if (out_of_range(builder->force, a, b)) return true;

    const st_element_set_result result = st_element_set_add(&builder->springs, (const uint32_t[2]){a, b}, 2, 0);
    if (result == ST_SET_ADDED) return st_facing_springs_add(&builder->force->springs, a, b);
    return result == ST_SET_KNOWN;
}

// The edge a b of a quad, with c beside a and d beside b.
static bool meet_edge(spring_builder *builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t pair[2] = {a, b}, first = a > b ? d : c, second = a > b ? c : d;
    const size_t place = builder->facing.count;

    // the first quad leaves its pair there
    switch (st_element_set_add(&builder->edges, pair, 2, (uint32_t)place)) {
    case ST_SET_NO_MEMORY: return false;
    case ST_SET_ADDED:
        if (!st_list_set_count(&builder->facing, place + 1, 2)) return false;
        builder->facing.data[2 * place] = first;
        builder->facing.data[2 * place + 1] = second;
        return true;
    case ST_SET_KNOWN: break;
    }

    // each further one is joined to it
    const size_t known = st_element_set_find(&builder->edges, pair, 2);
    return quad_bending_springs_join(builder, first, builder->facing.data[2 * known]) &&
           quad_bending_springs_join(builder, second, builder->facing.data[2 * known + 1]);
}

static st_status quad_bending_springs_init(st_object *object) {
    quad_bending *force = (quad_bending *)object;
    st_topology *topology = NULL;
    const st_status status = st_facing_springs_init(&force->springs, force->topology, &topology);
    if (status != ST_OK) return status;

    st_check_local_range(object, force->local_range);
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    spring_builder builder = {.force = force};
    bool ok = true;

    // the four edges of each quad, with the vertices beside their ends
    for (size_t i = 0; ok && i < quads->count; i++) {
        const uint32_t *q = quads->data + 4 * i;
        ok = meet_edge(&builder, q[0], q[1], q[3], q[2]) && meet_edge(&builder, q[1], q[2], q[0], q[3]) &&
             meet_edge(&builder, q[2], q[3], q[1], q[0]) && meet_edge(&builder, q[3], q[0], q[2], q[1]);
    }

    st_element_set_free(&builder.edges);
    st_element_set_free(&builder.springs);
    st_list_free(&builder.facing);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

const st_class st_quad_bending_springs_class = {
    .name = "QuadBendingSprings",
    .help = "springs across the edges of quads",
    .parent = &st_spring_force_field_class,
    .templates = "Vec2 Vec3",
    .fields = fields,
    .size = sizeof(quad_bending),
    .example = "<MeshTopology quads=\"0 1 4 3  1 2 5 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0.5  0 1 0  1 1 0  2 1 0.5\"/>\n"
               "<QuadBendingSprings stiffness=\"100\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = quad_bending_springs_init,
    .changed = st_facing_springs_changed,
};
