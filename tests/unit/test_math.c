// Small mathematics: quaternions agree with matrices, finite rotations compose, decompositions give back what they were
// made of, packs give the bits of scalars. Random inputs from a fixed seed; tolerances are multiples of epsilon.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/decompose.h"
#include "math/dense.h"
#include "math/pack.h"
#include "math/quat.h"
#include "math/rigid.h"
#include "math/vec3.h"

enum { TRIALS = 500 };

static const st_real SMALL = 64 * ST_REAL_EPSILON;

// --- tools --------------------------------------------------------------------------------------------------------

// A number in [-1, 1) of a linear congruence.
static st_real draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (st_real)((double)(int32_t)(*seed >> 32) / 2147483648.0);
}

static void draw_many(st_real *values, int count, uint64_t *seed) {
    for (int i = 0; i < count; i++) values[i] = draw(seed);
}

static void draw_unit(st_real *values, int count, uint64_t *seed) {
    st_real norm;
    do {
        draw_many(values, count, seed);
        norm = 0;
        for (int i = 0; i < count; i++) norm += values[i] * values[i];
        norm = sqrt(norm);
    } while (norm < ST_R(0.1));
    for (int i = 0; i < count; i++) values[i] /= norm;
}

static void assert_near(const st_real *a, const st_real *b, int count, st_real tolerance) {
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("component %d: %.17g is not %.17g (tolerance %g)", i, (double)a[i], (double)b[i],
                     (double)tolerance);
}

static void assert_orthogonal(const st_real q[9], st_real determinant, st_real tolerance) {
    st_real product[9], identity[9];
    const st_real found = st_mat3_determinant(q);
    st_mat3_transpose_multiply(product, q, q);
    st_mat3_identity(identity);
    assert_near(product, identity, 9, tolerance);
    assert_near(&found, &determinant, 1, tolerance);
}

// Equal up to the sign, which does not change the rotation.
static void assert_same_rotation(const st_real a[4], const st_real b[4], st_real tolerance) {
    st_real near_a[4];
    st_quat_copy(near_a, a);
    if (st_quat_dot(a, b) < 0) st_quat_negate(near_a, a);
    assert_near(near_a, b, 4, tolerance);
}

// A = R diag(s) R^T with a random rotation R.
static void draw_symmetric(st_real a[9], const st_real s[3], uint64_t *seed) {
    st_real q[4], r[9], diagonal[9];
    draw_unit(q, 4, seed);
    st_quat_to_matrix(r, q);
    st_mat3_diagonal(diagonal, s[0], s[1], s[2]);
    st_mat3_multiply(a, r, diagonal);
    st_mat3_multiply_transpose(a, a, r);
    st_mat3_symmetric_part(a, a);
}

// --- vectors and matrices -------------------------------------------------------------------------------------------

static void vectors_obey_their_identities(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[3], b[3], c[3], left[3], right[3];
        draw_many(a, 3, &seed);
        draw_many(b, 3, &seed);
        draw_many(c, 3, &seed);
        // a x (b x c) = b (a.c) - c (a.b)
        st_vec3_cross(left, b, c);
        st_vec3_cross(left, a, left);
        st_vec3_scale(right, b, st_vec3_dot(a, c));
        st_vec3_add_scaled(right, right, c, -st_vec3_dot(a, b));
        assert_near(left, right, 3, SMALL);
    }
}

static void tiny_vectors_are_not_normalized(void **state) {
    (void)state;
    st_real v[3] = {3, 0, 4}, tiny[3] = {ST_REAL_EPSILON / 2, 0, 0}, zero[3] = {0, 0, 0};
    assert_true(st_vec3_normalize(v, v));
    assert_near(v, (const st_real[]){3 / ST_R(5), 0, 4 / ST_R(5)}, 3, 0);
    assert_false(st_vec3_normalize(v, tiny));
    assert_near(v, tiny, 3, 0);
    assert_false(st_vec3_normalize(v, zero));
    assert_near(v, zero, 3, 0);
}

static void results_may_be_operands(void **state) {
    (void)state;
    uint64_t seed = 2;
    st_real a[9], b[9], expected[9], r[9];
    draw_many(a, 9, &seed);
    draw_many(b, 9, &seed);
    void (*const products[])(st_real *, const st_real *, const st_real *) = {
        st_mat3_multiply, st_mat3_transpose_multiply, st_mat3_multiply_transpose, st_mat3_add, st_mat3_sub};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        products[i](expected, a, b);
        st_mat3_copy(r, a);
        products[i](r, r, b);
        assert_near(r, expected, 9, 0);
        st_mat3_copy(r, b);
        products[i](r, a, r);
        assert_near(r, expected, 9, 0);
    }
    st_vec3_cross(expected, a, b);
    st_vec3_copy(r, a);
    st_vec3_cross(r, r, b);
    assert_near(r, expected, 3, 0);
}

static void inverse_times_matrix_is_identity(void **state) {
    (void)state;
    uint64_t seed = 3;
    st_real identity[9];
    st_mat3_identity(identity);
    for (int n = 0; n < TRIALS; n++) {
        st_real a[9], inverse[9] = {0}, product[9];
        draw_many(a, 9, &seed);
        const st_real det = st_mat3_determinant(a);
        if (fabs(det) < ST_R(0.01)) continue;
        assert_true(st_mat3_inverse(inverse, a));
        st_mat3_multiply(product, inverse, a);
        assert_near(product, identity, 9, SMALL / fabs(det));
    }
}

static void singular_matrices_leave_the_result_untouched(void **state) {
    (void)state;
    const st_real singular[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, marks[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    st_real small[9], r[9];
    st_mat3_copy(r, marks);
    assert_false(st_mat3_inverse(r, singular));
    assert_near(r, marks, 9, 0);
    // The limit is absolute: det = (1e-6)^3 in double is refused, unless the caller asks for a lower limit.
    const st_real size = sizeof(st_real) == sizeof(double) ? ST_R(1e-6) : ST_R(1e-3);
    st_mat3_diagonal(small, size, size, size);
    assert_false(st_mat3_inverse(r, small));
    assert_near(r, marks, 9, 0);
    assert_true(st_mat3_inverse_above(r, small, 0));
    assert_near(r, (const st_real[]){1 / size, 0, 0}, 3, SMALL / size);
    small[4] = (st_real)NAN;
    assert_false(st_mat3_inverse_above(r, small, 0));
}

// --- quaternions ----------------------------------------------------------------------------------------------------

static void quaternions_rotate_like_their_matrices(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int n = 0; n < TRIALS; n++) {
        st_real p[4], q[4], pq[4], v[3], by_quat[3], by_matrix[3], mp[9], mq[9], product[9], m[9];
        draw_unit(p, 4, &seed);
        draw_unit(q, 4, &seed);
        draw_many(v, 3, &seed);
        st_quat_to_matrix(mp, p);
        st_quat_to_matrix(mq, q);
        assert_orthogonal(mq, 1, SMALL);

        st_quat_rotate(by_quat, q, v);
        st_mat3_times_vec(by_matrix, mq, v);
        assert_near(by_quat, by_matrix, 3, SMALL);
        st_quat_inverse_rotate(by_quat, q, v);
        st_mat3_transpose_times_vec(by_matrix, mq, v);
        assert_near(by_quat, by_matrix, 3, SMALL);

        // p q turns by q first.
        st_quat_multiply(pq, p, q);
        st_quat_to_matrix(m, pq);
        st_mat3_multiply(product, mp, mq);
        assert_near(m, product, 9, SMALL);
    }
}

static void every_branch_from_a_matrix_gives_the_quaternion_back(void **state) {
    (void)state;
    uint64_t seed = 5;
    int branches[4] = {0};
    for (int n = 0; n < 4 * TRIALS; n++) {
        st_real q[4], m[9], back[4];
        draw_unit(q, 4, &seed);
        st_quat_to_matrix(m, q);
        st_quat_from_matrix(back, m);
        assert_same_rotation(back, q, SMALL);
        branches[st_mat3_trace(m) > 0 ? 3 : m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2]++;
    }
    for (int i = 0; i < 4; i++) assert_true(branches[i] > 0);
}

static void inverse_divides_by_the_norm(void **state) {
    (void)state;
    const st_real q[4] = {0, 2, 0, 0}, zero[4] = {0};
    st_real r[4];
    st_quat_inverse(r, q);
    assert_near(r, (const st_real[]){0, -1, 0, 0}, 4, 0);
    st_quat_inverse(r, zero);
    assert_near(r, zero, 4, 0);
}

static void almost_unit_quaternions_are_left_alone(void **state) {
    (void)state;
    st_real r[4];
    const st_real read[4] = {ST_R(0.707), 0, ST_R(0.707), 0}, zero[4] = {0};
    st_quat_normalize(r, read);
    const st_real norm = st_quat_norm(r);
    assert_near(&norm, (const st_real[]){1}, 1, SMALL);
    st_quat_normalize(r, zero);
    assert_near(r, (const st_real[]){0, 0, 0, 1}, 4, 0);
#ifndef SETTEE_REAL_FLOAT
    const st_real near_one[4] = {0, 0, 0, 1 + 4e-11};
    st_quat_normalize(r, near_one);
    assert_near(r, near_one, 4, 0);
#endif
    // Products and rotations do not normalize: squared norms multiply, vectors are scaled.
    st_quat_multiply(r, read, read);
    const st_real square = st_quat_dot(read, read), found = st_quat_norm(r);
    assert_near(&found, &square, 1, SMALL);
}

static void axis_turn(st_real r[4], int axis, st_real angle) {
    st_real a[3] = {0, 0, 0};
    a[axis] = 1;
    st_quat_from_axis_angle(r, a, angle);
}

static void euler_angles_turn_about_x_then_y_then_z(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int n = 0; n < TRIALS; n++) {
        st_real angles[3], turns[3][4], product[4], q[4];
        draw_many(angles, 3, &seed);
        for (int i = 0; i < 3; i++) axis_turn(turns[i], i, angles[i]);

        st_quat_multiply(product, turns[2], turns[1]);
        st_quat_multiply(product, product, turns[0]);
        st_quat_from_euler(q, angles);
        assert_near(q, product, 4, SMALL);
    }
}

static void euler_angles_come_back(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < TRIALS; n++) {
        st_real angles[3], q[4], back[3];
        draw_many(angles, 3, &seed); // pitch within one radian, away from the pole
        st_quat_from_euler(q, angles);
        st_quat_to_euler(back, q);
        assert_near(back, angles, 3, 4 * SMALL);
    }
}

static void rotation_vectors_come_back(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[3], q[4], negative[4], back[3], axis[3], angle;
        draw_many(a, 3, &seed);
        st_vec3_scale(a, a, n % 2 ? ST_R(1.7) : ST_R(0.01)); // both sides of w = 0.999, up to nearly pi
        st_quat_from_axis_angle(q, a, st_vec3_norm(a));
        st_quat_to_rotation_vector(back, q);
        // acos loses digits close to w = 0.999: its slope there is about 22.
        assert_near(back, a, 3, 64 * SMALL);
        st_quat_negate(negative, q);
        st_quat_to_rotation_vector(back, negative);
        assert_near(back, a, 3, 64 * SMALL);
        assert_true(st_quat_to_axis_angle(axis, &angle, q));
        st_vec3_scale(axis, axis, angle);
        assert_near(axis, a, 3, 64 * SMALL);
    }
}

static void rotations_without_an_axis(void **state) {
    (void)state;
    st_real q[4], r[3], axis[3], angle;
    st_quat_identity(q);
    assert_false(st_quat_to_axis_angle(axis, &angle, q));
    assert_near(axis, (const st_real[]){0, 1, 0}, 3, 0);
    st_quat_to_rotation_vector(r, q);
    assert_near(r, (const st_real[]){0, 0, 0}, 3, 0);
    st_quat_from_axis_angle(q, (const st_real[]){0, 0, 0}, 1);
    assert_near(q, (const st_real[]){0, 0, 0, 1}, 4, 0);
}

static void unit_vectors_are_turned_onto_each_other(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[3], b[3], q[4], r[3];
        draw_unit(a, 3, &seed);
        if (n % 2) draw_unit(b, 3, &seed);
        else st_vec3_negate(b, a);
        st_quat_from_unit_vectors(q, a, b);
        st_quat_rotate(r, q, a);
        // Just before the switch to half a turn, a.b + 1 = 1e-4 has lost four digits.
        assert_near(r, b, 3, 2000 * SMALL);
    }
}

static void turn_between(st_real r[3], const st_real a[4], const st_real b[4]) {
    st_real q[4];
    st_quat_difference(q, a, b);
    st_quat_to_rotation_vector(r, q);
}

static void slerp_turns_evenly_along_the_shorter_arc(void **state) {
    (void)state;
    uint64_t seed = 10;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[4], b[4], turn[3], part[3], middle[4];
        draw_unit(a, 4, &seed);
        draw_unit(b, 4, &seed);
        const st_real t = (draw(&seed) + 1) / 2, cosine = fabs(st_quat_dot(a, b));
        if (1 - cosine < ST_R(0.02)) continue;
        st_quat_slerp(middle, a, b, 0);
        assert_same_rotation(middle, a, SMALL);
        st_quat_slerp(middle, a, b, 1);
        assert_near(middle, b, 4, SMALL);
        st_quat_slerp(middle, a, b, t);
        const st_real norm = st_quat_norm(middle);
        assert_near(&norm, (const st_real[]){1}, 1, 16 * SMALL);
        // The turn from a to the middle is t times the turn from a to b.
        turn_between(turn, b, a);
        turn_between(part, middle, a);
        st_vec3_scale(turn, turn, t);
        assert_near(part, turn, 3, 512 * SMALL);
    }
}

// --- rigid frames
// -----------------------------------------------------------------------------------------------------

static void to_world(st_real r[3], const st_real frame[7], const st_real local[3]) {
    st_quat_rotate(r, frame + 3, local);
    st_vec3_add(r, r, frame);
}

static void draw_frame(st_real frame[7], uint64_t *seed) {
    draw_many(frame, 3, seed);
    draw_unit(frame + 3, 4, seed);
}

static void adding_the_difference_arrives(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[7], b[7], d[6], r[7];
        draw_frame(a, &seed);
        draw_frame(b, &seed);
        st_rigid_difference(d, a, b);
        st_rigid_add_deriv(r, b, d);
        assert_near(r, a, 3, SMALL);
        assert_same_rotation(r + 3, a + 3, 64 * SMALL);
    }
}

static void many_small_turns_make_a_large_one(void **state) {
    (void)state;
    st_real c[7], q[4];
    const st_real w[3] = {ST_R(0.3), ST_R(-0.2), ST_R(0.5)}, d[6] = {0, 0, 0, w[0] / 64, w[1] / 64, w[2] / 64};
    st_rigid_identity(c);
    for (int i = 0; i < 64; i++) st_rigid_add_deriv(c, c, d);
    st_quat_from_axis_angle(q, w, st_vec3_norm(w));
    assert_near(c + 3, q, 4, SMALL);
    // The tiniest increment still counts.
    const st_real tiny[6] = {0, 0, 0, ST_R(2e-9), 0, 0};
    st_rigid_identity(c);
    st_rigid_add_deriv(c, c, tiny);
    assert_near(c + 3, (const st_real[]){ST_R(1e-9), 0, 0, 1}, 4, ST_R(1e-15));
    assert_true(c[3] > 0);
    const st_real nothing[6] = {0};
    st_rigid_add_deriv(c, c, nothing);
    assert_near(c + 3, (const st_real[]){ST_R(1e-9), 0, 0, 1}, 4, ST_R(1e-15));
}

static void frames_compose_and_come_back(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[7], b[7], ab[7], p[3], direct[3], stepwise[3], back[7];
        draw_frame(a, &seed);
        draw_frame(b, &seed);
        draw_many(p, 3, &seed);
        st_rigid_multiply(ab, a, b);
        to_world(direct, ab, p);
        to_world(stepwise, b, p);
        to_world(stepwise, a, stepwise);
        assert_near(direct, stepwise, 3, SMALL);
        st_rigid_inverse_apply(stepwise, ab, direct);
        assert_near(stepwise, p, 3, SMALL);
        st_rigid_inverse_multiply(back, a, ab);
        assert_near(back, b, 7, SMALL);
        // SOFA's difference undoes its sum: a + b, q_b q_a.
        st_vec3_add(back, a, b);
        st_quat_multiply(back + 3, b + 3, a + 3);
        st_rigid_subtract(back, back, b);
        assert_near(back, a, 7, SMALL);
    }
}

// v + omega x p is the derivative of the point, and the wrench is its transpose: f.v(p) = wrench.(v, omega).
static void velocity_is_the_derivative_and_force_its_transpose(void **state) {
    (void)state;
    uint64_t seed = 13;
    const st_real step = sizeof(st_real) == sizeof(double) ? ST_R(1e-5) : ST_R(1e-2);
    for (int n = 0; n < TRIALS; n++) {
        st_real frame[7], local[3], d[6], f[3], p[3], v[3], ahead[7], behind[7], increment[6], x[3], y[3],
            wrench[6] = {0};
        draw_frame(frame, &seed);
        draw_many(local, 3, &seed);
        draw_many(d, 6, &seed);
        draw_many(f, 3, &seed);
        st_quat_rotate(p, frame + 3, local);
        st_rigid_velocity_at(v, d, p);
        for (int i = 0; i < 6; i++) increment[i] = d[i] * step;
        st_rigid_add_deriv(ahead, frame, increment);
        for (int i = 0; i < 6; i++) increment[i] = -increment[i];
        st_rigid_add_deriv(behind, frame, increment);
        to_world(x, ahead, local);
        to_world(y, behind, local);
        st_vec3_sub(x, x, y);
        st_vec3_divide(x, x, 2 * step);
        assert_near(x, v, 3, 10 * (step * step + ST_REAL_EPSILON / step));
        st_rigid_add_force_at(wrench, f, p);
        const st_real left = st_vec3_dot(f, v), right = st_vec3_dot(wrench, d) + st_vec3_dot(wrench + 3, d + 3);
        assert_near(&left, &right, 1, SMALL);
    }
}

static void plane_angles_wrap_like_fmod(void **state) {
    (void)state;
    st_real d[3], r[2];
    st_rigid2_difference(d, (const st_real[]){1, 2, ST_R(3.5)}, (const st_real[]){0, 0, 0});
    assert_near(d, (const st_real[]){1, 2, ST_R(3.5) - 2 * ST_PI}, 3, SMALL);
    st_rigid2_difference(d, (const st_real[]){0, 0, ST_R(-3.5)}, (const st_real[]){0, 0, 0});
    assert_near(d, (const st_real[]){0, 0, ST_R(-3.5)}, 3, SMALL);
    st_rigid2_rotate(r, ST_PI / 2, (const st_real[]){1, 0});
    assert_near(r, (const st_real[]){0, 1}, 2, SMALL);
}

// --- decompositions
// ---------------------------------------------------------------------------------------------------

static void frames_from_edges_are_rotations(void **state) {
    (void)state;
    uint64_t seed = 15;
    for (int n = 0; n < TRIALS; n++) {
        st_real ex[3], ey[3], rows[9], local[3];
        draw_unit(ex, 3, &seed);
        draw_unit(ey, 3, &seed);
        if (fabs(st_vec3_dot(ex, ey)) > ST_R(0.9)) continue;
        st_frame_rows(rows, ex, ey);
        assert_orthogonal(rows, 1, SMALL);
        st_mat3_times_vec(local, rows, ex);
        assert_near(local, (const st_real[]){1, 0, 0}, 3, SMALL);
        st_mat3_times_vec(local, rows, ey);
        assert_near(local + 2, (const st_real[]){0}, 1, SMALL);
        assert_true(local[1] > 0);
    }
}

// M = Q S with a known rotation and a known stretch: both methods find Q; mirrored, Newton finds -Q.
static void polar_decompositions_find_the_rotation(void **state) {
    (void)state;
    uint64_t seed = 16;
    for (int n = 0; n < TRIALS; n++) {
        st_real q[4], rotation[9], stretch[9], m[9], found[9];
        const st_real s[3] = {1 + draw(&seed) / 2, 2 + draw(&seed), 3 + draw(&seed)};
        draw_unit(q, 4, &seed);
        st_quat_to_matrix(rotation, q);
        draw_symmetric(stretch, s, &seed);
        st_mat3_multiply(m, rotation, stretch);
        assert_true(st_polar(found, m));
        assert_near(found, rotation, 9, 4 * SMALL);
        assert_orthogonal(found, 1, SMALL);
        st_polar_stable(found, m);
        assert_near(found, rotation, 9, 16 * SMALL);
        st_mat3_scale(m, m, -1);
        st_mat3_scale(rotation, rotation, -1);
        assert_true(st_polar(found, m));
        assert_near(found, rotation, 9, 4 * SMALL);
        st_polar_stable(found, m);
        assert_orthogonal(found, 1, 16 * SMALL);
    }
}

// For an inverted matrix the stable method turns against the smallest stretch: R = Q (I - 2 e e^T).
static void stable_polar_flips_the_smallest_stretch(void **state) {
    (void)state;
    const st_real m[9] = {3, 0, 0, 0, 2, 0, 0, 0, -1}, tall[9] = {-1, 0, 0, 0, 2, 0, 0, 0, 3};
    st_real q[9], identity[9];
    st_mat3_identity(identity);
    st_polar_stable(q, m);
    assert_near(q, identity, 9, SMALL);
    st_polar_stable(q, tall);
    assert_near(q, identity, 9, SMALL);
}

static void stable_polar_survives_flat_matrices(void **state) {
    (void)state;
    uint64_t seed = 17;
    st_real q[9], identity[9];
    const st_real zero[9] = {0};
    st_mat3_identity(identity);
    for (int n = 0; n < TRIALS; n++) {
        st_real quat[4], rotation[9], m[9];
        draw_unit(quat, 4, &seed);
        st_quat_to_matrix(rotation, quat);
        // A flat element: the third direction has collapsed, the rotation is still defined.
        for (int i = 0; i < 9; i++) m[i] = i % 3 == 2 ? 0 : rotation[i] * (st_real)(2 - i % 3);
        st_polar_stable(q, m);
        assert_near(q, rotation, 9, 16 * SMALL);
        assert_orthogonal(q, 1, 16 * SMALL);
    }
    st_polar_stable(q, zero);
    assert_near(q, identity, 9, 0);
    // Squared singular values below 1e-8 count as zero: a small element has no rotation.
    st_mat3_scale(q, identity, ST_R(-0.9e-4));
    st_polar_stable(q, q);
    assert_near(q, identity, 9, 0);
}

// One direction is left (an edge in space, H = X x^T): the column of the largest value is that of the matrix, and the
// mixed vector of the rule is its first component alone.
static void stable_polar_of_rank_one_follows_the_rule(void **state) {
    (void)state;
    const st_real m[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
    st_real q[9];
    st_polar_stable(q, m);
    // V = I and the columns of U are, from smallest to largest, 2, 1, 0. g = (1,0,0), t = (0,1,0), so column 1 is
    // g x t = (0,0,1) and column 2 is (0,0,1) x g = (0,1,0), negated because det U = -1.
    const st_real expected[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    assert_near(q, expected, 9, SMALL);
}

static void polar_of_hostile_matrices_ends(void **state) {
    (void)state;
    st_real q[9], m[9] = {0};
    assert_false(st_polar(q, m));
    const st_real singular[9] = {1, 2, 3, 2, 4, 6, 0, 0, 0};
    assert_false(st_polar(q, singular));
    for (int i = 0; i < 9; i++) m[i] = (st_real)NAN;
    assert_false(st_polar(q, m));
    st_polar_stable(q, m);
    for (int i = 0; i < 9; i++) m[i] = i % 4 == 0 ? ST_REAL_MAX : 0;
    assert_false(st_polar(q, m));
    st_polar_stable(q, m);
}

static void plane_polar_decompositions_agree(void **state) {
    (void)state;
    uint64_t seed = 18;
    st_real q[4];
    for (int n = 0; n < TRIALS; n++) {
        const st_real phi = 3 * draw(&seed), a = 2 + draw(&seed), b = draw(&seed), c = 3 + draw(&seed);
        const st_real r[4] = {cos(phi), -sin(phi), sin(phi), cos(phi)};
        const st_real m[4] = {r[0] * a + r[1] * b, r[0] * b + r[1] * c, r[2] * a + r[3] * b, r[2] * b + r[3] * c};
        if (a * c - b * b < ST_R(0.1)) continue;
        assert_true(st_polar_2(q, m));
        assert_near(q, r, 4, SMALL);
        st_polar_stable_2(q, m);
        assert_near(q, r, 4, 64 * SMALL);
    }
    st_polar_stable_2(q, (const st_real[]){0, -2, 0, 0}); // one direction left: still a rotation
    const st_real det = q[0] * q[3] - q[1] * q[2];
    assert_near(&det, (const st_real[]){1}, 1, SMALL);
    st_polar_stable_2(q, (const st_real[]){0, 0, 0, 0});
    assert_near((const st_real[]){fabs(q[0] * q[3] - q[1] * q[2])}, (const st_real[]){1}, 1, SMALL);
    assert_false(st_polar_2(q, (const st_real[]){0, 0, 0, 0}));
}

static void assert_eigen(const st_real m[9], const st_real values[3], const st_real vectors[9], st_real tolerance) {
    st_real left[9], right[9];
    st_mat3_multiply(left, m, vectors);
    for (int i = 0; i < 9; i++) right[i] = vectors[i] * values[i % 3];
    assert_near(left, right, 9, tolerance);
    st_mat3_transpose_multiply(left, vectors, vectors);
    st_mat3_identity(right);
    assert_near(left, right, 9, tolerance);
}

static void eigenvectors_diagonalize(void **state) {
    (void)state;
    static const st_real spectra[][3] = {{1, 2, 3}, {-1, 0, 1}, {2, 2, 5}, {1, 1, 1}, {0, 0, 4}, {-3, -3, 1}};
    uint64_t seed = 19;
    for (int n = 0; n < TRIALS; n++) {
        st_real m[9], values[3], vectors[9], dense[9], jacobi[3], columns[9];
        const st_real *spectrum = spectra[n % 6];
        draw_symmetric(m, spectrum, &seed);
        assert_true(st_mat3_eigen(values, vectors, m));
        assert_eigen(m, values, vectors, SMALL);
        st_mat3_copy(dense, m);
        assert_true(st_dense_eigen(jacobi, columns, dense, 3));
        assert_eigen(m, jacobi, columns, SMALL);
        assert_near(jacobi, (const st_real[]){spectrum[0], spectrum[1], spectrum[2]}, 3, SMALL);
    }
    // Already tridiagonal, diagonal, and tiny matrices.
    const st_real matrices[][9] = {
        {2, 1, 0, 1, 2, 1, 0, 1, 2}, {3, 0, 0, 0, 1, 0, 0, 0, 2}, {0, 0, 1, 0, 0, 0, 1, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
        st_real values[3], vectors[9];
        assert_true(st_mat3_eigen(values, vectors, matrices[i]));
        assert_eigen(matrices[i], values, vectors, SMALL);
    }
    st_real values[3], vectors[9], hostile[9];
    for (int i = 0; i < 9; i++) hostile[i] = (st_real)NAN;
    assert_false(st_mat3_eigen(values, vectors, hostile));
}

static void projections_drop_the_wrong_signs_only(void **state) {
    (void)state;
    uint64_t seed = 20;
    for (int n = 0; n < TRIALS; n++) {
        const st_real mixed[3] = {-2, ST_R(0.5), 3}, negative[3] = {-1, -2, -3};
        st_real m[9], up[9], down[9], v[3], image[3];
        draw_symmetric(m, mixed, &seed);
        assert_true(st_mat3_project_negative(down, m));
        st_mat3_sub(up, m, down); // the other part
        draw_many(v, 3, &seed);
        st_mat3_times_vec(image, up, v);
        assert_true(st_vec3_dot(v, image) >= -SMALL);
        st_mat3_times_vec(image, down, v);
        assert_true(st_vec3_dot(v, image) <= SMALL);
        draw_symmetric(m, negative, &seed);
        assert_false(st_mat3_project_negative(down, m));
        assert_memory_equal(down, m, sizeof m);
    }
}

// --- small dense systems
// ------------------------------------------------------------------------------------------------

static void dense_systems_are_solved(void **state) {
    (void)state;
    enum { N = 12 };
    uint64_t seed = 21;
    for (int n = 0; n < 50; n++) {
        st_real a[N * N], factors[N * N], x[N], b[N], found[N], inverse[N * N], product[N * N];
        uint32_t pivots[N];
        draw_many(a, N * N, &seed);
        for (int i = 0; i < N; i++) a[N * i + (i + 5) % N] += 6; // well conditioned, large entries off the diagonal
        draw_many(x, N, &seed);
        st_dense_multiply(b, a, x, N, N, 1);
        memcpy(factors, a, sizeof a);
        memcpy(found, b, sizeof b);
        assert_true(st_dense_factor(factors, pivots, N));
        st_dense_solve_factored(found, factors, pivots, N);
        assert_near(found, x, N, 16 * SMALL);
        assert_true(st_dense_inverse(inverse, a, N));
        st_dense_multiply(product, inverse, a, N, N, N);
        for (int i = 0; i < N; i++) product[N * i + i] -= 1;
        for (int i = 0; i < N * N; i++) assert_true(fabs(product[i]) < 16 * SMALL);
    }
}

static void singular_dense_systems_are_refused(void **state) {
    (void)state;
    const st_real a[4] = {1, 2, 2, 4};
    st_real copy[4] = {1, 2, 2, 4}, inverse[4] = {7, 7, 7, 7};
    uint32_t pivots[2];
    assert_false(st_dense_factor(copy, pivots, 2));
    assert_false(st_dense_inverse(inverse, a, 2));
    assert_near(inverse, (const st_real[]){7, 7, 7, 7}, 4, 0);
    assert_false(st_dense_inverse(inverse, a, ST_DENSE_SMALL + 1));
    copy[0] = copy[1] = copy[2] = copy[3] = (st_real)NAN;
    assert_false(st_dense_factor(copy, pivots, 2));
}

static void dense_eigenvalues_of_a_chain_are_known(void **state) {
    (void)state;
    enum { N = 10 };
    st_real a[N * N] = {0}, values[N], vectors[N * N];
    for (int i = 0; i < N; i++) {
        a[N * i + i] = 2;
        if (i > 0) a[N * i + i - 1] = a[N * (i - 1) + i] = -1;
    }
    assert_true(st_dense_eigen(values, vectors, a, N));
    for (int k = 0; k < N; k++) {
        const st_real expected = 2 - 2 * cos((st_real)(k + 1) * ST_PI / (N + 1));
        assert_near(&values[k], &expected, 1, SMALL);
    }
}

// The symmetric part of a, less what remains, has no negative eigenvalues; what remains has no positive ones.
static void dense_projections_drop_positive_eigenvalues(void **state) {
    (void)state;
    enum { N = 12 };
    uint64_t seed = 21;
    for (int n = 0; n < TRIALS; n++) {
        st_real a[N * N], kept[N * N], rest[N * N], values[N], vectors[N * N];
        draw_many(a, N * N, &seed);
        memcpy(kept, a, sizeof a);
        st_dense_project_negative(kept, N);
        for (int i = 0; i < N * N; i++) rest[i] = (a[i] + a[i % N * N + i / N]) / 2 - kept[i];
        for (int i = 0; i < N * N; i++) assert_near(&kept[i], &kept[i % N * N + i / N], 1, SMALL);
        memcpy(a, kept, sizeof a);
        assert_true(st_dense_eigen(values, vectors, a, N));
        assert_true(values[N - 1] <= SMALL && values[0] < -SMALL);
        assert_true(st_dense_eigen(values, vectors, rest, N));
        assert_true(values[0] >= -SMALL && values[N - 1] > SMALL);
        for (int i = 0; i < N * N; i++) a[i] = (st_real)NAN; // what is not finite becomes nothing
        st_dense_project_negative(a, N);
        for (int i = 0; i < N * N; i++) assert_true(a[i] == 0);
    }
}

// --- packs
// ----------------------------------------------------------------------------------------------------------------

static void packs_give_the_bits_of_scalars(void **state) {
    (void)state;
    uint64_t seed = 22;
    for (int n = 0; n < TRIALS; n++) {
        st_real points[3 * 8], matrices[4][9], expected[3];
        const uint32_t first[4] = {7, 0, 3, 5}, second[4] = {1, 1, 6, 2};
        st_pack a[3], b[3], c[3], m[9];
        draw_many(points, 24, &seed);
        draw_many(matrices[0], 36, &seed);
        for (int i = 0; i < 9; i++) m[i] = st_pack_set(matrices[0][i], matrices[1][i], matrices[2][i], matrices[3][i]);
        st_pack3_gather(a, points, first);
        st_pack3_gather(b, points, second);
        st_pack3_cross(c, a, b);
        st_pack9_times_vec(a, m, c);
        const st_pack length = st_pack_sqrt(st_pack3_dot(c, c));
        for (int lane = 0; lane < 4; lane++) {
            st_vec3_cross(expected, points + 3 * first[lane], points + 3 * second[lane]);
            assert_true(st_vec3_norm(expected) == length[lane]);
            st_mat3_times_vec(expected, matrices[lane], expected);
            for (int k = 0; k < 3; k++) assert_true(a[k][lane] == expected[k]);
        }
    }
}

static void packs_select_lane_by_lane(void **state) {
    (void)state;
    const st_pack a = st_pack_set(1, -2, 3, 0), b = st_pack_splat(1);
    st_real r[4];
    st_pack_store(r, st_pack_max(a, b));
    assert_near(r, (const st_real[]){1, 1, 3, 1}, 4, 0);
    st_pack_store(r, st_pack_abs(st_pack_load(r) - a));
    assert_near(r, (const st_real[]){0, 3, 0, 1}, 4, 0);
    assert_true(st_pack_any((st_pack_mask)(a > b)));
    assert_false(st_pack_all((st_pack_mask)(a > b)));
    assert_true(st_pack_all((st_pack_mask)(a < b + 3)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_obey_their_identities),
        cmocka_unit_test(tiny_vectors_are_not_normalized),
        cmocka_unit_test(results_may_be_operands),
        cmocka_unit_test(inverse_times_matrix_is_identity),
        cmocka_unit_test(singular_matrices_leave_the_result_untouched),
        cmocka_unit_test(quaternions_rotate_like_their_matrices),
        cmocka_unit_test(every_branch_from_a_matrix_gives_the_quaternion_back),
        cmocka_unit_test(inverse_divides_by_the_norm),
        cmocka_unit_test(almost_unit_quaternions_are_left_alone),
        cmocka_unit_test(euler_angles_turn_about_x_then_y_then_z),
        cmocka_unit_test(euler_angles_come_back),
        cmocka_unit_test(rotation_vectors_come_back),
        cmocka_unit_test(rotations_without_an_axis),
        cmocka_unit_test(unit_vectors_are_turned_onto_each_other),
        cmocka_unit_test(slerp_turns_evenly_along_the_shorter_arc),
        cmocka_unit_test(adding_the_difference_arrives),
        cmocka_unit_test(many_small_turns_make_a_large_one),
        cmocka_unit_test(frames_compose_and_come_back),
        cmocka_unit_test(velocity_is_the_derivative_and_force_its_transpose),
        cmocka_unit_test(plane_angles_wrap_like_fmod),
        cmocka_unit_test(frames_from_edges_are_rotations),
        cmocka_unit_test(polar_decompositions_find_the_rotation),
        cmocka_unit_test(stable_polar_flips_the_smallest_stretch),
        cmocka_unit_test(stable_polar_survives_flat_matrices),
        cmocka_unit_test(stable_polar_of_rank_one_follows_the_rule),
        cmocka_unit_test(polar_of_hostile_matrices_ends),
        cmocka_unit_test(plane_polar_decompositions_agree),
        cmocka_unit_test(eigenvectors_diagonalize),
        cmocka_unit_test(projections_drop_the_wrong_signs_only),
        cmocka_unit_test(dense_systems_are_solved),
        cmocka_unit_test(singular_dense_systems_are_refused),
        cmocka_unit_test(dense_eigenvalues_of_a_chain_are_known),
        cmocka_unit_test(dense_projections_drop_positive_eigenvalues),
        cmocka_unit_test(packs_give_the_bits_of_scalars),
        cmocka_unit_test(packs_select_lane_by_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
