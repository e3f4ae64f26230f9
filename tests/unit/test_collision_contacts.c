// Contacts in scenes: what is found against brute force, the penalty force, momentum, who touches whom, how contacts
// come and go, and input that makes no sense.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/text.h"
#include "collision/collision.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "state/state_links.h"

#define PIPELINE                                                                                                       \
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase name='broad'/><BVHNarrowPhase name='narrow'/>"          \
    "<CollisionResponse name='manager' response='PenalityContactForceField'/>"
#define NEW "<NewProximityIntersection name='method' alarmDistance='0.3' contactDistance='0.2'/>"
#define NEW_WITH_LINES                                                                                                 \
    "<NewProximityIntersection name='method' alarmDistance='0.3' contactDistance='0.2' useLineLine='1'/>"
#define MIN "<MinProximityIntersection name='method' alarmDistance='0.3' contactDistance='0.2'/>"
#define FLOOR                                                                                                          \
    "<Node name='floor'><MeshTopology position='-5 0 -5  5 0 -5  5 0 5  -5 0 5' triangles='0 2 1  0 3 2'/>"            \
    "<MechanicalObject name='dofs'/><TriangleCollisionModel name='model' simulated='0' moving='0' "                    \
    "contactStiffness='100'/></Node>"
#define SOLVER "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/>"

static st_status collide(physics_scene *test, unsigned passes) {
    st_object *pipeline = st_find(st_scene_root(test->scene), ST_ROLE(collision_pipeline), ST_DOWN);
    return st_collide(&pipeline, 1, &(st_strings){0}, passes);
}

static void step(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) {
        const st_status status = st_scene_step(test->scene, 0);
        if (status != ST_OK) print_message("%s", test->log);
        assert_int_equal(status, ST_OK);
    }
}

static st_narrow_phase *narrow(physics_scene *test) { return (st_narrow_phase *)physics_find(test, "/narrow"); }

static size_t found(physics_scene *test) {
    size_t count = 0;
    for (size_t i = 0; i < narrow(test)->outputs.count; i++) count += narrow(test)->outputs.data[i]->found.list.count;
    return count;
}

static bool said(const physics_scene *test, const char *text) { return strstr(test->log, text) != NULL; }

// ---------------------------------------------------------------------------------------------------
// Detection
// ---------------------------------------------------------------------------------------------------

static int by_elements(const void *a, const void *b) {
    const st_detection *x = a, *y = b;
    if (x->element[0] != y->element[0]) return x->element[0] < y->element[0] ? -1 : 1;
    if (x->element[1] != y->element[1]) return x->element[1] < y->element[1] ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

// The trees leave out nothing, and find nothing twice: all pairs of elements, tested one by one, give the same.
static void check_against_all_pairs(physics_scene *test) {
    st_intersection *method = (st_intersection *)physics_find(test, "/method");
    for (size_t k = 0; k < narrow(test)->outputs.count; k++) {
        const st_model_detections *output = narrow(test)->outputs.data[k];
        const st_collision_model *a = output->model[0], *b = output->model[1];
        st_detections all = {0};
        bool swap;
        st_element_test *run = st_intersection_find(method, a, b, &swap);
        assert_false(swap);
        for (size_t i = 0; i < a->count; i++)
            for (size_t j = 0; j < b->count; j++) run(method, a, i, b, j, &all);
        assert_int_equal(all.list.count, output->found.list.count);
        qsort(all.list.data, all.list.count, sizeof(st_detection), by_elements);
        qsort(output->found.list.data, all.list.count, sizeof(st_detection), by_elements);
        for (size_t i = 0; i < all.list.count; i++) {
            const st_detection *x = &all.list.data[i], *y = &output->found.list.data[i];
            assert_int_equal(by_elements(x, y), 0);
            assert_near(st_vec3_norm(x->normal), 1, 10 * ST_REAL_EPSILON);
            st_real pq[3];
            st_vec3_sub(pq, x->point[1], x->point[0]);
            assert_true(st_vec3_dot(pq, x->normal) >= 0); // from the first to the second
        }
        st_list_free(&all.list);
    }
}

static void trees_find_what_all_pairs_find(void **state) {
    (void)state;
    static const char *const methods[] = {NEW, MIN, NEW_WITH_LINES, "<DiscreteIntersection name='method'/>"};
    static const size_t least[] = {50, 50, 100, 1};
    for (size_t m = 0; m < 4; m++) {
        char text[4096];
        snprintf(
            text, sizeof text,
            PIPELINE
            "%s<Node name='a'>" SOLVER "<RegularGridTopology n='4 4 4' min='0 0 0' max='1 1 1'/><MechanicalObject/>"
            "<UniformMass totalMass='1'/><TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node>"
            "<Node name='b'>" SOLVER "<SphereGridTopology n='4 4 4' center='1.3 0.6 0.45' radius='0.6'/>"
            "<MechanicalObject/><UniformMass totalMass='1'/><TriangleCollisionModel/><LineCollisionModel/>"
            "<PointCollisionModel/></Node>"
            "<Node name='c'>" SOLVER "<MechanicalObject position='0.5 1.2 0.5 1.1 1.05 0.4 1.1 1.3 0.4'/>"
            "<UniformMass totalMass='1'/><SphereCollisionModel radius='0.2'/></Node>"
            "<Node name='d'>" SOLVER "<MechanicalObject template='Rigid3' position='0.8 1.3 0.5 0 0.6 0 0.8'/>"
            "<UniformMass totalMass='1'/><SphereCollisionModel radius='0.2'/></Node>",
            methods[m]);
        physics_scene *test = physics_load(text);
        // detection alone, before anything moves
        assert_int_equal(collide(test, ST_COLLISION_DETECT), ST_OK);
        assert_true(found(test) >= least[m]);
        check_against_all_pairs(test);
        physics_free(test);
    }
}

static void a_vertex_is_tested_with_its_owner_only(void **state) {
    (void)state;
    // a point under the common corner of two triangles
    static const char text[] = PIPELINE NEW FLOOR "<Node name='p'>" SOLVER
                                                  "<MechanicalObject position='-5 0.1 -5'/><UniformMass totalMass='1'/>"
                                                  "<PointCollisionModel/></Node>";
    physics_scene *test = physics_load(text);
    step(test, 1);
    assert_int_equal(found(test), 1);
    const st_detection *d = &narrow(test)->outputs.data[0]->found.list.data[0];
    assert_reals(d->normal, 3, (st_real[]){0, 1, 0}, 1e-12);
    assert_near(d->value, (st_real)(0.1 - 0.2), 1e-6);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

#define DROP(x, y, model)                                                                                              \
    "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='" x " " y                                     \
    " 0.3'/><UniformMass totalMass='1'/>"                                                                              \
    "<" model " name='model' contactStiffness='5'/></Node>"

// k = 100 · 5 / D, f = k (D - h), D = 0.2, and with a sphere its radius more.
static void the_penalty_is_as_told(void **state) {
    (void)state;
    static const struct {
        const char *text;
        st_real distance, height;
    } cases[] = {
        {PIPELINE NEW FLOOR DROP("1", "0.15", "PointCollisionModel"), 0.2, 0.15},
        {PIPELINE MIN FLOOR DROP("1", "0.15", "PointCollisionModel"), 0.2, 0.15},
        {PIPELINE MIN FLOOR DROP("1", "0.15", "PointCollisionModel contactDistance='0.1'"), 0.3, 0.15},
        {PIPELINE MIN FLOOR DROP("1", "1.1", "SphereCollisionModel"), 1.2, 1.1},
        {PIPELINE NEW FLOOR DROP("1", "0.6", "SphereCollisionModel radius='0.5'"), 0.7, 0.6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = physics_load(cases[i].text);
        assert_int_equal(collide(test, ST_COLLISION_RESET | ST_COLLISION_DETECT | ST_COLLISION_RESPOND), ST_OK);
        physics_force(test, "/body/model-model");
        const st_force *force = (const st_force *)physics_find(test, "/body/model-model");
        const st_real k = 500 / cases[i].distance, push = k * (cases[i].distance - cases[i].height);
        const bool second = force->other == physics_state(test, "/body/dofs");
        assert_true(second); // triangles come first in their tests
        assert_reals(force->other->deriv[ST_DERIV_FORCE].data, 3, (st_real[]){0, push, 0}, push * (st_real)1e-5);
        assert_reals(force->state->deriv[ST_DERIV_FORCE].data, 3, (st_real[]){0, -push, 0}, push * (st_real)1e-5);
        const st_params params = st_default_params();
        assert_near(force->object.type->force->potential((st_force *)force, &params), push * push / k / 2,
                    push * (st_real)1e-5);
        physics_free(test);
    }
}

// It comes to rest where the penalty carries its weight: k p = m g.
static void a_body_comes_to_rest_on_the_floor(void **state) {
    (void)state;
    physics_scene *test = physics_load(PIPELINE NEW FLOOR DROP("1", "0.3", "PointCollisionModel"));
    step(test, 1500);
    const st_state *body = physics_state(test, "/body/dofs");
    assert_near(body->coord[ST_COORD_POSITION].data[1], (st_real)(0.2 - 10 * 0.2 / 500), (st_real)1e-4);
    assert_near(body->deriv[ST_DERIV_VELOCITY].data[1], 0, (st_real)1e-3);
    assert_field(test, "/floor/model", "numberOfContacts", "1");
    physics_free(test);
}

// Two free bodies, explicit and implicit: what one gains the other loses.
static void momentum_is_kept(void **state) {
    (void)state;
    static const char bodies[] = "<Node name='%s'>%s<RegularGridTopology n='3 3 3' min='%s' max='%s'/>"
                                 "<MechanicalObject name='dofs'/><UniformMass "
                                 "vertexMass='%s'/><MeshSpringForceField stiffness='200' "
                                 "damping='1'/><TriangleCollisionModel/></Node>";
    for (int implicit = 0; implicit < 2; implicit++) {
        char one[1024], two[1024], text[4096];
        // below one integrator contacts are implicit, else they are external forces of each body
        static const char exact[] = "<EulerImplicitSolver/><SparseLDLSolver/>";
        const char *own = implicit ? "" : exact, *common = implicit ? exact : "";
        snprintf(one, sizeof one, bodies, "one", own, "0 0 0", "1 1 1", "0.2");
        snprintf(two, sizeof two, bodies, "two", own, "1.35 0.2 0.3", "2.35 1.2 1.3", "0.3");
        snprintf(text, sizeof text, PIPELINE NEW "<Node name='space'><Gravity gravity='0 0 0'/>%s%s%s</Node>", common,
                 one, two);
        physics_scene *test = physics_load(text);
        const st_state *a = physics_state(test, "/space/one/dofs"), *b = physics_state(test, "/space/two/dofs");
        for (int i = 0; i < 27 * 3; i++) {
            a->deriv[ST_DERIV_VELOCITY].data[i] = (st_real[]){1, (st_real)0.1, 0}[i % 3];
            b->deriv[ST_DERIV_VELOCITY].data[i] = (st_real[]){-1, 0, (st_real)0.2}[i % 3];
        }
        st_real start[3] = {0}, end[3] = {0};
        size_t most = 0;
        for (int when = 0; when < 2; when++) {
            st_real *sum = when ? end : start;
            for (int i = 0; i < 27 * 3; i++)
                sum[i % 3] += (st_real)0.2 * a->deriv[ST_DERIV_VELOCITY].data[i] +
                              (st_real)0.3 * b->deriv[ST_DERIV_VELOCITY].data[i];
            for (int i = 0; when == 0 && i < 60; i++) {
                step(test, 1);
                if (found(test) > most) most = found(test);
            }
        }
        assert_true(most > 10);
        assert_true(a->deriv[ST_DERIV_VELOCITY].data[0] < (st_real)0.9); // they did push each other
        assert_reals(end, 3, start, (st_real)(sizeof(st_real) == 8 ? 1e-9 : 1e-3));
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Who touches whom
// ---------------------------------------------------------------------------------------------------

#define PAIR(first, second)                                                                                            \
    PIPELINE NEW                                                                                                       \
        "<Node name='a'>" SOLVER "<MechanicalObject name='dofs' position='0 0 0'/><UniformMass totalMass='1'/>"        \
        "<PointCollisionModel name='model' " first "/></Node>"                                                         \
        "<Node name='b'>" SOLVER "<MechanicalObject name='dofs' position='0.1 0 0'/><UniformMass totalMass='1'/>"      \
        "<PointCollisionModel name='model' " second "/></Node>"

static void groups_and_obstacles(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t found;
    } cases[] = {
        {PAIR("", ""), 1},
        {PAIR("group='1'", ""), 1},
        {PAIR("group='1 2'", "group='3'"), 1},
        {PAIR("group='1 2'", "group='2 3'"), 0},
        {PAIR("simulated='0'", ""), 1},
        {PAIR("simulated='0'", "simulated='0'"), 0},
        {PAIR("active='0'", ""), 0},
        {PIPELINE NEW "<Node name='a'><MechanicalObject position='0 0 0'/><PointCollisionModel/></Node>"
                      "<Node activated='0'><Node name='b'><MechanicalObject position='0.1 0 0'/>"
                      "<PointCollisionModel/></Node></Node>",
         0},
        {PIPELINE NEW "<Node name='a'>" SOLVER
                      "<MechanicalObject position='0 0 0 0.1 0 0'/><UniformMass totalMass='1'/>"
                      "<SphereCollisionModel radius='0.1'/></Node>",
         0},
        {PIPELINE NEW "<Node name='a'>" SOLVER
                      "<MechanicalObject position='0 0 0 0.1 0 0'/><UniformMass totalMass='1'/>"
                      "<SphereCollisionModel radius='0.1' selfCollision='1'/></Node>",
         1},
        {PIPELINE NEW "<Node name='a'>" SOLVER
                      "<MechanicalObject position='0 0 0 0.1 0 0'/><UniformMass totalMass='1'/>"
                      "<PointCollisionModel selfCollision='1'/></Node>",
         0},
        // lines of one chain: the first and the last are near, neighbors are no contacts
        {PIPELINE NEW "<Node name='a'>" SOLVER "<MeshTopology position='0 0 0 1 0 0 1 1 0 0.5 1 0.1 0.5 -1 0.1' "
                      "edges='0 1 1 2 2 3 3 4'/><MechanicalObject/><UniformMass totalMass='1'/>"
                      "<LineCollisionModel selfCollision='1'/></Node>",
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = physics_load(cases[i].text);
        step(test, 1);
        if (found(test) != cases[i].found) print_message("case %zu\n%s", i, test->log);
        assert_int_equal(found(test), cases[i].found);
        physics_free(test);
    }
}

static void responses_stand_where_told(void **state) {
    (void)state;
    physics_scene *test = physics_load(PAIR("simulated='0'", ""));
    step(test, 1);
    assert_non_null(st_scene_find(test->scene, "/b/model-model")); // with the simulated one
    physics_free(test);
    test = physics_load(PAIR("", ""));
    step(test, 1);
    assert_non_null(st_scene_find(test->scene, "/model-model")); // with the pipeline
    physics_free(test);
    test = physics_load(PAIR("contactResponse='nullptr'", ""));
    step(test, 3);
    assert_int_equal(found(test), 1);
    assert_null(st_scene_find(test->scene, "/model-model"));
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Contacts come and go
// ---------------------------------------------------------------------------------------------------

static void plans_change_only_with_the_pairs(void **state) {
    (void)state;
    // tilted, so that its corners come down one after the other
    physics_scene *test = physics_load(
        PIPELINE NEW FLOOR "<Node name='body'>" SOLVER "<RegularGridTopology n='3 3 3' min='0 0.3 0' max='1 1.3 1'/>"
                           "<MechanicalObject name='dofs' rotation='-8 0 5'/><UniformMass "
                           "totalMass='1'/><MeshSpringForceField stiffness='500' "
                           "damping='2'/><TriangleCollisionModel name='model'/></Node>");
    uint32_t changes = 0, before = test->scene->structure;
    size_t counts = 0, last = 0;
    for (int i = 0; i < 200; i++) {
        step(test, 1);
        if (test->scene->structure != before) changes++;
        if (found(test) != last) counts++;
        before = test->scene->structure;
        last = found(test);
    }
    assert_int_equal(changes, 1); // it met the floor once, and stays
    assert_true(counts > 2);      // whatever the number of contacts
    physics_free(test);
}

// A body that bounces: its contact vanishes with the response and comes again, with the same objects.
static void a_pair_separates_and_meets_again(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(PIPELINE NEW FLOOR
                     "<Node name='body'><EulerExplicitSolver/><MechanicalObject name='dofs' position='1 0.5 0.3'/>"
                     "<UniformMass totalMass='1'/><PointCollisionModel name='model'/></Node>");
    int meetings = 0;
    bool touching = false;
    st_object *response = NULL;
    for (int i = 0; i < 600; i++) {
        step(test, 1);
        st_object *now = st_scene_find(test->scene, "/body/model-model");
        assert_true((now != NULL) == (found(test) > 0));
        if (now && response) assert_ptr_equal(now, response);
        if (now) response = now;
        if (now && !touching) meetings++;
        touching = now != NULL;
    }
    assert_true(meetings > 2);
    physics_free(test);
}

static void move_to(physics_scene *test, const char *path, st_real x) {
    const st_state *state = physics_state(test, path);
    st_copy_reals(state->coord[ST_COORD_POSITION].data, ((st_real[]){x, 0, 0}), 3);
    st_touch_states(test->scene);
}

// Attributes that change while two models are apart hold when they meet again.
static void a_pair_meets_again_without_response(void **state) {
    (void)state;
    physics_scene *test = physics_load(PAIR("simulated='0'", ""));
    step(test, 1);
    assert_non_null(st_scene_find(test->scene, "/b/model-model"));
    assert_field(test, "/b/model", "numberOfContacts", "1");
    move_to(test, "/b/dofs", 5);
    step(test, 1);
    assert_null(st_scene_find(test->scene, "/b/model-model"));
    assert_field(test, "/b/model", "numberOfContacts", "0");
    assert_int_equal(st_object_set(physics_find(test, "/a/model"), "contactResponse", "nullptr"), ST_OK);
    move_to(test, "/a/dofs", 0);
    move_to(test, "/b/dofs", (st_real)0.1);
    step(test, 3);
    assert_int_equal(found(test), 1);
    assert_null(st_scene_find(test->scene, "/b/model-model"));
    physics_free(test);
}

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

static const char pile[] =
    "<Node dt='0.01'><DefaultAnimationLoop/>" PIPELINE MIN FLOOR "<Node name='a'>" SOLVER
    "<RegularGridTopology n='4 3 4' min='0 0.4 0' max='1 1 1'/><MechanicalObject/><UniformMass "
    "totalMass='2'/><TetrahedronFEMForceField youngModulus='500' poissonRatio='0.3'/><TriangleCollisionModel/>"
    "<LineCollisionModel/><PointCollisionModel/></Node>"
    "<Node name='b'>" SOLVER "<MechanicalObject template='Rigid3' position='0.4 1.6 0.5 0.2 0 0 0.98'/><UniformMass "
    "totalMass='1'/><Node name='surface'><RegularGridTopology n='3 3 3' min='-0.3 -0.3 -0.3' max='0.3 0.3 0.3'/>"
    "<MechanicalObject/><RigidMapping/><TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node></"
    "Node>"
    "<Node name='c'>" SOLVER "<MechanicalObject template='Rigid3' position='0.9 1.5 0.2 0 0 0 1'/><UniformMass "
    "totalMass='1'/><SphereCollisionModel radius='0.2'/></Node></Node>";

static void run_pile(st_scene *scene, st_text *dump) {
    const st_writer writer = {collect, dump};
    const st_narrow_phase *phase = (const st_narrow_phase *)st_scene_find(scene, "/narrow");
    size_t most = 0;
    for (int i = 0; i < 60; i++) {
        assert_int_equal(st_scene_step(scene, 0), ST_OK);
        if (phase->outputs.count > most) most = phase->outputs.count;
    }
    assert_true(most >= 4); // several pairs at once
    assert_int_equal(st_scene_dump_states(scene, 0, &writer), ST_OK);
}

// Same bits for any number of threads, and after a reset; contact points are no part of what is written.
static void contacts_are_the_same_each_time(void **state) {
    (void)state;
    st_text reference = {0};
    for (int threads = 1; threads <= 3; threads++) {
        st_config config = st_default_config();
        config.threads = threads;
        st_scene *scene = st_scene_create(&config);
        assert_true(st_succeeded(st_scene_load_text(scene, pile, strlen(pile), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        st_text dump = {0}, again = {0};
        run_pile(scene, threads == 1 ? &reference : &dump);
        if (threads > 1) assert_string_equal(reference.data, dump.data);
        assert_int_equal(st_scene_reset(scene), ST_OK);
        run_pile(scene, &again);
        assert_string_equal(reference.data, again.data);
        st_scene_destroy(scene);
        st_text_free(&dump);
        st_text_free(&again);
    }
    assert_null(strstr(reference.data, "contactPoints"));
    st_text_free(&reference);
}

// Matrices with contacts, also of a mapped and a rigid body: assembled and matrix-free solvers move alike.
static void assembled_and_matrix_free_agree(void **state) {
    (void)state;
    static const char *const solvers[] = {"<CGLinearSolver iterations='2000' tolerance='1e-18' threshold='1e-18'/>",
                                          "<SparseLDLSolver/>"};
    st_real height[2][2];
    for (int s = 0; s < 2; s++) {
        char text[4096];
        snprintf(
            text, sizeof text,
            PIPELINE NEW FLOOR
            "<Node name='all'><EulerImplicitSolver/>%s"
            "<Node name='a'><RegularGridTopology n='3 3 3' min='0 0.19 0' max='1 1 1'/><MechanicalObject name='dofs'/>"
            "<UniformMass totalMass='2'/><TetrahedronFEMForceField youngModulus='500' poissonRatio='0.3'/>"
            "<Node name='skin'><RegularGridTopology n='4 3 4' min='0 0.19 0' max='1 1 1'/><MechanicalObject/>"
            "<BarycentricMapping/><TriangleCollisionModel group='1'/></Node></Node>"
            "<Node name='c'><MechanicalObject name='dofs' template='Rigid3' position='2 0.65 2 0 0 0 1'/>"
            "<UniformMass totalMass='1'/><SphereCollisionModel radius='0.5' group='1'/></Node></Node>",
            solvers[s]);
        physics_scene *test = physics_load(text);
        step(test, 20);
        assert_true(found(test) > 5);
        height[s][0] = physics_state(test, "/all/a/dofs")->coord[ST_COORD_POSITION].data[1];
        height[s][1] = physics_state(test, "/all/c/dofs")->coord[ST_COORD_POSITION].data[1];
        physics_free(test);
    }
    const st_real tolerance = (st_real)(sizeof(st_real) == 8 ? 1e-9 : 1e-3);
    assert_reals(height[0], 2, height[1], tolerance);
}

// ---------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------

static void free_motion_knows_the_contacts_of_the_last_step(void **state) {
    (void)state;
    for (int parallel = 0; parallel < 2; parallel++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "<Node dt='0.01' gravity='0 0 0'><FreeMotionAnimationLoop parallelCollisionDetectionAndFreeMotion='%d'/>"
            "<BlockGaussSeidelConstraintSolver/>" PIPELINE NEW FLOOR
            "<Node name='body'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='dofs' position='1 0.1 "
            "0'/>"
            "<UniformMass totalMass='1'/><PointCollisionModel "
            "name='model'/><UncoupledConstraintCorrection/></Node></Node>",
            parallel);
        st_scene *scene = st_scene_create(NULL);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        assert_true(st_succeeded(st_scene_init(scene)));
        const st_state *body = (const st_state *)st_scene_find(scene, "/body/dofs");
        assert_int_equal(st_scene_step(scene, 0), ST_OK); // the contact is found after the motion
        assert_near(body->coord[ST_COORD_POSITION].data[1], (st_real)0.1, 10 * ST_REAL_EPSILON);
        for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
        assert_int_equal(body->coord[ST_COORD_POSITION].data[1] > (st_real)0.101, !parallel);
        st_scene_destroy(scene);
    }
}

// Two collisions a step: the second sees where the first half has led.
static void several_collisions_in_a_step(void **state) {
    (void)state;
    static const char text[] =
        "<Node dt='0.02' gravity='0 -10 0'><MultiStepAnimationLoop collisionSteps='2'/>" PIPELINE NEW FLOOR DROP(
            "1", "0.25", "PointCollisionModel") "</Node>";
    st_scene *scene = st_scene_create(NULL);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    for (int i = 0; i < 500; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    const st_state *body = (const st_state *)st_scene_find(scene, "/body/dofs");
    assert_near(body->coord[ST_COORD_POSITION].data[1], (st_real)(0.2 - 10 * 0.2 / 500), (st_real)1e-3);
    st_scene_destroy(scene);
}

static void sub_pipelines_keep_to_themselves(void **state) {
    (void)state;
    static const char text[] =
        "<NewProximityIntersection name='m1' alarmDistance='0.3' contactDistance='0.2'/><BruteForceBroadPhase "
        "name='b1'/>"
        "<BVHNarrowPhase name='narrow'/><CollisionResponse name='r1' response='PenalityContactForceField'/>"
        "<NewProximityIntersection name='m2' alarmDistance='0.3' contactDistance='0.2'/><BruteForceBroadPhase "
        "name='b2'/>"
        "<BVHNarrowPhase name='n2'/><CollisionResponse name='r2' response='PenalityContactForceField'/>"
        "<Node name='a'><MechanicalObject position='0 0 0'/><PointCollisionModel name='model'/></Node>"
        "<Node name='b'><MechanicalObject position='0.1 0 0'/><PointCollisionModel name='model'/></Node>"
        "<Node name='c'><MechanicalObject position='0 0.1 0'/><PointCollisionModel name='model'/></Node>"
        "<SubCollisionPipeline name='p1' collisionModels='@/a/model @/b/model @/a/model @/b/model' "
        "intersectionMethod='@m1' "
        "broadPhaseDetection='@b1' narrowPhaseDetection='@narrow' contactManager='@r1'/>"
        "<SubCollisionPipeline name='p2' collisionModels='@/c/model' intersectionMethod='@m2' "
        "broadPhaseDetection='@b2' narrowPhaseDetection='@n2' contactManager='@r2'/>"
        "<CompositeCollisionPipeline subCollisionPipelines='@p1 @p2'/>";
    physics_scene *test = physics_load(text);
    step(test, 1);
    assert_int_equal(found(test), 1);
    assert_int_equal(((st_narrow_phase *)physics_find(test, "/n2"))->outputs.count, 0);
    assert_true(said(test, "names '/a/model' twice") && said(test, "names '/b/model' twice"));
    assert_int_equal(test->count[ST_WARNING] + test->count[ST_ERROR], 2);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Input that makes no sense
// ---------------------------------------------------------------------------------------------------

// Two models of one group cannot touch, and are left alone; out of the group they are found where they are then.
static void groups_change_while_it_runs(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        PIPELINE NEW FLOOR "<Node name='body'>" SOLVER "<MechanicalObject name='dofs' position='0 2 0'/>"
                           "<UniformMass totalMass='1'/><PointCollisionModel name='model' group='7'/></Node>");
    st_object_set(physics_find(test, "/floor/model"), "group", "7");
    st_real *y = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data + 1;
    step(test, 3);
    *y = (st_real)0.15;
    step(test, 1);
    assert_int_equal(found(test), 0);
    *y = (st_real)0.15;
    st_object_set(physics_find(test, "/floor/model"), "group", "");
    step(test, 1);
    assert_int_equal(found(test), 1);
    physics_free(test);
}

static void what_is_missing_is_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<CollisionPipeline/>", "an intersection method"},
        {"<CollisionPipeline/>", "a contact manager"},
        {PIPELINE "<Node><MechanicalObject/></Node>", "an intersection method"},
        {"<CollisionPipeline depth='-3'/>" NEW, "depth = -3 is negative"},
        {"<NewProximityIntersection/>", "alarmDistance"},
        {PIPELINE "<NewProximityIntersection alarmDistance='-1' contactDistance='0.2'/>", "alarmDistance is -1"},
        {PIPELINE "<MinProximityIntersection alarmDistance='1' contactDistance='-0.2'/>", "contactDistance -0.2"},
        {"<Node><MechanicalObject/><PointCollisionModel contactDistance='-3'/></Node>", "contactDistance is -3"},
        {"<Node><MechanicalObject/><SphereCollisionModel listRadius='1 -2'/></Node>", "radius of sphere 1 is -2"},
        {"<Node><MechanicalObject/><SphereCollisionModel radius='-2'/></Node>", "radius of sphere 0 is -2"},
        {"<CollisionResponse/>", "'response' is not set"},
        {"<CollisionResponse response='Nonsense'/>", "PenalityContactForceField"},
        {"<CollisionResponse response='null'/>", "no response called 'null'"},
        {"<DefaultCollisionGroupManager/>", "forces of one step"},
        {"<Node><MechanicalObject/><TriangleCollisionModel/></Node>", "no topology"},
        {"<Node><MechanicalObject/><LineCollisionModel/></Node>", "no topology"},
        {"<Node><PointCollisionModel/></Node>", "no mechanical state"},
        {"<Node><SphereCollisionModel/></Node>", "no mechanical state"},
        {"<Node><MechanicalObject template='Rigid3'/><PointCollisionModel/></Node>", "is of type Rigid3"},
        {"<CompositeCollisionPipeline/>", "names none"},
        {"<SubCollisionPipeline name='s'/>", "is required"},
        {NEW "<CompositeCollisionPipeline subCollisionPipelines='@method'/>", "no SubCollisionPipeline"},
        {"<MechanicalObject/><PenalityContactForceField contacts='0 3 0 1 0 1 1'/>", "DOFs 0 and 3"},
        {PAIR("contactResponse='Nonsense'", ""), "no response 'Nonsense'"},
        {"<Node><MeshTopology position='0 0 0' triangles='0 0 0'/><MechanicalObject "
         "size='0'/><TriangleCollisionModel/></Node>" PIPELINE NEW,
         ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = physics_load(cases[i].text);
        step(test, 2);
        if (!said(test, cases[i].message)) fail_msg("nobody says '%s':\n%s", cases[i].message, test->log);
        physics_free(test);
    }
}

static void nothing_crashes(void **state) {
    (void)state;
    static const char *const methods[] = {NEW, MIN, "<DiscreteIntersection name='method'/>"};
    static const char *const surfaces[] = {
        // triangles without area, twice the same, out of range; points at one place; no number
        ("<MeshTopology position='0 0 0 0 0 0 0 0 0 1 0 0 2 0 0' triangles='0 1 2 0 3 4 0 0 0 3 3 4' edges='0 1 1 1 3 "
         "4'/>"
         "<MechanicalObject/>"),
        ("<MeshTopology position='0 0 0 1 0 0 0 1 0' triangles='0 1 2 2 1 7' edges='0 9 0 1'/><MechanicalObject "
         "position='0 0 0 1 0 0 0 1 0'/>"),
        ("<MeshTopology position='0 0 0 1 0 0 0 1 0' triangles='0 1 2'/><MechanicalObject position='0 nan 0 1 0 0 inf "
         "1 "
         "0'/>"),
        ("<MeshTopology position='0 0 0 1 0 0 0 1 0' triangles='0 1 2' quads='0 1 2 0'/><MechanicalObject "
         "position='1e300 0 0 -1e300 0 0 0 1e300 0'/>"),
        "<MeshTopology/><MechanicalObject size='0'/>",
    };
    for (size_t m = 0; m < 3; m++)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j <= i; j++) {
                char text[4096];
                snprintf(text, sizeof text,
                         PIPELINE
                         "%s<Node name='a'>%s<TriangleCollisionModel selfCollision='1'/><LineCollisionModel "
                         "selfCollision='1'/><PointCollisionModel selfCollision='1'/><SphereCollisionModel "
                         "selfCollision='1' listRadius='-1 nan'/></Node><Node name='b'>%s<TriangleCollisionModel "
                         "contactDistance='nan'/><LineCollisionModel contactStiffness='inf'/>"
                         "<PointCollisionModel/><SphereCollisionModel radius='1e300'/></Node>",
                         methods[m], surfaces[i], surfaces[j]);
                physics_scene *test = physics_load(text);
                for (int k = 0; k < 3; k++) st_scene_step(test->scene, 0);
                st_scene_reset(test->scene);
                st_scene_step(test->scene, 0);
                physics_free(test);
            }
}

// A triangle without area touches by its vertices, and does not make numbers that are none.
static void triangles_without_area_touch(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        PIPELINE NEW FLOOR "<Node name='body'>" SOLVER "<MeshTopology position='1 0.15 0  2 0.4 0' triangles='0 0 1'/>"
                           "<MechanicalObject name='dofs'/><UniformMass vertexMass='0.1'/>"
                           "<TriangleCollisionModel name='model'/></Node>");
    step(test, 10);
    assert_true(found(test) > 0);
    assert_true(physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data[1] > (st_real)0.15); // pushed up
    physics_free(test);
}

// Thousands of elements in one place: the list has an end, and the step too.
static void many_overlapping_elements(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        PIPELINE NEW "<Node name='a'><MechanicalObject size='2000'/><PointCollisionModel name='model'/></Node>"
                     "<Node name='b'><MechanicalObject size='2000'/><PointCollisionModel name='model'/></Node>");
    step(test, 2);
    assert_int_equal(found(test), ST_DETECTIONS_MAX);
    assert_true(said(test, "more than 1048576 contacts"));
    assert_true(said(test, "at the same place"));
    physics_free(test);
}

// States that change their size while a contact holds.
static void sizes_change_while_they_touch(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(PIPELINE NEW FLOOR "<Node name='body'>" SOLVER
                                        "<MechanicalObject name='dofs' position='1 0.1 0 2 0.1 0 3 0.1 0'/>"
                                        "<UniformMass vertexMass='1'/><PointCollisionModel name='model'/></Node>");
    step(test, 1);
    assert_int_equal(found(test), 3);
    assert_int_equal(st_state_resize(physics_state(test, "/floor/dofs"), 2), ST_OK); // vertices 2 and 3 are gone
    step(test, 1);
    assert_true(said(test, "the last one is taken"));
    assert_int_equal(st_object_set(physics_find(test, "/body"), "activated", "0"), ST_OK);
    step(test, 1);
    assert_int_equal(found(test), 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_find_what_all_pairs_find),
        cmocka_unit_test(a_vertex_is_tested_with_its_owner_only),
        cmocka_unit_test(the_penalty_is_as_told),
        cmocka_unit_test(a_body_comes_to_rest_on_the_floor),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(groups_and_obstacles),
        cmocka_unit_test(responses_stand_where_told),
        cmocka_unit_test(plans_change_only_with_the_pairs),
        cmocka_unit_test(a_pair_separates_and_meets_again),
        cmocka_unit_test(a_pair_meets_again_without_response),
        cmocka_unit_test(contacts_are_the_same_each_time),
        cmocka_unit_test(assembled_and_matrix_free_agree),
        cmocka_unit_test(free_motion_knows_the_contacts_of_the_last_step),
        cmocka_unit_test(several_collisions_in_a_step),
        cmocka_unit_test(sub_pipelines_keep_to_themselves),
        cmocka_unit_test(groups_change_while_it_runs),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(nothing_crashes),
        cmocka_unit_test(triangles_without_area_touch),
        cmocka_unit_test(many_overlapping_elements),
        cmocka_unit_test(sizes_change_while_they_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
