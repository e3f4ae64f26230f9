// DistanceGridForceField: keeps points out of a surface, or in it, by a grid of distances to it. With triangles or
// tetrahedra it also resists elements that become smaller than some size.
//
//     points      d distance, g its gradient in the grid (not of length 1):
//                 F = -k d,  f += F g - damping F v,      k = stiffnessIn inside (d < 0), stiffnessOut outside
//     triangles   n direction of the gradient at the middle, B, C its sides, a = (B × C)·n / 2:
//                 a < minArea:    q = stiffnessArea (minArea - a),  f1 += q C × n,  f2 += q n × B
//     tetrahedra  V = A·(B × C) / 6:
//                 V < minVolume:  q = stiffnessVolume (minVolume - V) / 6,  f1 += q B × C, f2 += q C × A, f3 += q A × B
//
// and the opposite on the first vertex. With a topology of triangles only their points are kept out. The damping is
// integrated explicitly.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "base/array.h"
#include "collision/collision.h"
#include "collision/distance_grid.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "scene/compat.h"
#include "settee/contact.h"
#include "settee/plugin/physics.h"
#include "state/sink.h"
#include "topology/topology.h"

typedef struct pressed_point {
    uint32_t dof;
    st_real gradient[3], slope[3], stiffness, force; // slope: ∂d/∂x
} pressed_point;

typedef struct pressed_triangle {
    uint32_t element;
    st_real b[3], c[3], n[3], missing; // of the area
} pressed_triangle;

typedef struct pressed_tetrahedron {
    uint32_t element;
    st_real a[3], b[3], c[3], missing; // of the volume
} pressed_tetrahedron;

typedef struct grid_force {
    st_force base;
    char *file;
    st_real scale, box[6];
    uint32_t size[3];
    st_real stiffness_in, stiffness_out, damping, max_distance;
    st_real min_area, stiffness_area, min_volume, stiffness_volume;
    int32_t local_range[2];
    st_real color[4], draw_size;
    bool draw, draw_points;

    st_distance_grid grid;
    st_topology *topology;
    st_bools marked; // points of triangles; empty: all act
    bool flip;       // normals of triangles point against the gradient
    ST_LIST(pressed_point) points;
    ST_LIST(pressed_triangle) triangles;
    ST_LIST(pressed_tetrahedron) tetrahedra;
} grid_force;

#define GRID(member, name, type, value, help, ...) ST_FIELD(grid_force, member, name, type, value, help, ##__VA_ARGS__)
static const st_field fields[] = {
    GRID(file, "filename", st_type_file, NULL, "surface (.obj), distances (.raw, .vtk), or #cube",
         .aliases = "fileDistanceGrid", .flags = ST_FIELD_REINIT),
    GRID(scale, "scale", st_type_real, "1", "factor of the surface", .flags = ST_FIELD_REINIT),
    GRID(box, "box", st_type_box, NULL, "box of the grid; of a surface it is made from its points",
         .flags = ST_FIELD_REINIT),
    GRID(size[0], "nx", st_type_uint, "64", "nodes of the grid along x", .flags = ST_FIELD_REINIT),
    GRID(size[1], "ny", st_type_uint, "64", "nodes of the grid along y", .flags = ST_FIELD_REINIT),
    GRID(size[2], "nz", st_type_uint, "64", "nodes of the grid along z", .flags = ST_FIELD_REINIT),
    GRID(stiffness_in, "stiffnessIn", st_type_real, "500", "stiffness against points inside", .aliases = "stiffness"),
    GRID(stiffness_out, "stiffnessOut", st_type_real, "0", "stiffness against points outside", .aliases = "stiffness",
         .flags = ST_FIELD_REINIT),
    GRID(damping, "damping", st_type_real, "0.01", "force per force and velocity"),
    GRID(max_distance, "maxdist", st_type_real, "1", "no force on points farther than this", .flags = ST_FIELD_REINIT),
    GRID(min_area, "minArea", st_type_real, "0", "smallest area of triangles, seen along the gradient",
         .flags = ST_FIELD_REINIT),
    GRID(stiffness_area, "stiffnessArea", st_type_real, "100", "stiffness against smaller areas",
         .flags = ST_FIELD_REINIT),
    GRID(min_volume, "minVolume", st_type_real, "0", "smallest volume of tetrahedra", .flags = ST_FIELD_REINIT),
    GRID(stiffness_volume, "stiffnessVolume", st_type_real, "0", "stiffness against smaller volumes",
         .flags = ST_FIELD_REINIT),
    GRID(local_range, "localRange", st_type_int2, "-1 -1", "first and last DOF that it acts on"),
    GRID(color, "color", st_type_color, "0 0.5 0.2 1", "color", .flags = ST_FIELD_DISPLAY),
    GRID(draw, "draw", st_type_bool, "0", "draw the surface", .flags = ST_FIELD_DISPLAY),
    GRID(draw_points, "drawPoints", st_type_bool, "0", "draw the points", .flags = ST_FIELD_DISPLAY),
    GRID(draw_size, "drawSize", st_type_real, "10", "size of the points", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool has_vertices(const uint32_t *v, size_t count, size_t dofs) {
    for (size_t k = 0; k < count; k++)
        if (v[k] >= dofs) return false;
    return true;
}

// The direction in which triangle v looks in the field, and its middle's gradient.
static void direction_of(const grid_force *self, const st_real *x, const uint32_t *v, st_real n[3]) {
    st_real middle[3];
    for (size_t k = 0; k < 3; k++)
        middle[k] = (x[3 * (size_t)v[0] + k] + x[3 * (size_t)v[1] + k] + x[3 * (size_t)v[2] + k]) / 3;
    st_distance_grid_gradient(&self->grid, middle, n);
}

// SOFA asks the last triangle for all of them.
static void find_side(grid_force *self, const uint32_t *v) {
    const st_state *state = self->base.state;
    const st_real *x = state->coord[ST_COORD_REST].data;
    st_real g[3], b[3], c[3], n[3];
    if (state->coord[ST_COORD_REST].count != state->size || !has_vertices(v, 3, state->size)) return;

    direction_of(self, x, v, g);
    st_vec3_sub(b, x + 3 * (size_t)v[1], x + 3 * (size_t)v[0]);
    st_vec3_sub(c, x + 3 * (size_t)v[2], x + 3 * (size_t)v[0]);
    st_vec3_cross(n, b, c);

    self->flip = st_vec3_dot(g, n) < 0;
}

static st_status grid_force_init(st_object *object) {
    grid_force *self = (grid_force *)object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    // the field
    const st_distance_grid_recipe recipe = {
        self->file, self->scale, 0, self->box, {self->size[0], self->size[1], self->size[2]}};
    if (!st_distance_grid_make(&self->grid, object, &recipe))
        return st_invalid(object, "it has no distances: it does not act");

    // with an area to keep, points of triangles alone
    self->topology = st_context_topology(object->node, NULL);
    self->marked.count = 0;
    self->flip = false;
    if (self->stiffness_area == 0 || !self->topology) return ST_OK;
    const st_uints *triangles = st_topology_elements(self->topology, ST_TRIANGLE);
    if (triangles->count == 0) return ST_OK;
    const size_t size = self->base.state->size;
    if (!st_list_set_count(&self->marked, size, 1)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < 3 * triangles->count; i++)
        if (triangles->data[i] < size) self->marked.data[triangles->data[i]] = true;
    find_side(self, triangles->data + 3 * (triangles->count - 1));
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static bool press_points(grid_force *self, const st_real *x, const st_real *v, st_real *f) {
    const size_t size = self->base.state->size;
    const int32_t *range = self->local_range;
    const size_t begin = range[0] >= 0 ? (size_t)range[0] : 0;
    const size_t end = range[1] >= 0 && (size_t)range[1] + 1 < size ? (size_t)range[1] + 1 : size;
    self->points.count = 0;
    if (!st_list_reserve(&self->points, size, 1)) return false;

    for (size_t i = begin; i < end; i++) {
        if (self->marked.count && (i >= self->marked.count || !self->marked.data[i])) continue;

        // far away, or without stiffness on this side: no force
        const st_real *p = x + 3 * i, d = st_distance_grid_evaluate(&self->grid, p);
        const st_real k = d < 0 ? self->stiffness_in : self->stiffness_out;
        if (!(d < 0 || d > 0) || k == 0 || !(fabs(d) < self->max_distance)) continue;

        pressed_point point = {.dof = (uint32_t)i, .stiffness = k, .force = -k * d};
        st_distance_grid_gradient(&self->grid, p, point.gradient);
        for (int c = 0; c < 3; c++) point.slope[c] = point.gradient[c] / self->grid.cell[c];

        // f += F g − damping F v
        for (size_t c = 0; c < 3; c++)
            f[3 * i + c] += point.gradient[c] * point.force - v[3 * i + c] * (self->damping * point.force);
        self->points.data[self->points.count++] = point;
    }
    return true;
}

static bool press_triangles(grid_force *self, const st_real *x, st_real *f) {
    self->triangles.count = 0;
    if (self->stiffness_area == 0 || !self->topology) return true;
    const st_uints *list = st_topology_elements(self->topology, ST_TRIANGLE);
    if (!st_list_reserve(&self->triangles, list->count, 1)) return false;

    for (size_t i = 0; i < list->count; i++) {
        const uint32_t *v = list->data + 3 * i;
        if (!has_vertices(v, 3, self->base.state->size)) continue;

        // sides, direction, area
        const size_t v0 = 3 * (size_t)v[0], v1 = 3 * (size_t)v[1], v2 = 3 * (size_t)v[2];
        pressed_triangle t = {.element = (uint32_t)i};
        st_real normal[3], f1[3], f2[3];
        st_vec3_sub(t.b, x + v1, x + v0);
        st_vec3_sub(t.c, x + v2, x + v0);
        direction_of(self, x, v, t.n);
        st_vec3_normalize(t.n, t.n);
        if (self->flip) st_vec3_negate(t.n, t.n);
        st_vec3_cross(normal, t.b, t.c);
        const st_real area = st_vec3_dot(normal, t.n) * (st_real)0.5;
        if (!(area < self->min_area)) continue;

        t.missing = self->min_area - area;

        // q C × n and q n × B
        st_vec3_cross(f1, t.c, t.n);
        st_vec3_cross(f2, t.n, t.b);
        for (size_t k = 0; k < 3; k++) {
            f1[k] *= self->stiffness_area * t.missing;
            f2[k] *= self->stiffness_area * t.missing;
            f[v1 + k] += f1[k];
            f[v2 + k] += f2[k];
            f[v0 + k] -= f1[k] + f2[k];
        }
        self->triangles.data[self->triangles.count++] = t;
    }
    return true;
}

static bool press_tetrahedra(grid_force *self, const st_real *x, st_real *f) {
    self->tetrahedra.count = 0;
    if (self->stiffness_volume == 0 || !self->topology) return true;
    const st_uints *list = st_topology_elements(self->topology, ST_TETRAHEDRON);
    if (!st_list_reserve(&self->tetrahedra, list->count, 1)) return false;

    for (size_t i = 0; i < list->count; i++) {
        const uint32_t *v = list->data + 4 * i;
        if (!has_vertices(v, 4, self->base.state->size)) continue;

        // sides, and the areas between two of them
        const st_real *x0 = x + 3 * (size_t)v[0];
        pressed_tetrahedron t = {.element = (uint32_t)i};
        st_real part[3][3];
        st_vec3_sub(t.a, x + 3 * (size_t)v[1], x0);
        st_vec3_sub(t.b, x + 3 * (size_t)v[2], x0);
        st_vec3_sub(t.c, x + 3 * (size_t)v[3], x0);
        st_vec3_cross(part[0], t.b, t.c);
        st_vec3_cross(part[1], t.c, t.a);
        st_vec3_cross(part[2], t.a, t.b);
        const st_real volume = st_vec3_dot(t.a, part[0]) / 6;
        if (!(volume < self->min_volume)) continue;

        t.missing = self->min_volume - volume;

        // q times the opposite area
        for (size_t e = 0; e < 3; e++)
            for (size_t k = 0; k < 3; k++) {
                const st_real force = part[e][k] * (self->stiffness_volume * t.missing / 6);
                f[3 * (size_t)v[e + 1] + k] += force;
                f[3 * (size_t)v[0] + k] -= force;
            }
        self->tetrahedra.data[self->tetrahedra.count++] = t;
    }
    return true;
}

static void grid_force_add_force(st_force *base, const st_params *params) {
    grid_force *self = (grid_force *)base;
    if (!base->state) return;

    const st_real *x = st_x(base->state, params), *v = st_v(base->state, params);
    st_real *f = st_f(base->state, params);
    if (!press_points(self, x, v, f) || !press_triangles(self, x, f) || !press_tetrahedra(self, x, f))
        st_message_once(&base->object, "memory", ST_ERROR, "out of memory: it does not act on all points");
}

// ---------------------------------------------------------------------------------------------------
// Report
// ---------------------------------------------------------------------------------------------------

// Point i of the last evaluation, as it is now; those of the area and of the volume are no contacts.
static bool grid_force_report(const st_object *object, size_t i, st_contact_report *r) {
    const grid_force *self = (const grid_force *)object;
    const st_state *state = self->base.state;
    if (i >= self->points.count || !state || self->points.data[i].dof >= state->size) return false;
    const size_t dof = self->points.data[i].dof;
    const st_real *x = state->coord[ST_COORD_POSITION].data + 3 * dof;
    const st_reals *v = &state->deriv[ST_DERIV_VELOCITY];

    // outwards, and to the surface
    st_real gradient[3];
    const st_real d = st_distance_grid_evaluate(&self->grid, x);
    const st_real k = d < 0 ? self->stiffness_in : self->stiffness_out;
    st_distance_grid_gradient(&self->grid, x, gradient);
    st_vec3_normalize(r->normal, gradient);
    st_vec3_copy(r->point[1], x);
    st_vec3_add_scaled(r->point[0], x, r->normal, -d);
    r->model[1] = &state->object;
    r->element[1] = (uint32_t)dof;
    r->gap = d;

    // F g − damping F v
    const st_real force = fabs(d) < self->max_distance ? -k * d : 0;
    for (size_t c = 0; c < 3; c++)
        r->force[c] =
            gradient[c] * force - (v->count == state->size ? v->data[3 * dof + c] * self->damping * force : 0);
    r->motion = force != 0 ? ST_CONTACT_SLIDES : ST_CONTACT_OPEN;
    return true;
}

static const st_contact_source_ops source_ops = {.report = grid_force_report};

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// Blocks of one element: rows of side r against side c, and the first vertex against the sum of the others.
static void add_sides(st_sink *sink, const uint32_t *v, size_t sides, const st_real blocks[3][3][9]) {
    for (size_t r = 0; r < sides; r++)
        for (size_t c = 0; c < sides; c++) {
            st_real opposite[9];
            for (int e = 0; e < 9; e++) opposite[e] = -blocks[r][c][e];
            const size_t i = 3 * (size_t)v[r + 1], j = 3 * (size_t)v[c + 1], o = 3 * (size_t)v[0];
            st_add_3x3(sink, i, j, blocks[r][c]);
            st_add_3x3(sink, i, o, opposite);
            st_add_3x3(sink, o, j, opposite);
            st_add_3x3(sink, o, o, blocks[r][c]);
        }
}

// m = s a bᵀ + k [w]×
static void side_block(st_real m[9], st_real s, const st_real a[3], const st_real b[3], st_real k, const st_real w[3]) {
    const st_real cross[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    for (int e = 0; e < 9; e++) m[e] = s * a[e / 3] * b[e % 3] + k * cross[e];
}

// ∂(q C × n) with n fixed: -k (C × n) da + q dC × n,  da = (C × n)·dB / 2 + (n × B)·dC / 2
static void add_triangle_blocks(const grid_force *self, st_sink *sink) {
    const st_uints *list = self->topology ? st_topology_elements(self->topology, ST_TRIANGLE) : NULL;
    const st_real k = self->stiffness_area;
    for (size_t i = 0; i < self->triangles.count; i++) {
        const pressed_triangle *t = &self->triangles.data[i];
        st_real u[3], w[3], minus[3], blocks[3][3][9];

        st_vec3_cross(u, t->c, t->n);
        st_vec3_cross(w, t->n, t->b);
        st_vec3_negate(minus, t->n);

        side_block(blocks[0][0], -k / 2, u, u, 0, t->n);
        side_block(blocks[0][1], -k / 2, u, w, k * t->missing, minus); // dC × n = -[n]× dC
        side_block(blocks[1][0], -k / 2, w, u, k * t->missing, t->n);  // n × dB
        side_block(blocks[1][1], -k / 2, w, w, 0, t->n);

        add_sides(sink, list->data + 3 * (size_t)t->element, 2, blocks);
    }
}

// ∂(q B × C): -k/6 (B × C) dV + q (dB × C + B × dC),  dV = ((B × C)·dA + (C × A)·dB + (A × B)·dC) / 6
static void add_tetrahedron_blocks(const grid_force *self, st_sink *sink) {
    const st_uints *list = self->topology ? st_topology_elements(self->topology, ST_TETRAHEDRON) : NULL;
    for (size_t i = 0; i < self->tetrahedra.count; i++) {
        const pressed_tetrahedron *t = &self->tetrahedra.data[i];
        const st_real *side[3] = {t->a, t->b, t->c}, k = self->stiffness_volume / 6;

        st_real area[3][3], blocks[3][3][9];
        for (int e = 0; e < 3; e++) st_vec3_cross(area[e], side[(e + 1) % 3], side[(e + 2) % 3]);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                // d(S₁ × S₂) = dS₁ × S₂ + S₁ × dS₂ with the two sides that follow r
                const st_real sign = c == r ? 0 : c == (r + 1) % 3 ? -1 : 1;
                side_block(blocks[r][c], -k / 6, area[r], area[c], sign * k * t->missing,
                           c == (r + 1) % 3 ? side[(r + 2) % 3] : side[(r + 1) % 3]);
            }

        add_sides(sink, list->data + 4 * (size_t)t->element, 3, blocks);
    }
}

// Of SOFA's point term the sign depends on who asks: `sofa` is it, or 0 for the derivative.
static void add_blocks(const grid_force *self, st_sink *sink, st_real sofa) {
    for (size_t i = 0; i < self->points.count; i++) {
        const pressed_point *p = &self->points.data[i];
        st_real block[9];
        for (int e = 0; e < 9; e++)
            block[e] = sofa != 0 ? sofa * p->force * p->gradient[e / 3] * p->gradient[e % 3]
                                 : -p->stiffness * p->gradient[e / 3] * p->slope[e % 3];
        st_add_3x3(sink, 3 * (size_t)p->dof, 3 * (size_t)p->dof, block);
    }
    if (sofa < 0) return; // SOFA's matrix has the points alone
    add_triangle_blocks(self, sink);
    add_tetrahedron_blocks(self, sink);
}

static void grid_force_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    const bool sofa = st_compat_on(base->object.scene, ST_COMPAT_DISTANCE_GRID_TANGENT);
    add_blocks((const grid_force *)base, st_stiffness_between(k, base->state, base->state), sofa ? -1 : 0);
}

// A sink that multiplies.
typedef struct product_sink {
    st_sink sink;
    const st_real *dx;
    st_real *df, factor;
} product_sink;

static void multiply_block(st_sink *sink, size_t row, size_t col, size_t rows, size_t cols, const st_real *block) {
    const product_sink *self = (const product_sink *)sink;
    for (size_t r = 0; r < rows; r++) {
        st_real sum = 0;
        for (size_t c = 0; c < cols; c++) sum += block[r * cols + c] * self->dx[col + c];
        self->df[row + r] += sum * self->factor;
    }
}

static void grid_force_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    product_sink sink = {.sink = {.add = multiply_block},
                         .dx = st_dx(base->state, params),
                         .df = st_df(base->state, params),
                         .factor = k};
    const bool sofa = st_compat_on(base->object.scene, ST_COMPAT_DISTANCE_GRID_TANGENT);
    add_blocks((const grid_force *)base, &sink.sink, sofa ? 1 : 0);
}

static void grid_force_destroy(st_object *object) {
    grid_force *self = (grid_force *)object;
    st_distance_grid_free(&self->grid);
    st_list_free(&self->marked);
    st_list_free(&self->points);
    st_list_free(&self->triangles);
    st_list_free(&self->tetrahedra);
}

static const st_force_ops ops = {
    .add_force = grid_force_add_force, .stiffness = grid_force_stiffness, .product = grid_force_product};

const st_class st_distance_grid_force_field_class = {
    .name = "DistanceGridForceField",
    .help = "keeps points out of a surface by a grid of distances to it",
    .parent = &st_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(grid_force),
    .example =
        "<MechanicalObject position=\"0.9 0.1 0.2  0.8 0 0.1  3 0 0\"/>\n"
        "<DistanceGridForceField filename=\"#cube\" nx=\"9\" ny=\"9\" nz=\"9\" stiffness=\"20\" stiffnessArea=\"0\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = grid_force_init,
    .destroy = grid_force_destroy,
    .force = &ops,
    .contact_source = &source_ops,
};
