// Any surface in a sparse grid, plain or ramified, with finer levels, and a barycentric mapping that searches it.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

#include "topology/sparse_grid.h"

static void check_level(const st_sparse_level *level) {
    for (size_t i = 0; i < 8 * level->hexahedra.count; i++)
        if (level->hexahedra.data[i] >= level->points.count) abort();
    for (size_t i = 0; i < 3 * level->points.count; i++)
        if (!isfinite(level->points.data[i])) abort();
    if (level->stiffness.count != level->hexahedra.count || level->cell.count != level->hexahedra.count) abort();
}

static void check(st_scene *scene) {
    const st_topology *topology = (const st_topology *)st_scene_find(scene, "/t");
    const st_sparse_grid *grid = topology ? st_sparse_grid_of(topology) : NULL;
    for (size_t i = 0; grid && i < grid->level_count; i++) check_level(&grid->levels[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, size};
    char text[7000];
    const unsigned options = fuzz_byte(&bytes), n = fuzz_byte(&bytes), corners = fuzz_byte(&bytes) % 32;
    size_t at = (size_t)snprintf(
        text, sizeof text,
        "<%s name=\"t\" n=\"%u %u 3\" nbVirtualFinerLevels=\"%u\" onlyInsideCells=\"%u\" fillWeighted=\"%u\" ",
        options & 1 ? "SparseGridRamificationTopology" : "SparseGridTopology", n % 6, n / 6 % 6, (options >> 1 & 3) % 3,
        options >> 3 & 1, options >> 4 & 1);
    if (options & 1)
        at += (size_t)snprintf(text + at, sizeof text - at, "finestConnectivity=\"%u\" ", options >> 5 & 1);
    if (options >> 6 & 1)
        at += (size_t)snprintf(text + at, sizeof text - at, "min=\"-9 -9 -9\" max=\"%d 9 9\" ", fuzz_short(&bytes));
    // Wide cells: a grid of millions takes long and shows nothing more. Those of width 1e-9 are too many.
    if (options >> 7) {
        const int width = fuzz_short(&bytes);
        at += (size_t)snprintf(text + at, sizeof text - at, "cellWidth=\"%g\" ", width / 20 ? width : 1e-9);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "triangles=\"");
    for (unsigned i = 0; i < 3 * corners; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%u ", fuzz_byte(&bytes) % 34);
    at += (size_t)snprintf(text + at, sizeof text - at, "\" position=\"");
    for (unsigned i = 0; bytes.size && i < 96; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%g ", (double)fuzz_short(&bytes) / 256);
    snprintf(
        text + at, sizeof text - at,
        "\"/><MechanicalObject/><Node><MechanicalObject position=\"0 0 0  50 3 -7\"/><BarycentricMapping/></Node>");
    fuzz_scene(text, check);
    return 0;
}
