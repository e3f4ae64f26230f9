// Meshes that change: what a component declares so that its data keep their place.
//
// A container (TriangleSetTopologyContainer and its like) changes by edits: points or elements of one kind are added,
// removed, renumbered. The engine carries each list of edits to everybody who holds data on that mesh, in SOFA's order:
//
//     removed   what is removed is still in the mesh; ids decrease. Each id in turn takes the place of the last one
//               (swap with last); then the list is shorter
//     added     what is added is in the mesh already; ids increase and follow the former last one
//
// A component has three ways to follow, and the engine takes care of it if it chooses none:
//
//     declared  a list with one entry for each point or element: `.mesh = ST_PER(ST_TETRAHEDRON)` in its field, or a row of
//               `attached` where it is no field. Entries move, go and come with their elements; `.make` fills new ones.
//               A list of numbers of points or elements: `.mesh = ST_INDICES(ST_POINT)`. Numbers of what is removed
//               disappear, others follow; new ones are not added (but see `inherits`). Pairs of points and their data: ST_ROWS_OF_FIRST, ...
//               Points of a mapping's parents: ST_OF_PARENT. Whole numbers that are neither: ST_NO_INDEX.
//     edited    the hook `edited` gets the edits themselves.
//     initialized again   every force, mass, mapping, projection, law, correction, collision and visual model of a
//               changed mesh, and whoever declares data, unless its class says ST_CLASS_FOLLOWS_MESH. Its `init` runs once after all edits, with
//               its declared fields up to date. `init` must therefore work on an object that was initialized before.
//
// A component must keep no number of a point or element that is not declared, and that its `init` does not find again.
// Which mesh: elements are those of the component's attribute `topology`, else of the mesh that its node uses. Points
// are those of the state of its node, so that numbers of DOFs follow whichever mesh that state follows.
//
// st_scene_reset brings the first mesh back: the lists of meshes and states, everything declared with `.mesh`, then `init`
// again as above.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLUGIN_CHANGE_H
#define SETTEE_PLUGIN_CHANGE_H

#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

// For `.mesh` of a field or an attached list; `kind` is a st_element or ST_POINT.
#define ST_PER(kind) (1 + (int)(kind)) // one entry for each
// One entry for each element of a component that works on several kinds: of the largest kind of which there are as many as
// entries. A list of another length (a value for all) stays as it is.
#define ST_PER_CELL 40
// Entries are their numbers. A list of edges, triangles, ... given by their vertices is one of points, too: an entry goes
// with each of its vertices.
#define ST_INDICES(kind) (16 + (int)(kind))
// Lists side by side, such as the pairs or springs between two states: numbers of points of the state that the attribute
// object1 names (of its own state where there is no such attribute), of the one that object2 or external_rest_shape names,
// and whatever else belongs to a row. A row goes when one of its points does. A list that has another length than the first
// one (a value for all rows) stays as it is.
#define ST_ROWS_OF_FIRST 33
#define ST_ROWS_OF_SECOND 34
#define ST_ROWS 35
#define ST_ROWS_OF_EDGES 39 // the rows are edges of its mesh, by their numbers
// Of a mapping, one for each child DOF: the number of a point of its parent; or two numbers, of the parent and of its
// point. A child DOF stays when its point is removed: its number becomes ST_INVALID_INDEX, and it depends on nobody.
#define ST_OF_PARENT 36
#define ST_OF_PARENTS 37
// Numbers of points of its own state in a list whose entries stay, such as the columns of a table: that of a removed point
// becomes ST_INVALID_INDEX.
#define ST_STAYING_INDICES 38
// All of these can be said of a single number, too. It becomes ST_INVALID_INDEX (-1) when its point or element is removed.

// Whole numbers that name no point and no element: sizes, degrees, colors, or numbers in lists of the component itself. A
// test finds lists of whole numbers that do not say what they are.
#define ST_NO_INDEX (-1)
// A value that the component computes from the mesh, such as a total mass: a reset puts it back.
#define ST_WITH_MESH 32

// For `bytes` of an attached list of reals: a position or a velocity of the component's type.
#define ST_BYTES_COORD SIZE_MAX
#define ST_BYTES_DERIV (SIZE_MAX - 1)
// For `make` of reals: the entry of its first ancestor, else the first entry of the list.
ST_API void st_make_like_ancestor(st_object *object, void *entry, const st_edit *edit, size_t k);
// For `make`: the entry is the position that the new point has now.
ST_API void st_make_position(st_object *object, void *entry, const st_edit *edit, size_t k);

typedef enum st_edit_what {
    ST_EDIT_ADDED,
    ST_EDIT_REMOVED,
    ST_EDIT_RENUMBERED, // points alone: new entry i is the former entry ids[i]
    ST_EDIT_MOVING,     // elements alone: some of their points are about to move
    ST_EDIT_MOVED,      // points: states and initial positions have the weighted sums of ancestors; then their elements
} st_edit_what;

struct st_edit {
    st_edit_what what;
    int kind; // st_element or ST_POINT
    size_t count;
    const uint32_t *ids;
    // Of what is added or moved, where it is known: new one k comes from ancestors[starts[k]] … ancestors[starts[k + 1] - 1]
    // (points from points, elements from elements of their kind) with these weights. NULL otherwise.
    const uint32_t *starts;
    const uint32_t *ancestors;
    const st_real *weights;
    // Of points that are added: numbers in lists of projections that hold all ancestors of a new point are joined by its
    // own, so that what is cut through stays fixed on both sides.
    bool inherits;
};

struct st_edits {
    st_topology *topology;
    size_t count;
    const st_edit *list;
};

// Did changes take the last entry of a declared list? "All points when no indices are given" then means none.
ST_API bool st_became_empty(const st_object *object, const void *list);

// For `edited` of components that keep numbers in other ways, such as pairs of points, which go together. Do the edits
// renumber the points of this state? Then the new number of each follows; ST_INVALID_INDEX: it is gone.
ST_API bool st_edits_move_points(const st_edits *edits, const st_state *state);
ST_API uint32_t st_edits_number(const st_edits *edits, int kind, uint32_t number);

// Why `init` is called. After a change and for a reset everything declared with `.mesh` is up to date already.
typedef enum st_init_reason {
    ST_INIT_FIRST,
    ST_INIT_CHANGED, // a mesh has changed
    ST_INIT_RESET,   // the first mesh is back
} st_init_reason;
ST_API st_init_reason st_why_init(const st_object *object);

#ifdef __cplusplus
}
#endif
#endif
