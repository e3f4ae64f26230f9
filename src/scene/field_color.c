// Colors: r g b [a] between 0 and 1, #rgb #rgba #rrggbb #rrggbbaa, or a name. Alpha is 1 where it is not given.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/field_reader.h"

typedef struct named_color {
    const char *name;
    uint32_t rgb;
} named_color;

static const named_color names[] = {
    {"white", 0xffffff},     {"black", 0x000000},   {"red", 0xff0000},    {"green", 0x00ff00}, {"blue", 0x0000ff},
    {"cyan", 0x00ffff},      {"magenta", 0xff00ff}, {"yellow", 0xffff00}, {"gray", 0x808080},  {"darkgray", 0xa9a9a9},
    {"lightgray", 0xd3d3d3}, {"orange", 0xffa500},  {"purple", 0x800080}, {"pink", 0xffc0cb},  {"brown", 0xa52a2a},
    {"lime", 0x00ff00},      {"teal", 0x008080},    {"navy", 0x000080},   {"olive", 0x808000}, {"maroon", 0x800000},
    {"silver", 0xc0c0c0},    {"gold", 0xffd700},    {"azure", 0xf0ffff},
};
enum { NAME_COUNT = sizeof names / sizeof *names, CHANNELS = 4 };

static void set_color(st_real *color, uint32_t rgba) {
    for (int i = 0; i < CHANNELS; i++) color[i] = (st_real)((rgba >> (8 * (3 - i))) & 0xff) / 255;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Behind the #. One digit per channel stands for that digit twice.
static bool read_hex(const char *digits, size_t length, st_real *color) {
    if (length != 3 && length != 4 && length != 6 && length != 8) return false;
    uint32_t rgba = 0;

    for (size_t i = 0; i < length; i++) {
        const int digit = hex_digit(digits[i]);
        if (digit < 0) return false;
        rgba = length <= 4 ? rgba << 8 | (uint32_t)(17 * digit) : rgba << 4 | (uint32_t)digit;
    }

    // opaque, where no alpha is given
    if (length == 3 || length == 6) rgba = rgba << 8 | 0xff;
    set_color(color, rgba);
    return true;
}

static bool read_name(const char *name, size_t length, st_real *color) {
    for (size_t i = 0; i < NAME_COUNT; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
            set_color(color, names[i].rgb << 8 | 0xff);
            return true;
        }
    return false;
}

static st_read_result read_channels(st_field_reader *reader, st_real *color) {
    for (int i = 0; i < CHANNELS; i++) {
        const char *token = reader->cursor;
        const st_text_result result = st_text_read_real(&reader->cursor, reader->end, &color[i]);
        if (result == ST_TEXT_OK) continue;

        // alpha is optional
        if (i == CHANNELS - 1) color[i] = 1;
        if (result != ST_TEXT_END) return st_reader_warn_token(reader, token, "a number");
        if (i < CHANNELS - 1) return st_reader_warn(reader, "a color needs 3 or 4 numbers, there are %d", i);
    }

    return ST_READ_OK;
}

st_read_result st_read_color(st_field_reader *reader) {
    st_real *color = reader->member;
    const char *text = reader->cursor, *last = reader->end;

    if (*text >= '0' && *text <= '9') return read_channels(reader, color);

    while (last > text && st_text_is_blank(last[-1])) last--;
    const size_t length = (size_t)(last - text);

    // #rgb…, or a name
    const bool known = *text == '#' ? read_hex(text + 1, length - 1, color) : read_name(text, length, color);
    return known ? ST_READ_OK
                 : st_reader_warn_token(reader, text, "a color: 'r g b a', '#rrggbb' or a name such as red");
}
