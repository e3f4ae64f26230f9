// The lines of a topology file.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/topology_frames.h"

#include <string.h>

#include "base/array.h"
#include "math/real.h"

const char *const st_frame_kind_names[ST_FRAME_KINDS] = {"Edges", "Triangles", "Quads", "Tetrahedra", "Hexahedra"};

// A header whose list did not follow: the frame is damaged.
static void lacks_list(st_topology_frames *frames) {
    if (frames->kind >= 0 && frames->claimed) frames->bad = frames->damaged = true;
}

static bool is_header(st_topology_frames *frames, const char *line, size_t length) {
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++) {
        char key[16];
        const char *rest;
        uint32_t count = 0;

        strcpy(key, st_frame_kind_names[kind]);
        strcat(key, "=");
        if (!st_frame_line_is(line, length, key, &rest)) continue;

        // the header before this one had no list
        lacks_list(frames);
        if (st_text_read_uint(&rest, line + length, &count) != ST_TEXT_OK) frames->bad = frames->damaged = true;
        frames->kind = kind;
        frames->claimed = count;
        return true;
    }
    return false;
}

bool st_topology_frames_line(st_topology_frames *frames, const char *line, size_t length) {
    const char *rest;

    // the time begins a frame, and ends the one before
    if (st_frame_line_is(line, length, "T=", &rest)) {
        st_real time = 0;
        if (st_text_read_real(&rest, line + length, &time) != ST_TEXT_OK || !isfinite(time)) {
            frames->bad = true;
            time = 0;
        }

        st_topology_frames_end(frames);
        frames->time = time;
        frames->kind = -1;
        return true;
    }

    // a header announces a list
    if (is_header(frames, line, length) || frames->kind < 0) return false;

    // the list, as long as its header says
    const int kind = frames->kind;
    st_uints *list = &frames->indices[kind];
    const bool ok = st_frame_indices(line, line + length, list);
    if (!ok || list->count != frames->claimed * st_element_size[kind]) {
        frames->bad = frames->damaged = true;
        list->count = 0;
    }

    frames->read[kind] = true;
    frames->kind = -1;
    return false;
}

void st_topology_frames_end(st_topology_frames *frames) {
    lacks_list(frames);
    if (frames->damaged) st_topology_frames_clear(frames);
}

void st_topology_frames_clear(st_topology_frames *frames) {
    memset(frames->read, 0, sizeof frames->read);
    frames->damaged = false;
    frames->kind = -1;
}

void st_topology_frames_free(st_topology_frames *frames) {
    for (int kind = 0; kind < ST_FRAME_KINDS; kind++) st_list_free(&frames->indices[kind]);
}
