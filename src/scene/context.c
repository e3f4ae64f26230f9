// Context: gravity, time step and time go from each node to its children; Gravity components change their own node's.
//
// A step does this once. The nodes are kept in a flat list, parents first, which is made again when the structure of the
// scene changes.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"

static void take_from_parent(st_node *node) {
    memcpy(node->gravity, node->parent->gravity, sizeof node->gravity);
    node->dt = node->parent->dt;
    node->time = node->parent->time;
    node->animate = node->parent->animate;
}

void st_inherit_context(st_node *node) {
    // what the node has from above, then what its own components change
    if (node->parent) take_from_parent(node);
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->context) object->type->context->apply(object, node);
    }
}

// One entry for the node itself (without a component), then one for each of its components that change it.
static bool context_collect(st_node *node, void *context) {
    st_scene *scene = context;
    const st_context_step inherit = {.node = node};
    if (st_is_passing(&node->object)) return true; // it has what it needs from when it came
    bool ok = !node->parent || st_list_push(&scene->contexts, inherit);

    for (size_t i = 0; ok && i < node->objects.count; i++) {
        const st_context_step change = {node, node->objects.data[i]};
        if (change.component->type->context) ok = st_list_push(&scene->contexts, change);
    }

    if (!ok) scene->contexts_complete = false;
    return ok;
}

static bool context_walk(st_node *node, void *context) {
    (void)context;
    st_inherit_context(node);
    return true;
}

void st_propagate_context(st_scene *scene) {
    // the list belongs to one structure of the scene
    if (scene->contexts_structure != st_lasting_structure(scene)) {
        scene->contexts.count = 0;
        scene->contexts_complete = true;
        st_visit(scene->root, context_collect, scene);
        scene->contexts_structure = st_lasting_structure(scene);
    }

    // out of memory: the tree itself
    if (!scene->contexts_complete) {
        st_visit(scene->root, context_walk, NULL);
        return;
    }

    // parents come first in the list
    for (size_t i = 0; i < scene->contexts.count; i++) {
        const st_context_step step = scene->contexts.data[i];
        if (step.component) step.component->type->context->apply(step.component, step.node);
        else take_from_parent(step.node);
    }
}
