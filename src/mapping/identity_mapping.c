// IdentityMapping: each child point is a parent point, p_i = q_i.
//
// Where the child's type has fewer scalars the first ones are taken: the center of a rigid, the first three of a Vec6.
// J is made of identity blocks; J^T leaves what the child does not know (torques) untouched.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/physics.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t shared_derivs(const st_mapping *mapping) {
    return smaller((size_t)st_state_dof(st_mapping_in(mapping))->deriv,
                   (size_t)st_state_dof(st_mapping_out(mapping))->deriv);
}

// Copies the leading `width` scalars of each element that both lists have.
static void copy(st_reals *to, size_t to_stride, const st_reals *from, size_t from_stride) {
    const size_t count = smaller(to->count, from->count), width = smaller(to_stride, from_stride);
    if (to_stride == from_stride) {
        st_copy_reals(to->data, from->data, count * width);
        return;
    }
    for (size_t i = 0; i < count; i++) st_copy_reals(to->data + i * to_stride, from->data + i * from_stride, width);
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    copy(st_coord_list(child, out.index, ST_COORD_POSITION), (size_t)st_state_dof(child)->coord,
         st_coord_list(parent, in.index, ST_COORD_POSITION), (size_t)st_state_dof(parent)->coord);
}

static void apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    copy(st_deriv_list(child, out.index, ST_DERIV_VELOCITY), (size_t)st_state_dof(child)->deriv,
         st_deriv_list(parent, in.index, ST_DERIV_VELOCITY), (size_t)st_state_dof(parent)->deriv);
}

static void apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    st_reals *to = st_deriv_list(parent, in.index, ST_DERIV_FORCE);
    const st_reals *from = st_deriv_list(child, out.index, ST_DERIV_FORCE);
    const size_t to_stride = (size_t)st_state_dof(parent)->deriv, from_stride = (size_t)st_state_dof(child)->deriv;
    const size_t count = smaller(to->count, from->count), width = shared_derivs(mapping);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < width; k++) to->data[i * to_stride + k] += from->data[i * from_stride + k];
}

static void jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t width = shared_derivs(mapping), count = smaller(parent->size, child->size);
    st_real identity[36] = {0};
    for (size_t k = 0; k < width; k++) identity[k * width + k] = 1;
    for (size_t i = 0; i < count; i++)
        sink->add(sink, i * (size_t)st_state_dof(child)->deriv, i * (size_t)st_state_dof(parent)->deriv, (int)width,
                  (int)width, identity);
}

static st_status init(st_object *object) {
    const st_mapping *mapping = (const st_mapping *)object;
    if (mapping->input.count && mapping->output.count && mapping->input.data[0] && mapping->output.data[0]) {
        const size_t count = st_mapping_in(mapping)->size;
        if (st_state_resize(st_mapping_out(mapping), count) != ST_OK)
            return st_invalid(object, "there is no memory for the %zu points of the child", count);
    }
    return st_mapping_init(object);
}

static const st_mapping_ops ops = {
    .apply = apply,
    .apply_j = apply_j,
    .apply_jt = apply_jt,
    .jacobian = jacobian,
};

const st_class st_identity_mapping_class = {
    .name = "IdentityMapping",
    .help = "each child point follows the parent point of the same number",
    .parent = &st_mapping_class,
    .templates =
        "Vec3,Vec3 Vec2,Vec2 Vec1,Vec1 Vec6,Vec6 Vec6,Vec3 Rigid3,Rigid3 Rigid2,Rigid2 Rigid3,Vec3 Rigid2,Vec2",
    .size = sizeof(st_mapping),
    .example =
        "<MechanicalObject name=\"parent\" template=\"Rigid3\" position=\"1 0 0  0 0 0 1  2 1 0  0.6 0 0 0.8\"/>\n"
        "<Node name=\"points\">\n"
        "    <MechanicalObject name=\"child\" template=\"Vec3\"/>\n"
        "    <IdentityMapping input=\"@../parent\" output=\"@child\"/>\n"
        "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN | ST_CLASS_COPIES_DOFS,
    .init = init,
    .mapping = &ops,
};
