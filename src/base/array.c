// Memory of the library. A block begins with a header of one alignment that counts its users: the owner, and those who
// retain it. The last one to go frees it.
//
//     | users | ........ | what the caller sees, aligned to 64 bytes ...
//     header             block
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // madvise
#endif
#include "base/array.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

typedef struct header {
    const void *block; // the one after this header, which tells it from other memory
    atomic_size_t users;
} header;

_Static_assert(sizeof(header) <= ALIGNMENT, "the header of a block fits before it");

static header *header_of(void *block) { return (header *)(void *)((char *)block - ALIGNMENT); }

static bool byte_count(size_t count, size_t size, size_t *bytes) {
    if (size != 0 && count > (SIZE_MAX - 2 * ALIGNMENT) / size) return false;
    *bytes = count * size;
    return true;
}

// aligned_alloc wants a multiple of the alignment, and never zero bytes. Large arrays ask for huge pages where the
// system has them on request: streaming over 64 MB is then a fourth faster. The ends that are not a whole page stay in
// small ones: an array that begins with a huge page would take up to one more.
static void *raw(size_t bytes) {
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *memory = aligned_alloc(ALIGNMENT, ALIGNMENT + (rounded ? rounded : ALIGNMENT));
    if (!memory) return NULL;

    // one user, the owner
    char *block = memory + ALIGNMENT;
    header *h = header_of(block);
    h->block = block;
    atomic_init(&h->users, 1);

#ifdef MADV_HUGEPAGE
    if (bytes >= 2 * HUGE_PAGE) {
        const size_t before = (HUGE_PAGE - (uintptr_t)block % HUGE_PAGE) % HUGE_PAGE;
        (void)madvise(block + before, (bytes - before) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); // a request
    }
#endif

    return block;
}

void *st_alloc(size_t count, size_t size) {
    size_t bytes;
    if (!byte_count(count, size, &bytes)) return NULL;

    void *block = raw(bytes);
    if (block) memset(block, 0, bytes);
    return block;
}

void *st_resize(void *block, size_t old_count, size_t new_count, size_t size) {
    size_t old_bytes, new_bytes;
    if (!byte_count(old_count, size, &old_bytes) || !byte_count(new_count, size, &new_bytes)) return NULL;

    void *fresh = raw(new_bytes);
    if (!fresh) return NULL;

    // keeps what fits in both, and clears what is new
    const size_t kept = old_bytes < new_bytes ? old_bytes : new_bytes;
    if (block && kept) memcpy(fresh, block, kept);
    memset((char *)fresh + kept, 0, new_bytes - kept);
    st_free(block);
    return fresh;
}

// The owner and those who retain a block leave it in any order, on any thread: the last one frees it.
void st_free(void *block) {
    if (block && atomic_fetch_sub(&header_of(block)->users, 1) == 1) free(header_of(block));
}

void st_retain(void *block) {
    assert(header_of(block)->block == block);
    atomic_fetch_add(&header_of(block)->users, 1);
}

void st_release(void *block) { st_free(block); }

char *st_string_copy_n(const char *text, size_t length) {
    char *copy = st_alloc(length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *st_string_copy(const char *text) { return text ? st_string_copy_n(text, strlen(text)) : NULL; }

char *st_string_format(const char *format, ...) {
    va_list arguments;

    // the length first, then the text
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);

    char *text = length < 0 ? NULL : st_alloc((size_t)length + 1, 1);
    if (!text) return NULL;

    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

bool st_list_reserve_bytes(st_any_list *list, size_t count, size_t size) {
    if (count <= list->capacity) return true;

    // grows by half, so that adding one by one costs the same on average
    size_t capacity = list->capacity + list->capacity / 2;
    if (capacity < count) capacity = count;
    void *data = st_resize(list->data, list->capacity, capacity, size);
    if (!data) return false;

    list->data = data;
    list->capacity = capacity;
    return true;
}

bool st_list_set_count_bytes(st_any_list *list, size_t count, size_t size) {
    if (!st_list_reserve_bytes(list, count, size)) return false;

    if (count > list->count) memset((char *)list->data + list->count * size, 0, (count - list->count) * size);
    list->count = count;
    return true;
}

void st_strings_free(st_strings *list) {
    for (size_t i = 0; i < list->count; i++) st_free(list->data[i]);
    st_list_free(list);
}
