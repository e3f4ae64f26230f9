// DeformableOnRigidFrameMapping: points of a deformable body that is given in the coordinates of a rigid frame.
//
//     p = c + R x,  r = R x        v_p = v + ω × r + R v_x        f += f_p,  τ += r × f_p,  f_x += Rᵀ f_p
//
// and (dJ/dt) (v, v_x) = ω × (ω × r + 2 R v_x).
//
// input1 holds the local points x, input2 the frames; without input2 the child is a copy. Geometric stiffness (option,
// off as in SOFA): ∂τ/∂θ = [f]× [r]×, ∂τ/∂x = −[f]× R, ∂f_x/∂θ = Rᵀ [f]×.
//
// `repartition` gives each frame its points: nothing, all points on the frame `index`; one number, so many points for
// every frame; one number for each frame.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/multi_mapping.h"
#include "math/dense.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

typedef struct deformable_on_rigid_frame_mapping {
    st_multi2_mapping base;
    uint32_t index;
    bool index_from_end, global_to_local;
    st_uints repartition;
    st_real angular_scale, linear_scale;
    int32_t geometric_stiffness;
    st_uints frame; // of each point; empty: there is no root
    st_reals turn;  // R of each frame at the last apply
    st_reals arm;   // r of each point
} deformable_on_rigid_frame_mapping;

typedef struct roles {
    const st_state *local, *root, *child; // root: NULL when there is none
    size_t count;                         // points; 0 when sizes do not fit
} roles;

static roles roles_of(const st_mapping *mapping) {
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const size_t first = self->base.input1.count;
    roles r = {.local = st_mapping_input(mapping, 0), .child = st_mapping_out(mapping)};

    // the frames follow the points among the inputs
    if (mapping->input.count > first) r.root = st_mapping_input(mapping, first);

    const bool frames_fit = !r.root || (self->frame.count == r.local->size && r.root->size * 9 == self->turn.count &&
                                        self->arm.count == r.local->size);
    if (r.local->size == r.child->size && frames_fit) r.count = r.local->size;

    return r;
}

// ---------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------

static void deformable_on_rigid_frame_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    deformable_on_rigid_frame_mapping *self = (deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);
    const st_real *x = st_whole_position(r.local, in.index);
    const st_real *frames = r.root ? st_whole_position(r.root, in.index) : NULL;
    st_real *to = st_whole_position(r.child, out.index);

    if (!x || !to || r.count == 0 || (r.root && !frames)) return;

    // without frames the child is a copy
    if (!r.root) {
        st_copy_reals(to, x, 3 * r.count);
        return;
    }

    for (size_t i = 0; i < r.root->size; i++) st_quat_to_matrix(self->turn.data + 9 * i, frames + 7 * i + 3);

    for (size_t i = 0; i < r.count; i++) {
        const st_real *frame = frames + 7 * (size_t)self->frame.data[i];

        // p = c + R x
        st_quat_rotate(self->arm.data + 3 * i, frame + 3, x + 3 * i);
        st_vec3_add(to + 3 * i, self->arm.data + 3 * i, frame);
    }
}

static void deformable_on_rigid_frame_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);
    const st_real *v = st_whole_velocity(r.local, in.index);
    const st_real *frames = r.root ? st_whole_velocity(r.root, in.index) : NULL;
    st_real *to = st_whole_velocity(r.child, out.index);

    if (!v || !to || (r.root && !frames)) return;

    for (size_t i = 0; i < r.count; i++) {
        st_real carried[3], own[3];

        if (!r.root) {
            st_vec3_copy(to + 3 * i, v + 3 * i);
            continue;
        }

        // v + ω × r + R v_x
        st_rigid_velocity_at(carried, frames + 6 * (size_t)self->frame.data[i], self->arm.data + 3 * i);
        st_mat3_times_vec(own, self->turn.data + 9 * (size_t)self->frame.data[i], v + 3 * i);
        st_vec3_add(to + 3 * i, carried, own);
    }
}

static void deformable_on_rigid_frame_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);
    const st_real *from = st_whole_force(r.child, out.index);
    st_real *local = st_whole_force(r.local, in.index), *wrenches = r.root ? st_whole_force(r.root, in.index) : NULL;
    for (size_t i = 0; from && i < r.count; i++) {
        const st_real *f = from + 3 * i;
        st_real own[3];

        // f_x += Rᵀ f_p; f += f_p and τ += r × f_p
        st_vec3_copy(own, f);
        if (r.root) st_mat3_transpose_times_vec(own, self->turn.data + 9 * (size_t)self->frame.data[i], f);
        if (local) st_vec3_add(local + 3 * i, local + 3 * i, own);
        if (wrenches) st_rigid_add_force_at(wrenches + 6 * (size_t)self->frame.data[i], f, self->arm.data + 3 * i);
    }
}

static void deformable_on_rigid_frame_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    if (out > 0) return; // there is one output
    static const st_real identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);

    const st_state *input = st_mapping_input(mapping, in);

    for (size_t i = 0; i < r.count; i++) {
        if (input == r.local) {
            st_add_3x3(sink, 3 * i, 3 * i, r.root ? self->turn.data + 9 * (size_t)self->frame.data[i] : identity);
        } else if (input == r.root) {
            // v − [r]× ω
            const st_real *a = self->arm.data + 3 * i;
            const st_real block[18] = {1, 0, 0, 0, a[2], -a[1], 0, 1, 0, -a[2], 0, a[0], 0, 0, 1, a[1], -a[0], 0};
            sink->add(sink, 3 * i, 6 * (size_t)self->frame.data[i], 3, 6, block);
        }
    }
}

static void deformable_on_rigid_frame_mapping_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);
    const st_real *local = st_whole_velocity(r.local, v.index);
    const st_real *frames = r.root ? st_whole_velocity(r.root, v.index) : NULL;
    st_real *to = st_whole_velocity(r.child, a.index);

    for (size_t i = 0; local && frames && to && i < r.count; i++) {
        const size_t frame = self->frame.data[i];
        const st_real *omega = frames + 6 * frame + 3;
        st_real sum[3], own[3];

        // ω × (ω × r + 2 R v_x)
        st_vec3_cross(sum, omega, self->arm.data + 3 * i);
        st_mat3_times_vec(own, self->turn.data + 9 * frame, local + 3 * i);
        st_vec3_add_scaled(sum, sum, own, 2);
        st_vec3_cross(sum, omega, sum);

        st_vec3_add(to + 3 * i, to + 3 * i, sum);
    }
}

// What one point adds, by its local place (first three) and the turn of its frame.
static void find_element(const deformable_on_rigid_frame_mapping *self, size_t i, const st_real f[3],
                         st_real element[36]) {
    const st_real *turn = self->turn.data + 9 * (size_t)self->frame.data[i];
    st_real cross[9], turning[9], lower[9];

    // ∂τ/∂θ = [f]× [r]×
    st_mat3_cross(cross, f);
    st_mat3_cross(turning, self->arm.data + 3 * i);
    st_mat3_multiply(turning, cross, turning);

    // ∂τ/∂x = −[f]× R; ∂f_x/∂θ is its transpose
    st_mat3_multiply(lower, cross, turn); // of the torque by the place; of the force by the turn its transpose

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            element[6 * r + c] = 0;
            element[6 * r + 3 + c] = -lower[3 * c + r];
            element[6 * (3 + r) + c] = -lower[3 * r + c];
            element[6 * (3 + r) + 3 + c] = turning[3 * r + c];
        }

    if (self->geometric_stiffness == ST_GEOMETRIC_STABILIZED) st_dense_project_negative(element, 6);
}

static void deformable_on_rigid_frame_mapping_geometric(st_mapping *mapping, const st_params *params,
                                                        st_stiffness stiffness) {
    const deformable_on_rigid_frame_mapping *self = (const deformable_on_rigid_frame_mapping *)mapping;
    const roles r = roles_of(mapping);
    const st_real *f = st_whole_force(r.child, params->f.index);

    if (self->geometric_stiffness == ST_GEOMETRIC_NONE || !r.root || !f) return;

    // all pairs of states: places of points and turns of frames
    const st_state *states[2] = {r.local, r.root};
    for (int row = 0; row < 2; row++)
        for (int col = 0; col < 2; col++) {
            if (!row && !col && self->geometric_stiffness == ST_GEOMETRIC_EXACT) continue; // J is linear in the places
            st_sink *sink = st_stiffness_between(stiffness, states[row], states[col]);
            for (size_t i = 0; i < r.count; i++) {
                const size_t places[2] = {3 * i, 6 * (size_t)self->frame.data[i] + 3};
                st_real element[36], block[9];

                find_element(self, i, f + 3 * i, element);
                for (int k = 0; k < 9; k++) block[k] = element[6 * (3 * row + k / 3) + 3 * col + k % 3];
                st_add_3x3(sink, places[row], places[col], block);
            }
        }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status one_frame(deformable_on_rigid_frame_mapping *self, size_t frames) {
    if (self->index >= frames)
        return st_invalid(&self->base.mapping.object, "index is %u, but input2 has only %zu frames", self->index,
                          frames);

    const uint32_t frame = self->index_from_end ? (uint32_t)(frames - 1 - self->index) : self->index;
    for (size_t i = 0; i < self->frame.count; i++) self->frame.data[i] = frame;
    return ST_OK;
}

static st_status several_frames(deformable_on_rigid_frame_mapping *self, size_t frames) {
    const st_uints *counts = &self->repartition;
    st_object *object = &self->base.mapping.object;
    size_t at = 0;

    if (counts->count != 1 && counts->count != frames)
        return st_invalid(object, "repartition has %zu numbers, but input2 has %zu frames", counts->count, frames);

    // points in order: the first so many belong to frame 0, and so on
    for (size_t i = 0; i < frames; i++) {
        const uint32_t count = counts->data[counts->count == 1 ? 0 : i];
        for (uint32_t k = 0; k < count && at < self->frame.count; k++) self->frame.data[at++] = (uint32_t)i;
    }

    if (at == self->frame.count) return ST_OK;
    return st_invalid(object, "repartition covers %zu points, but there are %zu", at, self->frame.count);
}

static st_status find_frames(deformable_on_rigid_frame_mapping *self) {
    const st_mapping *mapping = &self->base.mapping;
    const size_t points = st_mapping_input(mapping, 0)->size;

    self->frame.count = 0;

    if (mapping->input.count == self->base.input1.count) return ST_OK;
    const size_t frames = st_mapping_input(mapping, self->base.input1.count)->size;

    if (!st_list_set_count(&self->frame, points, 1) || !st_list_set_count(&self->turn, 9 * frames, 1) ||
        !st_list_set_count(&self->arm, points, 3))
        return st_invalid(&self->base.mapping.object, "out of memory for its %zu points", points);

    return self->repartition.count ? several_frames(self, frames) : one_frame(self, frames);
}

static st_status deformable_on_rigid_frame_mapping_init(st_object *object) {
    deformable_on_rigid_frame_mapping *self = (deformable_on_rigid_frame_mapping *)object;
    st_mapping *mapping = &self->base.mapping;
    st_status status = st_multi2_mapping_join(object);

    if (status != ST_OK) return status;

    // one state of points, at most one of frames
    if (self->base.input1.count != 1 || self->base.input2.count > 1)
        return st_invalid(object, "input1 must name one state and input2 at most one");
    if (!st_mapping_has_states(mapping)) return st_mapping_init(object);

    status = find_frames(self);
    if (status == ST_OK) status = st_mapping_size_child(mapping, 0, st_mapping_input(mapping, 0)->size);

    return status == ST_OK ? st_mapping_init(object) : status;
}

static void deformable_on_rigid_frame_mapping_destroy(st_object *object) {
    deformable_on_rigid_frame_mapping *self = (deformable_on_rigid_frame_mapping *)object;
    st_list_free(&self->frame);
    st_list_free(&self->turn);
    st_list_free(&self->arm);
}

static const st_field fields[] = {
    ST_FIELD(deformable_on_rigid_frame_mapping, index, "index", st_type_uint, "0", "the frame that carries all points"),
    ST_FIELD(deformable_on_rigid_frame_mapping, index_from_end, "indexFromEnd", st_type_bool, "0",
             "count the frames from the last one"),
    ST_FIELD(deformable_on_rigid_frame_mapping, repartition, "repartition", st_type_indices, NULL,
             "the number of points of every frame, or of each frame", .mesh = ST_NO_INDEX),
    ST_FIELD(deformable_on_rigid_frame_mapping, global_to_local, "globalToLocalCoords", st_type_bool, "0",
             "positions are always local", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(deformable_on_rigid_frame_mapping, angular_scale, "rootAngularForceScaleFactor", st_type_real, "1",
             "forces are never scaled", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(deformable_on_rigid_frame_mapping, linear_scale, "rootLinearForceScaleFactor", st_type_real, "1",
             "forces are never scaled", .flags = ST_FIELD_NO_EFFECT),
    ST_GEOMETRIC_FIELD(deformable_on_rigid_frame_mapping, "None"),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = deformable_on_rigid_frame_mapping_apply,
    .apply_j = deformable_on_rigid_frame_mapping_apply_j,
    .apply_jt = deformable_on_rigid_frame_mapping_apply_jt,
    .jacobian = deformable_on_rigid_frame_mapping_jacobian,
    .geometric = deformable_on_rigid_frame_mapping_geometric,
    .add_curvature = deformable_on_rigid_frame_mapping_add_curvature,
};

const st_class st_deformable_on_rigid_frame_mapping_class = {
    .name = "DeformableOnRigidFrameMapping",
    .help = "points of a deformable body that is given in the coordinates of a rigid frame",
    .parent = &st_multi2_mapping_class,
    .templates = "Vec3,Rigid3,Vec3",
    .fields = fields,
    .size = sizeof(deformable_on_rigid_frame_mapping),
    .example = "<MechanicalObject name=\"frame\" template=\"Rigid3\" position=\"1 0 0  0.6 0 0 0.8\"/>\n"
               "<Node name=\"local\">\n"
               "    <MechanicalObject name=\"points\" position=\"0 0 0  1 0.2 0  0 1 0.5\"/>\n"
               "    <Node name=\"world\">\n"
               "        <MechanicalObject name=\"child\"/>\n"
               "        <DeformableOnRigidFrameMapping input1=\"@../points\" input2=\"@../../frame\" "
               "output=\"@child\" geometricStiffness=\"Exact\"/>\n"
               "    </Node>\n"
               "</Node>",
    .init = deformable_on_rigid_frame_mapping_init,
    .destroy = deformable_on_rigid_frame_mapping_destroy,
    .mapping = &ops,
};
