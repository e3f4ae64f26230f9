// SOFA's times of whole scenes, carried over to this machine and moment, against ours.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BENCH_SOFA_TIMES_H
#define SETTEE_BENCH_SOFA_TIMES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "settee/settee.h"

#define SHARED "../shared"

static inline double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the machine at this moment ------------------------------------------------------------------------------------

static inline double triad_gbs(void) {
    const size_t n = 8u << 20;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b), *c = calloc(n, sizeof *c), best = 0;
    for (size_t i = 0; i < n; i++) b[i] = c[i] = 1 + (double)(i % 3);
    for (int k = 0; k < 5; k++) {
        const double begin = thread_seconds();
        for (size_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];

        const double rate = 24 * (double)n / (thread_seconds() - begin) * 1e-9;
        if (rate > best) best = rate;
    }

    volatile double sink = a[n / 2];
    (void)sink;
    free(a);
    free(b);
    free(c);
    return best;
}

// One product of 3 × 3 matrices, scalar.
static inline double mat3_ns(void) {
    enum { COUNT = 256, ROUNDS = 1000 };
    static double a[COUNT][3][3], b[COUNT][3][3], c[COUNT][3][3];
    double best = 1e9;

    // in the cache
    for (int k = 0; k < COUNT * 9; k++) {
        a[k / 9][k / 3 % 3][k % 3] = 1.0 / (1 + k);
        b[k / 9][k / 3 % 3][k % 3] = 1.0 / (2 + k);
    }

    for (int tries = 0; tries < 7; tries++) {
        const double begin = thread_seconds();
        for (int r = 0; r < ROUNDS; r++)
            for (int k = 0; k < COUNT; k++)
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) {
                        double sum = 0;
                        for (int l = 0; l < 3; l++) sum += a[k][i][l] * b[k][l][j];
                        c[k][i][j] += sum;
                    }
        const double time = (thread_seconds() - begin) / ((double)ROUNDS * COUNT) * 1e9;
        if (time < best) best = time;
    }

    volatile double sink = c[7][1][2];
    (void)sink;
    return best;
}

// ---- one scene -----------------------------------------------------------------------------------------------------

typedef struct line {
    char name[128], scene[512];
    int steps;
    double median_ms, triad, mat3;
} line;

typedef struct result {
    int ok;
    double median_ms;
    long peak_kib;
} result;

static inline int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline result run(const char *path, int steps) {
    result r = {0};
    const char *const data[] = {SHARED "/conformance/sofa/share", SHARED "/conformance/sofa/examples", NULL};

    st_config config = st_default_config();
    config.data_paths = data;
    config.threads = 1;

    // the median of the steps
    st_scene *scene = st_scene_create(&config);
    double *times = calloc((size_t)steps, sizeof *times);
    if (scene && times && st_scene_load(scene, path) == ST_OK && st_scene_init(scene) == ST_OK) {
        r.ok = 1;
        for (int i = 0; i < steps && r.ok; i++) {
            const double begin = thread_seconds();
            r.ok = st_scene_step(scene, 0) == ST_OK;
            times[i] = thread_seconds() - begin;
        }
        qsort(times, (size_t)steps, sizeof *times, compare);
        r.median_ms = times[steps / 2] * 1e3;
    }

    free(times);
    st_scene_destroy(scene);

    // memory at its peak, that of the libraries included
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r.peak_kib = usage.ru_maxrss;
    return r;
}

// In a process of its own: its memory is then its own, too.
static inline result run_apart(const char *path, int steps) {
    result r = {0};
    int ends[2];
    if (pipe(ends) != 0) return r;

    const pid_t child = fork();
    if (child == 0) {
        const result mine = run(path, steps);
        _exit(write(ends[1], &mine, sizeof mine) == sizeof mine ? 0 : 1);
    }

    close(ends[1]);
    if (read(ends[0], &r, sizeof r) != sizeof r) r.ok = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return r;
}

// ---- all -----------------------------------------------------------------------------------------------------------

// name, scene, steps, DOFs, init, mean, median, memory, triad, mat3, chase; with --scale the scene is the name, and the
// median comes before the minimum.
static inline bool parse(const char *text, bool scale, line *l) {
    if (text[0] == '#') return false;

    // with --scale the scene is the name
    double dofs, init, first, second, memory, chase;

    if (scale) {
        if (sscanf(text, "%127s %d %lf %lf %lf %lf %lf %lf %lf %lf", l->name, &l->steps, &dofs, &init, &first, &second,
                   &memory, &l->triad, &l->mat3, &chase) != 10)
            return false;
        l->median_ms = first;
        snprintf(l->scene, sizeof l->scene, SHARED "/bench/scale/%s", l->name);
        return true;
    }

    char scene[384];
    if (sscanf(text, "%127s %383s %d %lf %lf %lf %lf %lf %lf %lf %lf", l->name, scene, &l->steps, &dofs, &init, &first,
               &second, &memory, &l->triad, &l->mat3, &chase) != 11)
        return false;
    l->median_ms = second;
    snprintf(l->scene, sizeof l->scene, SHARED "/conformance/sofa/%s", scene);
    return true;
}

static inline bool is_wanted(const char *name, int count, char **words) {
    for (int i = 0; i < count; i++)
        if (strstr(name, words[i])) return true;
    return count == 0;
}

// All scenes, or those whose names contain one of the words. False: SOFA's times cannot be read.
static inline bool compare_with_sofa(bool scale, int word_count, char **words) {
    FILE *file = fopen(scale ? SHARED "/bench/scale/sofa.tsv" : SHARED "/bench/sofa.tsv", "r");
    if (!file) {
        fprintf(stderr, "SOFA's times, " SHARED "/bench, cannot be read: run this in the project's folder\n");
        return false;
    }

    printf("%-36s %10s %10s %9s %9s %9s\n", "scene", "SOFA ms", "settee ms", "compute", "stream", "MiB");
    fflush(stdout);

    char text[1024];
    line l;
    double compute = 0, stream = 0;
    int count = 0;

    // yardsticks, three runs, yardsticks
    while (fgets(text, sizeof text, file)) {
        if (!parse(text, scale, &l) || !is_wanted(l.name, word_count, words)) continue;
        double mat3 = mat3_ns(), triad = triad_gbs();
        result best = {0};
        for (int k = 0; k < (l.median_ms > 500 ? 1 : 3); k++) {
            const result r = run_apart(l.scene, l.steps);
            if (r.ok && (!best.ok || r.median_ms < best.median_ms)) best = r;
        }

        mat3 = fmin(mat3, mat3_ns());
        triad = fmax(triad, triad_gbs());
        if (!best.ok) {
            printf("%-36s does not run\n", l.name);
            continue;
        }

        // SOFA's time on this machine, by arithmetic and by bandwidth
        const double by_compute = l.median_ms * mat3 / l.mat3 / best.median_ms;
        const double by_stream = l.median_ms * l.triad / triad / best.median_ms;
        printf("%-36s %10.2f %10.3f %8.1fx %8.1fx %9.1f\n", l.name, l.median_ms, best.median_ms, by_compute, by_stream,
               (double)best.peak_kib / 1024);
        fflush(stdout);

        compute += log(by_compute);
        stream += log(by_stream);
        count++;
    }

    fclose(file);
    if (count > 0)
        printf("%-36s %10s %10s %8.1fx %8.1fx\n", "geometric mean", "", "", exp(compute / count), exp(stream / count));
    return true;
}

#endif
