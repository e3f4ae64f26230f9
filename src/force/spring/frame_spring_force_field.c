// FrameSpringForceField: springs that hold a frame on one rigid to a frame on another.
//
//     fT = kT ((c2 + R2 vec2) - (c1 + R1 vec1)) + d (v2 - v1)
//     fR = kR rotation vector of q1⁻¹ q2
//     f1 += (fT, fR + (R1 vec1) × fT + d (ω2 - ω1)),   f2 -= (fT, fR + (R2 vec2) × fT - d (ω2 - ω1))
//
// The derivative is that of equal frames without offsets: kT and kR on the diagonal.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/rigid_springs.h"
#include "force/spring/spring_records.h"
#include "math/quat.h"

enum { KS_T, KS_R, KD, VEC1, VEC2 = VEC1 + 3 };

typedef struct frame_springs {
    st_force base;
    char *text;
    st_real show_size;
    st_spring_records springs;
    st_rigid_springs tangent; // of those that act
} frame_springs;

static const st_field fields[] = {
    ST_FIELD(frame_springs, text, "spring", st_type_string, NULL,
             "BEGIN_SPRING m1 m2 [KS_T k] [KS_R k] [KD d] [VEC1 x y z] [VEC2 x y z] END_SPRING ..."),
    ST_FIELD(frame_springs, show_size, "showFactorSize", st_type_real, "1", "size of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_record_keyword keywords[] = {{"KS_T", 1, KS_T}, {"KS_R", 1, KS_R}, {"KD", 1, KD},
                                             {"VEC1", 3, VEC1}, {"VEC2", 3, VEC2}, {NULL, 0, 0}};
static const st_real defaults[ST_RECORD_VALUES] = {0};
static const st_record_grammar grammar = {.indices = 2, .keywords = keywords, .defaults = defaults};

static bool frame_spring_in_range(const st_force *base, const st_spring_record *s) {
    return base->state && base->other && s->index[0] < base->state->size && s->index[1] < base->other->size;
}

static bool add_tangent(frame_springs *force, const st_spring_record *s) {
    st_rigid_spring spring = {.a = s->index[0], .b = s->index[1]};
    for (int i = 0; i < 9; i += 4) {
        spring.linear[i] = s->values[KS_T];
        spring.angular[i] = s->values[KS_R];
    }
    return st_list_push(&force->tangent, spring);
}

static st_status frame_spring_init(st_object *object) {
    frame_springs *force = (frame_springs *)object;
    const st_status status = st_pair_force_class.init(object);
    if (status != ST_OK) return status;

    if (!st_spring_records_read(object, force->text, &grammar, &force->springs)) return ST_OUT_OF_MEMORY;
    force->tangent.count = 0;

    // the derivative is constant
    for (size_t i = 0; i < force->springs.count; i++) {
        const st_spring_record *s = &force->springs.data[i];
        if (frame_spring_in_range(&force->base, s)) {
            if (!add_tangent(force, s)) return ST_OUT_OF_MEMORY;
            continue;
        }
        st_message(object, ST_ERROR, "a spring joins DOFs %u and %u, but there are %zu and %zu: it does not act",
                   s->index[0], s->index[1], force->base.state->size, force->base.other->size);
    }
    return ST_OK;
}

static void frame_spring_pull(const st_spring_record *s, const st_real *x1, const st_real *x2, const st_real *v1,
                              const st_real *v2, st_real *f1, st_real *f2) {
    const st_real *k = s->values;
    st_real arm1[3], arm2[3], linear[3], angular[3], turn[4], torque[3], rate[3];

    // fT = kT ((c2 + R2 vec2) - (c1 + R1 vec1)) + d (v2 - v1)
    st_quat_rotate(arm1, x1 + 3, k + VEC1);
    st_quat_rotate(arm2, x2 + 3, k + VEC2);
    for (int i = 0; i < 3; i++) linear[i] = ((x2[i] + arm2[i]) - (x1[i] + arm1[i])) * k[KS_T] + (v2[i] - v1[i]) * k[KD];

    // fR = kR θ
    st_quat_inverse(turn, x1 + 3);
    st_quat_multiply(turn, turn, x2 + 3);
    st_quat_to_rotation_vector(angular, turn);
    st_vec3_scale(angular, angular, k[KS_R]);

    // the arms give torques, too
    st_vec3_sub(rate, v2 + 3, v1 + 3);
    st_vec3_add(f1, f1, linear);
    st_vec3_sub(f2, f2, linear);
    st_vec3_cross(torque, arm1, linear);
    for (int i = 0; i < 3; i++) f1[3 + i] += angular[i] + torque[i] + rate[i] * k[KD];
    st_vec3_cross(torque, arm2, linear);
    for (int i = 0; i < 3; i++) f2[3 + i] -= angular[i] + torque[i] - rate[i] * k[KD];
}

static void frame_spring_add_force(st_force *base, const st_params *params) {
    const frame_springs *force = (const frame_springs *)base;
    for (size_t i = 0; i < force->springs.count; i++) {
        const st_spring_record *s = &force->springs.data[i];
        if (!frame_spring_in_range(base, s)) continue;

        const size_t a = s->index[0], b = s->index[1];
        frame_spring_pull(s, st_x(base->state, params) + 7 * a, st_x(base->other, params) + 7 * b,
                          st_v(base->state, params) + 6 * a, st_v(base->other, params) + 6 * b,
                          st_f(base->state, params) + 6 * a, st_f(base->other, params) + 6 * b);
    }
}

static void frame_spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_rigid_springs_blocks(&((frame_springs *)base)->tangent, base->state, base->other, k);
}

static void frame_spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_rigid_springs_product(&((frame_springs *)base)->tangent, base->state, base->other, params, k);
}

static void frame_spring_destroy(st_object *object) {
    st_list_free(&((frame_springs *)object)->springs);
    st_list_free(&((frame_springs *)object)->tangent);
}

static const st_force_ops force_ops = {
    .add_force = frame_spring_add_force, .stiffness = frame_spring_stiffness, .product = frame_spring_product};

const st_class st_frame_spring_force_field_class = {
    .name = "FrameSpringForceField",
    .help = "springs that hold a frame on one rigid to a frame on another",
    .parent = &st_pair_force_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(frame_springs),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0.2 0 0 0.1 0 0.995\"/>\n"
               "<FrameSpringForceField spring=\"BEGIN_SPRING 0 1 KS_T 100 KS_R 50 KD 1 VEC1 0.5 0 0 VEC2 -0.5 0 0 "
               "END_SPRING\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = frame_spring_init,
    .destroy = frame_spring_destroy,
    .force = &force_ops,
};
