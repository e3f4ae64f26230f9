// Fixed and partly fixed points: what is set to zero, what is discarded from a matrix, when they are active.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"

static physics_scene *load_constraint(const char *dofs, const char *constraint) {
    char text[1024];
    snprintf(text, sizeof text, "<MechanicalObject name='dofs' %s/>%s", dofs, constraint);
    return physics_load(text);
}

static const char three[] = "position='0 0 0 1 0 0 2 0 0'";

static void count_scalar(void *context, size_t scalar) { ((int *)context)[scalar]++; }

// A vector of ones after the filter, then the scalars discarded, both as flags.
static void check(physics_scene *test, const int *expected, const int *discarded) {
    st_projection *constraint = (st_projection *)physics_find(test, "/fix");
    st_state *dofs = physics_state(test, "/dofs");
    const size_t n = st_state_scalars(dofs);
    st_real *dx = physics_set(dofs, ST_DX, NULL);
    for (size_t i = 0; i < n; i++) dx[i] = 1;
    constraint->object.type->projection->response(constraint, ST_DX);
    int seen[64] = {0};
    constraint->object.type->projection->discard(constraint, count_scalar, seen);
    for (size_t i = 0; i < n; i++) assert_int_equal(dx[i] != 0, expected[i]);
    for (size_t i = 0; i < n; i++) assert_int_equal(seen[i], discarded[i]);
}

static void listed_points_are_fixed(void **state) {
    (void)state;
    physics_scene *test = load_constraint(three, "<FixedProjectiveConstraint name='fix' indices='0 2'/>");
    check(test, (int[]){0, 0, 0, 1, 1, 1, 0, 0, 0}, (int[]){1, 1, 1, 0, 0, 0, 1, 1, 1});
    physics_free(test);
}

static void point_zero_by_default_and_none_when_empty(void **state) {
    (void)state;
    physics_scene *test = load_constraint(three, "<FixedProjectiveConstraint name='fix'/>");
    check(test, (int[]){0, 0, 0, 1, 1, 1, 1, 1, 1}, (int[]){1, 1, 1, 0, 0, 0, 0, 0, 0});
    physics_free(test);
    test = load_constraint(three, "<FixedProjectiveConstraint name='fix' indices=''/>");
    check(test, (int[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, (int[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
    physics_free(test);
}

static void all_points(void **state) {
    (void)state;
    physics_scene *test = load_constraint("template='Rigid3' position='0 0 0 0 0 0 1'",
                                          "<FixedProjectiveConstraint name='fix' fixAll='1' indices='9'/>");
    check(test, (int[]){0, 0, 0, 0, 0, 0}, (int[]){1, 1, 1, 1, 1, 1});
    physics_free(test);
}

static void indices_out_of_range_are_removed(void **state) {
    (void)state;
    physics_scene *test = load_constraint(three, "<FixedProjectiveConstraint name='fix' indices='1 3 4000000000'/>");
    assert_int_equal(test->count[ST_WARNING], 1);
    assert_field(test, "/fix", "indices", "1");
    st_object_set(physics_find(test, "/fix"), "indices", "2 17");
    check(test, (int[]){1, 1, 1, 1, 1, 1, 0, 0, 0},
          (int[]){0, 0, 0, 0, 0, 0, 1, 1, 1}); // checked before it is reported
    st_scene_step(test->scene, 0);
    assert_field(test, "/fix", "indices", "2");
    physics_free(test);
}

static void velocities_only_on_request(void **state) {
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        char text[128];
        snprintf(text, sizeof text, "<FixedProjectiveConstraint name='fix' activate_projectVelocity='%d'/>", asked);
        physics_scene *test = load_constraint(three, text);
        st_projection *constraint = (st_projection *)physics_find(test, "/fix");
        st_real *v = physics_set(physics_state(test, "/dofs"), ST_VELOCITY, (st_real[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
        constraint->object.type->projection->velocity(constraint, ST_VELOCITY);
        assert_near(v[1], asked ? 0 : 2, 0);
        assert_near(v[3], 4, 0);
        physics_free(test);
    }
}

static void end_time_ends_it(void **state) {
    (void)state;
    physics_scene *test = load_constraint(three, "<FixedProjectiveConstraint name='fix' endTime='0.5'/>");
    st_projection *constraint = (st_projection *)physics_find(test, "/fix");
    assert_true(st_projection_active(constraint));
    constraint->object.node->time = ST_R(0.5);
    assert_false(st_projection_active(constraint));
    physics_free(test);
}

static void directions(void **state) {
    (void)state;
    physics_scene *test =
        load_constraint(three, "<PartialFixedProjectiveConstraint name='fix' indices='1' fixedDirections='1 0 1'/>");
    check(test, (int[]){1, 1, 1, 0, 1, 0, 1, 1, 1}, (int[]){0, 0, 0, 1, 0, 1, 0, 0, 0});
    physics_free(test);
    test = load_constraint("template='Rigid3' position='0 0 0 0 0 0 1'",
                           "<PartialFixedProjectiveConstraint name='fix' fixAll='1' fixedDirections='0 0 1 1 0 0'/>");
    check(test, (int[]){1, 1, 0, 0, 1, 1}, (int[]){0, 0, 1, 1, 0, 0});
    physics_free(test);
}

// The inherited switch has no effect, its own one has.
static void partial_velocities(void **state) {
    (void)state;
    physics_scene *test =
        load_constraint(three, "<PartialFixedProjectiveConstraint name='fix' activate_projectVelocity='1'/>");
    st_projection *constraint = (st_projection *)physics_find(test, "/fix");
    st_real *v = physics_set(physics_state(test, "/dofs"), ST_VELOCITY, (st_real[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    constraint->object.type->projection->velocity(constraint, ST_VELOCITY);
    assert_near(v[0], 1, 0);
    physics_free(test);
    test = load_constraint(
        three, "<PartialFixedProjectiveConstraint name='fix' projectVelocity='1' fixedDirections='0 1 0'/>");
    constraint = (st_projection *)physics_find(test, "/fix");
    v = physics_set(physics_state(test, "/dofs"), ST_VELOCITY, (st_real[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    constraint->object.type->projection->velocity(constraint, ST_VELOCITY);
    assert_reals(v, 4, (st_real[]){1, 0, 3, 4}, 0);
    physics_free(test);
}

// Points that come later have no place of their own yet: they are not pulled onto the line of another one.
static void directions_of_a_state_that_grows(void **state) {
    (void)state;
    physics_scene *test = load_constraint("position='1 2 3'",
                                          "<DirectionProjectiveConstraint name='fix' indices='0' direction='1 0 0'/>");
    st_projection *constraint = (st_projection *)physics_find(test, "/fix");
    st_state *dofs = physics_state(test, "/dofs");
    assert_int_equal(st_state_resize(dofs, 2), ST_OK);
    assert_int_equal(st_object_set(&constraint->object, "indices", "0 1"), ST_OK);
    st_real *x = dofs->coord[ST_COORD_POSITION].data;
    for (int i = 0; i < 6; i++) x[i] = 7;
    constraint->object.type->projection->position(constraint, ST_POSITION);
    assert_reals(x, 6, (st_real[]){7, 2, 3, 7, 7, 7}, 0);
    physics_free(test);
}

static void every_template(void **state) {
    (void)state;
    static const struct {
        const char *dofs;
        int scalars;
    } cases[] = {
        {"template='Vec1' position='1 2'", 1},
        {"template='Vec2' position='1 2 3 4'", 2},
        {"template='Vec6' position='1 2 3 4 5 6'", 6},
        {"template='Rigid2' position='1 2 3'", 3},
        {"template='Rigid3' position='1 2 3 0 0 0 1'", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = load_constraint(cases[i].dofs, "<FixedProjectiveConstraint name='fix'/>");
        st_projection *constraint = (st_projection *)physics_find(test, "/fix");
        int seen[64] = {0}, sum = 0;
        constraint->object.type->projection->discard(constraint, count_scalar, seen);
        for (int k = 0; k < 64; k++) sum += seen[k];
        assert_int_equal(sum, cases[i].scalars);
        physics_free(test);
    }
}

static void without_a_state_it_is_not_created(void **state) {
    (void)state;
    physics_scene *test = physics_load("<FixedProjectiveConstraint name='fix'/>");
    assert_null(st_scene_find(test->scene, "/fix"));
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_points_are_fixed),
        cmocka_unit_test(point_zero_by_default_and_none_when_empty),
        cmocka_unit_test(all_points),
        cmocka_unit_test(indices_out_of_range_are_removed),
        cmocka_unit_test(velocities_only_on_request),
        cmocka_unit_test(end_time_ends_it),
        cmocka_unit_test(directions),
        cmocka_unit_test(partial_velocities),
        cmocka_unit_test(directions_of_a_state_that_grows),
        cmocka_unit_test(every_template),
        cmocka_unit_test(without_a_state_it_is_not_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
