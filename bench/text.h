// A text that grows, for scenes that are written by programs.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BENCH_TEXT_H
#define SETTEE_BENCH_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Zero bytes are an empty text. The owner frees `data`.
typedef struct text {
    char *data;
    size_t size, capacity;
} text;

// Appends at most some hundred characters.
__attribute__((format(printf, 2, 3))) static inline void append(text *t, const char *format, ...) {
    va_list arguments;
    if (t->capacity - t->size < 512) {
        t->capacity = 2 * t->capacity + 4096;
        t->data = realloc(t->data, t->capacity);
        if (!t->data) abort();
    }
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->data + t->size, t->capacity - t->size, format, arguments);
    va_end(arguments);
}

#endif
