// The completion script for bash, from the table. cli/completion.bash is its output.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cli.h"

static const char head[] =
    "# Completion of settee's command line for bash. Written by `settee help --completion` from cli/table.c.\n"
    "#\n"
    "# SPDX-License-Identifier: Apache-2.0\n"
    "\n"
    "_settee() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "    local options=\n"
    "    COMPREPLY=()\n";

static const char tail[] =
    "    esac\n"
    "    if [[ $word == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
    "        return\n"
    "    fi\n"
    "    case $command in\n"
    "    run | view | check | matrix)\n"
    "        compopt -o filenames\n"
    "        mapfile -t COMPREPLY < <(\n"
    "            compgen -f -X '!*.scn' -- \"$word\"\n"
    "            compgen -f -X '!*.xml' -- \"$word\"\n"
    "            compgen -f -X '!*.py' -- \"$word\"\n"
    "            compgen -d -- \"$word\"\n"
    "        )\n"
    "        ;;\n"
    "    new) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W 'body plugin' -- \"$word\"; "
    "compgen -f -- \"$word\") ;;\n"
    "    mesh) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
    "    info) mapfile -t COMPREPLY < <(compgen -W \"$(\"${COMP_WORDS[0]}\" info --names "
    "2>/dev/null)\" -- \"$word\") ;;\n"
    "    help) mapfile -t COMPREPLY < <(compgen -W '";

static const char end[] = "' -- \"$word\") ;;\n"
                          "    esac\n"
                          "}\n"
                          "\n"
                          "complete -F _settee settee\n";

// Is the value the next word?
static bool has_next(const st_cli_option *o) { return o->value && o->kind != ST_CLI_OPTIONAL; }

static bool takes(const st_cli_option *o, const char *value) { return has_next(o) && strcmp(o->value, value) == 0; }

static bool is_other(const st_cli_option *o) { return has_next(o) && !takes(o, "FILE") && !takes(o, "DIR"); }

static bool is_file(const st_cli_option *o) { return takes(o, "FILE"); }

static bool is_directory(const st_cli_option *o) { return takes(o, "DIR"); }

// "    --png | --vtk) action ;;": what follows an option that takes a value. A name used twice is written once.
static void put_values(FILE *file, bool (*wanted)(const st_cli_option *), const char *action) {
    const char *separator = "    ";
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        // a name that an earlier entry has was written there
        bool again = false;

        for (const st_cli_option *p = st_cli_option_table; p < o; p++) again = again || strcmp(p->name, o->name) == 0;
        if (!wanted(o) || again) continue;

        fprintf(file, "%s--%s", separator, o->name);
        separator = " | ";
        if (o->letter) fprintf(file, "%s-%c", separator, o->letter);
    }

    fprintf(file, ") %s ;;\n", action);
}

static void put_options(FILE *file, unsigned bit) {
    for (const st_cli_option *o = st_cli_option_table; o->name; o++) {
        if (!(o->commands & bit) || o->hidden) continue;
        if (o->letter) fprintf(file, "-%c ", o->letter);
        fprintf(file, "--%s ", o->name);
    }
}

static void put_commands(FILE *file) {
    for (const st_cli_command *c = st_cli_commands; c->name; c++) fprintf(file, "%s ", c->name);
}

void st_cli_print_completion(FILE *file) {
    fputs(head, file);

    // the first word: a command, or an option of the program
    fputs("    if ((COMP_CWORD == 1)); then\n        mapfile -t COMPREPLY < <(compgen -W '", file);
    put_commands(file);
    put_options(file, ST_CLI_TOP);
    fputs("' -- \"$word\")\n        return\n    fi\n    case $before in\n", file);

    // the value of the option before
    put_values(file, is_file, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return");
    put_values(file, is_directory, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return");
    put_values(file, is_other, "return");

    // the options of each command
    fputs("    esac\n    case $command in\n", file);
    for (const st_cli_command *c = st_cli_commands; c->name; c++) {
        fprintf(file, "    %s) options='", c->name);
        put_options(file, c->bit);
        fputs("' ;;\n", file);
    }
    fputs("    --version) options='--verbose' ;;\n", file);

    // operands
    fputs(tail, file);
    put_commands(file);
    for (const st_cli_topic *t = st_cli_topics; t->name; t++) fprintf(file, "%s ", t->name);
    fputs(end, file);
}
