// Rays against every body that they can meet, by every intersection method; their response; boxes in a scene.
//
// SPDX-License-Identifier: Apache-2.0
#include "detection_scene.h"

#include "scene/scene.h"
#include "settee/contact.h"

static const st_real tight = sizeof(st_real) == 8 ? ST_R(1e-12) : ST_R(1e-5);

#define DISCRETE "<DiscreteIntersection/>"
#define MIN "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"
#define NEW "<NewProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"
#define LMD "<LocalMinDistance alarmDistance='0.3' contactDistance='0.1'/>"
#define CCD "<CCDTightInclusionIntersection alarmDistance='0.3' contactDistance='0.1'/>"
#define RAY(origin, direction, length)                                                                                 \
    "<Node name='mouse'><MechanicalObject position='" origin "'/><RayCollisionModel name='ray' directions='" direction \
    "' defaultLength='" length "'/></Node>"
#define BODY(kind, where, model)                                                                                       \
    "<Node name='body'><MechanicalObject template='" kind "' position='" where "'/>" model "</Node>"
#define SPHERE(kind, where) BODY(kind, where, "<SphereCollisionModel name='model' radius='1'/>")
#define TRIANGLE                                                                                                       \
    "<Node name='body'><MeshTopology position='-1 0 -1  1 0 -1  0 0 2' triangles='0 2 1'/><MechanicalObject/>"         \
    "<TriangleCollisionModel name='model'/></Node>"

static void nothing(const char *method, const char *models) {
    physics_scene *test = detection_load(method, models, true);
    assert_int_equal(detection_count(test), 0);
    physics_free(test);
}

static void one(const char *method, const char *models, const st_real p[3], const st_real q[3], const st_real n[3],
                st_real value) {
    physics_scene *test = detection_load(method, models, true);
    assert_int_equal(detection_count(test), 1);
    assert_detection(detection_at(test, 0), p, q, n, value, tight);
    assert_ptr_equal(&detection_pair(test)->model[0]->object, physics_find(test, "/mouse/ray"));
    physics_free(test);
}

static void spheres(void **state) {
    (void)state;
    static const char *const methods[] = {DISCRETE, MIN, NEW, LMD};
    const st_real p[3] = {0, ST_R(0.6), 0}, c[3] = {0, 0, 0}, top[3] = {0, 1, 0}, down[3] = {0, -1, 0};
    for (int m = 0; m < 4; m++) {
        // the nearest point of the ray; LocalMinDistance has the other one on the surface
        one(methods[m], RAY("-3 0.6 0", "5 0 0", "10") SPHERE("Vec3", "0 0 0"), p, m == 3 ? top : c, down, ST_R(-0.4));
        if (m != 2)
            one(methods[m], RAY("-3 0.6 0", "5 0 0", "10") SPHERE("Rigid3", "0 0 0 0 0 0 1"), p, top, down, ST_R(-0.4));
        nothing(methods[m], RAY("-3 1.1 0", "1 0 0", "10") SPHERE("Vec3", "0 0 0"));
        nothing(methods[m], RAY("-3 0.6 0", "-1 0 0", "10") SPHERE("Vec3", "0 0 0")); // it looks away
        nothing(methods[m], RAY("-3 0.6 0", "1 0 0", "2") SPHERE("Vec3", "0 0 0"));   // it is too short
        nothing(methods[m], RAY("0 0.6 0", "0 0 0", "2") SPHERE("Vec3", "0 0 0"));    // it goes nowhere
    }

    // through the center the normal is the direction
    const st_real right[3] = {1, 0, 0};
    one(DISCRETE, RAY("-3 0 0", "1 0 0", "10") SPHERE("Vec3", "0 0 0"), c, c, right, -1);
    nothing(CCD, RAY("-3 0.6 0", "1 0 0", "10") SPHERE("Vec3", "0 0 0"));

    // NewProximityIntersection: in and out of a sphere around a frame, wherever the ray starts
    physics_scene *test = detection_load(NEW, RAY("-3 0.6 0", "1 0 0", "10") SPHERE("Rigid3", "0 0 0 0 0 0 1"), true);
    assert_int_equal(detection_count(test), 2);
    const st_real in[3] = {ST_R(-0.8), ST_R(0.6), 0}, out[3] = {ST_R(0.8), ST_R(0.6), 0};
    const st_real n_in[3] = {ST_R(0.8), ST_R(-0.6), 0}, n_out[3] = {ST_R(-0.8), ST_R(-0.6), 0};
    assert_detection(detection_at(test, 0), in, in, n_in, 0, tight);
    assert_detection(detection_at(test, 1), out, out, n_out, 0, tight);
    physics_free(test);
}

static void triangles(void **state) {
    (void)state;
    const st_real hit[3] = {0, 0, 0}, down[3] = {0, -1, 0};
    static const char *const methods[] = {DISCRETE, MIN, NEW, LMD};
    for (int m = 0; m < 4; m++) {
        one(methods[m], RAY("0 2 0", "0 -3 0", "5") TRIANGLE, hit, hit, down, m < 2 ? 0 : ST_R(-0.3));
        nothing(methods[m], RAY("0 2 0", "0 -1 0", "1.5") TRIANGLE);
        nothing(methods[m], RAY("0 2 0", "0 1 0", "5") TRIANGLE);
        nothing(methods[m], RAY("0 1 9", "0 -1 0", "5") TRIANGLE);
    }

    // nearer than the alarm distance: the end of the ray, or its side
    const st_real end[3] = {0, ST_R(0.2), 0}, side[3] = {0, 0, ST_R(2.2)}, corner[3] = {0, 0, 2};
    for (int m = 2; m < 4; m++) {
        one(methods[m], RAY("0 2 0", "0 -1 0", "1.8") TRIANGLE, end, hit, down, ST_R(-0.1));
        one(methods[m], RAY("0 2 2.2", "0 -1 0", "5") TRIANGLE, side, corner, down, ST_R(-0.1));
        nothing(methods[m], RAY("0 0.1 0", "1 0 0", "5") TRIANGLE); // along it
    }
    nothing(CCD, RAY("0 2 0", "0 -1 0", "5") TRIANGLE);
}

static void bodies_with_an_inside(void **state) {
    (void)state;
#define BOX "<OBBCollisionModel name='model' extents='1 2 3'/>"
    const st_real half = ST_R(1.0), face[3] = {-half, ST_R(0.5), 0}, right[3] = {1, 0, 0},
                  out[3] = {half, ST_R(0.5), 0};
    one(DISCRETE, RAY("-4 0.5 0", "1 0 0", "9") BODY("Rigid3", "0 0 0 0 0 0 1", BOX), face, face, right, 0);
    one(NEW, RAY("0 0.5 0", "1 0 0", "9") BODY("Rigid3", "0 0 0 0 0 0 1", BOX), out, out, right, 0); // from inside
    nothing(LMD, RAY("-4 2.5 0", "1 0 0", "9") BODY("Rigid3", "0 0 0 0 0 0 1", BOX));
    nothing(LMD, RAY("-4 0.5 0", "1 0 0", "2.9") BODY("Rigid3", "0 0 0 0 0 0 1", BOX));
    nothing(LMD, RAY("-4 0.5 0", "-1 0 0", "9") BODY("Rigid3", "0 0 0 0 0 0 1", BOX));
    nothing(NEW, RAY("0 0.5 0", "1 0 0", "0.5") BODY("Rigid3", "0 0 0 0 0 0 1", BOX));

#define TETRA                                                                                                          \
    "<Node name='body'><MeshTopology position='0 0 0  1 0 0  0 1 0  0 0 1' tetrahedra='0 1 2 3'/><MechanicalObject/>"  \
    "<TetrahedronCollisionModel name='model'/></Node>"
    const st_real q = ST_R(0.25), in[3] = {0, q, q}, inside[3] = {q, q, q};
    one(MIN, RAY("-2 0.25 0.25", "1 0 0", "9") TETRA, in, in, right, 0);
    one(MIN, RAY("0.25 0.25 0.25", "1 0 0", "9") TETRA, inside, inside, right, 0);
    nothing(MIN, RAY("-2 0.75 0.75", "1 0 0", "9") TETRA);
    nothing(MIN, RAY("-2 0.25 0.25", "1 0 0", "1.9") TETRA);

    // a field of distances, in a frame that is turned
    physics_scene *test = detection_load(LMD,
                                         RAY("-4 5.25 0.1", "1 0 0", "9")
                                             BODY("Rigid3", "0 5 0  0 0 0.70710678118654752 0.70710678118654752",
                                                  "<RigidDistanceGridCollisionModel name='model' filename='#cube' "
                                                  "nx='21' ny='21' nz='21'/>"),
                                         true);
    assert_int_equal(detection_count(test), 1);
    const st_real there[3] = {-1, ST_R(5.25), ST_R(0.1)};
    assert_detection(detection_at(test, 0), there, there, right, 0, ST_R(1e-2));
    physics_free(test);
    nothing(LMD, RAY("-4 7 0.1", "1 0 0", "9") BODY("Rigid3", "0 5 0 0 0 0 1",
                                                    "<RigidDistanceGridCollisionModel name='model' filename='#cube' "
                                                    "nx='21' ny='21' nz='21'/>"));
}

static void others_are_ignored(void **state) {
    (void)state;
    static const char *const models[] = {
        RAY("-4 0 0", "1 0 0", "9") BODY("Vec3", "0 0 0", "<PointCollisionModel name='model'/>"),
        RAY("-4 0 0", "1 0 0", "9") "<Node name='body'><MeshTopology position='0 -1 0  0 1 0' edges='0 1'/>"
                                    "<MechanicalObject/><LineCollisionModel name='model'/></Node>",
        RAY("-4 0 0", "1 0 0", "9") BODY("Rigid3", "0 0 0 0 0 0 1", "<CapsuleCollisionModel name='model'/>"),
        RAY("-4 0 0", "1 0 0", "9") BODY("Vec3", "0 0 0", "<RayCollisionModel name='model' directions='-1 0 0'/>"),
    };
    static const char *const methods[] = {DISCRETE, MIN, NEW, LMD, CCD};
    for (size_t k = 0; k < 4; k++)
        for (size_t m = 0; m < 5; m++) {
            physics_scene *test = detection_load(methods[m], models[k], true);
            assert_int_equal(detection_count(test), 0);
            assert_null(strstr(test->log, "has no test"));
            physics_free(test);
        }
}

// What a ray has met is reported without a force, and moves nothing.
static void contacts_of_rays_are_there_to_be_read(void **state) {
    (void)state;
    static const char body[] =
        "<Node name='body'><EulerExplicitSolver/><MechanicalObject name='dofs' position='0 0 0'/>"
        "<UniformMass totalMass='1'/><SphereCollisionModel name='model'/></Node>";
    char text[2048];
    snprintf(text, sizeof text, "%s%s", RAY("-3 0 0.6", "1 0 0", "10"), body);
    physics_scene *alone = detection_load(DISCRETE, body, true), *test = detection_load(DISCRETE, text, true);
    assert_field(test, "/mouse/ray", "contactResponse", "RayContact");

    st_contact_report c;
    assert_int_equal(st_scene_contacts(test->scene, &c, 1), 1);
    assert_ptr_equal(c.model[0], physics_find(test, "/mouse/ray"));
    assert_near(c.gap, ST_R(-0.4), tight);
    assert_near(c.normal_force, 0, 0);
    assert_int_equal(c.motion, ST_CONTACT_OPEN);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_int_equal(st_scene_step(alone->scene, 0), ST_OK);
    }
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    assert_reals(x, 3, physics_state(alone, "/body/dofs")->coord[ST_COORD_POSITION].data, 0);

    // it turns away
    assert_int_equal(st_object_set(physics_find(test, "/mouse/ray"), "directions", "0 1 0"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(st_scene_contacts(test->scene, NULL, 0), 0);
    physics_free(test);
    physics_free(alone);

    // no other response takes rays, and this one takes nothing else
    test =
        detection_load(DISCRETE,
                       "<Node name='mouse'><MechanicalObject position='-3 0 0'/><RayCollisionModel directions='1 0 0' "
                       "defaultLength='9' contactResponse='FrictionContactConstraint'/></Node>" SPHERE("Vec3", "0 0 0"),
                       true);
    assert_non_null(strstr(test->log, "no response 'FrictionContactConstraint' for RayCollisionModel"));
    physics_free(test);
    test = detection_load(DISCRETE,
                          SPHERE("Vec3", "0 0 0") "<Node name='other'><MechanicalObject position='1 0 0'/>"
                                                  "<SphereCollisionModel contactResponse='RayContact'/></Node>",
                          true);
    assert_non_null(strstr(test->log, "no response 'RayContact'"));
    physics_free(test);
}

static void wrong_rays_and_useless_models(void **state) {
    (void)state;
    physics_scene *test = detection_load(DISCRETE, RAY("0 0 0", "1 0 0", "-1") SPHERE("Vec3", "0 0 0"), true);
    assert_non_null(strstr(test->log, "defaultLength is -1"));
    physics_free(test);

    nothing(NEW, RAY("0 0 0", "nan 0 0", "2") SPHERE("Vec3", "0 0 0"));
    nothing(NEW, RAY("nan 0 0", "1 0 0", "2") SPHERE("Rigid3", "0 0 0 0 0 0 1"));
    nothing(NEW, RAY("0 1 0", "0 -1 0", "2") "<Node name='body'><MeshTopology position='0 0 0 0 0 0 0 0 0' "
                                             "triangles='0 1 2'/><MechanicalObject/><TriangleCollisionModel/></Node>");
    nothing(LMD, "<CubeCollisionModel/><Node><MechanicalObject/><CubeCollisionModel/></Node>" SPHERE("Vec3", "0 0 0"));

    test =
        physics_load("<MechanicalObject/><MouseInteractor name='m'/><Node name='n'><MouseInteractor name='m'/></Node>"
                     "<TreeCollisionGroupManager/><SolverMerger/>");
    assert_true(st_is_valid(physics_find(test, "/m")));
    assert_non_null(strstr(test->log, "no mechanical state of type Vec3 in its node"));
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(triangles),
        cmocka_unit_test(bodies_with_an_inside),
        cmocka_unit_test(others_are_ignored),
        cmocka_unit_test(contacts_of_rays_are_there_to_be_read),
        cmocka_unit_test(wrong_rays_and_useless_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
