// TriangleCollisionModel: the triangles of a mesh, and two for each of its quads: a b c d gives b c a and d a c.
//
// Vertices and edges that several triangles share belong to the first of them, so that methods which test them with
// their triangles test them once: the flags.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/pointer_table.h"
#include "collision/collision.h"
#include "collision/contact_mappings.h"
#include "collision/proximity.h"
#include "math/vec3.h"
#include "scene/compat.h"
#include "topology/adjacency.h"

typedef struct triangle_model {
    st_collision_model base;
    bool compute_normals, use_curvature;
    st_reals normals; // Vec3
    ST_LIST(uint16_t) flags;
    size_t triangle_count; // of the mesh; the others come from quads
    bool octree;           // keeps normals of its vertices
    st_reals vertex_normals;
} triangle_model;

static const st_field fields[] = {
    ST_FIELD(triangle_model, compute_normals, "computeNormals", st_type_bool, "1", "keep the normals of the triangles"),
    ST_FIELD(triangle_model, use_curvature, "useCurvature", st_type_bool, "0",
             "cones of normals in the boxes, which no test between triangles asks for", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static void report_outside(const st_collision_model *model, uint32_t vertex, size_t dofs) {
    st_message_once(&model->object, "vertices", ST_ERROR,
                    "a triangle has vertex %u, but the state has %zu DOFs: the last one is taken", vertex, dofs);
}

static bool triangle_model_add_triangle(st_collision_model *model, size_t dofs, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t corner[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        if (corner[k] >= dofs) {
            report_outside(model, corner[k], dofs);
            corner[k] = (uint32_t)(dofs - 1);
        }
        if (!st_list_push(&model->fresh, corner[k])) return false;
    }
    return true;
}

// Are the elements still those of the mesh? In most steps nothing has changed.
static bool has_elements_of(const triangle_model *self, size_t dofs, const st_uints *triangles, const st_uints *quads) {
    const st_collision_model *model = &self->base;
    if (!dofs || !model->count || self->triangle_count != triangles->count ||
        model->vertices.count != 3 * (triangles->count + 2 * quads->count))
        return false;

    // vertices that the state does not have are replaced by its last one
    const uint32_t last = (uint32_t)(dofs - 1), *t = triangles->data, *q = quads->data, *v = model->vertices.data;
    uint32_t difference = 0;
    for (size_t i = 0; i < 3 * triangles->count; i++) difference |= v[i] ^ (t[i] < last ? t[i] : last);

    v += 3 * triangles->count;
    for (size_t i = 0; i < quads->count; i++, q += 4, v += 6) {
        static const int corner[6] = {1, 2, 0, 3, 0, 2};
        for (int k = 0; k < 6; k++) difference |= v[k] ^ (q[corner[k]] < last ? q[corner[k]] : last);
    }
    return difference == 0;
}

static bool triangle_model_refresh(st_collision_model *model) {
    triangle_model *self = (triangle_model *)model;
    st_topology *topology = (st_topology *)model->topology;
    const size_t dofs = st_collision_model_dofs(model);
    const st_uints *triangles = st_topology_elements(topology, ST_TRIANGLE);
    const st_uints *quads = st_topology_elements(topology, ST_QUAD);
    bool ok = true;
    if (has_elements_of(self, dofs, triangles, quads)) return true;

    // triangles, then two for each quad
    model->fresh.count = 0;

    for (size_t i = 0; dofs && ok && i < triangles->count; i++) {
        const uint32_t *t = triangles->data + 3 * i;
        ok = triangle_model_add_triangle(model, dofs, t[0], t[1], t[2]);
    }

    // a quad is two triangles, cut along its diagonal 0-2
    for (size_t i = 0; dofs && ok && i < quads->count; i++) {
        const uint32_t *q = quads->data + 4 * i;
        ok = triangle_model_add_triangle(model, dofs, q[1], q[2], q[0]) &&
             triangle_model_add_triangle(model, dofs, q[3], q[0], q[2]);
    }

    if (!ok) return false;

    st_collision_model_take(model);
    self->triangle_count = dofs ? triangles->count : 0;

    if (model->rebuilt) self->flags.count = 0;
    return true;
}

// Normals of the vertices from those of the triangles, as they were the last time; zero where there are none.
static bool sum_normals(triangle_model *self) {
    const st_collision_model *model = &self->base;
    const size_t dofs = st_collision_model_dofs(model);
    self->vertex_normals.count = 0; // new ones are zero
    if (!st_list_set_count(&self->vertex_normals, dofs, 3)) return false;

    for (size_t i = 0; i < self->normals.count && i < model->count; i++)
        for (int k = 0; k < 3; k++) {
            st_real *n = self->vertex_normals.data + 3 * st_corner(model, i, k);
            st_vec3_add(n, n, self->normals.data + 3 * i);
        }
    for (size_t i = 0; i < dofs; i++) {
        st_real *n = self->vertex_normals.data + 3 * i;
        st_vec3_normalize(n, n);
    }
    return true;
}

bool st_vertex_normals_are_kept(const st_collision_model *model) {
    return model->primitive == ST_PRIMITIVE_TRIANGLE && ((const triangle_model *)model)->octree;
}

const st_real *st_vertex_normal(const st_collision_model *triangles, size_t dof) {
    const triangle_model *self = (const triangle_model *)triangles;
    const st_real *n = dof < self->vertex_normals.count ? self->vertex_normals.data + 3 * dof : NULL;
    return n && st_vec3_norm2(n) > 0 ? n : NULL;
}

static void normal_of(const st_collision_model *model, size_t i, st_real n[3]) {
    const st_real *p1 = st_corner_position(model, i, 0);
    st_real a[3], b[3];
    st_vec3_sub(a, st_corner_position(model, i, 1), p1);
    st_vec3_sub(b, st_corner_position(model, i, 2), p1);
    st_vec3_cross(n, a, b);
    st_vec3_normalize(n, n);
}

static void find_normals(triangle_model *self) {
    for (size_t i = 0; i < self->normals.count; i++) normal_of(&self->base, i, self->normals.data + 3 * i);
}

// Those of a model that moves are found where they are needed; an octree sums those of all its triangles.
static bool keeps_normals(const triangle_model *self) {
    return self->compute_normals && (self->octree || !self->base.moving);
}

static bool triangle_model_moved(st_collision_model *model) {
    triangle_model *self = (triangle_model *)model;
    const bool first = self->normals.count != model->count;
    if (!st_list_set_count(&self->normals, keeps_normals(self) ? model->count : 0, 3)) return false;
    if (self->octree && first) find_normals(self);
    if (self->octree && !sum_normals(self)) return false;
    find_normals(self);
    return true;
}

bool st_triangle_normal(const st_collision_model *triangles, size_t i, st_real n[3]) {
    const triangle_model *self = (const triangle_model *)triangles;
    if (!self->compute_normals) return false;

    if (i < self->normals.count) st_vec3_copy(n, self->normals.data + 3 * i);
    else normal_of(triangles, i, n);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Flags
// ---------------------------------------------------------------------------------------------------

static bool is_first(st_around around, uint32_t part, size_t triangle) {
    const st_shell shell = st_shell_of(around, part);
    return shell.count > 0 && shell.ids[0] == triangle;
}

// SOFA's owners: the first triangle of the mesh around a part. Those of quads own nothing.
static void flags_of_mesh(triangle_model *self) {
    st_topology *topology = (st_topology *)self->base.topology;
    const uint32_t *vertices = st_topology_elements(topology, ST_TRIANGLE)->data;
    const uint32_t *edges = st_topology_in(topology, ST_TRIANGLE, ST_EDGE);
    const st_around vertex = st_topology_around(topology, ST_TRIANGLE, ST_VERTEX);
    const st_around edge = st_topology_around(topology, ST_TRIANGLE, ST_EDGE);

    for (size_t i = 0; i < self->triangle_count; i++)
        for (size_t k = 0; k < 3; k++) {
            if (vertex.starts && is_first(vertex, vertices[3 * i + k], i))
                self->flags.data[i] |= (uint16_t)(ST_OWNS_P1 << k);

            if (!edges || !edge.starts) continue;
            if (is_first(edge, edges[3 * i + k], i)) self->flags.data[i] |= (uint16_t)(ST_OWNS_E23 << k);
            if (st_shell_of(edge, edges[3 * i + k]).count == 1) self->flags.data[i] |= (uint16_t)(ST_BORDER_E23 << k);
        }
}

// Is it the first time that this vertex, or edge, is met?
static bool is_new(st_pointer_table *met, uint32_t a, uint32_t b, bool *ok) {
    const void *first = (const void *)((uintptr_t)(a < b ? a : b) + 1),
               *second = (const void *)((uintptr_t)(a < b ? b : a) + 1);
    if (st_pointer_table_get(met, first, second) != SIZE_MAX) return false;
    *ok = st_pointer_table_put(met, first, second, 0) && *ok;
    return true;
}

// Edges of one element alone.
static bool flag_borders(triangle_model *self) {
    st_pointer_table uses = {0};
    bool ok = true;

    // elements of each edge are counted first
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; ok && i < 3 * self->base.count; i++) {
            const uint32_t *v = self->base.vertices.data + 3 * (i / 3), a = v[(i + 1) % 3], b = v[(i + 2) % 3];
            const void *first = (const void *)((uintptr_t)(a < b ? a : b) + 1),
                       *second = (const void *)((uintptr_t)(a < b ? b : a) + 1);

            const size_t count = st_pointer_table_get(&uses, first, second);
            if (pass == 0) ok = st_pointer_table_put(&uses, first, second, count == SIZE_MAX ? 1 : count + 1);
            else if (count == 1) self->flags.data[i / 3] |= (uint16_t)(ST_BORDER_E23 << i % 3);
        }

    st_pointer_table_free(&uses);
    return ok;
}

// Every part has an owner: the first element that has it, a triangle or one of a quad.
static bool flags_of_elements(triangle_model *self) {
    st_pointer_table met = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < self->base.count; i++) {
        const uint32_t *v = self->base.vertices.data + 3 * i;
        for (int k = 0; k < 3; k++) {
            if (is_new(&met, v[k], v[k], &ok)) self->flags.data[i] |= (uint16_t)(ST_OWNS_P1 << k);
            if (is_new(&met, v[(k + 1) % 3], v[(k + 2) % 3], &ok)) self->flags.data[i] |= (uint16_t)(ST_OWNS_E23 << k);
        }
    }
    st_pointer_table_free(&met);
    return ok && flag_borders(self);
}

static bool triangle_model_prepare(st_collision_model *model) {
    triangle_model *self = (triangle_model *)model;
    if (self->flags.count == model->count) return true;

    self->flags.count = 0; // new ones are 0
    if (!st_list_set_count(&self->flags, model->count, 1)) return false;
    if (st_compat_on(model->object.scene, ST_COMPAT_NEW_PROXIMITY_FLAGS)) flags_of_mesh(self);
    else if (!flags_of_elements(self)) self->flags.count = 0;

    return self->flags.count == model->count;
}

unsigned st_triangle_flags(const st_collision_model *triangles, size_t i) {
    const triangle_model *self = (const triangle_model *)triangles;
    return i < self->flags.count ? self->flags.data[i] : 0;
}

static bool triangle_model_may_touch(const st_collision_model *model, size_t i, const st_collision_model *other,
                                     size_t j) {
    if (other->primitive != ST_PRIMITIVE_POINT) return true;
    for (int k = 0; k < 3; k++)
        if (st_corner(model, i, k) == j) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Contact points
// ---------------------------------------------------------------------------------------------------

// On a triangle of a quad a b c d: p = a + α (b - a) + β (d - a), in the plane of these two sides, carried by all four
// vertices as on a bilinear patch.
static bool carry_on_quad(const st_collision_model *model, st_mapping *mapping, size_t quad, const st_real point[3]) {
    const uint32_t *q = st_topology_elements((st_topology *)model->topology, ST_QUAD)->data + 4 * quad;
    const size_t dofs = st_collision_model_dofs(model);
    const st_real *x = model->state->coord[ST_COORD_POSITION].data;
    uint32_t nodes[4];
    for (int k = 0; k < 4; k++) nodes[k] = q[k] < dofs ? q[k] : (uint32_t)(dofs - 1);

    // coordinates along the two sides from a
    st_real u[3], v[3], p[3], alpha, beta;
    st_vec3_sub(u, x + 3 * (size_t)nodes[1], x + 3 * (size_t)nodes[0]);
    st_vec3_sub(v, x + 3 * (size_t)nodes[3], x + 3 * (size_t)nodes[0]);
    st_vec3_sub(p, point, x + 3 * (size_t)nodes[0]);

    if (!st_plane_coordinates(u, v, p, &alpha, &beta)) alpha = beta = 0;
    const st_real weights[4] = {(1 - alpha) * (1 - beta), alpha * (1 - beta), alpha * beta, (1 - alpha) * beta};
    return st_barycentric_carrier_add(mapping, 4, nodes, weights);
}

// A triangle without area has no coordinates, but its vertices can touch.
static void weights_of_nearest_vertex(const st_real *const p[3], const st_real point[3], st_real weights[3]) {
    int nearest = 0;
    for (int k = 1; k < 3; k++)
        if (st_vec3_distance(p[k], point) < st_vec3_distance(p[nearest], point)) nearest = k;
    for (int k = 0; k < 3; k++) weights[k] = k == nearest;
}

static bool triangle_model_carry(const st_collision_model *model, st_mapping *mapping, size_t i,
                                 const st_real point[3]) {
    const triangle_model *self = (const triangle_model *)model;
    if (i >= self->triangle_count) return carry_on_quad(model, mapping, (i - self->triangle_count) / 2, point);

    static const st_border_limits closed = {.low = 0, .high = 1, .corner = 0};
    const st_real *const p[3] = {st_corner_position(model, i, 0), st_corner_position(model, i, 1),
                                 st_corner_position(model, i, 2)};

    // the nearest point of the triangle
    st_real alpha, beta;
    st_nearest_on_triangle(p[0], p[1], p[2], point, &closed, &alpha, &beta);
    st_real weights[3] = {1 - alpha - beta, alpha, beta};

    if (!isfinite(weights[0])) weights_of_nearest_vertex(p, point, weights);
    return st_barycentric_carrier_add(mapping, 3, model->vertices.data + 3 * i, weights);
}

// ---------------------------------------------------------------------------------------------------
// Class
// ---------------------------------------------------------------------------------------------------

static st_status triangle_model_init(st_object *object) {
    st_collision_model *model = (st_collision_model *)object;
    const st_status status = st_mesh_collision_model_class.init(object);
    model->primitive = ST_PRIMITIVE_TRIANGLE;
    model->corners = 3;
    if (status != ST_OK || model->topology) return status;
    return st_invalid(object, "there is no topology in its node or above: it touches nothing");
}

static void triangle_model_destroy(st_object *object) {
    triangle_model *self = (triangle_model *)object;
    st_list_free(&self->normals);
    st_list_free(&self->vertex_normals);
    st_list_free(&self->flags);
    st_collision_model_class.destroy(object);
}

static const st_collision_model_ops ops = {
    .refresh = triangle_model_refresh,
    .moved = triangle_model_moved,
    .prepare = triangle_model_prepare,
    .may_touch = triangle_model_may_touch,
    .carrier = &st_barycentric_carrier,
    .carry = triangle_model_carry,
};

const st_class st_triangle_collision_model_class = {
    .name = "TriangleCollisionModel",
    .help = "triangles and quads of a mesh, that touch other models",
    .parent = &st_mesh_collision_model_class,
    .fields = fields,
    .size = sizeof(triangle_model),
    .init = triangle_model_init,
    .destroy = triangle_model_destroy,
    .collision_model = &ops,
};

// ---------------------------------------------------------------------------------------------------
// Kinds
// ---------------------------------------------------------------------------------------------------

static st_status triangle_octree_init(st_object *object) {
    triangle_model *self = (triangle_model *)object;
    self->octree = self->base.flat = self->compute_normals = true;
    return triangle_model_init(object);
}

static void triangle_octree_reset(st_object *object) {
    ((triangle_model *)object)->normals.count = 0;
    st_collision_model_class.reset(object);
}

const st_class st_triangle_octree_collision_model_class = {
    .name = "TriangleOctreeCollisionModel",
    .help = "triangles with normals of their vertices, for RayTraceNarrowPhase",
    .parent = &st_triangle_collision_model_class,
    .aliases = "TriangleOctreeModel",
    .size = sizeof(triangle_model),
    .init = triangle_octree_init,
    .reset = triangle_octree_reset,
};

static st_status triangle_in_grid_init(st_object *object) {
    ((st_collision_model *)object)->flat = true;
    return triangle_model_init(object);
}

const st_class st_triangle_model_in_regular_grid_class = {
    .name = "TriangleModelInRegularGrid",
    .help = "triangles below one box, for surfaces of grids",
    .parent = &st_triangle_collision_model_class,
    .size = sizeof(triangle_model),
    .init = triangle_in_grid_init,
};
