// How a component is described: its fields, its class, the object itself, and what it may ask of its scene.
//
// A component is a C struct whose first member is the base of its kind (st_force, st_mass, ...), a table
// of fields, and a class. The field table drives everything that deals with attributes: the scene reader,
// links between components, printing, the reference manual, Python, the viewer. An attribute is
// declared once, there. CONTRIBUTING.md shows a force field in full.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_COMPONENT_H
#define SETTEE_PLUGIN_COMPONENT_H

#include "settee/plugin/dof.h"
#include "settee/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------
// Field types
// ---------------------------------------------------------------------------------------------------

// How the text of a value is read (docs/scenes.md gives the grammar of each).
typedef enum st_syntax {
    ST_SYNTAX_PLAIN,    // numbers separated by blanks; a list takes whole elements until the text ends
    ST_SYNTAX_FLOAT,    // one number, the whole text, rounded to single precision (SOFA's short-hands)
    ST_SYNTAX_RANGES,   // index list: n, a-b, a-b-step
    ST_SYNTAX_SET,      // the same without duplicates, increasing
    ST_SYNTAX_TEXT,     // the whole text
    ST_SYNTAX_FILE,     // a file name, resolved when written
    ST_SYNTAX_WORDS,    // words, or ["a", "b c"]
    ST_SYNTAX_BRACKETS, // [ t, t ] with ' or " around strings
    ST_SYNTAX_OPTION,   // one of the field's options, by label or index
    ST_SYNTAX_SELECT,   // the same, falling back to the first
    ST_SYNTAX_COLOR,    // r g b [a], #rgb..., or a color's name
    ST_SYNTAX_MATRIX,   // numbers with optional brackets and commas
    ST_SYNTAX_TAGS,     // words
    ST_SYNTAX_MAP,      // one "key value..." per line, kept as text lines
    ST_SYNTAX_LINK,     // @path, or several
} st_syntax;

// Widths that depend on the object's template.
enum {
    ST_WIDTH_COORD = -1, // scalars of a position: 3 for Vec3, 7 for Rigid3
    ST_WIDTH_DERIV = -2, // scalars of a velocity: 3 for Vec3, 6 for Rigid3
    ST_WIDTH_MASS = -3,  // mass of one DOF: 1, or mass volume inertia for rigids (3 or 11)
    ST_WIDTH_ENTRY = -4, // entry of a sparse matrix over the DOFs: row, DOF, velocity
};
enum { ST_WIDTH_MAX = 16 };

typedef struct st_type {
    const char *name; // as the manual shows it
    st_scalar scalar;
    int width; // scalars per element
    bool list; // the member is an ST_LIST
    st_syntax syntax;
} st_type;

extern ST_API const st_type st_type_bool, st_type_int, st_type_uint, st_type_real, st_type_float, st_type_string,
    st_type_file;
extern ST_API const st_type st_type_option, st_type_select, st_type_tags, st_type_color, st_type_map;
extern ST_API const st_type st_type_vec2, st_type_vec3, st_type_vec4, st_type_vec6, st_type_int2, st_type_int3,
    st_type_uint2, st_type_quat, st_type_mat3, st_type_mat4, st_type_box;
extern ST_API const st_type st_type_bool3;
extern ST_API const st_type st_type_reals, st_type_ints, st_type_bools, st_type_indices, st_type_index_set,
    st_type_words, st_type_files;
extern ST_API const st_type st_type_vec2s, st_type_vec3s, st_type_vec4s, st_type_vec6s, st_type_quats, st_type_boxes,
    st_type_springs;
extern ST_API const st_type st_type_edges, st_type_triangles, st_type_quads, st_type_tetrahedra, st_type_hexahedra,
    st_type_prisms, st_type_pyramids;
extern ST_API const st_type st_type_coord, st_type_deriv, st_type_mass, st_type_coords, st_type_derivs, st_type_masses,
    st_type_deriv_flags, st_type_entries;
extern ST_API const st_type st_type_link, st_type_links;

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

enum st_field_flags {
    ST_FIELD_REQUIRED = 1 << 0,   // a warning at init when never set
    ST_FIELD_OUTPUT = 1 << 1,     // computed by the component; can be linked from
    ST_FIELD_DISPLAY = 1 << 2,    // only changes what is drawn
    ST_FIELD_NO_SRC = 1 << 3,     // never linked by src="@..."
    ST_FIELD_TRACKED = 1 << 4,    // a change runs `changed` at the beginning of the next step
    ST_FIELD_DEPRECATED = 1 << 5, // accepted with a message
    ST_FIELD_REMOVED = 1 << 6,    // refused with an error whose text is `help`
    ST_FIELD_SHORTHAND = 1 << 7,  // only read while parsing (dx, rx, scale, ...)
    ST_FIELD_INPUT = 1 << 8,      // of an engine: a change makes its outputs dirty
    ST_FIELD_NO_EFFECT = 1 << 9,  // known to SOFA, changes nothing here (threading hints)
    ST_FIELD_STEPPED = 1 << 10,   // of a state: written by steps; what is linked to it follows after each
    // When another value counts after init; without any of these: in the next step.
    ST_FIELD_REINIT = 1 << 11, // after a reinit
    ST_FIELD_FIXED = 1 << 12,  // never: setting it is refused
    ST_FIELD_SIZED = 1 << 13,  // of a state: its number of elements is fixed after init
    // A link that scenes write without @, too; that gets a warning.
    ST_FIELD_BARE_LINK = 1 << 14,
};

typedef struct st_edit st_edit;   // settee/plugin/change.h
typedef struct st_edits st_edits; //

// Fills a new entry of a list that belongs to points or elements of a mesh: the k-th of those that the edit adds.
typedef void st_make_entry(st_object *, void *entry, const st_edit *edit, size_t k);

typedef struct st_field {
    const char *name;
    const st_type *type;
    size_t offset;
    const char *value; // default, as text; NULL: zero or empty
    const char *help;
    const char *aliases;        // further accepted names, blanks between; an alias may be shared by several fields
    unsigned flags;             // st_field_flags
    const char *const *options; // labels of an option, NULL at the end
    size_t role;                // of a link: ST_ROLE(...) that the target must have; 0: any component
    int mesh;            // what a change of the mesh does to it: ST_PER, ST_INDICES, ... (settee/plugin/change.h)
    st_make_entry *make; // of ST_PER: a new entry; NULL: zeros
} st_field;

// A list that is no field and belongs to a mesh: the engine must know of it, too.
typedef struct st_attached {
    size_t offset; // of the ST_LIST in the component
    size_t bytes;  // of one entry; 0 ends a table
    int mesh;      // ST_PER or ST_INDICES
    st_make_entry *make;
} st_attached;

// One line of a field table; more members may follow as designated initializers.
#define ST_FIELD(owner, member, name_, type_, value_, help_, ...)                                                      \
    {                                                                                                                  \
        .name = name_, .type = &(type_), .offset = offsetof(owner, member), .value = value_, .help = help_,            \
        ##__VA_ARGS__                                                                                                  \
    }
#define ST_FIELDS_END                                                                                                  \
    { 0 }

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

typedef struct st_event {
    enum st_event_kind {
        ST_EVENT_INIT_START,
        ST_EVENT_INIT_DONE,
        ST_EVENT_ANIMATE_BEGIN,
        ST_EVENT_ANIMATE_END,
        ST_EVENT_COLLISION_BEGIN,
        ST_EVENT_COLLISION_END,
        ST_EVENT_INTEGRATE_BEGIN,
        ST_EVENT_INTEGRATE_END,
        ST_EVENT_MAPPING_END,
        ST_EVENT_SCENE_END, // no step will follow: what was kept open is put in place
        ST_EVENT_MOUSE,
        ST_EVENT_BUILD_CONSTRAINTS_END,
        ST_EVENT_SOLVE_CONSTRAINTS_END,
        ST_EVENT_KEY_PRESSED,
        ST_EVENT_KEY_RELEASED,
        ST_EVENT_NAMED, // by a program: `name`
    } kind;
    st_real dt;
    bool handled;
    const char *name;                   // of a named event
    int key;                            // of events of keys
    void *data;                         // as the sender gave it
    const struct st_mouse_event *mouse; // settee/haptics.h; NULL in other events
} st_event;
// SOFA's name of the event, such as "AnimateBeginEvent"; of a named event its own.
ST_API const char *st_event_name(const st_event *event);

// Ops tables of the roles; each is declared by the header of its layer.
typedef struct st_state_ops st_state_ops;                           // settee/plugin/state.h
typedef struct st_topology_ops st_topology_ops;                     // settee/plugin/topology.h
typedef struct st_force_ops st_force_ops;                           // settee/plugin/physics.h
typedef struct st_mass_ops st_mass_ops;                             //
typedef struct st_mapping_ops st_mapping_ops;                       //
typedef struct st_projection_ops st_projection_ops;                 //
typedef struct st_context_ops st_context_ops;                       // below
typedef struct st_system_ops st_system_ops;                         // settee/plugin/solver.h
typedef struct st_linear_solver_ops st_linear_solver_ops;           //
typedef struct st_integrator_ops st_integrator_ops;                 //
typedef struct st_loop_ops st_loop_ops;                             //
typedef struct st_law_ops st_law_ops;                               // settee/plugin/constraint.h
typedef struct st_correction_ops st_correction_ops;                 //
typedef struct st_constraint_solver_ops st_constraint_solver_ops;   //
typedef struct st_collision_pipeline_ops st_collision_pipeline_ops; // src/collision/collision.h
typedef struct st_collision_model_ops st_collision_model_ops;       //
typedef struct st_intersection_ops st_intersection_ops;             //
typedef struct st_broad_phase_ops st_broad_phase_ops;               //
typedef struct st_narrow_phase_ops st_narrow_phase_ops;             //
typedef struct st_contact_manager_ops st_contact_manager_ops;       //
typedef struct st_response_ops st_response_ops;                     //
typedef struct st_contact_source_ops st_contact_source_ops;         //
typedef struct st_force_feedback_ops st_force_feedback_ops;         // settee/plugin/haptics.h
typedef struct st_device_ops st_device_ops;                         //
typedef struct st_canvas st_canvas;                                 // settee/plugin/draw.h

enum st_class_flags {
    ST_CLASS_ABSTRACT = 1 << 0,   // base of others, cannot be created
    ST_CLASS_INERT = 1 << 1,      // known so that scenes load; it does nothing here
    ST_CLASS_DEPRECATED = 1 << 2, // created, with a message
    // Declared gaps of a derivative, which the generic finite-difference test respects:
    ST_CLASS_EXPLICIT_DAMPING = 1 << 3,    // ∂f/∂v is absent by design: the velocity part is integrated explicitly
    ST_CLASS_TANGENT_AT_REST = 1 << 4,     // ∂f/∂x is exact where the velocity is zero
    ST_CLASS_NO_TANGENT = 1 << 5,          // no derivative by design: the whole force is integrated explicitly
    ST_CLASS_LISTENING = 1 << 6,           // receives events unless the scene says listening="0"
    ST_CLASS_APPROXIMATE_TANGENT = 1 << 7, // the tangent leaves out terms on purpose; exact at rest shape
    ST_CLASS_CONSTANT_JACOBIAN = 1 << 8,   // of a mapping: J does not change unless the states' sizes do
    // Of a force or mass whose blocks many neighbors share: where there are many products they may be taken with the
    // assembled blocks, which is then cheaper.
    ST_CLASS_PRODUCT_BY_MATRIX = 1 << 9,
    // Of a mapping: each child DOF is a parent's DOF, or its first scalars, or depends on none. J is given as one
    // identity block for each. Matrices then need no products.
    ST_CLASS_COPIES_DOFS = 1 << 10,
    ST_CLASS_MECHANICAL = 1 << 11, // of a state: forces and integrators act on it
    // Everything that it keeps of a mesh follows changes by declaration or by `edited`: it is not initialized again.
    ST_CLASS_FOLLOWS_MESH = 1 << 12,
};

struct st_class {
    const char *name;
    const char *help;
    const char *kind;             // heading of the manual for classes without a role; NULL: that of the parent
    const st_class *parent;       // its fields come first; its hooks and roles hold where this class has none
    const char *aliases;          // further names, blanks between
    const char *templates;        // DOF types or matrix types, blanks between; NULL: no template
    const char *default_template; // NULL: chosen by `accepts`, in byte order
    const st_field *fields;
    size_t size;         // of the struct
    const char *example; // XML of a small scene part that uses it: shown in the manual, run by the generic tests
    unsigned flags;

    // Life of an object, in order. A status other than ST_OK makes the component invalid; the scene goes on.
    bool (*accepts)(st_object *); // can it live here with this template? Says why not with st_refuse
    st_status (*construct)(st_object *);
    // An attribute of the scene that no field has: does the component take it?
    bool (*attribute)(st_object *, const char *name, const char *value);
    st_status (*parse)(st_object *); // after the attributes were applied
    st_status (*init)(st_object *);
    st_status (*bwd_init)(st_object *);
    st_status (*reinit)(st_object *);
    void (*store_reset)(st_object *);
    void (*reset)(st_object *);
    void (*update)(st_object *);  // of an engine: computes its outputs from its inputs
    void (*changed)(st_object *); // a tracked field was written since the last step
    // A field got another value, at once; `by_link`: from the field that it follows. Not called for the defaults.
    void (*written)(st_object *, const st_field *, bool by_link);
    void (*event)(st_object *, st_event *);
    // A mesh changes (settee/plugin/change.h): what is removed is still there, what is added is there already.
    void (*edited)(st_object *, const st_edits *);
    const st_attached
        *attached; // its own lists that belong to a mesh and are no fields; those of its parents count, too
    void (*draw)(st_object *, st_canvas *);
    void (*destroy)(st_object *); // frees what the fields do not own
    bool (*resolve)(st_class *);  // of a base: completes the registry's copy of a class; false: out of memory

    // Roles
    const st_state_ops *state;
    const st_topology_ops *topology;
    const st_force_ops *force;
    const st_mass_ops *mass;
    const st_mapping_ops *mapping;
    const st_projection_ops *projection;
    const st_context_ops *context;
    const st_system_ops *system;
    const st_linear_solver_ops *linear_solver;
    const st_integrator_ops *integrator;
    const st_loop_ops *loop;
    const st_law_ops *law;
    const st_correction_ops *correction;
    const st_constraint_solver_ops *constraint_solver;
    const st_collision_pipeline_ops *collision_pipeline;
    const st_collision_model_ops *collision_model;
    const st_intersection_ops *intersection;
    const st_broad_phase_ops *broad_phase;
    const st_narrow_phase_ops *narrow_phase;
    const st_contact_manager_ops *contact_manager;
    const st_response_ops *response;
    const st_contact_source_ops *contact_source;
    const st_force_feedback_ops *force_feedback;
    const st_device_ops *device;
};

// A role is named by the place of its ops table in the class.
#define ST_ROLE(name) offsetof(st_class, name)
#define ST_ROLE_NODE SIZE_MAX // of a link whose target is a node

// Is a word among those separated by blanks?
ST_API bool st_has_word(const char *words, const char *word);

// ---------------------------------------------------------------------------------------------------
// Objects
// ---------------------------------------------------------------------------------------------------

typedef enum st_validity { ST_UNDEFINED, ST_VALID, ST_BROKEN } st_validity;

typedef struct st_data st_data; // what the scene knows of one field of one object: set, counter, link

struct st_object {
    const st_class *type; // the registry's copy: everything inherited is written out
    st_scene *scene;
    st_node *node;
    const st_dof *dof; // DOF type of its template, if it has one
    char *template_;   // canonical text of its template ("Vec3", "Rigid3,Vec3", "CompressedRowSparseMatrixd"), or NULL
    const char *file;  // where it is in the scene
    int line;          //
    st_validity validity;
    st_data *data;                   // one per field
    struct st_object_record *record; // what the scene keeps of it (src/scene/scene.h)
    // fields of every component
    char *name;
    bool print_log;
    bool listening;
    st_strings tags;
};

extern ST_API const st_class st_object_class; // root of all classes

ST_API bool st_is_a(const st_object *object, const st_class *type);
static inline bool st_has_role(const st_object *object, size_t role) {
    return object && *(const void *const *)((const char *)object->type + role) != NULL;
}
static inline bool st_is_valid(const st_object *object) { return object->validity != ST_BROKEN; }

// The path from the root, such as /Liver/dofs. Borrowed: valid until the next call for the same scene.
ST_API const char *st_path(const st_object *object);

// A diagnostic in the name of the component, with its file, line and path. An info is dropped unless printLog is on.
ST_API void st_message(const st_object *object, st_severity severity, const char *format, ...) ST_PRINTF(3, 4);
// The same for what would be repeated in every step: sent once for each key until the scene is reset. The key is
// unique within the component, such as "flat"; it is copied.
ST_API void st_message_once(const st_object *object, const char *key, st_severity severity, const char *format, ...)
    ST_PRINTF(4, 5);
// Is it the first time that the component asks for this key since the start or the last reset? For a message that takes
// work to prepare.
ST_API bool st_first_time(const st_object *object, const char *key);
// For `init` and its like: an error, and the status to return with it.
ST_API st_status st_invalid(st_object *object, const char *format, ...) ST_PRINTF(2, 3);
// For `accepts`: the reason why the component cannot be created, and false.
ST_API bool st_refuse(st_object *object, const char *format, ...) ST_PRINTF(2, 3);

// Attributes as written in the scene, while the component is created: NULL when absent.
ST_API const char *st_attribute(const st_object *object, const char *name);

// Was the field written (by attribute, link or code)? `member` points at the struct member.
ST_API bool st_is_set(const st_object *object, const void *member);
// To be called after writing a member that others may link to: counts the change, makes the links below dirty.
ST_API void st_touch(st_object *object, const void *member);
ST_API void st_unset(st_object *object, const void *member);
ST_API uint32_t st_change_count(const st_object *object, const void *member);
// Brings the fields that are linked from elsewhere up to date. Done by the scene before init and at every step's begin.
ST_API void st_pull(st_object *object);
// Links a field to one of another object: same as writing member="@path.name".
ST_API st_status st_link_field(st_object *object, const void *member, st_object *source, const char *source_field);

// Set a list member's size in elements of the field's own width; new elements are zero (rigid: identity).
ST_API bool st_resize_member(st_object *object, void *member, size_t count);

// ---------------------------------------------------------------------------------------------------
// Nodes and look-ups
// ---------------------------------------------------------------------------------------------------

struct st_node {
    st_object object;
    st_node *parent;
    ST_LIST(st_node *) children;
    ST_LIST(st_object *) objects;
    st_real gravity[3];
    st_real dt;
    st_real time;
    bool animate;
    bool activated;
    bool sleeping;
    bool can_change_sleeping;
    st_real bbox[6];
    bool compat, fast;
    struct st_node_index *index; // names and roles of its lists, made on demand (src/scene/lookup.c)
    struct st_plan *plan;        // what a step does at and below it, made on demand (src/plan/plan.h)
};

// A component that changes its node's context each time after it was copied from the parent (Gravity).
struct st_context_ops {
    void (*apply)(st_object *, st_node *);
};

typedef enum st_direction { ST_LOCAL, ST_UP, ST_DOWN } st_direction;

// First component with the role, in SOFA's search order; NULL when there is none.
ST_API st_object *st_find(const st_node *node, size_t role, st_direction direction);
// The node's own single slot (the last one added), else the nearest one upwards.
ST_API st_object *st_find_slot(const st_node *node, size_t role);
ST_API st_object *st_find_class(const st_node *node, const st_class *type, st_direction direction);
// Follows a component path (with or without its @) from the node; NULL when nothing of the role is there.
ST_API st_object *st_find_path(const st_node *node, const char *path, size_t role);
// Do the object's tags include all those required?
ST_API bool st_tags_include(const st_strings *tags, const st_strings *required);

// Creates a component by code and puts it at the end (or the front) of the node. NULL: see the log.
ST_API st_object *st_add_object(st_node *node, const char *class_name, const char *template_name, const char *name,
                                bool front);

// ---------------------------------------------------------------------------------------------------
// Registration
// ---------------------------------------------------------------------------------------------------

// Makes a class known to one scene. The class must stay valid as long as the scene.
ST_API st_status st_register_class(st_scene *scene, const st_class *type);

// What a plug-in exports, as a function called st_plugin: its ABI number and its classes, NULL at the end.
// 2: st_field and st_class know meshes that change, events of keys and of the mouse
#define ST_PLUGIN_ABI 3
typedef struct st_plugin_info {
    int abi;
    const char *name;
    const char *version;
    const st_class *const *classes;
} st_plugin_info;
typedef const st_plugin_info *st_plugin_function(void);

#ifdef __cplusplus
}
#endif
#endif
