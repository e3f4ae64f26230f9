// TetrahedronCollisionModel: the tetrahedra of a mesh, in which points of other models may be. And
// CylinderCollisionModel, which no method tests against anything.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"
#include "collision/contact_mappings.h"
#include "math/mat3.h"
#include "math/rigid.h"

// ---------------------------------------------------------------------------------------------------
// Tetrahedra
// ---------------------------------------------------------------------------------------------------

static bool tetrahedron_refresh(st_collision_model *model) {
    const size_t dofs = st_collision_model_dofs(model);
    const st_uints *list = st_topology_elements((st_topology *)model->topology, ST_TETRAHEDRON);
    bool ok = true;
    model->fresh.count = 0;
    for (size_t i = 0; ok && i < list->count; i++) {
        const uint32_t *t = list->data + 4 * i;
        if (t[0] >= dofs || t[1] >= dofs || t[2] >= dofs || t[3] >= dofs) {
            st_message_once(&model->object, "vertices", ST_ERROR,
                            "tetrahedron %zu has a vertex that the state does not have: it is ignored", i);
            continue;
        }
        for (int k = 0; ok && k < 4; k++) ok = st_list_push(&model->fresh, t[k]);
    }
    if (ok) st_collision_model_take(model);
    return ok;
}

// The skin does not count.
static void tetrahedron_box(const st_collision_model *model, size_t i, st_box *box) {
    st_box_clear(box);
    for (int k = 0; k < 4; k++) st_box_add(box, st_corner_position(model, i, k));
}

bool st_tetrahedron_coordinates(const st_collision_model *model, size_t i, const st_real p[3], st_real frame[9],
                                st_real at[3]) {
    const st_real *x = st_corner_position(model, i, 0);
    st_real side[3][3], d[3], columns[9];
    for (int k = 0; k < 3; k++) st_vec3_sub(side[k], st_corner_position(model, i, k + 1), x);
    for (int e = 0; e < 9; e++) columns[e] = side[e % 3][e / 3];
    if (!st_mat3_inverse(frame, columns)) return false;
    st_vec3_sub(d, p, x);
    st_mat3_times_vec(at, frame, d);
    return true;
}

static bool tetrahedron_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    st_real frame[9], at[3] = {0, 0, 0};
    st_tetrahedron_coordinates(model, i, point, frame, at);
    const st_real weights[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    return st_barycentric_carrier_add(mapping, 4, model->vertices.data + 4 * i, weights);
}

static st_status tetrahedron_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    const st_status status = st_mesh_collision_model_class.init(object);
    model->primitive = ST_PRIMITIVE_TETRAHEDRON;
    model->corners = 4;
    if (status != ST_OK || model->topology) return status;
    return st_invalid(object, "there is no topology in its node or above: it touches nothing");
}

static const st_collision_model_ops tetrahedron_ops = {.refresh = tetrahedron_refresh,
                                                       .box = tetrahedron_box,
                                                       .carrier = &st_barycentric_carrier,
                                                       .carry = tetrahedron_carry};

const st_class st_tetrahedron_collision_model_class = {
    .name = "TetrahedronCollisionModel",
    .help = "tetrahedra of a mesh, in which points with normals may be",
    .parent = &st_mesh_collision_model_class,
    .size = sizeof(st_collision_model),
    .init = tetrahedron_init,
    .collision_model = &tetrahedron_ops,
};

// ---------------------------------------------------------------------------------------------------
// Cylinders
// ---------------------------------------------------------------------------------------------------

typedef struct cylinder_model {
    st_collision_model base;
    st_reals radii, heights, axes;
    st_real radius, height, axis[3];
} cylinder_model;

static const st_field cylinder_fields[] = {
    ST_FIELD(cylinder_model, radii, "radii", st_type_reals, NULL, "the radius of each cylinder"),
    ST_FIELD(cylinder_model, heights, "heights", st_type_reals, NULL, "the height of each cylinder"),
    ST_FIELD(cylinder_model, axes, "localAxes", st_type_vec3s, NULL, "the axis of each cylinder in its frame"),
    ST_FIELD(cylinder_model, radius, "defaultRadius", st_type_real, "0.5",
             "the radius of those that radii does not name"),
    ST_FIELD(cylinder_model, height, "defaultHeight", st_type_real, "2",
             "the height of those that heights does not name"),
    ST_FIELD(cylinder_model, axis, "defaultLocalAxis", st_type_vec3, "0 1 0",
             "the axis of those that localAxes does not name"),
    ST_FIELDS_END,
};

// The ends of the axis, and the radius around them.
static void cylinder_box(const st_collision_model *model, size_t i, st_box *box) {
    const cylinder_model *self = (const cylinder_model *)model;
    const st_real *frame = st_corner_position(model, i, 0);
    const st_real *axis = i < self->axes.count ? self->axes.data + 3 * i : self->axis;
    const st_real half = (i < self->heights.count ? self->heights.data[i] : self->height) / 2;
    st_real turned[3], end[3];
    st_quat_rotate(turned, frame + 3, axis);
    st_box_clear(box);
    for (int side = -1; side <= 1; side += 2) {
        st_vec3_add_scaled(end, frame, turned, half * (st_real)side);
        st_box_add(box, end);
    }
    st_box_grow(box, i < self->radii.count ? self->radii.data[i] : self->radius);
}

static bool cylinder_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    st_real local[3];
    st_rigid_inverse_apply(local, st_corner_position(model, i, 0), point);
    return st_rigid_carrier_add(mapping, (uint32_t)i, local);
}

static st_status cylinder_init(st_object *object) {
    ((st_collision_model *)object)->primitive = ST_PRIMITIVE_CYLINDER;
    return st_collision_model_class.init(object);
}

static const st_collision_model_ops cylinder_ops = {
    .box = cylinder_box, .rigid_carrier = &st_rigid_carrier, .carry = cylinder_carry};

const st_class st_cylinder_collision_model_class = {
    .name = "CylinderCollisionModel",
    .help = "cylinders around the axes of frames; no intersection method tests them, as in SOFA",
    .parent = &st_collision_model_class,
    .templates = "Rigid3",
    .default_template = "Rigid3",
    .fields = cylinder_fields,
    .size = sizeof(cylinder_model),
    .init = cylinder_init,
    .collision_model = &cylinder_ops,
};
