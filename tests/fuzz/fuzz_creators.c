// Any numbers for the loaders that read no file: GridMeshCreator and StringMeshCreator.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

#include "io/mesh_loader.h"

static void check(st_scene *scene) {
    const st_mesh_loader *loader = (const st_mesh_loader *)st_scene_find(scene, "/l");
    if (!loader) return;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < loader->elements[kind].count * st_element_size[kind]; i++)
            if (loader->elements[kind].data[i] >= loader->position.count) abort();
    for (size_t i = 0; i < 3 * loader->position.count; i++)
        if (!isfinite(loader->position.data[i])) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, size};
    char text[1024];
    const unsigned options = fuzz_byte(&bytes);
    // Small grids: large ones take long and show nothing more. Beyond 32766 stands what no memory holds.
    const int numbers[2] = {fuzz_short(&bytes), fuzz_short(&bytes)};
    const int x = numbers[0] > 32766 ? INT32_MAX : numbers[0] >> 10,
              y = numbers[1] > 32766 ? INT32_MAX : numbers[1] >> 10;
    const int pattern = (int)fuzz_byte(&bytes) - 2;
    const int scale = fuzz_short(&bytes), exponent = fuzz_short(&bytes) % 400;
    char resolution[64];
    if (options & 1) snprintf(resolution, sizeof resolution, "%d", x);
    else snprintf(resolution, sizeof resolution, "%d %d", x, y);
    snprintf(
        text, sizeof text,
        "<%s name=\"l\" resolution=\"%s\" %s=\"%d\" flipNormals=\"%u\" triangulate=\"%u\" createSubelements=\"%u\" "
        "onlyAttachedPoints=\"%u\" scale3d=\"%de%d 1 1\" rotation=\"0 %d 0\"/><MeshTopology src=\"@l\"/>",
        options & 1 ? "StringMeshCreator" : "GridMeshCreator", resolution,
        options & 1 ? "listening" : "trianglePattern", pattern, options >> 1 & 1, options >> 2 & 1, options >> 3 & 1,
        options >> 4 & 1, scale, exponent, x);
    fuzz_scene(text, check);
    return 0;
}
