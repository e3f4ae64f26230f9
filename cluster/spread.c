// Splitting a mesh. No rank ever has more of it than a slice and a part:
//
//  1. each element goes to the ranks that have its vertices in their slices; with them these know which points are
//     neighbors in their rows of the graph of points,
//  2. PETSc's partitioning gives each point its rank (-mat_partitioning_type; PT-Scotch where it is built in),
//  3. each element goes to the ranks of its vertices, each point to its own one,
//  4. a rank numbers the points held by increasing index, asks the slices for positions and places, and is done.
//
// SPDX-License-Identifier: Apache-2.0
#include "spread.h"

#include <petscmat.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 8 };

typedef struct element {
    uint32_t index;
    uint32_t vertices[MOST_VERTICES];
} element;

void st_slices_free(st_slices *slices) {
    free(slices->positions);
    for (int k = 0; k < ST_ELEMENT_KINDS; k++) free(slices->vertices[k]);
    *slices = (st_slices){0};
}

static void check_petsc(PetscErrorCode error, const char *what) {
    if (error) st_end_rank(ST_MPI_FAILED, "PETSc cannot %s (error %d)", what, (int)error);
}

static int compare_uints(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static size_t sort_unique(uint32_t *list, size_t count) {
    qsort(list, count, sizeof *list, compare_uints);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

static element slice_element(const st_slices *slices, int kind, size_t i) {
    const size_t size = st_element_size[kind];
    element e = {.index = (uint32_t)(st_slice_first(slices->elements[kind], st_rank) + i)};
    memcpy(e.vertices, slices->vertices[kind] + i * size, size * sizeof *e.vertices);
    return e;
}

// Once to each of the ranks of its vertices.
static void post_to(st_post *post, const element *e, const int *ranks, size_t size) {
    for (size_t v = 0; v < size; v++) {
        bool sent = false;
        for (size_t before = 0; before < v; before++) sent = sent || ranks[before] == ranks[v];
        if (!sent) st_post_add(post, ranks[v], e);
    }
}

// --- 1. the graph of points --------------------------------------------------------------------------------

static bool in_slice(size_t n, uint32_t point) { return st_slice_rank(n, point) == st_rank; }

// Adds to each row the other vertices of an element; without `columns` only counts them.
static void connect(const st_slices *slices, const element *e, size_t size, size_t *ends, uint32_t *columns) {
    const size_t first = st_slice_first(slices->points, st_rank);
    for (size_t v = 0; v < size; v++) {
        if (!in_slice(slices->points, e->vertices[v])) continue;
        size_t *end = &ends[e->vertices[v] - first];
        for (size_t w = 0; w < size; w++)
            if (e->vertices[w] != e->vertices[v]) {
                if (columns) columns[*end] = e->vertices[w];
                ++*end;
            }
    }
}

static Mat make_graph(const st_slices *slices) {
    const size_t rows = st_slice_count(slices->points, st_rank);
    element *near[ST_ELEMENT_KINDS];
    size_t count[ST_ELEMENT_KINDS];

    // elements to the slices of their vertices
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const size_t size = st_element_size[kind];
        st_post post = {.size = sizeof(element)};
        for (size_t i = 0; i < st_slice_count(slices->elements[kind], st_rank); i++) {
            const element e = slice_element(slices, kind, i);
            int ranks[MOST_VERTICES];
            for (size_t v = 0; v < size; v++) ranks[v] = st_slice_rank(slices->points, e.vertices[v]);
            post_to(&post, &e, ranks, size);
        }
        near[kind] = st_post_exchange(&post, &count[kind]);
    }

    // rows with repetitions: counted, then filled
    size_t *ends = st_take(rows + 1, sizeof *ends), *starts = st_take(rows + 1, sizeof *starts);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < count[kind]; i++) connect(slices, &near[kind][i], st_element_size[kind], ends, NULL);
    for (size_t i = 0; i < rows; i++) starts[i + 1] = starts[i] + ends[i];
    memcpy(ends, starts, rows * sizeof *ends);
    uint32_t *columns = st_take(starts[rows], sizeof *columns);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        for (size_t i = 0; i < count[kind]; i++) connect(slices, &near[kind][i], st_element_size[kind], ends, columns);
        free(near[kind]);
    }

    // each neighbor once; PETSc owns the arrays that it is given
    PetscInt *row_starts = NULL, *neighbors = NULL;
    size_t total = 0;
    check_petsc(PetscMalloc1(rows + 1, &row_starts), "hold the graph of the mesh");
    for (size_t i = 0; i < rows; i++) {
        const size_t begin = starts[i], kept = sort_unique(columns + begin, starts[i + 1] - begin);
        memmove(columns + total, columns + begin, kept * sizeof *columns);
        row_starts[i] = (PetscInt)total;
        total += kept;
    }
    row_starts[rows] = (PetscInt)total;
    check_petsc(PetscMalloc1(total + 1, &neighbors), "hold the graph of the mesh");
    for (size_t i = 0; i < total; i++) neighbors[i] = (PetscInt)columns[i];
    free(ends);
    free(starts);
    free(columns);

    Mat graph;
    check_petsc(MatCreateMPIAdj(PETSC_COMM_WORLD, (PetscInt)rows, (PetscInt)slices->points, row_starts, neighbors, NULL,
                                &graph),
                "hold the graph of the mesh");
    return graph;
}

// --- 2. a rank for each point ------------------------------------------------------------------------------

// For the points of the slice.
static int *choose_ranks(const st_slices *slices) {
    const size_t count = st_slice_count(slices->points, st_rank);
    int *ranks = st_take(count, sizeof *ranks);
    if (st_ranks == 1) return ranks;

    // PETSc gives a part to each row of the graph
    Mat graph = make_graph(slices);
    MatPartitioning partitioning;
    IS chosen;
    const PetscInt *values;
    check_petsc(MatPartitioningCreate(PETSC_COMM_WORLD, &partitioning), "split the mesh");
    check_petsc(MatPartitioningSetAdjacency(partitioning, graph), "split the mesh");
    check_petsc(MatPartitioningSetFromOptions(partitioning), "split the mesh");
    check_petsc(MatPartitioningApply(partitioning, &chosen), "split the mesh");

    check_petsc(ISGetIndices(chosen, &values), "split the mesh");
    for (size_t i = 0; i < count; i++) ranks[i] = (int)values[i];
    ISRestoreIndices(chosen, &values);
    ISDestroy(&chosen);
    MatPartitioningDestroy(&partitioning);
    MatDestroy(&graph);
    return ranks;
}

// --- 3. elements and points to their ranks -----------------------------------------------------------------

static int compare_elements(const void *a, const void *b) {
    return compare_uints(&((const element *)a)->index, &((const element *)b)->index);
}

static element *send_elements(st_spread *spread, const st_slices *slices, int kind, const int *slice_ranks) {
    const size_t size = st_element_size[kind], count = st_slice_count(slices->elements[kind], st_rank);

    int *ranks = st_fetch(slices->points, slice_ranks, sizeof *ranks, slices->vertices[kind], count * size);
    st_post post = {.size = sizeof(element)};
    for (size_t i = 0; i < count; i++) {
        const element e = slice_element(slices, kind, i);
        post_to(&post, &e, ranks + i * size, size);
    }
    free(ranks);

    element *elements = st_post_exchange(&post, &spread->count[kind]);
    qsort(elements, spread->count[kind], sizeof *elements, compare_elements);
    return elements;
}

// Indices of the rank's own points, increasing.
static uint32_t *send_points(const st_slices *slices, const int *ranks, size_t *own) {
    const size_t first = st_slice_first(slices->points, st_rank), count = st_slice_count(slices->points, st_rank);
    st_post post = {.size = sizeof(uint32_t)};
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = (uint32_t)(first + i);
        st_post_add(&post, ranks[i], &index);
    }

    uint32_t *points = st_post_exchange(&post, own);
    qsort(points, *own, sizeof *points, compare_uints);
    return points;
}

// --- 4. what the rank holds --------------------------------------------------------------------------------

size_t st_spread_find(const st_spread *spread, uint32_t point) {
    const uint32_t *at = bsearch(&point, spread->index, spread->part.count, sizeof point, compare_uints);
    return at ? (size_t)(at - spread->index) : SIZE_MAX;
}

static void hold_points(st_spread *spread, element *const *elements, const uint32_t *own, size_t count) {
    size_t most = count;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) most += spread->count[kind] * st_element_size[kind];
    uint32_t *index = st_take(most, sizeof *index);

    // own points and all vertices, each once
    memcpy(index, own, count * sizeof *index);
    size_t at = count;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < spread->count[kind]; i++)
            for (size_t v = 0; v < st_element_size[kind]; v++) index[at++] = elements[kind][i].vertices[v];

    spread->part.count = sort_unique(index, at);
    uint32_t *fitting = realloc(index, (spread->part.count + 1) * sizeof *index);
    spread->index = fitting ? fitting : index;
}

static void hold_elements(st_spread *spread, int kind, const element *elements) {
    const size_t size = st_element_size[kind], count = spread->count[kind];
    spread->element_index[kind] = st_take(count, sizeof(uint32_t));
    spread->vertices[kind] = st_take(count * size, sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) {
        spread->element_index[kind][i] = elements[i].index;
        for (size_t v = 0; v < size; v++)
            spread->vertices[kind][i * size + v] = (uint32_t)st_spread_find(spread, elements[i].vertices[v]);
    }
}

// PETSc's numbers: rank by rank, own points by increasing index.
static void number_points(st_spread *spread, const uint32_t *own) {
    st_part *part = &spread->part;
    const PetscInt count = (PetscInt)part->own;
    part->first = 0;
    MPI_Exscan(&count, &part->first, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);

    // the slices learn the numbers, and tell them
    struct {
        uint32_t index;
        PetscInt place;
    } record, *records;
    st_post post = {.size = sizeof record};
    for (size_t i = 0; i < part->own; i++) {
        record.index = own[i];
        record.place = part->first + (PetscInt)i;
        st_post_add(&post, st_slice_rank(spread->points, own[i]), &record);
    }

    size_t received;
    records = st_post_exchange(&post, &received);
    PetscInt *slice = st_take(st_slice_count(spread->points, st_rank), sizeof *slice);
    for (size_t i = 0; i < received; i++)
        slice[records[i].index - st_slice_first(spread->points, st_rank)] = records[i].place;
    part->places = st_fetch(spread->points, slice, sizeof *slice, spread->index, part->count);
    free(records);
    free(slice);
}

void st_spread_mesh(st_spread *spread, st_slices *slices) {
    *spread = (st_spread){.points = slices->points, .part.comm = PETSC_COMM_WORLD};
    int *ranks = choose_ranks(slices);

    element *elements[ST_ELEMENT_KINDS];
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) elements[kind] = send_elements(spread, slices, kind, ranks);
    uint32_t *own = send_points(slices, ranks, &spread->part.own);
    free(ranks);

    // all ranks must have points
    size_t least = spread->part.own;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_AINT, MPI_MIN, MPI_COMM_WORLD);
    if (least == 0)
        st_end_all(ST_MPI_INVALID,
                   "the mesh of %zu points cannot be split among %d ranks: one gets no point; use fewer",
                   slices->points, st_ranks);

    hold_points(spread, elements, own, spread->part.own);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        hold_elements(spread, kind, elements[kind]);
        free(elements[kind]);
    }

    number_points(spread, own);
    spread->positions =
        st_fetch(slices->points, slices->positions, 3 * sizeof(st_real), spread->index, spread->part.count);
    free(own);
    st_slices_free(slices);
}

void st_spread_free(st_spread *spread) {
    free(spread->part.places);
    free(spread->index);
    free(spread->positions);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        free(spread->element_index[kind]);
        free(spread->vertices[kind]);
    }
    *spread = (st_spread){0};
}
