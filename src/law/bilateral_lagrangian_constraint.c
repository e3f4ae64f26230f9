// BilateralLagrangianConstraint: pairs of DOFs of two objects that stay together.
//
//     d = x₂ − x₁ − rest                                (Vec3; three rows a pair)
//     d = (c₂ − c₁, R(q₁) log(q₁⁻¹ q₂)) − rest          (Rigid3; six rows, linear then angular, along the world's axes)
//
// The force of a Vec3 pair is stored as the first guess of the next step.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/bilateral.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

typedef st_bilateral bilateral;

static const st_field fields[] = {
    ST_FIELD(bilateral, first, "first_point", st_type_indices, NULL, "DOFs of object1", .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(bilateral, second, "second_point", st_type_indices, NULL, "DOFs of object2, one for each of the first",
             .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(bilateral, rest, "rest_vector", st_type_derivs, NULL, "offset that each pair keeps", .mesh = ST_ROWS),
    ST_FIELD(bilateral, activate, "activate", st_type_bool, "1", "false: no rows (Vec3)"),
    ST_FIELD(bilateral, keep_orientation, "keepOrientationDifference", st_type_bool, "0",
             "keep the difference between the frames at the beginning (Rigid3)"),
    ST_FIELD(bilateral, load, "load", st_type_real, "1", "factor on every change of the force, between 0 and 1 (Vec3)",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(bilateral, topology1, "topology1", st_type_link, NULL,
             "mesh whose changes first_point follows; that of object1 anyway", .flags = ST_FIELD_NO_EFFECT,
             .role = ST_ROLE(topology)),
    ST_FIELD(bilateral, topology2, "topology2", st_type_link, NULL,
             "mesh whose changes second_point follows; that of object2 anyway", .flags = ST_FIELD_NO_EFFECT,
             .role = ST_ROLE(topology)),
    ST_FIELDS_END,
};

static bool is_rigid(const bilateral *self) { return self->law.object.dof->rigid; }
static size_t pair_count(const bilateral *self) {
    return self->first.count < self->second.count ? self->first.count : self->second.count;
}

static bool bilateral_is_there(const bilateral *self, size_t pair) {
    return self->first.data[pair] < self->law.state->size && self->second.data[pair] < self->law.other->size;
}

static void rest_of(const bilateral *self, size_t pair, st_real rest[6]) {
    const size_t width = self->law.object.dof->deriv;

    memset(rest, 0, 6 * sizeof *rest);
    if (pair < self->rest.count) st_copy_reals(rest, self->rest.data + pair * width, width);
}

static st_status bilateral_init(st_object *object) {
    bilateral *self = (bilateral *)object;
    const st_status status = st_pair_law_class.init(object);
    if (status != ST_OK) return status;

    self->memory.count = 0;

    const st_real load = self->load;
    if (!(load >= 0 && load <= 1)) {
        self->load = load > 1 ? 1 : 0;
        st_message(object, ST_WARNING, "load = %g is not between 0 and 1: %g is used", (double)load,
                   (double)self->load);
    }
    return ST_OK;
}

// --- frames ----------------------------------------------------------------------------------------------------------

// q₁⁻¹ q₂, the shorter way round.
static void relative_rotation(st_real q[4], const st_real q1[4], const st_real q2[4]) {
    st_real inverse[4], second[4], dot = 0;
    for (int i = 0; i < 4; i++) dot += q1[i] * q2[i];
    for (int i = 0; i < 4; i++) second[i] = dot < 0 ? -q2[i] : q2[i];

    st_quat_inverse(inverse, q1);
    st_quat_multiply(q, inverse, second);
}

// The axis times the angle, of a rotation by no more than half a turn.
static void rotation_vector(st_real r[3], const st_real quaternion[4]) {
    st_real q[4];

    st_quat_normalize(q, quaternion);
    if (q[3] < 0)
        for (int i = 0; i < 4; i++) q[i] = -q[i];

    // acos loses its digits near 1, asin does not
    const st_real length = st_vec3_norm(q);
    if (length < ST_REAL_EPSILON) {
        st_vec3_zero(r);
        return;
    }

    const st_real angle = q[3] > ST_R(0.999) ? 2 * asin(st_min(length, 1)) : 2 * acos(q[3]);
    st_vec3_scale(r, q, angle / length);
}

// The frames of object2 in object1 at the beginning are what keepOrientationDifference keeps.
static st_status bilateral_bwd_init(st_object *object) {
    bilateral *self = (bilateral *)object;
    if (!self->keep_orientation || !is_rigid(self) || !self->law.state || !self->law.other) return ST_OK;

    // the kept difference takes the place of a rest vector
    if (self->rest.count) {
        st_message(object, ST_WARNING, "rest_vector is ignored: keepOrientationDifference is on");
        self->rest.count = 0;
    }

    if (!st_list_set_count(&self->difference, pair_count(self), 7)) return ST_OUT_OF_MEMORY;

    // (c₂ − c₁, q₁⁻¹ q₂) of each pair
    for (size_t p = 0; p < pair_count(self); p++) {
        st_real *d = self->difference.data + 7 * p;
        st_rigid_identity(d);
        if (!bilateral_is_there(self, p)) continue;

        const st_real *a = st_law_now(self->law.state, self->first.data[p]);
        const st_real *b = st_law_now(self->law.other, self->second.data[p]);
        st_vec3_sub(d, b, a);
        relative_rotation(d + 3, a + 3, b + 3);
        st_quat_normalize(d + 3, d + 3);
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static void report_index(const bilateral *self, size_t pair) {
    st_message_once(&self->law.object, "index", ST_ERROR,
                    "pair %zu joins DOF %u of %zu with DOF %u of %zu: such pairs are ignored", pair,
                    (unsigned)self->first.data[pair], self->law.state->size, (unsigned)self->second.data[pair],
                    self->law.other->size);
}

static size_t bilateral_build(st_law *law, size_t first) {
    bilateral *self = (bilateral *)law;
    const size_t width = law->object.dof->deriv;
    size_t row = first;
    if (!self->activate && !is_rigid(self)) return 0;

    // one row for each scalar: x₂ − x₁
    for (size_t p = 0; p < pair_count(self); p++) {
        if (!bilateral_is_there(self, p)) {
            report_index(self, p);
            continue;
        }

        for (size_t k = 0; k < width; k++, row++) {
            st_law_add_axis(law->state, row, self->first.data[p], k, -1);
            st_law_add_axis(law->other, row, self->second.data[p], k, 1);
        }
    }
    return row - first;
}

// d = (c₂ − c₁, R(q₁) log(q₁⁻¹ q₂)) − rest, where (c₁, q₁) is object1's frame with the kept difference applied.
static void rigid_violation(const bilateral *self, size_t pair, const st_real *a, const st_real *b, st_real *d) {
    st_real frame[7], q[4], rest[6];

    // frame 1 with the kept difference
    st_rigid_set(frame, a, a + 3);
    if (pair < self->difference.count && self->keep_orientation) {
        const st_real *kept = self->difference.data + 7 * pair;
        st_vec3_add(frame, a, kept);
        st_quat_multiply(frame + 3, a + 3, kept + 3);
    }

    // c₂ − c₁ and R(q₁) log(q₁⁻¹ q₂)
    relative_rotation(q, frame + 3, b + 3);
    st_vec3_sub(d, b, frame);
    rotation_vector(d + 3, q);
    st_quat_rotate(d + 3, frame + 3, d + 3);

    // − rest
    rest_of(self, pair, rest);
    for (int k = 0; k < 6; k++) d[k] -= rest[k];
}

static void point_violation(const bilateral *self, size_t pair, const st_real *a, const st_real *b, st_real *d) {
    st_real rest[6];
    rest_of(self, pair, rest);
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k] - rest[k];
}

static void bilateral_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    bilateral *self = (bilateral *)law;
    const size_t width = law->object.dof->deriv;

    for (size_t p = 0; p < pair_count(self); p++) {
        if (!bilateral_is_there(self, p)) continue;

        const st_real *a = st_law_x(law->state, params, self->first.data[p]);
        const st_real *b = st_law_x(law->other, params, self->second.data[p]);
        if (is_rigid(self)) rigid_violation(self, p, a, b, d);
        else point_violation(self, p, a, b, d);
        d += width;
    }
}

static void bilateral_resolutions(st_law *law, st_resolutions *to) {
    bilateral *self = (bilateral *)law;
    const bool remembers = !is_rigid(self) && (self->memory.count >= 3 * pair_count(self) ||
                                               st_list_set_count(&self->memory, 3 * pair_count(self), 1));

    for (size_t p = 0; p < pair_count(self); p++) {
        if (!bilateral_is_there(self, p)) continue;
        st_resolution *block = st_add_equality(to, 3);

        // a rigid pair has three more rows and no memory
        if (is_rigid(self)) {
            st_add_equality(to, 3);
        } else if (block) {
            block->memory = remembers ? self->memory.data + 3 * p : NULL;
            block->load = self->load;
        }
    }
}

// Pairs without rows have none.
static void bilateral_store(st_law *law, const st_real *f) {
    bilateral *self = (bilateral *)law;
    const size_t width = law->object.dof->deriv;
    self->forces.count = 0; // new ones are zero
    if ((!self->activate && !is_rigid(self)) || !st_list_set_count(&self->forces, pair_count(self), width)) return;

    for (size_t p = 0; p < pair_count(self); p++) {
        if (!bilateral_is_there(self, p)) continue;
        st_copy_reals(self->forces.data + p * width, f, width);
        f += width;
    }
}

static void bilateral_reset(st_object *object) {
    bilateral *self = (bilateral *)object;
    for (size_t i = 0; i < self->memory.count; i++) self->memory.data[i] = 0;
    self->forces.count = 0;
}

static void bilateral_destroy(st_object *object) {
    bilateral *self = (bilateral *)object;
    st_list_free(&self->memory);
    st_list_free(&self->forces);
    st_list_free(&self->difference);
}

static const st_law_ops ops = {.build = bilateral_build,
                               .violation = bilateral_violation,
                               .resolutions = bilateral_resolutions,
                               .store = bilateral_store};

// Forces of the last step stay in their places, as in SOFA: they are first guesses.
static const st_attached attached[] = {
    {.offset = offsetof(bilateral, difference), .bytes = 7 * sizeof(st_real), .mesh = ST_ROWS},
    {0},
};

const st_class st_bilateral_lagrangian_constraint_class = {
    .name = "BilateralLagrangianConstraint",
    .help = "keeps DOFs of two objects together",
    .parent = &st_pair_law_class,
    .templates = "Rigid3 Vec3",
    .fields = fields,
    .size = sizeof(bilateral),
    .example = "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='2'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/>"
               "<BilateralLagrangianConstraint first_point='0' second_point='1' rest_vector='1 0 0'/>",
    .flags = ST_CLASS_FOLLOWS_MESH,
    .init = bilateral_init,
    .attached = attached,
    .bwd_init = bilateral_bwd_init,
    .reinit = bilateral_init,
    .reset = bilateral_reset,
    .destroy = bilateral_destroy,
    .law = &ops,
};
