// Frames of a state file, one line after another (spec: WriteState).
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_STATE_FRAMES_H
#define SETTEE_IO_STATE_FRAMES_H

#include "io/frame_player.h"
#include "settee/plugin/state.h"

// What the last lines held. A list is new until the caller takes the flag down.
typedef struct st_state_frames {
    st_real time; // of the last frame that began
    bool has_x, has_v;
    st_reals x, v; // scalars
    bool bad;      // a line held something that is no number
} st_state_frames;

// Takes one line. True: a frame begins, and `time` is its own. The vectors before it are complete.
bool st_state_frames_line(st_state_frames *frames, const char *line, size_t length);
void st_state_frames_free(st_state_frames *frames);

// --- ReadState, which CompareState derives from

typedef struct st_read_state {
    st_object object;
    st_frame_player player;
    st_real scale;
    st_real rotation[3], translation[3];
    st_state *state;
    st_state_frames frames;
} st_read_state;

extern const st_class st_read_state_class;
// Reads all lines whose time is not after `target`. False: there was none.
bool st_read_state_until(st_read_state *self, st_real target, void (*line_read)(st_read_state *));

#endif
