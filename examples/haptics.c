// A haptic device that is a program: one thread is the device, at 1 kHz, the other one simulates at its own rate.
//
//     cc haptics.c $(pkg-config --cflags --libs settee) -lpthread -o haptics
//     ./haptics haptics.scn [SECONDS]
//
// The hand on the device goes down into the block of haptics.scn, stays there, and comes up again. In each tick the device
// tells where it is and gets the force to show. What it felt is printed at the end, ten lines for the whole way.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <settee/haptics.h>

enum { RATE = 1000, LINES = 10 };

typedef struct hand {
    st_object *device;
    double seconds;
    atomic_bool done;
    size_t ticks, failures;
    double slowest;
    double felt[LINES][3]; // time, height, force upwards
} hand;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Down, a while at the bottom, and up: 0 above the block, -0.6 inside of it.
static double height_at(double part) {
    const double depth = part < 0.3 ? part / 0.3 : part < 0.7 ? 1 : (1 - part) / 0.3;
    return -0.6 * depth;
}

static void *be_a_device(void *context) {
    hand *h = context;
    const double start = now();

    for (double t = 0; t < h->seconds; t = now() - start) {
        const double part = t / h->seconds, y = height_at(part), begin = now();
        const st_real pose[7] = {0, (st_real)y, 0, 0, 0, 0, 1};
        st_real wrench[6] = {0};

        // one call for each tick, whatever the simulation does at the time
        if (st_haptic_tick(h->device, pose, wrench) != ST_OK) h->failures++;
        h->slowest = fmax(h->slowest, now() - begin);
        h->ticks++;

        double *line = h->felt[(size_t)(part * LINES) % LINES];
        line[0] = t, line[1] = y, line[2] = (double)wrench[1];

        // the next tick is a thousandth of a second after this one began, not after it ended
        const double next = start + (double)h->ticks / RATE;
        const struct timespec until = {(time_t)next, (long)((next - floor(next)) * 1e9)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    atomic_store(&h->done, true);
    return NULL;
}

static void print_message(void *user, const st_diagnostic *d) {
    (void)user;
    if (d->severity >= ST_WARNING) fprintf(stderr, "%s: %s\n", st_severity_name(d->severity), d->text);
}

int main(int count, char **words) {
    st_config config = st_default_config();
    config.log = print_message;
    st_scene *scene = st_scene_create(&config);
    if (!scene || count < 2 || st_scene_load(scene, words[1]) != ST_OK || st_scene_init(scene) != ST_OK) {
        fprintf(stderr, "usage: haptics SCENE [SECONDS]\n");
        st_scene_destroy(scene);
        return 2;
    }

    // what the device needs is found before the threads start
    hand h = {.device = st_scene_find(scene, "/device"), .seconds = count > 2 ? atof(words[2]) : 5};
    pthread_t thread;
    if (pthread_create(&thread, NULL, be_a_device, &h) != 0) return 1;

    // the simulation, in real time where it can
    size_t steps = 0;
    bool ok = true;
    for (const double start = now(); ok && !atomic_load(&h.done); steps++) {
        ok = st_scene_step(scene, 0) == ST_OK;
        const double ahead = (double)st_scene_time(scene) - (now() - start);
        if (ahead > 0) nanosleep(&(struct timespec){0, (long)(fmin(ahead, 0.5) * 1e9)}, NULL);
    }
    pthread_join(thread, NULL);

    printf("%zu ticks at %.0f Hz beside %zu steps; the slowest took %.3f ms\n", h.ticks, (double)h.ticks / h.seconds,
           steps, 1e3 * h.slowest);
    for (int i = 0; i < LINES; i++)
        printf("t = %5.2f s   y = %6.3f   force %8.4f\n", h.felt[i][0], h.felt[i][1], h.felt[i][2]);

    // it pushes back at the bottom, and not in the air
    ok = ok && h.failures == 0 && h.felt[5][2] > 0 && h.felt[0][2] == 0 && h.felt[LINES - 1][2] == 0;
    st_scene_destroy(scene);
    return ok ? 0 : 1;
}
