// Constraint rows under projective constraints: H ← H P, where P is what the projection does to a displacement.
//
// Most projections set scalars to zero. One call on a probe without zeros tells which: P e_i is 0 or e_i for all i, and
// then entries are masked. Otherwise the rows that meet a DOF which the projection touches are filtered one by one,
// with P taken as symmetric; what it fills in stays among the touched DOFs.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "constraint/problem.h"
#include "linalg/sink.h"

// Numbers without zeros and without simple relations between neighbors.
static st_real probe_value(size_t i) { return 1 + (st_real)((i * 2654435761u) % 1048573u) / (st_real)1048573; }

static size_t width_of(const st_state *s) { return (size_t)st_state_dof(s)->deriv; }

static bool respond(st_projection *projection, st_deriv_id d) {
    const st_projection_ops *ops = projection->object.type->projection;
    if (!ops->response || !projection->state || !st_projection_active(projection)) return false;
    ops->response(projection, d);
    return true;
}

// Removes the entries whose DOF is masked as a whole, zeroes masked scalars of the others.
static void mask_entries(st_state *s, const st_real *probe) {
    const size_t width = width_of(s), stride = width + ST_ENTRY_HEAD;
    st_jacobian *j = &s->constraint;
    size_t kept = 0;
    for (size_t i = 0; i < j->entries.count; i++) {
        st_real *entry = st_jacobian_entry(j, width, i);
        const st_real *p = probe + st_entry_dof(entry) * width;
        bool alive = false;
        for (size_t k = 0; k < width; k++) {
            if (p[k] == 0) st_entry_values(entry)[k] = 0;
            else alive = true;
        }
        if (!alive) continue;
        if (kept != i) memcpy(j->entries.data + kept * stride, entry, stride * sizeof *entry);
        kept++;
    }
    j->entries.count = kept;
}

static bool is_touched(const st_state *s, const st_real *probe, size_t dof) {
    const size_t width = width_of(s);
    for (size_t k = 0; k < width; k++)
        if (probe[dof * width + k] != probe_value(dof * width + k)) return true;
    return false;
}

// One row after the other through the vector `row`: scattered, projected, gathered. Rows are appended and the old ones
// cut off at the end.
static bool filter_rows(st_projection *projection, st_state *s, const st_bools *touched, st_deriv_id row) {
    const size_t width = width_of(s), stride = width + ST_ENTRY_HEAD, old = s->constraint.entries.count;
    st_jacobian *j = &s->constraint;
    st_real *v = st_dx_of(s, row);
    for (size_t i = 0; i < old;) {
        const size_t id = st_entry_row(st_jacobian_entry(j, width, i)), begin = i;
        bool meets = false;
        for (; i < old && st_entry_row(st_jacobian_entry(j, width, i)) == id; i++)
            meets = meets || touched->data[st_entry_dof(st_jacobian_entry(j, width, i))];
        memset(v, 0, st_state_scalars(s) * sizeof *v);
        for (size_t e = begin; e < i; e++) {
            st_real *entry = st_jacobian_entry(j, width, e);
            st_copy_reals(v + st_entry_dof(entry) * width, st_entry_values(entry), width);
        }
        if (meets) respond(projection, row);
        for (size_t e = begin; e < i; e++) {
            const size_t dof = st_entry_dof(st_jacobian_entry(j, width, e));
            if (!meets || !touched->data[dof]) st_jacobian_add(j, width, id, dof, v + dof * width);
        }
        for (size_t dof = 0; meets && dof < s->size; dof++) {
            bool any = false;
            for (size_t k = 0; k < width; k++) any = any || v[dof * width + k] != 0;
            if (touched->data[dof] && any) st_jacobian_add(j, width, id, dof, v + dof * width);
        }
    }
    if (j->failed) return false;
    const size_t fresh = j->entries.count - old;
    if (fresh && old) memmove(j->entries.data, j->entries.data + old * stride, fresh * stride * sizeof(st_real));
    j->entries.count = fresh;
    return true;
}

static bool project(st_projection *projection, st_deriv_id probe, st_bools *touched) {
    st_state *s = projection->state;
    if (!s || s->mapped || s->constraint.entries.count == 0) return true;
    if (!st_state_make_deriv(s, probe)) return false;
    st_real *p = st_dx_of(s, probe);
    const size_t scalars = st_state_scalars(s);
    for (size_t i = 0; i < scalars; i++) p[i] = probe_value(i);
    if (!respond(projection, probe)) return true;
    bool mask = true;
    for (size_t i = 0; i < scalars; i++) mask = mask && (p[i] == 0 || p[i] == probe_value(i));
    if (mask) mask_entries(s, p);
    else {
        if (!st_list_set_count(touched, s->size, 1)) return false;
        for (size_t dof = 0; dof < s->size; dof++) touched->data[dof] = is_touched(s, p, dof);
        if (!filter_rows(projection, s, touched, probe)) return false;
    }
    return st_jacobian_close(&s->constraint, width_of(s));
}

bool st_project_rows(const st_plan *plan, st_deriv_id probe, st_bools *touched) {
    for (size_t i = 0; i < plan->projections.count; i++)
        if (!project(plan->projections.data[i], probe, touched)) return false;
    return true;
}
