// Constraint rows under projective constraints: H ← H P, DOF by DOF, where P is what the projection leaves of a
// displacement. It gives the blocks of P for the DOFs that it touches; without a block the whole column goes.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/problem.h"

typedef struct filtering {
    const st_state *state;
    st_reals *blocks; // deriv × deriv for each DOF that has one
    st_uints *places; // of each DOF: 0 untouched, 1 removed, k + 2: block k
    bool failed;
} filtering;

static size_t projected_rows_width_of(const st_state *s) { return st_state_dof(s)->deriv; }

// A second block for the same DOF takes the place of the first: projections list a DOF once.
static void projected_rows_note(void *context, size_t dof, const st_real *block) {
    filtering *f = context;
    const size_t size = projected_rows_width_of(f->state) * projected_rows_width_of(f->state), count = f->blocks->count;
    if (dof >= f->state->size) return;

    if (!block) {
        f->places->data[dof] = 1;
        return;
    }

    if (!st_list_set_count(f->blocks, count + 1, size)) {
        f->failed = true;
        return;
    }

    st_copy_reals(f->blocks->data + count * size, block, size);
    f->places->data[dof] = (uint32_t)count + 2;
}

static void projected_rows_multiply(st_real *h, const st_real *block, size_t width) {
    st_real result[6] = {0};
    for (size_t c = 0; c < width; c++)
        for (size_t r = 0; r < width; r++) result[c] += h[r] * block[r * width + c];
    st_copy_reals(h, result, width);
}

static void filter_entries(st_state *s, const filtering *f) {
    const size_t width = projected_rows_width_of(s), stride = width + ST_ENTRY_HEAD;
    st_jacobian *j = &s->constraint;
    size_t kept = 0;

    for (size_t i = 0; i < j->entries.count; i++) {
        st_real *entry = st_jacobian_entry(j, width, i);
        const uint32_t place = f->places->data[st_entry_dof(entry)];

        // 1: the column goes; above: it is multiplied
        if (place == 1) continue;
        if (place > 1)
            projected_rows_multiply(st_entry_values(entry), f->blocks->data + (place - 2) * width * width, width);

        if (kept != i) memcpy(j->entries.data + kept * stride, entry, stride * sizeof *entry);
        kept++;
    }

    j->entries.count = kept;
}

static bool projected_rows_project(st_projection *projection, st_reals *blocks, st_uints *places) {
    st_state *s = projection->state;
    const st_projection_ops *ops = projection->object.type->projection;
    if (!ops->columns || !s || s->mapped || s->constraint.entries.count == 0 || !st_projection_active(projection))
        return true;

    filtering f = {.state = s, .blocks = blocks, .places = places};
    blocks->count = 0;
    if (!st_list_set_count(places, s->size, 1)) return false;
    memset(places->data, 0, s->size * sizeof *places->data);

    ops->columns(projection, projected_rows_note, &f);
    if (f.failed) return false;
    filter_entries(s, &f);
    return st_jacobian_close(&s->constraint, projected_rows_width_of(s));
}

bool st_project_rows(const st_plan *plan, st_reals *blocks, st_uints *places) {
    for (size_t i = 0; i < plan->projections.count; i++)
        if (!projected_rows_project(plan->projections.data[i], blocks, places)) return false;
    return true;
}
