// Scenes whose contacts are looked at: two models, a method, one step; what the narrow phase found.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_DETECTION_SCENE_H
#define SETTEE_TESTS_DETECTION_SCENE_H

#include "physics_scene.h"

#include "collision/collision.h"
#include "math/vec3.h"

#define DETECTION_PIPELINE                                                                                             \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase name='narrow'/>"                                       \
    "<CollisionResponse response='PenalityContactForceField'/>"

// With the method and the models as text.
static inline physics_scene *detection_load(const char *method, const char *models, bool no_compat) {
    const size_t size = strlen(method) + strlen(models) + sizeof DETECTION_PIPELINE;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s%s", DETECTION_PIPELINE, method, models);
    physics_scene *test = physics_load_with(text, no_compat);
    free(text);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    return test;
}

// All that was found between the first pair of models in contact; NULL: nothing.
static inline const st_model_detections *detection_pair(physics_scene *test) {
    const st_narrow_phase *narrow = (const st_narrow_phase *)physics_find(test, "/narrow");
    return narrow->outputs.count ? narrow->outputs.data[0] : NULL;
}

static inline size_t detection_count(physics_scene *test) {
    const st_narrow_phase *narrow = (const st_narrow_phase *)physics_find(test, "/narrow");
    size_t count = 0;
    for (size_t i = 0; i < narrow->outputs.count; i++) count += narrow->outputs.data[i]->found.list.count;
    return count;
}

static inline const st_detection *detection_at(physics_scene *test, size_t i) {
    const st_model_detections *pair = detection_pair(test);
    if (!pair || i >= pair->found.list.count) print_message("nothing was found\n%s", test->log);
    assert_true(pair && i < pair->found.list.count);
    return &pair->found.list.data[i];
}

static inline void assert_detection(const st_detection *d, const st_real p[3], const st_real q[3], const st_real n[3],
                                    st_real value, st_real tolerance) {
    assert_reals(d->point[0], 3, p, tolerance);
    assert_reals(d->point[1], 3, q, tolerance);
    assert_reals(d->normal, 3, n, tolerance);
    assert_near(d->value, value, tolerance);
}

#endif
