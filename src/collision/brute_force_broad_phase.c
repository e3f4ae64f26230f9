// BruteForceBroadPhase: every model against every earlier one, by the boxes at the roots of their trees. And
// ParallelBruteForceBroadPhase, which differs in the order: models against themselves come first.
//
// The pairs and their order are those of all against all. Where there are more than a few models, those that cannot be
// near are left out by a tree over their boxes:
//
//     1. models that take part, in order: their numbers
//     2. the tree is built over their boxes, or its boxes follow; it is built again when models come or go, and when it
//        has become so loose that searches take twice the work
//     3. for each model the earlier ones that the tree finds, in the order of their numbers; each is tested as without it
//
// What is near a box of two models is near the box around both, with the largest skin of all: nothing is missed. n
// separate models thereby cost n log n tests of boxes.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/collision.h"
#include "math/real.h"

enum { FEW = 24 };     // models that are tested without a tree
enum { DEEPEST = 40 }; // levels of a tree: more than numbers of models have bits

typedef struct brute_force {
    st_broad_phase base;
    st_reals box; // two points; empty, or without extent: everywhere
    st_collision_models kept;
    bool selves_first; // pairs of a model with itself come before all others
    // the tree
    st_bounding_tree tree;
    st_collision_models members; // of which it was built
    st_real skin;                // the largest of them
    size_t built_tests;          // box tests of the first search; 0: none yet
    st_uints found;              // by one search
} brute_force;

static const st_field fields[] = {
    ST_FIELD(brute_force, box, "box", st_type_vec3s, NULL, "two corners of a box: models outside of it are ignored"),
    ST_FIELDS_END,
};

static const st_box *root_box(const st_collision_model *model) { return &model->tree.cells.data[0].box; }

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
    if (!st_models_can_collide(later, earlier)) return true;

    if (later != earlier) {
        self->base.box_tests++;
        if (!st_boxes_near(root_box(later), root_box(earlier), st_alarm_of(method, later, earlier))) return true;
    }
    return st_list_push(&self->base.pairs, ((st_model_pair){later, earlier}));
}

// ---------------------------------------------------------------------------------------------------
// The tree over all models
// ---------------------------------------------------------------------------------------------------

static void boxes_of_models(const void *context, const uint32_t *elements, size_t count, st_box *boxes) {
    const brute_force *self = context;
    for (size_t i = 0; i < count; i++) boxes[i] = *root_box(self->kept.data[elements ? elements[i] : i]);
}

static bool has_same_members(const brute_force *self) {
    return self->tree.built && self->members.count == self->kept.count &&
           memcmp(self->members.data, self->kept.data, self->kept.count * sizeof *self->kept.data) == 0;
}

static bool update_tree(brute_force *self) {
    const size_t count = self->kept.count;
    self->skin = 0;
    for (size_t i = 0; i < count; i++)
        if (self->kept.data[i]->contact_distance > self->skin) self->skin = self->kept.data[i]->contact_distance;

    if (has_same_members(self)) {
        st_bounding_tree_refresh(&self->tree, boxes_of_models, self);
        return true;
    }

    // levels down to a few models in each cell
    size_t depth = 0;
    while (count >> depth > 1) depth++;
    self->built_tests = 0;
    self->tree.ties = ST_TIES_KEPT;
    if (!st_list_set_count(&self->members, count, 1) || !st_list_reserve(&self->found, count, 1) ||
        !st_bounding_tree_build(&self->tree, count, depth, boxes_of_models, self))
        return false;

    memcpy(self->members.data, self->kept.data, count * sizeof *self->kept.data);
    return true;
}

// Numbers of models before `number` that may be near it.
static void find_earlier(brute_force *self, const st_intersection *method, uint32_t number) {
    const st_collision_model *model = self->kept.data[number];
    const st_box *box = root_box(model);
    const st_real alarm = method->alarm + model->contact_distance + self->skin;
    uint32_t stack[DEEPEST];
    size_t waiting = 1;
    stack[0] = 0;
    self->found.count = 0;

    // a cell at a time; of the two cells below one at most one more waits on each level
    while (waiting > 0) {
        const st_tree_cell *cell = &self->tree.cells.data[stack[--waiting]];
        self->base.box_tests++;
        if (!st_boxes_near(&cell->box, box, alarm)) continue;

        for (uint32_t i = cell->below.first; i < cell->below.end; i++) {
            if (!cell->below.leaves) stack[waiting++] = i;
            else if (self->tree.elements.data[i] < number)
                self->found.data[self->found.count++] = self->tree.elements.data[i];
        }
    }
}

static void swap_numbers(uint32_t *a, uint32_t *b) {
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

// A heap, in place: qsort may allocate.
static void sort_numbers(uint32_t *numbers, size_t count) {
    for (size_t begin = count / 2, end = count; end > 1;) {
        if (begin > 0) begin--;                          // one more subtree becomes a heap
        else swap_numbers(&numbers[0], &numbers[--end]); // the largest goes to its place

        for (size_t at = begin, below = 2 * at + 1; below < end; at = below, below = 2 * at + 1) {
            if (below + 1 < end && numbers[below + 1] > numbers[below]) below++;
            if (numbers[at] >= numbers[below]) break;
            swap_numbers(&numbers[at], &numbers[below]);
        }
    }
}

static bool search_tree(brute_force *self, const st_intersection *method, uint32_t number) {
    st_collision_model *model = self->kept.data[number];
    find_earlier(self, method, number);
    sort_numbers(self->found.data, self->found.count);

    bool ok = true;
    for (size_t k = 0; ok && k < self->found.count; k++)
        ok = brute_force_broad_phase_add(self, method, model, self->kept.data[self->found.data[k]]);
    return ok;
}

// Skins that are no numbers make everything near: no tree can say so.
static bool wants_tree(const brute_force *self, const st_intersection *method) {
    if (self->kept.count <= FEW || self->kept.count > UINT32_MAX / 2) return false;

    st_real sum = method->alarm;
    for (size_t i = 0; i < self->kept.count; i++) sum += self->kept.data[i]->contact_distance;
    return isfinite(sum);
}

// ---------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------

static bool find_kept(brute_force *self, const st_intersection *method, const st_collision_models *models) {
    bool ok = true;
    self->kept.count = 0;
    for (size_t i = 0; ok && i < models->count; i++)
        if (models->data[i]->count && is_inside(self, method, models->data[i]))
            ok = st_list_push(&self->kept, models->data[i]);
    return ok;
}

static st_status brute_force_broad_phase_find(st_broad_phase *phase, st_intersection *method,
                                              const st_collision_models *models) {
    brute_force *self = (brute_force *)phase;
    phase->pairs.count = phase->box_tests = 0;
    bool ok = find_kept(self, method, models);
    const bool tree = wants_tree(self, method);
    ok = ok && (!tree || update_tree(self));

    // models with themselves, where these come first
    for (size_t i = 0; ok && self->selves_first && i < self->kept.count; i++)
        ok = brute_force_broad_phase_add(self, method, self->kept.data[i], self->kept.data[i]);

    // each against those before it
    for (size_t i = 0; ok && i < self->kept.count; i++) {
        st_collision_model *model = self->kept.data[i];
        if (!self->selves_first) ok = brute_force_broad_phase_add(self, method, model, model);
        if (tree) ok = ok && search_tree(self, method, (uint32_t)i);
        for (size_t k = 0; ok && !tree && k < i; k++)
            ok = brute_force_broad_phase_add(self, method, model, self->kept.data[k]);
    }

    // models have moved among each other: a new tree for the next time
    if (self->built_tests == 0) self->built_tests = phase->box_tests;
    if (tree && phase->box_tests > 2 * self->built_tests) self->tree.built = false;

    if (ok) return ST_OK;
    self->tree.built = false;
    st_message(&phase->object, ST_ERROR, "out of memory: %zu pairs of models", phase->pairs.count);
    return ST_OUT_OF_MEMORY;
}

static void brute_force_broad_phase_destroy(st_object *object) {
    brute_force *self = (brute_force *)object;
    st_bounding_tree_free(&self->tree);
    st_list_free(&self->members);
    st_list_free(&self->found);
    st_list_free(&self->kept);
    st_list_free(&self->base.pairs);
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
