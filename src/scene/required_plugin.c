// RequiredPlugin: makes further components known to the scene.
//
// SOFA keeps its own components in plug-ins; here they are built in, so that the names of SOFA's modules are accepted
// quietly. Any other name is looked for in the scene's plug-in paths. It acts while it is read, so that the
// components after it can be made.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "scene/element.h"
#include "scene/plugin.h"

typedef struct required_plugin {
    st_object object;
    st_strings plugin_name;
    st_strings suffix_map;
    bool stop_after_first_name, stop_after_first_suffix, require_one, require_all;
    st_strings loaded;
} required_plugin;

static const st_field fields[] = {
    ST_FIELD(required_plugin, plugin_name, "pluginName", st_type_words, NULL, "names of the plug-ins"),
    ST_FIELD(required_plugin, suffix_map, "suffixMap", st_type_map, NULL, "name suffixes of SOFA's builds",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(required_plugin, stop_after_first_name, "stopAfterFirstNameFound", st_type_bool, "0",
             "stop at the first name that can be loaded"),
    ST_FIELD(required_plugin, stop_after_first_suffix, "stopAfterFirstSuffixFound", st_type_bool, "1", "for suffixMap",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(required_plugin, require_one, "requireOne", st_type_bool, "0",
             "an error when none of the names can be loaded"),
    ST_FIELD(required_plugin, require_all, "requireAll", st_type_bool, "1",
             "an error when one of the names cannot be loaded"),
    ST_FIELD(required_plugin, loaded, "loadedPlugins", st_type_words, NULL, "names that were found",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static bool load_one(required_plugin *self, const char *name) {
    const bool found = st_name_is_module(name) || st_plugin_load_by_name(self->object.scene, name) == ST_OK;
    if (!found) {
        if (self->object.scene->config.strict) self->object.scene->strict_failure = true;
        st_message(&self->object, self->require_all ? ST_ERROR : ST_WARNING,
                   "plug-in \"%s\" is neither a module of SOFA's nor found in the plug-in paths", name);
        return false;
    }

    // the list is only information: out of memory is no failure here
    char *copy = st_string_copy(name);
    if (copy && !st_list_push(&self->loaded, copy)) st_free(copy);
    return true;
}

static st_status required_plugin_parse(st_object *object) {
    required_plugin *self = (required_plugin *)object;
    size_t found = 0;

    // without pluginName its own name is that of the plug-in
    if (self->plugin_name.count == 0 && !object->record->auto_named) found += load_one(self, object->name);
    for (size_t i = 0; i < self->plugin_name.count && !(found && self->stop_after_first_name); i++)
        found += load_one(self, self->plugin_name.data[i]);

    if (self->require_one && found == 0) st_message(object, ST_ERROR, "none of the plug-ins could be loaded");
    st_touch(object, &self->loaded);
    return ST_OK;
}

const st_class st_required_plugin_class = {
    .name = "RequiredPlugin",
    .help = "makes further components known; the modules of SOFA are built in",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(required_plugin),
    .parse = required_plugin_parse,
};
