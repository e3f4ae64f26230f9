// ComplianceMatrixImage: where the compliance W of a constraint solver has entries, for display.
//
// At the end of each step `bitmap` lists the entries that are not 0, as pairs of row and column.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "settee/matrix.h"
#include "settee/plugin/constraint.h"

typedef struct matrix_image {
    st_object object;
    st_object *solver;
    st_uints bitmap; // pairs
} matrix_image;

static bool compliance_matrix_image_add(st_uints *bitmap, size_t row, size_t col) {
    if (!st_list_set_count(bitmap, bitmap->count + 1, 2)) return false;
    bitmap->data[2 * bitmap->count - 2] = (uint32_t)row;
    bitmap->data[2 * bitmap->count - 1] = (uint32_t)col;
    return true;
}

static void compliance_matrix_image_event(st_object *object, st_event *e) {
    matrix_image *self = (matrix_image *)object;
    if (e->kind != ST_EVENT_ANIMATE_END) return;

    st_object *solver = self->solver ? self->solver : st_find(object->node, ST_ROLE(constraint_solver), ST_UP);
    const st_constraint_view w =
        solver ? st_constraint_solver_view((st_constraint_solver *)solver) : (st_constraint_view){0};

    // pairs of row and column of a dense matrix
    bool ok = true;
    self->bitmap.count = 0;
    for (size_t i = 0; w.w && ok && i < w.size * w.size; i++)
        if (w.w[i] != 0) ok = compliance_matrix_image_add(&self->bitmap, i / w.size, i % w.size);

    if (!ok) st_message(object, ST_ERROR, "out of memory for the picture of a matrix of %zu rows", w.size);
    st_touch(object, &self->bitmap);
}

static const st_field fields[] = {
    ST_FIELD(matrix_image, solver, "constraintSolver", st_type_link, NULL,
             "the constraint solver; the nearest one upwards when not given", .role = ST_ROLE(constraint_solver)),
    ST_FIELD(matrix_image, bitmap, "bitmap", st_type_edges, NULL, "row and column of each entry that is not 0",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_compliance_matrix_image_class = {
    .name = "ComplianceMatrixImage",
    .help = "shows where the compliance of the constraints has entries",
    .kind = "matrix picture",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(matrix_image),
    .flags = ST_CLASS_LISTENING,
    .example = "<ComplianceMatrixImage name='image'/>",
    .event = compliance_matrix_image_event,
};
