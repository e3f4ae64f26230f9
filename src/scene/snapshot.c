// Keeping and putting back what changes of meshes touch: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/snapshot.h"

#include "scene/field_reader.h"

typedef struct kept_value {
    st_object *object;
    void *member; // of the object
    size_t bytes; // of one element of a list, else of the value
    bool list;
    int field; // -1: no field
    size_t count;
    void *data;
} kept_value;

typedef ST_LIST(kept_value) kept_values;

struct st_snapshot {
    kept_values values;
};

const st_attached *st_attached_next(const st_object *object, st_attached_walk *walk) {
    if (!walk->type) walk->type = st_resolved(object->type)->origin;

    for (; walk->type; walk->type = walk->type->parent, walk->at = 0) {
        const st_attached *row = walk->type->attached;
        if (row && row[walk->at].bytes) return &row[walk->at++];
    }
    return NULL;
}

// The largest numbers stand for sizes that depend on the template (settee/plugin/change.h).
size_t st_attached_bytes(const st_object *object, const st_attached *row) {
    if (row->bytes < SIZE_MAX - 1) return row->bytes;
    const st_dof *dof = object->dof ? object->dof : &st_vec3;
    return sizeof(st_real) * (row->bytes == SIZE_MAX ? dof->coord : dof->deriv);
}

// ---------------------------------------------------------------------------------------------------
// Taking
// ---------------------------------------------------------------------------------------------------

static bool keep_value(struct st_snapshot *snapshot, kept_value value) {
    const st_any_list *list = value.member;
    value.count = value.list ? list->count : 1;

    value.data = st_alloc(value.count, value.bytes);
    if (!value.data) return false;
    st_copy_bytes(value.data, value.list ? list->data : value.member, value.count * value.bytes);
    if (st_list_push(&snapshot->values, value)) return true;
    st_free(value.data);
    return false;
}

// Meshes and states: every list of numbers. Other components: what they declare. Fields that a program has added are its own.
static bool is_kept(const st_object *object, const st_field *field) {
    const bool numbers = field->type->scalar != ST_SCALAR_STRING && field->type->scalar != ST_SCALAR_LINK;
    const bool holder = object->type->topology || object->type->state;
    return numbers && !st_is_added(field) && (field->mesh > 0 || (holder && field->type->list));
}

static bool keep_object(struct st_snapshot *snapshot, st_object *object) {
    bool ok = true;

    for (uint32_t i = 0; ok && i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (!is_kept(object, field)) continue;
        const kept_value value = {.object = object,
                                  .member = st_member(object, field),
                                  .bytes = st_scalar_size(field->type->scalar) * st_field_width(object, field->type),
                                  .list = field->type->list,
                                  .field = (int)i};
        ok = keep_value(snapshot, value);
    }

    // lists that are no fields
    st_attached_walk walk = {0};
    const st_attached *row;
    while (ok && (row = st_attached_next(object, &walk))) {
        const kept_value value = {.object = object,
                                  .member = (char *)object + row->offset,
                                  .bytes = st_attached_bytes(object, row),
                                  .list = true,
                                  .field = -1};
        ok = keep_value(snapshot, value);
    }
    return ok;
}

static bool keep_node(struct st_snapshot *snapshot, const st_node *node) {
    bool ok = true;
    for (size_t i = 0; ok && i < node->objects.count; i++) ok = keep_object(snapshot, node->objects.data[i]);
    for (size_t i = 0; ok && i < node->children.count; i++) ok = keep_node(snapshot, node->children.data[i]);
    return ok;
}

bool st_snapshot_take(st_scene *scene) {
    if (scene->snapshot) return true;
    scene->snapshot = st_alloc(1, sizeof *scene->snapshot);
    if (scene->snapshot && keep_node(scene->snapshot, scene->root)) return true;

    st_snapshot_free(scene);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Putting back
// ---------------------------------------------------------------------------------------------------

static bool put_back(const kept_value *value) {
    void *member = value->member;
    st_any_list *list = member;

    // what is the same already was not written
    const void *present = value->list ? list->data : member;
    if ((!value->list || list->count == value->count) &&
        (value->count == 0 || memcmp(present, value->data, value->count * value->bytes) == 0))
        return true;

    if (value->list && !st_list_set_count_bytes(list, value->count, value->bytes)) return false;
    st_copy_bytes(value->list ? list->data : member, value->data, value->count * value->bytes);
    if (value->field >= 0) {
        const bool was_set = value->object->data[value->field].set;
        st_touch_index(value->object, (uint32_t)value->field);
        value->object->data[value->field].set = was_set;
    }
    return true;
}

static bool note_objects(const st_node *node, st_pointer_table *known) {
    bool ok = true;
    for (size_t i = 0; ok && i < node->objects.count; i++)
        ok = st_pointer_table_put(known, node->objects.data[i], NULL, 0);
    for (size_t i = 0; ok && i < node->children.count; i++) ok = note_objects(node->children.data[i], known);
    return ok;
}

bool st_snapshot_restore(st_scene *scene) {
    struct st_snapshot *snapshot = scene->snapshot;
    if (!snapshot) return true;

    // components may be gone since
    st_pointer_table known = {0};
    bool ok = note_objects(scene->root, &known);
    for (size_t i = 0; ok && i < snapshot->values.count; i++)
        if (st_pointer_table_get(&known, snapshot->values.data[i].object, NULL) != SIZE_MAX)
            ok = put_back(&snapshot->values.data[i]);
    st_pointer_table_free(&known);

    if (ok) st_snapshot_free(scene);
    return ok;
}

size_t st_snapshot_count(const st_object *object, const void *list) {
    const struct st_snapshot *snapshot = object->scene->snapshot;
    for (size_t i = 0; snapshot && i < snapshot->values.count; i++) {
        const kept_value *value = &snapshot->values.data[i];
        if (value->object == object && value->member == list) return value->count;
    }
    return 0;
}

void st_snapshot_free(st_scene *scene) {
    struct st_snapshot *snapshot = scene->snapshot;
    if (!snapshot) return;

    for (size_t i = 0; i < snapshot->values.count; i++) st_free(snapshot->values.data[i].data);
    st_list_free(&snapshot->values);
    st_free(snapshot);
    scene->snapshot = NULL;
}
