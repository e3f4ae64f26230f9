// The scene: what belongs to a whole simulation and what the files of this layer share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SCENE_SCENE_H
#define SETTEE_SCENE_SCENE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/array.h"
#include "base/map.h"
#include "base/pointer_table.h"
#include "base/pool.h"
#include "settee/plugin/component.h"
#include "settee/settee.h"

// ---------------------------------------------------------------------------------------------------
// Classes and objects: what the scene keeps of them
// ---------------------------------------------------------------------------------------------------

// What makes a class with functions of a former interface complete begins with this.
typedef struct st_bridge {
    const char *notices[3]; // which functions are deprecated, and what takes their place; NULL: none
} st_bridge;

// The registry's copy of a class, with everything inherited written out. Objects point at it.
typedef struct st_resolved_class {
    st_class type; // must be first
    const st_class *origin;
    const st_field **fields; // the parents' first
    size_t field_count;
    st_bridge *bridge; // what the `resolve` hook has allocated
} st_resolved_class;

static inline const st_resolved_class *st_resolved(const st_class *type) { return (const st_resolved_class *)type; }

typedef struct st_attr {
    char *name;
    char *value;
} st_attr;

struct st_object_record {
    bool auto_named;       // the scene gave no name: class name and counter
    bool passing;          // a response of contacts, or a node of contact points, which comes and goes
    bool hosts;            // of a node: responses of contacts have been in it
    uint32_t passed;       // of a node: counts what came and went at and below it
    bool waiting;          // came after the scene's init; counts as invalid until its own
    bool removed;          // was taken out of its node; the scene owns it
    bool switched_off;     // what it is linked to was removed; counts as invalid until that is back
    bool given;            // by a file or a program, not by another component: saved with the scene
    size_t order;          // of creation in the whole scene
    char *missing;         // of a placeholder: the class that could not be made
    ST_LIST(st_attr) made; // attributes that it was made with, byte order of names
    ST_LIST(char *) sent;  // keys of messages that are sent once; emptied by a reset
    // Its fields: those of its class, then those that a program has added to it (added_field.c).
    const st_field *const *fields;
    size_t field_count;
    ST_LIST(struct st_added_field *) added;
};

static inline const st_field *const *st_fields(const st_object *object) { return object->record->fields; }
static inline size_t st_field_count(const st_object *object) { return object->record->field_count; }

// A field of one object, which keeps its value outside of the object; its offset says so.
#define ST_NO_OFFSET SIZE_MAX
typedef struct st_added_field {
    st_field field; // must be first
    union {
        st_any_list list;
        char *text;
        st_real scalars[ST_WIDTH_MAX];
    } value;
} st_added_field;

// ---------------------------------------------------------------------------------------------------
// Data: what the scene knows of one field of one object
// ---------------------------------------------------------------------------------------------------

// A data link makes one field follow another. It is pulled: writing the source marks everything below it dirty, and
// reading copies. An engine's outputs follow the engine, which follows its inputs.
struct st_data {
    uint32_t counter; // times written
    uint32_t seen;    // counter when `changed` last looked at it
    bool set;
    bool dirty;
    bool edited;   // set by a program since the component was made
    bool pulling;  // waits on the stack of a pull
    uint32_t mark; // last search along the links that came here
    st_object *source;
    uint32_t source_field;
    char *pending; // path of a link whose target was not there when it was read
    ST_LIST(struct st_data_child {
        st_object *object;
        uint32_t field;
    })
    children; // fields linked to this one
};

// ---------------------------------------------------------------------------------------------------
// Scene
// ---------------------------------------------------------------------------------------------------

typedef struct st_plan st_plan;

typedef struct st_live_field {
    st_object *object;
    uint32_t index;  // of the field: its data move when a program adds a field
    bool integrated; // a state with an integrator at or above it
    bool tracked;    // its component wants to know about changes
} st_live_field;

typedef struct st_context_step {
    st_node *node;
    st_object *component; // changes the node's context; NULL: the node takes its parent's
} st_context_step;

static inline st_data *st_live_data(const st_live_field *live) { return &live->object->data[live->index]; }

// A function that a program wants to be called at events.
typedef struct st_callback {
    uint32_t number;
    char *event;                 // NULL: all
    st_event_function *function; // NULL: removed
    void *user;
} st_callback;

// Outlives the scene as long as somebody views its memory: says whether the scene is there.
typedef struct st_life {
    atomic_size_t users; // the scene and its views
    atomic_bool alive;
} st_life;

struct st_state;

struct st_scene {
    st_config config;
    st_strings data_paths;
    st_strings plugin_paths;
    st_node *root;
    st_map classes;                        // name or alias -> resolved st_class *
    ST_LIST(st_resolved_class *) resolved; // the copies that the registry owns
    ST_LIST(void *) plugins;               // dlopen handles
    st_strings files;                      // scene files read, for borrowed names
    st_strings written;                    // files that components wrote, each once
    st_map written_names;                  // the same, to find them
    char *vtk_folder;                      // where st_scene_write_vtk wrote last ...
    st_strings vtk_frames;                 // ... and the lines of its list of files (io/vtk_series.c)
    // products of vectors where states are spread over processes (st_scene_set_dot); NULL: they are not
    st_real (*dot)(void *user, const struct st_state *state, size_t width, const st_real *a, const st_real *b);
    void *dot_user;
    st_pool *pool;
    uint32_t structure;     // counts changes of the graph
    uint32_t passing;       // those among them of what comes and goes with contacts: see st_lasting_structure
    uint32_t plan_versions; // counts plans that were made
    uint32_t sizes;         // counts changes of the sizes of states
    size_t numbered_states; // how many independent states have a number (plan/plan.c)
    ST_LIST(st_plan *) plans;
    ST_LIST(struct st_probe *) probes; // matrices that were asked for (src/system/probe.c)
    int coord_ids, deriv_ids;          // further vector ids handed out
    int constraint_force;              // id of the constraint forces on the states; 0: none (plan/total_force.h)
    int total_force;                   // id of forces with them, a work vector
    ST_LIST(st_live_field) live;       // what a step's begin must look at (live.c)
    ST_LIST(st_live_field) moving;     // those of them that steps write
    uint32_t live_structure;           // of which structure `live` was made
    ST_LIST(st_context_step) contexts; // how context goes from node to node (context.c)
    uint32_t contexts_structure;
    bool contexts_complete; // false: memory did not suffice for the list
    st_object *loop;        // the root's animation loop
    uint32_t loop_structure;
    ST_LIST(st_object *) all; // components, depth first: st_scene_object
    uint32_t all_structure;
    ST_LIST(struct st_data_child) flow; // stack of walks along data links: a chain may be as long as the scene
    uint32_t flow_mark;                 // number of the last such search
    ST_LIST(st_object *) edited;        // meshes that have changed since the last st_finish_edits (plan/edits.h)
    struct st_snapshot *snapshot;       // what a reset puts back after changes of meshes (snapshot.h); NULL: none yet
    bool undoing;                       // the first meshes are being brought back (plan/edits.h)
    bool compat;                        // reproduce SOFA's defects that references need
    bool initialized;
    st_real good_dt;       // the root's, when it was last set to a time that can be stepped
    bool begun;            // the beginning of the next step is done already (st_scene_begin_step)
    bool strict_failure;   // an unknown thing was met under `strict`
    bool output_failure;   // a component could not write its file since the last answer to the caller
    bool finished;         // components know that no step will follow
    atomic_uintptr_t user; // the thread that is in a call; 0: none
    unsigned depth;        // calls of that thread within each other
    bool stepping;         // a step, a reset or an init is running
    unsigned events;       // events being sent, within each other
    char *failure;         // the running step must fail for this reason
    size_t waiting;        // components that came after the init
    size_t created;        // objects so far
    ST_LIST(st_object *) removed;
    ST_LIST(st_callback) callbacks;
    uint32_t callback_number; // of the last one
    st_life *life;
    st_diagnostic last_error; // copies; no text: none
    size_t messages[ST_FATAL + 1];
    struct st_held_messages {
        pthread_mutex_t mutex;
        bool on;
        ST_LIST(st_diagnostic) list;       // copies
    } held;                                // messages of components that run at the same time
    char *path_buffer;                     // of st_path
    char *refusal;                         // reason given by the last st_refuse
    const struct st_xml_element *creating; // the element whose component is being made: st_attribute reads it
    struct st_profile *profile;            // time spent (profile.c); NULL: nothing yet
};

// Contact points and responses come and go while a scene runs. Lists that hold none of them belong to the structure
// without them. Those that do are made again where something came or went at or below their node, record->passed.
static inline uint32_t st_lasting_structure(const st_scene *scene) { return scene->structure - scene->passing; }
static inline bool st_is_passing(const st_object *object) { return object->record->passing; }

// --- messages (log.c)
void st_scene_message(st_scene *scene, st_severity severity, const char *part, const char *file, int line,
                      const char *format, ...) ST_PRINTF(6, 7);
// Between these, components may send messages from several threads. They reach the callback at the end, in the thread
// of the caller, sorted by the paths of the components: the order does not depend on threads.
void st_hold_messages(st_scene *scene);
void st_release_messages(st_scene *scene);
void st_forget_messages(st_object *object); // messages that are sent once may be sent again
void st_forget_error(st_scene *scene);      // frees the copy of the last error

// --- classes (registry.c)
void st_registry_destroy(st_scene *scene);
const st_class *st_registry_find(const st_scene *scene, const char *name); // by name or alias; NULL: unknown
extern const st_class st_inert_classes[]; // known and without effect; a nameless one at the end (inert.c)

// --- fields (field.c)
size_t st_field_width(const st_object *object, const st_type *type); // scalars per element, for the object's template
static inline void *st_member(const st_object *object, const st_field *field) {
    if (field->offset != ST_NO_OFFSET) return (char *)object + field->offset;
    return &((st_added_field *)(uintptr_t)field)->value;
}
int st_field_index(const st_object *object, const char *name);       // own names only; -1: none
int st_field_by_name(const st_object *object, const char *name);     // names first, then aliases; -1: none
int st_field_of_member(const st_object *object, const void *member); // -1: none
// A field of reals, brought up to date: `width` scalars for each of `count` elements. NULL: it is not made of reals.
const st_real *st_field_reals(st_object *object, const char *name, size_t *count, size_t *width);
st_status st_field_set_default(st_object *object, uint32_t index);
void st_field_free(st_object *object, uint32_t index);
st_live_rule st_field_rule(const st_field *field);
size_t st_field_sized(const st_object *object); // elements that ST_FIELD_SIZED fields have: those of `position`
st_status st_field_copy(st_object *to, uint32_t to_index, const st_object *from, uint32_t from_index); // converts

// --- fields that a program adds (added_field.c)
static inline bool st_is_added(const st_field *field) { return field->offset == ST_NO_OFFSET; }
st_status st_add_field(st_object *object, const char *name, const char *type, const char *value, const char *help);
void st_free_added_fields(st_object *object); // after their values were

// --- objects (object.c)
st_object *st_object_create(st_scene *scene, st_node *node, const st_class *type, const st_dof *dof,
                            const char *template_);
void st_object_destroy(st_object *object);
// Applies one attribute (a field's name or alias, all that carry it); ST_NOT_FOUND when there is none.
st_status st_object_apply(st_object *object, const char *name, const char *text);
// May a program set the field now? Says so if not: it is fixed, and the component is initialized.
bool st_field_may_be_set(st_object *object, uint32_t index);
void st_field_written(st_object *object, uint32_t index); // its member has another value: hooks and links follow
// A program has set the field: lists of steps follow, and the scene is saved with it.
void st_field_stored(st_object *object, uint32_t index);
st_status st_field_store_strings(st_object *object, uint32_t index, const char *const *texts, size_t count);
void st_touch_index(st_object *object, uint32_t index);
void st_pull_index(st_object *object, uint32_t index);
// Does the first field, or one that follows it through links and engines, make the second?
bool st_flow_reaches(st_object *object, uint32_t index, const st_object *target, uint32_t target_index);

// --- links (link.c)
// The component or node behind a path from `node`; `self` is what an empty path or [] means.
st_object *st_resolve(st_object *from, const char *path, size_t role);
st_status st_link_component(st_object *object, uint32_t index, const char *text); // a link field: @path, or several
st_status st_link_data(st_object *object, uint32_t index, const char *text);      // text = @path.field
st_status st_link_source(st_object *object, const char *text);                    // src="@path"
// The targets themselves; ST_INVALID, with a message, when one does not fit or belongs to another scene.
st_status st_link_targets(st_object *object, uint32_t index, st_object *const *targets, size_t count);
st_status st_link_index(st_object *object, uint32_t index, st_object *source, uint32_t source_field);
void st_unlink_object(st_object *object);
void st_unlink_field(st_object *object, const void *member); // the field keeps its value and follows nobody
size_t st_update_links(st_object *object, bool warn);        // retries component links; number still broken

// --- nodes (node.c)
extern const st_class st_node_class;
static inline bool st_is_node(const st_object *object) { return st_resolved(object->type)->origin == &st_node_class; }
st_node *st_node_create(st_scene *scene, st_node *parent, const char *name);
void st_node_destroy(st_node *node);
st_status st_node_insert(st_node *node, st_object *object, bool front);
// Out of the graph and back to its end, while the scene runs: whoever takes out owns it until it is back.
void st_node_take(st_node *node, const st_object *object);
void st_node_take_child(st_node *node, const st_node *child);
st_status st_node_put_child(st_node *node, st_node *child);
// Calls visit for each active node at or below, parents first; false from visit prunes below it.
void st_visit(st_node *node, bool (*visit)(st_node *, void *), void *context);

// --- look-ups in one node (lookup.c)
typedef struct st_members {
    st_object *first, *last;
    size_t count;
} st_members;
st_members st_node_members(const st_node *node, size_t role);                   // its own components with the role
st_members st_node_mechanical(const st_node *node);                             // its own mechanical states
st_object *st_node_named(const st_node *node, const char *name, size_t length); // child node first, then component
void st_node_forget(st_node *node); // to be called when a name or the order of its lists has changed

// --- running
void st_send_event(st_node *root, st_event *event); // event.c: to listening components, top-down, then to callbacks
void st_call_back(st_node *node, const st_event *event); // callbacks alone
bool st_event_by_name(const char *name, enum st_event_kind *kind);
void st_inherit_context(st_node *node);     // context.c: gravity, dt, time, animate from the parent
void st_propagate_context(st_scene *scene); // the same for every node, parents first
void st_find_live(st_scene *scene);         // live.c: brings scene->live up to date
void st_update_internal(st_scene *scene);   // pulls links; `changed` of components whose tracked fields were written
void st_forget_changes(st_object *object);  // what was written so far is no change for `changed`

// --- loading (xml.c builds elements, load.c makes the graph, factory.c makes one component)
st_object *st_factory_create(st_node *node, const struct st_xml_element *element);

// --- time spent (profile.c)
// By the thread that steps. A phase's name is a literal. `bytes`: what was read and written at least, as far as known.
void st_profile_begin(st_scene *scene, const char *phase);
void st_profile_end(st_scene *scene, double bytes);
bool st_profile_is_open(const st_scene *scene);    // is there a phase around the caller?
void st_profile_enter(const st_object *component); // a part of the open phase; costs nothing unless the program asked
void st_profile_leave(const st_object *component, double bytes);
bool st_profile_is_detailed(const st_scene *scene); // were components asked for?
// A call that another thread may have made, in the open phase.
void st_profile_count(const st_object *component, int lane, double begin, double seconds, double bytes);
void st_profile_forget(const st_object *object); // it is destroyed
void st_profile_destroy(st_scene *scene);

#endif
