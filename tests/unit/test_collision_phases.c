// Other ways to find contacts: sweep and prune against trees, rays, points in tetrahedra; former names; and a component
// that listens.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "collision/collision.h"
#include "math/real.h"
#include "scene/scene.h"

#define BODY(name, where, mesh)                                                                                        \
    "<Node name='" name                                                                                                \
    "'><EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-9' threshold='1e-9'/>" mesh                 \
    "<MechanicalObject name='dofs' translation='" where "'/><UniformMass totalMass='1'/>"
#define GRID "<RegularGridTopology n='4 4 4' min='0 0 0' max='1 1 1'/>"
#define PUSH(force) "<ConstantForceField totalForce='" force "'/>"
#define MODELS(more)                                                                                                   \
    "<TriangleCollisionModel " more "/><LineCollisionModel " more "/><PointCollisionModel " more "/></Node>"

static size_t detections(physics_scene *test, st_detection *out, size_t most) {
    const st_narrow_phase *phase = (const st_narrow_phase *)st_find(test->scene->root, ST_ROLE(narrow_phase), ST_DOWN);
    size_t count = 0;
    for (size_t i = 0; i < phase->outputs.count; i++)
        for (size_t k = 0; k < phase->outputs.data[i]->found.list.count && count < most; k++)
            out[count++] = phase->outputs.data[i]->found.list.data[k];
    return count;
}

static int compare(const void *a, const void *b) {
    const st_detection *x = a, *y = b;
    for (int side = 0; side < 2; side++)
        if (x->element[side] != y->element[side]) return x->element[side] < y->element[side] ? -1 : 1;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    for (int k = 0; k < 6; k++) {
        const st_real p = x->point[k / 3][k % 3], q = y->point[k / 3][k % 3];
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

enum { MOST = 20000 };
static st_detection one[MOST], two[MOST];

// The same contacts as by trees, in another order: bodies that overlap, one with itself, as they are first and after they
// have moved among each other.
static size_t contacts_after(const char *phases, int steps, st_detection *out) {
    char text[8192];
    snprintf(text, sizeof text,
             "<CollisionPipeline/>%s<MinProximityIntersection alarmDistance='0.15' contactDistance='0.1'/>"
             "<CollisionResponse response='nullptr'/>" BODY("a", "0 0 0", GRID) MODELS("")
                 BODY("b", "0.93 0.3 0.2", GRID) PUSH("-5 3 0") MODELS("") BODY("c", "0.4 1.05 -0.6", GRID)
                     PUSH("0 -9 4") MODELS("selfCollision='1'") "<Node name='wall'><MechanicalObject position='0.5 0.5 "
                                                                "1.1'/><PointCollisionModel simulated='0'/></Node>",
             phases);

    physics_scene *test = physics_load(text);
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    const size_t count = detections(test, out, MOST);
    qsort(out, count, sizeof *out, compare);
    physics_free(test);
    return count;
}

static void sweeps_find_what_trees_find(void **state) {
    (void)state;
    static const char *const phases[] = {"<BruteForceBroadPhase/><DirectSAPNarrowPhase name='sap'/>", "<IncrSAP/>"};
    for (int steps = 1; steps <= 16; steps += 5) {
        const size_t count = contacts_after("<BruteForceBroadPhase/><BVHNarrowPhase/>", steps, one);
        assert_true(count > 100 && count < MOST);

        for (int p = 0; p < 2; p++) {
            assert_int_equal(contacts_after(phases[p], steps, two), count);
            for (size_t i = 0; i < count; i++) assert_int_equal(compare(&one[i], &two[i]), 0);
        }
    }
}

static void former_names_add_both_phases(void **state) {
    (void)state;
    static const char *const names[][2] = {{"BruteForceDetection", "BVHNarrowPhase"},
                                           {"DirectSAP", "DirectSAPNarrowPhase"},
                                           {"RayTraceDetection", "RayTraceNarrowPhase"}};
    for (int k = 0; k < 3; k++) {
        char text[256];
        snprintf(text, sizeof text, "<CollisionPipeline/><%s/>", names[k][0]);
        physics_scene *test = physics_load(text);
        const st_object *phase = st_find(test->scene->root, ST_ROLE(narrow_phase), ST_DOWN);
        assert_non_null(phase);
        assert_string_equal(phase->type->name, names[k][1]);
        assert_non_null(st_find(test->scene->root, ST_ROLE(broad_phase), ST_DOWN));
        assert_non_null(strstr(test->log, names[k][1])); // the message says what to write
        physics_free(test);
    }
}

#define CUBE                                                                                                           \
    "<MeshTopology position='0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1' "                                 \
    "triangles='0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  3 7 6  3 6 2  0 4 7  0 7 3  1 2 6  1 6 5'/>"

// The lower corners of a cube inside of another one: rays go back along their normals to the face above.
static void rays_find_what_is_inside(void **state) {
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "<CollisionPipeline/><BruteForceBroadPhase/><RayTraceNarrowPhase/>"
                 "<NewProximityIntersection alarmDistance='0.5' contactDistance='0.1'/>"
                 "<CollisionResponse response='nullptr'/>" BODY(
                     "a", "0 0 0",
                     CUBE) "<TriangleOctreeCollisionModel/></Node>" BODY("b", "0.3 %s 0.35",
                                                                         CUBE) "<TriangleOctreeCollisionModel/></Node>",
                 apart ? "1.2" : "0.8");
        physics_scene *test = physics_load(text);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        const size_t count = detections(test, one, MOST);
        assert_int_equal(count > 0, !apart);
        for (size_t i = 0; i < count; i++) {
            st_real way[3];
            assert_true(one[i].value < 0);
            for (int k = 0; k < 3; k++) way[k] = one[i].point[1][k] - one[i].point[0][k];
            for (int k = 0; k < 3; k++) assert_near(way[k], one[i].value * one[i].normal[k], ST_R(1e-6));
        }
        physics_free(test);
    }
}

// A point with a normal inside of a tetrahedron leaves through the face against its normal.
static void points_in_tetrahedra(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><DiscreteIntersection/>"
        "<CollisionResponse response='nullptr'/>"
        "<Node name='a'><MeshTopology position='0 0 0  1 0 0  0 1 0  0 0 1' tetrahedra='0 1 2 3'/><MechanicalObject/>"
        "<TetrahedronCollisionModel simulated='0'/></Node>"
        "<Node name='b'><EulerImplicitSolver/><CGLinearSolver iterations='9' tolerance='1e-9' threshold='1e-9'/>"
        "<MeshTopology position='0.2 0.2 0.1  0.2 3 0.1  3 0.2 0.1' triangles='0 2 1'/><MechanicalObject/>"
        "<UniformMass totalMass='1'/><PointCollisionModel computeNormals='1'/></Node>");
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(detections(test, one, MOST), 1);
    assert_near(one[0].value, ST_R(-0.1), ST_R(1e-6)); // down to z = 0
    assert_near(one[0].normal[2], -1, ST_R(1e-6));
    assert_near(one[0].point[0][2], 0, ST_R(1e-6));
    physics_free(test);
}

static void read_field(st_object *object, const char *field, char text[256]) {
    char *value = st_object_get(object, field, 6);
    assert_non_null(value);
    snprintf(text, 256, "%s", value);
    st_string_free(value);
}

static void listeners(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
        "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.1'/><CollisionResponse response='nullptr'/>"
        "<Node name='a'><MechanicalObject position='0 0 0'/><PointCollisionModel name='m' simulated='0'/></Node>"
        "<Node name='b'><MechanicalObject name='dofs' position='0.2 0 0  0 0.25 0'/><PointCollisionModel "
        "name='m'/></Node>"
        "<ContactListener name='both' collisionModel1='@a/m' collisionModel2='@b/m'/>"
        "<ContactListener name='other' collisionModel1='@b/m'/><ContactListener name='none'/>");
    assert_non_null(strstr(test->log, "it hears nothing"));
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    char text[256];
    static const char *const names[] = {"/both", "/other"};
    for (int k = 0; k < 2; k++) {
        st_object *listener = physics_find(test, names[k]);
        read_field(listener, "numberOfContacts", text);
        assert_string_equal(text, "2");
        read_field(listener, "normals", text);
        double n[3];
        assert_int_equal(sscanf(text, "%lf %lf %lf", n, n + 1, n + 2), 3);
        assert_near((st_real)n[0], k ? -1 : 1, ST_R(1e-5)); // from the first model that is named
        read_field(listener, "distances", text);
        assert_int_equal(sscanf(text, "%lf %lf", n, n + 1), 2);
        assert_near((st_real)n[0], ST_R(0.1), ST_R(1e-5));
    }
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    read_field(physics_find(test, "/both"), "numberOfContacts", text);
    assert_string_equal(text, "0");
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_find_what_trees_find),
        cmocka_unit_test(former_names_add_both_phases),
        cmocka_unit_test(rays_find_what_is_inside),
        cmocka_unit_test(points_in_tetrahedra),
        cmocka_unit_test(listeners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
