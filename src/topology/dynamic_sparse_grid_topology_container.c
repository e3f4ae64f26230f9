// DynamicSparseGridTopologyContainer: hexahedra made of the voxels of an image, which can be removed one by one.
//
// For each hexahedron the number of its voxel and the value of that voxel; for each voxel of the image whether there is
// a hexahedron (255 or 0), and which one. When hexahedra come or go the lists follow. SOFA has no loader that this
// container accepts; here it is VoxelGridLoader.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/plugin/change.h"
#include "topology/sparse_grid.h"
#include "topology/voxel_containers.h"

typedef struct dynamic_grid {
    st_container container;
    int32_t resolution[3];
    st_real voxel_size[3];
    st_uints index_in_grid, value_of_hexahedron; // one for each hexahedron
    st_uints occupied, hexahedron_of;            // one for each voxel of the image
} dynamic_grid;

static const st_field fields[] = {
    ST_FIELD(dynamic_grid, resolution, "resolution", st_type_int3, "0 0 0",
             "number of voxels along each axis; the loader's when it is not given", .flags = ST_FIELD_FIXED),
    ST_FIELD(dynamic_grid, voxel_size, "voxelSize", st_type_vec3, "1 1 1",
             "size of a voxel; the loader's when it is not given"),
    ST_FIELD(dynamic_grid, index_in_grid, "idxInRegularGrid", st_type_indices, NULL,
             "voxel of each hexahedron; the loader's when it is not given", .mesh = ST_PER(ST_HEXAHEDRON),
             .make = st_make_no_voxel, .flags = ST_FIELD_FIXED),
    ST_FIELD(dynamic_grid, value_of_hexahedron, "valuesIndexedInTopology", st_type_indices, NULL,
             "value of the voxel of each hexahedron", .mesh = ST_PER(ST_HEXAHEDRON), .flags = ST_FIELD_OUTPUT),
    ST_FIELD(dynamic_grid, occupied, "valuesIndexedInRegularGrid", st_type_indices, NULL,
             "of each voxel of the grid: 255 when there is a hexahedron, else 0", .flags = ST_FIELD_OUTPUT),
    ST_FIELD(dynamic_grid, hexahedron_of, "idInRegularGrid2IndexInTopo", st_type_indices, NULL,
             "hexahedron of each voxel of the grid; the largest index where there is none", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

// Which voxels are occupied, and by which hexahedron.
static void mark_voxels(dynamic_grid *self) {
    for (size_t v = 0; v < self->occupied.count; v++) {
        self->occupied.data[v] = 0;
        self->hexahedron_of.data[v] = ST_INVALID_INDEX;
    }

    for (size_t h = 0; h < self->index_in_grid.count; h++) {
        const uint32_t voxel = self->index_in_grid.data[h];
        if (voxel >= self->occupied.count) continue;
        self->occupied.data[voxel] = 255;
        self->hexahedron_of.data[voxel] = (uint32_t)h;
    }

    st_touch(&self->container.topology.object, &self->occupied);
    st_touch(&self->container.topology.object, &self->hexahedron_of);
}

// What the scene does not say comes from the loader.
static bool take_from_loader(dynamic_grid *self, const st_voxel_loader *loader) {
    const st_object *object = &self->container.topology.object;
    for (int i = 0; i < 3; i++) {
        if (!st_is_set(object, self->resolution)) self->resolution[i] = loader->resolution[i];
        if (!st_is_set(object, self->voxel_size)) self->voxel_size[i] = loader->voxel_size[i];
    }

    if (st_is_set(object, &self->index_in_grid)) return true;
    if (!st_list_set_count(&self->index_in_grid, loader->index_in_grid.count, 1)) return false;
    st_copy_bytes(self->index_in_grid.data, loader->index_in_grid.data,
                  loader->index_in_grid.count * sizeof *self->index_in_grid.data);
    return true;
}

// Values of the image, found by the number of the voxel; both lists of the loader increase together.
static bool take_values(dynamic_grid *self, const st_voxel_loader *loader, size_t hexahedra) {
    if (!st_list_set_count(&self->value_of_hexahedron, hexahedra, 1)) return false;
    for (size_t h = 0; h < hexahedra; h++) {
        size_t low = 0, high = loader->index_in_grid.count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (loader->index_in_grid.data[middle] < self->index_in_grid.data[h]) low = middle + 1;
            else high = middle;
        }
        const bool found =
            low < loader->index_in_grid.count && loader->index_in_grid.data[low] == self->index_in_grid.data[h];
        self->value_of_hexahedron.data[h] = found && low < loader->values.count ? loader->values.data[low] : 0;
    }
    return true;
}

static st_status dynamic_grid_init(st_object *object) {
    dynamic_grid *self = (dynamic_grid *)object;
    st_topology *topology = &self->container.topology;
    const st_voxel_loader *loader = (const st_voxel_loader *)st_find_class(object->node, &st_voxel_loader_class, ST_UP);
    if (!loader) return st_invalid(object, "there is no VoxelGridLoader in this node or above");

    st_status status = st_container_init(object);
    if (status != ST_OK) return status;

    // after a change the lists are those of the changed mesh
    const size_t hexahedra = st_topology_elements(topology, ST_HEXAHEDRON)->count;
    if (st_why_init(object) != ST_INIT_CHANGED && !take_from_loader(self, loader))
        return st_invalid(object, "out of memory for %zu voxels", loader->index_in_grid.count);
    status = st_check_voxels(topology, self->resolution, &self->index_in_grid);
    if (status != ST_OK) return status;

    const size_t voxels = (size_t)self->resolution[0] * (size_t)self->resolution[1] * (size_t)self->resolution[2];
    const bool ok = st_list_set_count(&self->occupied, voxels, 1) && st_list_set_count(&self->hexahedron_of, voxels, 1);
    if (!ok || (st_why_init(object) != ST_INIT_CHANGED && !take_values(self, loader, hexahedra)))
        return st_invalid(object, "out of memory for a grid of %zu voxels", voxels);

    mark_voxels(self);
    return ST_OK;
}

static void dynamic_grid_edited(st_object *object, const st_edits *edits) {
    if (&edits->topology->object != object) return;
    for (size_t i = 0; i < edits->count; i++)
        if (edits->list[i].kind == ST_HEXAHEDRON) mark_voxels((dynamic_grid *)object);
}

const st_class st_dynamic_sparse_grid_topology_container_class = {
    .name = "DynamicSparseGridTopologyContainer",
    .help = "hexahedra made of the voxels of an image, which can be removed",
    .parent = &st_hexahedron_set_topology_container_class,
    .fields = fields,
    .size = sizeof(dynamic_grid),
    .example = "<VoxelGridLoader name=\"loader\" filename=\"image.raw\" resolution=\"64 64 32\" bgValue=\"0\"/>\n"
               "<DynamicSparseGridTopologyContainer src=\"@loader\"/>\n"
               "<DynamicSparseGridTopologyModifier/>",
    .init = dynamic_grid_init,
    .edited = dynamic_grid_edited,
};
