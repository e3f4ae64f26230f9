// LocalMinDistance: contacts only where the distance between two surfaces has a local minimum.
//
//     point, point       the points
//     line, point        the nearest point of the line, inside of it
//     line, line         the nearest points, both inside of their lines; parallel lines have their middles
//     triangle, point    the projection onto the plane, where it is inside of the triangle
//     spheres            as points, with distances that are larger by the radius
//
// Nearest points of two elements are a local minimum of their surfaces only if the direction D from one to the other
// leaves each surface: it is in the cone of directions for which the element is the nearest part of its surface. The
// filters drop the others. With c = angleCone, k = coneFactor and unit vectors throughout:
//
//     triangle   N·D >= 0                                          N normal of the triangle
//     line       N·D >= 0, t·D >= -(max(0, k N·t) + c)             N middle of the normals of its two triangles, t in each
//                                                                  of them, normal to the line, pointing out of it;
//                |e·D| <= c + 1e-4  without two triangles          e along the line
//     point      N·D >= -c, l·D >= -(max(0, k N·l) + c)            N middle of the normals around it, l from the other end
//                                                                  of each edge to the point
//
// N·D is not looked at when the model has both sides. Points whose node has no line model, there or above, are not
// filtered, nor are spheres.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/element_tests.h"
#include "collision/proximity.h"
#include "collision/ray.h"

typedef struct local_min_distance {
    st_intersection base;
    bool filter, no_filters;
    st_real angle_cone, cone_factor;
} local_min_distance;

static const st_field fields[] = {
    ST_FIELD(local_min_distance, filter, "filterIntersection", st_type_bool, "1",
             "drop nearest points that are no local minimum of the distance"),
    ST_FIELD(local_min_distance, angle_cone, "angleCone", st_type_real, "0",
             "widens the cones of directions that the filters let pass"),
    ST_FIELD(local_min_distance, cone_factor, "coneFactor", st_type_real, "0.5",
             "widens cones at convex edges and points"),
    ST_FIELD(local_min_distance, no_filters, "useLMDFilters", st_type_bool, "0",
             "leave filtering to components that SOFA had once: nothing is dropped"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Surfaces
// ---------------------------------------------------------------------------------------------------

// Is there a model of lines in the node or above?
static bool has_lines(const st_node *node) {
    for (; node; node = node->parent)
        for (size_t i = 0; i < node->objects.count; i++) {
            const st_object *object = node->objects.data[i];
            if (object->type->collision_model && ((const st_collision_model *)object)->primitive == ST_PRIMITIVE_LINE)
                return true;
        }
    return false;
}

// The neighborhoods of points and lines in their mesh. The tables are kept by the mesh.
static bool local_min_distance_prepare(st_intersection *method, st_collision_model *model) {
    (void)method;
    st_surface *s = &model->surface;
    st_topology *mesh = (st_topology *)model->topology;
    *s = (st_surface){0};
    if (!mesh || (model->primitive != ST_PRIMITIVE_POINT && model->primitive != ST_PRIMITIVE_LINE)) return true;
    if (model->primitive == ST_PRIMITIVE_POINT && !has_lines(model->object.node)) return true;

    // the mesh
    const st_uints *triangles = st_topology_elements(mesh, ST_TRIANGLE), *edges = st_topology_elements(mesh, ST_EDGE);
    s->triangles = triangles->data;
    s->triangle_count = triangles->count;
    s->edges = edges->data;
    s->edge_count = edges->count;
    s->dofs = st_collision_model_dofs(model);
    s->known = true;

    if (model->primitive == ST_PRIMITIVE_LINE) {
        s->triangles_of_edges = st_topology_around(mesh, ST_TRIANGLE, ST_EDGE);
        return s->triangles_of_edges.starts || !edges->count;
    }

    s->triangles_of_points = st_topology_around(mesh, ST_TRIANGLE, ST_VERTEX);
    s->edges_of_points = st_topology_around(mesh, ST_EDGE, ST_VERTEX);
    return (s->triangles_of_points.starts || !triangles->count) && (s->edges_of_points.starts || !edges->count);
}

static const st_real *place(const st_collision_model *model, size_t dof) {
    return model->state->coord[ST_COORD_POSITION].data + 3 * dof;
}

static void local_min_distance_unit(st_real v[3]) {
    const st_real length = st_vec3_norm(v);
    if (length > 0) st_vec3_divide(v, v, length);
}

static void unit_between(st_real r[3], const st_real from[3], const st_real to[3]) {
    st_vec3_sub(r, to, from);
    local_min_distance_unit(r);
}

// The normal of a triangle of the mesh; 0 when the state does not have its points.
static void unit_normal(st_real n[3], const st_collision_model *model, uint32_t triangle) {
    const st_surface *s = &model->surface;
    st_vec3_set(n, 0, 0, 0);
    if (triangle >= s->triangle_count) return;
    const uint32_t *v = s->triangles + 3 * (size_t)triangle;
    if (v[0] >= s->dofs || v[1] >= s->dofs || v[2] >= s->dofs) return;

    // (x1 - x0) x (x2 - x0)
    st_real ab[3], ac[3];
    st_vec3_sub(ab, place(model, v[1]), place(model, v[0]));
    st_vec3_sub(ac, place(model, v[2]), place(model, v[0]));
    st_vec3_cross(n, ab, ac);
    local_min_distance_unit(n);
}

// ---------------------------------------------------------------------------------------------------
// Filters: is the direction d, from the element to the other one, in its cone?
// ---------------------------------------------------------------------------------------------------

static bool filters(const local_min_distance *self) { return self->filter && !self->no_filters; }

// -cos of the widest angle to a border of which the surface leans by n·t
static st_real cone_of(const local_min_distance *self, const st_real n[3], const st_real t[3]) {
    return st_max(0, self->cone_factor * st_vec3_dot(n, t)) + self->angle_cone;
}

// The other end of an edge, or the point itself when the state does not have it.
static size_t other_end(const st_surface *s, uint32_t edge, size_t point) {
    const uint32_t *v = s->edges + 2 * (size_t)edge;
    const size_t end = v[0] == point ? v[1] : v[0];
    return end < s->dofs ? end : point;
}

static bool point_lets_pass(const local_min_distance *self, const st_collision_model *model, size_t i,
                            const st_real d[3]) {
    const st_surface *s = &model->surface;
    if (!filters(self) || !s->known) return true;
    const st_shell triangles = st_shell_of(s->triangles_of_points, i), edges = st_shell_of(s->edges_of_points, i);
    const st_real *p = place(model, i), length = st_vec3_norm(d);

    // N: out of the surface, or, of lines alone, away from them
    st_real n[3] = {0, 0, 0}, part[3];
    for (size_t k = 0; k < triangles.count; k++) {
        unit_normal(part, model, triangles.ids[k]);
        st_vec3_add(n, n, part);
    }
    for (size_t k = 0; triangles.count == 0 && k < edges.count; k++) {
        unit_between(part, place(model, other_end(s, edges.ids[k], i)), p);
        st_vec3_add(n, n, part);
    }
    const st_real size = st_vec3_norm(n);
    if (size > ST_R(1e-10)) {
        st_vec3_divide(n, n, size);
        if (!model->both_sides && st_vec3_dot(n, d) < -self->angle_cone * length) return false;
    }

    // away from every edge
    for (size_t k = 0; k < edges.count; k++) {
        unit_between(part, place(model, other_end(s, edges.ids[k], i)), p);
        if (st_vec3_dot(part, d) < -cone_of(self, n, part) * length) return false;
    }
    return true;
}

// Does the triangle run along its edge from a to b?
static bool runs_along(const st_surface *s, uint32_t triangle, size_t a, size_t b) {
    const uint32_t *v = s->triangles + 3 * (size_t)triangle;
    for (int k = 0; triangle < s->triangle_count && k < 3; k++)
        if (v[k] == a && v[(k + 1) % 3] == b) return true;
    return false;
}

static bool line_lets_pass(const local_min_distance *self, const st_collision_model *model, size_t i,
                           const st_real d[3]) {
    const st_surface *s = &model->surface;
    if (!filters(self) || !s->known) return true;
    const st_shell around = st_shell_of(s->triangles_of_edges, st_line_edge(model, i));
    const size_t a = st_corner(model, i, 0), b = st_corner(model, i, 1);
    const st_real length = st_vec3_norm(d);
    st_real e[3];
    unit_between(e, place(model, a), place(model, b));

    // a border, or a line without a surface: nearly normal to it
    if (around.count != 2) {
        st_real along[3];
        st_vec3_copy(along, d);
        local_min_distance_unit(along);
        return !(fabs(st_vec3_dot(e, along)) > self->angle_cone + ST_R(0.0001));
    }

    // the triangle on the right runs against the line
    const bool left_first = runs_along(s, around.ids[0], a, b);
    st_real right[3], left[3], t1[3], t2[3], n[3];
    unit_normal(right, model, around.ids[left_first ? 1 : 0]);
    unit_normal(left, model, around.ids[left_first ? 0 : 1]);
    st_vec3_add(n, right, left);
    local_min_distance_unit(n);
    if (!model->both_sides && st_vec3_dot(n, d) < 0) return false;

    // out of both triangles
    st_vec3_cross(t1, right, e);
    local_min_distance_unit(t1);
    st_vec3_cross(t2, e, left);
    local_min_distance_unit(t2);
    return !(st_vec3_dot(t1, d) < -cone_of(self, n, t1) * length) &&
           !(st_vec3_dot(t2, d) < -cone_of(self, n, t2) * length);
}

static bool triangle_lets_pass(const local_min_distance *self, const st_collision_model *model, size_t i,
                               const st_real d[3]) {
    if (!filters(self) || model->both_sides) return true;
    const st_real *p = st_corner_position(model, i, 0);
    st_real ab[3], ac[3], n[3];
    st_vec3_sub(ab, st_corner_position(model, i, 1), p);
    st_vec3_sub(ac, st_corner_position(model, i, 2), p);
    st_vec3_cross(n, ab, ac);
    return st_vec3_dot(n, d) >= 0;
}

// ---------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------

typedef bool lets_pass(const local_min_distance *, const st_collision_model *, size_t, const st_real *);

// p on the first and q on the second, where they are near and no filter objects. NULL: none.
static void add_minimum(const st_query *query, const st_intersection *method, const st_real p[3], const st_real q[3],
                        lets_pass *first, lets_pass *second, int64_t id) {
    const local_min_distance *self = (const local_min_distance *)method;
    st_real pq[3], qp[3];
    st_vec3_sub(pq, q, p);

    if (!(st_vec3_norm2(pq) < query->limit * query->limit)) return;

    // each surface sees the direction from its own side
    st_vec3_negate(qp, pq);
    if (second && !second(self, query->second, query->j, qp)) return;
    if (first && !first(self, query->first, query->i, pq)) return;

    st_add_near(query, p, q, id);
}

// The projection of p onto a line or a triangle, where it is inside.
static bool project_on_line(st_real q[3], const st_real a[3], const st_real b[3], const st_real p[3]) {
    st_real ab[3], ap[3];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ap, p, a);
    const st_real ab2 = st_vec3_dot(ab, ab);
    if (sqrt(ab2) < ST_R(1e-12) * st_vec3_norm(ap)) return false;

    const st_real t = st_vec3_dot(ap, ab) / ab2;
    if (!st_is_inside(t)) return false;
    st_line_point(q, a, b, t);
    return true;
}

ST_TEST(point_point) {
    const st_query query = ST_QUERY(0);
    add_minimum(&query, method, ST_A(0), ST_B(0), point_lets_pass, point_lets_pass, st_larger_id(&query));
}

ST_TEST(line_point) {
    const st_query query = ST_QUERY(0);
    st_real q[3];
    if (project_on_line(q, ST_A(0), ST_A(1), ST_B(0)))
        add_minimum(&query, method, q, ST_B(0), line_lets_pass, point_lets_pass, (int64_t)j);
}

ST_TEST(line_line) {
    const st_query query = ST_QUERY(0);
    const st_real low = ST_R(1e-15), high = 1 - ST_R(1e-15);
    st_real t, u, p[3], q[3];
    if (st_lines_parameters(ST_A(0), ST_A(1), ST_B(0), ST_B(1), ST_R(1e-30), &t, &u) &&
        !(t >= low && t <= high && u >= low && u <= high))
        return;
    st_line_point(p, ST_A(0), ST_A(1), t);
    st_line_point(q, ST_B(0), ST_B(1), u);
    add_minimum(&query, method, p, q, line_lets_pass, line_lets_pass, st_larger_id(&query));
}

ST_TEST(triangle_point) {
    const st_query query = ST_QUERY(0);
    st_real q[3];
    if (st_project_inside_triangle(q, a, i, ST_B(0)))
        add_minimum(&query, method, q, ST_B(0), triangle_lets_pass, point_lets_pass, (int64_t)j);
}

ST_TEST(sphere_sphere) {
    const st_query query = ST_QUERY(st_element_radius(a, i) + st_element_radius(b, j));
    add_minimum(&query, method, ST_A(0), ST_B(0), NULL, NULL, st_larger_id(&query));
}

ST_TEST(sphere_point) {
    const st_query query = ST_QUERY(st_element_radius(a, i));
    add_minimum(&query, method, ST_A(0), ST_B(0), NULL, point_lets_pass, st_larger_id(&query));
}

ST_TEST(line_sphere) {
    const st_query query = ST_QUERY(st_element_radius(b, j));
    st_real q[3];
    if (project_on_line(q, ST_A(0), ST_A(1), ST_B(0)))
        add_minimum(&query, method, q, ST_B(0), line_lets_pass, NULL, (int64_t)j);
}

ST_TEST(triangle_sphere) {
    const st_query query = ST_QUERY(st_element_radius(b, j));
    st_real q[3];
    if (st_project_inside_triangle(q, a, i, ST_B(0)))
        add_minimum(&query, method, q, ST_B(0), triangle_lets_pass, NULL, (int64_t)j);
}

// ---------------------------------------------------------------------------------------------------

static st_status local_min_distance_init(st_object *object) {
    static const st_element_test_entry entries[] = {
        {ST_PRIMITIVE_POINT, ST_PRIMITIVE_POINT, point_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_POINT, line_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_LINE, line_line},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_POINT, triangle_point},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_LINE, NULL},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_TRIANGLE, NULL},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_SPHERE, sphere_sphere},
        {ST_PRIMITIVE_SPHERE, ST_PRIMITIVE_POINT, sphere_point},
        {ST_PRIMITIVE_LINE, ST_PRIMITIVE_SPHERE, line_sphere},
        {ST_PRIMITIVE_TRIANGLE, ST_PRIMITIVE_SPHERE, triangle_sphere},
    };

    // what it does not replace stays as it is
    st_intersection *method = (st_intersection *)object;
    st_intersection_enter_discrete(method);
    st_intersection_enter(method, entries, sizeof entries / sizeof *entries);
    st_intersection_enter_near_rays(method);
    st_intersection_enter_ray_surfaces(method);
    return st_proximity_intersection_class.init(object);
}

static const st_intersection_ops ops = {.prepare = local_min_distance_prepare};

const st_class st_local_min_distance_class = {
    .name = "LocalMinDistance",
    .help = "contacts where the distance between two surfaces of points, lines and triangles has a local minimum",
    .parent = &st_proximity_intersection_class,
    .fields = fields,
    .size = sizeof(local_min_distance),
    .init = local_min_distance_init,
    .intersection = &ops,
};
