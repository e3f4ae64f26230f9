// LinearSmallStrainFEMForceField: linear elasticity for small displacements on any kind of element, f = -K (x - X).
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/generic.h"

static st_status linear_small_strain_fem_reinit(st_object *object) {
    st_generic_fem *self = (st_generic_fem *)object;
    self->model.kind = st_generic_fem_kind(object);
    self->model.d = object->dof->coord;
    return st_generic_fem_build(self);
}

static st_status linear_small_strain_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? linear_small_strain_fem_reinit(object) : status;
}

const st_class st_linear_small_strain_fem_force_field_class = {
    .name = "LinearSmallStrainFEMForceField",
    .help = "linear elasticity for small displacements, on any kind of element",
    .parent = &st_generic_fem_class,
    .templates = "Vec3,Tetrahedron Vec3,Hexahedron Vec3,Prism Vec3,Pyramid Vec1,Edge Vec2,Edge Vec3,Edge Vec2,Triangle "
                 "Vec3,Triangle Vec2,Quad Vec3,Quad",
    .size = sizeof(st_generic_fem),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<LinearSmallStrainFEMForceField template=\"Vec3,Hexahedron\" youngModulus=\"1000\" "
               "poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_PRODUCT_BY_MATRIX,
    .init = linear_small_strain_fem_init,
    .reinit = linear_small_strain_fem_reinit,
};
