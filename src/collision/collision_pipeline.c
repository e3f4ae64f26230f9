// CollisionPipeline: detection and response for all models at and below its node. And how loops call pipelines.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/sub_collision_pipeline.h"
#include "scene/scene.h"

typedef struct pipeline {
    st_object object;
    int32_t depth;
    bool verbose, draw, parallel;
    st_detection_sequence sequence;
} pipeline;

static const st_field fields[] = {
    ST_FIELD(pipeline, depth, "depth", st_type_int, "6", "levels of the trees of boxes below their roots"),
    ST_FIELD(pipeline, verbose, "verbose", st_type_bool, "0", "messages of SOFA", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(pipeline, draw, "draw", st_type_bool, "0", "draw the contacts", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(pipeline, parallel, "parallelDetection", st_type_bool, "0", "threading hint without effect on results",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// Models that come later are ignored.
static st_status collision_pipeline_init(st_object *object) {
    pipeline *self = (pipeline *)object;
    st_detection_sequence *sequence = &self->sequence;
    if (self->depth < 0) {
        st_message(object, ST_WARNING, "depth = %d is negative: %d is taken", (int)self->depth, ST_TREE_DEPTH);
        self->depth = ST_TREE_DEPTH;
    }

    // the parts, wherever they are at and below the node
    sequence->models.count = 0;
    if (!st_collect_models(object->node, &sequence->models)) return st_invalid(object, "out of memory: its models");

    sequence->intersection = (st_intersection *)st_find(object->node, ST_ROLE(intersection), ST_DOWN);
    sequence->broad_phase = (st_broad_phase *)st_find(object->node, ST_ROLE(broad_phase), ST_DOWN);
    sequence->narrow_phase = (st_narrow_phase *)st_find(object->node, ST_ROLE(narrow_phase), ST_DOWN);
    sequence->manager = (st_contact_manager *)st_find(object->node, ST_ROLE(contact_manager), ST_DOWN);

    st_detection_sequence_check(sequence, object);
    return ST_OK;
}

static void collision_pipeline_destroy(st_object *object) {
    st_detection_sequence_free(&((pipeline *)object)->sequence);
}

// The depth may be written while the scene runs.
static void collision_pipeline_reset(st_object *object) {
    st_detection_sequence_reset(&((pipeline *)object)->sequence);
}

static st_status collision_pipeline_detect(st_object *object) {
    pipeline *self = (pipeline *)object;
    return st_detection_sequence_detect(&self->sequence, self->depth < 0 ? ST_TREE_DEPTH : (size_t)self->depth);
}

static st_status collision_pipeline_respond(st_object *object) {
    return st_detection_sequence_respond(&((pipeline *)object)->sequence, object->node);
}

static const st_collision_pipeline_ops ops = {collision_pipeline_reset, collision_pipeline_detect,
                                              collision_pipeline_respond};

const st_class st_collision_pipeline_class = {
    .name = "CollisionPipeline",
    .help = "finds the contacts between the collision models at and below its node, and lets them act",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(pipeline),
    .init = collision_pipeline_init,
    .destroy = collision_pipeline_destroy,
    .collision_pipeline = &ops,
};

// ---------------------------------------------------------------------------------------------------
// Passes
// ---------------------------------------------------------------------------------------------------

static st_status collision_pipeline_run(st_object *object, unsigned passes) {
    const st_collision_pipeline_ops *pipeline_ops = object->type->collision_pipeline;
    st_status status = ST_OK;
    if (passes & ST_COLLISION_RESET) pipeline_ops->reset(object);
    if (passes & ST_COLLISION_DETECT) status = pipeline_ops->detect(object);
    if (status == ST_OK && (passes & ST_COLLISION_RESPOND)) status = pipeline_ops->respond(object);
    return status;
}

st_status st_collide(st_object *const *pipelines, size_t count, const st_strings *tags, unsigned passes) {
    if (count == 0) return ST_OK;
    st_scene *scene = pipelines[0]->scene;
    st_profile_begin(scene, "collision");
    st_status status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < count; i++)
        if (st_is_valid(pipelines[i]) && st_tags_include(&pipelines[i]->tags, tags)) {
            st_profile_enter(pipelines[i]);
            status = collision_pipeline_run(pipelines[i], passes);
            st_profile_leave(pipelines[i], 0);
        }
    st_profile_end(scene, 0);
    return status;
}
