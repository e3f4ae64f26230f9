// Plug-ins: the example is loaded by RequiredPlugin, its force acts and its derivative is right; bad ones are refused.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

typedef struct messages {
    char last_error[512];
    size_t errors, deprecated;
} messages;

static void keep(void *user, const st_diagnostic *diagnostic) {
    messages *m = user;
    m->deprecated += diagnostic->severity == ST_DEPRECATED;
    if (diagnostic->severity < ST_ERROR) return;
    snprintf(m->last_error, sizeof m->last_error, "%s", diagnostic->text);
    m->errors++;
}

static st_scene *create(messages *m) {
    static const char *const paths[] = {SETTEE_PLUGINS, NULL};
    st_config config = st_default_config();
    config.log = keep;
    config.log_user = m;
    config.plugin_paths = paths;
    return st_scene_create(&config);
}

static const char scene_text[] = "<Node dt='0.01' gravity='0 0 0'>"
                                 "<RequiredPlugin pluginName='example_plugin'/>"
                                 "<DefaultAnimationLoop/>"
                                 "<Node name='n'><EulerExplicitSolver/><MechanicalObject name='dofs' position='1 0 0'/>"
                                 "<UniformMass totalMass='1'/><AttractionForceField stiffness='4'/></Node></Node>";

// A unit mass on a spring of stiffness 4 swings with angular frequency 2: after half a period it is at the other side.
static void force_of_the_plugin_acts(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = create(&m);
    assert_true(st_succeeded(st_scene_load_text(scene, scene_text, strlen(scene_text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    assert_int_equal((int)m.errors, 0);
    for (int i = 0; i < 157; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    size_t count, width;
    const st_real *x = st_object_reals(st_scene_find(scene, "/n/dofs"), "position", &count, &width);
    assert_true(fabs((double)x[0] + 1) < 1e-2);
    st_scene_destroy(scene);
}

static void count_exact(void *user, const st_derivative_check *check) {
    if (!check->exact_by_design) return;
    assert_true(check->error < 1e3 * sqrt((double)ST_REAL_EPSILON));
    ++*(int *)user;
}

static void derivative_of_the_plugin_is_right(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = create(&m);
    assert_true(st_succeeded(st_scene_load_text(scene, scene_text, strlen(scene_text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    int checked = 0;
    assert_int_equal(st_scene_check_derivatives(scene, count_exact, &checked), ST_OK);
    assert_true(checked >= 3);
    st_scene_destroy(scene);
}

// A force by blocks and a damper, and the same by the former interface, under the given solver: the same motion.
static double height_after(const char *force, const char *solver, size_t *deprecated) {
    messages m = {0};
    st_scene *scene = create(&m);
    char text[1024];
    snprintf(text, sizeof text,
             "<Node dt='0.05' gravity='0 0 -1'><RequiredPlugin pluginName='example_plugin'/><DefaultAnimationLoop/>"
             "<Node name='n'><EulerImplicitSolver/>%s<MechanicalObject name='dofs' position='1 0 2'/>"
             "<UniformMass totalMass='1'/>%s</Node></Node>",
             solver, force);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    int checked = 0;
    assert_int_equal(st_scene_check_derivatives(scene, count_exact, &checked), ST_OK);
    assert_true(checked >= 3);
    for (int i = 0; i < 10; i++)
        if (st_scene_step(scene, 0) != ST_OK) fail_msg("%s", m.last_error);
    size_t count, width;
    const st_real *x = st_object_reals(st_scene_find(scene, "/n/dofs"), "position", &count, &width);
    const double z = (double)x[2];
    if (deprecated) *deprecated = m.deprecated;
    st_scene_destroy(scene);
    return z;
}

static void former_interface_is_bridged(void **state) {
    (void)state;
    static const char *const solvers[] = {"<CGLinearSolver iterations='20' tolerance='1e-12' threshold='1e-12'/>",
                                          "<SparseLDLSolver/>", "<DenseLinearSolver/>"};
    const double tolerance = 1e6 * (double)ST_REAL_EPSILON;
    double first = 0;
    for (int i = 0; i < 3; i++) {
        size_t deprecated = 0, none = 0;
        const double blocks = height_after("<AttractionForceField stiffness='4'/>"
                                           "<DiagonalVelocityDampingForceField dampingCoefficient='0.5 0.5 0.5'/>",
                                           solvers[i], &none);
        const double former =
            height_after("<FormerAttractionForceField stiffness='4' friction='0.5'/>", solvers[i], &deprecated);
        assert_true(fabs(blocks - former) < tolerance);
        assert_int_equal((int)(deprecated - none), 2); // addKToMatrix and addBToMatrix
        if (i == 0) first = blocks;
        assert_true(fabs(blocks - first) < tolerance); // the plug-in's own solver, too
    }
}

static void missing_plugin_is_an_error_and_the_scene_goes_on(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = create(&m);
    const char text[] = "<Node><DefaultAnimationLoop/><RequiredPlugin pluginName='NoSuchPlugin'/></Node>";
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_int_equal((int)m.errors, 1);
    assert_non_null(strstr(m.last_error, "NoSuchPlugin"));
    st_scene_destroy(scene);
}

static void file_that_is_no_plugin_is_refused(void **state) {
    (void)state;
    messages m = {0};
    st_scene *scene = create(&m);
    assert_int_equal(st_scene_load_plugin(scene, SETTEE_SOURCE "/LICENSE"), ST_INVALID);
    assert_int_equal((int)m.errors, 1);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_of_the_plugin_acts),
        cmocka_unit_test(derivative_of_the_plugin_is_right),
        cmocka_unit_test(former_interface_is_bridged),
        cmocka_unit_test(missing_plugin_is_an_error_and_the_scene_goes_on),
        cmocka_unit_test(file_that_is_no_plugin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
