// GenerateCylinder: a solid cylinder of tetrahedra along z, and its surface of triangles.
//
// Solid: Z layers of a center and R rings of T points. Between two layers, the wedge at the center gives three
// tetrahedra, each cell farther out six. Surface: Z rings of T points; a closed one has two lids, each a center and R-1
// rings.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

typedef struct generate_cylinder {
    st_object object;
    st_real radius, height, origin[3];
    bool open;
    uint32_t around, rings, layers; // T, R, Z
    st_reals solid_points, surface_points;
    st_uints tetrahedra, triangles;
} generate_cylinder;

static const st_field fields[] = {
    ST_INPUT(generate_cylinder, radius, "radius", st_type_real, "0.2", "radius"),
    ST_INPUT(generate_cylinder, height, "height", st_type_real, "1", "height, along z"),
    ST_INPUT(generate_cylinder, origin, "origin", st_type_vec3, "0 0 0", "center of the bottom"),
    ST_INPUT(generate_cylinder, open, "openSurface", st_type_bool, "1", "the surface has no lids"),
    ST_INPUT(generate_cylinder, around, "resCircumferential", st_type_uint, "6", "points around"),
    ST_INPUT(generate_cylinder, rings, "resRadial", st_type_uint, "3", "rings from the axis to the surface"),
    ST_INPUT(generate_cylinder, layers, "resHeight", st_type_uint, "5", "layers of points along the axis"),
    ST_OUTPUT(generate_cylinder, solid_points, "output_TetrahedraPosition", st_type_vec3s, "points of the solid",
              .aliases = "position output_position"),
    ST_OUTPUT(generate_cylinder, tetrahedra, "tetrahedra", st_type_tetrahedra, "tetrahedra of the solid"),
    ST_OUTPUT(generate_cylinder, surface_points, "output_TrianglesPosition", st_type_vec3s, "points of the surface"),
    ST_OUTPUT(generate_cylinder, triangles, "triangles", st_type_triangles, "triangles of the surface"),
    ST_FIELDS_END,
};

static bool generate_cylinder_check(const generate_cylinder *engine) {
    const double points = ((double)engine->around * engine->rings + 1) * engine->layers;

    if (engine->around >= 3 && engine->rings >= 1 && engine->layers >= 2 && points <= ST_ENGINE_LARGEST) return true;

    st_message(&engine->object, ST_ERROR,
               "resCircumferential, resRadial and resHeight are %lu, %lu and %lu: at least 3, 1 and 2 are needed, and "
               "%g points are the most",
               (unsigned long)engine->around, (unsigned long)engine->rings, (unsigned long)engine->layers,
               (double)ST_ENGINE_LARGEST);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static bool generate_cylinder_add_point(const generate_cylinder *engine, st_reals *points, uint32_t ring, uint32_t k,
                                        st_real z) {
    // x = r cos φ, y = r sin φ; the center has no angle
    const st_real r = (st_real)ring * engine->radius / (st_real)engine->rings;
    const st_real angle = 2 * ST_PI * (st_real)k / (st_real)engine->around;
    st_real p[3] = {r * cos(angle), r * sin(angle), z};

    if (ring == 0) st_vec3_set(p, 0, 0, z);
    st_vec3_add(p, p, engine->origin);
    return st_push_reals(points, p, 3);
}

static bool add_rings(const generate_cylinder *engine, st_reals *points, uint32_t first, uint32_t last, st_real z) {
    for (uint32_t j = first; j <= last; j++)
        for (uint32_t k = 0; k < engine->around; k++)
            if (!generate_cylinder_add_point(engine, points, j, k, z)) return false;
    return true;
}

static st_real layer_height(const generate_cylinder *engine, uint32_t i) {
    return (st_real)i * engine->height / (st_real)(engine->layers - 1);
}

static bool generate_cylinder_make_points(generate_cylinder *engine) {
    // solid: a center and all rings for each layer; surface: the outermost ring
    for (uint32_t i = 0; i < engine->layers; i++) {
        const st_real z = layer_height(engine, i);
        if (!generate_cylinder_add_point(engine, &engine->solid_points, 0, 0, z) ||
            !add_rings(engine, &engine->solid_points, 1, engine->rings, z) ||
            !add_rings(engine, &engine->surface_points, engine->rings, engine->rings, z))
            return false;
    }

    // lids have a center and all rings but the outermost
    for (int end = 0; end < 2 && !engine->open; end++) {
        const st_real z = end ? engine->height : 0;
        if (!generate_cylinder_add_point(engine, &engine->surface_points, 0, 0, z) ||
            !add_rings(engine, &engine->surface_points, 1, engine->rings - 1, z))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Tetrahedra
// ---------------------------------------------------------------------------------------------------

static bool add_four(generate_cylinder *engine, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t v[4] = {a, b, c, d};
    return st_push_uints(&engine->tetrahedra, v, 4);
}

static bool add_prism(generate_cylinder *engine, uint32_t a, uint32_t b, uint32_t c, uint32_t layer) {
    const uint32_t la = a - layer, lb = b - layer, lc = c - layer;
    return add_four(engine, b, a, c, la) && add_four(engine, b, c, lb, la) && add_four(engine, la, lb, lc, c);
}

static bool add_cell(generate_cylinder *engine, uint32_t h0, uint32_t h1, uint32_t layer) {
    static const int corners[6][4] = {{0, 5, 4, 7}, {0, 1, 5, 3}, {5, 0, 3, 7},
                                      {0, 3, 7, 2}, {7, 0, 2, 4}, {6, 7, 2, 4}};

    const uint32_t t = engine->around;
    const uint32_t h[8] = {h0, h1, h0 + t, h1 + t, h0 - layer, h1 - layer, h0 + t - layer, h1 + t - layer};

    for (int i = 0; i < 6; i++)
        if (!add_four(engine, h[corners[i][0]], h[corners[i][1]], h[corners[i][2]], h[corners[i][3]])) return false;
    return true;
}

static bool make_tetrahedra(generate_cylinder *engine) {
    const uint32_t t = engine->around, layer = t * engine->rings + 1;

    for (uint32_t i = 1; i < engine->layers; i++) {
        // three tetrahedra for each wedge at the center
        uint32_t center = i * layer;
        for (uint32_t k = 1, before = t; k <= t; before = k++)
            if (!add_prism(engine, center, center + before, center + k, layer)) return false;

        // six for each cell of the rings farther out
        for (uint32_t j = 1; j < engine->rings; j++, center += t)
            for (uint32_t k = 1, before = t; k <= t; before = k++)
                if (!add_cell(engine, center + k, center + before, layer)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------

static bool add_three(generate_cylinder *engine, uint32_t a, uint32_t b, uint32_t c, bool reversed) {
    const uint32_t v[3] = {a, reversed ? c : b, reversed ? b : c};
    return st_push_uints(&engine->triangles, v, 3);
}

static bool make_side(generate_cylinder *engine) {
    const uint32_t t = engine->around;

    for (uint32_t i = 1; i < engine->layers; i++)
        for (uint32_t k = 0; k < t; k++) {
            const uint32_t next = (k + 1) % t, top = i * t, bottom = (i - 1) * t;
            if (!add_three(engine, top + k, bottom + k, bottom + next, false) ||
                !add_three(engine, top + k, bottom + next, top + next, false))
                return false;
        }
    return true;
}

// The first point of ring j of a lid; the outermost ring is the side's own.
static uint32_t lid_ring(const generate_cylinder *engine, int end, uint32_t j) {
    const uint32_t t = engine->around, lid = 1 + (engine->rings - 1) * t;

    if (j == engine->rings) return end ? (engine->layers - 1) * t : 0;
    return engine->layers * t + (uint32_t)end * lid + (j == 0 ? 0 : 1 + (j - 1) * t);
}

// A fan around the center, then the rings; seen from outside counterclockwise, so the bottom is turned over.
static bool make_lid(generate_cylinder *engine, int end) {
    const uint32_t t = engine->around, center = lid_ring(engine, end, 0);
    const bool bottom = end == 0;

    // fan around the center
    for (uint32_t k = 0; k < t; k++) {
        const uint32_t ring = lid_ring(engine, end, 1);
        if (!add_three(engine, center, ring + k, ring + (k + 1) % t, bottom)) return false;
    }

    // rings
    for (uint32_t j = 1; j < engine->rings; j++)
        for (uint32_t k = 0; k < t; k++) {
            const uint32_t in = lid_ring(engine, end, j), out = lid_ring(engine, end, j + 1), next = (k + 1) % t;
            if (!add_three(engine, in + k, out + k, out + next, bottom) ||
                !add_three(engine, in + k, out + next, in + next, bottom))
                return false;
        }
    return true;
}

static void generate_cylinder_update(st_object *object) {
    generate_cylinder *engine = (generate_cylinder *)object;

    engine->solid_points.count = engine->surface_points.count = engine->tetrahedra.count = engine->triangles.count = 0;
    bool ok = true;

    if (generate_cylinder_check(engine)) {
        ok = generate_cylinder_make_points(engine) && make_tetrahedra(engine) && make_side(engine);
        for (int end = 0; end < 2 && ok && !engine->open; end++) ok = make_lid(engine, end);
    }
    st_engine_done(object, ok);
}

const st_class st_generate_cylinder_class = {
    .name = "GenerateCylinder",
    .help = "makes a solid cylinder and its surface",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(generate_cylinder),
    .example = "<GenerateCylinder name=\"rod\" radius=\"0.1\" height=\"1\"/>\n"
               "<MechanicalObject position=\"@rod.position\"/>\n"
               "<MeshTopology position=\"@rod.position\" tetrahedra=\"@rod.tetrahedra\"/>",
    .update = generate_cylinder_update,
};
