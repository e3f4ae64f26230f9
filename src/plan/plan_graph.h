// The orders of the mapping graph.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PLAN_PLAN_GRAPH_H
#define SETTEE_PLAN_PLAN_GRAPH_H

#include "plan/plan.h"

// Puts graph_forces into their groups and fills graph_mappings, from the lists of the walk. False: out of memory.
bool st_plan_order_graph(st_plan *plan);

#endif
