// AddDataRepository: one more folder in which files are looked for, after those that are known already.
//
// It acts while it is read, so that the components after it find their files there. A relative folder is looked for as
// files are: beside the scene first, then in the data paths.
//
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "base/array.h"
#include "scene/element.h"
#include "scene/scene.h"

typedef struct add_data_repository {
    st_object object;
    char *path;
} add_data_repository;

static const st_field fields[] = {
    ST_FIELD(add_data_repository, path, "path", st_type_string, NULL, "the folder", .flags = ST_FIELD_REQUIRED),
    ST_FIELDS_END,
};

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static st_status add_data_repository_parse(st_object *object) {
    const add_data_repository *self = (const add_data_repository *)object;
    st_scene *scene = object->scene;
    const char *directory = scene->creating ? scene->creating->directory : NULL;

    char *found = st_repository_find(scene, directory, self->path ? self->path : "");
    if (!found || !is_folder(found)) {
        st_free(found);
        return st_invalid(object, "there is no folder \"%s\"", self->path ? self->path : "");
    }

    if (st_list_push(&scene->data_paths, found)) return ST_OK;
    st_free(found);
    return ST_OUT_OF_MEMORY;
}

const st_class st_add_data_repository_class = {
    .name = "AddDataRepository",
    .help = "one more folder in which files are looked for",
    .aliases = "AddResourceRepository",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(add_data_repository),
    .example = "<AddDataRepository path=\"/\"/>",
    .parse = add_data_repository_parse,
};
