// The center of mass of all parents:
//
//     p = Σ m_i q_i / M,  M = Σ m_i        v_p = Σ m_i v_i / M        f_i += f_p m_i / M
//
// The mass of a parent is the one in its node, read at each use. Centers of rigid parents count; of a rigid child the
// center is set, its orientation stays.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/center_of_mass.h"

#include "mapping/states.h"

static const st_mass *mass_of(const st_state *state) {
    const st_object *found = st_find(state->object.node, ST_ROLE(mass), ST_LOCAL);

    if (!found || !st_is_valid(found) || !found->type->mass->element_mass) return NULL;
    const st_mass *mass = (const st_mass *)found;
    return mass->force.state == state ? mass : NULL;
}

static st_real mass_at(const st_mass *mass, size_t i) {
    return mass ? mass->force.object.type->mass->element_mass(mass, i) : 0;
}

static st_real total_mass(const st_mapping *mapping) {
    st_real total = 0;

    for (size_t p = 0; p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        const st_mass *mass = mass_of(parent);
        for (size_t i = 0; mass && i < parent->size; i++) total += mass_at(mass, i);
    }

    return total;
}

// Scalars of a place that parent and child share.
static size_t center_of_mass_width_of(const st_mapping *mapping) {
    const size_t in = st_state_dof(st_mapping_in(mapping))->spatial,
                 out = st_state_dof(st_mapping_out(mapping))->spatial;
    return in < out ? in : out;
}

static void add_weighted(const st_state *parent, const st_real *from, size_t stride, size_t width, st_real sum[3]) {
    const st_mass *mass = mass_of(parent);

    for (size_t i = 0; mass && from && i < parent->size; i++)
        for (size_t c = 0; c < width; c++) sum[c] += from[i * stride + c] * mass_at(mass, i);
}

static void center_of_mass_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index), sum[3] = {0, 0, 0};
    const st_real total = total_mass(mapping);

    if (!to || total == 0) return;

    for (size_t p = 0; p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        add_weighted(parent, st_whole_position(parent, in.index), st_state_dof(parent)->coord,
                     center_of_mass_width_of(mapping), sum);
    }

    for (size_t c = 0; c < center_of_mass_width_of(mapping); c++) to[c] = sum[c] / total;
}

static void center_of_mass_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    st_real *to = st_whole_velocity(st_mapping_out(mapping), out.index), sum[3] = {0, 0, 0};
    const st_real total = total_mass(mapping);

    if (!to || total == 0) return;

    for (size_t p = 0; p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        add_weighted(parent, st_whole_velocity(parent, in.index), st_state_dof(parent)->deriv,
                     center_of_mass_width_of(mapping), sum);
    }

    for (size_t c = 0; c < center_of_mass_width_of(mapping); c++) to[c] = sum[c] / total;
}

static void center_of_mass_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const st_real *f = st_whole_force(st_mapping_out(mapping), out.index), total = total_mass(mapping);

    for (size_t p = 0; f && total != 0 && p < mapping->input.count; p++) {
        const st_state *parent = st_mapping_input(mapping, p);
        const st_mass *mass = mass_of(parent);
        const size_t stride = st_state_dof(parent)->deriv;
        st_real *to = st_whole_force(parent, in.index);

        // f_i += f_p m_i / M
        for (size_t i = 0; to && mass && i < parent->size; i++)
            for (size_t c = 0; c < center_of_mass_width_of(mapping); c++)
                to[i * stride + c] += f[c] * (mass_at(mass, i) / total);
    }
}

static void center_of_mass_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    if (out > 0) return; // there is one output

    const st_state *parent = st_mapping_input(mapping, in);
    const st_mass *mass = mass_of(parent);
    const st_real total = total_mass(mapping);
    const size_t width = center_of_mass_width_of(mapping);

    if (st_mapping_out(mapping)->size == 0 || total == 0) return;

    for (size_t i = 0; mass && i < parent->size; i++) {
        st_real block[9] = {0};
        for (size_t c = 0; c < width; c++) block[c * width + c] = mass_at(mass, i) / total;

        sink->add(sink, 0, i * st_state_dof(parent)->deriv, width, width, block);
    }
}

st_status st_center_of_mass_init(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    if (!st_mapping_has_states(mapping)) return st_mapping_init(object);

    if (total_mass(mapping) == 0) return st_invalid(object, "no parent has a mass in its node");

    const st_status status = st_mapping_size_child(mapping, 0, 1);
    return status == ST_OK ? st_mapping_init(object) : status;
}

const st_mapping_ops st_center_of_mass_ops = {
    .apply = center_of_mass_apply,
    .apply_j = center_of_mass_apply_j,
    .apply_jt = center_of_mass_apply_jt,
    .jacobian = center_of_mass_jacobian,
};
