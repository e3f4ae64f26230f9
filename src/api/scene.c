// The life of a scene, as programs see it: create, load, initialize, step, reset, finish, destroy.
//
// An initialization does the following:
//
//     1. a default animation loop where the root has none; component links are tried again
//     2. `init` of every component, top-down, in the order of creation
//     3. `bwd_init`, in exactly the reverse order
//     4. positions and velocities projected and propagated once
//     5. the state that a reset goes back to is stored
//
// There is no sorting by kind. A node that was inactive goes through 2 to 5 when it is activated.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"

#include "api/classes.h"
#include "api/matrix.h"
#include "plan/edits.h"
#include "plan/plan.h"
#include "scene/load.h"
#include "scene/plugin.h"
#include "scene/snapshot.h"
#include "settee/plugin/solver.h"
#include "state/state_links.h"

// ---------------------------------------------------------------------------------------------------
// Create and destroy
// ---------------------------------------------------------------------------------------------------

st_config st_default_config(void) { return (st_config){.threads = 1}; }

static bool copy_strings(st_strings *to, const char *const *from) {
    for (; from && *from; from++) {
        char *copy = st_string_copy(*from);
        if (!copy || !st_list_push(to, copy)) return false;
    }
    return true;
}

st_scene *st_scene_create(const st_config *config) {
    st_scene *scene = st_alloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->config = config ? *config : st_default_config();
    scene->compat = !scene->config.no_compat;

    // paths are copied: the caller's may be gone later
    bool ok = copy_strings(&scene->data_paths, scene->config.data_paths) &&
              copy_strings(&scene->plugin_paths, scene->config.plugin_paths);
    if (ok && scene->config.threads > 1) ok = (scene->pool = st_pool_create(scene->config.threads)) != NULL;
    if (ok && st_register_builtin_classes(scene) == ST_OK) return scene;

    st_scene_destroy(scene);
    return NULL;
}

void st_scene_destroy(st_scene *scene) {
    if (!scene) return;
    st_scene_finish(scene);

    // what refers to components is destroyed before them, their classes and plug-ins after them
    st_probes_destroy(scene);
    st_plans_destroy(scene);
    st_node_destroy(scene->root);
    st_registry_destroy(scene);
    st_plugins_close(scene);

    st_pool_destroy(scene->pool);
    st_strings_free(&scene->data_paths);
    st_strings_free(&scene->plugin_paths);
    st_strings_free(&scene->files);
    st_list_free(&scene->live);
    st_list_free(&scene->contexts);
    st_list_free(&scene->all);
    st_list_free(&scene->flow);
    st_list_free(&scene->edited);
    st_snapshot_free(scene);
    st_free(scene->path_buffer);
    st_free(scene->refusal);
    st_free(scene);
}

// ---------------------------------------------------------------------------------------------------
// Load
// ---------------------------------------------------------------------------------------------------

st_status st_scene_load(st_scene *scene, const char *path) { return st_load_file(scene, path); }

st_status st_scene_load_text(st_scene *scene, const char *text, size_t length, const char *directory) {
    return st_load_text(scene, text, length, directory);
}

st_status st_scene_load_plugin(st_scene *scene, const char *path) { return st_plugin_load(scene, path); }

// ---------------------------------------------------------------------------------------------------
// Initialize
// ---------------------------------------------------------------------------------------------------

typedef ST_LIST(st_node *) node_list;

typedef struct initialization {
    node_list nodes; // that were initialized, in order
    bool ok;         // false: out of memory
} initialization;

static void add_default_loop(st_scene *scene) {
    if (st_find_slot(scene->root, ST_ROLE(loop))) return;

    st_scene_message(scene, ST_WARNING, "scene", scene->root->object.file, scene->root->object.line,
                     "there is no animation loop in the root node: a DefaultAnimationLoop is added");
    st_add_object(scene->root, "DefaultAnimationLoop", NULL, "DefaultAnimationLoop", true);
}

static bool update_links_visit(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) st_update_links(node->objects.data[i], true);
    return true;
}

static void check_required(st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];

        if (!(field->flags & ST_FIELD_REQUIRED) || object->data[i].set) continue;

        // with a default it is a warning: the scene can go on
        if (field->value)
            st_message(object, ST_WARNING, "required data \"%s\" has not been set (the default %s is used)",
                       field->name, field->value);
        else st_message(object, ST_ERROR, "required data \"%s\" has not been set", field->name);
    }
}

// A component that fails is invalid and inert; the scene goes on.
static void init_object(st_object *object) {
    check_required(object);

    // linked values, with the engines behind them
    st_pull(object);
    if (!st_is_valid(object)) return;

    const st_status status = object->type->init ? object->type->init(object) : ST_OK;
    object->validity = status == ST_OK && st_is_valid(object) ? ST_VALID : ST_BROKEN;
    st_forget_changes(object);
}

// Only once: a node that was inactive so far comes later.
static bool init_visit(st_node *node, void *context) {
    initialization *run = context;
    if (!run->ok) return false;

    // gravity, dt and time of the nodes above
    st_inherit_context(node);
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

static st_status init_nodes(st_scene *scene, bool first) {
    initialization run = {.ok = true};

    st_visit(scene->root, update_links_visit, NULL);

    // top-down, then back
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_START});
    st_visit(scene->root, init_visit, &run);
    init_backward(&run.nodes);
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_DONE});

    // positions and velocities that fit together, which a reset goes back to
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
// Step, reset, finish
// ---------------------------------------------------------------------------------------------------

// A file that a component could not write is reported once.
static st_status output_status(st_scene *scene) {
    const bool failed = scene->output_failure;
    scene->output_failure = false;
    return failed ? ST_FAILED : ST_OK;
}

static st_loop *loop_of(st_scene *scene) {
    // found once for each structure of the scene
    if (scene->loop_structure != scene->structure) {
        scene->loop = st_find_slot(scene->root, ST_ROLE(loop));
        scene->loop_structure = scene->structure;
    }
    return (st_loop *)scene->loop;
}

st_status st_scene_step(st_scene *scene, st_real dt) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be stepped");
        return ST_INVALID;
    }

    st_loop *loop = loop_of(scene);
    if (!loop || !st_is_valid(&loop->object)) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene has no usable animation loop");
        return ST_INVALID;
    }

    // what follows the states through links is out of date after the step
    const st_status status = loop->object.type->loop->step(loop, dt);
    st_touch_states(scene);
    return status == ST_OK ? output_status(scene) : status;
}

st_status st_scene_begin_step(st_scene *scene) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be stepped");
        return ST_INVALID;
    }
    if (scene->begun) return ST_OK;

    st_send_event(scene->root, &(st_event){.kind = ST_EVENT_ANIMATE_BEGIN, .dt = scene->root->dt});
    st_finish_edits(scene);
    st_update_internal(scene);
    scene->begun = true;
    return output_status(scene);
}

static bool reset_visit(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        st_forget_messages(object); // those that are sent once may be sent again
        if (object->type->reset) object->type->reset(object);
    }

    return true;
}

st_status st_scene_reset(st_scene *scene) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be reset");
        return ST_INVALID;
    }

    // the time first: components may read it in their reset
    scene->begun = false;
    const st_loop *loop = loop_of(scene);
    if (loop) scene->root->time = loop->reset_time;
    st_propagate_context(scene);
    if (!st_undo_edits(scene)) return ST_OUT_OF_MEMORY;
    st_visit(scene->root, reset_visit, NULL);

    st_settle(scene->root);
    st_touch_states(scene);
    return ST_OK;
}

st_status st_scene_finish(st_scene *scene) {
    if (!scene->initialized || scene->finished) return ST_OK;

    scene->finished = true;
    st_send_event(scene->root, &(st_event){.kind = ST_EVENT_SCENE_END});
    return output_status(scene);
}

// ---------------------------------------------------------------------------------------------------
// What a program asks of it
// ---------------------------------------------------------------------------------------------------

st_node *st_scene_root(st_scene *scene) { return scene->root; }
st_real st_scene_time(const st_scene *scene) { return scene->root ? scene->root->time : 0; }
st_real st_scene_dt(const st_scene *scene) { return scene->root ? scene->root->dt : 0; }
size_t st_scene_message_count(const st_scene *scene, st_severity severity) { return scene->messages[severity]; }

size_t st_scene_profile(const st_scene *scene, const st_profile_entry **entries) {
    *entries = scene->profile;
    return scene->profile_count;
}
