// What an iterative solver reports of its solves: the attribute `graph`, one line of numbers for each series.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_SOLVER_GRAPH_H
#define SETTEE_SOLVER_SOLVER_GRAPH_H

#include "settee/plugin/component.h"

// To be called after a solve: the text of the member is made when somebody reads it, by the class's `update`.
void st_graph_touch(st_object *object, st_strings *graph);
// Gives the graph the number of lines that update is going to write. False: out of memory.
bool st_graph_resize(st_strings *graph, size_t lines);
// Line i: the name of a series and its values. False: out of memory, and the line stays what it was.
bool st_graph_write(st_strings *graph, size_t i, const char *name, const st_reals *values);

#endif
