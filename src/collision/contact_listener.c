// ContactListener: the detections of one model, or of a pair, readable after each collision pass.
//
// With one model given, all pairs of which it is part; with two, their pair.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/collision.h"
#include "scene/scene.h"

typedef struct listener {
    st_object object;
    st_object *model[2];
    uint32_t count;
    st_uints elements;
    st_reals points, normals, distances;
    bool ok;
} listener;

static const st_field fields[] = {
    ST_FIELD(listener, model[0], "collisionModel1", st_type_link, NULL, "a model", .role = ST_ROLE(collision_model)),
    ST_FIELD(listener, model[1], "collisionModel2", st_type_link, NULL, "another one; not given: any",
             .role = ST_ROLE(collision_model)),
    ST_FIELD(listener, count, "numberOfContacts", st_type_uint, "0", "detections of the last pass",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(listener, elements, "elements", st_type_indices, NULL,
             "two elements for each: of the first model and of the second", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(listener, points, "points", st_type_vec3s, NULL, "two points for each, on the elements",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(listener, normals, "normals", st_type_vec3s, NULL, "from the first element to the second",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(listener, distances, "distances", st_type_reals, NULL,
             "what is missing to, or above, the contact distance", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// 0: not of interest; 1: as it is; -1: the other way around.
static int side_of(const listener *self, const st_model_detections *output) {
    const st_object *a = &output->model[0]->object, *b = &output->model[1]->object;
    const st_object *one = self->model[0] ? self->model[0] : self->model[1];
    const st_object *two = self->model[0] ? self->model[1] : NULL;
    if (a == one && (!two || b == two)) return 1;
    return b == one && (!two || a == two) ? -1 : 0;
}

static bool copy_detection(listener *self, const st_detection *d, bool swapped) {
    const size_t n = self->count++;
    if (!st_list_set_count(&self->elements, 2 * n + 2, 1) || !st_list_set_count(&self->points, 2 * n + 2, 3) ||
        !st_list_set_count(&self->normals, n + 1, 3) || !st_list_push(&self->distances, d->value))
        return false;
    for (size_t side = 0; side < 2; side++) {
        const size_t from = swapped ? 1 - side : side;
        self->elements.data[2 * n + side] = d->element[from];
        st_copy_reals(self->points.data + 6 * n + 3 * side, d->point[from], 3);
    }
    for (size_t k = 0; k < 3; k++) self->normals.data[3 * n + k] = swapped ? -d->normal[k] : d->normal[k];
    return true;
}

static bool listen_to(st_node *node, void *context) {
    listener *self = context;
    for (size_t i = 0; self->ok && i < node->objects.count; i++) {
        if (!node->objects.data[i]->type->narrow_phase) continue;
        const st_narrow_phase *phase = (const st_narrow_phase *)node->objects.data[i];
        for (size_t k = 0; self->ok && k < phase->outputs.count; k++) {
            const st_model_detections *output = phase->outputs.data[k];
            const int side = side_of(self, output);
            for (size_t d = 0; side && self->ok && d < output->found.list.count; d++)
                self->ok = copy_detection(self, &output->found.list.data[d], side < 0);
        }
    }
    return self->ok;
}

static void contact_listener_empty(listener *self) {
    self->count = 0;
    self->elements.count = self->points.count = self->normals.count = self->distances.count = 0;
}

static void contact_listener_event(st_object *object, st_event *event) {
    listener *self = (listener *)object;
    if (event->kind != ST_EVENT_COLLISION_END) return;

    // all narrow phases of the scene
    contact_listener_empty(self);
    self->ok = true;
    st_visit(object->scene->root, listen_to, self);
    if (!self->ok) {
        contact_listener_empty(self);
        st_message(object, ST_ERROR, "out of memory: contacts");
    }
    st_touch(object, &self->count);
    st_touch(object, &self->elements);
    st_touch(object, &self->points);
    st_touch(object, &self->normals);
    st_touch(object, &self->distances);
}

static st_status contact_listener_init(st_object *object) {
    const listener *self = (const listener *)object;
    if (self->model[0] || self->model[1]) return ST_OK;
    return st_invalid(object, "collisionModel1 and collisionModel2 are not given: it hears nothing");
}

static void contact_listener_reset(st_object *object) { contact_listener_empty((listener *)object); }

const st_class st_contact_listener_class = {
    .name = "ContactListener",
    .help = "the detections of one model, or of two, as fields",
    .kind = "contact manager",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(listener),
    .flags = ST_CLASS_LISTENING,
    .init = contact_listener_init,
    .reset = contact_listener_reset,
    .event = contact_listener_event,
};
