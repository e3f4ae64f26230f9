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

static double f_at(const st_impact_query *q, int axis, double t, double u, double v) {
    const double p0 = place_at(q, 0, axis, t), p1 = place_at(q, 1, axis, t), p2 = place_at(q, 2, axis, t),
                 p3 = place_at(q, 3, axis, t);

    if (q->edges) return (p1 - p0) * u + p0 - ((p3 - p2) * v + p2);
    return p0 - ((p2 - p1) * u + (p3 - p1) * v + p1);
}

// Corner k of a box: bit 0 for t, 1 for u, 2 for v.
static double corner_value(const st_impact_query *q, const st_time_box *b, int axis, int k) {
    return f_at(q, axis, k & 1 ? b->high[0] : b->low[0], k & 2 ? b->high[1] : b->low[1],
                k & 4 ? b->high[2] : b->low[2]);
}

// ---------------------------------------------------------------------------------------------------
// Errors and tolerances
// ---------------------------------------------------------------------------------------------------

// Rounding of F for places up to 1, which grows with the third power beyond.
static double rounding_of(const st_impact_query *q, int axis) {
    const double plain = q->edges ? 6.217248937900877e-15 : 6.661338147750939e-15;
    const double with_distance = q->edges ? 7.105427357601002e-15 : 7.549516567451064e-15;
    double largest = 1;
    for (int k = 0; k < 4; k++) {
        largest = fmax(largest, fabs(q->start[k][axis]));
        largest = fmax(largest, fabs(q->end[k][axis]));
    }
    return (q->distance > 0 ? with_distance : plain) * largest * largest * largest;
}

// A parameter changes F by at most its width times the largest difference between opposite corners of the unit cube.
static double tolerance_of(const st_impact_query *q, int parameter) {
    static const st_time_box all = {.high = {1, 1, 1}};
    double largest = 0;

    // corners with this parameter 0 against those with 1
    for (int k = 0; k < 8; k++)
        for (int axis = 0; axis < 3 && !(k >> parameter & 1); axis++)
            largest =
                fmax(largest, fabs(corner_value(q, &all, axis, k | 1 << parameter) - corner_value(q, &all, axis, k)));

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
        double low = corner_value(s->query, box, axis, 0), high = low;
        for (int k = 1; k < 8; k++) {
            const double value = corner_value(s->query, box, axis, k);
            low = value < low ? value : low;
            high = value > high ? value : high;
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
