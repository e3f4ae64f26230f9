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

bool st_pair_order_less(const st_pair_order *order, st_pair_key a, st_pair_key b) {
    const size_t a1 = st_pointer_table_get(&order->numbers, a.first, NULL);
    const size_t b1 = st_pointer_table_get(&order->numbers, b.first, NULL);
    if (a1 != b1) return a1 < b1;
    return st_pointer_table_get(&order->numbers, a.second, NULL) <
           st_pointer_table_get(&order->numbers, b.second, NULL);
}

void st_pair_order_free(st_pair_order *order) {
    st_pointer_table_free(&order->numbers);
    order->count = 0;
    order->failed = false;
}
