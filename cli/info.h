// What the three forms of `settee info` (text, JSON, Markdown) share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLI_INFO_H
#define SETTEE_CLI_INFO_H

#include "cli.h"

typedef struct st_cli_classes { // sorted by kind, those without effect at the end
    st_class_description *data;
    size_t count;
} st_cli_classes;

bool st_cli_classes_create(st_cli_classes *classes); // false: out of memory; the caller frees data
bool st_cli_find_class(const char *name, st_class_description *description);
const char *st_cli_kind_title(const st_class_description *description);
size_t st_cli_first_sentence(const char *text); // its length, without the period

#endif
