// Makes XML of what SOFA's parser takes for XML.
//
// Scenes in the wild were checked by a lenient parser only. What it forgives is mended here, so that libxml2 reads the
// rest with full strictness:
//
//     two attributes without a blank between them    a="1"b="2"     a="1" b="2"
//     an ampersand that begins no known reference    mu=0.5&eps=1   mu=0.5&amp;eps=1
//     "<" inside a value                             "Data<int>"    "Data&lt;int>"
//     what follows the root element                  is blanked out, and reported by its line
//     "--" inside a comment, an XML declaration that is not at the very start: both are blanked out, as is all else
//     that has no meaning in a scene (comments, processing instructions, CDATA, DOCTYPE)
//     line breaks and tabs inside values             written as references, since XML would turn them into blanks
//     text that is not UTF-8                         taken for Latin-1; a declared encoding is ignored
//
// Every line break stays on its line, or moves to the end of the value it was in: diagnostics show true lines.
// A document that declares entities is refused: they are the classic way to make a small file expand without end.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "scene/xml.h"

typedef struct cursor {
    const char *at, *end;
    int line;
    size_t moved; // line breaks met in the present value
    size_t depth; // elements that are open
    st_xml_text *out;
} cursor;

static bool xml_text_fail(cursor *c, int line, const char *problem) {
    c->out->line = line;
    c->out->problem = problem;
    return false;
}

static bool xml_text_put(cursor *c, const char *text, size_t length) {
    if (c->out->text.length + length > 2 * (size_t)ST_XML_BYTES)
        return xml_text_fail(c, c->line, "the document is too long");
    return st_text_append_n(&c->out->text, text, length) || xml_text_fail(c, c->line, "out of memory");
}

static bool starts(const cursor *c, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0;
}

// ---------------------------------------------------------------------------------------------------
// Characters
// ---------------------------------------------------------------------------------------------------

static size_t sequence_length(unsigned char lead) {
    return lead < 0x80                   ? 1
           : lead >= 0xc2 && lead < 0xe0 ? 2
           : lead >= 0xe0 && lead < 0xf0 ? 3
           : lead >= 0xf0 && lead < 0xf5 ? 4
                                         : 0;
}

static bool is_utf8(const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const unsigned char lead = (unsigned char)text[i];
        const size_t n = sequence_length(lead);
        if (n == 0 || n > length - i) return false;

        uint32_t code = n == 1 ? lead : lead & (0x7fu >> n);
        for (size_t k = 1; k < n; k++) {
            const unsigned char next = (unsigned char)text[i + k];
            if ((next & 0xc0) != 0x80) return false;
            code = code << 6 | (next & 0x3f);
        }

        // longer than needed, beyond Unicode, or half of a surrogate pair
        const bool too_long = (n == 3 && code < 0x800) || (n == 4 && (code < 0x10000 || code > 0x10ffff));
        if (too_long || (code >= 0xd800 && code < 0xe000)) return false;
        i += n;
    }

    return true;
}

// One of the five named references, or a numeric one.
static bool is_reference(const cursor *c) {
    static const char *const named[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (starts(c, named[i])) return true;

    if (!starts(c, "&#")) return false;

    // digits, then a semicolon
    const char *at = c->at + 2;
    const bool hexadecimal = at < c->end && *at == 'x';
    at += hexadecimal;
    const char *first = at;
    while (at < c->end && *at && strchr(hexadecimal ? "0123456789abcdefABCDEF" : "0123456789", *at)) at++;
    return at > first && at < c->end && *at == ';';
}

static bool is_special(const cursor *c, char byte, bool in_value) {
    return byte == '\n' || byte == '\r' || byte == '&' || (in_value && (byte == '\t' || byte == '<')) ||
           (c->out->latin && (byte & 0x80));
}

static bool put_special(cursor *c, bool in_value) {
    const unsigned char byte = (unsigned char)*c->at;
    if (byte == '&') return is_reference(c) ? xml_text_put(c, "&", 1) : xml_text_put(c, "&amp;", 5);
    if (byte == '\t') return xml_text_put(c, "&#9;", 4);
    if (byte == '<') return xml_text_put(c, "&lt;", 4);
    if (byte & 0x80) return xml_text_put(c, (const char[]){(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))}, 2);

    // What is left is a line break: \n, \r\n or \r; of the pair, the \n counts.
    if (byte == '\r' && c->at + 1 < c->end && c->at[1] == '\n') return true;
    c->line++;

    if (!in_value) return xml_text_put(c, "\n", 1);
    c->moved++;
    return xml_text_put(c, "&#10;", 5);
}

static bool xml_text_copy(cursor *c, const char *stop, bool in_value) {
    while (c->at < stop) {
        // a run of plain bytes at once
        const char *run = c->at;
        while (run < stop && !is_special(c, *run, in_value)) run++;
        if (!xml_text_put(c, c->at, (size_t)(run - c->at))) return false;
        c->at = run;
        if (c->at == stop) break;

        if (!put_special(c, in_value)) return false;
        c->at++;
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// What has no meaning in a scene
// ---------------------------------------------------------------------------------------------------

static bool blank_out(cursor *c, const char *stop) {
    for (; c->at < stop; c->at++) {
        // line breaks stay, so that lines keep their numbers
        const bool line_break = *c->at == '\n' || (*c->at == '\r' && !(c->at + 1 < c->end && c->at[1] == '\n'));
        if (line_break && (c->line++, !xml_text_put(c, "\n", 1))) return false;
    }
    return true;
}

static const char *xml_text_find(const char *from, const char *end, const char *word) {
    const size_t length = strlen(word);
    while ((size_t)(end - from) >= length) {
        const char *at = memchr(from, word[0], (size_t)(end - from) - length + 1);
        if (!at) return NULL;
        if (memcmp(at, word, length) == 0) return at;
        from = at + 1;
    }

    return NULL;
}

static bool skip_until(cursor *c, size_t opening, const char *closing, const char *problem) {
    const char *at = xml_text_find(c->at + opening, c->end, closing);
    return at ? blank_out(c, at + strlen(closing)) : xml_text_fail(c, c->line, problem);
}

// A DOCTYPE reaches to the > that is outside of its brackets, quotes and comments.
static bool skip_declaration(cursor *c) {
    int brackets = 0;
    for (cursor look = *c; look.at < look.end; look.at++) {
        if (look.at > c->at && starts(&look, "<!ENTITY")) {
            blank_out(c, look.at);
            return xml_text_fail(
                c, c->line, "the document declares entities, which scenes must not: write the text where it is needed");
        }

        // comments and strings are skipped, brackets counted
        const char *stop = look.at;
        if (starts(&look, "<!--")) stop = xml_text_find(look.at + 4, look.end, "-->");
        else if (*look.at == '"' || *look.at == '\'')
            stop = memchr(look.at + 1, *look.at, (size_t)(look.end - look.at - 1));
        else if (*look.at == '[') brackets++;
        else if (*look.at == ']') brackets--;
        else if (*look.at == '>' && brackets <= 0) return blank_out(c, look.at + 1);

        if (!stop) break;
        look.at = stop;
    }

    return xml_text_fail(c, c->line, "a <! declaration is not closed");
}

// ---------------------------------------------------------------------------------------------------
// Tags
// ---------------------------------------------------------------------------------------------------

static bool is_inside(const cursor *c, const char *characters) {
    return c->at < c->end && *c->at && strchr(characters, *c->at);
}

static bool copy_value(cursor *c) {
    const char *closing = memchr(c->at + 1, *c->at, (size_t)(c->end - c->at - 1));
    if (!closing) return xml_text_fail(c, c->line, "an attribute's value is not closed by its quotation mark");
    if (!c->out->odd_value && memchr(c->at, '<', (size_t)(closing - c->at))) c->out->odd_value = c->line;

    // the value, then the line breaks that were inside of it
    c->moved = 0;
    if (!xml_text_put(c, c->at++, 1) || !xml_text_copy(c, closing, true) || !xml_text_put(c, c->at++, 1)) return false;
    for (; c->moved > 0; c->moved--)
        if (!xml_text_put(c, "\n", 1)) return false;

    // a blank, where the next attribute follows at once
    return is_inside(c, " \t\r\n/>") || xml_text_put(c, " ", 1);
}

static bool copy_tag(cursor *c) {
    size_t values = 0;
    const int line = c->line;
    const bool closes = c->at + 1 < c->end && c->at[1] == '/';
    if (!xml_text_put(c, c->at++, 1)) return false;
    if (c->out->tags.count > ST_XML_ELEMENTS) return xml_text_fail(c, line, "there are more than 1000000 elements");

    // the line where an element opens is kept for messages about it
    if (!is_inside(c, "/") && !st_list_push(&c->out->tags, line)) return xml_text_fail(c, line, "out of memory");

    for (;;) {
        const char *stop = c->at;
        while (stop < c->end && *stop != '"' && *stop != '\'' && *stop != '<' && *stop != '>') stop++;

        if (!xml_text_copy(c, stop, false)) return false;
        if (stop == c->end || *stop == '<') return true; // libxml2 says what is wrong
        if (*stop == '>') {
            // <a> opens, </a> closes, <a/> does neither
            if (closes && c->depth) c->depth--;
            else if (!closes && stop[-1] != '/') c->depth++;
            return xml_text_put(c, c->at++, 1);
        }

        if (++values > ST_XML_TAG_ATTRIBUTES) return xml_text_fail(c, line, "an element has more than 1000 attributes");
        if (!copy_value(c)) return false;
    }
}

static bool is_after_root(const cursor *c) { return c->out->tags.count > 0 && c->depth == 0; }

// SOFA's parser reads one element and ignores what follows: the line where that begins is kept for a warning.
static bool blank_tail(cursor *c, const char *stop) {
    for (; c->at < stop && !c->out->tail; c->at++) {
        if (*c->at == '\n') c->line++;
        if (!strchr(" \t\r\n", *c->at)) c->out->tail = c->line;
    }
    c->at = stop;
    return true;
}

static bool copy_markup(cursor *c) {
    if (starts(c, "<!--")) return skip_until(c, 4, "-->", "a comment is not closed by -->");
    if (starts(c, "<![CDATA[")) return skip_until(c, 9, "]]>", "a CDATA section is not closed by ]]>");
    if (starts(c, "<?")) return skip_until(c, 2, "?>", "a processing instruction is not closed by ?>");
    if (starts(c, "<!")) return skip_declaration(c);
    return is_after_root(c) ? blank_tail(c, c->end) : copy_tag(c);
}

bool st_xml_repair(st_xml_text *out, const char *source, size_t length) {
    *out = (st_xml_text){0};
    cursor c = {.at = source, .end = source + length, .line = 1, .out = out};

    // UTF-16, or no text at all
    const char *zero = memchr(source, 0, length);
    if (zero) {
        for (const char *at = source; at < zero; at++) c.line += *at == '\n';
        return xml_text_fail(&c, c.line, "a byte is zero: this is not a text file (or not one in UTF-8)");
    }

    out->latin = !is_utf8(source, length);
    if (starts(&c, "\xef\xbb\xbf")) c.at += 3;

    while (c.at < c.end) {
        const char *stop = memchr(c.at, '<', (size_t)(c.end - c.at));
        const char *text_end = stop ? stop : c.end;
        if (!(is_after_root(&c) ? blank_tail(&c, text_end) : xml_text_copy(&c, text_end, false))) return false;
        if (stop && !copy_markup(&c)) return false;
    }

    return true;
}

void st_xml_text_free(st_xml_text *text) {
    st_text_free(&text->text);
    st_list_free(&text->tags);
}
