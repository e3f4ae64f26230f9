// HexahedralFEMForceField: linear elastic hexahedra that turn with the body, for meshes that change.
//
// The same element as HexahedronFEMForceField, except that SOFA takes its stiffness from a formula for cubes
// (hexahedral-cube in the table of compatibility).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron_fem.h"
#include "scene/compat.h"

// The formula reads the rest shape as it stands in the world, not in the frame of the element.
static void law_stiffness(const void *user, size_t e, const st_real *nodes, st_real *k) {
    const st_hexahedron_fem *self = user;
    const st_hooke hooke = st_hexahedron_fem_hooke(self, e);
    bool regular;
    if (self->cube) {
        st_real world[24];
        st_hexahedron_fem_nodes(self, e, st_hexahedron_fem_rest(self)->data, world);
        regular = st_cube_stiffness(world, hooke, k);
    } else {
        regular = st_hexahedron_stiffness(nodes, hooke, k);
    }
    if (!regular) st_hexahedron_fem_tell_flat(self);
}

static st_status reinit(st_object *object) {
    st_hexahedron_fem *self = (st_hexahedron_fem *)object;
    self->cube = st_compat_on(object->scene, ST_COMPAT_HEXAHEDRAL_CUBE);
    self->law = (st_element_law){law_stiffness, st_hexahedron_fem_marks, self};
    return st_hexahedron_fem_build(self, st_hexahedron_fem_rest(self), false);
}

static st_status init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? reinit(object) : status;
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
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = init,
    .reinit = reinit,
};
