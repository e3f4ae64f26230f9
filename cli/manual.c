// The same manual as Markdown: docs/cli.md.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli.h"

static void put_blocks(FILE *file, const char *text) {
    const char *start;
    size_t length;
    bool kept;
    while (st_cli_next_block(&text, &start, &length, &kept)) {
        // what Markdown would take for markup is escaped
        for (size_t i = 0; i < length; i++) {
            if (!kept && strchr("<_*", start[i])) fputc('\\', file);
            fputc(start[i], file);
        }
        fputs("\n\n", file);
    }
}

static void put_cell(FILE *file, const char *text) {
    for (; *text; text++) {
        if (strchr("|<_*", *text)) fputc('\\', file);
        fputc(*text, file);
    }
}

static void put_options(FILE *file, unsigned bit) {
    fputs("| option | |\n|---|---|\n", file);
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & bit) || o->hidden) continue;

        char label[80];
        st_cli_option_label(o, label, sizeof label);

        fputs("| `", file);
        for (const char *c = label; *c; c++) fprintf(file, *c == '|' ? "\\%c" : "%c", *c);
        fputs("` | ", file);
        put_cell(file, o->help);
        fputs(" |\n", file);
    }
    fputc('\n', file);
}

static void put_command(FILE *file, const st_cli_command *command) {
    fprintf(file, "## settee %s: %s\n\n```\n", command->name, command->summary);
    st_cli_print_usage(file, command, 100, "\n    ");
    fputs("```\n\n", file);

    put_blocks(file, command->text);
    put_options(file, command->bit);
}

void st_cli_print_markdown(FILE *file) {
    fputs("# The command line\n\n"
          "<!-- Written by `settee help --markdown` from cli/table.c: change it there.\n"
          "SPDX-License-Identifier: Apache-2.0 -->\n\n"
          "`settee` simulates soft and rigid bodies from SOFA scenes. `settee help`, `settee help COMMAND` and `man "
          "settee` print the same as this page; `settee info` and [the reference](reference/index.md) describe the "
          "components.\n\n",
          file);

    put_options(file, ST_CLI_TOP);
    for (const st_cli_command *c = st_cli_commands; c->name; c++) put_command(file, c);

    for (const st_cli_topic *t = st_cli_topics; t->name; t++) {
        fprintf(file, "## %s\n\n", t->title);
        put_blocks(file, t->text);
    }
}
