// What the example plug-in exports: its classes.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/component.h"

extern const st_class example_attraction_class, example_former_attraction_class, example_dense_linear_solver_class;

ST_API st_plugin_function st_plugin;
const st_plugin_info *st_plugin(void) {
    static const st_class *const classes[] = {&example_attraction_class, &example_former_attraction_class,
                                              &example_dense_linear_solver_class, NULL};
    static const st_plugin_info info = {
        .abi = ST_PLUGIN_ABI, .name = "example_plugin", .version = "1.0", .classes = classes};
    return &info;
}
