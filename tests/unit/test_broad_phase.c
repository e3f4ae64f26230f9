// The broad phase finds what all against all finds, in the same order, with n log n tests of boxes.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "base/text.h"
#include "collision/collision.h"
#include "scene/scene.h"

static uint32_t seed;

static double random_number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

// Spheres at random places: obstacles, groups, skins, self-collision, two models in a node; a floor that is near all.
static physics_scene *random_scene(size_t count, double side, const char *phase) {
    st_text text = {0};
    st_text_appendf(&text,
                    "<CollisionPipeline/><%s name='broad'/><BVHNarrowPhase/><CollisionResponse response='nullptr'/>"
                    "<MinProximityIntersection alarmDistance='0.05' contactDistance='0.02'/>",
                    phase);
    for (size_t i = 0; i < count; i++) {
        const bool obstacle = random_number() < 0.2, grouped = random_number() < 0.2, twice = random_number() < 0.2;
        st_text_appendf(&text, "<Node name='n%zu'><MechanicalObject name='s' position='", i);
        for (int k = 0; k < 6; k++) st_text_appendf(&text, "%g ", random_number() * (k < 3 ? side : 0.5));
        st_text_appendf(&text, "'/>");
        for (int m = 0; m < 1 + twice; m++)
            st_text_appendf(&text,
                            "<SphereCollisionModel radius='%g' contactDistance='%g' simulated='%d' group='%s' "
                            "selfCollision='%d'/>",
                            0.05 + 0.2 * random_number(), random_number() < 0.1 ? 0.3 : 0.0, !obstacle,
                            grouped ? "1" : "", random_number() < 0.3);
        st_text_appendf(&text, "</Node>");
        if (i == count / 2)
            st_text_appendf(&text, "<Node name='floor'><MeshTopology position='-99 0 -99  99 0 -99  0 0.1 99' "
                                   "triangles='0 1 2'/><MechanicalObject/><TriangleCollisionModel simulated='0'/>"
                                   "</Node>");
    }
    physics_scene *test = physics_load(text.data);
    st_text_free(&text);
    return test;
}

static st_broad_phase *broad_phase(physics_scene *test) { return (st_broad_phase *)physics_find(test, "/broad"); }

static void collect_models(st_node *node, st_collision_models *models) {
    for (size_t i = 0; i < node->objects.count; i++)
        if (st_has_role(node->objects.data[i], ST_ROLE(collision_model)))
            assert_true(st_list_push(models, (st_collision_model *)node->objects.data[i]));
    for (size_t i = 0; i < node->children.count; i++) collect_models(node->children.data[i], models);
}

// The rule of the specification: each model with itself, then with every earlier one; boxes nearer than the alarm.
static bool is_pair(const st_intersection *method, const st_collision_model *a, const st_collision_model *b) {
    if ((!a->simulated && !b->simulated) || !st_models_can_collide(a, b)) return false;
    return a == b || st_boxes_near(&a->tree.cells.data[0].box, &b->tree.cells.data[0].box, st_alarm_of(method, a, b));
}

static void assert_all_against_all(physics_scene *test, bool selves_first) {
    const st_broad_phase *phase = broad_phase(test);
    const st_intersection *method = (const st_intersection *)st_find(test->scene->root, ST_ROLE(intersection), ST_DOWN);
    st_collision_models models = {0};
    collect_models(test->scene->root, &models);
    st_model_pairs expected = {0};

    // pairs by the rule
    for (size_t i = 0; selves_first && i < models.count; i++)
        if (is_pair(method, models.data[i], models.data[i]))
            assert_true(st_list_push(&expected, ((st_model_pair){models.data[i], models.data[i]})));
    for (size_t i = 0; i < models.count; i++) {
        if (!selves_first && is_pair(method, models.data[i], models.data[i]))
            assert_true(st_list_push(&expected, ((st_model_pair){models.data[i], models.data[i]})));
        for (size_t k = 0; k < i; k++)
            if (is_pair(method, models.data[i], models.data[k]))
                assert_true(st_list_push(&expected, ((st_model_pair){models.data[i], models.data[k]})));
    }

    assert_true(expected.count > models.count / 4);
    assert_int_equal(phase->pairs.count, expected.count);
    for (size_t i = 0; i < expected.count; i++) {
        assert_ptr_equal(phase->pairs.data[i].first, expected.data[i].first);
        assert_ptr_equal(phase->pairs.data[i].second, expected.data[i].second);
    }
    st_list_free(&expected);
    st_list_free(&models);
}

static void move_all(physics_scene *test, size_t count, double side) {
    for (size_t i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, "/n%zu/s", i);
        st_state *s = (st_state *)physics_find(test, path);
        for (int k = 0; k < 3; k++) {
            const st_real by = (st_real)((random_number() - 0.5) * side);
            s->coord[ST_COORD_POSITION].data[k] += by;
            s->coord[ST_COORD_POSITION].data[3 + k] += by;
        }
    }
}

// Also when models have moved far, when some sleep, and when one is no number.
static void random_scenes_have_the_pairs_of_all_against_all(void **state) {
    (void)state;
    for (seed = 1; seed < 30; seed++) {
        const uint32_t start = seed;
        const size_t count = 5 + 7 * (size_t)seed;
        const bool parallel = seed % 3 == 0;
        physics_scene *test =
            random_scene(count, 2.0 + seed % 5, parallel ? "ParallelBruteForceBroadPhase" : "BruteForceBroadPhase");
        for (int step = 0; step < 5; step++) {
            assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
            assert_all_against_all(test, parallel);
            move_all(test, count, step % 2 ? 0.3 : 3);
        }

        // a skin that is no number: everything is near
        st_collision_models models = {0};
        collect_models(test->scene->root, &models);
        models.data[1]->contact_distance = (st_real)NAN;
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_all_against_all(test, parallel);
        st_list_free(&models);
        physics_free(test);
        seed = start;
    }
}

// One sphere for each place of a cube of separate ones.
static double tests_per_model(int side) {
    st_text text = {0};
    st_text_appendf(&text, "<CollisionPipeline/><BruteForceBroadPhase name='broad'/><BVHNarrowPhase/>"
                           "<CollisionResponse response='nullptr'/><MinProximityIntersection alarmDistance='0.05' "
                           "contactDistance='0.02'/>");
    for (int i = 0; i < side * side * side; i++)
        st_text_appendf(&text,
                        "<Node name='n%d'><MechanicalObject name='s' position='%d %d %d'/>"
                        "<SphereCollisionModel radius='0.3'/></Node>",
                        i, i % side, i / side % side, i / side / side);
    physics_scene *test = physics_load(text.data);
    st_text_free(&text);

    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(broad_phase(test)->pairs.count, 0);
    const double tests = (double)broad_phase(test)->box_tests / (side * side * side);
    physics_free(test);
    return tests;
}

// log2 n goes from 9 to 12: work for each model grows by at most as much, and is far below n / 2.
static void separate_models_cost_n_log_n(void **state) {
    (void)state;
    const double small = tests_per_model(8), large = tests_per_model(16);
    assert_true(small > 1 && small < 9 * 8);
    assert_true(large < small * 12 / 9 * 1.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes_have_the_pairs_of_all_against_all),
                                       cmocka_unit_test(separate_models_cost_n_log_n)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
