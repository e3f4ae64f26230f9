// What is known of the classes, from their tables: for the manual, `settee info`, bindings.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "api/classes.h"
#include "base/text.h"
#include "scene/compat.h"
#include "scene/element.h"

// ---------------------------------------------------------------------------------------------------
// All built-in classes
// ---------------------------------------------------------------------------------------------------

static const st_class *each_class(size_t index) {
    size_t count = 0;
    while (st_builtin_classes[count]) count++;
    if (index < count) return st_builtin_classes[index];
    return st_inert_classes[index - count].name ? &st_inert_classes[index - count] : NULL;
}

static bool is_shown(const st_class *type) { return !(type->flags & ST_CLASS_ABSTRACT); }

static int by_name(const void *a, const void *b) {
    return strcmp((*(const st_class *const *)a)->name, (*(const st_class *const *)b)->name);
}

// By rank in byte order of names. The order is made for each call, since nothing is kept between calls.
static const st_class *class_at(size_t rank) {
    ST_LIST(const st_class *) shown = {0};
    const st_class *type;
    bool ok = true;
    for (size_t i = 0; ok && (type = each_class(i)); i++)
        if (is_shown(type)) ok = st_list_push(&shown, type);

    if (shown.count) qsort(shown.data, shown.count, sizeof *shown.data, by_name);
    type = ok && rank < shown.count ? shown.data[rank] : NULL;

    st_list_free(&shown);
    return type;
}

static const st_class *class_named(const char *name) {
    const st_class *type;
    for (size_t i = 0; (type = each_class(i)); i++)
        if (strcmp(type->name, name) == 0 || st_has_word(type->aliases, name)) return type;
    return NULL;
}

// What the class says itself, or the nearest parent that says it.
#define INHERITED(type, member, result)                                                                                \
    do {                                                                                                               \
        for (const st_class *c_ = (type); c_ && !(result); c_ = c_->parent) (result) = c_->member;                     \
    } while (0)

const char *st_class_kind(const st_class *type) {
    static const struct {
        size_t role;
        const char *name;
    } kinds[] = {
        {ST_ROLE(mass), "mass"},
        {ST_ROLE(force), "force"},
        {ST_ROLE(mapping), "mapping"},
        {ST_ROLE(projection), "projection"},
        {ST_ROLE(law), "constraint law"},
        {ST_ROLE(correction), "constraint correction"},
        {ST_ROLE(constraint_solver), "constraint solver"},
        {ST_ROLE(linear_solver), "linear solver"},
        {ST_ROLE(system), "linear system"},
        {ST_ROLE(integrator), "integrator"},
        {ST_ROLE(loop), "animation loop"},
        {ST_ROLE(collision_pipeline), "collision pipeline"},
        {ST_ROLE(collision_model), "collision model"},
        {ST_ROLE(intersection), "intersection method"},
        {ST_ROLE(broad_phase), "broad phase"},
        {ST_ROLE(narrow_phase), "narrow phase"},
        {ST_ROLE(contact_manager), "contact manager"},
        {ST_ROLE(force_feedback), "haptics"},
        {ST_ROLE(device), "haptics"},
        {ST_ROLE(topology), "topology"},
        {ST_ROLE(state), "state"},
        {ST_ROLE(context), "context"},
        {offsetof(st_class, update), "engine"},
    };

    // the first role that the class or a parent has
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (const st_class *c = type; c; c = c->parent)
            if (*(const void *const *)((const char *)c + kinds[k].role)) return kinds[k].name;

    // without a role: what the class says of itself
    if ((type->flags & ST_CLASS_INERT) || (type->parent && (type->parent->flags & ST_CLASS_INERT))) return "inert";
    const char *kind = NULL;
    INHERITED(type, kind, kind);
    return kind ? kind : "other";
}

static const char *or_empty(const char *text) { return text ? text : ""; }

static unsigned all_flags(const st_class *type) {
    unsigned flags = 0;
    for (const st_class *c = type; c; c = c->parent) flags |= c->flags;
    return flags;
}

bool st_describe_class(size_t index, st_class_description *description) {
    const st_class *type = description ? class_at(index) : NULL;
    if (!type) return false;

    // what is inherited is shown as its own
    const char *templates = NULL, *example = NULL;
    INHERITED(type, templates, templates);
    INHERITED(type, example, example);

    *description = (st_class_description){
        .name = type->name,
        .help = or_empty(type->help),
        .kind = st_class_kind(type),
        .templates = or_empty(templates),
        .aliases = or_empty(type->aliases),
        .example = or_empty(example),
        .inert = (all_flags(type) & ST_CLASS_INERT) != 0,
        .deprecated = (type->flags & ST_CLASS_DEPRECATED) != 0,
    };
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Fields: the class's own first, then its parents'
// ---------------------------------------------------------------------------------------------------

static bool has_own(const st_class *type, const char *name) {
    for (const st_field *field = type->fields; field && field->name; field++)
        if (strcmp(field->name, name) == 0) return true;
    return false;
}

// A field that a class declares again hides that of its parent.
static bool is_hidden(const st_class *type, const st_class *owner, const char *name) {
    for (const st_class *c = type; c != owner; c = c->parent)
        if (has_own(c, name)) return true;
    return false;
}

static const st_field *field_at(const st_class *type, size_t index, const st_class **owner) {
    for (const st_class *c = type; c; c = c->parent)
        for (const st_field *field = c->fields; field && field->name; field++)
            if (!is_hidden(type, c, field->name) && index-- == 0) {
                *owner = c;
                return field;
            }
    return NULL;
}

// An empty text instead of none.
static st_field_description describe_field(const st_field *field, const st_class *owner) {
    return (st_field_description){
        .name = field->name,
        .type = field->type->name,
        .value = or_empty(field->value),
        .help = or_empty(field->help),
        .aliases = or_empty(field->aliases),
        .options = field->options,
        .inherited_from = owner->name,

        // flags
        .output = (field->flags & ST_FIELD_OUTPUT) != 0,
        .required = (field->flags & ST_FIELD_REQUIRED) != 0,
        .display = (field->flags & ST_FIELD_DISPLAY) != 0,
        .no_effect = (field->flags & ST_FIELD_NO_EFFECT) != 0,
        .deprecated = (field->flags & ST_FIELD_DEPRECATED) != 0,
        .shorthand = (field->flags & ST_FIELD_SHORTHAND) != 0,

        // what the member holds
        .list = field->type->list,
        .scalar = field->type->scalar,
        .width = field->type->width,
        .live = st_field_rule(field),
    };
}

bool st_describe_field(const char *class_name, size_t index, st_field_description *description) {
    const st_class *owner = NULL;
    const st_field *field = class_name && description ? field_at(class_named(class_name), index, &owner) : NULL;
    if (!field) return false;

    *description = describe_field(field, owner);
    return true;
}

bool st_object_describe_field(const st_object *object, size_t index, st_field_description *description) {
    if (!object || !description || index >= st_field_count(object)) return false;
    const st_field *field = st_fields(object)[index];

    // the class whose table the field is in
    const st_class *owner = st_resolved(object->type)->origin;
    for (const st_class *c = owner; c; c = c->parent)
        for (const st_field *f = c->fields; f && f->name; f++)
            if (f == field) owner = c;

    *description = describe_field(field, owner);
    description->width = (int)st_field_width(object, field->type);
    return true;
}

const char *st_live_rule_name(st_live_rule rule) {
    return rule == ST_LIVE ? "live" : rule == ST_AT_REINIT ? "at reinit" : "fixed";
}

const char *st_class_by_any_name(const char *name, const char **suggestion, const char **explanation) {
    if (!name || !suggestion || !explanation) return NULL;
    *suggestion = *explanation = NULL;
    const st_class *type = class_named(name);
    if (type && is_shown(type)) return type->name;

    // a former name
    const char *now = NULL;
    if (st_name_lookup(name, &now, explanation) == ST_NAME_RENAMED && class_named(now)) return now;
    if (now) *suggestion = now;

    // what SofaCUDA computes on the GPU
    char host[ST_CUDA_NAME];
    for (unsigned form = 0; st_cuda_component(name, form, host); form++)
        if ((type = class_named(host)) && is_shown(type)) return type->name;

    // the name that is nearest
    size_t best = strlen(name) / 3 + 2;
    for (size_t i = 0; !now && (type = each_class(i)); i++) {
        const size_t distance = st_text_distance(name, type->name);
        if (!is_shown(type) || distance >= best) continue;
        best = distance;
        *suggestion = type->name;
    }

    return NULL;
}

const char *st_version(void) { return SETTEE_VERSION; }
const char *st_build_info(void) { return SETTEE_BUILD_INFO; }

bool st_describe_compat(size_t index, st_compat_entry *entry) {
    const st_compat_entry *found = st_compat_entry_at(index);
    if (found) *entry = *found;
    return found != NULL;
}

const char *st_describe_missing(size_t index) {
    const char *name;
    for (size_t i = 0; (name = st_core_name(i)); i++)
        if (!class_named(name) && index-- == 0) return name;
    return NULL;
}
