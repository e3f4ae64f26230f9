// The two element-generic forces share everything but the rotation.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_GENERIC_GENERIC_H
#define SETTEE_FORCE_FEM_GENERIC_GENERIC_H

#include "force/fem/generic/element_model.h"

typedef struct st_generic_fem {
    st_elastic elastic;
    char *force_strategy, *derivative_strategy;
    int32_t threads;
    char *task_scheduler;
    st_real element_space;
    char *rotation_method; // of the corotational one
    st_element_model model;
} st_generic_fem;

extern const st_class st_generic_fem_class; // abstract

// The kind of element in the template: the part after the comma.
st_element st_generic_fem_kind(const st_object *object);
// For init: builds the model from the mesh; its kind, method and so on are set already.
st_status st_generic_fem_build(st_generic_fem *self);

#endif
