// CompositeCollisionPipeline: several sub-pipelines, whose models do not touch each other's.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/sub_collision_pipeline.h"

typedef struct composite {
    st_object object;
    ST_LIST(st_object *) parts;
    bool parallel;
    bool usable;
} composite;

static const st_field fields[] = {
    ST_FIELD(composite, parts, "subCollisionPipelines", st_type_links, NULL, "sub-pipelines, in this order"),
    ST_FIELD(composite, parallel, "parallelDetection", st_type_bool, "0", "threading hint without effect on results",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static bool is_part(const st_object *object) { return object && st_is_a(object, &st_sub_collision_pipeline_class); }

static bool has_model(const st_sub_pipeline *part, const st_collision_model *model) {
    for (size_t i = 0; i < part->models.count; i++)
        if (part->models.data[i] == &model->object) return true;
    return false;
}

static void report_uncovered(const composite *self, const st_collision_models *models) {
    for (size_t i = 0; i < models->count; i++) {
        bool covered = false;
        for (size_t k = 0; k < self->parts.count; k++)
            covered = covered || has_model((const st_sub_pipeline *)self->parts.data[k], models->data[i]);
        if (!covered)
            st_message(&self->object, ST_WARNING, "no sub-pipeline has the model '%s': it touches nothing",
                       st_path(&models->data[i]->object));
    }
}

static st_status composite_collision_pipeline_init(st_object *object) {
    composite *self = (composite *)object;
    self->usable = false;
    if (self->parts.count == 0) {
        st_message(object, ST_WARNING, "subCollisionPipelines names none: nothing touches");
        return ST_OK;
    }
    for (size_t i = 0; i < self->parts.count; i++)
        if (!is_part(self->parts.data[i]))
            return st_invalid(object, "entry %zu of subCollisionPipelines is no SubCollisionPipeline: nothing touches",
                              i);
    st_collision_models models = {0};
    if (st_collect_models(object->node, &models)) report_uncovered(self, &models);
    st_list_free(&models);
    self->usable = true;
    return ST_OK;
}

static st_sub_pipeline *part_of(const composite *self, size_t i) {
    return self->usable && is_part(self->parts.data[i]) && st_is_valid(self->parts.data[i])
               ? (st_sub_pipeline *)self->parts.data[i]
               : NULL;
}

static void composite_collision_pipeline_reset(st_object *object) {
    const composite *self = (const composite *)object;
    for (size_t i = 0; i < self->parts.count; i++)
        if (part_of(self, i)) st_detection_sequence_reset(&part_of(self, i)->sequence);
}

static st_status composite_collision_pipeline_detect(st_object *object) {
    const composite *self = (const composite *)object;
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < self->parts.count; i++)
        if (part_of(self, i))
            status = st_detection_sequence_detect(&part_of(self, i)->sequence, part_of(self, i)->depth);
    return status;
}

// Responses between simulated models are in the node of the sub-pipeline.
static st_status composite_collision_pipeline_respond(st_object *object) {
    const composite *self = (const composite *)object;
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < self->parts.count; i++)
        if (part_of(self, i))
            status = st_detection_sequence_respond(&part_of(self, i)->sequence, part_of(self, i)->object.node);
    return status;
}

static const st_collision_pipeline_ops ops = {composite_collision_pipeline_reset, composite_collision_pipeline_detect,
                                              composite_collision_pipeline_respond};

const st_class st_composite_collision_pipeline_class = {
    .name = "CompositeCollisionPipeline",
    .help = "several collision pipelines, each for models of its own",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(composite),
    .init = composite_collision_pipeline_init,
    .collision_pipeline = &ops,
};
