// SparseGridMultipleTopology: several closed surfaces with coefficients of their own in one sparse grid.
//
// Surface by surface, in the order of the files: a cell inside takes the coefficients of the file; a cell on the
// boundary takes the mean of what it has and of those (or those alone, with erasePreviousCoef). A file that cannot be
// read is left out, with an error; the others keep their coefficients.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "scene/element.h"
#include "scene/scene.h"
#include "topology/sparse_grid.h"

typedef struct multiple {
    st_sparse_grid grid;
    st_strings files;
    st_reals stiffness, mass;
    bool compute_ramifications, erase_previous;
} multiple;

static const st_field fields[] = {
    ST_FIELD(multiple, files, "fileTopologies", st_type_words, NULL, "surfaces, .obj or .trian",
             .flags = ST_FIELD_REQUIRED),
    ST_FIELD(multiple, stiffness, "stiffnessCoefs", st_type_reals, NULL, "stiffness of each surface; 1 where missing"),
    ST_FIELD(multiple, mass, "massCoefs", st_type_reals, NULL, "mass of each surface; 1 where missing"),
    ST_FIELD(multiple, compute_ramifications, "computeRamifications", st_type_bool, "1",
             "divide cells with several pieces of matter"),
    ST_FIELD(multiple, erase_previous, "erasePreviousCoef", st_type_bool, "0",
             "cells on the boundary take the coefficients of the last surface instead of a mean"),
    ST_FIELD(st_topology, filename, "filename", st_type_file, NULL,
             "the surface that joins boundary cells, with finestConnectivity; without it all of fileTopologies do",
             .aliases = "fileTopology", .flags = ST_FIELD_NO_SRC),
    // Of a grid over one surface; here the files are all that counts.
    ST_FIELD(st_sparse_grid, facets, "facets", st_type_map, NULL, "the surfaces are those of fileTopologies",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_sparse_grid, data_resolution, "dataResolution", st_type_int3, "0 0 0", "there are no voxels",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_sparse_grid, voxel_size, "voxelSize", st_type_vec3, "1 1 1", "there are no voxels",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static st_status sparse_grid_multiple_topology_complete(multiple *self, st_reals *list, const char *name) {
    const size_t given = list->count;

    if (given >= self->files.count) return ST_OK;

    st_message(&self->grid.mesh.topology.object, ST_WARNING, "%s has %zu values for %zu surfaces: 1 for the others",
               name, given, self->files.count);
    if (!st_list_set_count(list, self->files.count, 1)) return ST_OUT_OF_MEMORY;

    for (size_t i = given; i < list->count; i++) list->data[i] = 1;
    return ST_OK;
}

static st_status sparse_grid_multiple_topology_build(st_sparse_grid *grid) {
    multiple *self = (multiple *)grid;
    st_object *object = &grid->mesh.topology.object;
    const size_t count = self->files.count;

    if (count == 0) return st_invalid(object, "fileTopologies names no surface");

    // all surfaces are read before any cell is made
    st_facets *surfaces = st_alloc(count, sizeof *surfaces), joining = {0};
    st_status status = surfaces ? ST_OK : ST_OUT_OF_MEMORY;
    size_t read = 0;
    for (size_t i = 0; status == ST_OK && i < count; i++)
        if (st_facets_read(&surfaces[i], object, self->files.data[i])) read++;
        else st_facets_free(&surfaces[i]);
    if (status == ST_OK && read == 0) status = st_invalid(object, "no surface of fileTopologies could be read");

    if (status == ST_OK) status = sparse_grid_multiple_topology_complete(self, &self->stiffness, "stiffnessCoefs");
    if (status == ST_OK) status = sparse_grid_multiple_topology_complete(self, &self->mass, "massCoefs");

    const char *file = grid->mesh.topology.filename;
    const bool one_joins = file && *file && grid->finest_connectivity;
    if (status == ST_OK && one_joins && !st_facets_read(&joining, object, file)) status = ST_INVALID;

    const st_sparse_source source = {.surfaces = surfaces,
                                     .surface_count = count,
                                     .stiffness = self->stiffness.data,
                                     .mass = self->mass.data,
                                     .erase_previous = self->erase_previous,
                                     .joining = one_joins ? &joining : surfaces,
                                     .joining_count = one_joins ? 1 : count,
                                     .ramified = self->compute_ramifications};

    if (status == ST_OK) status = st_sparse_grid_build(grid, &source);

    st_facets_free(&joining);
    for (size_t i = 0; surfaces && i < count; i++) st_facets_free(&surfaces[i]);
    st_free(surfaces);
    return status;
}

// Names of files are looked for while the scene is read, like those of all other attributes.
static st_status sparse_grid_multiple_topology_parse(st_object *object) {
    multiple *self = (multiple *)object;
    const st_xml_element *element = object->scene->creating;

    for (size_t i = 0; i < self->files.count; i++) {
        char *found = st_repository_find(object->scene, element ? element->directory : NULL, self->files.data[i]);
        if (!found) continue;
        st_free(self->files.data[i]);
        self->files.data[i] = found;
    }

    return st_sparse_grid_topology_class.parse(object);
}

static st_status sparse_grid_multiple_topology_init(st_object *object) {
    return st_sparse_grid_init((st_sparse_grid *)object, sparse_grid_multiple_topology_build);
}

const st_class st_sparse_grid_multiple_topology_class = {
    .name = "SparseGridMultipleTopology",
    .help = "a sparse grid over several closed surfaces with coefficients of their own",
    .parent = &st_sparse_grid_ramification_topology_class,
    .fields = fields,
    .size = sizeof(multiple),
    .example =
        "<SparseGridMultipleTopology n=\"4 4 4\" fileTopologies=\"skin.obj bone.obj\" stiffnessCoefs=\"1 100\"/>",
    .parse = sparse_grid_multiple_topology_parse,
    .init = sparse_grid_multiple_topology_init,
};
