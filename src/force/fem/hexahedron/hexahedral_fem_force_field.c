// HexahedralFEMForceField: linear elastic hexahedra that turn with the body, for meshes that change.
//
// The same element as HexahedronFEMForceField. (SOFA's takes its stiffness from a formula for cubes along the axes, in
// single precision, whatever the shape of the element.)
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/hexahedron_fem.h"

static st_status hexahedral_fem_reinit(st_object *object) {
    st_hexahedron_fem *self = (st_hexahedron_fem *)object;
    self->law = st_hexahedron_fem_law(self);
    return st_hexahedron_fem_build(self, st_hexahedron_fem_rest(self), false);
}

static st_status hexahedral_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? hexahedral_fem_reinit(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(st_hexahedron_fem, ignored[0], "hexahedronInfo", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_hexahedral_fem_force_field_class = {
    .name = "HexahedralFEMForceField",
    .help = "linear elastic hexahedra that turn with the body, for meshes that change",
    .parent = &st_hexahedron_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hexahedron_fem),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<HexahedralFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"polar\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = hexahedral_fem_init,
    .reinit = hexahedral_fem_reinit,
};
