// What every mapping does with its states: finding their types, counting them, sizing its children. See states.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/states.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 32 };

bool st_mapping_read_types(const char *text, size_t count, const st_dof **types) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(text, ",");
        char name[NAME_MAX_LENGTH];
        if (length >= sizeof name) return false;

        memcpy(name, text, length);
        name[length] = '\0';

        types[i] = st_dof_by_name(name, NULL);
        text += length;

        // a comma between two types, none behind the last one
        if (!types[i] || (*text == ',') != (i + 1 < count)) return false;
        text += i + 1 < count;
    }
    return true;
}

static bool all_there(st_object *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!list[i]) return false;
    return count > 0;
}

bool st_mapping_has_states(const st_mapping *mapping) {
    return all_there(mapping->input.data, mapping->input.count) &&
           all_there(mapping->output.data, mapping->output.count);
}

st_status st_mapping_size_child(st_mapping *mapping, size_t output, size_t count) {
    st_state *child = st_mapping_output(mapping, output);

    if (child->size == count || st_state_resize(child, count) == ST_OK) return ST_OK;
    return st_invalid(&mapping->object, "out of memory for the %zu points of the child", count);
}

st_status st_mapping_check_vertices(st_object *object, const st_uints *elements, size_t size, size_t points) {
    for (size_t i = 0; i < elements->count * size; i++)
        if (elements->data[i] >= points)
            return st_invalid(object, "the mesh uses point %u, but the parent state has only %zu", elements->data[i],
                              points);
    return ST_OK;
}

bool st_mapping_has_input(const st_mapping *mapping, const st_state *state) {
    for (size_t i = 0; i < mapping->input.count; i++)
        if (st_mapping_input(mapping, i) == state) return true;
    return false;
}
