// RigidDistanceGridCollisionModel: a rigid body by the distances to its surface. It is one element, on the first frame
// of a state.
//
// A point at x is at p = Rᵀ (x - t) in the grid. With its distance d there, the contact is at the nearest point p - d g
// of the surface, in the frame of the body, and its normal R g, where g is the direction of the gradient.
//
//     grid, point      the point
//     grid, triangle   vertices that the triangle owns, and middles of its border edges
//     grid, sphere     the center, with the radius
//     grid, grid       points of each surface in the other field
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "collision/contact_mappings.h"
#include "collision/element_tests.h"
#include "collision/rigid_distance_grid.h"
#include "math/rigid.h"

#define GRID(member, name, type, value, help, ...)                                                                     \
    ST_FIELD(st_rigid_grid, member, name, type, value, help, ##__VA_ARGS__)
static const st_field fields[] = {
    GRID(file, "filename", st_type_file, NULL, "surface (.obj), distances (.raw, .vtk), or #cube",
         .aliases = "fileRigidDistanceGrid"),
    GRID(scale, "scale", st_type_real, "1", "factor of the surface"),
    GRID(translation, "translation", st_type_vec3, "0 0 0", "place of the surface in the frame of the body"),
    GRID(rotation, "rotation", st_type_vec3, "0 0 0",
         "angles in degrees around x, y and z; they take the place of the body's rotation"),
    GRID(sampling, "sampling", st_type_real, "0",
         "points of the surface: 0: its vertices; below 0: from every so many nodes; above: from a lattice of this "
         "step"),
    GRID(box, "box", st_type_box, NULL, "box of the grid; of a surface it is made from its points"),
    GRID(n[0], "nx", st_type_uint, "64", "nodes of the grid along x"),
    GRID(n[1], "ny", st_type_uint, "64", "nodes of the grid along y"),
    GRID(n[2], "nz", st_type_uint, "64", "nodes of the grid along z"),
    GRID(dump, "dumpfilename", st_type_string, NULL, "file to write the distances to (.raw, .vtk)"),
    GRID(use_points, "usePoints", st_type_bool, "1", "its points touch other grids"),
    GRID(flip, "flipNormals", st_type_bool, "0", "its inside is outside; for points alone"),
    GRID(show[0], "showMeshPoints", st_type_bool, "1", "draw the points", .flags = ST_FIELD_DISPLAY),
    GRID(show[1], "showGridPoints", st_type_bool, "0", "draw the nodes", .flags = ST_FIELD_DISPLAY),
    GRID(show_range[0], "showMinDist", st_type_int, "0", "of nodes that are drawn", .flags = ST_FIELD_DISPLAY),
    GRID(show_range[1], "showMaxDist", st_type_int, "0", "of nodes that are drawn", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Model
// ---------------------------------------------------------------------------------------------------

// The frame follows the body with the boxes.
static bool rigid_grid_refresh(st_collision_model *model) {
    st_rigid_grid *self = (st_rigid_grid *)model;
    const size_t count = st_collision_model_dofs(model) ? 1 : 0;
    model->rebuilt = count != model->count;
    model->count = count;
    if (!count || (!model->moving && !model->rebuilt && model->tree.built)) return true;

    // the body's frame, or its place with a rotation of our own
    const st_real *body = model->state->coord[ST_COORD_POSITION].data;
    st_real offset[3];
    st_rigid_set(self->frame, body, self->turned ? self->turn : body + 3);
    st_quat_rotate(offset, self->frame + 3, self->translation);
    st_vec3_add(self->frame, self->frame, offset);
    return true;
}

// p = t + R l
static void place_of(st_real p[3], const st_rigid_grid *self, const st_real local[3]) {
    st_real turned[3];
    st_quat_rotate(turned, self->frame + 3, local);
    st_vec3_add(p, self->frame, turned);
}

// The corners of its box, turned; of a field inside out those of the grid.
static void rigid_grid_box(const st_collision_model *model, size_t i, st_box *box) {
    const st_rigid_grid *self = (const st_rigid_grid *)model;
    const st_real *low = self->flip ? self->grid.min : self->grid.low;
    const st_real *high = self->flip ? self->grid.max : self->grid.high;
    (void)i;
    st_box_clear(box);
    for (int k = 0; k < 8; k++) {
        const st_real corner[3] = {k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]};
        st_real p[3];
        place_of(p, self, corner);
        st_box_add(box, p);
    }
}

// Contact points come in the frame of the grid.
static bool rigid_grid_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    const st_rigid_grid *self = (const st_rigid_grid *)model;
    st_real local[3];
    (void)i;
    st_quat_rotate(local, self->turn, self->translation);
    st_vec3_add(local, local, point);
    return st_rigid_carrier_add(mapping, 0, local);
}

static st_status rigid_grid_init(st_object *object) {
    st_rigid_grid *self = (st_rigid_grid *)object;
    const st_status status = st_collision_model_class.init(object);
    if (status != ST_OK) return status;
    self->base.primitive = ST_PRIMITIVE_RIGID_GRID;

    // the field
    const st_distance_grid_recipe recipe = {
        self->file, self->scale, self->sampling, self->box, {self->n[0], self->n[1], self->n[2]}};
    if (!st_distance_grid_make(&self->grid, object, &recipe))
        return st_invalid(object, "it has no distances: it touches nothing");
    if (self->dump && *self->dump) st_distance_grid_write(&self->grid, object, self->dump);

    // Rx Ry Rz
    st_real turn[3][4], both[4];
    self->turned = self->rotation[0] != 0 || self->rotation[1] != 0 || self->rotation[2] != 0;
    for (int k = 0; k < 3; k++) {
        const st_real half = self->rotation[k] * (st_real)(M_PI / 360);
        for (int c = 0; c < 4; c++) turn[k][c] = c == 3 ? cos(half) : c == k ? sin(half) : 0;
    }
    st_quat_multiply(both, turn[0], turn[1]);
    st_quat_multiply(self->turn, both, turn[2]);
    return ST_OK;
}

static void rigid_grid_destroy(st_object *object) {
    st_distance_grid_free(&((st_rigid_grid *)object)->grid);
    st_collision_model_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------

static const st_rigid_grid *grid_of(const st_collision_model *model) { return (const st_rigid_grid *)model; }

// A place x against the field of the first element. NULL: no contact.
static st_detection *add_place(const st_query *query, const st_real x[3], int64_t id) {
    const st_rigid_grid *a = grid_of(query->first);
    st_real p[3], g[3], on[3], normal[3];
    st_rigid_inverse_apply(p, a->frame, x);
    if (!a->flip && !st_distance_grid_near(&a->grid, p, query->limit)) return NULL;
    if (!st_distance_grid_holds(&a->grid, p)) return NULL;

    const st_real sign = a->flip ? -1 : 1, d = sign * st_distance_grid_interpolate(&a->grid, p);
    if (!(d < query->limit)) return NULL;

    if (!st_distance_grid_direction(&a->grid, p, g)) return NULL;
    st_vec3_scale(g, g, sign);
    st_vec3_add_scaled(on, p, g, -d);
    st_quat_rotate(normal, a->frame + 3, g);
    return st_add_detection(query, on, x, normal, d - query->skin, id);
}

// Grids look as far as the contact distance, and a little farther.
#define NEAR(radii)                                                                                                    \
    { out, a, b, i, j, st_contact_of(method, a, b) + (radii) + (st_real)0.001f, st_contact_of(method, a, b) + (radii) }

ST_TEST(grid_point) {
    const st_query query = NEAR(0);
    add_place(&query, ST_B(0), (int64_t)j);
}

ST_TEST(grid_triangle) {
    if (grid_of(a)->flip) return;
    const st_query query = NEAR(0);
    const unsigned flags = st_triangle_flags(b, j);
    for (int k = 0; k < 3; k++)
        if (flags & (ST_OWNS_P1 << k)) add_place(&query, ST_B(k), 6 * (int64_t)j + k);
    for (int k = 0; k < 3; k++) {
        if (!(flags & (ST_BORDER_E23 << k))) continue;
        const st_real *p = ST_B((k + 1) % 3), *q = ST_B((k + 2) % 3);
        const st_real middle[3] = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
        add_place(&query, middle, 6 * (int64_t)j + 3 + k);
    }
}

ST_TEST(grid_sphere) {
    if (grid_of(a)->flip) return;
    const st_query query = NEAR(st_element_radius(b, j));
    st_to_surface(add_place(&query, ST_B(0), (int64_t)j), &query, false, true);
}

// Points of one surface, pushed out by half of the distance, in the field of the other.
static void add_points(const st_query *query, const st_rigid_grid *from, const st_rigid_grid *field, bool swapped,
                       st_real margin) {
    for (size_t k = 0; k < from->grid.points.count; k++) {
        const st_real *own = from->grid.points.data + 3 * k;
        st_real g[3], out[3], p[3], on[3], normal[3];

        // pushed out, and brought into the field
        st_distance_grid_gradient(&from->grid, own, g);
        st_vec3_normalize(g, g);
        st_vec3_add_scaled(out, own, g, margin);
        place_of(p, from, out);
        st_rigid_inverse_apply(p, field->frame, p);

        if (!st_distance_grid_near(&field->grid, p, 0) || !st_distance_grid_holds(&field->grid, p)) continue;
        const st_real d = st_distance_grid_interpolate(&field->grid, p);
        if (!(d < 0)) continue;

        // as far as it is in, out again
        if (!st_distance_grid_direction(&field->grid, p, g)) continue;
        st_vec3_add_scaled(on, p, g, -d);
        st_quat_rotate(normal, field->frame + 3, g); // out of the field
        if (!swapped) st_vec3_negate(normal, normal);

        const st_real value = d + margin - query->skin;
        const int64_t id = (int64_t)k + (swapped ? (int64_t)grid_of(query->first)->grid.points.count : 0);
        if (swapped) st_add_detection(query, on, own, normal, value, id);
        else st_add_detection(query, own, on, normal, value, id);
    }
}

// The same for all files. (SOFA has code of its own for two #cube, with transforms in single precision, for faces that are
// nearly parallel. Points in fields find the same faces.)
ST_TEST(grid_grid) {
    const st_rigid_grid *one = grid_of(a), *two = grid_of(b);
    if (one->flip || two->flip) return;
    const st_real skins = a->contact_distance + b->contact_distance, least = (st_real)0.001f;
    const st_real margin = (skins + (method->alarm == 0 ? least : method->alarm)) / 2;
    const st_query query = {out, a, b, i, j, margin, skins + (method->contact == 0 ? least : method->contact)};
    if (one->use_points) add_points(&query, one, two, false, margin);
    if (two->use_points) add_points(&query, two, one, true, margin);
}

void st_intersection_enter_grids(st_intersection *method) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_POINT, grid_point},
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_LINE, NULL},
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_TRIANGLE, grid_triangle},
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_SPHERE, grid_sphere},
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_RIGID_SPHERE, grid_sphere},
        {ST_PRIMITIVE_RIGID_GRID, ST_PRIMITIVE_RIGID_GRID, grid_grid},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}

static const st_collision_model_ops ops = {.refresh = rigid_grid_refresh,
                                           .box = rigid_grid_box,
                                           .rigid_carrier = &st_rigid_carrier,
                                           .carry = rigid_grid_carry};

const st_class st_rigid_distance_grid_collision_model_class = {
    .name = "RigidDistanceGridCollisionModel",
    .help = "a rigid body that touches other models by a grid of distances to its surface",
    .parent = &st_collision_model_class,
    .templates = "Rigid3",
    .default_template = "Rigid3",
    .fields = fields,
    .size = sizeof(st_rigid_grid),
    .init = rigid_grid_init,
    .destroy = rigid_grid_destroy,
    .collision_model = &ops,
};
