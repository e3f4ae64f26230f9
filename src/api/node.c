// Nodes as programs see them: the tree, and its changes while a scene is built or runs.
//
// What is removed is taken out of the lists of its node and belongs to the scene until it is put back or the scene is
// destroyed: components may have found it in their init and keep its address. Those that are linked to it are switched
// off, which every part of a step respects.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "api/scene.h"
#include "scene/load.h"
#include "scene/xml.h"
#include "settee/plugin/physics.h"

// ---------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------

st_node *st_scene_root(st_scene *scene) { return scene ? scene->root : NULL; }
st_node *st_node_parent(const st_node *node) { return node ? node->parent : NULL; }
size_t st_node_child_count(const st_node *node) { return node ? node->children.count : 0; }
size_t st_node_object_count(const st_node *node) { return node ? node->objects.count : 0; }
const char *st_node_name(const st_node *node) { return node ? st_object_name(&node->object) : ""; }
const char *st_node_path(const st_node *node) { return node ? st_path(&node->object) : ""; }
st_scene *st_node_scene(const st_node *node) { return node ? node->object.scene : NULL; }
st_object *st_node_as_object(st_node *node) { return node ? &node->object : NULL; }
st_node *st_object_as_node(st_object *object) { return object && st_is_node(object) ? (st_node *)object : NULL; }

st_node *st_node_child(const st_node *node, size_t index) {
    return node && index < node->children.count ? node->children.data[index] : NULL;
}

st_object *st_node_object(const st_node *node, size_t index) {
    return node && index < node->objects.count ? node->objects.data[index] : NULL;
}

st_object *st_node_find(st_node *node, const char *path) {
    return node && path && node->object.scene->root ? st_find_path(node, path, 0) : NULL;
}

st_node *st_scene_find_node(st_scene *scene, const char *path) { return st_object_as_node(st_scene_find(scene, path)); }

static const st_node *top_of(const st_object *object) {
    const st_node *node = object->node;
    while (node->parent) node = node->parent;
    return node;
}

bool st_object_is_attached(const st_object *object) {
    return object && !object->record->removed && top_of(object) == object->scene->root;
}

// ---------------------------------------------------------------------------------------------------
// Additions
// ---------------------------------------------------------------------------------------------------

// Attributes as a scene file has them; NULL, with a message, when they are no good.
static st_xml_element *make_element(st_scene *scene, const char *type, const st_attribute_text *attributes,
                                    size_t count) {
    st_xml_element *element = st_xml_element_create(type, NULL, 0);
    bool ok = element && (attributes || !count);

    // names and values
    for (size_t i = 0; ok && i < count; i++)
        ok = attributes[i].name && attributes[i].value &&
             st_xml_element_set(element, attributes[i].name, attributes[i].value);
    if (ok) return element;

    st_scene_message(scene, ST_ERROR, "scene", NULL, 0,
                     "%.120s cannot be added: an attribute is NULL, there are too many of them, or out of memory",
                     *type ? type : "the node");
    st_xml_element_destroy(element);
    return NULL;
}

// A component that comes after the scene's init is left out of steps until it is initialized itself.
static void let_wait(st_object *object) {
    if (!object->scene->initialized || !st_is_valid(object)) return;

    // st_node_init or the next step initializes it
    object->validity = ST_BROKEN;
    object->record->waiting = true;
    object->scene->waiting++;
}

static st_node *add_node(st_scene *scene, st_node *parent, const char *name, const st_attribute_text *attributes,
                         size_t count) {
    if (!st_scene_enter(scene)) return NULL;

    // as if it were read from a file
    st_xml_element *element =
        st_graph_may_change(scene, "a node cannot be added") ? make_element(scene, "", attributes, count) : NULL;
    st_node *node = NULL;

    if (element && (!name || st_xml_element_set(element, "name", name))) node = st_load_node(scene, parent, element);

    if (node && scene->initialized) scene->waiting++; // the node itself

    st_xml_element_destroy(element);
    st_scene_leave(scene);
    return node;
}

st_node *st_scene_create_root(st_scene *scene, const char *name) {
    if (!scene || scene->root) return NULL;
    return add_node(scene, NULL, name ? name : "root", NULL, 0);
}

st_node *st_node_add_child(st_node *parent, const char *name, const st_attribute_text *attributes, size_t count) {
    return parent ? add_node(parent->object.scene, parent, name, attributes, count) : NULL;
}

st_object *st_node_add_object(st_node *node, const char *class_name, const st_attribute_text *attributes,
                              size_t count) {
    if (!node || !class_name) return NULL;
    st_scene *scene = node->object.scene;
    if (!st_scene_enter(scene)) return NULL;

    st_xml_element *element = st_graph_may_change(scene, "a component cannot be added")
                                  ? make_element(scene, class_name, attributes, count)
                                  : NULL;
    st_object *object = element ? st_factory_create(node, element) : NULL;
    if (object) let_wait(object);

    st_xml_element_destroy(element);
    st_scene_leave(scene);
    return object;
}

// ---------------------------------------------------------------------------------------------------
// What is linked to something that goes, or comes back
// ---------------------------------------------------------------------------------------------------

static bool is_within(const st_object *object, const st_object *top) {
    if (object == top) return true;
    const st_node *node = object->node;
    if (st_is_node(object)) node = ((const st_node *)object)->parent;

    for (; st_is_node(top) && node; node = node->parent)
        if (&node->object == top) return true;
    return false;
}

// The first field whose link leads to something that is not in the scene; NULL: none.
static const st_field *lost_link(const st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (field->type->scalar != ST_SCALAR_LINK) continue;

        // one target, or a list of them
        st_object *const *targets = st_member(object, field);
        size_t count = 1;
        if (field->type->list) {
            const ST_LIST(st_object *) *list = st_member(object, field);
            targets = list->data;
            count = list->count;
        }

        for (size_t k = 0; k < count; k++)
            if (targets[k] && !st_object_is_attached(targets[k])) return field;
    }

    return NULL;
}

// Components whose links lead out of the scene are switched off, others on again.
static void check_links(st_object *object) {
    struct st_object_record *record = object->record;
    if (!record->switched_off && !st_is_valid(object)) return;

    const st_field *lost = lost_link(object);

    // off once, with a message; on again without
    if (lost && !record->switched_off) {
        record->switched_off = true;
        object->validity = ST_BROKEN;
        st_message(object, ST_WARNING, "is switched off: what its link '%s' leads to was removed", lost->name);
    } else if (!lost && record->switched_off) {
        record->switched_off = false;
        object->validity = ST_VALID;
    }
}

static void check_all_links(st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) check_links(node->objects.data[i]);
    for (size_t i = 0; i < node->children.count; i++) check_all_links(node->children.data[i]);
}

// States know the mapping that computes them.
static void connect_outputs(const st_object *object, bool connected) {
    if (!object->type->mapping) return;
    const st_mapping *mapping = (const st_mapping *)object;
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_state *out = (st_state *)mapping->output.data[i];
        if (!out) continue;
        if (connected) out->mapping = (st_object *)object;
        else if (out->mapping == object) out->mapping = NULL;
    }
}

// ---------------------------------------------------------------------------------------------------
// Removal, and the way back
// ---------------------------------------------------------------------------------------------------

static st_status refuse_change(st_object *object, const char *why) {
    st_message(object, ST_ERROR, "%s", why);
    return ST_INVALID;
}

// Is it a contact response, or in a node of contact points?
static bool is_of_contacts(const st_object *object) {
    return st_is_passing(object) || st_is_passing(&object->node->object);
}

static st_status take_out(st_object *object) {
    st_scene *scene = object->scene;
    st_node *node = st_object_as_node(object);

    // what must stay
    if (!st_graph_may_change(scene, "it cannot be removed")) return ST_BUSY;
    if (object == &scene->root->object) return refuse_change(object, "the root cannot be removed");
    if (object->record->removed) return refuse_change(object, "it is removed already");
    if (is_of_contacts(object))
        return refuse_change(object, "it comes and goes with its contact: it cannot be removed");
    if (!st_list_push(&scene->removed, object)) return ST_OUT_OF_MEMORY;

    // its path is its own name from now on
    if (node) {
        st_node_take_child(node->parent, node);
        node->parent = NULL;
    } else {
        st_node_take(object->node, object);
        connect_outputs(object, false);
    }

    // whoever is linked to it
    object->record->removed = true;
    if (scene->initialized) check_all_links(scene->root);
    return ST_OK;
}

st_status st_object_remove(st_object *object) {
    if (!object) return ST_INVALID;
    if (!st_scene_enter(object->scene)) return ST_BUSY;
    const st_status status = take_out(object);
    st_scene_leave(object->scene);
    return status;
}

st_status st_node_remove(st_node *node) { return node ? st_object_remove(&node->object) : ST_INVALID; }

static void forget_removed(st_scene *scene, const st_object *object) {
    for (size_t i = scene->removed.count; i-- > 0;)
        if (scene->removed.data[i] == object) {
            scene->removed.data[i] = scene->removed.data[--scene->removed.count];
            break;
        }
}

static st_status put_back(st_object *object, st_node *parent) {
    st_scene *scene = object->scene;

    // what cannot come back here
    if (!st_graph_may_change(scene, "it cannot be attached")) return ST_BUSY;
    if (parent->object.scene != scene) return refuse_change(object, "the node belongs to another scene");
    if (!object->record->removed) return refuse_change(object, "it is in a node already: remove it first");
    if (is_of_contacts(object)) return refuse_change(object, "it is the response of a contact that there was");
    if (is_within(&parent->object, object)) return refuse_change(object, "a node cannot be put below itself");

    // at the end of the lists of its node
    st_node *node = st_object_as_node(object);
    const st_status status = node ? st_node_put_child(parent, node) : st_node_insert(parent, object, false);
    if (status != ST_OK) return status;

    // it is the last one of the scene in the order of creation
    forget_removed(scene, object);
    object->record->removed = false;
    object->record->order = ++scene->created;

    if (!node) connect_outputs(object, true);
    if (scene->initialized) check_all_links(scene->root);
    return ST_OK;
}

st_status st_object_attach(st_object *object, st_node *node) {
    if (!object || !node) return ST_INVALID;
    if (!st_scene_enter(object->scene)) return ST_BUSY;
    const st_status status = put_back(object, node);
    st_scene_leave(object->scene);
    return status;
}

st_status st_node_attach(st_node *node, st_node *parent) {
    return node ? st_object_attach(&node->object, parent) : ST_INVALID;
}
