// RigidContactMapping: contact points at rest in the frames of a Rigid3 state, p = c + R l (mapping/carried_rows.h).
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/contact_mappings.h"
#include "mapping/carried_rows.h"
#include "mapping/states.h"
#include "settee/plugin/change.h"

typedef struct contact_mapping {
    st_carried_mapping carried;
    st_uints frames;
    st_reals points; // Vec3
} contact_mapping;

static const st_field fields[] = {
    ST_FIELD(contact_mapping, frames, "frames", st_type_indices, NULL, "the frame of each point", .mesh = ST_OF_PARENT),
    ST_FIELD(contact_mapping, points, "points", st_type_vec3s, NULL, "places in the frames", .flags = ST_FIELD_REINIT),
    ST_GEOMETRIC_FIELD(st_carried_mapping, "None"),
    ST_FIELDS_END,
};

static bool rigid_contact_mapping_begin(st_mapping *mapping) {
    return st_carried_rows_begin(&((contact_mapping *)mapping)->carried.rows, false);
}

bool st_rigid_carrier_add(st_mapping *mapping, uint32_t frame, const st_real local[3]) {
    st_carried_rows *rows = &((contact_mapping *)mapping)->carried.rows;
    return st_carried_rows_add(rows, frame, 1, local) && st_carried_rows_end(rows);
}

static bool rigid_contact_mapping_finish(st_mapping *mapping) {
    return st_carried_rows_finish(&((contact_mapping *)mapping)->carried.rows);
}

static st_status rigid_contact_mapping_init(st_object *object) {
    contact_mapping *self = (contact_mapping *)object;
    st_mapping *mapping = &self->carried.mapping;
    if (!st_mapping_has_states(mapping)) return st_mapping_init(object); // which says so
    const size_t frames = st_mapping_in(mapping)->size;
    if (self->frames.count != self->points.count)
        return st_invalid(object, "there are %zu frames for %zu points", self->frames.count, self->points.count);
    bool ok = rigid_contact_mapping_begin(mapping);
    for (size_t i = 0; ok && i < self->frames.count; i++) {
        if (self->frames.data[i] >= frames)
            return st_invalid(object, "frame %u is not among the %zu of the parent", self->frames.data[i], frames);
        ok = st_rigid_carrier_add(mapping, self->frames.data[i], self->points.data + 3 * i);
    }
    return ok && rigid_contact_mapping_finish(mapping) ? st_mapping_init(object)
                                                       : st_invalid(object, "out of memory: its points");
}

const st_contact_carrier st_rigid_carrier = {"RigidContactMapping", "Rigid3,Vec3", rigid_contact_mapping_begin,
                                             rigid_contact_mapping_finish};

const st_class st_rigid_contact_mapping_class = {
    .name = "RigidContactMapping",
    .help = "contact points on rigid frames, as collision responses make them",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3",
    .default_template = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(contact_mapping),
    .example =
        "<MechanicalObject name=\"parent\" template=\"Rigid3\" position=\"1 0 0  0 0 0 1  2 1 0  0.6 0 0 0.8\"/>\n"
        "<Node name=\"points\">\n"
        "    <MechanicalObject name=\"child\"/>\n"
        "    <RigidContactMapping input=\"@../parent\" output=\"@child\" frames=\"0 1 1\" "
        "points=\"1 0 0  0 1 0  0.5 0.5 1\"/>\n"
        "</Node>",
    .init = rigid_contact_mapping_init,
    .destroy = st_carried_destroy,
    .mapping = &st_carried_ops,
};
