// What every reader of meshes must keep to, whatever the bytes: a mesh whose elements and points are sound, or false
// and at least one problem that was reported. A sound mesh is then taken through all that loaders make of it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_FUZZ_MESH_CHECK_H
#define SETTEE_TESTS_FUZZ_MESH_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"

enum { LARGEST_INPUT = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check_sound(const st_mesh *mesh) {
    const size_t points = mesh->position.count;
    for (size_t i = 0; i < 3 * points; i++)
        if (!isfinite(mesh->position.data[i])) abort();
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < mesh->elements[kind].count * st_element_size[kind]; i++)
            if (mesh->elements[kind].data[i] >= points) abort();
    for (size_t i = 0; i < mesh->edge_points.count; i++)
        if (mesh->edge_points.data[4 * i] >= points ||
            mesh->edge_points.data[4 * i + 1] >= mesh->elements[ST_EDGE].count)
            abort();
}

static inline void make_everything(st_mesh *mesh) {
    st_uints kept = {0};
    st_reals normals = {0};
    if (!st_mesh_triangulate(mesh->elements) || !st_mesh_create_subelements(mesh->elements) ||
        !st_mesh_keep_attached(&mesh->position, mesh->elements, &kept) ||
        !st_mesh_normals(&normals, &mesh->position, &mesh->elements[ST_TRIANGLE], &mesh->elements[ST_QUAD]))
        abort();
    st_list_free(&kept);
    st_list_free(&normals);
}

static inline void check_mesh(st_mesh *mesh, const st_mesh_file *file, bool ok) {
    if (!ok && file->problems == 0) abort();
    if (ok) {
        check_sound(mesh);
        make_everything(mesh);
    }
    st_mesh_free(mesh);
}

#define FUZZ_MESH(call)                                                                                                \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                                                     \
        if (size > LARGEST_INPUT) return 0;                                                                            \
        st_mesh mesh = {0};                                                                                            \
        st_mesh_file file = st_mesh_file_of_text((const char *)data, size);                                            \
        const bool ok = (call);                                                                                        \
        check_mesh(&mesh, &file, ok);                                                                                  \
        return 0;                                                                                                      \
    }

#endif
