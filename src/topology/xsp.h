// The Xsp file: particles and springs between them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_XSP_H
#define SETTEE_TOPOLOGY_XSP_H

#include "base/word_file.h"
#include "settee/plugin/component.h"

typedef struct st_xsp_particle {
    st_real position[3], velocity[3];
    st_real mass; // never negative
    bool surface, fixed;
} st_xsp_particle;

typedef struct st_xsp_spring {
    uint32_t a, b; // from 0
    st_real stiffness, damping, length;
    st_real rest[3]; // vector at rest, version 4.0 only
} st_xsp_spring;

typedef struct st_xsp {
    ST_LIST(st_xsp_particle) particles;
    ST_LIST(st_xsp_spring) springs;
    const char *problem; // the error that ended the reading, or NULL
} st_xsp;

// What could be read up to the first error stays in the result. Errors are reported in the name of the component, if
// there is one; false with one. The result must be freed in either case.
bool st_xsp_read(const st_object *object, const char *path, st_xsp *result);
bool st_xsp_parse(const st_object *object, st_word_file *file, st_xsp *result);
void st_xsp_free(st_xsp *xsp);

#endif
