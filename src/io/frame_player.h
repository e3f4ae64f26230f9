// A player of files of frames: hands out the lines that a time has reached. ReadState, ReadTopology and what derives
// from them hold one.
//
// A frame begins with its time; its lines are due when that is not after the target. With `loop` the file begins again
// at its end, its times counted from the last one.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_FRAME_PLAYER_H
#define SETTEE_IO_FRAME_PLAYER_H

#include "io/frame_file.h"

typedef struct st_frame_player {
    char *filename; // attributes
    st_real interval, shift;
    bool loop;
    st_frame_reader reader;
    st_real next;   // time of the frame whose lines come next
    st_real offset; // added to the times of the file, in a loop
    size_t lines;   // read since the file was begun
    bool ended;
} st_frame_player;

#define ST_FRAME_PLAYER_FIELDS(owner)                                                                                  \
    ST_FIELD(owner, player.filename, "filename", st_type_file, NULL, "the file; it may be compressed by gzip"),        \
        ST_FIELD(owner, player.interval, "interval", st_type_real, "0", "time between frames",                         \
                 .flags = ST_FIELD_NO_EFFECT),                                                                         \
        ST_FIELD(owner, player.shift, "shift", st_type_real, "0", "added to the time of the scene"),                   \
        ST_FIELD(owner, player.loop, "loop", st_type_bool, "0", "begin again at the end of the file")

st_status st_frame_player_open(st_frame_player *player, st_object *object);
void st_frame_player_restart(st_frame_player *player);
void st_frame_player_close(st_frame_player *player);
// The next line of a frame whose time is not after the target; NULL: none is due.
const char *st_frame_player_line(st_frame_player *player, st_real target, size_t *length);
// The line began a frame of this time of the file.
void st_frame_player_frame(st_frame_player *player, st_real time);
// Reports, once, that the file is `bad` or cannot be read to its end.
void st_frame_player_report(const st_frame_player *player, const st_object *object, bool bad, const char *what);

#endif
