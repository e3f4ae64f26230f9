// Flat vectors; see vector.h for the order in which sums are taken.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/vector.h"

#include <string.h>
#include <tgmath.h>

// The operands of one operation, as the body of a parallel loop receives them.
typedef struct operands {
    st_real a;
    const st_real *p;
    const st_real *q;
    st_real *x;
    st_real *y;
} operands;

static void copy_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    memcpy(o->y + begin, o->p + begin, (end - begin) * sizeof *o->y);
}

static void scale_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real a = o->a;
    st_real *x = o->x;
    for (size_t i = begin; i < end; i++) x[i] = a * x[i];
}

static void axpy_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real a = o->a, *x = o->p;
    st_real *y = o->y;
    for (size_t i = begin; i < end; i++) y[i] = y[i] + a * x[i];
}

static void xpay_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real a = o->a, *x = o->p;
    st_real *y = o->y;
    for (size_t i = begin; i < end; i++) y[i] = x[i] + a * y[i];
}

static st_real dot_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real *p = o->p, *q = o->q;
    st_real sum = 0;
    for (size_t i = begin; i < end; i++) sum += p[i] * q[i];
    return sum;
}

static st_real cg_step_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real a = o->a, *p = o->p, *q = o->q;
    st_real *x = o->x, *r = o->y, sum = 0;
    for (size_t i = begin; i < end; i++) {
        x[i] = x[i] + a * p[i];
        r[i] = r[i] - a * q[i];
        sum += r[i] * r[i];
    }
    return sum;
}

void st_vector_copy(st_pool *pool, size_t count, const st_real *x, st_real *y) {
    operands o = {.p = x, .y = y};
    if (count) st_parallel_for(pool, count, ST_VECTOR_CHUNK, copy_body, &o);
}

void st_vector_scale(st_pool *pool, size_t count, st_real a, st_real *x) {
    operands o = {.a = a, .x = x};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, scale_body, &o);
}

void st_vector_axpy(st_pool *pool, size_t count, st_real a, const st_real *x, st_real *y) {
    operands o = {.a = a, .p = x, .y = y};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, axpy_body, &o);
}

void st_vector_xpay(st_pool *pool, size_t count, const st_real *x, st_real a, st_real *y) {
    operands o = {.a = a, .p = x, .y = y};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, xpay_body, &o);
}

st_real st_vector_dot(st_pool *pool, size_t count, const st_real *x, const st_real *y) {
    operands o = {.p = x, .q = y};
    return st_parallel_sum(pool, count, ST_VECTOR_CHUNK, dot_body, &o);
}

st_real st_vector_norm(st_pool *pool, size_t count, const st_real *x) { return sqrt(st_vector_dot(pool, count, x, x)); }

st_real st_vector_cg_step(st_pool *pool, size_t count, st_real a, const st_real *p, const st_real *q, st_real *x,
                          st_real *r) {
    operands o = {.a = a, .p = p, .q = q, .x = x, .y = r};
    return st_parallel_sum(pool, count, ST_VECTOR_CHUNK, cg_step_body, &o);
}
