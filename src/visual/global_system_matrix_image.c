// GlobalSystemMatrixImage: where the entries of the matrix A of a linear system are, for display.
//
// At the end of each step `bitmap` lists the entries that are not 0, as pairs of row and column.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/matrix_exporter.h"
#include "system/matrix_view.h"

typedef struct matrix_image {
    st_object object;
    st_object *system;
    st_uints bitmap; // pairs
} matrix_image;

static bool global_system_matrix_image_add_block(st_uints *bitmap, size_t row, size_t col, size_t b,
                                                 const st_real *block) {
    for (size_t k = 0; k < b * b; k++) {
        if (block[k] == 0) continue;
        if (!st_list_set_count(bitmap, bitmap->count + 1, 2)) return false;
        bitmap->data[2 * bitmap->count - 2] = (uint32_t)(row * b + k / b);
        bitmap->data[2 * bitmap->count - 1] = (uint32_t)(col * b + k % b);
    }
    return true;
}

static void global_system_matrix_image_event(st_object *object, st_event *e) {
    matrix_image *self = (matrix_image *)object;
    if (e->kind != ST_EVENT_ANIMATE_END) return;

    // a system that builds no matrix has no picture
    st_system *system = st_chosen_system(object, self->system);
    st_matrix_view m;
    self->bitmap.count = 0;

    // every scalar of every block
    if (system && st_system_held_matrix(system, &m) == ST_OK) {
        const size_t b = (size_t)m.block;
        bool ok = true;
        for (size_t row = 0; ok && row < m.rows / b; row++)
            for (size_t s = m.starts[row]; ok && s < m.starts[row + 1]; s++)
                ok = global_system_matrix_image_add_block(&self->bitmap, row, (size_t)m.columns[s], b,
                                                          m.values + s * b * b);
        if (!ok) st_message(object, ST_ERROR, "out of memory for the picture of a matrix of %zu rows", m.rows);
    }

    st_touch(object, &self->bitmap);
}

static const st_field fields[] = {
    ST_FIELD(matrix_image, system, "linearSystem", st_type_link, NULL,
             "the linear system; the nearest one upwards when not given", .role = ST_ROLE(system)),
    ST_FIELD(matrix_image, bitmap, "bitmap", st_type_edges, NULL, "row and column of each entry that is not 0",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_global_system_matrix_image_class = {
    .name = "GlobalSystemMatrixImage",
    .help = "shows where the matrix of a linear system has entries",
    .kind = "matrix picture",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(matrix_image),
    .flags = ST_CLASS_LISTENING,
    .example = "<GlobalSystemMatrixImage name=\"image\"/>",
    .event = global_system_matrix_image_event,
};
