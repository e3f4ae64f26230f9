// StickContactForceField: springs that hold contact points where they met, and go on holding when they part.
//
// Of the detections with one id the nearest becomes a spring of VectorSpringForceField, with the sum of the models'
// contactStiffness as stiffness, the sum of their contactFriction as damping, and the vector between the two points as
// rest vector: in each step with detections the springs begin without a force.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_pair.h"
#include "force/spring/vector_springs.h"
#include "math/vec3.h"
#include "settee/contact.h"

typedef struct stick {
    st_vector_springs springs;
    bool keep_alive;
    st_reals normals; // of the detections, Vec3
    size_t hidden;    // springs that do not act between the reset of a collision pass and its response
} stick;

static const st_field fields[] = {
    ST_FIELD(stick, keep_alive, "keepAlive", st_type_bool, "1", "springs stay when nothing is detected any more"),
    ST_FIELDS_END,
};

static bool stick_contact_fits(const st_collision_model *a, const st_collision_model *b) {
    return st_has_common_response(a) && st_has_common_response(b);
}

static void stick_contact_connect(st_contact_pair *pair) {
    stick *self = (stick *)pair->response;
    self->springs.base.state = pair->mapper[0].state;
    self->springs.base.other = pair->mapper[1].state;
    self->hidden = 0;
    st_vector_springs_clear(&self->springs);
}

static void stick_contact_clear(st_contact_pair *pair) {
    stick *self = (stick *)pair->response;
    if (self->springs.kernel.springs.count == 0) return;
    self->hidden = self->springs.kernel.springs.count;
    self->springs.kernel.springs.count = 0;
}

static bool stick_contact_stays(const st_contact_pair *pair) { return ((const stick *)pair->response)->keep_alive; }

static bool add_spring(stick *self, st_contact_pair *pair, const st_detection *d) {
    const st_collision_model *a = pair->model[0], *b = pair->model[1];
    const uint32_t first = st_contact_pair_add(pair, 0, d->element[0], d->point[0]);
    const uint32_t second = st_contact_pair_add(pair, 1, d->element[1], d->point[1]);
    if (first == ST_INVALID_INDEX || second == ST_INVALID_INDEX) return false;

    // without force where they are now
    const size_t n = self->springs.kernel.springs.count;
    st_real rest[3];
    if (!st_list_set_count(&self->normals, n + 1, 3)) return false;
    st_vec3_copy(self->normals.data + 3 * n, d->normal);
    st_vec3_sub(rest, d->point[1], d->point[0]);
    return st_vector_springs_add(&self->springs, first, second, self->springs.stiffness,
                                 a->contact_friction + b->contact_friction, rest);
}

static st_status stick_contact_fill(st_contact_pair *pair, const st_intersection *method, const st_detections *found) {
    (void)method;
    stick *self = (stick *)pair->response;
    if (found->list.count == 0) { // kept alive: the springs act again
        if (self->springs.kernel.springs.count == 0) self->springs.kernel.springs.count = self->hidden;
        return ST_OK;
    }

    // a step with detections starts from scratch
    st_vector_springs_clear(&self->springs);
    self->hidden = 0;
    self->springs.stiffness = pair->model[0]->contact_stiffness + pair->model[1]->contact_stiffness;
    bool ok = st_contact_pair_keep_nearest(pair, found) && st_contact_pair_begin(pair);
    for (size_t k = 0; ok && k < pair->kept.count; k++)
        ok = add_spring(self, pair, &found->list.data[pair->kept.data[k]]);
    if (ok && st_contact_pair_end(pair)) return ST_OK;

    st_vector_springs_clear(&self->springs);
    st_message(pair->response, ST_ERROR, "out of memory: %zu contacts", found->list.count);
    return ST_OUT_OF_MEMORY;
}

// The gap is how far the points are from where they met, along the normal.
static bool stick_contact_report(const st_contact_pair *pair, size_t i, st_contact_report *r) {
    const stick *self = (const stick *)pair->response;
    const st_state *one = self->springs.base.state, *two = self->springs.base.other;
    if (i >= self->springs.kernel.springs.count || i >= self->normals.count || !one || !two) return false;
    const st_spring *s = &self->springs.kernel.springs.data[i];
    if (s->a >= one->size || s->b >= two->size) return false;

    // F = ks (x2 - x1 - rest) + kd (v2 - v1), against which the second point is drawn
    st_real stretch[3];
    st_vec3_copy(r->point[0], one->coord[ST_COORD_POSITION].data + 3 * (size_t)s->a);
    st_vec3_copy(r->point[1], two->coord[ST_COORD_POSITION].data + 3 * (size_t)s->b);
    st_vec3_copy(r->normal, self->normals.data + 3 * i);
    st_vec3_sub(stretch, r->point[1], r->point[0]);
    st_vec3_sub(stretch, stretch, self->springs.rest.data + 3 * i);
    r->gap = st_vec3_dot(stretch, r->normal);
    st_vec3_scale(r->force, stretch, -s->stiffness);

    const st_reals *v1 = &one->deriv[ST_DERIV_VELOCITY], *v2 = &two->deriv[ST_DERIV_VELOCITY];
    for (size_t k = 0; k < 3 && v1->count == one->size && v2->count == two->size; k++)
        r->force[k] -= s->damping * (v2->data[3 * (size_t)s->b + k] - v1->data[3 * (size_t)s->a + k]);
    r->motion = ST_CONTACT_STICKS;
    return true;
}

static void stick_contact_destroy(st_object *object) {
    st_list_free(&((stick *)object)->normals);
    st_vector_spring_force_field_class.destroy(object);
}

static const st_response_ops ops = {.connect = stick_contact_connect,
                                    .fill = stick_contact_fill,
                                    .clear = stick_contact_clear,
                                    .fits = stick_contact_fits,
                                    .stays = stick_contact_stays,
                                    .report = stick_contact_report};

// The springs come from contacts: they stay.
static st_status stick_reinit(st_object *object) {
    (void)object;
    return ST_OK;
}

const st_class st_stick_contact_force_field_class = {
    .name = "StickContactForceField",
    .help = "collision response: springs that hold contact points together",
    .parent = &st_vector_spring_force_field_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(stick),
    .example = "<Node name=\"above\"><MechanicalObject name=\"dofs\" position=\"0 0.3 0  1 0.4 0.1\"/></Node>\n"
               "<Node name=\"below\"><MechanicalObject name=\"dofs\" position=\"0 0 0  1 0.1 0\"/></Node>\n"
               "<StickContactForceField object1=\"@below/dofs\" object2=\"@above/dofs\" stiffness=\"20\"/>",
    .reinit = stick_reinit,
    .flags = ST_CLASS_EXPLICIT_DAMPING,
    .destroy = stick_contact_destroy,
    .response = &ops,
};
