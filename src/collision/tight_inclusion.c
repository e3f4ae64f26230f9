// Time of impact by inclusion: see the header.
//
//     1. errors and tolerances: how far rounding may move F, how small a box of each parameter is small enough
//     2. the box with the lowest level, among them the earliest, is taken; dropped when F stays away from 0 in it
//     3. it is a hit when it is small enough, or when all boxes of its level so far are
//     4. it is divided in two halves along the parameter that is largest for its tolerance
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/tight_inclusion.h"

#include <math.h>

enum { MOST_ITERATIONS = 1 << 17 };           // elements that stay together for a while have hits everywhere
static const double smallest_width = 0x1p-48; // halves of it would not be exact in every sum

typedef struct search {
    const st_impact_query *query;
    double reach[3];     // |F| along each axis that counts as 0
    double tolerance[3]; // of t, u and v
} search;

// ---------------------------------------------------------------------------------------------------
// F
// ---------------------------------------------------------------------------------------------------

static double place_at(const st_impact_query *q, int point, int axis, double t) {
    return (q->end[point][axis] - q->start[point][axis]) * t + q->start[point][axis];
}

// With the places of the four points at one time.
static double f_at(bool edges, const double p[4], double u, double v) {
    if (edges) return (p[1] - p[0]) * u + p[0] - ((p[3] - p[2]) * v + p[2]);
    return p[0] - ((p[2] - p[1]) * u + (p[3] - p[1]) * v + p[1]);
}

// At the corners of a box: bit 0 of their number is for t, 1 for u, 2 for v.
static void corner_values(const st_impact_query *q, const st_time_box *b, int axis, double f[8]) {
    for (int late = 0; late < 2; late++) {
        double p[4];
        for (int k = 0; k < 4; k++) p[k] = place_at(q, k, axis, late ? b->high[0] : b->low[0]);
        for (int k = 0; k < 4; k++)
            f[2 * k + late] = f_at(q->edges, p, k & 1 ? b->high[1] : b->low[1], k & 2 ? b->high[2] : b->low[2]);
    }
}

// ---------------------------------------------------------------------------------------------------
// Errors and tolerances
// ---------------------------------------------------------------------------------------------------

// With m the largest coordinate and u half of the distance from 1 to the next number, a place is off by at most 6 m u;
// differences and products add up to 56 m u at the most (50 of edges). The factors are 60 u and 68 u (56 u and 64 u).
static double rounding_of(const st_impact_query *q, int axis) {
    const double plain = q->edges ? 6.217248937900877e-15 : 6.661338147750939e-15;
    const double with_distance = q->edges ? 7.105427357601002e-15 : 7.549516567451064e-15;
    double largest = 0;
    for (int k = 0; k < 4; k++) {
        largest = fmax(largest, fabs(q->start[k][axis]));
        largest = fmax(largest, fabs(q->end[k][axis]));
    }
    return (q->distance > 0 ? with_distance : plain) * largest;
}

// A parameter changes F by at most its width times the largest difference between opposite corners of the unit cube.
static double tolerance_of(const st_impact_query *q, int parameter) {
    static const st_time_box all = {.high = {1, 1, 1}};
    double largest = 0;

    for (int axis = 0; axis < 3; axis++) {
        double f[8];
        corner_values(q, &all, axis, f);
        for (int k = 0; k < 8; k++)
            if (!(k >> parameter & 1)) largest = fmax(largest, fabs(f[k | 1 << parameter] - f[k]));
    }

    return largest > 0 ? q->tolerance / (3 * largest) : INFINITY;
}

// ---------------------------------------------------------------------------------------------------
// A heap of boxes: the lowest level first, in it the earliest
// ---------------------------------------------------------------------------------------------------

static bool comes_before(const st_time_box *a, const st_time_box *b) {
    return a->level != b->level ? a->level < b->level : a->low[0] < b->low[0];
}

static bool push_box(st_time_boxes *heap, const st_time_box *box) {
    if (!st_list_push(heap, *box)) return false;

    size_t at = heap->count - 1;
    while (at > 0 && comes_before(box, &heap->data[(at - 1) / 2])) {
        heap->data[at] = heap->data[(at - 1) / 2];
        at = (at - 1) / 2;
    }

    heap->data[at] = *box;
    return true;
}

static st_time_box pop_box(st_time_boxes *heap) {
    const st_time_box first = heap->data[0], last = heap->data[--heap->count];

    size_t at = 0;
    for (size_t below = 1; below < heap->count; below = 2 * at + 1) {
        if (below + 1 < heap->count && comes_before(&heap->data[below + 1], &heap->data[below])) below++;
        if (!comes_before(&heap->data[below], &last)) break;
        heap->data[at] = heap->data[below];
        at = below;
    }

    if (heap->count) heap->data[at] = last;
    return first;
}

// ---------------------------------------------------------------------------------------------------
// The search
// ---------------------------------------------------------------------------------------------------

typedef struct inclusion {
    bool possible; // F may be 0
    bool inside;   // F is within the reach everywhere
    bool small;    // F changes by no more than the tolerance
} inclusion;

static inclusion include(const search *s, const st_time_box *box) {
    inclusion found = {.possible = true, .inside = true, .small = true};
    for (int axis = 0; axis < 3; axis++) {
        double f[8];
        corner_values(s->query, box, axis, f);
        double low = f[0], high = f[0];
        for (int k = 1; k < 8; k++) {
            low = f[k] < low ? f[k] : low;
            high = f[k] > high ? f[k] : high;
        }
        if (!(low <= s->reach[axis] && high >= -s->reach[axis])) return (inclusion){0}; // numbers that are none, too
        found.inside = found.inside && low >= -s->reach[axis] && high <= s->reach[axis];
        found.small = found.small && high - low <= s->query->tolerance;
    }
    return found;
}

// The parameter that is the largest for its tolerance; -1: all are small enough.
static int widest(const search *s, const st_time_box *box) {
    int best = -1;
    double largest = 0;

    for (int k = 0; k < 3; k++) {
        const double width = box->high[k] - box->low[k];
        if (!(width > s->tolerance[k]) || width <= smallest_width) continue;
        if (best >= 0 && !(width / s->tolerance[k] > largest)) continue;

        // the first one where several are as wide
        best = k;
        largest = width / s->tolerance[k];
    }
    return best;
}

// Of a triangle only u + v <= 1 counts.
static bool divide(const search *s, st_time_boxes *heap, const st_time_box *box, int parameter) {
    const double middle = (box->low[parameter] + box->high[parameter]) / 2;

    for (int half = 0; half < 2; half++) {
        st_time_box part = *box;
        part.level++;
        if (half) part.low[parameter] = middle;
        else part.high[parameter] = middle;

        if (!s->query->edges && part.low[1] + part.low[2] > 1) continue;
        if (!push_box(heap, &part)) return false;
    }
    return true;
}

static search search_of(const st_impact_query *query) {
    search s = {.query = query};
    for (int k = 0; k < 3; k++) {
        s.reach[k] = rounding_of(query, k) + query->distance;
        s.tolerance[k] = tolerance_of(query, k);
    }
    return s;
}

bool st_find_impact(const st_impact_query *query, st_time_boxes *heap, double *time, bool *failed) {
    const search s = search_of(query);
    static const st_time_box all = {.level = -1, .high = {1, 1, 1}};
    double latest = INFINITY; // boxes from here on need not be looked at: there is a hit before them
    double first = 0;         // earliest box of the present level in which F may be 0
    const size_t most = query->most_iterations ? query->most_iterations : MOST_ITERATIONS;
    size_t count = 0;
    int level = -2, first_of = -2;
    bool small = true; // all boxes of the present level so far are
    heap->count = 0;
    *failed = !push_box(heap, &all);

    while (!*failed && heap->count) {
        const st_time_box box = pop_box(heap);
        if (box.low[0] >= latest) continue;
        if (box.level != level) small = true;
        level = box.level;
        count++;
        const inclusion found = include(&s, &box);
        if (!found.possible) continue;

        // small enough, or nothing on this level is larger
        const int parameter = widest(&s, &box);
        *time = box.low[0];
        if (parameter < 0 || (found.inside && small)) return true;
        small = small && found.small;
        if (small) return true;

        // too many: what is left counts as a hit, at the earliest time of the level
        if (first_of != level) first = box.low[0];
        first_of = level;
        *time = first;
        if (count > most) return true;

        // a hit, but one of a larger box may be earlier
        if (found.small || found.inside) latest = box.low[0] < latest ? box.low[0] : latest;
        else *failed = !divide(&s, heap, &box, parameter);
    }
    *time = latest;
    return !*failed && latest < INFINITY;
}
