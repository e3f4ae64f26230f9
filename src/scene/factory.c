// The factory: from a class name and attributes to a component in its node.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/element.h"
#include "settee/state.h"

enum { TEMPLATE_MAX = 32, TEMPLATE_LENGTH = 96 };

// ---------------------------------------------------------------------------------------------------
// Templates
// ---------------------------------------------------------------------------------------------------

typedef struct candidate {
    char text[TEMPLATE_LENGTH];
    const st_dof *dof; // of the first part
} candidate;

// The canonical form of one comma-separated part: Vec3d -> Vec3, CompressedRowSparseMatrix -> ...d.
static const char *canonical_part(const char *part, bool *deprecated) {
    const st_dof *dof = st_dof_by_name(part, deprecated);
    if (dof) return dof->name;
    if (strcmp(part, "CompressedRowSparseMatrix") == 0) return "CompressedRowSparseMatrixd";
    if (strcmp(part, "CompressedRowSparseMatrixMat3x3") == 0) return "CompressedRowSparseMatrixMat3x3d";
    return part;
}

static bool canonical(candidate *out, const char *text, size_t length, bool *deprecated) {
    size_t at = 0;
    out->dof = NULL;
    for (size_t begin = 0; begin <= length;) {
        size_t n = 0;
        while (begin + n < length && text[begin + n] != ',') n++;
        char part[TEMPLATE_LENGTH];
        if (n >= sizeof part) return false;
        memcpy(part, text + begin, n);
        part[n] = '\0';
        bool old = false;
        const char *name = canonical_part(part, &old);
        if (old && deprecated) *deprecated = true;
        if (begin == 0) out->dof = st_dof_by_name(name, NULL);
        const int written = snprintf(out->text + at, sizeof out->text - at, "%s%s", begin ? "," : "", name);
        if (written < 0 || (size_t)written >= sizeof out->text - at) return false;
        at += (size_t)written;
        begin += n + 1;
    }
    return true;
}

static size_t class_templates(const st_class *type, candidate out[TEMPLATE_MAX]) {
    size_t count = 0;
    for (const char *s = type->templates; s && *s && count < TEMPLATE_MAX;) {
        const size_t n = strcspn(s, " ");
        if (canonical(&out[count], s, n, NULL)) count++;
        s += n + strspn(s + n, " ");
    }
    // the order in which they are tried is that of their names' bytes
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && strcmp(out[k - 1].text, out[k].text) > 0; k--) {
            const candidate swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    return count;
}

static const candidate *find_candidate(const candidate *list, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].text, text) == 0) return &list[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------

typedef struct making {
    st_node *node;
    const st_class *type;
    const char *file;
    int line;
    char reasons[1024];
} making;

// An object that accepts its place, or NULL with the reason noted.
static st_object *attempt(making *make, const candidate *with) {
    st_scene *scene = make->node->object.scene;
    st_object *object = st_object_create(scene, make->node, make->type, with ? with->dof : NULL, with ? with->text : NULL);
    if (!object) return NULL;
    object->file = make->file;
    object->line = make->line;
    if (!make->type->accepts || make->type->accepts(object)) return object;
    const size_t used = strlen(make->reasons);
    snprintf(make->reasons + used, sizeof make->reasons - used, "%s%s%s%s", used ? "; " : "", with ? with->text : "", with ? ": " : "",
             scene->refusal ? scene->refusal : "it cannot live here");
    st_object_destroy(object);
    return NULL;
}

static st_object *try_all(making *make, const candidate *list, size_t count, const candidate *first, const char *requested) {
    st_object *object = first ? attempt(make, first) : NULL;
    if (object) return object;
    size_t accepted = 0;
    for (size_t i = 0; i < count; i++) {
        if (&list[i] == first) continue;
        st_object *other = attempt(make, &list[i]);
        if (!other) continue;
        if (accepted++ == 0) object = other;
        else st_object_destroy(other);
    }
    if (object && !requested && accepted > 1) st_message(object, ST_WARNING, "several templates fit and none is given; %s is taken", object->template_);
    return object;
}

static st_object *make_object(making *make, const char *requested) {
    if (!make->type->templates) return attempt(make, NULL);
    candidate list[TEMPLATE_MAX], wish;
    const size_t count = class_templates(make->type, list);
    const candidate *first = NULL;
    bool deprecated = false;
    if (requested && !*requested) requested = NULL;
    if (requested && canonical(&wish, requested, strlen(requested), &deprecated)) first = find_candidate(list, count, wish.text);
    const bool known = first != NULL;
    if (!first && make->type->default_template) first = find_candidate(list, count, make->type->default_template);
    st_object *object = try_all(make, list, count, first, requested);
    if (!object) return NULL;
    if (deprecated) st_message(object, ST_DEPRECATED, "template '%s' means single precision or is an old name; %s is used", requested, object->template_);
    if (requested && (!known || strcmp(object->template_, wish.text) != 0))
        st_message(object, ST_ERROR, "template '%s' %s; falling back to %s", requested, known ? "does not fit here" : "does not exist for this component", object->template_);
    return object;
}

static st_status auto_name(st_object *object) {
    if (object->name && *object->name) return ST_OK;
    size_t counter = 1;
    for (size_t i = 0; i < object->node->objects.count; i++) {
        const st_object *other = object->node->objects.data[i];
        if (other != object && other->type == object->type && other->auto_named) counter++;
    }
    st_free(object->name);
    object->name = st_string_format("%s%zu", object->type->name, counter);
    object->auto_named = true;
    return object->name ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

static const char *nearest_field(const st_object *object, const char *name) {
    const char *best = NULL;
    size_t best_distance = strlen(name) / 3 + 2;
    for (size_t i = 0; i < object->type->field_count; i++) {
        const size_t distance = st_text_distance(name, object->type->all_fields[i]->name);
        if (distance < best_distance) {
            best_distance = distance;
            best = object->type->all_fields[i]->name;
        }
    }
    return best;
}

static void unused_attribute(st_object *object, const char *name, const char *value) {
    if (name[0] == '_' || strncmp(name, "NO", 2) == 0 || (object->type->flags & ST_CLASS_INERT)) return;
    const bool strict = object->scene->config.strict;
    const char *near = nearest_field(object, name);
    if (strict) object->scene->strict_failure = true;
    st_message(object, strict ? ST_ERROR : ST_WARNING, "unused attribute: \"%s\" with value: \"%.80s\"%s%s%s", name, value, near ? " (did you mean \"" : "",
               near ? near : "", near ? "\"?)" : "");
}

static bool consumed(const char *name) {
    return strcmp(name, "type") == 0 || strcmp(name, "template") == 0 || strcmp(name, "src") == 0 || strcmp(name, "printLog") == 0;
}

// src first, then printLog, then all others in byte order of their names.
static st_status apply_attributes(st_object *object, const st_elem *element) {
    const char *src = st_elem_attr(element, "src"), *log = st_elem_attr(element, "printLog");
    st_status status = src ? st_link_source(object, src) : ST_OK;
    if (status == ST_OK && log) status = st_object_apply(object, "printLog", log);
    if (status == ST_NOT_FOUND) status = ST_OK;
    for (size_t i = 0; status == ST_OK && i < element->attrs.count; i++) {
        const char *name = element->attrs.data[i].name, *value = st_elem_attr(element, name);
        if (consumed(name) && st_field_index(object, name) < 0) continue;
        if (strcmp(name, "printLog") == 0 || strcmp(name, "src") == 0 || strcmp(name, "template") == 0) continue;
        status = st_object_apply(object, name, value);
        if (status == ST_NOT_FOUND) {
            unused_attribute(object, name, value);
            status = ST_OK;
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Unknown names
// ---------------------------------------------------------------------------------------------------

const char *st_registry_nearest(const st_scene *scene, const char *name) {
    const char *best = NULL;
    size_t best_distance = strlen(name) / 3 + 2;
    for (size_t i = 0; i < scene->resolved.count; i++) {
        const size_t distance = st_text_distance(name, scene->resolved.data[i]->name);
        if (distance < best_distance) {
            best_distance = distance;
            best = scene->resolved.data[i]->name;
        }
    }
    return best;
}

static void report_unknown(st_node *node, const st_elem *element, const char *name) {
    st_scene *scene = node->object.scene;
    const char *now = NULL, *text = NULL;
    const st_name_fate fate = st_name_lookup(name, &now, &text);
    if (scene->config.strict) scene->strict_failure = true;
    // SOFA counts a component that it does not know as an error and goes on; here this is a warning unless --strict
    const st_severity severity = scene->config.strict ? ST_ERROR : ST_WARNING;
    const char *near = fate == ST_NAME_UNKNOWN ? st_registry_nearest(scene, name) : NULL;
    st_scene_message(scene, severity, "factory", element->file, element->line, "component %s in node %s is not created: %s%s%s%s", name, st_path(&node->object),
                     text ? text : "there is no such component", near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

// Stands where the component would be, so that the scene shows that something is missing.
static void put_placeholder(st_node *node, const st_elem *element, const char *name) {
    const st_class *type = st_registry_find(node->object.scene, "InfoComponent");
    st_object *object = type ? st_object_create(node->object.scene, node, type, NULL, NULL) : NULL;
    if (!object) return;
    object->file = element->file;
    object->line = element->line;
    object->name = st_string_format("Not created (%s)", name);
    if (!object->name || st_node_insert(node, object, false) != ST_OK) st_object_destroy(object);
}

static const st_class *find_class(st_scene *scene, const char *name) {
    const st_class *type = st_registry_find(scene, name);
    const char *now = NULL, *text = NULL;
    if (!type && st_name_lookup(name, &now, &text) == ST_NAME_RENAMED) type = st_registry_find(scene, now);
    return type && !(type->flags & ST_CLASS_ABSTRACT) ? type : NULL;
}

// ---------------------------------------------------------------------------------------------------

st_object *st_factory_create(st_node *node, const st_elem *element) {
    st_scene *scene = node->object.scene;
    making make = {.node = node, .type = find_class(scene, element->type), .file = element->file, .line = element->line};
    if (!make.type) {
        report_unknown(node, element, element->type);
        put_placeholder(node, element, element->type);
        return NULL;
    }
    const st_elem *outer = scene->creating;
    scene->creating = element;
    st_object *object = make_object(&make, st_elem_attr(element, "template"));
    st_status status = object ? st_node_insert(node, object, false) : ST_INVALID;
    if (status != ST_OK) {
        st_scene_message(scene, ST_ERROR, "factory", element->file, element->line, "component %s in node %s is not created: %s", element->type, st_path(&node->object),
                         object ? st_status_text(status) : make.reasons[0] ? make.reasons : "out of memory");
        st_object_destroy(object);
        scene->creating = outer;
        put_placeholder(node, element, element->type);
        return NULL;
    }
    if (make.type->flags & ST_CLASS_DEPRECATED) st_message(object, ST_DEPRECATED, "%s is deprecated: %s", make.type->name, make.type->help);
    status = apply_attributes(object, element);
    if (status == ST_OK && object->type->parse && object->type->parse(object) != ST_OK) object->validity = ST_BROKEN;
    if (status == ST_OK) status = auto_name(object);
    scene->creating = outer;
    return object;
}

st_object *st_add_object(st_node *node, const char *class_name, const char *template_name, const char *name, bool front) {
    st_scene *scene = node->object.scene;
    making make = {.node = node, .type = find_class(scene, class_name), .file = node->object.file, .line = node->object.line};
    if (!make.type) {
        st_scene_message(scene, ST_ERROR, "factory", NULL, 0, "there is no component class called %s", class_name);
        return NULL;
    }
    const st_elem *outer = scene->creating;
    scene->creating = NULL; // its attributes are not those of the element being read
    st_object *object = make_object(&make, template_name);
    scene->creating = outer;
    if (!object) {
        st_scene_message(scene, ST_ERROR, "factory", make.file, make.line, "component %s cannot be added to %s: %s", class_name, st_path(&node->object), make.reasons);
        return NULL;
    }
    object->name = st_string_copy(name);
    if (st_node_insert(node, object, front) == ST_OK && auto_name(object) == ST_OK) return object;
    return NULL;
}
