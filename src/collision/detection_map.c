// What a narrow phase found: see the header. And the base of narrow phases.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/detection_map.h"
#include "scene/scene.h"

static st_pair_key key_of(const st_detection_entry *entry) { return entry->pair.key; }

static st_status detection_map_out_of_memory(const st_narrow_phase *phase) {
    st_message(&phase->object, ST_ERROR, "out of memory: detections between models");
    return ST_OUT_OF_MEMORY;
}

st_status st_detections_begin(st_narrow_phase *phase) {
    if (!phase->map) phase->map = st_alloc(1, sizeof *phase->map);
    if (!phase->map) return detection_map_out_of_memory(phase);

    phase->outputs.count = phase->map->work.count = 0;
    for (size_t i = 0; i < phase->map->sorted.count; i++) phase->map->sorted.data[i]->output.found.list.count = 0;
    return ST_OK;
}

static st_detection_entry *find_entry(st_detection_map *map, st_collision_model *a, st_collision_model *b) {
    const size_t place = st_pointer_table_get(&map->places, a, b);
    if (place != SIZE_MAX) return map->entries.data[place];

    st_detection_entry *entry = st_alloc(1, sizeof *entry);
    if (!entry || !st_list_push(&map->entries, entry)) {
        st_free(entry);
        return NULL;
    }

    entry->output.model[0] = a;
    entry->output.model[1] = b;
    entry->pair.key = (st_pair_key){a, b};
    return st_pointer_table_put(&map->places, a, b, map->entries.count - 1) ? entry : NULL;
}

static bool put_in_map(st_detection_map *map, st_detection_entry *entry) {
    return entry->in_map = st_list_push(&map->sorted, entry);
}

st_status st_detections_enter(st_narrow_phase *phase, st_collision_model *a, st_collision_model *b,
                              st_element_test *test) {
    st_detection_map *map = phase->map;
    st_detection_entry *entry = find_entry(map, a, b);
    if (!entry) return detection_map_out_of_memory(phase);

    // numbers of the models decide the order
    if (map->sorted.count > 0)
        st_pair_order_append(&map->order, key_of(map->sorted.data[map->sorted.count - 1]), key_of(entry));
    if (map->order.failed || (!entry->in_map && !put_in_map(map, entry))) return detection_map_out_of_memory(phase);

    // what the last step found is forgotten
    entry->test = test;
    entry->output.found.list.count = entry->stack.count = 0;
    entry->output.found.coincident = entry->output.found.full = entry->output.found.failed = false;

    return st_list_push(&map->work, entry) ? ST_OK : detection_map_out_of_memory(phase);
}

// Whatever needs memory of the models, or sends messages, comes before the threads.
st_status st_detections_enter_pair(st_narrow_phase *phase, st_intersection *method, const st_model_pair *pair) {
    bool swap;
    st_element_test *test = st_intersection_find(method, pair->first, pair->second, &swap);
    if (!test) return ST_OK;

    st_collision_model *a = swap ? pair->second : pair->first, *b = swap ? pair->first : pair->second;
    const st_status status = st_detections_enter(phase, a, b, test);
    if (status != ST_OK) return status;

    const st_intersection_ops *method_ops = method->object.type->intersection;
    bool ok = !method_ops->prepare || (method_ops->prepare(method, a) && method_ops->prepare(method, b));
    if (ok && (a->primitive == ST_PRIMITIVE_RIGID_GRID || a->primitive == ST_PRIMITIVE_FFD_GRID))
        ok = st_intersection_prepare_flags(method, b);
    if (ok) return ST_OK;
    st_message(&method->object, ST_ERROR, "out of memory: neighborhoods of the elements of two models");
    return ST_OUT_OF_MEMORY;
}

static bool want_boxes(st_detection_map *map, st_collision_model *model, const st_box *near, st_real alarm) {
    return !st_bounding_tree_want(&model->tree, near, alarm) || st_list_push(&map->waiting, model);
}

static void fill_boxes(void *context, size_t begin, size_t end) {
    const st_detection_map *map = context;
    for (size_t i = begin; i < end; i++) st_collision_model_fill(map->waiting.data[i]);
}

st_status st_detections_fill_boxes(st_narrow_phase *phase, const st_intersection *method, bool all) {
    st_detection_map *map = phase->map;
    map->waiting.count = 0;
    bool ok = true;

    // both models of each pair, where they are near the other one
    for (size_t i = 0; ok && i < map->work.count; i++) {
        st_collision_model *a = map->work.data[i]->output.model[0], *b = map->work.data[i]->output.model[1];
        const st_real alarm = st_alarm_of(method, a, b);
        ok = want_boxes(map, a, all ? NULL : &b->tree.cells.data[0].box, alarm) &&
             want_boxes(map, b, all ? NULL : &a->tree.cells.data[0].box, alarm);
    }
    if (!ok) return detection_map_out_of_memory(phase);

    st_parallel_for(phase->object.scene->pool, map->waiting.count, 1, fill_boxes, map);
    return ST_OK;
}

// Tests may run in several threads; what they met is reported afterwards.
static void detection_map_report(const st_narrow_phase *phase, const st_detection_entry *entry) {
    const char *a = entry->output.model[0]->object.name, *b = entry->output.model[1]->object.name;
    if (entry->output.found.coincident)
        st_message_once(&phase->object, "coincident", ST_WARNING,
                        "points of '%s' and '%s' are at the same place: the normal of their contact is taken as 1 0 0",
                        a ? a : "", b ? b : "");
    if (entry->output.found.full)
        st_message_once(&phase->object, "full", ST_WARNING,
                        "there are more than %d contacts between '%s' and '%s': the others are ignored",
                        ST_DETECTIONS_MAX, a ? a : "", b ? b : "");
}

st_status st_detections_end(st_narrow_phase *phase) {
    st_detection_map *map = phase->map;
    bool ok = true;
    size_t kept = 0;
    st_pair_order_sort(&map->order, (st_ranked_pair **)(void *)map->sorted.data, map->sorted.count);

    // pairs without detections leave the map; their models keep their numbers
    for (size_t i = 0; i < map->sorted.count; i++) {
        st_detection_entry *entry = map->sorted.data[i];
        ok = ok && !entry->output.found.failed;
        detection_map_report(phase, entry);

        entry->in_map = entry->output.found.list.count > 0;
        if (!entry->in_map) continue;
        map->sorted.data[kept++] = entry;
        ok = ok && st_list_push(&phase->outputs, &entry->output);
    }

    map->sorted.count = kept;
    return ok ? ST_OK : detection_map_out_of_memory(phase);
}

void st_detections_forget(st_narrow_phase *phase) {
    st_detection_map *map = phase->map;
    phase->outputs.count = 0;
    if (!map) return;

    // lists of each pair
    for (size_t i = 0; i < map->entries.count; i++) {
        st_list_free(&map->entries.data[i]->output.found.list);
        st_list_free(&map->entries.data[i]->output.found.boxes);
        st_list_free(&map->entries.data[i]->stack);
        for (int side = 0; side < 2; side++) st_list_free(&map->entries.data[i]->near[side]);
        st_free(map->entries.data[i]);
    }

    st_list_free(&map->entries);
    st_list_free(&map->sorted);
    st_list_free(&map->work);
    st_list_free(&map->waiting);
    st_pointer_table_free(&map->places);
    st_pair_order_free(&map->order);

    st_free(map);
    phase->map = NULL;
}

static void detection_map_reset(st_object *object) { st_detections_forget((st_narrow_phase *)object); }

static void detection_map_destroy(st_object *object) {
    st_narrow_phase *phase = (st_narrow_phase *)object;
    st_detections_forget(phase);
    st_list_free(&phase->outputs);
}

const st_class st_narrow_phase_class = {
    .name = "NarrowPhase",
    .help = "what every narrow phase has",
    .parent = &st_object_class,
    .size = sizeof(st_narrow_phase),
    .flags = ST_CLASS_ABSTRACT,
    .reset = detection_map_reset,
    .destroy = detection_map_destroy,
};
