// Changes of meshes: SOFA's order in every list, what gets isolated, what mappings make of it, states and declared lists
// that follow, change files and their mistakes, and the way back by a reset.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "math/real.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "topology/adjacency.h"
#include "topology/edit.h"
#include "topology/mapping/topological_mapping.h"

// Four triangles around point 4, which lies in the middle of a square.
#define SQUARE                                                                                                         \
    "<Node name='body'>"                                                                                               \
    "<TriangleSetTopologyContainer name='mesh' position='0 0 0  2 0 0  2 2 0  0 2 0  1 1 0' "                          \
    "triangles='0 1 4  1 2 4  2 3 4  3 0 4'/><TriangleSetTopologyModifier name='modifier'/>"                           \
    "<MechanicalObject name='dofs'/>"

static st_topology *mesh_of(physics_scene *test, const char *path) { return (st_topology *)physics_find(test, path); }

static void remove_triangles(physics_scene *test, const uint32_t *ids, size_t count) {
    st_modifier *modifier = (st_modifier *)physics_find(test, "/body/modifier");
    assert_int_equal(st_edit_remove_items(modifier, ids, count), ST_OK);
    st_finish_edits(test->scene);
}

static void the_last_one_takes_the_place(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "</Node>");
    const st_topology *mesh = mesh_of(test, "/body/mesh");
    remove_triangles(test, (uint32_t[]){0}, 1);

    // edge (0 1) of triangle 0 is isolated: the last edge takes its place
    assert_indices(&mesh->elements[ST_TRIANGLE], 3, 3, (uint32_t[]){3, 0, 4, 1, 2, 4, 2, 3, 4});
    assert_indices(&mesh->elements[ST_EDGE], 2, 7, (uint32_t[]){1, 4, 4, 0, 3, 0, 2, 4, 1, 2, 3, 4, 2, 3});
    assert_int_equal(st_topology_points(mesh), 5);
    physics_free(test);
}

static void isolated_points_leave_the_state(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "<FixedProjectiveConstraint name='fix' indices='1 4 0 1'/></Node>");
    st_state *dofs = physics_state(test, "/body/dofs");
    remove_triangles(test, (uint32_t[]){0, 1}, 2);

    // point 1 is gone, point 4 has its number
    assert_int_equal(dofs->size, 4);
    assert_reals(dofs->coord[ST_COORD_POSITION].data, 12, (st_real[]){0, 0, 0, 1, 1, 0, 2, 2, 0, 0, 2, 0}, 0);
    assert_indices(&mesh_of(test, "/body/mesh")->elements[ST_TRIANGLE], 3, 2, (uint32_t[]){2, 3, 1, 3, 0, 1});
    assert_field(test, "/body/fix", "indices", "1 0");
    physics_free(test);
}

static void bad_numbers_are_left_out(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "</Node>");
    remove_triangles(test, (uint32_t[]){7, 2, 2, UINT32_MAX}, 4);
    assert_int_equal(mesh_of(test, "/body/mesh")->elements[ST_TRIANGLE].count, 3);
    assert_non_null(strstr(test->log, "there is no triangle 7 to remove (2 such numbers; there are 4)"));
    assert_non_null(strstr(test->log, "1 numbers of a triangle to remove are given twice"));

    // a vertex that no mesh has
    assert_int_equal(st_edit_add(mesh_of(test, "/body/mesh"), ST_TRIANGLE, (uint32_t[]){0, 1, UINT32_MAX}, 1, NULL),
                     ST_INVALID);
    assert_non_null(strstr(test->log, "triangle 0 to be added has vertex 4294967295: none is added"));

    // everything
    remove_triangles(test, (uint32_t[]){0, 1, 2}, 3);
    assert_int_equal(st_topology_points(mesh_of(test, "/body/mesh")), 0);
    assert_int_equal(physics_state(test, "/body/dofs")->size, 0);
    remove_triangles(test, (uint32_t[]){0}, 1);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
}

static void a_point_takes_its_elements_with_it(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "</Node>");
    st_topology *mesh = mesh_of(test, "/body/mesh");
    assert_int_equal(st_edit_remove_points(mesh, (uint32_t[]){1}, 1, true), ST_OK);
    assert_indices(&mesh->elements[ST_TRIANGLE], 3, 2, (uint32_t[]){2, 3, 1, 3, 0, 1});
    for (size_t i = 0; i < 2 * mesh->elements[ST_EDGE].count; i++) assert_true(mesh->elements[ST_EDGE].data[i] < 4);
    physics_free(test);
}

static void new_points_are_means(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "</Node>");
    st_state *dofs = physics_state(test, "/body/dofs");
    for (size_t i = 0; i < 5; i++) dofs->deriv[ST_DERIV_VELOCITY].data[3 * i + 2] = (st_real)i;

    const st_origin origin = {(uint32_t[]){0, 2}, (uint32_t[]){1, 2}, (st_real[]){ST_R(0.25), ST_R(0.75)}};
    assert_int_equal(st_edit_add_points(mesh_of(test, "/body/mesh"), 1, &origin, true), ST_OK);
    assert_reals(dofs->coord[ST_COORD_POSITION].data + 15, 3, (st_real[]){2, ST_R(1.5), 0}, 0);
    assert_reals(dofs->coord[ST_COORD_REST].data + 15, 3, (st_real[]){2, ST_R(1.5), 0}, 0);
    assert_near(dofs->deriv[ST_DERIV_VELOCITY].data[17], ST_R(1.75), 0);
    physics_free(test);
}

static void points_are_renumbered(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "<FixedProjectiveConstraint name='fix' indices='1 4'/></Node>");
    st_topology *mesh = mesh_of(test, "/body/mesh");
    const st_state *dofs = physics_state(test, "/body/dofs");
    assert_int_equal(st_edit_renumber_points(mesh, (uint32_t[]){4, 0, 1, 2, 3}, true), ST_OK);
    assert_indices(&mesh->elements[ST_TRIANGLE], 3, 4, (uint32_t[]){1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 0});
    assert_reals(dofs->coord[ST_COORD_POSITION].data, 6, (st_real[]){1, 1, 0, 0, 0, 0}, 0);
    assert_field(test, "/body/fix", "indices", "2 0");

    // each point once
    assert_int_equal(st_edit_renumber_points(mesh, (uint32_t[]){4, 4, 1, 2, 3}, true), ST_INVALID);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Mappings
// ---------------------------------------------------------------------------------------------------

// Both tables say the same, and the surface is that of the volume.
static void check_tables(const st_topological_mapping *map, st_element kind) {
    assert_int_equal(map->loc_to_glob.count, st_mapped_to(map)->elements[kind].count);
    assert_int_equal(map->glob_to_loc.count, map->per_input * st_mapped_from(map)->elements[kind].count);
    for (size_t i = 0; i < map->loc_to_glob.count; i++) {
        bool found = false;
        for (size_t k = 0; k < map->per_input; k++)
            found = found || map->glob_to_loc.data[map->loc_to_glob.data[i] * map->per_input + k] == i;
        assert_true(found);
    }
}

static void surface_follows_its_volume(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<RegularGridTopology name='grid' n='4 3 3' min='0 0 0' max='3 2 2'/>"
                     "<Node name='body'><MechanicalObject name='dofs' position='@../grid.position'/>"
                     "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier name='modifier'/>"
                     "<Hexa2TetraTopologicalMapping input='@../grid' output='@mesh'/><Node name='surface'>"
                     "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
                     "<Tetra2TriangleTopologicalMapping name='map' input='@../mesh' output='@mesh'/></Node></Node>");
    st_topology *volume = mesh_of(test, "/body/mesh"), *surface = mesh_of(test, "/body/surface/mesh");
    const st_topological_mapping *map = (const st_topological_mapping *)physics_find(test, "/body/surface/map");
    uint64_t seed = 3;

    while (volume->elements[ST_TETRAHEDRON].count > 4) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t id = (uint32_t)((seed >> 33) % volume->elements[ST_TETRAHEDRON].count);
        assert_int_equal(st_edit_remove(volume, ST_TETRAHEDRON, &id, 1, true, true), ST_OK);
        check_tables(map, ST_TRIANGLE);

        // the border of the volume, triangle by triangle
        st_uints border = {0};
        assert_true(st_topology_single_parts(volume, ST_TETRAHEDRON, ST_TRIANGLE, &border));
        assert_int_equal(border.count, surface->elements[ST_TRIANGLE].count);
        for (size_t i = 0; i < border.count; i++)
            assert_int_not_equal(map->glob_to_loc.data[border.data[i]], ST_INVALID_INDEX);
        st_list_free(&border);
        assert_int_equal(st_topology_points(surface), st_topology_points(volume));
        assert_int_equal(physics_state(test, "/body/dofs")->size, st_topology_points(volume));
    }
    physics_free(test);
}

// Two hexahedra, their tetrahedra in a mesh that cannot change, and the surface of these: all is made again.
static void what_cannot_follow_is_made_again(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<Node name='body'><HexahedronSetTopologyContainer name='mesh' hexahedra='0 1 4 3 6 7 10 9  1 2 5 4 7 8 11 10' "
        "position='0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0 0 0 1 1 0 1 2 0 1 0 1 1 1 1 1 2 1 1'/>"
        "<HexahedronSetTopologyModifier name='modifier'/><MechanicalObject name='dofs'/>"
        "<Node name='out'><MeshTopology name='mesh'/>"
        "<Hexa2TetraTopologicalMapping input='@../mesh' output='@mesh'/><TetrahedronFEMForceField name='fem'/>"
        "<Node name='skin'><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
        "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/></Node></Node></Node>");
    assert_int_equal(mesh_of(test, "/body/out/mesh")->elements[ST_TETRAHEDRON].count, 12);
    assert_int_equal(st_edit_remove_items((st_modifier *)physics_find(test, "/body/modifier"), (uint32_t[]){0}, 1),
                     ST_OK);
    st_finish_edits(test->scene);

    assert_int_equal(physics_state(test, "/body/dofs")->size, 8);
    assert_int_equal(mesh_of(test, "/body/out/mesh")->elements[ST_TETRAHEDRON].count, 6);
    assert_int_equal(st_topology_points(mesh_of(test, "/body/out/mesh")), 8);
    assert_int_equal(mesh_of(test, "/body/out/skin/mesh")->elements[ST_TRIANGLE].count, 12);
    assert_true(st_is_valid(physics_find(test, "/body/out/fem")));
    assert_non_null(strstr(test->log, "cannot follow changes of its input"));
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------

// Five points without elements, and five that stay.
#define TWO_LINES                                                                                                      \
    "<Node name='body'><PointSetTopologyContainer name='mesh' position='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0'/>"              \
    "<PointSetTopologyModifier name='modifier'/><MechanicalObject name='dofs'/></Node>"                                \
    "<Node name='other'><MechanicalObject name='dofs' position='0 1 0 1 1 0 2 1 0 3 1 0 4 1 0'/></Node>"

static void pairs_go_with_their_points(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        TWO_LINES "<BilateralLagrangianConstraint name='pairs' object1='@body/dofs' object2='@other/dofs' "
                  "first_point='0 1 2 3 4' second_point='4 3 2 1 0' rest_vector='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0'/>"
                  "<SpringForceField name='springs' object1='@other/dofs' object2='@body/dofs' "
                  "spring='0 1 10 1 1  1 2 20 1 1  2 4 30 1 1'/>");
    st_topology *mesh = mesh_of(test, "/body/mesh");

    assert_int_equal(st_edit_remove_points(mesh, (uint32_t[]){1}, 1, true), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/pairs", "first_point", "0 2 3 1");
    assert_field(test, "/pairs", "second_point", "4 2 1 0");
    assert_field(test, "/pairs", "rest_vector", "0 0 0 2 0 0 3 0 0 4 0 0");
    assert_field(test, "/springs", "springsIndices1", "1 2");
    assert_field(test, "/springs", "springsIndices2", "2 1");
    assert_field(test, "/springs", "stiffness", "20 30");

    assert_int_equal(st_edit_remove_points(mesh, (uint32_t[]){2, 0}, 2, true), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/pairs", "first_point", "0 1");
    assert_field(test, "/pairs", "second_point", "1 0");

    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/pairs", "first_point", "0 1 2 3 4");
    assert_field(test, "/springs", "springsIndices2", "1 2 4");
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// A body that loses a tetrahedron in each step
// ---------------------------------------------------------------------------------------------------

// Solver, mass, elements, a fixed end, a surface that collides and is seen, points in the middle.
#define BODY(solver)                                                                                                   \
    "<RegularGridTopology name='grid' n='4 3 3' min='0 0.2 0' max='3 2.2 2'/>"                                         \
    "<Node name='body'><EulerImplicitSolver/>" solver                                                                  \
    "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier name='modifier'/>"                  \
    "<MechanicalObject name='dofs' position='@../grid.position'/>"                                                     \
    "<Hexa2TetraTopologicalMapping input='@../grid' output='@mesh'/><DiagonalMass massDensity='1'/>"                   \
    "<TetrahedronFEMForceField youngModulus='5000' poissonRatio='0.3' method='large'/>"                                \
    "<FixedProjectiveConstraint indices='0 4 8 12'/><Node name='surface'>"                                             \
    "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"                                        \
    "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/><TriangleCollisionModel/>"                     \
    "<LineCollisionModel/><PointCollisionModel/><TriangularBendingSprings stiffness='1'/><Node name='picture'>"        \
    "<OglModel name='picture'/><IdentityMapping input='@../../dofs' output='@picture'/></Node></Node>"                 \
    "<Node name='inside'><MechanicalObject name='dofs' position='1.5 1 1  0.5 1.5 1.2  2.5 0.8 0.4'/>"                 \
    "<BarycentricMapping input='@../dofs' output='@dofs'/><UniformMass totalMass='0.1'/></Node></Node>"                \
    "<Node name='floor'><MeshTopology position='-9 0 -9 9 0 -9 0 0 18' triangles='0 2 1'/><MechanicalObject/>"         \
    "<TriangleCollisionModel simulated='0' moving='0'/><LineCollisionModel simulated='0' moving='0'/>"                 \
    "<PointCollisionModel simulated='0' moving='0'/></Node>"

#define PENALTY                                                                                                        \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"                                                     \
    "<MinProximityIntersection alarmDistance='0.4' contactDistance='0.1'/>"                                            \
    "<CollisionResponse response='PenalityContactForceField'/>"

static void lose_tetrahedra(const char *scene) {
    physics_scene *test = physics_load(scene);
    st_modifier *modifier = (st_modifier *)physics_find(test, "/body/modifier");
    const st_topology *mesh = mesh_of(test, "/body/mesh");
    uint64_t seed = 11;
    if (test->count[ST_ERROR]) print_message("%s", test->log);
    assert_int_equal(test->count[ST_ERROR], 0);

    for (size_t i = 0; i < 3; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    while (mesh->elements[ST_TETRAHEDRON].count > 1) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t id = (uint32_t)((seed >> 33) % mesh->elements[ST_TETRAHEDRON].count);
        assert_int_equal(st_edit_remove_items(modifier, &id, 1), ST_OK);
        st_finish_edits(test->scene);
        st_scene_step(test->scene, 0);
        if (test->count[ST_ERROR]) print_message("%s", test->log);
        assert_int_equal(test->count[ST_ERROR], 0);
        assert_int_equal(physics_state(test, "/body/dofs")->size, st_topology_points(mesh));
    }

    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_int_equal(mesh->elements[ST_TETRAHEDRON].count, 72);
    for (size_t i = 0; i < 3; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
}

static void everything_follows_without_a_matrix(void **state) {
    (void)state;
    lose_tetrahedra(PENALTY BODY("<CGLinearSolver iterations='50' tolerance='1e-9' threshold='1e-9'/>"));
}

static void everything_follows_with_a_matrix(void **state) {
    (void)state;
    lose_tetrahedra(PENALTY BODY("<SparseLDLSolver/>"));
}

// ---------------------------------------------------------------------------------------------------
// Change files
// ---------------------------------------------------------------------------------------------------

static physics_scene *run_file(const char *content, size_t steps) {
    const char *path = physics_file("changes.txt", content);
    char scene[2048];
    snprintf(scene, sizeof scene,
             SQUARE "<TopologicalChangeProcessor name='changes' filename='%s'/><UniformMass totalMass='5'/>"
                    "<EulerExplicitSolver/></Node>",
             path);
    physics_scene *test = physics_load(scene);
    for (size_t i = 0; i < steps; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    remove(path);
    return test;
}

static size_t triangles_left(physics_scene *test) { return mesh_of(test, "/body/mesh")->elements[ST_TRIANGLE].count; }

static void a_file_changes_the_mesh(void **state) {
    (void)state;
    physics_scene *test = run_file("T= 0.01\n  REMOVE= 1\n0\nT= 0.03\n  ADD= Triangles 1\n0 1 4\n", 2);
    assert_int_equal(triangles_left(test), 3);
    for (int i = 0; i < 2; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    assert_int_equal(triangles_left(test), 4);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
}

static void mistakes_of_a_file_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *content, *message;
        size_t left;
    } cases[] = {
        {"T= 0\n ADD= Triangles 1\n0 1 9\n", "line 3: triangle 0 has vertex 9, but there are only 5 points", 4},
        {"T= 0\n ADD= Triangles 1\n0 1 1\n", "line 3: triangle 0 has vertex 1 twice", 4},
        {"T= 0\n ADD= Triangles x\n0 1 4\n", "has no number of elements", 4},
        {"T= 0\n ADD= Spheres 1\n0 1 4\n", "names no kind of elements", 4},
        {"T= 0\n ADD= Tetrahedra 1\n0 1 2 4\n", "has no modifier for tetrahedron elements", 4},
        {"T= 0\n REMOVE= 1\nabc\n", "has something that is no index", 4},
        {"T= 0\n REMOVE= 1\n-3\n", "there is no triangle 4294967293 to remove", 4},
        {"T= 0\n REMOVE= 2\n3\n", "2 numbers are expected, there are 1", 2},
        {"T= 0\n REMOVE= 1\n9\n", "there is no triangle 9 to remove", 4},
        {"T= 0\n REMOVE= 99999999999\n3\n", "too many", 4},
        {"T= 0\n ADD= PointInTriangle 1\n7 0.5 0.5\n", "there is no triangle 7 among 4", 4},
        {"T= 0\n NONSENSE\n", "\"NONSENSE\" is no command", 4},
        {"T= nan\n REMOVE= 1\n1\n", "the time is no number", 4},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = run_file(cases[i].content, 2);
        if (!strstr(test->log, cases[i].message)) print_message("%s is not in:\n%s", cases[i].message, test->log);
        assert_non_null(strstr(test->log, cases[i].message));
        assert_int_equal(triangles_left(test), cases[i].left);
        physics_free(test);
    }
}

// What WriteTopology writes of a mesh that changes, CompareTopology finds in the next run, and in no other one; ReadTopology
// makes the same mesh without the changes.
static void files_of_meshes_follow(void **state) {
    (void)state;
    char changes[512], written[512], scene[4096];
    snprintf(changes, sizeof changes, "%s", physics_file("follow_changes.txt", "T= 0.01\n  REMOVE= 1\n0\n"));
    snprintf(written, sizeof written, "%s", physics_file("follow_topology.txt", ""));
    static const char *const runs[] = {
        "<TopologicalChangeProcessor filename='%s'/><WriteTopology name='files' filename='%s'/></Node>",
        "<TopologicalChangeProcessor filename='%s'/><CompareTopology name='files' filename='%s'/></Node>",
        "<!--%s--><CompareTopology name='files' filename='%s'/></Node>",
        "<!--%s--><ReadTopology name='files' filename='%s'/></Node>",
    };

    for (int run = 0; run < 4; run++) {
        const size_t length = (size_t)snprintf(scene, sizeof scene, "%s", SQUARE "<TriangularBendingSprings/>");
        snprintf(scene + length, sizeof scene - length, runs[run], changes, written);
        physics_scene *test = physics_load(scene);
        for (int i = 0; i < 3; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        assert_int_equal(test->count[ST_ERROR], 0);
        if (run == 1) assert_field(test, "/body/files", "totalError", "0");
        if (run == 2) assert_field(test, "/body/files", "totalError", "4"); // an edge and a triangle, in two frames
        assert_int_equal(mesh_of(test, "/body/mesh")->elements[ST_TRIANGLE].count, run == 2 ? 4 : 3);
        physics_free(test);
    }
    remove(changes);
    remove(written);
}

// Young's modulus and plastic strain of each element go with it, when elements go and when others come.
static void elements_keep_their_history(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<Node name='body'><TetrahedronSetTopologyContainer name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1  1 1 1  2 "
        "1 1' "
        "tetrahedra='0 1 2 3  1 2 3 4  1 2 4 5'/><TetrahedronSetTopologyModifier/><MechanicalObject name='dofs'/>"
        "<TetrahedronFEMForceField name='fem' youngModulus='1000 2000 3000' poissonRatio='0.3' "
        "plasticMaxThreshold='10' plasticYieldThreshold='0.001' plasticCreep='0.5'/></Node>");
    st_topology *mesh = mesh_of(test, "/body/mesh");
    st_state *dofs = physics_state(test, "/body/dofs");
    dofs->coord[ST_COORD_POSITION].data[15] += ST_R(0.2); // the last element yields
    physics_force(test, "/body/fem");
    physics_force(test, "/body/fem");
    dofs->coord[ST_COORD_POSITION].data[15] -= ST_R(0.2);

    // back at rest, what has yielded pushes; the first element goes, and with it point 0: point 5 has its number
    assert_int_equal(st_edit_remove(mesh, ST_TETRAHEDRON, (uint32_t[]){0}, 1, true, true), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/fem", "youngModulus", "3000 2000");
    physics_force(test, "/body/fem");
    const st_real pushed = fabs(physics_force_of(test, "/body/dofs")[0]);
    assert_true(pushed > 1);

    // a new element comes without plastic strain
    const st_origin origin = {(uint32_t[]){0, 1}, (uint32_t[]){1}, (st_real[]){1}};
    assert_int_equal(st_edit_add(mesh, ST_TETRAHEDRON, (uint32_t[]){1, 2, 3, 4}, 1, &origin), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/fem", "youngModulus", "3000 2000 2000");
    physics_force(test, "/body/fem");
    assert_true(fabs(physics_force_of(test, "/body/dofs")[0]) > pushed / 4);

    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/fem", "youngModulus", "1000 2000 3000");
    physics_force(test, "/body/fem");
    for (int i = 0; i < 18; i++) assert_near(physics_force_of(test, "/body/dofs")[i], 0, ST_R(1e-4));
    physics_free(test);
}

static void a_point_in_a_triangle(void **state) {
    (void)state;
    physics_scene *test = run_file("T= 0\n ADD= PointInTriangle 1\n0 0.5 0.25\n", 1);
    const st_state *dofs = physics_state(test, "/body/dofs");
    assert_int_equal(dofs->size, 6);
    assert_reals(dofs->coord[ST_COORD_REST].data + 15, 3, (st_real[]){ST_R(0.75), ST_R(0.25), 0}, 0);
    physics_free(test);
}

static void what_leaves_the_box_is_removed(void **state) {
    (void)state;
    physics_scene *test = physics_load(SQUARE "<TopologyBoundingTrasher box='-9 0.5 -9 9 9 9'/></Node>");
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

    // the middle of triangle 0 is at y = 1/3
    assert_int_equal(triangles_left(test), 3);
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Reset
// ---------------------------------------------------------------------------------------------------

static void a_reset_brings_the_first_mesh_back(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        SQUARE "<DiagonalMass name='mass' massDensity='2'/><FixedProjectiveConstraint name='fix' indices='1 4'/>"
               "<TriangularFEMForceField youngModulus='100'/><EulerImplicitSolver/><CGLinearSolver/></Node>");
    const st_topology *mesh = mesh_of(test, "/body/mesh");
    st_real first[15], second[15];
    for (int i = 0; i < 5; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    memcpy(first, physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data, sizeof first);

    remove_triangles(test, (uint32_t[]){0, 1}, 2);
    for (int i = 0; i < 5; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_indices(&mesh->elements[ST_TRIANGLE], 3, 4, (uint32_t[]){0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4});
    assert_field(test, "/body/fix", "indices", "1 4");
    for (int i = 0; i < 5; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    memcpy(second, physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data, sizeof second);
    assert_memory_equal(first, second, sizeof first);
    physics_free(test);
}

// Edge 0 takes points 0 and 1 with it: the former 4 and 5 get their numbers, point 2 is the first one in the list. As in SOFA
// it gets the line of the former point 0, and point 0 does not fall; without the compatibility table both follow.
static void places_of_a_direction(void **state) {
    (void)state;
    for (int no_compat = 0; no_compat < 2; no_compat++) {
        physics_scene *test = physics_load_with(
            "<DefaultAnimationLoop/><Node name='body'><EulerExplicitSolver/>"
            "<EdgeSetTopologyContainer name='mesh' position='0 7 0  1 1 0  2 2 0  3 3 0  4 4 0  5 5 0' "
            "edges='0 1  2 3  4 5'/><EdgeSetTopologyModifier name='modifier'/><MechanicalObject name='dofs'/>"
            "<UniformMass vertexMass='1'/><DirectionProjectiveConstraint name='fix' indices='0 2' direction='1 0 0'/>"
            "</Node>",
            no_compat);
        remove_triangles(test, (uint32_t[]){0}, 1);
        assert_field(test, "/body/fix", "indices", "2");
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);

        const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
        assert_near(x[3 * 2 + 1], no_compat ? 2 : 7, 0);
        assert_true(no_compat ? x[1] < 4 : x[1] == 4);
        assert_true(x[3 * 1 + 1] < 5);

        // the first list is back
        assert_int_equal(st_scene_reset(test->scene), ST_OK);
        assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
        x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
        assert_near(x[1], 7, 0);
        assert_near(x[3 * 2 + 1], 2, 0);
        assert_true(x[3 * 4 + 1] < 4);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_one_takes_the_place),
        cmocka_unit_test(isolated_points_leave_the_state),
        cmocka_unit_test(bad_numbers_are_left_out),
        cmocka_unit_test(a_point_takes_its_elements_with_it),
        cmocka_unit_test(new_points_are_means),
        cmocka_unit_test(points_are_renumbered),
        cmocka_unit_test(surface_follows_its_volume),
        cmocka_unit_test(what_cannot_follow_is_made_again),
        cmocka_unit_test(pairs_go_with_their_points),
        cmocka_unit_test(everything_follows_without_a_matrix),
        cmocka_unit_test(everything_follows_with_a_matrix),
        cmocka_unit_test(a_file_changes_the_mesh),
        cmocka_unit_test(mistakes_of_a_file_are_reported),
        cmocka_unit_test(files_of_meshes_follow),
        cmocka_unit_test(elements_keep_their_history),
        cmocka_unit_test(a_point_in_a_triangle),
        cmocka_unit_test(what_leaves_the_box_is_removed),
        cmocka_unit_test(places_of_a_direction),
        cmocka_unit_test(a_reset_brings_the_first_mesh_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
