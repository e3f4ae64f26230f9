// The example scenes of mappings: they run without messages, and do what they are meant to show. And a body whose
// springs sit on a mapped skin moves in the same way whether its matrix is assembled or not.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

static physics_scene *load_example(const char *name) {
    physics_scene *test = calloc(1, sizeof *test);
    assert_non_null(test);
    char path[512];
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    snprintf(path, sizeof path, "%s/%s", SETTEE_EXAMPLES, name);
    assert_true(st_succeeded(st_scene_load(test->scene, path)));
    st_scene_init(test->scene);
    return test;
}

static void run(physics_scene *test, int steps) {
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    if (test->count[ST_WARNING] || test->count[ST_ERROR]) fail_msg("%s", test->log);
}

static st_real lowest(const st_state *state) {
    const size_t stride = st_state_dof(state)->coord;
    st_real low = ST_REAL_MAX;
    for (size_t i = 0; i < state->size; i++)
        low = state->coord[ST_COORD_POSITION].data[i * stride + 1] < low
                  ? state->coord[ST_COORD_POSITION].data[i * stride + 1]
                  : low;
    return low;
}

// The ball comes to the floor and does not fall through it; its visible surface follows.
static void test_skins(void **unused) {
    (void)unused;
    physics_scene *test = load_example("skins.scn");
    run(test, 60);
    const st_real contact = lowest(physics_state(test, "/Ball/Contact/points"));
    const st_real seen = lowest(physics_state(test, "/Ball/Visual/model"));
    assert_true(contact < (st_real)0.3 && contact > (st_real)-0.5);
    assert_near(seen, contact, (st_real)0.1);
    physics_free(test);
}

// The bar with the skin sags less.
static void test_stiff_skin(void **unused) {
    (void)unused;
    physics_scene *test = load_example("stiff_skin.scn");
    run(test, 50);
    const st_real with = lowest(physics_state(test, "/WithSkin/dofs")),
                  plain = lowest(physics_state(test, "/Plain/dofs"));
    assert_true(plain < -(st_real)0.05 && with > plain + (st_real)0.02 && with < 0);
    physics_free(test);
}

// The head sinks, and the points of the bar that it holds stay where they are in it.
static void test_soft_on_rigid(void **unused) {
    (void)unused;
    physics_scene *test = load_example("soft_on_rigid.scn");
    run(test, 50);
    const st_state *head = physics_state(test, "/Hammer/Head/frame"), *bar = physics_state(test, "/Hammer/Bar/points");
    const st_real *c = head->coord[ST_COORD_POSITION].data, *tip = bar->coord[ST_COORD_POSITION].data + 3 * 8;
    assert_true(c[1] < (st_real)0.25);
    st_real square = 0;
    for (int k = 0; k < 3; k++) square += (tip[k] - c[k]) * (tip[k] - c[k]);
    assert_near(square, (st_real)0.18, (st_real)1e-4); // (0, -0.3, -0.3) at rest
    physics_free(test);
}

#define BODY(solver)                                                                                                   \
    "<Node name=\"b\"><EulerImplicitSolver rayleighStiffness=\"0.1\"/>" solver                                         \
    "<RegularGridTopology n=\"4 2 2\" min=\"0 0 0\" max=\"3 1 1\"/><MechanicalObject name=\"s\"/>"                     \
    "<UniformMass totalMass=\"1\"/><FixedProjectiveConstraint indices=\"0 4 8 12\"/>"                                  \
    "<MeshSpringForceField stiffness=\"50\"/><Node name=\"skin\"><MechanicalObject position=\"0.1 0.5 1  1.4 0.6 1  "  \
    "2.9 0.5 1\"/><BarycentricMapping/><SpringForceField spring=\"0 1 300 0 1  1 2 300 0 1.2\"/><Node name=\"l\">"     \
    "<MechanicalObject template=\"Vec1\"/><MeshTopology name=\"t\" edges=\"0 1  1 2\"/>"                               \
    "<DistanceMapping topology=\"@t\" geometricStiffness=\"Exact\"/>"                                                  \
    "<RestShapeSpringsForceField template=\"Vec1\" stiffness=\"100\"/></Node></Node></Node>"

static void test_assembled(void **unused) {
    (void)unused;
    physics_scene *free =
        physics_load(BODY("<CGLinearSolver iterations=\"500\" tolerance=\"1e-13\" threshold=\"1e-30\"/>"));
    physics_scene *assembled = physics_load(BODY("<SparseLDLSolver/>"));
    for (int i = 0; i < 30; i++) {
        assert_int_equal(st_scene_step(free->scene, 0), ST_OK);
        assert_int_equal(st_scene_step(assembled->scene, 0), ST_OK);
    }
    const st_state *a = physics_state(free, "/b/s"), *b = physics_state(assembled, "/b/s");
    const st_real tolerance = sizeof(st_real) == 4 ? (st_real)1e-3 : (st_real)1e-9;
    assert_reals(a->coord[ST_COORD_POSITION].data, 3 * a->size, b->coord[ST_COORD_POSITION].data, tolerance);
    assert_true(a->coord[ST_COORD_POSITION].data[3 * 3 + 1] < -(st_real)0.01); // it moved
    physics_free(free);
    physics_free(assembled);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skins),
        cmocka_unit_test(test_stiff_skin),
        cmocka_unit_test(test_soft_on_rigid),
        cmocka_unit_test(test_assembled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
