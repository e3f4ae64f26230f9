// Blocks of memory that outlive whoever allocated them: see st_retain in base/array.h.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BASE_RETAINED_H
#define SETTEE_BASE_RETAINED_H

#include "settee/types.h"

// Its owner frees the block: true when somebody retains it, who frees it at the last release.
bool st_orphan(void *block);

#endif
