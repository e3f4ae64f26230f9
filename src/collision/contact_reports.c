// Asking for contacts: see the header. Pairs of models come in the order of their managers, then forces that press points
// out of a body by themselves; both in the order of the graph.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_reports.h"

#include "collision/collision_response.h"
#include "math/vec3.h"
#include "scene/scene.h"

typedef struct visit {
    st_contact_visitor *visitor;
    void *user;
    size_t count;
    bool on;
} visit;

// The normal part of the force, and what is left.
static void give(visit *v, st_contact_report *report) {
    st_real along[3];
    report->normal_force = st_vec3_dot(report->force, report->normal);
    st_vec3_add_scaled(along, report->force, report->normal, -report->normal_force);
    report->tangential_force = st_vec3_norm(along);
    v->on = v->visitor(v->user, report);
    v->count++;
}

static void visit_pair(visit *v, const st_contact_pair *pair) {
    const st_response_ops *ops = pair->response ? pair->response->type->response : NULL;
    if (!ops || !ops->report) return;
    for (size_t i = 0; v->on && 2 * i + 1 < pair->elements.count; i++) {
        st_contact_report report = {.model = {&pair->model[0]->object, &pair->model[1]->object},
                                    .element = {pair->elements.data[2 * i], pair->elements.data[2 * i + 1]}};
        if (ops->report(pair, i, &report)) give(v, &report);
    }
}

static void visit_force(visit *v, const st_object *object) {
    const st_contact_source_ops *ops = object->type->contact_source;
    for (size_t i = 0; v->on; i++) {
        st_contact_report report = {.model = {object, object}};
        if (!ops->report(object, i, &report)) return;
        give(v, &report);
    }
}

static bool visit_node(st_node *node, void *context) {
    visit *v = context;
    for (size_t i = 0; v->on && i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (object->type->contact_source && st_is_valid(object)) visit_force(v, object);
        if (!st_is_a(object, &st_collision_response_class)) continue;

        const st_collision_response *manager = (const st_collision_response *)object;
        for (size_t k = 0; v->on && k < manager->sorted.count; k++) visit_pair(v, manager->sorted.data[k]);
    }
    return v->on;
}

size_t st_visit_contacts(const st_scene *scene, st_contact_visitor *visitor, void *user) {
    visit v = {.visitor = visitor, .user = user, .on = true};
    if (scene && scene->root) st_visit(scene->root, visit_node, &v);
    return v.count;
}
