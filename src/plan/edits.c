// The end of a change of meshes: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/edits.h"

#include "base/array.h"
#include "collision/collision.h"
#include "plan/plan.h"
#include "scene/snapshot.h"
#include "topology/adjacency.h"
#include "topology/container.h"
#include "topology/edit.h"
#include "topology/mapping/topological_mapping.h"

typedef ST_LIST(st_object *) object_list;

// ---------------------------------------------------------------------------------------------------
// Who is concerned
// ---------------------------------------------------------------------------------------------------

// Roles whose `init` reads a mesh or the number of DOFs.
static bool reads_meshes(const st_object *object) {
    const st_class *type = object->type;
    if (type->topology || type->update) return false;
    for (uint32_t i = 0; i < st_field_count(object); i++)
        if (st_fields(object)[i]->mesh > 0 && !type->state && !(type->flags & ST_CLASS_FOLLOWS_MESH)) return true;
    const bool visual = type->state && !((const st_state *)object)->mechanical;
    return type->force || type->mass || type->mapping || type->projection || type->law || type->correction ||
           type->collision_model || visual;
}

static bool is_at_or_below(const st_node *node, const st_node *top) {
    for (; node; node = node->parent)
        if (node == top) return true;
    return false;
}

// At or below a changed mesh.
static bool is_near(const st_scene *scene, const st_object *object) {
    const st_node *node = st_is_node(object) ? (const st_node *)object : object->node;
    for (size_t i = 0; i < scene->edited.count; i++)
        if (is_at_or_below(node, scene->edited.data[i]->node)) return true;
    return false;
}

static bool is_linked_near(const st_scene *scene, const st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (field->type->syntax != ST_SYNTAX_LINK) continue;

        // one target, or several
        const object_list *several = st_member(object, field);
        st_object *const *targets = field->type->list ? several->data : st_member(object, field);
        const size_t count = field->type->list ? several->count : 1;
        for (size_t k = 0; k < count; k++)
            if (targets[k] && is_near(scene, targets[k])) return true;
    }
    return false;
}

// Contact points of a collision response come and go with their contacts.
static bool is_transient(const st_node *node) {
    const st_object *state = st_node_mechanical(node).last;
    return state && ((const st_state *)state)->transient;
}

typedef struct walk {
    st_scene *scene;
    object_list objects;
    object_list remade; // meshes that mappings make again
    bool everything;
    bool ok;
} walk;

static bool is_topological(const st_object *object) { return st_is_a(object, &st_topological_mapping_class); }

static bool is_listed(const object_list *list, const st_object *object) {
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i] == object) return true;
    return false;
}

// A mapping that cannot follow edits of its input, or whose input was made again, makes its output again. Edits of the
// output itself stay.
static bool is_remade(const walk *w, const st_object *object) {
    const st_object *input = ((const st_topological_mapping *)object)->input;
    if (!object->type->init) return false;
    if (is_listed(&w->remade, input)) return true;
    const st_topology *output = (const st_topology *)((const st_topological_mapping *)object)->output;
    if (object->type->edited && object->validity == ST_VALID && st_is_changeable(output)) return false;
    return is_listed((const object_list *)(const void *)&w->scene->edited, input);
}

// What such a mapping makes again has changed as well.
static void note_remade(walk *w, const st_node *node) {
    for (size_t i = 0; w->ok && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!is_topological(object) || !is_remade(w, object)) continue;
        st_object *output = ((st_topological_mapping *)object)->output;
        if (is_listed(&w->remade, output)) continue;

        w->ok = st_list_push(&w->remade, output) && st_list_push(&w->scene->edited, output);
        st_message_once(object, "remade", ST_WARNING,
                        "it cannot follow changes of its input: %s is made again, and its elements have new numbers",
                        output->name);
    }
    for (size_t i = 0; w->ok && i < node->children.count; i++) note_remade(w, node->children.data[i]);
}

static void edits_collect(walk *w, st_node *node) {
    if (node->object.validity != ST_VALID || is_transient(node)) return;

    for (size_t i = 0; w->ok && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        const bool mapping = is_topological(object);
        if (!object->type->init || !(mapping || reads_meshes(object))) continue;
        const bool follows = (object->type->flags & ST_CLASS_FOLLOWS_MESH) && object->validity == ST_VALID;
        if (!w->everything && follows) continue;
        if (!w->everything && mapping && !is_remade(w, object)) continue;
        if (w->everything || is_near(w->scene, object) || is_linked_near(w->scene, object))
            w->ok = st_list_push(&w->objects, object);
    }
    for (size_t i = 0; i < node->children.count; i++) edits_collect(w, node->children.data[i]);
}

// ---------------------------------------------------------------------------------------------------
// Again
// ---------------------------------------------------------------------------------------------------

static void edits_init(const object_list *objects) {
    for (size_t i = 0; i < objects->count; i++) {
        st_object *object = objects->data[i];
        st_pull(object);
        const st_status status = object->type->init(object);
        object->validity = status == ST_OK ? ST_VALID : ST_BROKEN;
        st_forget_changes(object);
    }

    for (size_t i = objects->count; i-- > 0;) {
        st_object *object = objects->data[i];
        if (!object->type->bwd_init || !st_is_valid(object)) continue;
        if (object->type->bwd_init(object) != ST_OK) object->validity = ST_BROKEN;
    }
}

static bool drop_contacts(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->contact_manager && object->type->reset && st_is_valid(object)) object->type->reset(object);
    }
    return true;
}

static void run_again(st_scene *scene, bool everything) {
    walk w = {.scene = scene, .everything = everything, .ok = true};
    st_visit(scene->root, drop_contacts, NULL);

    // a mapping may start from what another one makes again
    for (size_t known = SIZE_MAX; w.ok && !everything && known != w.remade.count;) {
        known = w.remade.count;
        note_remade(&w, scene->root);
    }
    if (w.ok) edits_collect(&w, scene->root);
    if (!w.ok) st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "out of memory: components cannot follow a mesh");
    edits_init(&w.objects);
    st_list_free(&w.objects);
    st_list_free(&w.remade);

    // lists, offsets and patterns belong to the former mesh
    scene->edited.count = 0;
    scene->structure++;
    scene->sizes++;
}

void st_finish_edits(st_scene *scene) {
    if (scene->edited.count == 0) return;
    run_again(scene, false);

    // nothing is projected: some constraints go on with each projection
    st_plan *plan = st_plan_of(scene->root);
    if (plan) st_plan_propagate_xv(plan, ST_POSITION, ST_VELOCITY);
}

// ---------------------------------------------------------------------------------------------------
// Undo
// ---------------------------------------------------------------------------------------------------

// Meshes and states as their lists say.
static void edits_fit(st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];

        // neighborhoods belong to the changed mesh
        if (object->type->topology) {
            st_topology *topology = (st_topology *)object;
            st_adjacency_drop(topology);
            if (st_is_a(object, &st_point_set_topology_container_class))
                topology->point_count = ((const st_container *)object)->nb_points;
        }

        // vectors that are no fields get the size of the others
        if (object->type->state && ((const st_state *)object)->mechanical) {
            st_state *state = (st_state *)object;
            const size_t count = state->coord[ST_COORD_POSITION].count;
            if (count != state->size && st_state_resize(state, count) != ST_OK)
                st_message(object, ST_ERROR, "out of memory: %zu DOFs", count);
            if (object->type->reset) object->type->reset(object);
        }
    }
    for (size_t i = 0; i < node->children.count; i++) edits_fit(node->children.data[i]);
}

bool st_undo_edits(st_scene *scene) {
    if (!scene->snapshot) return true;

    // contacts first: their states are no part of what was kept
    st_visit(scene->root, drop_contacts, NULL);
    if (!st_snapshot_restore(scene)) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "out of memory: the first mesh cannot be brought back");
        return false;
    }
    edits_fit(scene->root);
    scene->edited.count = 0;
    scene->undoing = true;
    run_again(scene, true);
    scene->undoing = false;
    return true;
}
