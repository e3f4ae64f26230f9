// Reading and writing of files of frames.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/frame_file.h"

#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "math/real.h"
#include "settee/plugin/state.h"

enum { CHUNK = 1 << 16 };

// ---------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------

struct st_gzip {
    z_stream stream;
    unsigned char out[CHUNK];
};

static bool ends_in_gz(const char *path) {
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

static struct st_gzip *start_gzip(void) {
    enum { WITH_GZIP_HEADER = 15 + 16, MEMORY = 8 };
    struct st_gzip *gzip = st_alloc(1, sizeof *gzip);
    if (gzip && deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WITH_GZIP_HEADER, MEMORY,
                             Z_DEFAULT_STRATEGY) == Z_OK)
        return gzip;

    st_free(gzip);
    return NULL;
}

static void stop_gzip(st_frame_writer *writer) {
    if (writer->gzip) deflateEnd(&writer->gzip->stream);
    st_free(writer->gzip);
    writer->gzip = NULL;
}

bool st_frame_writer_open(st_frame_writer *writer, const st_object *object, const char *path) {
    if (writer->open || writer->failed) return writer->open;

    writer->open = st_output_open(object, &writer->file, path);
    writer->failed = !writer->open;

    // .gz: what is written goes through zlib
    if (writer->open && ends_in_gz(path)) {
        writer->gzip = start_gzip();
        if (!writer->gzip) {
            st_output_failed(object, path, "out of memory");
            st_frame_writer_abandon(writer);
            writer->failed = true;
        }
    }

    return writer->open;
}

static bool deflate_all(st_frame_writer *writer, const char *text, size_t length, int flush) {
    z_stream *z = &writer->gzip->stream;
    int result = Z_OK;

    // in pieces that zlib's counts of 32 bits can hold
    do {
        const size_t piece = length < CHUNK ? length : CHUNK;
        z->next_in = (unsigned char *)text;
        z->avail_in = (uInt)piece;

        // as long as zlib fills the room for its output there is more
        do {
            z->next_out = writer->gzip->out;
            z->avail_out = CHUNK;

            result = deflate(z, length == piece ? flush : Z_NO_FLUSH);
            const size_t made = CHUNK - z->avail_out;
            if (result == Z_STREAM_ERROR || fwrite(writer->gzip->out, 1, made, writer->file.stream) != made)
                return false;
        } while (z->avail_out == 0);

        text += piece;
        length -= piece;
    } while (length > 0);

    // the stream is complete only when zlib says so
    return flush != Z_FINISH || result == Z_STREAM_END;
}

// A full disk is reported at once, not at the end of a long run.
void st_frame_writer_put(st_frame_writer *writer, const st_object *object, const char *text, size_t length) {
    if (!writer->open || length == 0) return;

    const bool ok = writer->gzip ? deflate_all(writer, text, length, Z_NO_FLUSH)
                                 : fwrite(text, 1, length, writer->file.stream) == length;
    if (ok && fflush(writer->file.stream) == 0) return;

    // the file cannot be completed any more: nothing of it stays
    st_output_failed(object, writer->file.path, "the disk may be full");
    st_frame_writer_abandon(writer);
    writer->failed = true;
}

void st_frame_writer_close(st_frame_writer *writer, const st_object *object) {
    if (!writer->open) return;

    // the trailer of gzip
    if (writer->gzip && !deflate_all(writer, "", 0, Z_FINISH)) {
        st_output_failed(object, writer->file.path, "the disk may be full");
        st_frame_writer_abandon(writer);
        return;
    }

    stop_gzip(writer);
    writer->open = false;
    st_output_close(object, &writer->file);
}

void st_frame_writer_abandon(st_frame_writer *writer) {
    if (writer->open) st_file_abandon(&writer->file);
    stop_gzip(writer);
    writer->open = writer->failed = false;
}

// ---------------------------------------------------------------------------------------------------
// When
// ---------------------------------------------------------------------------------------------------

void st_schedule_init(st_schedule *schedule, st_object *object, st_real dt) {
    st_schedule_restart(schedule);

    const bool listed = schedule->times.count > 0;
    schedule->broken = false;
    schedule->step = schedule->period;
    schedule->periodic = schedule->period > 0;

    if (!isfinite(schedule->period) || schedule->period < 0) {
        st_message(object, ST_ERROR, "the period, %g, must not be negative: nothing is written",
                   (double)schedule->period);
        schedule->broken = true;
    }

    // without times and period every step; a period alone starts at 0
    if (!listed && !schedule->periodic) {
        schedule->step = dt;
        schedule->periodic = true;
    } else if (schedule->periodic && !listed) {
        st_message(object, ST_INFO, "no start time is given: it is 0");
    }

    // a period starts at the first time, and the others have no effect
    if (schedule->periodic && schedule->times.count > 1) {
        st_message(object, ST_WARNING, "with a period only the first of %zu times counts", schedule->times.count);
        schedule->times.count = 1;
    }

    // times after the first are later than 0
    for (size_t i = 0; i < schedule->times.count; i++) {
        const st_real t = schedule->times.data[i];
        if (isfinite(t) && (i == 0 ? t >= 0 : t > 0)) continue;
        st_message(object, ST_ERROR, "time %zu is %g: nothing is written", i, (double)t);
        schedule->broken = true;
    }
}

void st_schedule_restart(st_schedule *schedule) {
    schedule->next = 0;
    schedule->last = 0;
}

static bool frame_file_reaches(st_real time, st_real goal, st_real dt) {
    return time > goal || fabs(time - goal) < ST_R(0.1) * dt;
}

// Without listed times a period starts at 0.
bool st_schedule_is_due(st_schedule *schedule, st_real time, st_real dt) {
    const size_t starts = schedule->times.count ? schedule->times.count : 1;

    if (schedule->broken) return false;

    // the listed times first
    if (schedule->next < starts) {
        const st_real goal = schedule->times.count ? schedule->times.data[schedule->next] : 0;
        if (!frame_file_reaches(time, goal, dt)) return false;
        schedule->next++;
        schedule->last = goal;
        return true;
    }

    // then each time that a period has passed
    if (!schedule->periodic || !frame_file_reaches(time, schedule->last + schedule->step, dt)) return false;
    schedule->last += schedule->step;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------

bool st_frame_reader_open(st_frame_reader *reader, const char *path) {
    *reader = (st_frame_reader){0};
    reader->stream = path && *path ? gzopen(path, "rb") : NULL;
    reader->buffer = reader->stream ? st_alloc(CHUNK, 1) : NULL;

    // reading 0 bytes makes zlib look at the header: a folder or a broken file is found out here
    if (reader->buffer && gzread(reader->stream, reader->buffer, 0) == 0 && gzdirect(reader->stream) >= 0) return true;

    st_frame_reader_close(reader);
    return false;
}

static bool frame_file_refill(st_frame_reader *reader) {
    if (!reader->stream) return false;
    const int count = gzread(reader->stream, reader->buffer, CHUNK);

    reader->begin = 0;
    reader->end = count > 0 ? (size_t)count : 0;

    if (count < 0) reader->broken = true;
    return count > 0;
}

const char *st_frame_reader_line(st_frame_reader *reader, size_t *length) {
    bool any = false;
    st_text_clear(&reader->line);

    // a line may go on in the next chunk
    for (;;) {
        if (reader->begin == reader->end && !frame_file_refill(reader)) break;
        any = true;

        const char *from = reader->buffer + reader->begin, *end = memchr(from, '\n', reader->end - reader->begin);
        const size_t count = end ? (size_t)(end - from) : reader->end - reader->begin;
        if (!st_text_append_n(&reader->line, from, count)) {
            reader->broken = true;
            return NULL;
        }

        reader->begin += count + (end != NULL);
        if (end) break;
    }

    if (!any) return NULL;
    *length = reader->line.length;

    // without the carriage return of other systems
    if (*length && reader->line.data[*length - 1] == '\r') --*length;
    return reader->line.data ? reader->line.data : "";
}

void st_frame_reader_rewind(st_frame_reader *reader) {
    reader->begin = reader->end = 0;
    if (reader->stream && gzrewind(reader->stream) != 0) reader->broken = true;
}

void st_frame_reader_close(st_frame_reader *reader) {
    if (reader->stream) gzclose(reader->stream);
    st_free(reader->buffer);
    st_text_free(&reader->line);
    *reader = (st_frame_reader){0};
}

bool st_frame_line_is(const char *line, size_t length, const char *key, const char **rest) {
    const char *end = line + length, *at = st_text_skip_blanks(line, end);

    const size_t n = strlen(key);
    if ((size_t)(end - at) < n || memcmp(at, key, n) != 0) return false;

    *rest = at + n;
    return true;
}

bool st_frame_reals(const char *text, const char *end, st_reals *list) {
    list->count = 0;
    for (;;) {
        st_real value = 0;
        const st_text_result result = st_text_read_real(&text, end, &value);
        if (result == ST_TEXT_END) return true;
        if (result != ST_TEXT_OK || !isfinite(value) || !st_list_push(list, value)) return false;
    }
}

bool st_frame_indices(const char *text, const char *end, st_uints *list) {
    list->count = 0;
    for (;;) {
        uint32_t value = 0;
        const st_text_result result = st_text_read_uint(&text, end, &value);
        if (result == ST_TEXT_END) return true;
        if (result != ST_TEXT_OK || !st_list_push(list, value)) return false;
    }
}

bool st_frames_accept_state(st_object *object) {
    const st_object *state = st_find(object->node, ST_ROLE(state), ST_LOCAL);
    if (state && ((const st_state *)state)->mechanical) return true;
    return st_refuse(object, "there is no mechanical state in its node");
}
