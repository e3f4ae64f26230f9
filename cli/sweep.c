// A sweep: --set with several values, commas between, runs the scene once for each of them, or for each combination
// where several attributes vary. Every run is a process of its own, as many at a time as there are cores, in a folder of
// its own below --into:
//
//     1. list the combinations, make the folders
//     2. start a run whenever a core is free; its output goes to log.txt in its folder
//     3. collect what the runs report through a pipe
//     4. print a table, and write it to summary.csv
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

enum { MOST_RUNS = 100000, MOST_VARIED = 16, MOST_TEXT = 1024 };

typedef struct varied {
    st_cli_set set;
    size_t word;   // among those of --set
    size_t values; // how many
} varied;

typedef struct one_run {
    pid_t process;
    int pipe;
    char folder[PATH_MAX];
    st_cli_result result; // code < 0: it ended without a report
    bool done;
} one_run;

typedef struct sweep {
    const st_cli_options *options;
    varied varied[MOST_VARIED];
    size_t varied_count, count;
    one_run *runs;
} sweep;

bool st_cli_is_sweep(const st_cli_options *options) {
    for (size_t i = 0; i < options->sets.count; i++)
        if (strchr(options->sets.data[i], ',')) return true;
    return false;
}

// Value number `index` of "1e3,2e3,5e3".
static void value_at(const char *values, size_t index, char text[MOST_TEXT]) {
    for (; index > 0; index--) values += strcspn(values, ",") + 1;
    snprintf(text, MOST_TEXT, "%.*s", (int)strcspn(values, ","), values);
}

// The value of one varied attribute in one run: the last attribute varies fastest.
static void value_of(const sweep *s, size_t run, size_t attribute, char text[MOST_TEXT]) {
    for (size_t i = s->varied_count; i-- > attribute + 1;) run /= s->varied[i].values;
    value_at(s->varied[attribute].set.value, run % s->varied[attribute].values, text);
}

// ---------------------------------------------------------------------------------------------------
// One run
// ---------------------------------------------------------------------------------------------------

static char *absolute(const char *path) {
    char *full = realpath(path, NULL);
    return full ? full : strdup(path);
}

static bool make_absolute(st_cli_words *words) {
    const char **data = malloc((words->count + 1) * sizeof *data);
    for (size_t i = 0; data && i < words->count; i++) data[i] = absolute(words->data[i]);
    words->data = data;
    return data != NULL;
}

// In the child: other values, another folder, another place for what is printed. Does not return.
static void run_here(const sweep *s, size_t run, int report) {
    st_cli_options options = *s->options;
    char text[MOST_TEXT], set[2 * MOST_TEXT];

    // paths that were given from the folder in which the program was started
    options.operand = absolute(options.operand);
    const char **sets = malloc((options.sets.count + 1) * sizeof *sets);
    bool ok = sets && make_absolute(&options.data_paths) && make_absolute(&options.plugin_paths);
    if (ok) memcpy(sets, options.sets.data, options.sets.count * sizeof *sets);

    for (size_t i = 0; ok && i < s->varied_count; i++) {
        value_of(s, run, i, text);
        snprintf(set, sizeof set, "%s.%s=%s", s->varied[i].set.path, s->varied[i].set.field, text);
        sets[s->varied[i].word] = strdup(set);
    }
    options.sets.data = sets;

    ok = ok && chdir(s->runs[run].folder) == 0 && freopen("log.txt", "w", stdout) && dup2(fileno(stdout), 2) >= 0;
    st_cli_result result = {.code = ST_CLI_FAILED, .status = NULL};
    if (ok) result.code = st_cli_run_once(&options, &result);

    // the text of the status is not of the other process
    result.status = NULL;
    fflush(NULL);
    ok = write(report, &result, sizeof result) == (ssize_t)sizeof result;
    _exit(ok ? 0 : 1);
}

static bool start_run(sweep *s, size_t run) {
    int ends[2];
    one_run *r = &s->runs[run];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    r->process = fork();
    if (r->process == 0) {
        close(ends[0]);
        run_here(s, run, ends[1]);
    }

    close(ends[1]);
    r->pipe = ends[0];
    if (r->process < 0) close(ends[0]);
    return r->process > 0;
}

static void collect(sweep *s, pid_t process) {
    for (size_t i = 0; i < s->count; i++) {
        one_run *r = &s->runs[i];
        if (r->process != process || r->done) continue;
        if (read(r->pipe, &r->result, sizeof r->result) != (ssize_t)sizeof r->result) r->result.code = -1;
        close(r->pipe);
        r->done = true;
    }
}

// ---------------------------------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------------------------------

static bool list_varied(sweep *s) {
    const st_cli_words *words = &s->options->sets;
    s->count = 1;
    for (size_t i = 0; i < words->count; i++) {
        varied v = {.word = i, .values = 1};
        if (!st_cli_split_set(words->data[i], &v.set)) return false;
        for (const char *c = v.set.value; *c; c++) v.values += *c == ',';
        if (v.values == 1) continue;

        // an empty value is a slip of the finger
        if (v.set.value[0] == ',' || strstr(v.set.value, ",,") || v.set.value[strlen(v.set.value) - 1] == ',') {
            st_cli_error("--set: a value of '%.200s' is empty", words->data[i]);
            return false;
        }
        if (s->varied_count == MOST_VARIED || v.values > MOST_RUNS / s->count) {
            st_cli_error("--set: more than %d runs, or more than %d attributes that vary", MOST_RUNS, MOST_VARIED);
            return false;
        }
        s->varied[s->varied_count++] = v;
        s->count *= v.values;
    }
    return true;
}

static bool make_folders(sweep *s) {
    const char *into = s->options->into ? s->options->into : "sweep";
    s->runs = calloc(s->count, sizeof *s->runs);
    if (!s->runs) {
        st_cli_error("out of memory");
        return false;
    }

    for (size_t i = 0; i < s->count; i++) {
        const int length = snprintf(s->runs[i].folder, sizeof s->runs[i].folder, "%s/%04zu", into, i + 1);
        if (length >= (int)sizeof s->runs[i].folder || !st_cli_make_folder(s->runs[i].folder)) return false;
    }
    return true;
}

static void run_all(sweep *s) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = cores > 0 ? (size_t)cores : 1;
    size_t started = 0, running = 0;

    // after an interruption nothing new is started
    while (running > 0 || (started < s->count && !st_cli_signal())) {
        while (running < most && started < s->count && !st_cli_signal()) {
            if (start_run(s, started)) running++;
            else s->runs[started].result.code = -1, s->runs[started].done = true;
            started++;
        }
        if (running == 0) continue;

        const pid_t ended = wait(NULL);
        if (ended < 0 && errno == EINTR) continue;
        if (ended < 0) break;
        collect(s, ended);
        running--;
    }
}

// One line a run, blanks or commas between.
static void put_table(FILE *file, const sweep *s, bool csv) {
    char text[MOST_TEXT];
    const char *gap = csv ? "," : "  ";

    // titles
    fputs(csv ? "run" : "run ", file);
    for (size_t i = 0; i < s->varied_count; i++)
        fprintf(file, csv ? "%s%s.%s" : "%s%s.%-12s", gap, s->varied[i].set.path, s->varied[i].set.field);
    fprintf(file,
            csv ? "%sexit_code%ssteps%sseconds%skinetic%spotential\n"
                : "%scode%s steps%s seconds%s    kinetic%s  potential\n",
            gap, gap, gap, gap, gap);

    // the values of each run, and what came of it
    for (size_t r = 0; r < s->count; r++) {
        const st_cli_result *result = &s->runs[r].result;
        fprintf(file, "%04zu", r + 1);
        for (size_t i = 0; i < s->varied_count; i++) {
            value_of(s, r, i, text);
            const int width = csv ? 0 : (int)strlen(s->varied[i].set.path) + 13;
            fprintf(file, csv && strchr(text, ' ') ? "%s\"%-*s\"" : "%s%-*s", gap, width, text);
        }
        if (!s->runs[r].done || result->code < 0) fprintf(file, csv ? ",-1,,,,\n" : "  did not end; see its log.txt\n");
        else
            fprintf(file, csv ? "%s%d%s%zu%s%.6g%s%.17g%s%.17g\n" : "%s%4d%s%6zu%s%8.3g%s%11.5g%s%11.5g\n", gap,
                    result->code, gap, result->steps, gap, result->step_seconds, gap, result->energy.kinetic, gap,
                    result->energy.potential);
    }
}

static bool write_summary(const sweep *s) {
    char path[PATH_MAX];
    st_cli_output output;
    snprintf(path, sizeof path, "%s/summary.csv", s->options->into ? s->options->into : "sweep");
    if (!st_cli_output_open(&output, path)) return false;
    put_table(output.stream, s, true);
    return st_cli_output_close(&output);
}

int st_cli_sweep(const st_cli_options *options) {
    sweep s = {.options = options};
    if (strcmp(options->operand, "-") == 0) {
        st_cli_error("a scene from standard input can be run once, not for several values");
        return ST_CLI_USAGE;
    }
    if (st_cli_is_script(options->operand)) {
        st_cli_error("a script can be run once, not for several values; give them to it with --argv");
        return ST_CLI_USAGE;
    }
    if (!list_varied(&s)) return ST_CLI_USAGE;

    // 1. to 3.
    int code = make_folders(&s) ? ST_CLI_OK : ST_CLI_FAILED;
    st_cli_catch_signals();
    if (code == ST_CLI_OK) run_all(&s);

    // 4. the worst code is that of the sweep
    if (code == ST_CLI_OK && !write_summary(&s)) code = ST_CLI_FAILED;
    for (size_t i = 0; code == ST_CLI_OK && i < s.count; i++)
        if (!s.runs[i].done || s.runs[i].result.code != ST_CLI_OK)
            code = s.runs[i].result.code > 0 ? s.runs[i].result.code : ST_CLI_FAILED;
    if (st_cli_signal()) code = ST_CLI_SIGNAL + st_cli_signal();
    if (s.runs && !options->quiet) {
        put_table(stdout, &s, false);
        printf("wrote        %s/ (%zu runs)\n", options->into ? options->into : "sweep", s.count);
    }
    free(s.runs);
    return code;
}
