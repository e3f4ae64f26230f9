// The attribute localRange: the first and the last DOF that a component acts on; negative numbers are no limits.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_STATE_LOCAL_RANGE_H
#define SETTEE_STATE_LOCAL_RANGE_H

#include "settee/plugin/component.h"

static inline void st_check_local_range(const st_object *object, const int32_t range[2]) {
    if (range[0] >= 0 && range[1] >= 0 && range[0] > range[1])
        st_message(object, ST_WARNING, "localRange is %d %d: the first is larger than the last, no DOF is between them",
                   (int)range[0], (int)range[1]);
}

#endif
