// The base of intersection methods: the table of tests.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"

#include <stdio.h>

void st_intersection_enter(st_intersection *method, const st_element_test_entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct st_table_place *place = &method->table[entries[i].first][entries[i].second];
        place->test = entries[i].test;
        place->known = true;
    }
}

static const char *class_of(const st_collision_model *model) { return model->object.type->name; }

static void report_missing(const st_intersection *method, const st_collision_model *a, const st_collision_model *b) {
    char key[32];
    snprintf(key, sizeof key, "no test %d %d", (int)a->primitive, (int)b->primitive);
    st_message_once(&method->object, key, ST_WARNING, "has no test between %s and %s: such models do not touch",
                    class_of(a), class_of(b));
}

st_element_test *st_intersection_find(st_intersection *method, const st_collision_model *a, const st_collision_model *b,
                                      bool *swap) {
    struct st_table_place *place = &method->table[a->primitive][b->primitive];
    struct st_table_place *reverse = &method->table[b->primitive][a->primitive];
    *swap = !place->known && reverse->known;
    if (*swap) place = reverse;
    if (!place->known) report_missing(method, a, b);
    return place->test;
}

bool st_intersection_prepare_flags(st_intersection *method, st_collision_model *model) {
    (void)method;
    const st_collision_model_ops *ops = st_model_ops(model);
    return !ops->prepare || ops->prepare(model);
}

const st_class st_intersection_class = {
    .name = "Intersection",
    .help = "what every intersection method has",
    .parent = &st_object_class,
    .size = sizeof(st_intersection),
    .flags = ST_CLASS_ABSTRACT,
};

static const st_field proximity_fields[] = {
    ST_FIELD(st_intersection, alarm, "alarmDistance", st_type_real, "1", "elements that are nearer are looked at",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(st_intersection, contact, "contactDistance", st_type_real, "0.5", "distance that contacts keep",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELDS_END,
};

// A negative distance would be squared, and act as a positive one.
static st_status intersection_proximity_init(st_object *object) {
    const st_intersection *method = (const st_intersection *)object;
    if (method->alarm >= 0 && method->contact >= 0) return ST_OK;
    return st_invalid(object, "alarmDistance is %g and contactDistance %g: neither can be negative",
                      (double)method->alarm, (double)method->contact);
}

const st_class st_proximity_intersection_class = {
    .name = "ProximityIntersection",
    .help = "what every intersection method with distances has",
    .parent = &st_intersection_class,
    .fields = proximity_fields,
    .size = sizeof(st_intersection),
    .flags = ST_CLASS_ABSTRACT,
    .init = intersection_proximity_init,
};
