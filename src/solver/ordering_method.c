// Ordering methods: AMD (approximate minimum degree of A + Aᵀ), COLAMD (the same of AᵀA, by columns), natural.
//
// For a symmetric matrix the choice changes the fill of the factor and the rounding, not the solution.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/ordering_method.h"

#include <cholmod.h>
#include <limits.h>

#include "base/array.h"

st_status st_ordering_method_find(st_object *solver, st_object **method) {
    if (*method) {
        if (st_is_a(*method, &st_ordering_method_class)) return ST_OK;
        return st_invalid(solver, "orderingMethod links to %s, which is not an ordering method", st_path(*method));
    }
    *method = st_find_class(solver->node, &st_ordering_method_class, ST_LOCAL);
    if (*method) st_message(solver, ST_INFO, "ordering method found: %s", st_path(*method));
    else st_message(solver, ST_INFO, "there is no ordering method in this node: AMD is used");
    return ST_OK;
}

// CHOLMOD wants the pattern by columns, with indices of type int; the columns of Aᵀ are the rows of A.
static bool fill_pattern(const st_bsr *matrix, cholmod_sparse *pattern) {
    int *starts = pattern->p, *rows = pattern->i;
    for (int32_t i = 0; i <= matrix->rows; i++) starts[i] = (int)matrix->starts[i];
    for (size_t k = 0; k < st_bsr_count(matrix); k++) rows[k] = matrix->columns[k];
    return true;
}

// COLAMD of CHOLMOD orders the rows of its argument F for F Fᵀ. With F = Aᵀ these are the columns of A, for AᵀA.
static st_status order_columns(const st_bsr *matrix, int32_t *permutation) {
    if (st_bsr_count(matrix) > INT_MAX) return ST_INVALID;
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    const size_t n = (size_t)matrix->rows;
    cholmod_sparse *pattern =
        cholmod_allocate_sparse(n, n, st_bsr_count(matrix), true, true, 0, CHOLMOD_PATTERN, &common);
    int *order = st_alloc(n, sizeof *order);
    const bool ok =
        pattern && order && fill_pattern(matrix, pattern) && cholmod_colamd(pattern, NULL, 0, false, order, &common);
    for (size_t i = 0; ok && i < n; i++) permutation[i] = order[i];
    st_free(order);
    cholmod_free_sparse(&pattern, &common);
    cholmod_finish(&common);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

st_status st_ordering_method_compute(const st_object *method, const st_bsr *matrix, int32_t *permutation) {
    if (method && st_is_a(method, &st_colamd_ordering_method_class)) return order_columns(matrix, permutation);
    const bool natural = method && st_is_a(method, &st_natural_ordering_method_class);
    return st_ordering_compute(natural ? ST_ORDERING_NATURAL : ST_ORDERING_AMD, matrix->rows, matrix->starts,
                               matrix->columns, permutation);
}

const st_class st_ordering_method_class = {
    .name = "BaseOrderingMethod",
    .help = "order in which a direct solver eliminates the unknowns",
    .parent = &st_object_class,
    .size = sizeof(st_object),
    .flags = ST_CLASS_ABSTRACT,
};

const st_class st_amd_ordering_method_class = {
    .name = "AMDOrderingMethod",
    .help = "approximate minimum degree ordering",
    .parent = &st_ordering_method_class,
    .size = sizeof(st_object),
};

const st_class st_colamd_ordering_method_class = {
    .name = "COLAMDOrderingMethod",
    .help = "column approximate minimum degree ordering",
    .parent = &st_ordering_method_class,
    .size = sizeof(st_object),
};

const st_class st_natural_ordering_method_class = {
    .name = "NaturalOrderingMethod",
    .help = "the unknowns are eliminated as they come",
    .parent = &st_ordering_method_class,
    .size = sizeof(st_object),
};
