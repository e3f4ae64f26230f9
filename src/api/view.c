// Views: memory of fields that a program keeps while the scene goes on.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"

struct st_view {
    st_life *life;
    st_object *object; // of a scene that may be gone: ask `life` first
    uint32_t index;
    char *name; // of the field
    st_array array;
};

static void drop_life(st_life *life) {
    if (life && atomic_fetch_sub(&life->users, 1) == 1) st_free(life);
}

st_view *st_view_create(st_object *object, const char *field) {
    st_array array;
    const int index = object && field ? st_field_by_name(object, field) : -1;
    if (index < 0 || !st_fields(object)[index]->type->list || st_object_array(object, field, &array) != ST_OK)
        return NULL;

    st_view *view = st_alloc(1, sizeof *view);
    if (!view) return NULL;
    *view = (st_view){.object = object, .index = (uint32_t)index, .array = array};

    view->name = st_string_copy(st_fields(object)[index]->name);
    if (!view->name) {
        st_free(view);
        return NULL;
    }

    // an empty list has no memory to keep
    if (array.data) st_retain(array.data);
    view->life = object->scene->life;
    atomic_fetch_add(&view->life->users, 1);
    return view;
}

void st_view_destroy(st_view *view) {
    if (!view) return;
    if (view->array.data) st_release(view->array.data);
    drop_life(view->life);
    st_free(view->name);
    st_free(view);
}

st_array st_view_array(const st_view *view) { return view ? view->array : (st_array){0}; }

st_object *st_view_object(const st_view *view) { return view && atomic_load(&view->life->alive) ? view->object : NULL; }

const char *st_view_field(const st_view *view) { return view ? view->name : ""; }

bool st_view_is_current(const st_view *view) {
    const st_object *object = st_view_object(view);
    if (!object) return false;

    const st_any_list *list = st_member(object, st_fields(object)[view->index]);
    return list->data == view->array.data && list->count == view->array.count;
}

void st_memory_retain(const void *array) {
    if (array) st_retain((void *)array);
}

void st_memory_release(const void *array) {
    if (array) st_release((void *)array);
}
