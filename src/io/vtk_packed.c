// Packed arrays of VTK's XML files.
//
//     [bytes] data                                                         not compressed
//     [blocks] [size of a block] [size of the last one, or 0] [compressed sizes] blocks      compressed
//
// Headers are integers of 4 or 8 bytes. In base 64 the header may be padded, and the data start a new group, so padding
// in the middle is not the end. A block grows while it is inflated: the size in the header is believed only as far as
// there are bytes for it.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "base/text.h"
#include "io/vtk_file.h"

enum { CHUNK = 1 << 16 };
static const size_t largest = (size_t)1 << 30;

static const char too_short[] = "the array is shorter than its header says";
static const char no_memory[] = "there is not enough memory for the array";

typedef struct source {
    const char *cursor, *end;
    bool base64;
    unsigned char waiting[3]; // decoded, not taken yet
    int first, count;
} source;

// ---------------------------------------------------------------------------------------------------
// Bytes
// ---------------------------------------------------------------------------------------------------

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes the next four letters; false at the end or at what is no base 64.
static bool decode(source *s) {
    uint32_t bits = 0;
    int letters = 0, padding = 0;

    // four letters of six bits, blanks between them skipped
    while (letters + padding < 4) {
        while (s->cursor < s->end && st_text_is_blank(*s->cursor)) s->cursor++;
        if (s->cursor == s->end) return false;

        const char c = *s->cursor++;
        const int value = digit(c);
        if (c == '=' && letters >= 2) padding++;
        else if (value < 0 || padding) return false;
        else letters++;
        bits = bits << 6 | (uint32_t)(value < 0 ? 0 : value);
    }

    // are three bytes, less the padding
    for (int i = 0; i < 3; i++) s->waiting[i] = (unsigned char)(bits >> (16 - 8 * i));
    s->first = 0;
    s->count = 3 - padding;
    return true;
}

// At least as many as are left.
static size_t left(const source *s) {
    const size_t n = (size_t)(s->end - s->cursor);
    return s->base64 ? n / 4 * 3 + 3 + (size_t)s->count : n;
}

static bool vtk_packed_take(source *s, unsigned char *to, size_t count) {
    if (!s->base64) {
        if (count > left(s)) return false;
        st_copy_bytes(to, s->cursor, count);
        s->cursor += count;
        return true;
    }

    for (size_t i = 0; i < count; i++) {
        if (s->first == s->count && !decode(s)) return false;
        to[i] = s->waiting[s->first++];
    }
    return true;
}

static bool take_list(source *s, st_vtk_bytes *list, size_t count) {
    return st_list_set_count(list, count, 1) && vtk_packed_take(s, list->data, count);
}

static bool take_header(source *s, st_vtk_packing packing, uint64_t *value) {
    const size_t size = packing.wide ? 8 : 4;
    unsigned char bytes[8];
    if (!vtk_packed_take(s, bytes, size)) return false;

    const bool little = st_vtk_machine_is_little() != packing.swap;
    *value = 0;
    for (size_t i = 0; i < size; i++) *value = *value << 8 | bytes[little ? size - 1 - i : i];
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Blocks
// ---------------------------------------------------------------------------------------------------

// Appends what the block inflates to, up to `most` bytes.
static const char *inflate_into(st_vtk_bytes *bytes, z_stream *stream, size_t most) {
    const size_t first = bytes->count;
    int status = Z_OK;

    // in steps, so that a wrong header cannot take all memory
    while (status == Z_OK) {
        const size_t done = bytes->count - first, step = most - done < CHUNK ? most - done : CHUNK;
        if (bytes->count + step > largest || !st_list_reserve(bytes, bytes->count + step + 1, 1)) return no_memory;

        bytes->count += step;
        stream->next_out = bytes->data + first + done;
        stream->avail_out = (uInt)step;
        status = inflate(stream, Z_NO_FLUSH);
        bytes->count -= stream->avail_out;

        if (step == 0 && status == Z_OK) return "a compressed block is larger than its header says";
    }

    if (status == Z_BUF_ERROR) return "a compressed block does not end";
    return status == Z_STREAM_END ? NULL : "a compressed block is damaged";
}

static const char *inflate_block(st_vtk_bytes *bytes, const st_vtk_bytes *packed, size_t size) {
    const size_t first = bytes->count;
    z_stream stream = {.next_in = packed->data, .avail_in = (uInt)packed->count};
    if (inflateInit(&stream) != Z_OK) return no_memory;

    const char *problem = inflate_into(bytes, &stream, size);
    inflateEnd(&stream);
    if (!problem && bytes->count - first != size) problem = "a compressed block does not have the size in its header";
    return problem;
}

typedef ST_LIST(uint64_t) sizes;

static const char *inflate_blocks(source *s, st_vtk_bytes *bytes, const sizes *packed, uint64_t size, uint64_t last) {
    st_vtk_bytes block = {0};
    const char *problem = NULL;
    for (size_t i = 0; !problem && i < packed->count; i++) {
        const uint64_t full = i + 1 == packed->count && last ? last : size;

        if (full > largest) problem = "a compressed block is larger than what is read";
        else if (packed->data[i] > left(s)) problem = too_short;
        else if (!take_list(s, &block, packed->data[i])) problem = too_short;
        else problem = inflate_block(bytes, &block, full);
    }

    st_list_free(&block);
    return problem;
}

static const char *unpack_compressed(source *s, st_vtk_bytes *bytes, st_vtk_packing packing) {
    uint64_t count, size, last, one;
    if (!take_header(s, packing, &count)) return too_short;

    if (count == 0) return NULL;
    if (!take_header(s, packing, &size) || !take_header(s, packing, &last)) return too_short;

    // the compressed size of each block
    sizes packed = {0};
    const char *problem = NULL;
    for (uint64_t i = 0; !problem && i < count; i++)
        if (!take_header(s, packing, &one)) problem = too_short;
        else if (!st_list_push(&packed, one)) problem = no_memory;

    s->first = s->count; // the data start a new group of letters
    if (!problem) problem = inflate_blocks(s, bytes, &packed, size, last);

    st_list_free(&packed);
    return problem;
}

const char *st_vtk_unpack(st_vtk_bytes *bytes, const char *begin, const char *end, st_vtk_packing packing) {
    source s = {.cursor = begin, .end = end, .base64 = packing.base64};
    uint64_t count;
    bytes->count = 0;

    if (packing.compressed) return unpack_compressed(&s, bytes, packing);
    if (!take_header(&s, packing, &count) || count > left(&s)) return too_short;
    return take_list(&s, bytes, count) ? NULL : too_short;
}
