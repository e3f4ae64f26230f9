// Commands of a page: a reader of flat JSON objects, and the table of what each verb needs.
//
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// ---------------------------------------------------------------------------------------------------
// Verbs
// ---------------------------------------------------------------------------------------------------

typedef struct need {
    const char *name; // ? before it: it may be absent
    bool text;
    double least, most; // of a number
} need;

#define MOST 1e9
#define FAR 1e30 // of a coordinate
#define WHOLE 4294967295.0
#define COORDINATE(name)                                                                                               \
    { name, false, -FAR, FAR }
#define RAY(x, y, z, dx, dy, dz)                                                                                       \
    COORDINATE(x), COORDINATE(y), COORDINATE(z), COORDINATE(dx), COORDINATE(dy), COORDINATE(dz)

static const struct {
    const char *name;
    bool changes;
    need needs[13];
} verbs[ST_VIEWER_VERBS] = {
    [ST_VIEWER_PLAY] = {"play", true, {{0}}},
    [ST_VIEWER_PAUSE] = {"pause", true, {{0}}},
    [ST_VIEWER_STEP] = {"step", true, {{"count", false, 1, MOST}}},
    [ST_VIEWER_RESET] = {"reset", true, {{0}}},
    [ST_VIEWER_RELOAD] = {"reload", true, {{0}}},
    [ST_VIEWER_SPEED] = {"speed", true, {{"factor", false, 0, 1e6}}},
    [ST_VIEWER_SHOW] = {"show", false, {{"words", true, 0, 0}, {"color", true, 0, 0}}},
    [ST_VIEWER_GRAPH] = {"graph", false, {{0}}},
    [ST_VIEWER_FIELDS] = {"fields", false, {{"path", true, 0, 0}}},
    [ST_VIEWER_SET] = {"set", true, {{"path", true, 0, 0}, {"field", true, 0, 0}, {"value", true, 0, 0}}},
    [ST_VIEWER_XML] = {"xml", false, {{0}}},
    [ST_VIEWER_WATCH] = {"watch",
                         false,
                         {{"path", true, 0, 0}, {"field", true, 0, 0}, {"index", false, 0, MOST}, {"on", false, 0, 1}}},
    [ST_VIEWER_MATRIX] = {"matrix",
                          false,
                          {{"which", true, 0, 0},
                           {"path", true, 0, 0},
                           {"row", false, 0, WHOLE},
                           {"rows", false, 0, WHOLE},
                           {"column", false, 0, WHOLE},
                           {"columns", false, 0, WHOLE},
                           {"height", false, 1, 1024},
                           {"width", false, 1, 1024},
                           {"?minus", false, 0, 1}}},
    [ST_VIEWER_KEEP] = {"keep", true, {{"which", true, 0, 0}, {"path", true, 0, 0}}},
    [ST_VIEWER_FIGURES] = {"figures", false, {{"which", true, 0, 0}, {"path", true, 0, 0}}},
    [ST_VIEWER_PULL] = {"pull", true, {RAY("x", "y", "z", "dx", "dy", "dz"), {"stiffness", false, 0, FAR}}},
    [ST_VIEWER_DRAG] = {"drag", true, {COORDINATE("x"), COORDINATE("y"), COORDINATE("z")}},
    [ST_VIEWER_RELEASE] = {"release", true, {{0}}},
    [ST_VIEWER_FIX] = {"fix", true, {RAY("x", "y", "z", "dx", "dy", "dz"), {"stiffness", false, 0, FAR}}},
    [ST_VIEWER_UNFIX] = {"unfix", true, {{0}}},
    [ST_VIEWER_REMOVE] = {"remove", true, {RAY("x", "y", "z", "dx", "dy", "dz")}},
    [ST_VIEWER_CUT] = {"cut", true, {RAY("x", "y", "z", "dx", "dy", "dz"), RAY("x2", "y2", "z2", "dx2", "dy2", "dz2")}},
    [ST_VIEWER_KEY] = {"key", true, {{"code", false, 1, 1114111}, {"down", false, 0, 1}}},
};

const char *st_viewer_verb_name(st_viewer_verb verb) { return verbs[verb].name; }
bool st_viewer_verb_changes(st_viewer_verb verb) { return verbs[verb].changes; }

// ---------------------------------------------------------------------------------------------------
// Members
// ---------------------------------------------------------------------------------------------------

static const st_viewer_member *find(const st_viewer_command *command, const char *name) {
    for (size_t i = 0; i < command->count; i++)
        if (strcmp(command->members[i].name, name) == 0) return &command->members[i];
    return NULL;
}

const char *st_viewer_command_text(const st_viewer_command *command, const char *name) {
    const st_viewer_member *member = find(command, name);
    return member && member->text ? member->text : "";
}

double st_viewer_command_number(const st_viewer_command *command, const char *name) {
    const st_viewer_member *member = find(command, name);
    return member && !member->text ? member->number : 0;
}

// ---------------------------------------------------------------------------------------------------
// JSON: one object of texts, numbers, true, false and null
// ---------------------------------------------------------------------------------------------------

typedef struct reader {
    const char *at, *end;
    char *out; // where the next text goes: never longer than what is read
} reader;

static void skip_blanks(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take(reader *r, char c) {
    skip_blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool take_hex(reader *r, uint32_t *code) {
    *code = 0;
    if (r->end - r->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        const char c = *r->at++;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

// An escape of four hexadecimal digits as UTF-8, at most three bytes for six: pairs of surrogates are two of them.
static bool take_code(reader *r) {
    uint32_t code, low;
    if (!take_hex(r, &code) || code == 0) return false;

    // a high surrogate must be followed by a low one
    if (code >= 0xd800 && code < 0xe000) {
        if (code >= 0xdc00 || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return false;
        r->at += 2;
        if (!take_hex(r, &low) || low < 0xdc00 || low >= 0xe000) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }

    // one byte, or a first one followed by six bits each
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    *r->out++ = (char)(first[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; i--) *r->out++ = (char)(0x80 | (code >> (6 * i) & 0x3f));
    return true;
}

static bool take_escape(reader *r) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) return false;
    const char c = *r->at++;
    if (c == 'u') return take_code(r);

    const char *known = c ? strchr(names, c) : NULL;
    if (known) *r->out++ = meanings[known - names];
    return known != NULL;
}

static const char *take_text(reader *r) {
    const char *start = r->out;
    if (!take(r, '"')) return NULL;
    for (;;) {
        if (r->at == r->end || (unsigned char)*r->at < 0x20) return NULL;
        const char c = *r->at++;
        if (c == '"') break;
        if (c != '\\') *r->out++ = c;
        else if (!take_escape(r)) return NULL;
    }
    *r->out++ = 0;
    return start;
}

static bool take_word(reader *r, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static bool take_number(reader *r, double *number) {
    char text[64];
    size_t length = 0;

    // strtod knows more than JSON, such as "inf" and hexadecimal numbers
    while (r->at < r->end && length < sizeof text - 1 && *r->at && strchr("+-.eE0123456789", *r->at))
        text[length++] = *r->at++;
    text[length] = 0;

    char *end;
    *number = strtod(text, &end);
    return length > 0 && *end == 0 && isfinite(*number);
}

static bool take_value(reader *r, st_viewer_member *member) {
    skip_blanks(r);
    if (r->at < r->end && *r->at == '"') return (member->text = take_text(r)) != NULL;
    if (take_word(r, "true")) return member->number = 1, true;
    if (take_word(r, "false") || take_word(r, "null")) return member->number = 0, true;
    return take_number(r, &member->number);
}

static const char *read_members(st_viewer_command *command, reader *r) {
    if (!take(r, '{')) return "it is not a JSON object";
    bool more = !take(r, '}');
    while (more) {
        if (command->count == ST_VIEWER_MOST_MEMBERS) return "it has too many members";
        st_viewer_member *member = &command->members[command->count];
        *member = (st_viewer_member){.name = take_text(r)};

        if (!member->name || !take(r, ':') || !take_value(r, member))
            return "a member is not a name with a text or a number";
        if (find(command, member->name)) return "a name is given twice";
        command->count++;
        if (take(r, '}')) more = false;
        else if (!take(r, ',')) return "a comma or } is missing";
    }

    skip_blanks(r);
    return r->at == r->end ? NULL : "something follows the object";
}

// ---------------------------------------------------------------------------------------------------

static const char *check(st_viewer_command *command) {
    const char *name = st_viewer_command_text(command, "do");
    int verb = 0;
    while (verb < ST_VIEWER_VERBS && strcmp(verbs[verb].name, name) != 0) verb++;
    if (verb == ST_VIEWER_VERBS) return "what to do (\"do\") is not known";
    command->verb = (st_viewer_verb)verb;

    const double id = st_viewer_command_number(command, "id");
    if (!(id >= 0 && id <= WHOLE) || id != floor(id)) return "its id is not a whole number of 32 bits";
    command->id = (uint32_t)id;

    // what the verb needs is there and fits
    for (const need *n = verbs[verb].needs; n->name; n++) {
        const bool optional = *n->name == '?';
        const st_viewer_member *member = find(command, n->name + optional);
        if (!member && optional) continue;
        if (!member) return "a member that it needs is missing";
        if ((member->text != NULL) != n->text)
            return "a member is a text in place of a number, or a number in place of a text";
        if (!n->text && !(member->number >= n->least && member->number <= n->most)) return "a number is out of range";
    }
    return NULL;
}

const char *st_viewer_command_read(st_viewer_command *command, const char *text, size_t length) {
    *command = (st_viewer_command){0};
    if (length > ST_VIEWER_MOST_BYTES) return "it is too long";
    if (!st_viewer_is_utf8(text, length)) return "it is not UTF-8";
    command->memory = malloc(length + 1);
    if (!command->memory) return "out of memory";

    reader r = {.at = text, .end = text + length, .out = command->memory};
    const char *wrong = read_members(command, &r);
    return wrong ? wrong : check(command);
}

void st_viewer_command_free(st_viewer_command *command) {
    free(command->memory);
    *command = (st_viewer_command){0};
}
