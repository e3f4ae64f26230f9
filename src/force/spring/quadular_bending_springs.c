// QuadularBendingSprings: for each inner edge of a surface of quads two springs (spring.h) between vertices on both
// sides of it, at their distance at rest. Springs shorter than 1e-4 do not act.
//
//     o-----o-----o       the edge | in the middle is edge i of both quads; springs join vertex i of one with vertex
//     |     |     |       i + 3 of the other: those that face each other where both quads turn the same way
//     o-----o-----o
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/bending_springs.h"

static const st_field fields[] = {
    ST_FIELD(st_bending_springs, stiffness, "stiffness", st_type_real, "100000", "stiffness", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_bending_springs, damping, "damping", st_type_real, "1", "damping", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_bending_springs, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static bool quadular_bending_springs_join(void *context, const st_inner_edge *edge) {
    const int mine = edge->in_mine, other = edge->in_other;
    st_bending_set(context, 2 * (size_t)edge->edge, edge->other[other], edge->mine[(mine + 3) % 4]);
    st_bending_set(context, 2 * (size_t)edge->edge + 1, edge->other[(other + 3) % 4], edge->mine[mine]);
    return true;
}

static st_status quadular_bending_springs_init(st_object *object) {
    st_bending_springs *force = (st_bending_springs *)object;
    st_topology *topology = NULL;
    const st_status status = st_bending_init(force, ST_QUAD, 2, &topology);
    if (status != ST_OK) return status;

    force->kernel.scale_first = true;
    const bool ok =
        st_visit_inner_edges(topology, ST_QUAD, force->base.state->size, true, quadular_bending_springs_join, force);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

const st_class st_quadular_bending_springs_class = {
    .name = "QuadularBendingSprings",
    .help = "springs across the inner edges of a surface of quads",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_bending_springs),
    .example = "<MeshTopology quads=\"0 1 4 3  1 2 5 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0.5  0 1 0  1 1 0  2 1 0.5\"/>\n"
               "<QuadularBendingSprings stiffness=\"100\" damping=\"2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = quadular_bending_springs_init,
    .draw = st_bending_draw,
    .destroy = st_bending_destroy,
    .force = &st_bending_force_ops,
};
