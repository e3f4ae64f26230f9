// What the plug-in exports: its classes. A second component is one more file and one more name in both lists.
#include "settee/plugin/component.h"

extern const st_class example_attraction_class;

ST_API st_plugin_function st_plugin;
const st_plugin_info *st_plugin(void) {
    static const st_class *const classes[] = {&example_attraction_class, NULL};
    static const st_plugin_info info = {
        .abi = ST_PLUGIN_ABI, .name = "example_plugin", .version = "1.0", .classes = classes};
    return &info;
}
