// PointCollisionModel: every DOF of a state is a point. With computeNormals each has the direction of the sum of the unit
// normals of the faces around it: those of tetrahedra, else of triangles and quads.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/collision.h"
#include "math/vec3.h"

typedef struct point_model {
    st_collision_model base;
    bool compute_normals, show_free;
    st_reals normals; // Vec3
} point_model;

static const st_field fields[] = {
    ST_FIELD(point_model, compute_normals, "computeNormals", st_type_bool, "0",
             "keep normals of the points, which tests with tetrahedra need"),
    ST_FIELD(point_model, show_free, "displayFreePosition", st_type_bool, "0", "draw the free motion",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// Points of one model never touch each other.
static bool point_model_may_touch(const st_collision_model *model, size_t i, const st_collision_model *other,
                                  size_t j) {
    (void)i, (void)j;
    return other != model;
}

// --- normals

// Adds the unit normal u × v of a face, u and v being differences of points, to its corners.
static void add_face(point_model *self, const uint32_t *corner, int count, const uint32_t *from, const uint32_t *to) {
    const st_real *x = self->base.state->coord[ST_COORD_POSITION].data;
    st_real u[3], v[3], n[3];
    for (int k = 0; k < count; k++)
        if (corner[k] >= self->normals.count) return;

    st_vec3_sub(u, x + 3 * (size_t)to[0], x + 3 * (size_t)from[0]);
    st_vec3_sub(v, x + 3 * (size_t)to[1], x + 3 * (size_t)from[1]);
    st_vec3_cross(n, u, v);
    st_vec3_normalize(n, n);

    for (int k = 0; k < count; k++) {
        st_real *sum = self->normals.data + 3 * (size_t)corner[k];
        st_vec3_add(sum, sum, n);
    }
}

static void add_faces(point_model *self, st_topology *mesh) {
    static const int faces[4][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
    const st_uints *tetrahedra = st_topology_elements(mesh, ST_TETRAHEDRON);

    // the four faces of each tetrahedron, looking out
    for (size_t i = 0; i < 4 * tetrahedra->count; i++) {
        const uint32_t *t = tetrahedra->data + 4 * (i / 4);
        const int *f = faces[i % 4];
        const uint32_t c[3] = {t[f[0]], t[f[1]], t[f[2]]};
        add_face(self, c, 3, (uint32_t[]){c[0], c[0]}, (uint32_t[]){c[1], c[2]});
    }

    if (tetrahedra->count) return;

    // else of the surface
    const st_uints *triangles = st_topology_elements(mesh, ST_TRIANGLE), *quads = st_topology_elements(mesh, ST_QUAD);
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *t = triangles->data + 3 * i;
        add_face(self, t, 3, (uint32_t[]){t[0], t[0]}, (uint32_t[]){t[1], t[2]});
    }

    for (size_t i = 0; i < quads->count; i++) {
        const uint32_t *q = quads->data + 4 * i;
        add_face(self, q, 4, (uint32_t[]){q[0], q[1]}, (uint32_t[]){q[2], q[3]});
    }
}

static bool point_model_moved(st_collision_model *model) {
    point_model *self = (point_model *)model;
    self->normals.count = 0; // new ones are zero
    if (!self->compute_normals || !model->topology) return true;

    if (!st_list_set_count(&self->normals, model->count, 3)) return false;
    add_faces(self, (st_topology *)model->topology);

    // directions; opposite faces leave none
    for (size_t i = 0; i < model->count; i++) {
        st_real *n = self->normals.data + 3 * i;
        const st_real length = st_vec3_norm(n);
        if (length > (st_real)1e-3) st_vec3_divide(n, n, length);
        else st_vec3_set(n, 0, 0, 0);
    }
    return true;
}

const st_real *st_point_normal(const st_collision_model *points, size_t i) {
    const point_model *self = (const point_model *)points;
    const st_real *n = i < self->normals.count ? self->normals.data + 3 * i : NULL;
    return n && st_vec3_norm2(n) > 0 ? n : NULL;
}

static void point_model_destroy(st_object *object) {
    st_list_free(&((point_model *)object)->normals);
    st_collision_model_class.destroy(object);
}

static st_status point_model_init(st_object *object) {
    ((st_collision_model *)object)->primitive = ST_PRIMITIVE_POINT;
    return st_mesh_collision_model_class.init(object);
}

static const st_collision_model_ops ops = {.moved = point_model_moved, .may_touch = point_model_may_touch};

const st_class st_point_collision_model_class = {
    .name = "PointCollisionModel",
    .help = "points of a state, that touch other models",
    .parent = &st_mesh_collision_model_class,
    .fields = fields,
    .size = sizeof(point_model),
    .init = point_model_init,
    .destroy = point_model_destroy,
    .collision_model = &ops,
};
