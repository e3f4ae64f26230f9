// Same input, same bits: for any number of threads, for every run, and after a reset.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "collision/collision.h"
#include "scene/scene.h"
#include "settee/matrix.h"
#include "settee/settee.h"

static bool collect(void *user, const char *text, size_t length) { return st_text_append_n(user, text, length); }

static void run_steps(st_scene *scene, int steps, st_text *dump) {
    const st_writer writer = {collect, dump};
    for (int i = 0; i < steps; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(st_scene_dump_states(scene, 0, &writer), ST_OK);
}

static st_scene *jelly(int threads) {
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load(scene, SETTEE_EXAMPLES "/jelly.scn")));
    assert_true(st_succeeded(st_scene_init(scene)));
    return scene;
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    st_text reference = {0};
    for (int threads = 1; threads <= 3; threads++) {
        st_text dump = {0};
        st_scene *scene = jelly(threads);
        run_steps(scene, 60, threads == 1 ? &reference : &dump);
        if (threads > 1) assert_string_equal(reference.data, dump.data);
        st_scene_destroy(scene);
        st_text_free(&dump);
    }
    assert_true(reference.length > 1000);
    st_text_free(&reference);
}

// Bodies large enough for the threads to share them, with products and with matrices.
#define TETRAHEDRA                                                                                                     \
    "<RegularGridTopology name='grid' n='7 7 7' min='0 0 0' max='1 1 1'/><MechanicalObject/>"                          \
    "<TetrahedronSetTopologyContainer name='tetra'/>"                                                                  \
    "<Hexa2TetraTopologicalMapping input='@grid' output='@tetra' swapping='1'/>"
#define HEXAHEDRA "<RegularGridTopology n='8 8 9' min='0 0 0' max='1 1 1'/><MechanicalObject/>"
#define SHEET                                                                                                          \
    "<RegularGridTopology name='grid' n='30 30 1' min='0 0 0' max='1 1 0'/><MechanicalObject/>"                        \
    "<TriangleSetTopologyContainer name='triangles'/><TriangleSetTopologyModifier/>"                                   \
    "<Quad2TriangleTopologicalMapping input='@grid' output='@triangles'/>"
#define ELASTIC " youngModulus='1000' poissonRatio='0.3'/>"

static const char *const bodies[] = {
    HEXAHEDRA "<TetrahedronFEMForceField method='large'" ELASTIC,
    HEXAHEDRA "<TetrahedronFEMForceField method='svd'" ELASTIC,
    HEXAHEDRA "<HexahedronFEMForceField method='polar'" ELASTIC,
    HEXAHEDRA "<CorotationalFEMForceField template='Vec3,Hexahedron'" ELASTIC,
    HEXAHEDRA "<RegularGridSpringForceField linesStiffness='100' cubesStiffness='50'/>",
    HEXAHEDRA "<MeshSpringForceField linesStiffness='100' hexahedraStiffness='50'/>",
    TETRAHEDRA "<FastTetrahedralCorotationalForceField method='polar2'" ELASTIC,
    TETRAHEDRA "<TetrahedronHyperelasticityFEMForceField materialName='NeoHookean' ParameterSet='400 600'/>",
    TETRAHEDRA "<LinearSmallStrainFEMForceField template='Vec3,Tetrahedron'" ELASTIC,
    SHEET "<TriangularFEMForceFieldOptim" ELASTIC,
};

static void run_body(const char *body, const char *solver, int threads, st_text *dump) {
    char text[2048];
    snprintf(text, sizeof text,
             "<Node dt='0.01' gravity='0.3 -1 0.2'><DefaultAnimationLoop/><EulerImplicitSolver/>%s%s"
             "<UniformMass totalMass='5'/><FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7'/></Node>",
             solver, body);
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    run_steps(scene, 4, dump);
    st_scene_destroy(scene);
}

static void threads_do_not_change_a_body(void **state) {
    (void)state;
    static const char *const solvers[] = {"<CGLinearSolver iterations='15' tolerance='1e-9' threshold='1e-9'/>",
                                          "<SparseLDLSolver/>"};
    for (size_t i = 0; i < 2 * sizeof bodies / sizeof *bodies; i++) {
        st_text reference = {0};
        run_body(bodies[i / 2], solvers[i % 2], 1, &reference);
        assert_true(reference.length > 1000);
        for (int threads = 2; threads <= 3; threads++) {
            st_text dump = {0};
            run_body(bodies[i / 2], solvers[i % 2], threads, &dump);
            if (strcmp(reference.data, dump.data) != 0) fail_msg("%d threads: %s", threads, bodies[i / 2]);
            st_text_free(&dump);
        }
        st_text_free(&reference);
    }
}

// Independent bodies, bodies on mapped states, and forces between the two: what assembly does at the same time. The
// sides are large enough for the threads to share their elements; a child is a copy in one case, turned by a frame in
// another.
static const char *const mixed =
    "<Node name='block'>" HEXAHEDRA "<UniformMass totalMass='5'/><HexahedronFEMForceField name='fem'" ELASTIC
    "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7'/>"
    "<Node name='copy'><MechanicalObject name='dofs'/><IdentityMapping/>"
    "<RegularGridSpringForceField linesStiffness='20' cubesStiffness='5'/></Node>"
    "<Node name='inner'><RegularGridTopology n='7 7 7' min='0.1 0.1 0.1' max='0.9 0.9 0.9'/><MechanicalObject "
    "name='dofs'/>"
    "<BarycentricMapping/><UniformMass totalMass='1'/><HexahedronFEMForceField method='large'" ELASTIC "</Node></Node>"
    "<Node name='sheet'><RegularGridTopology n='9 9 2' min='2 0 0' max='3 1 0.1'/><MechanicalObject name='dofs'/>"
    "<UniformMass totalMass='1'/><MeshSpringForceField linesStiffness='300'/></Node>"
    "<Node name='frame'><MechanicalObject name='dofs' template='Rigid3' position='4 0 0 0 0 0 1'/>"
    "<UniformMass template='Rigid3' totalMass='2'/>"
    "<Node name='shape'><RegularGridTopology n='7 7 8' min='4 0 0' max='5 1 1'/><MechanicalObject name='dofs'/>"
    "<RigidMapping globalToLocalCoords='1' geometricStiffness='1'/><HexahedronFEMForceField method='large'" ELASTIC
    "</Node></Node>"
    // independent with mapped, mapped with mapped, a copy with an independent one
    "<SpringForceField object1='@sheet/dofs' object2='@frame/shape/dofs' spring='80 0 30 0.1 0.5  81 1 30 0.1 0.5'/>"
    "<SpringForceField object1='@block/inner/dofs' object2='@frame/shape/dofs' spring='3 4 20 0.1 0.5  342 9 20 0.1 "
    "0.5'/>"
    "<SpringForceField object1='@block/copy/dofs' object2='@sheet/dofs' spring='500 3 25 0.1 0.5'/>";

// A line that stands for the bits of a matrix.
static void add_matrix(st_scene *scene, st_matrix_kind which, st_text *dump) {
    st_matrix_view view;
    assert_int_equal(st_system_matrix(st_scene_system(scene, NULL), which, &view), ST_OK);
    const size_t slots = view.starts[view.rows / (size_t)view.block];
    const size_t bytes = slots * (size_t)(view.block * view.block) * sizeof *view.values;
    const unsigned char *values = (const unsigned char *)view.values;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ values[i]) * 1099511628211u;
    char line[64];
    snprintf(line, sizeof line, "%zu blocks %016llx\n", slots, (unsigned long long)hash);
    assert_true(slots > 1000 && st_text_append_n(dump, line, strlen(line)));
}

static void run_mixed(const char *solver, int threads, st_text *dump) {
    char text[4096];
    snprintf(text, sizeof text,
             "<Node dt='0.01' gravity='0.3 -1 0.2'><DefaultAnimationLoop/><EulerImplicitSolver/>%s%s</Node>", solver,
             mixed);
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    assert_int_equal(st_scene_message_count(scene, ST_ERROR), 0);
    run_steps(scene, 4, dump);
    add_matrix(scene, ST_MATRIX_A, dump);
    add_matrix(scene, ST_MATRIX_K, dump);
    st_scene_destroy(scene);
}

static void threads_do_not_change_mixed_bodies(void **state) {
    (void)state;
    static const char *const solvers[] = {
        "<SparseLDLSolver/>",
        "<CGLinearSolver template='CompressedRowSparseMatrixd' iterations='40' tolerance='1e-12' threshold='1e-12'/>",
        "<CGLinearSolver iterations='40' tolerance='1e-12' threshold='1e-12'/>",
    };
    static const int threads[] = {2, 3, 8};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        st_text reference = {0};
        run_mixed(solvers[i], 1, &reference);
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            st_text dump = {0};
            run_mixed(solvers[i], threads[k], &dump);
            if (strcmp(reference.data, dump.data) != 0) fail_msg("%d threads: %s", threads[k], solvers[i]);
            st_text_free(&dump);
        }
        st_text_free(&reference);
    }
}

// Bodies that fall onto a floor and each other, with penalty and with friction: pairs of models for the threads to share,
// which come and go.
static void append_contact_scene(st_text *text, const char *head, const char *physics, int count) {
    st_text_appendf(text,
                    "<Node dt='0.01' gravity='0 -10 0'>%s<CollisionPipeline/><BruteForceBroadPhase/>"
                    "<BVHNarrowPhase name='narrow'/><Node name='floor'><RegularGridTopology n='9 1 9' min='-2 0 -2' "
                    "max='6 0 6'/><MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/>"
                    "<LineCollisionModel simulated='0'/></Node>",
                    head);
    for (int i = 0; i < count; i++)
        st_text_appendf(text,
                        "<Node name='b%d'>%s<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/><MechanicalObject "
                        "name='s' translation='%g %g %g' velocity='%g -1 0'/><UniformMass totalMass='1'/>"
                        "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node>",
                        i, physics, i % 3 * 1.06 + 0.01 * i, 0.1 + i / 9 * 1.12, i / 3 % 3 * 1.07 - 0.01 * i, 0.1 * i);
    st_text_appendf(text, "</Node>");
}

static st_scene *load_contact_scene(const char *head, const char *physics, int count, int threads) {
    st_text text = {0};
    append_contact_scene(&text, head, physics, count);
    st_config config = st_default_config();
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text.data, strlen(text.data), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    st_text_free(&text);
    return scene;
}

static void threads_do_not_change_contacts(void **state) {
    (void)state;
    static const char integrated[] = "<EulerImplicitSolver/><CGLinearSolver iterations='5' tolerance='1e-9' "
                                     "threshold='1e-9'/><UncoupledConstraintCorrection defaultCompliance='1'/>";
    static const char *const heads[] = {
        "<DefaultAnimationLoop/><MinProximityIntersection alarmDistance='0.2' contactDistance='0.08'/>"
        "<CollisionResponse response='PenalityContactForceField'/>",
        "<FreeMotionAnimationLoop/><LCPConstraintSolver mu='0.3' build_lcp='0' tolerance='1e-6' maxIt='10'/>"
        "<LocalMinDistance alarmDistance='0.2' contactDistance='0.08'/>"
        "<CollisionResponse response='FrictionContactConstraint'/>",
    };

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        st_text dumps[2] = {{0}, {0}};
        for (int threads = 1; threads <= 2; threads++) {
            st_scene *scene = load_contact_scene(heads[i], integrated, 5, threads);
            run_steps(scene, 6, &dumps[threads - 1]);
            st_scene_destroy(scene);
        }
        assert_true(dumps[0].length > 1000);
        assert_string_equal(dumps[0].data, dumps[1].data);
        st_text_free(&dumps[0]);
        st_text_free(&dumps[1]);
    }
}

// All detections in their order; 8 threads are more than many machines have processors.
static void append_detections(const st_scene *scene, st_text *dump) {
    const st_narrow_phase *phase = (const st_narrow_phase *)st_find(scene->root, ST_ROLE(narrow_phase), ST_DOWN);
    for (size_t i = 0; i < phase->outputs.count; i++)
        for (size_t k = 0; k < phase->outputs.data[i]->found.list.count; k++) {
            const st_detection *d = &phase->outputs.data[i]->found.list.data[k];
            st_text_appendf(dump, "%zu %u %u %a %a %a %a %lld\n", i, d->element[0], d->element[1],
                            (double)d->point[0][0], (double)d->point[1][1], (double)d->normal[2], (double)d->value,
                            (long long)d->id);
        }
}

static void threads_do_not_change_detections(void **state) {
    (void)state;
    static const char *const methods[] = {"<MinProximityIntersection alarmDistance='0.2' contactDistance='0.08'/>",
                                          "<LocalMinDistance alarmDistance='0.2' contactDistance='0.08'/>",
                                          "<NewProximityIntersection alarmDistance='0.2' contactDistance='0.08'/>"};
    static const int threads[] = {1, 2, 8};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char head[512];
        snprintf(head, sizeof head, "<DefaultAnimationLoop/>%s<CollisionResponse response='nullptr'/>", methods[i]);
        st_text reference = {0};
        for (int k = 0; k < 3; k++) {
            st_text dump = {0}, *to = k ? &dump : &reference;
            st_scene *scene = load_contact_scene(head, "", 16, threads[k]);
            for (int n = 0; n < 4; n++) {
                assert_int_equal(st_scene_step(scene, 0), ST_OK);
                append_detections(scene, to);

                // what no integrator moves is moved by hand
                for (int b = 0; b < 16; b++) {
                    char path[32];
                    snprintf(path, sizeof path, "/b%d/s", b);
                    const st_state *s = (const st_state *)st_scene_find(scene, path);
                    for (size_t p = 0; p < s->size; p++)
                        s->coord[ST_COORD_POSITION].data[3 * p + (size_t)(b % 3)] += (st_real)0.03;
                }
            }
            if (k) assert_string_equal(reference.data, dump.data);
            st_scene_destroy(scene);
            st_text_free(&dump);
        }
        assert_true(reference.length > 10000);
        st_text_free(&reference);
    }
}

// The first line holds the time of the record; both runs end at the same one.
static void reset_starts_over(void **state) {
    (void)state;
    st_text first = {0}, second = {0};
    st_scene *scene = jelly(1);
    run_steps(scene, 0, &first);
    for (int i = 0; i < 20; i++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
    assert_int_equal(st_scene_reset(scene), ST_OK);
    run_steps(scene, 0, &second);
    assert_string_equal(first.data, second.data);
    st_scene_destroy(scene);
    st_text_free(&first);
    st_text_free(&second);
}

static void scenes_are_independent(void **state) {
    (void)state;
    st_text alone = {0}, beside = {0};
    st_scene *one = jelly(1);
    run_steps(one, 10, &alone);
    st_scene_destroy(one);
    st_scene *a = jelly(1), *b = jelly(1);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(st_scene_step(b, 0), ST_OK);
        if (i < 9) assert_int_equal(st_scene_step(a, 0), ST_OK);
    }
    run_steps(a, 1, &beside);
    assert_string_equal(alone.data, beside.data);
    st_scene_destroy(a);
    st_scene_destroy(b);
    st_text_free(&alone);
    st_text_free(&beside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(threads_do_not_change_a_body),
        cmocka_unit_test(threads_do_not_change_mixed_bodies),
        cmocka_unit_test(threads_do_not_change_contacts),
        cmocka_unit_test(threads_do_not_change_detections),
        cmocka_unit_test(reset_starts_over),
        cmocka_unit_test(scenes_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
