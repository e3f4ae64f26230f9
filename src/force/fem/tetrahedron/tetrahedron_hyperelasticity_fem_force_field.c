// TetrahedronHyperelasticityFEMForceField: hyperelastic tetrahedra with an exact derivative (hyperelastic.h has the
// formulas).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/tetrahedron/hyperelastic.h"

static st_status tetrahedron_hyperelasticity_fem_reinit(st_object *object) {
    st_hyperelastic *self = (st_hyperelastic *)object;
    const int32_t index = self->material_index;
    self->material = &st_hyperelastic_materials[index >= 0 && index < ST_HYPERELASTIC_MATERIALS ? index : 0];
    return st_hyperelastic_build(self);
}

static st_status tetrahedron_hyperelasticity_fem_init(st_object *object) {
    const st_status status = st_force_class.init(object);
    return status == ST_OK ? tetrahedron_hyperelasticity_fem_reinit(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(st_hyperelastic, material_index, "materialName", st_type_option, "ArrudaBoyce", "the material",
             .options = st_hyperelastic_names, .flags = ST_FIELD_REINIT),
    ST_FIELD(st_hyperelastic, regularization, "matrixRegularization", st_type_bool, "0", "has no effect in SOFA either",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_tetrahedron_hyperelasticity_fem_force_field_class = {
    .name = "TetrahedronHyperelasticityFEMForceField",
    .help = "hyperelastic tetrahedra, with a choice of materials",
    .parent = &st_hyperelastic_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(st_hyperelastic),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<TetrahedronHyperelasticityFEMForceField materialName=\"MooneyRivlin\" ParameterSet=\"100 50 2000\"/>",
    .init = tetrahedron_hyperelasticity_fem_init,
    .reinit = tetrahedron_hyperelasticity_fem_reinit,
};
