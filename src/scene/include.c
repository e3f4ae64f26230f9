// From raw XML elements to nodes and components: what each tag means, and the files that are included.
//
//     <Node>                      a node
//     <X/>, <Object type="X"/>    a component X; <Attribute type="a"><Data value="v"/></Attribute> in it is a="v"
//     <X type="Y"/>               nothing: SOFA drops it
//     <include href="f" .../>     the root element of f, here
//     <X .../>                    the same with Objects/X.xml, when X is no component and that file exists
//
// The attributes of an include other than href and name are replacements: in the included part, a component that has an
// attribute of that name gets the new value, and X__a reaches the attribute `a` of the component called X alone. The
// inner include is done before the outer one, whose values thereby win.
//
// An included root called Group (or _Group_) is no node: its children take its place, as if written here. _Merge_ pours
// its attributes and children into the including node: what is there already under the same type and name is completed
// and overwritten, the rest is added.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "scene/xml.h"

typedef struct document {
    const struct document *from; // the one that includes it; NULL: the scene itself
    const char *file;
    const char *directory;
    st_source_id id;
    bool has_id; // a text has none
    size_t level;
} document;

typedef struct reader {
    st_scene *scene;
    st_xml_budget budget;
    size_t depth; // of nodes being read
} reader;

static bool include_place(reader *r, const document *d, st_xml_element *node, st_xml_element *child);
static bool read_node(reader *r, const document *d, st_xml_element *node);
static bool read_component(reader *r, st_xml_element *component);

// ---------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------

static st_severity severity_of(reader *r, st_severity severity) {
    if (!r->scene->config.strict) return severity;
    r->scene->strict_failure = true;
    return ST_ERROR;
}

// What SOFA drops with a mere information, and what it calls an error; both go on. Strict scenes do not.
#define DROPPED(r, element, ...)                                                                                       \
    st_scene_message((r)->scene, severity_of((r), ST_NOTICE), "scene", (element)->file, (element)->line, __VA_ARGS__)
#define SKIPPED(r, element, ...)                                                                                       \
    st_scene_message((r)->scene, severity_of((r), ST_ERROR), "scene", (element)->file, (element)->line, __VA_ARGS__)

static bool include_out_of_memory(reader *r, const st_xml_element *element) {
    if (!r->budget.exhausted)
        st_scene_message(r->scene, ST_ERROR, "scene", element->file, element->line,
                         "out of memory, or more than %d attributes on one element", ST_XML_TAG_ATTRIBUTES);
    r->budget.exhausted = true;
    return false;
}

static bool include_is(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

// ---------------------------------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------------------------------

// The value of an <Attribute> is that of its last <Data>.
static bool fold_attribute(reader *r, st_xml_element *component, const st_xml_element *attribute) {
    const char *name = st_xml_element_attr(attribute, "type"), *value = NULL;
    for (size_t i = 0; i < attribute->children.count; i++) {
        const st_xml_element *data = attribute->children.data[i];
        if (!include_is(data->type, "Data"))
            DROPPED(r, data, "<%s> is ignored: an <Attribute> holds <Data value=\"...\"/>", data->type);
        else if (st_xml_element_attr(data, "value")) value = st_xml_element_attr(data, "value");
    }

    if (!name || !*name || !value) {
        DROPPED(r, attribute,
                "<Attribute> is ignored: it needs a type (the attribute's name) and a <Data value=\"...\"/>");
        return true;
    }

    return st_xml_element_set(component, name, value) || include_out_of_memory(r, component);
}

static bool fold_children(reader *r, st_xml_element *component) {
    bool ok = true;
    for (size_t i = 0; i < component->children.count; i++) {
        st_xml_element *child = component->children.data[i];

        // after a failure the others are only freed
        if (!ok) continue;

        if (include_is(child->type, "Attribute")) ok = fold_attribute(r, component, child);
        else if (include_is(child->type, "Node") || include_is(child->type, "Data"))
            DROPPED(r, child, "<%s> inside of component %s is ignored", child->type, component->type);
        else
            SKIPPED(r, child, "<%s> is not created: it is inside of component %s, not of a Node", child->type,
                    component->type);
    }

    // what they said is in the attributes now
    for (size_t i = 0; i < component->children.count; i++) st_xml_element_destroy(component->children.data[i]);
    st_list_free(&component->children);
    return ok;
}

static bool read_component(reader *r, st_xml_element *component) {
    component->kind = ST_XML_COMPONENT;
    if (include_is(component->type, "Object")) {
        st_free(component->type);
        component->type = st_xml_element_take(component, "type");
    }
    return fold_children(r, component);
}

// ---------------------------------------------------------------------------------------------------
// Replacements
// ---------------------------------------------------------------------------------------------------

static bool is_replacement(const char *name) { return !include_is(name, "href") && !include_is(name, "name"); }

static const char *replacement_of(const st_xml_element *include, const char *component, const char *attribute) {
    char key[512];

    // X__a takes precedence over a
    const int length = component && *component ? snprintf(key, sizeof key, "%s__%s", component, attribute) : -1;
    const char *special = length > 0 && length < (int)sizeof key ? st_xml_element_attr(include, key) : NULL;
    if (special) return special;
    return is_replacement(attribute) ? st_xml_element_attr(include, attribute) : NULL;
}

static bool replace_attributes(st_xml_element *component, const st_xml_element *include) {
    char *name = st_string_copy(st_xml_element_attr(component, "name"));
    bool ok = true;

    // only attributes that the component has
    for (size_t i = 0; ok && i < component->attrs.count; i++) {
        st_attr *attr = &component->attrs.data[i];
        const char *value = replacement_of(include, name, attr->name);
        if (!value) continue;

        char *copy = st_string_copy(value);
        ok = copy != NULL;
        if (!ok) break;
        st_free(attr->value);
        attr->value = copy;
    }

    st_free(name);
    return ok;
}

static bool replace(st_xml_element *element, const st_xml_element *include) {
    bool ok = element->kind == ST_XML_NODE || replace_attributes(element, include);
    for (size_t i = 0; ok && i < element->children.count; i++) ok = replace(element->children.data[i], include);
    return ok;
}

static bool has_replacements(const st_xml_element *include) {
    for (size_t i = 0; i < include->attrs.count; i++)
        if (is_replacement(include->attrs.data[i].name)) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Group and _Merge_
// ---------------------------------------------------------------------------------------------------

static bool move_children(st_xml_element *to, st_xml_element *from) {
    // children that were merged already are gone
    for (size_t i = 0; i < from->children.count; i++) {
        if (!from->children.data[i]) continue;
        if (!st_list_push(&to->children, from->children.data[i])) return false;
        from->children.data[i] = NULL;
    }
    return true;
}

// Elements that merge have the same key; without a name there is none.
static char *merge_key(const st_xml_element *element) {
    const char *name = st_xml_element_attr(element, "name");
    return name && *name ? st_string_format("%d\n%s\n%s", (int)element->kind, element->type, name) : NULL;
}

static bool index_children(st_map *map, const st_xml_element *parent) {
    bool ok = true;
    for (size_t i = 0; ok && i < parent->children.count; i++) {
        char *key = merge_key(parent->children.data[i]);
        if (key && !st_map_has(map, key)) ok = st_map_put(map, key, parent->children.data[i]);
        st_free(key);
    }

    return ok;
}

static bool include_merge(st_xml_element *to, st_xml_element *from, bool with_name) {
    bool ok = true;
    for (size_t i = 0; ok && i < from->attrs.count; i++) {
        const st_attr *attr = &from->attrs.data[i];
        if (with_name || !include_is(attr->name, "name")) ok = st_xml_element_set(to, attr->name, attr->value);
    }

    // children of the same type and name are merged, too
    st_map present = {0};
    ok = ok && index_children(&present, to);

    for (size_t i = 0; ok && i < from->children.count; i++) {
        char *key = merge_key(from->children.data[i]);
        st_xml_element *same = key ? st_map_get(&present, key) : NULL;
        st_free(key);

        if (!same) continue;
        ok = include_merge(same, from->children.data[i], true);
        st_xml_element_destroy(from->children.data[i]);
        from->children.data[i] = NULL;
    }

    st_map_free(&present);
    return ok && move_children(to, from);
}

// ---------------------------------------------------------------------------------------------------
// Includes
// ---------------------------------------------------------------------------------------------------

static const char *directory_of(st_scene *scene, const char *path) {
    const char *slash = strrchr(path, '/');
    char *directory = slash ? st_string_copy_n(path, slash == path ? 1 : (size_t)(slash - path)) : st_string_copy(".");
    const char *kept = directory ? st_scene_keep(scene, directory) : NULL;
    st_free(directory);
    return kept;
}

static bool is_open(const document *d, const st_source_id *id) {
    for (; d; d = d->from)
        if (d->has_id && d->id.device == id->device && d->id.inode == id->inode) return true;
    return false;
}

static void write_chain(st_text *text, const document *d) {
    if (!d) return;
    write_chain(text, d->from);
    st_text_appendf(text, "%s -> ", d->file);
}

static void report_cycle(reader *r, const document *d, const st_xml_element *element, const char *path) {
    st_text chain = {0};
    write_chain(&chain, d);
    st_text_append(&chain, path);
    SKIPPED(r, element, "files include each other in a circle: %s", chain.data ? chain.data : path);
    st_text_free(&chain);
}

// The bytes of an included file; NULL when it is skipped.
static char *open_include(reader *r, const document *d, const st_xml_element *element, const char *path, document *next,
                          size_t *length) {
    if (d->level + 1 >= ST_XML_INCLUDES) {
        SKIPPED(r, element, "'%s' is not included: more than %d files include each other", path, ST_XML_INCLUDES);
        return NULL;
    }

    // the file, within what is left of the budget
    char why[256];
    char *source = st_source_read(path, ST_XML_BYTES - r->budget.bytes, length, &next->id, why, sizeof why);
    if (!source) {
        SKIPPED(r, element, "'%s' is not included: %s", path, why);
        return NULL;
    }

    // a file that includes itself, by whatever path
    r->budget.bytes += *length;
    next->has_id = true;
    if (!is_open(d, &next->id)) return source;
    report_cycle(r, d, element, path);
    st_free(source);
    return NULL;
}

static bool is_component(const st_xml_element *element) {
    const char *tag = element->type;
    if (include_is(tag, "Object")) return st_xml_element_attr(element, "type") != NULL;
    return !include_is(tag, "Node") && !include_is(tag, "Attribute") && !include_is(tag, "Data") &&
           !include_is(tag, "include") && !st_xml_element_attr(element, "type");
}

// Reads the file's root element into *root; NULL there when it is skipped. False: the whole scene is given up.
static bool read_root(reader *r, const document *d, const st_xml_element *element, const char *path,
                      st_xml_element **root) {
    // no chain of files, however built, is read without end
    if (++r->budget.files > ST_XML_FILES) {
        SKIPPED(r, element, "more than %d files are included", ST_XML_FILES);
        r->budget.exhausted = true;
        return false;
    }

    // the file as a document of its own
    document next = {.from = d,
                     .level = d->level + 1,
                     .file = st_scene_keep(r->scene, path),
                     .directory = directory_of(r->scene, path)};
    if (!next.file || !next.directory) return include_out_of_memory(r, element);
    size_t length = 0;
    char *source = open_include(r, d, element, path, &next, &length);
    if (!source) return true;

    // its elements
    st_xml_element *raw = st_xml_parse(r->scene, &r->budget, source, length, next.file, r->depth);
    st_free(source);
    if (!raw) {
        severity_of(r, ST_ERROR); // a strict scene fails, too
        return !r->budget.exhausted;
    }

    // its root: a node or a component
    *root = raw;
    raw->directory = next.directory;
    if (include_is(raw->type, "Node")) return read_node(r, &next, raw);
    if (is_component(raw)) return read_component(r, raw);
    SKIPPED(r, raw, "the root element of an included file is a Node or a component, not <%s>", raw->type);
    st_xml_element_destroy(raw);
    *root = NULL;
    return true;
}

static bool is_group(const char *name) { return include_is(name, "Group") || include_is(name, "_Group_"); }

// Puts the included root where it belongs; whatever is not taken over goes.
static bool include_settle(st_xml_element *node, st_xml_element *root, const char *new_name) {
    const char *name = st_xml_element_attr(root, "name");
    const bool group = is_group(name) || is_group(new_name),
               merged = include_is(name, "_Merge_") || include_is(new_name, "_Merge_");

    bool ok = true;
    if (group) ok = move_children(node, root);
    else if (merged) ok = include_merge(node, root, false);
    else {
        ok = (!new_name || st_xml_element_set(root, "name", new_name)) && st_list_push(&node->children, root);
        if (ok) return true;
    }

    st_xml_element_destroy(root);
    return ok;
}

static bool include(reader *r, const document *d, st_xml_element *node, const st_xml_element *element,
                    const char *path) {
    st_xml_element *root = NULL;
    bool ok = read_root(r, d, element, path, &root);
    // skipped, or the scene is given up
    if (!ok || !root) {
        st_xml_element_destroy(root);
        return ok;
    }

    // the attributes of the include replace those of the components below
    if (has_replacements(element) && !replace(root, element)) {
        st_xml_element_destroy(root);
        return include_out_of_memory(r, element);
    }

    return include_settle(node, root, st_xml_element_attr(element, "name")) || include_out_of_memory(r, element);
}

static bool include_href(reader *r, const document *d, st_xml_element *node, const st_xml_element *element) {
    const char *href = st_xml_element_attr(element, "href");
    if (!href || !*href) {
        SKIPPED(r, element, "<include> needs a file name in href");
        return true;
    }

    // next to the file, then in the data paths
    char *path = st_repository_find(r->scene, d->directory, href);
    if (!path) {
        SKIPPED(r, element,
                "'%s' is not included: there is no such file in %s nor in the data paths (--data-path FOLDER or "
                "SETTEE_DATA_PATH adds one)",
                href, d->directory);
        return true;
    }

    const bool ok = include(r, d, node, element, path);
    st_free(path);
    return ok;
}

// The macro file of a tag that is no component; NULL: there is none.
static char *find_macro(reader *r, const document *d, const st_xml_element *element) {
    const char *now, *text;

    // a component, by its present or a former name, is no macro
    if (st_registry_find(r->scene, element->type)) return NULL;
    if (st_name_lookup(element->type, &now, &text) == ST_NAME_RENAMED) return NULL;

    char *href = st_string_format("Objects/%s.xml", element->type);
    char *path = href ? st_repository_find(r->scene, d->directory, href) : NULL;
    st_free(href);
    return path;
}

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

static bool read_tag(reader *r, const document *d, st_xml_element *node, st_xml_element *child, bool *kept) {
    *kept = false;

    if (include_is(child->type, "include")) return include_href(r, d, node, child);
    if (include_is(child->type, "Attribute") || include_is(child->type, "Data")) {
        DROPPED(r, child, "<%s> is ignored: it only acts inside of a component", child->type);
        return true;
    }

    // nodes and components
    if (include_is(child->type, "Node")) return *kept = true, read_node(r, d, child);
    if (include_is(child->type, "Object")) {
        *kept = st_xml_element_attr(child, "type") != NULL;
        if (*kept) return read_component(r, child);
        SKIPPED(r, child, "<Object> is not created: it needs a type");
        return true;
    }

    // SOFA reads such a tag as if it were not there
    if (st_xml_element_attr(child, "type")) {
        DROPPED(r, child, "<%s type=\"%s\"> is ignored, as in SOFA: write <%s .../> or <Object type=\"%s\" .../>",
                child->type, st_xml_element_attr(child, "type"), st_xml_element_attr(child, "type"),
                st_xml_element_attr(child, "type"));
        return true;
    }

    // a tag that is no component may name a macro file
    char *macro = find_macro(r, d, child);
    if (!macro) return *kept = true, read_component(r, child);

    const bool ok = fold_children(r, child) && include(r, d, node, child, macro);
    st_free(macro);
    return ok;
}

// Takes the child: it becomes part of the node, or goes.
static bool include_place(reader *r, const document *d, st_xml_element *node, st_xml_element *child) {
    bool kept = false;
    bool ok = read_tag(r, d, node, child, &kept);

    if (ok && kept) {
        ok = st_list_push(&node->children, child) || include_out_of_memory(r, node);
        if (ok) return true;
    }

    st_xml_element_destroy(child);
    return ok;
}

static bool read_node(reader *r, const document *d, st_xml_element *node) {
    node->kind = ST_XML_NODE;
    char *type = st_xml_element_take(node, "type");
    st_free(node->type);
    node->type = type ? type : st_string_copy("");
    if (!node->type) return include_out_of_memory(r, node);

    // each child in its place, or what it stands for
    ST_LIST(st_xml_element *) raw = {node->children.data, node->children.count, node->children.capacity};
    node->children.data = NULL;
    node->children.count = node->children.capacity = 0;
    bool ok = true;
    r->depth++;

    for (size_t i = 0; i < raw.count; i++) {
        if (ok) ok = include_place(r, d, node, raw.data[i]);
        else st_xml_element_destroy(raw.data[i]);
    }

    r->depth--;
    st_list_free(&raw);
    return ok;
}

// Folders were set where an included file begins; below, they hold until the next one.
static void spread_directory(st_xml_element *element, const char *directory) {
    if (!element->directory) element->directory = directory;
    for (size_t i = 0; i < element->children.count; i++)
        spread_directory(element->children.data[i], element->directory);
}

// ---------------------------------------------------------------------------------------------------
// The scene
// ---------------------------------------------------------------------------------------------------

static st_xml_element *read_scene(reader *r, const document *d, const char *source, size_t length) {
    r->budget.bytes += length;
    st_xml_element *root = st_xml_parse(r->scene, &r->budget, source, length, d->file, 0);
    if (!root) return NULL;

    if (!include_is(root->type, "Node"))
        st_scene_message(r->scene, ST_FATAL, "scene", root->file, root->line,
                         "the root element must be a Node, not <%s>", root->type);
    else if (read_node(r, d, root)) {
        spread_directory(root, d->directory);
        return root;
    }

    st_xml_element_destroy(root);
    return NULL;
}

static bool has_scene_extension(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot && (strcasecmp(dot, ".scn") == 0 || strcasecmp(dot, ".xml") == 0);
}

st_xml_element *st_xml_element_read_file(st_scene *scene, const char *path) {
    reader r = {.scene = scene};
    document d = {.file = st_scene_keep(scene, path), .has_id = true};
    char *absolute = st_repository_find(scene, NULL, path);
    if (absolute) d.directory = directory_of(scene, absolute);

    // the file itself
    char why[256] = "No such file or directory";
    size_t length = 0;
    char *source = absolute ? st_source_read(absolute, ST_XML_BYTES, &length, &d.id, why, sizeof why) : NULL;

    // its elements, with what it includes
    st_xml_element *root = NULL;
    if (!source || !d.file || !d.directory)
        st_scene_message(scene, ST_ERROR, "scene", path, 0, "cannot read the scene: %s", why);
    else if (!has_scene_extension(path))
        st_scene_message(scene, ST_ERROR, "scene", path, 0,
                         "unknown kind of file: a scene's name ends with .scn or .xml");
    else root = read_scene(&r, &d, source, length);

    st_free(source);
    st_free(absolute);
    return root;
}

st_xml_element *st_xml_element_read_text(st_scene *scene, const char *text, size_t length, const char *name,
                                         const char *directory) {
    reader r = {.scene = scene};
    // A place inside of the folder gives its absolute path; a folder that is not there is kept as it is written.
    char *folder = st_repository_find(scene, NULL, directory && *directory ? directory : ".");
    const document d = {
        .file = st_scene_keep(scene, name ? name : "text"),
        .directory = st_scene_keep(scene, folder      ? folder
                                          : directory ? directory
                                                      : "."),
    };

    st_free(folder);
    if (d.file && d.directory && length > 0 && length <= ST_XML_BYTES) return read_scene(&r, &d, text, length);
    st_scene_message(scene, ST_ERROR, "scene", name, 0, length == 0 ? "the scene is empty" : "the scene is too long");
    return NULL;
}
