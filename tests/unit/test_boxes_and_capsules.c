// Boxes and capsules: gaps of random bodies with a proof of each, SOFA's own test values, contacts with spheres,
// points, lines and triangles by hand, weight at rest, and input that cannot be.
//
// SPDX-License-Identifier: Apache-2.0
#include "detection_scene.h"

#include "collision/box_capsule.h"
#include "collision/convex.h"
#include "collision/proximity.h"
#include "math/quat.h"

static const bool single = sizeof(st_real) == 4;
static const st_real tiny = sizeof(st_real) == 4 ? ST_R(2e-5) : ST_R(1e-9);

static uint64_t seed = 1;
static st_real number(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (st_real)(seed >> 34) / (st_real)(1u << 29) - 1;
}

static void random_point(st_real p[3], st_real size) {
    for (int k = 0; k < 3; k++) p[k] = size * number();
}

// ---------------------------------------------------------------------------------------------------
// Gaps
// ---------------------------------------------------------------------------------------------------

static st_convex random_body(int kind, const st_real at[3], bool aligned) {
    st_real v[3][3], q[4], axes[3][3], extent[3];
    for (int i = 0; i < 3; i++) {
        random_point(v[i], 1);
        if (aligned) v[i][2] = 0;
        st_vec3_add(v[i], v[i], at);
    }
    for (int k = 0; k < 4; k++) q[k] = aligned ? (st_real)(k == 3) : number();
    st_quat_normalize(q, q);
    for (int k = 0; k < 3; k++) {
        st_quat_rotate(axes[k], q, (const st_real[]){k == 0, k == 1, k == 2});
        extent[k] = ST_R(0.1) + fabs(number());
    }
    if (kind == ST_CONVEX_BOX) return st_convex_box(at, (const st_real(*)[3])axes, extent);
    return kind == ST_CONVEX_TRIANGLE ? st_convex_triangle(v[0], v[1], v[2]) : st_convex_segment(v[0], v[1]);
}

static st_real farthest(const st_convex *c, const st_real n[3]) {
    st_real most = -ST_REAL_MAX;
    for (int i = 0; i < c->count; i++) most = st_max(most, st_vec3_dot(c->v[i], n));
    return most;
}

// How far two bodies overlap along a direction, from the first to the second.
static st_real overlap_along(const st_convex *a, const st_convex *b, const st_real n[3]) {
    const st_real back[3] = {-n[0], -n[1], -n[2]};
    return farthest(a, n) + farthest(b, back);
}

// Apart: the planes through both points, across the way between them, have the bodies on their own sides. So nothing is
// nearer. Overlapping: moved apart by the gap they touch, and no direction is known by which the way is shorter.
static void check_contact(const st_convex *a, const st_convex *b, const st_convex_contact *c) {
    const st_real small = single ? ST_R(1e-3) : ST_R(3e-6);
    assert_near(st_vec3_norm(c->normal), 1, small);
    const st_real back[3] = {-c->normal[0], -c->normal[1], -c->normal[2]};
    if (c->gap > 0) {
        assert_near(st_vec3_distance(c->p, c->q), c->gap, small);
        assert_true(farthest(a, c->normal) <= st_vec3_dot(c->p, c->normal) + small);
        assert_true(farthest(b, back) <= st_vec3_dot(c->q, back) + small);
        return;
    }
    assert_near(overlap_along(a, b, c->normal), -c->gap, small);
    for (int i = 0; i < 100; i++) {
        st_real n[3];
        random_point(n, 1);
        if (!st_vec3_normalize(n, n)) continue;
        assert_true(overlap_along(a, b, n) >= -c->gap - small);
    }
    st_real way[3];
    st_vec3_sub(way, c->q, c->p);
    assert_near(st_vec3_dot(way, c->normal), c->gap, 10 * small);
}

static void random_bodies(void **state) {
    (void)state;
    static const int kinds[][2] = {
        {ST_CONVEX_BOX, ST_CONVEX_BOX}, {ST_CONVEX_TRIANGLE, ST_CONVEX_BOX}, {ST_CONVEX_SEGMENT, ST_CONVEX_BOX}};
    size_t apart = 0, overlapping = 0;
    for (int i = 0; i < 6000; i++) {
        const int *kind = kinds[i % 3];
        st_real at[3], zero[3] = {0, 0, 0};
        random_point(at, i % 2 ? 1 : 3);
        const bool aligned = i % 5 == 0;
        const st_convex a = random_body(kind[0], zero, aligned), b = random_body(kind[1], at, aligned);
        st_convex_contact c;
        assert_true(st_convex_meet(&a, &b, 100, &c));
        check_contact(&a, &b, &c);
        apart += c.gap > 0;
        overlapping += c.gap < 0;

        // the limit only decides whether there is an answer
        st_convex_contact again;
        assert_true(st_convex_meet(&a, &b, c.gap + ST_R(1e-3), &again));
        assert_false(st_convex_meet(&a, &b, c.gap - ST_R(1e-3), &again));
    }
    assert_true(apart > 1000 && overlapping > 1000);
}

static void segments(void **state) {
    (void)state;
    for (int i = 0; i < 500; i++) {
        st_real x[4][3], t, u, p[3], q[3], best = ST_REAL_MAX;
        for (int k = 0; k < 4; k++) random_point(x[k], 1);
        if (i % 4 == 1) // parallel
            for (int k = 0; k < 3; k++) x[3][k] = x[2][k] + number() * 0 + ST_R(0.7) * (x[1][k] - x[0][k]);
        if (i % 4 == 2) st_vec3_copy(x[1], x[0]); // a point
        st_nearest_on_segments(x[0], x[1], x[2], x[3], &t, &u);
        assert_true(t >= 0 && t <= 1 && u >= 0 && u <= 1);
        st_line_point(p, x[0], x[1], t);
        st_line_point(q, x[2], x[3], u);
        for (int a = 0; a <= 40; a++)
            for (int b = 0; b <= 40; b++) {
                st_real r[3], s[3];
                st_line_point(r, x[0], x[1], (st_real)a / 40);
                st_line_point(s, x[2], x[3], (st_real)b / 40);
                best = st_min(best, st_vec3_distance(r, s));
            }
        assert_true(st_vec3_distance(p, q) <= best + tiny);
    }

    // beside each other: the middle of what they share
    st_real t, u;
    const st_real a[3] = {0, 0, 0}, b[3] = {4, 0, 0}, c[3] = {6, 1, 0}, d[3] = {2, 1, 0};
    st_nearest_on_segments(a, b, c, d, &t, &u);
    assert_near(t, ST_R(0.75), tiny);
    assert_near(u, ST_R(0.75), tiny);
}

// ---------------------------------------------------------------------------------------------------
// SOFA's test values
// ---------------------------------------------------------------------------------------------------

#define METHOD "<NewProximityIntersection alarmDistance='1' contactDistance='1'/>"
#define BOX(name, place, turn, more)                                                                                   \
    "<Node name='" name "'><MechanicalObject template='Rigid3' name='dofs' position='" place " " turn                  \
    "'/><OBBCollisionModel " more "/></Node>"
#define FLAT "0 0 0 1"
#define EDGE_UP "0.3826834323650898 0 0 0.9238795325112867"                     // 45 degrees about x
#define CORNER_UP "0.3250575836718681 -0.3250575836718681 0 0.8880738339771153" // (1,1,1) along z
#define SQRT2 "1.4142135623730951"
#define SQRT3 "1.7320508075688772"

static void assert_touch(const char *models, const st_real p[3], const st_real q[3], const st_real n[3]) {
    physics_scene *test = detection_load(METHOD, models, true);
    const st_detection *d = detection_at(test, 0);
    const st_model_detections *pair = detection_pair(test);
    const bool swapped = strcmp(pair->model[0]->object.node->object.name, "one") != 0;
    const st_real small = single ? ST_R(1e-3) : ST_R(1e-6);
    assert_reals(d->point[swapped ? 1 : 0], 3, p, small);
    assert_reals(d->point[swapped ? 0 : 1], 3, q, small);
    for (int k = 0; k < 3; k++) assert_near(d->normal[k], swapped ? -n[k] : n[k], small);
    assert_near(d->value, st_vec3_distance(p, q) - 1, small);
    physics_free(test);
}

static const st_real origin[3] = {0, 0, 0}, above[3] = {0, 0, ST_R(0.01)}, up[3] = {0, 0, 1}, down[3] = {0, 0, -1};

static void boxes_of_sofa(void **state) {
    (void)state;
    static const char *const below[] = {BOX("one", "0 0 -1", FLAT, ""), BOX("one", "0 0 -" SQRT3, CORNER_UP, ""),
                                        BOX("one", "0 0 -" SQRT2, EDGE_UP, "")};
    for (int i = 0; i < 3; i++) {
        char models[2048];
        snprintf(models, sizeof models, "%s%s", below[i], BOX("two", "0 0 1.7420508075688772", CORNER_UP, ""));
        assert_touch(models, origin, above, up);
    }

    // faces: the middle of what they share
    assert_touch(BOX("one", "0 0 -1", FLAT, "") BOX("two", "0 1 1.01", FLAT, ""), (const st_real[]){0, ST_R(0.5), 0},
                 (const st_real[]){0, ST_R(0.5), ST_R(0.01)}, up);
}

#define CAPSULE(ends)                                                                                                  \
    "<Node name='one'><MeshTopology edges='0 1'/><MechanicalObject name='dofs' position='" ends                        \
    "'/><CapsuleCollisionModel defaultRadius='1'/></Node>"

static void capsules_of_sofa(void **state) {
    (void)state;
    static const char *const boxes[] = {BOX("two", "0 0 -1", FLAT, ""), BOX("two", "0 0 -" SQRT2, EDGE_UP, ""),
                                        BOX("two", "0 0 -" SQRT3, CORNER_UP, "")};
    static const char *const capsules[] = {CAPSULE("0 0 1.01  0 0 2"), CAPSULE("-0.5 0 1.01  0.5 0 1.01")};
    for (int i = 0; i < 6; i++) {
        char models[2048];
        snprintf(models, sizeof models, "%s%s", capsules[i % 2], boxes[i / 2]);
        assert_touch(models, above, origin, down);
    }
}

#define SPHERE(place)                                                                                                  \
    "<Node name='one'><MechanicalObject template='Rigid3' name='dofs' position='" place                                \
    " 0 0 0 1'/><SphereCollisionModel template='Rigid3' radius='1'/></Node>"
#define TRIANGLE(corners)                                                                                              \
    "<Node name='one'><MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='" corners               \
    "'/><TriangleCollisionModel/></Node>"

static void spheres_and_triangles_of_sofa(void **state) {
    (void)state;
    assert_touch(SPHERE("0 0 1.01") BOX("two", "0 0 -1", FLAT, ""), above, origin, down);
    assert_touch(SPHERE("0 0 1.01") BOX("two", "0 0 -" SQRT2, EDGE_UP, ""), above, origin, down);
    assert_touch(SPHERE("0 0 1.01") BOX("two", "0 0 -" SQRT3, CORNER_UP, ""), above, origin, down);
    static const char *const triangles[] = {TRIANGLE("0 -2 .01  0 2 .01  2 0 2"), TRIANGLE("0 -2 2  0 2 2  0 0 .01")};
    for (int i = 0; i < 2; i++) {
        char models[2048];
        snprintf(models, sizeof models, "%s%s", triangles[i], BOX("two", "0 0 -1", FLAT, ""));
        assert_touch(models, above, origin, down);
    }

    // SOFA's normal is that of the triangle; it is the way between the points
    const st_real h = sqrt(ST_R(0.5));
    assert_touch(TRIANGLE("0 0 0  2 2 0  2 -2 0") BOX("two", "-1.01 0 1.01", FLAT, ""), origin,
                 (const st_real[]){ST_R(-0.01), 0, ST_R(0.01)}, (const st_real[]){-h, 0, h});
}

// ---------------------------------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------------------------------

#define NEAR "<NewProximityIntersection alarmDistance='0.3' contactDistance='0.1'/>"

// Boxes of other shapes, overlapping: out by the shortest way, here along x.
static void overlapping_boxes(void **state) {
    (void)state;
    physics_scene *test = detection_load(
        NEAR, BOX("one", "0 0 0", FLAT, "extents='1 2 2'") BOX("two", "1.9 0.5 0", FLAT, "contactDistance='0.02'"),
        true);
    const st_detection *d = detection_at(test, 0);
    const bool swapped = strcmp(detection_pair(test)->model[0]->object.node->object.name, "one") != 0;
    assert_near(d->value, ST_R(-0.1) - ST_R(0.12), tiny);
    assert_reals(d->normal, 3, (const st_real[]){swapped ? -1 : 1, 0, 0}, tiny);
    assert_reals(d->point[swapped], 3, (const st_real[]){1, ST_R(0.5), 0}, 100 * tiny);
    assert_reals(d->point[!swapped], 3, (const st_real[]){ST_R(0.9), ST_R(0.5), 0}, 100 * tiny);
    physics_free(test);
}

// A turned box: a point and a sphere inside go out through the nearest face, along the box's own axis.
static void spheres_in_a_turned_box(void **state) {
    (void)state;
    const st_real h = sqrt(ST_R(0.5)), depth = ST_R(0.2), at = 1 - depth;
    physics_scene *test =
        detection_load(NEAR,
                       BOX("two", "0 0 0", "0 0 0.3826834323650898 0.9238795325112867",
                           "extents='1 3 3'") "<Node name='one'><MechanicalObject position='0.565685424949238 "
                                              "0.565685424949238 0'/><PointCollisionModel/></Node>",
                       true);
    assert_detection(detection_at(test, 0), (const st_real[]){at * h, at * h, 0}, (const st_real[]){h, h, 0},
                     (const st_real[]){-h, -h, 0}, -depth - ST_R(0.1), 10 * tiny);
    physics_free(test);
    test = detection_load(
        NEAR,
        BOX("two", "0 0 0", "0 0 0.3826834323650898 0.9238795325112867",
            "extents='1 3 3'") "<Node name='one'><MechanicalObject position='0.565685424949238 0.565685424949238 0'/>"
                               "<SphereCollisionModel radius='0.5'/></Node>",
        true);
    assert_near(detection_at(test, 0)->value, -depth - ST_R(0.6), 10 * tiny);
    assert_near(detection_at(test, 0)->point[0][0], at * h, 10 * tiny); // the center
    physics_free(test);
}

#define EDGE(name, ends, more)                                                                                         \
    "<Node name='" name "'><MeshTopology edges='0 1'/><MechanicalObject name='dofs' position='" ends                   \
    "'/><CapsuleCollisionModel defaultRadius='0.5' " more "/></Node>"
#define RIGID_CAPSULE(name, frame, more)                                                                               \
    "<Node name='" name "'><MechanicalObject template='Rigid3' name='dofs' position='" frame                           \
    "'/><CapsuleCollisionModel template='Rigid3' " more "/></Node>"

static void capsules_with_others(void **state) {
    (void)state;
    // crossing, axes 1.2 apart: gap 0.2 with radii 0.5
    physics_scene *test = detection_load(NEAR, EDGE("a", "-1 0 0  1 0 0", "") EDGE("b", "0 -1 1.2  0 1 1.2", ""), true);
    const st_detection *d = detection_at(test, 0);
    assert_near(d->value, ST_R(0.1), tiny);
    assert_near(fabs(d->normal[2]), 1, tiny);
    assert_near(d->point[0][2] + d->point[1][2], ST_R(1.2), tiny); // 0.5 and 0.7
    physics_free(test);

    // a rigid one upright on a lying one: its lower end is at y = 1.05, its cap at 0.55
    test = detection_load(NEAR, EDGE("a", "-1 0 0  1 0 0", "") RIGID_CAPSULE("b", "0.3 2.05 0 0 0 0 1", ""), true);
    d = detection_at(test, 0);
    assert_near(d->value, ST_R(0.05) - ST_R(0.1), tiny);
    assert_near(fabs(d->normal[1]), 1, tiny);
    assert_near(d->point[0][0], ST_R(0.3), tiny);
    physics_free(test);

    // with a sphere, a point, a line
    static const char *const others[] = {
        "<Node name='b'><MechanicalObject position='0.5 0 0.9'/><SphereCollisionModel radius='0.2'/></Node>",
        "<Node name='b'><MechanicalObject position='0.5 0 0.7'/><PointCollisionModel/></Node>",
        ("<Node name='b'><MeshTopology edges='0 1'/><MechanicalObject position='0.5 -1 0.7  0.5 1 0.7'/>"
         "<LineCollisionModel/></Node>"),
    };
    for (int i = 0; i < 3; i++) {
        char models[2048];
        snprintf(models, sizeof models, "%s%s", EDGE("a", "-1 0 0  1 0 0", ""), others[i]);
        test = detection_load(NEAR, models, true);
        assert_int_equal(detection_count(test), 1);
        d = detection_at(test, 0);
        assert_detection(d, (const st_real[]){ST_R(0.5), 0, ST_R(0.5)},
                         (const st_real[]){ST_R(0.5), 0, i == 0 ? ST_R(0.9) : ST_R(0.7)}, up, ST_R(0.1), tiny);
        physics_free(test);
    }
}

// On a triangle: one contact in the middle where it lies flat, with an end where it is tilted, with a side beyond.
static void capsule_on_a_triangle(void **state) {
    (void)state;
#define FLOOR                                                                                                          \
    "<Node name='floor'><MeshTopology triangles='0 1 2'/><MechanicalObject position='-4 -4 0  4 -4 0  0 4 0'/>"        \
    "<TriangleCollisionModel/></Node>"
    physics_scene *test = detection_load(NEAR, EDGE("a", "-1 0 0.7  1 0 0.7", "") FLOOR, true);
    assert_int_equal(detection_count(test), 1);
    assert_detection(detection_at(test, 0), (const st_real[]){0, 0, ST_R(0.2)}, origin, down, ST_R(0.1), tiny);
    physics_free(test);
    test = detection_load(NEAR, EDGE("a", "-1 0 0.7  1 0 2.7", "") FLOOR, true);
    assert_int_equal(detection_count(test), 1);
    assert_reals(detection_at(test, 0)->point[1], 3, (const st_real[]){-1, 0, 0}, tiny);
    physics_free(test);

    // across the side y = -4: the segment is beyond it with one end, over the triangle with none
    test = detection_load(NEAR, EDGE("a", "0 -4.5 -2  0 -4.5 2", "") FLOOR, true);
    assert_int_equal(detection_count(test), 1);
    assert_detection(detection_at(test, 0), (const st_real[]){0, -4, 0}, (const st_real[]){0, -4, 0},
                     (const st_real[]){0, 1, 0}, ST_R(-0.1), 10 * tiny);
    physics_free(test);
}

// Two ends of 0.5 kg on a box: k p = m g with k = k1 k2 / D, D with the radius.
static void weight_on_a_box(void **state) {
    (void)state;
    physics_scene *test = physics_load(DETECTION_PIPELINE NEAR BOX(
        "floor", "0 -1 0", FLAT,
        "extents='5 1 5' simulated='0' contactStiffness='20'") "<Node name='rod'><EulerImplicitSolver "
                                                               "rayleighMass='2'/><CGLinearSolver iterations='50' "
                                                               "tolerance='1e-12' "
                                                               "threshold='1e-12'/><MeshTopology edges='0 "
                                                               "1'/><MechanicalObject name='dofs' position='-1 0.61 0  "
                                                               "1 0.61 0'/>"
                                                               "<UniformMass totalMass='1'/><CapsuleCollisionModel "
                                                               "defaultRadius='0.5' contactStiffness='60'/></Node>");
    for (int i = 0; i < 600; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    const st_real *x = physics_state(test, "/rod/dofs")->coord[ST_COORD_POSITION].data;
    const st_real distance = ST_R(0.6), depth = 10 * distance / (20 * 60);
    assert_near(x[1], distance - depth, ST_R(1e-3));
    assert_near(x[4], distance - depth, ST_R(1e-3));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------

static void models(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/>"
                                       "<OBBCollisionModel name='box' extents='1 2 3' defaultExtent='0.5'/>"
                                       "<OBB name='old'/><CapsuleCollisionModel template='Rigid3' name='capsule'/>");
    assert_field(test, "/box", "extents", "1 2 3 0.5 0.5 0.5");
    assert_field(test, "/old", "defaultExtent", "1");
    assert_field(test, "/capsule", "dafaultHeight", "2");
    assert_field(test, "/capsule", "defaultRadius", "0.5");
    physics_free(test);
    static const char *const wrong[] = {
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><OBBCollisionModel name='x' extents='1 -2 3'/>",
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><OBBCollisionModel name='x' "
        "defaultExtent='-1'/>",
        "<MechanicalObject position='0 0 0'/><CapsuleCollisionModel name='x'/>",
        "<MeshTopology edges='0 1'/><MechanicalObject position='0 0 0'/><CapsuleCollisionModel name='x' "
        "defaultRadius='-1'/>",
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><CapsuleCollisionModel template='Rigid3' "
        "name='x' heights='-3'/>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test = physics_load(wrong[i]);
        assert_false(st_is_valid(physics_find(test, "/x")));
        physics_free(test);
    }
}

// Edges without ends, without length, boxes without extent, and numbers that are none.
static void degenerate_elements(void **state) {
    (void)state;
    physics_scene *test = detection_load(
        NEAR,
        EDGE("a", "0 0 0.3  0 0 0.3", "") EDGE("b", "0 0 0.3  0 0 0.3", "")
            BOX("c", "0 0 0", "0 0 0 0",
                "extents='0 0 0'") "<Node name='d'><MeshTopology edges='0 9'/><MechanicalObject position='0 0 0'/>"
                                   "<CapsuleCollisionModel/></Node>" TRIANGLE("0 0 0  0 0 0  0 0 0"),
        true);
    assert_non_null(strstr(test->log, "it is no capsule"));
    const st_narrow_phase *narrow = (const st_narrow_phase *)physics_find(test, "/narrow");
    for (size_t i = 0; i < narrow->outputs.count; i++)
        for (size_t k = 0; k < narrow->outputs.data[i]->found.list.count; k++) {
            const st_detection *d = &narrow->outputs.data[i]->found.list.data[k];
            assert_true(isfinite(d->value) && isfinite(d->normal[0]) && isfinite(d->point[0][0]));
        }
    physics_free(test);

    const st_real bad[3] = {NAN, 0, 0}, zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const st_real axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const st_convex a = st_convex_box(bad, axes, one), b = st_convex_box(zero, axes, one);
    st_convex_contact c;
    assert_false(st_convex_meet(&a, &b, 1, &c) && isfinite(c.gap) && c.gap > -1);
}

// A chain of capsules that may touch itself does not at its joints.
static void chain(void **state) {
    (void)state;
    physics_scene *test = detection_load(NEAR,
                                         "<Node name='a'><MeshTopology edges='0 1  1 2  2 3'/><MechanicalObject "
                                         "position='0 0 0  3 0 0  3 0.9 0  0 0.9 0'/>"
                                         "<CapsuleCollisionModel defaultRadius='0.4' selfCollision='1'/></Node>",
                                         true);
    assert_int_equal(detection_count(test), 1);
    assert_int_equal(detection_at(test, 0)->element[0], 0);
    assert_int_equal(detection_at(test, 0)->element[1], 2);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bodies),
        cmocka_unit_test(segments),
        cmocka_unit_test(boxes_of_sofa),
        cmocka_unit_test(capsules_of_sofa),
        cmocka_unit_test(spheres_and_triangles_of_sofa),
        cmocka_unit_test(overlapping_boxes),
        cmocka_unit_test(spheres_in_a_turned_box),
        cmocka_unit_test(capsules_with_others),
        cmocka_unit_test(capsule_on_a_triangle),
        cmocka_unit_test(weight_on_a_box),
        cmocka_unit_test(models),
        cmocka_unit_test(degenerate_elements),
        cmocka_unit_test(chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
