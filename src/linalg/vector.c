// Flat vectors; see vector.h for the order in which sums are taken.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/vector.h"

#include <string.h>
#include <tgmath.h>

#include "math/pack.h"
#include "math/simd.h"

// The operands of one operation, as the body of a parallel loop receives them.
typedef struct operands {
    st_real a;
    const st_real *p;
    const st_real *q;
    st_real *x;
    st_real *y;
} operands;

static void zero_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    memset(o->x + begin, 0, (end - begin) * sizeof *o->x);
}

static void scale_body(void *context, size_t begin, size_t end) {
    const operands *o = context;
    const st_real a = o->a;
    st_real *x = o->x;
    for (size_t i = begin; i < end; i++) x[i] = a * x[i];
}

// ---------------------------------------------------------------------------------------------------
// Loops on packs, each for two instruction sets
// ---------------------------------------------------------------------------------------------------

enum { PACKS = ST_VECTOR_LANES / ST_PACK_SIZE };

ST_PACK_INLINE st_real add_lanes(st_pack sums[PACKS], st_real rest[ST_VECTOR_LANES]) {
    for (int k = 0; k < PACKS; k++) sums[k] += st_pack_load(rest + k * ST_PACK_SIZE);

    // the upper half to the lower half until one pack is left
    for (int half = PACKS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++) sums[k] += sums[k + half];
    return (sums[0][0] + sums[0][2]) + (sums[0][1] + sums[0][3]);
}

ST_PACK_INLINE void axpy(const operands *o, size_t begin, size_t end) {
    const st_real a = o->a, *x = o->p;
    st_real *y = o->y;
    const st_pack factor = st_pack_splat(a);
    size_t i = begin;

    // y = y + a x
    for (; i + ST_PACK_SIZE <= end; i += ST_PACK_SIZE)
        st_pack_store(y + i, st_pack_load(y + i) + factor * st_pack_load(x + i));
    for (; i < end; i++) y[i] = y[i] + a * x[i];
}

ST_PACK_INLINE void xpay(const operands *o, size_t begin, size_t end) {
    const st_real a = o->a, *x = o->p;
    st_real *y = o->y;
    const st_pack factor = st_pack_splat(a);
    size_t i = begin;

    // y = x + a y
    for (; i + ST_PACK_SIZE <= end; i += ST_PACK_SIZE)
        st_pack_store(y + i, st_pack_load(x + i) + factor * st_pack_load(y + i));
    for (; i < end; i++) y[i] = x[i] + a * y[i];
}

ST_PACK_INLINE st_real dot(const operands *o, size_t begin, size_t end) {
    const st_real *p = o->p, *q = o->q;
    st_pack sums[PACKS] = {{0}};
    st_real rest[ST_VECTOR_LANES] = {0};
    size_t i = begin;

    // ST_VECTOR_LANES sums side by side
    for (; i + ST_VECTOR_LANES <= end; i += ST_VECTOR_LANES)
        for (int k = 0; k < PACKS; k++)
            sums[k] += st_pack_load(p + i + k * ST_PACK_SIZE) * st_pack_load(q + i + k * ST_PACK_SIZE);

    // what is left goes to the first of them
    for (size_t k = i; k < end; k++) rest[k - i] = p[k] * q[k];
    return add_lanes(sums, rest);
}

ST_PACK_INLINE st_real cg_step(const operands *o, size_t begin, size_t end) {
    const st_real a = o->a, *p = o->p, *q = o->q;
    st_real *x = o->x, *r = o->y;
    const st_pack factor = st_pack_splat(a);
    st_pack sums[PACKS] = {{0}};
    st_real rest[ST_VECTOR_LANES] = {0};
    size_t i = begin;

    // x += a p,  r -= a q,  sums of r²
    for (; i + ST_VECTOR_LANES <= end; i += ST_VECTOR_LANES)
        for (int k = 0; k < PACKS; k++) {
            const size_t at = i + (size_t)k * ST_PACK_SIZE;
            st_pack_store(x + at, st_pack_load(x + at) + factor * st_pack_load(p + at));
            const st_pack residual = st_pack_load(r + at) - factor * st_pack_load(q + at);
            st_pack_store(r + at, residual);
            sums[k] += residual * residual;
        }

    // what is left goes to the first sums
    for (size_t k = i; k < end; k++) {
        x[k] = x[k] + a * p[k];
        r[k] = r[k] - a * q[k];
        rest[k - i] = r[k] * r[k];
    }

    return add_lanes(sums, rest);
}

#define BODIES(type, name, begin_statement)                                                                            \
    static type name##_portable(void *context, size_t begin, size_t end) {                                             \
        begin_statement name(context, begin, end);                                                                     \
    }                                                                                                                  \
    ST_AVX2 static type name##_avx2(void *context, size_t begin, size_t end) {                                         \
        begin_statement name(context, begin, end);                                                                     \
    }
BODIES(void, axpy, )
BODIES(void, xpay, )
BODIES(st_real, dot, return )
BODIES(st_real, cg_step, return )

#define BODY(name) (ST_HAS_AVX2() ? name##_avx2 : name##_portable)

// ---------------------------------------------------------------------------------------------------

void st_vector_zero(st_pool *pool, size_t count, st_real *x) {
    operands o = {.x = x};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, zero_body, &o);
}

void st_vector_scale(st_pool *pool, size_t count, st_real a, st_real *x) {
    operands o = {.a = a, .x = x};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, scale_body, &o);
}

void st_vector_axpy(st_pool *pool, size_t count, st_real a, const st_real *x, st_real *y) {
    operands o = {.a = a, .p = x, .y = y};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, BODY(axpy), &o);
}

void st_vector_xpay(st_pool *pool, size_t count, const st_real *x, st_real a, st_real *y) {
    operands o = {.a = a, .p = x, .y = y};
    st_parallel_for(pool, count, ST_VECTOR_CHUNK, BODY(xpay), &o);
}

st_real st_vector_dot(st_pool *pool, size_t count, const st_real *x, const st_real *y) {
    operands o = {.p = x, .q = y};
    return st_parallel_sum(pool, count, ST_VECTOR_CHUNK, BODY(dot), &o);
}

st_real st_vector_cg_step(st_pool *pool, size_t count, st_real a, const st_real *p, const st_real *q, st_real *x,
                          st_real *r) {
    operands o = {.a = a, .p = p, .q = q, .x = x, .y = r};
    return st_parallel_sum(pool, count, ST_VECTOR_CHUNK, BODY(cg_step), &o);
}

// x - x is 0, or NaN where x is not finite, and a sum does not lose a NaN.
bool st_vector_is_finite(size_t count, const st_real *x) {
    st_pack sums[2] = {st_pack_splat(0), st_pack_splat(0)};
    size_t i = 0;

    for (; i + 2 * ST_PACK_SIZE <= count; i += 2 * ST_PACK_SIZE)
        for (size_t k = 0; k < 2; k++) {
            const st_pack v = st_pack_load(x + i + k * ST_PACK_SIZE);
            sums[k] += v - v;
        }

    sums[0] += sums[1];
    st_real sum = (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
    for (; i < count; i++) sum += x[i] - x[i];
    return sum == 0;
}
