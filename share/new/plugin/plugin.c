// What the plug-in @name@ exports: its classes. A second component is one more file and one more name in both lists.
#include "settee/plugin/component.h"

extern const st_class @name @_class;

ST_API st_plugin_function st_plugin;
const st_plugin_info *st_plugin(void) {
    static const st_class *const classes[] = { &@name @_class, NULL };
    static const st_plugin_info info = {.abi = ST_PLUGIN_ABI, .name = "@name@", .version = "1.0", .classes = classes};
    return &info;
}
