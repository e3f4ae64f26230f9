// The nearest of many points within a radius, found along one axis.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_POINT_SEARCH_H
#define SETTEE_MAPPING_POINT_SEARCH_H

#include "settee/types.h"

// Zero bytes are an empty search.
typedef struct st_point_search {
    const st_real *points; // borrowed
    size_t count, stride;
    int dimension;  // leading scalars that count
    st_uints order; // points by their first coordinate
} st_point_search;

// Sorts the points, whose first `dimension` scalars are places. False: memory is out.
bool st_point_search_create(st_point_search *search, const st_real *points, size_t count, size_t stride, int dimension);
// The first of the nearest points whose distance is less than the radius; ST_INVALID_INDEX when there is none.
uint32_t st_point_search_find(const st_point_search *search, const st_real *p, st_real radius);
void st_point_search_free(st_point_search *search);

#endif
