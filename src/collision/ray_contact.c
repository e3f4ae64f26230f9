// RayContact: the response of rays. It keeps what they have met, and exerts nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_pair.h"
#include "math/vec3.h"
#include "settee/contact.h"

typedef struct ray_contact {
    st_object object;
    st_detections met;
} ray_contact;

static bool ray_contact_fits(const st_collision_model *a, const st_collision_model *b) {
    return (a->primitive == ST_PRIMITIVE_RAY) != (b->primitive == ST_PRIMITIVE_RAY);
}

static void ray_contact_clear(st_contact_pair *pair) {
    ((ray_contact *)pair->response)->met.list.count = 0;
    pair->elements.count = 0;
}

static st_status ray_contact_fill(st_contact_pair *pair, const st_intersection *method, const st_detections *found) {
    ray_contact *self = (ray_contact *)pair->response;
    (void)method;
    ray_contact_clear(pair);
    const size_t count = found->list.count;
    if (!st_list_set_count(&self->met.list, count, 1) || !st_list_set_count(&pair->elements, 2 * count, 1)) {
        ray_contact_clear(pair);
        st_message(pair->response, ST_ERROR, "out of memory: %zu contacts", count);
        return ST_OUT_OF_MEMORY;
    }

    for (size_t i = 0; i < count; i++) {
        self->met.list.data[i] = found->list.data[i];
        for (size_t side = 0; side < 2; side++) pair->elements.data[2 * i + side] = found->list.data[i].element[side];
    }
    return ST_OK;
}

static bool ray_contact_report(const st_contact_pair *pair, size_t i, st_contact_report *r) {
    const ray_contact *self = (const ray_contact *)pair->response;
    if (i >= self->met.list.count) return false;
    const st_detection *d = &self->met.list.data[i];
    for (int side = 0; side < 2; side++) st_vec3_copy(r->point[side], d->point[side]);
    st_vec3_copy(r->normal, d->normal);
    r->gap = d->value;
    return true;
}

static void ray_contact_destroy(st_object *object) { st_list_free(&((ray_contact *)object)->met.list); }

static const st_response_ops ops = {.connect = ray_contact_clear,
                                    .fill = ray_contact_fill,
                                    .clear = ray_contact_clear,
                                    .fits = ray_contact_fits,
                                    .report = ray_contact_report,
                                    .of_rays = true};

const st_class st_ray_contact_class = {
    .name = "RayContact",
    .help = "collision response of rays: what they have met can be read, and nothing is pushed",
    .kind = "contact manager",
    .parent = &st_object_class,
    .templates = "Vec3",
    .size = sizeof(ray_contact),
    .destroy = ray_contact_destroy,
    .response = &ops,
};
