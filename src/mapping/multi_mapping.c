// The bases of mappings between lists of states: MultiMapping (input, output) and Multi2Mapping (input1, input2,
// output).
//
// The template gives one type for each list: In,Out or In1,In2,Out. Paths are tried when the component is made; each
// must lead to a state of the right type, and input and output must name one at least (input1 and input2 may be empty).
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/multi_mapping.h"

#include <string.h>

#include "base/array.h"
#include "settee/plugin/change.h"

typedef ST_LIST(st_object *) objects;

enum { LISTS_MAX = 3 };
static const char blanks[] = " \t\r\n";

// ---------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------

static bool add_state(st_object *object, const char *attribute, const char *path, const st_dof *type, objects *list) {
    st_object *found = st_find_path(object->node, path, ST_ROLE(state));

    if (!found) return st_refuse(object, "%s=\"%.120s\" leads to no state, or to several", attribute, path);
    if (found->dof != type)
        return st_refuse(object, "%s=\"%.120s\" is a state of type %s, not %s", attribute, path,
                         found->dof ? found->dof->name : "(none)", type->name);

    return st_list_push(list, found);
}

// The states that the attribute names.
static bool find_states(st_object *object, const char *attribute, const st_dof *type, bool required, objects *list) {
    const char *text = st_attribute(object, attribute);

    list->count = 0;

    // one path a word
    for (const char *s = text ? text + strspn(text, blanks) : ""; *s; s += strspn(s, blanks)) {
        const size_t length = strcspn(s, blanks);
        char *path = st_string_copy_n(s, length);
        const bool found = path && add_state(object, attribute, path, type, list);
        st_free(path);
        if (!found) return false;
        s += length;
    }

    if (required && list->count == 0) return st_refuse(object, "%s must name at least one state", attribute);
    return true;
}

// A state cannot be computed from itself.
static bool are_apart(st_object *object, const objects *parents, const st_mapping *mapping) {
    for (size_t i = 0; i < parents->count; i++)
        for (size_t k = 0; k < mapping->output.count; k++)
            if (parents->data[i] == mapping->output.data[k])
                return st_refuse(object, "the state '%s' is among its parents and its children",
                                 parents->data[i]->name ? parents->data[i]->name : "");
    return true;
}

static bool multi_mapping_accepts(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    const st_dof *types[LISTS_MAX];

    if (!object->template_ || !st_mapping_read_types(object->template_, 2, types))
        return st_refuse(object, "its template must be of the form In,Out");

    return find_states(object, "input", types[0], true, (objects *)(void *)&mapping->input) &&
           find_states(object, "output", types[1], true, (objects *)(void *)&mapping->output) &&
           are_apart(object, (const objects *)(const void *)&mapping->input, mapping);
}

static bool multi_mapping_accepts_two(st_object *object) {
    st_multi2_mapping *self = (st_multi2_mapping *)object;
    const st_dof *types[LISTS_MAX];
    if (!object->template_ || !st_mapping_read_types(object->template_, 3, types))
        return st_refuse(object, "its template must be of the form In1,In2,Out");

    // links that come later in the scene are joined again at init
    objects *first = (objects *)(void *)&self->input1, *second = (objects *)(void *)&self->input2;
    return find_states(object, "input1", types[0], false, first) &&
           find_states(object, "input2", types[1], false, second) &&
           find_states(object, "output", types[2], true, (objects *)(void *)&self->mapping.output) &&
           are_apart(object, first, &self->mapping) && are_apart(object, second, &self->mapping) &&
           st_multi2_mapping_join(object) == ST_OK;
}

st_status st_multi2_mapping_join(st_object *object) {
    st_multi2_mapping *self = (st_multi2_mapping *)object;

    self->mapping.input.count = 0;

    bool ok = true;

    for (size_t i = 0; ok && i < self->input1.count; i++) ok = st_list_push(&self->mapping.input, self->input1.data[i]);
    for (size_t i = 0; ok && i < self->input2.count; i++) ok = st_list_push(&self->mapping.input, self->input2.data[i]);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

st_status st_multi_mapping_check_pairs(st_mapping *mapping, const st_uints *pairs) {
    st_object *object = &mapping->object;
    if (pairs->count % 2) return st_invalid(object, "indexPairs has %zu numbers: they come in pairs", pairs->count);

    for (size_t i = 0; i < pairs->count; i += 2) {
        const uint32_t parent = pairs->data[i], index = pairs->data[i + 1];
        if (parent >= mapping->input.count)
            return st_invalid(object, "indexPairs: parent %u does not exist, there are %zu", parent,
                              mapping->input.count);

        const size_t size = st_mapping_input(mapping, parent)->size;
        const bool gone = index == ST_INVALID_INDEX && st_why_init(object) != ST_INIT_FIRST;
        if (index >= size && !gone)
            return st_invalid(object, "indexPairs: DOF %u does not exist, parent %u has %zu", index, parent, size);
    }
    return ST_OK;
}

static st_status multi_mapping_init_two(st_object *object) {
    const st_status status = st_multi2_mapping_join(object);
    return status == ST_OK ? st_mapping_init(object) : status;
}

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

static const st_field fields[] = {
    ST_FIELD(st_mapping, input, "input", st_type_links, NULL, "the parent states", .role = ST_ROLE(state)),
    ST_FIELD(st_mapping, output, "output", st_type_links, NULL, "the child states", .role = ST_ROLE(state)),
    ST_FIELDS_END,
};

const st_class st_multi_mapping_class = {
    .name = "MultiMapping",
    .help = "what every mapping from several states to several states has",
    .parent = &st_mapping_class,
    .fields = fields,
    .size = sizeof(st_mapping),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = multi_mapping_accepts,
};

static const st_field fields_two[] = {
    ST_FIELD(st_multi2_mapping, mapping.input, "input", st_type_links, NULL,
             "a mapping with two families of parents has input1 and input2 instead", .role = ST_ROLE(state),
             .flags = ST_FIELD_REMOVED),
    ST_FIELD(st_multi2_mapping, input1, "input1", st_type_links, NULL, "the parent states of the first kind",
             .role = ST_ROLE(state)),
    ST_FIELD(st_multi2_mapping, input2, "input2", st_type_links, NULL, "the parent states of the second kind",
             .role = ST_ROLE(state)),
    ST_FIELD(st_multi2_mapping, mapping.output, "output", st_type_links, NULL, "the child states",
             .role = ST_ROLE(state)),
    ST_FIELDS_END,
};

const st_class st_multi2_mapping_class = {
    .name = "Multi2Mapping",
    .help = "what every mapping from two families of states has",
    .parent = &st_mapping_class,
    .fields = fields_two,
    .size = sizeof(st_multi2_mapping),
    .flags = ST_CLASS_ABSTRACT,
    .accepts = multi_mapping_accepts_two,
    .init = multi_mapping_init_two,
};
