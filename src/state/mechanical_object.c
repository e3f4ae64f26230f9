// MechanicalObject: all vectors of one object's degrees of freedom.
//
// Sizes at init, in this order: the largest given vector; else the topology of the node; else one DOF. The transforms
// position' = T R S position come before the rest position is stored, rotation2 and translation2 after it.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/quat.h"
#include "scene/scene.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

// No memory is taken on the word of a number in the scene beyond this many DOFs.
enum { MAX_SIZE = 1 << 24 };

typedef struct mechanical_object {
    st_state state;
    st_reals mapping_jacobian;
    st_real rest_scale;
    bool use_topology;
    st_object *topology;
    st_real translation[3], rotation[3], scale[3];
    st_real translation2[3], rotation2[3];
    int32_t size, reserve;
    // short-hands of the scene: scale, s*, r*, d*, r*2, d*2
    st_real uniform_scale, s[3], r[3], d[3], r2[3], d2[3];
    // display
    bool show_object, show_indices, show_vectors;
    st_real show_object_scale, show_indices_scale, show_vectors_scale, show_color[4];
    int32_t draw_mode;
} mechanical_object;

#define SHORT(member, name, value)                                                                                     \
    ST_FIELD(mechanical_object, member, name, st_type_float, value, "short-hand, read in single precision",            \
             .flags = ST_FIELD_SHORTHAND)
#define SHOW(member, name, type, value, help)                                                                          \
    ST_FIELD(mechanical_object, member, name, type, value, help, .flags = ST_FIELD_DISPLAY)

static const st_field fields[] = {
    ST_FIELD(mechanical_object, state.coord[ST_COORD_POSITION], "position", st_type_coords, NULL, "positions",
             .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_VELOCITY], "velocity", st_type_derivs, NULL, "velocities",
             .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_FORCE], "force", st_type_derivs, NULL,
             "forces of the last evaluation", .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.coord[ST_COORD_REST], "rest_position", st_type_coords, NULL,
             "positions at rest; taken from position when not given", .flags = ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_EXTERNAL], "externalForce", st_type_derivs, NULL,
             "added to the forces of one step, then emptied", .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_DX], "derivX", st_type_derivs, NULL, "displacements (work vector)",
             .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.coord[ST_COORD_FREE], "free_position", st_type_coords, NULL,
             "positions of the motion without constraints", .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_FREE], "free_velocity", st_type_derivs, NULL,
             "velocities of the motion without constraints", .flags = ST_FIELD_STEPPED | ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.coord[ST_COORD_RESET], "reset_position", st_type_coords, NULL,
             "positions that a reset restores", .flags = ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.deriv[ST_DERIV_RESET], "reset_velocity", st_type_derivs, NULL,
             "velocities that a reset restores", .flags = ST_FIELD_SIZED),
    ST_FIELD(mechanical_object, state.constraint.entries, "constraint", st_type_entries, NULL,
             "rows of the constraints' Jacobian on this state, one entry per row and DOF: row, DOF, direction",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(mechanical_object, mapping_jacobian, "mappingJacobian", st_type_entries, NULL,
             "work matrix of SOFA's assembly; here mappings give their blocks directly", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(mechanical_object, rest_scale, "restScale", st_type_real, "1",
             "rest positions made from positions are scaled by this"),
    ST_FIELD(mechanical_object, use_topology, "useTopology", st_type_bool, "1",
             "take size and positions from the topology of the node"),
    ST_FIELD(mechanical_object, topology, "topology", st_type_link, NULL, "topology to use instead of the node's",
             .role = ST_ROLE(topology)),
    ST_FIELD(mechanical_object, translation, "translation", st_type_vec3, "0 0 0", "translation of the positions",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mechanical_object, rotation, "rotation", st_type_vec3, "0 0 0",
             "rotation of the positions, degrees, x then y then z", .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mechanical_object, scale, "scale3d", st_type_vec3, "1 1 1", "scale of the positions",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mechanical_object, translation2, "translation2", st_type_vec3, "0 0 0",
             "translation after the rest positions were stored"),
    ST_FIELD(mechanical_object, rotation2, "rotation2", st_type_vec3, "0 0 0",
             "rotation after the rest positions were stored, degrees"),
    ST_FIELD(mechanical_object, size, "size", st_type_int, NULL, "number of DOFs; pads or cuts the vectors",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(mechanical_object, reserve, "reserve", st_type_int, "0", "room for later DOFs",
             .flags = ST_FIELD_NO_EFFECT),
    SHORT(uniform_scale, "scale", "1"),
    SHORT(s[0], "sx", "1"),
    SHORT(s[1], "sy", "1"),
    SHORT(s[2], "sz", "1"),
    SHORT(r[0], "rx", "0"),
    SHORT(r[1], "ry", "0"),
    SHORT(r[2], "rz", "0"),
    SHORT(d[0], "dx", "0"),
    SHORT(d[1], "dy", "0"),
    SHORT(d[2], "dz", "0"),
    SHORT(r2[0], "rx2", "0"),
    SHORT(r2[1], "ry2", "0"),
    SHORT(r2[2], "rz2", "0"),
    SHORT(d2[0], "dx2", "0"),
    SHORT(d2[1], "dy2", "0"),
    SHORT(d2[2], "dz2", "0"),
    SHOW(show_object, "showObject", st_type_bool, "0", "draw the DOFs"),
    SHOW(show_object_scale, "showObjectScale", st_type_real, "0.1", "size of the drawn DOFs"),
    SHOW(show_indices, "showIndices", st_type_bool, "0", "draw their numbers"),
    SHOW(show_indices_scale, "showIndicesScale", st_type_real, "0.02", "size of the numbers"),
    SHOW(show_vectors, "showVectors", st_type_bool, "0", "draw the velocities"),
    SHOW(show_vectors_scale, "showVectorsScale", st_type_real, "0.0001", "length of the drawn velocities"),
    SHOW(draw_mode, "drawMode", st_type_int, "0", "how DOFs are drawn"),
    SHOW(show_color, "showColor", st_type_color, "1 1 1 1", "color of the DOFs"),
    ST_FIELDS_END,
};

// Before init a state has one DOF, and these four vectors exist.
static st_status mechanical_object_construct(st_object *object) {
    st_state *state = (st_state *)object;
    state->mechanical = true;
    static const st_deriv_id first[] = {{ST_DERIV_VELOCITY}, {ST_DERIV_FORCE}, {ST_DERIV_EXTERNAL}};

    state->size = 1;
    bool ok = st_state_make_coord(state, ST_POSITION);
    for (size_t i = 0; ok && i < 3; i++) ok = st_state_make_deriv(state, first[i]);

    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

// If any of a triple is given the whole triple counts; the missing ones hold their defaults, 1 or 0.
static void apply_triple(st_object *object, const st_real given[3], st_real to[3]) {
    bool any = false;
    for (int i = 0; i < 3; i++) any = any || st_is_set(object, &given[i]);
    if (!any) return;

    for (int i = 0; i < 3; i++) to[i] = given[i];
    st_touch(object, to);
}

// The attribute only: a number that came otherwise says nothing about the vectors.
static st_status apply_size(mechanical_object *self) {
    st_object *object = &self->state.object;
    const char *text = st_attribute(object, "size");
    char *end = NULL;
    if (!text || (strtol(text, &end, 10), end == text)) return ST_OK; // unreadable: was reported, one DOF stays

    const int32_t size = self->size;
    if (size < 0) {
        st_message(object, ST_WARNING, "size = %d is negative; the state keeps one DOF", (int)size);
        return ST_OK;
    }

    if (size <= MAX_SIZE && st_state_resize(&self->state, (size_t)size) == ST_OK) return ST_OK;
    return st_invalid(object, "size = %d needs more memory than there is", (int)size);
}

static st_status mechanical_object_parse(st_object *object) {
    mechanical_object *self = (mechanical_object *)object;
    const st_status status = apply_size(self);
    if (status != ST_OK) return status;

    // `scale` with one number, then the short-hands of single axes
    if (st_is_set(object, &self->uniform_scale)) {
        for (int i = 0; i < 3; i++) self->scale[i] = self->uniform_scale;
        st_touch(object, self->scale);
    }

    apply_triple(object, self->s, self->scale);
    apply_triple(object, self->r, self->rotation);
    apply_triple(object, self->d, self->translation);
    apply_triple(object, self->r2, self->rotation2);
    apply_triple(object, self->d2, self->translation2);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static size_t largest_vector(const mechanical_object *self) {
    size_t largest = 0;
    for (int i = 1; i < ST_COORD_DYNAMIC; i++)
        if (self->state.coord[i].count > largest) largest = self->state.coord[i].count;
    for (int i = 1; i < ST_DERIV_DYNAMIC; i++)
        if (self->state.deriv[i].count > largest) largest = self->state.deriv[i].count;
    return largest;
}

static void warn_sizes(mechanical_object *self, size_t size) {
    const st_class *type = self->state.object.type;

    for (size_t i = 0; i < st_resolved(type)->field_count; i++) {
        const st_field *field = st_resolved(type)->fields[i];
        if (field->type != &st_type_coords && field->type != &st_type_derivs) continue;

        // one element is what a vector begins with
        const size_t count = ((const st_reals *)((const char *)self + field->offset))->count;
        if (count > 1 && count != size)
            st_message(&self->state.object, ST_WARNING, "%s has %zu elements, the state has %zu", field->name, count,
                       size);
    }
}

// That of the node itself only, wherever it is in the node; what it is linked to is fetched, since its init may come
// later.
static const st_topology *find_topology(mechanical_object *self) {
    st_object *found = self->topology;
    if (!found && self->use_topology) found = st_find(self->state.object.node, ST_ROLE(topology), ST_LOCAL);

    if (found) st_pull(found);
    return (const st_topology *)found;
}

// One velocity that is given holds for all points.
static st_status take_topology(mechanical_object *self, const st_topology *topology) {
    st_state *state = &self->state;
    const st_dof *dof = st_state_dof(state);
    const size_t n = st_topology_points(topology), width = dof->coord, derivs = dof->deriv;
    st_real velocity[6];
    const bool replicate = state->deriv[ST_DERIV_VELOCITY].count > 0;
    if (replicate) st_copy_reals(velocity, state->deriv[ST_DERIV_VELOCITY].data, derivs);

    // one DOF for each point
    if (st_state_resize(state, n) != ST_OK) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) {
        st_real p[3] = {0, 0, 0}, *x = state->coord[ST_COORD_POSITION].data + i * width;
        st_topology_point(topology, i, p);
        st_dof_set_zero(dof, x);
        st_copy_reals(x, p, dof->spatial);
        if (replicate) st_copy_reals(state->deriv[ST_DERIV_VELOCITY].data + i * derivs, velocity, derivs);
    }

    return ST_OK;
}

// Fewer velocities than positions, after a link brought them: the last one holds for the others.
static void replicate_velocity(st_state *state, size_t velocities) {
    const size_t derivs = st_state_dof(state)->deriv;
    st_real *v = state->deriv[ST_DERIV_VELOCITY].data;
    if (velocities == 0) return;
    for (size_t i = velocities; i < state->size; i++)
        st_copy_reals(v + i * derivs, v + (velocities - 1) * derivs, derivs);
}

static st_status size_vectors(mechanical_object *self) {
    st_state *state = &self->state;

    // every vector has as many elements as the largest
    const size_t largest = largest_vector(self);
    if (largest > state->size) {
        warn_sizes(self, largest);
        if (st_state_resize(state, largest) != ST_OK) return ST_OUT_OF_MEMORY;
    }

    // a single point may stand for those of the topology
    const size_t positions = state->coord[ST_COORD_POSITION].count, velocities = state->deriv[ST_DERIV_VELOCITY].count;
    if (positions <= 1 && velocities <= 1) {
        st_real p[3];
        const st_topology *topology = find_topology(self);
        if (topology && st_topology_points(topology) > 0 && st_topology_point(topology, 0, p))
            return take_topology(self, topology);
        return st_state_resize(state, positions); // none when position is empty on purpose
    }

    // one of both is longer: the state has the larger size
    if (positions == state->size && velocities == state->size) return ST_OK;
    if (st_state_resize(state, positions > velocities ? positions : velocities) != ST_OK) return ST_OUT_OF_MEMORY;
    replicate_velocity(state, velocities);
    return ST_OK;
}

static void mechanical_object_transform(st_state *state, const st_real scale[3], const st_real degrees[3],
                                        const st_real translation[3]) {
    const st_dof *dof = st_state_dof(state);
    const bool rotate = degrees[0] != 0 || degrees[1] != 0 || degrees[2] != 0;
    st_real angles[3], q[4];

    for (int i = 0; i < 3; i++) angles[i] = degrees[i] * (st_real)M_PI / (st_real)180;
    st_quat_from_euler(q, angles);

    // x ← R (S x) + t
    const size_t scaled = dof->coord < 3 ? dof->coord : 3, moved = dof->spatial;
    for (size_t i = 0; i < state->size; i++) {
        st_real *x = state->coord[ST_COORD_POSITION].data + i * dof->coord;

        for (size_t k = 0; k < scaled; k++) x[k] *= scale[k];
        if (rotate) {
            st_real p[3] = {0, 0, 0}, turned[3];
            st_copy_reals(p, x, (size_t)moved);
            st_quat_rotate(turned, q, p);
            st_copy_reals(x, turned, (size_t)moved);
            if (dof->coord == 7) st_quat_multiply(x + 3, q, x + 3);
        }

        for (size_t k = 0; k < moved; k++) x[k] += translation[k];
    }
}

static st_status store_rest(mechanical_object *self) {
    st_state *state = &self->state;
    st_reals *rest = &state->coord[ST_COORD_REST];
    const st_dof *dof = st_state_dof(state);

    // a given rest position is kept
    if (rest->count == state->size && rest->data) return ST_OK;
    if (!st_state_make_coord(state, ST_REST_POSITION)) return ST_OUT_OF_MEMORY;
    st_copy_reals(rest->data, state->coord[ST_COORD_POSITION].data, state->size * dof->coord);

    // of rigids only the centers are scaled
    if (self->rest_scale != 1)
        for (size_t i = 0; i < state->size; i++)
            for (size_t k = 0; k < (dof->coord == 7 ? 3 : dof->coord); k++)
                rest->data[i * dof->coord + k] *= self->rest_scale;
    return ST_OK;
}

static st_status check_finite(mechanical_object *self) {
    const st_reals *x = &self->state.coord[ST_COORD_POSITION];
    const size_t width = st_state_dof(&self->state)->coord;

    for (size_t i = 0; i < x->count * width; i++)
        if (!isfinite(x->data[i]))
            return st_invalid(&self->state.object, "position of DOF %zu is not finite", i / width);
    return ST_OK;
}

static st_status no_memory(st_object *object) {
    return st_invalid(object, "there is no memory for the vectors of its %zu DOFs", ((st_state *)object)->size);
}

static st_status mechanical_object_init(st_object *object) {
    static const st_real one[3] = {1, 1, 1};
    mechanical_object *self = (mechanical_object *)object;

    // scale, rotation and translation, rest positions, then the second transformation
    if (size_vectors(self) != ST_OK) return no_memory(object);
    mechanical_object_transform(&self->state, self->scale, self->rotation, self->translation);
    if (store_rest(self) != ST_OK) return no_memory(object);
    mechanical_object_transform(&self->state, one, self->rotation2, self->translation2);

    if (st_state_resize(&self->state, self->state.size) != ST_OK) return no_memory(object); // all vectors that exist

    st_touch(object, &self->state.coord[ST_COORD_POSITION]);
    st_touch(object, &self->state.coord[ST_COORD_REST]);
    return check_finite(self);
}

static st_status mechanical_object_reinit(st_object *object) {
    mechanical_object *self = (mechanical_object *)object;
    mechanical_object_transform(&self->state, self->scale, self->rotation, self->translation);

    st_touch(object, &self->state.coord[ST_COORD_POSITION]);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Reset
// ---------------------------------------------------------------------------------------------------

static void mechanical_object_store_reset(st_object *object) {
    st_state *state = (st_state *)object;
    if (state->mapped || !st_state_make_coord(state, ST_RESET_POSITION)) return;
    const st_dof *dof = st_state_dof(state);
    st_copy_reals(state->coord[ST_COORD_RESET].data, state->coord[ST_COORD_POSITION].data, state->size * dof->coord);

    // velocities only where something moves
    const st_real *v = state->deriv[ST_DERIV_VELOCITY].data;
    const size_t n = state->size * dof->deriv;
    bool moving = false;
    for (size_t i = 0; i < n; i++) moving = moving || v[i] != 0;
    if (moving && st_state_make_deriv(state, ST_RESET_VELOCITY)) st_copy_reals(state->deriv[ST_DERIV_RESET].data, v, n);
}

static void mechanical_object_reset(st_object *object) {
    st_state *state = (st_state *)object;
    const st_dof *dof = st_state_dof(state);
    const size_t n = state->size * dof->deriv, coords = state->size * dof->coord;
    if (state->deriv[ST_DERIV_FORCE].count == state->size)
        memset(state->deriv[ST_DERIV_FORCE].data, 0, sizeof(st_real) * n);

    // positions and velocities of the start
    if (state->coord[ST_COORD_RESET].count != state->size || state->size == 0) return;
    st_copy_reals(state->coord[ST_COORD_POSITION].data, state->coord[ST_COORD_RESET].data, coords);
    st_real *v = state->deriv[ST_DERIV_VELOCITY].data;
    if (state->deriv[ST_DERIV_RESET].count == state->size) st_copy_reals(v, state->deriv[ST_DERIV_RESET].data, n);
    else memset(v, 0, sizeof(st_real) * n);

    // the free motion begins there, too
    if (state->coord[ST_COORD_FREE].count == state->size)
        st_copy_reals(state->coord[ST_COORD_FREE].data, state->coord[ST_COORD_POSITION].data, coords);
    if (state->deriv[ST_DERIV_FREE].count == state->size) st_copy_reals(state->deriv[ST_DERIV_FREE].data, v, n);
}

static void mechanical_object_draw(st_object *object, st_canvas *canvas) {
    const mechanical_object *self = (const mechanical_object *)object;
    const st_state *state = &self->state;
    const st_dof *dof = st_state_dof(state);
    const st_real *x = state->coord[ST_COORD_POSITION].data;
    if (dof->spatial < 3 || !state->size) return;

    const st_rgba color = {(float)self->show_color[0], (float)self->show_color[1], (float)self->show_color[2],
                           (float)self->show_color[3]};
    if (self->show_object) canvas->points(canvas, state->size, x, dof->coord, color);
    if (self->show_indices) canvas->numbers(canvas, state->size, x, (int)dof->coord, (st_rgba){0.1F, 0.12F, 0.16F, 1});
    if (self->show_vectors && state->deriv[ST_DERIV_VELOCITY].count == state->size)
        canvas->arrows(canvas, state->size, x, (int)dof->coord, state->deriv[ST_DERIV_VELOCITY].data, (int)dof->deriv,
                       self->show_vectors_scale, color);
}

const st_class st_mechanical_object_class = {
    .name = "MechanicalObject",
    .help = "the degrees of freedom of one object and all their vectors",
    .parent = &st_state_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(mechanical_object),
    .flags = ST_CLASS_MECHANICAL,
    .construct = mechanical_object_construct,
    .parse = mechanical_object_parse,
    .init = mechanical_object_init,
    .reinit = mechanical_object_reinit,
    .store_reset = mechanical_object_store_reset,
    .reset = mechanical_object_reset,
    .draw = mechanical_object_draw,
};
