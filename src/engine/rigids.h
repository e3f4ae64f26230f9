// Lists of rigid coordinates in engines whose template is another type.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_ENGINE_RIGIDS_H
#define SETTEE_ENGINE_RIGIDS_H

#include "settee/plugin/component.h"

static const st_type st_type_rigids = {
    .name = "list of rigid coordinates",
    .scalar = ST_SCALAR_REAL,
    .width = 7,
    .list = true,
    .syntax = ST_SYNTAX_PLAIN,
};

#endif
