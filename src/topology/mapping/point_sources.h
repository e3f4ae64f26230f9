// Where the points of a mapping's output come from, when each is made from a point or element of the input.
//
// For each kind of source and each of its elements the numbers of the `width` points that were made from it; for each
// output point its source. Both are kept right when input elements or output points come and go; as everywhere the last
// one takes the place of what is removed.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_MAPPING_POINT_SOURCES_H
#define SETTEE_TOPOLOGY_MAPPING_POINT_SOURCES_H

#include "topology/mapping/topological_mapping.h"

enum { ST_SOURCE_KINDS = ST_POINT + 1 };

typedef struct st_point_source {
    uint32_t kind; // st_element or ST_POINT; ST_SOURCE_KINDS: none, one more: its source is gone, and so will it be
    uint32_t slot; // element * width + number
} st_point_source;

typedef struct st_point_sources {
    st_uints places[ST_SOURCE_KINDS]; // [element * width + number]: the output point
    size_t width[ST_SOURCE_KINDS];
    ST_LIST(st_point_source) points; // of each output point
} st_point_sources;

void st_point_sources_free(st_point_sources *sources);
// No points and no elements; the widths are for the caller to set.
void st_point_sources_clear(st_point_sources *sources);
// Room for `count` more elements, without points. False when out of memory.
bool st_point_sources_grow(st_point_sources *sources, int kind, size_t count);
// The next output point is the given one of an element of the input. False when out of memory.
bool st_point_sources_push(st_point_sources *sources, int kind, size_t element, size_t number);
// Input elements (decreasing) are about to go: their points are marked.
void st_point_sources_forget_inputs(st_point_sources *sources, const st_edit *edit);
// Output points have come from elsewhere, or go. False when out of memory.
bool st_point_sources_follow_output(st_point_sources *sources, const st_edit *edit);
// Input points have other numbers.
bool st_point_sources_renumber(st_point_sources *sources, const st_edit *edit);
// The marked points, in decreasing order. False when out of memory.
bool st_point_sources_marked(const st_point_sources *sources, st_uints *points);

#endif
