// A scene file as a tree of elements, before any component exists: includes expanded, attributes sorted.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_ELEMENT_H
#define SETTEE_SCENE_ELEMENT_H

#include "scene/scene.h"

typedef struct st_xml_element st_xml_element;
struct st_xml_element {
    enum st_xml_element_kind {
        ST_XML_NODE,
        ST_XML_COMPONENT
    } kind;                 // <Attribute> children are folded into their component
    char *type;             // class name of a component; of a node: "" or its `type` attribute
    ST_LIST(st_attr) attrs; // byte order of names; replacements of includes are applied
    ST_LIST(st_xml_element *) children;
    const char *file;      // borrowed from scene->files
    const char *directory; // base of relative file names (borrowed from scene->files)
    int line;
};

// Reads a file, or a text that stands for one, with its includes and macros. NULL: a diagnostic was sent.
st_xml_element *st_xml_element_read_file(st_scene *scene, const char *path);
st_xml_element *st_xml_element_read_text(st_scene *scene, const char *text, size_t length, const char *name,
                                         const char *directory);
void st_xml_element_destroy(st_xml_element *element);

// Keeps copies of the attributes that an object was made with.
void st_object_keep_attributes(st_object *object, const st_xml_element *element);

// The value of an attribute, or NULL.
const char *st_xml_element_attr(const st_xml_element *element, const char *name);

// Keeps a copy of a string as long as the scene; the same text gives the same pointer.
const char *st_scene_keep(st_scene *scene, const char *text);

// --- files (repository.c): SOFA's rule for finding a file. The result is allocated, absolute; NULL: not found.
char *st_repository_find(const st_scene *scene, const char *directory, const char *name);

// --- former names (names.c)
typedef enum st_name_fate {
    ST_NAME_UNKNOWN,
    ST_NAME_RENAMED,
    ST_NAME_DEALIASED,
    ST_NAME_REMOVED,
    ST_NAME_MOVED
} st_name_fate;
// What became of a component name: `now` is its present name (renamed, dealiased) and `text` explains.
// The index-th component of SOFA's core modules, in byte order; NULL past the end.
const char *st_core_name(size_t index);
bool st_is_core_name(const char *name);
st_name_fate st_name_lookup(const char *name, const char **now, const char **text);
// Is it a module of SOFA's own, to be accepted quietly by RequiredPlugin?
bool st_name_is_module(const char *name);

// --- names of SofaCUDA (cuda_names.c)
enum { ST_CUDA_NAME = 128, ST_CUDA_FORMS = 2 };
// The type behind CudaVec3f and similar templates; NULL: the name is none of them.
const st_dof *st_cuda_dof(const char *name);
// The form-th name that the component behind a name of SofaCUDA may have on the processor; false: there is none.
bool st_cuda_component(const char *name, unsigned form, char host[ST_CUDA_NAME]);
void st_cuda_notice(const st_object *object, const char *name); // once a scene

#endif
