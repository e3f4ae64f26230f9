// The libraries of direct solvers. For each method, the first of the list is the one that is taken without a wish.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/direct.h"

#include <stdio.h>
#include <string.h>

#define LIBRARIES(X)                                                                                                   \
    X(st_direct_settee)                                                                                                \
    X(st_direct_cholmod)                                                                                               \
    X(st_direct_umfpack)                                                                                               \
    X(st_direct_klu)                                                                                                   \
    X(st_direct_spqr)

#define DECLARE(library) extern const st_direct_library library;
#define LIST(library) &library,
LIBRARIES(DECLARE)

static const st_direct_library *const libraries[] = {LIBRARIES(LIST)};
enum { COUNT = sizeof libraries / sizeof *libraries };

const st_direct_library *st_direct_find(const char *name, st_direct_method method) {
    for (int i = 0; i < COUNT; i++)
        if ((libraries[i]->methods & 1u << method) && (!name || !*name || strcmp(libraries[i]->name, name) == 0))
            return libraries[i];
    return NULL;
}

void st_direct_names(st_direct_method method, char *text, size_t size) {
    size_t used = 0;
    if (size > 0) text[0] = '\0';
    for (int i = 0; i < COUNT && used < size; i++) {
        if (!(libraries[i]->methods & 1u << method)) continue;
        const int length = snprintf(text + used, size - used, "%s%s", used ? " " : "", libraries[i]->name);
        if (length > 0) used += (size_t)length;
    }
}
