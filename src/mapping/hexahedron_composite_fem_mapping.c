// HexahedronCompositeFEMMapping: points carried by the finest cells of a HexahedronCompositeFEMForceFieldAndMass.
//
// With F_e the frame of coarse cell e as the last force left it before the last application, X its corners at the start in their own frame, and W
// the motion of the corners of a finest cell within it (condensation.h), u_e = F_e x - X,
//
//     corner of a finest cell  =  mean over the coarse cells around it of  F_e^T (F_e0 Q0 + W u_e),
//
// Q0 its place at the start: that in the grid, moved as the state was; points are looked for in the grid as it is. A
// mapped point is the trilinear mean of the eight corners of its finest cell. Summed up, for each coarse cell that
// takes part,  p = sum F_e^T (a + V u_e)  with a constant vector a and 3 x 24 matrix V. J has the blocks F_e^T V_j F_e
// for the corners j; the frames are not differentiated, and are those of the last application until the next one. The
// finest cells around a corner differ in W, because each was condensed on its own: of those in one coarse cell the last
// counts.
//
// Init: 1. W of every finest cell, and its coarse cell, 2. the finest cells around each finest point, 3. the finest cell
// of each mapped point, 4. for each of its corners and each coarse cell around it, a share of a and V.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/generic/shape.h"
#include "force/fem/hexahedron/non_uniform_hexahedron.h"
#include "mapping/states.h"
#include "math/mat3.h"
#include "settee/plugin/change.h"

// What one coarse cell does to one point.
typedef struct carrier {
    uint32_t cell;
    st_real a[3];
    st_real v[3][24];
} carrier;

typedef struct composite_mapping {
    st_mapping mapping;
    const st_non_uniform_hexahedron *force;
    ST_LIST(carrier) carriers;
    st_uints start;  // first carrier of each point, and the end
    st_reals frames; // R = F_e^T of each coarse cell at the last application
} composite_mapping;

static size_t point_count(const composite_mapping *self) { return self->start.count ? self->start.count - 1 : 0; }

static bool hexahedron_composite_fem_mapping_is_usable(const composite_mapping *self) {
    const st_element_mesh *mesh = self->force ? &self->force->mass.fem.model.mesh : NULL;
    return mesh && mesh->count && self->frames.count == mesh->count &&
           point_count(self) == st_mapping_out(&self->mapping)->size &&
           st_mapping_in(&self->mapping)->size >= mesh->points;
}

// R = F_e^T of a coarse cell, and the numbers of its corners.
static void take_cell(const composite_mapping *self, size_t e, st_real r[9], uint32_t corners[8]) {
    memcpy(r, self->frames.data + 9 * e, 9 * sizeof *r);
    st_element_nodes(&self->force->mass.fem.model.mesh, e, corners);
}

static void keep_frames(composite_mapping *self) {
    const st_element_model *model = &self->force->mass.fem.model;
    for (size_t e = 0; e < self->frames.count; e++) st_pack_take(model->rotation, 9, e, self->frames.data + 9 * e);
}

// ---------------------------------------------------------------------------------------------------
// Application
// ---------------------------------------------------------------------------------------------------

// to += R (base + V F x), x the corners' entries of a vector.
static void add_carried(const carrier *c, const st_real r[9], const uint32_t corners[8], const st_real *x,
                        const st_real *rest, st_real to[3]) {
    st_real sum[3] = {0}, u[3], turned[3];

    if (rest) st_vec3_copy(sum, c->a);

    for (int j = 0; j < 8; j++) {
        // u = F x − X, of velocities F v
        st_mat3_transpose_times_vec(u, r, x + 3 * (size_t)corners[j]);
        if (rest) st_vec3_sub(u, u, rest + 3 * j);
        for (int k = 0; k < 3; k++) sum[k] += st_vec3_dot(c->v[k] + 3 * j, u);
    }

    st_mat3_times_vec(turned, r, sum);
    st_vec3_add(to, to, turned);
}

static void apply_to(const composite_mapping *self, const st_real *from, st_real *to, bool positions) {
    for (size_t i = 0; i < point_count(self); i++, to += 3) {
        st_vec3_zero(to);
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++) {
            const carrier *c = &self->carriers.data[k];
            uint32_t corners[8];
            st_real r[9], rest[24];

            // R (a + V (F x − X)), of velocities R V F v
            take_cell(self, c->cell, r, corners);
            if (positions) st_pack_take(self->force->mass.fem.model.rest, 24, c->cell, rest);
            add_carried(c, r, corners, from, positions ? rest : NULL, to);
        }
    }
}

static void hexahedron_composite_fem_mapping_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    composite_mapping *self = (composite_mapping *)mapping;
    const st_real *from = st_whole_position(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_position(st_mapping_out(mapping), out.index);

    if (!from || !to || !hexahedron_composite_fem_mapping_is_usable(self)) return;
    keep_frames(self);
    apply_to(self, from, to, true);
}

static void hexahedron_composite_fem_mapping_apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const composite_mapping *self = (const composite_mapping *)mapping;
    const st_real *from = st_whole_velocity(st_mapping_in(mapping), in.index);
    st_real *to = st_whole_velocity(st_mapping_out(mapping), out.index);
    if (from && to && hexahedron_composite_fem_mapping_is_usable(self)) apply_to(self, from, to, false);
}

static void hexahedron_composite_fem_mapping_apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const composite_mapping *self = (const composite_mapping *)mapping;
    const st_real *from = st_whole_force(st_mapping_out(mapping), out.index);
    st_real *to = st_whole_force(st_mapping_in(mapping), in.index);

    if (!from || !to || !hexahedron_composite_fem_mapping_is_usable(self)) return;

    for (size_t i = 0; i < point_count(self); i++)
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++) {
            const carrier *c = &self->carriers.data[k];
            uint32_t corners[8];
            st_real r[9], f[3], g[3], h[3];

            take_cell(self, c->cell, r, corners);

            // F f, then Vᵀ of it for each corner, back in the world
            st_mat3_transpose_times_vec(f, r, from + 3 * i);
            for (int j = 0; j < 8; j++) {
                for (int m = 0; m < 3; m++)
                    g[m] = c->v[0][3 * j + m] * f[0] + c->v[1][3 * j + m] * f[1] + c->v[2][3 * j + m] * f[2];
                st_mat3_times_vec(h, r, g);
                st_vec3_add(to + 3 * (size_t)corners[j], to + 3 * (size_t)corners[j], h);
            }
        }
}

static void hexahedron_composite_fem_mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const composite_mapping *self = (const composite_mapping *)mapping;

    if (!hexahedron_composite_fem_mapping_is_usable(self)) return;

    for (size_t i = 0; i < point_count(self); i++)
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++) {
            const carrier *c = &self->carriers.data[k];
            uint32_t corners[8];
            st_real r[9], v[9], t[9], block[9];

            take_cell(self, c->cell, r, corners);

            for (int j = 0; j < 8; j++) {
                for (int m = 0; m < 9; m++) v[m] = c->v[m / 3][3 * j + m % 3];

                // F^T V_j F
                st_mat3_multiply(t, r, v);
                st_mat3_multiply_transpose(block, t, r);
                st_add_3x3(sink, 3 * i, 3 * (size_t)corners[j], block);
            }
        }
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// What is gathered while the finest cells are visited.
typedef struct gathering {
    const st_sparse_level *finest;
    uint32_t *coarse;  // coarse cell of each finest cell
    st_real *weights;  // 576 of each finest cell
    uint32_t *starts;  // finest corners of each finest point, and the end
    uint32_t *corners; // 8 * cell + corner
    size_t current;    // coarse cell being visited
} gathering;

static void take_weights(void *user, size_t fine, const st_real weights[ST_HEXAHEDRON_ENTRIES]) {
    gathering *g = user;
    g->coarse[fine] = (uint32_t)g->current;
    memcpy(g->weights + fine * ST_HEXAHEDRON_ENTRIES, weights, ST_HEXAHEDRON_ENTRIES * sizeof *weights);
}

static void free_gathering(gathering *g) {
    st_free(g->coarse);
    st_free(g->weights);
    st_free(g->starts);
    st_free(g->corners);
}

// Compressed rows: the corners of finest cells around each finest point.
static void list_corners(gathering *g) {
    const size_t total = 8 * g->finest->hexahedra.count, points = g->finest->points.count;
    const uint32_t *vertices = g->finest->hexahedra.data;

    // counts, then running sums
    for (size_t i = 0; i < total; i++) g->starts[vertices[i] + 1]++;
    for (size_t n = 0; n < points; n++) g->starts[n + 1] += g->starts[n];

    // backwards from the end of each row, as in topology/adjacency.c
    for (size_t i = total; i-- > 0;) g->corners[--g->starts[vertices[i] + 1]] = (uint32_t)i;
    for (size_t n = 0; n < points; n++) g->starts[n] = g->starts[n + 1];
    g->starts[points] = (uint32_t)total;
}

static bool hexahedron_composite_fem_mapping_gather(gathering *g, const st_non_uniform_hexahedron *force) {
    const st_condensation *c = &force->condensation;
    g->finest = &c->grid->levels[c->finest];

    const size_t cells = g->finest->hexahedra.count;

    g->coarse = st_alloc(cells ? cells : 1, sizeof *g->coarse);
    g->weights = st_alloc(cells ? cells : 1, ST_HEXAHEDRON_ENTRIES * sizeof *g->weights);
    g->starts = st_alloc(g->finest->points.count + 2, sizeof *g->starts);
    g->corners = st_alloc(8 * cells + 1, sizeof *g->corners);
    if (!g->coarse || !g->weights || !g->starts || !g->corners) return false;

    // a finest cell that no coarse one reaches is left out
    for (size_t i = 0; i < cells; i++) g->coarse[i] = ST_INVALID_INDEX;
    for (g->current = 0; g->current < force->mass.fem.model.mesh.count; g->current++)
        if (!st_non_uniform_hexahedron_weights(force, g->current, take_weights, g)) return false;

    list_corners(g);
    return true;
}

// The carrier of a point for a coarse cell: a new one when there is none yet.
static carrier *carrier_of(composite_mapping *self, uint32_t first, uint32_t cell) {
    for (size_t k = first; k < self->carriers.count; k++)
        if (self->carriers.data[k].cell == cell) return &self->carriers.data[k];

    if (!st_list_push(&self->carriers, ((carrier){.cell = cell}))) return NULL;
    return &self->carriers.data[self->carriers.count - 1];
}

// Adds weight times one corner of finest cells, seen from each coarse cell around it once.
static bool add_corner(composite_mapping *self, const gathering *g, uint32_t first, uint32_t point, st_real weight,
                       const st_real shift[3]) {
    const uint32_t begin = g->starts[point], end = g->starts[point + 1];
    uint32_t seen[64];
    size_t count = 0;
    for (uint32_t k = end; k-- > begin;) { // the last finest corner of each coarse cell
        const uint32_t cell = g->coarse[g->corners[k] / 8];
        bool known = cell == ST_INVALID_INDEX || count == 64;
        for (size_t s = 0; s < count && !known; s++) known = g->coarse[seen[s] / 8] == cell;
        if (!known) seen[count++] = g->corners[k];
    }

    // each coarse cell gives its part: a += w F_e0 Q0, V += w W
    for (size_t s = 0; s < count; s++) {
        const uint32_t fine = seen[s] / 8, corner = seen[s] % 8;
        carrier *c = carrier_of(self, first, g->coarse[fine]);
        if (!c) return false;

        const st_real part = weight / (st_real)count;
        const st_real *rows = g->weights + fine * (size_t)ST_HEXAHEDRON_ENTRIES + 72 * corner;

        st_real place[3], frame[9], framed[3];
        st_vec3_add(place, g->finest->points.data + 3 * (size_t)point, shift);
        st_pack_take(self->force->mass.fem.model.rest_frame, 9, c->cell, frame);
        st_mat3_times_vec(framed, frame, place);

        for (int k = 0; k < 3; k++) {
            c->a[k] += part * framed[k];
            for (int j = 0; j < 24; j++) c->v[k][j] += part * rows[24 * k + j];
        }
    }
    return true;
}

static bool hexahedron_composite_fem_mapping_add_point(composite_mapping *self, const gathering *g,
                                                       st_sparse_search *search, const st_real p[3],
                                                       const st_real shift[3]) {
    const uint32_t first = (uint32_t)self->carriers.count;
    st_real local[3], q[3], n[ST_SHAPE_NODES];
    size_t cell;

    if (!st_sparse_search_find(search, p, &cell, local)) return false;

    // a point without a cell has no carriers and stays where it is
    if (cell == SIZE_MAX) return st_list_push(&self->start, (uint32_t)self->carriers.count);

    // the weights of the eight corners, trilinear
    for (int k = 0; k < 3; k++) q[k] = 2 * local[k] - 1;
    st_shape_values(ST_HEXAHEDRON, q, n);
    for (int i = 0; i < 8; i++)
        if (!add_corner(self, g, first, g->finest->hexahedra.data[8 * cell + (size_t)i], n[i], shift)) return false;

    return st_list_push(&self->start, (uint32_t)self->carriers.count);
}

static bool hexahedron_composite_fem_mapping_add_points(composite_mapping *self, const gathering *g) {
    const st_state *child = st_mapping_out(&self->mapping);
    const st_reals *x = &child->coord[ST_COORD_POSITION];
    const st_condensation *condensation = &self->force->condensation;
    const st_sparse_level *grid = st_sparse_grid_level(condensation->grid);
    st_sparse_search search = st_sparse_search_on(condensation->grid, condensation->finest);

    // how far the state was moved before the start
    st_real shift[3] = {0};
    if (grid->points.count && self->force->start.count) st_vec3_sub(shift, self->force->start.data, grid->points.data);

    bool ok = st_list_push(&self->start, 0);
    for (size_t i = 0; ok && i < x->count; i++)
        ok = hexahedron_composite_fem_mapping_add_point(self, g, &search, x->data + 3 * i, shift);

    st_sparse_search_free(&search);
    return ok;
}

static st_status hexahedron_composite_fem_mapping_init(st_object *object) {
    composite_mapping *self = (composite_mapping *)object;
    gathering g = {0};

    // its cells are those of a grid that does not change: a mesh has changed elsewhere
    if (st_why_init(object) == ST_INIT_CHANGED && object->validity == ST_VALID && self->force &&
        self->start.count == st_mapping_out(&self->mapping)->size + 1)
        return st_mapping_init(object);

    self->start.count = self->carriers.count = 0;
    self->force = NULL;

    const st_status status = st_mapping_init(object);
    if (status != ST_OK) return status;

    // the force whose cells carry the points
    const st_node *node = st_mapping_in(&self->mapping)->object.node;
    const st_object *force = st_find_class(node, &st_hexahedron_composite_fem_force_field_and_mass_class, ST_LOCAL);
    if (!force) return st_invalid(object, "there is no HexahedronCompositeFEMForceFieldAndMass beside its input");
    self->force = (const st_non_uniform_hexahedron *)force;

    if (!st_is_valid(force) || !self->force->condensed || self->force->mass.fem.model.mesh.count == 0) {
        self->force = NULL;
        return st_invalid(object, "the force beside its input has no finer levels that could carry points");
    }

    const st_reals *x = &st_mapping_out(&self->mapping)->coord[ST_COORD_POSITION];
    for (size_t i = 0; i < 3 * x->count; i++)
        if (!isfinite(x->data[i])) return st_invalid(object, "a position of its child is not finite");

    const bool made = st_list_set_count(&self->frames, self->force->mass.fem.model.mesh.count, 9) &&
                      hexahedron_composite_fem_mapping_gather(&g, self->force) &&
                      hexahedron_composite_fem_mapping_add_points(self, &g);
    free_gathering(&g);

    if (made) {
        keep_frames(self);
        return ST_OK;
    }

    self->start.count = self->carriers.count = 0;
    return st_invalid(object, "out of memory for %zu points", x->count);
}

static void hexahedron_composite_fem_mapping_destroy(st_object *object) {
    composite_mapping *self = (composite_mapping *)object;
    st_list_free(&self->start);
    st_list_free(&self->carriers);
    st_list_free(&self->frames);
}

static const st_mapping_ops ops = {
    .apply = hexahedron_composite_fem_mapping_apply,
    .apply_j = hexahedron_composite_fem_mapping_apply_j,
    .apply_jt = hexahedron_composite_fem_mapping_apply_jt,
    .jacobian = hexahedron_composite_fem_mapping_jacobian,
};

const st_class st_hexahedron_composite_fem_mapping_class = {
    .name = "HexahedronCompositeFEMMapping",
    .help = "points carried by the finest cells of a HexahedronCompositeFEMForceFieldAndMass",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .size = sizeof(composite_mapping),
    .example = "<SparseGridTopology n=\"3 3 3\" nbVirtualFinerLevels=\"1\" position=\"0 0 0  2 0 0  0 2 0  0 0 2\"\n"
               "                    triangles=\"0 2 1  0 1 3  0 3 2  1 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<HexahedronCompositeFEMForceFieldAndMass nbVirtualFinerLevels=\"1\" youngModulus=\"1000\" "
               "poissonRatio=\"0.3\"/>\n"
               "<Node name=\"points\">\n"
               "    <MechanicalObject name=\"child\" position=\"0.2 0.3 0.1  0.9 0.4 0.5\"/>\n"
               "    <HexahedronCompositeFEMMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .init = hexahedron_composite_fem_mapping_init,
    .destroy = hexahedron_composite_fem_mapping_destroy,
    .mapping = &ops,
};
