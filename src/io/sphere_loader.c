// SphereLoader: centers and radii of spheres from a .sph file.
//
//     sph 1.0                  (the first line is skipped)
//     nums n                   (the number is ignored)
//     sphe index x y z radius  (the index is ignored)
//
// Centers are transformed, c' = T R S c; radii are not.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "base/text.h"
#include "io/mesh_loader.h"
#include "math/real.h"

typedef struct sphere_loader {
    st_object object;
    char *filename;
    st_real scale[3], rotation[3], translation[3];
    st_reals position; // Vec3
    st_reals radii;
} sphere_loader;

static const st_field fields[] = {
    ST_FIELD(sphere_loader, filename, "filename", st_type_file, NULL, "the file to read",
             .flags = ST_FIELD_REQUIRED | ST_FIELD_NO_SRC),
    ST_FIELD(sphere_loader, scale, "scale", st_type_vec3, "1 1 1", "scale of the centers", .aliases = "scale3d",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(sphere_loader, rotation, "rotation", st_type_vec3, "0 0 0", "rotation of the centers in degrees",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(sphere_loader, translation, "translation", st_type_vec3, "0 0 0", "translation of the centers",
             .flags = ST_FIELD_NO_SRC),
    ST_FIELD(sphere_loader, position, "position", st_type_vec3s, NULL, "centers", .aliases = "sphere_centers",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(sphere_loader, radii, "listRadius", st_type_reals, NULL, "radii", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static bool add_sphere(sphere_loader *self, const st_real values[4]) {
    const size_t at = self->position.count;
    if (!st_list_set_count(&self->position, at + 1, 3) || !st_list_push(&self->radii, values[3])) return false;
    st_copy_reals(self->position.data + 3 * at, values, 3);
    return true;
}

// False: out of memory.
static bool sphere_loader_read_line(sphere_loader *self, st_mesh_file *file, const char *cursor, const char *end) {
    const char *word, *index;
    size_t length, index_length;
    st_real values[4];

    // comments, the count, words that are not known
    if (!st_mesh_file_word(&cursor, end, &word, &length) || word[0] == '#' || st_text_is(word, length, "nums"))
        return true;
    if (!st_text_is(word, length, "sphe")) {
        st_mesh_file_warn(file, file->line, "\"%.*s\" is not a known word: the line is skipped",
                          (int)(length > 40 ? 40 : length), word);
        return true;
    }

    if (st_mesh_file_word(&cursor, end, &index, &index_length) && st_mesh_file_reals(&cursor, end, values, 4))
        return add_sphere(self, values);
    st_mesh_file_problem(file, file->line, "\"sphe index x y z radius\" with finite numbers is expected");
    return true;
}

static st_status sphere_loader_finish(sphere_loader *self) {
    st_real m[12];
    st_mesh_transformation(m, self->scale, self->rotation, self->translation);
    st_mesh_transform(m, self->position.data, self->position.count);

    for (size_t i = 0; i < 3 * self->position.count; i++)
        if (!isfinite(self->position.data[i])) {
            self->position.count = self->radii.count = 0;
            return st_invalid(&self->object, "%s: a center is not finite after the transformation", self->filename);
        }

    st_touch(&self->object, &self->position);
    st_touch(&self->object, &self->radii);
    return ST_OK;
}

static st_status sphere_loader_parse(st_object *object) {
    sphere_loader *self = (sphere_loader *)object;
    st_mesh_file file;
    const char *begin, *end;

    // attributes may come from links
    st_pull(object);
    self->position.count = self->radii.count = 0;
    if (!st_mesh_file_open(&file, object, self->filename)) return ST_INVALID;

    // the first line, then the spheres
    bool ok = st_mesh_file_line(&file, &begin, &end);
    while (ok && st_mesh_file_line(&file, &begin, &end)) ok = sphere_loader_read_line(self, &file, begin, end);

    st_mesh_file_close(&file);
    return ok ? sphere_loader_finish(self)
              : st_invalid(object, "%s: there is not enough memory for it", self->filename);
}

const st_class st_sphere_loader_class = {
    .name = "SphereLoader",
    .help = "reads centers and radii of spheres from a .sph file",
    .kind = "loader",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(sphere_loader),
    .example = "<SphereLoader name=\"loader\" filename=\"mesh/liver.sph\"/>",
    .parse = sphere_loader_parse,
};
