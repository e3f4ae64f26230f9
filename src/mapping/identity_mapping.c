// IdentityMapping: each child point is a parent point, p_i = q_i.
//
// Where the child's type has fewer scalars the first ones are taken: the center of a rigid, the first three of a Vec6
// (mapping/copied_rows.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/copied_rows.h"
#include "mapping/states.h"

static st_status identity_mapping_init(st_object *object) {
    st_copied_mapping *self = (st_copied_mapping *)object;
    self->in_order = true;

    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);
    const st_status status = st_mapping_size_child(&self->mapping, 0, st_mapping_in(&self->mapping)->size);
    return status == ST_OK ? st_mapping_init(object) : status;
}

const st_class st_identity_mapping_class = {
    .name = "IdentityMapping",
    .help = "each child point follows the parent point of the same number",
    .parent = &st_mapping_class,
    .templates =
        "Vec3,Vec3 Vec2,Vec2 Vec1,Vec1 Vec6,Vec6 Vec6,Vec3 Rigid3,Rigid3 Rigid2,Rigid2 Rigid3,Vec3 Rigid2,Vec2",
    .size = sizeof(st_copied_mapping),
    .example =
        "<MechanicalObject name=\"parent\" template=\"Rigid3\" position=\"1 0 0  0 0 0 1  2 1 0  0.6 0 0 0.8\"/>\n"
        "<Node name=\"points\">\n"
        "    <MechanicalObject name=\"child\" template=\"Vec3\"/>\n"
        "    <IdentityMapping input=\"@../parent\" output=\"@child\"/>\n"
        "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN | ST_CLASS_COPIES_DOFS,
    .init = identity_mapping_init,
    .mapping = &st_copied_ops,
};
