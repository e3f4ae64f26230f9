// FFDDistanceGridCollisionModel: contacts of a cube that is drawn out and sheared, by hand; with every other model; and
// cells that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include "detection_scene.h"

static const st_real tiny = sizeof(st_real) == 4 ? ST_R(2e-5) : ST_R(1e-12);

#define METHOD "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"
#define GRID(name, frame, more)                                                                                        \
    "<Node name='" name "'><MechanicalObject template='Rigid3' name='dofs' position='" frame                           \
    "'/><RigidDistanceGridCollisionModel filename='#cube' nx='25' ny='25' nz='25' " more "/></Node>"
#define POINTS(positions)                                                                                              \
    "<Node name='points'><MechanicalObject name='dofs' position='" positions "'/><PointCollisionModel/></Node>"

// A block around the cube, drawn out to twice its length along x and sheared.
#define FFD(positions, more)                                                                                           \
    "<Node name='soft'><MeshTopology name='mesh' hexahedra='0 1 2 3 4 5 6 7'/><MechanicalObject name='dofs' "          \
    "rest_position='-1.5 -1.5 -1.5  1.5 -1.5 -1.5  1.5 1.5 -1.5  -1.5 1.5 -1.5  -1.5 -1.5 1.5  1.5 -1.5 1.5  "         \
    "1.5 1.5 1.5  -1.5 1.5 1.5' position='" positions "'/><FFDDistanceGridCollisionModel filename='#cube' nx='25' "    \
    "ny='25' nz='25' " more "/></Node>"
#define DRAWN_OUT "-3 -1.5 -1.5  3 -1.5 -1.5  3 1.5 -1.5  -3 1.5 -1.5  -3 -1.5 1.5  3 -1.5 1.5  3 1.5 1.5  -3 1.5 1.5"
#define SHEARED                                                                                                        \
    "-1.5 -1.5 -1.5  1.5 -1.5 -1.5  1.5 1.5 -1.5  -1.5 1.5 -1.5  1.5 -1.5 1.5  4.5 -1.5 1.5  4.5 1.5 1.5  1.5 1.5 1.5"

static void deformed_cube(void **state) {
    (void)state;
    physics_scene *test = detection_load(METHOD, FFD(DRAWN_OUT, "") POINTS("1.9 0.1 0.2  2.5 0 0  0.1 0.95 0"), true);
    assert_int_equal(detection_count(test), 2);
    assert_detection(detection_at(test, 0), (const st_real[]){2, ST_R(0.1), ST_R(0.2)},
                     (const st_real[]){ST_R(1.9), ST_R(0.1), ST_R(0.2)}, (const st_real[]){1, 0, 0}, ST_R(-0.2),
                     50 * tiny);
    assert_detection(detection_at(test, 1), (const st_real[]){ST_R(0.1), 1, 0},
                     (const st_real[]){ST_R(0.1), ST_R(0.95), 0}, (const st_real[]){0, 1, 0}, ST_R(-0.15), 50 * tiny);
    physics_free(test);

    // x moves with z: a face x = 1 leans over, its normal is that of the inverse transposed, (1, 0, -1)
    test = detection_load(METHOD, FFD(SHEARED, "") POINTS("2.45 0 0"), true);
    const st_real h = sqrt(ST_R(0.5));
    const st_detection *d = detection_at(test, 0);
    assert_reals(d->normal, 3, (const st_real[]){h, 0, -h}, 50 * tiny);
    assert_reals(d->point[0], 3, (const st_real[]){ST_R(2.5), 0, 0}, 50 * tiny);
    assert_near(d->value, ST_R(-0.05) * h - ST_R(0.1), 50 * tiny);
    physics_free(test);
}

// Undeformed, its face at x = 2.05.
#define OTHER                                                                                                          \
    "<Node name='other'><MeshTopology hexahedra='0 1 2 3 4 5 6 7'/><MechanicalObject rest_position='-1.5 -1.5 -1.5  "  \
    "1.5 -1.5 -1.5  1.5 1.5 -1.5  -1.5 1.5 -1.5  -1.5 -1.5 1.5  1.5 -1.5 1.5  1.5 1.5 1.5  -1.5 1.5 1.5' "             \
    "position='1.55 -1.5 -1.5  4.55 -1.5 -1.5  4.55 1.5 -1.5  1.55 1.5 -1.5  1.55 -1.5 1.5  4.55 -1.5 1.5  "           \
    "4.55 1.5 1.5  1.55 1.5 1.5'/><FFDDistanceGridCollisionModel filename='#cube' nx='25' ny='25' nz='25'/></Node>"

static void deformed_cube_meets_others(void **state) {
    (void)state;
    static const char *const others[] = {
        OTHER,
        GRID("cube", "3.05 0 0 0 0 0 1", ""),
        "<Node name='ball'><MechanicalObject position='2.05 0 0'/><SphereCollisionModel radius='0.2'/></Node>",
        ("<Node name='cloth'><MeshTopology triangles='0 1 2'/><MechanicalObject position='1.9 0 0  2.9 0 0  2.9 1 0'/>"
         "<TriangleCollisionModel/></Node>"),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char models[4096];
        snprintf(models, sizeof models, "%s%s", FFD(DRAWN_OUT, ""), others[i]);
        physics_scene *test = detection_load(METHOD, models, true);
        assert_true(detection_count(test) > 0);
        const st_detection *d = detection_at(test, 0);
        const bool soft_first = !strcmp(detection_pair(test)->model[0]->object.node->object.name, "soft");
        assert_near(d->normal[0], soft_first ? 1 : -1, ST_R(1e-6));
        assert_true(d->value < 0);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        physics_free(test);
    }

    // cells that are no boxes, vertices that do not exist
    physics_scene *test = detection_load(METHOD,
                                         "<Node name='soft'><MeshTopology hexahedra='0 1 2 3 4 5 6 "
                                         "7'/><MechanicalObject position='0 0 0 1 0 0 1 1 0 0 1 0 "
                                         "0 0 1 1 0 1 1 1 1 0.5 0.5 1'/><FFDDistanceGridCollisionModel "
                                         "filename='#cube' nx='9' ny='9' nz='9'/></Node>" POINTS("0.5 0.5 0.5"),
                                         true);
    assert_non_null(strstr(test->log, "no box"));
    assert_int_equal(detection_count(test), 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deformed_cube),
        cmocka_unit_test(deformed_cube_meets_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
