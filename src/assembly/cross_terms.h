// Cross terms: what SOFA's assembled matrices hold beside Jᵀ K J where a force couples states of different bodies. They
// make contacts with an obstacle explode; one reference, of a block tridiagonal matrix, cannot be met without them.
//
// Let K stand between the states s and t, one of them mapped, and let R be the independent states above either. SOFA
// adds, for all a and b of R,
//
//     A_ab += J_saᵀ K J_tb
//
// and takes the identity for a Jacobian that is absent, which it is where s does not depend on a. Right are the terms
// whose Jacobians are there. In the others K is between a, under the row numbers of s, and t or b, under the column
// numbers of t; likewise for columns. A state that is no part of the system depends on nothing: it is taken for the
// body that it touches. Numbers beyond the end of the body that a state is taken for are left out.
//
// s depends on a in this sense, too, where only a state that shares the first group of forces (plan_graph.c) with one
// above s does; J_sa is 0 then, and right.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_CROSS_TERMS_H
#define SETTEE_ASSEMBLY_CROSS_TERMS_H

#include "assembly/contribution.h"

// Appends them to the contributions of the plan. False: out of memory.
bool st_add_cross_terms(st_contributions *list, const st_plan *plan);

#endif
