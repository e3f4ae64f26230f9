// Polynomial spring laws P(s) = Σ c_j s^j, j from 1: one list of coefficients, cut into consecutive groups by a list of
// degrees. Shared by PolynomialSpringsForceField and PolynomialRestShapeSpringsForceField.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_SPRING_POLYNOMIAL_H
#define SETTEE_FORCE_SPRING_POLYNOMIAL_H

#include "settee/types.h"

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
