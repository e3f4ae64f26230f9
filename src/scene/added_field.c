// Fields that a program adds to one object while it is there.
//
// An object begins with the fields of its class. The first one that is added gives it a list of its own, with those of the
// class first; everything that walks through fields by st_fields finds them. The values are outside of the object.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/field_reader.h"
#include "scene/scene.h"

// Options need labels, links and files a place in the scene: these cannot be added.
static const st_type *type_by_name(const char *name) {
    static const st_type *const types[] = {
        // one value
        &st_type_bool,
        &st_type_int,
        &st_type_uint,
        &st_type_real,
        &st_type_string,
        &st_type_bool3,
        &st_type_int2,
        &st_type_int3,
        &st_type_uint2,
        &st_type_vec2,
        &st_type_vec3,
        &st_type_vec4,
        &st_type_vec6,
        &st_type_quat,
        &st_type_mat3,
        &st_type_mat4,
        &st_type_box,
        &st_type_color,
        &st_type_coord,
        &st_type_deriv,

        // lists
        &st_type_reals,
        &st_type_ints,
        &st_type_bools,
        &st_type_indices,
        &st_type_index_set,
        &st_type_words,
        &st_type_vec2s,
        &st_type_vec3s,
        &st_type_vec4s,
        &st_type_vec6s,
        &st_type_quats,
        &st_type_boxes,
        &st_type_coords,
        &st_type_derivs,
        &st_type_edges,
        &st_type_triangles,
        &st_type_quads,
        &st_type_tetrahedra,
        &st_type_hexahedra,
        &st_type_prisms,
        &st_type_pyramids,
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

static st_status refuse_field(const st_object *object, const char *name, const char *why, const char *what) {
    st_message(object, ST_ERROR, "the field '%.120s' cannot be added: %s%.120s", name, why, what);
    return ST_INVALID;
}

static void free_added(st_added_field *added) {
    if (!added) return;

    // the value, unless the object has freed it
    const st_type *type = added->field.type;
    if (type->list && type->scalar == ST_SCALAR_STRING) st_strings_free((st_strings *)&added->value.list);
    else if (type->list) st_list_free(&added->value.list);
    else if (type->scalar == ST_SCALAR_STRING) st_free(added->value.text);

    st_free((char *)(uintptr_t)added->field.name);
    st_free((char *)(uintptr_t)added->field.value);
    st_free((char *)(uintptr_t)added->field.help);
    st_free(added);
}

static st_added_field *create_added(const char *name, const st_type *type, const char *value, const char *help) {
    st_added_field *added = st_alloc(1, sizeof *added);
    if (!added) return NULL;

    added->field = (st_field){.name = st_string_copy(name),
                              .type = type,
                              .offset = ST_NO_OFFSET,
                              .value = st_string_copy(value),
                              .help = st_string_copy(help ? help : "")};
    if (added->field.name && added->field.help && (added->field.value || !value)) return added;
    free_added(added);
    return NULL;
}

static bool has_own_list(const st_object *object) {
    return object->record->fields != st_resolved(object->type)->fields;
}

// Appends it to the object's lists; nothing is changed without memory.
static bool append_added(st_object *object, st_added_field *added) {
    struct st_object_record *record = object->record;
    const size_t count = record->field_count;
    const st_field **fields = st_alloc(count + 1, sizeof *fields);
    st_data *data = st_alloc(count + 2, sizeof *data);

    if (!fields || !data || !st_list_push(&record->added, added)) {
        st_free(fields);
        st_free(data);
        return false;
    }

    // what is there, then the new one
    memcpy(fields, record->fields, count * sizeof *fields);
    memcpy(data, object->data, count * sizeof *data);
    fields[count] = &added->field;
    data[count].set = added->field.value != NULL;

    // the class's own list stays
    if (has_own_list(object)) st_free((void *)(uintptr_t)record->fields);
    st_free(object->data);
    record->fields = fields;
    record->field_count = count + 1;
    object->data = data;
    return true;
}

st_status st_add_field(st_object *object, const char *name, const char *type_name, const char *value,
                       const char *help) {
    const st_type *type = type_by_name(type_name);

    // what a path or an attribute could not name, or names already
    if (!*name || strpbrk(name, " \t\n@./[]\"<>&="))
        return refuse_field(object, name, "a name has no blanks and none of @ . / [ ] \" < > & =", "");
    if (st_field_by_name(object, name) >= 0) return refuse_field(object, name, "there is a field of this name", "");
    if (!type) return refuse_field(object, name, "it cannot be of type ", type_name);

    // a rigid position is the identity where nothing else is given
    st_added_field *added = create_added(name, type, value, help);
    if (added && type == &st_type_coord && object->dof) st_dof_set_zero(object->dof, added->value.scalars);

    // its value, then its place
    char why[160] = "";
    st_read_result read = added ? ST_READ_OK : ST_READ_MEMORY;
    if (added && value)
        read = st_field_read(type, st_field_width(object, type), NULL, &added->value, value, why, sizeof why);
    if (read == ST_READ_OK && append_added(object, added)) return ST_OK;

    free_added(added);
    if (read == ST_READ_WARN) return refuse_field(object, name, "its value cannot be read: ", why);
    st_message(object, ST_ERROR, "out of memory: the field '%.120s'", name);
    return ST_OUT_OF_MEMORY;
}

void st_free_added_fields(st_object *object) {
    struct st_object_record *record = object->record;
    if (has_own_list(object)) st_free((void *)(uintptr_t)record->fields);
    for (size_t i = 0; i < record->added.count; i++) free_added(record->added.data[i]);
    st_list_free(&record->added);
}
