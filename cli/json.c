// A small JSON writer. Members are written as they come; what is valid UTF-8 stays as it is, other bytes become U+FFFD.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "cli.h"

// Length of the UTF-8 character at the start of the text, 0 when it is not one (overlong forms and surrogates
// included).
static size_t utf8_length(const unsigned char *s) {
    const size_t n = s[0] < 0x80                   ? 1
                     : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                     : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                     : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                   : 0;

    // continuation bytes, then overlong forms, surrogates and what is beyond Unicode
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
    return n;
}

static void put_string(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        // what JSON must escape, and what is no UTF-8
        const size_t length = utf8_length(s);
        if (length == 0) fputs("\\ufffd", file);
        else if (*s == '"' || *s == '\\') fprintf(file, "\\%c", *s);
        else if (*s == '\n') fputs("\\n", file);
        else if (*s < 0x20) fprintf(file, "\\u%04x", *s);
        else fwrite(s, 1, length, file);

        s += length ? length : 1;
    }
    fputc('"', file);
}

static bool is_one_line(const st_cli_json *json) { return json->lines > 0 && json->depth > json->lines; }

static void begin(st_cli_json *json, const char *name) {
    if (json->depth > 0 && is_one_line(json)) fputs(json->some[json->depth] ? ", " : "", json->file);
    else if (json->depth > 0) fprintf(json->file, "%s\n%*s", json->some[json->depth] ? "," : "", 2 * json->depth, "");
    json->some[json->depth] = true;

    if (!name) return;
    put_string(json->file, name);
    fputs(": ", json->file);
}

void st_cli_json_open(st_cli_json *json, const char *name, char bracket) {
    begin(json, name);
    fputc(bracket, json->file);
    json->some[++json->depth] = false;
}

void st_cli_json_close(st_cli_json *json, char bracket) {
    const bool some = json->some[json->depth] && !is_one_line(json);
    json->depth--;
    if (some) fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->file);
    if (json->depth == 0) fputc('\n', json->file);
}

void st_cli_json_text(st_cli_json *json, const char *name, const char *value) {
    begin(json, name);
    if (value) put_string(json->file, value);
    else fputs("null", json->file);
}

// 15 digits where they give the number back, 17 where they do not.
void st_cli_json_real(st_cli_json *json, const char *name, double value) {
    char text[40];
    begin(json, name);

    double back = 0;
    snprintf(text, sizeof text, "%.15g", value);
    if (sscanf(text, "%lf", &back) != 1 || back != value) snprintf(text, sizeof text, "%.17g", value);
    fputs(isfinite(value) ? text : "null", json->file);
}

void st_cli_json_count(st_cli_json *json, const char *name, size_t value) {
    begin(json, name);
    fprintf(json->file, "%zu", value);
}

void st_cli_json_bool(st_cli_json *json, const char *name, bool value) {
    begin(json, name);
    fputs(value ? "true" : "false", json->file);
}
