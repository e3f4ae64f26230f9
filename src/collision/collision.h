// Collision: from the positions of objects to the contacts between them.
//
//     pipeline          owns the order: detection, then response, once for each collision pass of a loop
//       models          surfaces: elements of one primitive (triangles, lines, points, spheres) over a state, each
//                       model with a tree of boxes that is built once and whose boxes follow the positions
//       broad phase     which models are near each other                -> pairs of models
//       narrow phase    which elements of them are                      -> detections, one list per pair of models
//       intersection    the distances, and which pairs of primitives have a test (a table of small functions)
//       manager         which response a pair of models gets, where in the graph it is
//         contact pair  one for each pair of models in contact: two mappers and a response
//           mapper      contact points as DOFs: the model's own, or a mapped state in a node of its own
//           response    what acts between the contact points: a force (penalty) or a law (Lagrangian contacts)
//
// One pass, st_collide:
//     reset             responses hold no contact any more
//     detect            trees; broad phase; narrow phase
//     respond           contact pairs are made, filled or put away; responses are put in their nodes
//
// How contacts join the mechanics. A contact point is a DOF of a Vec3 state: mapped by barycentric weights over the
// vertices of its element, or as a fixed place in a rigid frame; points and Vec3 spheres are DOFs already. The response
// is an interaction between two such states. Both are ordinary members of the scene graph, so that plans, mappings and
// matrix projection need to know nothing of contacts. Where the response is decides what it does: below an integrator
// it is implicit; above all of them it is an external force of one step. It is with the simulated model when the
// other one is an obstacle (simulated="0"), else with the pipeline.
//
// What changes when. Filling a mapper or a response changes sizes and numbers, not the graph: plans stay, matrices look
// at sizes themselves. The graph changes, and plans are made again, only when a pair of models comes into contact,
// loses it, or when the order of responses in a node changes. Nothing is allocated while the number of contacts does
// not grow.
//
// Order is part of the result: models in the order of the graph, pairs (later, earlier), elements in the order of the
// trees, tests in the order of the table's functions, contact pairs in the order of pair_order.h.
//
// Who owns what. The graph owns what is in it; a contact pair owns what it has taken out. A pair that loses contact
// keeps its objects, out of the graph, for the next time: nobody is left with a pointer to nothing. The narrow phase
// owns the detections, the manager the contact pairs, each model its tree.
//
// To add: a primitive is a model class (its ops below), a number in st_primitive and its tests in the tables of the
// methods that know it; a method is a class with a table; a response is a class with st_response_ops, found by its
// name.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_COLLISION_H
#define SETTEE_COLLISION_COLLISION_H

#include "base/array.h"
#include "collision/bounding_tree.h"
#include "collision/pair_order.h"
#include "collision/tight_inclusion.h"
#include "settee/plugin/physics.h"
#include "settee/plugin/topology.h"
#include "topology/adjacency.h"

// ---------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------

typedef enum st_primitive {
    ST_PRIMITIVE_TRIANGLE,
    ST_PRIMITIVE_LINE,
    ST_PRIMITIVE_POINT,
    ST_PRIMITIVE_SPHERE,        // around a point
    ST_PRIMITIVE_RIGID_SPHERE,  // around a frame
    ST_PRIMITIVE_BOX,           // around a frame
    ST_PRIMITIVE_CAPSULE,       // around a segment between two points
    ST_PRIMITIVE_RIGID_CAPSULE, // around a segment in a frame
    ST_PRIMITIVE_RIGID_GRID,    // distances to a surface that a frame carries
    ST_PRIMITIVE_FFD_GRID,      // a cell of a body by distances, deformed with eight points
    ST_PRIMITIVE_TETRAHEDRON,
    ST_PRIMITIVE_CYLINDER,
    ST_PRIMITIVE_RAY,
    ST_PRIMITIVES
} st_primitive;

// How far the boxes of elements reach in time: the present alone, also x + dt v, also the free positions.
typedef enum st_sweep_kind { ST_SWEEP_NONE, ST_SWEEP_INERTIA, ST_SWEEP_FREE } st_sweep_kind;

// What lies around the points or lines of a model in its mesh, for methods that filter by it.
typedef struct st_surface {
    bool known;
    const uint32_t *triangles, *edges; // of the mesh
    size_t triangle_count, edge_count;
    size_t dofs;                                                        // that vertices may refer to
    st_around triangles_of_points, edges_of_points, triangles_of_edges; // rows of the mesh's tables
} st_surface;

typedef struct st_collision_model {
    st_object object;
    bool active, moving, simulated, self_collision, both_sides;
    st_real contact_distance, contact_stiffness, contact_friction, contact_restitution;
    char *contact_response;
    st_ints group;
    st_real color[4];
    uint32_t contacts; // pairs that it is part of
    st_object *filter;
    st_object *topology; // link; later what was found

    st_primitive primitive;
    int corners; // DOFs of an element; 1: element i is DOF i
    st_state *state;
    st_uints vertices;   // of elements with several corners, `corners` each
    st_uints fresh;      // work of refresh
    size_t count;        // of elements
    bool rebuilt;        // the elements are others than at the last detection
    st_sweep_kind sweep; // of its boxes
    enum { ST_BOXES_KEPT, ST_BOXES_BUILT, ST_BOXES_FOLLOW } update; // of the present detection
    bool flat;                                                      // its tree is the root alone
    size_t partner; // a model of its pipeline that it may touch, the last time that one was looked for
    st_bounding_tree tree;
    st_surface surface; // of the last detection, where the method asks for it
} st_collision_model;

struct st_collision_model_ops {
    // These answer false when out of memory.
    // Brings the elements up to date with topology and state: count, vertices, rebuilt. NULL: every DOF is an element.
    bool (*refresh)(st_collision_model *);
    // Optional: after the boxes were computed.
    bool (*moved)(st_collision_model *);
    // Optional: before a method that asks for them tests elements: flags.
    bool (*prepare)(st_collision_model *);
    // Optional: the box of element i, in place of that of its corners with radius and skin.
    void (*box)(const st_collision_model *, size_t i, st_box *);
    // Optional: the radius around the corner of element i.
    st_real (*radius)(const st_collision_model *, size_t i);
    // Optional: may element i touch element j of a model (it may be itself) in the same node? NULL: yes. The model that
    // comes first in the test of the two is asked.
    bool (*may_touch)(const st_collision_model *, size_t i, const st_collision_model *other, size_t j);
    // What carries its contact points over a Vec3 state, and over a Rigid3 one; NULL: its own DOFs are them.
    const struct st_contact_carrier *carrier, *rigid_carrier; // contact_mappings.h
    // With a carrier: one more contact point, near `point` on element i.
    bool (*carry)(const st_collision_model *, st_mapping *, size_t i, const st_real point[3]);
};

extern const st_class st_collision_model_class;      // of any state
extern const st_class st_mesh_collision_model_class; // of a Vec3 state and a topology

static inline const st_collision_model_ops *st_model_ops(const st_collision_model *m) {
    return m->object.type->collision_model;
}
// The DOF of a corner of element i.
static inline size_t st_corner(const st_collision_model *m, size_t i, int k) {
    return m->corners == 1 ? i : m->vertices.data[i * (size_t)m->corners + (size_t)k];
}
// Its present position.
static inline const st_real *st_corner_position(const st_collision_model *m, size_t i, int k) {
    return m->state->coord[ST_COORD_POSITION].data + st_corner(m, i, k) * st_state_dof(m->state)->coord;
}
static inline st_real st_element_radius(const st_collision_model *m, size_t i) {
    const st_collision_model_ops *ops = st_model_ops(m);
    return ops->radius ? ops->radius(m, i) : 0;
}

// For `refresh`: takes the vertices in `fresh`, `count` elements; tells whether they are others than before.
void st_collision_model_take(st_collision_model *model);
// DOFs of its state that elements may refer to.
size_t st_collision_model_dofs(const st_collision_model *model);
// Bring elements and boxes up to date, with a tree of at most `depth` levels below its root: elements, and the tree where
// it is built; boxes that follow the positions, which several threads may do for several models at once; what is
// computed after them.
st_status st_collision_model_begin(st_collision_model *model, size_t depth, st_sweep_kind sweep);
void st_collision_model_follow(st_collision_model *model);
st_status st_collision_model_end(st_collision_model *model);
// The boxes of elements that st_bounding_tree_want asked for; of several models at once, too.
void st_collision_model_fill(st_collision_model *model);
bool st_collision_model_is_active(const st_collision_model *model);
bool st_models_can_collide(const st_collision_model *a, const st_collision_model *b); // both ways
bool st_elements_may_touch(const st_collision_model *a, size_t i, const st_collision_model *b, size_t j);

// --- points and tetrahedra

// The normal of a point, or NULL: none were asked for, or it has none.
const st_real *st_point_normal(const st_collision_model *points, size_t i);
// Where p is in tetrahedron i, p = x0 + Σ at (xk - x0); `frame` takes vectors there. False: the tetrahedron is flat.
bool st_tetrahedron_coordinates(const st_collision_model *model, size_t i, const st_real p[3], st_real frame[9],
                                st_real at[3]);

// --- lines

// The edge of the mesh that is line i.
size_t st_line_edge(const st_collision_model *lines, size_t i);

// --- triangles

enum st_triangle_flags { // parts that a triangle answers for, among those that share them
    ST_OWNS_P1 = 1,
    ST_OWNS_P2 = 2,
    ST_OWNS_P3 = 4,
    ST_OWNS_E23 = 8,
    ST_OWNS_E31 = 16,
    ST_OWNS_E12 = 32,
    ST_BORDER_E23 = 64, // no other triangle of the mesh has the edge
    ST_BORDER_E31 = 128,
    ST_BORDER_E12 = 256,
};
unsigned st_triangle_flags(const st_collision_model *triangles, size_t i); // after `prepare`
// Of TriangleOctreeCollisionModel: normals of the vertices, by those that the triangles had a detection before. NULL: it
// has none yet.
bool st_vertex_normals_are_kept(const st_collision_model *model);
const st_real *st_vertex_normal(const st_collision_model *triangles, size_t dof);
// The normal at the last time that boxes were computed; false: none were asked for, and n is left alone.
bool st_triangle_normal(const st_collision_model *triangles, size_t i, st_real n[3]);

// ---------------------------------------------------------------------------------------------------
// Detections
// ---------------------------------------------------------------------------------------------------

typedef struct st_detection {
    uint32_t element[2];
    st_real point[2][3]; // on each element
    st_real normal[3];   // of length 1, from the first to the second
    st_real value;       // signed: what is missing to, or above, the contact distance
    int64_t id;          // what a response keeps one contact for
} st_detection;

enum { ST_DETECTIONS_MAX = 1 << 20 }; // between two models: more is no contact but a mistake

typedef struct st_detections {
    ST_LIST(st_detection) list;
    bool coincident;     // points without a direction between them were met
    bool full;           // more than ST_DETECTIONS_MAX
    bool failed;         // out of memory
    st_time_boxes boxes; // work of continuous tests
} st_detections;

// ---------------------------------------------------------------------------------------------------
// Intersection methods
// ---------------------------------------------------------------------------------------------------

typedef struct st_intersection st_intersection;

// Appends what is found between element i of a and element j of b.
typedef void st_element_test(const st_intersection *method, const st_collision_model *a, size_t i,
                             const st_collision_model *b, size_t j, st_detections *out);

typedef struct st_element_test_entry {
    st_primitive first, second;
    st_element_test *test; // NULL: the pair is known, and ignored
} st_element_test_entry;

struct st_intersection {
    st_object object;
    st_real alarm, contact; // distances at which boxes are near, at which objects touch
    bool compat;            // reproduce SOFA's defects
    st_sweep_kind sweep;    // continuous methods: of the boxes
    struct st_table_place {
        st_element_test *test;
        bool known;
    } table[ST_PRIMITIVES][ST_PRIMITIVES];
};

struct st_intersection_ops {
    // Optional: makes what its tests ask of a model that is near another one: flags, neighborhoods. False: out of
    // memory.
    bool (*prepare)(st_intersection *, st_collision_model *);
};
// What the base of all models has for it: `prepare` of the model.
bool st_intersection_prepare_flags(st_intersection *method, st_collision_model *model);

extern const st_class st_intersection_class;
extern const st_class st_proximity_intersection_class; // of methods with distances
// Entries replace what was known of their pair.
void st_intersection_enter(st_intersection *method, const st_element_test_entry *entries, size_t count);
void st_intersection_enter_discrete(st_intersection *method); // what every method begins with
// The test of two models; `swap`: it wants them the other way around. NULL: none; one that was not known is reported once.
st_element_test *st_intersection_find(st_intersection *method, const st_collision_model *a, const st_collision_model *b,
                                      bool *swap);
static inline st_real st_alarm_of(const st_intersection *m, const st_collision_model *a, const st_collision_model *b) {
    return m->alarm + a->contact_distance + b->contact_distance;
}
static inline st_real st_contact_of(const st_intersection *m, const st_collision_model *a,
                                    const st_collision_model *b) {
    return m->contact + a->contact_distance + b->contact_distance;
}

// ---------------------------------------------------------------------------------------------------
// Phases
// ---------------------------------------------------------------------------------------------------

typedef struct st_model_pair {
    st_collision_model *first, *second;
} st_model_pair;
typedef ST_LIST(st_model_pair) st_model_pairs;
typedef ST_LIST(st_collision_model *) st_collision_models;

typedef struct st_broad_phase {
    st_object object;
    st_model_pairs pairs; // of the last detection
    size_t box_tests;     // boxes held against each other in it
} st_broad_phase;
struct st_broad_phase_ops {
    st_status (*find)(st_broad_phase *, st_intersection *, const st_collision_models *); // trees are up to date
};
extern const st_class st_broad_phase_class;

// What was found between two models, after a swap that the test asked for.
typedef struct st_model_detections {
    st_collision_model *model[2];
    st_detections found;
} st_model_detections;

typedef struct st_narrow_phase {
    st_object object;
    struct st_detection_map *map;           // detection_map.h
    ST_LIST(st_model_detections *) outputs; // pairs of models with detections, in order
} st_narrow_phase;
struct st_narrow_phase_ops {
    st_status (*find)(st_narrow_phase *, st_intersection *, const st_model_pairs *);
};
extern const st_class st_narrow_phase_class;

// ---------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------

// The contact points of one model.
typedef struct st_contact_mapper {
    st_collision_model *model;
    st_state *state;     // with the contact points
    st_node *node;       // holds a mapped state and its mapping; NULL: the model's own DOFs
    st_mapping *mapping; //
    st_node *parent;     // where the node hangs while it is in the graph; NULL: it is not
    size_t count;        // points added since the last begin
} st_contact_mapper;

typedef struct st_contact_pair {
    st_ranked_pair pair; // first
    st_collision_model *model[2];
    st_contact_mapper mapper[2];
    st_object *response;         // of a class with the ops below; NULL: the pair has none
    st_node *node;               // where the response is; NULL: out of the graph
    st_node *wanted;             // where it is to be
    char *recipe;                // name and parameters of the response that it was made for
    bool alive;                  // in contact
    bool seen;                   // in this pass
    st_uints elements;           // two for each contact
    st_uints kept, table, chain; // work of filling
} st_contact_pair;

struct st_contact_report; // settee/contact.h

// Of a class that acts between contact points. The engine makes one object of it for each pair of models.
struct st_response_ops {
    // Gives the response the states of its mappers. Called when it is made.
    void (*connect)(st_contact_pair *);
    // From the detections to contacts: fills mappers and response.
    st_status (*fill)(st_contact_pair *, const st_intersection *, const st_detections *);
    void (*clear)(st_contact_pair *); // no contacts
    // Optional: can it act between these models? NULL: between any.
    bool (*fits)(const st_collision_model *, const st_collision_model *);
    // Optional: does it want to stay when nothing is found any more? It is filled with no detections then.
    bool (*stays)(const st_contact_pair *);
    // It needs no contact points, and is the only kind that rays have.
    bool of_rays;
    // Optional: points, normal, gap, force and motion of contact i, as it is now. False: there is none.
    bool (*report)(const st_contact_pair *, size_t i, struct st_contact_report *);
};

// Of a force that finds contacts by itself, without models.
struct st_contact_source_ops {
    // Contact i as it is now: its models, elements, points, normal, gap, force and motion. False: there are no more.
    bool (*report)(const st_object *, size_t i, struct st_contact_report *);
};

typedef struct st_contact_manager {
    st_object object;
} st_contact_manager;
struct st_contact_manager_ops {
    void (*reset)(st_contact_manager *); // responses hold no contact
    // Contact pairs for what was found; responses between simulated models go to `node`.
    st_status (*respond)(st_contact_manager *, st_node *node, const st_intersection *, const st_narrow_phase *);
    // The name of a response with its parameters, "name?a=1&b=2". NULL: out of memory.
    const char *(*recipe)(st_contact_manager *, const st_contact_pair *);
};
extern const st_class st_contact_manager_class;

// ---------------------------------------------------------------------------------------------------
// Pipelines
// ---------------------------------------------------------------------------------------------------

struct st_collision_pipeline_ops {
    void (*reset)(st_object *);
    st_status (*detect)(st_object *);
    st_status (*respond)(st_object *);
};

// Runs those of the pipelines, in their order, that carry the tags.
typedef enum st_collision_pass {
    ST_COLLISION_RESET = 1,
    ST_COLLISION_DETECT = 2,
    ST_COLLISION_RESPOND = 4
} st_collision_pass;
st_status st_collide(st_object *const *pipelines, size_t count, const st_strings *tags, unsigned passes);

#endif
