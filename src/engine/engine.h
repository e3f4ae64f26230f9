// Engines: components that compute outputs from inputs, when an output is read after an input has changed.
//
// An engine declares its fields with ST_INPUT and ST_OUTPUT, derives from st_engine_class, fills its outputs in
// `update` and ends it with st_engine_done. It is out of date from its creation on, so that engines whose inputs all
// keep their defaults compute, too.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_ENGINE_H
#define SETTEE_ENGINE_ENGINE_H

#include "base/array.h"
#include "math/vec3.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

#define ST_INPUT(owner, member, name, type, value, help, ...)                                                          \
    ST_FIELD(owner, member, name, type, value, help, .flags = ST_FIELD_INPUT, ##__VA_ARGS__)
#define ST_OUTPUT(owner, member, name, type, help, ...)                                                                \
    ST_FIELD(owner, member, name, type, NULL, help, .flags = ST_FIELD_OUTPUT, ##__VA_ARGS__)
#define ST_SHOWN(owner, member, name, type, value, help, ...)                                                          \
    ST_FIELD(owner, member, name, type, value, help, .flags = ST_FIELD_DISPLAY, ##__VA_ARGS__)

// Inputs that come in numbers (position1, position2, ...): so many of each at most.
enum { ST_ENGINE_INPUTS = 20 };
#define ST_EACH_INPUT(X)                                                                                               \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20)

// No list that an engine makes is longer: a wrong index must not ask for all memory.
enum { ST_ENGINE_LARGEST = 1 << 28 };

extern const st_class st_engine_class;

// Makes all outputs out of date.
void st_engine_invalidate(st_object *object);
// The end of every update: counts the change of all outputs; not `complete`: out of memory.
void st_engine_done(st_object *object, bool complete);
// A count of inputs as asked for by the scene; more than there can be is an error, and the first ones are used.
size_t st_engine_inputs(const st_object *object, uint32_t asked);
// Links a field that the scene leaves open to one of the state of the node, else of the nearest one upwards.
bool st_engine_link_state(st_object *object, const void *member, const char *state_field);
// Links positions that the scene leaves open to the rest positions of the node's own state, else to the positions of
// the node's own mesh loader, else to the rest positions of the nearest state upwards. False: there is none of them.
bool st_engine_link_rest(st_object *object, const void *member);
// Links a list of elements that the scene leaves open to the topology's.
void st_engine_link_elements(st_object *object, const void *member, st_topology *topology, st_element kind);

// Sorts the corners of the boxes that select points. Without any box or other shape the unit box selects. False: out of
// memory.
bool st_engine_prepare_boxes(st_object *object, st_reals *boxes, bool other_shapes);

// For `accepts` of engines whose template is a type of value: d, i, I, b, Vec3, vector<Vec3>, ... All values are held
// as reals; object->dof then gives their width.
bool st_engine_accept_values(st_object *object);
bool st_engine_whole_values(const st_object *object); // i, I, b: the values are integers
#define ST_VALUE_TEMPLATES "d i I b Vec1 Vec2 Vec3 Vec4 Vec6 Rigid2 Rigid3"
#define ST_VECTOR_TEMPLATES                                                                                            \
    "vector<d> vector<i> vector<I> vector<b> vector<double> vector<float> vector<int> vector<unsigned_int> "           \
    "vector<bool> vector<Vec1> vector<Vec2> vector<Vec3> vector<Vec4> vector<Vec6> vector<Rigid2> vector<Rigid3> "     \
    "vector<Vec1d> vector<Vec2d> vector<Vec3d> vector<Vec4d> vector<Vec6d> vector<Rigid2d> vector<Rigid3d>"

static inline size_t st_engine_width(const st_object *object) { return object->dof ? object->dof->coord : 3; }

// Sets the size of an output; everything in it starts from its default.
static inline bool st_engine_resize(st_object *object, void *member, size_t count) {
    ((st_any_list *)member)->count = 0;
    return st_resize_member(object, member, count);
}

static inline bool st_push_reals(st_reals *list, const st_real *values, size_t width) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, width)) return false;
    for (size_t i = 0; i < width; i++) list->data[at * width + i] = values[i];
    return true;
}

static inline bool st_push_uints(st_uints *list, const uint32_t *values, size_t width) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, width)) return false;
    for (size_t i = 0; i < width; i++) list->data[at * width + i] = values[i];
    return true;
}

static inline bool st_vertices_exist(const uint32_t *vertices, size_t count, size_t points) {
    for (size_t i = 0; i < count; i++)
        if (vertices[i] >= points) return false;
    return true;
}

#endif
