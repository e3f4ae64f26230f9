// Numbers of nodes: usually 1, 2, 3, ...; with some holes in them a table finds their places; numbers that are far
// apart are sorted and searched, so that memory is not taken on the word of a number.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/file/gmsh_nodes.h"

#include <stdlib.h>

#include "base/array.h"

bool st_gmsh_nodes_add(st_gmsh_nodes *nodes, int32_t number) {
    const size_t count = nodes->numbers.count;

    if (count == 0) {
        nodes->in_order = true;
        nodes->smallest = nodes->largest = number;
    }

    // a run without holes is smallest, smallest + 1, ... and needs no table
    nodes->in_order = nodes->in_order && (int64_t)number - nodes->smallest == (int64_t)count;
    if (number < nodes->smallest) nodes->smallest = number;
    if (number > nodes->largest) nodes->largest = number;
    return st_list_push(&nodes->numbers, number);
}

static bool make_table(st_gmsh_nodes *nodes, size_t range) {
    if (!st_list_set_count(&nodes->table, range, 1)) return false;

    for (size_t i = 0; i < nodes->numbers.count; i++)
        nodes->table.data[(int64_t)nodes->numbers.data[i] - nodes->smallest] = (uint32_t)i + 1;
    return true;
}

typedef struct numbered {
    int32_t number;
    uint32_t place;
} numbered;

static int gmsh_nodes_compare(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool gmsh_nodes_sort(st_gmsh_nodes *nodes) {
    const size_t count = nodes->numbers.count;
    numbered *list = st_alloc(count, sizeof *list);
    const bool ok = list && st_list_set_count(&nodes->sorted, count, 1);

    // equal numbers keep their order, so that the last of them is found
    for (size_t i = 0; ok && i < count; i++) list[i] = (numbered){nodes->numbers.data[i], (uint32_t)i};
    if (ok) qsort(list, count, sizeof *list, gmsh_nodes_compare);
    for (size_t i = 0; ok && i < count; i++) nodes->sorted.data[i] = list[i].place;

    st_free(list);
    return ok;
}

bool st_gmsh_nodes_sort(st_gmsh_nodes *nodes) {
    enum { HOLES = 8, FEW = 1024 };

    const size_t count = nodes->numbers.count;
    const size_t range = (size_t)((int64_t)nodes->largest - nodes->smallest) + 1;

    if (nodes->in_order || count == 0) return true;
    return range <= HOLES * count + FEW ? make_table(nodes, range) : gmsh_nodes_sort(nodes);
}

static uint32_t gmsh_nodes_search(const st_gmsh_nodes *nodes, int32_t number) {
    size_t low = 0, high = nodes->sorted.count; // the first that is larger

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (nodes->numbers.data[nodes->sorted.data[middle]] <= number) low = middle + 1;
        else high = middle;
    }

    if (low == 0) return ST_INVALID_INDEX;
    const uint32_t place = nodes->sorted.data[low - 1];
    return nodes->numbers.data[place] == number ? place : ST_INVALID_INDEX;
}

uint32_t st_gmsh_nodes_find(const st_gmsh_nodes *nodes, int32_t number) {
    if (nodes->numbers.count == 0 || number < nodes->smallest || number > nodes->largest) return ST_INVALID_INDEX;

    const int64_t at = (int64_t)number - nodes->smallest;
    if (nodes->in_order) return (uint32_t)at;
    if (nodes->table.count) return nodes->table.data[at] - 1; // 0 - 1 is ST_INVALID_INDEX
    return gmsh_nodes_search(nodes, number);
}

void st_gmsh_nodes_free(st_gmsh_nodes *nodes) {
    st_list_free(&nodes->numbers);
    st_list_free(&nodes->table);
    st_list_free(&nodes->sorted);
}
