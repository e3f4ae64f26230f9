// VoidMapping: does nothing. It only says that what is below does not follow from what is above.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/component.h"

typedef struct void_mapping {
    st_object object;
    st_object *input, *output;
} void_mapping;

static const st_field fields[] = {
    ST_FIELD(void_mapping, input, "input", st_type_link, NULL, "a state, of which nothing is taken",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(void_mapping, output, "output", st_type_link, NULL, "a state, to which nothing is done",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

const st_class st_void_mapping_class = {
    .name = "VoidMapping",
    .help = "a mapping that does nothing",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(void_mapping),
    .example = "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"below\">\n"
               "    <MechanicalObject name=\"child\"/>\n"
               "    <VoidMapping/>\n"
               "</Node>",
};
