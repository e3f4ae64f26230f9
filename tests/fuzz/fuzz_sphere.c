// Any bytes as a file of spheres: as many radii as centers, all finite.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

static void check(st_scene *scene) {
    st_object *loader = st_scene_find(scene, "/l");
    if (!loader) return;
    char *centers = st_object_get(loader, "position", 6), *radii = st_object_get(loader, "listRadius", 6);
    if (!centers || !radii || strstr(centers, "nan") || strstr(centers, "inf") || strstr(radii, "nan")) abort();
    st_string_free(centers);
    st_string_free(radii);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const int file = fuzz_file(data, size);
    if (file < 0) return 0;
    char text[256];
    snprintf(text, sizeof text,
             "<SphereLoader name=\"l\" filename=\"/proc/self/fd/%d\" scale=\"2 1 1\" rotation=\"10 20 30\"/>", file);
    fuzz_scene(text, check);
    close(file);
    return 0;
}
