// --profile: how the time of the steps was spent, as a tree of phases and components; --profile=FILE: every single call, too,
// in the trace format of Chrome, which chrome://tracing, Perfetto and speedscope open.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { NAME_WIDTH = 44, DEEPEST = 8 }; // st_cli_json has room for twice as many levels and some

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// ---------------------------------------------------------------------------------------------------
// The trace
// ---------------------------------------------------------------------------------------------------

struct st_cli_trace {
    st_cli_output output;
    st_cli_json json;
    double start; // times are counted from here
};

// One event with a duration; times in microseconds.
static void put_event(st_cli_trace *trace, const char *name, const char *kind, int lane, double begin, double seconds) {
    st_cli_json *json = &trace->json;
    st_cli_json_open(json, NULL, '{');
    st_cli_json_text(json, "name", name);
    st_cli_json_text(json, "cat", kind);
    st_cli_json_text(json, "ph", "X");
    st_cli_json_real(json, "ts", 1e6 * (begin - trace->start));
    st_cli_json_real(json, "dur", 1e6 * seconds);
    st_cli_json_count(json, "pid", 1);
    st_cli_json_count(json, "tid", (size_t)lane + 1);
    st_cli_json_close(json, '}');
}

static void trace_event(void *user, const st_profile_event *event) {
    put_event(user, event->name, event->is_component ? "component" : "phase", event->lane, event->begin,
              event->seconds);
}

void st_cli_trace_step(st_cli_trace *trace, double begin, double seconds) {
    if (trace) put_event(trace, "step", "step", 0, begin, seconds);
}

st_cli_trace *st_cli_trace_open(const char *path) {
    st_cli_trace *trace = calloc(1, sizeof *trace);
    if (!trace || !st_cli_output_open(&trace->output, path)) {
        if (!trace) st_cli_error("out of memory");
        free(trace);
        return NULL;
    }

    trace->start = st_cli_clock();
    trace->json.file = trace->output.stream;
    trace->json.lines = 2; // an event a line
    st_cli_json_open(&trace->json, NULL, '{');
    st_cli_json_text(&trace->json, "displayTimeUnit", "ms");
    st_cli_json_open(&trace->json, "traceEvents", '[');
    return trace;
}

bool st_cli_trace_close(st_cli_trace *trace) {
    if (!trace) return true;
    st_cli_json_close(&trace->json, ']');
    st_cli_json_close(&trace->json, '}');
    const bool ok = st_cli_output_close(&trace->output);
    free(trace);
    return ok;
}

bool st_cli_profile_start(st_scene *scene, st_cli_trace *trace) {
    const st_status status = st_scene_profile_components(scene, true, trace ? trace_event : NULL, trace);
    if (status != ST_OK) st_cli_error("components cannot be timed: %s", st_status_text(status));
    return status == ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// The tree as text
// ---------------------------------------------------------------------------------------------------

// "12.3 MB"; nothing where it is not known.
static void put_bytes(FILE *file, double bytes) {
    char figure[32];
    if (bytes > 0) fprintf(file, " %10s MB", st_cli_figure(bytes / 1e6, figure));
}

static void put_line(FILE *file, const char *name, int depth, double seconds, const st_cli_result *r) {
    // a path that is too long keeps its end, which tells more
    char label[NAME_WIDTH + 1];
    const size_t room = (size_t)(NAME_WIDTH - 2 * depth), length = strlen(name);
    if (length <= room) snprintf(label, sizeof label, "%s", name);
    else snprintf(label, sizeof label, "...%s", name + length - (room - 3));

    fprintf(file, "  %*s", 2 * depth, "");
    st_cli_print_clean(file, label);
    fprintf(file, "%*s %10.4f %7.1f %% %12.4f", (int)(room - strlen(label)), "", seconds,
            100 * ratio(seconds, r->step_seconds), 1e3 * ratio(seconds, (double)r->steps));
}

// The parts of a whole in their order; SIZE_MAX: the steps.
static void put_parts(FILE *file, const st_profile_node *nodes, size_t count, size_t whole, int depth,
                      const st_cli_result *r) {
    for (size_t i = 0; i < count; i++) {
        if (nodes[i].parent != whole) continue;
        put_line(file, nodes[i].name, depth, nodes[i].seconds, r);
        fprintf(file, " %10zu", nodes[i].calls);
        put_bytes(file, nodes[i].bytes);
        fputc('\n', file);
        if (depth < DEEPEST) put_parts(file, nodes, count, i, depth + 1, r);
    }
}

// Time that is in no phase.
static double other_seconds(const st_profile_node *nodes, size_t count, double total) {
    for (size_t i = 0; i < count; i++)
        if (nodes[i].parent == SIZE_MAX) total -= nodes[i].seconds;
    return total > 0 ? total : 0;
}

void st_cli_profile_text(FILE *file, const st_cli_session *session, const st_cli_result *r) {
    const st_profile_node *nodes = NULL;
    const size_t count = st_scene_profile_tree(session->scene, &nodes);

    fprintf(file, "\n  %-*s %10s %9s %12s %10s %13s\n", NAME_WIDTH, "part", "seconds", "share", "ms per step", "calls",
            "data");
    put_parts(file, nodes, count, SIZE_MAX, 0, r);

    // what is in no phase, and the sum
    put_line(file, "other", 0, other_seconds(nodes, count, r->step_seconds), r);
    fputc('\n', file);
    put_line(file, "steps", 0, r->step_seconds, r);
    fprintf(file, " %10zu\n", r->steps);
}

// ---------------------------------------------------------------------------------------------------
// The tree as JSON
// ---------------------------------------------------------------------------------------------------

static void json_parts(st_cli_json *json, const char *name, const st_profile_node *nodes, size_t count, size_t whole,
                       int depth, const st_cli_result *r) {
    st_cli_json_open(json, name, '[');
    for (size_t i = 0; i < count; i++) {
        if (nodes[i].parent != whole) continue;

        // seconds in all, the share of the steps, milliseconds per step
        st_cli_json_open(json, NULL, '{');
        st_cli_json_text(json, "part", nodes[i].name);
        st_cli_json_text(json, "kind", nodes[i].is_component ? "component" : "phase");
        st_cli_json_real(json, "seconds", nodes[i].seconds);
        st_cli_json_real(json, "share", ratio(nodes[i].seconds, r->step_seconds));
        st_cli_json_real(json, "ms_per_step", 1e3 * ratio(nodes[i].seconds, (double)r->steps));
        st_cli_json_count(json, "calls", nodes[i].calls);
        st_cli_json_real(json, "bytes", nodes[i].bytes);
        if (depth < DEEPEST) json_parts(json, "parts", nodes, count, i, depth + 1, r);
        st_cli_json_close(json, '}');
    }
    st_cli_json_close(json, ']');
}

void st_cli_profile_json(st_cli_json *json, const st_cli_session *session, const st_cli_result *r) {
    const st_profile_node *nodes = NULL;
    const size_t count = st_scene_profile_tree(session->scene, &nodes);
    json_parts(json, "profile", nodes, count, SIZE_MAX, 0, r);
}
