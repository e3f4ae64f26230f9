// VisualVectorField: draws a vector at each of some points.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "math/vec3.h"
#include "settee/plugin/draw.h"

typedef struct vector_field {
    st_object object;
    st_reals position, vector;
    st_real scale;
    int32_t mode;
    st_real color[4];
} vector_field;

static const char *const modes[] = {"Line", "Cylinder", "Arrow", NULL};

static const st_field fields[] = {
    ST_FIELD(vector_field, position, "position", st_type_vec3s, NULL, "where the vectors begin",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(vector_field, vector, "vector", st_type_vec3s, NULL, "the vectors", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(vector_field, scale, "vectorScale", st_type_real, "1", "length drawn for one of 1",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(vector_field, mode, "drawMode", st_type_option, "Line",
             "how they are drawn: as arrows, or as lines, which cylinders are, too", .options = modes,
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(vector_field, color, "color", st_type_color, "white", "their color", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static void visual_vector_field_draw(st_object *object, st_canvas *canvas) {
    enum { ARROW = 2 };
    const vector_field *self = (const vector_field *)object;
    const size_t count = self->position.count < self->vector.count ? self->position.count : self->vector.count;
    const uint32_t pair[2] = {0, 1};
    const st_rgba color = {(float)self->color[0], (float)self->color[1], (float)self->color[2], (float)self->color[3]};
    if (self->mode == ARROW && count)
        canvas->arrows(canvas, count, self->position.data, 3, self->vector.data, 3, self->scale, color);

    for (size_t i = 0; self->mode != ARROW && i < count; i++) {
        st_real ends[6];
        st_vec3_copy(ends, self->position.data + 3 * i);
        st_vec3_add_scaled(ends + 3, ends, self->vector.data + 3 * i, self->scale);
        canvas->lines(canvas, 1, pair, ends, 2, 3, color);
    }
}

const st_class st_visual_vector_field_class = {
    .name = "VisualVectorField",
    .help = "draws a vector at each of some points",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(vector_field),
    .example = "<VisualVectorField position=\"0 0 0  1 0 0\" vector=\"0 1 0  0 2 0\" vectorScale=\"0.5\"/>",
    .draw = visual_vector_field_draw,
};
