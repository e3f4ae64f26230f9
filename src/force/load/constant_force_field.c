// ConstantForceField: forces that do not depend on anything.
//
//     f[index_i] += forces_i        forces given one by one, one for all, or as a sum (totalForce) in equal shares
//
// What the scene gives is checked when the force is used for the first time, and after a change.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/real.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"
#include "topology/topology.h"

typedef struct constant_force {
    st_force base;
    st_uints indices;
    bool index_from_end;
    st_reals forces; // derivs
    st_real total_force[6];
    st_object *topology;
    st_real arrow_size;
    st_real color[4];

    bool all;       // indices were not given
    bool use_total; // forces follow from totalForce
    enum { UNCHECKED, USABLE, UNUSABLE } check;
} constant_force;

static const st_field fields[] = {
    ST_FIELD(constant_force, indices, "indices", st_type_indices, NULL,
             "where the forces act; every DOF when not given", .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(constant_force, index_from_end, "indexFromEnd", st_type_bool, "0", "indices count from the last DOF"),
    ST_FIELD(constant_force, forces, "forces", st_type_derivs, NULL, "one force per index, or one for each of them",
             .mesh = ST_ROWS, .flags = ST_FIELD_REINIT | ST_FIELD_TRACKED),
    ST_FIELD(constant_force, total_force, "totalForce", st_type_deriv, NULL,
             "a force to be shared equally; used when forces is not given", .flags = ST_FIELD_TRACKED),
    ST_FIELD(constant_force, topology, "topology", st_type_link, NULL, "the mesh whose changes the indices follow",
             .role = ST_ROLE(topology)),
    ST_FIELD(constant_force, arrow_size, "showArrowSize", st_type_real, "0", "length of the arrows drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(constant_force, color, "showColor", st_type_color, "0.2 0.9 0.3 1", "color of the arrows",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static size_t system_size(const constant_force *force) {
    const st_topology *topology = st_context_topology(force->base.object.node, force->topology);
    return topology ? st_topology_points(topology) : force->base.state->size;
}

static st_status constant_init(st_object *object) {
    constant_force *force = (constant_force *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    // forces take precedence over totalForce
    const bool forces = st_is_set(object, &force->forces), total = st_is_set(object, force->total_force);
    if (!forces && !total) return st_invalid(object, "neither forces nor totalForce is given: there is no force");
    if (forces && total) st_message(object, ST_WARNING, "forces and totalForce are both given: forces is used");

    force->use_total = !forces;
    force->all = !st_is_set(object, &force->indices);
    force->check = UNCHECKED;
    return ST_OK;
}

static void constant_changed(st_object *object) { ((constant_force *)object)->check = UNCHECKED; }

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

static bool use_all_indices(constant_force *force, size_t size) {
    if (!st_resize_member(&force->base.object, &force->indices, size)) return false;
    for (size_t i = 0; i < size; i++) force->indices.data[i] = (uint32_t)i;
    return true;
}

// An index that equals the size of the mesh passes its check in SOFA and is then written out of bounds: refused here.
static bool check_indices(constant_force *force) {
    const size_t size = system_size(force), dofs = force->base.state->size;

    // no more indices than points
    if (force->all && !use_all_indices(force, size)) return false;
    if (st_became_empty(&force->base.object, &force->indices)) return false; // its points have left the mesh
    if (force->indices.count == 0 || force->indices.count > size) {
        st_message(&force->base.object, ST_ERROR, "%zu indices for %zu points: there is no force", force->indices.count,
                   size);
        return false;
    }

    // all of them DOFs
    for (size_t i = 0; i < force->indices.count; i++)
        if (force->indices.data[i] > size || force->indices.data[i] >= dofs) {
            st_message(&force->base.object, ST_ERROR,
                       "index %u is not below the number of points, %zu: there is no "
                       "force",
                       force->indices.data[i], size < dofs ? size : dofs);
            return false;
        }
    return true;
}

static bool repeat_force(constant_force *force, const st_real *one) {
    const size_t count = force->indices.count, width = force->base.object.dof->deriv;
    st_real copy[6] = {0};
    for (size_t j = 0; j < width; j++) copy[j] = one[j];

    if (!st_resize_member(&force->base.object, &force->forces, count)) return false;
    for (size_t i = 0; i < count * width; i++) force->forces.data[i] = copy[i % width];
    return true;
}

static bool share_total(constant_force *force) {
    st_real one[6];
    for (int j = 0; j < 6; j++) one[j] = force->total_force[j] / (st_real)force->indices.count;
    return repeat_force(force, one);
}

static bool spread_forces(constant_force *force) {
    const size_t count = force->indices.count, width = force->base.object.dof->deriv;

    if (force->forces.count != 1 && force->forces.count != count) {
        st_message(&force->base.object, ST_ERROR, "%zu forces for %zu indices: there is no force", force->forces.count,
                   count);
        return false;
    }

    // one for all
    if (force->forces.count == 1) {
        for (size_t j = 0; j < width; j++) force->total_force[j] = force->forces.data[j] * (st_real)count;
        return repeat_force(force, force->forces.data);
    }

    // one for each: their sum is the total
    for (size_t j = 0; j < width; j++) force->total_force[j] = 0;
    for (size_t i = 0; i < count * width; i++) force->total_force[i % width] += force->forces.data[i];
    return true;
}

static bool constant_check(constant_force *force) {
    if (!check_indices(force) || !(force->use_total ? share_total(force) : spread_forces(force))) return false;

    for (size_t i = 0; i < force->forces.count * force->base.object.dof->deriv; i++)
        if (isnan(force->forces.data[i])) {
            st_message(&force->base.object, ST_ERROR, "a force is not a number: there is no force");
            return false;
        }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static bool constant_is_usable(constant_force *force) {
    if (!force->base.state || !st_is_valid(&force->base.object)) return false;
    if (force->check == UNCHECKED) force->check = constant_check(force) ? USABLE : UNUSABLE;
    return force->check == USABLE;
}

// The DOF of entry i, or the number of DOFs when there is none.
static size_t target(const constant_force *force, size_t i) {
    const size_t size = force->base.state->size, index = force->indices.data[i];

    if (index >= size) return size;
    return force->index_from_end ? size - 1 - index : index;
}

static void constant_add_force(st_force *base, const st_params *params) {
    constant_force *force = (constant_force *)base;
    if (!constant_is_usable(force)) return;

    const size_t width = base->object.dof->deriv;
    st_real *f = st_f(base->state, params);

    // f[index_i] += forces_i
    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t index = target(force, i);
        if (index == base->state->size) continue;
        for (size_t j = 0; j < width; j++) f[index * width + j] += force->forces.data[i * width + j];
    }
}

// -Σ f.x; rigids count 0
static st_real constant_potential(st_force *base, const st_params *params) {
    constant_force *force = (constant_force *)base;
    if (!constant_is_usable(force) || base->object.dof->rigid) return 0;

    const size_t width = base->object.dof->deriv;
    const st_real *x = st_x(base->state, params);
    st_real energy = 0;

    // -Σ f·x
    for (size_t i = 0; i < force->indices.count; i++) {
        const size_t index = target(force, i);
        if (index == base->state->size) continue;
        for (size_t j = 0; j < width; j++) energy -= force->forces.data[i * width + j] * x[index * width + j];
    }
    return energy;
}

static const st_force_ops force_ops = {.add_force = constant_add_force, .potential = constant_potential};

const st_class st_constant_force_field_class = {
    .name = "ConstantForceField",
    .help = "forces that do not change",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(constant_force),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0  2 0 0\"/>\n"
               "<ConstantForceField indices=\"1 2\" totalForce=\"0 -3 1\"/>",
    .init = constant_init,
    .changed = constant_changed,
    .force = &force_ops,
};
