// The program: finds the command and runs it.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <unistd.h>

#include "cli.h"

int st_cli_version(const st_cli_options *options) {
    const char *more = st_build_info(); // may begin with the version itself
    if (!options->verbose || strncmp(more, "settee ", 7) != 0) printf("settee %s\n", st_version());
    if (options->verbose) printf("%s\n", more);
    return ST_CLI_OK;
}

static int unknown_command(const char *word) {
    st_cli_guess guess = {.word = word};
    for (const st_cli_command *c = st_cli_commands; c->name; c++) st_cli_guess_try(&guess, c->name);

    // a file name in place of a command is the most common mistake
    if (access(word, F_OK) == 0) st_cli_error("unknown command '%s'; to simulate it: settee run %s", word, word);
    else if (guess.best) st_cli_error("unknown command '%s'; did you mean '%s'?", word, guess.best);
    else st_cli_error("unknown command '%s'", word);

    fputs("See 'settee help'.\n", stderr);
    return ST_CLI_USAGE;
}

// Options before a command: --version, --help.
static int top(int count, char **words, st_cli_options *options) {
    if (count == 0) {
        st_cli_print_help(stderr, NULL);
        return ST_CLI_USAGE;
    }

    if (!st_cli_parse(NULL, count, words, options)) return ST_CLI_USAGE;
    if (options->version && !options->help) return st_cli_version(options);
    st_cli_print_help(stdout, NULL);
    return ST_CLI_OK;
}

static int dispatch(int count, char **words, st_cli_options *options) {
    if (count == 0 || words[0][0] == '-') return top(count, words, options);

    const st_cli_command *command = st_cli_find_command(words[0]);
    if (!command) return unknown_command(words[0]);

    // defaults that depend on the command
    options->steps = command->bit == ST_CLI_RUN ? 100 : command->bit == ST_CLI_MATRIX ? 1 : 0;
    if (!st_cli_parse(command, count - 1, words + 1, options)) return ST_CLI_USAGE;

    if (!options->help) return command->run(options);
    st_cli_print_help(stdout, command);
    return ST_CLI_OK;
}

int st_cli_program(int argc, char **argv, const st_cli_host *host) {
    st_cli_guard_standard_files();

    st_cli_options options = {.program = argc > 0 ? argv[0] : "settee",
                              .word_count = argc,
                              .all_words = argv,
                              .host = host,
                              .threads = 1,
                              .every = 1,
                              .digits = 17};
    const int code = dispatch(argc > 0 ? argc - 1 : 0, argv + 1, &options);
    st_cli_options_free(&options);

    // what could not be written is a failure, even if all else went well
    const bool written = st_cli_flush_stdout();
    return code == ST_CLI_OK && !written ? ST_CLI_FAILED : code;
}
