// TriangularBendingSprings: for each inner edge of a surface of triangles a spring (spring.h) between the two vertices
// that face each other across it, at their distance at rest. Springs shorter than 1e-4 do not act.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/bending_springs.h"

static const st_field fields[] = {
    ST_FIELD(st_bending_springs, stiffness, "stiffness", st_type_real, "100000", "stiffness", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_bending_springs, damping, "damping", st_type_real, "1", "damping", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_bending_springs, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(st_bending_springs, show_springs, "showSprings", st_type_bool, "1", "draw the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// Vertex i of a triangle is opposite to its edge i.
static bool triangular_bending_springs_join(void *context, const st_inner_edge *edge) {
    st_bending_set(context, edge->edge, edge->other[edge->in_other], edge->mine[edge->in_mine]);
    return true;
}

static st_status triangular_bending_springs_init(st_object *object) {
    st_bending_springs *force = (st_bending_springs *)object;
    st_topology *topology = NULL;
    const st_status status = st_bending_init(force, ST_TRIANGLE, 1, &topology);
    if (status != ST_OK) return status;

    const bool ok = st_visit_inner_edges(topology, ST_TRIANGLE, force->base.state->size, true,
                                         triangular_bending_springs_join, force);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

const st_class st_triangular_bending_springs_class = {
    .name = "TriangularBendingSprings",
    .help = "springs across the inner edges of a surface of triangles",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_bending_springs),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2  2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.5\"/>\n"
               "<TriangularBendingSprings stiffness=\"100\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = triangular_bending_springs_init,
    .draw = st_bending_draw,
    .destroy = st_bending_destroy,
    .force = &st_bending_force_ops,
};
