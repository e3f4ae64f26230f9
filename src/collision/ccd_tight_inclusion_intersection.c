// CCDTightInclusionIntersection: points that meet triangles, and lines that meet lines, at any time of the step.
//
// Elements move in straight lines from their positions to the free ones of the step (st_find_impact). Where they come
// nearer than the contact distance D = contact + d1 + d2, the contact is that of the time of impact, brought back to the
// present positions:
//
//     triangle, point   n the normal of the triangle, weights those of the point's projection on it, both at the impact
//     line, line        n normal to both lines at the impact, on the side where the second line comes from; places those
//                       of the nearest points at the impact
//     value             (p2 - p1)·n - D at the present positions
//
// Boxes are swept over the step when continuousCollisionType says so; the alarm distance matters to boxes alone.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"
#include "collision/proximity.h"
#include "collision/tight_inclusion.h"

typedef struct ccd {
    st_intersection base;
    int32_t type;
    st_real tolerance;
    int32_t most_iterations;
} ccd;

static const char *const types[] = {"None", "Inertia", "FreeMotion", NULL};

static const st_field fields[] = {
    ST_FIELD(ccd, type, "continuousCollisionType", st_type_option, "None",
             "boxes cover the present positions alone, also x + dt v, or also the free positions", .options = types),
    ST_FIELD(ccd, tolerance, "tolerance", st_type_real, "1e-10",
             "distance below which the search for the time of impact does not look closer"),
    ST_FIELD(ccd, most_iterations, "maxIterations", st_type_int, "1000",
             "boxes of time and place that a search looks at before it takes a near miss for a hit; 0: 131072"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Queries
// ---------------------------------------------------------------------------------------------------

// Where a corner will be: a state without free motion stays.
static const st_real *end_position(const st_collision_model *m, size_t i, int k) {
    const st_state *s = m->state;
    if (s->coord[ST_COORD_FREE].count != s->size) return st_corner_position(m, i, k);
    return s->coord[ST_COORD_FREE].data + st_corner(m, i, k) * st_state_dof(s)->coord;
}

static void set_point(st_impact_query *q, int point, const st_collision_model *m, size_t i, int k) {
    const st_real *from = st_corner_position(m, i, k), *to = end_position(m, i, k);

    for (int axis = 0; axis < 3; axis++) {
        q->start[point][axis] = (double)from[axis];
        q->end[point][axis] = (double)to[axis];
    }
}

static st_impact_query query_of(const st_intersection *method, const st_query *pair) {
    const ccd *self = (const ccd *)method;
    return (st_impact_query){.distance = (double)pair->skin,
                             .tolerance = (double)self->tolerance,
                             .most_iterations = self->most_iterations > 0 ? (size_t)self->most_iterations : 0};
}

// The places of all four points at the time of impact. False: none.
static bool places_at_impact(const st_query *pair, const st_impact_query *q, st_real place[4][3]) {
    double time;
    bool failed;
    if (!st_find_impact(q, &pair->out->boxes, &time, &failed)) {
        pair->out->failed = pair->out->failed || failed;
        return false;
    }

    for (int k = 0; k < 4; k++)
        for (int axis = 0; axis < 3; axis++)
            place[k][axis] = (st_real)((q->end[k][axis] - q->start[k][axis]) * time + q->start[k][axis]);
    return true;
}

// p on the first and q on the second, as they are now. Elements without extent have no normal, and no contact.
static void add_impact(const st_query *pair, const st_real p[3], const st_real q[3], const st_real n[3]) {
    st_real pq[3];
    st_vec3_sub(pq, q, p);
    const st_real value = st_vec3_dot(pq, n) - pair->skin;
    if (isfinite(value) && st_vec3_norm2(n) > ST_R(0.5)) st_add_detection(pair, p, q, n, value, st_larger_id(pair));
}

// ---------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------

// Barycentric coordinates of the projection of p on the triangle a b c with the normal N, not of length 1.
static void weights_of(st_real w[3], const st_real a[3], const st_real b[3], const st_real c[3], const st_real p[3],
                       const st_real big_n[3], const st_real n[3]) {
    st_real middle[3], x[3], u[3], v[3], area[3];

    // X: the projection of p on the plane
    for (int k = 0; k < 3; k++) middle[k] = (a[k] + b[k] + c[k]) / 3;
    st_vec3_sub(x, p, middle);
    const st_real height = st_vec3_dot(x, n);
    for (int k = 0; k < 3; k++) x[k] = middle[k] + x[k] - n[k] * height;

    // areas of the parts that X makes, by the whole
    const st_real n2 = st_vec3_norm2(big_n);
    st_vec3_sub(u, c, b);
    st_vec3_sub(v, x, b);
    st_vec3_cross(area, u, v);
    w[0] = st_vec3_dot(big_n, area) / n2;
    st_vec3_sub(u, a, c);
    st_vec3_sub(v, x, c);
    st_vec3_cross(area, u, v);
    w[1] = st_vec3_dot(big_n, area) / n2;

    w[2] = 1 - w[0] - w[1];
    if (fabs(w[2]) <= ST_REAL_EPSILON) w[2] = 0;
}

ST_TEST(triangle_point) {
    const st_query pair = ST_QUERY(0);
    st_impact_query query = query_of(method, &pair);
    set_point(&query, 0, b, j, 0);
    for (int k = 0; k < 3; k++) set_point(&query, k + 1, a, i, k);
    st_real place[4][3];
    if (!places_at_impact(&pair, &query, place)) return;

    // the triangle at the impact
    st_real u[3], v[3], big_n[3], n[3], w[3], p[3];
    st_vec3_sub(u, place[2], place[1]);
    st_vec3_sub(v, place[3], place[1]);
    st_vec3_cross(big_n, u, v);
    st_vec3_normalize(n, big_n);
    weights_of(w, place[1], place[2], place[3], place[0], big_n, n);

    // the same place of the triangle now
    for (int k = 0; k < 3; k++) p[k] = ST_A(0)[k] * w[0] + ST_A(1)[k] * w[1] + ST_A(2)[k] * w[2];

    // a surface with two sides pushes the point back to where it comes from
    st_real pq[3];
    st_vec3_sub(pq, ST_B(0), p);
    if (a->both_sides && st_vec3_dot(pq, n) < 0) st_vec3_negate(n, n);
    add_impact(&pair, p, ST_B(0), n);
}

ST_TEST(line_line) {
    const st_query pair = ST_QUERY(0);
    st_impact_query query = query_of(method, &pair);
    query.edges = true;
    for (int k = 0; k < 2; k++) {
        set_point(&query, k, a, i, k);
        set_point(&query, k + 2, b, j, k);
    }
    st_real place[4][3], t, s, u[3], v[3], n[3], p[3], q[3], pq[3];
    if (!places_at_impact(&pair, &query, place)) return;

    // nearest places at the impact, and where they are now
    st_lines_parameters(place[0], place[1], place[2], place[3], ST_R(1e-30), &t, &s);
    st_line_point(p, ST_A(0), ST_A(1), st_clamp(t, 0, 1));
    st_line_point(q, ST_B(0), ST_B(1), st_clamp(s, 0, 1));

    // normal to both, towards the second; of parallel lines along what is between them
    st_vec3_sub(pq, q, p);
    st_vec3_sub(u, place[1], place[0]);
    st_vec3_sub(v, place[3], place[2]);
    st_vec3_cross(n, u, v);
    const bool parallel = !(st_vec3_norm(n) > ST_R(1e-12) * st_vec3_norm(u) * st_vec3_norm(v));
    st_vec3_normalize(n, parallel ? pq : n);
    if (st_vec3_dot(n, pq) < 0) st_vec3_negate(n, n);
    add_impact(&pair, p, q, n);
}

// ---------------------------------------------------------------------------------------------------

static st_status ccd_init(st_object *object) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_POINT, ST_PRIMITIVE_POINT, NULL},    {ST_PRIMITIVE_LINE, ST_PRIMITIVE_POINT, NULL},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_LINE, line_line}, {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_POINT, triangle_point},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, NULL},  {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_TRIANGLE, NULL},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, NULL},  {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_POINT, NULL},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_SPHERE, NULL},    {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_SPHERE, NULL},
        {ST_PRIMITIVE_RAY, ST_PRIMITIVE_SPHERE, NULL},     {ST_PRIMITIVE_RAY, ST_PRIMITIVE_TRIANGLE, NULL},
    };
    ccd *self = (ccd *)object;
    if (!(self->tolerance > 0))
        return st_invalid(object, "tolerance is %g: it must be above 0", (double)self->tolerance);
    self->base.sweep = (st_sweep_kind)self->type;
    st_intersection_enter_discrete(&self->base);
    st_intersection_enter(&self->base, entries, sizeof entries / sizeof *entries);
    return st_proximity_intersection_class.init(object);
}

static const st_intersection_ops ops = {0};

const st_class st_ccd_tight_inclusion_intersection_class = {
    .name = "CCDTightInclusionIntersection",
    .help = "contacts of points with triangles and of lines that meet at any time of the step",
    .parent = &st_proximity_intersection_class,
    .fields = fields,
    .size = sizeof(ccd),
    .init = ccd_init,
    .intersection = &ops,
};
