// Is a mesh sound? Every finding names the element.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_CHECK_H
#define SETTEE_TOPOLOGY_CHECK_H

#include "topology/topology.h"

// Looks for vertices out of range, elements that use a vertex twice, elements that are listed twice, and parts (edges,
// faces) that are missing in their list. Sends one error each, up to a dozen per kind of element, then how many there
// were. Returns how many.
size_t st_topology_check(st_topology *topology);

#endif
