// Any bytes as an OBJ file: loading ends without a fault, and every element names points that exist.
//
// The first byte chooses the options of the loader, the rest is the file. The file exists in memory only, under the
// name that the system has for its descriptor.
//
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/mesh_loader.h"
#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const st_class st_mesh_obj_loader_class, st_ogl_model_class;

static void check_mesh(st_object *object) {
    const st_mesh_loader *loader = (const st_mesh_loader *)object;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < loader->elements[kind].count * st_element_size[kind]; i++)
            if (loader->elements[kind].data[i] >= loader->position.count) abort();
    for (size_t i = 0; i < 3 * loader->position.count; i++)
        if (!isfinite(loader->position.data[i])) abort();
    if (loader->normals.count != loader->position.count) abort();
}

static void load(int file, unsigned options) {
    char text[512];
    st_scene *scene = st_scene_create(NULL);
    if (!scene) return;
    if (!st_registry_find(scene, "MeshOBJLoader")) st_register_class(scene, &st_mesh_obj_loader_class);
    if (!st_registry_find(scene, "OglModel")) st_register_class(scene, &st_ogl_model_class);
    snprintf(text, sizeof text,
             "<Node><MeshOBJLoader name=\"l\" filename=\"/proc/self/fd/%d\" handleSeams=\"%u\" triangulate=\"%u\" "
             "createSubelements=\"%u\" onlyAttachedPoints=\"%u\" flipNormals=\"%u\"/><OglModel src=\"@l\"/>"
             "<OglModel filename=\"/proc/self/fd/%d\" keepLines=\"%u\" useNormals=\"%u\"/></Node>",
             file, options & 1, options >> 1 & 1, options >> 2 & 1, options >> 3 & 1, options >> 4 & 1, file,
             options >> 5 & 1, options >> 6 & 1);
    if (st_scene_load_text(scene, text, strlen(text), NULL) == ST_OK) {
        st_scene_init(scene);
        check_mesh(st_scene_find(scene, "/l"));
    }
    st_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const int file = memfd_create("mesh", 0);
    if (file < 0) return 0;
    const bool written = write(file, data + 1, size - 1) == (ssize_t)(size - 1);
    if (written) load(file, data[0]);
    close(file);
    return 0;
}
