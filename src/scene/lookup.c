// Look-ups among the own children and components of one node, by name and by role.
//
// Small nodes are simply walked. A node with many entries gets an index on its first look-up: the first child and the
// first component of each name, and the first and last component of each role. Its lists only grow, so that the index
// is brought up to date by entering what came since; a changed name or order throws it away. Without it a scene of n
// components in one node would take n² steps to load, since every force asks for the state of its node.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"
#include "scene/scene.h"

enum {
    FIRST_ROLE = offsetof(st_class, state),
    ROLES = (sizeof(st_class) - offsetof(st_class, state)) / sizeof(void *),
    MECHANICAL = ROLES, // mechanical states among the states
    WALKED = 32,        // entries up to which a node is walked
};

struct st_node_index {
    size_t children, objects; // how many of the node's lists are entered
    st_map child_names, object_names;
    st_members roles[ROLES + 1];
};

// ---------------------------------------------------------------------------------------------------
// The index
// ---------------------------------------------------------------------------------------------------

void st_node_forget(st_node *node) {
    struct st_node_index *index = node ? node->index : NULL;
    if (!index) return;

    st_map_free(&index->child_names);
    st_map_free(&index->object_names);
    st_free(index);
    node->index = NULL;
}

static bool has_role(const st_object *object, int place) {
    if (place == MECHANICAL) return (object->type->flags & ST_CLASS_MECHANICAL) != 0;
    return st_has_role(object, FIRST_ROLE + (size_t)place * sizeof(void *));
}

static void enter_member(st_members *members, st_object *object) {
    if (!members->first) members->first = object;
    members->last = object;
    members->count++;
}

// The first one of a name is the one that is found.
static bool enter_name(st_map *names, st_object *object) {
    return !object->name || st_map_has(names, object->name) || st_map_put(names, object->name, object);
}

static bool enter_new(const st_node *node, struct st_node_index *index) {
    // what came since the last look-up
    for (; index->children < node->children.count; index->children++)
        if (!enter_name(&index->child_names, &node->children.data[index->children]->object)) return false;

    for (; index->objects < node->objects.count; index->objects++) {
        st_object *object = node->objects.data[index->objects];
        if (!enter_name(&index->object_names, object)) return false;

        for (int place = 0; place <= MECHANICAL; place++)
            if (has_role(object, place)) enter_member(&index->roles[place], object);
    }

    return true;
}

// NULL: the node is small, or out of memory; it is to be walked.
static struct st_node_index *index_of(const st_node *constant) {
    st_node *node = (st_node *)constant; // an index is no part of what a node is
    if (!node->index && node->children.count + node->objects.count <= WALKED) return NULL;

    if (!node->index) node->index = st_alloc(1, sizeof *node->index);
    if (node->index && !enter_new(node, node->index)) st_node_forget(node);
    return node->index;
}

// ---------------------------------------------------------------------------------------------------
// Look-ups
// ---------------------------------------------------------------------------------------------------

static st_members members_of(const st_node *node, int place) {
    const struct st_node_index *index = index_of(node);
    if (index) return index->roles[place];

    st_members members = {0};
    for (size_t i = 0; i < node->objects.count; i++)
        if (has_role(node->objects.data[i], place)) enter_member(&members, node->objects.data[i]);
    return members;
}

st_members st_node_members(const st_node *node, size_t role) {
    return members_of(node, (int)((role - FIRST_ROLE) / sizeof(void *)));
}

st_members st_node_mechanical(const st_node *node) { return members_of(node, MECHANICAL); }

static bool same_name(const st_object *object, const char *name, size_t length) {
    return object->name && strncmp(object->name, name, length) == 0 && object->name[length] == '\0';
}

st_object *st_node_named(const st_node *node, const char *name, size_t length) {
    const struct st_node_index *index = index_of(node);
    if (index) {
        st_object *child = st_map_get_n(&index->child_names, name, length);
        return child ? child : st_map_get_n(&index->object_names, name, length);
    }

    // a small node: children first
    for (size_t i = 0; i < node->children.count; i++)
        if (same_name(&node->children.data[i]->object, name, length)) return &node->children.data[i]->object;
    for (size_t i = 0; i < node->objects.count; i++)
        if (same_name(node->objects.data[i], name, length)) return node->objects.data[i];
    return NULL;
}
