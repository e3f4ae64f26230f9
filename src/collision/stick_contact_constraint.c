// StickContactConstraint: contact points that stay where they met, held by Lagrange multipliers, also when nothing is
// detected any more.
//
// Detections at the place of an earlier one are ignored; each of the others is a pair of BilateralLagrangianConstraint
// with the vector between the two points as rest vector. Steps without detections keep the last pairs.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_pair.h"
#include "law/bilateral.h"
#include "scene/scene.h"
#include "settee/contact.h"

typedef struct stick {
    st_bilateral law;
    bool keep_alive;
    st_reals normals; // of the detections, Vec3
} stick;

static const st_field fields[] = {
    ST_FIELD(stick, keep_alive, "keepAlive", st_type_bool, "1", "pairs stay when nothing is detected any more"),
    ST_FIELDS_END,
};

static bool stick_contact_constraint_fits(const st_collision_model *a, const st_collision_model *b) {
    return st_has_common_response(a) && st_has_common_response(b);
}

static void empty_pairs(st_bilateral *law) { law->first.count = law->second.count = law->rest.count = 0; }

static void stick_contact_constraint_connect(st_contact_pair *pair) {
    st_bilateral *law = (st_bilateral *)pair->response;
    law->law.state = pair->mapper[0].state;
    law->law.other = pair->mapper[1].state;
    law->memory.count = law->forces.count = 0;
    empty_pairs(law);
}

// Laws act after the response only: what is kept can stay.
static void stick_contact_constraint_clear(st_contact_pair *pair) { (void)pair; }

static bool stick_contact_constraint_stays(const st_contact_pair *pair) {
    return ((const stick *)pair->response)->keep_alive;
}

static bool add_pair(st_bilateral *law, st_contact_pair *pair, const st_detection *d) {
    const uint32_t first = st_contact_pair_add(pair, 0, d->element[0], d->point[0]);
    const uint32_t second = st_contact_pair_add(pair, 1, d->element[1], d->point[1]);
    const size_t n = law->first.count;
    if (first == ST_INVALID_INDEX || second == ST_INVALID_INDEX || !st_list_push(&law->first, first) ||
        !st_list_push(&law->second, second) || !st_list_set_count(&law->rest, n + 1, 3) ||
        !st_list_set_count(&((stick *)law)->normals, n + 1, 3))
        return false;
    st_vec3_copy(((stick *)law)->normals.data + 3 * n, d->normal);
    st_vec3_sub(law->rest.data + 3 * n, d->point[1], d->point[0]);
    return true;
}

static st_status stick_contact_constraint_fill(st_contact_pair *pair, const st_intersection *method,
                                               const st_detections *found) {
    (void)method;
    st_bilateral *law = (st_bilateral *)pair->response;
    if (found->list.count == 0) return ST_OK;

    empty_pairs(law);
    bool ok = st_contact_pair_keep_distinct(pair, found, true) && st_contact_pair_begin(pair);
    for (size_t k = 0; ok && k < pair->kept.count; k++) ok = add_pair(law, pair, &found->list.data[pair->kept.data[k]]);
    if (ok && st_contact_pair_end(pair) && st_contact_pair_move_freely(pair)) return ST_OK;

    empty_pairs(law);
    st_message(pair->response, ST_ERROR, "out of memory: %zu contacts", found->list.count);
    return ST_OUT_OF_MEMORY;
}

// The gap is how far the points are from where they met, along the normal; the force is the multiplier over dt.
static bool stick_contact_constraint_report(const st_contact_pair *pair, size_t i, st_contact_report *r) {
    const stick *self = (const stick *)pair->response;
    const st_bilateral *law = &self->law;
    const st_state *one = law->law.state, *two = law->law.other;
    if (i >= law->first.count || i >= self->normals.count || !one || !two) return false;
    if (law->first.data[i] >= one->size || law->second.data[i] >= two->size) return false;

    // where the points are, and where they met
    st_real apart[3];
    st_vec3_copy(r->point[0], one->coord[ST_COORD_POSITION].data + 3 * (size_t)law->first.data[i]);
    st_vec3_copy(r->point[1], two->coord[ST_COORD_POSITION].data + 3 * (size_t)law->second.data[i]);
    st_vec3_copy(r->normal, self->normals.data + 3 * i);
    st_vec3_sub(apart, r->point[1], r->point[0]);
    st_vec3_sub(apart, apart, law->rest.data + 3 * i);
    r->gap = st_vec3_dot(apart, r->normal);

    // +f acts on the second point
    const st_real dt = pair->response->scene->root->dt;
    if (i < law->forces.count && dt > 0) st_vec3_scale(r->force, law->forces.data + 3 * i, 1 / dt);
    r->motion = ST_CONTACT_STICKS;
    return true;
}

static void stick_contact_constraint_destroy(st_object *object) {
    st_list_free(&((stick *)object)->normals);
    st_bilateral_lagrangian_constraint_class.destroy(object);
}

static const st_response_ops ops = {.connect = stick_contact_constraint_connect,
                                    .fill = stick_contact_constraint_fill,
                                    .clear = stick_contact_constraint_clear,
                                    .fits = stick_contact_constraint_fits,
                                    .stays = stick_contact_constraint_stays,
                                    .report = stick_contact_constraint_report};

const st_class st_stick_contact_constraint_class = {
    .name = "StickContactConstraint",
    .help = "collision response: contact points that stay together, by Lagrange multipliers",
    .parent = &st_bilateral_lagrangian_constraint_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(stick),
    .destroy = stick_contact_constraint_destroy,
    .response = &ops,
};
