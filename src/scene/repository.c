// Finding files: SOFA's rule.
//
// A name is looked for in the folder of the scene (or included) file that uses it, then in each data path of the scene
// in order, then in settee's own share folder. An absolute name is only looked for where it says. A backslash separates
// like a slash; nothing else is changed, letters keep their case. Folders count as found.
//
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "scene/element.h"

// Folders of settee's own macro files, colons between; the build may say none.
#ifndef SETTEE_SHARE_DIR
#define SETTEE_SHARE_DIR ""
#endif

static char *with_slashes(const char *name) {
    char *copy = st_string_copy(name);
    for (char *at = copy; at && *at; at++)
        if (*at == '\\') *at = '/';
    return copy;
}

// Removes the last part of a path, but not the root's slash.
static void climb(st_text *path) {
    while (path->length > 1 && path->data[path->length - 1] != '/') path->length--;
    if (path->length > 1) path->length--;
    path->data[path->length] = 0;
}

// Appends the parts of a path to an absolute one; "." and ".." are worked off in the text, as SOFA does.
static bool append_parts(st_text *path, const char *parts) {
    while (*parts) {
        const size_t length = strcspn(parts, "/");
        const bool stay = length == 0 || (length == 1 && parts[0] == '.');
        if (length == 2 && parts[0] == '.' && parts[1] == '.') climb(path);
        else if (!stay) {
            const bool slash = path->data[path->length - 1] != '/';
            if (slash && !st_text_append_char(path, '/')) return false;
            if (!st_text_append_n(path, parts, length)) return false;
        }
        parts += length + (parts[length] == '/');
    }

    return true;
}

static bool begin_absolute(st_text *path, const char *name) {
    if (!st_text_append(path, "/")) return false;
    if (name[0] == '/') return true;

    char here[PATH_MAX];
    return getcwd(here, sizeof here) && append_parts(path, here);
}

// folder/name as an absolute path when it exists; NULL folder: the current one.
static char *find_in(const char *folder, const char *name) {
    if (!folder) folder = "";
    const bool absolute = name[0] == '/';
    st_text path = {0};

    // an absolute name needs no folder
    bool ok = begin_absolute(&path, absolute ? name : folder);
    if (ok && !absolute) ok = append_parts(&path, folder);
    ok = ok && append_parts(&path, name) && access(path.data, F_OK) == 0;

    if (ok) return st_text_take(&path);
    st_text_free(&path);
    return NULL;
}

static char *find_in_share(const char *name) {
    for (const char *at = SETTEE_SHARE_DIR; *at;) {
        const size_t length = strcspn(at, ":");
        char *folder = length > 0 ? st_string_copy_n(at, length) : NULL;
        char *found = folder ? find_in(folder, name) : NULL;
        st_free(folder);
        if (found) return found;
        at += length + (at[length] == ':');
    }

    return NULL;
}

char *st_repository_find(const st_scene *scene, const char *directory, const char *name) {
    if (!name[0]) return NULL;

    char *wanted = with_slashes(name);
    if (!wanted) return NULL;

    // the folder of the file that uses it, the data paths, settee's own
    char *found = find_in(directory, wanted);
    if (wanted[0] != '/') {
        for (size_t i = 0; !found && i < scene->data_paths.count; i++)
            found = find_in(scene->data_paths.data[i], wanted);
        if (!found) found = find_in_share(wanted);
    }

    st_free(wanted);
    return found;
}
