// The examples with contacts: nothing goes through, nothing explodes, and friction follows Coulomb's law.
//
// labels: double-only no-sanitizer
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "math/vec3.h"
#include "settee/contact.h"

static physics_scene *load_example(const char *name) {
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    char path[512];
    snprintf(path, sizeof path, "%s/%s.scn", SETTEE_EXAMPLES, name);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    if (st_scene_load(test->scene, path) != ST_OK || st_scene_init(test->scene) != ST_OK) fail_msg("%s", test->log);
    return test;
}

static void example_step(physics_scene *test, int count) {
    for (int i = 0; i < count; i++)
        if (st_scene_step(test->scene, 0) != ST_OK) fail_msg("%s", test->log);
}

static const st_real *x_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->coord[ST_COORD_POSITION].data;
}
static const st_real *v_of(physics_scene *test, const char *path) {
    return physics_state(test, path)->deriv[ST_DERIV_VELOCITY].data;
}

static void is_quiet(const physics_scene *test) {
    if (test->count[ST_WARNING] + test->count[ST_ERROR]) fail_msg("%s", test->log);
}

static st_real plane_height(const st_real a[3], const st_real b[3], const st_real c[3], st_real x, st_real z) {
    const st_real det = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
    const st_real u = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / det,
                  v = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / det;
    return u >= 0 && v >= 0 && u + v <= 1 ? a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]) : -ST_REAL_MAX;
}

// 1.5 m in a step onto a plate without thickness: the ball is never on its other side, and comes back.
static void a_bullet_is_stopped(void **state) {
    (void)state;
    physics_scene *test = load_example("bullet");
    const st_state *surface = physics_state(test, "/Ball/Surface/dofs");
    const st_topology *grid = (const st_topology *)physics_find(test, "/Plate/grid");
    const st_uints *quads = st_topology_elements((st_topology *)(uintptr_t)grid, ST_QUAD);

    for (int n = 0; n < 40; n++) {
        example_step(test, 1);
        const st_real *ball = surface->coord[ST_COORD_POSITION].data, *plate = x_of(test, "/Plate/dofs");
        for (size_t i = 0; i < surface->size; i++) {
            // the plate above or below this point: one of the two triangles of each quad
            st_real height = -ST_REAL_MAX;
            for (size_t q = 0; q + 3 < quads->count; q += 4) {
                const st_real *corner[4];
                for (size_t k = 0; k < 4; k++) corner[k] = plate + 3 * (size_t)quads->data[q + k];
                height = st_max(height, plane_height(corner[1], corner[2], corner[0], ball[3 * i], ball[3 * i + 2]));
                height = st_max(height, plane_height(corner[3], corner[0], corner[2], ball[3 * i], ball[3 * i + 2]));
            }
            if (ball[3 * i + 1] < height - ST_R(0.02))
                fail_msg("step %d: point %zu at %g is below the plate at %g", n + 1, i, (double)ball[3 * i + 1],
                         (double)height);
        }
    }
    assert_true(x_of(test, "/Ball/frame")[1] > 0 && v_of(test, "/Ball/frame")[1] > 0);
    physics_free(test);
}

// Within 0.1 % of the critical coefficient: above it nothing moves, below it acceleration is g sin φ (1 - µ / tan φ).
static void a_wedge_holds_and_lets_slide(void **state) {
    (void)state;
    static const struct {
        const char *path;
        st_real part; // of the critical coefficient
    } boxes[] = {
        {"/Held/frame", ST_R(1.001)}, {"/Slips/frame", ST_R(0.999)}, {"/Half/frame", ST_R(0.5)}, {"/Ice/frame", 0}};
    physics_scene *test = load_example("wedge");
    const st_real slope = 20 * ST_PI / 180, along[3] = {cos(slope), -sin(slope), 0},
                  normal[3] = {sin(slope), cos(slope), 0};
    const st_real full = ST_R(9.81) * sin(slope);
    st_real start[4][3], early[4];

    for (int b = 0; b < 4; b++) st_vec3_copy(start[b], x_of(test, boxes[b].path));
    example_step(test, 5);
    for (int b = 0; b < 4; b++) early[b] = st_vec3_dot(v_of(test, boxes[b].path), along);
    example_step(test, 95);

    for (int b = 0; b < 4; b++) {
        st_real way[3];
        st_vec3_sub(way, x_of(test, boxes[b].path), start[b]);
        const st_real a = (st_vec3_dot(v_of(test, boxes[b].path), along) - early[b]) / ST_R(0.95);
        const st_real wanted = st_max(0, full * (1 - boxes[b].part));
        assert_near(a, wanted, ST_R(1e-3) * wanted + ST_R(1e-7) * full);
        assert_near(st_vec3_dot(way, normal), 0, ST_R(1e-6));
        if (boxes[b].part > 1) assert_true(st_vec3_norm(way) < ST_R(1e-6));
    }
    is_quiet(test);
    physics_free(test);
}

static void a_pushed_block_accelerates(void **state) {
    (void)state;
    physics_scene *test = load_example("pushed_block");
    example_step(test, 10);
    const st_real early = v_of(test, "/Block/frame")[0];
    example_step(test, 90);
    assert_near((v_of(test, "/Block/frame")[0] - early) / ST_R(0.9), (12 - ST_R(0.4) * 2 * ST_R(9.81)) / 2, ST_R(1e-6));

    // its four corners bear m g and rub with mu m g
    st_contact_report contacts[8];
    const size_t count = st_scene_contacts(test->scene, contacts, 8);
    st_real normal = 0, rubs = 0;
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        normal += contacts[i].force[1];
        rubs += contacts[i].force[0];
        assert_int_equal(contacts[i].motion, ST_CONTACT_SLIDES);
    }
    assert_near(normal, 2 * ST_R(9.81), ST_R(1e-6));
    assert_near(rubs, ST_R(-0.4) * 2 * ST_R(9.81), ST_R(1e-6));
    is_quiet(test);
    physics_free(test);
}

// Momentum and its moment about the origin, of all ten balls of 0.1.
static void momentum_of(physics_scene *test, st_real p[6]) {
    static const char *const chains[] = {"/Chains/Left/dofs", "/Chains/Right/dofs"};
    memset(p, 0, 6 * sizeof *p);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 5; i++) {
            const st_real *x = x_of(test, chains[c]) + 3 * i, *v = v_of(test, chains[c]) + 3 * i;
            st_real l[3];
            st_vec3_cross(l, x, v);
            for (int k = 0; k < 3; k++) {
                p[k] += ST_R(0.1) * v[k];
                p[3 + k] += ST_R(0.1) * l[k];
            }
        }
}

static void chains_bounce_and_keep_momentum(void **state) {
    (void)state;
    physics_scene *test = load_example("bouncing_chain");
    st_real start[6], now[6], energy = 0;
    bool touched = false;
    momentum_of(test, start);
    for (int n = 0; n < 400; n++) {
        example_step(test, 1);
        touched = touched || st_scene_contacts(test->scene, NULL, 0) > 0;
        momentum_of(test, now);
        for (int k = 0; k < 3; k++) assert_near(now[k], start[k], ST_R(1e-12));
    }
    assert_true(touched);

    // they have parted again: the second one has most of the momentum now, and no energy has come from nowhere
    st_real left = 0, right = 0;
    for (int i = 0; i < 5; i++) {
        const st_real *v = v_of(test, "/Chains/Left/dofs") + 3 * i, *w = v_of(test, "/Chains/Right/dofs") + 3 * i;
        left += v[0] / 5;
        right += w[0] / 5;
        energy += ST_R(0.05) * (st_vec3_norm2(v) + st_vec3_norm2(w));
    }
    assert_int_equal(st_scene_contacts(test->scene, NULL, 0), 0);
    assert_true(right > left + ST_R(0.5));
    assert_true(energy <= 1);
    is_quiet(test);
    physics_free(test);
}

// Squeezed by a quarter, out below, and in shape again.
static void a_ball_goes_through_a_ring(void **state) {
    (void)state;
    physics_scene *test = load_example("ring");
    const st_state *ball = physics_state(test, "/Ball/dofs");
    const size_t n = ball->size;
    st_real *rest = malloc(3 * n * sizeof *rest), most = 0, left = 0, middle[2] = {0};
    st_copy_reals(rest, ball->coord[ST_COORD_POSITION].data, 3 * n);

    for (int s = 0; s < 250; s++) {
        example_step(test, 1);
        const st_real *x = ball->coord[ST_COORD_POSITION].data;
        left = 0;
        for (size_t i = 0; i < n; i += 7)
            for (size_t k = 0; k < i; k += 7) {
                const st_real d = st_vec3_distance(rest + 3 * i, rest + 3 * k);
                if (d > ST_R(0.05)) left = st_max(left, fabs(st_vec3_distance(x + 3 * i, x + 3 * k) - d) / d);
            }
        most = st_max(most, left);
        middle[0] = middle[1];
        middle[1] = 0;
        for (size_t i = 0; i < n; i++) middle[1] += x[3 * i + 1] / (st_real)n;
        assert_true(fabs(middle[1] - middle[0]) < ST_R(0.5)); // nothing explodes
    }

    assert_true(most > ST_R(0.1) && most < 1);
    assert_true(left < ST_R(0.01));
    assert_true(middle[1] < -1);
    is_quiet(test);
    free(rest);
    physics_free(test);
}

// The upper half lies on the lower one, the lower one on the floor, and all comes to rest.
static void a_folded_cloth_does_not_pass_itself(void **state) {
    (void)state;
    enum { ACROSS = 7, LOWER = 13, TURN = 2 };
    physics_scene *test = load_example("folded_cloth");
    example_step(test, 250);

    const st_real *x = x_of(test, "/Cloth/dofs"), *v = v_of(test, "/Cloth/dofs");
    const size_t n = physics_state(test, "/Cloth/dofs")->size;
    for (size_t i = 0; i < n; i++) {
        assert_true(x[3 * i + 1] > ST_R(0.0199));
        assert_true(st_vec3_norm(v + 3 * i) < ST_R(0.01));
    }

    // beyond the fold each upper point is above the lower layer by the contact distance; the free end may hang over
    for (size_t row = 2; row + 1 < LOWER; row++)
        for (size_t m = 0; m < ACROSS; m++) {
            const st_real upper = x[3 * ((LOWER + TURN + row) * ACROSS + m) + 1];
            assert_true(upper > ST_R(0.0395) && upper < ST_R(0.08));
        }
    is_quiet(test);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_is_stopped),        cmocka_unit_test(a_wedge_holds_and_lets_slide),
        cmocka_unit_test(a_pushed_block_accelerates), cmocka_unit_test(chains_bounce_and_keep_momentum),
        cmocka_unit_test(a_ball_goes_through_a_ring), cmocka_unit_test(a_folded_cloth_does_not_pass_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
