// DistanceToPlaneMapping: the signed distance of each point from a plane.
//
//     out = n · x − n · p        J: n        (n the unit normal, p a point of the plane)
//
// Of a rigid parent the center counts. The child is computed from the first propagation on, not at init.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/states.h"
#include "math/real.h"

typedef struct distance_to_plane_mapping {
    st_mapping mapping;
    st_real normal[7], point[7]; // of the parent's type
    bool ready;
} distance_to_plane_mapping;

// Scalars of a place: three in space, two in the plane, all six of a Vec6.
static size_t distance_to_plane_mapping_width_of(const st_mapping *mapping) {
    const st_dof *dof = st_state_dof(st_mapping_in(mapping));
    return dof->rigid || dof->deriv != dof->coord ? dof->spatial : dof->deriv;
}

static bool distance_to_plane_mapping_fits(const st_mapping *mapping) {
    const distance_to_plane_mapping *self = (const distance_to_plane_mapping *)mapping;
    return self->ready && st_mapping_in(mapping)->size == st_mapping_out(mapping)->size;
}

static void distance_to_plane_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const distance_to_plane_mapping *self = (const distance_to_plane_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);
    const size_t stride = st_state_dof(parent)->coord;

    // the child has as many distances as the parent has points now
    if (self->ready && !distance_to_plane_mapping_fits(mapping) &&
        st_state_resize(st_mapping_out(mapping), parent->size) != ST_OK)
        return;
    if (!distance_to_plane_mapping_fits(mapping)) return;

    const st_real *x = st_whole_position(parent, in.index);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index), offset = 0;

    // n · x − n · p
    for (size_t c = 0; c < distance_to_plane_mapping_width_of(mapping); c++) offset += self->normal[c] * self->point[c];

    for (size_t i = 0; x && to && i < parent->size; i++) {
        st_real sum = 0;
        for (size_t c = 0; c < distance_to_plane_mapping_width_of(mapping); c++)
            sum += x[i * stride + c] * self->normal[c];
        to[i] = sum - offset;
    }
}

static void distance_to_plane_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const distance_to_plane_mapping *self = (const distance_to_plane_mapping *)mapping;
    const st_state *parent = st_mapping_in(mapping);

    if (!distance_to_plane_mapping_fits(mapping)) return;
    for (size_t i = 0; i < parent->size; i++)
        sink->add(sink, i, i * st_state_dof(parent)->deriv, 1, distance_to_plane_mapping_width_of(mapping),
                  self->normal);
}

static st_status distance_to_plane_mapping_init(st_object *object) {
    distance_to_plane_mapping *self = (distance_to_plane_mapping *)object;

    self->ready = false;

    st_status status = st_mapping_init(object);
    if (status != ST_OK) return status;

    // a unit normal, of the scalars that count
    st_real square = 0;
    for (size_t c = 0; c < distance_to_plane_mapping_width_of(&self->mapping); c++)
        square += self->normal[c] * self->normal[c];
    if (!(square > 0) || !isfinite(square)) return st_invalid(object, "planeNormal has no direction");
    for (size_t c = 0; c < distance_to_plane_mapping_width_of(&self->mapping); c++) self->normal[c] /= sqrt(square);

    st_touch(object, self->normal);
    status = st_mapping_size_child(&self->mapping, 0, st_mapping_in(&self->mapping)->size);
    self->ready = status == ST_OK;
    return status;
}

static const st_field fields[] = {
    ST_FIELD(distance_to_plane_mapping, normal, "planeNormal", st_type_coord, NULL,
             "direction in which distances are positive; made a unit vector at init", .flags = ST_FIELD_REINIT),
    ST_FIELD(distance_to_plane_mapping, point, "planePoint", st_type_coord, NULL, "a point of the plane"),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {.apply = distance_to_plane_mapping_apply,
                                   .jacobian = distance_to_plane_mapping_jacobian};

const st_class st_distance_to_plane_mapping_class = {
    .name = "DistanceToPlaneMapping",
    .help = "the signed distance of each point from a plane",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec1 Vec2,Vec1 Vec6,Vec1 Rigid3,Vec1 Rigid2,Vec1",
    .default_template = "Vec3,Vec1",
    .fields = fields,
    .size = sizeof(distance_to_plane_mapping),
    .example = "<MechanicalObject name=\"parent\" position=\"0 0 0  1 0.2 0  1 1 0.5\"/>\n"
               "<Node name=\"heights\">\n"
               "    <MechanicalObject name=\"child\" template=\"Vec1\"/>\n"
               "    <DistanceToPlaneMapping input=\"@../parent\" output=\"@child\" planeNormal=\"1 2 2\" "
               "planePoint=\"0 0 1\"/>\n"
               "</Node>",
    .flags = ST_CLASS_CONSTANT_JACOBIAN,
    .init = distance_to_plane_mapping_init,
    .mapping = &ops,
};
