// CarvingManager: a tool removes the elements of surfaces that it comes close to (SofaCarving).
//
// At the end of each step, while `active`: every detection between the tool and a model with the tag CarvingSurface whose value
// (distance, less the contact distance) is below `carvingDistance` names an element, which leaves its mesh; of a surface that is
// made from a volume, the volume's element behind it. Detections are those of this step's collision pass.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "collision/collision.h"
#include "collision/remove_picked.h"
#include "math/real.h"
#include "plan/edits.h"
#include "scene/scene.h"

typedef struct carving_manager {
    st_object object;
    st_object *tool, *narrow_phase;
    char *surface_path;
    st_real distance;
    bool active;
    char *key, *key_switch;
    bool first_active; // for a reset
    st_uints elements; // of one surface
} carving_manager;

static const st_field fields[] = {
    ST_FIELD(carving_manager, tool, "toolModel", st_type_link, NULL,
             "the tool; the first model with the tag CarvingTool when not given", .role = ST_ROLE(collision_model)),
    ST_FIELD(carving_manager, narrow_phase, "narrowPhaseDetection", st_type_link, NULL,
             "whose detections count; the narrow phase of the node or above when not given",
             .role = ST_ROLE(narrow_phase)),
    ST_FIELD(carving_manager, surface_path, "surfaceModelPath", st_type_string, NULL,
             "a model that must be there; carved are all with the tag CarvingSurface"),
    ST_FIELD(carving_manager, distance, "carvingDistance", st_type_real, "0",
             "elements closer than this, less the contact distance, are removed"),
    ST_FIELD(carving_manager, active, "active", st_type_bool, "0", "does the tool carve?"),
    ST_FIELD(carving_manager, key, "key", st_type_string, "1", "the tool carves while this key is pressed"),
    ST_FIELD(carving_manager, key_switch, "keySwitch", st_type_string, "4", "the key that switches carving on and off"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool has_tag(const st_object *object, const char *tag) {
    for (size_t i = 0; i < object->tags.count; i++)
        if (strcmp(object->tags.data[i], tag) == 0) return true;
    return false;
}

static st_object *tagged_model(const st_node *node, const char *tag) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (object->type->collision_model && has_tag(object, tag)) return object;
    }
    for (size_t i = 0; i < node->children.count; i++) {
        st_object *found = tagged_model(node->children.data[i], tag);
        if (found) return found;
    }
    return NULL;
}

static st_object *narrow_phase_above(const st_node *node) {
    for (; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++)
            if (node->objects.data[i]->type->narrow_phase) return node->objects.data[i];
    return NULL;
}

static st_status carving_manager_init(st_object *object) {
    carving_manager *self = (carving_manager *)object;
    const st_node *root = object->scene->root;
    self->first_active = self->active;

    if (!self->tool) self->tool = tagged_model(root, "CarvingTool");
    if (!self->tool)
        return st_invalid(object, "there is no tool: name it by toolModel, or give it the tag CarvingTool");
    const bool named = self->surface_path && *self->surface_path;
    if (named && !st_find_path(object->node, self->surface_path, ST_ROLE(collision_model)))
        return st_invalid(object, "surfaceModelPath \"%s\" is no collision model", self->surface_path);
    if (!named && !tagged_model(root, "CarvingSurface"))
        return st_invalid(object, "there is no surface: give collision models the tag CarvingSurface");
    if (!self->narrow_phase) self->narrow_phase = narrow_phase_above(object->node);
    if (!self->narrow_phase) return st_invalid(object, "there is no narrow phase in its node or above");
    if (!isfinite(self->distance)) return st_invalid(object, "carvingDistance is not finite");
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Carving
// ---------------------------------------------------------------------------------------------------

// Elements of one pair that are close enough.
static bool carving_manager_collect(carving_manager *self, const st_model_detections *output, int side) {
    self->elements.count = 0;
    for (size_t i = 0; i < output->found.list.count; i++) {
        const st_detection *d = &output->found.list.data[i];
        if (d->value < self->distance && !st_list_push(&self->elements, d->element[side])) return false;
    }
    return true;
}

static void carve(carving_manager *self) {
    const st_narrow_phase *phase = (const st_narrow_phase *)self->narrow_phase;
    for (size_t i = 0; i < phase->outputs.count; i++) {
        const st_model_detections *output = phase->outputs.data[i];
        for (int side = 0; side < 2; side++) {
            const st_collision_model *surface = output->model[side];
            if (&output->model[1 - side]->object != self->tool || !has_tag(&surface->object, "CarvingSurface"))
                continue;
            if (!carving_manager_collect(self, output, side)) {
                st_message(&self->object, ST_ERROR, "out of memory: elements to carve");
                return;
            }
            if (self->elements.count) st_remove_picked(surface, self->elements.data, self->elements.count);
        }
    }
}

static void carving_manager_event(st_object *object, st_event *event) {
    carving_manager *self = (carving_manager *)object;
    const bool key = self->key && event->key && event->key == self->key[0];
    const bool key_switch = self->key_switch && event->key && event->key == self->key_switch[0];

    if (event->kind == ST_EVENT_KEY_PRESSED && key) self->active = true;
    if (event->kind == ST_EVENT_KEY_RELEASED && key) self->active = false;
    if (event->kind == ST_EVENT_KEY_PRESSED && key_switch) self->active = !self->active;
    if (event->kind != ST_EVENT_ANIMATE_END || !self->active) return;
    carve(self);
    st_finish_edits(object->scene);
}

static void carving_manager_reset(st_object *object) {
    carving_manager *self = (carving_manager *)object;
    self->active = self->first_active;
}

static void carving_manager_destroy(st_object *object) { st_list_free(&((carving_manager *)object)->elements); }

const st_class st_carving_manager_class = {
    .name = "CarvingManager",
    .help = "a tool removes the elements of surfaces that it comes close to",
    .kind = "recorder",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(carving_manager),
    .example = "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><LocalMinDistance/>\n"
               "<TriangleSetTopologyContainer position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<TriangleSetTopologyModifier/><MechanicalObject/>\n"
               "<TriangleCollisionModel name=\"surface\" tags=\"CarvingSurface\"/>\n"
               "<SphereCollisionModel name=\"tool\" tags=\"CarvingTool\"/>\n"
               "<CarvingManager active=\"1\"/>",
    .flags = ST_CLASS_LISTENING,
    .init = carving_manager_init,
    .reset = carving_manager_reset,
    .event = carving_manager_event,
    .destroy = carving_manager_destroy,
};
