// Reading XML: from a file to bytes, from bytes to text that is XML, from text to raw elements.
//
// A raw element is an st_xml_element whose `type` is its tag, whatever that is (Node, Object, include, Attribute, ...), with
// its attributes in byte order. include.c gives it a meaning.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_XML_H
#define SETTEE_SCENE_XML_H

#include <sys/types.h>

#include "base/text.h"
#include "scene/element.h"

// What a scene may cost, includes counted: far above real scenes, low enough for a machine to survive a hostile one.
enum {
    ST_XML_DEPTH = 256,           // elements in each other
    ST_XML_ELEMENTS = 1000000,    //
    ST_XML_ATTRIBUTES = 4000000,  //
    ST_XML_TAG_ATTRIBUTES = 1000, // of one element: libxml2 compares each with each
    ST_XML_BYTES = 512 << 20,     // of all files
    ST_XML_FILES = 10000,         // that are included
    ST_XML_INCLUDES = 32,         // files in each other
};

// What was used of it so far.
typedef struct st_xml_budget {
    size_t bytes, files, elements, attributes;
    bool exhausted; // a limit was passed, or out of memory: the whole scene is given up, not just an included file
} st_xml_budget;

// --- source.c: the whole of a regular file. NULL: `why` (size bytes) says what is wrong with it.
typedef struct st_source_id { // the same for all names of a file
    dev_t device;
    ino_t inode;
} st_source_id;
char *st_source_read(const char *path, size_t limit, size_t *length, st_source_id *id, char *why, size_t size);

// --- xml_text.c: makes XML of what SOFA's parser takes for XML. Lines stay what they are.
typedef struct st_xml_text {
    st_text text;  // UTF-8, tags and character data only
    st_ints tags;  // line at which each start tag opens, in order
    bool latin;    // the source was not UTF-8 and was taken for Latin-1
    int tail;      // line of what follows the root element; 0: nothing does
    int odd_value; // line of the first value with '<' in it; 0: there is none
    int line;      // of the problem
    const char *problem;
} st_xml_text;
bool st_xml_repair(st_xml_text *out, const char *source, size_t length); // false: see problem
void st_xml_text_free(st_xml_text *text);

// --- xml.c: the raw root element; `file` is kept by the scene, `depth` elements are around it. NULL: see
// the log.
st_xml_element *st_xml_parse(st_scene *scene, st_xml_budget *budget, const char *source, size_t length,
                             const char *file, size_t depth);

// --- elem.c
st_xml_element *st_xml_element_create(const char *type, const char *file, int line);
// Adds or overwrites an attribute; false: out of memory, or there are too many.
bool st_xml_element_set(st_xml_element *element, const char *name, const char *value);
// Removes an attribute and returns its value, for st_free; NULL: there is none.
char *st_xml_element_take(st_xml_element *element, const char *name);
// Orders attributes that were appended as they came; false: one is there twice.
bool st_xml_element_sort(st_xml_element *element);

#endif
