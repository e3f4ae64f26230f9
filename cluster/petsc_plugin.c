// The plug-in "petsc": PetscLinearSolver for the ordinary program.
//
// SPDX-License-Identifier: Apache-2.0
#include "petsc_linear_solver.h"

ST_API st_plugin_function st_plugin;
const st_plugin_info *st_plugin(void) {
    static const st_class *const classes[] = {&st_petsc_linear_solver_class, NULL};
    static const st_plugin_info info = {.abi = ST_PLUGIN_ABI, .name = "petsc", .version = "1.0", .classes = classes};
    return &info;
}
