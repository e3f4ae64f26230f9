// The order of pairs of models, which decides the order of contacts.
//
// SOFA keeps pairs in maps that are sorted by numbers of the models, and a model gets its number when it first takes
// part in a comparison, so that the order depends on who was compared first. What follows gives the same order without
// the maps. The rules, for a map with at least one pair:
//   - a pair P that is put at the end is compared with the last pair L first: numbers go to L.second, L.first,
//     P.second, P.first, in this order, where they have none;
//   - a pair P that is looked for is compared with the root R first: P.second, P.first, R.second, R.first.
// A single pair in an empty map is compared with nobody. As soon as a map has two pairs all of their models have
// numbers, so that it does not matter which of them is last or root. Numbers stay for the life of the map.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_PAIR_ORDER_H
#define SETTEE_COLLISION_PAIR_ORDER_H

#include "base/pointer_table.h"

typedef struct st_pair_key {
    const void *first, *second; // models
} st_pair_key;

typedef struct st_pair_order {
    st_pointer_table numbers;
    size_t count;
    bool failed; // out of memory
} st_pair_order;

// The pair meets another one: `found` is in the map, `fresh` is put at its end, or looked for.
void st_pair_order_append(st_pair_order *order, st_pair_key found, st_pair_key fresh);
void st_pair_order_look(st_pair_order *order, st_pair_key found, st_pair_key fresh);

// The numbers of a pair's models, kept with the pair; they do not change once they are known.
typedef struct st_pair_rank {
    size_t first, second;
    bool known;
} st_pair_rank;
// Sorts `count` pairs, each of which has met another one, by their ranks, which are found where they are not known. An
// item has a rank and a key; `count` of 0 and 1 need neither. Allocates nothing.
typedef struct st_ranked_pair {
    st_pair_rank rank;
    st_pair_key key;
} st_ranked_pair;
void st_pair_order_sort(const st_pair_order *order, st_ranked_pair **pairs, size_t count);
void st_pair_order_free(st_pair_order *order);

#endif
