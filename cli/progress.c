// Progress of a run on stderr, with its speed, the real-time factor (simulated seconds per second) and the time that is
// left. On a terminal a bar is drawn over itself; elsewhere there is a line per 10 %.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <time.h>

#include "session.h"

static const double redraw_seconds = 0.1;

double st_cli_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void st_cli_duration(double seconds, char *text, size_t size) {
    if (!(seconds >= 0 && seconds < 3.6e7)) {
        snprintf(text, size, "?");
        return;
    }

    const unsigned whole = (unsigned)(seconds + 0.5);
    const unsigned hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours) snprintf(text, size, "%u:%02u:%02u", hours, minutes, whole % 60);
    else snprintf(text, size, "%u:%02u", minutes, whole % 60);
}

void st_cli_progress_start(st_cli_progress *progress, size_t total, bool shown) {
    *progress = (st_cli_progress){.shown = shown && total > 0, .total = total, .start = st_cli_clock()};
    progress->terminal = st_cli_is_terminal(stderr);
    progress->latest = progress->start;
}

void st_cli_progress_clear(st_cli_progress *progress) {
    if (!progress->drawn) return;
    fputs("\r\033[K", stderr);
    progress->drawn = false;
}

// "45 %  step 450 of 1000  230 steps/s  2.3 x real time  0:05 left"
static void describe(const st_cli_progress *p, size_t done, double simulated, double now, char *text, size_t size) {
    const double wall = now - p->start;
    const double speed = wall > 0 ? (double)done / wall : 0, factor = wall > 0 ? simulated / wall : 0;

    // the time left, if the speed stays
    char left[32], speed_text[32], factor_text[32];
    st_cli_duration(done ? wall * (double)(p->total - done) / (double)done : -1, left, sizeof left);
    snprintf(text, size, "%3.0f %%  step %zu of %zu  %s steps/s  %s x real time  %s left",
             100 * (double)done / (double)p->total, done, p->total, st_cli_figure(speed, speed_text),
             st_cli_figure(factor, factor_text), left);
}

static void draw_bar(st_cli_progress *p, size_t done, const char *text) {
    const size_t width = st_cli_width(stderr), length = strlen(text);
    const size_t room = width > length + 4 ? width - length - 4 : 0;
    const size_t bar = room > 40 ? 40 : room;

    // the bar gets what the text leaves, at most 40 columns
    const size_t full = (size_t)((double)bar * (double)done / (double)p->total);

    fputc('\r', stderr);
    if (bar >= 5) {
        fputc('[', stderr);
        for (size_t i = 0; i < bar; i++) fputc(i < full ? '=' : i == full ? '>' : ' ', stderr);
        fputs("] ", stderr);
    }

    fprintf(stderr, "%.*s\033[K", (int)(width - 1), text);
    fflush(stderr);
    p->drawn = true;
}

void st_cli_progress_step(st_cli_progress *p, size_t done, double simulated) {
    if (!p->shown) return;

    char text[160];
    const double now = p->terminal || done * 10 / p->total > p->tenths ? st_cli_clock() : 0;

    // a bar ten times a second, or a line per 10 %
    if (p->terminal) {
        if (now - p->latest < redraw_seconds) return;
        p->latest = now;
        describe(p, done, simulated, now, text, sizeof text);
        draw_bar(p, done, text);
    } else if (done * 10 / p->total > p->tenths) {
        p->tenths = done * 10 / p->total;
        describe(p, done, simulated, now, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}
