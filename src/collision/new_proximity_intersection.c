// NewProximityIntersection: nearest points of whole elements, their borders included.
//
// Triangles are tested against each other by their vertices (and, on request, edges). Parts that several triangles
// share are tested with the one that owns them (flags of the triangle model), so that each is tested once.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/box_capsule.h"
#include "collision/element_tests.h"
#include "collision/proximity.h"
#include "collision/ray.h"
#include "scene/compat.h"

typedef struct new_proximity {
    st_intersection base;
    bool use_line_line;
} new_proximity;

static const st_real parallel = ST_R(1e-12); // lines with a smaller determinant

static const st_field fields[] = {
    ST_FIELD(new_proximity, use_line_line, "useLineLine", st_type_bool, "0",
             "edges of triangles touch lines and edges of triangles"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Pieces
// ---------------------------------------------------------------------------------------------------

// p is on the first element, or, swapped, on the second.
static st_detection *new_proximity_intersection_add(const st_query *q, const st_real p[3], const st_real r[3],
                                                    bool swapped, int64_t id) {
    return swapped ? st_add_near(q, r, p, id) : st_add_near(q, p, r, id);
}

static void line_against_point(const st_query *s, const st_real a[3], const st_real b[3], const st_real q[3],
                               bool swapped, int64_t id) {
    st_real p[3];
    st_line_point(p, a, b, st_clamp(st_line_parameter(a, b, q), 0, 1));
    new_proximity_intersection_add(s, p, q, swapped, id);
}

static const unsigned owner_of[] = {
    [ST_PART_P1] = ST_OWNS_P1,   [ST_PART_P2] = ST_OWNS_P2,   [ST_PART_P3] = ST_OWNS_P3,
    [ST_PART_E12] = ST_OWNS_E12, [ST_PART_E31] = ST_OWNS_E31, [ST_PART_E23] = ST_OWNS_E23,
};

typedef struct triangle {
    const st_real *p[3];
    unsigned flags;
} triangle;

static triangle triangle_of(const st_collision_model *m, size_t i) {
    return (triangle){{st_corner_position(m, i, 0), st_corner_position(m, i, 1), st_corner_position(m, i, 2)},
                      st_triangle_flags(m, i)};
}

static bool owns(const triangle *t, st_triangle_part part) {
    return part == ST_PART_FACE || (t->flags & owner_of[part]) != 0;
}

static void triangle_against_point(const st_query *s, const triangle *t, const st_real q[3], bool swapped, int64_t id) {
    static const st_border_limits limits = {
        .low = ST_REAL_EPSILON, .high = 1 - ST_REAL_EPSILON, .corner = ST_REAL_EPSILON};
    st_real alpha, beta, p[3];
    if (!owns(t, st_nearest_on_triangle(t->p[0], t->p[1], t->p[2], q, &limits, &alpha, &beta))) return;
    st_triangle_point(p, t->p[0], t->p[1], t->p[2], alpha, beta);
    new_proximity_intersection_add(s, p, q, swapped, id);
}

// Edge k joins the vertices k and k + 1.
static bool owns_edge(const triangle *t, int k) {
    static const unsigned flags[] = {ST_OWNS_E12, ST_OWNS_E23, ST_OWNS_E31};
    return (t->flags & flags[k]) != 0;
}

// ---------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------

ST_TEST(point_point) {
    const st_query q = ST_QUERY(st_element_radius(a, i) + st_element_radius(b, j)); // spheres touch by their centers
    new_proximity_intersection_add(&q, ST_A(0), ST_B(0), false, st_larger_id(&q));
}

ST_TEST(line_point) {
    const st_query q = ST_QUERY(st_element_radius(b, j)); // or sphere
    line_against_point(&q, ST_A(0), ST_A(1), ST_B(0), false, (int64_t)j);
}

ST_TEST(line_line) {
    const st_query q = ST_QUERY(0);
    st_add_lines(&q, ST_A(0), ST_A(1), ST_B(0), ST_B(1), parallel, st_larger_id(&q));
}

ST_TEST(triangle_point) {
    const st_query q = ST_QUERY(0);
    const triangle t = triangle_of(a, i);
    triangle_against_point(&q, &t, ST_B(0), false, (int64_t)j);
}

ST_TEST(triangle_line) {
    const st_query q = ST_QUERY(0);
    const triangle t = triangle_of(a, i);

    // vertices of the triangle on the line
    for (int k = 0; k < 3; k++)
        if (t.flags & (ST_OWNS_P1 << k)) line_against_point(&q, ST_B(0), ST_B(1), t.p[k], true, (int64_t)j);

    // ends of the line on the triangle
    triangle_against_point(&q, &t, ST_B(0), false, (int64_t)j);
    triangle_against_point(&q, &t, ST_B(1), false, (int64_t)j);

    // edges
    for (int k = 0; k < 3 && ((const new_proximity *)method)->use_line_line; k++)
        if (owns_edge(&t, k)) st_add_lines(&q, t.p[k], t.p[(k + 1) % 3], ST_B(0), ST_B(1), parallel, (int64_t)j);
}

static bool share_vertex(const st_collision_model *a, size_t i, const st_collision_model *b, size_t j) {
    for (int k = 0; a == b && k < 9; k++)
        if (st_corner(a, i, k / 3) == st_corner(b, j, k % 3)) return true;
    return false;
}

static void edges_against_edges(const st_query *q, const triangle *t1, const triangle *t2, int64_t id) {
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++, id++)
            if (owns_edge(t1, k) && owns_edge(t2, l))
                st_add_lines(q, t1->p[k], t1->p[(k + 1) % 3], t2->p[l], t2->p[(l + 1) % 3], parallel, id);
}

ST_TEST(triangle_triangle) {
    if (share_vertex(a, i, b, j)) return;

    const st_query q = ST_QUERY(0);
    const triangle t1 = triangle_of(a, i), t2 = triangle_of(b, j);
    const int64_t first = 3 * (int64_t)i, second = 3 * (int64_t)a->count + 12 * (int64_t)j;

    // vertices of the first, then of the second
    for (int k = 0; k < 3; k++)
        if ((k == 0 && method->compat) || (t1.flags & (ST_OWNS_P1 << k)))
            triangle_against_point(&q, &t2, t1.p[k], true, first + k);

    for (int k = 0; k < 3; k++)
        if (t2.flags & (ST_OWNS_P1 << k)) triangle_against_point(&q, &t1, t2.p[k], false, second + k);

    if (((const new_proximity *)method)->use_line_line) edges_against_edges(&q, &t1, &t2, second + 3);
}

// With SOFA's mistake edge 13 asks for the flag of edge 12, and edge 23 for that of edge 31.
static st_triangle_part asked_part(const st_intersection *method, st_triangle_part part) {
    if (!method->compat) return part;
    if (part == ST_PART_E31) return ST_PART_E12;
    return part == ST_PART_E23 ? ST_PART_E31 : part;
}

ST_TEST(triangle_sphere) {
    static const st_border_limits limits = {
        .low = ST_R(1e-6), .high = ST_R(0.999999), .corner = ST_R(1e-7), .open = true};

    const st_query q = ST_QUERY(st_element_radius(b, j));
    const triangle t = triangle_of(a, i);
    st_real alpha, beta, p[3];

    const st_triangle_part part = st_nearest_on_triangle(t.p[0], t.p[1], t.p[2], ST_B(0), &limits, &alpha, &beta);
    if (!owns(&t, asked_part(method, part))) return;

    st_triangle_point(p, t.p[0], t.p[1], t.p[2], alpha, beta);
    st_to_surface(new_proximity_intersection_add(&q, p, ST_B(0), false, (int64_t)j), &q, false, true);
}

// ---------------------------------------------------------------------------------------------------

static st_status new_proximity_intersection_init(st_object *object) {
    // spheres are points with a skin
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_POINT, ST_PRIMITIVE_POINT, point_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_POINT, line_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_LINE, line_line},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_POINT, triangle_point},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, triangle_line},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_TRIANGLE, triangle_triangle},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, point_point},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, point_point},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_RIGID_SPHERE, point_point},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_POINT, point_point},
        {ST_PRIMITIVE_RIGID_SPHERE, ST_PRIMITIVE_POINT, point_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_SPHERE, line_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_RIGID_SPHERE, line_point},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_SPHERE, triangle_sphere},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_RIGID_SPHERE, triangle_sphere},
    };

    // spheres touch by their centers, as points
    new_proximity *self = (new_proximity *)object;
    self->base.compat = st_compat_on(object->scene, ST_COMPAT_NEW_PROXIMITY_FLAGS);
    st_intersection_enter_discrete(&self->base);
    st_intersection_enter(&self->base, entries, sizeof entries / sizeof *entries);
    st_intersection_enter_boxes_and_triangles(&self->base);
    st_intersection_enter_near_rays(&self->base);
    st_intersection_enter_ray_hits(&self->base);
    return st_proximity_intersection_class.init(object);
}

static const st_intersection_ops ops = {.prepare = st_intersection_prepare_flags};

const st_class st_new_proximity_intersection_class = {
    .name = "NewProximityIntersection",
    .help =
        "contacts between nearest points of points, lines, triangles and spheres; triangles touch by their vertices",
    .parent = &st_proximity_intersection_class,
    .fields = fields,
    .size = sizeof(new_proximity),
    .init = new_proximity_intersection_init,
    .intersection = &ops,
};
