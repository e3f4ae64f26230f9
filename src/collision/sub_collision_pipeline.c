// SubCollisionPipeline: a part of a CompositeCollisionPipeline, with models and components of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/sub_collision_pipeline.h"

#include "base/pointer_table.h"
#include "base/pool.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// The sequence
// ---------------------------------------------------------------------------------------------------

static void require(st_detection_sequence *sequence, const st_object *object, const void *part, const char *what) {
    if (part) return;
    st_message(object, ST_WARNING, "%s is required to compute collision detection: nothing touches", what);
    sequence->complete = false;
}

void st_detection_sequence_check(st_detection_sequence *sequence, const st_object *object) {
    sequence->complete = true;
    require(sequence, object, sequence->intersection, "an intersection method (NewProximityIntersection, ...)");
    require(sequence, object, sequence->broad_phase, "a broad phase (BruteForceBroadPhase)");
    require(sequence, object, sequence->narrow_phase, "a narrow phase (BVHNarrowPhase)");
    require(sequence, object, sequence->manager, "a contact manager (CollisionResponse)");
}

static const st_contact_manager_ops *manager_ops(const st_detection_sequence *sequence) {
    return sequence->manager->object.type->contact_manager;
}

void st_detection_sequence_reset(st_detection_sequence *sequence) {
    if (sequence->complete) manager_ops(sequence)->reset(sequence->manager);
}

static bool may_touch(const st_collision_model *model, const st_collision_model *other) {
    return other != model && (model->simulated || other->simulated) && st_collision_model_is_active(other) &&
           st_models_can_collide(model, other);
}

// Someone whom the model may touch is remembered: the next step asks for that one first.
static bool may_touch_something(const st_detection_sequence *sequence, st_collision_model *model) {
    if (model->simulated && model->self_collision) return true;
    if (model->partner < sequence->models.count && may_touch(model, sequence->models.data[model->partner])) return true;

    for (size_t i = 0; i < sequence->models.count; i++)
        if (may_touch(model, sequence->models.data[i])) {
            model->partner = i;
            return true;
        }
    return false;
}

static void follow(void *context, size_t begin, size_t end) {
    const st_collision_models *models = context;
    for (size_t i = begin; i < end; i++) st_collision_model_follow(models->data[i]);
}

// A model that nothing can touch, such as the only object of a scene, needs its tree for the order of a later time
// alone: it is built, and its boxes are left as they are.
static st_status find_active(st_detection_sequence *sequence, size_t depth) {
    st_status status = ST_OK;
    sequence->active.count = 0;

    for (size_t i = 0; status == ST_OK && i < sequence->models.count; i++) {
        st_collision_model *model = sequence->models.data[i];

        if (!st_collision_model_is_active(model)) continue;
        if (model->tree.built && !may_touch_something(sequence, model)) continue;

        // elements and trees of those that matter
        status = st_collision_model_begin(model, depth, sequence->intersection->sweep);
        if (status == ST_OK && !st_list_push(&sequence->active, model)) status = ST_OUT_OF_MEMORY;
    }
    if (status != ST_OK || sequence->active.count == 0) return status;

    // boxes of one model do not depend on another one
    st_pool *pool = sequence->active.data[0]->object.scene->pool;
    st_parallel_for(pool, sequence->active.count, 1, follow, &sequence->active);
    for (size_t i = 0; status == ST_OK && i < sequence->active.count; i++)
        status = st_collision_model_end(sequence->active.data[i]);
    return status;
}

st_status st_detection_sequence_detect(st_detection_sequence *sequence, size_t depth) {
    if (!sequence->complete) return ST_OK;

    st_broad_phase *broad = sequence->broad_phase;
    st_narrow_phase *narrow = sequence->narrow_phase;

    // trees, pairs of models, pairs of elements
    st_status status = find_active(sequence, depth);
    if (status == ST_OK)
        status = broad->object.type->broad_phase->find(broad, sequence->intersection, &sequence->active);
    if (status == ST_OK)
        status = narrow->object.type->narrow_phase->find(narrow, sequence->intersection, &broad->pairs);
    return status;
}

st_status st_detection_sequence_respond(st_detection_sequence *sequence, st_node *node) {
    if (!sequence->complete) return ST_OK;
    return manager_ops(sequence)->respond(sequence->manager, node, sequence->intersection, sequence->narrow_phase);
}

void st_detection_sequence_free(st_detection_sequence *sequence) {
    st_list_free(&sequence->models);
    st_list_free(&sequence->active);
}

bool st_collect_models(st_node *node, st_collision_models *models) {
    bool ok = true;
    for (size_t i = 0; ok && i < node->objects.count; i++)
        if (st_has_role(node->objects.data[i], ST_ROLE(collision_model)))
            ok = st_list_push(models, (st_collision_model *)node->objects.data[i]);
    for (size_t i = 0; ok && i < node->children.count; i++) ok = st_collect_models(node->children.data[i], models);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// The component
// ---------------------------------------------------------------------------------------------------

#define LINK(member, name, role_, help)                                                                                \
    ST_FIELD(st_sub_pipeline, member, name, st_type_link, NULL, help, .role = ST_ROLE(role_))

static const st_field fields[] = {
    ST_FIELD(st_sub_pipeline, depth, "depth", st_type_uint, "6", "levels of the trees of boxes below their roots"),
    ST_FIELD(st_sub_pipeline, models, "collisionModels", st_type_links, NULL, "its models, in this order",
             .role = ST_ROLE(collision_model)),
    LINK(intersection, "intersectionMethod", intersection, "its intersection method"),
    LINK(broad_phase, "broadPhaseDetection", broad_phase, "its broad phase"),
    LINK(narrow_phase, "narrowPhaseDetection", narrow_phase, "its narrow phase"),
    LINK(manager, "contactManager", contact_manager, "its contact manager"),
    ST_FIELDS_END,
};

// Each once: what is found between two models has one list, which one thread fills.
static bool take_models(st_sub_pipeline *self) {
    st_pointer_table met = {0};
    bool ok = true;
    self->sequence.models.count = 0;

    for (size_t i = 0; ok && i < self->models.count; i++) {
        st_object *model = self->models.data[i];
        if (!model) continue;
        if (st_pointer_table_get(&met, model, NULL) != SIZE_MAX)
            st_message(&self->object, ST_WARNING, "collisionModels names '%s' twice", st_path(model));
        else
            ok = st_pointer_table_put(&met, model, NULL, i) &&
                 st_list_push(&self->sequence.models, (st_collision_model *)model);
    }

    st_pointer_table_free(&met);
    return ok;
}

static st_status sub_collision_pipeline_init(st_object *object) {
    st_sub_pipeline *self = (st_sub_pipeline *)object;
    st_detection_sequence *sequence = &self->sequence;
    sequence->intersection = (st_intersection *)self->intersection;
    sequence->broad_phase = (st_broad_phase *)self->broad_phase;
    sequence->narrow_phase = (st_narrow_phase *)self->narrow_phase;
    sequence->manager = (st_contact_manager *)self->manager;

    if (!take_models(self)) return st_invalid(object, "out of memory: %zu models", self->models.count);
    st_detection_sequence_check(sequence, object);
    if (sequence->models.count == 0) st_message(object, ST_WARNING, "it has no collision model: nothing touches");
    return ST_OK;
}

static void sub_collision_pipeline_destroy(st_object *object) {
    st_detection_sequence_free(&((st_sub_pipeline *)object)->sequence);
}

const st_class st_sub_collision_pipeline_class = {
    .name = "SubCollisionPipeline",
    .help = "detection and response for some models, as part of a CompositeCollisionPipeline",
    .kind = "collision pipeline",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_sub_pipeline),
    .init = sub_collision_pipeline_init,
    .destroy = sub_collision_pipeline_destroy,
};
