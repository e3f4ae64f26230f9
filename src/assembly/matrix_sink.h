// The sink that leads into an assembly (assembly.h): it records the places of blocks, or adds them to the matrix.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ASSEMBLY_MATRIX_SINK_H
#define SETTEE_ASSEMBLY_MATRIX_SINK_H

#include "assembly/assembly.h"

// Adds factor · block to the matrix, or records its place: whatever the assembly is doing when the sink is made.
typedef struct st_matrix_sink {
    st_sink sink;
    st_window window;
    st_real factor;
    st_assembly *assembly;
    st_refusals refusals;
} st_matrix_sink;

void st_matrix_sink_init(st_matrix_sink *sink, st_assembly *assembly, st_window window, st_real factor);
// All blocks of another matrix, row by row.
void st_matrix_sink_add_matrix(st_matrix_sink *sink, st_pool *pool, const st_bsr *matrix);

#endif
