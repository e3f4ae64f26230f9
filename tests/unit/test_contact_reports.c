// What is reported of contacts: forces of those that stick, by springs and by multipliers, of points that a distance grid
// presses; clouds of points as VTK; contacts in a picture.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "settee/contact.h"

#define PHASES "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase name='narrow'/>"
#define MIN "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"
#define RESPONSE(name) "<CollisionResponse response='" name "'/>"
#define SOLVER "<EulerImplicitSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>"
#define CEILING                                                                                                        \
    "<Node name='ceiling'><MeshTopology position='-5 0 -5  5 0 -5  5 0 7  -5 0 7' triangles='0 1 2  0 2 3'/>"          \
    "<MechanicalObject/><TriangleCollisionModel name='model' simulated='0' moving='0' contactStiffness='400'/></Node>"
#define HANGING(more)                                                                                                  \
    "<Node name='body'>" SOLVER                                                                                        \
    "<MechanicalObject name='dofs' position='0.3 -0.2 0.1'/><UniformMass totalMass='2'/>" more                         \
    "<PointCollisionModel name='points' contactStiffness='600'/></Node>"

static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-7) : ST_R(2e-2);

static physics_scene *load(const char *loop, const char *children) {
    physics_scene *test = calloc(1, sizeof *test);
    char text[4096];
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    config.no_compat = true;
    test->scene = st_scene_create(&config);
    snprintf(text, sizeof text, "<Node name='root' gravity='0 -10 0' dt='0.01'>%s%s</Node>", loop, children);
    assert_int_equal(st_scene_load_text(test->scene, text, strlen(text), NULL), ST_OK);
    st_scene_init(test->scene);
    return test;
}

static void step(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
}

// A weight of 20 hangs on the ceiling where it met it: the force on it is its weight, upwards.
static void multipliers_that_stick(void **state) {
    (void)state;
    static const char *const solvers[] = {
        "<BlockGaussSeidelConstraintSolver tolerance='1e-12' maxIterations='1000'/>",
        "<NNCGConstraintSolver tolerance='1e-12' maxIterations='1000'/>",
        "<UnbuiltGaussSeidelConstraintSolver tolerance='1e-12' maxIterations='1000'/>",
    };
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%s" PHASES MIN RESPONSE("StickContactConstraint")
                     CEILING HANGING("<UncoupledConstraintCorrection defaultCompliance='0.5'/>"),
                 solvers[s]);
        physics_scene *test = load("<FreeMotionAnimationLoop/>", text);
        assert_int_equal(st_scene_contacts(test->scene, NULL, 0), 0);
        step(test, 3);
        st_contact_report r;
        assert_int_equal(st_scene_contacts(test->scene, &r, 1), 1);
        assert_string_equal(st_object_path(r.model[0]), "/ceiling/model");
        assert_near(r.force[1], 20, 1000 * tight);
        assert_near(r.normal_force, -20, 1000 * tight); // it is pulled towards the ceiling
        assert_near(r.tangential_force, 0, 1000 * tight);
        assert_near(r.gap, 0, tight);
        assert_near(r.point[1][1], ST_R(-0.2), tight);
        assert_near(r.point[0][1], 0, tight);
        assert_int_equal(r.motion, ST_CONTACT_STICKS);
        physics_free(test);
    }
}

// k = 400 + 600; springs start from scratch in each step with detections: the force is that of the way of one step.
static void springs_that_stick(void **state) {
    (void)state;
    physics_scene *test =
        load("<DefaultAnimationLoop/>", PHASES MIN RESPONSE("StickContactForceField") CEILING HANGING(""));
    step(test, 1);
    st_contact_report r;
    assert_int_equal(st_scene_contacts(test->scene, &r, 1), 1);
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    assert_true(x[1] < ST_R(-0.2));
    assert_near(r.force[1], -1000 * (x[1] + ST_R(0.2)), 10 * tight);
    assert_near(r.gap, -(x[1] + ST_R(0.2)), tight); // the normal looks down
    assert_near(r.point[1][1], x[1], 0);
    assert_int_equal(r.motion, ST_CONTACT_STICKS);
    physics_free(test);
}

// Points inside of a cube, pressed by the grid around it; one outside is no contact.
static void grids_that_press(void **state) {
    (void)state;
    physics_scene *test = load("<DefaultAnimationLoop/>",
                               "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='0 0.9 0  0 3 0'/>"
                               "<UniformMass totalMass='2'/><FixedProjectiveConstraint indices='0 1'/>"
                               "<DistanceGridForceField name='grid' filename='#cube' nx='41' ny='41' nz='41' "
                               "stiffnessArea='0' stiffnessIn='300' damping='0'/></Node>");
    step(test, 1);
    st_contact_report r[2];
    assert_int_equal(st_scene_contacts(test->scene, r, 2), 1);
    assert_string_equal(st_object_path(r[0].model[0]), "/body/grid");
    assert_string_equal(st_object_path(r[0].model[1]), "/body/dofs");
    assert_int_equal(r[0].element[1], 0);
    const st_real up[3] = {0, 1, 0}, top[3] = {0, 1, 0};
    assert_reals(r[0].normal, 3, up, ST_R(1e-6));
    assert_near(r[0].gap, ST_R(-0.1), ST_R(1e-2));
    assert_reals(r[0].point[0], 3, top, ST_R(1e-2));

    // the force that acts: gradients are differences between nodes
    st_state *s = physics_state(test, "/body/dofs");
    physics_force(test, "/body/grid");
    assert_reals(r[0].force, 3, s->deriv[ST_DERIV_FORCE].data, tight);
    assert_true(r[0].normal_force > 0);
    assert_int_equal(r[0].motion, ST_CONTACT_SLIDES);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

static bool collect_text(void *user, const char *text, size_t length) {
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    const bool ok = st_text_append(user, copy);
    free(copy);
    return ok;
}
static bool refuse(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
    return false;
}

static void clouds_of_points(void **state) {
    (void)state;
    physics_scene *test =
        load("<DefaultAnimationLoop/>",
             PHASES MIN RESPONSE(
                 "PenalityContactForceField") "<Node name='flo or%'><MeshTopology "
                                              "position='-5 0 -5  5 0 -5  5 0 7  -5 0 7' triangles='0 2 1  0 3 "
                                              "2'/><MechanicalObject/>"
                                              "<TriangleCollisionModel name='model' simulated='0'/></Node>"
                                              "<Node name='body'>" SOLVER
                                              "<MechanicalObject name='dofs' position='0.3 0.05 0.1  2 0.25 0'/>"
                                              "<UniformMass totalMass='4'/><FixedProjectiveConstraint indices='0 1'/>"
                                              "<PointCollisionModel name='points'/></Node>");

    // before the first step there is nothing
    st_text text = {0};
    assert_int_equal(st_scene_write_contacts_vtk(test->scene, 0, &(st_writer){collect_text, &text}), ST_OK);
    assert_non_null(strstr(text.data, "POINTS 0 double\nVERTICES 0 0\n"));
    assert_null(strstr(text.data, "POINT_DATA"));
    st_text_free(&text);

    step(test, 1);
    assert_int_equal(st_scene_write_contacts_vtk(test->scene, 1, &(st_writer){collect_text, &text}), ST_OK);
    static const char *const expected[] = {
        "# vtk DataFile Version 3.0\ncontacts of step 1, time 0.01\nASCII\nDATASET POLYDATA\nPOINTS 2 double\n",
        "VERTICES 2 4\n1 0\n1 1\n",
        "POINT_DATA 2\nFIELD data 11\n",
        "\nnormal 3 2 double\n",
        "\nforce 3 2 double\n",
        "\ngap 1 2 double\n",
        "\nmotion 1 2 int\n2\n0\n",
        "\nelement2 1 2 int\n0\n1\n",
        "\nmodel1 1 2 string\n/flo%20or%25/model\n/flo%20or%25/model\n",
        "\nmodel2 1 2 string\n/body/points\n",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (!strstr(text.data, expected[i])) print_message("no '%s' in\n%s", expected[i], text.data);
        assert_non_null(strstr(text.data, expected[i]));
    }
    st_text_free(&text);
    assert_int_equal(st_scene_write_contacts_vtk(test->scene, 1, &(st_writer){refuse, NULL}), ST_FAILED);
    assert_int_equal(st_scene_write_contacts_vtk(NULL, 1, &(st_writer){refuse, NULL}), ST_INVALID);
    assert_string_equal(st_contact_motion_name(ST_CONTACT_SLIDES), "slides");

    // a picture with contacts differs from one without, and is there without contacts, too
    static const char *const shows[] = {NULL, "contacts", "contacts"};
    size_t sizes[3] = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/test_contact_reports.png", SETTEE_BUILD);
    for (int k = 0; k < 3; k++) {
        st_picture_options options = st_default_picture_options();
        options.width = 160, options.height = 120;
        options.show = shows[k];
        if (k == 2) assert_int_equal(st_scene_reset(test->scene), ST_OK);
        assert_int_equal(st_scene_write_png(test->scene, path, &options), ST_OK);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        for (int c; (c = fgetc(file)) != EOF;) sizes[k] = sizes[k] * 31 + (size_t)c;
        fclose(file);
    }
    remove(path);
    assert_true(sizes[0] != sizes[1] && sizes[1] != sizes[2]);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_that_stick),
        cmocka_unit_test(springs_that_stick),
        cmocka_unit_test(grids_that_press),
        cmocka_unit_test(clouds_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
