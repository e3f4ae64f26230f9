// Reset: time, positions and velocities go back to what init left.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

extern const st_class st_identity_mapping_class;

#define FALL(state)                                                                                                    \
    "<Node gravity='0 -10 0' dt='0.1' time='2'><DefaultAnimationLoop/><Node name='n'><EulerExplicitSolver/>" state     \
    "<UniformMass vertexMass='1'/>"                                                                                    \
    "<Node name='i'><MechanicalObject name='child'/><IdentityMapping/></Node></Node><Probe name='p'/></Node>"

static st_scene *start(const char *xml) {
    st_scene *scene = probe_create(false);
    if (!st_registry_find(scene, "IdentityMapping")) st_register_class(scene, &st_identity_mapping_class);
    if (probe_try(scene, xml) != ST_OK) fail_msg("%s", probe_messages);
    return scene;
}

static void a_reset_restores_what_init_left(void **unused) {
    (void)unused;
    st_scene *scene = start(FALL("<MechanicalObject name='s' position='1 2 3' velocity='0 4 0' translation='1 0 0'/>"));
    for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const st_state *child = STATE(scene, "/n/i/child");
    assert_true(child->coord[ST_COORD_POSITION].data[1] != 2 && st_scene_time(scene) > 2);
    assert_non_null(st_object_reals(probe_find(scene, "/n/s"), "force", &(size_t){0}, &(size_t){0}));
    probe_calls[0] = '\0';
    assert_int_equal(st_scene_reset(scene), ST_OK);
    assert_string_equal(probe_calls, "p.reset ");
    assert_true(st_scene_time(scene) == 2);
    assert_true(((st_node *)probe_find(scene, "/n/i"))->time == 2);
    probe_expect(scene, "/n/s", "position", "2 2 3");
    probe_expect(scene, "/n/s", "velocity", "0 4 0");
    probe_expect(scene, "/n/s", "force", "0 0 0");
    probe_expect(scene, "/n/s", "reset_position", "2 2 3");
    probe_expect(scene, "/n/s", "reset_velocity", "0 4 0");
    probe_expect(scene, "/n/i/child", "position", "2 2 3"); // propagated again
    probe_expect(scene, "/n/i/child", "velocity", "0 4 0");
    probe_expect(scene, "/n/i/child", "reset_position", ""); // a mapped state keeps none
    st_scene_destroy(scene);
}

static void a_run_after_a_reset_is_the_same_run(void **unused) {
    (void)unused;
    st_scene *scene = start(FALL("<MechanicalObject name='s' position='1 2 3'/>"));
    st_real first[3];
    for (int run = 0; run < 2; run++) {
        for (int i = 0; i < 10; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
        const st_real *x = STATE(scene, "/n/s")->coord[ST_COORD_POSITION].data;
        if (run == 0) memcpy(first, x, sizeof first);
        assert_memory_equal(first, x, sizeof first);
        assert_int_equal(st_scene_reset(scene), ST_OK);
    }
    probe_expect(scene, "/n/s", "reset_velocity", ""); // it was at rest
    probe_expect(scene, "/n/s", "velocity", "0 0 0");
    st_scene_destroy(scene);
}

// Fields that follow a state see what a reset did.
static void followers_see_a_reset(void **unused) {
    (void)unused;
    st_scene *scene = start("<Node gravity='0 -10 0' dt='0.1'><DefaultAnimationLoop/><EulerExplicitSolver/>"
                            "<MechanicalObject name='s' position='1 2 3'/><UniformMass vertexMass='1'/>"
                            "<Probe name='p' points='@s.position'/></Node>");
    st_scene_step(scene, 0);
    probe_expect(scene, "/p", "points", "1 1.9 3");
    st_scene_reset(scene);
    probe_expect(scene, "/p", "points", "1 2 3");
    st_scene_destroy(scene);
}

// A MechanicalObject moves by its transforms once more.
static void a_reinit_runs_what_the_component_has(void **unused) {
    (void)unused;
    st_scene *scene =
        start("<Node><DefaultAnimationLoop/><MechanicalObject name='s' position='1 2 3' translation='1 0 0'/></Node>");
    probe_expect(scene, "/s", "position", "2 2 3");
    assert_int_equal(st_object_reinit(st_scene_find(scene, "/s")), ST_OK);
    probe_expect(scene, "/s", "position", "3 2 3");
    assert_int_equal(st_object_reinit(st_scene_find(scene, "/DefaultAnimationLoop1")), ST_OK); // it has none
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_restores_what_init_left),
        cmocka_unit_test(a_run_after_a_reset_is_the_same_run),
        cmocka_unit_test(followers_see_a_reset),
        cmocka_unit_test(a_reinit_runs_what_the_component_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
