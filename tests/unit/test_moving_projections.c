// Constraints that move points: where they are at a given time, and what keys they refuse.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"

static const st_real close_to = 50 * ST_REAL_EPSILON;

static physics_scene *load(const char *dofs, const char *constraint, bool no_compat) {
    char text[2048];
    snprintf(text, sizeof text, "<MechanicalObject name='dofs' %s/>%s", dofs, constraint);
    physics_scene *test = physics_load_with(text, no_compat);
    if (test->count[ST_ERROR]) print_message("%s", test->log);
    assert_int_equal(test->count[ST_ERROR], 0);
    return test;
}

// Positions, then velocities of the state as the constraint leaves them at the time t.
static const st_real *at(physics_scene *test, st_real t, const st_real **v) {
    st_projection *p = (st_projection *)physics_find(test, "/c");
    st_state *dofs = physics_state(test, "/dofs");
    p->object.node->time = t;
    assert_true(st_state_make_deriv(dofs, ST_VELOCITY));
    p->object.type->projection->position(p, ST_POSITION);
    if (p->object.type->projection->velocity) p->object.type->projection->velocity(p, ST_VELOCITY);
    if (v) *v = dofs->deriv[ST_DERIV_VELOCITY].data;
    return dofs->coord[ST_COORD_POSITION].data;
}

static const char two[] = "position='1 2 3  4 5 6'";
static const char frame[] = "template='Rigid3' position='1 2 3 0 0 0 1'";

static void movements_are_straight_between_keys(void **state) {
    (void)state;
    static const char relative[] = "<LinearMovementProjectiveConstraint name='c' indices='1' keyTimes='0 1 3' "
                                   "movements='0 0 0  0 2 0  4 2 0'/>";
    physics_scene *test = load(two, relative, true);
    const st_real *v, *x = at(test, ST_R(0.5), &v);
    assert_reals(x, 6, (st_real[]){1, 2, 3, 4, 6, 6}, close_to);
    assert_reals(v, 6, (st_real[]){0, 0, 0, 0, 2, 0}, close_to);
    x = at(test, 2, &v);
    assert_reals(x + 3, 3, (st_real[]){6, 7, 6}, close_to);
    assert_reals(v + 3, 3, (st_real[]){2, 0, 0}, close_to);
    x = at(test, 3, &v); // at the last key there is no next one: nothing is imposed
    assert_reals(x + 3, 3, (st_real[]){6, 7, 6}, close_to);
    physics_free(test);
    static const char absolute[] = "<LinearMovementProjectiveConstraint name='c' keyTimes='0 1' relativeMovements='0' "
                                   "movements='0 0 0  0 2 0'/>";
    test = load(two, absolute, true);
    assert_reals(at(test, ST_R(0.5), NULL), 3, (st_real[]){0, 1, 0}, close_to);
    physics_free(test);
}

static void frames_turn_between_keys(void **state) {
    (void)state;
    physics_scene *test = load(frame,
                               "<LinearMovementProjectiveConstraint name='c' keyTimes='0 1' "
                               "movements='0 0 0 0 0 0  0 0 2 0 0 1'/>",
                               true);
    const st_real *x = at(test, ST_R(0.5), NULL);
    assert_reals(x, 7, (st_real[]){1, 2, 4, 0, 0, sin(ST_R(0.25)), cos(ST_R(0.25))}, 1e3f * close_to);
    physics_free(test);
}

static void some_directions_only(void **state) {
    (void)state;
    static const char text[] = "<PartialLinearMovementProjectiveConstraint name='c' keyTimes='0 1' "
                               "movedDirections='0 1 0' movements='1 1 1  3 3 3'/>";
    physics_scene *test = load(two, text, true);
    const st_real *v, *x = at(test, ST_R(0.5), &v);
    assert_reals(x, 3, (st_real[]){1, 4, 3}, close_to);
    assert_reals(v, 3, (st_real[]){0, 2, 0}, close_to);
    physics_free(test);
}

// A factor at each corner of the unit square: 1, 2, 4, 3 in the order of the nodes is 1 + x + 2 y.
static void factors_between_macro_nodes(void **state) {
    (void)state;
    physics_scene *test = load("position='0.5 0.25 0'",
                               "<PartialLinearMovementProjectiveConstraint name='c' keyTimes='0 1' "
                               "movedDirections='0 0 1' movements='0 0 0  0 0 2' X0='1' Y0='1' "
                               "linearMovementBetweenNodesInIndices='1' imposedDisplacmentOnMacroNodes='1 2 4 3'/>",
                               true);
    assert_reals(at(test, ST_R(0.5), NULL), 3, (st_real[]){ST_R(0.5), ST_R(0.25), 2}, close_to);
    physics_free(test);
    // corners with x = 1 have 1, those with x = 0 none
    test = load("position='0.5 0.25 0.75'",
                "<PartialLinearMovementProjectiveConstraint name='c' keyTimes='0 1' movedDirections='0 1 0' "
                "movements='0 0 0  0 2 0' X0='2' Y0='1' Z0='1' linearMovementBetweenNodesInIndices='1' "
                "imposedDisplacmentOnMacroNodes='0 0 1 1 0 0 1 1'/>",
                true);
    assert_reals(at(test, ST_R(0.5), NULL), 3, (st_real[]){ST_R(0.5), ST_R(0.5), ST_R(0.75)}, close_to);
    physics_free(test);
}

// x = x0 + dt sum m(t): the projection at the start counts, too.
// Set after the init: what the macro nodes lack is reported, and the point stays.
static void macro_nodes_are_checked_when_used(void **state) {
    (void)state;
    physics_scene *test = load(two,
                               "<PartialLinearMovementProjectiveConstraint name='c' indices='1' keyTimes='0 1' "
                               "movements='0 0 0  1 0 2'/>",
                               true);
    st_object *c = physics_find(test, "/c");
    assert_int_equal(st_object_set(c, "X0", "1"), ST_OK);
    assert_int_equal(st_object_set(c, "Y0", "1"), ST_OK);
    assert_int_equal(st_object_set(c, "linearMovementBetweenNodesInIndices", "1"), ST_OK);

    assert_reals(at(test, 1, NULL), 6, (st_real[]){1, 2, 3, 4, 5, 6}, close_to);
    assert_non_null(strstr(test->log, "imposedDisplacmentOnMacroNodes holds 0 numbers: 4 are needed"));
    physics_free(test);
}

static void velocities_are_summed_up(void **state) {
    (void)state;
    physics_scene *test = load(two,
                               "<LinearVelocityProjectiveConstraint name='c' keyTimes='0 1' continueAfterEnd='1' "
                               "velocities='1 0 0  3 0 0'/>",
                               true);
    const st_state *dofs = physics_state(test, "/dofs");
    assert_near(dofs->coord[ST_COORD_POSITION].data[0], ST_R(1.01), close_to);
    const st_real *v, *x = at(test, ST_R(0.5), &v);
    assert_near(x[0], ST_R(1.03), close_to);
    assert_near(v[0], 2, close_to);
    x = at(test, 2, &v);
    assert_near(x[0], ST_R(1.06), close_to);
    assert_near(v[0], 3, close_to);
    physics_free(test);
    test = load(two,
                "<LinearVelocityProjectiveConstraint name='c' keyTimes='0 1' coordinates='1' "
                "velocities='1 1 1  1 1 1'/>",
                true);
    x = at(test, ST_R(0.5), &v);
    assert_reals(x, 3, (st_real[]){1, ST_R(2.02), 3}, close_to);
    assert_reals(v, 3, (st_real[]){0, 1, 0}, close_to);
    physics_free(test);
}

static void a_reset_begins_again(void **state) {
    (void)state;
    physics_scene *test = load("position='0 0 0'",
                               "<EulerImplicitSolver/><CGLinearSolver/><UniformMass totalMass='1'/>"
                               "<LinearVelocityProjectiveConstraint name='c' keyTimes='0 9' "
                               "velocities='1 0 0  1 0 0'/>",
                               true);
    const st_state *dofs = physics_state(test, "/dofs");
    st_real seen[2];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 5; k++) st_scene_step(test->scene, 0);
        seen[i] = dofs->coord[ST_COORD_POSITION].data[0];
        st_scene_reset(test->scene);
    }
    assert_near(seen[0], ST_R(0.06), close_to);
    // SOFA's reset position is the one after the first projection, which is then made once more
    assert_near(seen[1], ST_R(0.07), close_to);
    physics_free(test);
}

static void a_spline_meets_its_ends(void **state) {
    (void)state;
    physics_scene *test = load(two,
                               "<HermiteSplineProjectiveConstraint name='c' indices='1' BeginTime='1' EndTime='3' "
                               "X0='1 0 0' dX0='0 1 0' X1='2 2 0' dX1='0 0 3' SX0='0 1' SX1='0 1'/>",
                               true);
    const st_real *v, *x = at(test, 0, &v);
    assert_reals(x + 3, 3, (st_real[]){4, 5, 6}, 0);
    x = at(test, 1, &v);
    assert_reals(x + 3, 3, (st_real[]){1, 0, 0}, close_to);
    assert_reals(v + 3, 3, (st_real[]){0, 1, 0}, close_to);
    x = at(test, 3, &v);
    assert_reals(x + 3, 3, (st_real[]){2, 2, 0}, close_to);
    assert_reals(v + 3, 3, (st_real[]){0, 0, 3}, close_to);
    physics_free(test);
}

static void a_parabola_meets_its_points(void **state) {
    (void)state;
    static const char text[] = "<ParabolicProjectiveConstraint name='c' indices='0 1' BeginTime='0' EndTime='4' "
                               "P1='1 0 1' P2='2 3 1' P3='5 0 1'/>";
    physics_scene *test = load(two, text, true);
    const st_real *v, *x = at(test, 1, &v); // a quarter of the way from P1 to P3 is below P2
    assert_reals(x, 3, (st_real[]){2, 3, 1}, 100 * close_to);
    assert_near(v[0], 1, 1e4f * close_to);
    assert_near(v[3], 1, 1e4f * close_to);
    x = at(test, 4, NULL);
    assert_reals(x + 3, 3, (st_real[]){5, 0, 1}, 100 * close_to);
    physics_free(test);
}

static void oscillators_swing(void **state) {
    (void)state;
    physics_scene *test =
        load(two, "<OscillatorProjectiveConstraint name='c' oscillators='1  1 0 0  0 2 0  3 0.5'/>", true);
    const st_real *v, *x = at(test, ST_R(0.25), &v);
    assert_reals(x + 3, 3, (st_real[]){1, 2 * sin(ST_R(1.25)), 0}, close_to);
    assert_reals(v + 3, 3, (st_real[]){0, 6 * cos(ST_R(1.25)), 0}, close_to);
    physics_free(test);
}

static void affine_images(void **state) {
    (void)state;
    physics_scene *test = load(two,
                               "<AffineMovementProjectiveConstraint name='c' indices='1' beginConstraintTime='1' "
                               "endConstraintTime='3' rotation='0 -1 0 1 0 0 0 0 1' translation='0 0 1'/>",
                               true);
    const st_real *x = at(test, 1, NULL);
    assert_reals(x + 3, 3, (st_real[]){4, 5, 6}, 0);
    x = at(test, 2, NULL);
    assert_reals(x + 3, 3, (st_real[]){ST_R(-0.5), ST_R(4.5), ST_R(6.5)}, close_to);
    x = at(test, 4, NULL);
    assert_reals(x, 6, (st_real[]){1, 2, 3, -5, 4, 7}, close_to);
    physics_free(test);
}

// A patch of which each corner is displaced by a linear field: so are all its points.
static void patches_keep_linear_fields(void **state) {
    (void)state;
    physics_scene *test =
        load("position='0 0 0  2 0 0  2 1 0  0 1 0  0.5 0.25 0'",
             "<PatchTestMovementProjectiveConstraint name='c' indices='0 1 2 3 4' endConstraintTime='1' "
             "constrainedPoints='0 0 0  2 0 0  2 1 0  0 1 0' "
             "cornerMovements='0 0 0  0.2 0 0  0.2 0.3 0  0 0.3 0'/>",
             true);
    const st_real *x = at(test, 2, NULL);
    assert_reals(x + 12, 3, (st_real[]){ST_R(0.55), ST_R(0.325), 0}, close_to);
    x = at(test, ST_R(0.5), NULL);
    assert_reals(x + 12, 3, (st_real[]){ST_R(0.525), ST_R(0.2875), 0}, close_to);
    physics_free(test);
}

static void targets_are_approached(void **state) {
    (void)state;
    physics_scene *test = load(two,
                               "<PositionBasedDynamicsProjectiveConstraint name='c' stiffness='0.5' "
                               "position='1 2 5  4 5 6'/>",
                               true);
    const st_state *dofs = physics_state(test, "/dofs");
    assert_near(dofs->coord[ST_COORD_POSITION].data[2], 4, close_to); // at the start of the scene
    const st_real *v, *x = at(test, 0, &v);
    assert_near(x[2], ST_R(4.5), close_to);
    assert_near(v[2], 50, 100 * close_to); // 0.5 in 0.01 s
    physics_free(test);
    test = load(frame, "<PositionBasedDynamicsProjectiveConstraint name='c' position='1 2 5 0 0 1 0'/>", true);
    x = at(test, 0, &v);
    assert_reals(x, 7, (st_real[]){1, 2, 5, 0, 0, 1, 0}, 0);
    assert_reals(v, 6, (st_real[]){0, 0, 0, 0, 0, 0}, close_to);
    physics_free(test);
}

static void skeletons_are_followed(void **state) {
    (void)state;
    physics_scene *test =
        load("template='Rigid3' position='9 9 9 0 0 0 1  9 9 9 0 0 0 1'",
             "<SkeletalMotionProjectiveConstraint name='c' bones='[0,1]' animationSpeed='2' joints='["
             "Parent -1 Channels 2 0 0 0 0 0 0 1  0 0 4 0 0 0 1 Times 2 0 4 PreviousMotion 0 0 0 0 0 0 1 "
             "NextMotion 0 0 0 0 0 0 1 LocalRigid 0 0 0 0 0 0 1,"
             "Parent 0 Channels 0 Times 0 PreviousMotion 0 0 0 0 0 0 1 NextMotion 0 0 0 0 0 0 1 "
             "LocalRigid 1 0 0 0 0 0 1]'/>",
             true);
    const st_real *v, *x = at(test, 0, &v);
    assert_near(x[0], 9, 0);
    x = at(test, 1, &v);
    assert_reals(x, 14, (st_real[]){0, 0, 2, 0, 0, 0, 1, 1, 0, 2, 0, 0, 0, 1}, close_to);
    assert_reals(v, 12, (st_real[]){0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 1e3f * close_to);
    x = at(test, 5, &v); // after the last key
    assert_near(x[2], 4, 0);
    assert_near(v[2], 0, 0);
    physics_free(test);
}

// Before its first key a joint moves from PreviousMotion, at time 0, to that key.
static void skeletons_start_from_their_previous_motion(void **state) {
    (void)state;
    physics_scene *test =
        load("template='Rigid3' position='9 9 9 0 0 0 1  9 9 9 0 0 0 1'",
             "<SkeletalMotionProjectiveConstraint name='c' bones='[0,1]' joints='["
             "Parent -1 Channels 1 0 0 4 0 0 0 1 Times 1 2 PreviousMotion 8 0 0 0 0 0 1 "
             "NextMotion 0 0 0 0 0 0 1 LocalRigid 0 0 0 0 0 0 1,"
             "Parent -1 Channels 2 1 0 0 0 0 0 1 3 0 0 0 0 0 1 Times 2 0 2 PreviousMotion 5 5 5 0 0 0 1 "
             "NextMotion 0 0 0 0 0 0 1 LocalRigid 0 0 0 0 0 0 1]'/>",
             true);
    const st_real *v, *x = at(test, ST_R(0.5), &v);
    assert_reals(x, 3, (st_real[]){6, 0, 1}, close_to);
    assert_reals(x + 7, 3, (st_real[]){1.5, 0, 0}, close_to);
    assert_reals(v, 3, (st_real[]){-4, 0, 2}, 1e3f * close_to);
    physics_free(test);
}

static void twists_are_taken_off(void **state) {
    (void)state;
    physics_scene *test = load("template='Rigid3' position='0 0 0 0 0 0 1'",
                               "<FixedRotationProjectiveConstraint name='c' FixedZRotation='1'/>", true);
    st_real *q = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data + 3;
    const st_real turned[4] = {0, 0, sin(ST_R(0.3)), cos(ST_R(0.3))};
    memcpy(q, turned, sizeof turned);
    at(test, 0, NULL);
    assert_reals(q, 4, (st_real[]){0, 0, 0, 1}, close_to);
    const st_real other[4] = {sin(ST_R(0.3)), 0, 0, cos(ST_R(0.3))}; // about x: free
    memcpy(q, other, sizeof other);
    at(test, 0, NULL);
    assert_reals(q, 4, other, close_to);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Attached points
// ---------------------------------------------------------------------------------------------------

static physics_scene *load_pair(const char *dof, const char *leader, const char *follower, const char *attributes) {
    char text[2048];
    snprintf(text, sizeof text,
             "<Node name='a'><MechanicalObject name='dofs' template='%s' position='%s'/></Node>"
             "<Node name='b'><MechanicalObject name='dofs' template='%s' position='%s'/>"
             "<AttachProjectiveConstraint name='c' object1='@../a/dofs' object2='@dofs' indices1='0' indices2='0' %s/>"
             "</Node>",
             dof, leader, dof, follower, attributes);
    physics_scene *test = physics_load(text);
    if (test->count[ST_ERROR]) print_message("%s", test->log);
    assert_int_equal(test->count[ST_ERROR], 0);
    return test;
}

static void followers_go_half_the_way(void **state) {
    (void)state;
    physics_scene *test = load_pair("Vec3", "0 0 0", "0 0 8", "");
    st_projection *p = (st_projection *)physics_find(test, "/b/c");
    const st_projection_ops *ops = p->object.type->projection;
    st_state *a = physics_state(test, "/a/dofs"), *b = physics_state(test, "/b/dofs");
    assert_near(b->coord[ST_COORD_POSITION].data[2], 4, 0); // the projection at the start
    ops->position(p, ST_POSITION);
    assert_near(b->coord[ST_COORD_POSITION].data[2], 2, 0);
    physics_set(a, ST_VELOCITY, (st_real[]){1, 2, 3});
    physics_set(b, ST_VELOCITY, (st_real[]){3, 2, 1});
    ops->velocity(p, ST_VELOCITY);
    assert_reals(a->deriv[ST_DERIV_VELOCITY].data, 3, (st_real[]){2, 2, 2}, 0);
    assert_reals(b->deriv[ST_DERIV_VELOCITY].data, 3, (st_real[]){2, 2, 2}, 0);
    physics_free(test);
}

static void two_way_responses_conserve_momentum(void **state) {
    (void)state;
    static const char *const dofs[] = {"Vec3", "Rigid3"};
    for (int i = 0; i < 2; i++) {
        physics_scene *test =
            load_pair(dofs[i], i ? "0 0 0 0 0 0 1" : "0 0 0", i ? "0 0 1 0 0 0 1" : "0 0 1", "twoWay='1'");
        st_projection *p = (st_projection *)physics_find(test, "/b/c");
        st_real *a = physics_set(physics_state(test, "/a/dofs"), ST_DX, NULL);
        st_real *b = physics_set(physics_state(test, "/b/dofs"), ST_DX, NULL);
        a[0] = 1;
        b[0] = 3;
        p->object.type->projection->response(p, ST_DX);
        assert_near(a[0], b[0], 0);
        assert_near(a[0], i ? 4 : 2, 0); // rigids add forces up, points share them
        physics_free(test);
    }
}

static void frames_may_turn_freely(void **state) {
    (void)state;
    physics_scene *test = load_pair("Rigid3", "1 2 3 0 0 1 0", "0 0 0 0 0 0 1", "freeRotations='1'");
    assert_reals(physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data, 7, (st_real[]){1, 2, 3, 0, 0, 0, 1}, 0);
    physics_free(test);
    test = load_pair("Rigid3", "1 2 3 0 0 1 0", "0 0 0 0 0 0 1", "");
    assert_reals(physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data, 7, (st_real[]){1, 2, 3, 0, 0, 1, 0}, 0);
    physics_free(test);
}

// The x axis of each follower points to the next one at rest, by point number: the first along y, the second along z, the
// last as its leader. Where the next pair is beyond the plane the rotation is applied in part.
static void followers_keep_their_rest_rotations(void **state) {
    (void)state;
    const st_real half = sqrt(ST_R(0.5)), part = ST_R(3.14159265358979323846) / 12; // a third of 90 degrees, halved
    for (int plane = 0; plane < 2; plane++) {
        physics_scene *test = physics_load(
            plane
                ? "<Node name='a'><MechanicalObject name='dofs' template='Rigid3' "
                  "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  4 0 0 0 0 0 1'/></Node>"
                  "<Node name='b'><MechanicalObject name='dofs' template='Rigid3' "
                  "position='0 0 0 0 0 0 1  0 2 0 0 0 0 1  0 2 2 0 0 0 1'/><AttachProjectiveConstraint name='c' "
                  "object1='@../a/dofs' object2='@dofs' indices1='0 1 2' indices2='0 1 2' restRotations='1' "
                  "lastPos='2 0 0' lastDir='1 0 0'/></Node>"
                : "<Node name='a'><MechanicalObject name='dofs' template='Rigid3' "
                  "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  4 0 0 0 0 0 1'/></Node>"
                  "<Node name='b'><MechanicalObject name='dofs' template='Rigid3' "
                  "position='0 0 0 0 0 0 1  0 2 0 0 0 0 1  0 2 2 0 0 0 1'/><AttachProjectiveConstraint name='c' "
                  "object1='@../a/dofs' object2='@dofs' indices1='0 1 2' indices2='0 1 2' restRotations='1'/></Node>");
        const st_real *x = physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data;
        assert_reals(x, 7, (st_real[]){0, 0, 0, 0, 0, half, half}, close_to);

        // d = -1 and 2: a third of the way to the plane's other side
        if (plane) assert_reals(x + 7, 7, (st_real[]){1, 0, 0, 0, -sin(part), 0, cos(part)}, close_to);
        else assert_reals(x + 7, 7, (st_real[]){1, 0, 0, 0, -half, 0, half}, close_to);
        assert_reals(x + 14, 7, plane ? (st_real[]){0, 2, 2, 0, 0, 0, 1} : (st_real[]){4, 0, 0, 0, 0, 0, 1}, close_to);
        physics_free(test);
    }
}

static void pairs_end_behind_the_plane(void **state) {
    (void)state;
    physics_scene *test = load_pair("Vec3", "5 0 0", "9 0 0", "lastPos='4 0 0' lastDir='1 0 0'");
    assert_near(physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data[0], 9, 0);
    physics_free(test);
    test = load_pair("Vec3", "5 0 0", "9 0 0", "lastPos='4 0 0' lastDir='1 0 0' clamp='1'");
    assert_near(physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data[0], ST_R(6.5), close_to);
    physics_free(test);
    test = load_pair("Vec3", "5 0 0", "9 0 0", "minDistance='3'");
    assert_near(physics_state(test, "/b/dofs")->coord[ST_COORD_POSITION].data[0], 9, 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// What makes no sense
// ---------------------------------------------------------------------------------------------------

static void wrong_keys_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *dofs, *constraint, *message;
    } cases[] = {
        {two, "<LinearMovementProjectiveConstraint keyTimes='0 2 1' movements='0 0 0 0 0 0 0 0 0'/>", "not decrease"},
        {two, "<LinearMovementProjectiveConstraint keyTimes='0 1 2' movements='0 0 0 0 0 0'/>", "only 2 movements"},
        {two, "<LinearMovementProjectiveConstraint keyTimes='0 nan' movements='0 0 0 0 0 0'/>", "keyTimes"},
        {two, "<LinearVelocityProjectiveConstraint keyTimes='0 1 2' velocities='0 0 0 0 0 0'/>", "only 2 velocities"},
        {two, "<LinearVelocityProjectiveConstraint keyTimes='0 1' velocities='0 0 0 0 0 0' coordinates='3'/>",
         "coordinates"},
        {two, "<HermiteSplineProjectiveConstraint indices='0' BeginTime='2' EndTime='1'/>", "before EndTime"},
        {two, "<ParabolicProjectiveConstraint indices='0' EndTime='1' P1='0 0 0' P2='1 0 0' P3='2 0 0'/>", "one line"},
        {two, "<ParabolicProjectiveConstraint indices='0' EndTime='1' P1='0 0 0' P2='0 1 0' P3='2 0 0'/>", "above P1"},
        {two, "<OscillatorProjectiveConstraint oscillators='0 1 2 3'/>", "a record has 9"},
        {two, "<OscillatorProjectiveConstraint oscillators='7 0 0 0 0 0 0 1 1'/>", "point 7"},
        {two, "<OscillatorProjectiveConstraint oscillators='-1 0 0 0 0 0 0 1 1'/>", "point -1"},
        {two,
         "<PatchTestMovementProjectiveConstraint constrainedPoints='0 0 0 1 0 0 1 1 0 0 1 0' cornerMovements='0 0 0'/>",
         "4 are needed"},
        {two,
         "<PatchTestMovementProjectiveConstraint constrainedPoints='0 0 0' cornerMovements='0 0 0 0 0 0 0 0 0 0 0 0'/>",
         "no extent"},
        {two, "<PositionBasedDynamicsProjectiveConstraint position='0 0 0'/>", "1 positions for 2 points"},
        {two, "<AffineMovementProjectiveConstraint beginConstraintTime='3' endConstraintTime='1'/>",
         "must not be after"},
        {frame, "<SkeletalMotionProjectiveConstraint joints='[Parent 0 Channels' bones='[0]'/>", "parent"},
        {frame, "<SkeletalMotionProjectiveConstraint joints='[Parent -1 Channels 99999999999 0 0' bones='[0]'/>",
         "finite number"},
        {frame, "<SkeletalMotionProjectiveConstraint joints='[]' bones='[0]'/>", "joint 0 of 0"},
        {frame, "<SkeletalMotionProjectiveConstraint joints='0' bones='0'/>", "stays empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<MechanicalObject name='dofs' %s/><UniformMass totalMass='1'/>%s", cases[i].dofs,
                 cases[i].constraint);
        physics_scene *test = physics_load(text);
        if (!strstr(test->log, cases[i].message)) print_message("%s\n%s", cases[i].constraint, test->log);
        assert_non_null(strstr(test->log, cases[i].message));
        st_scene_step(test->scene, 0);
        const st_real *x = physics_state(test, "/dofs")->coord[ST_COORD_POSITION].data;
        assert_near(x[0], 1, 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(movements_are_straight_between_keys),
        cmocka_unit_test(frames_turn_between_keys),
        cmocka_unit_test(some_directions_only),
        cmocka_unit_test(factors_between_macro_nodes),
        cmocka_unit_test(macro_nodes_are_checked_when_used),
        cmocka_unit_test(velocities_are_summed_up),
        cmocka_unit_test(a_reset_begins_again),
        cmocka_unit_test(a_spline_meets_its_ends),
        cmocka_unit_test(a_parabola_meets_its_points),
        cmocka_unit_test(oscillators_swing),
        cmocka_unit_test(affine_images),
        cmocka_unit_test(patches_keep_linear_fields),
        cmocka_unit_test(targets_are_approached),
        cmocka_unit_test(skeletons_are_followed),
        cmocka_unit_test(skeletons_start_from_their_previous_motion),
        cmocka_unit_test(followers_keep_their_rest_rotations),
        cmocka_unit_test(twists_are_taken_off),
        cmocka_unit_test(followers_go_half_the_way),
        cmocka_unit_test(two_way_responses_conserve_momentum),
        cmocka_unit_test(frames_may_turn_freely),
        cmocka_unit_test(pairs_end_behind_the_plane),
        cmocka_unit_test(wrong_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
