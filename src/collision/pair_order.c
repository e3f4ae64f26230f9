// The order of pairs of models: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/pair_order.h"

static void number(st_pair_order *order, const void *model) {
    if (st_pointer_table_get(&order->numbers, model, NULL) != SIZE_MAX) return;
    if (!st_pointer_table_put(&order->numbers, model, NULL, order->count++)) order->failed = true;
}

static void number_both(st_pair_order *order, st_pair_key pair) {
    number(order, pair.second);
    number(order, pair.first);
}

void st_pair_order_append(st_pair_order *order, st_pair_key found, st_pair_key fresh) {
    number_both(order, found);
    number_both(order, fresh);
}

void st_pair_order_look(st_pair_order *order, st_pair_key found, st_pair_key fresh) {
    number_both(order, fresh);
    number_both(order, found);
}

static void find_rank(const st_pair_order *order, st_ranked_pair *pair) {
    pair->rank.first = st_pointer_table_get(&order->numbers, pair->key.first, NULL);
    pair->rank.second = st_pointer_table_get(&order->numbers, pair->key.second, NULL);
    pair->rank.known = pair->rank.first != SIZE_MAX && pair->rank.second != SIZE_MAX;
}

static bool comes_before(const st_ranked_pair *a, const st_ranked_pair *b) {
    return a->rank.first != b->rank.first ? a->rank.first < b->rank.first : a->rank.second < b->rank.second;
}

static void pair_order_swap(st_ranked_pair **pairs, size_t a, size_t b) {
    st_ranked_pair *kept = pairs[a];
    pairs[a] = pairs[b];
    pairs[b] = kept;
}

// A heap, in place. No two pairs have the same rank.
static void heap_sort(st_ranked_pair **pairs, size_t count) {
    for (size_t begin = count / 2, end = count; end > 1;) {
        if (begin > 0) begin--;                // one more subtree becomes a heap
        else pair_order_swap(pairs, 0, --end); // the last goes to its place

        for (size_t at = begin, below = 2 * at + 1; below < end; at = below, below = 2 * at + 1) {
            if (below + 1 < end && comes_before(pairs[below], pairs[below + 1])) below++;
            if (!comes_before(pairs[at], pairs[below])) break;
            pair_order_swap(pairs, at, below);
        }
    }
}

void st_pair_order_sort(const st_pair_order *order, st_ranked_pair **pairs, size_t count) {
    if (count < 2) return;
    bool sorted = true;

    // in most steps the pairs of the last one are in order, and no other has come
    for (size_t i = 0; i < count; i++) {
        if (!pairs[i]->rank.known) find_rank(order, pairs[i]);
        if (i > 0 && !comes_before(pairs[i - 1], pairs[i])) sorted = false;
    }
    if (!sorted) heap_sort(pairs, count);
}

void st_pair_order_free(st_pair_order *order) {
    st_pointer_table_free(&order->numbers);
    order->count = 0;
    order->failed = false;
}
