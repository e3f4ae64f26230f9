// Where the numbers of a sparse LDLᵀ factorization are: the panels of L, the update matrices and the scratch of each
// front, all in one array.
//
// The panels of a group of fronts come one after the other, in the order of elimination. Update matrices live from the
// elimination of a front to that of its parent, scratch while its front is eliminated. Both are put at the other end of
// the group's part of the array, and so into the room of panels that are not made yet:
//
//     | panels ...  >>>        free        <<<  ... update matrices |
//
// Each goes into the first hole, seen from the end, that is large enough. A part is as long as it must be for the two
// sides never to meet. All places are known beforehand: a factorization allocates nothing. Groups are eliminated side
// by side, each in a part of its own; the update matrix of its root stays there until the last group takes it up. When
// all is done, what the last group has left behind its panels is room for the vectors of solves.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "linalg/ldl_plan.h"

// A hole among the update matrices: `size` reals from `at` on, counted from the end of the part.
typedef struct hole {
    size_t at, size;
} hole;

// Increasing, never side by side. What is not below `top` is free, too, and not in the list.
typedef struct holes {
    ST_LIST(hole) list;
    size_t top;
} holes;

static void remove_hole(holes *h, size_t i) {
    for (; i + 1 < h->list.count; i++) h->list.data[i] = h->list.data[i + 1];
    h->list.count--;
}

static size_t ldl_places_take(holes *h, size_t size) {
    for (size_t i = 0; i < h->list.count; i++) {
        hole *found = &h->list.data[i];
        if (found->size < size) continue;

        const size_t at = found->at;
        found->at += size;
        found->size -= size;
        if (found->size == 0) remove_hole(h, i);
        return at;
    }

    // no hole is large enough
    const size_t at = h->top;
    h->top += size;
    return at;
}

// Joins the hole with those that it touches, and with what is free behind the last.
static bool give_back(holes *h, size_t at, size_t size) {
    size_t i = h->list.count;
    if (size == 0) return true;

    // its place in the list, joined with the hole before it
    while (i > 0 && h->list.data[i - 1].at > at) i--;
    if (i > 0 && h->list.data[i - 1].at + h->list.data[i - 1].size == at) {
        h->list.data[--i].size += size;
    } else {
        if (!st_list_push(&h->list, (hole){0})) return false;
        for (size_t k = h->list.count - 1; k > i; k--) h->list.data[k] = h->list.data[k - 1];
        h->list.data[i] = (hole){at, size};
    }

    // joined with the hole behind it
    hole *own = &h->list.data[i];
    if (i + 1 < h->list.count && own->at + own->size == h->list.data[i + 1].at) {
        own->size += h->list.data[i + 1].size;
        remove_hole(h, i + 1);
    }

    // the last hole is free room
    if (own->at + own->size == h->top) {
        h->top = own->at;
        remove_hole(h, i);
    }

    return true;
}

static size_t update_size(const st_ldl_front *f) { return st_ldl_update_size((size_t)f->below); }

static size_t panel_size(const st_ldl_front *f) { return st_ldl_panel_size((size_t)f->pivots, (size_t)f->below); }

// U of a block of pivots, and what the magnitudes of pivots are compared with; whole tiles.
static size_t scratch_size(const st_ldl_front *f) {
    const size_t tiles = ((size_t)f->pivots + ST_LDL_TILE - 1) / ST_LDL_TILE;
    return st_ldl_u_size((size_t)f->pivots, (size_t)f->below) + tiles * ST_LDL_TILE_SCALARS;
}

static size_t ldl_places_larger(size_t a, size_t b) { return a > b ? a : b; }

// Its update matrix must be there when the group is done: its parent is in the last group, or it has none.
static bool is_root_of(const st_ldl_plan *plan, int32_t g, int32_t s) {
    const int32_t up = plan->e.parent[s];
    return plan->fronts[s].group == g && (up < 0 || plan->fronts[up].group != g);
}

static void take_update(holes *h, st_ldl_front *f) { f->update = ldl_places_take(h, update_size(f)) + update_size(f); }

// Goes through the factorization from its end to its begin: a front takes the places of its children's update matrices
// and then gives back that of its own. So it is at the begin, when there are few panels, that holes are left, not at
// the end. Until the length of the part is known, places are counted from its end to the first number.
static bool simulate(st_ldl_plan *plan, int32_t g, holes *h, size_t panels, size_t *length) {
    const st_ldl_group *group = &plan->groups[g];

    // what must be there at the end
    for (int32_t s = group->first; s < group->end; s++)
        if (is_root_of(plan, g, s)) take_update(h, &plan->fronts[s]);

    // backward: what the elimination of a front needs, then what its end sets free
    bool ok = true;
    for (int32_t s = group->end; s-- > group->first && ok;) {
        st_ldl_front *f = &plan->fronts[s];
        if (f->group != g) continue;
        for (int32_t c = f->child; c >= 0; c = plan->fronts[c].next)
            if (plan->fronts[c].group == g) take_update(h, &plan->fronts[c]);

        const size_t scratch = ldl_places_take(h, scratch_size(f));
        f->scratch = scratch + scratch_size(f);
        *length = ldl_places_larger(*length, panels + h->top);

        panels -= panel_size(f);
        f->panel = panels;
        ok = give_back(h, scratch, scratch_size(f)) && give_back(h, f->update - update_size(f), update_size(f));
    }

    return ok;
}

static size_t panels_of(const st_ldl_plan *plan, int32_t g) {
    size_t size = 0;
    for (int32_t s = plan->groups[g].first; s < plan->groups[g].end; s++)
        if (plan->fronts[s].group == g) size += panel_size(&plan->fronts[s]);
    return size;
}

static bool place_group(st_ldl_plan *plan, int32_t g) {
    holes h = {0};
    const size_t panels = panels_of(plan, g);
    size_t length = panels;
    const bool ok = simulate(plan, g, &h, panels, &length);

    st_list_free(&h.list);
    if (!ok) return false;

    // places from the end of the part become places in the array
    const size_t begin = plan->numbers, end = begin + length;
    for (int32_t s = plan->groups[g].first; s < plan->groups[g].end; s++) {
        st_ldl_front *f = &plan->fronts[s];
        if (f->group != g) continue;
        f->panel += begin;
        f->update = end - f->update;
        f->scratch = end - f->scratch;
    }

    plan->numbers = end;
    plan->vectors = begin + panels;
    return true;
}

bool st_ldl_make_places(st_ldl_plan *plan) {
    for (int32_t g = 0; g < plan->group_count; g++)
        if (!place_group(plan, g)) return false;

    const size_t solve = plan->padded + plan->most_below + plan->most_pivots * ST_LDL_TILE;
    plan->numbers = ldl_places_larger(plan->numbers, plan->vectors + solve);
    return true;
}
