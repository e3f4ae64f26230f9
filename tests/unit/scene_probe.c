// SPDX-License-Identifier: Apache-2.0
#include "scene_probe.h"

char probe_messages[65536];
char probe_calls[8192];

// ---------------------------------------------------------------------------------------------------
// Messages
// ---------------------------------------------------------------------------------------------------

static void listen(void *user, const st_diagnostic *d) {
    (void)user;
    const size_t used = strlen(probe_messages);
    snprintf(probe_messages + used, sizeof probe_messages - used, "%s %s:%d %s %s: %s\n", st_severity_name(d->severity),
             d->file ? d->file : "-", d->line, d->path ? d->path : "-", d->component, d->text);
}

void probe_forget(void) { probe_messages[0] = probe_calls[0] = '\0'; }

size_t probe_count(st_severity severity, const char *text) {
    const char *name = st_severity_name(severity);
    size_t count = 0;
    for (const char *line = probe_messages; *line;) {
        const char *end = strchr(line, '\n');
        char one[4096];
        const size_t length = (size_t)(end - line) < sizeof one ? (size_t)(end - line) : sizeof one - 1;
        memcpy(one, line, length);
        one[length] = '\0';
        if (strncmp(one, name, strlen(name)) == 0 && one[strlen(name)] == ' ' && strstr(one, text)) count++;
        line = end + 1;
    }
    return count;
}

bool probe_said(st_severity severity, const char *text) { return probe_count(severity, text) > 0; }

// ---------------------------------------------------------------------------------------------------
// Probes
// ---------------------------------------------------------------------------------------------------

static void record(const st_object *object, const char *what) {
    const size_t used = strlen(probe_calls);
    snprintf(probe_calls + used, sizeof probe_calls - used, "%s.%s ", object->name ? object->name : "", what);
}

static st_status construct(st_object *object) {
    ((probe *)object)->answer = ST_OK;
    return ST_OK;
}

static st_status parse(st_object *object) {
    record(object, "parse");
    return ST_OK;
}

static st_status init(st_object *object) {
    probe *self = (probe *)object;
    record(object, "init");
    self->time = object->node->time;
    memcpy(self->gravity, object->node->gravity, sizeof self->gravity);
    if (self->text && strcmp(self->text, "invalid") == 0) return st_invalid(object, "says that it is invalid");
    if (self->text && strcmp(self->text, "grow") == 0) st_add_object(object->node, "Probe", "Vec3", "grown", false);
    return ST_OK;
}

static st_status bwd_init(st_object *object) {
    record(object, "bwd");
    return ST_OK;
}

static st_status reinit(st_object *object) {
    record(object, "reinit");
    return ST_OK;
}

static void store_reset(st_object *object) { record(object, "store"); }
static void reset(st_object *object) { record(object, "reset"); }

static void changed(st_object *object) {
    record(object, "changed");
    ((probe *)object)->changes++;
}

static void event(st_object *object, st_event *e) {
    static const char *const names[] = {"start", "done",   "begin", "end",    "cbegin",
                                        "cend",  "ibegin", "iend",  "mapped", "over"};
    record(object, names[e->kind]);
    const char *text = ((probe *)object)->text;
    if (text && strcmp(text, "handle") == 0) e->handled = true;
}

static const char *const labels[] = {"none", "some", "all", NULL};

#define FIELD(member, name, type, ...) ST_FIELD(probe, member, name, type, __VA_ARGS__)
static const st_field fields[] = {
    FIELD(flag, "flag", st_type_bool, "0", "a flag"),
    FIELD(number, "number", st_type_int, "7", "a number", .aliases = "shared"),
    FIELD(tracked, "tracked", st_type_int, "0", "tracked", .flags = ST_FIELD_TRACKED),
    FIELD(option, "option", st_type_option, "none", "an option", .options = labels),
    FIELD(real, "real", st_type_real, "0.5", "a real", .aliases = "shared realAlias"),
    FIELD(shorthand, "sh", st_type_float, "3", "rounded to float", .flags = ST_FIELD_SHORTHAND),
    FIELD(first, "aFirst", st_type_real, "0", "before Z in bytes", .aliases = "Zboth mboth"),
    FIELD(second, "zSecond", st_type_real, "0", "after m in bytes", .aliases = "Zboth mboth"),
    FIELD(point, "point", st_type_vec3, "1 2 3", "a point"),
    FIELD(coord, "coord", st_type_coord, NULL, "one coordinate"),
    FIELD(text, "text", st_type_string, NULL, "a text"),
    FIELD(file, "file", st_type_file, NULL, "a file"),
    FIELD(removed, "gone", st_type_string, NULL, "use text", .flags = ST_FIELD_REMOVED),
    FIELD(old, "old", st_type_string, NULL, "use text", .flags = ST_FIELD_DEPRECATED),
    FIELD(words, "words", st_type_words, NULL, "words"),
    FIELD(reals, "reals", st_type_reals, NULL, "reals"),
    FIELD(points, "points", st_type_vec3s, NULL, "points"),
    FIELD(coords, "coords", st_type_coords, NULL, "coordinates"),
    FIELD(indices, "indices", st_type_indices, NULL, "indices"),
    FIELD(any, "any", st_type_link, NULL, "any component"),
    FIELD(state, "state", st_type_link, NULL, "a state", .role = ST_ROLE(state)),
    FIELD(node, "node", st_type_link, NULL, "a node", .role = ST_ROLE_NODE),
    FIELD(many, "many", st_type_links, NULL, "components"),
    ST_FIELDS_END,
};

const st_class probe_class = {
    .name = "Probe",
    .help = "records its calls",
    .parent = &st_object_class,
    .aliases = "ProbeAlias",
    .templates = "Vec3 Rigid3 Vec1",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(probe),
    .construct = construct,
    .parse = parse,
    .init = init,
    .bwd_init = bwd_init,
    .reinit = reinit,
    .store_reset = store_reset,
    .reset = reset,
    .changed = changed,
    .event = event,
};

const st_class listener_class = {
    .name = "Listener",
    .help = "a probe that listens",
    .parent = &probe_class,
    .flags = ST_CLASS_LISTENING,
};

// Two required fields, and one that the parent has with another default.
static const st_field child_fields[] = {
    FIELD(required, "required", st_type_real, "2", "with a default", .flags = ST_FIELD_REQUIRED),
    FIELD(required_bare, "requiredBare", st_type_real, NULL, "without a default", .flags = ST_FIELD_REQUIRED),
    FIELD(number, "number", st_type_int, "9", "a number with another default"),
    ST_FIELDS_END,
};

const st_class child_class = {
    .name = "ChildProbe",
    .help = "a probe with required fields",
    .parent = &probe_class,
    .fields = child_fields,
};

// Lives where its template is that of the context's state.
static bool accepts(st_object *object) {
    const st_object *found = st_find_slot(object->node, ST_ROLE(state));
    if (!found) return st_refuse(object, "there is no state");
    const char *mode = st_attribute(object, "mode");
    if (mode && strcmp(mode, "any") == 0) return true;
    return found->dof == object->dof || st_refuse(object, "the state is of type %s", found->dof->name);
}

const st_class picky_class = {
    .name = "Picky",
    .help = "takes the type of its state",
    .parent = &probe_class,
    .templates = "Vec3 Rigid3 Vec1 Rigid2 Vec6",
    .accepts = accepts,
};

// ---------------------------------------------------------------------------------------------------
// An engine
// ---------------------------------------------------------------------------------------------------

static void update(st_object *object) {
    adder *self = (adder *)object;
    record(object, "update");
    self->updates++;
    self->sum = self->a + self->b;
    st_touch(object, &self->sum);
}

static const st_field adder_fields[] = {
    ST_FIELD(adder, a, "a", st_type_real, "0", "first", .flags = ST_FIELD_INPUT),
    ST_FIELD(adder, b, "b", st_type_real, "0", "second", .flags = ST_FIELD_INPUT),
    ST_FIELD(adder, sum, "sum", st_type_real, "0", "a + b", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class adder_class = {
    .name = "Adder",
    .help = "sum = a + b",
    .parent = &st_object_class,
    .fields = adder_fields,
    .size = sizeof(adder),
    .update = update,
};

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

st_scene *probe_create(bool strict) {
    static const st_class *const classes[] = {&probe_class, &adder_class, &listener_class, &picky_class, &child_class};
    st_config config = st_default_config();
    config.log = listen;
    config.strict = strict;
    probe_forget();
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        assert_int_equal(st_register_class(scene, classes[i]), ST_OK);
    return scene;
}

st_status probe_try(st_scene *scene, const char *xml) {
    const st_status status = st_scene_load_text(scene, xml, strlen(xml), NULL);
    return st_succeeded(status) ? st_scene_init(scene) : status;
}

st_scene *probe_load(const char *xml) {
    st_scene *scene = probe_create(false);
    if (!st_succeeded(st_scene_load_text(scene, xml, strlen(xml), NULL))) fail_msg("not loaded:\n%s", probe_messages);
    return scene;
}

st_scene *probe_init(const char *xml) {
    st_scene *scene = probe_load(xml);
    if (!st_succeeded(st_scene_init(scene))) fail_msg("not initialized:\n%s", probe_messages);
    return scene;
}

st_object *probe_find(st_scene *scene, const char *path) {
    st_object *object = st_scene_find(scene, path);
    if (!object) fail_msg("there is no %s; messages:\n%s", path, probe_messages);
    return object;
}

void probe_expect(st_scene *scene, const char *path, const char *field, const char *expected) {
    char *text = st_object_get(probe_find(scene, path), field, 6);
    if (!text) fail_msg("%s has no %s", path, field);
    if (strcmp(text, expected) != 0) {
        char copy[512];
        snprintf(copy, sizeof copy, "%s", text);
        st_string_free(text);
        fail_msg("%s.%s is \"%s\", not \"%s\"; messages:\n%s", path, field, copy, expected, probe_messages);
    }
    st_string_free(text);
}
