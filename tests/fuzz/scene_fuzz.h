// Fuzzing through a scene: the text of one, and the file that its components read.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_FUZZ_SCENE_FUZZ_H
#define SETTEE_TESTS_FUZZ_SCENE_FUZZ_H

#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scene/scene.h"
#include "settee/settee.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A file in memory only; its name is what the system has for its descriptor. Negative: there is none.
static inline int fuzz_file(const uint8_t *data, size_t size) {
    const int file = memfd_create("mesh", 0);
    if (file >= 0 && write(file, data, size) != (ssize_t)size) {
        close(file);
        return -1;
    }
    return file;
}

// Loads and initializes the children of the root, makes a step, and shows the scene to `check`.
static inline void fuzz_scene(const char *children, void (*check)(st_scene *)) {
    char text[8192];
    st_scene *scene = st_scene_create(NULL);
    if (!scene) return;
    snprintf(text, sizeof text, "<Node>%s</Node>", children);
    if (st_scene_load_text(scene, text, strlen(text), NULL) == ST_OK) {
        st_scene_init(scene);
        if (check) check(scene);
        st_scene_step(scene, 0);
    }
    st_scene_destroy(scene);
}

// Numbers out of the bytes, zero when they are used up.
typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
} fuzz_bytes;

static inline unsigned fuzz_byte(fuzz_bytes *bytes) {
    if (!bytes->size) return 0;
    bytes->size--;
    return *bytes->data++;
}
static inline int fuzz_short(fuzz_bytes *bytes) { return (int16_t)(fuzz_byte(bytes) | fuzz_byte(bytes) << 8); }

#endif
