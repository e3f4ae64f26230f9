// NonUniformHexahedronFEMForceFieldAndMass: hexahedra of a sparse grid with the stiffness and mass of
// finer cells within them, which follow the corners trilinearly (condensation.h has the formulas).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/non_uniform_hexahedron.h"

static st_status non_uniform_hexahedron_fem_force_field_and_mass_init(st_object *object) {
    return st_non_uniform_hexahedron_init(object, false);
}

static const st_field fields[] = {
    ST_FIELD(st_non_uniform_hexahedron, levels, "nbVirtualFinerLevels", st_type_int, "0",
             "how many of the finer levels of the sparse grid are used", .flags = ST_FIELD_REINIT),
    ST_FIELD(st_non_uniform_hexahedron, use_mass, "useMass", st_type_bool, "1",
             "use the mass of the cells; otherwise each point has totalMass over the number of elements",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(st_non_uniform_hexahedron, total_mass, "totalMass", st_type_real, "0", "the mass when useMass is off",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(st_non_uniform_hexahedron, mass.fem.update_stiffness_matrix, "updateStiffnessMatrix", st_type_bool, "0",
             "the shape that counts is that at the start", .flags = ST_FIELD_FIXED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_non_uniform_hexahedron_fem_force_field_and_mass_class = {
    .name = "NonUniformHexahedronFEMForceFieldAndMass",
    .help = "hexahedra of a sparse grid with the stiffness and mass of finer cells within them",
    .parent = &st_hexahedron_fem_force_field_and_mass_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_non_uniform_hexahedron),
    .example = "<SparseGridTopology n=\"3 3 3\" nbVirtualFinerLevels=\"1\" position=\"0 0 0  2 0 0  0 2 0  0 0 2\"\n"
               "                    triangles=\"0 2 1  0 1 3  0 3 2  1 2 3\"/>\n"
               "<MechanicalObject/>\n"
               "<NonUniformHexahedronFEMForceFieldAndMass nbVirtualFinerLevels=\"1\" youngModulus=\"1000\" "
               "poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = non_uniform_hexahedron_fem_force_field_and_mass_init,
    .reinit = non_uniform_hexahedron_fem_force_field_and_mass_init,
    .destroy = st_non_uniform_hexahedron_destroy,
};
