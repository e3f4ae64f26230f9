// The manual page, settee(1), in roff, from the table. It has no date: the same program prints the same page.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <string.h>

#include "cli.h"

// A period or an apostrophe at the start of a line would be a request; a plain hyphen would become a typographic one.
static void put(FILE *file, const char *text, size_t length) {
    bool start = true;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (start && (c == '.' || c == '\'')) fputs("\\&", file);
        if (c == '\\') fputs("\\e", file);
        else if (c == '-') fputs("\\-", file);
        else fputc(c, file);

        start = c == '\n';
    }
}

static void put_text(FILE *file, const char *text) { put(file, text, strlen(text)); }

static void put_blocks(FILE *file, const char *text) {
    const char *start;
    size_t length;
    bool kept;
    while (st_cli_next_block(&text, &start, &length, &kept)) {
        fputs(kept ? ".PP\n.nf\n" : ".PP\n", file);
        put(file, start, length);
        fputs(kept ? "\n.fi\n" : "\n", file);
    }
}

static void put_section(FILE *file, const char *title) {
    fputs(".SH \"", file);
    for (; *title; title++) fputc(toupper((unsigned char)*title), file);
    fputs("\"\n", file);
}

static void put_options(FILE *file, unsigned bit) {
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & bit) || o->hidden) continue;

        // the option, in bold, and its value, in italics
        fputs(".TP\n", file);
        if (o->letter) fprintf(file, "\\fB\\-%c\\fR, ", o->letter);
        fputs("\\fB\\-\\-", file);
        put_text(file, o->name);
        fputs("\\fR", file);
        if (o->value) {
            fprintf(file, "%s\\fI", st_cli_before_value(o));
            put_text(file, o->value);
            fprintf(file, "\\fR%s", o->kind == ST_CLI_OPTIONAL ? "]" : "");
        }

        fputc('\n', file);
        put_text(file, o->help);
        fputc('\n', file);
    }
}

static void put_synopsis(FILE *file) {
    put_section(file, "Synopsis");
    for (const st_cli_command *c = st_cli_commands; c->name; c++)
        fprintf(file, ".B settee %s\n%s [\\fIoptions\\fR]\n.br\n", c->name, c->operand ? c->operand : "");
    fputs(".B settee \\-\\-version\n[\\fB\\-\\-verbose\\fR]\n", file);
}

void st_cli_print_man(FILE *file) {
    fprintf(file, ".TH SETTEE 1 \"\" \"settee %s\" \"User Commands\"\n", st_version());

    put_section(file, "Name");
    fputs("settee \\- simulate soft and rigid bodies from SOFA scenes\n", file);

    put_synopsis(file);

    put_section(file, "Options");
    put_options(file, ST_CLI_TOP);

    // a section for each command, then for each topic
    for (const st_cli_command *c = st_cli_commands; c->name; c++) {
        char title[64];
        snprintf(title, sizeof title, "settee %s", c->name);
        put_section(file, title);
        put_blocks(file, c->text);
        put_options(file, c->bit);
    }

    for (const st_cli_topic *t = st_cli_topics; t->name; t++) {
        put_section(file, t->title);
        put_blocks(file, t->text);
    }
}
