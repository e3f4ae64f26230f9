// DilateEngine: moves the points of a surface by a distance along their normals, which are weighted by the areas of the
// faces. With minThickness a point moves farther where the body is thinner than that after the move: half of what is
// missing, the other half being left to the opposite side.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "engine/surface.h"

typedef struct dilate_engine {
    st_object object;
    st_reals input, output, normals, thickness;
    st_uints triangles, quads;
    st_real distance, min_thickness;
} dilate_engine;

static const st_field fields[] = {
    ST_INPUT(dilate_engine, input, "input_position", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(dilate_engine, triangles, "triangles", st_type_triangles, NULL, "its triangles"),
    ST_INPUT(dilate_engine, quads, "quads", st_type_quads, NULL, "its quads"),
    ST_INPUT(dilate_engine, distance, "distance", st_type_real, "0", "distance outward; negative: inward"),
    ST_INPUT(dilate_engine, min_thickness, "minThickness", st_type_real, "0",
             "thickness that the body must have; 0: it is not looked at"),
    ST_OUTPUT(dilate_engine, output, "output_position", st_type_vec3s, "points after the move"),
    ST_OUTPUT(dilate_engine, normals, "normal", st_type_vec3s, "normal of each point"),
    ST_OUTPUT(dilate_engine, thickness, "thickness", st_type_reals,
              "thickness at each point before the move; only with minThickness"),
    ST_FIELDS_END,
};

static const st_real *dilate_engine_point(const dilate_engine *engine, size_t i) { return engine->input.data + 3 * i; }

// Where the ray p + d n meets the triangle, d > 0; ST_REAL_MAX: nowhere.
static st_real ray_distance(const st_real *p, const st_real n[3], const st_real *a, const st_real *b,
                            const st_real *c) {
    st_real ab[3], ac[3], u, v, d;

    st_vec3_sub(ab, b, a);
    st_vec3_sub(ac, c, a);
    if (!st_ray_meets_plane(p, n, a, ab, ac, &u, &v, &d)) return ST_REAL_MAX;
    return u >= 0 && v >= 0 && u + v <= 1 && d > 0 ? d : ST_REAL_MAX;
}

static bool has_vertex(const uint32_t *v, size_t size, size_t i) {
    for (size_t k = 0; k < size; k++)
        if (v[k] == i) return true;
    return false;
}

static st_real face_distance(const dilate_engine *engine, size_t i, const st_real inward[3], const st_uints *faces,
                             int size) {
    st_real best = ST_REAL_MAX;

    for (size_t f = 0; f < faces->count; f++) {
        const uint32_t *v = faces->data + f * (size_t)size;

        // the faces around the point itself do not bound the body there
        if (!st_vertices_exist(v, size, engine->input.count) || has_vertex(v, size, i)) continue;

        for (int k = 2; k < size; k++)
            best = st_min(best, ray_distance(dilate_engine_point(engine, i), inward, dilate_engine_point(engine, v[0]),
                                             dilate_engine_point(engine, v[k - 1]), dilate_engine_point(engine, v[k])));
    }
    return best;
}

static st_real move_of(dilate_engine *engine, size_t i) {
    if (!(engine->min_thickness > 0)) return engine->distance;

    // how thick the body is behind the point
    st_real inward[3];
    st_vec3_negate(inward, engine->normals.data + 3 * i);
    const st_real thickness = st_min(face_distance(engine, i, inward, &engine->triangles, 3),
                                     face_distance(engine, i, inward, &engine->quads, 4));
    engine->thickness.data[i] = thickness;

    // both sides move by the distance; each adds half of what is still missing
    const st_real missing = engine->min_thickness - (thickness + 2 * engine->distance);
    return missing > 0 ? engine->distance + missing / 2 : engine->distance;
}

static void dilate_engine_update(st_object *object) {
    dilate_engine *engine = (dilate_engine *)object;
    const size_t count = engine->input.count;
    const bool ok = st_engine_resize(object, &engine->output, count) &&
                    st_engine_resize(object, &engine->normals, count) &&
                    st_engine_resize(object, &engine->thickness, engine->min_thickness > 0 ? count : 0);

    // normals weighted by the areas of the faces
    const st_surface surface = {engine->input.data,     count,
                                engine->triangles.data, engine->triangles.count,
                                engine->quads.data,     engine->quads.count};
    if (ok) st_surface_normals(&surface, ST_NORMAL_AREA, engine->normals.data);

    for (size_t i = 0; ok && i < count; i++)
        st_vec3_add_scaled(engine->output.data + 3 * i, dilate_engine_point(engine, i), engine->normals.data + 3 * i,
                           move_of(engine, i));

    st_engine_done(object, ok);
}

const st_class st_dilate_engine_class = {
    .name = "DilateEngine",
    .help = "moves a surface along its normals",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(dilate_engine),
    .update = dilate_engine_update,
};
