// What a ray meets, for programs that pull at bodies:
//
//     1. of the elements of simulated collision models the first one along the ray; its point is carried by the DOFs of
//        the element with barycentric weights, or by the frame that it is on
//     2. where there is none, a DOF: of all that are as near to the line of the ray as the nearest one, but for rounding,
//        the first along the ray
//
// Elements are those of the last detection, at the present positions.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/pick.h"

#include <tgmath.h>

#include "collision/sub_collision_pipeline.h"
#include "math/mat3.h"
#include "math/rigid.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------

static bool can_be_picked(const st_collision_model *model) {
    return model->simulated && st_collision_model_is_active(model) && model->state && model->state->mechanical &&
           model->tree.built;
}

// Meshes may have changed since the last detection.
static bool has_corners(const st_collision_model *model, size_t i) {
    const size_t dofs = st_collision_model_dofs(model);
    if (model->corners > 1 && (i + 1) * (size_t)model->corners > model->vertices.count) return false;
    for (int k = 0; k < model->corners; k++)
        if (st_corner(model, i, k) >= dofs) return false;
    return true;
}

// Weights of p over three or four corners. Those of a flat element are equal.
static void find_weights(const st_collision_model *model, size_t i, const st_real p[3], st_pick *pick) {
    st_real side[3][3], from[3], at[3], columns[9], inverse[9];
    const int corners = model->corners;
    const st_real *first = st_corner_position(model, i, 0);
    for (int k = 1; k < corners; k++) st_vec3_sub(side[k - 1], st_corner_position(model, i, k), first);
    if (corners == 3) st_vec3_cross(side[2], side[0], side[1]);

    for (int k = 0; k < 9; k++) columns[k] = side[k % 3][k / 3];
    st_vec3_sub(from, p, first);
    const bool flat = !st_mat3_inverse_above(inverse, columns, 0);
    if (!flat) st_mat3_times_vec(at, inverse, from);

    pick->weights[0] = flat ? 1 / (st_real)corners : 1;
    for (int k = 1; k < corners; k++) {
        pick->weights[k] = flat ? 1 / (st_real)corners : at[k - 1];
        if (!flat) pick->weights[0] -= at[k - 1];
    }
}

static void take_body(st_collision_model *model, size_t i, const st_real p[3], st_pick *pick) {
    const st_real *frame = st_corner_position(model, i, 0);
    pick->model = &model->object;
    pick->state = &model->state->object;
    pick->element = (uint32_t)i;
    st_vec3_copy(pick->point, p);
    st_vec3_zero(pick->local);

    // by one DOF, or by the corners
    pick->count = (size_t)model->corners;
    for (int k = 0; k < model->corners; k++) pick->dofs[k] = (uint32_t)st_corner(model, i, k);
    pick->weights[0] = 1;
    if (st_state_dof(model->state)->rigid) st_rigid_inverse_apply(pick->local, frame, p);
    else if (model->corners > 1) find_weights(model, i, p, pick);
    else st_vec3_sub(pick->local, p, frame); // on a sphere around a point
}

bool st_pick_body(st_node *node, const st_ray *ray, st_pick *pick, bool *failed) {
    st_collision_models models = {0};
    bool found = false;
    *failed = !st_collect_models(node, &models);

    // the first of those that are equally far
    for (size_t m = 0; m < models.count; m++) {
        st_collision_model *model = models.data[m];
        for (size_t i = 0; can_be_picked(model) && i < model->count; i++) {
            st_real p[3], way[3];
            if (!has_corners(model, i) || !st_ray_meets(ray, model, i, p)) continue;
            st_vec3_sub(way, p, ray->origin);
            const st_real distance = st_vec3_dot(way, ray->direction);
            if (found && !(distance < pick->distance)) continue;

            found = true;
            pick->distance = distance;
            take_body(model, i, p, pick);
        }
    }

    st_list_free(&models);
    return found;
}

// ---------------------------------------------------------------------------------------------------
// Particles
// ---------------------------------------------------------------------------------------------------

typedef struct search {
    const st_ray *ray;
    st_real nearest; // square of the distance to the line; below 0: not known yet
    st_real along;
    st_pick *pick;
    bool found;
} search;

static bool has_tag(const st_object *object, const char *tag) {
    for (size_t i = 0; i < object->tags.count; i++)
        if (object->tags.data[i] && strcmp(object->tags.data[i], tag) == 0) return true;
    return false;
}

static bool is_for_picking(const st_node *node, const st_state *state) {
    const st_dof *dof = st_state_dof(state);
    if (!state->mechanical || state->transient || has_tag(&state->object, "NoPicking")) return false;
    if (dof != &st_vec3 && !(dof->rigid && dof->coord == 7)) return false;
    const st_collision_model *first = (const st_collision_model *)st_find(node, ST_ROLE(collision_model), ST_LOCAL);
    return state->mapped || !first || first->simulated;
}

// With `nearest` known, those that are as near; else it is found.
static void look_at_state(search *s, st_state *state) {
    const size_t coord = st_state_dof(state)->coord;
    const st_reals *x = &state->coord[ST_COORD_POSITION];
    for (size_t i = 0; i < x->count; i++) {
        st_real way[3];
        st_vec3_sub(way, x->data + i * coord, s->ray->origin);
        const st_real along = st_vec3_dot(way, s->ray->direction), beside = st_vec3_norm2(way) - along * along;
        if (!(along > 0) || !(beside <= ST_REAL_MAX)) continue;

        if (!s->pick) {
            if (!s->found || beside < s->nearest) s->nearest = beside;
            s->found = true;
            continue;
        }
        const st_real rounding = 64 * ST_REAL_EPSILON * along * along;
        if (!(beside <= s->nearest + rounding) || (s->found && !(along < s->along))) continue;

        // it is carried by itself
        s->found = true;
        s->along = along;
        *s->pick = (st_pick){.state = &state->object,
                             .element = (uint32_t)i,
                             .count = 1,
                             .dofs = {(uint32_t)i},
                             .weights = {1},
                             .distance = along};
        st_vec3_copy(s->pick->point, x->data + i * coord);
    }
}

static void look_at_node(search *s, st_node *node) {
    if (!node->activated) return;
    const st_mapping *mapping = (const st_mapping *)st_node_members(node, ST_ROLE(mapping)).last;
    if (mapping && !mapping->map_forces) return;

    st_state *state = (st_state *)st_node_mechanical(node).last;
    if (state && is_for_picking(node, state)) look_at_state(s, state);
    for (size_t i = 0; i < node->children.count; i++) look_at_node(s, node->children.data[i]);
}

bool st_pick_particle(st_node *node, const st_ray *ray, st_pick *pick) {
    search s = {.ray = ray};
    look_at_node(&s, node);
    if (!s.found) return false;

    s.pick = pick;
    s.found = false;
    look_at_node(&s, node);
    return s.found;
}
