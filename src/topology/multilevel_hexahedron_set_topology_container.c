// MultilevelHexahedronSetTopologyContainer: hexahedra that stand for voxels of a regular grid.
//
// Each hexahedron has room for 2^level × 2^level × 2^level voxels and owns one of them, the one that idxInRegularGrid
// names. (Nothing merges voxels into larger hexahedra, in SOFA as well as here.)
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/plugin/change.h"
#include "topology/voxel_containers.h"

static const st_field fields[] = {
    ST_FIELD(st_multilevel, level, "level", st_type_int, "0", "levels of resolution between voxels and hexahedra"),
    ST_FIELD(st_multilevel, resolution, "resolution", st_type_int3, "0 0 0", "number of voxels along each axis"),
    ST_FIELD(st_multilevel, index_in_grid, "idxInRegularGrid", st_type_indices, NULL,
             "voxel of each hexahedron: i + nx (j + ny k)", .mesh = ST_PER(ST_HEXAHEDRON), .make = st_make_no_voxel),
    ST_FIELD(st_multilevel, ignored[0], "coarseComponents", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_multilevel, ignored[1], "fineComponents", st_type_string, NULL, "computed, whatever is given",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

void st_make_no_voxel(st_object *object, void *entry, const st_edit *edit, size_t k) {
    (void)object, (void)edit, (void)k;
    *(uint32_t *)entry = ST_INVALID_INDEX;
}

st_status st_check_voxels(st_topology *topology, const int32_t n[3], const st_uints *index_in_grid) {
    st_object *object = &topology->object;
    const size_t hexahedra = st_topology_elements(topology, ST_HEXAHEDRON)->count;
    if (hexahedra == 0) return ST_OK;

    // a grid, whose voxels can be counted
    if (n[0] < 1 || n[1] < 1 || n[2] < 1)
        return st_invalid(object, "resolution is %d %d %d: each of the %zu hexahedra must be a voxel of a grid", n[0],
                          n[1], n[2], hexahedra);
    const uint64_t layer = (uint64_t)n[0] * (uint64_t)n[1];
    if (layer > UINT32_MAX / (uint64_t)n[2])
        return st_invalid(object, "resolution is %d %d %d: a grid has less than 2^32 voxels", n[0], n[1], n[2]);

    // a voxel for each
    if (index_in_grid->count < hexahedra)
        return st_invalid(object, "idxInRegularGrid has %zu numbers for %zu hexahedra", index_in_grid->count,
                          hexahedra);
    for (size_t h = 0; h < hexahedra; h++)
        if (index_in_grid->data[h] >= layer * (uint64_t)n[2] && index_in_grid->data[h] != ST_INVALID_INDEX)
            return st_invalid(object, "idxInRegularGrid of hexahedron %zu is %u, but the grid has %llu voxels", h,
                              index_in_grid->data[h], (unsigned long long)(layer * (uint64_t)n[2]));
    return ST_OK;
}

void st_multilevel_place(const st_multilevel *self, size_t e, int place[3]) {
    const uint32_t voxel = e < self->index_in_grid.count ? self->index_in_grid.data[e] : ST_INVALID_INDEX;
    const uint32_t nx = (uint32_t)self->resolution[0], ny = (uint32_t)self->resolution[1], size = 1u << self->level;
    place[0] = place[1] = place[2] = 0;

    // a hexahedron that came later is taken as the first voxel within its cell
    if (voxel == ST_INVALID_INDEX || nx == 0 || ny == 0) return;
    place[0] = (int)(voxel % nx % size);
    place[1] = (int)(voxel / nx % ny % size);
    place[2] = (int)(voxel / nx / ny % size);
}

static st_status multilevel_init(st_object *object) {
    st_multilevel *self = (st_multilevel *)object;
    if (self->level < 0 || self->level > ST_MAX_VOXEL_LEVEL)
        return st_invalid(object, "level is %d: it must be from 0 to %d", (int)self->level, ST_MAX_VOXEL_LEVEL);

    const st_status status = st_container_init(object);
    if (status != ST_OK) return status;
    return st_check_voxels(&self->container.topology, self->resolution, &self->index_in_grid);
}

const st_class st_multilevel_hexahedron_set_topology_container_class = {
    .name = "MultilevelHexahedronSetTopologyContainer",
    .help = "hexahedra that stand for voxels of a regular grid, for NonUniformHexahedralFEMForceFieldAndMass",
    .parent = &st_hexahedron_set_topology_container_class,
    .fields = fields,
    .size = sizeof(st_multilevel),
    .example = "<MultilevelHexahedronSetTopologyContainer hexahedra=\"0 1 2 3 4 5 6 7\" level=\"1\" "
               "resolution=\"2 2 2\" idxInRegularGrid=\"5\"/>",
    .init = multilevel_init,
};
