// Ordering methods: AMD (approximate minimum degree of A + Aᵀ), COLAMD (the same of AᵀA, by columns), METIS (nested
// dissection), natural.
//
// For a symmetric matrix the choice changes the fill of the factor and the rounding, not the solution.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/ordering_method.h"

extern const st_class st_amd_ordering_method_class;
extern const st_class st_colamd_ordering_method_class;
extern const st_class st_metis_ordering_method_class;
extern const st_class st_natural_ordering_method_class;

st_status st_ordering_method_find(st_object *solver, st_object **method) {
    if (*method) {
        if (st_is_a(*method, &st_ordering_method_class)) return ST_OK;
        return st_invalid(solver, "orderingMethod links to %s, which is not an ordering method", st_path(*method));
    }

    // none is linked: one of the node
    *method = st_find_class(solver->node, &st_ordering_method_class, ST_LOCAL);
    if (*method) st_message(solver, ST_INFO, "ordering method found: %s", st_path(*method));
    else
        st_message(solver, ST_INFO,
                   "there is no ordering method in this node: the one that gives the cheapest factorization is used");

    return ST_OK;
}

st_ordering st_ordering_method_kind(const st_object *method) {
    if (!method) return ST_ORDERING_BEST;
    if (st_is_a(method, &st_colamd_ordering_method_class)) return ST_ORDERING_COLAMD;
    if (st_is_a(method, &st_metis_ordering_method_class)) return ST_ORDERING_METIS;
    if (st_is_a(method, &st_natural_ordering_method_class)) return ST_ORDERING_NATURAL;
    return ST_ORDERING_AMD;
}

const st_class st_ordering_method_class = {
    .name = "BaseOrderingMethod",
    .help = "order in which a direct solver eliminates the unknowns",
    .kind = "ordering",
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

const st_class st_metis_ordering_method_class = {
    .name = "MetisOrderingMethod",
    .help = "nested dissection ordering",
    .parent = &st_ordering_method_class,
    .size = sizeof(st_object),
};

const st_class st_natural_ordering_method_class = {
    .name = "NaturalOrderingMethod",
    .help = "the unknowns are eliminated as they come",
    .parent = &st_ordering_method_class,
    .size = sizeof(st_object),
};
