// PolynomialRestShapeSpringsForceField: springs from points to their rest positions with a polynomial law.
//
//     u = x - target,  s = |u| / L,  D = √(|u|² + exp(shift - scale |u|²))      D is smooth where u = 0
//     f = -P(s) u / D                                                         P: see polynomial.h
//     J_c = (P'(s) / L - P / D) (1 - scale exp(shift - scale |u|²)) (u_c / D)² + P / D
//
// The derivative is -J on the diagonal: it leaves out what couples the directions.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/polynomial.h"
#include "force/spring/rest_targets.h"
#include "math/vec3.h"
#include "settee/plugin/change.h"

typedef struct polynomial_rest {
    st_force base;
    st_rest_targets targets;
    st_reals coefficients, lengths;
    st_uints degrees;
    st_uints laws; // of each point: which polynomial, where each has its own
    st_real shift, scale;
    bool draw_spring;
    st_real color[4];

    bool has_laws;     // there is one for each point
    st_reals jacobian; // three reals for each pair
} polynomial_rest;

static const st_field fields[] = {
    ST_FIELD(polynomial_rest, targets.points, "points", st_type_indices, NULL, "the points; all when not given",
             .mesh = ST_ROWS_OF_FIRST, .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_rest, targets.external, "external_rest_shape", st_type_link, NULL,
             "another state whose positions are the targets", .role = ST_ROLE(state)),
    ST_FIELD(polynomial_rest, targets.external_points, "external_points", st_type_indices, NULL,
             "its points; all when not given", .mesh = ST_ROWS_OF_SECOND, .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_rest, targets.recompute, "recompute_indices", st_type_bool, "0",
             "the lists of points are made again at each evaluation", .flags = ST_FIELD_REINIT),
    ST_FIELD(polynomial_rest, coefficients, "polynomialStiffness", st_type_reals, "100",
             "coefficients of all polynomials, one after another, from degree 1 upwards", .mesh = ST_WITH_MESH),
    ST_FIELD(polynomial_rest, degrees, "polynomialDegree", st_type_indices, "1",
             "degree of the polynomial of each point", .mesh = ST_WITH_MESH),
    ST_FIELD(polynomial_rest, lengths, "initialLength", st_type_reals, "1",
             "unit of length of each spring; else the first", .mesh = ST_ROWS),
    ST_FIELD(polynomial_rest, shift, "smoothShift", st_type_real, "0", "smoothing at the target"),
    ST_FIELD(polynomial_rest, scale, "smoothScale", st_type_real, "1", "smoothing at the target"),
    ST_FIELD(polynomial_rest, draw_spring, "drawSpring", st_type_bool, "0", "draw the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(polynomial_rest, color, "springColor", st_type_color, "0 1 0 1", "color of the springs",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_status polynomial_rest_shape_springs_bwd_init(st_object *object) {
    polynomial_rest *force = (polynomial_rest *)object;
    if (!force->base.state) return ST_OK;

    for (size_t i = 0; i < force->lengths.count; i++)
        if (!(force->lengths.data[i] > 0))
            return st_invalid(object, "initialLength must be above 0, but is %g: there is no force",
                              (double)force->lengths.data[i]);
    if (!force->lengths.count && !st_became_empty(object, &force->lengths))
        return st_invalid(object, "initialLength is empty: there is no force");

    st_rest_targets_update(&force->targets, &force->base);
    if (st_why_init(object) == ST_INIT_CHANGED && force->laws.count < force->degrees.count && force->has_laws)
        st_polynomials_keep(&force->coefficients, &force->degrees, &force->laws);
    const size_t rows = force->targets.from.count;
    if (st_why_init(object) == ST_INIT_FIRST) force->has_laws = force->degrees.count == rows;
    return st_polynomials_number(&force->laws, force->degrees.count, rows) ? ST_OK : ST_OUT_OF_MEMORY;
}

// The law of pair i; none when the numbers of laws and points differ.
static st_polynomial polynomial_rest_shape_springs_law(polynomial_rest *force, size_t i) {
    if (force->degrees.count == force->targets.from.count)
        return st_polynomial_of(&force->coefficients, &force->degrees, i);
    st_message_once(&force->base.object, "laws", ST_WARNING, "%zu polynomials for %zu points: there is no force",
                    force->degrees.count, force->targets.from.count);
    return (st_polynomial){NULL, 0};
}

// f = -P(s) u / D, and J.
static void polynomial_rest_shape_springs_pull(polynomial_rest *force, size_t i, const st_real *x, st_real *f) {
    const st_polynomial p = polynomial_rest_shape_springs_law(force, i);
    const st_real length = force->lengths.data[i < force->lengths.count ? i : 0];
    st_real u[3], *jacobian = force->jacobian.data + 3 * i;

    // u and s
    st_vec3_sub(u, x, st_rest_target(&force->targets, &force->base, i));
    const st_real square = st_vec3_norm2(u), s = sqrt(square) / length;

    // D and P(s)
    const st_real smooth = exp(force->shift - force->scale * square);
    const st_real distance = sqrt(square + smooth), value = st_polynomial_value(p, s);
    const st_real along = (st_polynomial_slope(p, s) / length - value / distance) * (1 - force->scale * smooth);

    // f and J
    for (int c = 0; c < 3; c++) {
        f[c] -= value * u[c] / distance;
        jacobian[c] = along * (u[c] / distance) * (u[c] / distance) + value / distance;
    }
}

static void polynomial_rest_shape_springs_add_force(st_force *base, const st_params *params) {
    polynomial_rest *force = (polynomial_rest *)base;
    if (!base->state || !st_is_valid(&base->object)) return;

    if (force->targets.recompute) st_rest_targets_update(&force->targets, base);
    if (!st_list_set_count(&force->jacobian, force->targets.from.count, 3)) return;

    for (size_t i = 0; i < force->targets.from.count; i++) {
        const size_t at = 3 * (size_t)force->targets.from.data[i];
        polynomial_rest_shape_springs_pull(force, i, st_x(base->state, params) + at, st_f(base->state, params) + at);
    }
}

static void polynomial_rest_shape_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const polynomial_rest *force = (const polynomial_rest *)base;
    (void)params;
    if (!base->state) return;

    st_sink *sink = st_stiffness_between(k, base->state, base->state);
    for (size_t i = 0; i < force->targets.from.count && i < force->jacobian.count; i++)
        for (size_t c = 0; c < 3; c++) {
            const size_t at = 3 * (size_t)force->targets.from.data[i] + c;
            st_add_scalar(sink, at, at, -force->jacobian.data[3 * i + c]);
        }
}

static void polynomial_rest_shape_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const polynomial_rest *force = (const polynomial_rest *)base;
    (void)b;

    if (!base->state) return;

    for (size_t i = 0; i < force->targets.from.count && i < force->jacobian.count; i++)
        for (size_t c = 0; c < 3; c++) {
            const size_t at = 3 * (size_t)force->targets.from.data[i] + c;
            st_df(base->state, params)[at] -= force->jacobian.data[3 * i + c] * st_dx(base->state, params)[at] * k;
        }
}

static void polynomial_rest_shape_springs_destroy(st_object *object) {
    polynomial_rest *force = (polynomial_rest *)object;
    st_rest_targets_free(&force->targets);
    st_list_free(&force->jacobian);
    st_list_free(&force->laws);
}

static const st_force_ops force_ops = {.add_force = polynomial_rest_shape_springs_add_force,
                                       .stiffness = polynomial_rest_shape_springs_stiffness,
                                       .product = polynomial_rest_shape_springs_product};

// The law of a point goes with it.
static const st_attached attached[] = {
    {.offset = offsetof(polynomial_rest, laws), .bytes = sizeof(uint32_t), .mesh = ST_ROWS},
    {.bytes = 0},
};

const st_class st_polynomial_rest_shape_springs_force_field_class = {
    .name = "PolynomialRestShapeSpringsForceField",
    .help = "springs with a polynomial law from points to their rest positions",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(polynomial_rest),
    .example = "<MechanicalObject rest_position=\"0 0 0  1 0 0  2 0 0\" position=\"0 0.1 0  1.2 0 0  2 0 0.3\"/>\n"
               "<PolynomialRestShapeSpringsForceField points=\"0 2\" polynomialStiffness=\"50 20 70\" "
               "polynomialDegree=\"2 1\" initialLength=\"1 2\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .attached = attached,
    .bwd_init = polynomial_rest_shape_springs_bwd_init,
    .destroy = polynomial_rest_shape_springs_destroy,
    .force = &force_ops,
};
