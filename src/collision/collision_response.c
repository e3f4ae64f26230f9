// CollisionResponse, the contact manager: a response for every pair of models in contact.
//
// What it does with the detections of a step:
//
//     1. for each pair of models with detections, in the order of the narrow phase: the contact pair is found, or made
//        with the response that its recipe names, and the response filled
//     2. pairs without detections leave the graph, unless their response wants to stay
//     3. responses are put at the end of their nodes in the order of the pairs, those with obstacles first; nothing is
//        done when all of them are in place
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "collision/collision_response.h"
#include "scene/scene.h"

enum { MOST_MESSAGES = 10 };

typedef st_collision_response manager;

static const st_field fields[] = {
    ST_FIELD(manager, response, "response", st_type_string, NULL,
             "the response of models that touch: PenalityContactForceField, FrictionContactConstraint, "
             "StickContactForceField, StickContactConstraint, AugmentedLagrangianResponseConstraint, RayContact; "
             "nullptr: none"),
    ST_FIELD(manager, parameters, "responseParams", st_type_string, NULL, "its parameters: name=value&name=value"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Which response
// ---------------------------------------------------------------------------------------------------

static bool is_text(const char *text) { return text && *text; }

const char *st_collision_response_recipe(st_contact_manager *base, const st_contact_pair *pair) {
    manager *self = (manager *)base;
    const char *a = pair->model[0]->contact_response, *b = pair->model[1]->contact_response;
    if (is_text(a) && (!is_text(b) || strcmp(a, b) == 0)) return a;
    if (is_text(b) && !is_text(a)) return b;

    if (!is_text(self->parameters)) return self->response ? self->response : "";
    st_free(self->recipe);
    self->recipe = st_string_format("%s?%s", self->response ? self->response : "", self->parameters);
    return self->recipe;
}

static bool has_ray(const st_contact_pair *pair) {
    return pair->model[0]->primitive == ST_PRIMITIVE_RAY || pair->model[1]->primitive == ST_PRIMITIVE_RAY;
}

static bool response_fits(const st_class *type, const st_contact_pair *pair) {
    if (!type || (has_ray(pair) && !type->response->of_rays)) return false;
    return !type->response->fits || type->response->fits(pair->model[0], pair->model[1]);
}

static const st_class *response_class(const st_scene *scene, const char *recipe) {
    char *name = st_string_copy_n(recipe, strcspn(recipe, "?"));
    const st_class *type = name ? st_registry_find(scene, name) : NULL;
    st_free(name);
    return type && type->response ? type : NULL;
}

static void collision_response_refuse(manager *self, const st_contact_pair *pair, const char *recipe) {
    if (self->refused++ >= MOST_MESSAGES) return;
    const st_object *a = &pair->model[0]->object, *b = &pair->model[1]->object;
    st_message(&self->base.object, ST_ERROR, "there is no response '%.120s' for %s(%s) and %s(%s): they do not touch",
               recipe, a->type->name, a->name ? a->name : "", b->type->name, b->name ? b->name : "");
}

static bool is_none(const char *recipe) {
    static const char none[] = "nullptr";
    return strcspn(recipe, "?") == sizeof none - 1 && strncmp(recipe, none, sizeof none - 1) == 0;
}

// ---------------------------------------------------------------------------------------------------
// Contact pairs
// ---------------------------------------------------------------------------------------------------

static st_pair_key key_of(const st_contact_pair *pair) { return pair->pair.key; }

static st_contact_pair *find_pair(manager *self, st_collision_model *a, st_collision_model *b) {
    const size_t place = st_pointer_table_get(&self->places, a, b);
    if (place != SIZE_MAX) return self->pairs.data[place];

    st_contact_pair *pair = st_contact_pair_create(a, b);
    if (!pair || !st_list_push(&self->pairs, pair)) {
        if (pair) st_contact_pair_destroy(pair);
        return NULL;
    }

    return st_pointer_table_put(&self->places, a, b, self->pairs.count - 1) ? pair : NULL;
}

// The response that the pair is to have now, which may be none: attributes can have changed since the last time.
static st_status make_response(manager *self, st_contact_pair *pair) {
    const char *recipe = self->base.object.type->contact_manager->recipe(&self->base, pair);
    if (!recipe) return ST_OUT_OF_MEMORY;

    const st_class *type = response_class(self->base.object.scene, recipe);
    if (!response_fits(type, pair)) {
        if (!is_none(recipe)) collision_response_refuse(self, pair, recipe);
        st_contact_pair_drop_response(pair);
        return ST_OK;
    }

    const char *parameters = strchr(recipe, '?');
    return st_contact_pair_wake(pair, type, recipe, parameters ? parameters + 1 : NULL);
}

// A pair that touches for the first time, or again.
static st_status wake(manager *self, st_contact_pair *pair) {
    if (pair->alive) return ST_OK;

    // attributes may have changed since the models met the last time
    const st_status status = make_response(self, pair);
    if (status != ST_OK) return status;

    if (!st_list_push(&self->sorted, pair)) {
        st_contact_pair_sleep(pair);
        return ST_OUT_OF_MEMORY;
    }
    pair->alive = true;
    return ST_OK;
}

static st_status take_up(manager *self, const st_intersection *method, const st_model_detections *output) {
    st_contact_pair *pair = find_pair(self, output->model[0], output->model[1]);
    if (!pair) return ST_OUT_OF_MEMORY;

    // numbers of the models decide the order of pairs
    if (self->sorted.count > 0) st_pair_order_look(&self->order, key_of(self->sorted.data[0]), key_of(pair));
    const st_status status = self->order.failed ? ST_OUT_OF_MEMORY : wake(self, pair);
    if (status != ST_OK) return status;

    pair->seen = true;
    if (!pair->response) return ST_OK;
    return pair->response->type->response->fill(pair, method, &output->found);
}

static void put_to_sleep(st_contact_pair *pair) {
    st_contact_pair_sleep(pair);
    pair->alive = pair->seen = false;
    for (int side = 0; side < 2; side++) pair->model[side]->contacts = 0; // others are counted again
}

// A response that wants to stay without detections gets none, and stays.
static bool stays(const st_contact_pair *pair) {
    const st_response_ops *ops = pair->response ? pair->response->type->response : NULL;
    return ops && ops->stays && ops->stays(pair);
}

static st_status drop_unseen(manager *self, const st_intersection *method) {
    static const st_detections none = {0};
    st_status status = ST_OK;
    size_t kept = 0;
    for (size_t i = 0; i < self->sorted.count; i++) {
        st_contact_pair *pair = self->sorted.data[i];
        if (pair->seen || (status == ST_OK && stays(pair))) {
            self->sorted.data[kept++] = pair;
            if (!pair->seen) status = pair->response->type->response->fill(pair, method, &none);
        } else {
            put_to_sleep(pair);
        }
    }
    self->sorted.count = kept;
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Places in the graph
// ---------------------------------------------------------------------------------------------------

static bool has_obstacle(const st_contact_pair *pair) {
    return !pair->model[0]->simulated || !pair->model[1]->simulated;
}

static bool want(manager *self, st_node *node, bool obstacles) {
    for (size_t i = 0; i < self->sorted.count; i++) {
        st_contact_pair *pair = self->sorted.data[i];
        if (!pair->response || has_obstacle(pair) != obstacles) continue;
        pair->wanted = !pair->model[0]->simulated   ? pair->model[1]->object.node
                       : !pair->model[1]->simulated ? pair->model[0]->object.node
                                                    : node;
        if (!st_list_push(&self->wanted, pair)) return false;
    }
    return true;
}

static bool is_at(const manager *self, size_t i) {
    const st_contact_pair *pair = self->wanted.data[i];
    return self->placed.data[i] == pair && pair->node == pair->wanted;
}

static bool is_in_place(const manager *self) {
    if (self->placed.count != self->wanted.count) return false;
    for (size_t i = 0; i < self->wanted.count; i++)
        if (!is_at(self, i)) return false;
    return true;
}

// Responses are at the end of their nodes, in the order of the pairs, those with obstacles first.
static st_status collision_response_place(manager *self, st_node *node) {
    self->wanted.count = 0;
    if (!want(self, node, true) || !want(self, node, false)) return ST_OUT_OF_MEMORY;

    if (is_in_place(self)) return ST_OK;

    // those before the first that is not in its place stay
    size_t first = 0;
    while (first < self->wanted.count && first < self->placed.count && is_at(self, first)) first++;
    if (!st_list_set_count(&self->placed, self->wanted.count, 1)) return ST_OUT_OF_MEMORY;

    // the others out of the graph, the last ones first, since they are at the ends of their nodes ...
    for (size_t i = self->wanted.count; i-- > first;) {
        st_contact_pair *pair = self->placed.data[i] = self->wanted.data[i];
        if (pair->node) st_node_take(pair->node, pair->response);
        pair->node = NULL;
    }

    // ... and back, in order
    st_status status = ST_OK;
    for (size_t i = first; status == ST_OK && i < self->wanted.count; i++) {
        st_contact_pair *pair = self->wanted.data[i];
        status = st_node_insert(pair->wanted, pair->response, false);
        if (status == ST_OK) pair->node = pair->wanted;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------

void st_collision_response_clear(st_contact_manager *base) {
    const manager *self = (const manager *)base;
    for (size_t i = 0; i < self->sorted.count; i++) {
        st_contact_pair *pair = self->sorted.data[i];
        if (pair->response) pair->response->type->response->clear(pair);
    }
}

static void count_contacts(const manager *self) {
    for (size_t i = 0; i < self->sorted.count; i++)
        for (int side = 0; side < 2; side++) self->sorted.data[i]->model[side]->contacts = 0;
    for (size_t i = 0; i < self->sorted.count; i++)
        for (int side = 0; side < 2; side++) self->sorted.data[i]->model[side]->contacts++;
}

st_status st_collision_response_respond(st_contact_manager *base, st_node *node, const st_intersection *method,
                                        const st_narrow_phase *phase) {
    manager *self = (manager *)base;
    st_status status = ST_OK;

    // pairs that touch get their contacts, those that do not any more leave the graph
    for (size_t i = 0; i < self->sorted.count; i++) self->sorted.data[i]->seen = false;
    for (size_t i = 0; status == ST_OK && i < phase->outputs.count; i++)
        status = take_up(self, method, phase->outputs.data[i]);
    st_pair_order_sort(&self->order, (st_ranked_pair **)(void *)self->sorted.data, self->sorted.count);
    const st_status dropped = drop_unseen(self, method);
    if (status == ST_OK) status = dropped;

    // responses into their nodes
    if (status == ST_OK) status = collision_response_place(self, node);
    if (status == ST_OUT_OF_MEMORY) st_message(&base->object, ST_ERROR, "out of memory: contacts");
    count_contacts(self);
    return status;
}

static void collision_response_reset(st_object *object) {
    manager *self = (manager *)object;
    for (size_t i = 0; i < self->sorted.count; i++) put_to_sleep(self->sorted.data[i]);
    for (size_t i = 0; i < self->pairs.count; i++) self->pairs.data[i]->pair.rank.known = false;
    self->sorted.count = self->placed.count = 0;
    st_pair_order_free(&self->order);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static void report_unknown(const st_object *object, const char *name) {
    char known[512] = "nullptr";
    for (size_t i = 0; i < object->scene->resolved.count; i++) {
        const st_class *type = &object->scene->resolved.data[i]->type;
        const size_t used = strlen(known);
        if (type->response) snprintf(known + used, sizeof known - used, ", %s", type->name);
    }
    st_message(object, ST_ERROR, "there is no response called '%.120s'; there are: %s", name, known);
}

static st_status collision_response_init(st_object *object) {
    const manager *self = (const manager *)object;
    if (!is_text(self->response)) {
        st_message(object, ST_ERROR, "'response' is not set: models that touch do not push each other");
        return ST_OK;
    }

    if (!is_none(self->response) && !response_class(object->scene, self->response))
        report_unknown(object, self->response);
    return ST_OK;
}

static void collision_response_destroy(st_object *object) {
    manager *self = (manager *)object;
    for (size_t i = 0; i < self->pairs.count; i++) st_contact_pair_destroy(self->pairs.data[i]);

    st_list_free(&self->pairs);
    st_list_free(&self->sorted);
    st_list_free(&self->placed);
    st_list_free(&self->wanted);
    st_pointer_table_free(&self->places);
    st_pair_order_free(&self->order);
    st_free(self->recipe);
}

static const st_contact_manager_ops ops = {st_collision_response_clear, st_collision_response_respond,
                                           st_collision_response_recipe};

const st_class st_contact_manager_class = {
    .name = "ContactManager",
    .help = "what every contact manager has",
    .parent = &st_object_class,
    .size = sizeof(st_contact_manager),
    .flags = ST_CLASS_ABSTRACT,
};

const st_class st_collision_response_class = {
    .name = "CollisionResponse",
    .help = "the contact manager: gives models that touch their response",
    .parent = &st_contact_manager_class,
    .fields = fields,
    .size = sizeof(manager),
    .init = collision_response_init,
    .reset = collision_response_reset,
    .destroy = collision_response_destroy,
    .contact_manager = &ops,
};
