// Loading of plug-ins by path and by name.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/plugin.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static st_status plugin_refuse(st_scene *scene, void *handle, const char *path, const char *why) {
    st_scene_message(scene, ST_ERROR, "plugin", path, 0, "the plug-in cannot be loaded: %s", why);
    if (handle) dlclose(handle);
    return ST_INVALID;
}

st_status st_plugin_load(st_scene *scene, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return plugin_refuse(scene, NULL, path, dlerror());

    // dlopen gives the same handle for a file that is loaded already
    for (size_t i = 0; i < scene->plugins.count; i++)
        if (scene->plugins.data[i] == handle) { // already here: dlopen only counted it once more
            dlclose(handle);
            return ST_OK;
        }

    // what it says of itself
    st_plugin_function *entry;
    *(void **)&entry = dlsym(handle, "st_plugin");
    if (!entry) return plugin_refuse(scene, handle, path, "it does not export st_plugin");
    const st_plugin_info *info = entry();
    if (!info || info->abi != ST_PLUGIN_ABI)
        return plugin_refuse(scene, handle, path, "it was built for another version of settee");

    // its classes
    if (!st_list_push(&scene->plugins, handle)) return plugin_refuse(scene, handle, path, "out of memory");
    for (const st_class *const *type = info->classes; type && *type; type++) {
        const st_status status = st_register_class(scene, *type);
        if (status != ST_OK) return status;
    }

    if (!info->classes || !info->classes[0])
        st_scene_message(scene, ST_WARNING, "plugin", path, 0, "the plug-in brings no component");
    st_scene_message(scene, ST_INFO, "plugin", path, 0, "%s %s is loaded", info->name ? info->name : "a plug-in",
                     info->version ? info->version : "");
    return ST_OK;
}

st_status st_plugin_load_by_name(st_scene *scene, const char *name) {
    if (strchr(name, '/')) return ST_NOT_FOUND; // a name, not a path
    for (size_t i = 0; i < scene->plugin_paths.count; i++)
        for (size_t k = 0; k < 2; k++) {
            char *path = k == 0 ? st_string_format("%s/%s.so", scene->plugin_paths.data[i], name)
                                : st_string_format("%s/lib%s.so", scene->plugin_paths.data[i], name);
            if (!path) return ST_OUT_OF_MEMORY;

            // the first file of that name decides, even when it cannot be loaded
            const bool there = access(path, R_OK) == 0;
            const st_status status = there ? st_plugin_load(scene, path) : ST_NOT_FOUND;
            st_free(path);
            if (there) return status;
        }
    return ST_NOT_FOUND;
}

void st_plugins_close(st_scene *scene) {
    for (size_t i = scene->plugins.count; i-- > 0;) dlclose(scene->plugins.data[i]);
    st_list_free(&scene->plugins);
}
