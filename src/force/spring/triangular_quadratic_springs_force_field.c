// TriangularQuadraticSpringsForceField: a membrane of triangles as springs in the lengths of edges
// (triangle_springs.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/triangle_springs.h"

static st_status triangular_quadratic_springs_construct(st_object *object) {
    ((st_triangle_springs *)object)->quadratic = true;
    return ST_OK;
}

const st_class st_triangular_quadratic_springs_force_field_class = {
    .name = "TriangularQuadraticSpringsForceField",
    .help = "a membrane of triangles as springs in the lengths of edges",
    .parent = &st_triangle_springs_class,
    .templates = "Vec3",
    .size = sizeof(st_triangle_springs),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  0 1 0  1 1 0\" "
               "position=\"0 0 0  1.3 0 0  0 1.4 0  1.5 1.3 0.2\"/>\n"
               "<TriangularQuadraticSpringsForceField youngModulus=\"100\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .construct = triangular_quadratic_springs_construct,
};
