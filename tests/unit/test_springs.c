// Springs of points: forces by hand, blocks against products, lists and files, springs of meshes and grids, springs to
// rest positions, polynomial laws.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "check/derivative_check.h"
#include "force/spring/spring.h"
#include "math/real.h"
#include "topology/xsp.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-4), difference = ST_R(3e-2);
#else
static const st_real small = ST_R(1e-12), difference = ST_R(1e-7);
#endif

static const st_spring_force *springs_of(physics_scene *test) {
    return (const st_spring_force *)physics_find(test, "/springs");
}

// u = (3, 4, 0), d = 5, l0 = 2, ks = 10, kd = 2, relative velocity (1, 0, 0): I = 10 * 3 + 2 * 0.6
static void force_by_hand(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject name='dofs' position='0 0 0 3 4 0' velocity='0 0 0 1 0 0'/>"
                                       "<SpringForceField name='springs' spring='0 1 10 2 2'/>");
    physics_force(test, "/springs");
    const st_real intensity = ST_R(31.2);
    const st_real f[6] = {intensity * ST_R(0.6),  intensity * ST_R(0.8),  0,
                          -intensity * ST_R(0.6), -intensity * ST_R(0.8), 0};
    assert_reals(physics_force_of(test, "/dofs"), 6, f, 10 * small);

    physics_dense dense;
    const st_state *dofs = physics_state(test, "/dofs");
    physics_stiffness((st_force *)physics_find(test, "/springs"), &dense, dofs, dofs);
    const st_real across = intensity / 5, along = 10 - across;
    assert_near(dense.values[0], -(along * ST_R(0.36) + across), 10 * small);
    assert_near(dense.values[1], -along * ST_R(0.48), 10 * small);
    assert_near(dense.values[3], along * ST_R(0.36) + across, 10 * small);
    assert_near(dense.values[6 * 2 + 2], -across, 10 * small);
    const st_params params = st_default_params();
    st_force *force = (st_force *)physics_find(test, "/springs");
    assert_near(force->object.type->force->potential(force, &params), 45, 100 * small);
    physics_free(test);
}

// df += k K dx of the product equals the blocks, for every template.
static void product_equals_blocks(void **state) {
    (void)state;
    static const char *const scenes[] = {
        "<MechanicalObject name='dofs' template='Vec1' position='0 2 5'/>",
        "<MechanicalObject name='dofs' template='Vec2' position='0 0 2 1 1 3'/>",
        "<MechanicalObject name='dofs' position='0 0 0 2 1 0 1 3 1'/>",
        "<MechanicalObject name='dofs' template='Vec6' position='0 0 0 1 0 2 2 1 0 0 0 1 1 3 1 1 1 1'/>",
        "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1 2 1 0 0 0 0 1 1 3 1 0 0 0 1'/>",
    };
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        char text[512];
        snprintf(text, sizeof text, "%s<SpringForceField name='springs' spring='0 1 10 2 1 1 2 5 0 9 2 0 7 1 0.5'/>",
                 scenes[s]);
        physics_scene *test = physics_load(text);
        st_state *dofs = physics_state(test, "/dofs");
        st_force *force = (st_force *)physics_find(test, "/springs");
        physics_force(test, "/springs");
        const size_t n = st_state_scalars(dofs);
        st_real *dx = physics_set(dofs, ST_DX, NULL), *df = physics_set(dofs, ST_DFORCE, NULL);
        for (size_t i = 0; i < n; i++) dx[i] = (st_real)((i * 7 + 3) % 5) - 2;
        const st_params params = st_default_params();
        force->object.type->force->product(force, &params, 3, 0);
        physics_dense dense;
        physics_stiffness(force, &dense, dofs, dofs);
        st_real largest = 0;
        for (size_t i = 0; i < n; i++) {
            st_real row = 0;
            for (size_t j = 0; j < n; j++) row += dense.values[i * n + j] * dx[j];
            assert_near(df[i], 3 * row, 1000 * small);
            largest = st_max(largest, fabs(row));
        }
        assert_true(largest > 1);
        physics_free(test);
    }
}

static void between_two_states(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<Node name='a'><MechanicalObject name='dofs' position='0 0 0'/></Node>"
                     "<Node name='b'><MechanicalObject name='dofs' position='9 9 9 0 2 0'/></Node>"
                     "<SpringForceField name='springs' object1='@a' object2='@b/dofs' spring='0 1 10 0 1'/>");
    physics_force(test, "/springs");
    assert_reals(physics_force_of(test, "/a/dofs"), 3, (st_real[]){0, 10, 0}, small);
    assert_reals(physics_force_of(test, "/b/dofs"), 6, (st_real[]){0, 0, 0, 0, -10, 0}, small);
    st_force *force = (st_force *)physics_find(test, "/springs");
    physics_dense dense;
    physics_stiffness(force, &dense, force->other, force->state);
    assert_near(dense.values[3 * 4 + 1], 10, small); // row y of the second DOF, column y
    physics_free(test);
}

static void springs_that_do_not_act(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MechanicalObject name='dofs' position='0 0 0 1 0 0 0 0 0'/>"
                     "<SpringForceField name='springs' indices1='0 0 0' indices2='1 1 2' stiffness='10' "
                     "damping='0' lengths='2 0.5 0' elongationOnly='1 0 0' enabled='1 0 1'/>");
    physics_force(test, "/springs"); // slack; disabled; of no length
    for (int i = 0; i < 9; i++) assert_near(physics_force_of(test, "/dofs")[i], 0, 0);
    assert_int_equal(springs_of(test)->kernel.springs.count, 3);
    physics_free(test);
}

static void lists_go_on_with_their_last_value(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MechanicalObject name='dofs' position='0 0 0 1 0 0 2 0 0'/>"
        "<SpringForceField name='springs' indices1='0 1 2' indices2='1 2 0' stiffness='1 2' lengths='3'/>");
    assert_int_equal(test->count[ST_WARNING], 2);
    const st_spring *s = springs_of(test)->kernel.springs.data;
    assert_near(s[2].stiffness, 2, 0);
    assert_near(s[2].damping, 5, 0);
    assert_near(s[1].length, 3, 0);
    // writing a list makes the springs again
    st_object_set(physics_find(test, "/springs"), "stiffness", "7 8 9");
    st_scene_step(test->scene, 0);
    assert_near(springs_of(test)->kernel.springs.data[1].stiffness, 8, 0);
    physics_free(test);
}

static void lists_of_different_size_make_no_spring(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MechanicalObject position='0 0 0 1 0 0'/><SpringForceField name='springs' indices1='0 1' indices2='1'/>");
    assert_int_equal(test->count[ST_ERROR], 1);
    assert_int_equal(springs_of(test)->kernel.springs.count, 0);
    physics_free(test);
}

static void ends_out_of_range_are_reported_once(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MechanicalObject name='dofs' position='0 0 0 1 0 0'/>"
                     "<SpringForceField name='springs' spring='0 1 10 0 0.5 0 2 10 0 0 -1 1 3 0 0 1e30 0 1 1 1'/>");
    physics_force(test, "/springs");
    physics_force(test, "/springs");
    assert_int_equal(test->count[ST_ERROR], 1);
    assert_near(physics_force_of(test, "/dofs")[0], 5, small);
    physics_free(test);
}

static void wrong_types_are_refused(void **state) {
    (void)state;
    physics_scene *test = physics_load("<Node name='a'><MechanicalObject name='dofs' template='Rigid3'/></Node>"
                                       "<MechanicalObject/><SpringForceField name='springs' object2='@a'/>");
    assert_null(st_scene_find(test->scene, "/springs"));
    assert_true(test->count[ST_ERROR] > 0);
    physics_free(test);
}

static void xsp_files(void **state) {
    (void)state;
    const char *path = physics_file("test_springs.xsp",
                                    "Xsp 3.0\nnumm 2\nnums 1\nmass 1 s 0 0 0  0 0 0  1 0\nmass 2 v 0 4 0  0 0 0  -2 0\n"
                                    "# comment\nlspg 1 1 2 100 8 -1\ngrav 0 0 0\n");
    char text[1024];
    snprintf(text, sizeof text,
             "<MechanicalObject position='0 0 0 0 4 0'/><SpringForceField name='springs' fileSprings='%s'/>", path);
    physics_scene *test = physics_load(text);
    remove(path);
    assert_int_equal(springs_of(test)->kernel.springs.count, 1);
    const st_spring *s = springs_of(test)->kernel.springs.data;
    assert_near(s->stiffness, 25, 0);
    assert_near(s->damping, 2, 0);
    assert_near(s->length, 4, 0);
    assert_int_equal(s->b, 1);
    physics_free(test);
}

static void broken_xsp_files(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "Xsp",
                                        "Xsp 2.0",
                                        "Xqp 3.0",
                                        "Xsp 3.0 mass 1 s 0 0",
                                        "Xsp 3.0 lspg 1 1 2 1 1 1",
                                        "Xsp 4.0 mass 1 s 0 0 0 0 0 0 1 0 lspg 1 1 1 1 1 1",
                                        "Xsp 3.0 what",
                                        "Xsp 3.0 numm"};
    physics_scene *test = physics_load("<MechanicalObject name='dofs'/>");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        st_word_file file = st_word_file_of_text(texts[i], strlen(texts[i]));
        st_xsp xsp = {0};
        assert_false(st_xsp_parse(physics_find(test, "/dofs"), &file, &xsp));
        assert_int_equal(xsp.springs.count, 0);
        st_xsp_free(&xsp);
    }
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Meshes and grids
// ---------------------------------------------------------------------------------------------------

// The names with "Parallel" are the same components: the same forces, bit for bit.
static void parallel_names_give_the_same_forces(void **state) {
    (void)state;
    static const char *const springs[][2] = {
        {"<MeshSpringForceField name='springs' stiffness='8'/>",
         "<ParallelMeshSpringForceField name='springs' stiffness='8'/>"},
        {"<SpringForceField name='springs' spring='0 4 3 1 1'/>",
         "<ParallelSpringForceField name='springs' spring='0 4 3 1 1'/>"},
    };

    for (size_t i = 0; i < 2; i++) {
        st_real f[2][15];
        for (size_t parallel = 0; parallel < 2; parallel++) {
            char text[512];
            snprintf(text, sizeof text,
                     "<MeshTopology position='0 0 0 2 0 0 2 2 0 0 2 0 1 1 3' quads='0 1 2 3' tetrahedra='0 1 2 4'/>"
                     "<MechanicalObject name='dofs' rest_position='0 0 0 2 0 0 2 2 0 0 2 0 1 1 3' "
                     "position='0 0 0 2.5 0 0 2 2 1 0 2 0 1 1 4'/>%s",
                     springs[i][parallel]);
            physics_scene *test = physics_load(text);
            physics_force(test, "/springs");
            assert_true(physics_largest_force(test) > 0);
            memcpy(f[parallel], physics_force_of(test, "/dofs"), sizeof f[parallel]);
            physics_free(test);
        }
        assert_memory_equal(f[0], f[1], sizeof f[0]);
    }
}

static void mesh_families(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology quads='0 1 2 3' tetrahedra='0 1 2 4'/>"
                     "<MechanicalObject position='0 0 0 2 0 0 2 2 0 0 2 0 1 1 3'/>"
                     "<MeshSpringForceField name='springs' quadsStiffness='8' quadsDamping='2' tetrasStiffness='3'/>");
    const st_spring_force *force = springs_of(test);
    assert_int_equal(force->kernel.springs.count, 9); // 6 of the quad, 3 more of the tetrahedron
    static const uint32_t ends[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 0, 4, 1, 4, 2, 4};
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(force->kernel.springs.data[i].a, ends[2 * i]);
        assert_int_equal(force->kernel.springs.data[i].b, ends[2 * i + 1]);
    }
    assert_near(force->kernel.springs.data[0].stiffness, 4, small);
    assert_near(force->kernel.springs.data[0].damping, 1, small);
    assert_near(force->kernel.springs.data[1].length, sqrt(ST_R(8)), small);
    assert_near(force->kernel.springs.data[8].stiffness, 3 / sqrt(ST_R(11)), small);
    physics_free(test);
}

// `stiffness` comes after quadsStiffness in the alphabet and before trianglesStiffness.
static void aliases_in_alphabetical_order(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology edges='0 1'/><MechanicalObject position='0 0 0 1 0 0'/>"
                     "<MeshSpringForceField name='springs' trianglesStiffness='5' stiffness='7' quadsStiffness='9'/>");
    assert_field(test, "/springs", "linesStiffness", "7");
    assert_field(test, "/springs", "quadsStiffness", "7");
    assert_field(test, "/springs", "trianglesStiffness", "5");
    physics_free(test);
}

static void mesh_springs_and_wrong_meshes(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MechanicalObject position='0 0 0 1 0 0'/><MeshSpringForceField name='springs' linesStiffness='1'/>");
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
    test = physics_load("<MeshTopology edges='0 1 1 5'/><MechanicalObject name='dofs' position='0 0 0 1 0 0'/>"
                        "<MeshSpringForceField name='springs' linesStiffness='1' noCompression='1'/>");
    assert_int_equal(springs_of(test)->kernel.springs.count, 1);
    assert_true(springs_of(test)->kernel.springs.data[0].elongation_only);
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
}

static void mesh_local_range(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MeshTopology edges='0 1 1 2 2 3 3 4'/><MechanicalObject position='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0'/>"
        "<MeshSpringForceField name='springs' linesStiffness='1' localRange='1 2'/>");
    assert_int_equal(springs_of(test)->kernel.springs.count, 2); // 1-2 and 2-3: one end beyond the last is allowed
    physics_free(test);
}

static void grid_springs(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology n='3 2 2' min='0 0 0' max='4 1 3'/><MechanicalObject name='dofs'/>"
                     "<RegularGridSpringForceField name='springs' stiffness='10' damping='2'/>");
    const st_spring_force *force = springs_of(test);
    // lines 8 + 6 + 6, quads XY 2·2·2, XZ 2·2·2, YZ 3·2, cubes 2·4
    assert_int_equal(force->kernel.springs.count, 20 + 8 + 8 + 6 + 8);
    assert_near(force->kernel.springs.data[0].length, 2, small);
    assert_near(force->kernel.springs.data[0].stiffness, 5, small);
    const st_spring *quad = &force->kernel.springs.data[20];
    assert_int_equal(quad[0].a, 0);
    assert_int_equal(quad[0].b, 4);
    assert_int_equal(quad[1].a, 1);
    assert_int_equal(quad[1].b, 3);
    assert_near(quad[1].damping, 2 / sqrt(ST_R(5)), small);
    const st_spring *cube = &force->kernel.springs.data[42];
    static const uint32_t ends[] = {0, 10, 1, 9, 3, 7, 6, 4};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cube[i].a, ends[2 * i]);
        assert_int_equal(cube[i].b, ends[2 * i + 1]);
        assert_near(cube[i].length, sqrt(ST_R(14)), small);
    }
    physics_force(test, "/springs"); // at rest in the grid's own geometry
    for (int i = 0; i < 36; i++) assert_near(physics_force_of(test, "/dofs")[i], 0, small);
    physics_free(test);
}

// Four springs at a time or one after another: the same bits, whatever of them acts.
#define CHAIN                                                                                                          \
    "<MechanicalObject name='dofs' position='0 0 0  1 0.3 0  2 0 0.1  3 1 0  4 0 2  0 5 1  1 1 1' "                    \
    "velocity='1 0 0  0 2 0  0 0 3  1 1 0  0 1 1  1 0 1  1 2 3'/>"

static void put_forces(const char *children, st_real f[21], st_real df[21]) {
    physics_scene *test = physics_load(children);
    st_state *dofs = physics_state(test, "/dofs");
    const st_params params = st_default_params();
    st_real *force = physics_set(dofs, ST_FORCE, NULL), *dx = physics_set(dofs, ST_DX, NULL),
            *dforce = physics_set(dofs, ST_DFORCE, NULL);
    for (size_t i = 0; i < 21; i++) dx[i] = (st_real)(i % 7) / 7;
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (object->type->force) {
            object->type->force->add_force((st_force *)object, &params);
            object->type->force->product((st_force *)object, &params, (st_real)0.7, 0);
        }
    memcpy(f, force, 21 * sizeof *f);
    memcpy(df, dforce, 21 * sizeof *df);
    physics_free(test);
}

static void packs_of_springs_are_springs(void **state) {
    (void)state;
    static const char *const springs[] = {"0 1 10 1 0.5", "1 2 20 0 1.5", "2 3 30 2 1",  "0 3 5 1 3",
                                          "3 4 11 0 4",   "5 5 10 1 1",   "6 0 7 0.5 1", "4 6 9 1 2"};
    char together[2048] = CHAIN "<SpringForceField spring='", apart[4096] = CHAIN;
    for (size_t i = 0; i < 8; i++) {
        snprintf(together + strlen(together), 64, "%s ", springs[i]);
        snprintf(apart + strlen(apart), 128, "<SpringForceField spring='%s' elongationOnly='%d'/>", springs[i],
                 i % 3 == 0);
    }
    strcat(together, "' elongationOnly='1 0 0 1 0 0 1 0'/>");
    st_real f[2][21], df[2][21];
    put_forces(together, f[0], df[0]);
    put_forces(apart, f[1], df[1]);
    for (int i = 0; i < 21; i++) assert_true(f[0][i] == f[1][i] && df[0][i] == df[1][i]);
}

// Of springs that come after the last force nothing is known, even where a former spring left its matrix.
static void new_springs_wait_for_a_force(void **state) {
    (void)state;
    physics_scene *test =
        physics_load(CHAIN "<SpringForceField name='springs' spring='0 1 10 1 0.5  1 2 20 0 1.5  "
                           "2 3 30 2 1  0 3 5 1 3  3 4 11 0 4  5 6 10 1 1  6 0 7 0.5 1  4 6 9 1 2'/>");
    st_spring_force *springs = (st_spring_force *)physics_find(test, "/springs");
    st_spring_kernel *kernel = &springs->kernel;
    st_state *dofs = physics_state(test, "/dofs");
    const st_params params = st_default_params();
    assert_int_equal(kernel->springs.count, 8);
    physics_force(test, "/springs");
    const size_t counts[][3] = {{5, 7, 5}, {5, 8, 5}, {4, 7, 4}, {0, 8, 0}}; // of the force, of the product, act
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        kernel->springs.count = 8;
        physics_force(test, "/springs");
        kernel->springs.count = counts[c][0];
        physics_force(test, "/springs");
        st_real df[2][21];
        for (int k = 0; k < 2; k++) {
            kernel->springs.count = counts[c][k ? 2 : 1];
            st_real *dx = physics_set(dofs, ST_DX, NULL), *dforce = physics_set(dofs, ST_DFORCE, NULL);
            for (size_t i = 0; i < 21; i++) dx[i] = (st_real)(i % 5) / 5;
            springs->base.object.type->force->product(&springs->base, &params, 1, 0);
            memcpy(df[k], dforce, sizeof df[k]);
        }
        for (int i = 0; i < 21; i++) assert_true(df[0][i] == df[1][i]);
        physics_dense dense;
        kernel->springs.count = counts[c][1];
        physics_stiffness(&springs->base, &dense, dofs, dofs);
        for (size_t i = 15; i < 18; i++) assert_true(dense.values[i * 21 + i] == 0); // point 5 has spring 5 only
    }
    kernel->springs.count = 8;
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------

static void derivatives_against_differences(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology n='2 2 2'/>"
                     "<MechanicalObject position='0 0 0.1  1.1 0 0  0 1 0  1 1 0  0 0.2 1  1 0 1  0 1 1  1 1.1 1'/>"
                     "<SpringForceField spring='0 7 20 0 1'/><MeshSpringForceField stiffness='3'/>"
                     "<RegularGridSpringForceField stiffness='50' damping='1'/>");
    assert_derivatives(test);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Other laws
// ---------------------------------------------------------------------------------------------------

static void repulsive_springs_only_push(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MechanicalObject name='dofs' position='0 0 0 1 0 0 3 0 "
                                       "0'/><RepulsiveSpringForceField name='force' spring='0 1 10 0 2  1 2 10 0 1'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 9, (st_real[]){-10, 0, 0, 10, 0, 0, 0, 0, 0}, small);
    physics_free(test);
}

static void vector_springs_keep_vectors(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology edges='0 1'/><MechanicalObject name='dofs' rest_position='0 0 0 1 0 0' position='0 "
                     "0 0 0 1 0' velocity='0 0 0 0 0 3'/>"
                     "<VectorSpringForceField name='force' useTopology='1' stiffness='10' viscosity='2'/>");
    physics_force(test, "/force"); // same length, other direction
    assert_reals(physics_force_of(test, "/dofs"), 6, (st_real[]){-10, 10, 6, 10, -10, -6}, small);
    physics_free(test);
}

static void rest_shape_springs_pull_to_targets(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MechanicalObject name='dofs' rest_position='0 0 0 1 0 0 2 0 0' position='0 1 0 1 2 0 2 3 0'/>"
                     "<RestShapeSpringsForceField name='force' points='0 2' stiffness='10'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 9, (st_real[]){0, -10, 0, 0, 0, 0, 0, -30, 0}, small);
    physics_free(test);

    test = physics_load("<Node name='other'><MechanicalObject name='targets' position='9 9 9 0 5 "
                        "0'/></Node><MechanicalObject name='dofs' position='0 1 0'/>"
                        "<RestShapeSpringsForceField name='force' points='0' external_rest_shape='@other/targets' "
                        "external_points='1' stiffness='10'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 3, (st_real[]){0, 40, 0}, small);
    physics_free(test);

    // a quarter turn about z
    test = physics_load("<MechanicalObject name='dofs' template='Rigid3' rest_position='0 0 0 0 0 0 1' position='0 0 0 "
                        "0 0 0.70710678118654752 0.70710678118654752'/>"
                        "<RestShapeSpringsForceField name='force' stiffness='10' angularStiffness='2'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 6, (st_real[]){0, 0, 0, 0, 0, -ST_PI}, 10 * small);
    physics_free(test);

    static const char *const wrong[] = {"points='7'", "points='0 1' external_rest_shape='@other/targets'",
                                        "external_rest_shape='@other/targets' external_points='3'"};
    for (size_t i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<Node name='other'><MechanicalObject name='targets' position='9 9 9'/></Node><MechanicalObject "
                 "name='dofs' position='0 1 0 0 2 0'/>"
                 "<RestShapeSpringsForceField name='force' %s/>",
                 wrong[i]);
        test = physics_load(text);
        physics_force(test, "/force");
        assert_true(test->count[ST_ERROR] > 0);
        assert_true(physics_largest_force(test) == 0);
        physics_free(test);
    }
}

// P(s) = 3 s + 2 s², L0 = 2, L = 4: s = 1, F = 5
static void polynomial_springs_by_hand(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MechanicalObject name='dofs' position='0 0 0 4 0 0 1 0 0'/><PolynomialSpringsForceField "
                     "name='force' firstObjectPoints='0 0' secondObjectPoints='1 2' "
                     "polynomialStiffness='3 2 8' polynomialDegree='2 1' computeZeroLength='0' zeroLength='2'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 9, (st_real[]){5, 0, 0, -5, 0, 0, 0, 0, 0},
                 small); // compressed: no force
    physics_free(test);
    test = physics_load("<MechanicalObject name='dofs' position='0 0 0 1 0 0'/><PolynomialSpringsForceField "
                        "name='force' firstObjectPoints='0' secondObjectPoints='1' "
                        "computeZeroLength='0' zeroLength='0'/>");
    assert_true(test->count[ST_ERROR] > 0);
    physics_force(test, "/force");
    assert_true(physics_largest_force(test) == 0);
    physics_free(test);
    // far from the target the smoothing is gone: f = -P(|u|)
    test = physics_load(
        "<MechanicalObject name='dofs' rest_position='0 0 0' position='0 9 0'/><PolynomialRestShapeSpringsForceField "
        "name='force' polynomialStiffness='3' polynomialDegree='1'/>");
    physics_force(test, "/force");
    assert_reals(physics_force_of(test, "/dofs"), 3, (st_real[]){0, -27, 0}, 10 * small);
    physics_free(test);
}

static void note(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) *(st_real *)user = check->error;
}

// Classes that declare an approximate tangent, where it is exact.
static void tangents_are_exact_where_they_can_be(void **state) {
    (void)state;
    static const char *const exact[] = {
        "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.7'/>"
        "<RestShapeSpringsForceField name='force' points='1 3' stiffness='5 6'/>",
        "<MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  1 1 0  0.5 2 0.7'/>"
        "<RestShapeSpringsForceField name='force' points='1 3' stiffness='5 6' activeDirections='1 0 1'/>",
        "<MechanicalObject name='dofs' template='Vec1' position='1 2 3'/><RestShapeSpringsForceField name='force'/>",
        "<MechanicalObject name='dofs' position='0 0 0 1 0 0'/><PolynomialSpringsForceField name='force' "
        "firstObjectPoints='0' secondObjectPoints='1' "
        "polynomialStiffness='3 2 1' polynomialDegree='3' computeZeroLength='0' zeroLength='1.5' compressible='1'/>",
    };
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        physics_scene *test = physics_load(exact[i]);
        st_real error = 1;
        assert_int_equal(st_check_force((st_force *)physics_find(test, "/force"), note, &error), ST_OK);
        if (!(error < difference)) print_message("%s: %g\n", exact[i], (double)error);
        assert_true(error < difference);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_of_springs_are_springs),
        cmocka_unit_test(new_springs_wait_for_a_force),
        cmocka_unit_test(force_by_hand),
        cmocka_unit_test(product_equals_blocks),
        cmocka_unit_test(between_two_states),
        cmocka_unit_test(springs_that_do_not_act),
        cmocka_unit_test(lists_go_on_with_their_last_value),
        cmocka_unit_test(lists_of_different_size_make_no_spring),
        cmocka_unit_test(ends_out_of_range_are_reported_once),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(xsp_files),
        cmocka_unit_test(broken_xsp_files),
        cmocka_unit_test(parallel_names_give_the_same_forces),
        cmocka_unit_test(mesh_families),
        cmocka_unit_test(aliases_in_alphabetical_order),
        cmocka_unit_test(mesh_springs_and_wrong_meshes),
        cmocka_unit_test(mesh_local_range),
        cmocka_unit_test(grid_springs),
        cmocka_unit_test(derivatives_against_differences),
        cmocka_unit_test(repulsive_springs_only_push),
        cmocka_unit_test(vector_springs_keep_vectors),
        cmocka_unit_test(rest_shape_springs_pull_to_targets),
        cmocka_unit_test(polynomial_springs_by_hand),
        cmocka_unit_test(tangents_are_exact_where_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
