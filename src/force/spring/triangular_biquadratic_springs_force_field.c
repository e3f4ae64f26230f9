// TriangularBiquadraticSpringsForceField: a membrane of triangles as springs in the squares of lengths
// (triangle_springs.h).
//
// A triangle that is smaller than at rest, J = area / area at rest < 1, resists with
//
//     f_j = -3 (λ + μ) (J - 1)³ ∂area/∂x_j
//
// The tangent of this force is blended with its mean, so that it does not become indefinite.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/triangle_springs.h"

static const st_field fields[] = {
    ST_FIELD(st_triangle_springs, compressible, "compressible", st_type_bool, "1",
             "triangles resist being made smaller"),
    ST_FIELDS_END,
};

const st_class st_triangular_biquadratic_springs_force_field_class = {
    .name = "TriangularBiquadraticSpringsForceField",
    .help = "a membrane of triangles as springs in the squares of lengths",
    .parent = &st_triangle_springs_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_triangle_springs),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject rest_position=\"0 0 0  1 0 0  0 1 0  1 1 0\" "
               "position=\"0 0 0  1.3 0 0  0 1.4 0  1.5 1.3 0.2\"/>\n"
               "<TriangularBiquadraticSpringsForceField youngModulus=\"100\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST | ST_CLASS_APPROXIMATE_TANGENT,
};
