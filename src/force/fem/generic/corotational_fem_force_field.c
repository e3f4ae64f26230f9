// CorotationalFEMForceField: linear elasticity on any kind of element, each turned with the body (element_model.h has
// the formulas). The rotation is frozen in the derivative.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "force/fem/generic/generic.h"

static const char *const keys[] = {"stable_polar", "polar", "identity", "triangle", "hexahedron"};

// The frame of three nodes is for tetrahedra and for triangles in space, that of mean edges for hexahedra.
static bool offers(st_rotation_method method, st_element kind, size_t d) {
    if (method == ST_ROTATION_TRIANGLE) return kind == ST_TETRAHEDRON || (kind == ST_TRIANGLE && d == 3);
    if (method == ST_ROTATION_HEXAHEDRON) return kind == ST_HEXAHEDRON;
    return true;
}

static st_rotation_method default_method(st_element kind, size_t d) {
    if (offers(ST_ROTATION_TRIANGLE, kind, d)) return ST_ROTATION_TRIANGLE;
    return offers(ST_ROTATION_HEXAHEDRON, kind, d) ? ST_ROTATION_HEXAHEDRON : ST_ROTATION_STABLE_POLAR;
}

static st_rotation_method corotational_fem_read_method(st_generic_fem *self) {
    st_object *object = &self->elastic.force.object;
    const st_element kind = self->model.kind;
    const char *key = self->rotation_method;
    if (!key || !*key) return default_method(kind, self->model.d);

    // some methods are for triangles or hexahedra only
    for (int i = 0; i <= ST_ROTATION_HEXAHEDRON; i++)
        if (strcmp(key, keys[i]) == 0 && offers((st_rotation_method)i, kind, self->model.d))
            return (st_rotation_method)i;

    st_message(object, ST_ERROR,
               "unknown rotationMethod \"%.40s\": it must be stable_polar, polar, identity%s; "
               "stable_polar is used",
               key,
               offers(ST_ROTATION_TRIANGLE, kind, self->model.d)     ? " or triangle"
               : offers(ST_ROTATION_HEXAHEDRON, kind, self->model.d) ? " or hexahedron"
                                                                     : "");
    return ST_ROTATION_STABLE_POLAR;
}

static st_status corotational_fem_reinit(st_object *object) {
    st_generic_fem *self = (st_generic_fem *)object;
    st_element_model *model = &self->model;

    model->kind = st_generic_fem_kind(object);
    model->d = object->dof->coord;
    model->rotated = true;
    model->method = corotational_fem_read_method(self);

    return st_generic_fem_build(self);
}

static st_status corotational_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? corotational_fem_reinit(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(st_generic_fem, rotation_method, "rotationMethod", st_type_string, NULL,
             "rotation of the elements: stable_polar, polar, identity; triangle for tetrahedra and triangles in space, "
             "hexahedron for hexahedra, which are the defaults there; else stable_polar is"),
    ST_FIELDS_END,
};

const st_class st_corotational_fem_force_field_class = {
    .name = "CorotationalFEMForceField",
    .help = "linear elasticity on any kind of element, turned with the body",
    .parent = &st_generic_fem_class,
    .templates = "Vec3,Tetrahedron Vec3,Hexahedron Vec3,Prism Vec3,Pyramid Vec2,Edge Vec3,Edge Vec2,Triangle "
                 "Vec3,Triangle Vec2,Quad Vec3,Quad",
    .fields = fields,
    .size = sizeof(st_generic_fem),
    .example = "<RegularGridTopology name=\"grid\" n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<CorotationalFEMForceField template=\"Vec3,Hexahedron\" youngModulus=\"1000\" poissonRatio=\"0.3\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = corotational_fem_init,
    .reinit = corotational_fem_reinit,
};
