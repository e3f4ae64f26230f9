// AttachProjectiveConstraint: points of one state that follow those of another.
//
// Vectors: a projection of the position takes x2 half the way to x1 (times factors), one of the velocity both to their
// mean; the response of x2 is zero, or, two-way, both get the mean. Rigids: frame 2 takes frame 1's place, velocity
// and, unless it is free, orientation; two-way, the responses are added up.
//
// A pair stops acting where its first point has passed the plane through lastPos across lastDir; with `clamp` its
// second point is then held at lastPos. A pair whose points are further apart than minDistance is released.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/rigid.h"
#include "projection/points.h"
#include "settee/plugin/change.h"
#include "state/find_state.h"

typedef struct attach {
    st_projection base; // base.state: where rows of a matrix are discarded
    st_state *first, *second;
    st_uints indices1, indices2;
    bool two_way, free_rotations, last_free_rotation, rest_rotations, clamp;
    st_real last_position[3], last_direction[3];
    st_real minimum_distance;
    st_real position_factor, velocity_factor, response_factor;
    st_reals factors;
    ST_LIST(unsigned char) flags; // of each pair
    st_reals rest;                // rest rotation of each pair, quaternions
} attach;

enum { ACTIVE = 1, RELEASED = 2 };

static const st_field fields[] = {
    ST_FIELD(attach, first, "object1", st_type_link, "@./", "the state that leads, or a node that holds it",
             .role = ST_ROLE(state)),
    ST_FIELD(attach, second, "object2", st_type_link, "@./", "the state that follows", .role = ST_ROLE(state)),
    ST_FIELD(attach, indices1, "indices1", st_type_indices, NULL, "points of the first state",
             .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(attach, indices2, "indices2", st_type_indices, NULL, "the points of the second that are attached to them",
             .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(attach, two_way, "twoWay", st_type_bool, "0", "forces on the second act on the first, too"),
    ST_FIELD(attach, free_rotations, "freeRotations", st_type_bool, "0", "of rigids: attach the translations only"),
    ST_FIELD(attach, last_free_rotation, "lastFreeRotation", st_type_bool, "0",
             "of rigids: leave the rotation of a pair free where the next one does not act"),
    ST_FIELD(attach, rest_rotations, "restRotations", st_type_bool, "0",
             "of Rigid3: keep the x axis of each frame along the way to the next point of the second state at rest"),
    ST_FIELD(attach, last_position, "lastPos", st_type_vec3, NULL, "where pairs end to act"),
    ST_FIELD(attach, last_direction, "lastDir", st_type_vec3, NULL, "direction across the plane where pairs end to act",
             .flags = ST_FIELD_FIXED),
    ST_FIELD(attach, clamp, "clamp", st_type_bool, "0", "hold points beyond the plane at lastPos"),
    ST_FIELD(attach, minimum_distance, "minDistance", st_type_real, "-1",
             "release pairs that are further apart; -1: never", .flags = ST_FIELD_FIXED),
    ST_FIELD(attach, position_factor, "positionFactor", st_type_real, "1", "of vectors: factor on positions"),
    ST_FIELD(attach, velocity_factor, "velocityFactor", st_type_real, "1", "of vectors: factor on velocities"),
    ST_FIELD(attach, response_factor, "responseFactor", st_type_real, "1", "of vectors: factor on responses"),
    ST_FIELD(attach, factors, "constraintFactor", st_type_reals, NULL, "of vectors: factor of each pair",
             .mesh = ST_ROWS),
    ST_FIELDS_END,
};

static size_t pair_count(const attach *self) {
    return self->indices1.count < self->indices2.count ? self->indices1.count : self->indices2.count;
}

static bool pair_exists(const attach *self, size_t i) {
    return self->indices1.data[i] < self->first->size && self->indices2.data[i] < self->second->size;
}

// ---------------------------------------------------------------------------------------------------
// Initialization
// ---------------------------------------------------------------------------------------------------

static st_status check_pairs(attach *self) {
    st_object *object = (st_object *)self;

    // the lists must fit each other and the states
    if (self->indices1.count != self->indices2.count)
        st_message(object, ST_WARNING, "indices1 has %zu points and indices2 %zu: the shorter list counts",
                   self->indices1.count, self->indices2.count);

    for (size_t i = 0; i < pair_count(self); i++)
        if (!pair_exists(self, i))
            return st_invalid(object, "pair %zu attaches point %u of %zu to point %u of %zu", i, self->indices2.data[i],
                              self->second->size, self->indices1.data[i], self->first->size);

    if (self->factors.count > 0 && self->factors.count < pair_count(self))
        return st_invalid(object, "constraintFactor has %zu numbers for %zu pairs", self->factors.count,
                          pair_count(self));

    // and hold usable numbers
    if (!st_all_finite(self->factors.data, self->factors.count) || !st_all_finite(self->last_position, 3) ||
        !st_all_finite(self->last_direction, 3))
        return st_invalid(object, "constraintFactor, lastPos or lastDir holds a number that is not finite");
    return ST_OK;
}

// The rotation that brings the x axis on the way to the next point of the second state, in the frame of this one, at
// rest. (SOFA takes the inverse one.)
static void find_rest_rotation(const attach *self, size_t i, st_real q[4]) {
    const st_reals *list = st_coord_list(self->second, ST_COORD_REST, ST_COORD_REST);
    const size_t point = self->indices2.data[i];
    st_quat_identity(q);

    if (point + 1 >= list->count || list->count != self->second->size) return;
    const st_real *here = list->data + 7 * point, *next = here + 7;

    st_real way[3], local[3];
    st_vec3_sub(way, next, here);
    st_quat_inverse_rotate(local, here + 3, way);
    if (st_vec3_normalize(local, local)) st_quat_from_unit_vectors(q, (st_real[]){1, 0, 0}, local);
}

static st_status attach_init(st_object *object) {
    attach *self = (attach *)object;
    const st_status status = st_match_pair(object, &self->first, &self->second);
    if (status != ST_OK) return status;
    self->base.state = self->second;
    return ST_OK;
}

// The states may be in nodes below, which are initialized later: pairs are checked on the way back.
static st_status attach_bwd_init(st_object *object) {
    attach *self = (attach *)object;
    const st_status status = check_pairs(self);
    if (status != ST_OK) return status;

    // all pairs act at first
    const size_t count = pair_count(self), turns = self->rest_rotations && object->dof->coord == 7 ? count : 0;
    if (!st_list_set_count(&self->flags, count, 1) || !st_list_set_count(&self->rest, turns, 4))
        return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i < count; i++) self->flags.data[i] = ACTIVE;
    for (size_t i = 0; i < turns; i++) find_rest_rotation(self, i, self->rest.data + 4 * i);
    return ST_OK;
}

static void attach_reset(st_object *object) {
    attach *self = (attach *)object;
    for (size_t i = 0; i < self->flags.count; i++) self->flags.data[i] = ACTIVE;
}

// ---------------------------------------------------------------------------------------------------
// Which pairs act
// ---------------------------------------------------------------------------------------------------

// Number of pairs at work; lists that were changed by others count as far as they are safe.
static size_t attach_usable(const attach *self) {
    const size_t pairs = pair_count(self);
    if (!self->first || !self->second) return 0;
    return pairs < self->flags.count ? pairs : self->flags.count;
}

static bool attach_is_active(const attach *self, size_t i) {
    return i < self->flags.count && self->flags.data[i] & ACTIVE;
}

// Does the pair act in a step? A released one does not; one beyond the plane only when it is clamped.
static bool attach_acts(const attach *self, size_t i) {
    return pair_exists(self, i) && !(self->flags.data[i] & RELEASED) && (attach_is_active(self, i) || self->clamp);
}

static bool is_free(const attach *self, size_t i) {
    return self->free_rotations || (self->last_free_rotation && !attach_is_active(self, i + 1));
}

static st_real factor_of(const attach *self, size_t i) { return i < self->factors.count ? self->factors.data[i] : 1; }

static bool has_plane(const attach *self) {
    return st_is_set(&self->base.object, &self->last_direction) && st_vec3_norm(self->last_direction) > ST_R(1e-10);
}

// How far a point is beyond the plane.
static st_real beyond_plane(const attach *self, const st_real *x) {
    st_real beyond = 0;
    for (size_t j = 0; j < self->base.object.dof->spatial; j++)
        beyond += (x[j] - self->last_position[j]) * self->last_direction[j];
    return beyond;
}

// The plane through lastPos and the distance of the points decide.
static void find_flags(attach *self, size_t i, const st_real *x1, const st_real *x2) {
    st_real square = 0;
    for (size_t j = 0; j < self->base.object.dof->spatial; j++) square += (x2[j] - x1[j]) * (x2[j] - x1[j]);

    const bool ends = has_plane(self) && beyond_plane(self, x1) > 0;
    const bool released = self->minimum_distance != -1 && sqrt(square) > self->minimum_distance;
    self->flags.data[i] = (unsigned char)((ends ? 0 : ACTIVE) | (released ? RELEASED : 0));
}

// ---------------------------------------------------------------------------------------------------
// Positions
// ---------------------------------------------------------------------------------------------------

static void attach_vector(const attach *self, size_t i, const st_real *x1, st_real *x2) {
    const size_t width = self->base.object.dof->coord;
    const bool held = !attach_is_active(self, i);
    for (size_t j = 0; j < width; j++) {
        const st_real target = !held ? x1[j] : j < 3 ? self->last_position[j] : x2[j];
        x2[j] -= (x2[j] - target) * ST_R(0.5) * self->position_factor * factor_of(self, i);
    }
}

// The rest rotation of a pair. Of the last one before the plane only a part: s = -d_i / (d_i+1 - d_i) of its angle, d how
// far the pairs are beyond the plane.
static void rest_rotation(const attach *self, size_t i, const st_real *x1, st_real q[4]) {
    const st_real *rest = self->rest.data + 4 * i;
    st_quat_copy(q, rest);
    if (!has_plane(self) || i + 1 >= attach_usable(self) || attach_is_active(self, i + 1) || !pair_exists(self, i + 1))
        return;

    const st_real here = beyond_plane(self, x1 + 7 * (size_t)self->indices1.data[i]);
    const st_real next = beyond_plane(self, x1 + 7 * (size_t)self->indices1.data[i + 1]);
    st_real axis[3];
    st_quat_identity(q);
    if (st_vec3_normalize(axis, rest) && next != here)
        st_quat_from_axis_angle(q, axis, 2 * acos(st_clamp(rest[3], -1, 1)) * -here / (next - here));
}

// The center, and unless it is free the orientation: of a Rigid2 an angle, else a quaternion.
static void attach_frame(const attach *self, size_t i, const st_real *x1, st_real *x2) {
    const st_dof *dof = self->base.object.dof;
    const st_real *a = x1 + self->indices1.data[i] * dof->coord;
    st_real *b = x2 + self->indices2.data[i] * dof->coord, q[4];
    for (size_t j = 0; j < dof->spatial; j++) b[j] = attach_is_active(self, i) ? a[j] : self->last_position[j];

    if (is_free(self, i)) return;
    if (dof->coord == 3) b[2] = a[2];
    else if (i < self->rest.count) {
        rest_rotation(self, i, x1, q);
        st_quat_multiply(b + 3, a + 3, q);
    } else st_quat_copy(b + 3, a + 3);
}

static void attach_position(st_projection *base, st_coord_id id) {
    attach *self = (attach *)base;
    const size_t width = base->object.dof->coord, count = attach_usable(self);

    if (count == 0) return;
    const st_real *x1 = st_position_of(self->first, id);
    st_real *x2 = st_position_of(self->second, id);
    if (!x1 || !x2) return;

    // the flags follow the positions: velocities and responses of the step use them
    for (size_t i = 0; i < count; i++)
        if (pair_exists(self, i))
            find_flags(self, i, x1 + self->indices1.data[i] * width, x2 + self->indices2.data[i] * width);

    for (size_t i = 0; i < count; i++) {
        if (!attach_acts(self, i)) continue;
        if (base->object.dof->rigid) attach_frame(self, i, x1, x2);
        else attach_vector(self, i, x1 + self->indices1.data[i] * width, x2 + self->indices2.data[i] * width);
    }
}

// ---------------------------------------------------------------------------------------------------
// Velocities and responses
// ---------------------------------------------------------------------------------------------------

// Both to their mean; the second alone towards zero when it is held.
static void average(const attach *self, size_t i, st_real *d1, st_real *d2, st_real factor) {
    for (size_t j = 0; j < self->base.object.dof->deriv; j++) {
        const bool held = !attach_is_active(self, i);

        const st_real c = (d2[j] - (held ? 0 : d1[j])) * ST_R(0.5) * factor * factor_of(self, i);
        if (!held) d1[j] += c;
        d2[j] -= c;
    }
}

static void attach_velocity(st_projection *base, st_deriv_id id) {
    const attach *self = (attach *)base;
    const st_dof *dof = base->object.dof;
    const size_t width = dof->deriv;

    if (attach_usable(self) == 0) return;
    st_real *v1 = st_velocity_of(self->first, id), *v2 = st_velocity_of(self->second, id);
    for (size_t i = 0; v1 && v2 && i < attach_usable(self); i++) {
        if (!attach_acts(self, i)) continue;

        // vectors
        st_real *a = v1 + self->indices1.data[i] * width, *b = v2 + self->indices2.data[i] * width;
        if (!dof->rigid) average(self, i, a, b, self->velocity_factor);

        // rigids: the velocity of the first one, or rest where it is held
        const size_t count = !dof->rigid ? 0 : is_free(self, i) ? dof->spatial : dof->deriv;
        for (size_t j = 0; j < count; j++) b[j] = attach_is_active(self, i) ? a[j] : 0;
    }
}

static void attach_respond(const attach *self, size_t i, st_real *a, st_real *b) {
    const st_dof *dof = self->base.object.dof;
    const size_t count = dof->rigid && is_free(self, i) ? dof->spatial : dof->deriv;
    const bool two_way = self->two_way && attach_is_active(self, i);

    // vectors, two-way: both to the mean
    if (two_way && !dof->rigid) {
        average(self, i, a, b, self->response_factor);
        return;
    }

    // rigids, two-way: the sum on both; else none on the second
    for (size_t j = 0; j < count; j++) {
        if (two_way) a[j] += b[j];
        b[j] = two_way ? a[j] : 0;
    }
}

static void attach_response(st_projection *base, st_deriv_id id) {
    const attach *self = (attach *)base;
    const size_t width = base->object.dof->deriv;

    if (attach_usable(self) == 0) return;
    st_real *d1 = st_dx_of(self->first, id), *d2 = st_dx_of(self->second, id);

    for (size_t i = 0; d1 && d2 && i < attach_usable(self); i++)
        if (attach_acts(self, i))
            attach_respond(self, i, d1 + self->indices1.data[i] * width, d2 + self->indices2.data[i] * width);
}

// ---------------------------------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------------------------------

static void discard_pair(const attach *self, size_t i, bool free, st_clear *clear, void *context) {
    const st_dof *dof = self->base.object.dof;
    const size_t count = (dof->rigid && free ? dof->spatial : dof->deriv);
    for (size_t j = 0; j < count; j++) clear(context, self->indices2.data[i] * dof->deriv + j);
}

static void attach_discard(st_projection *base, st_clear *clear, void *context) {
    const attach *self = (attach *)base;

    if (self->two_way) return;
    for (size_t i = 0; i < attach_usable(self); i++)
        if (attach_acts(self, i)) discard_pair(self, i, is_free(self, i), clear, context);
}

static void attach_columns(st_projection *base, st_filter *filter, void *context) {
    const attach *self = (attach *)base;
    const st_dof *dof = base->object.dof;
    if (self->two_way) return;

    for (size_t i = 0; i < attach_usable(self); i++) {
        if (!attach_acts(self, i)) continue;

        // a free orientation stays in: I on its scalars
        st_real block[36] = {0};
        for (size_t j = dof->spatial; j < dof->deriv; j++) block[j * dof->deriv + j] = 1;
        filter(context, self->indices2.data[i], dof->rigid && is_free(self, i) ? block : NULL);
    }
}

static void attach_destroy(st_object *object) {
    st_list_free(&((attach *)object)->flags);
    st_list_free(&((attach *)object)->rest);
}

static const st_projection_ops ops = {
    .response = attach_response,
    .velocity = attach_velocity,
    .position = attach_position,
    .discard = attach_discard,
    .columns = attach_columns,
};

const st_class st_attach_projective_constraint_class = {
    .name = "AttachProjectiveConstraint",
    .help = "points of one state that follow those of another",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(attach),
    .example =
        "<Node name=\"leader\">\n"
        "  <MechanicalObject name=\"dofs\" position=\"0 0 0  1 0 0\"/>\n"
        "  <UniformMass totalMass=\"2\"/>\n"
        "</Node>\n"
        "<Node name=\"follower\">\n"
        "  <MechanicalObject name=\"dofs\" position=\"1 0 0  2 0 0\"/>\n"
        "  <UniformMass totalMass=\"2\"/>\n"
        "  <AttachProjectiveConstraint object1=\"@../leader/dofs\" object2=\"@dofs\" indices1=\"1\" indices2=\"0\"/>\n"
        "</Node>",
    .accepts = st_accept_pair,
    .init = attach_init,
    .bwd_init = attach_bwd_init,
    .reset = attach_reset,
    .destroy = attach_destroy,
    .projection = &ops,
};
