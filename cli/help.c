// `settee help`: explains the program, its commands and topics, from the table.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { HELP_WIDTH = 100, LABEL_WIDTH = 26 };

static size_t help_width(FILE *file) {
    const size_t width = st_cli_width(file);
    return width < HELP_WIDTH ? width : HELP_WIDTH;
}

const char *st_cli_before_value(const st_cli_option *option) {
    return !option->value ? "" : option->kind == ST_CLI_OPTIONAL ? "[=" : " ";
}

void st_cli_option_label(const st_cli_option *option, char *label, size_t size) {
    char letter[8] = "";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);

    snprintf(label, size, "%s--%s%s%s%s", letter, option->name, st_cli_before_value(option),
             option->value ? option->value : "", option->kind == ST_CLI_OPTIONAL ? "]" : "");
}

static void usage_word(const st_cli_option *o, char *word, size_t size) {
    char name[40];
    if (o->letter) snprintf(name, sizeof name, "-%c", o->letter);
    else snprintf(name, sizeof name, "--%s", o->name);

    snprintf(word, size, "[%s%s%s]%s", name, st_cli_before_value(o), o->value ? o->value : "",
             o->kind == ST_CLI_WORDS      ? "..."
             : o->kind == ST_CLI_OPTIONAL ? "]"
                                          : "");
}

void st_cli_print_usage(FILE *file, const st_cli_command *command, size_t width, const char *separator) {
    char word[128];
    size_t column = (size_t)fprintf(file, "settee %s%s%s", command->name, command->operand ? " " : "",
                                    command->operand ? command->operand : "");

    // words that do not fit begin the next line
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & command->bit) || o->hidden || strcmp(o->name, "help") == 0) continue;
        usage_word(o, word, sizeof word);

        const size_t length = strlen(word);
        const bool fits = column + 1 + length <= width;
        fputs(fits ? " " : separator, file);
        fputs(word, file);
        column = (fits ? column + 1 : 4) + length;
    }

    fputc('\n', file);
}

static void print_text(FILE *file, const char *text, size_t width) {
    const char *start;
    size_t length;
    bool kept;
    while (st_cli_next_block(&text, &start, &length, &kept)) {
        // lines that begin with blanks are kept as they are
        if (kept) fwrite(start, 1, length, file);
        else {
            char *paragraph = strndup(start, length);
            if (paragraph) st_cli_print_wrapped(file, paragraph, 0, 0, width);
            free(paragraph);
        }

        fputs("\n\n", file);
    }
}

static void print_options(FILE *file, unsigned bit, size_t width) {
    fputs("Options:\n", file);
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & bit) || o->hidden) continue;

        // "-n, --steps N", indented by the room of a letter where there is none
        char label[80];
        st_cli_option_label(o, label, sizeof label);
        const size_t column =
            (size_t)fprintf(file, "  %s%-*s ", o->letter ? "" : "    ", LABEL_WIDTH - 2 - (o->letter ? 0 : 4), label);

        st_cli_print_wrapped(file, o->help, column, LABEL_WIDTH + 1, width);

        fputc('\n', file);
    }
}

static void print_overview(FILE *file, size_t width) {
    fputs("settee simulates soft and rigid bodies from SOFA scenes.\n\nUsage: settee COMMAND ...\n\nCommands:\n", file);

    // commands, options of the program itself, topics
    for (const st_cli_command *c = st_cli_commands; c->name; c++) {
        char label[80];
        snprintf(label, sizeof label, "%s %s", c->name, c->operand);
        fprintf(file, "  %-*s %s\n", LABEL_WIDTH - 2, label, c->summary);
    }
    fputc('\n', file);

    print_options(file, ST_CLI_TOP, width);

    fputs("\n'settee help COMMAND' explains a command with its options; further topics:\n", file);
    for (const st_cli_topic *t = st_cli_topics; t->name; t++) {
        char label[80];
        snprintf(label, sizeof label, "help %s", t->name);
        fprintf(file, "  %-*s %s\n", LABEL_WIDTH - 2, label, t->title);
    }
}

void st_cli_print_help(FILE *file, const st_cli_command *command) {
    const size_t width = help_width(file);
    if (!command) {
        print_overview(file, width);
        return;
    }

    fprintf(file, "settee %s: %s\n\n", command->name, command->summary);
    st_cli_print_usage(file, command, width, "\n    ");
    fputc('\n', file);

    print_text(file, command->text, width);
    print_options(file, command->bit, width);
}

void st_cli_print_topic(FILE *file, const st_cli_topic *topic) {
    fprintf(file, "%s\n\n", topic->title);
    print_text(file, topic->text, help_width(file));
}

static int unknown_topic(const char *name) {
    st_cli_guess guess = {.word = name};
    for (const st_cli_command *c = st_cli_commands; c->name; c++) st_cli_guess_try(&guess, c->name);
    for (const st_cli_topic *t = st_cli_topics; t->name; t++) st_cli_guess_try(&guess, t->name);

    if (guess.best) st_cli_error("there is no command or topic '%s'; did you mean '%s'?", name, guess.best);
    else st_cli_error("there is no command or topic '%s'", name);
    return ST_CLI_USAGE;
}

int st_cli_help(const st_cli_options *options) {
    const char *name = options->operand;
    if (options->man) st_cli_print_man(stdout);
    else if (options->markdown) st_cli_print_markdown(stdout);
    else if (options->completion) st_cli_print_completion(stdout);
    else if (!name) st_cli_print_help(stdout, NULL);
    else {
        // a command takes precedence over a topic
        const st_cli_command *command = st_cli_find_command(name);
        const st_cli_topic *topic = st_cli_topics;
        while (topic->name && strcmp(topic->name, name) != 0) topic++;

        if (command) st_cli_print_help(stdout, command);
        else if (topic->name) st_cli_print_topic(stdout, topic);
        else return unknown_topic(name);
    }
    return ST_CLI_OK;
}
