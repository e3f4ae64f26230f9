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

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/classes.h"
#include "api/matrix.h"
#include "check/sanity_check.h"
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

st_config st_default_config(void) { return (st_config){.threads = 1, .log = st_log_to_stderr}; }

static bool copy_strings(st_strings *to, const char *const *from) {
    for (; from && *from; from++) {
        char *copy = st_string_copy(*from);
        if (!copy || !st_list_push(to, copy)) return false;
    }
    return true;
}

// Folders of an environment variable, colons between.
static bool add_variable(st_strings *to, const char *variable) {
    for (const char *at = getenv(variable); at && *at;) {
        const size_t length = strcspn(at, ":");
        char *copy = length ? st_string_copy_n(at, length) : NULL;
        if (length && (!copy || !st_list_push(to, copy))) {
            st_free(copy);
            return false;
        }
        at += length + (at[length] == ':');
    }
    return true;
}

st_scene *st_scene_create(const st_config *config) {
    st_scene *scene = st_alloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->config = config ? *config : st_default_config();
    scene->compat = !scene->config.no_compat;
    scene->life = st_alloc(1, sizeof *scene->life);
    bool ok = scene->life != NULL;
    if (ok) {
        atomic_init(&scene->life->users, 1);
        atomic_init(&scene->life->alive, true);
    }

    // paths are copied: the caller's may be gone later
    ok = ok && copy_strings(&scene->data_paths, scene->config.data_paths) &&
         copy_strings(&scene->plugin_paths, scene->config.plugin_paths) &&
         add_variable(&scene->data_paths, "SETTEE_DATA_PATH") &&
         add_variable(&scene->plugin_paths, "SETTEE_PLUGIN_PATH");
    if (ok && scene->config.threads > 1) ok = (scene->pool = st_pool_create(scene->config.threads)) != NULL;
    if (ok && st_register_builtin_classes(scene) == ST_OK) return scene;

    st_scene_destroy(scene);
    return NULL;
}

static void destroy_removed(st_scene *scene) {
    for (size_t i = scene->removed.count; i-- > 0;) {
        st_object *object = scene->removed.data[i];
        if (st_is_node(object)) st_node_destroy((st_node *)object);
        else st_object_destroy(object);
    }
    st_list_free(&scene->removed);
}

// Views may outlive the scene.
static void end_life(st_life *life) {
    if (!life) return;
    atomic_store(&life->alive, false);
    if (atomic_fetch_sub(&life->users, 1) == 1) st_free(life);
}

void st_scene_destroy(st_scene *scene) {
    if (!scene) return;
    st_scene_finish(scene);

    // what refers to components is destroyed before them, their classes and plug-ins after them
    st_probes_destroy(scene);
    st_plans_destroy(scene);
    destroy_removed(scene);
    st_node_destroy(scene->root);
    st_registry_destroy(scene);
    st_plugins_close(scene);

    st_pool_destroy(scene->pool);
    st_strings_free(&scene->data_paths);
    st_strings_free(&scene->plugin_paths);
    st_strings_free(&scene->files);
    st_strings_free(&scene->written);
    st_map_free(&scene->written_names);
    st_strings_free(&scene->vtk_frames);
    st_free(scene->vtk_folder);
    st_profile_destroy(scene);
    st_list_free(&scene->live);
    st_list_free(&scene->moving);
    st_list_free(&scene->contexts);
    st_list_free(&scene->all);
    st_list_free(&scene->flow);
    st_list_free(&scene->edited);
    st_snapshot_free(scene);
    st_free(scene->path_buffer);
    st_free(scene->refusal);
    st_free(scene->failure);
    st_forget_error(scene);
    for (size_t i = 0; i < scene->callbacks.count; i++) st_free(scene->callbacks.data[i].event);
    st_list_free(&scene->callbacks);
    end_life(scene->life);
    st_free(scene);
}

// ---------------------------------------------------------------------------------------------------
// Load
// ---------------------------------------------------------------------------------------------------

static size_t error_count(const st_scene *scene) { return scene->messages[ST_ERROR] + scene->messages[ST_FATAL]; }

// What is done with errors on the way is done, and says so.
static st_status loaded(st_scene *scene, st_status status, size_t errors_before) {
    if (status == ST_OK) status = st_status_with_errors(scene, errors_before);
    if (status == ST_WITH_ERRORS && scene->config.strict) status = ST_INVALID;
    st_scene_leave(scene);
    return status;
}

st_status st_scene_load(st_scene *scene, const char *path) {
    if (!scene || !path) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const size_t before = error_count(scene);
    return loaded(scene, st_load_file(scene, path), before);
}

st_status st_scene_load_text(st_scene *scene, const char *text, size_t length, const char *directory) {
    if (!scene || !text) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const size_t before = error_count(scene);
    return loaded(scene, st_load_text(scene, text, length, directory), before);
}

st_status st_scene_load_plugin(st_scene *scene, const char *path) {
    if (!scene || !path) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const st_status status = st_plugin_load(scene, path);
    st_scene_leave(scene);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Initialize
// ---------------------------------------------------------------------------------------------------

typedef ST_LIST(st_node *) node_list;

typedef struct initialization {
    node_list nodes;           // that were initialized, in order
    ST_LIST(st_object *) late; // components that came into nodes that were initialized before
    bool ok;                   // false: out of memory
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
    if (object->record->waiting) {
        object->record->waiting = false;
        object->validity = ST_UNDEFINED;
    }
    check_required(object);

    // linked values, with the engines behind them
    st_pull(object);
    if (!st_is_valid(object)) return;

    const st_status status = object->type->init ? object->type->init(object) : ST_OK;
    object->validity = status == ST_OK && st_is_valid(object) ? ST_VALID : ST_BROKEN;
    st_forget_changes(object);
}

// Components that were added since the node's init.
static bool init_late(const st_node *node, initialization *run) {
    for (size_t i = 0; run->ok && i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (!object->record->waiting) continue;
        run->ok = st_list_push(&run->late, object);
        if (run->ok) init_object(object);
    }
    return run->ok;
}

// Only once: a node that was inactive so far comes later.
static bool init_visit(st_node *node, void *context) {
    initialization *run = context;
    if (!run->ok) return false;

    // gravity, dt and time of the nodes above
    st_inherit_context(node);
    if (node->object.validity == ST_VALID) return init_late(node, run);

    run->ok = st_list_push(&run->nodes, node);
    if (!run->ok) return false;
    node->object.validity = ST_VALID;
    st_pull(&node->object);

    for (size_t i = 0; i < node->objects.count; i++) init_object(node->objects.data[i]); // the list may grow meanwhile
    return true;
}

static void init_object_backward(st_object *object) {
    if (!object->type->bwd_init || !st_is_valid(object)) return;
    st_pull(object);
    if (object->type->bwd_init(object) != ST_OK) object->validity = ST_BROKEN;
}

static void init_backward(const initialization *run) {
    for (size_t i = run->late.count; i-- > 0;) init_object_backward(run->late.data[i]);
    for (size_t i = run->nodes.count; i-- > 0;)
        for (size_t k = run->nodes.data[i]->objects.count; k-- > 0;)
            init_object_backward(run->nodes.data[i]->objects.data[k]);
}

static void store_reset(st_object *object) {
    if (object->type->store_reset) object->type->store_reset(object);
}

// A reset goes back to the state that what is new has now.
static void store_resets(const initialization *run) {
    for (size_t i = 0; i < run->nodes.count; i++)
        for (size_t k = 0; k < run->nodes.data[i]->objects.count; k++) store_reset(run->nodes.data[i]->objects.data[k]);
    for (size_t i = 0; i < run->late.count; i++)
        if (!run->late.data[i]->type->loop) store_reset(run->late.data[i]);
}

static st_status init_nodes(st_scene *scene, st_node *top, bool first) {
    initialization run = {.ok = true};

    st_visit(top, update_links_visit, NULL);

    // top-down, then back
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_START});
    st_visit(top, init_visit, &run);
    init_backward(&run);
    if (first) st_send_event(scene->root, &(st_event){.kind = ST_EVENT_INIT_DONE});

    // positions and velocities that fit together, which a reset goes back to
    scene->structure++; // flags of mappings may have changed in init
    st_settle(scene->root);
    store_resets(&run);
    st_list_free(&run.nodes);
    st_list_free(&run.late);
    if (run.ok) return ST_OK;

    st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "out of memory: not every node was initialized");
    return ST_OUT_OF_MEMORY;
}

// A reason to fail is one of the step in which it came: init and reset have reported it. Was there one?
static bool forget_failure(st_scene *scene) {
    const bool failed = scene->failure != NULL;
    st_free(scene->failure);
    scene->failure = NULL;
    return failed;
}

// compat="0" and fast="1" of the root count for the whole scene, whoever made it. Fast: the pool carries it to the loops; a
// scene of one thread gets a pool without others.
static bool take_modes(st_scene *scene) {
    if (!scene->root->compat) scene->compat = false;
    if (!scene->root->fast && !scene->config.fast) return true;

    if (!scene->pool) scene->pool = st_pool_create(1);
    if (scene->pool) st_pool_set_fast(scene->pool, true);
    return scene->pool != NULL;
}

st_status st_scene_init(st_scene *scene) {
    if (!scene) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    if (!scene->root || scene->initialized || scene->stepping) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0,
                         scene->root ? "the scene is initialized already" : "there is no scene to initialize");
        st_scene_leave(scene);
        return ST_INVALID;
    }

    // components go on after errors, which are counted
    const size_t before = error_count(scene);
    st_status status = take_modes(scene) ? ST_OK : ST_OUT_OF_MEMORY;
    scene->stepping = true;
    if (status == ST_OK) {
        add_default_loop(scene);
        status = init_nodes(scene, scene->root, true);
    }
    scene->stepping = false;
    forget_failure(scene);

    if (status == ST_OK) {
        scene->initialized = true;
        scene->waiting = 0;
        scene->good_dt = scene->root->dt;
        st_check_sanity(scene);
        if (scene->strict_failure) status = ST_INVALID;
    }

    return loaded(scene, status, before);
}

// What is above an initialized node is, too: a branch can be initialized alone.
static st_status init_waiting(st_scene *scene, st_node *top) {
    const size_t before = error_count(scene);
    const bool outer = scene->stepping;
    scene->stepping = true;
    const st_status status = init_nodes(scene, top, false);
    scene->stepping = outer;

    if (top == scene->root) scene->waiting = 0;
    return status == ST_OK ? st_status_with_errors(scene, before) : status;
}

st_status st_init_activated(st_scene *scene) { return scene->initialized ? init_waiting(scene, scene->root) : ST_OK; }

st_status st_node_init(st_node *node) {
    if (!node) return ST_INVALID;
    st_scene *scene = node->object.scene;
    if (!st_scene_enter(scene)) return ST_BUSY;

    st_status status = ST_INVALID;
    if (!scene->initialized)
        st_message(&node->object, ST_ERROR, "the scene must be initialized as a whole first (st_scene_init)");
    else if (!st_object_is_attached(&node->object)) st_message(&node->object, ST_ERROR, "it is not in the scene");
    else if (st_graph_may_change(scene, "it cannot be initialized")) status = init_waiting(scene, node);
    else status = ST_BUSY;

    if (!scene->stepping) forget_failure(scene);
    st_scene_leave(scene);
    return status;
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
    if (scene->loop_structure != st_lasting_structure(scene)) {
        scene->loop = st_find_slot(scene->root, ST_ROLE(loop));
        scene->loop_structure = st_lasting_structure(scene);
    }
    return (st_loop *)scene->loop;
}

// A dt that no scene can be integrated with.
static bool is_bad_dt(st_scene *scene, st_real dt) {
    if (dt == 0) dt = scene->root->dt;
    if (isfinite(dt) && dt > 0) return false;
    st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "dt = %g: a step must be a positive, finite time", (double)dt);
    return true;
}

// A reason to fail that came after the state was computed and checked.
static st_status failure_status(st_scene *scene, st_loop *loop, st_real dt, st_status status) {
    if (!scene->failure) return status;
    const st_loop_ops *ops = loop->object.type->loop;
    if (status == ST_OK && ops->take_back) status = ops->take_back(loop, dt);
    if (status == ST_OK) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the step was made to fail at its end: %s; its state stays",
                         scene->failure);
        status = ST_FAILED;
    }

    forget_failure(scene);
    return status;
}

// The loop that makes the next step.
static st_status prepare_step(st_scene *scene, st_real dt, st_loop **loop) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be stepped");
        return ST_INVALID;
    }
    if (scene->stepping || scene->events) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "a step cannot be made within a step or an event");
        return ST_BUSY;
    }

    // what came since the last step
    if (scene->waiting) {
        const st_status status = init_waiting(scene, scene->root);
        if (!st_succeeded(status)) return status;
    }

    *loop = loop_of(scene);
    if (!*loop || !st_is_valid(&(*loop)->object)) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene has no usable animation loop");
        return ST_INVALID;
    }
    return is_bad_dt(scene, dt) ? ST_INVALID : ST_OK;
}

static st_status step_scene(st_scene *scene, st_real dt) {
    st_loop *loop;
    st_status status = prepare_step(scene, dt, &loop);
    if (status != ST_OK) return status;

    // what follows the states through links is out of date after the step
    scene->stepping = true;
    status = loop->object.type->loop->step(loop, dt);
    st_touch_states(scene);
    status = failure_status(scene, loop, dt, status);
    scene->stepping = false;
    return status == ST_OK ? output_status(scene) : status;
}

st_status st_scene_step(st_scene *scene, st_real dt) {
    if (!scene) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const st_status status = step_scene(scene, dt);
    st_scene_leave(scene);
    return status;
}

static st_status begin_step(st_scene *scene) {
    st_loop *loop;
    const st_status status = prepare_step(scene, 0, &loop);
    if (status != ST_OK) return status;

    // once, by the loop's own hook
    const st_loop_ops *ops = loop->object.type->loop;
    if (scene->begun || !ops->begin) return ST_OK;
    scene->stepping = true;
    ops->begin(loop, 0);
    scene->stepping = false;
    return output_status(scene);
}

st_status st_scene_begin_step(st_scene *scene) {
    if (!scene) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const st_status status = begin_step(scene);
    st_scene_leave(scene);
    return status;
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

static st_status reset_scene(st_scene *scene) {
    if (!scene->initialized) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "the scene must be initialized before it can be reset");
        return ST_INVALID;
    }
    if (scene->stepping || scene->events) {
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0, "a scene cannot be reset within a step or an event");
        return ST_BUSY;
    }

    // the time first: components may read it in their reset
    scene->begun = false;
    const st_loop *loop = loop_of(scene);
    scene->stepping = true;
    if (loop) scene->root->time = loop->reset_time;
    st_propagate_context(scene);
    const bool undone = st_undo_edits(scene);
    if (undone) st_visit(scene->root, reset_visit, NULL);

    st_settle(scene->root);
    st_touch_states(scene);
    scene->stepping = false;
    const bool failed = forget_failure(scene);
    return !undone ? ST_OUT_OF_MEMORY : failed ? ST_FAILED : ST_OK;
}

st_status st_scene_reset(st_scene *scene) {
    if (!scene) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;
    const st_status status = reset_scene(scene);
    st_scene_leave(scene);
    return status;
}

st_status st_scene_finish(st_scene *scene) {
    if (!scene) return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;

    st_status status = ST_OK;
    if (scene->initialized && !scene->finished) {
        scene->finished = true;
        st_send_event(scene->root, &(st_event){.kind = ST_EVENT_SCENE_END});
        status = output_status(scene);
    }

    st_scene_leave(scene);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// What a program asks of it
// ---------------------------------------------------------------------------------------------------

st_real st_scene_time(const st_scene *scene) { return scene && scene->root ? scene->root->time : 0; }
st_real st_scene_dt(const st_scene *scene) { return scene && scene->root ? scene->root->dt : 0; }
bool st_scene_is_initialized(const st_scene *scene) { return scene && scene->initialized; }
uint32_t st_scene_structure(const st_scene *scene) { return scene ? scene->structure : 0; }

size_t st_scene_message_count(const st_scene *scene, st_severity severity) {
    return scene && severity >= ST_INFO && severity <= ST_FATAL ? scene->messages[severity] : 0;
}

const st_diagnostic *st_scene_last_error(const st_scene *scene) {
    return scene && scene->last_error.text ? &scene->last_error : NULL;
}

void st_scene_clear_error(st_scene *scene) {
    if (scene) st_forget_error(scene);
}
