// settee: simulation of soft and rigid bodies from SOFA's scenes. The calls of a program that uses the engine.
//
//     st_scene *scene = st_scene_create(NULL);
//     if (st_scene_load(scene, "liver.scn") == ST_OK && st_scene_init(scene) == ST_OK)
//         for (int i = 0; i < 100; i++)
//             if (st_scene_step(scene, 0) != ST_OK) break;
//     st_scene_destroy(scene);
//
// A scene belongs to one thread at a time; different scenes are independent of each other. Nothing is printed: messages
// go to the callback of the configuration.
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

ST_API const char *st_severity_name(st_severity severity); // "warning"
ST_API const char *st_status_text(st_status status);

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

typedef struct st_config {
    st_log_function *log;
    void *log_user;
    int threads;                     // 0: one
    const char *const *data_paths;   // searched for files after the scene's own folder; NULL at the end
    const char *const *plugin_paths; // searched for plug-ins; NULL at the end
    bool strict;    // unknown components and attributes, unreadable values are errors that stop the loading
    bool read_only; // components write no files, whatever the scene says
    bool no_compat; // compute the right thing where SOFA's references hold a defect
} st_config;

ST_API st_config st_default_config(void);
ST_API st_scene *st_scene_create(const st_config *config); // NULL config: the default; NULL result: out of memory
ST_API void st_scene_destroy(st_scene *scene);

// Reads a scene; the text version takes file names relative to `directory` (NULL: the current one).
ST_API st_status st_scene_load(st_scene *scene, const char *path);
ST_API st_status st_scene_load_text(st_scene *scene, const char *text, size_t length, const char *directory);
ST_API st_status st_scene_load_plugin(st_scene *scene, const char *path);
ST_API st_status st_scene_init(st_scene *scene);
ST_API st_status st_scene_step(st_scene *scene, st_real dt); // dt = 0: the root's
// Optional: the beginning of the next step alone, in which meshes change (TopologicalChangeProcessor). The step that
// follows does not repeat it.
ST_API st_status st_scene_begin_step(st_scene *scene);
ST_API st_status st_scene_reset(st_scene *scene);
// Tells the components that no step will follow: exporters put their files in place. st_scene_destroy does it, too, but
// cannot answer. ST_FAILED: a file could not be written.
ST_API st_status st_scene_finish(st_scene *scene);

ST_API st_node *st_scene_root(st_scene *scene);
ST_API st_real st_scene_time(const st_scene *scene);
ST_API st_real st_scene_dt(const st_scene *scene);
ST_API size_t st_scene_message_count(const st_scene *scene, st_severity severity);

// ---------------------------------------------------------------------------------------------------
// Components and their fields
// ---------------------------------------------------------------------------------------------------

// All components, depth first; NULL past the end.
ST_API st_object *st_scene_object(st_scene *scene, size_t index);
ST_API st_object *st_scene_find(st_scene *scene, const char *path); // "/Liver/dofs"; NULL: none
ST_API const char *st_object_path(const st_object *object);         // borrowed until the next call
ST_API const char *st_object_class_name(const st_object *object);
ST_API const char *st_object_template(const st_object *object); // "Vec3", or "" without one
ST_API bool st_object_is_inert(const st_object *object);

// A field as text, in SOFA's syntax; the result of get is allocated: free it with st_string_free. digits: 6 is SOFA's,
// 17 exact. The object may be NULL (a search that found nothing): get gives NULL, set ST_NOT_FOUND, reals NULL.
ST_API char *st_object_get(st_object *object, const char *field, int digits);
ST_API st_status st_object_set(st_object *object, const char *field, const char *text);
ST_API void st_string_free(char *text);
// Runs the component's own reinitialization after its fields were changed; ST_OK when it has none.
ST_API st_status st_object_reinit(st_object *object);
// A field of reals, borrowed: `width` scalars for each of `count` elements. NULL when the field is not made of reals.
ST_API const st_real *st_object_reals(st_object *object, const char *field, size_t *count, size_t *width);

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
typedef struct st_writer { // where text goes; returns false when it cannot be written
    bool (*write)(void *user, const char *text, size_t length);
    void *user;
} st_writer;
ST_API st_status st_scene_dump_states(st_scene *scene, size_t step, const st_writer *writer);
ST_API st_status st_scene_dump_topology(st_scene *scene, size_t step, const st_writer *writer);

typedef struct st_picture_options {
    int width, height;
    st_real view[3]; // direction from the scene to the eye; 0 0 0: a three-quarter view
    const char *caption;
} st_picture_options;
ST_API st_picture_options st_default_picture_options(void);
ST_API st_status st_scene_write_png(st_scene *scene, const char *path, const st_picture_options *options);
// One .vtk file (legacy, ASCII) per mechanical state into the directory: <path with _>_<frame>.vtk; a second
// state of the same name has _2 before the frame. `files` (may be NULL) is raised by the number of files.
ST_API st_status st_scene_write_vtk(st_scene *scene, const char *directory, size_t frame, size_t *files);

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

// Time spent in the parts of the steps so far.
typedef struct st_profile_entry {
    const char *name; // "force", "assembly", "factorization", "solve", "mapping", ...
    double seconds;
    size_t calls;
} st_profile_entry;
ST_API size_t st_scene_profile(const st_scene *scene, const st_profile_entry **entries);

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
} st_field_description;
// The index-th built-in class in byte order of names; false past the end.
ST_API bool st_describe_class(size_t index, st_class_description *description);
ST_API bool st_describe_field(const char *class_name, size_t index, st_field_description *description);
// The class that a (former or misspelled) name means: the class, or NULL with a suggestion.
ST_API const char *st_class_by_any_name(const char *name, const char **suggestion, const char **explanation);
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
