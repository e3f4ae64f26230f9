// HexahedronFEMForceFieldAndMass: HexahedronFEMForceField with the mass of its elements (hexahedron_mass.h has the
// formulas).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_mass.h"

static st_status hexahedron_fem_force_field_and_mass_reinit(st_object *object) {
    st_hexahedron_mass *self = (st_hexahedron_mass *)object;
    const st_status status = st_hexahedron_fem_force_field_class.reinit(object);
    if (status != ST_OK) return status;

    if (!st_hexahedron_fem_use_grid(&self->fem, &self->mass_part, true)) return st_invalid(object, "out of memory");
    return st_hexahedron_mass_build(self, st_hexahedron_fem_rest(&self->fem)->data);
}

static st_status hexahedron_fem_force_field_and_mass_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? hexahedron_fem_force_field_and_mass_reinit(object) : status;
}

static const st_field fields[] = {
    ST_HEXAHEDRON_MASS_FIELDS,

    ST_FIELDS_END,
};

const st_class st_hexahedron_fem_force_field_and_mass_class = {
    .name = "HexahedronFEMForceFieldAndMass",
    .help = "linear elastic hexahedra that turn with the body, and their mass",
    .parent = &st_hexahedron_fem_force_field_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hexahedron_mass),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<HexahedronFEMForceFieldAndMass youngModulus=\"1000\" poissonRatio=\"0.3\" density=\"2\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = hexahedron_fem_force_field_and_mass_init,
    .reinit = hexahedron_fem_force_field_and_mass_reinit,
    .destroy = st_hexahedron_mass_destroy,
    .force = &st_hexahedron_mass_force_ops,
    .mass = &st_hexahedron_mass_ops,
};
