// Names of SofaCUDA: the same scene with and without them moves to the same bits, with one notice.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

#include "base/text.h"

// A soft bar with a skin; `c` begins the names of components, `v` and `r` are the templates of points and frames.
#define SCENE(c, v, r)                                                                                                 \
    "<Node dt='0.01' gravity='0 -9.81 0'><RequiredPlugin name='SofaCUDA'/>"                                            \
    "<RequiredPlugin pluginName='SofaCUDA.Component.StateContainer'/><DefaultAnimationLoop/><EulerImplicitSolver/>"    \
    "<CGLinearSolver iterations='20' tolerance='1e-9' threshold='1e-9'/>"                                              \
    "<RegularGridTopology n='3 3 5' min='0 0 0' max='1 1 2'/><" c "MechanicalObject template='" v "'/>"                \
    "<UniformMass template='" v "' totalMass='2'/><BoxROI template='" v "' name='box' box='-1 -1 -1 2 2 0.1'/>"        \
    "<HexahedronFEMForceField template='" v "' youngModulus='500' poissonRatio='0.3'/>"                                \
    "<FixedConstraint template='" v "' indices='@box.indices'/>"                                                       \
    "<Node name='skin'><MechanicalObject template='" v "' position='0.5 0.5 1.5 0.2 0.3 1'/>"                          \
    "<BarycentricMapping template='" v "," v "'/>%s</Node>"                                                            \
    "<Node name='frame'><MechanicalObject template='" r "'/><UniformMass template='" r                                 \
    "' totalMass='1'/></Node></Node>"

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

static void run(const char *format, const char *model, st_text *dump) {
    char text[4096];
    snprintf(text, sizeof text, format, model);
    st_scene *scene = probe_init(text);
    for (int i = 0; i < 20; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(st_scene_dump_states(scene, 0, &(st_writer){collect, dump}), ST_OK);
    st_scene_destroy(scene);
}

static void cuda_scenes_run_on_the_processor(void **unused) {
    (void)unused;
    st_text plain = {0};
    run(SCENE("", "Vec3", "Rigid3"), "<SphereCollisionModel radius='0.1'/>", &plain);
    assert_int_equal(probe_count(ST_NOTICE, "SofaCUDA"), 0);
    assert_true(plain.length > 100);

    static const char *const scenes[] = {SCENE("", "CudaVec3f", "CudaRigid3f"),
                                         SCENE("Cuda", "CudaVec3d", "CudaRigid3d"),
                                         SCENE("Cuda", "CudaVec3f1", "Rigid3")};
    static const char *const models[] = {"<CudaSphereCollisionModel radius='0.1'/>", "<CudaSphere radius='0.1'/>",
                                         "<CudaSphereModel radius='0.1'/>"};
    for (size_t i = 0; i < 3; i++) {
        st_text dump = {0};
        probe_forget();
        run(scenes[i], models[i], &dump);
        assert_string_equal(plain.data, dump.data);

        // one notice, and neither an error nor a warning
        assert_int_equal(probe_count(ST_NOTICE, "is a name of SofaCUDA"), 1);
        assert_quiet(ST_DEPRECATED, "Vec3");
        assert_quiet(ST_WARNING, "");
        assert_quiet(ST_ERROR, "");
        st_text_free(&dump);
    }
    st_text_free(&plain);
}

static void every_type_has_its_cuda_name(void **unused) {
    (void)unused;
    static const char *const types[][2] = {
        {"CudaVec1f", "Vec1"},     {"CudaVec2f", "Vec2"},     {"CudaVec3f", "Vec3"},
        {"CudaVec6f", "Vec6"},     {"CudaVec6d", "Vec6"},     {"CudaVec3d1", "Vec3"},
        {"CudaRigid2f", "Rigid2"}, {"CudaRigid3d", "Rigid3"}, {"CudaRigid3", "Rigid3"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[256];
        snprintf(text, sizeof text, "<Node><DefaultAnimationLoop/><MechanicalObject name='m' template='%s'/></Node>",
                 types[i][0]);
        st_scene *scene = probe_load(text);
        assert_string_equal(st_object_template(probe_find(scene, "/m")), types[i][1]);
        st_scene_destroy(scene);
    }
}

static void what_has_no_counterpart_is_reported(void **unused) {
    (void)unused;
    st_scene *scene = probe_load("<Node><DefaultAnimationLoop/><CudaNothing/><Cuda/>"
                                 "<MechanicalObject name='m' template='CudaVec9f'/>"
                                 "<MechanicalObject name='n' template='Cuda'/></Node>");
    assert_said(ST_ERROR, "CudaNothing in node / is not created: it belongs to SofaCUDA");
    assert_said(ST_ERROR, "component Cuda in node / is not created");
    assert_said(ST_ERROR, "template 'CudaVec9f' does not exist for this component; falling back to Vec3");
    assert_said(ST_ERROR, "template 'Cuda' does not exist");
    assert_int_equal(probe_count(ST_NOTICE, "SofaCUDA"), 0);
    st_scene_destroy(scene);
}

static void cuda_components_can_be_looked_up(void **unused) {
    (void)unused;
    const char *suggestion, *explanation;
    assert_string_equal(st_class_by_any_name("CudaPointModel", &suggestion, &explanation), "PointCollisionModel");
    assert_null(st_class_by_any_name("CudaNothing", &suggestion, &explanation));
    assert_non_null(explanation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_scenes_run_on_the_processor),
        cmocka_unit_test(every_type_has_its_cuda_name),
        cmocka_unit_test(what_has_no_counterpart_is_reported),
        cmocka_unit_test(cuda_components_can_be_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
