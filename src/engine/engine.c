// What all engines share: being out of date, finding inputs, and values whose type is the template.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <string.h>

#include "engine/shapes.h"
#include "io/mesh_loader.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Out of date, up to date
// ---------------------------------------------------------------------------------------------------

static const void *member_of(const st_object *object, const st_field *field) {
    return (const char *)object + field->offset;
}

void st_engine_invalidate(st_object *object) {
    for (size_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (!(field->flags & ST_FIELD_INPUT)) continue;

        const void *member = member_of(object, field);

        // touching makes what is read from it out of date; an input that the scene left open stays open
        const bool set = st_is_set(object, member);

        st_touch(object, member);
        if (!set) st_unset(object, member);
        return; // one input is enough
    }
}

void st_engine_done(st_object *object, bool complete) {
    if (!complete) st_message(object, ST_ERROR, "out of memory: the outputs are not complete");

    for (size_t i = 0; i < st_field_count(object); i++)
        if (st_fields(object)[i]->flags & ST_FIELD_OUTPUT) st_touch(object, member_of(object, st_fields(object)[i]));
}

static st_status engine_construct(st_object *object) {
    st_engine_invalidate(object);
    return ST_OK;
}

static st_status engine_reinit(st_object *object) {
    st_engine_invalidate(object);
    st_pull(object);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Inputs
// ---------------------------------------------------------------------------------------------------

size_t st_engine_inputs(const st_object *object, uint32_t asked) {
    if (asked <= ST_ENGINE_INPUTS) return asked;
    st_message(object, ST_ERROR, "%lu inputs are asked for; the first %d are used", (unsigned long)asked,
               ST_ENGINE_INPUTS);
    return ST_ENGINE_INPUTS;
}

bool st_engine_link_state(st_object *object, const void *member, const char *state_field) {
    if (st_is_set(object, member)) return true;
    st_object *state = st_find_slot(object->node, ST_ROLE(state));
    return state && st_link_field(object, member, state, state_field) == ST_OK;
}

bool st_engine_link_rest(st_object *object, const void *member) {
    if (st_is_set(object, member)) return true;

    // its own state takes precedence over its own loader, which takes precedence over states above
    st_object *state = st_find(object->node, ST_ROLE(state), ST_LOCAL);
    st_object *loader = state ? NULL : st_find_class(object->node, &st_mesh_loader_class, ST_LOCAL);
    if (loader) return st_link_field(object, member, loader, "position") == ST_OK;

    return st_engine_link_state(object, member, "rest_position");
}

bool st_engine_prepare_boxes(st_object *object, st_reals *boxes, bool other_shapes) {
    if (!boxes->count && !other_shapes) {
        if (!st_resize_member(object, boxes, 1)) return false;
        for (int i = 3; i < 6; i++) boxes->data[i] = 1;
    }

    for (size_t i = 0; i < boxes->count; i++) st_box_sort(boxes->data + 6 * i);
    return true;
}

// A topology that is itself made from what the engine gives is no input of it.
static bool engine_follows(st_object *object, const void *member, st_object *source, const char *name) {
    const int to = st_field_of_member(object, member), from = st_field_index(source, name);
    return to < 0 || from < 0 || st_flow_reaches(object, (uint32_t)to, source, (uint32_t)from);
}

void st_engine_link_elements(st_object *object, const void *member, st_topology *topology, st_element kind) {
    static const char *const names[ST_ELEMENT_KINDS] = {"edges",     "triangles", "quads",   "tetrahedra",
                                                        "hexahedra", "prisms",    "pyramids"};

    if (!topology || st_is_set(object, member) || engine_follows(object, member, &topology->object, names[kind]))
        return;

    st_topology_elements(topology, kind); // a derived list must exist before it is copied
    st_link_field(object, member, &topology->object, names[kind]);
}

// ---------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------

static const st_dof vec4 = {.name = "Vec4", .coord = 4, .deriv = 4, .spatial = 3};

// d of d and of vector<d>
static void value_name(char name[16], const char *text) {
    const size_t skipped = strncmp(text, "vector<", 7) == 0 ? 7 : 0;
    const size_t length = strcspn(text + skipped, ">");
    const size_t kept = length < 15 ? length : 15;
    memcpy(name, text + skipped, kept);
    name[kept] = '\0';
}

bool st_engine_whole_values(const st_object *object) {
    char name[16];
    value_name(name, object->template_ ? object->template_ : "");
    return st_has_word("i I b int unsigned_int bool", name);
}

bool st_engine_accept_values(st_object *object) {
    char name[16];
    value_name(name, object->template_ ? object->template_ : "");

    const st_dof *dof = st_dof_by_name(name, NULL);
    if (strncmp(name, "Vec4", 4) == 0) dof = &vec4;
    object->dof = dof ? dof : &st_vec1;
    return true;
}

const st_class st_engine_class = {
    .name = "DataEngine",
    .help = "what every engine has",
    .parent = &st_object_class,
    .size = sizeof(st_object),
    .flags = ST_CLASS_ABSTRACT,
    .construct = engine_construct,
    .reinit = engine_reinit,
};
