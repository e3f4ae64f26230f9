// StandardTetrahedralFEMForceField: the older of the two hyperelastic forces (hyperelastic.h has the formulas). It has
// all materials but StableNeoHookean.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "force/fem/tetrahedron/hyperelastic.h"

static st_status standard_tetrahedral_fem_reinit(st_object *object) {
    st_hyperelastic *self = (st_hyperelastic *)object;
    const char *name = self->material_name ? self->material_name : "";

    self->material = st_hyperelastic_find(name);
    if (!self->material || strcmp(name, "StableNeoHookean") == 0)
        return st_invalid(object,
                          "unknown materialName \"%.40s\": it must be ArrudaBoyce, StVenantKirchhoff, NeoHookean, "
                          "MooneyRivlin, VerondaWestman, Costa or Ogden",
                          name);

    return st_hyperelastic_build(self);
}

static st_status standard_tetrahedral_fem_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    return status == ST_OK ? standard_tetrahedral_fem_reinit(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(st_hyperelastic, material_name, "materialName", st_type_string, "ArrudaBoyce",
             "the material: ArrudaBoyce, StVenantKirchhoff, NeoHookean, MooneyRivlin, VerondaWestman, Costa or Ogden"),
    ST_FIELD(st_hyperelastic, parameter_file, "ParameterFile", st_type_string, "myFile.param",
             "has no effect in SOFA either", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_standard_tetrahedral_fem_force_field_class = {
    .name = "StandardTetrahedralFEMForceField",
    .help = "hyperelastic tetrahedra, with a choice of materials",
    .parent = &st_hyperelastic_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hyperelastic),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<StandardTetrahedralFEMForceField materialName=\"NeoHookean\" ParameterSet=\"100 500\"/>",
    .init = standard_tetrahedral_fem_init,
    .reinit = standard_tetrahedral_fem_reinit,
};
