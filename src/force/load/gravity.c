// Gravity: replaces the gravity of its node, and thereby of all below it, each time the context is handed down.
//
// SPDX-License-Identifier: Apache-2.0
#include "math/vec3.h"
#include "settee/plugin/component.h"

typedef struct gravity {
    st_object object;
    st_real gravity[3];
} gravity;

static void gravity_apply(st_object *object, st_node *node) {
    st_vec3_copy(node->gravity, ((gravity *)object)->gravity);
}

static const st_field fields[] = {
    ST_FIELD(gravity, gravity, "gravity", st_type_vec3, "0 0 0", "gravity of the node and of those below it"),
    ST_FIELDS_END,
};

static const st_context_ops context_ops = {.apply = gravity_apply};

const st_class st_gravity_class = {
    .name = "Gravity",
    .help = "replaces the gravity of its node and of those below it",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(gravity),
    .example = "<Gravity gravity=\"0 0 -1.62\"/>",
    .context = &context_ops,
};
