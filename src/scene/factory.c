// The factory: from a class name and attributes to a component in its node.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/element.h"

enum { TEMPLATE_MAX = 32, TEMPLATE_LENGTH = 96, KEPT_LENGTH = 1 << 20, REFUSALS = 8 };

// ---------------------------------------------------------------------------------------------------
// Templates
// ---------------------------------------------------------------------------------------------------

typedef struct candidate {
    char text[TEMPLATE_LENGTH];
    const st_dof *dof; // of the first part
} candidate;

// What a template's text was besides a present name.
typedef struct spelling {
    bool deprecated, cuda;
} spelling;

// The canonical form of one comma-separated part: Vec3d -> Vec3, CompressedRowSparseMatrix -> ...d.
static const char *canonical_part(const char *part, spelling *how) {
    const st_dof *dof = st_dof_by_name(part, &how->deprecated);
    if (dof) return dof->name;

    dof = st_cuda_dof(part);
    if (dof) how->cuda = true;
    if (dof) return dof->name;
    if (strcmp(part, "CompressedRowSparseMatrix") == 0) return "CompressedRowSparseMatrixd";
    if (strcmp(part, "CompressedRowSparseMatrixMat3x3") == 0) return "CompressedRowSparseMatrixMat3x3d";
    return part;
}

static bool canonical(candidate *out, const char *text, size_t length, spelling *how) {
    size_t at = 0;
    out->dof = NULL;

    for (size_t begin = 0; begin <= length;) {
        // one part of "Rigid3,Vec3", by its present name
        size_t n = 0;
        while (begin + n < length && text[begin + n] != ',') n++;
        char part[TEMPLATE_LENGTH];
        if (n >= sizeof part) return false;
        memcpy(part, text + begin, n);
        part[n] = '\0';

        const char *name = canonical_part(part, how);
        if (begin == 0) out->dof = st_dof_by_name(name, NULL);

        // appended
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
        spelling how = {0};
        if (canonical(&out[count], s, n, &how)) count++;
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

typedef struct creation {
    st_node *node;
    const st_class *type;
    const char *name; // that it will have; NULL or empty: class and counter
    const char *file;
    int line;
    // why templates do not fit: a reason, and those that it holds for
    struct refusal {
        char why[256], templates[400];
        size_t count;
    } refusals[REFUSALS];
    size_t refusal_count;
} creation;

// ClassName and a number: one counter per node and class, which counts the components without a name only. The last
// one of them knows how many there were.
static char *automatic_name(const st_node *node, const st_class *type) {
    const size_t length = strlen(type->name);
    unsigned long before = 0;

    // the last component of the class that was named automatically
    for (size_t i = node->objects.count; before == 0 && i-- > 0;) {
        const st_object *other = node->objects.data[i];
        if (other->type == type && other->record->auto_named && other->name &&
            strncmp(other->name, type->name, length) == 0)
            before = strtoul(other->name + length, NULL, 10);
    }

    return st_string_format("%s%lu", type->name, before + 1);
}

// A component has its name from the beginning, so that messages about its attributes can say it. SOFA gives it later,
// which nothing but messages can tell.
static bool give_name(creation *make, st_object *object) {
    const bool named = make->name && *make->name && *make->name != '@';
    object->name = named ? st_string_copy(make->name) : automatic_name(make->node, make->type);
    object->record->auto_named = !named;
    return object->name != NULL;
}

// Reasons that are the same are one, with all the templates that it holds for.
static void note_refusal(creation *make, const candidate *with) {
    const char *why = make->node->object.scene->refusal;
    if (!why) why = "it cannot live here";

    size_t i = 0;
    while (i < make->refusal_count && strncmp(make->refusals[i].why, why, sizeof make->refusals[i].why - 1) != 0) i++;
    if (i == REFUSALS) return;
    struct refusal *refusal = &make->refusals[i];
    if (i == make->refusal_count) {
        make->refusal_count++;
        snprintf(refusal->why, sizeof refusal->why, "%s", why);
    }

    const size_t used = strlen(refusal->templates);
    refusal->count++;
    if (with)
        snprintf(refusal->templates + used, sizeof refusal->templates - used, "%s%s", used ? " " : "", with->text);
}

// Those that hold for the fewest templates first: they come from what fits best.
static void write_refusals(const creation *make, char *text, size_t size) {
    bool written[REFUSALS] = {false};
    snprintf(text, size, "%s", make->refusal_count ? "" : "out of memory");

    for (size_t n = 0; n < make->refusal_count; n++) {
        size_t best = REFUSALS;
        for (size_t i = 0; i < make->refusal_count; i++)
            if (!written[i] && (best == REFUSALS || make->refusals[i].count < make->refusals[best].count)) best = i;
        written[best] = true;

        const struct refusal *r = &make->refusals[best];
        const size_t used = strlen(text);
        const bool named = r->templates[0] && make->refusal_count > 1;
        snprintf(text + used, size - used, "%s%s%s%s%s", n ? "; " : "", r->why, named ? " (" : "",
                 named ? r->templates : "", named ? ")" : "");
    }
}

// An object that accepts its place, or NULL with the reason noted.
static st_object *attempt(creation *make, const candidate *with) {
    st_scene *scene = make->node->object.scene;

    st_object *object =
        st_object_create(scene, make->node, make->type, with ? with->dof : NULL, with ? with->text : NULL);
    if (!object) return NULL;

    object->file = make->file;
    object->line = make->line;

    // a refusal is noted for this attempt alone
    st_free(scene->refusal);
    scene->refusal = NULL;
    const bool accepted = !make->type->accepts || make->type->accepts(object);

    if (accepted && give_name(make, object)) return object;
    if (!accepted) note_refusal(make, with);
    st_object_destroy(object);
    return NULL;
}

// The requested template first, then all others in their order; the first that fits is taken.
static st_object *try_all(creation *make, const candidate *list, size_t count, const candidate *first, bool requested) {
    st_object *object = first ? attempt(make, first) : NULL;
    if (object) return object;

    // the first of the others; a second one shows that the choice is ambiguous
    bool several = false;
    for (size_t i = 0; i < count && !several; i++) {
        if (&list[i] == first) continue;
        st_object *other = attempt(make, &list[i]);
        several = object && other;
        if (several) st_object_destroy(other);
        else if (other) object = other;
    }

    if (several && !requested)
        st_message(object, ST_WARNING, "several templates fit and none is given; %s is taken", object->template_);
    return object;
}

static void report_template(st_object *object, const char *requested, bool known) {
    if (object->scene->config.strict) object->scene->strict_failure = true;
    st_message(object, ST_ERROR, "template '%.120s' %s; falling back to %s", requested,
               known ? "does not fit here" : "does not exist for this component", object->template_);
}

static st_object *make_object(creation *make, const char *requested) {
    if (!make->type->templates) return attempt(make, NULL);

    // what the class offers, and which of it was asked for
    candidate list[TEMPLATE_MAX], request;
    const size_t count = class_templates(make->type, list);
    const candidate *first = NULL;
    spelling how = {0};
    if (requested && !*requested) requested = NULL;
    if (requested && canonical(&request, requested, strlen(requested), &how))
        first = find_candidate(list, count, request.text);
    const bool known = first != NULL;
    if (!first && make->type->default_template) first = find_candidate(list, count, make->type->default_template);

    // that first, then the others
    st_object *object = try_all(make, list, count, first, requested != NULL);
    if (!object) return NULL;

    // what was asked for, and what it became
    if (how.cuda) st_cuda_notice(object, requested);
    if (how.deprecated)
        st_message(object, ST_DEPRECATED, "template '%.120s' means single precision or is an old name; %s is used",
                   requested, object->template_);
    if (requested && (!known || strcmp(object->template_, request.text) != 0))
        report_template(object, requested, known);
    return object;
}

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

static const char *nearest_field(const st_object *object, const char *name) {
    // names that differ by more than a third of their letters are no spelling mistakes
    const char *best = NULL;
    size_t best_distance = strlen(name) / 3 + 2;

    for (size_t i = 0; i < st_field_count(object); i++) {
        const size_t distance = st_text_distance(name, st_fields(object)[i]->name);
        if (distance < best_distance) {
            best_distance = distance;
            best = st_fields(object)[i]->name;
        }
    }

    return best;
}

static void unused_attribute(st_object *object, const char *name, const char *value) {
    if (name[0] == '_' || strncmp(name, "NO", 2) == 0 || (object->type->flags & ST_CLASS_INERT)) return;

    const bool strict = object->scene->config.strict;
    const char *near = nearest_field(object, name);

    if (strict) object->scene->strict_failure = true;
    st_message(object, strict ? ST_ERROR : ST_WARNING, "unused attribute: \"%.80s\" with value: \"%.80s\"%s%s%s", name,
               value, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

// An empty name is none, and any other was given when the object was made.
static bool applied_already(const st_object *object, const char *name, const char *value) {
    if (strcmp(name, "printLog") == 0 || strcmp(name, "src") == 0 || strcmp(name, "template") == 0) return true;
    if (strcmp(name, "type") == 0) return st_field_index(object, name) < 0;
    return strcmp(name, "name") == 0 && !*value;
}

static st_status apply_attribute(st_object *object, const char *name, const char *value) {
    const st_status status = st_object_apply(object, name, value);
    if (status == ST_NOT_FOUND && object->type->attribute && object->type->attribute(object, name, value)) return ST_OK;
    if (status == ST_NOT_FOUND) unused_attribute(object, name, value);
    return status == ST_OUT_OF_MEMORY ? status : ST_OK; // what cannot be read is left out, and was reported
}

// src first, then printLog, then all others in byte order of their names.
static st_status apply_attributes(st_object *object, const st_xml_element *element) {
    const char *src = st_xml_element_attr(element, "src"), *log = st_xml_element_attr(element, "printLog");
    st_status status = src ? st_link_source(object, src) : ST_OK;
    if (status == ST_OK && log) status = apply_attribute(object, "printLog", log);

    // attributes are kept in byte order of their names
    for (size_t i = 0; status == ST_OK && i < element->attrs.count; i++) {
        const char *name = element->attrs.data[i].name, *value = st_xml_element_attr(element, name);
        if (!applied_already(object, name, value)) status = apply_attribute(object, name, value);
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
        const size_t distance = st_text_distance(name, scene->resolved.data[i]->type.name);
        if (distance < best_distance) {
            best_distance = distance;
            best = scene->resolved.data[i]->type.name;
        }
    }

    return best;
}

static void report_unknown(st_node *node, const st_xml_element *element, const char *name) {
    st_scene *scene = node->object.scene;
    const char *now = NULL, *text = NULL;
    const st_name_fate fate = st_name_lookup(name, &now, &text);

    if (scene->config.strict) scene->strict_failure = true;

    // an error, as in SOFA; the scene goes on without the component
    const bool in_sofa = fate == ST_NAME_UNKNOWN && st_is_core_name(name);
    if (in_sofa) text = "SOFA has this component, settee does not (settee info --missing lists such components)";
    const char *near = fate == ST_NAME_UNKNOWN && !in_sofa ? st_registry_nearest(scene, name) : NULL;
    st_scene_message(scene, ST_ERROR, "factory", element->file, element->line,
                     "component %.120s in node %s is not created: %s%s%s%s", name, st_path(&node->object),
                     text ? text : "there is no such component", near ? " (did you mean " : "", near ? near : "",
                     near ? "?)" : "");
}

static void report_refused(st_node *node, const st_xml_element *element, const char *reasons) {
    st_scene *scene = node->object.scene;
    if (scene->config.strict) scene->strict_failure = true;
    st_scene_message(scene, ST_ERROR, "factory", element->file, element->line,
                     "component %.120s in node %s is not created: %s", element->type, st_path(&node->object), reasons);
}

// For saving the scene. Without memory the component is saved without them, which is reported then.
void st_object_keep_attributes(st_object *object, const st_xml_element *element) {
    struct st_object_record *record = object->record;
    record->given = true;

    for (size_t i = 0; i < element->attrs.count; i++) {
        // a long text is not kept twice: the field itself is saved
        const int field = st_field_by_name(object, element->attrs.data[i].name);
        if (field >= 0 && strlen(element->attrs.data[i].value) > KEPT_LENGTH) {
            object->data[field].edited = true;
            continue;
        }

        const st_attr copy = {st_string_copy(element->attrs.data[i].name),
                              st_string_copy(element->attrs.data[i].value)};
        if (copy.name && copy.value && st_list_push(&record->made, copy)) continue;
        st_free(copy.name);
        st_free(copy.value);
        st_message(object, ST_WARNING, "out of memory: attribute '%s' is not saved with the scene",
                   element->attrs.data[i].name);
    }
}

// Is put where the component would be, so that the scene shows that something is missing.
static void put_placeholder(st_node *node, const st_xml_element *element, const char *name) {
    const st_class *type = st_registry_find(node->object.scene, "InfoComponent");
    st_object *object = type ? st_object_create(node->object.scene, node, type, NULL, NULL) : NULL;
    if (!object) return;

    object->file = element->file;
    object->line = element->line;
    object->record->missing = st_string_copy(name);
    st_object_keep_attributes(object, element);
    object->name = st_string_format("Not created (%.120s)", name);
    if (!object->name || st_node_insert(node, object, false) != ST_OK) st_object_destroy(object);
}

// By its present or a former name.
static const st_class *find_named(const st_scene *scene, const char *name) {
    const st_class *type = st_registry_find(scene, name);
    const char *now = NULL, *text = NULL;
    if (!type && st_name_lookup(name, &now, &text) == ST_NAME_RENAMED) type = st_registry_find(scene, now);
    return type;
}

static const st_class *find_class(const st_scene *scene, const char *name, bool *cuda) {
    const st_class *type = find_named(scene, name);

    // what SofaCUDA computes on the GPU
    char host[ST_CUDA_NAME];
    for (unsigned form = 0; !type && st_cuda_component(name, form, host); form++) {
        type = find_named(scene, host);
        *cuda = type != NULL;
    }

    const bool can_be_made = type && !(type->flags & ST_CLASS_ABSTRACT) && st_resolved(type)->origin != &st_node_class;
    return can_be_made ? type : NULL;
}

// ---------------------------------------------------------------------------------------------------

// The object in its node; NULL with the reasons noted.
static st_object *make_in_node(creation *make, const char *template_name, bool front) {
    st_object *object = make_object(make, template_name);
    if (!object || st_node_insert(make->node, object, front) == ST_OK) return object;

    st_object_destroy(object);
    return NULL;
}

static void parse_object(st_object *object, const st_xml_element *element) {
    if (object->type->flags & ST_CLASS_DEPRECATED)
        st_message(object, ST_DEPRECATED, "%s is deprecated: %s", object->type->name, object->type->help);
    // one notice for each function of a former interface
    const st_bridge *bridge = st_resolved(object->type)->bridge;
    for (size_t i = 0; bridge && i < sizeof bridge->notices / sizeof *bridge->notices; i++)
        if (bridge->notices[i])
            st_message(object, ST_DEPRECATED, "%s gives its matrices by %s", object->type->name, bridge->notices[i]);

    // `parse` comes when all attributes are applied
    const st_status status = apply_attributes(object, element);
    st_object_keep_attributes(object, element);
    if (status != ST_OK || (object->type->parse && object->type->parse(object) != ST_OK)) object->validity = ST_BROKEN;
}

st_object *st_factory_create(st_node *node, const st_xml_element *element) {
    st_scene *scene = node->object.scene;
    bool cuda = false;
    creation make = {.node = node,
                     .type = find_class(scene, element->type, &cuda),
                     .name = st_xml_element_attr(element, "name"),
                     .file = element->file,
                     .line = element->line};

    if (!make.type) {
        report_unknown(node, element, element->type);
        put_placeholder(node, element, element->type);
        return NULL;
    }

    // components may create others: the element is that of the innermost
    const st_xml_element *outer = scene->creating;
    scene->creating = element;
    st_object *object = make_in_node(&make, st_xml_element_attr(element, "template"), false);
    if (object && cuda) st_cuda_notice(object, element->type);
    if (object) parse_object(object, element);
    scene->creating = outer;

    if (object) return object;
    char reasons[1024];
    write_refusals(&make, reasons, sizeof reasons);
    report_refused(node, element, reasons);
    put_placeholder(node, element, element->type);
    return NULL;
}

st_object *st_add_object(st_node *node, const char *class_name, const char *template_name, const char *name,
                         bool front) {
    st_scene *scene = node->object.scene;
    bool cuda = false;
    creation make = {.node = node,
                     .type = find_class(scene, class_name, &cuda),
                     .name = name,
                     .file = node->object.file,
                     .line = node->object.line};

    if (!make.type) {
        st_scene_message(scene, ST_ERROR, "factory", NULL, 0, "there is no component class called %.120s", class_name);
        return NULL;
    }

    const st_xml_element *outer = scene->creating;
    scene->creating = NULL; // its attributes are not those of the element being read
    st_object *object = make_in_node(&make, template_name, front);
    scene->creating = outer;

    if (object && cuda) st_cuda_notice(object, class_name);
    if (object) return object;
    char reasons[1024];
    write_refusals(&make, reasons, sizeof reasons);
    st_scene_message(scene, ST_ERROR, "factory", make.file, make.line, "component %.120s cannot be added to %s: %s",
                     class_name, st_path(&node->object), reasons);
    return NULL;
}
