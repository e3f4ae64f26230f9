// Basic types shared by every header of settee: the real number, status codes, lists, severities.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TYPES_H
#define SETTEE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "settee/config.h" // made by the build: SETTEE_REAL_FLOAT, version numbers

#ifdef __cplusplus
extern "C" {
#endif

// Every exported symbol carries ST_API; everything else is hidden.
#if defined(__GNUC__)
#define ST_API __attribute__((visibility("default")))
#define ST_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ST_API
#define ST_PRINTF(text, first)
#endif

// The number in which settee computes: double, or float in a build with SETTEE_REAL=float.
#ifdef SETTEE_REAL_FLOAT
typedef float st_real;
#define ST_REAL_EPSILON 1.1920928955078125e-07f
#define ST_REAL_MAX 3.40282346638528859812e+38f
#else
typedef double st_real;
#define ST_REAL_EPSILON 2.2204460492503131e-16
#define ST_REAL_MAX 1.79769313486231570815e+308
#endif

// What a call that can fail returns. A failing call has sent a diagnostic to the log that says why.
typedef enum st_status {
    ST_OK = 0,
    ST_FAILED,        // the simulation cannot go on (NaN, failed factorization)
    ST_INVALID,       // the input is wrong (scene, mesh, attribute)
    ST_NOT_FOUND,     // a file, a component or a field does not exist
    ST_OUT_OF_MEMORY, //
    ST_WITH_ERRORS, // done, and the scene can go on, but errors were reported: results may not be what the scene means
    ST_BUSY,        // the scene is in use: by another thread, or by the step that called the caller
} st_status;

// Done, with or without reported errors.
static inline bool st_succeeded(st_status status) { return status == ST_OK || status == ST_WITH_ERRORS; }

typedef enum st_severity {
    ST_INFO,
    ST_NOTICE, // what SOFA calls a suggestion or an information of the loader: always shown
    ST_DEPRECATED,
    ST_WARNING,
    ST_ERROR,
    ST_FATAL,
} st_severity;

// What a field is made of.
typedef enum st_scalar {
    ST_SCALAR_BOOL,   // bool
    ST_SCALAR_INT,    // int32_t
    ST_SCALAR_UINT,   // uint32_t
    ST_SCALAR_REAL,   // st_real
    ST_SCALAR_STRING, // char *, owned by the field
    ST_SCALAR_LINK,   // st_object *, borrowed
} st_scalar;

// When a field of a component that is initialized takes another value.
typedef enum st_live_rule {
    ST_LIVE,      // in the next step
    ST_AT_REINIT, // when st_object_reinit is called
    ST_FIXED,     // never: it is refused
} st_live_rule;

#define ST_INVALID_INDEX UINT32_MAX

// A growing array. `count` is the number of *elements*; an element of a list of Vec3 is three reals,
// so element i of such an st_reals starts at data[3 * i] and `capacity` counts elements too.
#define ST_LIST(type)                                                                                                  \
    struct {                                                                                                           \
        type *data;                                                                                                    \
        size_t count;                                                                                                  \
        size_t capacity;                                                                                               \
    }

typedef ST_LIST(st_real) st_reals;
typedef ST_LIST(int32_t) st_ints;
typedef ST_LIST(uint32_t) st_uints;
typedef ST_LIST(bool) st_bools;
typedef ST_LIST(char *) st_strings;

// Sparse rows of scalars that are lent to a linear solver, such as those of the Jacobian H of constraints. Columns are
// scalars of a system, in any order: the solver scatters each row into a vector, and need not sort them.
typedef struct st_sparse_rows {
    size_t count;           // of rows
    const size_t *starts;   // count + 1: entries starts[r] … starts[r + 1] - 1 belong to row r; NULL: no row has any
    const int32_t *columns; //
    const st_real *values;
} st_sparse_rows;

typedef struct st_scene st_scene;
typedef struct st_node st_node;
typedef struct st_object st_object;
typedef struct st_class st_class;

#ifdef __cplusplus
}
#endif
#endif
