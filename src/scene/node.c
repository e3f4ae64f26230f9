// Nodes: their attributes, their lists, look-ups and tags.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"

static const st_field fields[] = {
    ST_FIELD(st_node, dt, "dt", st_type_real, "0.01", "time step; only the root's counts"),
    ST_FIELD(st_node, gravity, "gravity", st_type_vec3, "0 -9.81 0",
             "gravity; only the root's counts, unless a Gravity component is in the node"),
    ST_FIELD(st_node, time, "time", st_type_real, "0", "time; only the root's counts"),
    ST_FIELD(st_node, animate, "animate", st_type_bool, "0", "for programs with a window: start at once",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_node, activated, "activated", st_type_bool, "1", "false: the node and all below it are left out"),
    ST_FIELD(st_node, sleeping, "sleeping", st_type_bool, "0", "true: mechanical operations skip it and what is below"),
    ST_FIELD(st_node, can_change_sleeping, "canChangeSleepingState", st_type_bool, "0",
             "for controllers that put objects to sleep", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_node, bbox, "bbox", st_type_box, NULL, "bounding box, for programs with a window",
             .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_SRC),
    ST_FIELD(st_node, compat, "compat", st_type_bool, "1",
             "on the root: reproduce the defects of SOFA that its results contain"),
    ST_FIELD(st_node, fast, "fast", st_type_bool, "0",
             "on the root: round otherwise than SOFA where that is faster; same model, same algorithms",
             .flags = ST_FIELD_FIXED),
    ST_FIELDS_END,
};

const st_class st_node_class = {
    .name = "Node",
    .help = "a node of the scene graph",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_node),
};

st_node *st_node_create(st_scene *scene, st_node *parent, const char *name) {
    const st_class *type = st_registry_find(scene, "Node");
    st_node *node = type ? (st_node *)st_object_create(scene, NULL, type, NULL, NULL) : NULL;
    if (!node) return NULL;

    node->object.node = node;
    node->object.name = st_string_copy(name ? name : "");
    if (!node->object.name || (parent && !st_list_push(&parent->children, node))) {
        st_node_destroy(node);
        return NULL;
    }

    node->parent = parent;
    if (parent) scene->structure++;
    return node;
}

// Children and objects go in reverse order, so that whoever was made later, and may refer to others, goes first.
void st_node_destroy(st_node *node) {
    if (!node) return;

    for (size_t i = node->children.count; i-- > 0;) st_node_destroy(node->children.data[i]);
    for (size_t i = node->objects.count; i-- > 0;) st_object_destroy(node->objects.data[i]);

    st_list_free(&node->children);
    st_list_free(&node->objects);
    st_node_forget(node);
    st_object_destroy(&node->object);
}

// Of these kinds a node uses one: the last.
static void warn_replaced(const st_node *node, const st_object *object) {
    static const struct {
        size_t role;
        const char *what;
    } single[] = {
        // kinds of which a node has one slot
        {ST_ROLE(loop), "animation loop"}, {ST_ROLE(topology), "topology"},
        {ST_ROLE(state), "state"},         {ST_ROLE(mapping), "mapping"},
        {ST_ROLE(mass), "mass"},           {ST_ROLE(collision_pipeline), "collision pipeline"},
    };

    for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
        if (!st_has_role(object, single[k].role)) continue;
        const st_object *before = st_node_members(node, single[k].role).last;
        if (!before) continue;
        st_message(object, ST_WARNING, "only one %s is permitted in a node; it replaces '%s'", single[k].what,
                   before->name ? before->name : "");
        return;
    }
}

// Plans are made again: all of them, or where what came or went is passing, those of the nodes above it.
static void graph_changed(st_node *node, bool passing) {
    st_scene *scene = node->object.scene;
    scene->structure++;
    if (!passing) return;

    scene->passing++;
    for (; node; node = node->parent) node->object.record->passed++;
}

// A node that gets a response for the first time is one that steps and constraints look into from now on.
static void host(st_node *node, const st_object *object) {
    if (!st_is_passing(object) || node->object.record->hosts || st_is_passing(&node->object)) return;
    node->object.record->hosts = true;
    graph_changed(node, false);
}

st_status st_node_insert(st_node *node, st_object *object, bool front) {
    object->node = node;
    warn_replaced(node, object);

    if (!st_list_push(&node->objects, object)) return ST_OUT_OF_MEMORY;

    // what the index knows of first and last is no longer true
    if (front) {
        memmove(node->objects.data + 1, node->objects.data, (node->objects.count - 1) * sizeof *node->objects.data);
        node->objects.data[0] = object;
        st_node_forget(node);
    }

    host(node, object);
    graph_changed(node, st_is_passing(object) || st_is_passing(&node->object));
    return ST_OK;
}

static void node_take(st_node *node, st_any_list *list, const void *item, bool passing) {
    void **items = list->data;
    size_t at = list->count;
    while (at > 0 && items[at - 1] != item) at--; // what comes and goes is at the end
    if (at == 0) return;

    memmove(items + at - 1, items + at, (list->count - at) * sizeof *items);
    list->count--;
    st_node_forget(node);
    graph_changed(node, passing);
}

void st_node_take(st_node *node, const st_object *object) {
    node_take(node, (st_any_list *)(void *)&node->objects, object, st_is_passing(object));
}

void st_node_take_child(st_node *node, const st_node *child) {
    node_take(node, (st_any_list *)(void *)&node->children, child, st_is_passing(&child->object));
}

st_status st_node_put_child(st_node *node, st_node *child) {
    if (!st_list_push(&node->children, child)) return ST_OUT_OF_MEMORY;

    child->parent = node;
    if (st_is_passing(&child->object)) st_inherit_context(child);
    graph_changed(node, st_is_passing(&child->object));
    return ST_OK;
}

void st_visit(st_node *node, bool (*visit)(st_node *, void *), void *context) {
    if (!node->activated || !visit(node, context)) return;
    for (size_t i = 0; i < node->children.count; i++) st_visit(node->children.data[i], visit, context);
}

// ---------------------------------------------------------------------------------------------------
// Look-ups
// ---------------------------------------------------------------------------------------------------

static st_object *local(const st_node *node, size_t role, const st_class *type) {
    if (!type) return st_node_members(node, role).first;
    for (size_t i = 0; i < node->objects.count; i++)
        if (st_is_a(node->objects.data[i], type)) return node->objects.data[i];
    return NULL;
}

static st_object *node_search(const st_node *node, size_t role, const st_class *type, st_direction direction) {
    st_object *found = local(node, role, type);

    // the own components first, then those above or below
    if (direction == ST_UP)
        for (const st_node *up = node->parent; !found && up; up = up->parent) found = local(up, role, type);
    if (direction == ST_DOWN)
        for (size_t i = 0; !found && i < node->children.count; i++)
            found = node_search(node->children.data[i], role, type, ST_DOWN);
    return found;
}

st_object *st_find(const st_node *node, size_t role, st_direction direction) {
    return node_search(node, role, NULL, direction);
}

st_object *st_find_class(const st_node *node, const st_class *type, st_direction direction) {
    return node_search(node, 0, type, direction);
}

// A slot holds the component that was added last. The state slot is for mechanical states; visual models have none.
st_object *st_find_slot(const st_node *node, size_t role) {
    for (const st_node *up = node; up; up = up->parent) {
        st_object *slot = (role == ST_ROLE(state) ? st_node_mechanical(up) : st_node_members(up, role)).last;
        if (slot) return slot;
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Tags
// ---------------------------------------------------------------------------------------------------

static bool has_tag(const st_strings *tags, const char *tag) {
    for (size_t i = 0; i < tags->count; i++)
        if (strcmp(tags->data[i], tag) == 0) return true;
    return false;
}

// "0" among the required ones stands for having no tags at all.
bool st_tags_include(const st_strings *tags, const st_strings *required) {
    if (tags->count == 0 && has_tag(required, "0")) return true;

    for (size_t i = 0; i < required->count; i++) {
        // !tag must be absent
        const char *tag = required->data[i];
        if (strcmp(tag, "0") == 0) continue;
        if (tag[0] == '!' ? has_tag(tags, tag + 1) : !has_tag(tags, tag)) return false;
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// Paths
// ---------------------------------------------------------------------------------------------------

static size_t node_append(char *out, size_t at, const char *text) {
    const size_t length = strlen(text);
    if (out) memcpy(out + at, text, length);
    return at + length;
}

static size_t write_node(const st_node *node, char *out) {
    if (!node || !node->parent) return 0; // the root's own name is not part of a path
    size_t at = write_node(node->parent, out);
    at = node_append(out, at, "/");
    return node_append(out, at, node->object.name ? node->object.name : "");
}

const char *st_path(const st_object *object) {
    const bool is_node = st_is_node(object);
    size_t length = write_node(object->node, NULL);
    if (!is_node) length += 1 + strlen(object->name ? object->name : "");

    // the nodes above, then the own name
    char *text = st_alloc(length + 2, 1);
    if (!text) return "";
    size_t at = write_node(object->node, text);
    if (!is_node) {
        at = node_append(text, at, "/");
        at = node_append(text, at, object->name ? object->name : "");
    }

    // the root itself
    if (at == 0) text[0] = '/';

    // below a node without a name right under the root the path still begins with one slash
    const size_t slashes = strspn(text, "/");
    if (slashes > 1) memmove(text, text + slashes - 1, strlen(text) - slashes + 2);

    st_free(object->scene->path_buffer);
    return object->scene->path_buffer = text;
}
