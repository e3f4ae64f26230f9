// RigidMapping: points (or frames) that are fixed in a rigid frame of the parent.
//
//     p = c + R l        v_p = v + ω × r,  r = R l        f += f_p,  τ += r × f_p
//
// A child frame (Rigid3) also takes the orientation q q_l, the angular velocity ω, and gives its torque. Products and
// the geometric stiffness are those of mapping/carried_rows.h, with one entry of weight 1 for each point.
//
// The local places l are, in this order: the rest positions of the child (useX0, read at each apply), initialPoints,
// those of the file, the child's positions at init, which are taken as local unless globalToLocalCoords is set.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/carried_rows.h"
#include "mapping/geometric.h"
#include "mapping/points_file.h"
#include "mapping/states.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

typedef struct rigid_mapping {
    st_mapping mapping;
    st_reals initial_points; // of the child's type
    uint32_t index;
    bool index_from_end;
    st_uints index_per_point, repartition;
    bool global_to_local, use_x0;
    char *filename;
    int32_t geometric_stiffness;
    st_carried_rows rows;
} rigid_mapping;

static const st_dof *child_dof(const rigid_mapping *self) { return st_state_dof(st_mapping_out(&self->mapping)); }

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

// The child's rest positions are its local places, whatever happened to them since.
static void refresh_locals(rigid_mapping *self) {
    const st_state *child = st_mapping_out(&self->mapping);
    const size_t stride = st_state_dof(child)->coord, count = st_carried_rows_count(&self->rows);
    const st_reals *rest = &child->coord[ST_COORD_REST];

    if (rest->count != count || self->initial_points.count != count) return;

    st_copy_reals(self->initial_points.data, rest->data, count * stride);
    for (size_t i = 0; i < count; i++)
        st_copy_reals(self->rows.local.data + 3 * i, rest->data + i * stride, (size_t)(self->rows.plane ? 2 : 3));
}

static void rigid_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    rigid_mapping *self = (rigid_mapping *)mapping;

    if (self->use_x0) refresh_locals(self);
    st_carried_rows_apply(&self->rows, mapping, out, in);

    if (!child_dof(self)->rigid || !st_carried_rows_fit(&self->rows, mapping)) return;

    if (self->initial_points.count < st_carried_rows_count(&self->rows))
        return; // it can be written while the scene runs

    // a child frame takes the orientation q q_l
    st_real *x = st_whole_position(st_mapping_out(mapping), out.index);
    const st_real *frames = st_whole_position(st_mapping_in(mapping), in.index);
    for (size_t i = 0; x && frames && i < st_carried_rows_count(&self->rows); i++)
        if (!st_carried_row_is_gone(&self->rows, i))
            st_quat_multiply(x + 7 * i + 3, frames + 7 * (size_t)self->rows.frame.data[i] + 3,
                             self->initial_points.data + 7 * i + 3);
}

static void rigid_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const rigid_mapping *self = (const rigid_mapping *)mapping;
    st_carried_rows_apply_j(&self->rows, mapping, out, in);

    if (!child_dof(self)->rigid || !st_carried_rows_fit(&self->rows, mapping)) return;

    // and the angular velocity
    st_real *w = st_whole_velocity(st_mapping_out(mapping), out.index);
    const st_real *v = st_whole_velocity(st_mapping_in(mapping), in.index);
    for (size_t i = 0; w && v && i < st_carried_rows_count(&self->rows); i++) {
        if (st_carried_row_is_gone(&self->rows, i)) st_vec3_zero(w + 6 * i + 3);
        else st_vec3_copy(w + 6 * i + 3, v + 6 * (size_t)self->rows.frame.data[i] + 3);
    }
}

static void rigid_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const rigid_mapping *self = (const rigid_mapping *)mapping;
    st_carried_rows_apply_jt(&self->rows, mapping, in, out);

    if (!child_dof(self)->rigid || !st_carried_rows_fit(&self->rows, mapping)) return;

    // and gives its torque
    const st_real *g = st_whole_force(st_mapping_out(mapping), out.index);
    st_real *f = st_whole_force(st_mapping_in(mapping), in.index);
    for (size_t i = 0; f && g && i < st_carried_rows_count(&self->rows); i++) {
        st_real *torque = f + 6 * (size_t)self->rows.frame.data[i] + 3;
        if (!st_carried_row_is_gone(&self->rows, i)) st_vec3_add(torque, torque, g + 6 * i + 3);
    }
}

static void rigid_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    static const st_real identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const rigid_mapping *self = (const rigid_mapping *)mapping;
    st_carried_rows_jacobian(&self->rows, mapping, sink);

    if (!child_dof(self)->rigid || !st_carried_rows_fit(&self->rows, mapping)) return;
    for (size_t i = 0; i < st_carried_rows_count(&self->rows); i++)
        if (!st_carried_row_is_gone(&self->rows, i))
            st_add_3x3(sink, 6 * i + 3, 6 * (size_t)self->rows.frame.data[i] + 3, identity);
}

static void rigid_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_carried_rows_add_curvature(&((const rigid_mapping *)mapping)->rows, mapping, a, v);
}

static void rigid_mapping_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    rigid_mapping *self = (rigid_mapping *)mapping;
    st_carried_rows_geometric(&self->rows, mapping, self->geometric_stiffness, params, stiffness);
}

// ---------------------------------------------------------------------------------------------------
// Init: the frame of each point
// ---------------------------------------------------------------------------------------------------

// Old scenes give how many points each frame carries: one number for all frames, or one for each.
static st_status read_repartition(rigid_mapping *self, size_t frames) {
    const st_uints *counts = &self->repartition;

    if (counts->count == 0) return ST_OK;

    if (counts->count != 1 && counts->count != frames)
        return st_invalid(&self->mapping.object, "d_repartition has %zu numbers, but the parent has %zu frames",
                          counts->count, frames);

    self->index_per_point.count = 0;

    // the first so many points belong to frame 0, and so on
    for (size_t i = 0; i < frames; i++) {
        const uint32_t count = counts->data[counts->count == 1 ? 0 : i];
        for (uint32_t k = 0; k < count && self->index_per_point.count <= self->initial_points.count; k++)
            if (!st_list_push(&self->index_per_point, (uint32_t)i)) return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

static uint32_t rigid_mapping_frame_of(const rigid_mapping *self, size_t point, size_t points, size_t frames) {
    if (self->index_per_point.count == points) return self->index_per_point.data[point];

    if (!self->index_from_end) return self->index;
    return self->index < frames ? (uint32_t)(frames - 1 - self->index) : ST_INVALID_INDEX;
}

// ---------------------------------------------------------------------------------------------------
// Init: local places
// ---------------------------------------------------------------------------------------------------

static void to_local(const st_dof *dof, st_real *l, const st_real *frame, const st_real *x) {
    if (dof->coord == 7) {
        st_rigid_inverse_multiply(l, frame, x);
    } else if (dof->spatial == 3) {
        st_rigid_inverse_apply(l, frame, x);
    } else {
        const st_real offset[2] = {x[0] - frame[0], x[1] - frame[1]};
        st_rigid2_rotate(l, -frame[2], offset);
    }
}

static st_status rigid_mapping_read_file(rigid_mapping *self) {
    if (!self->filename || !*self->filename) return ST_OK;

    const st_dof *dof = child_dof(self);
    st_reals points = {0};

    st_status status = st_read_points(&self->mapping.object, self->filename, &points);
    if (status == ST_OK && !st_resize_member(&self->mapping.object, &self->initial_points, points.count))
        status = ST_OUT_OF_MEMORY;

    // of a frame the place alone is in the file: its orientation stays
    for (size_t i = 0; status == ST_OK && i < points.count; i++)
        st_copy_reals(self->initial_points.data + i * dof->coord, points.data + 3 * i, dof->spatial);

    st_list_free(&points);
    return status;
}

// Copies the child's positions (rest positions) as they are.
static st_status take_positions(rigid_mapping *self) {
    const st_state *child = st_mapping_out(&self->mapping);
    const st_reals *rest = &child->coord[ST_COORD_REST];
    const st_reals *x = self->use_x0 && rest->count == child->size ? rest : &child->coord[ST_COORD_POSITION];

    if (!st_resize_member(&self->mapping.object, &self->initial_points, x->count)) return ST_OUT_OF_MEMORY;
    st_copy_reals(self->initial_points.data, x->data, x->count * st_state_dof(child)->coord);
    return ST_OK;
}

static st_status find_points(rigid_mapping *self, bool *given) {
    st_status status = rigid_mapping_read_file(self);
    *given = self->initial_points.count > 0;

    // the file and initialPoints take precedence over the child's positions, but not over its rest positions with useX0
    if (status == ST_OK && (!*given || self->use_x0)) status = take_positions(self);
    return status;
}

static st_status rigid_mapping_make_rows(rigid_mapping *self, bool make_local) {
    const st_state *parent = st_mapping_in(&self->mapping);
    const st_dof *dof = child_dof(self);
    const size_t count = self->initial_points.count, stride = dof->coord;
    bool ok = st_carried_rows_begin(&self->rows, dof->spatial == 2);

    for (size_t i = 0; ok && i < count; i++) {
        const uint32_t frame = rigid_mapping_frame_of(self, i, count, parent->size);
        st_real *local = self->initial_points.data + i * stride;

        if (frame >= parent->size) {
            self->rows.start.count = 0;
            return st_invalid(&self->mapping.object, "point %zu is carried by frame %u, but the parent has only %zu", i,
                              self->index_per_point.count == count ? frame : self->index, parent->size);
        }

        // places in the world become places in the frame, where they are
        if (make_local)
            to_local(dof, local, parent->coord[ST_COORD_POSITION].data + (size_t)frame * st_state_dof(parent)->coord,
                     local);

        ok = st_carried_rows_add(&self->rows, frame, 1, local) && st_carried_rows_end(&self->rows);
    }

    if (ok && st_carried_rows_finish(&self->rows)) return ST_OK;

    self->rows.start.count = 0;
    return ST_OUT_OF_MEMORY;
}

static st_status rigid_mapping_init(st_object *object) {
    rigid_mapping *self = (rigid_mapping *)object;
    bool given = false;

    // after a change rows follow their frames
    const bool has_states = st_mapping_has_states(&self->mapping);
    if (has_states && st_why_init(object) != ST_INIT_FIRST && st_carried_rows_follow(&self->rows, &self->mapping))
        return st_mapping_init(object);

    self->rows.start.count = 0;
    if (!has_states) return st_mapping_init(object);

    // places, then frames, then rows
    st_status status = find_points(self, &given);
    if (status == ST_OK) status = read_repartition(self, st_mapping_in(&self->mapping)->size);
    if (status == ST_OK) status = rigid_mapping_make_rows(self, !given && !self->use_x0 && self->global_to_local);

    if (status == ST_OUT_OF_MEMORY) return st_invalid(object, "out of memory for its points");
    return status == ST_OK ? st_mapping_init(object) : status;
}

static void rigid_mapping_destroy(st_object *object) { st_carried_rows_free(&((rigid_mapping *)object)->rows); }

// initialPoints are of the child's type.
static bool rigid_mapping_accepts(st_object *object) {
    if (!st_mapping_class.accepts(object)) return false;
    object->dof = st_state_dof(st_mapping_out((st_mapping *)object));
    return true;
}

static const st_field fields[] = {
    ST_FIELD(rigid_mapping, initial_points, "initialPoints", st_type_coords, NULL,
             "places in the frame; found at init when not given"),
    ST_FIELD(rigid_mapping, index, "index", st_type_uint, "0", "the frame that carries all points",
             .mesh = ST_OF_PARENT, .flags = ST_FIELD_REINIT),
    ST_FIELD(rigid_mapping, index_from_end, "indexFromEnd", st_type_bool, "0", "count the frames from the last one",
             .flags = ST_FIELD_REINIT),
    ST_FIELD(rigid_mapping, index_per_point, "rigidIndexPerPoint", st_type_indices, NULL,
             "the frame of each point; not looked at unless there is one for each", .mesh = ST_OF_PARENT,
             .flags = ST_FIELD_REINIT),
    ST_FIELD(rigid_mapping, repartition, "d_repartition", st_type_indices, NULL,
             "old: the number of points of every frame, or of each frame; write rigidIndexPerPoint",
             .aliases = "repartition", .flags = ST_FIELD_DEPRECATED, .mesh = ST_NO_INDEX),
    ST_FIELD(rigid_mapping, global_to_local, "globalToLocalCoords", st_type_bool, "0",
             "the child's positions at init are places in the world, not in the frame", .flags = ST_FIELD_FIXED),
    ST_FIELD(rigid_mapping, use_x0, "useX0", st_type_bool, "0",
             "the child's rest positions are the places in the frame", .flags = ST_FIELD_REINIT),
    ST_FIELD(rigid_mapping, filename, "filename", st_type_file, NULL,
             "a file of spheres or a mesh to take the places from", .aliases = "fileRigidMapping"),
    ST_GEOMETRIC_FIELD(rigid_mapping, "None"),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = rigid_mapping_apply,
    .apply_j = rigid_mapping_apply_j,
    .apply_jt = rigid_mapping_apply_jt,
    .jacobian = rigid_mapping_jacobian,
    .geometric = rigid_mapping_geometric,
    .add_curvature = rigid_mapping_add_curvature,
};

static const st_attached attached[] = {
    ST_CARRIED_ATTACHED(rigid_mapping, rows),
    {.bytes = 0},
};

const st_class st_rigid_mapping_class = {
    .name = "RigidMapping",
    .help = "child points or frames are fixed in a rigid frame of the parent",
    .parent = &st_mapping_class,
    .templates = "Rigid3,Vec3 Rigid3,Rigid3 Rigid2,Vec2",
    .default_template = "Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(rigid_mapping),
    .example =
        "<MechanicalObject name=\"parent\" template=\"Rigid3\" position=\"1 0 0  0 0 0 1  2 1 0  0.6 0 0 0.8\"/>\n"
        "<Node name=\"points\">\n"
        "    <MechanicalObject name=\"child\" template=\"Vec3\" position=\"1 0 0  0 1 0  0.5 0.5 1\"/>\n"
        "    <RigidMapping input=\"@../parent\" output=\"@child\" rigidIndexPerPoint=\"0 1 1\" "
        "geometricStiffness=\"Exact\"/>\n"
        "</Node>",
    .attached = attached,
    .accepts = rigid_mapping_accepts,
    .init = rigid_mapping_init,
    .destroy = rigid_mapping_destroy,
    .mapping = &ops,
};
