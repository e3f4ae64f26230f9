// What is known of the classes, told from their tables: for the manual, `settee info`, bindings.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/text.h"
#include "scene/element.h"

// ---------------------------------------------------------------------------------------------------
// All built-in classes in byte order of their names, without keeping a sorted copy
// ---------------------------------------------------------------------------------------------------

static const st_class *each_class(size_t index) {
    size_t count = 0;
    while (st_builtin_classes[count]) count++;
    return index < count ? st_builtin_classes[index] : st_inert_classes[index - count].name ? &st_inert_classes[index - count] : NULL;
}

static bool is_shown(const st_class *type) { return !(type->flags & ST_CLASS_ABSTRACT); }

static const st_class *class_at(size_t index) {
    const st_class *best = NULL;
    const char *after = "";
    for (size_t rank = 0; rank <= index; rank++) {
        best = NULL;
        const st_class *type;
        for (size_t i = 0; (type = each_class(i)); i++)
            if (is_shown(type) && strcmp(type->name, after) > 0 && (!best || strcmp(type->name, best->name) < 0)) best = type;
        if (!best) return NULL;
        after = best->name;
    }
    return best;
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

static const char *kind_of(const st_class *type) {
    static const struct { size_t role; const char *name; } kinds[] = {
        {ST_ROLE(mass), "mass"},           {ST_ROLE(force), "force"},           {ST_ROLE(mapping), "mapping"},
        {ST_ROLE(projection), "projection"}, {ST_ROLE(linear_solver), "linear solver"}, {ST_ROLE(system), "linear system"},
        {ST_ROLE(integrator), "integrator"}, {ST_ROLE(loop), "animation loop"},   {ST_ROLE(topology), "topology"},
        {ST_ROLE(state), "state"},         {ST_ROLE(context), "context"},       {offsetof(st_class, update), "engine"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (const st_class *c = type; c; c = c->parent)
            if (*(const void *const *)((const char *)c + kinds[k].role)) return kinds[k].name;
    return (type->flags & ST_CLASS_INERT) || (type->parent && (type->parent->flags & ST_CLASS_INERT)) ? "inert" : "other";
}

static const char *or_empty(const char *text) { return text ? text : ""; }

static unsigned all_flags(const st_class *type) {
    unsigned flags = 0;
    for (const st_class *c = type; c; c = c->parent) flags |= c->flags;
    return flags;
}

bool st_describe_class(size_t index, st_class_description *description) {
    const st_class *type = class_at(index);
    if (!type) return false;
    const char *templates = NULL, *example = NULL;
    INHERITED(type, templates, templates);
    INHERITED(type, example, example);
    *description = (st_class_description){
        .name = type->name,
        .help = or_empty(type->help),
        .kind = kind_of(type),
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

bool st_describe_field(const char *class_name, size_t index, st_field_description *description) {
    for (const st_class *c = class_named(class_name); c; c = c->parent) {
        size_t own = 0;
        while (c->fields && c->fields[own].name) own++;
        if (index >= own) {
            index -= own;
            continue;
        }
        const st_field *field = &c->fields[index];
        *description = (st_field_description){
            .name = field->name,
            .type = field->type->name,
            .value = or_empty(field->value),
            .help = or_empty(field->help),
            .aliases = or_empty(field->aliases),
            .inherited_from = c->name,
            .output = (field->flags & ST_FIELD_OUTPUT) != 0,
            .required = (field->flags & ST_FIELD_REQUIRED) != 0,
            .display = (field->flags & ST_FIELD_DISPLAY) != 0,
            .no_effect = (field->flags & ST_FIELD_NO_EFFECT) != 0,
        };
        return true;
    }
    return false;
}

const char *st_class_by_any_name(const char *name, const char **suggestion, const char **explanation) {
    *suggestion = *explanation = NULL;
    const st_class *type = class_named(name);
    if (type && is_shown(type)) return type->name;
    const char *now = NULL;
    if (st_name_lookup(name, &now, explanation) == ST_NAME_RENAMED && class_named(now)) return now;
    if (now) *suggestion = now;
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
