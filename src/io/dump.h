// Dumps of states and topologies, one record a component: the text of settee run --dump-states.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_DUMP_H
#define SETTEE_IO_DUMP_H

#include "settee/settee.h"

st_status st_dump_states(st_scene *scene, size_t step, const st_writer *writer);
st_status st_dump_topology(st_scene *scene, size_t step, const st_writer *writer);

#endif
