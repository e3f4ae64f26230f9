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

// Two elements; neighbors of one mesh always touch.
static void test_elements(const st_intersection *method, st_detection_entry *entry, bool same_node, uint32_t i,
                          uint32_t j) {
    const st_collision_model *a = entry->output.model[0], *b = entry->output.model[1];
    const uint32_t k = a->tree.elements.data[i], l = b->tree.elements.data[j];
    if (!same_node || st_elements_may_touch(a, k, b, l)) entry->test(method, a, k, b, l, &entry->output.found);
}

// Leaves of a range that are near the box, in their order; returns the box that holds them.
static st_box keep_near(const st_bounding_tree *tree, st_box_range range, const st_box *box, st_real alarm,
                        st_uints *kept) {
    st_box hull;
    st_box_clear(&hull);
    kept->count = 0;

    for (uint32_t i = range.first; i < range.end; i++) {
        if (!st_boxes_near(&tree->leaves.data[i], box, alarm)) continue;
        kept->data[kept->count++] = i;
        st_box_merge(&hull, &tree->leaves.data[i]);
    }
    return hull;
}

// Leaves against leaves. A leaf that is not near the box of all of the others is near none of them: what remains is
// compared one by one, in the same order as if all were.
static void visit_leaves(const st_intersection *method, st_detection_entry *entry, const st_range_pair *pair,
                         st_real alarm) {
    const st_bounding_tree *a = &entry->output.model[0]->tree, *b = &entry->output.model[1]->tree;
    const bool same_node = entry->output.model[0]->object.node == entry->output.model[1]->object.node;
    st_uints *near = entry->near;

    if (!st_list_reserve(&near[0], pair->first.end - pair->first.first, 1) ||
        !st_list_reserve(&near[1], pair->second.end - pair->second.first, 1)) {
        entry->output.found.failed = true;
        return;
    }

    const st_box hull = keep_near(a, pair->first, pair->around[1], alarm, &near[0]);
    if (near[0].count == 0) return;
    keep_near(b, pair->second, &hull, alarm, &near[1]);

    for (size_t m = 0; m < near[0].count; m++)
        for (size_t n = 0; n < near[1].count; n++) {
            const uint32_t i = near[0].data[m], j = near[1].data[n];
            if (st_boxes_near(&a->leaves.data[i], &b->leaves.data[j], alarm))
                test_elements(method, entry, same_node, i, j);
        }
}

// Boxes of which at least one holds others: where two are near, their contents are compared later.
static void visit_cells(st_detection_entry *entry, const st_range_pair *pair, st_real alarm) {
    const st_bounding_tree *a = &entry->output.model[0]->tree, *b = &entry->output.model[1]->tree;

    for (uint32_t i = pair->first.first; i < pair->first.end; i++)
        for (uint32_t j = pair->second.first; j < pair->second.end; j++) {
            const st_box *one = st_tree_box(a, pair->first.leaves, i), *two = st_tree_box(b, pair->second.leaves, j);
            if (!st_boxes_near(one, two, alarm)) continue;
            if (!bvh_narrow_phase_push(entry, (st_range_pair){.first = bvh_narrow_phase_below(a, &pair->first, i),
                                                              .second = bvh_narrow_phase_below(b, &pair->second, j),
                                                              .around = {one, two}}))
                return;
        }
}

static void search_pair(const st_intersection *method, st_detection_entry *entry) {
    const st_tree_cell *a = entry->output.model[0]->tree.cells.data, *b = entry->output.model[1]->tree.cells.data;
    const st_real alarm = st_alarm_of(method, entry->output.model[0], entry->output.model[1]);

    bvh_narrow_phase_push(entry, (st_range_pair){.first = a->below, .second = b->below, .around = {&a->box, &b->box}});

    while (entry->stack.count > 0 && !entry->output.found.failed && !entry->output.found.full) {
        const st_range_pair pair = entry->stack.data[--entry->stack.count];
        if (pair.first.leaves && pair.second.leaves) visit_leaves(method, entry, &pair, alarm);
        else visit_cells(entry, &pair, alarm);
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
