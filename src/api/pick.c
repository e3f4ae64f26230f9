// Picking as programs see it (settee/pick.h): checks, then collision/pick.c, and a PulledPointForceField.
//
// A spring that was released belongs to the scene, as everything that is removed does. The next pick on the same state
// takes it again, so that a thousand clicks need one.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "api/scene.h"
#include "collision/pick.h"
#include "force/spring/pulled_point.h"
#include "math/vec3.h"

static bool are_finite(const st_real *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

st_status st_scene_pick(st_scene *scene, const st_real origin[3], const st_real direction[3], st_pick *pick) {
    if (!scene || !scene->root || !scene->initialized || !origin || !direction || !pick) return ST_INVALID;
    st_ray ray = {.length = ST_REAL_MAX};
    st_vec3_copy(ray.origin, origin);
    if (!are_finite(origin, 3) || !are_finite(direction, 3) || !st_vec3_normalize(ray.direction, direction))
        return ST_INVALID;
    if (!st_scene_enter(scene)) return ST_BUSY;

    st_pick found = {0};
    bool failed;
    bool any = st_pick_body(scene->root, &ray, &found, &failed);
    if (!any && !failed) any = st_pick_particle(scene->root, &ray, &found);
    if (any) *pick = found;
    st_scene_leave(scene);
    return failed ? ST_OUT_OF_MEMORY : any ? ST_OK : ST_NOT_FOUND;
}

// ---------------------------------------------------------------------------------------------------
// Springs
// ---------------------------------------------------------------------------------------------------

static bool is_spring(const st_object *object) { return object && st_is_a(object, &st_pulled_point_force_field_class); }

// A pick is a copy of what was: the state may have changed since.
static bool fits_state(const st_pick *pick) {
    const st_object *object = pick->state;
    if (!object || !st_has_role(object, ST_ROLE(state)) || !st_object_is_attached(object)) return false;
    const st_state *state = (const st_state *)object;
    if (st_state_dof(state) != &st_vec3 && !(st_state_dof(state)->rigid && st_state_dof(state)->coord == 7))
        return false;
    if (pick->count == 0 || pick->count > ST_PICK_DOFS || (pick->count > 1 && st_state_dof(state)->rigid)) return false;

    for (size_t i = 0; i < pick->count; i++)
        if (pick->dofs[i] >= state->size) return false;
    return state->mechanical && are_finite(pick->weights, pick->count) && are_finite(pick->local, 3);
}

// One that was released before, put back, or a new one. NULL: it cannot be.
static st_object *make_spring(st_state *state) {
    st_scene *scene = state->object.scene;
    st_node *node = state->object.node;
    for (size_t i = 0; i < scene->removed.count; i++) {
        st_object *object = scene->removed.data[i];
        if (!is_spring(object) || ((const st_force *)object)->state != state || !st_is_valid(object)) continue;
        return st_object_attach(object, node) == ST_OK ? object : NULL;
    }

    const st_attribute_text type = {"template", st_state_dof(state)->name};
    st_object *object = st_node_add_object(node, st_pulled_point_force_field_class.name, &type, 1);
    if (object) ((st_force *)object)->state = state; // a node may have several
    if (object && !st_succeeded(st_node_init(node))) return NULL;
    return object && st_is_valid(object) ? object : NULL;
}

st_status st_pick_attach(const st_pick *pick, st_real stiffness, st_object **spring) {
    if (!pick || !spring || !(stiffness > 0 && stiffness <= ST_REAL_MAX) || !fits_state(pick)) return ST_INVALID;
    st_scene *scene = pick->state->scene;
    if (!st_scene_enter(scene)) return ST_BUSY;
    st_object *made =
        st_graph_may_change(scene, "nothing can be attached") ? make_spring((st_state *)pick->state) : NULL;

    const st_pulled_place place = {pick->count, pick->dofs, pick->weights, pick->local, stiffness};
    const bool ok = made && st_pulled_point_take(made, &place);
    if (ok) *spring = made;
    else if (made) st_object_remove(made);
    st_scene_leave(scene);
    return ok ? ST_OK : made ? ST_OUT_OF_MEMORY : ST_FAILED;
}

st_status st_pick_move(st_object *spring, const st_real target[3]) {
    if (!is_spring(spring) || spring->record->removed || !target || !are_finite(target, 3)) return ST_INVALID;
    if (!st_scene_enter(spring->scene)) return ST_BUSY;
    st_pulled_point_aim(spring, target);
    st_scene_leave(spring->scene);
    return ST_OK;
}

st_status st_pick_release(st_object *spring) {
    if (!is_spring(spring) || spring->record->removed) return ST_INVALID;
    return st_object_remove(spring);
}
