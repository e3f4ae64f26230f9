// Growing arrays (ST_LIST) and the allocation calls behind them.
//
// All memory of the library goes through st_alloc/st_resize/st_free, so that a failing allocation is
// one code path: they return NULL and the caller answers ST_OUT_OF_MEMORY. Sizes are checked for
// overflow here, once.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_ARRAY_H
#define SETTEE_BASE_ARRAY_H

#include <string.h>

#include "settee/types.h"

// Zeroed memory for count items of the given size, aligned for SIMD (64 bytes); NULL when there is none or
// when count * size overflows. count = 0 gives a valid pointer.
void *st_alloc(size_t count, size_t size);
// Grows or shrinks a block of st_alloc; new bytes are zero. On failure the old block stays valid.
void *st_resize(void *block, size_t old_count, size_t new_count, size_t size);
void st_free(void *block);
// Keeps the memory of a block after it is freed, or moved by a resize, until it is released as often as it was retained.
// `block` is one of st_alloc, by its first byte. Both may be called by any thread.
void st_retain(void *block);
void st_release(void *block);
char *st_string_copy(const char *text);                          // NULL text gives NULL
char *st_string_copy_n(const char *text, size_t length);         // first `length` bytes
char *st_string_format(const char *format, ...) ST_PRINTF(1, 2); // allocated

// The common shape of every ST_LIST, for code that works on any of them.
typedef ST_LIST(void) st_any_list;

// Makes room for `count` elements of `size` bytes (size = bytes of one *element*).
bool st_list_reserve_bytes(st_any_list *list, size_t count, size_t size);
// Sets the count; new elements are zero bytes.
bool st_list_set_count_bytes(st_any_list *list, size_t count, size_t size);

#define st_list_reserve(list, n, width)                                                                                \
    st_list_reserve_bytes((st_any_list *)(void *)(list), (n), sizeof(*(list)->data) * (size_t)(width))
#define st_list_set_count(list, n, width)                                                                              \
    st_list_set_count_bytes((st_any_list *)(void *)(list), (n), sizeof(*(list)->data) * (size_t)(width))
// Appends one scalar element; false when out of memory.
#define st_list_push(list, value)                                                                                      \
    (st_list_set_count((list), (list)->count + 1, 1) ? ((list)->data[(list)->count - 1] = (value), true) : false)
#define st_list_free(list) (st_free((list)->data), (list)->data = NULL, (list)->count = 0, (list)->capacity = 0)

// memcpy that takes zero bytes from nowhere to nowhere.
static inline void st_copy_bytes(void *to, const void *from, size_t bytes) {
    if (bytes) memcpy(to, from, bytes);
}
#define st_copy_reals(to, from, count) st_copy_bytes((to), (from), (count) * sizeof(st_real))

void st_strings_free(st_strings *list); // frees the strings, too

#endif
