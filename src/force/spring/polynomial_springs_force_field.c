// PolynomialSpringsForceField: springs with a polynomial law between points of two states.
//
//     u = p2 - p1,  L = |u|,  û = u / L,  s = |L - L0| / L0
//     stretched, L >= L0:    F = P(s) û on p1, -F on p2                        P: see polynomial.h
//     compressed:            -P(s) û when `compressible`, else no force
//     A = (P'(s) / L0 - P / L) û ûᵀ + (P / L) 1,     K = [-A A; A -A]
//
// L0 is the length at the first evaluation, or given. Compressed, A is (P'/L0 + P/L) û ûᵀ - (P/L) 1, or 0.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/index_list.h"
#include "force/spring/polynomial.h"
#include "force/spring/spring.h"
#include "math/mat3.h"
#include "settee/plugin/change.h"

typedef struct polynomial_springs {
    st_force base;
    st_uints points1, points2;
    st_reals coefficients, zero_lengths;
    st_uints degrees;
    uint32_t compute_lengths;
    bool compressible, recompute;
    int32_t draw_mode;
    st_real color[4], indices_scale;

    st_uints from, to;
    st_uints laws;           // of each spring: which polynomial, where each has its own
    bool has_laws;           //
    st_reals lengths;        // L0, once it is known
    st_spring_kernel kernel; // ends and A of each spring
} polynomial_springs;

static const st_field fields[] = {
    ST_FIELD(polynomial_springs, points1, "firstObjectPoints", st_type_indices, NULL,
             "points of object1; all when not given", .mesh = ST_ROWS_OF_FIRST, .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_springs, points2, "secondObjectPoints", st_type_indices, NULL,
             "points of object2; all when not given", .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(polynomial_springs, coefficients, "polynomialStiffness", st_type_reals, "100",
             "coefficients of all polynomials, one after another, from degree 1 upwards", .mesh = ST_WITH_MESH),
    ST_FIELD(polynomial_springs, degrees, "polynomialDegree", st_type_indices, "1",
             "degree of the polynomial of each spring", .mesh = ST_WITH_MESH),
    ST_FIELD(polynomial_springs, compute_lengths, "computeZeroLength", st_type_uint, "1",
             "1: the rest lengths are those of the first evaluation", .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_springs, zero_lengths, "zeroLength", st_type_reals, NULL, "rest lengths; else the first one",
             .mesh = ST_ROWS, .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_springs, recompute, "recompute_indices", st_type_bool, "0",
             "the lists of points are made again at each evaluation", .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_springs, compressible, "compressible", st_type_bool, "0", "springs resist compression"),
    ST_FIELD(polynomial_springs, draw_mode, "drawMode", st_type_int, "0", "how springs are drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(polynomial_springs, color, "springColor", st_type_color, "0 1 0 1", "color of the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(polynomial_springs, indices_scale, "showIndicesScale", st_type_real, "0.02", "size of the numbers drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Springs
// ---------------------------------------------------------------------------------------------------

static void refuse_pairs(polynomial_springs *force) {
    st_message_once(&force->base.object, "pairs", ST_ERROR,
                    "%zu points of %zu DOFs and %zu points of %zu DOFs do not fit: there are no springs",
                    force->from.count, force->base.state->size, force->to.count, force->base.other->size);
    force->from.count = force->to.count = 0;
}

static void update_pairs(polynomial_springs *force) {
    // listed points, or all of them in their order
    const st_state *one = force->base.state, *two = force->base.other;
    const st_object *object = &force->base.object;
    const bool ok = st_indices_or_all(&force->from, object, &force->points1, one->size) &&
                    st_indices_or_all(&force->to, object, &force->points2, two->size) &&
                    st_list_set_count(&force->kernel.springs, force->from.count, 1);
    if (!ok || force->from.count > force->to.count || !st_indices_below(&force->from, one->size) ||
        !st_indices_below(&force->to, two->size))
        refuse_pairs(force);

    for (size_t i = 0; i < force->from.count; i++)
        force->kernel.springs.data[i] = (st_spring){.a = force->from.data[i], .b = force->to.data[i], .enabled = true};
    force->kernel.springs.count = force->from.count;

    // L0 of other pairs does not hold any more
    if (force->lengths.count != force->from.count) force->lengths.count = 0;
}

static st_status polynomial_springs_bwd_init(st_object *object) {
    polynomial_springs *force = (polynomial_springs *)object;
    if (!force->base.state || !force->base.other) return ST_OK;
    if (st_why_init(object) == ST_INIT_FIRST) force->lengths.count = 0;

    // given lengths are divided by: they must be positive
    if (force->compute_lengths != 1) {
        bool usable = force->zero_lengths.count > 0;
        for (size_t i = 0; i < force->zero_lengths.count; i++) usable = usable && force->zero_lengths.data[i] > 0;
        if (!usable)
            return st_invalid(
                object, "zeroLength must be given, above 0, when computeZeroLength is not 1: there are no springs");
    }

    update_pairs(force);
    if (st_why_init(object) == ST_INIT_CHANGED && force->laws.count < force->degrees.count && force->has_laws)
        st_polynomials_keep(&force->coefficients, &force->degrees, &force->laws);
    if (st_why_init(object) == ST_INIT_FIRST) force->has_laws = force->degrees.count == force->from.count;
    return st_polynomials_number(&force->laws, force->degrees.count, force->from.count) ? ST_OK : ST_OUT_OF_MEMORY;
}

// L0 of all springs, at the first evaluation.
static bool know_lengths(polynomial_springs *force, const st_params *params) {
    const size_t count = force->from.count;
    if (force->lengths.count == count) return true;
    if (!st_list_set_count(&force->lengths, count, 1)) return false;

    // measured now, or given; a list that is too short goes on with its first value
    for (size_t i = 0; i < count; i++) {
        const st_real *p = st_x(force->base.state, params) + 3 * (size_t)force->from.data[i];
        const st_real *q = st_x(force->base.other, params) + 3 * (size_t)force->to.data[i];
        force->lengths.data[i] = force->compute_lengths == 1
                                     ? st_vec3_distance(q, p)
                                     : force->zero_lengths.data[i < force->zero_lengths.count ? i : 0];
    }
    return true;
}

// The law of spring i; further springs have the first one.
static st_polynomial polynomial_springs_law(polynomial_springs *force, size_t i) {
    if (i < force->degrees.count) return st_polynomial_of(&force->coefficients, &force->degrees, i);
    st_message_once(&force->base.object, "laws", ST_WARNING,
                    "%zu polynomials for %zu springs: the first one is repeated", force->degrees.count,
                    force->from.count);
    return st_polynomial_of(&force->coefficients, &force->degrees, 0);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

// Force on the first end, and A.
static void polynomial_springs_pull(polynomial_springs *force, size_t i, const st_real *p, const st_real *q,
                                    st_real push[3], st_real matrix[9]) {
    const st_real rest = force->lengths.data[i];
    st_real u[3];
    st_vec3_sub(u, q, p);
    const st_real length = st_vec3_norm(u);

    st_vec3_zero(push);
    st_mat3_zero(matrix);
    if (!(length > ST_R(1e-9)) || !(rest > 0)) return; // no direction, or no unit of length

    st_vec3_divide(u, u, length);

    // P(s) and P'(s); compressed it pushes, or does nothing
    const st_polynomial polynomial = polynomial_springs_law(force, i);
    const st_real s = fabs(length - rest) / rest;
    const st_real value = st_polynomial_value(polynomial, s), slope = st_polynomial_slope(polynomial, s) / rest;
    const st_real sign = length >= rest ? 1 : force->compressible ? -1 : 0;
    st_vec3_scale(push, u, value * sign);

    // A = ∂(sign P û)/∂u
    const st_real across = sign * value / length;
    const st_real along = sign * sign * slope - across;

    st_mat3_outer(matrix, u, u);
    st_mat3_scale(matrix, matrix, along);
    for (int c = 0; c < 3; c++) matrix[4 * c] += across;
}

static void polynomial_springs_add_force(st_force *base, const st_params *params) {
    polynomial_springs *force = (polynomial_springs *)base;
    if (!base->state || !base->other || !st_is_valid(&base->object)) return;

    if (force->recompute) update_pairs(force);
    if (!know_lengths(force, params) || !st_springs_make_matrices(&force->kernel, 3)) return;

    for (size_t i = 0; i < force->from.count; i++) {
        const size_t a = 3 * (size_t)force->from.data[i], b = 3 * (size_t)force->to.data[i];
        st_real push[3], matrix[9], *f = st_f(base->state, params) + a, *g = st_f(base->other, params) + b;
        polynomial_springs_pull(force, i, st_x(base->state, params) + a, st_x(base->other, params) + b, push, matrix);

        // F on p1, -F on p2
        st_springs_set_matrix(&force->kernel, i, matrix);
        st_vec3_add(f, f, push);
        st_vec3_sub(g, g, push);
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

static void polynomial_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_springs_blocks(&((polynomial_springs *)base)->kernel, base->state, base->other, k);
}

static void polynomial_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_springs_multiply(&((polynomial_springs *)base)->kernel, base->state, base->other, params, k);
}

static void polynomial_springs_draw(st_object *object, st_canvas *canvas) {
    const polynomial_springs *force = (const polynomial_springs *)object;
    st_springs_show(&force->kernel, force->base.state, force->base.other, canvas);
}

static void polynomial_springs_destroy(st_object *object) {
    polynomial_springs *force = (polynomial_springs *)object;
    st_list_free(&force->from);
    st_list_free(&force->to);
    st_list_free(&force->laws);
    st_list_free(&force->lengths);
    st_springs_free(&force->kernel);
}

static const st_force_ops force_ops = {.add_force = polynomial_springs_add_force,
                                       .stiffness = polynomial_springs_stiffness,
                                       .product = polynomial_springs_product};

// L0 and the law of a spring go with it.
static const st_attached attached[] = {
    {.offset = offsetof(polynomial_springs, laws), .bytes = sizeof(uint32_t), .mesh = ST_ROWS},
    {.offset = offsetof(polynomial_springs, lengths), .bytes = sizeof(st_real), .mesh = ST_ROWS},
    {.bytes = 0},
};

const st_class st_polynomial_springs_force_field_class = {
    .name = "PolynomialSpringsForceField",
    .help = "springs with a polynomial law between points of two states",
    .parent = &st_pair_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(polynomial_springs),
    .example = "<MechanicalObject position=\"0 0 0  1.2 0.1 0  1 1 0.3\"/>\n"
               "<PolynomialSpringsForceField firstObjectPoints=\"0 0\" secondObjectPoints=\"1 2\" "
               "polynomialStiffness=\"50 20 70\" polynomialDegree=\"2 1\" computeZeroLength=\"0\" zeroLength=\"1 2\" "
               "compressible=\"1\"/>",
    .attached = attached,
    .bwd_init = polynomial_springs_bwd_init,
    .draw = polynomial_springs_draw,
    .destroy = polynomial_springs_destroy,
    .force = &force_ops,
};
