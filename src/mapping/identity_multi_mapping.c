// IdentityMultiMapping: the DOFs of all parents, one parent after another.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/copied_rows.h"
#include "mapping/multi_mapping.h"

static bool identity_multi_mapping_make_rows(st_copied_mapping *self) {
    self->parent.count = self->index.count = 0;

    for (size_t p = 0; p < self->mapping.input.count; p++)
        for (size_t i = 0; i < st_mapping_input(&self->mapping, p)->size; i++)
            if (!st_list_push(&self->parent, (uint32_t)p) || !st_list_push(&self->index, (uint32_t)i)) return false;
    return true;
}

static st_status identity_multi_mapping_init(st_object *object) {
    st_copied_mapping *self = (st_copied_mapping *)object;

    if (!st_mapping_has_states(&self->mapping)) return st_mapping_init(object);
    if (!identity_multi_mapping_make_rows(self)) return st_invalid(object, "out of memory for the DOFs of its parents");

    const st_status status = st_mapping_size_child(&self->mapping, 0, self->index.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

const st_class st_identity_multi_mapping_class = {
    .name = "IdentityMultiMapping",
    .help = "the DOFs of all parents, one parent after another",
    .parent = &st_multi_mapping_class,
    .templates = "Vec3,Vec3 Vec2,Vec2 Vec1,Vec1 Rigid3,Rigid3",
    .default_template = "Vec3,Vec3",
    .size = sizeof(st_copied_mapping),
    .example = "<MechanicalObject name=\"first\" position=\"0 0 0  1 0 0\"/>\n"
               "<Node name=\"other\">\n"
               "    <MechanicalObject name=\"second\" position=\"0 1 0\"/>\n"
               "</Node>\n"
               "<Node name=\"both\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <IdentityMultiMapping input=\"@../first @../other/second\" output=\"@child\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN | ST_CLASS_COPIES_DOFS,
    .init = identity_multi_mapping_init,
    .destroy = st_copied_destroy,
    .mapping = &st_copied_ops,
};
