// The derivatives of a mapping p = J(q) against its own positions and forces, along random directions d:
//
//     jacobian      (p(q ⊕ h d) ⊖ p(q ⊕ −h d)) / 2h           against   J d
//     velocity      its own product J d                        against   the blocks
//     transpose     its own product Jᵀ f                       against   the blocks;   (J d)·f  against  d·(Jᵀ f)
//     acceleration  (J d at q ⊕ h d − J d at q ⊕ −h d) / 2h    against   (dJ/dt) d
//     geometric     (Jᵀf at q ⊕ h d − Jᵀf at q ⊕ −h d) / 2h    against   the geometric blocks times d
//     geometric product                                       against   the blocks
//
// f is held constant. The states keep their vectors: positions are displaced in a vector of the check's own.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "check/derivative_check.h"
#include "mapping/mapping_product.h"
#include "mapping/states.h"
#include "scene/scene.h"

enum { DIRECTIONS = 3, COORDS = 2, DERIVS = 5 };

typedef struct trial {
    st_mapping *mapping;
    st_coord_id x, y;            // displaced positions of inputs and outputs, at both ends of a difference
    st_deriv_id direction, own;  // of inputs and of outputs: a vector, and a product by the mapping itself
    st_deriv_id blocks, f, diff; // the product by the blocks, a force, a difference
    uint64_t random;
} trial;

static const st_mapping_ops *ops_of(const trial *t) { return t->mapping->object.type->mapping; }
static size_t count_of(const trial *t, bool in) { return in ? t->mapping->input.count : t->mapping->output.count; }
static st_state *state_of(const trial *t, bool in, size_t i) {
    return (st_state *)(in ? t->mapping->input.data[i] : t->mapping->output.data[i]);
}
static st_real *mapping_check_vector(const st_state *s, st_deriv_id id) {
    return st_deriv_list(s, id.index, ST_DERIV_DX)->data;
}
static st_real *mapping_check_place(const st_state *s, st_coord_id id) {
    return st_coord_list(s, id.index, ST_COORD_POSITION)->data;
}

// Inputs may be named twice; each state is treated once.
static bool is_repeated(const trial *t, bool in, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (state_of(t, in, k) == state_of(t, in, i)) return true;
    return false;
}

#define FOR_EACH_STATE(t, in, s)                                                                                       \
    for (size_t state_ = 0; state_ < count_of(t, in); state_++)                                                        \
        for (st_state *s = is_repeated(t, in, state_) ? NULL : state_of(t, in, state_); s; s = NULL)

static st_real next_random(trial *t) { // xorshift, in [-1, 1]
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (st_real)((double)(t->random >> 11) / 4503599627370496.0 - 1.0);
}

// ---------------------------------------------------------------------------------------------------
// Vectors
// ---------------------------------------------------------------------------------------------------

static bool make_vectors(trial *t, bool in) {
    bool ok = true;

    FOR_EACH_STATE(t, in, s) {
        for (int k = 0; ok && k < COORDS; k++) ok = st_state_make_coord(s, (st_coord_id){t->x.index + k});
        for (int k = 0; ok && k < DERIVS; k++) ok = st_state_make_deriv(s, (st_deriv_id){t->direction.index + k});
    }
    return ok;
}

static bool mapping_check_prepare(trial *t, st_mapping *mapping) {
    st_scene *scene = mapping->object.scene;
    const int x = ST_COORD_DYNAMIC + scene->coord_ids, v = ST_DERIV_DYNAMIC + scene->deriv_ids;

    scene->coord_ids += COORDS;
    scene->deriv_ids += DERIVS;
    *t = (trial){.mapping = mapping,
                 .x = {x},
                 .y = {x + 1},
                 .direction = {v},
                 .own = {v + 1},
                 .blocks = {v + 2},
                 .f = {v + 3},
                 .diff = {v + 4},
                 .random = 88172645463325252ULL};
    return make_vectors(t, true) && make_vectors(t, false);
}

static void free_vectors(const trial *t, bool in) {
    FOR_EACH_STATE(t, in, s) {
        st_state_free_further(&s->more_coord, t->x.index, COORDS);
        st_state_free_further(&s->more_deriv, t->direction.index, DERIVS);
    }
}

// The ids go back: nobody else took one meanwhile.
static void mapping_check_finish(const trial *t) {
    st_scene *scene = t->mapping->object.scene;

    free_vectors(t, true);
    free_vectors(t, false);
    scene->coord_ids -= COORDS;
    scene->deriv_ids -= DERIVS;
}

static void mapping_check_clear(const trial *t, bool in, st_deriv_id id) {
    FOR_EACH_STATE(t, in, s) memset(mapping_check_vector(s, id), 0, st_state_scalars(s) * sizeof(st_real));
}

static void randomize(trial *t, bool in, st_deriv_id id) {
    FOR_EACH_STATE(t, in, s)
    for (size_t k = 0; k < st_state_scalars(s); k++) mapping_check_vector(s, id)[k] = next_random(t);
}

typedef struct difference {
    st_real error, size;
} difference;

static void mapping_check_compare(const trial *t, bool in, st_deriv_id a, st_deriv_id b, difference *result) {
    FOR_EACH_STATE(t, in, s) {
        const st_real *x = mapping_check_vector(s, a), *y = mapping_check_vector(s, b);
        for (size_t k = 0; k < st_state_scalars(s); k++) {
            const st_real error = fabs(x[k] - y[k]);
            result->error = error > result->error || isnan(error) ? error : result->error;
            result->size = fmax(result->size, fmax(fabs(x[k]), fabs(y[k])));
        }
    }
}

static st_real mapping_check_relative(difference d) { return d.size > 0 ? d.error / d.size : d.error; }

static st_real mapping_check_dot(const trial *t, bool in, st_deriv_id a, st_deriv_id b, st_real *size) {
    st_real sum = 0;
    FOR_EACH_STATE(t, in, s) {
        for (size_t k = 0; k < st_state_scalars(s); k++) {
            sum += mapping_check_vector(s, a)[k] * mapping_check_vector(s, b)[k];
            *size += fabs(mapping_check_vector(s, a)[k] * mapping_check_vector(s, b)[k]);
        }
    }

    return sum;
}

// ---------------------------------------------------------------------------------------------------
// Positions and products
// ---------------------------------------------------------------------------------------------------

// The mapping at q ⊕ k d; the outputs' positions go to `to`.
static void mapping_check_displace(trial *t, st_real k, st_coord_id to) {
    FOR_EACH_STATE(t, true, s) {
        const st_dof *dof = st_state_dof(s);
        st_real *x = mapping_check_place(s, t->x);

        st_copy_reals(x, s->coord[ST_COORD_POSITION].data, s->size * dof->coord);
        for (size_t n = 0; k != 0 && n < s->size; n++)
            st_dof_add(dof, x + n * dof->coord, mapping_check_vector(s, t->direction) + n * dof->deriv, k);
    }

    // What the mapping does not drive stays where it is.
    FOR_EACH_STATE(t, false, s)
    st_copy_reals(mapping_check_place(s, to), s->coord[ST_COORD_POSITION].data, s->size * st_state_dof(s)->coord);
    ops_of(t)->apply(t->mapping, to, st_read_coord(t->x));
}

static void multiply_blocks(const trial *t) {
    st_mapping_multiply_j(t->mapping, t->blocks, st_read_deriv(t->direction));
}

// to = Jᵀ f by the blocks.
static void multiply_transposed(const trial *t, st_deriv_id to) {
    mapping_check_clear(t, true, to);
    st_mapping_multiply_jt(t->mapping, to, st_read_deriv(t->f));
}

static st_real length_scale(const trial *t) {
    st_real largest = 0;
    FOR_EACH_STATE(t, true, s)
    for (size_t k = 0; k < s->size * st_state_dof(s)->coord; k++)
        largest = fmax(largest, fabs(s->coord[ST_COORD_POSITION].data[k]));
    return largest > 0 ? largest : 1;
}

// Error of a central difference: h² + ε/h, least at the third root of ε.
static st_real step_of(const trial *t) { return cbrt(ST_REAL_EPSILON) * length_scale(t) / 4; }

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

static st_real check_jacobian(trial *t) {
    const st_real h = step_of(t);
    difference d = {0};

    for (int n = 0; n < DIRECTIONS; n++) {
        randomize(t, true, t->direction);

        // (x(q + h d) ⊖ x(q - h d)) / 2h
        mapping_check_displace(t, h, t->x);
        FOR_EACH_STATE(t, false, s)
        st_copy_reals(mapping_check_place(s, t->y), mapping_check_place(s, t->x), s->size * st_state_dof(s)->coord);
        mapping_check_displace(t, -h, t->x);
        FOR_EACH_STATE(t, false, s) {
            const st_dof *dof = st_state_dof(s);
            for (size_t i = 0; i < s->size; i++)
                st_dof_difference(dof, mapping_check_vector(s, t->diff) + i * dof->deriv,
                                  mapping_check_place(s, t->y) + i * dof->coord,
                                  mapping_check_place(s, t->x) + i * dof->coord);
            for (size_t k = 0; k < st_state_scalars(s); k++) mapping_check_vector(s, t->diff)[k] /= 2 * h;
        }

        // J d by the blocks, at q itself
        mapping_check_displace(t, 0, t->x);
        multiply_blocks(t);
        mapping_check_compare(t, false, t->diff, t->blocks, &d);
    }

    return mapping_check_relative(d);
}

static st_real check_velocity(trial *t) {
    difference d = {0};

    randomize(t, true, t->direction);
    mapping_check_clear(t, false, t->own); // rows that the mapping does not drive keep what they have
    FOR_EACH_STATE(t, true, s)
    st_copy_reals(mapping_check_vector(s, t->own), mapping_check_vector(s, t->direction), st_state_scalars(s));

    for (int n = 0; n < 2; n++) // the others are overwritten, not added to
        ops_of(t)->apply_j(t->mapping, t->own, st_read_deriv(t->own));

    multiply_blocks(t);
    mapping_check_compare(t, false, t->own, t->blocks, &d);
    return mapping_check_relative(d);
}

static st_real check_transpose(trial *t) {
    difference d = {0};
    randomize(t, true, t->direction);
    randomize(t, false, t->f);

    // Jᵀ f by the blocks and by the mapping
    multiply_blocks(t);
    multiply_transposed(t, t->blocks);
    mapping_check_clear(t, true, t->f);
    st_mapping_apply_jt(t->mapping, t->f, st_read_deriv(t->f));
    mapping_check_compare(t, true, t->f, t->blocks, &d);

    // f · (J d) = (Jᵀ f) · d
    st_real size = 0;
    const st_real below = mapping_check_dot(t, false, t->blocks, t->f, &size),
                  above = mapping_check_dot(t, true, t->direction, t->blocks, &size);
    const st_real adjoint = size > 0 ? fabs(below - above) / size : 0;
    return fmax(mapping_check_relative(d), adjoint);
}

// Compared with the size of J d, too: a J that does not change is found not to change.
static st_real check_acceleration(trial *t) {
    const st_real h = step_of(t);
    difference d = {0};

    for (int n = 0; n < DIRECTIONS; n++) {
        randomize(t, true, t->direction);

        // (J(q + h d) d - J(q - h d) d) / 2h
        mapping_check_displace(t, h, t->y);
        multiply_blocks(t);
        FOR_EACH_STATE(t, false, s)
        st_copy_reals(mapping_check_vector(s, t->diff), mapping_check_vector(s, t->blocks), st_state_scalars(s));
        mapping_check_displace(t, -h, t->y);
        multiply_blocks(t);
        FOR_EACH_STATE(t, false, s)
        for (size_t k = 0; k < st_state_scalars(s); k++) {
            d.size = fmax(d.size, fabs(mapping_check_vector(s, t->blocks)[k]));
            mapping_check_vector(s, t->diff)[k] =
                (mapping_check_vector(s, t->diff)[k] - mapping_check_vector(s, t->blocks)[k]) / (2 * h);
        }

        // what the mapping says of it
        mapping_check_displace(t, 0, t->y);
        mapping_check_clear(t, true, t->own);
        mapping_check_clear(t, false, t->own);
        st_mapping_apply_acceleration(t->mapping, t->own, st_read_deriv(t->own), st_read_deriv(t->direction));
        mapping_check_compare(t, false, t->diff, t->own, &d);
    }

    return mapping_check_relative(d);
}

static st_params geometric_params(const trial *t, st_deriv_id df) {
    st_params p = st_default_params();
    p.x = st_read_coord(t->x);
    p.f = t->f;
    p.dx = st_read_deriv(t->direction);
    p.df = df;
    return p;
}

static void multiply_geometric(const trial *t) {
    const st_params params = geometric_params(t, t->blocks);
    mapping_check_clear(t, true, t->blocks);
    st_mapping_multiply_geometric(t->mapping, &params, 1);
}

// The difference is compared with the size of the force, too: terms that vanish are found to vanish.
static st_real check_geometric(trial *t) {
    const st_real h = step_of(t);
    difference d = {0};

    for (int n = 0; n < DIRECTIONS; n++) {
        randomize(t, true, t->direction);
        randomize(t, false, t->f);

        // (J(q + h d)ᵀ f - J(q - h d)ᵀ f) / 2h
        mapping_check_displace(t, h, t->y);
        multiply_transposed(t, t->diff);
        mapping_check_displace(t, -h, t->y);
        multiply_transposed(t, t->own);
        FOR_EACH_STATE(t, true, s)
        for (size_t k = 0; k < st_state_scalars(s); k++) {
            d.size = fmax(d.size, fabs(mapping_check_vector(s, t->own)[k]));
            mapping_check_vector(s, t->diff)[k] =
                (mapping_check_vector(s, t->diff)[k] - mapping_check_vector(s, t->own)[k]) / (2 * h);
        }

        // the geometric stiffness times d
        mapping_check_displace(t, 0, t->y);
        multiply_geometric(t);
        mapping_check_compare(t, true, t->diff, t->blocks, &d);
    }

    return mapping_check_relative(d);
}

static st_real check_geometric_product(trial *t) {
    difference d = {0};
    randomize(t, true, t->direction);
    randomize(t, false, t->f);
    mapping_check_displace(t, 0, t->y);
    multiply_geometric(t);

    // the own product against the blocks
    const st_params params = geometric_params(t, t->own);
    mapping_check_clear(t, true, t->own);
    ops_of(t)->apply_geometric(t->mapping, &params, 1);
    mapping_check_compare(t, true, t->own, t->blocks, &d);
    return mapping_check_relative(d);
}

// ---------------------------------------------------------------------------------------------------
// Reports
// ---------------------------------------------------------------------------------------------------

// Mappings with a choice of geometric stiffness call it geometricStiffness: None, Exact, Stabilized. Where J is
// constant there is none to leave out.
static bool leaves_out_terms(const st_mapping *mapping) {
    const st_class *type = mapping->object.type;
    if (type->flags & ST_CLASS_APPROXIMATE_TANGENT) return true;
    if (st_mapping_is_linear(mapping)) return false;

    for (size_t i = 0; i < st_resolved(type)->field_count; i++) {
        const st_field *field = st_resolved(type)->fields[i];
        if (strcmp(field->name, "geometricStiffness") != 0 || field->type != &st_type_option) continue;
        return *(const int32_t *)(const void *)((const char *)mapping + field->offset) != 1;
    }

    return !type->mapping->geometric;
}

static void mapping_check_check(trial *t, st_derivative_report *report, void *user) {
    const st_mapping_ops *ops = ops_of(t);
    const bool exact = !(t->mapping->object.type->flags & ST_CLASS_APPROXIMATE_TANGENT);
    st_derivative_check result = {.object = &t->mapping->object,
                                  .what = "jacobian",
                                  .exact_by_design = exact,
                                  .note = exact ? "" : "leaves out terms on purpose"};
    result.error = check_jacobian(t);
    report(user, &result);
    result.exact_by_design = true;
    result.note = "";

    // J, its products, and its change with the velocity
    if (ops->apply_j) {
        result.what = "velocity";
        result.error = check_velocity(t);
        report(user, &result);
    }

    result.what = "transpose";
    result.error = check_transpose(t);
    report(user, &result);

    result.what = "acceleration";
    result.error = check_acceleration(t);
    report(user, &result);

    // the geometric stiffness, which some leave out
    if (ops->apply_geometric) {
        result.what = "geometric product";
        result.error = check_geometric_product(t);
        report(user, &result);
    }

    result.what = "geometric";
    result.error = check_geometric(t);
    result.exact_by_design = !leaves_out_terms(t->mapping);
    result.note = result.exact_by_design ? "" : "leaves out terms on purpose";
    report(user, &result);

    mapping_check_displace(t, 0, t->x);
}

static bool can_be_checked(const st_mapping *mapping) {
    if (!st_is_valid(&mapping->object) || !mapping->object.type->mapping->jacobian) return false;
    if (mapping->input.count == 0 || mapping->output.count == 0) return false;
    for (size_t i = 0; i < mapping->input.count + mapping->output.count; i++) {
        const bool in = i < mapping->input.count;
        const st_object *object = in ? mapping->input.data[i] : mapping->output.data[i - mapping->input.count];
        if (!object || !((const st_state *)object)->mechanical || ((const st_state *)object)->size == 0) return false;
    }

    return true;
}

st_status st_check_mapping(st_mapping *mapping, st_derivative_report *report, void *user) {
    trial t;
    if (!can_be_checked(mapping)) return ST_OK;
    const bool ok = mapping_check_prepare(&t, mapping);
    if (ok) mapping_check_check(&t, report, user);
    else st_message(&mapping->object, ST_ERROR, "out of memory: vectors for the check of derivatives");
    mapping_check_finish(&t);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
