// Where the points of a mapping's output come from. See the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mapping/point_sources.h"

#include "base/array.h"

enum { MARKED = ST_SOURCE_KINDS + 1 };

void st_point_sources_free(st_point_sources *sources) {
    for (int kind = 0; kind < ST_SOURCE_KINDS; kind++) st_list_free(&sources->places[kind]);
    st_list_free(&sources->points);
}

void st_point_sources_clear(st_point_sources *sources) {
    for (int kind = 0; kind < ST_SOURCE_KINDS; kind++) sources->places[kind].count = 0;
    sources->points.count = 0;
}

bool st_point_sources_grow(st_point_sources *sources, int kind, size_t count) {
    st_uints *places = &sources->places[kind];
    const size_t old = places->count;
    if (!st_list_set_count(places, old + count * sources->width[kind], 1)) return false;
    for (size_t i = old; i < places->count; i++) places->data[i] = ST_INVALID_INDEX;
    return true;
}

bool st_point_sources_push(st_point_sources *sources, int kind, size_t element, size_t number) {
    const st_point_source source = {(uint32_t)kind, (uint32_t)(element * sources->width[kind] + number)};
    if (!st_list_push(&sources->points, source)) return false;
    if (source.slot < sources->places[kind].count)
        sources->places[kind].data[source.slot] = (uint32_t)sources->points.count - 1;
    return true;
}

// The output point of a slot, NULL: none.
static st_point_source *point_of(st_point_sources *sources, size_t kind, size_t slot) {
    const uint32_t point = sources->places[kind].data[slot];
    return point < sources->points.count ? &sources->points.data[point] : NULL;
}

void st_point_sources_forget_inputs(st_point_sources *sources, const st_edit *edit) {
    const size_t kind = (size_t)edit->kind, width = sources->width[kind];
    st_uints *places = &sources->places[kind];

    for (size_t i = 0; width && i < edit->count; i++) {
        const size_t last = places->count / width - 1, gone = edit->ids[i];
        if (places->count < width || gone > last) continue;

        // its points have no source any more; those of the last element have another one
        for (size_t n = 0; n < width; n++) {
            st_point_source *old = point_of(sources, kind, gone * width + n);
            if (old) *old = (st_point_source){MARKED, 0};
            st_point_source *moved = point_of(sources, kind, last * width + n);
            if (moved && gone != last) moved->slot = (uint32_t)(gone * width + n);
            places->data[gone * width + n] = places->data[last * width + n];
        }
        places->count = last * width;
    }
}

static void forget_point(st_point_sources *sources, size_t point) {
    const size_t last = sources->points.count - 1;
    const st_point_source gone = sources->points.data[point], moved = sources->points.data[last];

    if (gone.kind < ST_SOURCE_KINDS) sources->places[gone.kind].data[gone.slot] = ST_INVALID_INDEX;
    if (point != last && moved.kind < ST_SOURCE_KINDS) sources->places[moved.kind].data[moved.slot] = (uint32_t)point;
    sources->points.data[point] = moved;
    sources->points.count = last;
}

bool st_point_sources_follow_output(st_point_sources *sources, const st_edit *edit) {
    bool ok = true;
    if (edit->kind != ST_POINT) return true;

    for (size_t i = 0; ok && i < edit->count; i++) {
        if (edit->what == ST_EDIT_REMOVED && edit->ids[i] < sources->points.count) forget_point(sources, edit->ids[i]);
        if (edit->what == ST_EDIT_ADDED) ok = st_list_push(&sources->points, ((st_point_source){ST_SOURCE_KINDS, 0}));
    }
    if (edit->what != ST_EDIT_RENUMBERED || edit->count != sources->points.count) return ok;

    // new point i is the former point ids[i]
    st_point_source *former = st_alloc(edit->count, sizeof *former);
    if (!former) return false;
    st_copy_bytes(former, sources->points.data, edit->count * sizeof *former);
    for (size_t i = 0; i < edit->count; i++) {
        const st_point_source source = sources->points.data[i] = former[edit->ids[i]];
        if (source.kind < ST_SOURCE_KINDS) sources->places[source.kind].data[source.slot] = (uint32_t)i;
    }
    st_free(former);
    return true;
}

bool st_point_sources_renumber(st_point_sources *sources, const st_edit *edit) {
    const size_t kind = ST_POINT, width = sources->width[kind];
    st_uints *places = &sources->places[kind];
    if (width == 0 || places->count != edit->count * width) return true;

    uint32_t *former = st_alloc(places->count, sizeof *former);
    if (!former) return false;
    st_copy_bytes(former, places->data, places->count * sizeof *former);
    for (size_t slot = 0; slot < places->count; slot++) {
        places->data[slot] = former[edit->ids[slot / width] * width + slot % width];
        st_point_source *point = point_of(sources, kind, slot);
        if (point) point->slot = (uint32_t)slot;
    }
    st_free(former);
    return true;
}

bool st_point_sources_marked(const st_point_sources *sources, st_uints *points) {
    bool ok = true;
    points->count = 0;
    for (size_t i = sources->points.count; ok && i-- > 0;)
        if (sources->points.data[i].kind == MARKED) ok = st_list_push(points, (uint32_t)i);
    return ok;
}
