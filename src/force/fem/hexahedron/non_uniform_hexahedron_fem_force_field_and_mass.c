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
             "how many of the finer levels of the sparse grid are used"),
    ST_FIELD(st_non_uniform_hexahedron, use_mass, "useMass", st_type_bool, "1",
             "use the mass of the cells; otherwise each point has totalMass over the number of elements"),
    ST_FIELD(st_non_uniform_hexahedron, total_mass, "totalMass", st_type_real, "0", "the mass when useMass is off"),
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
    .reinit = st_non_uniform_hexahedron_reinit,
    .destroy = st_non_uniform_hexahedron_destroy,
};
