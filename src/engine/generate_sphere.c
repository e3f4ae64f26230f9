// GenerateSphere: a sphere of triangles, made by dividing the faces of a platonic solid, and the solid ball of
// tetrahedra that joins them to the center.
//
// Degree n:
//   1. the vertices of the solid on the unit sphere
//   2. n-1 points on each edge by spherical interpolation
//   3. the points (j a + k b + l c) / |.| with j + k + l = n inside each face (a, b, c)
//   4. n² triangles for each face
//   5. radius and origin
//   6. the ball: each triangle with the center
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "engine/engine.h"
#include "engine/platonic.h"

enum { LARGEST_DEGREE = 1024 };

typedef struct generate_sphere {
    st_object object;
    st_real radius, origin[3];
    uint32_t degree;
    char *solid;
    st_reals solid_points, surface_points;
    st_uints tetrahedra, triangles;
} generate_sphere;

// The radius is no input: changing it alone makes no new sphere.
static const st_field fields[] = {
    ST_FIELD(generate_sphere, radius, "radius", st_type_real, "0.2", "radius", .flags = ST_FIELD_REINIT),
    ST_INPUT(generate_sphere, origin, "origin", st_type_vec3, "0 0 0", "center"),
    ST_INPUT(generate_sphere, degree, "tessellationDegree", st_type_uint, "1",
             "number of parts into which each edge of the solid is divided"),
    ST_INPUT(generate_sphere, solid, "platonicSolid", st_type_string, "icosahedron",
             "solid to start from: icosahedron, tetrahedron or octahedron"),
    ST_OUTPUT(generate_sphere, solid_points, "output_TetrahedraPosition", st_type_vec3s, "points of the ball",
              .aliases = "position output_position"),
    ST_OUTPUT(generate_sphere, tetrahedra, "tetrahedra", st_type_tetrahedra, "tetrahedra of the ball"),
    ST_OUTPUT(generate_sphere, surface_points, "output_TrianglesPosition", st_type_vec3s, "points of the sphere"),
    ST_OUTPUT(generate_sphere, triangles, "triangles", st_type_triangles, "triangles of the sphere"),
    ST_FIELDS_END,
};

static const st_platonic *find_solid(const generate_sphere *engine) {
    for (const st_platonic *solid = st_platonic_solids; solid->name; solid++)
        if (engine->solid && strcmp(solid->name, engine->solid) == 0) return solid;

    st_message(&engine->object, ST_ERROR,
               "platonicSolid \"%.40s\" is not known: it is icosahedron, tetrahedron or octahedron",
               engine->solid ? engine->solid : "");
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Points of the unit sphere
// ---------------------------------------------------------------------------------------------------

static bool add_unit(st_reals *points, st_real p[3]) {
    st_vec3_normalize(p, p);
    return st_push_reals(points, p, 3);
}

static bool add_vertices(st_reals *points, const st_platonic *solid) {
    for (size_t i = 0; i < solid->vertex_count; i++) {
        st_real p[3];
        st_vec3_copy(p, solid->vertices[i]);

        if (!(solid->normalized ? st_push_reals(points, p, 3) : add_unit(points, p))) return false;
    }
    return true;
}

// cos(w phi) a + sin(w phi) t, with t the unit tangent at a towards b.
static bool add_edge(st_reals *points, const uint32_t edge[2], uint32_t n) {
    st_real a[3], b[3], tangent[3];
    st_vec3_copy(a, points->data + 3 * (size_t)edge[0]);
    st_vec3_copy(b, points->data + 3 * (size_t)edge[1]);

    // the angle between both ends, and the tangent
    const st_real cosine = st_vec3_dot(a, b), angle = acos(st_clamp(cosine, -1, 1));
    st_vec3_add_scaled(tangent, b, a, -cosine);
    st_vec3_normalize(tangent, tangent);

    for (uint32_t j = 1; j < n; j++) {
        const st_real w = (st_real)j / (st_real)n;
        st_real p[3];
        st_vec3_scale(p, a, cos(w * angle));
        st_vec3_add_scaled(p, p, tangent, sin(w * angle));

        if (!st_push_reals(points, p, 3)) return false;
    }
    return true;
}

static bool generate_sphere_add_face(st_reals *points, const uint32_t face[3], uint32_t n) {
    for (uint32_t j = 1; j < n; j++)
        for (uint32_t k = 1; k + j < n; k++) {
            const uint32_t weight[3] = {j, k, n - j - k};
            st_real p[3] = {0, 0, 0};

            // j a + k b + l c, brought to the unit sphere
            for (int c = 0; c < 3; c++)
                st_vec3_add_scaled(p, p, points->data + 3 * (size_t)face[c], (st_real)weight[c]);
            if (!add_unit(points, p)) return false;
        }
    return true;
}

static bool generate_sphere_make_points(generate_sphere *engine, const st_platonic *solid) {
    st_reals *points = &engine->surface_points;
    if (!add_vertices(points, solid)) return false;

    for (size_t e = 0; e < solid->edge_count; e++)
        if (!add_edge(points, solid->edges[e], engine->degree)) return false;

    for (size_t f = 0; f < solid->face_count; f++)
        if (!generate_sphere_add_face(points, solid->faces[f], engine->degree)) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------

// The point at distance j (of n) from vertex a on the edge a-b.
static uint32_t edge_point(const st_platonic *solid, uint32_t n, uint32_t a, uint32_t b, uint32_t j) {
    for (uint32_t e = 0; e < solid->edge_count; e++) {
        const uint32_t first = (uint32_t)solid->vertex_count + e * (n - 1);
        if (solid->edges[e][0] == a && solid->edges[e][1] == b) return first + j - 1;
        if (solid->edges[e][0] == b && solid->edges[e][1] == a) return first + n - j - 1;
    }
    return 0;
}

// The point of face f with the weights (i, j, n - i - j).
static uint32_t lattice_point(const st_platonic *solid, uint32_t n, uint32_t f, uint32_t i, uint32_t j) {
    const uint32_t *v = solid->faces[f], l = n - i - j;

    // corners, then edges
    if (i == n) return v[0];
    if (j == n) return v[1];
    if (l == n) return v[2];

    if (l == 0) return edge_point(solid, n, v[0], v[1], j);
    if (i == 0) return edge_point(solid, n, v[1], v[2], l);
    if (j == 0) return edge_point(solid, n, v[0], v[2], l);

    // points inside the face
    const uint32_t inside = (n - 1) * (n - 2) / 2,
                   first = (uint32_t)(solid->vertex_count + solid->edge_count * (n - 1));

    // rows j' = 1 .. i-1 before this one hold n - j' - 1 points each
    return first + f * inside + (i - 1) * (n - 1) - (i - 1) * i / 2 + (j - 1);
}

static bool generate_sphere_add_triangle(generate_sphere *engine, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t v[3] = {a, b, c};
    return st_push_uints(&engine->triangles, v, 3);
}

static bool make_triangles(generate_sphere *engine, const st_platonic *solid) {
    const uint32_t n = engine->degree;
    for (uint32_t f = 0; f < solid->face_count; f++)
        for (uint32_t i = 1; i <= n; i++)
            for (uint32_t j = 0; j <= n - i; j++) {
                // the triangle that points towards vertex 0, and the one that points away from it
                const uint32_t here = lattice_point(solid, n, f, i, j),
                               across = lattice_point(solid, n, f, i - 1, j + 1);

                if (!generate_sphere_add_triangle(engine, here, across, lattice_point(solid, n, f, i - 1, j)))
                    return false;
                if (i + j < n &&
                    !generate_sphere_add_triangle(engine, here, lattice_point(solid, n, f, i, j + 1), across))
                    return false;
            }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The ball
// ---------------------------------------------------------------------------------------------------

static bool generate_sphere_place(generate_sphere *engine) {
    for (size_t i = 0; i < engine->surface_points.count; i++) {
        st_real *p = engine->surface_points.data + 3 * i;
        st_vec3_scale(p, p, engine->radius);
        st_vec3_add(p, p, engine->origin);
    }
    return true;
}

// The undivided tetrahedron is its own ball and needs no center.
static bool make_ball(generate_sphere *engine, const st_platonic *solid) {
    const uint32_t whole[4] = {0, 1, 2, 3};
    const bool single = solid->vertex_count == 4 && engine->degree == 1;

    // the center first, then the surface
    if (!single && !st_push_reals(&engine->solid_points, engine->origin, 3)) return false;
    for (size_t i = 0; i < engine->surface_points.count; i++)
        if (!st_push_reals(&engine->solid_points, engine->surface_points.data + 3 * i, 3)) return false;

    if (single) return st_push_uints(&engine->tetrahedra, whole, 4);

    // each triangle with the center
    for (size_t t = 0; t < engine->triangles.count; t++) {
        const uint32_t *v = engine->triangles.data + 3 * t;
        const uint32_t four[4] = {0, v[0] + 1, v[1] + 1, v[2] + 1};
        if (!st_push_uints(&engine->tetrahedra, four, 4)) return false;
    }
    return true;
}

static void generate_sphere_update(st_object *object) {
    generate_sphere *engine = (generate_sphere *)object;
    const st_platonic *solid = find_solid(engine);

    engine->solid_points.count = engine->surface_points.count = engine->tetrahedra.count = engine->triangles.count = 0;

    if (engine->degree < 1 || engine->degree > LARGEST_DEGREE) {
        st_message(object, ST_ERROR, "tessellationDegree is %lu: it must be between 1 and %d",
                   (unsigned long)engine->degree, LARGEST_DEGREE);
        solid = NULL;
    }

    // a wrong degree or solid leaves the outputs empty
    st_engine_done(object, !solid || (generate_sphere_make_points(engine, solid) && make_triangles(engine, solid) &&
                                      generate_sphere_place(engine) && make_ball(engine, solid)));
}

const st_class st_generate_sphere_class = {
    .name = "GenerateSphere",
    .help = "makes a sphere of triangles and a ball of tetrahedra",
    .parent = &st_engine_class,
    .templates = "Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(generate_sphere),
    .example = "<GenerateSphere name=\"ball\" radius=\"1\" tessellationDegree=\"3\"/>\n"
               "<MechanicalObject position=\"@ball.position\"/>\n"
               "<MeshTopology position=\"@ball.position\" tetrahedra=\"@ball.tetrahedra\"/>",
    .update = generate_sphere_update,
};
