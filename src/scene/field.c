// Fields of objects: where their values live, defaults, copies between types.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/field_reader.h"
#include "scene/field_text.h"
#include "scene/scene.h"

size_t st_field_width(const st_object *object, const st_type *type) {
    const st_dof *dof = object->dof ? object->dof : &st_vec3;
    switch (type->width) {
    case ST_WIDTH_COORD: return dof->coord;
    case ST_WIDTH_DERIV: return dof->deriv;
    case ST_WIDTH_ENTRY: return dof->deriv + 2;
    case ST_WIDTH_MASS: return !dof->rigid ? 1 : dof->coord == 7 ? 11 : 3;
    default: return (size_t)type->width;
    }
}

// What a component computes, and short-hands that are read when it is made, cannot be set afterwards. Links to components
// and files are read by `init`.
st_live_rule st_field_rule(const st_field *field) {
    const unsigned fixed = ST_FIELD_FIXED | ST_FIELD_OUTPUT | ST_FIELD_SHORTHAND | ST_FIELD_REMOVED;
    const bool read_by_init = field->type->syntax == ST_SYNTAX_LINK || field->type->syntax == ST_SYNTAX_FILE;
    if (field->flags & fixed) return ST_FIXED;
    return (field->flags & ST_FIELD_REINIT) || read_by_init ? ST_AT_REINIT : ST_LIVE;
}

int st_field_index(const st_object *object, const char *name) {
    for (size_t i = st_field_count(object); i-- > 0;)
        if (strcmp(st_fields(object)[i]->name, name) == 0) return (int)i;
    return -1;
}

size_t st_field_sized(const st_object *object) {
    const int index = st_field_index(object, "position");
    return index < 0 ? 0 : ((const st_any_list *)st_member(object, st_fields(object)[index]))->count;
}

int st_field_by_name(const st_object *object, const char *name) {
    const int own = st_field_index(object, name);
    if (own >= 0) return own;

    // a former name counts only where there is no such field
    for (size_t i = 0; i < st_field_count(object); i++)
        if (st_has_word(st_fields(object)[i]->aliases, name)) return (int)i;
    return -1;
}

int st_field_of_member(const st_object *object, const void *member) {
    for (size_t i = 0; i < st_field_count(object); i++)
        if (st_member(object, st_fields(object)[i]) == member) return (int)i;
    return -1;
}

// A position that nothing was read into is the type's default: for rigids the rotation is the identity.
static void fill_default_coords(const st_object *object, const st_field *field, size_t from) {
    if (field->type->width != ST_WIDTH_COORD || !object->dof || !object->dof->rigid) return;
    if (!field->type->list) {
        st_dof_set_zero(object->dof, st_member(object, field));
        return;
    }

    st_reals *list = st_member(object, field);
    for (size_t i = from; i < list->count; i++) st_dof_set_zero(object->dof, list->data + i * object->dof->coord);
}

bool st_resize_member(st_object *object, void *member, size_t count) {
    const int index = st_field_of_member(object, member);
    if (index < 0) return false;

    const st_field *field = st_fields(object)[index];
    st_any_list *list = member;
    const size_t old = list->count;
    if (!st_list_set_count_bytes(list, count,
                                 st_scalar_size(field->type->scalar) * st_field_width(object, field->type)))
        return false;

    fill_default_coords(object, field, old);
    return true;
}

st_status st_field_set_default(st_object *object, uint32_t index) {
    const st_field *field = st_fields(object)[index];
    fill_default_coords(object, field, 0);
    if (field->type->syntax == ST_SYNTAX_LINK || !field->value) return ST_OK;

    char why[160];
    const st_read_result read = st_field_read(field->type, st_field_width(object, field->type), field->options,
                                              st_member(object, field), field->value, why, sizeof why);
    return read == ST_READ_MEMORY ? ST_OUT_OF_MEMORY : ST_OK;
}

void st_field_free(st_object *object, uint32_t index) {
    const st_field *field = st_fields(object)[index];
    void *member = st_member(object, field);

    if (field->type->list) {
        if (field->type->scalar == ST_SCALAR_STRING) st_strings_free(member);
        else st_list_free((st_any_list *)member);
    } else if (field->type->scalar == ST_SCALAR_STRING) {
        st_free(*(char **)member);
        *(char **)member = NULL;
    }
}

// ---------------------------------------------------------------------------------------------------
// Copies: same types exactly, through text where a string is involved, else scalar by scalar
// ---------------------------------------------------------------------------------------------------

static double get_scalar(st_scalar scalar, const void *at, size_t k) {
    switch (scalar) {
    case ST_SCALAR_BOOL: return ((const bool *)at)[k];
    case ST_SCALAR_INT: return ((const int32_t *)at)[k];
    case ST_SCALAR_UINT: return ((const uint32_t *)at)[k];
    case ST_SCALAR_REAL: return (double)((const st_real *)at)[k];
    default: return 0;
    }
}

static void put_scalar(st_scalar scalar, void *at, size_t k, double value) {
    switch (scalar) {
    case ST_SCALAR_BOOL: ((bool *)at)[k] = value != 0; break;
    case ST_SCALAR_INT:
        // what the type cannot hold, and NaN, becomes 0
        ((int32_t *)at)[k] = value >= -2147483648.0 && value <= 2147483647.0 ? (int32_t)value : 0;
        break;
    case ST_SCALAR_UINT: ((uint32_t *)at)[k] = value >= 0 && value <= 4294967295.0 ? (uint32_t)value : 0; break;
    case ST_SCALAR_REAL: ((st_real *)at)[k] = (st_real)value; break;
    default: break;
    }
}

enum { TEXT_DIGITS = 6 }; // of a number that becomes part of a text: SOFA's own precision

static st_status copy_through_text(st_object *to, const st_field *tf, const st_object *from, const st_field *ff) {
    st_text text = {0};
    char why[160];
    st_status status = ST_OUT_OF_MEMORY;
    if (st_field_write(ff->type, st_field_width(from, ff->type), ff->options, st_member(from, ff), TEXT_DIGITS,
                       &text)) {
        const st_read_result read = st_field_read(tf->type, st_field_width(to, tf->type), tf->options,
                                                  st_member(to, tf), text.data ? text.data : "", why, sizeof why);
        status = read == ST_READ_MEMORY ? ST_OUT_OF_MEMORY : ST_OK;
    }

    st_text_free(&text);
    return status;
}

static st_status copy_numbers(st_object *to, const st_field *tf, const st_object *from, const st_field *ff) {
    const size_t tw = st_field_width(to, tf->type), fw = st_field_width(from, ff->type);
    const void *source = st_member(from, ff);

    size_t source_count = 1;
    if (ff->type->list) {
        source_count = ((const st_any_list *)source)->count;
        source = ((const st_any_list *)source)->data;
    }

    // into one value: as many scalars as fit
    if (!tf->type->list) {
        const size_t n = source_count * fw < tw ? source_count * fw : tw;
        for (size_t k = 0; k < n; k++)
            put_scalar(tf->type->scalar, st_member(to, tf), k, get_scalar(ff->type->scalar, source, k));
        return ST_OK;
    }

    // into a list: element by element
    st_any_list *list = st_member(to, tf);
    list->count = 0; // so that the resize below writes the defaults of every element
    if (!st_resize_member(to, list, source_count)) return ST_OUT_OF_MEMORY;

    // the same kind of element, else scalar by scalar
    if (tf->type->scalar == ff->type->scalar && tw == fw) {
        if (source_count) memcpy(list->data, source, source_count * fw * st_scalar_size(tf->type->scalar));
        return ST_OK;
    }

    const size_t n = fw < tw ? fw : tw;
    for (size_t i = 0; i < source_count; i++)
        for (size_t k = 0; k < n; k++)
            put_scalar(tf->type->scalar, list->data, i * tw + k, get_scalar(ff->type->scalar, source, i * fw + k));
    return ST_OK;
}

st_status st_field_copy(st_object *to, uint32_t to_index, const st_object *from, uint32_t from_index) {
    const st_field *tf = st_fields(to)[to_index], *ff = st_fields(from)[from_index];
    if (tf->type->scalar == ST_SCALAR_STRING || ff->type->scalar == ST_SCALAR_STRING)
        return copy_through_text(to, tf, from, ff);
    return copy_numbers(to, tf, from, ff);
}

const st_real *st_field_reals(st_object *object, const char *name, size_t *count, size_t *width) {
    const int index = st_field_by_name(object, name);
    const st_field *field = index < 0 ? NULL : st_fields(object)[index];
    if (!field || field->type->scalar != ST_SCALAR_REAL) return NULL;

    // an engine may have to compute it first
    st_pull_index(object, (uint32_t)index);
    *width = st_field_width(object, field->type);
    const void *member = st_member(object, field);
    *count = field->type->list ? ((const st_reals *)member)->count : 1;
    return field->type->list ? ((const st_reals *)member)->data : member;
}
