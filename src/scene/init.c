// Running a scene: initialization, events, context, steps, reset.
//
// Order of an initialization: default loop; component links tried again; `init` top-down in the order of creation,
// `bwd_init` in exactly the reverse; projection and propagation once; reset state stored. There is no sorting by kind.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/scene.h"
#include "settee/plugin/solver.h"

// ---------------------------------------------------------------------------------------------------
// Context and events
// ---------------------------------------------------------------------------------------------------

static void inherit_context(st_node *node) {
    if (node->parent) {
        memcpy(node->gravity, node->parent->gravity, sizeof node->gravity);
        node->dt = node->parent->dt;
        node->time = node->parent->time;
        node->animate = node->parent->animate;
    }
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->context) object->type->context->apply(object, node);
    }
}

static bool context_visit(st_node *node, void *context) {
    (void)context;
    inherit_context(node);
    return true;
}

void st_propagate_context(st_node *root) { st_visit(root, context_visit, NULL); }

// Whoever handles an event is the last to see it.
static bool event_visit(st_node *node, void *context) {
    st_event *event = context;
    for (size_t i = 0; i < node->objects.count && !event->handled; i++) {
        st_object *object = node->objects.data[i];
        if (object->listening && object->type->event && st_is_valid(object)) object->type->event(object, event);
    }
    return !event->handled;
}

void st_send_event(st_node *root, st_event *event) { st_visit(root, event_visit, event); }

// ---------------------------------------------------------------------------------------------------
// Begin of a step: links and tracked fields
// ---------------------------------------------------------------------------------------------------

// A vector of a state that steps write, without saying so each time.
static bool is_stepped(const st_object *object, size_t index) {
    const size_t offset = object->type->all_fields[index]->offset;
    if (!object->type->state || offset < offsetof(st_state, coord) || offset >= offsetof(st_state, more_coord))
        return false;
    const st_state *state = (const st_state *)object;
    const void *vector = (const char *)object + offset;
    return vector != &state->coord[ST_COORD_REST] && vector != &state->coord[ST_COORD_RESET] &&
           vector != &state->deriv[ST_DERIV_RESET];
}

static bool is_followed(const st_object *object, size_t index) {
    return object->data[index].children.count && is_stepped(object, index);
}

static bool is_live(const st_object *object) {
    for (size_t i = 0; i < object->type->field_count; i++) {
        const bool tracked = object->type->changed && (object->type->all_fields[i]->flags & ST_FIELD_TRACKED);
        if (tracked || object->data[i].source || is_followed(object, i)) return true;
    }
    return false;
}

static bool collect_live(st_node *node, void *context) {
    st_scene *scene = context;
    bool ok = !is_live(&node->object) || st_list_push(&scene->live, &node->object);
    for (size_t i = 0; ok && i < node->objects.count; i++)
        ok = !is_live(node->objects.data[i]) || st_list_push(&scene->live, node->objects.data[i]);
    if (!ok) st_message(&node->object, ST_ERROR, "out of memory: links below are not followed");
    return ok;
}

static void find_live(st_scene *scene) {
    if (scene->live_structure == scene->structure) return;
    scene->live.count = 0;
    st_visit(scene->root, collect_live, scene);
    scene->live_structure = scene->structure;
}

// Does a mapping or an integrator write the state in each step?
static bool is_moved(const st_object *object) {
    return object->type->state &&
           (((const st_state *)object)->mapped || st_find_slot(object->node, ST_ROLE(integrator)));
}

// Positions whose source was moved after they were themselves.
static void take_late_links(const st_scene *scene) {
    for (size_t i = 0; i < scene->live.count; i++) {
        st_object *object = scene->live.data[i];
        if (is_moved(object) && ((st_state *)object)->mechanical && !((st_state *)object)->mapped)
            st_state_take_links((st_state *)object);
    }
}

// The vector is not taken from its source. The source is brought up to date, since what is out of date has followers
// that are, too.
static void keep_own(st_data *data) {
    if (data->dirty) st_pull_index(data->source, data->source_field);
    data->dirty = false;
}

// After a step, links from the vectors of states have something new to deliver. A state that the step has moved, too,
// has taken up what it is linked to while it was moved (state_links.c), and keeps its own.
void st_touch_states(st_scene *scene) {
    find_live(scene);
    take_late_links(scene);
    for (size_t i = 0; i < scene->live.count; i++)
        for (uint32_t k = 0; k < scene->live.data[i]->type->field_count; k++)
            if (is_followed(scene->live.data[i], k)) st_touch_index(scene->live.data[i], k);
    for (size_t i = 0; i < scene->live.count; i++) {
        const st_object *object = scene->live.data[i];
        for (uint32_t k = 0; is_moved(object) && k < object->type->field_count; k++)
            if (object->data[k].source && is_stepped(object, k)) keep_own(&object->data[k]);
    }
}

static bool tracked_changed(st_object *object) {
    bool changed = false;
    for (size_t i = 0; i < object->type->field_count; i++) {
        st_data *data = &object->data[i];
        if (!(object->type->all_fields[i]->flags & ST_FIELD_TRACKED) || data->seen == data->counter) continue;
        data->seen = data->counter;
        changed = true;
    }
    return changed;
}

void st_update_internal(st_node *root) {
    st_scene *scene = root->object.scene;
    find_live(scene);
    for (size_t i = 0; i < scene->live.count; i++) {
        st_object *object = scene->live.data[i];
        st_pull(object);
        if (object->type->changed && tracked_changed(object) && st_is_valid(object)) object->type->changed(object);
    }
}

// ---------------------------------------------------------------------------------------------------
// Initialization
// ---------------------------------------------------------------------------------------------------

typedef ST_LIST(st_node *) node_list;

static bool update_links_visit(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) st_update_links(node->objects.data[i], true);
    return true;
}

static void check_required(st_object *object) {
    for (size_t i = 0; i < object->type->field_count; i++) {
        const st_field *field = object->type->all_fields[i];
        if (!(field->flags & ST_FIELD_REQUIRED) || object->data[i].set) continue;
        if (field->value)
            st_message(object, ST_WARNING, "required data \"%s\" has not been set (the default %s is used)",
                       field->name, field->value);
        else st_message(object, ST_ERROR, "required data \"%s\" has not been set", field->name);
    }
}

// A component that fails is invalid and inert; the scene goes on.
static void init_object(st_object *object) {
    check_required(object);
    st_pull(object);
    if (!st_is_valid(object)) return;
    const st_status status = object->type->init ? object->type->init(object) : ST_OK;
    object->validity = status == ST_OK && st_is_valid(object) ? ST_VALID : ST_BROKEN;
    tracked_changed(object);
}

typedef struct initialization {
    node_list nodes; // that were initialized, in order
    bool ok;         // false: memory is out
} initialization;

// Only once: a node that was inactive so far comes later.
static bool init_visit(st_node *node, void *context) {
    initialization *run = context;
    if (!run->ok) return false;
    inherit_context(node);
    if (node->object.validity == ST_VALID) return true;
    run->ok = st_list_push(&run->nodes, node);
    if (!run->ok) return false;
    node->object.validity = ST_VALID;
    st_pull(&node->object);
    for (size_t i = 0; i < node->objects.count; i++) init_object(node->objects.data[i]); // the list may grow meanwhile
    return true;
}

static void init_backward(node_list *nodes) {
    for (size_t i = nodes->count; i-- > 0;)
        for (size_t k = nodes->data[i]->objects.count; k-- > 0;) {
            st_object *object = nodes->data[i]->objects.data[k];
            if (!object->type->bwd_init || !st_is_valid(object)) continue;
            st_pull(object);
            if (object->type->bwd_init(object) != ST_OK) object->validity = ST_BROKEN;
        }
}

static void store_reset(const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->data[i]->objects.count; k++) {
            st_object *object = nodes->data[i]->objects.data[k];
            if (object->type->store_reset) object->type->store_reset(object);
        }
}

static void add_default_loop(st_scene *scene) {
    if (st_find_slot(scene->root, ST_ROLE(loop))) return;
    st_scene_message(scene, ST_WARNING, "scene", scene->root->object.file, scene->root->object.line,
                     "there is no animation loop in the root node: a DefaultAnimationLoop is added");
    st_add_object(scene->root, "DefaultAnimationLoop", NULL, "DefaultAnimationLoop", true);
}

static st_status init_nodes(st_scene *scene, bool first) {
    initialization run = {.ok = true};
    st_visit(scene->root, update_links_visit, NULL);
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_START});
    st_visit(scene->root, init_visit, &run);
    init_backward(&run.nodes);
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_DONE});
    scene->structure++; // flags of mappings may have changed in init
    st_settle(scene->root);
    store_reset(&run.nodes);
    st_list_free(&run.nodes);
    if (run.ok) return ST_OK;
    st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "out of memory: not every node was initialized");
    return ST_OUT_OF_MEMORY;
}

st_status st_scene_init(st_scene *scene) {
    if (!scene->root || scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0,
                         scene->root ? "the scene is initialized already" : "there is no scene to initialize");
        return ST_INVALID;
    }
    add_default_loop(scene);
    const st_status status = init_nodes(scene, true);
    if (status != ST_OK) return status;
    scene->initialized = true;
    return scene->strict_failure ? ST_INVALID : ST_OK;
}

void st_init_activated(st_scene *scene) {
    if (scene->initialized) init_nodes(scene, false);
}

// ---------------------------------------------------------------------------------------------------
// Steps and reset
// ---------------------------------------------------------------------------------------------------

// A file that a component could not write is told once.
static st_status output_status(st_scene *scene) {
    const bool failed = scene->output_failure;
    scene->output_failure = false;
    return failed ? ST_FAILED : ST_OK;
}

st_status st_scene_step(st_scene *scene, st_real dt) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be stepped");
        return ST_INVALID;
    }
    st_loop *loop = (st_loop *)st_find_slot(scene->root, ST_ROLE(loop));
    if (!loop || !st_is_valid(&loop->object)) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene has no usable animation loop");
        return ST_INVALID;
    }
    const st_status status = loop->object.type->loop->step(loop, dt);
    st_touch_states(scene);
    return status == ST_OK ? output_status(scene) : status;
}

st_status st_scene_finish(st_scene *scene) {
    if (!scene->initialized || scene->finished) return ST_OK;
    scene->finished = true;
    st_send_event(scene->root, &(st_event){.kind = ST_EVENT_SCENE_END});
    return output_status(scene);
}

static bool reset_visit(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        object->said.count = 0; // messages that are sent once may be sent again
        if (object->type->reset) object->type->reset(object);
    }
    return true;
}

st_status st_scene_reset(st_scene *scene) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be reset");
        return ST_INVALID;
    }
    st_loop *loop = (st_loop *)st_find_slot(scene->root, ST_ROLE(loop));
    if (loop) scene->root->time = loop->reset_time;
    st_propagate_context(scene->root);
    st_visit(scene->root, reset_visit, NULL);
    st_settle(scene->root);
    st_touch_states(scene);
    return ST_OK;
}
