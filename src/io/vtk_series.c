// The list of VTK files of a run: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_series.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "scene/scene.h"
#include "settee/file.h"

static const char mark[] = "<!-- files written by settee; the next run in this folder removes them -->";
enum { LINE_SIZE = 4096 };

static char *list_path(const char *folder) { return st_string_format("%s/scene.pvd", folder); }

// The file that a line of the list names, if it is one of ours: in this folder, and a .vtu.
static bool read_name(const char *line, char name[LINE_SIZE]) {
    const char *at = strstr(line, " file=\""), *end = at ? strchr(at + 7, '"') : NULL;
    const size_t length = end ? (size_t)(end - at - 7) : 0;
    if (length < 5 || length >= LINE_SIZE) return false;
    memcpy(name, at + 7, length);
    name[length] = 0;
    return !strchr(name, '/') && !strchr(name, '&') && strcmp(name + length - 4, ".vtu") == 0;
}

static void remove_earlier(const char *folder, FILE *list) {
    char line[LINE_SIZE], name[LINE_SIZE];
    bool ours = false;
    while (fgets(line, sizeof line, list)) {
        ours = ours || strncmp(line, mark, sizeof mark - 1) == 0;
        if (!ours || !read_name(line, name)) continue;
        char *path = st_string_format("%s/%s", folder, name);
        if (path) unlink(path); // one that is gone already is no matter
        st_free(path);
    }
}

bool st_vtk_series_begin(st_scene *scene, const char *folder) {
    if (scene->vtk_folder && strcmp(scene->vtk_folder, folder) == 0) return true;

    // another folder: a new list
    st_strings_free(&scene->vtk_frames);
    st_free(scene->vtk_folder);
    scene->vtk_folder = st_string_copy(folder);
    char *path = list_path(folder);
    if (!path || !scene->vtk_folder) {
        st_free(path);
        st_scene_message(scene, ST_ERROR, "vtk", folder, 0, "out of memory");
        return false;
    }

    FILE *list = fopen(path, "r");
    if (list) {
        remove_earlier(folder, list);
        fclose(list);
    }
    st_free(path);
    return true;
}

bool st_vtk_series_add(st_scene *scene, const char *path, size_t part) {
    char time[40];
    const char *slash = strrchr(path, '/');
    st_text_write_real(time, sizeof time, scene->root->time, 9);
    char *line =
        st_string_format("<DataSet timestep=\"%s\" part=\"%zu\" file=\"%s\"/>", time, part, slash ? slash + 1 : path);
    if (line && st_list_push(&scene->vtk_frames, line)) return true;
    st_free(line);
    return false;
}

bool st_vtk_series_write(st_scene *scene) {
    char why[256] = "out of memory", *path = list_path(scene->vtk_folder);
    st_file file;
    bool ok = path && st_file_create(&file, path, why, sizeof why);
    if (ok) {
        fprintf(file.stream,
                "<?xml version=\"1.0\"?>\n%s\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", mark);
        for (size_t i = 0; i < scene->vtk_frames.count; i++) fprintf(file.stream, "%s\n", scene->vtk_frames.data[i]);
        fputs("</Collection>\n</VTKFile>\n", file.stream);
        ok = st_file_commit(&file, why, sizeof why);
    }
    if (!ok) st_scene_message(scene, ST_ERROR, "vtk", path, 0, "%s", why);
    st_free(path);
    return ok;
}
