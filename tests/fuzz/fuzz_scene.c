// Any bytes as a scene: read, initialized and stepped once, in silence. Whatever they are, the library answers with a
// status.
//
// Built with FUZZ_ELEMENTS_ONLY, it stops at the tree of elements: many more inputs a second for the reader of XML.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>

#include "scene/element.h"

enum { LARGEST_INPUT = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A folder that does not exist, so that relative names lead nowhere and an input behaves the same on every machine.
static const char *const nowhere = "/nonexistent";

static void read_elements(st_scene *scene, const char *text, size_t size) {
    st_xml_element *root = st_xml_element_read_text(scene, text, size, "fuzz", nowhere);
    st_xml_element_destroy(root);
}

static void run_scene(st_scene *scene, const char *text, size_t size) {
    if (!st_succeeded(st_scene_load_text(scene, text, size, nowhere))) return;
    if (st_scene_init(scene) == ST_OK) st_scene_step(scene, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST_INPUT) return 0;
    st_config config = st_default_config();
    config.read_only = true;
    st_scene *scene = st_scene_create(&config);
    if (!scene) return 0;
#ifdef FUZZ_ELEMENTS_ONLY
    (void)run_scene;
    read_elements(scene, (const char *)data, size);
#else
    (void)read_elements;
    run_scene(scene, (const char *)data, size);
#endif
    st_scene_destroy(scene);
    return 0;
}
