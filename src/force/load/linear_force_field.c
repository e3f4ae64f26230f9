// LinearForceField: a force on some points that goes from one given value to the next over time.
//
//     times[i] <= t < times[i+1]:
//     f = force × (forces[i] + (forces[i+1] - forces[i]) (t - times[i]) / (times[i+1] - times[i]))
//
// Before the first time there is no force; from the last time on it is the last one. t is the time at the beginning of
// the step.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"

typedef struct linear_force {
    st_force base;
    st_uints points;
    st_reals times, forces; // forces: derivs
    st_real scale, arrow_size;
    st_object *topology;
} linear_force;

static const st_field fields[] = {
    ST_FIELD(linear_force, points, "points", st_type_indices, NULL, "where the force acts",
             .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(linear_force, scale, "force", st_type_real, "1", "factor of all forces"),
    ST_FIELD(linear_force, times, "times", st_type_reals, NULL, "times of the forces, increasing"),
    ST_FIELD(linear_force, forces, "forces", st_type_derivs, NULL, "one force for each time"),
    ST_FIELD(linear_force, arrow_size, "arrowSizeCoef", st_type_real, "0", "length of the arrows drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(linear_force, topology, "topology", st_type_link, NULL, "the mesh whose changes the points follow",
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static size_t key_count(const linear_force *force) {
    return force->times.count < force->forces.count ? force->times.count : force->forces.count;
}

static st_status linear_force_field_init(st_object *object) {
    const linear_force *force = (linear_force *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    if (force->times.count != force->forces.count)
        st_message(object, ST_WARNING, "%zu times for %zu forces: the surplus is ignored", force->times.count,
                   force->forces.count);

    for (size_t i = 1; i < key_count(force); i++)
        if (!(force->times.data[i] > force->times.data[i - 1]))
            return st_invalid(object, "times must increase: %g comes after %g; there is no force",
                              (double)force->times.data[i], (double)force->times.data[i - 1]);

    // one message is enough
    for (size_t i = 0; i < force->points.count; i++)
        if (force->points.data[i] >= force->base.state->size) {
            st_message(object, ST_WARNING, "point %u is not below the number of DOFs, %zu: it is left out",
                       force->points.data[i], force->base.state->size);
            break;
        }
    return ST_OK;
}

// The force at a time; false before the first one.
static bool force_at(const linear_force *force, st_real t, int width, st_real f[6]) {
    const size_t count = key_count(force);
    const st_real *times = force->times.data, *forces = force->forces.data;

    if (count == 0 || !(t >= times[0])) return false;

    // the first time after t
    size_t next = 0;
    while (next < count && !(t < times[next])) next++;
    const st_real *to = forces + (next < count ? next : count - 1) * (size_t)width;

    // from the last time on: the last force
    if (next == count) {
        for (int j = 0; j < width; j++) f[j] = to[j] * force->scale;
        return true;
    }

    const st_real *from = to - width;
    const st_real way = (t - times[next - 1]) / (times[next] - times[next - 1]);
    for (int j = 0; j < width; j++) f[j] = (from[j] + (to[j] - from[j]) * way) * force->scale;
    return true;
}

static void linear_add_force(st_force *base, const st_params *params) {
    const linear_force *force = (const linear_force *)base;
    if (!base->state || !st_is_valid(&base->object)) return;

    const size_t width = st_state_dof(base->state)->deriv;
    st_real *f = st_f(base->state, params), now[6];
    if (!force_at(force, base->object.node->time, (int)width, now)) return;

    for (size_t i = 0; i < force->points.count; i++) {
        const size_t point = force->points.data[i];

        // f_i += f(t)
        for (size_t j = 0; j < width && point < base->state->size; j++) f[point * width + j] += now[j];
    }
}

// -Σ f.x; rigids count 0
static st_real linear_potential(st_force *base, const st_params *params) {
    const linear_force *force = (const linear_force *)base;
    if (!base->state || !st_is_valid(&base->object) || base->object.dof->rigid) return 0;

    const size_t width = st_state_dof(base->state)->deriv;
    const st_real *x = st_x(base->state, params);
    st_real now[6], energy = 0;
    if (!force_at(force, base->object.node->time, (int)width, now)) return 0;

    for (size_t i = 0; i < force->points.count; i++) {
        const size_t point = force->points.data[i];

        // -Σ f·x
        for (size_t j = 0; j < width && point < base->state->size; j++) energy -= now[j] * x[point * width + j];
    }
    return energy;
}

static const st_force_ops force_ops = {.add_force = linear_add_force, .potential = linear_potential};

const st_class st_linear_force_field_class = {
    .name = "LinearForceField",
    .help = "a force that follows a piecewise linear function of time",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(linear_force),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<LinearForceField points=\"1\" times=\"0 1 2\" forces=\"0 0 1  0 4 0  0 0 0\" force=\"2\"/>",
    .init = linear_force_field_init,
    .force = &force_ops,
};
