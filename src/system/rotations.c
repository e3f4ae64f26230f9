// How far the material of a plan has turned. See rotations.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "system/rotations.h"

#include "base/array.h"
#include "state/sink.h"

bool st_tells_rotations(const st_object *object) {
    return st_has_role(object, ST_ROLE(force)) && object->type->force->rotations && st_is_valid(object);
}

st_object *st_rotations_find(const st_node *node) {
    // the node itself first
    for (; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++)
            if (st_tells_rotations(node->objects.data[i])) return node->objects.data[i];
    return NULL;
}

static bool ask(const st_object *object, const st_state *state, st_real *rotations) {
    if (!st_tells_rotations(object) || ((const st_force *)object)->state != state) return false;
    return object->type->force->rotations((st_force *)object, rotations);
}

static void set_identity(st_real *rotations, size_t count) {
    for (size_t i = 0; i < 9 * count; i++) rotations[i] = i % 9 % 4 == 0 ? 1 : 0;
}

static void read_state(const st_plan *plan, const st_state *state, const st_object *finder, const st_object *owner,
                       st_real *target) {
    bool found = false;

    // the finder first, then any force of the plan
    if (st_state_dof(state) == &st_vec3) {
        found = finder && ask(finder, state, target);
        for (size_t i = 0; !found && i < plan->forces.count; i++)
            found = ask(&plan->forces.data[i]->object, state, target);
    }

    if (found) return;

    set_identity(target, st_state_scalars(state) / 3);
    st_message_once(owner, "no rotations", ST_WARNING,
                    "no force tells how the material of %s turns: it is taken as not turning", st_path(&state->object));
}

// since = now referenceᵀ, or now
static void rotations_compare(st_rotations *rotations) {
    if (rotations->since_rest) st_copy_reals(rotations->since.data, rotations->now.data, rotations->now.count);

    for (size_t i = 0; i < rotations->now.count && !rotations->since_rest; i += 9) {
        const st_real *now = rotations->now.data + i, *reference = rotations->reference.data + i;
        st_real *since = rotations->since.data + i;

        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                since[3 * r + c] = now[3 * r] * reference[3 * c] + now[3 * r + 1] * reference[3 * c + 1] +
                                   now[3 * r + 2] * reference[3 * c + 2];
    }
}

static bool fit(st_rotations *rotations, size_t blocks) {
    if (rotations->now.count == 9 * blocks && rotations->since.count == 9 * blocks) return true;

    // what was marked belongs to another number of points
    if (!st_list_set_count(&rotations->now, 9 * blocks, 1) ||
        !st_list_set_count(&rotations->reference, 9 * blocks, 1) ||
        !st_list_set_count(&rotations->since, 9 * blocks, 1))
        return false;

    set_identity(rotations->reference.data, blocks);
    return true;
}

static bool rotations_resize(st_rotations *rotations, const st_plan *plan, const st_object *owner) {
    if (plan->size % 3 != 0) {
        st_message(owner, ST_ERROR, "the states have %zu scalars, which is no multiple of 3: there are no rotations",
                   plan->size);
        return false;
    }

    if (fit(rotations, plan->size / 3)) return true;
    st_message(owner, ST_ERROR, "out of memory for the rotations of %zu points", plan->size / 3);
    return false;
}

bool st_rotations_clear(st_rotations *rotations, const st_plan *plan, const st_object *owner) {
    if (!rotations_resize(rotations, plan, owner)) return false;
    set_identity(rotations->now.data, plan->size / 3);
    return true;
}

bool st_rotations_update(st_rotations *rotations, const st_plan *plan, const st_object *finder,
                         const st_object *owner) {
    if (!rotations_resize(rotations, plan, owner)) return false;

    // state by state, at their places in the system
    for (size_t i = 0; i < plan->independent.count; i++)
        if (plan->independent.data[i]->size > 0)
            read_state(plan, plan->independent.data[i], finder, owner, rotations->now.data + 3 * plan->offsets[i]);
    rotations_compare(rotations);
    return true;
}

void st_rotations_mark(st_rotations *rotations) {
    // nothing has turned since now
    st_copy_reals(rotations->reference.data, rotations->now.data, rotations->now.count);
    set_identity(rotations->since.data, rotations->since.count / 9);
}

void st_rotations_free(st_rotations *rotations) {
    st_list_free(&rotations->now);
    st_list_free(&rotations->reference);
    st_list_free(&rotations->since);
}

void st_rotations_apply(const st_rotations *rotations, bool transposed, const st_real *x, st_real *y) {
    const size_t down = transposed ? 1 : 3, across = transposed ? 3 : 1;
    for (size_t i = 0; i < rotations->since.count / 9; i++) {
        // y_i = R_i x_i; x is read before y is written
        const st_real *r = rotations->since.data + 9 * i, a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
        for (size_t k = 0; k < 3; k++)
            y[3 * i + k] = r[k * down] * a + r[k * down + across] * b + r[k * down + 2 * across] * c;
    }
}
