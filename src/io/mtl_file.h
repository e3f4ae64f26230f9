// Material libraries (.mtl) that OBJ files name.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_MTL_FILE_H
#define SETTEE_IO_MTL_FILE_H

#include "base/map.h"
#include "topology/file/mesh_file.h"

typedef enum st_material_part {
    ST_MATERIAL_DIFFUSE,
    ST_MATERIAL_AMBIENT,
    ST_MATERIAL_SPECULAR,
    ST_MATERIAL_EMISSIVE,
    ST_MATERIAL_COLORS
} st_material_part;

typedef struct st_material {
    char *name;
    bool has[ST_MATERIAL_COLORS], has_shininess;
    st_real color[ST_MATERIAL_COLORS][4];
    st_real shininess;
} st_material;

// Zero bytes are an empty one.
typedef struct st_materials {
    ST_LIST(st_material) list;
    st_map places; // name to place in the list, from 1
} st_materials;

// Appends the materials of a library. Lines that make no sense are skipped with a warning. False: out of memory.
bool st_mtl_read(st_materials *materials, st_mesh_file *file);
// Appends those of the library `name` in the folder of the file `beside`, when there is one.
bool st_mtl_read_beside(st_materials *materials, const st_object *object, const char *beside, const char *name);
// The first with that name, or NULL.
const st_material *st_materials_find(const st_materials *materials, const char *name);
void st_materials_free(st_materials *materials);

// "name Diffuse 1 r g b a Ambient 1 r g b a Specular 0 ... Emissive 0 ... Shininess 1 s". Allocated; NULL: out of
// memory.
char *st_material_text(const st_material *material);
// The color after a word of such a text; false: it is absent or switched off.
bool st_material_color(const char *text, const char *word, st_real color[4]);

#endif
