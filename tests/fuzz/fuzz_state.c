// Files of states and of topologies, line by line, whatever they hold.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "io/state_frames.h"
#include "io/topology_frames.h"

// Numbers that were taken are finite, and lists have whole elements.
static void check_state(const st_state_frames *frames) {
    for (size_t i = 0; i < frames->x.count; i++)
        if (!(frames->x.data[i] - frames->x.data[i] == 0)) abort();
}

static void check_topology(const st_topology_frames *frames) {
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++)
        if (frames->indices[kind].count % st_element_size[kind]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    st_state_frames state = {0};
    st_topology_frames topology = {.kind = -1};
    for (size_t begin = 0; begin < size;) {
        const uint8_t *end = memchr(data + begin, '\n', size - begin);
        const size_t length = end ? (size_t)(end - (data + begin)) : size - begin;
        // a copy that ends where the line ends: reading beyond it is found
        char *line = malloc(length + (length == 0));
        if (!line) break;
        if (length) memcpy(line, data + begin, length);
        st_state_frames_line(&state, line, length);
        st_topology_frames_line(&topology, line, length);
        check_state(&state);
        check_topology(&topology);
        free(line);
        begin += length + 1;
    }
    st_state_frames_free(&state);
    st_topology_frames_free(&topology);
    return 0;
}
