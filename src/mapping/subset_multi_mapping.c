// SubsetMultiMapping: the child is made of DOFs of several parents.
//
// indexPairs lists (parent, index) for each child DOF: p_i = q^{parent}_{index}.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/copied_rows.h"
#include "mapping/multi_mapping.h"
#include "settee/plugin/change.h"

typedef struct subset_multi_mapping {
    st_copied_mapping base;
    st_uints index_pairs;
} subset_multi_mapping;

static st_status subset_multi_mapping_make_rows(subset_multi_mapping *self) {
    const st_uints *pairs = &self->index_pairs;
    self->base.parent.count = self->base.index.count = 0;
    const st_status status = st_multi_mapping_check_pairs(&self->base.mapping, pairs);
    if (status != ST_OK) return status;

    for (size_t i = 0; i < pairs->count; i += 2)
        if (!st_list_push(&self->base.parent, pairs->data[i]) || !st_list_push(&self->base.index, pairs->data[i + 1]))
            return st_invalid(&self->base.mapping.object, "out of memory for its %zu pairs", pairs->count / 2);
    return ST_OK;
}

static st_status subset_multi_mapping_init(st_object *object) {
    subset_multi_mapping *self = (subset_multi_mapping *)object;

    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);

    st_status status = subset_multi_mapping_make_rows(self);
    if (status == ST_OK) status = st_mapping_size_child(&self->base.mapping, 0, self->base.index.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(subset_multi_mapping, index_pairs, "indexPairs", st_type_indices, NULL,
             "of each child DOF: number of the parent, index of the DOF in it", .mesh = ST_OF_PARENTS),
    ST_FIELDS_END,
};

const st_class st_subset_multi_mapping_class = {
    .name = "SubsetMultiMapping",
    .help = "the child is made of DOFs of several parents",
    .parent = &st_multi_mapping_class,
    .templates = "Vec3,Vec3 Vec2,Vec2 Vec1,Vec1 Rigid3,Rigid3 Rigid3,Vec3",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(subset_multi_mapping),
    .example = "<MechanicalObject name=\"first\" position=\"0 0 0  1 0 0\"/>\n"
               "<Node name=\"other\">\n"
               "    <MechanicalObject name=\"second\" position=\"0 1 0  1 1 0\"/>\n"
               "</Node>\n"
               "<Node name=\"both\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <SubsetMultiMapping input=\"@../first @../other/second\" output=\"@child\" "
               "indexPairs=\"1 0  0 1  1 1\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN | ST_CLASS_COPIES_DOFS,
    .init = subset_multi_mapping_init,
    .destroy = st_copied_destroy,
    .mapping = &st_copied_ops,
};
