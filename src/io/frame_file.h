// Files of frames, as states and topologies are kept over time: text, compressed by gzip where the name ends in .gz.
//
//     T= 0.1
//       X= 1 2 3 ...
//
// A line of its own for each thing; a frame begins with its time.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_FRAME_FILE_H
#define SETTEE_IO_FRAME_FILE_H

#include "base/text.h"
#include "io/exporter.h"

// ---------------------------------------------------------------------------------------------------
// Writing: the file grows aside and is put in place at the end
// ---------------------------------------------------------------------------------------------------

typedef struct st_frame_writer {
    bool open, failed;
    st_file file;
    struct st_gzip *gzip; // NULL: plain
} st_frame_writer;

// False: an error was reported. A second call while it is open does nothing.
bool st_frame_writer_open(st_frame_writer *writer, const st_object *object, const char *path);
void st_frame_writer_put(st_frame_writer *writer, const st_object *object, const char *text, size_t length);
void st_frame_writer_close(st_frame_writer *writer, const st_object *object);
void st_frame_writer_abandon(st_frame_writer *writer);

// When to write: at listed times, then periodically.
typedef struct st_schedule {
    st_reals times; // a field of the component
    st_real period; // another field
    st_real step;   // the period that counts: without one, and without times, that of the scene
    bool periodic;
    size_t next;  // listed time that comes next
    st_real last; // time of the last one written
    bool broken;  // the times make no sense: never
} st_schedule;

// The rules of WriteState: a period starts at the first time; with neither, every step.
void st_schedule_init(st_schedule *schedule, st_object *object, st_real dt);
void st_schedule_restart(st_schedule *schedule);
bool st_schedule_is_due(st_schedule *schedule, st_real time, st_real dt);

// ---------------------------------------------------------------------------------------------------
// Reading: line by line
// ---------------------------------------------------------------------------------------------------

typedef struct st_frame_reader {
    void *stream; // of zlib, which reads plain files, too
    char *buffer;
    size_t begin, end;
    st_text line;
    bool broken; // the rest of the file cannot be read
} st_frame_reader;

bool st_frame_reader_open(st_frame_reader *reader, const char *path); // false: it cannot be read
// The next line without its end, borrowed until the next call; NULL: there is none.
const char *st_frame_reader_line(st_frame_reader *reader, size_t *length);
void st_frame_reader_rewind(st_frame_reader *reader);
void st_frame_reader_close(st_frame_reader *reader);

// For `accepts` of components that write or read the state of their node.
bool st_frames_accept_state(st_object *object);

// Is it "key= ..."? `rest` is what follows.
bool st_frame_line_is(const char *line, size_t length, const char *key, const char **rest);
// The finite numbers of [text, end); false at anything else: the list holds those before it.
bool st_frame_reals(const char *text, const char *end, st_reals *list);
bool st_frame_indices(const char *text, const char *end, st_uints *list);

#endif
