// What was silent once: a scene that runs and means nothing gets a message that names the component and the value.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#define IMPLICIT "<EulerImplicitSolver/><CGLinearSolver iterations='25' tolerance='1e-9' threshold='1e-9'/>"
#define TWO "<MechanicalObject name='dofs' position='0 0 0 1 0 0'/>"

static void says(const char *scene, st_severity severity, const char *what) {
    physics_scene *test = physics_load(scene);
    if (test->count[severity] == 0 || !strstr(test->log, what)) fail_msg("'%s' is not in: %s", what, test->log);
    physics_free(test);
}

static void is_silent(const char *scene) {
    physics_scene *test = physics_load(scene);
    if (test->count[ST_WARNING] + test->count[ST_ERROR]) fail_msg("%s", test->log);
    physics_free(test);
}

static void a_missing_mass_is_reported(void **state) {
    (void)state;
    says(IMPLICIT TWO, ST_WARNING,
         "EulerImplicitSolver(EulerImplicitSolver1): there is no mass at or below its node for 2 DOFs");
    says("<EulerExplicitSolver/>" TWO, ST_WARNING, "there is no mass");
    is_silent(
        "<StaticSolver/><NewtonRaphsonSolver/><CGLinearSolver iterations='25' tolerance='1e-9' threshold='1e-9'/>" TWO);
    is_silent(IMPLICIT TWO "<UniformMass totalMass='1'/>");
}

static void a_mass_of_zero_is_reported(void **state) {
    (void)state;
    says(IMPLICIT TWO "<UniformMass name='m' totalMass='0'/>", ST_WARNING,
         "UniformMass(m): its total mass is 0: 2 DOFs have neither weight nor inertia");
    says(IMPLICIT "<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject position='0 0 0 1 0 0 0 1 0 0 0 1'/>"
                  "<DiagonalMass name='m' massDensity='0'/>",
         ST_WARNING, "its total mass is 0");
}

// A smaller step is no help to what has no mass.
static void divergence_without_mass_is_not_blamed_on_dt(void **state) {
    (void)state;
    physics_scene *test = physics_load("<EulerExplicitSolver/>" TWO "<UniformMass totalMass='0'/>"
                                       "<ConstantForceField forces='1 0 0'/>");
    assert_int_equal(st_scene_step(test->scene, 0), ST_FAILED);
    assert_non_null(strstr(test->log, "it has no mass: give it one"));
    assert_null(strstr(test->log, "smaller dt"));
    physics_free(test);
}

#define POINTS "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1"
#define TURNED "0 0 1 1 0 1 1 1 1 0 1 1 0 0 0 1 0 0 1 1 0 0 1 0"
#define LEVEL "0 0 0 1 0 0 1 1 0 0 1 0 0 0 0 1 0 0 1 1 0 0 1 0"
#define BODY(points, mesh, force)                                                                                      \
    "<MeshTopology " mesh "/><MechanicalObject position='" points "'/><" force                                         \
    " name='fem' youngModulus='1000' poissonRatio='0.3'/>"
#define CUBE "hexahedra='0 1 2 3 4 5 6 7'"
#define CORNER "tetrahedra='0 1 3 4'"

static void flat_and_inverted_elements_are_counted(void **state) {
    (void)state;
    static const char *const cubes[] = {BODY(POINTS, CUBE, "HexahedronFEMForceField"),
                                        BODY(TURNED, CUBE, "HexahedronFEMForceField"),
                                        BODY(LEVEL, CUBE, "HexahedronFEMForceField")};
    static const char *const corners[] = {BODY(POINTS, CORNER, "TetrahedronFEMForceField"),
                                          BODY(TURNED, CORNER, "TetrahedronFEMForceField"),
                                          BODY(LEVEL, CORNER, "TetrahedronFEMForceField")};
    is_silent(cubes[0]);
    says(cubes[1], ST_WARNING, "1 of 1 hexahedra are inside out at rest (their volume is negative), number 0 first");
    says(cubes[2], ST_WARNING, "1 of 1 hexahedra are flat at rest");
    is_silent(corners[0]);
    says(corners[1], ST_WARNING, "1 of 1 tetrahedra are inside out at rest");
    says(corners[2], ST_WARNING, "1 of 1 tetrahedra are flat at rest");

    // every family of finite elements
    static const char *const families[] = {"TetrahedralCorotationalFEMForceField", "CorotationalFEMForceField",
                                           "FastTetrahedralCorotationalForceField", "LinearSmallStrainFEMForceField"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<TetrahedronSetTopologyContainer " CORNER " position='" TURNED "'/>"
                 "<MechanicalObject/><%s name='fem' youngModulus='1000' poissonRatio='0.3'/>",
                 families[i]);
        says(text, ST_WARNING, "inside out at rest");
    }
    says("<MeshTopology triangles='0 1 2' position='0 0 0 1 0 0 2 0 0'/><MechanicalObject/>"
         "<TriangularFEMForceField youngModulus='1000' poissonRatio='0.3'/>",
         ST_WARNING, "1 of 1 triangles are flat at rest");
    says("<TetrahedronSetTopologyContainer " CORNER " position='" TURNED "'/><MechanicalObject/>"
         "<TetrahedronHyperelasticityFEMForceField materialName='NeoHookean' ParameterSet='400 600'/>",
         ST_WARNING, "inside out at rest");
}

static void a_step_takes_a_positive_time(void **state) {
    (void)state;
    static const char *const bad[] = {"0", "-0.1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        // in C: refused, and the last one stays
        physics_scene *test = physics_load(TWO "<UniformMass totalMass='1'/>");
        st_object *root = st_node_as_object(st_scene_root(test->scene));
        assert_int_equal(st_object_set(root, "dt", bad[i]), ST_INVALID);
        assert_non_null(strstr(test->log, "is refused: a step must be a positive, finite time; 0.01 stays"));
        assert_near(st_scene_dt(test->scene), ST_R(0.01), 0);
        assert_int_equal(st_object_set_reals(root, "dt", (st_real[]){(st_real)NAN}, 1, 1), ST_INVALID);
        assert_near(st_scene_dt(test->scene), ST_R(0.01), 0);
        assert_int_equal(st_object_set(root, "dt", "0.02"), ST_OK);
        assert_near(st_scene_dt(test->scene), ST_R(0.02), ST_REAL_EPSILON);
        physics_free(test);

        // in a file: an error, before the first step
        physics_scene file = {0};
        st_config config = st_default_config();
        config.log = physics_log;
        config.log_user = &file;
        st_scene *scene = st_scene_create(&config);
        char text[128];
        snprintf(text, sizeof text, "<Node dt='%s'><DefaultAnimationLoop/></Node>", bad[i]);
        assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
        assert_int_equal(st_scene_init(scene), ST_WITH_ERRORS);
        assert_non_null(strstr(file.log, "a step must be a positive, finite time"));
        st_scene_destroy(scene);
    }
}

static void values_say_what_is_used_instead(void **state) {
    (void)state;
    says("<CGLinearSolver iterations='-1'/>", ST_WARNING,
         "could not read value for data field 'iterations': \"-1\" (unsigned int expected; '-1' cannot be read as a "
         "number of "
         "0 or "
         "more); 25 is used");
    says("<MechanicalObject/><UniformMass totalMass='abc'/>", ST_WARNING,
         "'abc' cannot be read as a number); 0 is used");
    says("<MechanicalObject position='0 0 0 1 0'/>", ST_WARNING,
         "2 of the 3 numbers of an element are left over at the end); the element before it is used");
    says("<MechanicalObject position='0 0 0 1 0 0' rest_position='0 0 0'/>", ST_WARNING,
         "rest_position has 1 elements, the state has 2");
    says("<MechanicalObject position='0 0 0' scale='1 1 1'/>", ST_ERROR,
         "'1 1 1' is not exactly one number); 1 is used");
}

static void inverted_ranges_are_reported(void **state) {
    (void)state;
    says(TWO "<UniformMass totalMass='1' localRange='3 1'/>", ST_WARNING,
         "localRange is 3 1: the first is larger than the last");
    says(TWO "<PlaneForceField normal='0 1 0' localRange='1 0'/>", ST_WARNING, "localRange is 1 0");
    says("<RegularGridTopology n='2 2 2' min='1 0 0' max='0 1 1'/>", ST_WARNING,
         "min = 1 is larger than max = 0 along x: its cells are inside out");
}

static void names_and_files_say_what_helps(void **state) {
    (void)state;
    says("<MeshOBJLoader filename='none.obj'/>", ST_ERROR, "--data-path FOLDER or SETTEE_DATA_PATH adds a folder");
    says("<ContactListenerX/>", ST_ERROR, "did you mean ContactListener?");
    const char *missing = st_describe_missing(0);
    if (missing) {
        char text[256];
        snprintf(text, sizeof text, "<%s/>", missing);
        physics_scene *test = physics_load(text);
        assert_non_null(strstr(test->log, "SOFA has this component, settee does not"));
        assert_null(strstr(test->log, "did you mean"));
        physics_free(test);
    }

    // one clause for all templates that fail for the same reason
    physics_scene *test = physics_load(TWO "<IdentityMapping input='@nothing' output='@dofs'/>");
    assert_non_null(strstr(test->log, "is not created: input=\"@nothing\" leads to no state, or to several\n"));
    physics_free(test);
}

static void masses_are_asked_for_after_init(void **state) {
    (void)state;
    static const char text[] = "<Node><DefaultAnimationLoop/>" TWO "<UniformMass totalMass='3'/></Node>";
    physics_scene log = {0};
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = &log;
    st_scene *scene = st_scene_create(&config);
    assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
    assert_near(st_scene_mass(scene).total, 0, 0);
    assert_non_null(strstr(log.log, "masses are not known before the initialization"));
    assert_int_equal(st_scene_init(scene), ST_OK);
    assert_near(st_scene_mass(scene).total, 3, 4 * ST_REAL_EPSILON);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_mass_is_reported),
        cmocka_unit_test(a_mass_of_zero_is_reported),
        cmocka_unit_test(divergence_without_mass_is_not_blamed_on_dt),
        cmocka_unit_test(flat_and_inverted_elements_are_counted),
        cmocka_unit_test(a_step_takes_a_positive_time),
        cmocka_unit_test(values_say_what_is_used_instead),
        cmocka_unit_test(inverted_ranges_are_reported),
        cmocka_unit_test(names_and_files_say_what_helps),
        cmocka_unit_test(masses_are_asked_for_after_init),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
