// Continuous detection: the search for the time of impact against dense sampling, and bodies that are too fast for
// detection at the beginning of a step. SETTEE_IMPACTS=N in the environment draws N random pairs instead of a few; a million
// take two minutes.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "collision/collision.h"
#include "math/real.h"

static uint64_t seed = 1;
static double uniform(void) { // between -1 and 1
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static void sub(double r[3], const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The nearest point of a segment.
static double to_segment(const double p[3], const double a[3], const double b[3]) {
    double ab[3], ap[3], d[3];
    sub(ab, b, a);
    sub(ap, p, a);
    const double length = dot(ab, ab), t = length > 0 ? fmin(fmax(dot(ap, ab) / length, 0), 1) : 0;
    for (int k = 0; k < 3; k++) d[k] = ap[k] - t * ab[k];
    return sqrt(dot(d, d));
}

static double to_triangle(double p[4][3]) {
    double u[3], v[3], w[3], n[3];
    sub(u, p[2], p[1]);
    sub(v, p[3], p[1]);
    sub(w, p[0], p[1]);
    double best = fmin(fmin(to_segment(p[0], p[1], p[2]), to_segment(p[0], p[2], p[3])), to_segment(p[0], p[3], p[1]));
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    const double s = (vv * dot(w, u) - uv * dot(w, v)) / det, t = (uu * dot(w, v) - uv * dot(w, u)) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        for (int k = 0; k < 3; k++) n[k] = w[k] - s * u[k] - t * v[k];
        best = fmin(best, sqrt(dot(n, n)));
    }
    return best;
}

static double between_edges(double p[4][3]) {
    double best = fmin(fmin(to_segment(p[0], p[2], p[3]), to_segment(p[1], p[2], p[3])),
                       fmin(to_segment(p[2], p[0], p[1]), to_segment(p[3], p[0], p[1])));
    double u[3], v[3], w[3], d[3];
    sub(u, p[1], p[0]);
    sub(v, p[3], p[2]);
    sub(w, p[2], p[0]);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    const double s = (vv * dot(w, u) - uv * dot(w, v)) / det, t = (uv * dot(w, u) - uu * dot(w, v)) / det;
    if (det > 0 && s >= 0 && s <= 1 && t >= 0 && t <= 1) {
        for (int k = 0; k < 3; k++) d[k] = w[k] + t * v[k] - s * u[k];
        best = fmin(best, sqrt(dot(d, d)));
    }
    return best;
}

// Random motions, among them elements without extent, in one plane, at rest, far away and nearly parallel.
static st_impact_query random_query(int kind) {
    st_impact_query q = {
        .edges = kind & 1, .distance = kind & 2 ? 1e-3 : 0, .tolerance = 1e-6, .most_iterations = 4000};
    const double scale = kind % 7 == 3 ? 100 : 1;
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++) {
            q.start[p][k] = scale * uniform();
            q.end[p][k] = kind % 11 == 5 ? q.start[p][k] : scale * uniform();
            if (kind % 5 == 1 && k == 2) q.start[p][k] = q.end[p][k] = 0.25; // in a plane
        }
    if (kind % 13 == 4) memcpy(q.start[2], q.start[3], sizeof q.start[2]), memcpy(q.end[2], q.end[3], sizeof q.end[2]);
    if (kind % 17 == 6) memcpy(q.end, q.start, sizeof q.end), q.end[0][0] += 1;
    return q;
}

enum { SAMPLES = 64, QUERIES = 20000 };

static void no_hit_is_missed(void **state) {
    (void)state;
    st_time_boxes boxes = {0};
    size_t hits = 0, misses = 0, limited = 0;
    const char *const wanted = getenv("SETTEE_IMPACTS");
    const int queries = wanted ? atoi(wanted) : QUERIES;
    assert_true(queries > 0);
    for (int n = 0; n < queries; n++) {
        st_impact_query q = random_query(n);
        double nearest = INFINITY, first = INFINITY, fastest = 0, time = -1;
        for (int p = 0; p < 4; p++) {
            double way[3];
            sub(way, q.end[p], q.start[p]);
            fastest = fmax(fastest, sqrt(dot(way, way)));
        }
        for (int s = 0; s <= SAMPLES; s++) {
            double place[4][3];
            for (int p = 0; p < 12; p++)
                place[p / 3][p % 3] =
                    q.start[p / 3][p % 3] + (q.end[p / 3][p % 3] - q.start[p / 3][p % 3]) * s / SAMPLES;
            const double d = q.edges ? between_edges(place) : to_triangle(place);
            if (d <= fmax(q.distance, 1e-12) && !isfinite(first)) first = (double)s / SAMPLES;
            nearest = fmin(nearest, d);
        }

        bool failed;
        const bool hit = st_find_impact(&q, &boxes, &time, &failed);
        assert_false(failed);
        if (isfinite(first)) {
            if (!hit || time > first + 1e-9) fail_msg("query %d: sampled at %g, found %d at %g", n, first, hit, time);
            hits++;
        }
        // what stays well away is not hit; what is nearer may be, when the limit of iterations is met
        if (nearest - 2 * fastest / SAMPLES > 2 * q.distance + 0.02) {
            if (hit) fail_msg("query %d: hit at %g, but %g away", n, time, nearest);
            misses++;
        }
        // with a limit nothing is missed either: it finds more, and not later
        q.most_iterations = 30;
        double early = -1;
        const bool maybe = st_find_impact(&q, &boxes, &early, &failed);
        if (hit) assert_true(maybe && early <= time);
        limited += maybe;
    }
    assert_true(hits > (size_t)queries / 50 && misses > (size_t)queries / 10 && limited > hits);
    st_list_free(&boxes);
}

// A point straight down on a triangle: the time is the height less the distance.
static void a_known_time(void **state) {
    (void)state;
    st_impact_query q = {.distance = 0.01, .tolerance = 1e-9};
    const double start[4][3] = {{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    st_time_boxes boxes = {0};
    double time;
    bool failed;
    memcpy(q.start, start, sizeof start);
    memcpy(q.end, start, sizeof start);
    q.end[0][2] = -1;
    assert_true(st_find_impact(&q, &boxes, &time, &failed));
    assert_true(time <= 0.495 && time > 0.48);
    q.end[0][2] = 0.02; // comes near, but not near enough
    assert_false(st_find_impact(&q, &boxes, &time, &failed));
    q.end[0][2] = NAN; // touches nothing
    assert_false(st_find_impact(&q, &boxes, &time, &failed));
    assert_false(failed);
    st_list_free(&boxes);
}

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

#define SCENE(method, plate, body)                                                                                     \
    "<Node name='root' gravity='0 0 0' dt='0.01'><FreeMotionAnimationLoop/>"                                           \
    "<BlockGaussSeidelConstraintSolver name='solver' tolerance='1e-9' maxIterations='500'/><CollisionPipeline/>"       \
    "<ParallelBruteForceBroadPhase/><ParallelBVHNarrowPhase/>" method                                                  \
    "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0'/>"                                  \
    "<Node name='plate'>" plate "</Node><Node name='body'><EulerImplicitSolver/><SparseLDLSolver/>" body               \
    "</Node></Node>"
#define CCD                                                                                                            \
    "<CCDTightInclusionIntersection alarmDistance='0' contactDistance='0.01' continuousCollisionType='FreeMotion'/>"
#define MIN "<MinProximityIntersection alarmDistance='0.05' contactDistance='0.01'/>"
#define PLATE                                                                                                          \
    "<MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/><MechanicalObject/>"            \
    "<TriangleCollisionModel simulated='0' moving='0'/>"
#define POINT                                                                                                          \
    "<MechanicalObject name='dofs' position='0.3 0.55 0.2' velocity='0 -100 0'/><UniformMass totalMass='2'/>"          \
    "<UncoupledConstraintCorrection defaultCompliance='0.5'/><PointCollisionModel/>"

static st_real height_after(const char *text, const char *path, int steps) {
    st_scene *scene = st_scene_create(NULL);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const st_real height = ((const st_state *)st_scene_find(scene, path))->coord[ST_COORD_POSITION].data[1];
    st_scene_destroy(scene);
    return height;
}

// 100 m/s in steps of 10 ms through a plate without thickness: it goes through, unless the whole step is looked at.
static void fast_points_do_not_tunnel(void **state) {
    (void)state;
    assert_true(height_after(SCENE(MIN, PLATE, POINT), "/body/dofs", 1) < ST_R(-0.4));
    assert_near(height_after(SCENE(CCD, PLATE, POINT), "/body/dofs", 1), ST_R(0.01), ST_R(1e-6));
    assert_near(height_after(SCENE(CCD, PLATE, POINT), "/body/dofs", 20), ST_R(0.01), ST_R(1e-5));
}

// An edge that falls across another one.
static void fast_edges_do_not_tunnel(void **state) {
    (void)state;
    static const char text[] = SCENE(
        CCD,
        "<MeshTopology position='-1 0 0  1 0 0' edges='0 1'/><MechanicalObject/><LineCollisionModel simulated='0'/>",
        "<MeshTopology position='0 0.55 -1  0 0.55 1' edges='0 1'/><MechanicalObject name='dofs' position='0 0.55 -1  "
        "0 0.55 1' "
        "velocity='0 -100 0  0 -100 0'/><UniformMass totalMass='2'/><UncoupledConstraintCorrection "
        "defaultCompliance='1'/><LineCollisionModel/>");
    assert_near(height_after(text, "/body/dofs", 1), ST_R(0.01), ST_R(1e-6));
}

static void bad_attributes_are_reported(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<CCDTightInclusionIntersection alarmDistance='0' contactDistance='0.1' tolerance='0'/>");
    assert_non_null(strstr(test->log, "tolerance is 0"));
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_hit_is_missed),
        cmocka_unit_test(a_known_time),
        cmocka_unit_test(fast_points_do_not_tunnel),
        cmocka_unit_test(fast_edges_do_not_tunnel),
        cmocka_unit_test(bad_attributes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
