// Any bytes as an image of voxels: for VoxelGridLoader, and as .raw and .voxel file of a sparse grid. The first bytes
// choose the component and its attributes, the rest is the file.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

#include "settee/plugin/topology.h"

static char links[2][64];

static void remove_links(void) {
    for (int i = 0; i < 2; i++) unlink(links[i]);
}

// The name must end in .raw or .voxel: a link to the descriptor, made once and turned when the number changes.
static const char *link_to(int file, bool text) {
    static int linked[2] = {-1, -1};
    char target[64];
    if (linked[0] < 0 && linked[1] < 0) atexit(remove_links);
    snprintf(links[text], sizeof links[text], "/tmp/settee-fuzz-%d%s", (int)getpid(), text ? ".voxel" : ".raw");
    snprintf(target, sizeof target, "/proc/%d/fd/%d", (int)getpid(), file);
    if (linked[text] != file) {
        unlink(links[text]);
        if (symlink(target, links[text]) != 0) return NULL;
        linked[text] = file;
    }
    return links[text];
}

static void check(st_scene *scene) {
    st_topology *topology = (st_topology *)st_scene_find(scene, "/t");
    if (!topology) return;
    const size_t points = st_topology_points(topology);
    const st_uints *cells = st_topology_elements(topology, ST_HEXAHEDRON);
    for (size_t i = 0; i < 8 * cells->count; i++)
        if (cells->data[i] >= points) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, size};
    char text[1024];
    const unsigned kind = fuzz_byte(&bytes) % 4, options = fuzz_byte(&bytes);
    int n[3];
    for (int i = 0; i < 3; i++) n[i] = (int)fuzz_byte(&bytes) - 4;
    const int header = (int)fuzz_byte(&bytes) - 8, value = (int)fuzz_byte(&bytes);
    const int file = fuzz_file(bytes.data, bytes.size);
    const char *path = file < 0 ? NULL : link_to(file, kind == 3);
    if (kind < 2)
        snprintf(text, sizeof text,
                 "<VoxelGridLoader name=\"l\" filename=\"%s\" resolution=\"%d %d %d\" header=\"%d\" %s=\"%d\" "
                 "generateHexa=\"%u\" ROI=\"%d 0 0 %d 9 9\"/><HexahedronSetTopologyContainer name=\"t\" src=\"@l\"/>"
                 "%s",
                 path, n[0], n[1], n[2], header, options & 1 ? "bgValue" : "dataValue", value, options >> 1 & 1,
                 (int)(options >> 2 & 3) - 1, (int)(options >> 4), kind ? "<SparseGridTopology n=\"4 4 4\"/>" : "");
    else
        snprintf(text, sizeof text,
                 "<SparseGridTopology name=\"t\" filename=\"%s\" dataResolution=\"%d %d %d\" n=\"%u %u 5\" "
                 "nbVirtualFinerLevels=\"%u\"/>",
                 path, n[0], n[1], n[2], options & 7, options >> 3 & 7, options >> 6);
    if (path) fuzz_scene(text, check);
    if (file >= 0) close(file);
    return 0;
}
