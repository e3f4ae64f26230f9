// The nearest of many points within a radius: points are sorted along x, and those between x − r and x + r are tried.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/point_search.h"

#include "base/array.h"
#include "math/real.h"

// Merge sort of the numbers of points by their first coordinate; stable.
static void merge(const st_point_search *s, const uint32_t *from, uint32_t *to, size_t begin, size_t middle,
                  size_t end) {
    size_t a = begin, b = middle;
    for (size_t k = begin; k < end; k++) {
        const bool first =
            a < middle && (b >= end || !(s->points[from[b] * s->stride] < s->points[from[a] * s->stride]));
        to[k] = first ? from[a++] : from[b++];
    }
}

bool st_point_search_create(st_point_search *search, const st_real *points, size_t count, size_t stride,
                            int dimension) {
    *search = (st_point_search){.points = points, .count = count, .stride = stride, .dimension = dimension};
    uint32_t *other = st_alloc(count, sizeof *other);
    if (!other || !st_list_set_count(&search->order, count, 1)) {
        st_free(other);
        return false;
    }
    for (size_t i = 0; i < count; i++) search->order.data[i] = (uint32_t)i;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            merge(search, search->order.data, other, begin, middle, end);
        }
        st_copy_bytes(search->order.data, other, count * sizeof *other);
    }
    st_free(other);
    return true;
}

// The place of the first point whose x is not below the value.
static size_t lower_bound(const st_point_search *s, st_real value) {
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->points[s->order.data[middle] * s->stride] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

uint32_t st_point_search_find(const st_point_search *search, const st_real *p, st_real radius) {
    uint32_t best = ST_INVALID_INDEX;
    st_real least = radius;
    for (size_t k = lower_bound(search, p[0] - radius); k < search->count; k++) {
        const uint32_t i = search->order.data[k];
        const st_real *q = search->points + i * search->stride;
        st_real square = 0;
        if (q[0] > p[0] + radius) break;
        for (int c = 0; c < search->dimension; c++) square += (q[c] - p[c]) * (q[c] - p[c]);
        const st_real distance = sqrt(square);
        if (distance < least || (distance == least && i < best && best != ST_INVALID_INDEX)) least = distance, best = i;
    }
    return best;
}

void st_point_search_free(st_point_search *search) { st_list_free(&search->order); }
