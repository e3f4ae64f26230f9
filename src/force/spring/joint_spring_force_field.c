// JointSpringForceField: joints between rigids, as springs that are soft along free axes and hard along the others.
//
// In the frame of the first rigid (c1, q1), with KT and KR hard or soft for each axis:
//
//     T = c2 - c1 - rest:        fT = q1 (KT ∘ (q1⁻¹ T)) + kd (v2 - v1)
//     Q = (q1⁻¹ q2) rest:        θ the rotation vector of Q, M its matrix
//     torque = q1 fR + kd (ω2 - ω1)
//       no free rotation, or soft ones within their limits:   fR = KR ∘ θ
//       one free axis, x, within its limits:                  fR = (KR_x θ_x, -KR_y M20 φ, KR_z M10 φ)
//                                                             φ the angle from axis x of the one to that of the other;
//                                                             y and z likewise
//       outside the limits of a free axis:                    KR_i = KS_B there, times what θ exceeds them by
//     f1 += (fT, torque),  f2 -= (fT, torque)
//
// The derivative is q1 KT q1⁻¹ and q1 KR q1⁻¹: it leaves out that frames turn.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/rigid_springs.h"
#include "force/spring/spring_records.h"
#include "math/quat.h"

enum {
    FREE_AXIS,            // six, 0 or 1
    KS_T = FREE_AXIS + 6, // soft, hard
    KS_R = KS_T + 2,      // soft, hard
    KS_B = KS_R + 2,      // at the limits
    KD,                   //
    LIMITS,               // min, max for each axis
    REST_T = LIMITS + 6,  //
    REST_R = REST_T + 3,  // quaternion
};

typedef struct joint_springs {
    st_force base;
    char *text;
    char *infile, *outfile;
    st_real period, show_size;
    bool reinit;
    bool show_law_torsion, show_extra_torsion;

    st_spring_records springs;
    st_rigid_springs tangent; // one for each spring
} joint_springs;

static const st_field fields[] = {
    ST_FIELD(
        joint_springs, text, "spring", st_type_string, NULL,
        "BEGIN_SPRING m1 m2 [FREE_AXIS 6 bools] [KS_T soft hard] [KS_R soft hard] [KS_B k] [KD d] [R_LIM_X min max] "
        "[R_LIM_Y min max] [R_LIM_Z min max] [REST_T x y z] [REST_R x y z w] END_SPRING ..."),
    ST_FIELD(joint_springs, infile, "infile", st_type_file, NULL, "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(joint_springs, outfile, "outfile", st_type_string, NULL, "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(joint_springs, period, "period", st_type_real, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(joint_springs, reinit, "reinit", st_type_bool, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(joint_springs, show_law_torsion, "showLawfulTorsion", st_type_bool, "0", "", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(joint_springs, show_extra_torsion, "showExtraTorsion", st_type_bool, "0", "", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(joint_springs, show_size, "showFactorSize", st_type_real, "1", "size of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_record_keyword keywords[] = {{"FREE_AXIS", 6, FREE_AXIS},
                                             {"KS_T", 2, KS_T},
                                             {"KS_R", 2, KS_R},
                                             {"KS_B", 1, KS_B},
                                             {"KD", 1, KD},
                                             {"R_LIM_X", 2, LIMITS},
                                             {"R_LIM_Y", 2, LIMITS + 2},
                                             {"R_LIM_Z", 2, LIMITS + 4},
                                             {"REST_T", 3, REST_T},
                                             {"REST_R", 4, REST_R},
                                             {NULL, 0, 0}};
enum { GIVEN_KS_B = 1 << 3 };

static const st_real defaults[ST_RECORD_VALUES] = {
    [FREE_AXIS + 3] = 1,   [FREE_AXIS + 4] = 1,    [FREE_AXIS + 5] = 1,   [KS_T + 1] = 10000,
    [KS_R + 1] = 10000,    [LIMITS] = -100000,     [LIMITS + 1] = 100000, [LIMITS + 2] = -100000,
    [LIMITS + 3] = 100000, [LIMITS + 4] = -100000, [LIMITS + 5] = 100000, [REST_R + 3] = 1};
static const st_record_grammar grammar = {.indices = 2, .keywords = keywords, .defaults = defaults};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool joint_spring_in_range(const st_force *base, const st_spring_record *s) {
    return base->state && base->other && s->index[0] < base->state->size && s->index[1] < base->other->size;
}

static st_status joint_spring_init(st_object *object) {
    joint_springs *force = (joint_springs *)object;
    const st_status status = st_pair_force_class.init(object);
    if (status != ST_OK) return status;

    if (!st_spring_records_read(object, force->text, &grammar, &force->springs)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < force->springs.count; i++) {
        st_spring_record *s = &force->springs.data[i];

        // limits that are equal leave no freedom
        if (!(s->given & GIVEN_KS_B)) s->values[KS_B] = s->values[KS_R + 1] / 100;
        for (int j = 0; j < 3; j++)
            if (s->values[LIMITS + 2 * j] == s->values[LIMITS + 2 * j + 1]) s->values[FREE_AXIS + 3 + j] = 0;

        if (!joint_spring_in_range(&force->base, s))
            st_message(object, ST_ERROR, "a joint connects DOFs %u and %u, but there are %zu and %zu: it does not act",
                       s->index[0], s->index[1], force->base.state->size, force->base.other->size);
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Torque
// ---------------------------------------------------------------------------------------------------

static st_real wrap(st_real angle) { // to [-π, π]
    while (angle > ST_PI) angle -= 2 * ST_PI;
    while (angle < -ST_PI) angle += 2 * ST_PI;
    return angle;
}

static bool is_free(const st_spring_record *s, int axis) { return s->values[FREE_AXIS + axis] != 0; }

static bool is_lawful(const st_spring_record *s, int axis, st_real torsion) {
    return torsion >= s->values[LIMITS + 2 * axis] && torsion <= s->values[LIMITS + 2 * axis + 1];
}

// The limit that is nearer, turns aside.
static st_real nearest_limit(const st_spring_record *s, int axis, st_real torsion) {
    const st_real low = s->values[LIMITS + 2 * axis], high = s->values[LIMITS + 2 * axis + 1];
    return fabs(wrap(fmod(torsion - low, 2 * ST_PI))) < fabs(wrap(fmod(torsion - high, 2 * ST_PI))) ? low : high;
}

// The free axis, when there is exactly one.
static int single_free_axis(const st_spring_record *s) {
    int axis = -1, count = 0;
    for (int i = 0; i < 3; i++)
        if (is_free(s, 3 + i)) {
            axis = i;
            count++;
        }
    return count == 1 ? axis : -1;
}

// One free axis a: the others are turned back by the angle between both axes a.
static void hinge_torque(int a, const st_real q[4], const st_real torsion[3], const st_real k[3], st_real torque[3]) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    st_real m[9];

    st_quat_to_matrix(m, q);
    const st_real mb = m[3 * b + a], mc = m[3 * c + a];
    const st_real angle = atan2(sqrt(mb * mb + mc * mc), m[4 * a]);

    torque[a] = torsion[a] * k[a];
    torque[b] = -mc * angle * k[b];
    torque[c] = mb * angle * k[c];
}

static void limited_torque(const st_spring_record *s, const st_real torsion[3], st_real k[3], st_real torque[3]) {
    st_real extra[3];

    // what exceeds the limits, turned the shorter way round
    for (int i = 0; i < 3; i++) {
        const bool lawful = is_lawful(s, i, torsion[i]);
        extra[i] = torsion[i] - (!is_free(s, 3 + i) ? 0 : lawful ? torsion[i] : nearest_limit(s, i, torsion[i]));
    }

    const st_real norm = st_vec3_norm(extra);
    if (norm > ST_PI) st_vec3_scale(extra, extra, wrap(fmod(norm, 2 * ST_PI)) / norm);

    // outside of them the stiffness is that of the limits
    for (int i = 0; i < 3; i++) {
        const bool outside = is_free(s, 3 + i) && !is_lawful(s, i, torsion[i]);
        if (outside) k[i] = s->values[KS_B];
        torque[i] = (outside ? extra[i] : torsion[i]) * k[i];
    }
}

// The torque in the frame of the first rigid; k may be changed at a limit.
static void find_torque(const st_spring_record *s, const st_real q[4], st_real k[3], st_real torque[3]) {
    st_real torsion[3], angle;

    // θ, the shorter way round
    st_quat_to_axis_angle(torsion, &angle, q);
    st_vec3_scale(torsion, torsion, wrap(angle));

    // a hinge, free axes with limits, or none that is free
    const int hinge = single_free_axis(s);
    if (hinge >= 0 && is_lawful(s, hinge, torsion[hinge])) {
        hinge_torque(hinge, q, torsion, k, torque);
    } else if (is_free(s, 3) || is_free(s, 4) || is_free(s, 5)) {
        limited_torque(s, torsion, k, torque);
    } else {
        for (int i = 0; i < 3; i++) torque[i] = torsion[i] * k[i];
    }
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

typedef struct end {
    const st_real *x, *v;
    st_real *f;
} end;

static void joint_spring_pull(const st_spring_record *s, const end *one, const end *two, st_rigid_spring *tangent) {
    const st_real *values = s->values, *q1 = one->x + 3;
    st_real kt[3], kr[3], d[3], inverse[4], q[4], torque[3];

    // KT and KR, hard or soft for each axis
    for (int i = 0; i < 3; i++) kt[i] = values[is_free(s, i) ? KS_T : KS_T + 1];
    for (int i = 0; i < 3; i++) kr[i] = values[is_free(s, 3 + i) ? KS_R : KS_R + 1];

    // T and Q
    for (int i = 0; i < 3; i++) d[i] = two->x[i] - one->x[i] - values[REST_T + i];
    st_quat_inverse(inverse, q1);
    st_quat_multiply(q, inverse, two->x + 3);
    st_quat_multiply(q, q, values + REST_R);
    st_quat_normalize(q, q);

    // q1 (KT ∘ (q1⁻¹ T)) and q1 fR
    st_quat_rotate(d, inverse, d);
    for (int i = 0; i < 3; i++) d[i] *= kt[i];
    st_quat_rotate(d, q1, d);
    find_torque(s, q, kr, torque);
    st_quat_rotate(torque, q1, torque);

    // the dampers
    for (int i = 0; i < 3; i++) {
        d[i] += (two->v[i] - one->v[i]) * values[KD];
        torque[i] += (two->v[3 + i] - one->v[3 + i]) * values[KD];
    }

    for (int i = 0; i < 3; i++) {
        one->f[i] += d[i];
        one->f[3 + i] += torque[i];
    }
    for (int i = 0; i < 3; i++) {
        two->f[i] -= d[i];
        two->f[3 + i] -= torque[i];
    }

    // q1 KT q1⁻¹ and q1 KR q1⁻¹
    *tangent = (st_rigid_spring){.a = s->index[0], .b = s->index[1]};
    st_rigid_spring_matrix(tangent->linear, q1, kt);
    st_rigid_spring_matrix(tangent->angular, q1, kr);
}

static end end_of(const st_state *state, const st_params *params, size_t index) {
    return (end){st_x(state, params) + 7 * index, st_v(state, params) + 6 * index, st_f(state, params) + 6 * index};
}

static void joint_spring_add_force(st_force *base, const st_params *params) {
    joint_springs *force = (joint_springs *)base;
    if (!base->state || !base->other || !st_list_set_count(&force->tangent, force->springs.count, 1)) return;
    for (size_t i = 0; i < force->springs.count; i++) {
        const st_spring_record *s = &force->springs.data[i];

        // an entry for each spring; those that do not act have no end
        force->tangent.data[i] = (st_rigid_spring){.a = ST_INVALID_INDEX};
        if (!joint_spring_in_range(base, s)) continue;

        const end one = end_of(base->state, params, s->index[0]), two = end_of(base->other, params, s->index[1]);
        joint_spring_pull(s, &one, &two, &force->tangent.data[i]);
    }
}

static void joint_spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_rigid_springs_blocks(&((joint_springs *)base)->tangent, base->state, base->other, k);
}

static void joint_spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_rigid_springs_product(&((joint_springs *)base)->tangent, base->state, base->other, params, k);
}

static void joint_spring_destroy(st_object *object) {
    st_list_free(&((joint_springs *)object)->springs);
    st_list_free(&((joint_springs *)object)->tangent);
}

static const st_force_ops force_ops = {
    .add_force = joint_spring_add_force, .stiffness = joint_spring_stiffness, .product = joint_spring_product};

const st_class st_joint_spring_force_field_class = {
    .name = "JointSpringForceField",
    .help = "joints between rigids, as springs",
    .parent = &st_pair_force_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(joint_springs),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  0.1 0.2 0 0 0.1 0 0.995\"/>\n"
               "<JointSpringForceField spring=\"BEGIN_SPRING 0 1 FREE_AXIS 0 0 0 0 1 0 KS_T 0 100 KS_R 0 50 KD 1 "
               "END_SPRING\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = joint_spring_init,
    .destroy = joint_spring_destroy,
    .force = &force_ops,
};
