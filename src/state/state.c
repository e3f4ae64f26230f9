// The base of every state: its vectors and their sizes.
//
// A vector exists once it was written or made; a state's size is that of all vectors that exist. Growing fills with the
// type's default: zeros, and the identity for rotations.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/state.h"
#include "base/array.h"
#include "scene/scene.h"
#include "state/jacobian.h"
#include "state/state_links.h"

static bool resize_coord(const st_dof *dof, st_reals *list, size_t count) {
    const size_t old = list->count;
    if (!st_list_set_count(list, count, dof->coord)) return false;

    // the identity: w = 1
    for (size_t i = old; i < count && dof->coord == 7; i++) list->data[i * 7 + 6] = 1;
    return true;
}

static st_status state_resize_state(st_state *state, size_t count) {
    const st_dof *dof = state->object.dof;
    bool ok = true;
    for (int i = 1; ok && i < ST_COORD_DYNAMIC; i++)
        if (state->coord[i].count || i == ST_COORD_POSITION) ok = resize_coord(dof, &state->coord[i], count);

    // derivatives of a visual model are fields of their own
    for (int i = 1; ok && state->mechanical && i < ST_DERIV_DYNAMIC; i++)
        if (state->deriv[i].count || i == ST_DERIV_VELOCITY || i == ST_DERIV_FORCE)
            ok = st_list_set_count(&state->deriv[i], count, dof->deriv);

    // further vectors
    for (size_t i = 0; ok && i < state->more_coord.count; i++)
        if (state->more_coord.data[i].values.count) ok = resize_coord(dof, &state->more_coord.data[i].values, count);
    for (size_t i = 0; ok && i < state->more_deriv.count; i++)
        if (state->more_deriv.data[i].values.count)
            ok = st_list_set_count(&state->more_deriv.data[i].values, count, dof->deriv);

    // rows of constraints refer to DOFs by number
    if (ok && count != state->size) st_jacobian_clear(&state->constraint);
    if (ok) state->size = count;
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

st_status st_state_resize(st_state *state, size_t count) {
    const size_t before = state->size;
    const st_status status = state->object.type->state->resize(state, count);
    if (state->size != before) state->object.scene->sizes++; // offsets in plans are out of date
    return status;
}

// A running state has one size: what is written or linked into one of its vectors is cut or filled to it.
static void state_written(st_object *object, const st_field *field, bool by_link) {
    // before init every vector has its own size
    if (object->validity == ST_UNDEFINED || object->record->waiting) return;
    if (field->offset < offsetof(st_state, coord) || field->offset >= offsetof(st_state, more_coord)) return;

    st_state *state = (st_state *)object;
    const size_t count = ((const st_any_list *)st_member(object, field))->count;
    if (count == state->size) return;

    if (!by_link)
        st_message(object, ST_WARNING, "%s has %zu elements; the state keeps its %zu", field->name, count, state->size);
    if (st_state_resize(state, state->size) != ST_OK)
        st_message(object, ST_ERROR, "out of memory: %zu elements of %s", state->size, field->name);
}

// The list of an id, made where the state has none. NULL: out of memory.
static st_reals *state_slot(st_further_list *more, st_reals *standard, int index, int first_dynamic) {
    if (index < first_dynamic) return &standard[index];
    st_reals *known = st_find_further(more, index);
    if (known) return known;
    return st_list_push(more, ((st_further){.index = index})) ? &more->data[more->count - 1].values : NULL;
}

bool st_state_make_coord(st_state *state, st_coord_id id) {
    st_reals *list = state_slot(&state->more_coord, state->coord, id.index, ST_COORD_DYNAMIC);
    if (!list) return false;
    return list->count == state->size || resize_coord(state->object.dof, list, state->size);
}

bool st_state_make_deriv(st_state *state, st_deriv_id id) {
    st_reals *list = state_slot(&state->more_deriv, state->deriv, id.index, ST_DERIV_DYNAMIC);
    if (!list) return false;
    return list->count == state->size || st_list_set_count(list, state->size, state->object.dof->deriv);
}

void st_state_free_further(st_further_list *more, int first, int count) {
    size_t kept = 0;
    for (size_t i = 0; i < more->count; i++) {
        if (more->data[i].index >= first && more->data[i].index < first + count) st_list_free(&more->data[i].values);
        else more->data[kept++] = more->data[i];
    }
    more->count = kept;
}

// The standard vectors that are not fields are freed here; freeing twice is harmless, since a freed list is empty.
static void state_destroy(st_object *object) {
    st_state *state = (st_state *)object;

    for (int i = 0; i < ST_COORD_DYNAMIC; i++) st_list_free(&state->coord[i]);
    for (int i = 0; i < ST_DERIV_DYNAMIC; i++) st_list_free(&state->deriv[i]);

    for (size_t i = 0; i < state->more_coord.count; i++) st_list_free(&state->more_coord.data[i].values);
    for (size_t i = 0; i < state->more_deriv.count; i++) st_list_free(&state->more_deriv.data[i].values);

    st_list_free(&state->more_coord);
    st_list_free(&state->more_deriv);
    st_jacobian_free(&state->constraint);
}

void st_state_move(st_state *s, st_coord_id r, st_const_coord_id a, st_const_deriv_id d, st_real k) {
    const st_dof *dof = st_state_dof(s);
    const bool links = r.index == ST_COORD_POSITION;
    if (links) st_state_take_links(s);

    st_real *to = st_position_of(s, r);
    const st_real *from = st_coord_list(s, a.index, ST_COORD_POSITION)->data;
    const st_real *by = st_deriv_list(s, d.index, ST_DERIV_DX)->data;
    if (dof->coord == dof->deriv) { // plain numbers: rigids of the plane, too
        for (size_t i = 0; i < s->size * dof->coord; i++) to[i] = from[i] + by[i] * k;
    } else {
        if (to != from) st_copy_reals(to, from, s->size * dof->coord);
        for (size_t i = 0; i < s->size; i++) st_dof_add(dof, to + i * dof->coord, by + i * dof->deriv, k);
    }

    if (links) st_state_give_links(s);
}

st_params st_default_params(void) {
    return (st_params){
        .x = {ST_COORD_POSITION},
        .v = {ST_DERIV_VELOCITY},
        .f = {ST_DERIV_FORCE},
        .dx = {ST_DERIV_DX},
        .df = {ST_DERIV_DFORCE},
    };
}

static const st_state_ops ops = {.resize = state_resize_state};

const st_class st_state_class = {
    .name = "State",
    .help = "degrees of freedom",
    .parent = &st_object_class,
    .size = sizeof(st_state),
    .flags = ST_CLASS_ABSTRACT,
    .written = state_written,
    .destroy = state_destroy,
    .state = &ops,
};
