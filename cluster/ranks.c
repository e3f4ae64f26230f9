// Messages between ranks, and their end. See ranks.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include <limits.h>
#include <petscsys.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int st_rank, st_ranks = 1;

// --- the end -----------------------------------------------------------------------------------------------

static void say(const char *format, va_list arguments) {
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "settee-mpi: %s\n", text);
    fflush(stderr);
}

void st_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (st_rank == 0) say(format, arguments);
    va_end(arguments);
}

void st_end_all(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (st_rank == 0) say(format, arguments);
    va_end(arguments);

    PetscFinalize();
    exit(code);
}

void st_end_rank(int code, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    fprintf(stderr, "settee-mpi: rank %d: %s\n", st_rank, text);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

void st_print_path(char *path, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, size, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size) st_end_all(ST_MPI_INVALID, "this path is too long: %.200s...", path);
}

void *st_take(size_t count, size_t size) {
    void *memory = size && count > SIZE_MAX / size - 1 ? NULL : calloc(count + 1, size);
    if (!memory) st_end_rank(ST_MPI_FAILED, "out of memory: %zu times %zu bytes", count, size);
    return memory;
}

// --- records by rank ---------------------------------------------------------------------------------------

void st_post_add(st_post *post, int rank, const void *record) {
    if (post->count == post->capacity) {
        const size_t capacity = post->capacity ? 2 * post->capacity : 1024;
        int *ranks = realloc(post->ranks, capacity * sizeof *ranks);
        if (ranks) post->ranks = ranks;
        char *records = realloc(post->records, capacity * post->size);
        if (records) post->records = records;
        if (!ranks || !records) st_end_rank(ST_MPI_FAILED, "out of memory: %zu records of a mesh", capacity);
        post->capacity = capacity;
    }

    post->ranks[post->count] = rank;
    memcpy(post->records + post->count * post->size, record, post->size);
    post->count++;
}

static size_t sum_counts(const int *counts, int *starts) {
    size_t sum = 0;
    for (int r = 0; r < st_ranks; r++) {
        if (sum > INT_MAX) st_end_rank(ST_MPI_FAILED, "more than %d records for one message: use more ranks", INT_MAX);
        starts[r] = (int)sum;
        sum += (size_t)counts[r];
    }
    return sum;
}

// Counts are of records, so that messages may be longer than an int can say.
static void exchange(size_t size, const char *out, const int *out_counts, const int *out_starts, char *in,
                     const int *in_counts, const int *in_starts) {
    MPI_Datatype record;
    MPI_Type_contiguous((int)size, MPI_BYTE, &record);
    MPI_Type_commit(&record);
    MPI_Alltoallv(out, out_counts, out_starts, record, in, in_counts, in_starts, record, MPI_COMM_WORLD);
    MPI_Type_free(&record);
}

void *st_post_exchange(st_post *post, size_t *received) {
    const size_t p = (size_t)st_ranks;
    int *counts = st_take(5 * p, sizeof *counts);
    int *out = counts, *in = counts + p, *out_starts = counts + 2 * p, *in_starts = counts + 3 * p,
        *next = counts + 4 * p;

    // sorted by rank
    for (size_t i = 0; i < post->count; i++) out[post->ranks[i]]++;
    sum_counts(out, out_starts);
    memcpy(next, out_starts, p * sizeof *next);
    char *sorted = st_take(post->count, post->size);
    for (size_t i = 0; i < post->count; i++)
        memcpy(sorted + (size_t)next[post->ranks[i]]++ * post->size, post->records + i * post->size, post->size);

    free(post->ranks);
    free(post->records);
    *post = (st_post){.size = post->size};

    // numbers first, then the records
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    *received = sum_counts(in, in_starts);
    char *records = st_take(*received, post->size);
    exchange(post->size, sorted, out, out_starts, records, in, in_starts);

    free(sorted);
    free(counts);
    return records;
}

// --- values by index ---------------------------------------------------------------------------------------

void *st_fetch(size_t n, const void *slice, size_t size, const uint32_t *indices, size_t count) {
    const size_t p = (size_t)st_ranks, first = st_slice_first(n, st_rank);
    int *counts = st_take(5 * p, sizeof *counts);
    int *ask = counts, *asked = counts + p, *ask_starts = counts + 2 * p, *asked_starts = counts + 3 * p,
        *next = counts + 4 * p;

    // who has them
    for (size_t i = 0; i < count; i++) ask[st_slice_rank(n, indices[i])]++;
    sum_counts(ask, ask_starts);
    memcpy(next, ask_starts, p * sizeof *next);
    uint32_t *sorted = st_take(count, sizeof *sorted), *places = st_take(count, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        places[i] = (uint32_t)next[st_slice_rank(n, indices[i])]++;
        sorted[places[i]] = indices[i];
    }

    // questions
    MPI_Alltoall(ask, 1, MPI_INT, asked, 1, MPI_INT, MPI_COMM_WORLD);
    const size_t questions = sum_counts(asked, asked_starts);
    uint32_t *wanted = st_take(questions, sizeof *wanted);
    exchange(sizeof *sorted, (char *)sorted, ask, ask_starts, (char *)wanted, asked, asked_starts);

    // answers
    char *out = st_take(questions, size), *in = st_take(count, size), *values = st_take(count, size);
    for (size_t i = 0; i < questions; i++)
        memcpy(out + i * size, (const char *)slice + (wanted[i] - first) * size, size);
    exchange(size, out, asked, asked_starts, in, ask, ask_starts);
    for (size_t i = 0; i < count; i++) memcpy(values + i * size, in + places[i] * size, size);

    free(counts);
    free(sorted);
    free(places);
    free(wanted);
    free(out);
    free(in);
    return values;
}
