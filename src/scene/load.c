// From the element tree to the scene graph: depth first, in the order of the file.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/load.h"

#include <string.h>

static const char *const old_display_flags[] = {
    "showVisualModels",
    "showBehaviorModels",
    "showForceFields",
    "showInteractionForceFields",
    "showCollisionModels",
    "showBoundingCollisionModels",
    "showMappings",
    "showMechanicalMappings",
    "showWireFrame",
    "showNormals",
    "showAll",
    "showVisual",
    "showBehavior",
    "showCollision",
    "showMapping",
    NULL,
};

static void apply_node_attribute(st_node *node, const char *name, const char *value) {
    // shown by a component now
    for (const char *const *flag = old_display_flags; *flag; flag++)
        if (strcmp(name, *flag) == 0) {
            st_message(&node->object, ST_DEPRECATED, "attribute '%s' of a node: use a VisualStyle component", name);
            return;
        }

    st_object_apply(&node->object, name, value); // what a node does not know is ignored, as in SOFA
}

static bool is_node_type(const char *type) {
    return !type || !*type || strcmp(type, "default") == 0 || strcmp(type, "Node") == 0;
}

st_node *st_load_node(st_scene *scene, st_node *parent, const st_xml_element *element) {
    if (!is_node_type(element->type)) {
        st_scene_message(scene, ST_ERROR, "loader", element->file, element->line,
                         "a node of type \"%.120s\" cannot be created", element->type);
        return NULL;
    }

    // the name first: messages about other attributes show it
    const char *name = NULL;
    for (size_t i = 0; i < element->attrs.count; i++)
        if (strcmp(element->attrs.data[i].name, "name") == 0) name = element->attrs.data[i].value;
    st_node *node = st_node_create(scene, parent, name && *name != '@' ? name : NULL);
    if (!node) {
        st_scene_message(scene, ST_ERROR, "loader", element->file, element->line, "out of memory: a node is left out");
        return NULL;
    }

    node->object.file = element->file;
    node->object.line = element->line;
    if (!parent) scene->root = node;

    // attributes
    const st_xml_element *outer = scene->creating;
    scene->creating = element;

    for (size_t i = 0; i < element->attrs.count; i++)
        apply_node_attribute(node, element->attrs.data[i].name, element->attrs.data[i].value);
    scene->creating = outer;
    st_object_keep_attributes(&node->object, element);
    return node;
}

static void make_component(st_scene *scene, st_node *node, const st_xml_element *element) {
    if (element->children.count)
        st_scene_message(scene, ST_ERROR, "loader", element->children.data[0]->file, element->children.data[0]->line,
                         "a component cannot be inside of component %.120s; it is left out", element->type);

    st_factory_create(node, element);
}

static void make_children(st_scene *scene, st_node *node, const st_xml_element *element) {
    for (size_t i = 0; i < element->children.count; i++) {
        const st_xml_element *child = element->children.data[i];
        if (child->kind == ST_XML_COMPONENT) {
            make_component(scene, node, child);
            continue;
        }

        st_node *made = st_load_node(scene, node, child);
        if (made) make_children(scene, made, child);
    }
}

static st_status load_build(st_scene *scene, st_xml_element *element) {
    if (!element) return ST_INVALID;
    if (scene->root) {
        st_scene_message(scene, ST_ERROR, "loader", element->file, element->line,
                         "this scene object holds a scene already");
        st_xml_element_destroy(element);
        return ST_INVALID;
    }

    st_node *root = st_load_node(scene, NULL, element);
    if (root) {
        // compat="0" counts for the components, too
        if (!root->compat) scene->compat = false;
        make_children(scene, root, element);
    }

    st_xml_element_destroy(element);
    if (!root) return ST_INVALID;
    return scene->strict_failure ? ST_INVALID : ST_OK;
}

st_status st_load_file(st_scene *scene, const char *path) {
    return load_build(scene, st_xml_element_read_file(scene, path));
}

st_status st_load_text(st_scene *scene, const char *text, size_t length, const char *directory) {
    return load_build(scene, st_xml_element_read_text(scene, text, length, "<text>", directory ? directory : "."));
}
