// FFDDistanceGridCollisionModel: a body given by a distance grid (distance_grid.h) that deforms with a mesh of
// hexahedra around it.
//
// At rest every hexahedron is a box, and the grid belongs to the rest shape. A place of a cell is x = Σ w_k(b) X_k with
// trilinear weights of its coordinates b; to find b for a given x, Newton's method is used. Contact points are carried
// by the eight corners.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/ffd_distance_grid.h"

#include "collision/contact_mappings.h"
#include "collision/element_tests.h"
#include "math/mat3.h"
#include "math/rigid.h"

typedef struct cell {
    st_real min[3], size[3]; // at rest
    uint8_t side[8];         // of each corner: bit k is set at the upper end of axis k
    uint32_t first, end;     // of its points
} cell;

typedef struct ffd_grid {
    st_collision_model base;
    char *file, *dump;
    st_real scale, sampling, box[6];
    uint32_t n[3];
    bool use_points, single_contact;

    st_distance_grid grid;
    ST_LIST(cell) cells;
    st_uints points; // of the grid, cell by cell
} ffd_grid;

static const st_field fields[] = {
    ST_FIELD(ffd_grid, file, "filename", st_type_file, NULL, "surface (.obj), distances (.raw, .vtk), or #cube",
             .aliases = "fileFFDDistanceGrid"),
    ST_FIELD(ffd_grid, scale, "scale", st_type_real, "1", "factor of the surface"),
    ST_FIELD(ffd_grid, box, "box", st_type_box, NULL, "box of the grid; of a surface it is made from its points"),
    ST_FIELD(ffd_grid, n[0], "nx", st_type_uint, "64", "nodes of the grid along x"),
    ST_FIELD(ffd_grid, n[1], "ny", st_type_uint, "64", "nodes of the grid along y"),
    ST_FIELD(ffd_grid, n[2], "nz", st_type_uint, "64", "nodes of the grid along z"),
    ST_FIELD(ffd_grid, sampling, "sampling", st_type_real, "0",
             "other points than the vertices: a lattice of this step brought to the surface; negative: every so many "
             "nodes of the grid"),
    ST_FIELD(ffd_grid, dump, "dumpfilename", st_type_string, NULL, "file to write the distances to (.raw, .vtk)"),
    ST_FIELD(ffd_grid, use_points, "usePoints", st_type_bool, "1", "its points are tested against other grids"),
    ST_FIELD(ffd_grid, single_contact, "singleContact", st_type_bool, "0",
             "one penalty contact for each cell: the deepest"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------

// Weight of a corner, and its derivative with respect to coordinate `axis` (-1: the weight itself).
static st_real weight_of(unsigned side, const st_real b[3], int axis) {
    st_real w = 1;
    for (int k = 0; k < 3; k++) {
        const bool upper = side >> k & 1;
        if (k == axis) w *= upper ? 1 : -1;
        else w *= upper ? b[k] : 1 - b[k];
    }
    return w;
}

static void ffd_position(const ffd_grid *model, size_t e, const st_real b[3], st_real x[3], st_real jacobian[9]) {
    st_vec3_zero(x);
    if (jacobian) st_mat3_zero(jacobian);
    for (int c = 0; c < 8; c++) {
        const unsigned side = model->cells.data[e].side[c];
        const st_real *corner = st_corner_position(&model->base, e, c);
        st_vec3_add_scaled(x, x, corner, weight_of(side, b, -1));
        for (int k = 0; jacobian && k < 3; k++)
            for (int i = 0; i < 3; i++) jacobian[3 * i + k] += corner[i] * weight_of(side, b, k);
    }
}

static bool ffd_coordinates(const ffd_grid *model, size_t e, const st_real x[3], st_real b[3]) {
    st_vec3_set(b, ST_R(0.5), ST_R(0.5), ST_R(0.5));
    for (int round = 0; round < 20; round++) {
        st_real at[3], jacobian[9], inverse[9], rest[3], step[3];
        ffd_position(model, e, b, at, jacobian);
        if (!st_mat3_inverse_above(inverse, jacobian, 0)) return false;

        st_vec3_sub(rest, x, at);
        st_mat3_times_vec(step, inverse, rest);
        st_vec3_add(b, b, step);

        // far outside there is nothing to find
        const st_real length = st_vec3_norm(step);
        if (!(length < 100) || !(st_vec3_norm2(b) < 100)) return false;
        if (length < ST_R(64) * ST_REAL_EPSILON) return true;
    }
    return false;
}

// The box of a cell at rest, and at which end of each axis its corners are. False: it is no box.
static bool rest_cell(const st_real *rest, const uint32_t v[8], cell *c) {
    st_box box;
    st_box_clear(&box);
    for (int corner = 0; corner < 8; corner++) st_box_add(&box, rest + 3 * (size_t)v[corner]);

    // each corner of the box once
    unsigned seen = 0;
    for (int corner = 0; corner < 8; corner++) {
        unsigned side = 0;
        for (int k = 0; k < 3; k++) {
            const st_real size = box.max[k] - box.min[k], at = (rest[3 * (size_t)v[corner] + k] - box.min[k]) / size;
            if (!(fabs(at) < ST_R(1e-3) || fabs(at - 1) < ST_R(1e-3))) return false;
            side |= (at > ST_R(0.5) ? 1u : 0u) << k;
        }

        c->side[corner] = (uint8_t)side;
        seen |= 1u << side;
    }

    for (int k = 0; k < 3; k++) {
        c->min[k] = box.min[k];
        c->size[k] = box.max[k] - box.min[k];
    }
    return seen == 255;
}

static bool is_in(const cell *c, const st_real p[3]) {
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= c->min[k] && p[k] <= c->min[k] + c->size[k])) return false;
    return true;
}

// A point belongs to the first cell that has it. Grids are small compared with meshes: all are looked at.
static bool share_points(ffd_grid *self) {
    const st_reals *points = &self->grid.points;
    ST_LIST(uint8_t) taken = {0};

    // the first cell takes it
    bool ok = st_list_set_count(&taken, points->count, 1) && st_list_reserve(&self->points, points->count, 1);
    self->points.count = 0;

    for (size_t e = 0; ok && e < self->cells.count; e++) {
        cell *c = &self->cells.data[e];

        c->first = (uint32_t)self->points.count;
        for (size_t i = 0; i < points->count; i++) {
            if (taken.data[i] || !is_in(c, points->data + 3 * i)) continue;
            taken.data[i] = 1;
            self->points.data[self->points.count++] = (uint32_t)i;
        }
        c->end = (uint32_t)self->points.count;
    }

    st_list_free(&taken);
    return ok;
}

static bool make_cells(ffd_grid *self) {
    st_collision_model *model = &self->base;
    const st_reals *rest = &model->state->coord[ST_COORD_REST];
    const st_reals *at_rest = rest->count == model->state->size ? rest : &model->state->coord[ST_COORD_POSITION];
    if (!st_list_set_count(&self->cells, model->count, 1)) return false;

    for (size_t e = 0; e < model->count; e++) {
        if (rest_cell(at_rest->data, model->vertices.data + 8 * e, &self->cells.data[e])) continue;
        st_message_once(&model->object, "cell", ST_ERROR, "cell %zu is no box at rest: it touches nothing", e);
        model->count = 0;
        self->cells.count = 0;
    }
    if (share_points(self)) return true;
    self->cells.count = 0; // made again the next time
    return false;
}

static bool ffd_grid_refresh(st_collision_model *model) {
    ffd_grid *self = (ffd_grid *)model;
    const size_t dofs = st_collision_model_dofs(model);
    const st_uints *cells = st_topology_elements((st_topology *)model->topology, ST_HEXAHEDRON);
    model->fresh.count = 0;

    // vertices, all of which must be DOFs
    for (size_t i = 0; i < 8 * cells->count; i++) {
        if (cells->data[i] >= dofs) {
            st_message_once(&model->object, "vertex", ST_ERROR,
                            "a cell has vertex %u, but the state has %zu DOFs: it touches nothing", cells->data[i],
                            dofs);
            model->fresh.count = 0;
            break;
        }

        if (!st_list_push(&model->fresh, cells->data[i])) return false;
    }

    // other cells, other points in them
    st_collision_model_take(model);
    if (self->cells.count == model->count && !model->rebuilt) return true;
    model->rebuilt = true;
    return make_cells(self);
}

static void ffd_grid_box(const st_collision_model *model, size_t i, st_box *box) {
    st_box_clear(box);
    for (int c = 0; c < 8; c++) st_box_add(box, st_corner_position(model, i, c));
}

static bool ffd_grid_carry(const st_collision_model *model, st_mapping *mapping, size_t i, const st_real point[3]) {
    const ffd_grid *self = (const ffd_grid *)model;
    st_real b[3], weights[8];

    if (!ffd_coordinates(self, i, point, b)) st_vec3_set(b, ST_R(0.5), ST_R(0.5), ST_R(0.5));

    for (int c = 0; c < 8; c++) weights[c] = weight_of(self->cells.data[i].side[c], b, -1);
    return st_barycentric_carrier_add(mapping, 8, model->vertices.data + 8 * i, weights);
}

// ---------------------------------------------------------------------------------------------------
// Tests: the deformed grid comes first
// ---------------------------------------------------------------------------------------------------

static const st_real beyond = ST_R(0.0010000000474974513); // margin above the contact distance

// A finding of a point against the inside of a grid, in the world.
typedef struct finding {
    st_real distance;
    st_real point[3], normal[3]; // on the surface of the grid, outwards
} finding;

// Coordinates of a cell of 0 to 1 and places at rest.
static void to_rest(const cell *c, const st_real b[3], st_real p[3]) {
    for (int k = 0; k < 3; k++) p[k] = c->min[k] + b[k] * c->size[k];
}

static bool is_inside(const st_real b[3]) {
    for (int k = 0; k < 3; k++)
        if (!(b[k] > ST_R(-1e-9) && b[k] < 1 + ST_R(1e-9))) return false;
    return true;
}

static bool against_cell(const ffd_grid *g, size_t e, const st_real x[3], st_real margin, finding *f) {
    const cell *c = &g->cells.data[e];
    st_real b[3], p[3], gradient[3], at[3], jacobian[9], inverse[9], way[3];
    if (!ffd_coordinates(g, e, x, b) || !is_inside(b)) return false;
    to_rest(c, b, p);
    if (!st_distance_grid_near(&g->grid, p, margin) || !st_distance_grid_holds(&g->grid, p)) return false;

    const st_real d = st_distance_grid_interpolate(&g->grid, p);
    if (!(d < margin)) return false;
    if (!st_distance_grid_direction(&g->grid, p, gradient)) return false;

    // the surface point at rest, and where the cell has taken it
    for (int k = 0; k < 3; k++) at[k] = (p[k] - gradient[k] * d - c->min[k]) / c->size[k];
    ffd_position(g, e, at, f->point, NULL);

    // normals go with the inverse transposed: n = (∂b/∂x)ᵀ S g
    ffd_position(g, e, b, at, jacobian);
    if (!st_mat3_inverse_above(inverse, jacobian, 0)) return false;
    for (int k = 0; k < 3; k++) gradient[k] *= c->size[k];
    st_mat3_transpose_times_vec(f->normal, inverse, gradient);
    st_vec3_normalize(f->normal, f->normal);

    st_vec3_sub(way, x, f->point);
    f->distance = st_vec3_dot(way, f->normal);
    return true;
}

static const ffd_grid *self_of(const st_collision_model *model) { return (const ffd_grid *)model; }

// One detection for each cell on request: those of one id compete.
static int64_t id_of(const ffd_grid *self, size_t e, int64_t id) { return self->single_contact ? (int64_t)e : id; }

// `radius` of a sphere around the point.
static st_detection *add_point(const st_query *q, const st_real x[3], st_real radius, int64_t id) {
    const ffd_grid *self = self_of(q->first);
    finding f;
    const st_real skin = q->skin + radius;
    if (!against_cell(self, q->i, x, skin + beyond, &f)) return NULL;
    return st_add_detection(q, f.point, x, f.normal, f.distance - skin, id_of(self, q->i, id));
}

ST_TEST(grid_point) {
    const st_query q = ST_QUERY(0);
    add_point(&q, ST_B(0), 0, (int64_t)j);
}

ST_TEST(grid_sphere) {
    const st_query q = ST_QUERY(0);
    st_to_surface(add_point(&q, ST_B(0), st_element_radius(b, j), (int64_t)j), &q, false, true);
}

// Vertices that the triangle owns, and the middles of edges at the border.
ST_TEST(grid_triangle) {
    const st_query q = ST_QUERY(0);
    const unsigned flags = st_triangle_flags(b, j);
    for (int k = 0; k < 3; k++)
        if (flags & ((unsigned)ST_OWNS_P1 << k)) add_point(&q, ST_B(k), 0, 6 * (int64_t)j + k);

    for (int k = 0; k < 3; k++) {
        if (!(flags & ((unsigned)ST_BORDER_E23 << k))) continue;
        st_real middle[3];
        st_vec3_add(middle, ST_B((k + 1) % 3), ST_B((k + 2) % 3));
        st_vec3_scale(middle, middle, ST_R(0.5));
        add_point(&q, middle, 0, 6 * (int64_t)j + 3 + k);
    }
}

// ---------------------------------------------------------------------------------------------------
// Grids with each other: points of each against the other
// ---------------------------------------------------------------------------------------------------

// A point of a cell where it is now.
static void cell_point(const ffd_grid *self, size_t e, uint32_t point, st_real x[3]) {
    const cell *c = &self->cells.data[e];
    st_real b[3];
    for (int k = 0; k < 3; k++) b[k] = (self->grid.points.data[3 * (size_t)point + k] - c->min[k]) / c->size[k];
    ffd_position(self, e, b, x, NULL);
}

// A point x of the second element against a cell of the first. `own` is how its model wants it.
static void add_second(const st_query *q, const st_real x[3], const st_real own[3], int64_t id) {
    finding f;
    if (!against_cell(self_of(q->first), q->i, x, q->skin + beyond, &f)) return;
    st_add_detection(q, f.point, own, f.normal, f.distance - q->skin, id);
}

// Contact points on a rigid grid are in its own frame.
static void add_in_rigid(const st_query *q, const st_real x[3], int64_t id) {
    const st_rigid_grid *rigid = (const st_rigid_grid *)q->second;
    st_real p[3], g[3], on[3], normal[3];
    st_rigid_inverse_apply(p, rigid->frame, x);
    if (!st_distance_grid_near(&rigid->grid, p, q->skin + beyond) || !st_distance_grid_holds(&rigid->grid, p)) return;
    const st_real d = st_distance_grid_interpolate(&rigid->grid, p);
    if (!(d < q->skin + beyond)) return;

    if (!st_distance_grid_direction(&rigid->grid, p, g)) return;
    st_vec3_add_scaled(on, p, g, -d);
    st_quat_rotate(normal, rigid->frame + 3, g);
    st_vec3_negate(normal, normal);
    st_add_detection(q, x, on, normal, d - q->skin, id);
}

ST_TEST(cell_rigid_grid) {
    const st_query q = ST_QUERY(0);
    const ffd_grid *self = self_of(a);
    const st_rigid_grid *rigid = (const st_rigid_grid *)b;
    const cell *c = &self->cells.data[i];

    // its own points in the rigid field, and the other way around
    for (uint32_t k = c->first; self->use_points && k < c->end; k++) {
        st_real x[3];
        cell_point(self, i, self->points.data[k], x);
        add_in_rigid(&q, x, id_of(self, i, self->points.data[k]));
    }

    for (size_t k = 0; rigid->use_points && k < rigid->grid.points.count; k++) {
        const st_real *own = rigid->grid.points.data + 3 * k;
        st_real x[3];
        st_quat_rotate(x, rigid->frame + 3, own);
        st_vec3_add(x, x, rigid->frame);
        add_second(&q, x, own, (int64_t)(self->grid.points.count + k));
    }
}

ST_TEST(cells) {
    const st_query q = ST_QUERY(0);
    const ffd_grid *one = self_of(a), *two = self_of(b);
    if (a == b) return; // cells of one body are neighbors

    const cell *c = &one->cells.data[i], *d = &two->cells.data[j];
    for (uint32_t k = d->first; two->use_points && k < d->end; k++) {
        st_real x[3];
        cell_point(two, j, two->points.data[k], x);
        add_second(&q, x, x, (int64_t)one->grid.points.count + two->points.data[k]);
    }

    // the other way around, and turned again
    for (uint32_t k = c->first; one->use_points && k < c->end; k++) {
        st_real x[3];
        finding f;
        cell_point(one, i, one->points.data[k], x);
        if (!against_cell(two, j, x, q.skin + beyond, &f)) continue;
        st_vec3_negate(f.normal, f.normal);
        st_add_detection(&q, x, f.point, f.normal, f.distance - q.skin, one->points.data[k]);
    }
}

void st_intersection_enter_deformed_grids(st_intersection *method) {
    // lines have neither vertices nor edges of their own
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_POINT, grid_point},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_SPHERE, grid_sphere},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_RIGID_SPHERE, grid_sphere},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_TRIANGLE, grid_triangle},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_LINE, NULL},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_RIGID_GRID, cell_rigid_grid},
        {ST_PRIMITIVE_FFD_GRID, ST_PRIMITIVE_FFD_GRID, cells},
    };
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static st_status ffd_grid_init(st_object *object) {
    ffd_grid *self = (ffd_grid *)object;
    const st_status status = st_mesh_collision_model_class.init(object);
    self->base.primitive = ST_PRIMITIVE_FFD_GRID;
    self->base.corners = 8;
    if (status != ST_OK) return status;
    if (!self->base.topology) return st_invalid(object, "there is no mesh of hexahedra in its node or above");

    const st_distance_grid_recipe recipe = {
        self->file, self->scale, self->sampling, self->box, {self->n[0], self->n[1], self->n[2]}};
    if (!st_distance_grid_make(&self->grid, object, &recipe))
        return st_invalid(object, "it has no distances: it touches nothing");
    if (self->dump && *self->dump) st_distance_grid_write(&self->grid, object, self->dump);
    return ST_OK;
}

static void ffd_grid_destroy(st_object *object) {
    ffd_grid *self = (ffd_grid *)object;
    st_distance_grid_free(&self->grid);
    st_list_free(&self->cells);
    st_list_free(&self->points);
    st_collision_model_class.destroy(object);
}

static const st_collision_model_ops ops = {
    .refresh = ffd_grid_refresh,
    .box = ffd_grid_box,
    .carrier = &st_barycentric_carrier,
    .carry = ffd_grid_carry,
};

const st_class st_ffd_distance_grid_collision_model_class = {
    .name = "FFDDistanceGridCollisionModel",
    .help = "a body given by a distance grid that deforms with a mesh of hexahedra, and touches other models",
    .parent = &st_mesh_collision_model_class,
    .fields = fields,
    .size = sizeof(ffd_grid),
    .init = ffd_grid_init,
    .destroy = ffd_grid_destroy,
    .collision_model = &ops,
};
