// Images of voxels for sparse grids: a .raw file of one byte per voxel, or a .voxel file of text:
//
//     nx ny nz  dx dy dz  v v v ...       one integer per voxel, x fastest; 0 is empty
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "topology/file/mesh_scan.h"
#include "topology/sparse_grid.h"

// The number of voxels, as far as a file of `bytes` bytes can hold them; 0 when it cannot.
static size_t voxel_count(const int32_t n[3], size_t bytes) {
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        if (n[i] <= 0 || count > bytes / (size_t)n[i]) return 0;
        count *= (size_t)n[i];
    }
    return count;
}

bool st_voxels_read_raw(st_voxels *voxels, st_object *object, const char *path) {
    st_mesh_file file;

    if (!st_mesh_file_open(&file, object, path)) return false;
    const size_t bytes = (size_t)(file.end - file.begin), count = voxel_count(voxels->n, bytes);

    // one byte for each voxel; what follows them is ignored
    bool ok = count > 0;
    if (!ok)
        st_message(object, ST_ERROR, "%s: dataResolution = %d %d %d does not fit into a file of %zu bytes", path,
                   voxels->n[0], voxels->n[1], voxels->n[2], bytes);

    ok = ok && (st_list_set_count(&voxels->full, count, 1) || st_mesh_scan_no_memory(&file));
    for (size_t i = 0; ok && i < count; i++) voxels->full.data[i] = file.begin[i] != 0;
    st_mesh_file_close(&file);
    return ok;
}

static bool read_text(st_voxels *voxels, st_mesh_file *file) {
    // header: numbers of voxels and their size
    for (int i = 0; i < 3; i++)
        if (!st_mesh_scan_int(file, &voxels->n[i])) return st_mesh_scan_expected(file, "a number of voxels");
    if (!st_mesh_scan_singles(file, voxels->size, 3)) return st_mesh_scan_expected(file, "the size of a voxel");

    const size_t count = voxel_count(voxels->n, st_mesh_scan_left(file));
    if (count == 0) {
        st_mesh_file_problem(file, st_mesh_scan_line(file, file->cursor),
                             "%d x %d x %d voxels do not fit into the rest of the file", voxels->n[0], voxels->n[1],
                             voxels->n[2]);
        return false;
    }

    // values, x fastest
    if (!st_list_set_count(&voxels->full, count, 1)) return st_mesh_scan_no_memory(file);
    for (size_t i = 0; i < count; i++) {
        int32_t value;
        if (!st_mesh_scan_int(file, &value)) return st_mesh_scan_expected(file, "the value of voxel %zu", i);
        voxels->full.data[i] = value != 0;
    }
    return true;
}

bool st_voxels_read_text(st_voxels *voxels, st_object *object, const char *path) {
    st_mesh_file file;

    if (!st_mesh_file_open(&file, object, path)) return false;
    const bool ok = read_text(voxels, &file);
    st_mesh_file_close(&file);
    return ok;
}

bool st_voxels_of_loader(st_voxels *voxels, const st_node *node) {
    const st_voxel_loader *loader = (const st_voxel_loader *)st_find_class(node, &st_voxel_loader_class, ST_UP);

    if (!loader || loader->index_in_grid.count == 0 || loader->n[0] == 0) return false;

    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        voxels->n[i] = loader->n[i];
        voxels->size[i] = loader->voxel_size[i];
        count *= (size_t)loader->n[i]; // so many bytes were read
    }

    // the loader lists the full voxels; all others stay 0
    if (!st_list_set_count(&voxels->full, count, 1)) return false;
    for (size_t i = 0; i < loader->index_in_grid.count; i++)
        if (loader->index_in_grid.data[i] < count) voxels->full.data[loader->index_in_grid.data[i]] = 1;
    return true;
}

static void voxel_loader_destroy(st_object *object) { st_list_free(&((st_voxel_loader *)object)->values); }

const st_class st_voxel_loader_class = {
    .name = "VoxelLoader",
    .help = "what every loader of an image of voxels has",
    .parent = &st_object_class,
    .size = sizeof(st_voxel_loader),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = voxel_loader_destroy,
};
