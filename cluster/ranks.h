// What ranks say to each other while a model is spread: records by rank, values by index, and the end of all of them.
//
// An array of n values lies on the ranks in slices: rank r of p has those from n r / p to n (r + 1) / p - 1.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CLUSTER_RANKS_H
#define SETTEE_CLUSTER_RANKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exit codes, those of the program settee.
enum { ST_MPI_OK = 0, ST_MPI_FAILED = 1, ST_MPI_USAGE = 2, ST_MPI_INVALID = 3, ST_MPI_ERRORS = 4 };

extern int st_rank, st_ranks; // of this process, and how many there are

// What all ranks have found: rank 0 says it, and all end with the code.
_Noreturn void st_end_all(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// What this rank alone has found: it says so, and takes the others with it.
_Noreturn void st_end_rank(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
void st_say(const char *format, ...) __attribute__((format(printf, 1, 2))); // rank 0, to standard error

// A path; one that does not fit ends all.
void st_print_path(char *path, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Never NULL: without memory the rank ends.
void *st_take(size_t count, size_t size);

static inline size_t st_slice_first(size_t n, int rank) { return n * (size_t)rank / (size_t)st_ranks; }
static inline size_t st_slice_count(size_t n, int rank) {
    return st_slice_first(n, rank + 1) - st_slice_first(n, rank);
}
static inline int st_slice_rank(size_t n, size_t index) { return (int)(((index + 1) * (size_t)st_ranks - 1) / n); }

// Records for other ranks. Those received are in the order of the ranks, and of a rank in the order of sending.
typedef struct st_post {
    size_t size; // bytes of a record
    size_t count, capacity;
    int *ranks;
    char *records;
} st_post;
void st_post_add(st_post *post, int rank, const void *record);
// Sends them all and empties the post. To be freed by the caller.
void *st_post_exchange(st_post *post, size_t *received);

// Values of `size` bytes for each index, from the slices of an array of n values.
void *st_fetch(size_t n, const void *slice, size_t size, const uint32_t *indices, size_t count);

#endif
