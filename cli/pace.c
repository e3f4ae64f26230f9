// --real-time: steps begin when their time has come, as a haptic device or a person needs them.
//
//     begin 0     begin 1     begin 2          begin 3
//     |── step ──·|── step ──·|──── step ────|·|── step ──·|        · waiting
//                                       └ late: a deadline is missed, and what follows moves by as much
//
// A step may take as long as the time that it simulates. After a late one the schedule starts again where it ended: steps
// that come too fast one after the other would help nobody.
//
// Times of steps are counted in bins that grow by 1 %, so that a run of any length needs the same memory.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"

enum { BINS = 3200 };
static const double first_bin = 1e-9, growth = 1.01; // the last one ends at 6.7e4 s
static const double nap = 0.1, awake = 100e-6;       // longest sleep; the clock is watched that long before a step

struct st_cli_pace {
    double due; // when the next step begins; 0: there was none yet
    size_t missed, steps;
    double worst_late, longest;
    size_t bins[BINS];
};

st_cli_pace *st_cli_pace_create(void) {
    st_cli_pace *pace = calloc(1, sizeof *pace);
    if (!pace) st_cli_error("out of memory");
    return pace;
}

void st_cli_pace_free(st_cli_pace *pace) { free(pace); }

// ---------------------------------------------------------------------------------------------------
// During the run
// ---------------------------------------------------------------------------------------------------

void st_cli_pace_wait(st_cli_pace *pace) {
    double left = pace->due > 0 ? pace->due - st_cli_clock() : 0;

    // asleep in naps that a signal ends, awake for the last moment: a sleeper wakes up some 50 µs late
    while (left > awake && !st_cli_signal()) {
        const double seconds = fmin(left - awake, nap);
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
        left = pace->due - st_cli_clock();
    }
    while (left > 0 && !st_cli_signal()) left = pace->due - st_cli_clock();
}

void st_cli_pace_step(st_cli_pace *pace, double begin, double seconds, double simulated) {
    const double place = seconds > first_bin ? log(seconds / first_bin) / log(growth) : 0;
    pace->bins[place < BINS - 1 ? (size_t)place : BINS - 1]++;
    pace->steps++;
    pace->longest = fmax(pace->longest, seconds);

    // the schedule goes on from the planned beginning unless the step, or what was written before it, was late
    const double planned = pace->due > 0 ? pace->due : begin, end = begin + seconds;
    const double late = end - (planned + simulated);
    pace->due = late > 0 ? end : planned + simulated;
    if (late <= 0) return;
    pace->missed++;
    pace->worst_late = fmax(pace->worst_late, late);
}

// ---------------------------------------------------------------------------------------------------
// Afterwards
// ---------------------------------------------------------------------------------------------------

// Milliseconds that this share of the steps does not exceed, to 1 %.
static double percentile(const st_cli_pace *pace, double share) {
    size_t seen = 0, bin = 0;
    const double wanted = share * (double)pace->steps;
    while (bin < BINS - 1 && (double)(seen += pace->bins[bin]) < wanted) bin++;
    return 1e3 * fmin(first_bin * pow(growth, (double)bin + 1), pace->longest);
}

void st_cli_pace_text(FILE *file, const st_cli_pace *pace) {
    char figures[5][32];
    fprintf(file, "%-12s %zu of %zu missed", "deadlines", pace->missed, pace->steps);
    if (pace->missed) fprintf(file, ", by at most %s ms", st_cli_figure(1e3 * pace->worst_late, figures[0]));
    fprintf(file, "\n%-12s median %s ms, 99 %% %s ms, 99.9 %% %s ms, longest %s ms\n", "step times",
            st_cli_figure(percentile(pace, 0.5), figures[1]), st_cli_figure(percentile(pace, 0.99), figures[2]),
            st_cli_figure(percentile(pace, 0.999), figures[3]), st_cli_figure(1e3 * pace->longest, figures[4]));
}

void st_cli_pace_json(st_cli_json *json, const st_cli_pace *pace) {
    st_cli_json_open(json, "real_time", '{');
    st_cli_json_count(json, "deadlines_missed", pace->missed);
    st_cli_json_real(json, "worst_late_ms", 1e3 * pace->worst_late);
    st_cli_json_real(json, "median_ms", percentile(pace, 0.5));
    st_cli_json_real(json, "p99_ms", percentile(pace, 0.99));
    st_cli_json_real(json, "p99_9_ms", percentile(pace, 0.999));
    st_cli_json_real(json, "longest_ms", 1e3 * pace->longest);
    st_cli_json_close(json, '}');
}
