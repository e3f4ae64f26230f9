// The libraries of direct solvers. See direct.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/direct.h"

#include <stdio.h>
#include <string.h>

#include "linalg/direct_libraries.h" // made by the build

#define DECLARE(library) extern const st_direct_library library;
#define LIST(library) &library,
ST_DIRECT_LIBRARIES(DECLARE)

static const st_direct_library *const libraries[] = {ST_DIRECT_LIBRARIES(LIST)};
enum { COUNT = sizeof libraries / sizeof *libraries };

static bool is_before(const st_direct_library *a, const st_direct_library *b) {
    return a->rank != b->rank ? a->rank < b->rank : strcmp(a->name, b->name) < 0;
}

// The first one for a method that comes after another; `after` is NULL for the first of all; NULL: there is none left.
static const st_direct_library *next(st_direct_method method, const st_direct_library *after) {
    const st_direct_library *found = NULL;
    for (int i = 0; i < COUNT; i++)
        if ((libraries[i]->methods & 1u << method) && (!after || is_before(after, libraries[i])) &&
            (!found || is_before(libraries[i], found)))
            found = libraries[i];
    return found;
}

const st_direct_library *st_direct_find(const char *name, st_direct_method method) {
    const st_direct_library *library = next(method, NULL);
    if (!name || !*name) return library;
    while (library && strcmp(library->name, name) != 0) library = next(method, library);
    return library;
}

void st_direct_names(st_direct_method method, char *text, size_t size) {
    size_t used = 0;
    if (size > 0) text[0] = '\0';

    // by rank
    for (const st_direct_library *l = next(method, NULL); l && used < size; l = next(method, l)) {
        const int length = snprintf(text + used, size - used, "%s%s", used ? " " : "", l->name);
        if (length > 0) used += (size_t)length;
    }
}
