// Reading material libraries.
//
//     newmtl name      a material begins
//     Kd Ka Ks Ke      r g b of the diffuse, ambient, specular and emissive color
//     Ns               shininess
//     d Tr             opacity, transparency
//
// Everything else in a library (textures, illumination models) is skipped.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mtl_file.h"

#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "math/real.h"

static const char *const part_words[ST_MATERIAL_COLORS] = {"Diffuse", "Ambient", "Specular", "Emissive"};

// ---------------------------------------------------------------------------------------------------
// Lines
// ---------------------------------------------------------------------------------------------------

static bool begin_material(st_materials *materials, const char *cursor, const char *end) {
    static const st_material usual = {.color = {{0.75, 0.75, 0.75, 1}, {0.2, 0.2, 0.2, 1}, {1, 1, 1, 1}, {0, 0, 0, 1}},
                                      .shininess = 45};
    st_material material = usual;

    // the name is all of the line, without blanks around it
    cursor = st_text_skip_blanks(cursor, end);
    while (end > cursor && st_text_is_blank(end[-1])) end--;
    material.name = st_string_copy_n(cursor, (size_t)(end - cursor));

    if (!material.name || !st_list_push(&materials->list, material)) {
        st_free(material.name);
        return false;
    }

    // of two materials of one name the first counts
    return st_map_has(&materials->places, material.name) ||
           st_map_put(&materials->places, material.name, (void *)(uintptr_t)materials->list.count);
}

static void set_opacity(st_material *material, st_real opacity) {
    for (int part = 0; part < ST_MATERIAL_COLORS; part++) material->color[part][3] = st_clamp(opacity, 0, 1);
}

// False: the numbers are not there.
static bool set_value(st_material *material, const char *word, size_t length, const char *cursor, const char *end) {
    static const char *const colors[ST_MATERIAL_COLORS] = {"Kd", "Ka", "Ks", "Ke"};
    st_real values[3];

    // a color
    for (int part = 0; part < ST_MATERIAL_COLORS; part++) {
        if (!st_text_is(word, length, colors[part])) continue;
        if (!st_mesh_file_reals(&cursor, end, values, 3)) return false;
        for (int i = 0; i < 3; i++) material->color[part][i] = values[i];
        material->has[part] = true;
        return true;
    }

    // a number; Tr = 1 - d
    if (st_text_is(word, length, "Ns")) {
        if (!st_mesh_file_reals(&cursor, end, &material->shininess, 1)) return false;
        material->has_shininess = true;
    } else if (st_text_is(word, length, "d") || st_text_is(word, length, "Tr")) {
        if (!st_mesh_file_reals(&cursor, end, values, 1)) return false;
        set_opacity(material, word[0] == 'd' ? values[0] : 1 - values[0]);
    }

    return true;
}

bool st_mtl_read(st_materials *materials, st_mesh_file *file) {
    const char *begin, *end, *word;
    size_t length;

    const size_t first = materials->list.count;
    while (st_mesh_file_line(file, &begin, &end)) {
        const char *cursor = begin;
        if (!st_mesh_file_word(&cursor, end, &word, &length) || word[0] == '#') continue;

        if (st_text_is(word, length, "newmtl")) {
            if (!begin_material(materials, cursor, end)) return false;
        } else if (materials->list.count > first &&
                   !set_value(&materials->list.data[materials->list.count - 1], word, length, cursor, end))
            st_mesh_file_warn(file, file->line, "finite numbers are expected after %.*s", (int)length, word);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Files and names
// ---------------------------------------------------------------------------------------------------

// A library is in the folder of its mesh or below it: a name that leads elsewhere is not followed.
static bool is_below(const char *name) { return name[0] != '/' && !strstr(name, ".."); }

bool st_mtl_read_beside(st_materials *materials, const st_object *object, const char *beside, const char *name) {
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    if (!slash || !is_below(name)) return true;

    char *path = st_string_format("%.*s%s", (int)(slash + 1 - beside), beside, name);
    if (!path) return false;

    struct stat info; // a library is often missing, and only changes what is drawn: no warning
    bool ok = true;
    st_mesh_file file;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        st_message(object, ST_INFO, "%s: the material library %sdoes not exist", beside, name);
    else if (st_mesh_file_open_path(&file, path, NULL, NULL)) {
        file.object = object;
        ok = st_mtl_read(materials, &file);
        st_mesh_file_close(&file);
    }

    st_free(path);
    return ok;
}

const st_material *st_materials_find(const st_materials *materials, const char *name) {
    const size_t place = (uintptr_t)st_map_get(&materials->places, name);
    return place ? &materials->list.data[place - 1] : NULL;
}

void st_materials_free(st_materials *materials) {
    for (size_t i = 0; i < materials->list.count; i++) st_free(materials->list.data[i].name);
    st_list_free(&materials->list);
    st_map_free(&materials->places);
}

// ---------------------------------------------------------------------------------------------------
// As text
// ---------------------------------------------------------------------------------------------------

char *st_material_text(const st_material *material) {
    st_text text = {0};
    bool ok = true;
    const char *name = *material->name ? material->name : "Default";
    for (; ok && *name; name++) ok = st_text_append_char(&text, st_text_is_blank(*name) ? '_' : *name);

    // each color with 1 or 0 before it: was it in the library?
    for (int part = 0; ok && part < ST_MATERIAL_COLORS; part++) {
        ok = st_text_appendf(&text, " %s %d", part_words[part], material->has[part]);
        for (int i = 0; ok && i < 4; i++)
            ok = st_text_append_char(&text, ' ') && st_text_append_real(&text, material->color[part][i], 6);
    }
    ok = ok && st_text_appendf(&text, " Shininess %d ", material->has_shininess) &&
         st_text_append_real(&text, material->shininess, 6);

    char *taken = ok ? st_text_take(&text) : NULL;
    st_text_free(&text);
    return taken;
}

bool st_material_color(const char *text, const char *word, st_real color[4]) {
    const char *name = text ? st_text_skip_blanks(text, text + strlen(text)) : NULL; // it may hold any word
    const char *at = name ? strstr(name + strcspn(name, " \t\r\n"), word) : NULL;
    st_real values[5];
    if (!at) return false;

    at += strlen(word);
    if (!st_mesh_file_reals(&at, at + strlen(at), values, 5) || values[0] == 0) return false;

    for (int i = 0; i < 4; i++) color[i] = values[i + 1];
    return true;
}
