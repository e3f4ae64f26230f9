// Points carried by rigid frames; the formulas are in the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "mapping/carried_rows.h"

#include "base/array.h"
#include "mapping/geometric.h"
#include "mapping/states.h"
#include "math/decompose.h"
#include "math/rigid.h"
#include "settee/plugin/change.h"

const char *const st_geometric_options[] = {"None", "Exact", "Stabilized", NULL};

// ---------------------------------------------------------------------------------------------------
// Making rows
// ---------------------------------------------------------------------------------------------------

bool st_carried_rows_begin(st_carried_rows *rows, bool plane) {
    rows->plane = plane;
    rows->frame.count = rows->weight.count = rows->local.count = rows->arm.count = rows->start.count = 0;
    rows->frames = rows->gone.count = 0;
    return st_list_push(&rows->start, 0);
}

bool st_carried_rows_add(st_carried_rows *rows, uint32_t frame, st_real weight, const st_real *local) {
    const size_t at = rows->frame.count;
    if (at == UINT32_MAX || !st_list_push(&rows->frame, frame) || !st_list_push(&rows->weight, weight) ||
        !st_list_set_count(&rows->local, at + 1, 3))
        return false;

    st_vec3_set(rows->local.data + 3 * at, local[0], local[1], rows->plane ? 0 : local[2]);
    if (frame >= rows->frames) rows->frames = (size_t)frame + 1;
    return true;
}

bool st_carried_rows_end(st_carried_rows *rows) { return st_list_push(&rows->start, (uint32_t)rows->frame.count); }

bool st_carried_rows_finish(st_carried_rows *rows) {
    return st_list_set_count(&rows->arm, rows->frame.count, 3) && st_list_set_count(&rows->turning, rows->frames, 9);
}

void st_carried_rows_free(st_carried_rows *rows) {
    st_list_free(&rows->start);
    st_list_free(&rows->frame);
    st_list_free(&rows->weight);
    st_list_free(&rows->local);
    st_list_free(&rows->arm);
    st_list_free(&rows->turning);
    st_list_free(&rows->gone);
    st_list_free(&rows->left);
}

// A row with a frame that is gone weighs nothing; where its point is now is kept.
static bool leave_point(st_carried_rows *rows, size_t row, const st_state *child) {
    const size_t stride = st_state_dof(child)->coord, count = child->size;
    if (!st_list_set_count(&rows->gone, count, 1) || !st_list_set_count(&rows->left, count, stride)) return false;

    for (uint32_t k = rows->start.data[row]; k < rows->start.data[row + 1]; k++) {
        rows->frame.data[k] = 0;
        rows->weight.data[k] = 0;
        st_vec3_zero(rows->local.data + 3 * (size_t)k);
    }
    rows->gone.data[row] = true;
    st_copy_reals(rows->left.data + row * stride, child->coord[ST_COORD_POSITION].data + row * stride, stride);
    return true;
}

bool st_carried_rows_follow(st_carried_rows *rows, const st_mapping *mapping) {
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t count = st_carried_rows_count(rows);
    const bool back = st_why_init(&mapping->object) == ST_INIT_RESET;
    if (count == 0 || count != child->size || (parent->size == 0 && rows->frames)) return false;
    if (back) rows->gone.count = 0;

    for (size_t i = 0; i < count; i++) {
        bool gone = false;
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++)
            gone = gone || rows->frame.data[k] == ST_INVALID_INDEX;
        if (gone && !leave_point(rows, i, child)) return false;
    }

    rows->frames = 0;
    for (size_t k = 0; k < rows->frame.count; k++)
        if (rows->frame.data[k] >= rows->frames) rows->frames = (size_t)rows->frame.data[k] + 1;
    return rows->frames <= parent->size && st_carried_rows_finish(rows);
}

bool st_carried_rows_fit(const st_carried_rows *rows, const st_mapping *mapping) {
    const size_t count = st_carried_rows_count(rows);
    return count > 0 && rows->arm.count == rows->frame.count && st_mapping_in(mapping)->size >= rows->frames &&
           st_mapping_out(mapping)->size == count;
}

// ---------------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------------

// p += w c + r
static void add_place(st_carried_rows *rows, uint32_t k, const st_real *frames, st_real p[3]) {
    st_real *arm = rows->arm.data + 3 * (size_t)k, rotated[3] = {0, 0, 0}, carried[3] = {0, 0, 0};
    const st_real *local = rows->local.data + 3 * (size_t)k, w = rows->weight.data[k];

    // r = R l in the plane or in space
    if (rows->plane) {
        const st_real *frame = frames + 3 * (size_t)rows->frame.data[k];
        st_rigid2_rotate(rotated, frame[2], local);
        carried[0] = frame[0] * w, carried[1] = frame[1] * w;
    } else {
        const st_real *frame = frames + 7 * (size_t)rows->frame.data[k];
        st_quat_rotate(rotated, frame + 3, local);
        st_vec3_scale(carried, frame, w);
    }

    // kept for the products until the next apply
    st_vec3_copy(arm, rotated);
    st_vec3_add(rotated, rotated, carried);
    st_vec3_add(p, p, rotated);
}

void st_carried_rows_apply(st_carried_rows *rows, st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const size_t count = st_carried_rows_count(rows);
    st_state *child = st_mapping_out(mapping);

    if (rows->start.count && child->size != count && st_state_resize(child, count) != ST_OK) return;
    if (!st_carried_rows_fit(rows, mapping)) return;

    const size_t stride = st_state_dof(child)->coord, width = rows->plane ? 2 : 3;
    const st_real *frames = st_whole_position(st_mapping_in(mapping), in.index);
    st_real *x = st_whole_position(child, out.index);

    if (!x || (!frames && rows->frames)) return;

    // p = Σ w c + r
    for (size_t i = 0; i < count; i++) {
        st_real p[3] = {0, 0, 0};
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) add_place(rows, k, frames, p);
        if (st_carried_row_is_gone(rows, i)) st_copy_reals(x + i * stride, rows->left.data + i * stride, stride);
        else st_copy_reals(x + i * stride, p, width);
    }
}

void st_carried_rows_apply_j(const st_carried_rows *rows, st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    if (!st_carried_rows_fit(rows, mapping)) return;

    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t stride = st_state_dof(child)->deriv, from = st_state_dof(parent)->deriv;
    const st_real *v = st_whole_velocity(parent, in.index);
    st_real *to = st_whole_velocity(child, out.index);

    if (!to || (!v && rows->frames)) return;

    // v_p = Σ w v + ω × r
    for (size_t i = 0; i < st_carried_rows_count(rows); i++) {
        st_real sum[3] = {0, 0, 0}, turned[3];
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            const st_real *d = v + from * rows->frame.data[k], *r = rows->arm.data + 3 * (size_t)k;
            if (rows->plane) {
                sum[0] += d[0] * rows->weight.data[k] - d[2] * r[1];
                sum[1] += d[1] * rows->weight.data[k] + d[2] * r[0];
            } else {
                st_vec3_cross(turned, d + 3, r);
                for (int c = 0; c < 3; c++) sum[c] += d[c] * rows->weight.data[k] + turned[c];
            }
        }

        st_copy_reals(to + i * stride, sum, (size_t)(rows->plane ? 2 : 3));
    }
}

void st_carried_rows_apply_jt(const st_carried_rows *rows, st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    if (!st_carried_rows_fit(rows, mapping)) return;

    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t stride = st_state_dof(child)->deriv, to = st_state_dof(parent)->deriv;
    const st_real *from = st_whole_force(child, out.index);
    st_real *wrenches = st_whole_force(parent, in.index);

    if (!from || !wrenches) return;

    // f += w f_p, τ += r × f_p
    for (size_t i = 0; i < st_carried_rows_count(rows); i++) {
        const st_real *f = from + i * stride;
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            st_real *wrench = wrenches + to * rows->frame.data[k], torque[3];
            const st_real *r = rows->arm.data + 3 * (size_t)k, w = rows->weight.data[k];
            if (rows->plane) {
                wrench[0] += f[0] * w;
                wrench[1] += f[1] * w;
                wrench[2] += r[0] * f[1] - r[1] * f[0];
            } else {
                st_vec3_cross(torque, r, f);
                st_vec3_add_scaled(wrench, wrench, f, w);
                st_vec3_add(wrench + 3, wrench + 3, torque);
            }
        }
    }
}

void st_carried_rows_jacobian(const st_carried_rows *rows, const st_mapping *mapping, st_sink *sink) {
    if (!st_carried_rows_fit(rows, mapping)) return;

    const size_t stride = st_state_dof(st_mapping_out(mapping))->deriv;

    for (size_t i = 0; i < st_carried_rows_count(rows); i++)
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            const st_real *r = rows->arm.data + 3 * (size_t)k, w = rows->weight.data[k];
            const st_real plane[6] = {w, 0, -r[1], 0, w, r[0]};

            // v + ω × r = v − [r]× ω
            const st_real space[18] = {w, 0, 0, 0, r[2], -r[1], 0, w, 0, -r[2], 0, r[0], 0, 0, w, r[1], -r[0], 0};
            if (rows->plane) sink->add(sink, i * stride, 3 * (size_t)rows->frame.data[k], 2, 3, plane);
            else sink->add(sink, i * stride, 6 * (size_t)rows->frame.data[k], 3, 6, space);
        }
}

void st_carried_rows_add_curvature(const st_carried_rows *rows, const st_mapping *mapping, st_deriv_id a,
                                   st_const_deriv_id v) {
    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t stride = st_state_dof(child)->deriv, from = st_state_dof(parent)->deriv;
    const st_real *velocity = st_whole_velocity(parent, v.index);
    st_real *to = st_whole_velocity(child, a.index);

    if (!velocity || !to || !st_carried_rows_fit(rows, mapping)) return;

    // (dJ/dt) v = Σ ω × (ω × r)
    for (size_t i = 0; i < st_carried_rows_count(rows); i++)
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) {
            const st_real *r = rows->arm.data + 3 * (size_t)k, *d = velocity + from * rows->frame.data[k];
            st_real inward[3];

            if (rows->plane) {
                st_vec3_scale(inward, r, -d[2] * d[2]);
            } else {
                st_vec3_cross(inward, d + 3, r);
                st_vec3_cross(inward, d + 3, inward);
            }

            for (size_t c = 0; c < (rows->plane ? 2u : 3u); c++) to[i * stride + c] += inward[c];
        }
}

// ---------------------------------------------------------------------------------------------------
// Geometric stiffness
// ---------------------------------------------------------------------------------------------------

// turning += [f]× [r]× = r fᵀ − (f · r) I, in the plane −f · r
static void add_turning(const st_carried_rows *rows, uint32_t k, const st_real *f) {
    st_real *block = rows->turning.data + 9 * (size_t)rows->frame.data[k];
    const st_real *r = rows->arm.data + 3 * (size_t)k;

    // in the plane −f · r
    if (rows->plane) {
        block[0] -= f[0] * r[0] + f[1] * r[1];
        return;
    }

    // [f]× [r]×
    st_real cross_f[9], cross_r[9];
    st_mat3_cross(cross_f, f);
    st_mat3_cross(cross_r, r);
    st_mat3_multiply(cross_f, cross_f, cross_r);
    st_mat3_add(block, block, cross_f);
}

static void stabilize(const st_carried_rows *rows, st_real block[9]) {
    if (rows->plane) {
        block[0] = st_min(block[0], 0);
    } else {
        st_mat3_symmetric_part(block, block);
        st_mat3_project_negative(block, block);
    }
}

void st_carried_rows_geometric(st_carried_rows *rows, const st_mapping *mapping, int32_t option,
                               const st_params *params, st_stiffness stiffness) {
    if (option == ST_GEOMETRIC_NONE || !st_carried_rows_fit(rows, mapping) || rows->frames == 0) return;

    const st_state *parent = st_mapping_in(mapping), *child = st_mapping_out(mapping);
    const size_t stride = st_state_dof(child)->deriv, width = st_state_dof(parent)->deriv;
    const st_real *f = st_whole_force(child, params->f.index);

    if (!f) return;

    // one block for each frame, over all its points
    st_sink *sink = st_stiffness_between(stiffness, parent, parent);
    memset(rows->turning.data, 0, 9 * rows->frames * sizeof(st_real));
    for (size_t i = 0; i < st_carried_rows_count(rows); i++)
        for (uint32_t k = rows->start.data[i]; k < rows->start.data[i + 1]; k++) add_turning(rows, k, f + i * stride);

    for (size_t i = 0; i < rows->frames; i++) {
        st_real *block = rows->turning.data + 9 * i;
        if (option == ST_GEOMETRIC_STABILIZED) stabilize(rows, block);

        if (rows->plane) st_add_scalar(sink, i * width + 2, i * width + 2, block[0]);
        else st_add_3x3(sink, i * width + 3, i * width + 3, block);
    }
}

// ---------------------------------------------------------------------------------------------------
// As the operations of a mapping
// ---------------------------------------------------------------------------------------------------

static void carried_rows_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    st_carried_rows_apply(&((st_carried_mapping *)mapping)->rows, mapping, out, in);
}

static void carried_rows_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    st_carried_rows_apply_j(&((st_carried_mapping *)mapping)->rows, mapping, out, in);
}

static void carried_rows_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    st_carried_rows_apply_jt(&((st_carried_mapping *)mapping)->rows, mapping, in, out);
}

static void carried_rows_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    st_carried_rows_jacobian(&((st_carried_mapping *)mapping)->rows, mapping, sink);
}

static void carried_rows_add_curvature(st_mapping *mapping, st_deriv_id a, st_const_deriv_id v) {
    st_carried_rows_add_curvature(&((st_carried_mapping *)mapping)->rows, mapping, a, v);
}

static void carried_rows_geometric(st_mapping *mapping, const st_params *params, st_stiffness stiffness) {
    st_carried_mapping *self = (st_carried_mapping *)mapping;
    st_carried_rows_geometric(&self->rows, mapping, self->geometric_stiffness, params, stiffness);
}

const st_mapping_ops st_carried_ops = {
    .apply = carried_rows_apply,
    .apply_j = carried_rows_apply_j,
    .apply_jt = carried_rows_apply_jt,
    .jacobian = carried_rows_jacobian,
    .geometric = carried_rows_geometric,
    .add_curvature = carried_rows_add_curvature,
};

void st_carried_destroy(st_object *object) { st_carried_rows_free(&((st_carried_mapping *)object)->rows); }
