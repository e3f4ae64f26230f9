// The lines of a state file.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/state_frames.h"

#include "base/array.h"
#include "math/real.h"

static void state_frames_take(st_state_frames *frames, st_reals *list, bool *flag, const char *text, const char *end) {
    if (!st_frame_reals(text, end, list)) frames->bad = true;
    *flag = true;
}

bool st_state_frames_line(st_state_frames *frames, const char *line, size_t length) {
    const char *rest, *end = line + length;

    // the time begins a frame
    if (st_frame_line_is(line, length, "T=", &rest)) {
        st_real time = 0;
        if (st_text_read_real(&rest, end, &time) != ST_TEXT_OK || !isfinite(time)) {
            frames->bad = true;
            time = 0;
        }
        frames->time = time;
        return true;
    }

    // vectors of the frame; other lines are ignored
    if (st_frame_line_is(line, length, "X=", &rest)) state_frames_take(frames, &frames->x, &frames->has_x, rest, end);
    else if (st_frame_line_is(line, length, "V=", &rest))
        state_frames_take(frames, &frames->v, &frames->has_v, rest, end);
    return false;
}

void st_state_frames_free(st_state_frames *frames) {
    st_list_free(&frames->x);
    st_list_free(&frames->v);
}
