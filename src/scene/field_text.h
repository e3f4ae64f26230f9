// The text of values: reading and writing every type of field in SOFA's syntax.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_FIELD_TEXT_H
#define SETTEE_SCENE_FIELD_TEXT_H

#include "base/text.h"
#include "settee/plugin/component.h"

typedef enum st_read_result {
    ST_READ_OK,
    ST_READ_WARN,   // not (fully) readable: what was read so far is kept, `why` says what was wrong
    ST_READ_MEMORY, // out of memory
} st_read_result;

// Reads text into the member of the given type: `width` scalars per element (already resolved for the template).
// Lists are replaced; fixed values are changed in place, so that what is missing keeps its old value. `why` (size
// bytes) gets a short reason with the offending token. Links (ST_SYNTAX_LINK) are not read here. ST_SYNTAX_FILE reads
// as text: the caller resolves names.
st_read_result st_field_read(const st_type *type, size_t width, const char *const *options, void *member,
                             const char *text, char *why, size_t size);

// Appends the value as text; digits = 6 is SOFA's own precision, 17 keeps every bit.
bool st_field_write(const st_type *type, size_t width, const char *const *options, const void *member, int digits,
                    st_text *out);

#endif
