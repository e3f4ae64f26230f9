// Recordings: the page with the messages of a simulation inside, which plays without a server. Each message stands behind
// its length and kind (32 bits each); all of them are deflated and written in base64, as they come.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "figures.h"
#include "page_data.h"
#include "snapshot.h"
#include "viewer.h"

static const char mark[] = "<!-- recording -->";
static const char opening[] = "<script type=\"text/plain\" id=\"recording\">";
static const char closing[] = "</script>";

struct st_viewer_recording {
    st_writer writer;
    bool failed;
    size_t bytes, frames;
    char *title;
    z_stream stream;
    unsigned char left[3]; // bytes that wait for a group of three
    size_t left_count;
    st_drawing *drawing;
    st_viewer_snapshot snapshot;
    st_viewer_text text;
};

static void put(st_viewer_recording *r, const char *text, size_t length) {
    if (r->failed || length == 0) return;
    r->failed = !r->writer.write(r->writer.user, text, length);
    r->bytes += length;
}

// ---------------------------------------------------------------------------------------------------
// Base64 of a deflated stream
// ---------------------------------------------------------------------------------------------------

static void put_group(st_viewer_recording *r, char *out) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)r->left[0] << 16 | (uint32_t)r->left[1] << 8 | r->left[2];
    for (int i = 0; i < 4; i++) out[i] = letters[bits >> (18 - 6 * i) & 63];
}

static void put_base64(st_viewer_recording *r, const unsigned char *data, size_t length) {
    char out[4096];
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        r->left[r->left_count++] = data[i];
        if (r->left_count < 3) continue;
        put_group(r, out + used);
        r->left_count = 0;
        used += 4;
        if (used == sizeof out) put(r, out, used), used = 0;
    }
    put(r, out, used);
}

static void end_base64(st_viewer_recording *r) {
    char out[4];
    const size_t count = r->left_count;
    if (count == 0) return;
    memset(r->left + count, 0, 3 - count);
    put_group(r, out);
    for (size_t i = count + 1; i < 4; i++) out[i] = '=';
    put(r, out, 4);
}

static void pack(st_viewer_recording *r, const void *data, size_t length, int flush) {
    unsigned char out[16384];
    r->stream.next_in = (unsigned char *)data;
    do {
        // at most as much as the library counts at a time
        const size_t part = length < (1U << 30) ? length : 1U << 30;
        r->stream.avail_in = (unsigned)part;
        length -= part;
        do {
            r->stream.next_out = out;
            r->stream.avail_out = sizeof out;
            deflate(&r->stream, length ? Z_NO_FLUSH : flush);
            put_base64(r, out, sizeof out - r->stream.avail_out);
        } while (r->stream.avail_out == 0);
    } while (length > 0);
}

static void put_message(st_viewer_recording *r, const st_viewer_text *message, bool binary) {
    const uint32_t header[2] = {(uint32_t)message->length, binary};
    if (message->failed || message->length > UINT32_MAX) r->failed = true;
    if (r->failed) return;
    pack(r, header, sizeof header, Z_NO_FLUSH);
    pack(r, message->data, message->length, Z_NO_FLUSH);
}

// ---------------------------------------------------------------------------------------------------

static const char *find_mark(void) {
    const size_t length = st_viewer_page_length();
    for (size_t i = 0; i + sizeof mark - 1 <= length; i++)
        if (memcmp(st_viewer_page_start + i, mark, sizeof mark - 1) == 0) return st_viewer_page_start + i;
    return NULL;
}

static void free_recording(st_viewer_recording *r) {
    deflateEnd(&r->stream);
    st_drawing_destroy(r->drawing);
    st_viewer_snapshot_free(&r->snapshot);
    st_viewer_text_free(&r->text);
    free(r->title);
    free(r);
}

st_viewer_recording *st_viewer_recording_create(const char *title, const st_writer *writer) {
    const char *place = find_mark();
    st_viewer_recording *r = calloc(1, sizeof *r);
    if (!r || !place || deflateInit(&r->stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(r);
        return NULL;
    }
    r->writer = *writer;
    r->title = strdup(title);
    r->drawing = st_drawing_create();
    r->failed = !r->title || !r->drawing;

    // the page up to the recording, and the first message
    put(r, st_viewer_page_start, (size_t)(place - st_viewer_page_start));
    put(r, opening, sizeof opening - 1);
    st_viewer_put_welcome(&r->text, true);
    put_message(r, &r->text, false);

    if (!r->failed) return r;
    free_recording(r);
    return NULL;
}

st_status st_viewer_recording_add(st_viewer_recording *r, st_scene *scene, size_t step) {
    const st_draw_options options = st_default_draw_options();
    const st_status status = st_drawing_update(r->drawing, scene, &options);
    if (status != ST_OK) return status;
    const uint32_t seen = r->snapshot.frame;
    if (!st_viewer_snapshot_update(&r->snapshot, r->drawing, scene)) return ST_OUT_OF_MEMORY;

    // the list when it is another one, the figures, what moved
    if (r->snapshot.list_changed > seen) put_message(r, &r->snapshot.list, false);
    const st_viewer_moment moment = {.title = r->title, .step = step, .failure = "", .words = "", .color = ""};
    st_viewer_put_figures(&r->text, scene, &moment);
    put_message(r, &r->text, false);
    st_viewer_text_clear(&r->text);
    st_viewer_snapshot_frame(&r->snapshot, seen, true, &r->text);
    put_message(r, &r->text, true);
    r->frames++;
    return r->failed ? ST_FAILED : ST_OK;
}

bool st_viewer_recording_finish(st_viewer_recording *r, size_t *frames, size_t *bytes) {
    const char *rest = find_mark() + sizeof mark - 1;
    pack(r, "", 0, Z_FINISH);
    end_base64(r);
    put(r, closing, sizeof closing - 1);
    put(r, rest, (size_t)(st_viewer_page_end - rest));

    if (frames) *frames = r->frames;
    if (bytes) *bytes = r->bytes;
    const bool ok = !r->failed;
    free_recording(r);
    return ok;
}
