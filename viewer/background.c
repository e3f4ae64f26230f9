// A viewer in a thread of its own, beside a program that goes on. Both take turns with the scene: the thread serves, and
// whoever wants the scene nudges it and waits until it has come out.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "viewer.h"

struct st_viewer_background {
    st_viewer *viewer;
    st_scene *scene;
    pthread_t thread;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t changed;
    size_t holds;
    bool serving, ending;
};

static void *serve_in_background(void *user) {
    st_viewer_background *b = user;
    pthread_mutex_lock(&b->lock);
    while (!b->ending) {
        if (b->holds > 0) {
            pthread_cond_wait(&b->changed, &b->lock);
            continue;
        }

        // the scene is the server's until someone holds it
        b->serving = true;
        pthread_mutex_unlock(&b->lock);
        b->scene = st_viewer_serve(b->viewer, b->scene, INFINITY);

        pthread_mutex_lock(&b->lock);
        b->serving = false;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

st_viewer_background *st_viewer_background_start(st_viewer *viewer, st_scene *scene) {
    st_viewer_background *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->viewer = viewer;
    b->scene = scene;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);

    // it begins when it is known who it is
    pthread_mutex_lock(&b->lock);
    const bool started = pthread_create(&b->thread, NULL, serve_in_background, b) == 0;
    pthread_mutex_unlock(&b->lock);
    if (started) return b;

    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
    return NULL;
}

// Callbacks of the scene run in the thread that has it anyway.
static bool is_inside(const st_viewer_background *b) { return pthread_equal(pthread_self(), b->thread) != 0; }

st_scene *st_viewer_background_hold(st_viewer_background *b) {
    if (is_inside(b)) return b->scene;
    pthread_mutex_lock(&b->lock);
    b->holds++;
    if (b->serving) st_viewer_nudge(b->viewer);
    while (b->serving) pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
    return b->scene;
}

void st_viewer_background_release(st_viewer_background *b) {
    if (is_inside(b)) return;
    pthread_mutex_lock(&b->lock);
    if (b->holds > 0) b->holds--;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

st_scene *st_viewer_background_end(st_viewer_background *b) {
    pthread_mutex_lock(&b->lock);
    b->ending = true;
    if (b->serving) st_viewer_nudge(b->viewer);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);

    pthread_join(b->thread, NULL);
    st_viewer_let_go(b->viewer);
    st_scene *scene = b->scene;
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
    return scene;
}
