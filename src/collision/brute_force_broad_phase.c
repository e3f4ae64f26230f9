// BruteForceBroadPhase: every model against every earlier one, by the boxes at the roots of their trees. And
// ParallelBruteForceBroadPhase, which differs in the order: models against themselves come first.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"

typedef struct brute_force {
    st_broad_phase base;
    st_reals box; // two points; empty, or without extent: everywhere
    st_collision_models kept;
    bool selves_first; // pairs of a model with itself come before all others
} brute_force;

static const st_field fields[] = {
    ST_FIELD(brute_force, box, "box", st_type_vec3s, NULL, "two corners of a box: models outside of it are ignored"),
    ST_FIELDS_END,
};

static const st_box *root_box(const st_collision_model *model) { return &model->tree.cells.data[0].box; }

static bool is_near(const st_intersection *method, const st_collision_model *a, const st_collision_model *b) {
    return a == b || st_boxes_near(root_box(a), root_box(b), st_alarm_of(method, a, b));
}

static bool is_inside(const brute_force *self, const st_intersection *method, const st_collision_model *model) {
    if (self->box.count < 2 || !(self->box.data[0] < self->box.data[3])) return true;

    st_box box;
    st_copy_reals(box.min, self->box.data, 3);
    st_copy_reals(box.max, self->box.data + 3, 3);
    return st_boxes_near(root_box(model), &box, method->alarm + model->contact_distance);
}

static bool brute_force_broad_phase_add(brute_force *self, const st_intersection *method, st_collision_model *later,
                                        st_collision_model *earlier) {
    if (!later->simulated && !earlier->simulated) return true;
    if (!st_models_can_collide(later, earlier) || !is_near(method, later, earlier)) return true;

    return st_list_push(&self->base.pairs, ((st_model_pair){later, earlier}));
}

static st_status brute_force_broad_phase_find(st_broad_phase *phase, st_intersection *method,
                                              const st_collision_models *models) {
    brute_force *self = (brute_force *)phase;
    bool ok = true;
    phase->pairs.count = self->kept.count = 0;

    // models with themselves, where these come first
    for (size_t i = 0; ok && self->selves_first && i < models->count; i++) {
        st_collision_model *model = models->data[i];
        if (model->count && is_inside(self, method, model))
            ok = brute_force_broad_phase_add(self, method, model, model);
    }

    // each against those before it
    for (size_t i = 0; ok && i < models->count; i++) {
        st_collision_model *model = models->data[i];
        if (!model->count || !is_inside(self, method, model)) continue;
        if (!self->selves_first) ok = brute_force_broad_phase_add(self, method, model, model);
        for (size_t k = 0; ok && k < self->kept.count; k++)
            ok = brute_force_broad_phase_add(self, method, model, self->kept.data[k]);

        ok = ok && st_list_push(&self->kept, model);
    }

    if (ok) return ST_OK;
    st_message(&phase->object, ST_ERROR, "out of memory: %zu pairs of models", phase->pairs.count);
    return ST_OUT_OF_MEMORY;
}

static void brute_force_broad_phase_destroy(st_object *object) {
    st_list_free(&((brute_force *)object)->kept);
    st_list_free(&((st_broad_phase *)object)->pairs);
}

static const st_broad_phase_ops ops = {brute_force_broad_phase_find};

const st_class st_broad_phase_class = {
    .name = "BroadPhase",
    .help = "what every broad phase has",
    .parent = &st_object_class,
    .size = sizeof(st_broad_phase),
    .flags = ST_CLASS_ABSTRACT,
};

const st_class st_brute_force_broad_phase_class = {
    .name = "BruteForceBroadPhase",
    .help = "finds the pairs of models whose boxes are near",
    .parent = &st_broad_phase_class,
    .fields = fields,
    .size = sizeof(brute_force),
    .destroy = brute_force_broad_phase_destroy,
    .broad_phase = &ops,
};

static st_status parallel_brute_force_construct(st_object *object) {
    ((brute_force *)object)->selves_first = true;
    return ST_OK;
}

const st_class st_parallel_brute_force_broad_phase_class = {
    .name = "ParallelBruteForceBroadPhase",
    .help = "finds the pairs of models whose boxes are near; models with themselves first",
    .parent = &st_brute_force_broad_phase_class,
    .size = sizeof(brute_force),
    .construct = parallel_brute_force_construct,
};
