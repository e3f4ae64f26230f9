// settee: simulation of soft and rigid bodies from SOFA's scenes. The calls of a program that uses the engine.
//
//     st_scene *scene = st_scene_create(NULL);
//     if (st_succeeded(st_scene_load(scene, "liver.scn")) && st_succeeded(st_scene_init(scene)))
//         for (int i = 0; i < 100; i++)
//             if (st_scene_step(scene, 0) != ST_OK) break;
//     st_scene_destroy(scene);
//
// A scene belongs to one thread at a time; different scenes are independent of each other. Messages go to the callback
// of the configuration, by default to standard error.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_H
#define SETTEE_H

#include "settee/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------

typedef struct st_diagnostic {
    st_severity severity;
    const char *file;      // scene file, or NULL
    int line;              // 0 when unknown
    const char *path;      // component's path from the root, or NULL
    const char *component; // "ClassName(name)" or the name of the emitting part ("scene")
    const char *text;
} st_diagnostic;

typedef void st_log_function(void *user, const st_diagnostic *diagnostic);

// Prints everything but information to standard error: the log of the default configuration.
ST_API void st_log_to_stderr(void *user, const st_diagnostic *diagnostic);

ST_API const char *st_severity_name(st_severity severity); // "warning"
ST_API const char *st_status_text(st_status status);

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

typedef struct st_writer { // where text goes; returns false when it cannot be written
    bool (*write)(void *user, const char *text, size_t length);
    void *user;
} st_writer;

typedef struct st_config {
    st_log_function *log; // NULL: messages are dropped
    void *log_user;
    int threads; // 0: one
    // Searched for files after the scene's own folder, and for plug-ins; NULL at the end. The folders of the environment
    // variables SETTEE_DATA_PATH and SETTEE_PLUGIN_PATH (colons between) follow.
    const char *const *data_paths, *const *plugin_paths;
    bool strict;    // unknown components and attributes, unreadable values are errors that stop the loading
    bool read_only; // components write no files, whatever the scene says
    bool no_compat; // compute the right thing where SOFA's references hold a defect
    bool fast;      // round otherwise than SOFA where that is faster; so does fast="1" on the root
} st_config;

// One thread, messages to standard error.
ST_API st_config st_default_config(void);
ST_API st_scene *st_scene_create(const st_config *config); // NULL config: the default; NULL result: out of memory
ST_API void st_scene_destroy(st_scene *scene);

// Reads a scene; the text version takes file names relative to `directory` (NULL: the current one). Loading and
// initialization go on after errors, as SOFA does, and answer ST_WITH_ERRORS then: the scene can be stepped, but results
// may not be what it means. (With `strict` they answer ST_INVALID.)
ST_API st_status st_scene_load(st_scene *scene, const char *path);
ST_API st_status st_scene_load_text(st_scene *scene, const char *text, size_t length, const char *directory);
ST_API st_status st_scene_load_plugin(st_scene *scene, const char *path);
ST_API st_status st_scene_init(st_scene *scene);
ST_API st_status st_scene_step(st_scene *scene, st_real dt); // dt = 0: the root's
// Optional: the beginning of the next step alone, in which meshes change (TopologicalChangeProcessor). The step that
// follows does not repeat it. Loops of plug-ins may leave it to the step (st_loop_ops).
ST_API st_status st_scene_begin_step(st_scene *scene);
ST_API st_status st_scene_reset(st_scene *scene);
// Tells the components that no step will follow: exporters put their files in place. st_scene_destroy does it, too, but
// cannot answer. ST_FAILED: a file could not be written.
ST_API st_status st_scene_finish(st_scene *scene);

ST_API st_real st_scene_time(const st_scene *scene);
ST_API st_real st_scene_dt(const st_scene *scene);
ST_API size_t st_scene_message_count(const st_scene *scene, st_severity severity);
// The last error, borrowed until the next message; NULL: none since the start or the last st_scene_clear_error.
ST_API const st_diagnostic *st_scene_last_error(const st_scene *scene);
ST_API void st_scene_clear_error(st_scene *scene);
ST_API bool st_scene_is_initialized(const st_scene *scene);
// Goes up when nodes or components come or go, are switched on or off, or are linked otherwise.
ST_API uint32_t st_scene_structure(const st_scene *scene);

// The scene as a file that loads again: nodes and components with the attributes that they were made with, and what was
// set since. Includes are written out; positions that steps have moved are not part of it.
ST_API st_status st_scene_save_xml(st_scene *scene, const char *path);
ST_API st_status st_scene_write_xml(st_scene *scene, const st_writer *writer);

// ---------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------

// A scene is a tree of nodes with components. Nodes and components are borrowed: the scene owns them, also those that
// were removed, until it is destroyed. A node is an object, too: its fields (gravity, dt, activated, ...) are read and
// written with the calls for components. All calls take NULL and answer NULL, 0, "" or a failing status.

ST_API st_node *st_scene_root(st_scene *scene); // NULL before the first load, and before st_scene_create_root
// Begins an empty scene, to be filled with nodes and components. NULL: there is a root already, or no memory.
ST_API st_node *st_scene_create_root(st_scene *scene, const char *name);

ST_API st_node *st_node_parent(const st_node *node); // NULL: the root, or a removed node
ST_API size_t st_node_child_count(const st_node *node);
ST_API st_node *st_node_child(const st_node *node, size_t index); // NULL past the end
ST_API size_t st_node_object_count(const st_node *node);
ST_API st_object *st_node_object(const st_node *node, size_t index);
ST_API const char *st_node_name(const st_node *node);
ST_API const char *st_node_path(const st_node *node); // borrowed until the next call; "/" is the root's
ST_API st_scene *st_node_scene(const st_node *node);
ST_API st_node *st_scene_find_node(st_scene *scene, const char *path); // "/Liver/Visual"; NULL: none
// By a path from the node, such as "Visual", "../dofs" or "/Liver": a component, or NULL.
ST_API st_object *st_node_find(st_node *node, const char *path);

ST_API st_object *st_node_as_object(st_node *node);
ST_API st_node *st_object_as_node(st_object *object); // NULL: it is a component

// --- changes of the graph, before init or between steps, or in callbacks of events --------------------

typedef struct st_attribute_text {
    const char *name, *value; // as in a scene file
} st_attribute_text;

ST_API st_node *st_node_add_child(st_node *parent, const char *name, const st_attribute_text *attributes, size_t count);
// A component at the end of the node, as a scene file would have made it: the same order of attributes, templates and
// messages. NULL: it cannot be created here.
ST_API st_object *st_node_add_object(st_node *node, const char *class_name, const st_attribute_text *attributes,
                                     size_t count);
// Initializes what is at or below the node and is not initialized yet. The next step does it, too, for all of the scene.
// ST_WITH_ERRORS: a component is invalid, the others go on.
ST_API st_status st_node_init(st_node *node);

// Takes a component, or a node with all below it, out of the scene. It stays readable, keeps its fields, and can be put
// back; components that are linked to it are switched off, with a warning, until then.
ST_API st_status st_object_remove(st_object *object);
ST_API st_status st_node_remove(st_node *node);
// Puts it back, at the end of a node of the same scene.
ST_API st_status st_object_attach(st_object *object, st_node *node);
ST_API st_status st_node_attach(st_node *node, st_node *parent);
ST_API bool
st_object_is_attached(const st_object *object); // of a node, too: is it, or what it is in, part of the scene?

// ---------------------------------------------------------------------------------------------------
// Components and their fields
// ---------------------------------------------------------------------------------------------------

// All components, depth first; NULL past the end.
ST_API st_object *st_scene_object(st_scene *scene, size_t index);
ST_API st_object *st_scene_find(st_scene *scene, const char *path); // "/Liver/dofs"; NULL: none
ST_API const char *st_object_name(const st_object *object);
ST_API const char *st_object_path(const st_object *object); // borrowed until the next call
ST_API const char *st_object_class_name(const st_object *object);
ST_API const char *st_object_template(const st_object *object); // "Vec3", or "" without one
ST_API const char *st_object_kind(const st_object *object);     // "mass", "force", "integrator", ...
ST_API st_node *st_object_node(const st_object *object);        // that it is in; NULL: removed. Of a node: itself
ST_API st_scene *st_object_scene(const st_object *object);
ST_API const char *st_object_file(const st_object *object, int *line); // where it comes from, or NULL; line may be NULL
ST_API bool st_object_is_inert(const st_object *object);
ST_API bool st_object_is_valid(const st_object *object);       // false: its init failed, or it was switched off
ST_API bool st_object_is_initialized(const st_object *object); // false: st_node_init or a step will do it

// A field as text, in SOFA's syntax; the result of get is allocated: free it with st_string_free. digits: 6 is SOFA's,
// 17 exact. The object may be NULL (a search that found nothing): get gives NULL, set ST_NOT_FOUND, reals NULL.
//
// A field that is fixed after init cannot be set then: ST_INVALID. One that counts at reinit is set, and has its effect
// when st_object_reinit is called.
ST_API char *st_object_get(st_object *object, const char *field, int digits);
ST_API st_status st_object_set(st_object *object, const char *field, const char *text);
ST_API void st_string_free(char *text);
// Runs the component's own reinitialization after its fields were changed; ST_OK when it has none.
ST_API st_status st_object_reinit(st_object *object);
// Makes an exporter write its file now, whatever times it was given. ST_INVALID: it is none, or not initialized; ST_FAILED:
// the file could not be written.
ST_API st_status st_object_export(st_object *object);
// A field of reals, borrowed: `width` scalars for each of `count` elements. NULL when the field is not made of reals.
ST_API const st_real *st_object_reals(st_object *object, const char *field, size_t *count, size_t *width);

// --- typed access ---------------------------------------------------------------------------------------

// The memory of a field of numbers, brought up to date: `width` scalars for each of `count` elements. It is borrowed
// until the next step or change of the scene; a view (below) lasts. Who writes there says so with st_object_touch.
typedef struct st_array {
    st_scalar scalar; // bool, int, uint or real
    void *data;       // NULL: empty
    size_t count, width;
    bool list;        // false: one element, always
    uint32_t version; // goes up when the field is written by a call, a link or its component; steps do not count
} st_array;
// ST_NOT_FOUND: no such field; ST_INVALID: it is made of texts or links.
ST_API st_status st_object_array(st_object *object, const char *field, st_array *array);
// After the memory of an array was written: what follows the field by links is brought up to date from it.
ST_API st_status st_object_touch(st_object *object, const char *field);

// Sets `count` elements of `width` scalars each: the field's own width, and one element unless it is a list, which is
// resized. A vector of a state keeps its number of elements after init. Integers are converted to what the field is made
// of: bool, int, uint or real; ST_INVALID where one does not fit. `values` may be the field's own memory.
ST_API st_status st_object_set_reals(st_object *object, const char *field, const st_real *values, size_t count,
                                     size_t width);
ST_API st_status st_object_set_integers(st_object *object, const char *field, const int64_t *values, size_t count,
                                        size_t width);
ST_API st_status st_object_set_strings(st_object *object, const char *field, const char *const *texts, size_t count);
ST_API st_status st_object_set_links(st_object *object, const char *field, st_object *const *targets, size_t count);
// Copies at most `most` scalars and returns how many the field has; 0 when it is not made of bools or integers.
ST_API size_t st_object_get_integers(st_object *object, const char *field, int64_t *values, size_t most);
// Elements of a field of texts or links, borrowed; NULL past the end, where a link has no target, or if it is none.
ST_API const char *st_object_string(st_object *object, const char *field, size_t index);
ST_API st_object *st_object_link(st_object *object, const char *field, size_t index);
ST_API size_t st_object_element_count(st_object *object, const char *field); // of a field of any kind

// --- data links: a field follows another -------------------------------------------------------------------

ST_API st_status st_object_link_field(st_object *object, const char *field, st_object *source,
                                      const char *source_field);
ST_API st_status st_object_unlink_field(st_object *object, const char *field); // keeps its value
// What the field follows; NULL: nothing. `source_field` may be NULL.
ST_API st_object *st_object_source(const st_object *object, const char *field, const char **source_field);

// --- fields of one component ---------------------------------------------------------------------------------

// Gives a component or a node a field that its class does not have, at any time: something to keep with it, to set and
// read with all the calls above, to link to and from. `type` is the name of a type as `settee info` prints it ("real",
// "Vec3", "list of Vec3", "text", ...), of numbers or texts. `value` is a text as in a scene file, without links; NULL:
// zero or empty. `help` may be NULL. The field is live, lasts as long as the component, and is not saved with the scene.
ST_API st_status st_object_add_field(st_object *object, const char *name, const char *type, const char *value,
                                     const char *help);

// --- views -------------------------------------------------------------------------------------------------

// A view keeps the memory of a list alive. When the list moves or changes its size, when its component is removed, or the
// scene destroyed, the memory stays as it was and the view is detached: never dangling. It may be destroyed by another
// thread, and after the scene.
typedef struct st_view st_view;
ST_API st_view *st_view_create(st_object *object, const char *field); // NULL: not a list of numbers, or no memory
ST_API void st_view_destroy(st_view *view);
ST_API st_array st_view_array(const st_view *view);    // as it was when the view was made
ST_API bool st_view_is_current(const st_view *view);   // false: detached, the field has other memory or size now
ST_API st_object *st_view_object(const st_view *view); // NULL: the scene is gone
ST_API const char *st_view_field(const st_view *view);

// Keeps an array that the library has lent, by its first byte, when its owner frees or moves it: the vectors of a state,
// the arrays of a matrix. It stays until it is released as often; any thread may do that, after the end of the scene,
// too.
ST_API void st_memory_retain(const void *array);
ST_API void st_memory_release(const void *array);

// ---------------------------------------------------------------------------------------------------
// Events
// ---------------------------------------------------------------------------------------------------

// Events have SOFA's names: SimulationInitStartEvent, SimulationInitDoneEvent, AnimateBeginEvent, AnimateEndEvent,
// CollisionBeginEvent, CollisionEndEvent, IntegrateBeginEvent, IntegrateEndEvent, BuildConstraintSystemEndEvent,
// SolveConstraintSystemEndEvent, UpdateMappingEndEvent, KeypressedEvent, KeyreleasedEvent, SimulationStopEvent (no step
// will follow), or any other name, which a program sends itself.
typedef struct st_event_info {
    const char *name;
    st_node *node; // at and below which components got it
    st_real dt;    // of events of a step
    int key;       // of events of keys
    void *data;    // as the sender gave it
} st_event_info;

// Called in the thread of the step, after the components have seen the event. It may read and write fields, and change
// the graph; it must not step, reset or destroy the scene.
typedef void st_event_function(void *user, st_scene *scene, const st_event_info *event);
// The number of the callback, for its removal; 0: out of memory. NULL event: all.
ST_API uint32_t st_scene_add_callback(st_scene *scene, const char *event, st_event_function *function, void *user);
ST_API st_status st_scene_remove_callback(st_scene *scene, uint32_t number);
// Sends an event to the components at and below a node that listen, then to the callbacks.
ST_API st_status st_node_send_event(st_node *node, const char *name, int key, void *data);
// From a callback or a component: the running step fails with this reason. The state before it is put back, and
// st_scene_step answers ST_FAILED.
ST_API void st_scene_fail_step(st_scene *scene, const char *reason);

// ---------------------------------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------------------------------

typedef struct st_energy {
    st_real kinetic;
    st_real potential;
} st_energy;

ST_API st_energy st_scene_energy(st_scene *scene);

typedef struct st_mass_sum {
    st_real total;     // of all masses of the scene
    st_real center[3]; // their center at the present positions; 0 without mass
} st_mass_sum;

ST_API st_mass_sum st_scene_mass(st_scene *scene);

// The following answer ST_INVALID, with a message, while no scene is loaded.

// The dump format of the conformance suite (docs/cli.md): every mechanical state, or every topology, at this moment.
ST_API st_status st_scene_dump_states(st_scene *scene, size_t step, const st_writer *writer);
ST_API st_status st_scene_dump_topology(st_scene *scene, size_t step, const st_writer *writer);

// What a picture shows is in settee/drawing.h. Without view, eye and target it is seen by the camera of the scene, or, where
// there is none, from three quarters, and everything fits.
typedef struct st_picture_options {
    int width, height;
    st_real view[3]; // direction from the scene to the eye; 0 0 0: not given
    const char *caption;
    const char *show;  // words that switch what is shown, such as "contacts,no-visual"; NULL: what the scene says
    const char *color; // a field that colors the bodies, such as "vonMises" or "/Liver/dofs.force"; NULL: see there
    st_real color_range[2]; // ends of the color bar; equal: the smallest and largest value
    bool has_eye, has_target;
    st_real eye[3], target[3];  // from where, and at what one looks
    st_real up[3];              // 0 0 0: y, or that of the scene's camera
    st_real zoom;               // 2 shows half as much; 0 is 1
    const char *fit;            // path of a node or component that fits in the picture, instead of everything; NULL
    struct st_drawing *drawing; // for trails: one that was updated before (settee/drawing.h); NULL: a new one
} st_picture_options;
ST_API st_picture_options st_default_picture_options(void);
ST_API st_status st_scene_write_png(st_scene *scene, const char *path, const st_picture_options *options);
// The same into memory: 3 bytes (red, green, blue) for each of width times height pixels, rows from top to bottom.
ST_API st_status st_scene_draw_pixels(st_scene *scene, uint8_t *pixels, const st_picture_options *options);
// One .vtu file (XML, ASCII) per mechanical state and visual model into the directory: <path with _>_<frame>.vtu; a second
// one of the same name has _2 before the frame. Points have velocity, force and, of rigids, orientation; elements of
// elastic bodies vonMises and strain. scene.pvd lists all frames of the scene with their times. The first frame in a
// directory removes what the scene.pvd of an earlier run lists there. `files` (may be NULL) is raised by the number of
// .vtu files.
ST_API st_status st_scene_write_vtk(st_scene *scene, const char *directory, size_t frame, size_t *files);

// The files that components of the scene have written so far (exporters, monitors), by index in the order of their first
// writing; NULL past the end.
ST_API const char *st_scene_written_file(const st_scene *scene, size_t index);

// Derivatives of every force, mass and mapping of the scene against finite differences at the present state.
typedef struct st_derivative_check {
    const st_object *object;
    const char
        *what;     // "stiffness", "damping", "mass", "product"; of mappings "jacobian", "transpose", "geometric", ...
    st_real error; // largest difference, relative to the largest entry
    bool exact_by_design; // false: the component declares its derivative inexact here
    const char *note;     // why
} st_derivative_check;
ST_API st_status st_scene_check_derivatives(st_scene *scene, void (*report)(void *user, const st_derivative_check *),
                                            void *user);

// Where the scene moves otherwise than in SOFA, because a defect of SOFA is not reproduced (docs/compatibility.md).
typedef struct st_difference {
    const st_object *object;
    const char *what; // what SOFA does there
} st_difference;
ST_API void st_scene_differences(st_scene *scene, void (*report)(void *user, const st_difference *), void *user);

// Time spent in the parts of the steps so far.
typedef struct st_profile_entry {
    const char *name; // "force", "assembly", "factorization", "solve", "mapping", ...
    double seconds;
    size_t calls;
} st_profile_entry;
ST_API size_t st_scene_profile(const st_scene *scene, const st_profile_entry **entries);

// The same as a tree, wholes before their parts: phases, and components in them if they are timed.
typedef struct st_profile_node {
    const char *name; // of the phase; class and path of the component
    size_t parent;    // index of the whole that it is a part of; SIZE_MAX: the steps
    bool is_component;
    double seconds; // with its parts
    size_t calls;
    double bytes; // of vectors and matrices that were read and written, at least; 0: not known
} st_profile_node;
ST_API size_t st_scene_profile_tree(const st_scene *scene, const st_profile_node **nodes);

// Times components, too, which costs two looks at the clock a call; `event`, if there is one, is called when a part ends.
typedef struct st_profile_event {
    const char *name;
    bool is_component;
    int lane;              // events of one lane do not overlap, except that parts are inside of their whole
    double begin, seconds; // on the monotonic clock of the machine; duration
} st_profile_event;
typedef void st_profile_function(void *user, const st_profile_event *event);
ST_API st_status st_scene_profile_components(st_scene *scene, bool on, st_profile_function *event, void *user);

// ---------------------------------------------------------------------------------------------------
// The library itself
// ---------------------------------------------------------------------------------------------------

// "0.1.0"
ST_API const char *st_version(void);
// One line: version, real number, compiler, libraries.
ST_API const char *st_build_info(void);

// What is known of the classes, from their tables. All texts are borrowed and constant.
typedef struct st_class_description {
    const char *name;
    const char *help;
    const char *kind;      // "mass", "force", "integrator", "loader", ...
    const char *templates; // or ""
    const char *aliases;   // or ""
    const char *example;   // or ""
    bool inert;
    bool deprecated;
} st_class_description;
typedef struct st_field_description {
    const char *name;
    const char *type;
    const char *value; // default, or ""
    const char *help;
    const char *aliases;
    const char *const *options; // labels of an option, NULL at the end; NULL: it is none
    const char *inherited_from; // class whose table holds it
    bool output, required, display, no_effect;
    bool deprecated, shorthand; // accepted with a message; only read when the component is made
    bool list;                  // any number of elements
    st_scalar scalar;           // what an element is made of
    int width;                  // scalars of an element; below 0: by the template (-1 position, -2 velocity, ...)
    st_live_rule live;          // when another value counts after init
} st_field_description;
// The index-th built-in class in byte order of names; false past the end.
ST_API bool st_describe_class(size_t index, st_class_description *description);
ST_API bool st_describe_field(const char *class_name, size_t index, st_field_description *description);
// Of one component, plug-ins included: all fields in order of declaration, those of the bases first; `width` is that of
// its own template. False past the end.
typedef struct st_field_state {
    bool set;         // given by an attribute, a call or a link
    bool linked;      // follows another field
    bool dirty;       // what it follows has changed since it was last read
    uint32_t version; // as in st_array
} st_field_state;
ST_API bool st_object_describe_field(const st_object *object, size_t index, st_field_description *description);
ST_API int st_object_field_index(const st_object *object, const char *name); // by name or alias; -1: none
ST_API st_status st_object_field_state(const st_object *object, const char *field, st_field_state *state);
ST_API const char *st_live_rule_name(st_live_rule rule); // "live", "at reinit", "fixed"
// The class that a (former or misspelled) name means: the class, or NULL with a suggestion.
ST_API const char *st_class_by_any_name(const char *name, const char **suggestion, const char **explanation);
// The index-th component of SOFA's core that is not known here, in byte order of names; NULL past the end.
ST_API const char *st_describe_missing(size_t index);
// The compatibility table: reproduced defects of SOFA. False past the end.
typedef struct st_compat_entry {
    const char *name;
    const char *reason;
    const char *scene;
} st_compat_entry;
ST_API bool st_describe_compat(size_t index, st_compat_entry *entry);

#ifdef __cplusplus
}
#endif
#endif
