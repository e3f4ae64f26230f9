// Tearing: a strip that is pulled above its tearStress comes apart, below it does not; mass and volume stay, a reset closes
// the crack.
//
// labels: double-only
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/vec3.h"
#include "topology/adjacency.h"

// A strip of 4 × 1 (× 0.5), held at both ends and stretched by 0.1 %: with Young's modulus 200000 its stress is 200 all
// over.
static physics_scene *load_strip(bool solid, const char *force) {
    char text[4096];
    const char *kind = solid ? "Tetrahedron" : "Triangle", *depth = solid ? "0.5" : "0";
    const int layers = solid ? 2 : 1;
    snprintf(text, sizeof text,
             "<RegularGridTopology name='grid' n='9 3 %d' min='0 0 0' max='4 1 %s'/>"
             "<Node name='pulled'><RegularGridTopology name='grid' n='9 3 %d' min='0 0 0' max='4.004 1 %s'/></Node>"
             "<Node name='body'>"
             "<EulerImplicitSolver rayleighMass='1' rayleighStiffness='0.1'/><CGLinearSolver iterations='300' "
             "tolerance='1e-10' threshold='1e-14'/><MechanicalObject name='dofs' position='@../pulled/grid.position' "
             "rest_position='@../grid.position'/>"
             "<%sSetTopologyContainer name='mesh'/><%sSetTopologyModifier/>"
             "<%sTopologicalMapping input='@../grid' output='@mesh'/><DiagonalMass name='mass' massDensity='1e-4'/>%s"
             "<BoxROI name='ends' box='-1 -1 -1 0.01 2 2  3.9 -1 -1 5 2 2'/>"
             "<FixedProjectiveConstraint indices='@ends.indices'/></Node>",
             layers, depth, layers, depth, kind, kind, solid ? "Hexa2Tetra" : "Quad2Triangle", force);
    return physics_load(text);
}

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/body/mesh"); }

typedef struct result {
    size_t pieces, points;
    st_real mass, content;
} result;

static result look(physics_scene *test, bool solid) {
    st_topology *mesh = mesh_of(test);
    const st_element kind = solid ? ST_TETRAHEDRON : ST_TRIANGLE;
    result r = {.pieces = st_topology_components(mesh, kind), .points = st_topology_points(mesh)};
    char *text = st_object_get(physics_find(test, "/body/mass"), "vertexMass", 17);
    for (char *at = text, *end; *at; at = end) {
        r.mass += (st_real)strtod(at, &end);
        if (end == at) break;
    }
    st_string_free(text);

    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_REST].data;
    for (size_t e = 0; e < mesh->elements[kind].count; e++) {
        const uint32_t *v = mesh->elements[kind].data + st_element_size[kind] * e;
        st_real a[3], b[3], c[3], cross[3];
        st_vec3_sub(a, x + 3 * v[1], x + 3 * v[0]);
        st_vec3_sub(b, x + 3 * v[2], x + 3 * v[0]);
        st_vec3_cross(cross, a, b);
        if (solid) st_vec3_sub(c, x + 3 * v[3], x + 3 * v[0]);
        r.content += solid ? fabs(st_vec3_dot(cross, c)) / 6 : st_vec3_norm(cross) / 2;
    }
    return r;
}

static void pull(bool solid, const char *force, bool tears) {
    physics_scene *test = load_strip(solid, force);
    const result before = look(test, solid);
    for (int i = 0; i < 100; i++) assert_true(st_succeeded(st_scene_step(test->scene, ST_R(0.02))));
    const result after = look(test, solid);

    if ((after.pieces > 1) != tears)
        print_message("%s: %zu pieces, %zu points\n%s", force, after.pieces, after.points, test->log);
    assert_int_equal(after.pieces > 1, tears);
    assert_int_equal(after.points > before.points, tears);
    assert_near(after.mass, before.mass, ST_R(5e3) * ST_REAL_EPSILON * before.mass);
    assert_near(after.content, before.content, ST_R(5e3) * ST_REAL_EPSILON * before.content);
    assert_int_equal(test->count[ST_ERROR], 0);

    // the first strip again
    assert_true(st_succeeded(st_scene_reset(test->scene)));
    const result again = look(test, solid);
    assert_int_equal(again.points, before.points);
    assert_int_equal(again.pieces, 1);
    physics_free(test);
}

#define FEM(name, stress) "<" name "FEMForceField youngModulus='200000' poissonRatio='0' tearStress='" stress "'/>"

static void solids_tear_above_their_stress(void **state) {
    (void)state;
    pull(true, FEM("Tetrahedron", "150"), true);
    pull(true, FEM("Tetrahedron", "201"), false);
    pull(true, FEM("Tetrahedron", "0"), false);
    pull(true, FEM("TetrahedralCorotational", "150"), true);
    pull(true, FEM("TetrahedralCorotational", "201"), false);
}

static void membranes_tear_above_their_stress(void **state) {
    (void)state;
    pull(false, FEM("Triangular", "150"), true);
    pull(false, FEM("Triangular", "201"), false);
    pull(false, FEM("Triangle", "150"), true);
    pull(false, FEM("Triangle", "201"), false);
    pull(false, "<TriangularFEMForceFieldOptim youngModulus='200000' poissonRatio='0' tearStress='150'/>", true);
    pull(false, "<TriangularFEMForceFieldOptim youngModulus='200000' poissonRatio='0' tearStress='201'/>", false);
}

static void what_cannot_tear_says_so(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {FEM("Tetrahedron", "-1"), "tearStress is -1: it must be a positive number, or 0"},
        {"<Node><MeshTopology name='fixed' position='0 0 0  1 0 0  0 1 0  0 0 1' tetrahedra='0 1 2 "
         "3'/><MechanicalObject/>"
         "<TetrahedronFEMForceField tearStress='1'/></Node>",
         "it cannot tear: fixed is no container"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = load_strip(true, cases[i][0]);
        if (!strstr(test->log, cases[i][1])) print_message("%s", test->log);
        assert_non_null(strstr(test->log, cases[i][1]));
        st_scene_step(test->scene, 0);
        physics_free(test);
    }
    physics_scene *test = load_strip(false, "<TriangularAnisotropicFEMForceField tearStress='1'/>");
    assert_non_null(strstr(test->log, "only isotropic materials tear"));
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_tear_above_their_stress),
        cmocka_unit_test(membranes_tear_above_their_stress),
        cmocka_unit_test(what_cannot_tear_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
