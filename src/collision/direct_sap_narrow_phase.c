// DirectSAPNarrowPhase: sweep and prune over the boxes of all elements at once, without trees.
//
//     1. the models of the pairs that the broad phase found, each once; the boxes of all their elements
//     2. the axis along which the boxes differ most
//     3. ends of the boxes, with half of the alarm distance more, sorted along it
//     4. a sweep: a box that begins is tested against those that are open
//
// And the components of SOFA that were broad and narrow phase in one, which add the two to their node.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "collision/detection_map.h"
#include "math/real.h"

typedef struct sap_box {
    uint32_t model;   // in the list of models
    uint32_t leaf;    // of its tree
    size_t open_next; // open boxes form a chain in the order in which they began
    size_t open_before;
} sap_box;

typedef struct sap_end {
    st_real value;
    uint32_t box;
    bool last; // the box ends here
} sap_end;

typedef struct sap {
    st_narrow_phase base;
    bool show_investigated;
    uint32_t pair_count;
    st_collision_models models;
    ST_LIST(sap_box) boxes;
    ST_LIST(sap_end) ends;
    ST_LIST(st_detection_entry *) entries; // of two models, models.count × models.count; NULL: they do not touch
} sap;

static const st_field fields[] = {
    ST_FIELD(sap, show_investigated, "showOnlyInvestigatedBoxes", st_type_bool, "1", "draw the boxes that are tested",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(sap, pair_count, "nbPairs", st_type_uint, "0", "pairs of elements whose boxes are near",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------

static bool add_model(sap *self, st_collision_model *model) {
    for (size_t i = 0; i < self->models.count; i++)
        if (self->models.data[i] == model) return true;
    return st_list_push(&self->models, model);
}

static const st_box *box_at(const sap *self, size_t i) {
    const sap_box *box = &self->boxes.data[i];
    return &self->models.data[box->model]->tree.leaves.data[box->leaf];
}

static bool gather_boxes(sap *self, const st_model_pairs *pairs) {
    bool ok = true;
    self->models.count = self->boxes.count = 0;
    for (size_t i = 0; ok && i < pairs->count; i++)
        ok = add_model(self, pairs->data[i].first) && add_model(self, pairs->data[i].second);

    for (size_t m = 0; ok && m < self->models.count; m++) {
        if (st_bounding_tree_want(&self->models.data[m]->tree, NULL, 0)) st_collision_model_fill(self->models.data[m]);
        for (size_t k = 0; ok && k < self->models.data[m]->tree.leaves.count; k++)
            ok = st_list_push(&self->boxes, ((sap_box){.model = (uint32_t)m, .leaf = (uint32_t)k}));
    }
    return ok;
}

// Of the greatest variance of the ends of the boxes.
static int widest_axis(const sap *self) {
    int best = 0;
    st_real largest = -1;

    // E[x²] − E[x]² of the ends
    for (int axis = 0; axis < 3; axis++) {
        st_real sum = 0, squares = 0;
        const st_real count = (st_real)(2 * self->boxes.count);
        for (size_t i = 0; i < self->boxes.count; i++) {
            const st_box *box = box_at(self, i);
            sum += box->min[axis] + box->max[axis];
            squares += box->min[axis] * box->min[axis] + box->max[axis] * box->max[axis];
        }

        const st_real variance = squares / count - sum / count * (sum / count);
        if (!(variance > largest)) continue;

        best = axis;
        largest = variance;
    }
    return best;
}

static int compare_ends(const void *a, const void *b) {
    const sap_end *one = a, *two = b;
    if (one->value != two->value) return one->value < two->value ? -1 : 1;
    if (one->box != two->box) return one->box < two->box ? -1 : 1;
    return one->last - two->last;
}

// Boxes with places that are no numbers are ignored: they would have no order. So are those that a negative alarm distance
// makes smaller than nothing: they would end before they begin.
static bool sort_ends(sap *self, st_real alarm) {
    const int axis = widest_axis(self);
    self->ends.count = 0;
    if (!st_list_reserve(&self->ends, 2 * self->boxes.count, 1)) return false;

    for (size_t i = 0; i < self->boxes.count; i++) {
        const st_box *box = box_at(self, i);
        const st_real begin = box->min[axis] - alarm / 2, end = box->max[axis] + alarm / 2;
        if (!(begin <= end)) continue;
        self->ends.data[self->ends.count++] = (sap_end){begin, (uint32_t)i, false};
        self->ends.data[self->ends.count++] = (sap_end){end, (uint32_t)i, true};
    }

    if (self->ends.count) qsort(self->ends.data, self->ends.count, sizeof *self->ends.data, compare_ends);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Sweep
// ---------------------------------------------------------------------------------------------------

static bool is_within(const st_box *a, const st_box *b, st_real distance) {
    st_real sum = 0;
    for (int k = 0; k < 3; k++) {
        const st_real gap = a->min[k] > b->max[k] ? a->min[k] - b->max[k] : b->min[k] - a->max[k];
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum <= distance * distance;
}

// Tests two boxes that are near, in the order of their models' pair.
static void test_boxes(sap *self, const st_intersection *method, size_t fresh, size_t open) {
    const sap_box *first = &self->boxes.data[fresh], *second = &self->boxes.data[open];
    const size_t count = self->models.count;
    st_detection_entry *entry = self->entries.data[first->model * count + second->model];

    if (!entry) {
        entry = self->entries.data[second->model * count + first->model];
        first = second;
        second = &self->boxes.data[fresh];
    }
    if (!entry || entry->output.found.full || entry->output.found.failed) return;

    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    uint32_t i = a->tree.elements.data[first->leaf], j = b->tree.elements.data[second->leaf];

    // of one model the smaller element first
    if (a == b && i > j) {
        const uint32_t larger = i;
        i = j;
        j = larger;
    }

    self->pair_count++;
    if (a->object.node != b->object.node || st_elements_may_touch(a, i, b, j))
        entry->test(method, a, i, b, j, &entry->output.found);
}

static st_real alarm_between(const sap *self, const st_intersection *method, size_t one, size_t two) {
    return st_alarm_of(method, self->models.data[self->boxes.data[one].model],
                       self->models.data[self->boxes.data[two].model]);
}

static void sweep(sap *self, const st_intersection *method) {
    const size_t none = self->boxes.count; // the end of the chain
    size_t first = none, last = none;
    for (size_t e = 0; e < self->ends.count; e++) {
        const size_t at = self->ends.data[e].box;
        sap_box *box = &self->boxes.data[at];

        // a box that ends leaves the chain
        if (self->ends.data[e].last) {
            if (box->open_before == none) first = box->open_next;
            else self->boxes.data[box->open_before].open_next = box->open_next;
            if (box->open_next == none) last = box->open_before;
            else self->boxes.data[box->open_next].open_before = box->open_before;
            continue;
        }

        // one that begins is tested against those in it, and becomes its last
        for (size_t open = first; open != none; open = self->boxes.data[open].open_next)
            if (is_within(box_at(self, at), box_at(self, open), alarm_between(self, method, at, open)))
                test_boxes(self, method, at, open);
        box->open_before = last;
        box->open_next = none;
        if (last == none) first = at;
        else self->boxes.data[last].open_next = at;
        last = at;
    }
}

// ---------------------------------------------------------------------------------------------------
// Phase
// ---------------------------------------------------------------------------------------------------

static size_t number_of(const sap *self, const st_collision_model *model) {
    size_t i = 0;
    while (self->models.data[i] != model) i++;
    return i;
}

// The lists of all pairs that the broad phase found.
static st_status enter_pairs(sap *self, st_intersection *method, const st_model_pairs *pairs) {
    const size_t count = self->models.count;
    const st_detection_map *map = self->base.map;
    self->entries.count = 0; // new ones are NULL
    if (count > SIZE_MAX / (count + 1) || !st_list_set_count(&self->entries, count * count, 1)) return ST_OUT_OF_MEMORY;

    for (size_t i = 0; i < pairs->count; i++) {
        const size_t entered = map->work.count;
        const st_status status = st_detections_enter_pair(&self->base, method, &pairs->data[i]);
        if (status != ST_OK) return status;
        if (map->work.count == entered) continue; // no test
        st_detection_entry *entry = map->work.data[entered];
        self->entries.data[number_of(self, entry->output.model[0]) * count + number_of(self, entry->output.model[1])] =
            entry;
    }
    return ST_OK;
}

// Boxes have the skins of their models; the sweep must reach as far as the farthest pair.
static st_real farthest_alarm(const sap *self, const st_intersection *method) {
    st_real skin = 0;
    for (size_t i = 0; i < self->models.count; i++) skin = st_max(skin, self->models.data[i]->contact_distance);
    return method->alarm + 2 * skin;
}

static st_status direct_sap_find(st_narrow_phase *phase, st_intersection *method, const st_model_pairs *pairs) {
    sap *self = (sap *)phase;
    st_status status = st_detections_begin(phase);
    if (status != ST_OK) return status;
    self->pair_count = 0;

    // boxes, lists, sorted ends
    status = gather_boxes(self, pairs) ? enter_pairs(self, method, pairs) : ST_OUT_OF_MEMORY;
    if (status == ST_OK && !sort_ends(self, farthest_alarm(self, method))) status = ST_OUT_OF_MEMORY;
    if (status == ST_OUT_OF_MEMORY) st_message(&phase->object, ST_ERROR, "out of memory: %zu boxes", self->boxes.count);
    if (status != ST_OK) return status;
    sweep(self, method);
    return st_detections_end(phase);
}

static void direct_sap_destroy(st_object *object) {
    sap *self = (sap *)object;
    st_list_free(&self->models);
    st_list_free(&self->boxes);
    st_list_free(&self->ends);
    st_list_free(&self->entries);
    st_narrow_phase_class.destroy(object);
}

static const st_narrow_phase_ops ops = {direct_sap_find};

const st_class st_direct_sap_narrow_phase_class = {
    .name = "DirectSAPNarrowPhase",
    .help = "finds the contacts of models by sorting the boxes of their elements along an axis",
    .parent = &st_narrow_phase_class,
    .fields = fields,
    .size = sizeof(sap),
    .destroy = direct_sap_destroy,
    .narrow_phase = &ops,
};

// ---------------------------------------------------------------------------------------------------
// Both phases in one
// ---------------------------------------------------------------------------------------------------

static st_status add_phases(st_object *object, const char *narrow) {
    st_message(object, ST_DEPRECATED, "a BruteForceBroadPhase and a %s take its place: write them in the scene",
               narrow);

    const bool ok = st_add_object(object->node, "BruteForceBroadPhase", NULL, NULL, false) &&
                    st_add_object(object->node, narrow, NULL, NULL, false);
    return ok ? ST_OK : ST_FAILED;
}

static st_status add_bvh(st_object *object) { return add_phases(object, "BVHNarrowPhase"); }
static st_status add_sap(st_object *object) { return add_phases(object, "DirectSAPNarrowPhase"); }
static st_status add_ray_trace(st_object *object) { return add_phases(object, "RayTraceNarrowPhase"); }

typedef struct both_phases {
    st_object object;
    st_reals box;
    bool draw;
} both_phases;

static const st_field both_fields[] = {
    ST_FIELD(both_phases, box, "box", st_type_vec3s, NULL, "not used", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(both_phases, draw, "draw", st_type_bool, "0", "draw the boxes", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

#define BOTH(variable, name_, what, function)                                                                          \
    const st_class variable = {                                                                                        \
        .name = name_,                                                                                                 \
        .help = "former name of two phases: adds BruteForceBroadPhase and " what,                                      \
        .kind = "narrow phase",                                                                                        \
        .parent = &st_object_class,                                                                                    \
        .fields = both_fields,                                                                                         \
        .size = sizeof(both_phases),                                                                                   \
        .parse = function,                                                                                             \
    }
BOTH(st_brute_force_detection_class, "BruteForceDetection", "BVHNarrowPhase", add_bvh);
BOTH(st_direct_sap_class, "DirectSAP", "DirectSAPNarrowPhase", add_sap);
BOTH(st_incr_sap_class, "IncrSAP", "DirectSAPNarrowPhase", add_sap);
BOTH(st_ray_trace_detection_class, "RayTraceDetection", "RayTraceNarrowPhase", add_ray_trace);
