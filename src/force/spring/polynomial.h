// Polynomial spring laws P(s) = Σ c_j s^j, j from 1: one list of coefficients, cut into consecutive groups by a list of
// degrees. Shared by PolynomialSpringsForceField and PolynomialRestShapeSpringsForceField.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_POLYNOMIAL_H
#define SETTEE_FORCE_SPRING_POLYNOMIAL_H

#include "base/array.h"

// First coefficient and degree of group i; coefficients that the list does not have are left out.
typedef struct st_polynomial {
    const st_real *coefficients;
    size_t degree;
} st_polynomial;

static inline st_polynomial st_polynomial_of(const st_reals *coefficients, const st_uints *degrees, size_t i) {
    size_t begin = 0;

    for (size_t k = 0; k < i && k < degrees->count; k++) begin += degrees->data[k];
    size_t degree = i < degrees->count ? degrees->data[i] : 0;

    if (begin > coefficients->count) begin = coefficients->count;
    if (degree > coefficients->count - begin) degree = coefficients->count - begin;
    return (st_polynomial){coefficients->data + begin, degree};
}

// After rows were removed: `laws` numbers the polynomials of those that are left, in increasing order. The others are taken
// out of both lists.
static inline void st_polynomials_keep(st_reals *coefficients, st_uints *degrees, st_uints *laws) {
    size_t to = 0, kept = 0, begin = 0;
    for (size_t i = 0; i < degrees->count; i++) {
        const size_t degree = degrees->data[i];
        const bool stays = kept < laws->count && laws->data[kept] == i;
        for (size_t k = 0; stays && k < degree && begin + k < coefficients->count; k++)
            coefficients->data[to++] = coefficients->data[begin + k];
        if (stays) degrees->data[kept] = (uint32_t)degree, laws->data[kept] = (uint32_t)kept, kept++;
        begin += degree;
    }
    coefficients->count = to;
    degrees->count = kept;
}

// One polynomial for each row: their numbers. Other lists of degrees have none.
static inline bool st_polynomials_number(st_uints *laws, size_t degrees, size_t rows) {
    if (!st_list_set_count(laws, degrees == rows ? rows : 0, 1)) return false;
    for (size_t i = 0; i < laws->count; i++) laws->data[i] = (uint32_t)i;
    return true;
}

static inline st_real st_polynomial_value(st_polynomial p, st_real s) {
    st_real sum = 0, power = 1;
    for (size_t j = 0; j < p.degree; j++) {
        power *= s;
        sum += p.coefficients[j] * power;
    }
    return sum;
}

static inline st_real st_polynomial_slope(st_polynomial p, st_real s) {
    st_real sum = 0, power = 1;
    for (size_t j = 0; j < p.degree; j++) {
        sum += (st_real)(j + 1) * p.coefficients[j] * power;
        power *= s;
    }
    return sum;
}

#endif
