// Broken scenes through the public interface: each is loaded, initialized and stepped as far as it goes, and the
// library says what tests/hostile/expected.tsv wants said. Nothing may crash, hang or eat the machine.
//
// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settee/settee.h"

static const char *const folder = SETTEE_SOURCE "/tests/hostile";

// Under the address sanitizer, a block that is too large must be refused as it is without it, not end the program.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

typedef struct expectation {
    const char *file, *stage, *outcome, *severity, *text;
    int line;
    bool met;
    char heard[4096]; // everything that was said, for the report of a failure
} expectation;

static void listen(void *user, const st_diagnostic *diagnostic) {
    expectation *e = user;
    const size_t used = strlen(e->heard);
    const char *severity = st_severity_name(diagnostic->severity);
    snprintf(e->heard + used, sizeof e->heard - used, "\n  %d %s: %s", diagnostic->line, severity, diagnostic->text);
    bool severe = false; // at least as severe as wanted
    for (int s = ST_INFO; s <= (int)diagnostic->severity; s++)
        severe = severe || strcmp(st_severity_name((st_severity)s), e->severity) == 0;
    const bool text = strcmp(e->text, "-") == 0 || strstr(diagnostic->text, e->text) ||
                      (diagnostic->component && strstr(diagnostic->component, e->text));
    e->met = e->met || (severe && text && diagnostic->line == e->line);
}

static void run(expectation *e) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, e->file);
    st_config config = st_default_config();
    config.log = listen;
    config.log_user = e;
    config.read_only = true;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    const st_status loaded = st_scene_load(scene, path);
    if ((strcmp(e->outcome, "none") == 0) != !st_succeeded(loaded))
        fail_msg("%s: loading says '%s'%s", e->file, st_status_text(loaded), e->heard);
    if (st_succeeded(loaded) && st_succeeded(st_scene_init(scene)))
        for (int i = 0; i < 2 && st_scene_step(scene, 0) == ST_OK; i++) {}
    st_scene_destroy(scene);
    if (!e->met) fail_msg("%s: line %d, %s '%s' is missing among%s", e->file, e->line, e->severity, e->text, e->heard);
}

static char *next_field(char **rest) {
    char *field = *rest;
    if (!field) return NULL;
    char *end = strpbrk(field, "\t\n");
    *rest = end ? end + 1 : NULL;
    if (end) *end = 0;
    return field;
}

static void each_broken_scene_is_answered(void **state) {
    (void)state;
    char line[1024];
    snprintf(line, sizeof line, "%s/expected.tsv", folder);
    FILE *table = fopen(line, "r");
    assert_non_null(table);
    size_t count = 0;
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#') continue;
        char *rest = line;
        expectation e = {.file = next_field(&rest),
                         .stage = next_field(&rest),
                         .outcome = next_field(&rest),
                         .severity = next_field(&rest)};
        const char *number = next_field(&rest);
        e.text = next_field(&rest);
        assert_non_null(e.text);
        e.line = atoi(number); // NOLINT(cert-err34-c)
        run(&e);
        count++;
    }
    fclose(table);
    assert_true(count > 50);
}

static bool is_in_table(const char *name) {
    char line[1024];
    snprintf(line, sizeof line, "%s/expected.tsv", folder);
    FILE *table = fopen(line, "r");
    assert_non_null(table);
    bool found = false;
    while (!found && fgets(line, sizeof line, table))
        found = strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == '\t';
    fclose(table);
    return found;
}

static void each_scene_of_the_folder_is_in_the_table(void **state) {
    (void)state;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".scn") == 0 && !is_in_table(entry->d_name))
            fail_msg("%s is not in expected.tsv", entry->d_name);
    }
    closedir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_scene_is_answered),
        cmocka_unit_test(each_scene_of_the_folder_is_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
