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
    const st_tree_kernels *kernels;
} search;

static bool bvh_narrow_phase_push(st_detection_entry *entry, st_range_pair pair) {
    const size_t count = entry->stack.count;
    if (count == entry->stack.capacity && !st_list_reserve(&entry->stack, count + 1, 1)) {
        entry->output.found.failed = true;
        return false;
    }
    entry->stack.data[count] = pair;
    entry->stack.count = count + 1;
    return true;
}

static st_box_range bvh_narrow_phase_below(const st_bounding_tree *tree, const st_box_range *range, uint32_t i) {
    return range->leaves ? (st_box_range){i, i + 1, true} : tree->cells.data[i].below;
}

// Two elements; neighbors of one mesh always touch.
static void test_elements(const st_intersection *method, st_detection_entry *entry, bool same_node, uint32_t i,
                          uint32_t j) {
    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    const uint32_t k = a->tree.elements.data[i], l = b->tree.elements.data[j];
    if (!same_node || st_elements_may_touch(a, k, b, l)) entry->test(method, a, k, b, l, &entry->output.found);
}

// Leaves against leaves. A leaf that is not near the box of all of the others is near none of them, which leaves a few of
// the first and a part of the second range; these are compared in the same order as if all were.
static void visit_leaves(const search *s, st_detection_entry *entry, const st_range_pair *pair, st_real alarm) {
    const st_bounding_tree *a = &entry->output.model[0]->tree, *b = &entry->output.model[1]->tree;
    const bool same_node = entry->output.model[0]->object.node == entry->output.model[1]->object.node;
    const st_box_range first = pair->first, second = pair->second;
    if (!st_list_reserve(&entry->near[0], first.end - first.first, 1) ||
        !st_list_reserve(&entry->near[1], second.end - second.first, 1)) {
        entry->output.found.failed = true;
        return;
    }

    // of the first range
    uint32_t *firsts = entry->near[0].data, *seconds = entry->near[1].data;
    const size_t count = s->kernels->near_leaves(a, first.first, first.end, pair->around[1], alarm, firsts);
    st_box hull;
    st_box_clear(&hull);
    for (size_t m = 0; m < count; m++) st_box_merge(&hull, &a->leaves.data[firsts[m]]);

    // of the second range
    const size_t others = count ? s->kernels->near_leaves(b, second.first, second.end, &hull, alarm, seconds) : 0;
    if (others == 0) return;
    const uint32_t begin = seconds[0], end = seconds[others - 1] + 1;

    for (size_t m = 0; m < count; m++) {
        const size_t found = s->kernels->near_leaves(b, begin, end, &a->leaves.data[firsts[m]], alarm, seconds);
        for (size_t n = 0; n < found; n++) test_elements(s->method, entry, same_node, firsts[m], seconds[n]);
    }
}

// Boxes of which at least one holds others: where two are near, their contents are compared later.
static void visit_cells(st_detection_entry *entry, const st_range_pair *pair, st_real alarm) {
    const st_bounding_tree *a = &entry->output.model[0]->tree, *b = &entry->output.model[1]->tree;

    for (uint32_t i = pair->first.first; i < pair->first.end; i++)
        for (uint32_t j = pair->second.first; j < pair->second.end; j++) {
            const st_box *one = st_tree_box(a, pair->first.leaves, i), *two = st_tree_box(b, pair->second.leaves, j);
            if (st_boxes_far(one, two, alarm)) continue;
            if (!bvh_narrow_phase_push(entry, (st_range_pair){.first = bvh_narrow_phase_below(a, &pair->first, i),
                                                              .second = bvh_narrow_phase_below(b, &pair->second, j),
                                                              .around = {one, two}}))
                return;
        }
}

static void search_pair(const search *s, st_detection_entry *entry) {
    const st_tree_cell *a = entry->output.model[0]->tree.cells.data, *b = entry->output.model[1]->tree.cells.data;
    const st_real alarm = st_alarm_of(s->method, entry->output.model[0], entry->output.model[1]);

    bvh_narrow_phase_push(entry, (st_range_pair){.first = a->below, .second = b->below, .around = {&a->box, &b->box}});

    while (entry->stack.count > 0 && !entry->output.found.failed && !entry->output.found.full) {
        const st_range_pair pair = entry->stack.data[--entry->stack.count];
        if (pair.first.leaves && pair.second.leaves) visit_leaves(s, entry, &pair, alarm);
        else visit_cells(entry, &pair, alarm);
    }
}

static void search_pairs(void *context, size_t begin, size_t end) {
    const search *s = context;
    for (size_t i = begin; i < end; i++) search_pair(s, s->phase->map->work.data[i]);
}

static st_status bvh_narrow_phase_find(st_narrow_phase *phase, st_intersection *method, const st_model_pairs *pairs) {
    st_status status = st_detections_begin(phase);
    for (size_t i = 0; status == ST_OK && i < pairs->count; i++)
        status = st_detections_enter_pair(phase, method, &pairs->data[i]);
    if (status == ST_OK) status = st_detections_fill_boxes(phase, method, false);

    if (status != ST_OK) return status;

    // pairs of models do not depend on each other
    search s = {method, phase, ST_BEST_KERNELS(st_tree_kernels, NULL)};
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
