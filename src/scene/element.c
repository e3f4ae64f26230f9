// Elements: their life and their attributes, which are kept in byte order of their names, as SOFA keeps them.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "scene/xml.h"

st_xml_element *st_xml_element_create(const char *type, const char *file, int line) {
    st_xml_element *element = st_alloc(1, sizeof *element);
    if (!element) return NULL;

    element->type = st_string_copy(type);
    element->file = file;
    element->line = line;

    if (element->type) return element;
    st_free(element);
    return NULL;
}

void st_xml_element_destroy(st_xml_element *element) {
    if (!element) return;
    for (size_t i = 0; i < element->children.count; i++) st_xml_element_destroy(element->children.data[i]);

    for (size_t i = 0; i < element->attrs.count; i++) {
        st_free(element->attrs.data[i].name);
        st_free(element->attrs.data[i].value);
    }

    st_list_free(&element->children);
    st_list_free(&element->attrs);
    st_free(element->type);
    st_free(element);
}

// Place of the first attribute that is not before the name.
static size_t elem_place_of(const st_xml_element *element, const char *name) {
    size_t low = 0, high = element->attrs.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(element->attrs.data[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }

    return low;
}

static bool is_at(const st_xml_element *element, size_t place, const char *name) {
    return place < element->attrs.count && strcmp(element->attrs.data[place].name, name) == 0;
}

const char *st_xml_element_attr(const st_xml_element *element, const char *name) {
    const size_t place = elem_place_of(element, name);
    return is_at(element, place, name) ? element->attrs.data[place].value : NULL;
}

static bool insert(st_xml_element *element, size_t place, st_attr attr) {
    const size_t count = element->attrs.count;

    // takes both texts: they are freed when it fails
    if (!attr.name || count >= ST_XML_TAG_ATTRIBUTES || !st_list_set_count(&element->attrs, count + 1, 1)) {
        st_free(attr.name);
        st_free(attr.value);
        return false;
    }

    // the later ones move up by one place
    st_attr *at = element->attrs.data + place;
    memmove(at + 1, at, (count - place) * sizeof *at);
    *at = attr;
    return true;
}

bool st_xml_element_set(st_xml_element *element, const char *name, const char *value) {
    char *copy = st_string_copy(value);
    if (!copy) return false;

    const size_t place = elem_place_of(element, name);
    if (!is_at(element, place, name)) return insert(element, place, (st_attr){st_string_copy(name), copy});

    st_free(element->attrs.data[place].value);
    element->attrs.data[place].value = copy;
    return true;
}

char *st_xml_element_take(st_xml_element *element, const char *name) {
    const size_t place = elem_place_of(element, name);
    if (!is_at(element, place, name)) return NULL;

    st_attr *at = element->attrs.data + place;
    char *value = at->value;
    st_free(at->name);

    // the later ones move down
    memmove(at, at + 1, (element->attrs.count - place - 1) * sizeof *at);
    element->attrs.count--;
    return value;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const st_attr *)a)->name, ((const st_attr *)b)->name);
}

bool st_xml_element_sort(st_xml_element *element) {
    if (element->attrs.count < 2) return true;

    qsort(element->attrs.data, element->attrs.count, sizeof *element->attrs.data, compare_names);

    for (size_t i = 1; i < element->attrs.count; i++)
        if (strcmp(element->attrs.data[i - 1].name, element->attrs.data[i].name) == 0) return false;
    return true;
}

const char *st_scene_keep(st_scene *scene, const char *text) {
    for (size_t i = 0; i < scene->files.count; i++)
        if (strcmp(scene->files.data[i], text) == 0) return scene->files.data[i];

    // kept as long as the scene, since elements and components refer to it
    char *copy = st_string_copy(text);
    if (copy && st_list_push(&scene->files, copy)) return copy;
    st_free(copy);
    return NULL;
}
