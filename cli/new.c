// `settee new`: something to start from. The scene of `settee new body FILE` is in new_body.c.
//
// `settee new plugin NAME`: a folder with a plug-in that works: a force field, a scene that uses it, a Makefile with a
// test. The files are copies of those in share/settee/new/plugin, with another name put in.
//
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session.h"

enum { MOST_NAME = 64, MOST_FILE = 1 << 16 };

// `name` as it is in names of C and of files: my_force; `title` as it is in names of components: MyForce.
typedef struct names {
    char name[2 * MOST_NAME], title[MOST_NAME];
} names;

// What each file is made from, and what it is called; @name@ stands for the name.
static const struct {
    const char *from, *to;
} files[] = {
    {"attraction_force_field.c", "@name@_force_field.c"},
    {"plugin.c", "plugin.c"},
    {"scene.scn", "@name@.scn"},
    {"Makefile", "Makefile"},
};

static bool make_names(const char *word, names *n) {
    const size_t length = strlen(word);
    bool ok = length > 0 && length < MOST_NAME && isalpha((unsigned char)word[0]);
    for (size_t i = 0; ok && i < length; i++) ok = isalnum((unsigned char)word[i]) != 0;
    if (!ok) {
        st_cli_error(
            "'%.80s' is no name for a plug-in: up to %d letters and digits, a letter first, such as Attraction", word,
            MOST_NAME - 1);
        return false;
    }

    // MyForce: my_force
    memcpy(n->title, word, length + 1);
    n->title[0] = (char)toupper((unsigned char)word[0]);
    char *to = n->name;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && isupper((unsigned char)word[i]) && !isupper((unsigned char)word[i - 1])) *to++ = '_';
        *to++ = (char)tolower((unsigned char)word[i]);
    }
    *to = 0;
    return true;
}

// Writes a template with the names in place of @name@ and @Name@, and of those that the example plug-in has.
static void put_with_names(FILE *file, const char *text, const names *n) {
    const struct {
        const char *mark, *value;
    } marks[] = {
        {"@name@", n->name},         {"@Name@", n->title},    {"example_attraction", n->name},
        {"example_plugin", n->name}, {"attraction", n->name}, {"Attraction", n->title},
    };

    // the first mark that the text goes on with, or one more character
    while (*text) {
        size_t m = 0;
        while (m < sizeof marks / sizeof *marks && strncmp(text, marks[m].mark, strlen(marks[m].mark)) != 0) m++;
        if (m == sizeof marks / sizeof *marks) {
            fputc(*text++, file);
        } else {
            fputs(marks[m].value, file);
            text += strlen(marks[m].mark);
        }
    }
}

static bool read_template(const st_cli_paths *paths, const char *name, char text[MOST_FILE]) {
    for (size_t i = 0; i < paths->count; i++) {
        // the folders in which scenes look for their files, too
        char path[4096];
        snprintf(path, sizeof path, "%s/new/plugin/%s", paths->data[i], name);
        FILE *file = fopen(path, "rb");
        if (!file) continue;

        const size_t length = fread(text, 1, MOST_FILE - 1, file);
        text[length] = 0;
        fclose(file);
        return true;
    }

    st_cli_error("share/settee/new/plugin/%s is not beside the program: settee is not installed completely", name);
    return false;
}

static bool write_files(const st_cli_paths *paths, const names *n) {
    static char text[MOST_FILE];
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
        char path[4 * MOST_NAME + 64];
        const char *to = files[i].to, *rest = strncmp(to, "@name@", 6) == 0 ? to + 6 : NULL;
        snprintf(path, sizeof path, "%s/%s%s", n->title, rest ? n->name : "", rest ? rest : to);

        st_cli_output output;
        ok = read_template(paths, files[i].from, text) && st_cli_output_open(&output, path);
        if (!ok) break;
        put_with_names(output.stream, text, n);
        ok = st_cli_output_close(&output);
        if (ok) printf("wrote        %s\n", path);
    }
    return ok;
}

int st_cli_new(const st_cli_options *options) {
    names n;
    if (strcmp(options->operand, "body") == 0) return st_cli_new_body(options);
    if (strcmp(options->operand, "plugin") != 0) {
        st_cli_error("'%s' cannot be made; what can: settee new body FILE, settee new plugin NAME", options->operand);
        return ST_CLI_USAGE;
    }
    if (!make_names(options->second, &n)) return ST_CLI_USAGE;

    // nothing that is there is touched
    if (mkdir(n.title, 0777) != 0) {
        st_cli_error("%s: %s", n.title, errno == EEXIST ? "exists already" : strerror(errno));
        return ST_CLI_FAILED;
    }

    st_cli_paths paths;
    const bool ok =
        st_cli_paths_create(&paths, &options->data_paths, "SETTEE_DATA_PATH", options->program, SETTEE_DATA_FROM_BIN) &&
        write_files(&paths, &n);
    st_cli_paths_free(&paths);
    if (ok) printf("next         cd %s && make test\n", n.title);
    return ok ? ST_CLI_OK : ST_CLI_FAILED;
}
