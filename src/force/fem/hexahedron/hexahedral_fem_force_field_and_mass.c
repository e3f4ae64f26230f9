// HexahedralFEMForceFieldAndMass: HexahedralFEMForceField with the mass of its elements (hexahedron_mass.h has the
// formulas).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_mass.h"

static st_status hexahedral_fem_force_field_and_mass_reinit(st_object *object) {
    st_hexahedron_mass *self = (st_hexahedron_mass *)object;
    const st_status status = st_hexahedral_fem_force_field_class.reinit(object);
    if (status != ST_OK) return status;
    return st_hexahedron_mass_build(self, st_hexahedron_fem_rest(&self->fem)->data);
}

static st_status hexahedral_fem_force_field_and_mass_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? hexahedral_fem_force_field_and_mass_reinit(object) : status;
}

static const st_field fields[] = {
    ST_HEXAHEDRON_MASS_FIELDS,
    ST_FIELD(st_hexahedron_mass, ignored_mass[1], "totalMass", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_hexahedron_mass, ignored_mass[2], "particleMasses", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_hexahedron_mass, ignored_mass[3], "lumpedMasses", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_hexahedral_fem_force_field_and_mass_class = {
    .name = "HexahedralFEMForceFieldAndMass",
    .help = "linear elastic hexahedra that turn with the body, and their mass",
    .parent = &st_hexahedral_fem_force_field_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hexahedron_mass),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<HexahedralFEMForceFieldAndMass youngModulus=\"1000\" poissonRatio=\"0.3\" density=\"2\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = hexahedral_fem_force_field_and_mass_init,
    .reinit = hexahedral_fem_force_field_and_mass_reinit,
    .destroy = st_hexahedron_mass_destroy,
    .force = &st_hexahedron_mass_force_ops,
    .mass = &st_hexahedron_mass_ops,
};
