// SubsetMapping: the child is made of some DOFs of the parent, p_i = q_{indices[i]}.
//
// Without indices they are a range (first, last), or found: for each child position the nearest parent position that is
// closer than the radius. A DOF that has no parent stays at its rest position and takes no part in J.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/copied_rows.h"
#include "mapping/states.h"
#include "math/box_tree.h"
#include "settee/plugin/change.h"
#include "topology/topology.h"

typedef struct subset_mapping {
    st_copied_mapping base;
    uint32_t first, last;
    st_real radius;
    bool ignore_not_found, resize_to_model, follow_topology;
    st_object *topology;
} subset_mapping;

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// DOFs without a parent are at their rest positions.
static void put_others_at_rest(const subset_mapping *self, st_real *x) {
    const st_state *child = st_mapping_out(&self->base.mapping);
    const st_reals *rest = &child->coord[ST_COORD_REST];
    const size_t stride = st_state_dof(child)->coord;

    for (size_t i = 0; i < self->base.index.count && i < child->size && i < rest->count; i++)
        if (self->base.index.data[i] == ST_INVALID_INDEX)
            st_copy_reals(x + i * stride, rest->data + i * stride, stride);
}

static void subset_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const subset_mapping *self = (const subset_mapping *)mapping;
    st_state *child = st_mapping_out(mapping);

    if (child->size < self->base.index.count && st_state_resize(child, self->base.index.count) != ST_OK) return;

    st_real *x = st_whole_position(child, out.index);
    if (!x) return;

    // the rest positions themselves are not overwritten by those of DOFs without a parent
    if (x != child->coord[ST_COORD_REST].data) put_others_at_rest(self, x);
    st_copied_apply(mapping, out, in);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void erase_wrong(subset_mapping *self) {
    const size_t size = st_mapping_in(&self->base.mapping)->size;
    size_t kept = 0;

    // those that exist move forward
    for (size_t i = 0; i < self->base.index.count; i++) {
        const uint32_t index = self->base.index.data[i];
        if (index < size) self->base.index.data[kept++] = index;
        else if (!self->ignore_not_found)
            st_message(&self->base.mapping.object, ST_ERROR,
                       "indices: %u does not exist, the parent has %zu; it is left out", index, size);
    }

    self->base.index.count = kept;
}

static st_status take_range(subset_mapping *self) {
    const size_t size = st_mapping_in(&self->base.mapping)->size;

    // ends that do not exist are those of the whole list
    const size_t first = self->first < size ? self->first : 0;
    const size_t last = self->last < size ? self->last : size - 1;

    if (size == 0) return ST_OK;

    for (size_t i = first; i <= last; i++)
        if (!st_list_push(&self->base.index, (uint32_t)i)) return ST_OUT_OF_MEMORY;
    return ST_OK;
}

static st_real subset_mapping_distance(st_real square) { return sqrt(square); }

static st_status subset_mapping_search(subset_mapping *self) {
    const st_state *parent = st_mapping_in(&self->base.mapping), *child = st_mapping_out(&self->base.mapping);
    const size_t stride = st_state_dof(parent)->coord;
    st_point_tree points = {0};
    st_neighbor nearest;
    size_t missing = 0;

    bool ok = st_list_set_count(&self->base.index, child->size, 1) &&
              st_point_tree_create(&points, parent->coord[ST_COORD_POSITION].data, parent->size, stride,
                                   st_state_dof(parent)->spatial);

    // the nearest parent point, where it is closer than the radius
    for (size_t i = 0; ok && i < child->size; i++) {
        const st_real *p = child->coord[ST_COORD_POSITION].data + i * stride;
        const bool found =
            st_point_tree_nearest(&points, p, subset_mapping_distance, 1, &nearest) && nearest.key < self->radius;

        self->base.index.data[i] = found ? nearest.point : ST_INVALID_INDEX;
        if (self->base.index.data[i] != ST_INVALID_INDEX) continue;

        // the first one by its number, then how many there are
        if (missing++ == 0 && !self->ignore_not_found)
            st_message(&self->base.mapping.object, ST_ERROR, "point %zu: no point of the parent is closer than %g", i,
                       (double)self->radius);
    }

    st_point_tree_free(&points);
    if (missing > 1 && !self->ignore_not_found)
        st_message(&self->base.mapping.object, ST_ERROR, "%zu points have no parent", missing);

    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status find_indices(subset_mapping *self) {
    // DOFs whose parents have left the mesh stay without one
    if (self->base.index.count && st_why_init(&self->base.mapping.object) != ST_INIT_FIRST) return ST_OK;

    // given indices: those that do not exist are left out
    if (self->base.index.count) {
        erase_wrong(self);
        return ST_OK;
    }

    const st_status status = self->first != ST_INVALID_INDEX ? take_range(self) : subset_mapping_search(self);
    st_touch(&self->base.mapping.object, &self->base.index);
    return status;
}

static st_status subset_mapping_init(st_object *object) {
    subset_mapping *self = (subset_mapping *)object;
    if (!st_mapping_has_states(&self->base.mapping)) return st_mapping_init(object);

    if (self->follow_topology && !st_context_topology(object->node, self->topology))
        st_message(object, ST_ERROR, "there is no topology whose changes its indices could follow");

    if (find_indices(self) != ST_OK) return st_invalid(object, "out of memory for its indices");

    const st_status status = st_mapping_size_child(&self->base.mapping, 0, self->base.index.count);
    return status == ST_OK ? st_mapping_init(object) : status;
}

static const st_field fields[] = {
    ST_FIELD(subset_mapping, base.index, "indices", st_type_indices, NULL, "the parent's DOF of each child DOF",
             .mesh = ST_OF_PARENT),
    ST_FIELD(subset_mapping, first, "first", st_type_uint, "4294967295", "first DOF of a range"),
    ST_FIELD(subset_mapping, last, "last", st_type_uint, "4294967295", "last DOF of a range"),
    ST_FIELD(subset_mapping, radius, "radius", st_type_real, "1e-5",
             "how near a parent's position must be when indices are found by position"),
    ST_FIELD(subset_mapping, ignore_not_found, "ignoreNotFound", st_type_bool, "0",
             "say nothing about DOFs without a parent"),
    ST_FIELD(subset_mapping, resize_to_model, "resizeToModel", st_type_bool, "0",
             "the child always gets the size of the list", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(subset_mapping, follow_topology, "handleTopologyChange", st_type_bool, "1",
             "indices follow the changes of the topology"),
    ST_FIELD(subset_mapping, topology, "topology", st_type_link, NULL, "the mesh whose changes indices follow",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = subset_mapping_apply,
    .apply_j = st_copied_apply_j,
    .apply_jt = st_copied_apply_jt,
    .jacobian = st_copied_jacobian,
};

const st_class st_subset_mapping_class = {
    .name = "SubsetMapping",
    .help = "the child is made of some DOFs of the parent",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3 Vec1,Vec1 Rigid3,Rigid3",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(subset_mapping),
    .example = "<MechanicalObject name=\"parent\" position=\"0 0 0  1 0 0  1 1 0  0 1 0\"/>\n"
               "<Node name=\"some\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <SubsetMapping input=\"@../parent\" output=\"@child\" indices=\"3 1\" "
               "handleTopologyChange=\"0\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN | ST_CLASS_COPIES_DOFS,
    .init = subset_mapping_init,
    .mapping = &ops,
};
