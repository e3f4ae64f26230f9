// PulledPointForceField: a spring without length from one point of a body to a place, by which a mouse pulls
// (settee/pick.h).
//
//     points    x = Σ w_i x_i + l     f_i += w_i k (t − x),          ∂f_i/∂x_j = −k w_i w_j I
//     frames    x = p + r, r = R l    f += k (t − x), torque += r × k (t − x),
//                                     ∂f/∂x = −k Jᵀ J with J = [ I  −[r]× ]
//
// The change of r in the torque is left out, as that of RigidMapping is: the matrix stays symmetric.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/pulled_point.h"

#include "base/array.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"

typedef struct pulled_point {
    st_force base;
    st_uints indices;
    st_reals weights;
    st_real local[3], target[3], stiffness;
    st_real force[3];

    st_real arm[3]; // r of the last evaluation
    bool acts;      // then, too
} pulled_point;

static const st_field fields[] = {
    ST_FIELD(pulled_point, indices, "indices", st_type_indices, "0", "DOFs that carry the point; of frames one",
             .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(pulled_point, weights, "weights", st_type_reals, "1", "their weights"),
    ST_FIELD(pulled_point, local, "local", st_type_vec3, "0 0 0",
             "place of the point in its frame; of points, how far it is from where they are"),
    ST_FIELD(pulled_point, target, "target", st_type_vec3, "0 0 0", "where the point is drawn to"),
    ST_FIELD(pulled_point, stiffness, "stiffness", st_type_real, "1000", "force per unit of distance"),
    ST_FIELD(pulled_point, force, "force", st_type_vec3, "0 0 0", "of the last evaluation", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static st_status pulled_point_init(st_object *object) {
    const pulled_point *self = (const pulled_point *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;
    if (!(self->stiffness >= 0 && self->stiffness <= ST_REAL_MAX))
        return st_invalid(object, "stiffness = %g must not be negative", (double)self->stiffness);
    return ST_OK;
}

// Meshes and lists can change while it holds on.
static bool holds_on(const pulled_point *self) {
    const size_t count = self->indices.count;
    bool ok = count > 0 && count == self->weights.count && (count == 1 || !st_state_dof(self->base.state)->rigid);
    for (size_t i = 0; ok && i < count; i++) ok = self->indices.data[i] < self->base.state->size;
    if (!ok)
        st_message_once(&self->base.object, "lost", ST_WARNING,
                        "what it pulls is gone: %zu indices and %zu weights for a state of %zu DOFs", count,
                        self->weights.count, self->base.state->size);
    return ok;
}

// x, and the arm of a frame
static void find_point(pulled_point *self, const st_real *x, st_real at[3]) {
    const size_t coord = st_state_dof(self->base.state)->coord;
    st_vec3_zero(at);
    for (size_t i = 0; i < self->indices.count; i++)
        st_vec3_add_scaled(at, at, x + self->indices.data[i] * coord, self->weights.data[i]);
    if (!st_state_dof(self->base.state)->rigid) {
        st_vec3_add(at, at, self->local);
        return;
    }

    st_quat_rotate(self->arm, x + self->indices.data[0] * coord + 3, self->local);
    st_vec3_add(at, at, self->arm);
}

static void pulled_point_add_force(st_force *base, const st_params *params) {
    pulled_point *self = (pulled_point *)base;
    st_real at[3], torque[3], *f = st_f(base->state, params);
    st_vec3_zero(self->force);
    if (!(self->acts = holds_on(self))) return;

    // k (t - x)
    find_point(self, st_x(base->state, params), at);
    st_vec3_sub(self->force, self->target, at);
    st_vec3_scale(self->force, self->force, self->stiffness);

    const size_t deriv = st_state_dof(base->state)->deriv;
    for (size_t i = 0; i < self->indices.count; i++) {
        st_real *to = f + self->indices.data[i] * deriv;
        st_vec3_add_scaled(to, to, self->force, self->weights.data[i]);
    }
    if (!st_state_dof(base->state)->rigid) return;

    st_vec3_cross(torque, self->arm, self->force);
    st_real *to = f + self->indices.data[0] * deriv + 3;
    st_vec3_add(to, to, torque);
}

// -k JᵀJ of a frame: with R = [r]×, JᵀJ = [ I  -R ; R  -R R ].
static void add_frame(const pulled_point *self, st_sink *sink) {
    const st_real *r = self->arm, k = self->stiffness, n = st_vec3_norm2(r);
    const st_real cross[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
    st_real block[36] = {0};

    for (int i = 0; i < 3; i++) {
        block[7 * i] = -k;
        for (int j = 0; j < 3; j++) {
            block[6 * i + 3 + j] = k * cross[3 * i + j];
            block[6 * (3 + i) + j] = -k * cross[3 * i + j];
            block[6 * (3 + i) + 3 + j] = -k * ((i == j ? n : 0) - r[i] * r[j]); // -R R = |r|² I - r rᵀ
        }
    }
    st_add_6x6(sink, 6 * (size_t)self->indices.data[0], 6 * (size_t)self->indices.data[0], block);
}

static void pulled_point_stiffness(st_force *base, const st_params *params, st_stiffness to) {
    (void)params;
    const pulled_point *self = (const pulled_point *)base;
    st_sink *sink = st_stiffness_between(to, base->state, base->state);
    if (!self->acts || !holds_on(self)) return;
    if (st_state_dof(base->state)->rigid) {
        add_frame(self, sink);
        return;
    }

    for (size_t i = 0; i < self->indices.count; i++)
        for (size_t j = 0; j < self->indices.count; j++) {
            const st_real k = -self->stiffness * self->weights.data[i] * self->weights.data[j];
            const st_real block[9] = {k, 0, 0, 0, k, 0, 0, 0, k};
            st_add_3x3(sink, 3 * (size_t)self->indices.data[i], 3 * (size_t)self->indices.data[j], block);
        }
}

static st_real pulled_point_potential(st_force *base, const st_params *params) {
    pulled_point *self = (pulled_point *)base;
    st_real at[3], way[3];
    if (!holds_on(self)) return 0;
    find_point(self, st_x(base->state, params), at);
    st_vec3_sub(way, self->target, at);
    return self->stiffness / 2 * st_vec3_norm2(way);
}

bool st_pulled_point_take(st_object *object, const st_pulled_place *place) {
    pulled_point *self = (pulled_point *)object;
    if (!st_list_set_count(&self->indices, place->count, 1) || !st_list_set_count(&self->weights, place->count, 1))
        return false;
    st_copy_bytes(self->indices.data, place->dofs, place->count * sizeof *place->dofs);
    st_copy_reals(self->weights.data, place->weights, place->count);
    st_vec3_copy(self->local, place->local);
    self->stiffness = place->stiffness;
    self->acts = false;
    if (holds_on(self)) find_point(self, self->base.state->coord[ST_COORD_POSITION].data, self->target);
    return true;
}

void st_pulled_point_aim(st_object *object, const st_real target[3]) {
    st_vec3_copy(((pulled_point *)object)->target, target);
}

static const st_force_ops ops = {
    .add_force = pulled_point_add_force, .stiffness = pulled_point_stiffness, .potential = pulled_point_potential};

const st_class st_pulled_point_force_field_class = {
    .name = "PulledPointForceField",
    .help = "a spring from a point of a body to a place; programs pull with it at what they pick (settee/pick.h)",
    .parent = &st_force_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(pulled_point),
    .example = "<MechanicalObject position='0 0 0  1 0 0  0 1 0.2'/><PulledPointForceField indices='0 1 2' "
               "weights='0.2 0.5 0.3' target='0.4 1 0.3' stiffness='20'/>",
    .init = pulled_point_init,
    .force = &ops,
};
