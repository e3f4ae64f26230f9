// BVHNarrowPhase: goes down the trees of two models together, to the elements whose boxes are near.
//
// Pairs of ranges wait on a stack. Of a pair of ranges every box of the first is held against every box of the second;
// where two are near, what is below them is put on the stack, or, where both are boxes of elements, the elements are
// tested at once. So what is pushed last is visited first, and the order of contacts follows from the trees alone.
// Pairs of models do not depend on each other: threads share them.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/detection_map.h"
#include "scene/scene.h"

typedef struct search {
    const st_intersection *method;
    const st_narrow_phase *phase;
} search;

static bool bvh_narrow_phase_push(st_detection_entry *entry, st_range_pair pair) {
    if (st_list_push(&entry->stack, pair)) return true;
    entry->output.found.failed = true;
    return false;
}

static st_box_range bvh_narrow_phase_below(const st_bounding_tree *tree, const st_box_range *range, uint32_t i) {
    return range->leaves ? (st_box_range){i, i + 1, true} : tree->cells.data[i].below;
}

static void bvh_narrow_phase_visit(const st_intersection *method, st_detection_entry *entry, const st_range_pair *pair,
                                   st_real alarm) {
    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    const bool same_node = a->object.node == b->object.node;

    for (uint32_t i = pair->first.first; i < pair->first.end; i++)
        for (uint32_t j = pair->second.first; j < pair->second.end; j++) {
            if (!st_boxes_near(st_tree_box(&a->tree, pair->first.leaves, i),
                               st_tree_box(&b->tree, pair->second.leaves, j), alarm))
                continue;

            // boxes that hold others: their contents are compared later
            if (!pair->first.leaves || !pair->second.leaves) {
                if (!bvh_narrow_phase_push(entry, (st_range_pair){bvh_narrow_phase_below(&a->tree, &pair->first, i),
                                                                  bvh_narrow_phase_below(&b->tree, &pair->second, j)}))
                    return;
                continue;
            }

            // two elements; neighbors of one mesh always touch
            const uint32_t k = a->tree.elements.data[i], l = b->tree.elements.data[j];
            if (!same_node || st_elements_may_touch(a, k, b, l)) entry->test(method, a, k, b, l, &entry->output.found);
        }
}

static void search_pair(const st_intersection *method, st_detection_entry *entry) {
    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    const st_real alarm = st_alarm_of(method, a, b);

    bvh_narrow_phase_push(entry, (st_range_pair){a->tree.cells.data[0].below, b->tree.cells.data[0].below});

    while (entry->stack.count > 0 && !entry->output.found.failed && !entry->output.found.full) {
        const st_range_pair pair = entry->stack.data[--entry->stack.count];
        bvh_narrow_phase_visit(method, entry, &pair, alarm);
    }
}

static void search_pairs(void *context, size_t begin, size_t end) {
    const search *s = context;
    for (size_t i = begin; i < end; i++) search_pair(s->method, s->phase->map->work.data[i]);
}

static st_status bvh_narrow_phase_find(st_narrow_phase *phase, st_intersection *method, const st_model_pairs *pairs) {
    st_status status = st_detections_begin(phase);
    for (size_t i = 0; status == ST_OK && i < pairs->count; i++)
        status = st_detections_enter_pair(phase, method, &pairs->data[i]);

    if (status != ST_OK) return status;

    // pairs of models do not depend on each other
    search s = {method, phase};
    st_parallel_for(phase->object.scene->pool, phase->map->work.count, 1, search_pairs, &s);
    return st_detections_end(phase);
}

static const st_narrow_phase_ops ops = {bvh_narrow_phase_find};

const st_class st_bvh_narrow_phase_class = {
    .name = "BVHNarrowPhase",
    .help = "finds the contacts of two models by their trees of boxes",
    .parent = &st_narrow_phase_class,
    .size = sizeof(st_narrow_phase),
    .narrow_phase = &ops,
};

const st_class st_parallel_bvh_narrow_phase_class = {
    .name = "ParallelBVHNarrowPhase",
    .help = "the same as BVHNarrowPhase, which is parallel, too",
    .parent = &st_bvh_narrow_phase_class,
    .size = sizeof(st_narrow_phase),
};
