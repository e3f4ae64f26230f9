// Opening a cut, and making the change: see the header.
//
// Around each point of an opened facet the elements are grouped: those with a common facet at that point hang together unless
// the facet is opened. One group keeps the point, every other one gets a copy of it.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/array.h"
#include "topology/cut/cut.h"
#include "topology/recipes.h"

// ---------------------------------------------------------------------------------------------------
// Points that part
// ---------------------------------------------------------------------------------------------------

typedef struct spoke {
    uint32_t facet[2]; // its vertices besides the point, sorted; the second is ST_INVALID_INDEX for edges
    uint32_t element;  // place among those around the point
} spoke;

typedef struct parting {
    st_cut *cut;
    bool *open;             // of each point, new ones, too: on an opened facet
    uint32_t *starts, *ids; // elements around open points
    ST_LIST(spoke) spokes;  // work space
    st_uints group;
    st_uints renames; // place among the vertices, new number
} parting;

static size_t all_points(const st_cut *cut) { return cut->points + cut->starts.count - 1; }
static size_t all_elements(const st_cut *cut) { return cut->vertices.count / cut->size; }
static bool is_gone(const st_cut *cut, size_t element) { return element < cut->elements && cut->gone.data[element]; }

static bool list_open_points(parting *p) {
    const st_cut *cut = p->cut;
    const size_t points = all_points(cut);
    p->open = p->open ? p->open : st_alloc(points, sizeof *p->open);
    p->starts = st_alloc(points + 1, sizeof *p->starts);
    if (!p->open || !p->starts) return false;

    // the points of opened facets, and those that the caller names
    for (size_t i = 0; i < cut->opened.slot_count; i++)
        for (size_t k = 0; cut->opened.slots[i].value != ST_INVALID_INDEX && k + 1 < cut->size; k++)
            p->open[cut->opened.slots[i].key[k]] = true;

    // count, sum, fill
    for (int fill = 0; fill < 2; fill++) {
        for (size_t e = all_elements(cut); e-- > 0;) {
            if (is_gone(cut, e)) continue;
            for (size_t i = 0; i < cut->size; i++) {
                const uint32_t v = cut->vertices.data[e * cut->size + i];
                if (!p->open[v]) continue;
                if (fill) p->ids[--p->starts[v]] = (uint32_t)e;
                else p->starts[v]++;
            }
        }

        if (fill) break;
        uint32_t sum = 0;
        for (size_t i = 0; i <= points; i++) p->starts[i] = sum += p->starts[i];
        p->ids = st_alloc(sum, sizeof *p->ids);
        if (!p->ids) return false;
    }
    return true;
}

static int by_facet(const void *a, const void *b) {
    const spoke *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->facet[i] != y->facet[i]) return x->facet[i] < y->facet[i] ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

static uint32_t root_of(st_uints *group, uint32_t i) {
    while (group->data[i] != i) i = group->data[i] = group->data[group->data[i]];
    return i;
}

// The facets at a point of the elements around it.
static bool list_spokes(parting *p, uint32_t point) {
    const st_cut *cut = p->cut;
    const uint32_t first = p->starts[point], count = p->starts[point + 1] - first;
    p->spokes.count = 0;
    if (!st_list_set_count(&p->group, count, 1)) return false;

    // facet by facet of each element, opposite to its other vertices
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t *v = cut->vertices.data + p->ids[first + e] * cut->size;
        p->group.data[e] = e;
        for (size_t out = 0; out < cut->size; out++) {
            if (v[out] == point) continue;
            spoke s = {{ST_INVALID_INDEX, ST_INVALID_INDEX}, e};
            int n = 0;
            for (size_t i = 0; i < cut->size; i++)
                if (i != out && v[i] != point && n < 2) s.facet[n++] = v[i];

            // the same facet has the same numbers in both elements
            if (s.facet[0] > s.facet[1]) {
                const uint32_t t = s.facet[0];
                s.facet[0] = s.facet[1], s.facet[1] = t;
            }

            if (!st_list_push(&p->spokes, s)) return false;
        }
    }

    // equal facets come one after the other
    if (p->spokes.count) qsort(p->spokes.data, p->spokes.count, sizeof *p->spokes.data, by_facet);
    return true;
}

static void join_groups(parting *p, uint32_t point) {
    const st_cut *cut = p->cut;
    for (size_t i = 1; i < p->spokes.count; i++) {
        const spoke *a = &p->spokes.data[i - 1], *b = &p->spokes.data[i];

        // two elements with the same facet, which is not opened
        const uint32_t facet[3] = {point, a->facet[0], a->facet[1]};
        if (a->facet[0] != b->facet[0] || a->facet[1] != b->facet[1]) continue;
        if (st_element_set_find(&cut->opened, facet, (int)cut->size - 1) != ST_INVALID_INDEX) continue;

        // the smaller number is the root
        const uint32_t x = root_of(&p->group, a->element), y = root_of(&p->group, b->element);
        if (x < y) p->group.data[y] = x;
        else p->group.data[x] = y;
    }
}

// A point at the same place: with the same ancestors, or the point itself as the only one.
static uint32_t copy_point(st_cut *cut, uint32_t point) {
    static const st_real one = 1;
    if (point < cut->points) return st_cut_add_point(cut, &point, &one, 1);

    // the lists may move while they grow
    uint32_t ancestors[4];
    st_real weights[4];
    const size_t k = point - cut->points, first = cut->starts.data[k], count = cut->starts.data[k + 1] - first;
    memcpy(ancestors, cut->ancestors.data + first, count * sizeof *ancestors);
    memcpy(weights, cut->weights.data + first, count * sizeof *weights);
    return st_cut_add_point(cut, ancestors, weights, count);
}

// Corners that get another number are noted: names must stay until all points are done.
static bool note_rename(parting *p, uint32_t element, uint32_t point, uint32_t copy) {
    const uint32_t *v = p->cut->vertices.data + element * p->cut->size;
    uint32_t corner = 0;
    while (v[corner] != point) corner++;
    return st_list_push(&p->renames, (uint32_t)(element * p->cut->size + corner)) && st_list_push(&p->renames, copy);
}

static bool part_point(parting *p, uint32_t point) {
    if (!list_spokes(p, point)) return false;
    join_groups(p, point);

    // the group of the first element keeps the point; a copy for each other one
    for (uint32_t e = 1; e < p->group.count; e++) {
        if (root_of(&p->group, e) != e) continue;
        const uint32_t copy = copy_point(p->cut, point);
        bool ok = copy != ST_INVALID_INDEX;
        p->cut->doubled++;

        for (uint32_t i = e; ok && i < p->group.count; i++)
            if (root_of(&p->group, i) == e) ok = note_rename(p, p->ids[p->starts[point] + i], point, copy);
        if (!ok) return false;
    }
    return true;
}

static bool part_all(parting *p) {
    st_cut *cut = p->cut;
    const size_t points = all_points(cut);
    bool ok = list_open_points(p);
    for (size_t i = 0; ok && i < points; i++)
        if (p->open[i]) ok = part_point(p, (uint32_t)i);

    // new numbers, now that all groups are known
    for (size_t i = 0; ok && i < p->renames.count; i += 2) {
        const size_t element = p->renames.data[i] / cut->size;
        cut->vertices.data[p->renames.data[i]] = p->renames.data[i + 1];
        if (element < cut->elements) cut->changed.data[element] = true;
    }

    st_free(p->open);
    st_free(p->starts);
    st_free(p->ids);
    st_list_free(&p->spokes);
    st_list_free(&p->group);
    st_list_free(&p->renames);
    return ok;
}

bool st_cut_part(st_cut *cut) { return part_all(&(parting){.cut = cut}); }

bool st_cut_open_facets(st_cut *cut, st_element kind, const st_uints *elements, size_t point_count,
                        const st_uints *facets, const st_uints *around) {
    bool ok = st_cut_start(cut, kind, elements, point_count);

    const size_t width = cut->size - 1;
    for (size_t i = 0; ok && i + width <= facets->count; i += width)
        ok = st_element_set_add(&cut->opened, facets->data + i, (int)width, 0) != ST_SET_NO_MEMORY;

    // only points of the named elements part
    parting p = {.cut = cut};
    p.open = ok ? st_alloc(point_count, sizeof *p.open) : NULL;
    if (!p.open) return false;

    for (size_t i = 0; i < around->count; i++)
        for (size_t k = 0; k < cut->size; k++) p.open[cut->vertices.data[around->data[i] * cut->size + k]] = true;
    return part_all(&p);
}

// ---------------------------------------------------------------------------------------------------
// The change
// ---------------------------------------------------------------------------------------------------

static bool list_changes(const st_cut *cut, st_uints *gone, st_uints *parents, st_uints *vertices) {
    bool ok = true;
    for (size_t e = 0; ok && e < all_elements(cut); e++) {
        // a changed element goes and comes again; a former one that did not change stays
        const bool former = e < cut->elements, changed = former && cut->changed.data[e];
        if (former && (changed || cut->gone.data[e])) ok = st_list_push(gone, (uint32_t)e);
        if (former && (!changed || cut->gone.data[e])) continue;

        ok = ok && st_list_push(parents, former ? (uint32_t)e : cut->parent.data[e - cut->elements]);
        for (size_t i = 0; ok && i < cut->size; i++) ok = st_list_push(vertices, cut->vertices.data[e * cut->size + i]);
    }
    return ok;
}

st_status st_cut_apply(st_cut *cut, st_topology *topology) {
    st_uints gone = {0}, parents = {0}, vertices = {0}, starts = {0};
    st_reals weights = {0};
    bool ok = list_changes(cut, &gone, &parents, &vertices) && st_list_set_count(&starts, parents.count + 1, 1) &&
              st_list_set_count(&weights, parents.count, 1);
    for (size_t i = 0; ok && i < parents.count; i++) starts.data[i + 1] = (uint32_t)i + 1, weights.data[i] = 1;

    // points, new elements, then the former ones go with the faces and edges that they alone had
    st_status status = ok ? ST_OK : ST_OUT_OF_MEMORY;
    const st_origin points = {cut->starts.data, cut->ancestors.data, cut->weights.data};
    const st_origin elements = {starts.data, parents.data, weights.data};
    if (ok) status = st_edit_add_inheriting_points(topology, cut->starts.count - 1, &points);
    if (status == ST_OK && parents.count)
        status = st_edit_add(topology, cut->kind, vertices.data, parents.count, &elements);
    if (status == ST_OK && gone.count) status = st_edit_remove(topology, cut->kind, gone.data, gone.count, true, false);

    st_list_free(&gone);
    st_list_free(&parents);
    st_list_free(&vertices);
    st_list_free(&starts);
    st_list_free(&weights);
    return status;
}
