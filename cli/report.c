// --report FILE.html: one page on a run, which needs nothing but a browser: pictures of some states, the energies and
// the time of each step as curves, the time of each part as bars, and the messages. Everything is inside the file.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

enum { PICTURES = 6, MOST_SAMPLES = 1 << 20, CURVE_POINTS = 600, WIDTH = 640, HEIGHT = 200 };

typedef struct sample {
    double time, kinetic, potential, milliseconds;
} sample;

struct st_cli_report {
    sample *samples;
    size_t count, capacity, every; // a sample every few steps when there are very many
    char *pictures[PICTURES];      // as base64
    double times[PICTURES];
    size_t picture_count;
};

// ---------------------------------------------------------------------------------------------------
// During the run
// ---------------------------------------------------------------------------------------------------

st_cli_report *st_cli_report_create(size_t steps) {
    st_cli_report *report = calloc(1, sizeof *report);
    if (report) report->every = steps / MOST_SAMPLES + 1;
    return report;
}

void st_cli_report_free(st_cli_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->picture_count; i++) free(report->pictures[i]);
    free(report->samples);
    free(report);
}

static char *encode(const unsigned char *bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(4 * ((count + 2) / 3) + 1), *to = text;

    // three bytes are four digits of 6 bits
    for (size_t i = 0; text && i < count; i += 3) {
        const unsigned b = (unsigned)bytes[i] << 16 | (i + 1 < count ? (unsigned)bytes[i + 1] << 8 : 0) |
                           (i + 2 < count ? bytes[i + 2] : 0);
        *to++ = digits[b >> 18];
        *to++ = digits[b >> 12 & 63];
        *to++ = i + 1 < count ? digits[b >> 6 & 63] : '=';
        *to++ = i + 2 < count ? digits[b & 63] : '=';
    }
    if (text) *to = 0;
    return text;
}

static char *read_encoded(FILE *file) {
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) != 0) return NULL;
    const long size = ftell(file);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size) text = encode(bytes, (size_t)size);
    free(bytes);
    return text;
}

// The library writes pictures to files; this one is gone as soon as it has been read.
static void take_picture(st_cli_report *report, const st_cli_pictures *pictures) {
    char folder[] = "/tmp/settee-report-XXXXXX", path[64];
    if (!mkdtemp(folder)) return;
    snprintf(path, sizeof path, "%s/picture.png", folder);

    char *text = NULL;
    FILE *file = st_cli_pictures_write(pictures, path, WIDTH, WIDTH * 3 / 4) ? fopen(path, "rb") : NULL;
    if (file) text = read_encoded(file);
    if (file) fclose(file);
    unlink(path);
    rmdir(folder);

    if (!text) return;
    report->times[report->picture_count] = (double)st_scene_time(pictures->session->scene);
    report->pictures[report->picture_count++] = text;
}

bool st_cli_report_step(st_cli_report *report, const st_cli_pictures *pictures, size_t step, double milliseconds) {
    st_scene *scene = pictures->session->scene;

    // pictures at equal distances, the first and the last state among them
    const size_t next = report->picture_count * pictures->session->options->steps / (PICTURES - 1);
    if (report->picture_count < PICTURES && step >= next) take_picture(report, pictures);
    if (step % report->every != 0) return true;

    if (report->count == report->capacity) {
        const size_t capacity = report->capacity ? 2 * report->capacity : 1024;
        sample *larger = realloc(report->samples, capacity * sizeof *larger);
        if (!larger) return false;
        report->samples = larger;
        report->capacity = capacity;
    }

    const st_energy energy = st_scene_energy(scene);
    report->samples[report->count++] =
        (sample){(double)st_scene_time(scene), energy.kinetic, energy.potential, milliseconds};
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The page
// ---------------------------------------------------------------------------------------------------

static void put_escaped(FILE *file, const char *text) {
    for (; text && *text; text++) {
        if (*text == '<') fputs("&lt;", file);
        else if (*text == '>') fputs("&gt;", file);
        else if (*text == '&') fputs("&amp;", file);
        else if (*text == '"') fputs("&quot;", file);
        else fputc(*text, file);
    }
}

typedef struct curve {
    const char *name, *color;
    size_t offset; // in a sample
} curve;

static double value_of(const sample *s, const curve *c) { return *(const double *)((const char *)s + c->offset); }

static void find_range(const st_cli_report *report, const curve *curves, size_t count, double range[2]) {
    range[0] = INFINITY, range[1] = -INFINITY;
    for (size_t i = 0; i < report->count; i++)
        for (size_t c = 0; c < count; c++) {
            const double v = value_of(&report->samples[i], &curves[c]);
            if (!isfinite(v)) continue;
            range[0] = fmin(range[0], v);
            range[1] = fmax(range[1], v);
        }

    // a line that does not change is drawn in the middle
    if (!(range[1] > range[0])) range[0] = isfinite(range[0]) ? range[0] - 1 : 0, range[1] = range[0] + 2;
}

static void put_curves(FILE *file, const st_cli_report *report, const char *title, const curve *curves, size_t count) {
    double range[2];
    find_range(report, curves, count, range);
    const double first = report->samples[0].time, last = report->samples[report->count - 1].time;
    const double length = last > first ? last - first : 1;

    // the frame, with the ends of both axes
    fprintf(file, "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
            title, WIDTH, HEIGHT, title);
    fprintf(file, "<rect x=\"70\" y=\"10\" width=\"560\" height=\"160\" class=\"frame\"/>\n");
    fprintf(file, "<text x=\"64\" y=\"20\" text-anchor=\"end\">%.3g</text>", range[1]);
    fprintf(file, "<text x=\"64\" y=\"170\" text-anchor=\"end\">%.3g</text>", range[0]);
    fprintf(file, "<text x=\"70\" y=\"190\">%.3g s</text>", first);
    fprintf(file, "<text x=\"630\" y=\"190\" text-anchor=\"end\">%.3g s</text>\n", last);

    // at most as many points as one can see
    const size_t stride = report->count / CURVE_POINTS + 1;
    for (size_t c = 0; c < count; c++) {
        fprintf(file, "<polyline stroke=\"%s\" points=\"", curves[c].color);
        for (size_t i = 0; i < report->count; i += stride) {
            const double v = value_of(&report->samples[i], &curves[c]);
            if (isfinite(v))
                fprintf(file, "%.1f,%.1f ", 70 + 560 * (report->samples[i].time - first) / length,
                        170 - 160 * (v - range[0]) / (range[1] - range[0]));
        }
        fprintf(file, "\"/>\n<text x=\"%zu\" y=\"190\" fill=\"%s\">%s</text>\n", 180 + 140 * c, curves[c].color,
                curves[c].name);
    }
    fputs("</svg></figure>\n", file);
}

static void put_profile(FILE *file, const st_cli_session *session, const st_cli_result *result) {
    const st_profile_entry *entries = NULL;
    const size_t count = st_scene_profile(session->scene, &entries);
    fputs("<h2>Time of each part</h2>\n<table><tr><th>part</th><th>ms per step</th><th>share</th><th></th></tr>\n",
          file);

    const double total = result->step_seconds > 0 ? result->step_seconds : 1,
                 steps = result->steps ? (double)result->steps : 1;
    // a bar as long as its share
    for (size_t i = 0; i < count; i++) {
        const double share = 100 * entries[i].seconds / total;
        if (share < 0.05) continue;
        fputs("<tr><td>", file);
        put_escaped(file, entries[i].name);
        fprintf(file,
                "</td><td>%.4f</td><td>%.1f %%</td><td><div class=\"bar\" style=\"width:%.1f%%\"></div></td></tr>\n",
                1e3 * entries[i].seconds / steps, share, fmin(share, 100));
    }
    fputs("</table>\n", file);
}

static void put_messages(FILE *file, const st_cli_messages *messages) {
    if (messages->count == 0) return;
    fputs("<h2>Messages</h2>\n<ul>\n", file);
    for (size_t i = 0; i < messages->count; i++) {
        const st_cli_message *m = &messages->list[i];
        fprintf(file, "<li class=\"%s\"><b>%s</b> ", st_severity_name(m->severity), st_severity_name(m->severity));
        put_escaped(file, m->path ? m->path : m->component);
        fputs(": ", file);
        put_escaped(file, m->text);
        if (m->count > 1) fprintf(file, " (%zu times)", m->count);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.5rem}\n"
    ".pictures img{width:100%;border-radius:4px}figure{margin:1rem 0}figcaption{font-weight:600}\n"
    "svg{width:100%;max-width:52rem;font-size:12px}svg text:not([fill]){fill:currentColor}\n"
    ".frame{fill:none;stroke:#8888}polyline{fill:none;stroke-width:1.5}\n"
    "table{border-collapse:collapse;width:100%;max-width:52rem}td,th{text-align:left;padding:.15rem .6rem}\n"
    "td:nth-child(2),td:nth-child(3){text-align:right;font-variant-numeric:tabular-nums}td:last-child{width:40%}\n"
    ".bar{background:#3b82c4;height:.9rem;border-radius:2px}.error b{color:#c33}.warning b{color:#b70}\n"
    "</style>\n";

static void put_page(FILE *file, const st_cli_report *report, const st_cli_session *session,
                     const st_cli_result *result) {
    static const curve energies[] = {{"kinetic", "#c2410c", offsetof(sample, kinetic)},
                                     {"potential", "#2563eb", offsetof(sample, potential)}};
    static const curve times[] = {{"milliseconds", "#15803d", offsetof(sample, milliseconds)}};

    // what was run
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
          file);
    put_escaped(file, session->options->operand);
    fprintf(file, "</title>\n%s</head><body>\n<h1>", style);
    put_escaped(file, session->options->operand);
    fprintf(file, "</h1>\n<p>%zu steps of %.4g s, %.4g s simulated in %.3g s (%.3g times real time). ", result->steps,
            result->dt, result->time - result->start_time, result->step_seconds,
            result->step_seconds > 0 ? (result->time - result->start_time) / result->step_seconds : 0);
    fprintf(file, "%zu warnings, %zu errors. settee %s.</p>\n", st_cli_warnings(&session->messages),
            st_cli_errors(&session->messages), st_version());

    // pictures
    fputs("<div class=\"pictures\">\n", file);
    for (size_t i = 0; i < report->picture_count; i++)
        fprintf(file, "<img alt=\"the scene at %.4g s\" src=\"data:image/png;base64,%s\">\n", report->times[i],
                report->pictures[i]);
    fputs("</div>\n", file);

    // curves, bars, messages
    if (report->count > 1) {
        put_curves(file, report, "Energies", energies, 2);
        put_curves(file, report, "Time of each step, in ms", times, 1);
    }
    put_profile(file, session, result);
    put_messages(file, &session->messages);
    fputs("</body></html>\n", file);
}

bool st_cli_report_write(const st_cli_report *report, const st_cli_session *session, const st_cli_result *result) {
    st_cli_output output;
    if (!st_cli_output_open(&output, session->options->report)) return false;
    put_page(output.stream, report, session, result);
    return st_cli_output_close(&output);
}
