// VisualStyle: what is shown of its node and of all below it. Pictures and the viewer begin with it (show_flags.c).
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/visual_style.h"

typedef struct visual_style {
    st_object object;
    char *display_flags;
} visual_style;

static const st_field fields[] = {
    ST_FIELD(visual_style, display_flags, "displayFlags", st_type_string, NULL,
             "what pictures show: showVisualModels, hideCollisionModels, showForceFields, showWireframe, ...",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

const char *st_visual_style_flags(const st_object *style) { return ((const visual_style *)style)->display_flags; }

// Unknown attributes change nothing that could be seen.
static bool visual_style_attribute(st_object *object, const char *name, const char *value) {
    (void)object, (void)name, (void)value;
    return true;
}

const st_class st_visual_style_class = {
    .name = "VisualStyle",
    .help = "what pictures show of its node and of all below it",
    .kind = "visual",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(visual_style),
    .example = "<VisualStyle displayFlags=\"showBehaviorModels showForceFields hideCollisionModels\"/>",
    .attribute = visual_style_attribute,
};
